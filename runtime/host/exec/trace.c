/* Chrome traces. */
#include "runtime/host/exec/trace.h"

#include <stdio.h>
#include <string.h>

#include <snode/error.h>

enum { MOST_SPANS = 1 << 20 };

void sni_trace_create(sni_trace *trace, int is_on)
{
  memset(trace, 0, sizeof *trace);
  trace->is_on = is_on;
  sni_mutex_create(&trace->lock);
  sni_accounts_init(&trace->accounts);
  trace->zero = sni_seconds();
}

void sni_trace_destroy(sni_trace *trace)
{
  sni_delete(&trace->accounts, trace->spans, trace->capacity, sizeof *trace->spans);
  sni_mutex_destroy(&trace->lock);
}

double sni_trace_now(const sni_trace *trace)
{
  return trace->is_on ? sni_seconds() - trace->zero : 0;
}

void sni_trace_add(sni_trace *trace, const char *name, const char *kind, int unit, int row,
                   double begin, uint64_t bytes)
{
  void *spans;

  if (!trace->is_on)
    return;
  sni_mutex_lock(&trace->lock);
  spans = trace->spans;
  if (trace->count < MOST_SPANS &&
      sni_grow(&trace->accounts, &spans, &trace->capacity, trace->count + 1,
               sizeof *trace->spans)) {
    sni_span *span;
    trace->spans = spans;
    span = &trace->spans[trace->count++];
    snprintf(span->name, sizeof span->name, "%s", name);
    span->kind = kind;
    span->unit = unit;
    span->row = row;
    span->begin = begin;
    span->end = sni_seconds() - trace->zero;
    span->bytes = bytes;
  } else {
    trace->lost++;
  }
  sni_mutex_unlock(&trace->lock);
}

/* A JSON string: what a name may hold is escaped. */
static void write_text(FILE *file, const char *text)
{
  putc('"', file);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(file, "\\%c", c);
    else if (c < 0x20)
      fprintf(file, "\\u%04x", (unsigned)c);
    else
      putc(c, file);
  }
  putc('"', file);
}

static void write_span(FILE *file, const sni_span *span)
{
  fputs(",\n{\"name\":", file);
  write_text(file, span->name);
  fprintf(file, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f",
          span->kind, span->unit, span->row, 1e6 * span->begin, 1e6 * (span->end - span->begin));
  if (span->bytes)
    fprintf(file, ",\"args\":{\"bytes\":%llu}", (unsigned long long)span->bytes);
  putc('}', file);
}

int sni_trace_write(sni_trace *trace, const char *path, const char *(*unit_name)(void *, int),
                    void *user, int units)
{
  FILE *file = fopen(path, "w");
  int failed;

  if (!file)
    return SN_EIO;
  sni_mutex_lock(&trace->lock);
  fprintf(file, "{\"otherData\":{\"spans_left_out\":\"%llu\"},\"traceEvents\":[\n"
                "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":",
          (unsigned long long)trace->lost);
  write_text(file, unit_name(user, 0));
  fputs("}}", file);
  for (int k = 1; k < units; k++) {
    fprintf(file, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":", k);
    write_text(file, unit_name(user, k));
    fputs("}}", file);
  }
  for (size_t k = 0; k < trace->count; k++)
    write_span(file, &trace->spans[k]);
  fputs("\n]}\n", file);
  sni_mutex_unlock(&trace->lock);
  failed = ferror(file);
  failed |= fclose(file);
  return failed ? SN_EIO : SN_OK;
}
