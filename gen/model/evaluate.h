/* The values of operators and built-ins, as the language defines them.
 *
 * There is no other evaluator: constants of the program, the passes, loops that are written out
 * and the interpreter have it from here, and generated code agrees with it (t/45-model.t).
 * Integers wrap in their width, floats are rounded to their type after each operation, nothing
 * traps.  What more a caller wants to know (whether a literal overflows) it finds out itself.
 */
#ifndef SNODEGEN_MODEL_EVALUATE_H
#define SNODEGEN_MODEL_EVALUATE_H

#include "gen/base/type.h"
#include "gen/model/operators.h"

/* The type is the operands'; of a comparison the value is a bool. */
Value evaluate_unary(Op, const Type *, Value);
Value evaluate_binary(Op, const Type *, Value a, Value b);

/* Of a row of builtins.def but select and bitcast; the type is the arguments'. */
Value evaluate_builtin(int builtin, const Type *, const Value *argument);

/* The bits of a value as it lies in memory, in the low bytes. */
uint64_t evaluate_bits(const Type *, Value);

/* The same bits as another type of the width. */
Value evaluate_bitcast(const Type *to, const Type *from, Value);

/* a < b, by the type: an unsigned or a floating-point comparison. */
bool evaluate_less(const Type *, Value a, Value b);

/* What an update leaves any value as it is with: of add, mul, min, max, and, or, xor. */
Value evaluate_neutral(Op, const Type *);

#endif
