/* The state of a verification, shared by verify.c (where statements may stand) and
 * verify_stmt.c (what one statement must be). */
#ifndef SNODEGEN_IR_VERIFY_H
#define SNODEGEN_IR_VERIFY_H

#include "gen/ir/ir.h"

typedef struct Verifier {
  const IrModule *module;
  IrFunction *function;
  int stage;
  const char *broken;         /* the first broken rule; NULL: none yet */
} Verifier;

/* Notes the rule as broken by s (NULL: by the function) unless one is already. */
void verify_broken(Verifier *, const IrStmt *s, const char *rule);

/* Operands, attributes and types of s by its operation. */
void verify_stmt(Verifier *, const IrStmt *s);

#endif
