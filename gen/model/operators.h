/* The operators, numbered: OP_ADD ...; rows of operators.def. */
#ifndef SNODEGEN_MODEL_OPERATORS_H
#define SNODEGEN_MODEL_OPERATORS_H

#include <stdbool.h>

typedef enum Op {
  OP_NONE,
#define OPERATOR(id, name, sign, operation) OP_##id,
#include "gen/model/operators.def"
  OP_COUNT,
  OP_UPDATES = OP_EQ              /* what an update may be: from OP_ADD, below this */
} Op;

/* In the order of the enum; "" of OP_NONE. */
extern const char *const operator_name[OP_COUNT];
extern const char *const operator_sign[OP_COUNT];

static inline bool op_compares(Op op) { return op >= OP_EQ && op <= OP_GE; }
static inline bool op_divides(Op op) { return op == OP_DIV || op == OP_MOD; }
static inline bool op_shifts(Op op) { return op == OP_SHL || op == OP_SHR; }
static inline bool op_is_bitwise(Op op) { return op >= OP_AND && op <= OP_XOR; }

#endif
