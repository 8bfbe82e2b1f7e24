/* The context inside: options, memory, error text, log and print, profile, statistics,
 * accounts; and who may use it now.
 */
#ifndef SNI_BASE_CONTEXT_H
#define SNI_BASE_CONTEXT_H

#include <stdarg.h>
#include <stdatomic.h>

#include <snode/context.h>

#include "runtime/host/base/accounts.h"
#include "runtime/host/base/budget.h"
#include "runtime/host/base/memory.h"
#include "runtime/host/base/options.h"
#include "runtime/host/base/platform.h"
#include "runtime/host/base/profile.h"
#include "runtime/host/base/statistics.h"
#include "runtime/host/base/trace.h"

enum { SNI_TEXT_BYTES = 1024 };

enum { SNI_LINE_BYTES = 4096 };  /* of what a kernel prints at once; the rest is cut */

typedef struct sni_output {      /* where text goes */
  sn_text_fn function;           /* NULL: the default */
  void *user;
} sni_output;

typedef struct sni_progress {    /* who is told how far kernels are: base/progress.c */
  sn_progress_fn function;       /* NULL: nobody */
  void *user;
  double seconds, next;          /* from one time to the next; when the next one is due */
} sni_progress;

struct sn_config {
  sni_accounts accounts;
  sni_options options;
  sni_output log, print;
  char error[SNI_TEXT_BYTES];
};

/* A call in progress and its reusable memory: the tree part's (call.h); so are tapes (tape.h). */
struct sn_call;
struct sn_tree;
struct sn_tape;

/* What replaces sni_enter and sni_leave for a context that is attached to a unit of an engine, and
 * is called when trees of it are made and destroyed: functions of runtime/host/bridge, which base
 * and the tree part do not know. */
typedef struct sni_context_hooks {
  int (*enter)(sn_context *, const char *what);  /* as sni_enter_for */
  int (*enter_also)(sn_context *held, sn_context *other);
  void (*leave)(sn_context *);
  /* Called inside the context: the tree has been made (an error undoes it), will be destroyed. */
  int (*tree_made)(sn_context *, struct sn_tree *);
  void (*tree_gone)(sn_context *, const struct sn_tree *);
  /* The context is being destroyed, and has no hooks from now on; or an error. */
  int (*release)(sn_context *);
} sni_context_hooks;

struct sn_context {
  sni_accounts accounts;
  sni_options options;
  sni_output log, print;
  sni_output trace;              /* lines of --trace, without their ends; NULL: as prints */
  sni_mutex print_lock;          /* kernels print from all their threads */
  sni_progress progress;
  char trace_path[SNI_TEXT_BYTES];       /* the blocks around the last line of --trace,
                                            "outer: inner"; print_lock's */
  sni_memory memory;
  sni_budget budget;             /* of its trees' cells together; begins when it is bound */
  sni_mutex memory_lock;         /* of the accounts and a tree's arena while a task of the host
                                    runs: its threads make chunks */
  int environment_code;          /* of a bad value in the environment; its text */
  char environment_text[SNI_TEXT_BYTES];
  /* The first error since the last clear, by whoever came first: also by a thread that was told
   * that another one is inside.  0: none; 1: being written; 2: there. */
  atomic_int has_error;
  char error[SNI_TEXT_BYTES];
  char note[SNI_TEXT_BYTES];     /* of who is inside: while there is no error */
  atomic_int is_canceled;        /* 1: by sn_context_cancel, until the next clear */
  int said_in_parallel, said_other_runtime;      /* once each, through the log */
  unsigned forks;                /* sni_process_forks of the process that made it */
  uint64_t trees;                /* alive */
  uint64_t draws;                /* calls without a tree that drew random numbers */
  atomic_int busy;               /* 1: a thread is inside; where there are no hooks */
  const sni_context_hooks *hooks;        /* NULL: it is attached to no unit of an engine */
  struct sni_attachment *attachment;     /* the bridge's */
  struct sn_call *call;          /* made by the first call that needs it */
  void (*free_call)(struct sn_call *);
  struct sni_chunk_pool *pool;   /* devices: the tree part's (chunk_pool.h); made by a tree */
  void (*free_pool)(sn_context *);
  struct sn_tape *tapes;         /* alive; each has the next */
  void (*tree_gone)(struct sn_tape *, const struct sn_tree *);   /* tells them; NULL: there never
                                    was one */
  int is_silent;                 /* nothing is printed: a kernel is run again */
  void *unchecked;               /* kernels that --check=grad said it did not check: addresses */
  size_t unchecked_count, unchecked_capacity;
  struct sni_array_set *array_set;       /* the execution core's; NULL: it belongs to no engine */
  int (*destroy_array_set)(sn_context *);        /* gives them back, or tells why it cannot */
  sni_profile profile;
  sni_statistics statistics;
  sni_trace launches;            /* option trace: calls and their tasks */
  int trace_held;                /* the trace's file, kept for this context; -1: it has none yet */
  int is_reported, trace_is_shared;      /* at_end.h: at the end of the process, or in its trace */
  int report_number;             /* of the contexts that are reported */
  sn_context *next_reported;
  int said_untraced;             /* that the trace could not be written */
  char *text;                    /* the last string that was returned */
  size_t text_capacity;
};

/* Exclusive use of the context: SN_EINVAL for NULL, SN_EBUSY with a text while another thread (or a
 * callback of this one) is inside; else SN_OK, and leave must follow.  Hooks are asked instead.
 * SN_ESTATE: a parent process has made it, and it is an engine's or a device's: the child of a fork
 * has no threads of engines, and no devices. */
int sni_enter(sn_context *);
/* The same; what: what the text begins with: the call, and what comes of its being refused. */
int sni_enter_for(sn_context *, const char *what);
/* Whether a parent process has made it: OpenMP's threads are not here. */
int sni_is_inherited(const sn_context *);
static inline int sni_is_deterministic(const sn_context *context)
{
  return context->options.value[OPTION_deterministic] != SNI_ORDER_ANY;
}

/* SN_EBUSY with its text; what: NULL: nothing to begin with. */
int sni_fail_busy(sn_context *, const char *what);
/* Enters the other context too, for a caller that is inside the first, which may be left and
 * entered again meanwhile: so that no two callers wait for each other. */
int sni_enter_also(sn_context *held, sn_context *other);
void sni_leave(sn_context *);

/* Notes the error and returns its code.  The first text since the last clear is
 * kept.  From any thread, inside or not. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
int sni_fail(sn_context *, int code, const char *format, ...);
/* The error's text goes, as by sn_context_clear; a cancellation stands. */
void sni_forget_error(sn_context *);
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void sni_log(sn_context *, const char *format, ...);
/* What a call that succeeds has to tell: the context's text, where no error stands
 * there (the next one takes its place), and the log. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void sni_note(sn_context *, const char *format, ...);
/* Tells the context's function, where there is one and it is time; inside the context. */
void sni_tell_progress(sn_context *, const sn_progress *);
/* Text as it is; from any thread, one at a time. */
void sni_print(sn_context *, const char *text);
/* Lines of --trace, together: in the blocks that the task's name begins with, and in those
 * inside of it, "outer: inner".  Blocks that the lines before were in, and these are not, end. */
void sni_print_trace(sn_context *, const char *task, const char *inner, const char *lines);
/* The call is over: the blocks of its last line end. */
void sni_end_traces(sn_context *);

/* Binds as sn_context_bind does, inside the context.  A context that is bound takes
 * any backend of the right ABI that can reach its unit. */
int sni_bind(sn_context *, const sn_backend *);

#endif
