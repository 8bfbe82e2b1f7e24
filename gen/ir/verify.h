/* The state of a verification, shared by verify.c (where statements may stand) and verify_stmt.c
 * (what one statement must be, with verify_walk.c and verify_row.c), and what these ask of
 * operands. */
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

/* Operands, attributes and types of s by its operation (verify_stmt.c). */
void verify_stmt(Verifier *, const IrStmt *s);
/* The rule that s breaks as a step of a walk (verify_walk.c), or in the row form (verify_row.c);
 * NULL: none. */
const char *verify_walk(const IrStmt *s);
const char *verify_rows(const IrStmt *s);
/* ... in the near form (verify_near.c). */
const char *verify_near(const IrStmt *s);
/* ... as a cache or a staged_at, whose function goes to one element. */
const char *verify_staged(const IrFunction *, const IrStmt *s);

/* ---- verify_operand.c ---- */
const Type *verify_operand_type(const IrStmt *, int k);
/* The operands from `first` on are of the type; all are. */
bool verify_all_from(const IrStmt *, int first, const Type *);
bool verify_all_of_type(const IrStmt *, const Type *);
/* There are `count` operands from `first` on, and they are integers. */
bool verify_integers(const IrStmt *, int first, int count);
/* Of a write or an atomic: the operands behind its cell or its indices. */
int verify_stored_values(const IrStmt *);
/* The struct_for of a statement that takes it, or takes a loop over its rows; NULL: of none. */
const IrStmt *verify_struct_for(const IrStmt *);
bool verify_has_own_axis(const IrSNode *, int axis);
const IrTree *verify_slot_tree(const IrFunction *, int slot);   /* NULL: it has no such slot */

#endif
