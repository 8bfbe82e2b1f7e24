/* What a task may and will do, as its spec says it: checked, and merged by block. */
#ifndef SNI_EXEC_USES_H
#define SNI_EXEC_USES_H

#include "runtime/host/exec/task.h"

enum { SNI_FEW_REQUIREMENTS = 32 };

typedef struct sni_requirement { /* what a task may do to a block */
  sni_tensor_block *block;
  sni_permission permission;
  int access;                    /* the number, from 1, of the first use that is an access to it and
                                    takes no temporary buffer; 0: none */
} sni_requirement;

typedef struct sni_requirements {
  sn_engine *engine;
  const char *name;              /* of the task, in messages */
  sni_requirement *at;           /* each block once, in the order of the blocks */
  size_t count, capacity;        /* at: few, or an array of its own */
  int access_count;              /* uses that are accesses */
  int buffer_count;              /* buffers that they declare: two that read a block share one */
  sni_permission permission;     /* of the use that is being visited */
  int is_replay;                 /* of a replay's task, whose user data are a sni_replay */
  int failed;
  sni_requirement few[SNI_FEW_REQUIREMENTS];
} sni_requirements;

/* Fills and checks them against the spec, and the parent's permissions (NULL: the root); no lock
 * held.  To be dropped in any case. */
int sni_requirements_collect(sni_requirements *, sn_engine *, const sni_task *parent,
                             const sn_task_spec *);
void sni_requirements_drop(sni_requirements *);
/* Empty; then one by one with w->permission (w->failed: no memory); then in order, each once. */
void sni_requirements_begin(sni_requirements *, sn_engine *, const char *name);
void sni_requirements_add(sni_tensor_block *, void *w);
void sni_requirements_merge(sni_requirements *);
/* The declared buffers, linked as one set of requests; there is room for buffer_count. */
void sni_buffers_declare(const sni_requirements *, sni_task *, const sn_task_spec *);

/* ---- kinds of uses (permission.c) ---- */

typedef struct sni_kind_row {
  sni_permission permission;     /* the least that it needs */
  sni_operation operation;       /* what it asks of a replica */
  uint32_t may;                  /* what may be said with it */
} sni_kind_row;

extern const sni_kind_row sni_kind_rows[];       /* by SN_ACCESS_... and SN_PERMISSION_... */
extern const char *const sni_permission_name[];
/* What the task needs that makes such a commit. */
sni_permission sni_commit_needs(sni_commit_kind);

/* The least permission that a use of the kind needs. */
static inline sni_permission sni_use_permission(uint32_t kind)
{
  const sni_permission least = sni_kind_rows[sni_use_mode(kind)].permission;

  return least == SNI_ACCUMULATE ? sni_commit_needs(sni_use_accumulates(kind)) : least;
}

static inline int sni_use_is_kind(uint32_t kind)
{
  const uint32_t mode = sni_use_mode(kind), both = SN_BY_MAX | SN_BY_MIN;

  return mode <= SN_ACCESS_TEMP_BUFFER && !(kind & ~(mode | sni_kind_rows[mode].may)) &&
         (kind & both) != both;
}

#endif
