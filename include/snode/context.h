/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/context.h: configurations and contexts.
 *
 * A context is where trees live and kernels run: one unit (the host's threads or
 * one device), its options, its error text, its profile.  It is read from a
 * configuration when it is created, and bound to a backend (what the user's
 * compiler made of a generated file) by the first call that needs one.
 *
 * Ownership: what is passed in is borrowed for the call; strings that are
 * returned belong to their object until its next call.
 * Threads: different contexts from different threads at once; one context, with
 * its trees, by one thread at a time: a call while another one is inside is SN_EBUSY, and the
 * context has a text.  (In a context of an engine the call waits: snode/submit.h.)
 * fork: in the child a context that computes on the host, and in which no thread was, goes on with
 * its copy of the trees, with one thread; a device's or an engine's is SN_ESTATE.
 * NULL: SN_EINVAL, where nothing else is said.
 * No call prints, exits or aborts; what the environment asks for at the end of a process is below.
 */
#ifndef SNODE_CONTEXT_H
#define SNODE_CONTEXT_H

#include <snode/declare.h>
#include <snode/error.h>
#include <snode/types.h>

SN_BEGIN_DECLS

typedef struct sn_config sn_config;
typedef struct sn_context sn_context;

/* The code's meaning, static; "unknown error" for a number that is none. */
SN_API const char *sn_strerror(int code);

/* ---- configuration ---- */

/* With every option at its default.  SN_ENOMEM. */
SN_API SN_NODISCARD int sn_config_create(sn_config **out);
SN_API void sn_config_destroy(sn_config *);                 /* NULL is fine */

/* Sets an option by name; it then wins over the environment variable.
 *
 *   device         SNODE_DEVICE         host, gpu:N, auto (gpu:0 where there is one); host
 *   threads        SNODE_THREADS        host threads at most, up to 1024; 0: omp_get_max_threads()
 *   memory_limit   SNODE_MEMORY_LIMIT   of all trees of the context together, in bytes; k, M, G, T
 *                                       may follow; 0: what the unit has
 *   reserve        SNODE_RESERVE        bytes of cells that each sparse SNode of a tree
 *                                       on a device can activate within one task without
 *                                       the pool, where this is more than what it gets anyway
 *   pool           SNODE_POOL           of a device's memory, for what tasks activate beyond that:
 *                                       bytes, or a share of what is free, such as 0.3; 0: none;
 *                                       0.25 (256 MiB where what is free cannot be told)
 *   block_dim      SNODE_BLOCK_DIM      threads of a team on devices; 0: the default
 *   profile        SNODE_PROFILE        0 or 1: times for sn_profile_print; in the environment 1
 *                                       or a file: and a table at the end of the process
 *   seed           SNODE_SEED           what random numbers begin with; 0
 *   claims         SNODE_CLAIMS         iterations of a task that --check=race can compare;
 *                                       1048576
 *   trace          SNODE_TRACE          a file for a Chrome trace of the context's kernel calls,
 *                                       their tasks, lists, collections and transfers, as those
 *                                       of an engine (snode/engine.h); empty: none
 *   deterministic  SNODE_DETERMINISTIC  1: what kernels leave is the same, bit for bit, for any
 *                                       number of threads; refuse: and what would run on one
 *                                       thread for that is refused; 0
 *   flush_denormals SNODE_FLUSH_DENORMALS  1: kernels on the host take denormal numbers, those
 *                                       below 1.2e-38 (f32) or 2.2e-308 (f64), for zeros; 0
 *
 * A **memory limit** is a number of bytes of a unit's memory that values may take: cells of trees
 * (dense and bitmasked containers under the root when the tree is made, whether they are touched or
 * not; of other SNodes whole chunks, when they are made), and an engine's replicas and private
 * buffers (snode/engine.h).  Not counted: lists, tables of slots and ids, and address space that is
 * only reserved.  What would pass it is SN_ENOMEM, and nothing is taken.  A tree may have a limit
 * of its own (snode/tree.h); the context's holds beside it.  "What the unit has": of a device its
 * memory; of the host the least of the machine's memory, what the process's control groups allow
 * (memory.max, memory.limit_in_bytes, theirs and those around them) and its limits of address
 * space and data (ulimit -v, -d), as they are when the context is bound.  A limit above that is
 * taken as it is: then it is the system that ends a process which takes too much.
 *
 * **deterministic**: a task of a kernel whose results depend on the order of its iterations (sums
 * of floating point, old values of atomics, appended positions, plain stores that meet, what is
 * taken out, prints) runs on one thread, in the order of the list or the range; with `refuse`, and
 * on a device, such a kernel is SN_ENOTSUP before anything of it has run.  All other tasks keep
 * their threads.  The keys of a hash are sorted behind each task that makes some (host), and
 * _read_active gives its cells in ascending order of their indices.  The same program, compiler
 * and options are meant, and calls that succeed: an error ends iterations where it finds them.
 *
 * **flush_denormals**: many processors take some hundred cycles for an operation on a denormal
 * number.  Each thread of a task has the processor's mode (x86_64: FTZ and DAZ of MXCSR; AArch64:
 * FZ of FPCR) for the task, and its own one before and after.  What has been computed before and is
 * only copied keeps its bits.  On a device, and where the generated file was compiled by another
 * compiler than gcc or clang or for another processor, the option does nothing, which the log says
 * (sn_config_set_log).
 *
 * **trace**: the file is kept for the context from when it is bound, and written by
 * sn_context_destroy.  One that cannot be written is SN_EIO in each call that would bind the
 * context, one that another living context writes is SN_EBUSY.  All contexts that have it from the
 * environment are in one file, each in a group of its own, which is also written when the process
 * ends.  What finds no memory, and what comes behind the first 1048576 spans, is left out; the file
 * says how many.
 *
 * **profile**: SNODE_PROFILE=1 in the environment prints a table of all contexts, those that are
 * destroyed by then included, to the standard error when the process ends by exit or by the return
 * of main; SNODE_PROFILE=FILE writes it to the file.  The child of a fork has a table of the
 * contexts that it makes itself.  These two variables are all that makes the library print.
 *
 * SNODE_FAIL_ALLOCATION=N in the environment, for tests: the N-th allocation of every
 * configuration, context and engine that is made from then on fails.  It is read in every build,
 * since what is tested is what is installed; a value that is no number is 0: none fails.
 *
 * SN_EINVAL: no such option, or not a value for it; SN_ENOTSUP: a value that
 * nothing implements yet.  sn_config_error tells what is wrong. */
