/* A call in progress: its trees, its launch record, its error.
 *
 * Kernel calls (sequencer.c) and the host's access (access.c, snode.c) are both
 * built of these.  Each context has one, which keeps its memory between calls.
 * After an error the steps do nothing; the code is the call's.
 */
#ifndef SNI_TREE_CALL_H
#define SNI_TREE_CALL_H

#include "runtime/host/tree/tree.h"

/* Since when something takes time, and what was told apart in the call until then. */
typedef struct sni_timer {
  double began, told;
} sni_timer;

struct sn_call {
  sn_context *context;
  const sn_module *module;
  const sn_kernel_info *kernel;  /* NULL: the host's access */
  const sn_backend *backend;     /* the module's */
  const char *name;              /* "heat_step", "heat_grid": for messages */
  int32_t snode;                 /* the host's access: what it is to; 0: the whole tree */
  int code;
  int32_t threads;
  int32_t is_ordered;            /* the task at hand keeps the order of its iterations */
  uint32_t slot_count;
  sn_tree *trees[SND_MAX_SLOTS];
  sn_addr views[SND_MAX_SLOTS];
  void *params;
  struct sni_noted *note;        /* where a tape notes the call (tape.h); NULL: nowhere */
  int has_run;                   /* a task of the kernel has: fields may have changed */
  uint64_t tasks_done;           /* of the kernel, counted at each turn of its loops */
  const snd_task *task;          /* the last one that was run: what prints is of it */
  snd_launch *launch;            /* the launch record, as the host reads it */
  size_t launch_bytes;           /* of this call: with its variables */
  size_t record_bytes;           /* devices: that, then the views and the parameters */
  enum { LAUNCH_SENT, LAUNCH_VARIABLES, LAUNCH_WHOLE } unsent;   /* devices: what the host's copy
                                    has that the device does not yet */
  sni_block launch_block, ring, claims_block;
  snd_claims claims;             /* as the block begins; empty before there is one */
  snd_launch *shadow;            /* devices: what launch points to */
  size_t shadow_bytes;
  struct sni_array_argument *arrays;             /* arrays.h */
  size_t array_count, array_capacity;
  int is_profiled;               /* option profile, or the module's --profile */
  int is_timed;                  /* that, or the option trace */
  sni_timer timer;               /* of the call */
  double told;                   /* seconds within it that have rows of their own */
  int32_t listed_slot, listed_snode;             /* of the list that was brought up to date for
                                    the next task; -1: none was */
};

/* Begins a call inside the context (sni_enter).  vars_bytes of
 * kernel-level variables begin as zero, or as `vars` where that is not NULL. */
int sni_call_open(sn_context *, const sn_module *, const sn_kernel_info *, const char *name,
                  sn_tree *const *trees, uint32_t slot_count, const void *vars, size_t vars_bytes,
                  sn_call **call);
/* The same over one tree, whose call outlives the context's: *own, made the first time. */
int sni_call_open_own(sn_call **own, sn_tree *);
void sni_call_free(sn_call *);
/* Ends it: gives arrays back.  The call's code; the caller leaves the context. */
int sni_call_close(sn_call *);

/* call_notes.c.  Begins to measure; nothing where the call is not timed. */
sni_timer sni_call_timer(const sn_call *);
/* What it took from then until now, where the call is timed: a row of the profile, a span of the
 * trace.  cells: that a task went over; below 0: not known. */
void sni_call_spent(sn_call *, sni_profile_key, sni_timer, double bytes);
void sni_call_spent_on_cells(sn_call *, sni_profile_key, sni_timer, double cells);

/* Notes an error of the call, once. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
void sni_call_fail(sn_call *, int code, const char *format, ...);

/* launch.c.  Runs a task whatever the call's code is, and fetches the launch record; SN_OK or
 * SN_EDEVICE.  slot, snode, params: a runtime task's; else 0, 0, the call's. */
int sni_call_launch(sn_call *, const snd_task *, int32_t slot, int32_t snode, const void *params);
/* Both halves alone, of a device: the record goes to the unit, and comes back. */
int sni_call_send(sn_call *);
int sni_call_fetch(sn_call *);
/* Turns what the task left in the launch record's status into the call's error. */
void sni_call_check(sn_call *);
/* Both, for a runtime task; nothing after an error. */
void sni_call_runtime(sn_call *, snd_runtime_task, int32_t slot, int32_t snode, const void *params);
/* Takes the status back, and the call's code, so that tasks can be run. */
void sni_call_forgive(sn_call *);
/* call.c.  After a task that may change activity, failed or not: versions, counters. */
void sni_call_settle(sn_call *);
/* What the sequencer does before such a task: on devices memory for cells. */
void sni_call_headroom(sn_call *);
/* activity.c.  Whether the call may change the activity of the SNode, of any of the tree. */
int sni_call_may_change(const sn_call *, uint32_t slot, int32_t snode);
int sni_call_may_change_tree(const sn_call *, uint32_t slot);
/* The SNode's name; of a pool that of the SNode it belongs to. */
const char *sni_owner_name(const sn_tree *, int32_t snode);
/* A task has made chunks: for the profile. */
void sni_call_made_chunks(sn_call *, int32_t slot, int32_t snode, uint64_t chunks);
/* Counts the cells that node managers have handed out since the last time, and the chunks
 * they took; tells: 1 into the statistics, 0 nowhere, since GC has changed the numbers. */
void sni_count_activated(sn_call *, int32_t slot, int tells);

#endif
