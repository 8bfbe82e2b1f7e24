/* The log of a run: its lines are kept, and handed over together when it is over; as a tree. */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/code.h"

#include <stdio.h>
#include <string.h>

/* ---- keeping lines ---- */

/* What arguments.log is, directly and by way of stdout. */
static void keep(void *to, const char *line)
{
  sni_run_log_add(to, line, strlen(line));
}

static void print(void *to, const char *line)
{
  const sni_run_log *log = to;

  printf(SN_LOG_PREFIX "%lld: %s\n", (long long)log->run, line);
}

/* ---- one run ---- */

static void tell_arguments(const sn_routine *routine, const sn_arguments *arguments)
{
  const sni_entry *entry = routine->entry;

  for (int k = 0; k < entry->use_count; k++)
    sn_log_line(arguments, "%s%s = %p", entry->uses[k].node->name,
                entry->uses[k].kind == SN_NODE_MERGE ? ".merge" : "", arguments->arrays[k]);
  for (int k = 0; k < entry->index_count; k++)
    sn_log_line(arguments, "%s = %lld", entry->indices[k].name,
                (long long)arguments->indices[k]);
}

void sni_run_log_begin(sni_run_log *log, const sn_routine *routine, sn_arguments *arguments)
{
  sni_page_begin(&log->page, log->engine);
  sni_mutex_lock(&log->engine->lock);
  log->run = ++log->engine->next_run;
  sni_mutex_unlock(&log->engine->lock);
  if (log->capture)
    sni_capture_begin(log->capture, log);
  arguments->log = log->capture ? print : keep;
  arguments->log_to = log;
  arguments->run = log->run;
  tell_arguments(routine, arguments);
}

void sni_run_log_end(sni_run_log *log)
{
  if (log->capture)
    sni_capture_end(log->capture, log);
  log->write(log->write_to, log->page.text ? log->page.text : "");
  if (log->page.is_cut)
    log->write(log->write_to, "memory ran out: the rest of the log is lost\n");
  if (log->is_lossy)
    log->write(log->write_to, "stdout could not be written to: lines of the log are lost\n");
  sni_page_end(&log->page);
}

/* ---- the tree ---- */

typedef struct writing {
  sn_text_fn write;
  void *user;
  int depth;
} writing;

/* A part of a line, indented. */
static void write_part(const writing *w, int depth, const char *from, size_t length)
{
  char text[1100];
  const int blanks = depth < 20 ? 2 * depth : 40;

  length = length < 1024 ? length : sni_text_cut(from, 1024);
  snprintf(text, sizeof text, "%*s%.*s\n", blanks, "", (int)length, from);
  w->write(w->user, text);
}

/* The source has line ends again, and what it does stands below it. */
static void write_source(const writing *w, const char *line, size_t length)
{
  while (length) {
    const char *end = memchr(line, '$', length);
    const size_t part = end ? (size_t)(end - line) : length;
    write_part(w, w->depth, line, part);
    line += end ? part + 1 : part;
    length -= end ? part + 1 : part;
  }
}

static int begins(const char *line, size_t length, const char *with)
{
  return length >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

static void write_line(writing *w, const char *line, size_t length)
{
  static const char comment[] = "COMMENT: ";
  const size_t skip = sizeof comment - 1;

  if (length == skip + 3 && begins(line, length, "COMMENT: end")) {
    w->depth -= w->depth > 0;
  } else if (begins(line, length, comment)) {
    write_part(w, w->depth++, line + skip, length - skip);
  } else if (begins(line, length, "# ")) {
    write_source(w, line + 2, length - 2);
  } else {
    write_part(w, w->depth, line, length);
  }
}

int sn_log_tree(const char *text, sn_text_fn write, void *user)
{
  writing w = { write, user, 0 };

  if (!text || !write)
    return SN_EINVAL;
  while (*text) {
    const size_t length = strcspn(text, "\n");
    write_line(&w, text, length);
    text += length;
    text += *text == '\n';
  }
  return SN_OK;
}