SN_API SN_NODISCARD int sn_config_set(sn_config *, const char *name, const char *value);
/* Text of the last sn_config_set that failed; "" when none has. */
SN_API const char *sn_config_error(const sn_config *);

/* Where the library's messages go (a line without its end; NULL: nowhere, the
 * default), and what kernels print (text as it is; NULL: to stdout, the default).
 * Called by the thread that makes the call, except for print on the host, which
 * any thread of a kernel calls, one at a time.  What they call on the context is SN_EBUSY. */
typedef void (*sn_text_fn)(void *user, const char *text);
SN_API SN_NODISCARD int sn_config_set_log(sn_config *, sn_text_fn, void *user);
SN_API SN_NODISCARD int sn_config_set_print(sn_config *, sn_text_fn, void *user);

/* ---- context ---- */

/* Reads the configuration (NULL: defaults) and the environment; config may be
 * destroyed or changed afterwards.  A bad value in the environment does not fail
 * here, where there is no context yet to hold the text, but in every call that
 * would bind the context; so does a variable that is nearly an option, such as SNODE_THREAD.
 * SN_ENOMEM. */
SN_API SN_NODISCARD int sn_context_create(const sn_config *, sn_context **out);

/* Gives everything back.  NULL is fine.  SN_ESTATE, and nothing done, while a
 * tree of the context lives.  SN_EIO, and nothing done: the trace could not be written; a second
 * call goes without it. */
SN_API SN_NODISCARD int sn_context_destroy(sn_context *);

/* Binds the context to its unit through a backend.  Generated calls do it by
 * themselves; a second binding is no error when both are of the same ABI.
 * SN_EABI: made for another libsnode.  SN_EDEVICE: the device that the
 * configuration asks for is absent or does not run what the backend brings; a
 * context that asks for a device never runs on the host instead.
 * SN_EINVAL, SN_ENOTSUP: a bad value in the environment.  SN_EIO, SN_EBUSY: the option trace. */
SN_API SN_NODISCARD int sn_context_bind(sn_context *, const sn_backend *);

/* Text of the first error since the context was created or cleared, with source
 * line, SNode and index where the error has them; "" when there was none.  It
 * stays until sn_context_clear, also when later calls succeed.  While there is no
 * error, what a call that succeeded has to tell may stand there (loading a tree:
 * fields that were missing); the next error takes its place.
 * Never NULL; for a NULL context: "no context". */
SN_API const char *sn_context_error(const sn_context *);
SN_API void sn_context_clear(sn_context *);                 /* NULL is fine */

/* Ends long work: the kernel that runs in the context, if any, returns SN_ECANCELED before the next
 * of its tasks, and kernels that are called later before their first, until sn_context_clear.  A
 * task that has begun is finished; trees hold what was written by then, and can be used.  At any
 * time, from any thread, and in a signal handler: it stores one word.  NULL is fine. */
SN_API void sn_context_cancel(sn_context *);

/* ---- how far a kernel is ---- */

/* What the function below is told.  size is that of the library's struct, to which later versions
 * append members; all of it is the library's, for the time of the call. */
typedef struct sn_progress {
  size_t size;
  const char *kernel;            /* as in C: "heat_step" */
  const char *task;              /* the one that comes next, as profiles and traces call it */
  int32_t line;                  /* where it stands in the .sn file */
  int32_t task_index, task_count;        /* which one it is of those of which the kernel is made; in
                                    a loop they come again */
  uint64_t tasks_done;           /* that this call has run: loops' turns are counted */
} sn_progress;

typedef void (*sn_progress_fn)(void *user, const sn_progress *);

/* From now on kernels that run in the context tell the function how far they are: before a task,
 * but not before `seconds` have passed since the time before, or since this call; 0: before each
 * task.  NULL: nobody is told; so it is at first.  A task is not interrupted: one that takes long
 * is told of before it begins.  Nor are kernels told of that the library runs once more by itself,
 * for a tape or for --check=grad.
 * Threads: the one that makes the kernel's call (of one that was submitted, the queue's), which
 * waits for the function's return; no two at once in a context.
 * The function may call sn_context_cancel: then the task that it was told of is not run.  It calls
 * nothing else on the context or its trees: that is SN_EBUSY, and of an engine's context it would
 * wait for itself.
 * SN_EINVAL: seconds below 0 or no number.  SN_EBUSY: a kernel runs. */
SN_API SN_NODISCARD int sn_context_set_progress(sn_context *, sn_progress_fn, void *user,
                                                double seconds);

SN_END_DECLS

#endif
