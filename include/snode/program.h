/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/program.h: the fields of a `.sn` program as nodes, its kernels as the entries of a code.
 *
 * snodegen --routines adds a table to what it writes, foo_routines().  A program made of it has
 * a node for each field that stands alone under dense SNodes -- so that its cells are an array,
 * which the node's are in the contexts -- and a code (snode/routine.h) whose entries are the
 * kernels: what each reads, writes and merges the compiler has found out.
 *
 * A kernel is an entry when each field that it touches is a node, its parameters are integers --
 * the entry's static indices -- and it has no result, draws no random numbers and takes one
 * instance of a tree.  A field that it takes over from nobody -- it assigns each cell, and reads
 * none before -- is made where it is linked, if it is not there.  Any other that it writes it
 * changes: that one is expected from the context, as one that it reads is.
 *
 * Node `p` of `field f32x2 p[8]` has 16 elements, in the order of its cells in memory; of a field
 * with a memory mode the node has that mode, with the field and its line as provenance:
 * device: on device; hosted: hosted nonconstant; constant: hosted constant; local; shared,
 * per_queue: hosted, changed on devices, across queues or per queue.  Of one that snodegen's
 * --most-local has made local the provenance says so.
 *
 * Threads, NULL, texts: as snode/node.h.  One routine on two queues at once, of a kernel that
 * writes no field, is SN_EBUSY for one of the two runs.
 */
#ifndef SNODE_PROGRAM_H
#define SNODE_PROGRAM_H

#include <snode/compile.h>
#include <snode/snode.h>

SN_BEGIN_DECLS

typedef struct sn_program sn_program;

/* ---- what snodegen writes ---- */

typedef struct sn_kernel_entry {
  const sn_kernel_info *kernel;
  int (*run)(sn_tree *const *trees, const int64_t *indices);     /* NULL: a routine cannot give
                                    it what it takes */
} sn_kernel_entry;

typedef struct sn_field_mode {
  const sn_tree_info *tree;
  int32_t field;                 /* the first of its elements */
  const char *mode;              /* as the language has it */
  int32_t line;                  /* of the field; 0: snodegen --most-local has found the mode */
} sn_field_mode;

typedef struct sn_routines {
  size_t size;
  const sn_module *module;
  int entry_count;
  const sn_kernel_entry *entries;
  int mode_count;
  const sn_field_mode *modes;    /* of the fields that have one */
} sn_routines;

/* ---- programs ---- */

/* routines: of a generated file, alive as long as the program. */
SN_API SN_NODISCARD int sn_program_create(sn_engine *, const sn_routines *, sn_program **out);
/* From the text of a `.sn` program, with its prefix: errors, and how compilers are found, as
 * sn_code_compile. */
SN_API SN_NODISCARD int sn_program_compile(sn_engine *, const char *text, const char *name,
                                           const sn_compiler *, sn_program **out);
/* Its nodes and its code too.  NULL is fine; SN_ESTATE: a routine, a context or another code uses
 * them: nothing has changed, and it may be called again when that is gone. */
SN_API SN_NODISCARD int sn_program_destroy(sn_program *);

/* The program's.  NULL, with a text: there is no such field, or it is no node. */
SN_API sn_node *sn_program_node(sn_program *, const char *field);
/* The program's: an entry for each kernel, in their order; those that cannot be linked were left
 * out. */
SN_API sn_code *sn_program_code(sn_program *);
/* As sn_code_link; SN_EINVAL, with the reason: there is no such kernel, or it is no entry. */
SN_API SN_NODISCARD int sn_program_link(sn_program *, const char *kernel, sn_context *,
                                        const sn_link_options *, sn_routine **out);

SN_END_DECLS

#endif
