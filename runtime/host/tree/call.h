/* A call in progress: its trees, its launch record, its error.
 *
 * Kernel calls (sequencer.c) and the host's access (access.c, snode.c) are both
 * built of these.  Each context has one, which keeps its memory between calls.
 * After an error the steps do nothing; the code is the call's.
 */
#ifndef SNI_TREE_CALL_H
#define SNI_TREE_CALL_H

#include "runtime/host/tree/tree.h"

/* An array parameter. */
typedef struct sni_array {
  sn_addr *place;                /* in the parameters */
  void *host;
  size_t bytes;
  int mode;                      /* 1 in, 2 out, 3 inout */
  sni_block block;               /* in the unit; empty on the host */
} sni_array;

struct sn_call {
  sn_context *context;
  const sn_module *module;
  const sn_kernel_info *kernel;  /* NULL: the host's access */
  const sn_backend *backend;     /* the module's */
  const char *name;              /* "heat_step", "heat_grid": for messages */
  int32_t snode;                 /* the host's access: what it is to; 0: the whole tree */
  int code;
  int32_t threads;
  uint32_t slot_count;
  sn_tree *trees[SN_MAX_SLOTS];
  sn_addr views[SN_MAX_SLOTS];
  const void *params;
  sn_launch *record;             /* as the host reads it */
  size_t record_bytes;           /* of this call: with its variables */
  sni_block record_block, ring, claims_block;
  sn_claims claims;              /* as the block begins; empty before there is one */
  sn_launch *shadow;             /* devices: what record points to */
  size_t shadow_bytes;
  sni_array *arrays;
  size_t array_count, array_capacity;
  int is_profiled;               /* option profile, or the module's --profile */
  int is_timed;                  /* that, or the option trace */
  double began;
};

/* Begins a call inside the context (sni_enter).  vars_bytes of
 * kernel-level variables begin as zero, or as `vars` where that is not NULL. */
int sni_call_open(sn_context *, const sn_module *, const sn_kernel_info *, const char *name,
                  sn_tree *const *trees, uint32_t slot_count, const void *vars, size_t vars_bytes,
                  sn_call **call);
/* Ends it: gives arrays back.  The call's code; the caller leaves the context. */
int sni_call_close(sn_call *);

/* What took from `began` until now, where the call is timed: a row of the profile, a span of the
 * trace. */
void sni_call_spent(sn_call *, sni_profile_key, double began, double bytes);

/* Notes an error of the call, once. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
void sni_call_fail(sn_call *, int code, const char *format, ...);

/* Runs a task whatever the call's code is, and fetches the record; SN_OK or
 * SN_EDEVICE.  slot, snode, params: a runtime task's; else 0, 0, the call's. */
int sni_call_launch(sn_call *, const sn_task *, int32_t slot, int32_t snode, const void *params);
/* Turns what the task left in the record's status into the call's error. */
void sni_call_check(sn_call *);
/* Both, for a runtime task; nothing after an error. */
void sni_call_runtime(sn_call *, sn_runtime_task, int32_t slot, int32_t snode, const void *params);
/* Takes the status back, and the call's code, so that tasks can be run. */
void sni_call_forgive(sn_call *);
/* After a task that may change activity, failed or not: versions, counters. */
void sni_call_settle(sn_call *);
/* What the sequencer does before such a task: on devices memory for cells. */
void sni_call_headroom(sn_call *);
/* access.c.  Devices: 1: the task missed cells that there is room for now; its status is
 * taken back, and it can be run again where doing so twice does no harm. */
int sni_call_made_room(sn_call *);
/* Counts the cells that node managers have handed out since the last time, and the chunks
 * they took; tells: 1 into the statistics, 0 nowhere, since GC has changed the numbers. */
void sni_count_activated(sn_call *, int32_t slot, int tells);

/* Brings the device's copy of the view up to date. */
int sni_tree_send_view(sn_tree *);
int sni_tree_fetch_counters(sn_tree *);

/* arrays.c: host memory that a task reads or writes, in the unit: *place becomes its
 * address, the same on the host.  mode: 1 in, 2 out, 3 both. */
void sni_call_array(sn_call *, sn_addr *place, const void *host, size_t bytes, int mode);
/* Copies back what goes out; nothing after an error. */
void sni_call_return_arrays(sn_call *);
void sni_call_free_arrays(sn_call *);

/* hash.c: more buckets where there are more keys than that; and where many keys have lost
 * their cells, only the others: GC collects those. */
void sni_hash_grow(sn_call *, int32_t slot);
void sni_hash_tidy(sn_call *, int32_t slot, int32_t snode);
/* Where the option deterministic is set, on the host: the keys stand in ascending order of their
 * coordinates, whichever thread made them, and with them the lists. */
void sni_hash_sort(sn_call *, int32_t slot);

/* headroom.c.  Devices: makes chunks so that `want` cells can be activated; what
 * cannot be had is left to the task to miss.  1: chunks were made. */
int sni_snode_grow(sn_call *, int32_t slot, int32_t snode, uint64_t want);
/* Cells that can be activated without another chunk. */
uint64_t sni_cells_ready(const sn_tree *, int32_t snode);    /* snode_memory.c */
/* Cells to have ready before a task. */
uint64_t sni_headroom(const sn_tree *, int32_t snode);

/* draws.c.  Counts the call where the kernel draws random numbers, and writes its key into
 * the record; before a task that draws: its number, which the unit is told (SN_EDEVICE). */
void sni_draws_begin(sn_call *);
int sni_draws_next(sn_call *);

/* claims.c.  Makes the table of claims where the kernel needs one, and writes its address into
 * the record; before a task that claims: empties it (SN_EDEVICE). */
int sni_claims_begin(sn_call *);
int sni_claims_next(sn_call *);

/* status.c.  A limit of cells that comes of short tables is a lack of memory: the record says so
 * then. */
void sni_status_settle(sn_call *);
void sni_status_text(const sn_call *, char *text, size_t bytes);
/* print.c: a record by its site; the host's tasks call it from their threads. */
void sni_print_host(void *call, const uint64_t *record);
/* The site's text with its arguments, a word each, cut to bytes. */
void sni_site_text(const sn_site *, const uint64_t *words, uint64_t count, char *text,
                   size_t bytes);
/* Prints and empties what a device left in the ring. */
void sni_print_ring(sn_call *);
int sni_prints(const sn_module *);

#endif
