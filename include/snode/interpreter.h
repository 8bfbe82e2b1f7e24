/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/interpreter.h: running the IR of a module instead of compiled C.
 *
 * What a file generated with --target=interpreter calls, from libsnode_interpreter:
 * its tasks hand the IR over as text and the interpreter runs it, serially, in
 * ascending order, with the language's semantics to the letter.  It is the oracle
 * that compiled code is tested against.
 *
 * The interpreter knows no memory layout: it reaches trees by the functions of
 * sn_interpreter_access, which the generated file gives, and the kernel's
 * parameters and variables at the places that the program says.
 *
 * Threads: different launches may run at the same time. What was read of the last texts is
 * kept for later calls, eight modules at most, and told apart by the text itself.
 * Host memory only.
 */
#ifndef SNODE_INTERPRETER_H
#define SNODE_INTERPRETER_H

#include <snode/declare.h>
#include <snode/device/abi.h>
#include <snode/error.h>

SN_BEGIN_DECLS

/* Where a value lies: bytes 1, 2, 4 or 8 at an offset.  Integers and bools of any
 * of these sizes, floats of their own.  Of an array: the offset of its sn_addr,
 * and the bytes of one element; elements are row-major. */
typedef struct sn_interpreter_place {
  uint32_t offset, bytes;
} sn_interpreter_place;

typedef struct sn_interpreter_kernel {
  const char *name;
  uint32_t param_count, var_count;
  const sn_interpreter_place *params;      /* in snd_args.params: the IR's parameters (scalars,
                                              arrays, extents) in order */
  const sn_interpreter_place *vars;        /* in snd_launch.vars: the IR's `variable`s in order */
} sn_interpreter_kernel;

typedef struct sn_interpreter_program {
  const char *const *text;                 /* the module as split, its sites numbered, in
                                              pieces that follow each other; NULL ends them */
  uint32_t kernel_count;
  const sn_interpreter_kernel *kernels;
} sn_interpreter_program;

/* What an entry of an SNode's list holds: a container, or a piece of a dynamic one. */
typedef struct sn_interpreter_entry {
  int64_t coordinate[SN_MAX_AXES];         /* of the containing cell: its k-th, on the parent's
                                              path axes ascending */
  int64_t first, last;                     /* cells first .. last - 1: their row-major positions,
                                              in a hash the numbers of its keys */
  const uint64_t *mask;                    /* bit c % 64 of word c / 64: cell c was active when the
                                              list was made; NULL: all of them were */
} sn_interpreter_entry;

typedef enum sn_interpreter_factor {
  SN_INTERPRETER_SVD, SN_INTERPRETER_POLAR, SN_INTERPRETER_SYM_EIG
} sn_interpreter_factor;

/* How trees are reached, and what is computed in the generated file.  slot: which of the
 * call's trees; field, snode: ids of its tables.  Indices are inside the extents: of a
 * field its own, in its order and with its origin; of an SNode the numbers of its cells,
 * in axis order; where a container of a dynamic SNode is meant, of the cell that it is
 * in.  A value has the bytes of its type, a bool is one byte. */
typedef struct sn_interpreter_access {
  /* the default where the cell is inactive; activates nothing */
  void (*get)(const snd_args *, int32_t slot, int32_t field, const int64_t *index, void *value);
  /* activates; when memory is out, notes that in the launch record and writes nothing */
  void (*set)(const snd_args *, int32_t slot, int32_t field, const int64_t *index,
              const void *value);
  int (*is_active)(const snd_args *, int32_t slot, int32_t snode, const int64_t *index);
  void (*activate)(const snd_args *, int32_t slot, int32_t snode, const int64_t *index);
  /* of a dynamic SNode: a whole container */
  void (*deactivate)(const snd_args *, int32_t slot, int32_t snode, const int64_t *index);
  /* dynamic: the new cell's position in the container, which is activated; -1 when there
   * is no room, which is noted in the launch record with the site */
  int64_t (*append)(const snd_args *, int32_t slot, int32_t snode, const int64_t *index,
                    int32_t site);
  /* dynamic: cells of the container */
  int64_t (*length)(const snd_args *, int32_t slot, int32_t snode, const int64_t *index);
  /* cells of the SNode on that axis over the whole tree: snd_snode_view.total */
  int64_t (*total)(const snd_args *, int32_t slot, int32_t snode, int32_t axis);
  /* The list of the SNode's containers, as generated before the task. */
  int64_t (*list_length)(const snd_args *, int32_t slot, int32_t snode);
  void (*list_entry)(const snd_args *, int32_t slot, int32_t snode, int64_t entry,
                     sn_interpreter_entry *);
  /* hash: the numbers that key `cell` of its container stands for, on its own axes
   * ascending */
  void (*hash_key)(const snd_args *, int32_t slot, int32_t snode, int64_t cell, int64_t *key);
  /* of an n by n matrix, n 2 or 3: its results end to end, as snode/device/factorize.h gives
   * them; is_f32: computed in float */
  void (*factor)(sn_interpreter_factor, int n, int is_f32, const double *matrix, double *parts);
  /* --check=race: words: the elements of what a [[unique]] names, then the iteration's indices;
   * 0: another iteration of the task has the same, which is noted in the launch record */
  int (*claim)(const snd_args *, int32_t site, int elements, int indices, const int64_t *words);
} sn_interpreter_access;

/* Runs a task of a kernel.  task: its number among the kernel's serial, range_for and
 * struct_for tasks, from 0.  What the program does wrong (an index outside, a failed
 * assert) goes to the launch record, the first error wins, and the task ends; prints
 * go to the launch's print_host, a failed assert's arguments too, before it is noted.
 *
 * SN_OK; SN_EBUG when the program is not what snodegen writes, SN_ENOMEM when there is
 * no memory to read it: then nothing was run. */
SN_API SN_NODISCARD int sn_interpret(const sn_interpreter_program *, const char *kernel, int task,
                                     const snd_args *, const sn_interpreter_access *);

SN_END_DECLS

#endif
