/* Where text goes: messages, errors, what kernels print. */
#include <stdio.h>
#include <string.h>

#include "runtime/host/base/context.h"

int sni_fail(sn_context *context, int code, const char *format, ...)
{
  va_list arguments;

  if (context->has_error)
    return code;
  va_start(arguments, format);
  vsnprintf(context->error, sizeof context->error, format, arguments);
  va_end(arguments);
  context->has_error = 1;
  return code;
}

void sni_log(sn_context *context, const char *format, ...)
{
  char text[SNI_TEXT_BYTES];
  va_list arguments;

  if (!context->log.function)
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  context->log.function(context->log.user, text);
}

void sni_note(sn_context *context, const char *format, ...)
{
  char text[SNI_TEXT_BYTES];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!context->has_error)
    strcpy(context->error, text);
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
  return context ? context->error : "no context";
}

void sn_context_clear(sn_context *context)
{
  if (context) {
    context->error[0] = 0;
    context->has_error = 0;
  }
}
