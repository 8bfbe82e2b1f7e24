/* The values of pure operations, as the language defines them: for the
 * interpreter.  Integers wrap in their width, floats are rounded to their type after
 * each operation, nothing traps.
 */
#ifndef SNODEGEN_INTERPRET_EVALUATE_H
#define SNODEGEN_INTERPRET_EVALUATE_H

#include "gen/ir/ir.h"

/* Of neg .. builtin (gen/ir/ops.def), given the operands' values. */
Value evaluate_stmt(const IrStmt *, const Value *operand);

/* What an update leaves, both of the type. */
Value evaluate_update(IrUpdate, const Type *, Value old, Value by);

/* a < b, by the type: an unsigned or a floating-point comparison. */
bool evaluate_less(const Type *, Value a, Value b);

/* evaluate.c to builtin.c and back: a binary operator on one type. */
Value evaluate_binary(IrOp, const Type *, Value a, Value b);
Value evaluate_builtin(const IrStmt *, const Value *argument);

#endif
