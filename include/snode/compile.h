/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/compile.h: code from text, while a program runs.
 *
 * The text of a batch -- C, perhaps with a `.sn` program that it calls -- becomes one object, which
 * is loaded; its entries are linked as any others.  Off unless a compiler is named, here or in the
 * environment.  No shell is involved.  What the program makes of SIGCHLD, or of children that it
 * waits for, is the program's: a compiler whose status is lost thereby has done well when its file
 * is there.
 *
 * What a text defines is its own: a function or a variable of the program, or of another text, that
 * has the same name is another one.  What it only declares it finds in libsnode, and in the program
 * where that exports its symbols.  Each code has an object of its own, whose variables begin as the
 * text says, from the cache too; that of a `.sn` program stays loaded as long as the process lives.
 *
 * With a folder as a cache, an object is made once for the same text, flags and device and, of a
 * `.sn` program, the same options and version of snodegen; the text is compared as a whole.  An
 * entry of the cache appears whole or not at all: a process that is killed leaves at most a folder
 * partial-... behind, which nobody reads.
 *
 * A `.sn` program calls libsnode: the program that loads it uses the shared one, or exports the
 * symbols of the static one (-rdynamic).
 */
#ifndef SNODE_COMPILE_H
#define SNODE_COMPILE_H

#include <snode/routine.h>

SN_BEGIN_DECLS

typedef struct sn_compiler {
  size_t size;
  const char *cc;                /* a C compiler; NULL: SNODE_CC */
  const char *const *flags;      /* flag_count of them, none of which is NULL; NULL: SNODE_CFLAGS,
                                    cut at blanks, tabs and line ends */
  int flag_count;
  const char *snodegen;          /* for `.sn` programs; NULL: SNODE_SNODEGEN */
  const char *cache;             /* a folder that is there; NULL: SNODE_CACHE; neither: none */
  const char *device;            /* what the flags are for: a part of the cache's key; NULL: "" */
  const char *const *options;    /* option_count of them, for snodegen: "-DNAME=VALUE", "-O3",
                                    "--bounds=zero", "--trace", "--most-local"; others, and NULL
                                    among them, are SN_EINVAL */
  int option_count;
} sn_compiler;
#define SN_COMPILER_INIT { sizeof(sn_compiler), NULL, NULL, 0, NULL, NULL, NULL, NULL, 0 }

typedef struct sn_source {
  size_t size;
  /* One for each entry, C: defines `int NAME(const sn_arguments *)`, NAME the entry's. */
  const char *const *texts;
  const char *program;           /* a `.sn` program; NULL: none */
  const char *program_name;      /* its prefix: texts that call its kernels include "NAME.h" */
  /* Which entries are compiled; the others cannot be linked.  NULL: all. */
  int (*occupancy)(void *user, const char *entry);
  void *user;
} sn_source;
#define SN_SOURCE_INIT { sizeof(sn_source), NULL, NULL, NULL, NULL, NULL }

/* entries: as for sn_code_create, with no run.  compiler NULL: SN_COMPILER_INIT.
 * SN_ENOTSUP: no compiler is configured; SN_EINVAL: the text does not compile, with the compiler's
 * first lines, or defines no such function; SN_EIO: a program could not be run, a file not be
 * written. */
SN_API SN_NODISCARD int sn_code_compile(sn_engine *, const sn_entry *entries, int count,
                                        const sn_source *, const sn_compiler *, sn_code **out);

SN_END_DECLS

#endif
