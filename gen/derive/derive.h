/* Kernels to their derivatives, IR to IR (docs/derivatives.md): what the passes reverse and
 * forward share.  A kernel that is to be derived has a copy of the program's statements as its
 * body, calls of functions replaced by their bodies; a pass makes the derivative of it.
 *
 * Values that have a derivative are floating point.  What is computed of an f16 is f32.
 */
#ifndef SNODEGEN_DERIVE_DERIVE_H
#define SNODEGEN_DERIVE_DERIVE_H

#include "gen/passes/tools.h"

/* Notes why the kernel has no derivative, once for each line; `note` NULL: there is no other. */
void add_underived(IrModule *, const IrFunction *kernel, Loc, const char *text, Loc other,
                   const char *note);

/* ---- varied.c ---- */
/* What depends on a field that has an adjoint, or, is_forward, a tangent. */
typedef struct Varied {
  const IrFunction *function;
  bool is_forward;
  bool *values;               /* by id */
  Map variables;              /* a variable -> itself */
} Varied;
/* Of the statements of its body, which have ids from 1 on, less than `ids`. */
Varied find_varied(Arena *, const IrFunction *, int ids, bool is_forward);
bool value_varies(const Varied *, const IrStmt *);
bool variable_varies(const Varied *, const IrVariable *);
bool sets_variable(const IrStmt *);

/* ---- enclosing.c ---- */
/* Whether a parallel loop or a deactivate_all stands in it: a task of its own. */
bool has_task_in(IrStmt *whole);

/* ---- kept.c ---- */
/* Notes what the adjoint keeps of what stands there, and how, once: "saves 'q' at each turn". */
void add_kept(IrModule *, Loc, const char *how);

/* ---- put.c ---- */
IrStmt *put_get(Maker *, IrVariable *);
void put_set(Maker *, IrVariable *, IrStmt *value);
void put_declare(Maker *, IrVariable *, IrStmt *value);
IrStmt *put_binary(Maker *, IrOp, IrStmt *, IrStmt *);
/* With two empty blocks. */
IrStmt *put_if(Maker *, IrStmt *condition);
/* At the end of the block; before all in it; right behind the statement. */
Maker make_in(const Maker *, IrBlock *);
Maker make_first(IrModule *, IrBlock *, Loc);
Maker make_behind(IrModule *, IrStmt *);

/* ---- partial.c: derivatives of pure operations ---- */
/* The type of a derivative by what has such a type: f32 of an f16. */
const Type *derivative_type(const Type *);
/* by times the derivative of s by its operand k, put at make; NULL: it is zero.  operand[] and
 * value stand there for the operands and the value of s; value NULL: it is not at hand, and is put
 * again where it is wanted.  `by` has the derivative's type. */
IrStmt *put_partial(Maker *, const IrStmt *s, IrStmt *const *operand, IrStmt *value, int k,
                    IrStmt *by);
/* Whether an operation on floating point has a derivative, be it always 0 (floor, comparisons,
 * casts to integers); false: a bitcast. */
bool has_partial(const IrStmt *s);

/* ---- factor.c: svd, polar, sym_eig, whose values are their parts ---- */
/* The adjoints of the operands by those of the parts (NULL: zero). */
void put_factor_adjoint(Maker *, const IrStmt *factor, IrStmt *const *operand, IrStmt *const *part,
                        IrStmt *const *part_adjoint, IrStmt **operand_adjoint);
/* The tangents of the parts by those of the operands (NULL: zero). */
void put_factor_tangent(Maker *, const IrStmt *factor, IrStmt *const *operand, IrStmt *const *part,
                        IrStmt *const *operand_tangent, IrStmt **part_tangent);

/* ---- serial.c: parallel loops over ranges that run serially ---- */
void write_serial_loops(IrModule *, IrFunction *);

/* ---- counter.c ---- */
/* A step that stands last in the body of a loop over parallel loops, `t += 1;`, follows each turn
 * then, as that of a `for` does. */
void write_step_last(IrModule *, IrStmt *loop);

/* ---- straighten.c ---- */
void straighten(IrModule *, IrFunction *);

#endif
