/* Captures: stdout through a pipe, whose reader gives the lines of runs to their logs.
 *
 * The reader has a thread of its own and never waits for a writer, so that however much is
 * written the pipe runs empty.  A run has ended for the capture when the reader meets the mark that
 * was written behind its last line, and the capture when it meets the mark of run 0, which there is
 * not: whoever else has the pipe still, as processes that were started meanwhile, is not waited
 * for.  Marks go past stdout, which a program may close.  What is no line of a run goes on as it
 * is, at once, but for a beginning that may still become a prefix.
 */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/base/process.h"

enum { ROOM = 1 << 16 };         /* of a line; a longer one of a run is cut in two */

struct sn_capture {
  sn_capture *before;            /* that was there when it was made, and gets what it passes on */
  unsigned forks;                /* sni_process_forks of the process that made it */
  int is_over;                   /* the reader has met the last mark */
  sni_redirect redirect;         /* stdout's */
  sni_thread reader;
  sni_mutex lock;                /* the logs, and their ends */
  sni_condition ended;
  sni_run_log *logs;
  char text[ROOM];               /* read and not yet passed on */
  size_t length;
};

/* stdout leads to the newest, and each to the one before: so the newest is the one that can go. */
static struct {
  sni_mutex lock;
  sn_capture *newest;
} captures = { SNI_MUTEX_INIT, NULL };

static const char prefix[] = SN_LOG_PREFIX;
enum { PREFIX = sizeof prefix - 1 };

/* ---- what the reader meets ---- */

void sni_run_log_add(sni_run_log *log, const char *line, size_t length)
{
  sni_page_put(&log->page, line, sni_text_cut(line, length));    /* sn_log_line cuts at a byte */
  sni_page_put(&log->page, "\n", 1);
}

static sni_run_log *find(const sn_capture *c, long long run)
{
  sni_run_log *log = c->logs;

  while (log && log->run != run)
    log = log->next;
  return log;
}

/* A whole line behind a prefix: "12: text", or "12;": the end.  0: it is no run's. */
static int take_line(sn_capture *c, const char *line, size_t length)
{
  char number[24] = "", *end;
  const size_t digits = strspn(line, "0123456789");
  int is_last;
  sni_run_log *log;

  if (digits == 0 || digits >= sizeof number || digits >= length ||
      (line[digits] != ':' && line[digits] != ';'))
    return 0;
  memcpy(number, line, digits);
  is_last = line[digits] == ';' && strtoll(number, &end, 10) == 0;
  c->is_over |= is_last;
  sni_mutex_lock(&c->lock);
  log = find(c, strtoll(number, &end, 10));
  if (log && line[digits] == ';') {
    log->is_over = 1;
    sni_condition_wake_all(&c->ended);
  } else if (log && length >= digits + 2) {
    sni_run_log_add(log, line + digits + 2, length - digits - 2);
  }
  sni_mutex_unlock(&c->lock);
  return log != NULL || is_last;
}

/* Passes on what comes before `upto`. */
static void pass_on(sn_capture *c, size_t upto)
{
  sni_redirect_write(&c->redirect, c->text, upto);
  c->length -= upto;
  memmove(c->text, c->text + upto, c->length);
}

static void skip(sn_capture *c, size_t upto)
{
  c->length -= upto;
  memmove(c->text, c->text + upto, c->length);
}

/* Where the first prefix begins, or what may become one; length: nowhere. */
static size_t find_prefix(const sn_capture *c)
{
  for (size_t k = 0; k < c->length; k++) {
    const size_t left = c->length - k < PREFIX ? c->length - k : PREFIX;
    if (memcmp(c->text + k, prefix, left) == 0)
      return k;
  }
  return c->length;
}

/* Sorts out what has been read; is_end: there is no more to come. */
static void sort(sn_capture *c, int is_end)
{
  for (;;) {
    const char *end;
    size_t length;
    pass_on(c, find_prefix(c));
    end = memchr(c->text, '\n', c->length);
    if (!end && c->length < ROOM - 1 && !is_end)
      return;                            /* the rest of the line will come */
    if (!c->length)
      return;
    length = end ? (size_t)(end - c->text) : c->length;
    if (length > PREFIX && take_line(c, c->text + PREFIX, length - PREFIX))
      skip(c, end ? length + 1 : length);
    else
      pass_on(c, 1);                     /* what follows may be one */
  }
}

