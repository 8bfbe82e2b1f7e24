/* Chrome traces. */
#include "runtime/host/base/file.h"
#include "runtime/host/base/json.h"
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
  sni_delete(&trace->accounts, trace->names, trace->name_capacity, sizeof *trace->names);
  sni_mutex_destroy(&trace->lock);
}

double sni_trace_now(const sni_trace *trace)
{
  return trace->is_on ? sni_seconds() - trace->zero : 0;
}

/* Lock held.  NULL: it is counted as lost. */
static sni_span *make_span(sni_trace *trace)
{
  void *spans = trace->spans;

  if (trace->count >= MOST_SPANS ||
      !sni_grow(&trace->accounts, &spans, &trace->capacity, trace->count + 1,
                sizeof *trace->spans)) {
    trace->lost++;
    return NULL;
  }
  trace->spans = spans;
  return &trace->spans[trace->count++];
}

void sni_trace_add(sni_trace *trace, const char *name, const char *kind, int unit, int row,
                   double begin, uint64_t bytes)
{
  sni_span *span;

  if (!trace->is_on)
    return;
  sni_mutex_lock(&trace->lock);
  span = make_span(trace);
  if (span) {
    (void)sni_text_copy(span->name, sizeof span->name, name);
    span->kind = kind;
    span->unit = unit;
    span->row = row;
    span->begin = begin;
    span->end = sni_seconds() - trace->zero;
    span->bytes = bytes;
  }
  sni_mutex_unlock(&trace->lock);
}

/* ---- names of rows ---- */

/* Lock held.  What finds no memory has no name. */
static void name_row(sni_trace *trace, int unit, int row, const char *text)
{
  void *names = trace->names;
  sni_row_name *name;

  if (!sni_grow(&trace->accounts, &names, &trace->name_capacity, trace->name_count + 1,
                sizeof *trace->names))
    return;
  trace->names = names;
  name = &trace->names[trace->name_count++];
  (void)sni_text_copy(name->name, sizeof name->name, text);
  name->unit = unit;
  name->row = row;
}

void sni_trace_name_row(sni_trace *trace, int unit, int row, const char *name)
{
  if (!trace->is_on)
    return;
  sni_mutex_lock(&trace->lock);
  name_row(trace, unit, row, name);
  sni_mutex_unlock(&trace->lock);
}

/* Lock held. */
static int find_thread(sni_trace *trace)
{
  char name[32];
  int row = 0;

  while (row < trace->thread_count && !sni_thread_is_this(trace->threads[row]))
    row++;
  if (row < trace->thread_count)
    return row;
  if (row == SNI_TRACE_THREADS)
    return row - 1;
  trace->threads[trace->thread_count++] = sni_thread_this();
  snprintf(name, sizeof name, "calling thread %d", row + 1);
  name_row(trace, 0, row, name);
  return row;
}

int sni_trace_thread(sni_trace *trace)
{
  int row;

  if (!trace->is_on)
    return 0;
  sni_mutex_lock(&trace->lock);
  row = find_thread(trace);
  sni_mutex_unlock(&trace->lock);
  return row;
}

void sni_trace_take(sni_trace *trace, sni_trace *from, int unit)
{
  sni_mutex_lock(&trace->lock);
  sni_mutex_lock(&from->lock);
  for (size_t k = 0; k < from->count; k++) {
    sni_span *span = make_span(trace);
    if (!span)
      continue;
    *span = from->spans[k];
    span->unit = unit;
    span->begin += from->zero - trace->zero;
    span->end += from->zero - trace->zero;
  }
  for (size_t k = 0; k < from->name_count; k++)
    name_row(trace, unit, from->names[k].row, from->names[k].name);
  trace->lost += from->lost;
  from->count = from->name_count = 0;
  from->thread_count = 0;
  from->lost = 0;
  sni_mutex_unlock(&from->lock);
  sni_mutex_unlock(&trace->lock);
}

/* ---- the file ---- */

static void put(void *file, const char *text)
{
  fputs(text, file);
}

/* Microseconds, with a point, whatever the program's locale says. */
static void write_time(sni_json *json, const char *key, double seconds)
{
  const int64_t nanoseconds = (int64_t)(1e9 * seconds);
  char number[48];

  snprintf(number, sizeof number, "%lld.%03d", (long long)(nanoseconds / 1000),
           (int)(nanoseconds % 1000));
  sni_json_key(json, key);
  sni_json_verbatim(json, number);
}

static void write_integer(sni_json *json, const char *key, int64_t value)
{
  char number[24];

  snprintf(number, sizeof number, "%lld", (long long)value);
  sni_json_key(json, key);
  sni_json_verbatim(json, number);
}

static void write_string(sni_json *json, const char *key, const char *text)
{
  sni_json_key(json, key);
  sni_json_string(json, text);
}

static void write_span(sni_json *json, const sni_span *span)
{
  sni_json_line(json);
  sni_json_open(json, '{');
  write_string(json, "name", span->name);
  write_string(json, "cat", span->kind);
  write_string(json, "ph", "X");
  write_integer(json, "pid", span->unit);
  write_integer(json, "tid", span->row);
  write_time(json, "ts", span->begin);
  write_time(json, "dur", span->end - span->begin);
  if (span->bytes) {
    sni_json_key(json, "args");
    sni_json_open(json, '{');
    write_integer(json, "bytes", (int64_t)span->bytes);
    sni_json_close(json, '}');
  }
  sni_json_close(json, '}');
}

/* The name of a unit ("process_name"), or of a row of it ("thread_name"). */
static void write_name(sni_json *json, const char *what, int unit, int row, const char *name)
{
  sni_json_line(json);
  sni_json_open(json, '{');
  write_string(json, "name", what);
  write_string(json, "ph", "M");
  write_integer(json, "pid", unit);
  if (row >= 0)
    write_integer(json, "tid", row);
  sni_json_key(json, "args");
  sni_json_open(json, '{');
  write_string(json, "name", name);
  sni_json_close(json, '}');
  sni_json_close(json, '}');
}

/* Who reads the file is told how many spans it lacks. */
static void write_head(sni_json *json, uint64_t lost)
{
  char number[24];

  snprintf(number, sizeof number, "%llu", (unsigned long long)lost);
  sni_json_key(json, "otherData");
  sni_json_open(json, '{');
  write_string(json, "spans_left_out", number);
  sni_json_close(json, '}');
}

int sni_trace_write(sni_trace *trace, const char *path, const char *(*unit_name)(void *, int),
                    void *user, int units)
{
  sni_aside aside;
  const int failed = sni_aside_open(&aside, path);
  sni_json json;

  if (failed)
    return failed;
  sni_json_begin(&json, put, aside.file);
  sni_mutex_lock(&trace->lock);
  sni_json_open(&json, '{');
  write_head(&json, trace->lost);
  sni_json_key(&json, "traceEvents");
  sni_json_open(&json, '[');
  for (int k = 0; k < units; k++)
    write_name(&json, "process_name", k, -1, unit_name(user, k));
  for (size_t k = 0; k < trace->name_count; k++)
    write_name(&json, trace->names[k].row < 0 ? "process_name" : "thread_name",
               trace->names[k].unit, trace->names[k].row, trace->names[k].name);
  for (size_t k = 0; k < trace->count; k++)
    write_span(&json, &trace->spans[k]);
  put(aside.file, "\n");
  sni_json_close(&json, ']');
  sni_json_close(&json, '}');
  put(aside.file, "\n");
  sni_mutex_unlock(&trace->lock);
  return sni_aside_commit(&aside);
}
