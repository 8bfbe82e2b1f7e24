/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/submit.h: kernels as tasks, trees as what they are ordered by.
 *
 * A context is put on a unit of an engine (sn_context_attach); its trees then live there.
 * foo_kernel_submit(queue, trees and arguments as of the kernel, &done) gives the kernel a place
 * in a queue of that unit.  It begins when all is over that was submitted before it and
 * conflicts with it: kernels by what they do to the fields, the activity and the lists of trees
 * (the compiler knows), other tasks by the trees that they name (sn_tree_use).  Nobody writes
 * a dependence.
 *
 * Until the event of a kernel is done its trees stay alive, and the arrays and the result that it
 * was given belong to the runtime.  Its error surfaces at the event, and once at the queue's
 * next call; the context has its text (to be looked at while nothing runs there).  A kernel behind
 * one that failed is canceled.
 *
 * Threads: one thread or queue at a time is in a context: its kernels run one after the other,
 * those of different contexts side by side.  A plain call on a tree or context (a kernel, get,
 * read, destroy ...) first waits for all that was submitted there, so that programs mean what their
 * text says; inside a task or the work of a queue it waits until nobody is in the context, and the
 * task's permissions have to order it.  (Where no engine is, two threads in one context are
 * SN_EBUSY.)
 */
#ifndef SNODE_SUBMIT_H
#define SNODE_SUBMIT_H

#include <snode/task.h>
#include <snode/tree.h>

SN_BEGIN_DECLS

/* The context and its trees live on the unit from now on: the host or a memory where it computes
 * on the host, else the unit of its device.  NULL: where it was made (sn_context_create_on).  Until
 * it is destroyed, which is before the engine is.  SN_EINVAL: another device than the unit's,
 * another unit than it was made on; SN_ESTATE: it has trees, is attached already, or asks for
 * the device "auto" and was not bound (sn_context_bind); SN_ENOMEM. */
SN_API SN_NODISCARD int sn_context_attach(sn_context *, sn_unit *);

/* A task's permission on a tree: all its fields, its activity, its lists; kind: SN_PERMISSION_....
 * The task may call on the tree, with foo_read, foo_write and so on: to read is read, all
 * else is write.  Of a tree whose context is not attached: a use that is refused. */
SN_API sn_use sn_tree_use(uint32_t kind, sn_tree *);

/* What foo_kernel_submit calls: sn_kernel_call when the queue comes to it.  trees and params are
 * copied; arrays and the result are written to when the kernel runs.
 * SN_EINVAL, with the text in the engine: a tree (or, of a kernel without trees, a context) that
 * is on no unit of the queue's engine, or is destroyed; on another unit than the queue's. */
SN_API SN_NODISCARD int sn_kernel_submit(sn_queue *, const sn_kernel_info *, sn_context *,
                                         void *const *trees, const void *params, void *result,
                                         sn_event **done);

SN_END_DECLS

#endif
