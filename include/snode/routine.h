/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/routine.h: code, routines and merge buffers.
 *
 * **Code** is one or more entries: functions with the nodes that each uses, and how.  It knows no
 * context.  **Linking** an entry to a context finds or makes the arrays of its nodes and gives a
 * **routine** in a child context, which can be scheduled on any queue of the unit, often.
 *
 * A **merge buffer** is a queue's second array of one node: what another context holds of it.
 * There is at most one per queue; an entry that uses a node by SN_MERGE reads it.
 *
 * Ownership: code outlives its routines; a routine and its context are destroyed apart, in any
 * order: without its context a routine refuses to run.  Threads, NULL, texts: as snode/node.h.
 */
#ifndef SNODE_ROUTINE_H
#define SNODE_ROUTINE_H

#include <snode/node.h>

SN_BEGIN_DECLS

typedef struct sn_code sn_code;
typedef struct sn_routine sn_routine;

/* ---- what an entry is ---- */

/* What a routine's function is given; alive for the call.  On a device it runs on the
 * host, and arrays are device memory. */
typedef struct sn_arguments {
  size_t size;
  void *const *arrays;           /* one for each use, in their order */
  const int64_t *indices;        /* values of the static indices, in their order */
  int device;                    /* sn_span.device of the unit */
  void *user;                    /* the entry's */
  sn_context *context;           /* the routine's */
  sn_text_fn log;                /* a line of the run's log (snode/log.h); NULL: it has none */
  void *log_to;
  int64_t run;                   /* its number, which its lines carry on stdout; 0: no log */
} sn_arguments;

/* SN_OK, or the error of the routine's event. */
typedef int (*sn_routine_fn)(const sn_arguments *);

typedef enum sn_node_use_kind {
  SN_NODE_READ,                  /* expected from the context that it is linked to */
  SN_NODE_WRITE,                 /* every element is written: made where it is not there */
  SN_NODE_READ_WRITE,            /* expected, and changed */
  SN_NODE_MERGE                  /* the queue's merge buffer holds it; at most one per entry */
} sn_node_use_kind;

typedef struct sn_node_use {
  sn_node_use_kind kind;
  sn_node *node;
} sn_node_use;

/* A number that is set between runs; -- where extent is not 0 -- within 0 .. extent - 1. */
typedef struct sn_static_index {
  const char *name;
  int64_t extent;
} sn_static_index;

typedef struct sn_entry {
  size_t size;
  const char *name;              /* in messages and traces */
  sn_routine_fn run;
  void *user;                    /* handed on; alive as long as the code */
  const sn_node_use *uses;       /* copied, as are the names and indices; a node once, and once
                                    more as merge */
  int use_count;
  const sn_static_index *indices;
  int index_count;
} sn_entry;
#define SN_ENTRY_INIT { sizeof(sn_entry), NULL, NULL, NULL, NULL, 0, NULL, 0 }

/* ---- code ---- */

/* Of functions.  SN_EINVAL: two merge nodes in one entry, a node twice, a foreign node. */
SN_API SN_NODISCARD int sn_code_create(sn_engine *, const sn_entry *, int count, sn_code **out);
/* NULL is fine; SN_ESTATE: it still has routines. */
SN_API SN_NODISCARD int sn_code_destroy(sn_code *);
SN_API int sn_code_entries(const sn_code *);                    /* 0 for NULL */
SN_API const char *sn_code_entry_name(const sn_code *, int entry);

/* ---- linking ---- */

typedef struct sn_link_options {
  size_t size;
  sn_node *merge;                /* what will be sent to the merge buffer, where that is known: an
                                    entry that expects another node is refused; NULL: not known */
} sn_link_options;
#define SN_LINK_OPTIONS_INIT { sizeof(sn_link_options), NULL }

/* SN_EINVAL, with the names: the context lacks a node that the entry reads; SN_ESTATE: another
 * context of the family has what it writes; a mode does not go with what it does. */
SN_API SN_NODISCARD int sn_code_link(sn_code *, int entry, sn_context *, const sn_link_options *,
                                     sn_routine **out);
/* Every entry, each below the one before: what one writes the next may read.  out: one for each
 * entry.  The last one's context is the lowest.  An error takes back those linked so far. */
SN_API SN_NODISCARD int sn_code_link_all(sn_code *, sn_context *, const sn_link_options *,
                                         sn_routine **out);
/* Without its context.  NULL is fine; SN_ESTATE while it is enqueued or runs. */
SN_API SN_NODISCARD int sn_routine_destroy(sn_routine *);
/* The child context that holds the arrays it made; the caller destroys it.  NULL: it was. */
SN_API sn_context *sn_routine_context(sn_routine *);
SN_API const char *sn_routine_name(const sn_routine *);
/* What it reads, writes and merges, its indices with their values: a line, through write. */
SN_API SN_NODISCARD int sn_routine_explain(sn_routine *, sn_text_fn write, void *user);

/* ---- running ---- */

/* For what is scheduled from now on.  SN_EINVAL: no such index; SN_EBOUNDS. */
SN_API SN_NODISCARD int sn_routine_set_index(sn_routine *, const char *name, int64_t value);
/* SN_EINVAL: the queue is another unit's; SN_ESTATE: an index has no value, the queue's merge
 * buffer holds another node or none, the context was destroyed, or began anew. */
SN_API SN_NODISCARD int sn_routine_schedule(sn_routine *, sn_queue *, sn_event **done);

/* ---- merge buffers ---- */

/* Sends the node's array of a context, of any unit, to the queue's merge buffer, which grows as
 * needed and keeps the node until another is sent. */
SN_API SN_NODISCARD int sn_queue_merge(sn_queue *, sn_context *src, sn_node *, sn_event **done);
/* Schedules the routine with the source's own array as its merge buffer, without a copy; what
 * would overwrite the array waits until the routine is done.  On another unit it is copied first:
 * *copied (may be NULL) says which.  Afterwards the queue's merge buffer holds no node. */
SN_API SN_NODISCARD int sn_queue_merge_streaming(sn_queue *, sn_context *src, sn_node *,
                                                 sn_routine *, int *copied, sn_event **done);

typedef struct sn_merge_info {
  size_t size;                   /* of this struct, set by the caller: so much is filled */
  const sn_node *node;           /* scheduled to be there; NULL: none */
  uint64_t bytes;                /* of the buffer, by what has run */
  uint64_t allocations;          /* how often it grew */
  uint64_t copied;               /* bytes, ever */
} sn_merge_info;
#define SN_MERGE_INFO_INIT { sizeof(sn_merge_info), NULL, 0, 0, 0 }
SN_API SN_NODISCARD int sn_queue_merge_info(sn_queue *, sn_merge_info *out);

SN_END_DECLS

#endif