static void *read_all(void *user)
{
  sn_capture *c = user;
  size_t got;

  while (!c->is_over &&
         (got = sni_redirect_read(&c->redirect, c->text + c->length, ROOM - 1 - c->length)) > 0) {
    c->length += got;
    c->text[c->length] = 0;              /* numbers end there at the latest */
    sort(c, 0);
  }
  c->text[c->length] = 0;
  sort(c, 1);
  return NULL;
}

/* ---- runs ---- */

void sni_capture_begin(sn_capture *c, sni_run_log *log)
{
  sni_mutex_lock(&c->lock);
  log->next = c->logs;
  c->logs = log;
  sni_mutex_unlock(&c->lock);
}

/* captures.lock held: to where stdout leads, since those that are not meant pass it on behind the
 * lines that they pass on.  0: stdout did not take all of them. */
static int mark(int64_t run)
{
  char text[PREFIX + 24];

  snprintf(text, sizeof text, "%s%lld;\n", prefix, (long long)run);
  return sni_redirect_mark(&captures.newest->redirect, text);
}

void sni_capture_end(sn_capture *c, sni_run_log *log)
{
  sni_run_log **link = &c->logs;

  sni_mutex_lock(&captures.lock);
  log->is_lossy = !mark(log->run);
  sni_mutex_unlock(&captures.lock);
  sni_mutex_lock(&c->lock);
  while (!log->is_over)
    sni_condition_wait(&c->ended, &c->lock);
  while (*link != log)
    link = &(*link)->next;
  *link = log->next;
  sni_mutex_unlock(&c->lock);
}

/* ---- making and destroying ---- */

static void free_capture(sn_capture *c)
{
  sni_redirect_close(&c->redirect);
  sni_condition_destroy(&c->ended);
  sni_mutex_destroy(&c->lock);
  free(c);
}

/* captures.lock held. */
static int begin(sn_capture *c)
{
  if (sni_redirect_begin(&c->redirect)) {
    free(c);
    return SN_EIO;
  }
  sni_mutex_create(&c->lock);
  sni_condition_create(&c->ended);
  if (!sni_thread_start(&c->reader, "sn:capture", SNI_SMALL_STACK_BYTES, read_all, c)) {
    sni_redirect_end(&c->redirect);
    free_capture(c);
    return SN_ENOMEM;
  }
  c->forks = sni_process_watch_forks();
  c->before = captures.newest;
  captures.newest = c;
  return SN_OK;
}

int sn_capture_create(sn_capture **out)
{
  sn_capture *c;
  int code;

  if (!out)
    return SN_EINVAL;
  c = calloc(1, sizeof *c);
  if (!c)
    return SN_ENOMEM;
  sni_mutex_lock(&captures.lock);
  code = begin(c);
  sni_mutex_unlock(&captures.lock);
  if (code == SN_OK)
    *out = c;
  return code;
}

/* captures.lock held: the newest ends.  What is printed meanwhile comes behind what was printed
 * before. */
static void end(sn_capture *c)
{
  flockfile(stdout);
  sni_redirect_end(&c->redirect);
  (void)mark(0);
  sni_thread_join(c->reader);
  funlockfile(stdout);
  captures.newest = c->before;
  free_capture(c);
}

int sn_capture_destroy(sn_capture *c)
{
  int is_used;

  if (!c)
    return SN_OK;
  if (c->forks != sni_process_forks())
    return SN_ESTATE;
  sni_mutex_lock(&captures.lock);
  sni_mutex_lock(&c->lock);
  is_used = c->logs != NULL;
  sni_mutex_unlock(&c->lock);
  is_used |= c != captures.newest;
  if (!is_used)
    end(c);
  sni_mutex_unlock(&captures.lock);
  return is_used ? SN_ESTATE : SN_OK;
}
