/* A trace of what ran where and when, in the Trace Event Format that chrome://tracing and
 * Perfetto read: of an engine a row per queue or worker, grouped by unit; of a context its calls.
 *
 * Spans are kept in memory and written when asked for; their number is bounded, and what
 * is left out is counted and said in the file.
 */
#ifndef SNI_BASE_TRACE_H
#define SNI_BASE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/base/accounts.h"
#include "runtime/host/base/platform.h"

typedef struct sni_span {
  char name[96];
  const char *kind;              /* "work", "copy", "fill", "wait", "task" ...: static */
  int unit, row;
  double begin, end;             /* seconds since the trace was made */
  uint64_t bytes;
} sni_span;

typedef struct sni_row_name {
  char name[48];
  int unit, row;                 /* -1: of the unit itself */
} sni_row_name;

enum { SNI_TRACE_THREADS = 64 }; /* that have rows of their own; others are in the last one */

typedef struct sni_trace {
  int is_on;
  sni_mutex lock;
  sni_row_name *names;
  size_t name_count, name_capacity;
  sni_thread threads[SNI_TRACE_THREADS];         /* by row, where rows are threads */
  int thread_count;
  sni_accounts accounts;
  sni_span *spans;
  size_t count, capacity;
  uint64_t lost;
  double zero;
} sni_trace;

void sni_trace_create(sni_trace *, int is_on);
void sni_trace_destroy(sni_trace *);
/* Seconds on the trace's clock; 0 when it is off. */
double sni_trace_now(const sni_trace *);
/* Any thread. */
void sni_trace_add(sni_trace *, const char *name, const char *kind, int unit, int row,
                   double begin, uint64_t bytes);
/* What a row of a unit is called in the file; row -1: the unit. */
void sni_trace_name_row(sni_trace *, int unit, int row, const char *name);
/* The calling thread's row, of a trace whose rows are threads. */
int sni_trace_thread(sni_trace *);
/* What `from` has so far moves into the trace, as of that unit, on the trace's clock. */
void sni_trace_take(sni_trace *, sni_trace *from, int unit);
/* unit_name(user, k) for the groups' names.  The file appears whole or not at all.  0, or errno. */
int sni_trace_write(sni_trace *, const char *path, const char *(*unit_name)(void *, int),
                    void *user, int units);

#endif
