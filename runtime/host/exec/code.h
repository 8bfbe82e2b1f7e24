/* Code, and the routines that linking makes of its entries.
 *
 * A code is made whole and does not change; its entries are copies of what the caller gave.
 * A routine has found its arrays; what it needs to run is copied into each job.
 */
#ifndef SNI_EXEC_CODE_H
#define SNI_EXEC_CODE_H

#include <snode/log.h>

#include "runtime/host/exec/job.h"
#include "runtime/host/exec/page.h"

typedef struct sni_entry {
  char name[SNI_NAME];
  sn_routine_fn run;             /* NULL: was left out; it cannot be linked */
  void *user;
  sn_node_use *uses;
  int use_count;
  sn_node *merge;                /* NULL: it reads no merge buffer */
  sn_static_index *indices;      /* names: copies */
  int index_count;
} sni_entry;

struct sn_code {
  sn_engine *engine;
  sni_entry *entries;
  int count;
  int routines;                  /* linked from it */
  void *library;                 /* that was loaded for it; NULL: none */
};

struct sn_routine {
  sn_routine *next;              /* of its context's */
  const sni_entry *entry;
  sn_code *code;
  sn_engine *engine;
  sn_unit *unit;
  sni_array_set *array_set;      /* NULL: the context was destroyed, or began anew */
  sni_array **arrays;            /* one for each use, its own of a local node; NULL: the merge
                                    buffer */
  int64_t *values;               /* of the indices */
  uint8_t *has_value;
  int runs;                      /* enqueued or running; under engine->lock */
  sn_text_fn write;              /* gets each run's log; NULL: nobody */
  void *write_to;
  sn_capture *capture;           /* by way of stdout; NULL: directly */
};

/* ---- the log of one run (run_log.c); all its lines, when it is over, to write ---- */

typedef struct sni_run_log {
  sn_engine *engine;
  sn_text_fn write;              /* NULL: there is no log */
  void *write_to;
  sn_capture *capture;
  int64_t run;
  sni_page page;                 /* its lines */
  int is_over;                   /* a capture has seen its last line */
  int is_lossy;                  /* and stdout did not take them all */
  struct sni_run_log *next;          /* of the capture */
} sni_run_log;

/* In the routine's run: begins it, with what the run was given; ends it. */
void sni_run_log_begin(sni_run_log *, const sn_routine *, sn_arguments *);
void sni_run_log_end(sni_run_log *);
/* A line, by whoever has read it. */
void sni_run_log_add(sni_run_log *, const char *line, size_t length);
/* Lines of the log come from now on; waits for the last of them. */
void sni_capture_begin(sn_capture *, sni_run_log *);
void sni_capture_end(sn_capture *, sni_run_log *);

/* Entries as a caller gave them, each with the size of the first: as today's.  SN_EINVAL,
 * SN_ENOMEM, with a text, and nothing to drop. */
typedef struct sni_entries {
  sn_engine *engine;
  const sn_entry *entries;
  sn_entry *own;                 /* a caller of before has smaller ones; else NULL */
  int count;
} sni_entries;
int sni_entries_take(sni_entries *, sn_engine *, const sn_entry *, int count);
void sni_entries_drop(sni_entries *);

/* A copy of the entries, nothing of which runs yet where run is NULL. */
int sni_code_create(sn_engine *, const sn_entry *, int count, sn_code **out);

/* linking held.  SN_ESTATE with a text where routines of it are left; how often it uses the node;
 * its end. */
int sni_code_check_unused(const sn_code *);
int sni_code_uses(const sn_code *, const sn_node *);
void sni_code_end(sn_code *);

/* linking held.  A run on the queue, as a job.  source: what stands for the merge buffer, read
 * where it is, or copied first where that is another unit; NULL: the queue's own. */
int sni_routine_prepare(sn_routine *, sn_queue *, sni_array *source, sni_job **out);

/* linking held: the context goes; its routines stay, and refuse to run. */
void sni_routines_orphan(sni_array_set *);
/* linking held: SN_ESTATE with a text where it is enqueued; where one of them is. */
int sni_routine_check_idle(sn_routine *);
int sni_routines_check_idle(const sni_array_set *);

#endif
