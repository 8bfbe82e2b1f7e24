/* The pass forward: what its files share (docs/derivatives.md, "Forward mode").
 *
 * Beside each value that depends on a field with a tangent, and on which something with a tangent
 * depends, stands its tangent; beside such a variable a variable.
 */
#ifndef SNODEGEN_DERIVE_TANGENT_H
#define SNODEGEN_DERIVE_TANGENT_H

#include "gen/derive/derive.h"

typedef struct Forward {
  IrModule *module;
  IrFunction *function;
  int ids;                    /* of the statements, from 1 on, and one more */
  Varied varied;
  bool *wanted;               /* by id: and its tangent is used */
  int *uses;                  /* by id */
  IrStmt **tangents;          /* by id; NULL: zero, or not put */
  IrStmt ***parts;            /* by id of a factorization: the tangents of its parts */
  Map wanted_variables;
  Map dual;                   /* variable -> that of its tangent */
} Forward;

/* ---- active.c ---- */
void find_active(Forward *);
bool is_wanted(const Forward *, const IrStmt *);
bool is_wanted_variable(const Forward *, const IrVariable *);
/* Whether iterations of a parallel loop change the variable at once. */
bool is_shared_update(const IrStmt *);
/* The value, of several the last one, that is written or that the variable is set to. */
IrStmt *assigned(const IrStmt *);
bool is_factorization(const IrStmt *);

/* ---- unsupported.c ---- */
/* Notes what has no tangent; whether that is nothing. */
bool has_forward(const Forward *);

/* ---- tangent.c ---- */
/* The tangent of an operation on values; NULL: zero. */
IrStmt *put_tangent(Maker *, const IrStmt *s, IrStmt *const *operand, IrStmt *value,
                    IrStmt *const *tangent);

#endif
