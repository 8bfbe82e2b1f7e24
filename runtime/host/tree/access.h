/* The host's access: what the calls on fields and on SNodes share.
 *
 * A call enters the context, checks its arguments, opens a call over its one
 * tree, runs SND_RT_ACCESS, and ends.  Small operands (an index, a value, the
 * result) travel as the variables of the launch record: one copy each way.
 */
#ifndef SNI_TREE_ACCESS_H
#define SNI_TREE_ACCESS_H

#include "runtime/host/tree/range.h"
#include "runtime/host/tree/sequencer.h"

typedef struct sni_operands {
  uint64_t result;
  int64_t index[SN_MAX_AXES];
  uint64_t value;                /* its low bytes in memory: as the type's */
} sni_operands;

typedef struct sni_access {
  sn_call *call;
  sn_tree *tree;
  snd_access_params task;        /* what the runtime's task gets */
  const char *what;              /* "read": for the profile */
} sni_access;

/* Enters the context; SN_EINVAL for NULL or a tree of another type.  After SN_OK
 * sni_leave(tree->context) must follow. */
int sni_access_enter(sn_tree *, const sn_tree_info *);

/* Opens a call with the operands; the task's addresses point at them.  field or
 * snode is -1. */
int sni_access_open(sni_access *, sn_tree *, const char *what, snd_access_op, int field, int snode,
                    const sni_operands *);
/* Runs the task over what is there. */
void sni_access_run(sni_access *);
/* Runs it where it may activate or deactivate: headroom before it (more of it as
 * long as the device has some and the task needs it), versions after it. */
void sni_access_change(sni_access *);
/* The operands after the task. */
const sni_operands *sni_access_operands(const sni_access *);
/* Copies arrays back and ends the call; its code. */
int sni_access_close(sni_access *);

/* SN_EINVAL and the text where `elements` fields from `field` on are not all fields of the tree. */
int sni_access_check_fields(sn_tree *, int field, int elements);
/* SN_EBOUNDS and the text for an index that is outside the range. */
int sni_access_check(sn_tree *, const char *name, const int64_t *index, const sni_range *);

/* field.c: the calls of those names, inside the context. */
int sni_field_fill(sn_tree *, int field, const void *value);
int sni_field_read_active(sn_tree *, int field, int64_t *index, void *value, int64_t cap,
                          int64_t *n);
int sni_field_write_active(sn_tree *, int field, const int64_t *index, const void *value,
                           int64_t n);

#endif
