/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/log.h: the log of what a routine assigns, the tree of it, and the filter of stdout.
 *
 * With sn_routine_set_log a routine's runs are logged: the library writes what a run was given
 * (`x = 0x...`, `i = 3`), its code what it does, by the functions below, line by line:
 *
 *   COMMENT: text ... COMMENT: end         a block, which may hold others
 *   index i = 2                            a loop's
 *   # x =: a + 1                           the assignment's source, line ends as $
 *   x[2]{=0} = 6 = (a[2]{=5} + 1)          where, the old value, the new one, the expression
 *
 * Code of snodegen --trace tells blocks, sources and assignments; an assignment is in the blocks
 * that have begun before it, also where threads log at once.
 * Each run's lines come back together, when it is over.  By way of stdout, which is what a
 * device's printf reaches, each line carries its run's number, and a capture sorts them out.
 */
#ifndef SNODE_LOG_H
#define SNODE_LOG_H

#include <stdarg.h>
#include <stdio.h>

#include <snode/routine.h>

SN_BEGIN_DECLS

/* ---- captures: stdout, with the lines of runs taken out ---- */

typedef struct sn_capture sn_capture;

/* From now on what the process writes to its stdout goes through the capture: lines of runs to
 * their runs, all else to where stdout went, as it is and in its order.  stdout is flushed.
 * SN_EIO: there is no stdout, or no pipe; SN_ENOMEM. */
SN_API SN_NODISCARD int sn_capture_create(sn_capture **out);
/* stdout goes where it went, unless the program has closed it or led it away meanwhile.  A process
 * that was started meanwhile is not waited for: what it writes afterwards finds its pipe closed.
 * SN_ESTATE, and nothing done: a run is logged by way of it, one that was made later is there
 * still, or this is the child of a fork.  NULL is fine. */
SN_API SN_NODISCARD int sn_capture_destroy(sn_capture *);

/* What begins a line of a run, behind it the run's number and ": ". */
#define SN_LOG_PREFIX "!@#"

/* ---- what a routine logs ---- */

/* write gets the lines of each run as one text, from the thread that ran it, inside its work.
 * capture: NULL, or by way of stdout, whose lines are lost where it cannot be written to: then the
 * text's last line says so.  write NULL: no log.  For what is scheduled from now on. */
SN_API SN_NODISCARD int sn_routine_set_log(sn_routine *, sn_capture *capture, sn_text_fn write,
                                           void *user);
/* The lines of a log as a tree: blocks are indented below their comments. */
SN_API SN_NODISCARD int sn_log_tree(const char *text, sn_text_fn write, void *user);

/* A line of the run's log, without its end; nothing where the run is not logged. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static inline void sn_log_line(const sn_arguments *arguments, const char *format, ...)
{
  char line[1024];
  va_list values;

  if (!arguments->log)
    return;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  arguments->log(arguments->log_to, line);
}

static inline void sn_log_begin(const sn_arguments *arguments, const char *comment)
{
  sn_log_line(arguments, "COMMENT: %s", comment);
}

static inline void sn_log_end(const sn_arguments *arguments)
{
  sn_log_line(arguments, "COMMENT: end");
}

static inline void sn_log_index(const sn_arguments *arguments, const char *name, int64_t value)
{
  sn_log_line(arguments, "index %s = %lld", name, (long long)value);
}

/* The source of the assignment that follows. */
static inline void sn_log_source(const sn_arguments *arguments, const char *source)
{
  char line[1000];
  size_t k = 0;

  for (; source[k] && k + 1 < sizeof line; k++)
    line[k] = source[k];
  line[k] = 0;
  while (k--)
    if (line[k] == '\n')
      line[k] = '$';
  sn_log_line(arguments, "# %s", line);
}

SN_END_DECLS

#endif
