/* What makes derivatives of operations: shared by partial.c and factor.c. */
#ifndef SNODEGEN_DERIVE_PARTIAL_H
#define SNODEGEN_DERIVE_PARTIAL_H

#include "gen/derive/derive.h"

/* An operation whose derivative is put. */
typedef struct Partial {
  Maker *make;
  const IrStmt *s;
  IrStmt *const *operand;     /* what stands for its operands there */
  IrStmt *value;              /* and for its value; NULL: not at hand */
  IrStmt *by;                 /* what the derivative is multiplied by */
} Partial;

IrStmt *put_real(const Partial *, double value);
bool is_real(const IrStmt *, double value);
IrStmt *put_negative(const Partial *, IrStmt *x);
/* y NULL: of one operand. */
IrStmt *put_builtin(const Partial *, int builtin, IrStmt *x, IrStmt *y);
IrStmt *put_choice(const Partial *, IrStmt *condition, IrStmt *yes, IrStmt *no);

#endif
