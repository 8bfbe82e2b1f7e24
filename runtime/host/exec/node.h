/* Nodes, the arrays that contexts hold of them, and the jobs on arrays.
 *
 * engine->linking guards who holds what: nodes, their modes, contexts, codes and routines are
 * made, linked and destroyed under it.  It is taken outside engine->lock, never inside, and may
 * be held for long.  engine->lock guards the order of jobs, as it does all that runs.
 */
#ifndef SNI_EXEC_NODE_H
#define SNI_EXEC_NODE_H

#include <snode/routine.h>

#include "runtime/host/exec/order.h"
#include "runtime/host/exec/page.h"
#include "runtime/host/exec/queue.h"

typedef struct sni_array_set sni_array_set;
typedef struct sni_job sni_job;

/* ---- arrays ---- */

typedef struct sni_array {
  struct sni_array *next;        /* of the node */
  sn_node *node;
  sn_unit *unit;
  void *memory;                  /* NULL: a host array that nobody needed yet */
  int holders;                   /* contexts that hold it as their own */
  char writer[SNI_NAME];         /* the first routine that was linked to write it; "": none */
  sni_hazard hazard;
} sni_array;

typedef struct sni_known {        /* what was known of a node from some update on */
  struct sni_known *before;
  sn_mode mode;
  sn_sharing sharing;
  char provenance[SNI_NAME + 32];
} sni_known;

struct sn_node {
  sn_engine *engine;
  char name[SNI_NAME];
  sn_type type;
  int64_t elements;
  size_t bytes;
  sni_known *known;               /* NULL: nothing */
  sni_array *arrays;             /* in contexts */
  sni_array host;
  int is_host_own;
  sni_job *held;           /* by host code: between acquire and release */
  int uses;                      /* by codes */
};

/* linking held.  Of no context, not zero; SN_ENOMEM.  destroy takes it from its node too. */
int sni_array_create(sn_unit *, sn_node *, sni_array **out);
void sni_array_destroy(sni_array *);
sn_span sni_array_span(const sni_array *);
/* Whether something that is enqueued uses it.  Lock not held. */
int sni_array_is_busy(sni_array *);
int sni_mode_is_hosted(sn_mode);
int sni_mode_is_constant(sn_mode);              /* it changes on no device */

/* linking held.  SN_ESTATE with both provenances, and nothing changed; SN_ENOMEM. */
int sni_node_refine(sn_node *, sn_mode, const char *provenance);
int sni_node_share(sn_node *, sn_sharing, const char *provenance);
/* Takes back what was learnt since then. */
void sni_node_forget(sn_node *, const sni_known *since);
/* The provenance of what is known; "nobody" at first. */
const char *sni_node_reason(const sn_node *);
sn_mode sni_node_mode(const sn_node *);
sn_sharing sni_node_sharing(const sn_node *);
/* linking held.  The array on the host has memory afterwards.  SN_ESTATE: not hosted. */
int sni_node_need_host(sn_node *, const char *who);

/* ---- the arrays that a context owns ---- */

typedef struct sni_array_entry {
  struct sni_array_entry *next;
  sni_array *array;
} sni_array_entry;

struct sni_array_set {
  sn_context *context;
  sn_engine *engine;
  sn_unit *unit;
  sni_array_set *parent, *root;  /* root: itself, without a parent */
  sni_array_set *next;           /* of the engine's */
  int children;
  char name[2 * SNI_NAME];
  sni_array_entry *own;
  sn_routine *routines;          /* linked into it */
};

/* NULL, with the error's text: the context belongs to no engine. */
sni_array_set *sni_array_set_of(const sn_context *);
/* linking held.  The array that it or one above holds; NULL: none. */
sni_array *sni_array_set_find(const sni_array_set *, const sn_node *);
/* linking held.  As sn_context_add; who: the provenance of what this tells about the node. */
int sni_array_set_add(sni_array_set *, sn_node *, const char *who);
/* linking held.  Takes back the newest one. */
void sni_array_set_drop(sni_array_set *);
/* linking held: the context goes; its routines stay, and refuse to run (routine.c). */
void sni_routines_orphan(sni_array_set *);
/* linking held: SN_ESTATE with a text where one of them is enqueued. */
int sni_routines_check_idle(const sni_array_set *);
/* linking held. */
int sni_context_create_below(sni_array_set *parent, const char *name, sn_context **out);
/* SN_OK, or SN_EINVAL: the queue is not on the set's unit. */
int sni_array_set_check_queue(const sni_array_set *, const sn_queue *, const char *what);

/* ---- what families share (share.c); linking held ---- */

/* Whether a routine of that family, which has no array of the node and only reads it, may take
 * that of another one on its unit, when the node is shared across queues. */
int sni_share_is_candidate(const sni_array_set *asking, const sn_node *);
/* The arrays of the node: whose they are, and why they are shared or not. */
void sni_share_tell(const sn_node *, sni_page *);

/* ---- jobs: what is enqueued and touches arrays ---- */

typedef struct sni_touch {
  sni_array *array;
  sni_permission permission;
  sni_member member;
} sni_touch;

struct sni_job {
  sni_item item;                 /* its place in the queue */
  sn_queue *queue;               /* NULL: the host's, from acquire to release */
  sn_event *event;               /* its end; others may wait for it */
  uint64_t mark;                 /* who has seen it last, while waits are collected */
  size_t bytes;                  /* of all of it */
  /* Lock held, when nothing else can fail; what it refuses is not enqueued.  NULL: always fine. */
  int (*admit)(sni_job *);
  void (*over)(sni_job *, int code);       /* lock held; NULL: nothing to do */
  sni_touch *touches;            /* behind it in memory */
  int touch_count;
};

/* For at most so many touches; bytes: of the struct that begins with it.  NULL: no memory. */
sni_job *sni_job_create(sn_engine *, size_t bytes, int touches);
/* One that was not enqueued. */
void sni_job_drop(sn_engine *, sni_job *);
void sni_job_touch(sni_job *, sni_array *, sni_permission);
/* Enqueues it behind all that it has to follow, or drops it and says why. */
int sni_job_enqueue(sni_job *, sn_queue *, sn_event **done);
/* It is the host's from now on, when what it has to follow is done; and it is over. */
int sni_job_hold(sn_engine *, sni_job *);
void sni_job_end(sn_engine *, sni_job *, int code);

/* ---- merge buffers ---- */

/* In the queue's work: the buffer grows where it must, and holds the node's values from there. */
int sni_merge_fill(sn_queue *, sn_node *, sn_span source);
void sni_merge_free(sn_queue *);

/* Whether nothing of this is left in the engine; SN_ESTATE with a text else. */
int sni_nodes_are_gone(sn_engine *);

#endif
