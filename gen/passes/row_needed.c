/* Which statements of a loop's body something comes of.  Only they get a row form: what is not
 * needed would have its indices looked at, and the row left where they are outside.
 */
#include "gen/passes/rows.h"

#include "gen/ir/idle_store.h"

/* Statements that an effect, which something outside of the body sees, is made of. */
typedef struct Need {
  Map *needed, *used;
  Map read;                     /* locals */
  bool changed;
} Need;

/* Whether a function does more than give its value: it may trap, or write what is not its own. */
static bool acts(const IrFunction *f)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body)) {
    if (s->op == IR_call ? acts(s->function) : ir_may_trap(s, IR_BOUNDS_NONE))
      return true;
    if (s->op != IR_call && ir_effects(s) == IR_WRITES && !ir_changes(s, IR_OF_LOCAL))
      return true;
  }
  return false;
}

/* A local is seen where something that is needed reads it. */
static bool is_effect(const Need *n, const IrStmt *s)
{
  if (ir_changes(s, IR_OF_LOCAL))
    return s->variable->kind != IR_VAR_LOCAL || map_get(&n->read, s->variable);
  if (s->op == IR_call)
    return acts(s->function);
  return s->op != IR_if && ir_effects(s) >= IR_WRITES &&
         !(s->op == IR_store && ir_stores_what_is_there(s));
}

/* All of a function: it is called whole. */
static void need_function(Need *n, const IrFunction *f)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    map_put(n->needed, s, s);
}

static void need(Need *n, IrStmt *s)
{
  if (map_get(n->needed, s))
    return;
  n->changed = true;
  map_put(n->needed, s, s);
  for (int k = 0; k < s->operand_count; k++) {
    need(n, s->operands[k]);
    map_put(n->used, s->operands[k], s);
  }
  if (s->op == IR_call)
    need_function(n, s->function);
  if (s->op == IR_get)
    map_put(&n->read, s->variable, s->variable);
  if (s->parent && s->parent->owner)
    need(n, s->parent->owner);
}

void rows_find_needed(Rows *r)
{
  const IrBlock *body = r->task->blocks[0];
  Need n = { .needed = &r->needed, .used = &r->used };

  map_init(&r->needed, r->module->arena);
  map_init(&r->used, r->module->arena);
  map_init(&n.read, r->module->arena);
  do {
    n.changed = false;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      if (is_effect(&n, s))
        need(&n, s);
  } while (n.changed);
}
