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

void sni_print(sn_context *context, const char *text)
{
  sni_mutex_lock(&context->print_lock);
  if (context->print.function)
    context->print.function(context->print.user, text);
  else
    fputs(text, stdout);
  sni_mutex_unlock(&context->print_lock);
}

void sni_print_trace(sn_context *context, const char *line)
{
  char text[SNI_LINE_BYTES + 16];

  if (!context->trace.function) {
    snprintf(text, sizeof text, "trace: %s\n", line);
    sni_print(context, text);
    return;
  }
  sni_mutex_lock(&context->print_lock);
  context->trace.function(context->trace.user, line);
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

void sn_context_clear(sn_context *context)
{
  int there = 2;

  if (!context)
    return;
  context->note[0] = 0;
  /* Release: who writes the next one begins behind what was read of this one. */
  (void)atomic_compare_exchange_strong_explicit(&context->has_error, &there, 0,
                                                memory_order_release, memory_order_relaxed);
}
