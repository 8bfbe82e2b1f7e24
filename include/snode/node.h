/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/node.h: nodes, the contexts that hold their arrays, and transfers between these.
 *
 * A **node** is an array that computations name: a type, a number of elements, a memory mode.  It
 * may have an array on the host (hosted) and one in each of several contexts, with values
 * of their own.  A **context** of an engine belongs to one unit, holds arrays, and may have a
 * parent, whose arrays it shares.  A context with all that descend from it is a
 * **family**: within one a node has one array.  Two families of one unit are what two
 * streams of a device are: each has its own array of a node, unless the node is shared
 * across queues.
 *
 * What is enqueued here and as routines (snode/routine.h) keeps, array by array and on
 * whatever queues, the order in which it was enqueued: what reads follows what wrote, what writes
 * follows what wrote, read or copied.  Arrays on the host have the same order.
 *
 * Ownership: a node outlives the contexts and codes that use it (SN_ESTATE on destruction
 * otherwise).  Threads: as engines.  NULL: SN_EINVAL, where nothing else is said.
 * Texts: sn_engine_error.  A call that is refused has changed nothing.
 */
#ifndef SNODE_NODE_H
#define SNODE_NODE_H

#include <snode/engine.h>
#include <snode/types.h>

SN_BEGIN_DECLS

typedef struct sn_node sn_node;

/* ---- memory modes: what is known about where a node's values live ---- */

typedef enum sn_mode {
  SN_MODE_UNSET,
  SN_MODE_EFFECTIVELY_CONSTANT,  /* a hosted constant, or some virtual ones */
  SN_MODE_VIRTUAL,               /* computed where it is used: no array */
  SN_MODE_NEVER_VIRTUAL,         /* local, on device or hosted */
  SN_MODE_LOCAL,                 /* an array for the time of one run */
  SN_MODE_DEVICE_ONLY,           /* local or on device */
  SN_MODE_ON_DEVICE,             /* arrays in contexts, none on the host */
  SN_MODE_MATERIALIZED,          /* on device or hosted */
  SN_MODE_HOSTED_CONSTANT,       /* does not change after it was made */
  SN_MODE_HOSTED_NONCONSTANT,    /* one of the two below */
  SN_MODE_HOSTED_CHANGED,        /* changes on devices: on the host by transfers only */
  SN_MODE_HOSTED_VOLATILE        /* changes on the host: on devices by transfers only */
} sn_mode;

/* Of SN_MODE_ON_DEVICE and SN_MODE_HOSTED_CHANGED. */
typedef enum sn_sharing {
  SN_SHARING_UNSET,
  SN_SHARING_PER_QUEUE,          /* an array for each family */
  SN_SHARING_ACROSS_QUEUES       /* one for each unit: routines of each family that has it read it
                                    and write it, in the order in which they are enqueued */
} sn_sharing;

SN_API const char *sn_mode_name(sn_mode);                       /* "on device"; "no mode" */
SN_API const char *sn_sharing_name(sn_sharing);

/* ---- nodes ---- */

typedef struct sn_node_options {
  size_t size;
  sn_mode mode;                  /* set with the provenance below; UNSET: none yet */
  const char *provenance;        /* NULL: "its making" */
  void *host;                    /* its array on the host, the caller's, alive as long as the node,
                                    which needs a hosted mode; NULL: its own, zero */
} sn_node_options;
#define SN_NODE_OPTIONS_INIT { sizeof(sn_node_options), SN_MODE_UNSET, NULL, NULL }

/* name: for messages, copied; NULL: a number. */
SN_API SN_NODISCARD int sn_node_create(sn_engine *, const char *name, sn_type, int64_t elements,
                                       const sn_node_options *, sn_node **out);
SN_API SN_NODISCARD int sn_node_destroy(sn_node *);             /* NULL is fine */
SN_API const char *sn_node_name(const sn_node *);
SN_API int64_t sn_node_elements(const sn_node *);

/* Refines what is known; provenance, which is copied, says who knows it.  SN_ESTATE: it does not go
 * with what was known; the text names both provenances. */
SN_API SN_NODISCARD int sn_node_set_mode(sn_node *, sn_mode, const char *provenance);
SN_API SN_NODISCARD int sn_node_set_sharing(sn_node *, sn_sharing, const char *provenance);
/* Settles what is still open for the most local: virtual, else local, else on device. */
SN_API SN_NODISCARD int sn_node_settle(sn_node *, const char *provenance);
SN_API sn_mode sn_node_mode(sn_node *);
SN_API sn_sharing sn_node_sharing(sn_node *);
/* Each step with its provenance, a line for each, through write; then a line for each array: its
 * unit, the contexts that hold it, and whether queues share it, could, or why they cannot. */
SN_API SN_NODISCARD int sn_node_explain(sn_node *, sn_text_fn write, void *user);

/* Host code may touch the array on the host between these two: acquire waits for what is
 * in the way, and what comes later waits for release.  write 0: it will only be read.
 * SN_ESTATE: it is not hosted, is acquired already, or a task or the work of a queue would wait. */
SN_API SN_NODISCARD int sn_node_acquire(sn_node *, int write, void **data);
SN_API SN_NODISCARD int sn_node_release(sn_node *);

/* ---- contexts of an engine ---- */

/* A context (snode/context.h) on the unit, with no parent: its device option is the unit's.
 * name: for messages, copied; NULL: a number. */
SN_API SN_NODISCARD int sn_context_create_on(sn_unit *, const sn_config *, const char *name,
                                             sn_context **out);
/* Below another, with its unit and options.  sn_context_destroy frees what is a context's own;
 * SN_ESTATE while it has children, or something enqueued uses its arrays. */
SN_API SN_NODISCARD int sn_context_create_child(sn_context *parent, const char *name,
                                                sn_context **out);
/* The context and those below it begin anew: they hold nothing, as when they were made.  Their
 * arrays are given back -- what other families share stays theirs --, and routines linked into
 * them refuse to run.  All handles stay the caller's.  SN_ESTATE, with nothing changed: one of
 * them has trees, or something enqueued uses its arrays. */
SN_API SN_NODISCARD int sn_context_reinitialize(sn_context *);
SN_API sn_unit *sn_context_unit(const sn_context *);            /* NULL: of no engine */
SN_API sn_context *sn_context_parent(const sn_context *);       /* NULL: none */

/* Gives the context an array of the node, zero (a hosted constant's: its values), where neither
 * it nor one above has one.  SN_ESTATE: another context of the family has one, which is neither
 * above nor what all of a unit share; the mode allows none; SN_ENOMEM. */
SN_API SN_NODISCARD int sn_context_add(sn_context *, sn_node *);
/* The array that the context, or one above, has.  *out empty: there is none. */
SN_API SN_NODISCARD int sn_context_array(sn_context *, sn_node *, sn_span *out);

/* ---- transfers ----
 * Enqueued on a queue of the context's unit (copy: of the destination's).  *moved (may be NULL):
 * whether there was anything to move: 0 where both are one array.  done: as in sn_queue_submit.
 * SN_EINVAL: the context lacks the node, the queue is another unit's; SN_ESTATE: not hosted. */
SN_API SN_NODISCARD int sn_context_from_host(sn_context *, sn_node *, sn_queue *, int *moved,
                                             sn_event **done);
SN_API SN_NODISCARD int sn_context_to_host(sn_context *, sn_node *, sn_queue *, int *moved,
                                           sn_event **done);
SN_API SN_NODISCARD int sn_context_copy(sn_context *dst, sn_context *src, sn_node *, sn_queue *,
                                        int *moved, sn_event **done);

SN_END_DECLS

#endif
