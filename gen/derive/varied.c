/* What depends on a field that has a derivative. */
#include "gen/derive/derive.h"
#include "gen/model/builtins.h"

bool value_varies(const Varied *v, const IrStmt *s)
{
  return s->id > 0 && v->values[s->id];
}

bool variable_varies(const Varied *v, const IrVariable *variable)
{
  return map_get(&v->variables, variable) != NULL;
}

/* Its derivative is zero wherever it has one. */
static bool is_step(const IrStmt *s)
{
  if (s->op != IR_builtin)
    return false;
  switch (s->builtin) {
  case BUILTIN_floor: case BUILTIN_ceil: case BUILTIN_round: case BUILTIN_trunc:
  case BUILTIN_sign: case BUILTIN_floordiv:
    return true;
  default:
    return false;
  }
}

static bool has_derivative(const Varied *v, const IrStmt *read)
{
  const IrField *derivative = v->is_forward ? read->field->dual : read->field->grad;

  return derivative && !v->function->slots[read->slot].is_merge;
}

static bool has_varied_operand(const Varied *v, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (value_varies(v, s->operands[k]))
      return true;
  return false;
}

bool sets_variable(const IrStmt *s)
{
  return s->variable && (s->op == IR_save || ir_changes(s, IR_OF_LOCAL));
}

static bool varies(const Varied *v, const IrStmt *s)
{
  if (!type_is_float(s->type))
    return false;
  switch (s->op) {
  case IR_get: case IR_update: case IR_restore:
    return variable_varies(v, s->variable);
  case IR_read:
    return has_derivative(v, s);
  default:
    return is_pure(s) && !is_step(s) && has_varied_operand(v, s);
  }
}

/* Whether it has found something new. */
static bool note_varied(Varied *v, const IrStmt *s)
{
  bool found = false;

  if (sets_variable(s) && type_is_float(s->variable->type) && !variable_varies(v, s->variable) &&
      has_varied_operand(v, s)) {
    map_put(&v->variables, s->variable, s->variable);
    found = true;
  }
  if (v->values[s->id] || !varies(v, s))
    return found;
  return v->values[s->id] = true;
}

/* A loop leads back to variables that were looked at already. */
Varied find_varied(Arena *arena, const IrFunction *f, int ids, bool is_forward)
{
  Varied v = { .function = f, .is_forward = is_forward };
  bool found;

  v.values = NEW_ARRAY(arena, bool, ids);
  map_init(&v.variables, arena);
  do {
    found = false;
    for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
      found = note_varied(&v, s) || found;
  } while (found);
  return v;
}
