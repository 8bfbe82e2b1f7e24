/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/tape.h: derivatives of a program that calls many kernels.
 *
 * A tape notes the calls of kernels `with grad` that a context makes between sn_tape_begin and
 * sn_tape_end; sn_tape_backward then calls their adjoints (foo_step_grad), the last one first,
 * each with the fields as its kernel had left them.
 *
 *   SN_TRY(sn_tape_create(context, 20, &tape));
 *   SN_TRY(sn_tape_begin(tape));
 *   for (int k = 0; k < 10000; k++) SN_TRY(foo_step(grid, dt));
 *   SN_TRY(foo_loss(grid, &loss));
 *   SN_TRY(sn_tape_end(tape));
 *   SN_TRY(foo_u_grad_fill(grid, 0.0f));
 *   SN_TRY(sn_tape_backward(tape));                 foo_u_grad_get(...): of loss by u at begin
 *
 * As long as no call overwrites a value that the adjoint of an earlier one needs, nothing else is
 * done.  Calls with other trees, other fields or other cells do not: that the cells are others is
 * seen where an index is a parameter and a constant, as where a field has all steps of a simulation
 * along an axis, x[t + 1, i] = f(x[t, i]).
 * Fields that later calls overwrite come back from checkpoints, from which kernels are run again.
 * A checkpoint holds, in host memory, the values of all active cells of the fields that noted
 * kernels may write (their permissions tell), and of no others: not of adjoints.  When one is
 * made and which kernels run again is the binomial schedule of A. Griewank and A. Walther,
 * "Algorithm 799: revolve", ACM Transactions on Mathematical Software 26 (2000), 19-45: with
 * c places, C(c + r, c) calls can be reversed of which none is run again more than r times for
 * a later one, and once more before its own adjoint.  Of n noted calls, with m = n - 1 and r the
 * least number for which C(c + r, c) >= m, r m - C(c + r, c + 1) + m run again in all.
 *
 * A kernel that is run again prints nothing and draws the random numbers that it drew.
 *
 * What a tape refuses, with SN_ESTATE and a text in the context, before anything is done:
 *   - a kernel without an adjoint that may write a field which noted kernels read or write, and a
 *     kernel `with grad` that uses a field which one without has written since sn_tape_begin:
 *     the derivative would pass by it.  What shares no field with the noted ones is free
 *   - _set, _write, _fill, _load, _copy into and _deactivate_all of what noted kernels use
 *   - a kernel `with grad` with an array parameter that it writes, or whose adjoint draws random
 *     numbers
 *   - a kernel `with grad` that reads or sets an adjoint which the adjoint of a noted kernel, or
 *     its own, changes: it would be left out, or be done twice.  deactivate_all of a tree sets the
 *     adjoints in it
 * A kernel that activates or deactivates cells of a tree that noted kernels use is found when it
 * has run: it is SN_ESTATE then, and the tape cannot be reversed.  (Activate cells before
 * sn_tape_begin; a call of the kernel does it.)  So it is where a noted kernel fails.
 *
 * Errors: SN_OK or a code of snode/error.h, with the text in the context; NULL is SN_EINVAL.
 * Threads: as the context's: one at a time.  Kernels that are submitted (snode/submit.h) are noted
 * in the order in which they run.
 */
#ifndef SNODE_TAPE_H
#define SNODE_TAPE_H

#include <snode/context.h>

SN_BEGIN_DECLS

typedef struct sn_tape sn_tape;

/* places: how many checkpoints may be held at once; the first is what the fields were at
 * sn_tape_begin.  Beside them sn_tape_backward holds one of the fields as it finds them.
 * 0: none at all, and nothing is run again: a call that may overwrite what the adjoint of a call
 * before it needs is SN_ESTATE.  SN_EINVAL: below 0.  SN_ENOMEM.  The context cannot be destroyed
 * before the tape. */
SN_API SN_NODISCARD int sn_tape_create(sn_context *, int64_t places, sn_tape **out);
/* In whatever state it is; NULL is fine.  Refused, with a text in the context, while another
 * thread is inside that. */
SN_API void sn_tape_destroy(sn_tape *);

/* From here on calls are noted, with copies of their parameters and of the arrays that they
 * read.  What the tape held before is given up.  SN_ESTATE: a tape of the context is between its
 * begin and its end. */
SN_API SN_NODISCARD int sn_tape_begin(sn_tape *);
/* SN_ESTATE: it has not begun, or what was called since cannot be reversed. */
SN_API SN_NODISCARD int sn_tape_end(sn_tape *);

/* The adjoint of the result of a noted call; it is copied.  call: counted from 0 (_statistics_of
 * has how many there are); -1: the last one that has a result.  adjoint: as the kernel's adjoint
 * takes it: of the result's type, with its elements.  From begin on, until the next one.  A
 * result that is given none has the adjoint 0; where none was given to any, that of the last call
 * with a result of one floating-point number is 1.
 * SN_EINVAL: no such call, or one without a result; SN_ESTATE: nothing is noted. */
SN_API SN_NODISCARD int sn_tape_seed(sn_tape *, int64_t call, const void *adjoint);

/* Runs the adjoints of the noted calls, the last one first.  The caller has set what they add
 * to: adjoints of fields to 0, or to what the program comes to by them.  Afterwards the fields
 * that noted kernels write are what they were before the call; it can be called again, with
 * other adjoints.  After an error adjoints hold a part of their sums, all else is as before.
 * SN_ESTATE: it has not ended; a field or a tree that noted kernels use has been written,
 * changed in its activity or destroyed since. */
SN_API SN_NODISCARD int sn_tape_backward(sn_tape *);

/* Of what was noted since sn_tape_begin, and of the last sn_tape_backward. */
typedef struct sn_tape_statistics {
  size_t size;                   /* of this struct, set by the caller: so much is filled */
  int64_t calls;                 /* noted */
  int64_t calls_again;           /* of kernels that sn_tape_backward ran again */
  int64_t checkpoints;           /* held at most at once, of the places */
  int64_t checkpoint_bytes;      /* of one: values of all fields that noted kernels write */
  int64_t note_bytes;            /* of all notes, with their copies of parameters and arrays */
  int64_t most_bytes;            /* held at most at once: notes and checkpoints; with c places no
                                    more than note_bytes + (c + 1) * checkpoint_bytes */
} sn_tape_statistics;
#define SN_TAPE_STATISTICS_INIT { sizeof(sn_tape_statistics), 0, 0, 0, 0, 0, 0 }
SN_API SN_NODISCARD int sn_tape_statistics_of(sn_tape *, sn_tape_statistics *out);

SN_END_DECLS

#endif
