/* The scope of a task's children.  All with the lock held. */
#ifndef SNI_EXEC_SCOPE_H
#define SNI_EXEC_SCOPE_H

#include "runtime/host/exec/task.h"

/* Into and out of the scope of its parent, or the root's. */
void sni_scope_link(sni_task *);
void sni_scope_unlink(sni_task *);

/* The hazard of a block; NULL: no memory; one that is there is found without. */
sni_hazard *sni_scope_hazard(sni_task *parent, sni_tensor_block *);
sni_hazard *sni_scope_find(const sni_task *parent, const sni_tensor_block *);  /* NULL: not there */
void sni_scope_destroy(sni_task *parent);

/* A block of which the parent holds a buffer that the child conflicts with, or has a commit to
 * make; NULL: none. */
const sni_tensor_block *sni_task_blocked_by(const sni_task *child);
/* 1: so it is, and the child is ready again when the parent has released something. */
int sni_task_is_blocked(sni_task *child);
/* Of a task that has a scope: the children that it blocks, which it does no more. */
sni_line sni_scope_take_blocked(sni_task *parent);
/* A buffer that is granted, or accumulates: in its task's children's way, until it is let go. */
void sni_buffer_hold(sn_buffer *);
void sni_buffer_let_go(sn_buffer *);
/* What its children, those that have ended too, may do to a block where that conflicts with what
 * is wanted; NONE: nothing does. */
sni_permission sni_task_left(const sni_task *parent, const sni_tensor_block *,
                             sni_permission wanted);

#endif
