/* Nodes and their arrays; array_set.h has which contexts own them, job.h what uses them.
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

typedef struct sni_array {
  struct sni_array *next;        /* of the node */
  sn_node *node;
  sn_unit *unit;
  void *memory;                  /* NULL: a host array that nobody needed yet */
  int holders;                   /* contexts that hold it as their own */
  char writer[SNI_NAME];         /* the first routine that was linked to write it; "": none */
  sni_hazard hazard;
} sni_array;

typedef struct sni_known {       /* what was known of a node from some update on */
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
  sni_known *known;              /* NULL: nothing */
  sni_array *arrays;             /* in contexts */
  sni_array host;
  int is_host_own;
  sni_job *held;                 /* by host code: between acquire and release */
  int uses;                      /* by codes */
};

/* linking held.  The array on the host has memory afterwards.  SN_ESTATE: not hosted. */
int sni_node_need_host(sn_node *, const char *who);

/* linking held.  SN_ESTATE with a text where somebody uses it beyond own_uses of codes; its end. */
int sni_node_check_unused(sn_node *, int own_uses);
void sni_node_end(sn_node *);

/* linking held.  Of no context, not zero; SN_ENOMEM.  destroy takes it from its node too. */
int sni_array_create(sn_unit *, sn_node *, sni_array **out);
void sni_array_destroy(sni_array *);
sn_span sni_array_span(const sni_array *);
/* Whether something that is enqueued uses it.  Lock not held. */
int sni_array_is_busy(sni_array *);

/* Whether nothing of this is left in the engine; SN_ESTATE with a text else. */
int sni_nodes_are_gone(sn_engine *);

#endif
