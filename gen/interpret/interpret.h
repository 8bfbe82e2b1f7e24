/* The interpreter's state, shared by interpret.c (statements), memory.c
 * (what lies outside: trees, arrays, the launch record) and entry.c (the
 * function that libsnode_interpreter is called by).
 *
 * Needs a module that ir_verify(m, 1) accepts and whose functions are numbered:
 * nothing is checked again here.
 */
#ifndef SNODEGEN_INTERPRET_INTERPRET_H
#define SNODEGEN_INTERPRET_INTERPRET_H

#include "gen/base/map.h"
#include "gen/ir/ir.h"

#include <snode/interpreter.h>

typedef struct Interpreter {
  const IrModule *module;
  Arena *arena;               /* of the call */
  const sn_interpreter_kernel *places;
  const sn_interpreter_access *access;
  const snd_args *args;
  snd_launch *launch;
  const IrFunction *kernel;
  /* of the function that runs */
  const IrFunction *function;
  Value *values;              /* by number; of a for_range: its index */
  Value *variables;           /* by id */
  int slots[SND_MAX_SLOTS];   /* the call's slot for each of the function's */
  Map saved;                  /* by the local its places: no function calls itself, so that they are
                                 once there */
  Value result;
  /* of the task that runs */
  Value index[MAX_AXES];
  const IrStmt *task;
  uint32_t draws;             /* of random numbers, in the iteration so far */
  Value *stack;               /* room for the frames of functions */
  uint64_t *record;           /* room for a print record */
} Interpreter;

/* ---- interpret.c ---- */
void interpret_task(Interpreter *, const IrStmt *task);

/* ---- random.c ---- */
/* Of a random or a randn: the iteration's next draw. */
Value interpret_draw(Interpreter *, const IrStmt *);

/* ---- memory.c ---- */

/* The kernel's parameters and variables, into their frame and back. */
void interpret_load_frame(Interpreter *);
void interpret_store_vars(Interpreter *);

/* Accesses: false when the index trapped, which ends the iteration. */
bool interpret_read(Interpreter *, const IrStmt *, Value *result);
bool interpret_write(Interpreter *, const IrStmt *);
bool interpret_atomic(Interpreter *, const IrStmt *, Value *old);
/* Of an inside; of a check_bounds false as above. */
bool interpret_is_inside(Interpreter *, const IrStmt *, Value *result);
bool interpret_array(Interpreter *, const IrStmt *, Value *result);
bool interpret_node(Interpreter *, const IrStmt *, Value *result);
/* What the update leaves where `old` was. */
Value interpret_updated(const Interpreter *, const IrStmt *, Value old);
int64_t interpret_total(Interpreter *, const IrSNode *, int slot, int axis);

/* The site and the values of the operands as a print record. */
void interpret_print(Interpreter *, const IrStmt *);
/* Notes the error with its message's arguments, unless one is noted: the first wins. */
void interpret_failed_assert(Interpreter *, const IrStmt *);
void interpret_failed_require(Interpreter *, const IrStmt *);
void interpret_failed_ranges(Interpreter *, const IrStmt *task);
void interpret_failed_element(Interpreter *, const IrStmt *, int64_t index);

/* False where another iteration claims the same, or there is no room: noted too. */
bool interpret_claim(Interpreter *, const IrStmt *);

static inline Value interpret_operand(const Interpreter *in, const IrStmt *s, int k)
{
  return in->values[s->operands[k]->id];
}

#endif
