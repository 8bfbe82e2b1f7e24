/* Chrome traces. */
#include "runtime/host/base/file.h"
#include "runtime/host/base/text.h"
#include "runtime/host/base/trace.h"

#include <stdio.h>
#include <string.h>

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
    (void)sni_text_copy(span->name, sizeof span->name, name);
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

static void write_text(FILE *file, const char *text)
{
  char piece[SNI_JSON_BYTES];

  putc('"', file);
  while (*text) {
    sni_text_json(&text, piece);
    fputs(piece, file);
  }
  putc('"', file);
}

/* Microseconds; with a point, whatever the program's locale says. */
static void write_time(FILE *file, const char *key, double seconds)
{
  const int64_t nanoseconds = (int64_t)(1e9 * seconds);

  fprintf(file, ",\"%s\":%lld.%03d", key, (long long)(nanoseconds / 1000),
          (int)(nanoseconds % 1000));
}

static void write_span(FILE *file, const sni_span *span)
{
  fputs(",\n{\"name\":", file);
  write_text(file, span->name);
  fprintf(file, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d", span->kind, span->unit,
          span->row);
  write_time(file, "ts", span->begin);
  write_time(file, "dur", span->end - span->begin);
  if (span->bytes)
    fprintf(file, ",\"args\":{\"bytes\":%llu}", (unsigned long long)span->bytes);
  putc('}', file);
}

static void write_unit(FILE *file, int number, const char *name)
{
  fprintf(file, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":", number);
  write_text(file, name);
  fputs("}}", file);
}

int sni_trace_write(sni_trace *trace, const char *path, const char *(*unit_name)(void *, int),
                    void *user, int units)
{
  sni_aside aside;
  const int failed = sni_aside_open(&aside, path);

  if (failed)
    return failed;
  sni_mutex_lock(&trace->lock);
  fprintf(aside.file, "{\"otherData\":{\"spans_left_out\":\"%llu\"},\"traceEvents\":[\n",
          (unsigned long long)trace->lost);
  for (int k = 0; k < units; k++) {
    fputs(k ? ",\n" : "", aside.file);
    write_unit(aside.file, k, unit_name(user, k));
  }
  for (size_t k = 0; k < trace->count; k++)
    write_span(aside.file, &trace->spans[k]);
  fputs("\n]}\n", aside.file);
  sni_mutex_unlock(&trace->lock);
  return sni_aside_commit(&aside);
}
