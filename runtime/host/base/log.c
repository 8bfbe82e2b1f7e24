/* Where text goes: messages, errors, what kernels print. */
#include <stdio.h>
#include <string.h>

#include "runtime/host/base/context.h"
#include "runtime/host/base/text.h"

int sni_fail(sn_context *context, int code, const char *format, ...)
{
  va_list arguments;
  int none = 0;

  /* Acquire: writes the text when the clear before is over, which released it. */
  if (!atomic_compare_exchange_strong_explicit(&context->has_error, &none, 1, memory_order_acquire,
                                               memory_order_relaxed))
    return code;
  va_start(arguments, format);
  (void)sni_text_vformat(context->error, sizeof context->error, format, arguments);
  va_end(arguments);
  /* Release: who finds it there sees the text. */
  atomic_store_explicit(&context->has_error, 2, memory_order_release);
  return code;
}

int sni_fail_busy(sn_context *context, const char *what)
{
  return sni_fail(context, SN_EBUSY, "%s%sthe context is in use: another thread is inside a call "
                  "on it, or what such a call calls (a print or a log function) calls the context",
                  what ? what : "", what ? ": " : "");
}

void sni_log(sn_context *context, const char *format, ...)
{
  char text[SNI_TEXT_BYTES];
  va_list arguments;

  if (!context->log.function)
    return;
  va_start(arguments, format);
  (void)sni_text_vformat(text, sizeof text, format, arguments);
  va_end(arguments);
  context->log.function(context->log.user, text);
}

void sni_note(sn_context *context, const char *format, ...)
{
  char text[SNI_TEXT_BYTES];
  va_list arguments;

  va_start(arguments, format);
  (void)sni_text_vformat(text, sizeof text, format, arguments);
  va_end(arguments);
  strcpy(context->note, text);
  sni_log(context, "%s", text);
}

/* print_lock is held. */
static void print_text(sn_context *context, const char *text)
{
  if (context->print.function)
    context->print.function(context->print.user, text);
  else
    fputs(text, stdout);
}

void sni_print(sn_context *context, const char *text)
{
  if (context->is_silent)
    return;
  sni_mutex_lock(&context->print_lock);
  print_text(context, text);
  sni_mutex_unlock(&context->print_lock);
}

/* ---- lines of --trace: print_lock is held ---- */

static void trace_line(sn_context *context, const char *from, size_t length)
{
  char line[SNI_LINE_BYTES + 16];

  if (context->trace.function) {
    snprintf(line, sizeof line, "%.*s", (int)length, from);
    context->trace.function(context->trace.user, line);
  } else {
    snprintf(line, sizeof line, "trace: %.*s\n", (int)length, from);
    print_text(context, line);
  }
}

/* Of the first name in a path. */
static size_t name_length(const char *path)
{
  const char *end = strstr(path, ": ");

  return end ? (size_t)(end - path) : strlen(path);
}

static const char *next_name(const char *path)
{
  path += name_length(path);
  return *path ? path + 2 : path;
}

static void skip_shared(const char **a, const char **b)
{
  while (**a && **b && name_length(*a) == name_length(*b) &&
         memcmp(*a, *b, name_length(*a)) == 0) {
    *a = next_name(*a);
    *b = next_name(*b);
  }
}

/* A block called "end" is no end. */
static void trace_begin(sn_context *context, const char *name, size_t length)
{
  char comment[SNI_TEXT_BYTES + 16];
  const int is_end = length == 3 && memcmp(name, "end", 3) == 0;

  snprintf(comment, sizeof comment, "COMMENT: %.*s%s", (int)length, name, is_end ? " " : "");
  trace_line(context, comment, strlen(comment));
}

static void trace_blocks(sn_context *context, const char *path)
{
  static const char end[] = "COMMENT: end";
  const char *from = context->trace_path, *to = path;

  skip_shared(&from, &to);
  for (; *from; from = next_name(from))
    trace_line(context, end, sizeof end - 1);
  for (; *to; to = next_name(to))
    trace_begin(context, to, name_length(to));
  sni_text_copy(context->trace_path, sizeof context->trace_path, path);
}

/* A task is called after its blocks: "sweep: red: range_for". */
static void path_of(char *path, size_t bytes, const char *task, const char *inner)
{
  size_t outer = 0;

  for (const char *at = strstr(task, ": "); at; at = strstr(at + 2, ": "))
    outer = (size_t)(at - task);
  sni_text_format(path, bytes, "%.*s%s%s", (int)outer, task, outer && *inner ? ": " : "", inner);
}

void sni_print_trace(sn_context *context, const char *task, const char *inner, const char *lines)
{
  char path[SNI_TEXT_BYTES];

  if (context->is_silent)
    return;
  path_of(path, sizeof path, task, inner);
  sni_mutex_lock(&context->print_lock);
  trace_blocks(context, path);
  while (*lines) {
    const size_t length = strcspn(lines, "\n");
    trace_line(context, lines, length);
    lines += length;
    lines += *lines == '\n';
  }
  sni_mutex_unlock(&context->print_lock);
}

void sni_end_traces(sn_context *context)
{
  if (!*context->trace_path)     /* no task runs that could print */
    return;
  sni_mutex_lock(&context->print_lock);
  trace_blocks(context, "");
  sni_mutex_unlock(&context->print_lock);
}

const char *sn_context_error(const sn_context *context)
{
  if (!context)
    return "no context";
  /* Acquire: the text is there. */
  return atomic_load_explicit(&context->has_error, memory_order_acquire) == 2 ? context->error
                                                                              : context->note;
}

void sni_forget_error(sn_context *context)
{
  int there = 2;

  context->note[0] = 0;
  /* Release: who writes the next one begins behind what was read of this one. */
  (void)atomic_compare_exchange_strong_explicit(&context->has_error, &there, 0,
                                                memory_order_release, memory_order_relaxed);
}

void sn_context_clear(sn_context *context)
{
  if (!context)
    return;
  atomic_store_explicit(&context->is_canceled, 0, memory_order_relaxed);
  sni_forget_error(context);
}

/* Relaxed: nothing is told with it.  In a signal handler it may be: an atomic_int has no lock. */
void sn_context_cancel(sn_context *context)
{
  if (context)
    atomic_store_explicit(&context->is_canceled, 1, memory_order_relaxed);
}
