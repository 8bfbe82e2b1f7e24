/* Assignments and atomics.
 *
 * Inside a foreach an assignment operator on a field, an array or a kernel-
 * level variable is one atomic statement; elsewhere it is read, operator,
 * write.  A function may be called from a foreach: what it does to fields is
 * atomic, which costs nothing in a serial task.
 */
#include "gen/lower/scope.h"

Place lower_place(Lowering *l, const Expr *e)
{
  Place p = { .type = e->type, .loc = e->loc, .slot = 0 };

  if (e->kind == EXPR_FIELD) {
    p.field = lowered_field(l, e->field);
    p.slot = lowered_slot(l, e->tree_slot);
  } else if (e->kind == EXPR_VARIABLE || e->kind == EXPR_ELEMENT) {
    p.variable = find_binding(l, e->variable)->variable;
  } else {
    ICE("line %d: this cannot be assigned to", e->loc.line);
  }
  if (e->arg_count > MAX_AXES)
    ICE("line %d: too many indices", e->loc.line);
  for (int k = 0; k < e->arg_count; k++)
    p.indices[p.index_count++] = lower_expr(l, e->args[k]);
  return p;
}

static IrStmt *access(Lowering *l, const Place *p, IrOp op, const Type *type)
{
  IrStmt *s = ir_stmt(l->module, op, type, p->loc, NULL);

  s->field = p->field;
  s->slot = p->slot;
  s->variable = p->variable;
  for (int k = 0; k < p->index_count; k++)
    ir_add_operand(l->module, s, p->indices[k]);
  return s;
}

static bool is_array(const Place *p)
{
  return p->variable && p->variable->kind == IR_VAR_ARRAY;
}

IrStmt *read_place(Lowering *l, const Place *p)
{
  if (p->field)
    return emit(l, access(l, p, IR_read, p->type));
  if (is_array(p))
    return emit(l, access(l, p, IR_array_read, p->type));
  return emit_get(l, p->variable, p->loc);
}

void write_place(Lowering *l, const Place *p, IrStmt *value)
{
  IrStmt *s;

  if (!p->field && !is_array(p)) {
    emit_set(l, p->variable, value, p->loc);
    return;
  }
  s = access(l, p, p->field ? IR_write : IR_array_write, TY(VOID));
  ir_add_operand(l->module, s, value);
  emit(l, s);
}

/* ---- updates ---- */

static IrUpdate update_of(Op op)
{
  switch (op) {
  case OP_ADD: return IR_UPDATE_ADD;
  case OP_SUB: return IR_UPDATE_SUB;
  case OP_MUL: return IR_UPDATE_MUL;
  case OP_DIV: return IR_UPDATE_DIV;
  case OP_MOD: return IR_UPDATE_MOD;
  case OP_MIN: return IR_UPDATE_MIN;
  case OP_MAX: return IR_UPDATE_MAX;
  case OP_AND: return IR_UPDATE_AND;
  case OP_OR:  return IR_UPDATE_OR;
  case OP_XOR: return IR_UPDATE_XOR;
  case OP_SHL: return IR_UPDATE_SHL;
  case OP_SHR: return IR_UPDATE_SHR;
  case OP_EXCHANGE:         return IR_UPDATE_EXCHANGE;
  case OP_COMPARE_EXCHANGE: return IR_UPDATE_COMPARE_EXCHANGE;
  default: ICE("operator %d updates nothing", (int)op);
  }
}

static bool is_atomic(const Lowering *l, const Place *p)
{
  if (p->field || is_array(p))
    return l->in_foreach || !l->source->is_kernel;
  return l->in_foreach && p->variable->kind == IR_VAR_KERNEL;
}

/* expected: of a compare-exchange, else NULL. */
static IrStmt *update_place(Lowering *l, const Place *p, Op op, IrStmt *expected,
                            IrStmt *value)
{
  IrOp ir_op = p->field ? IR_atomic : is_array(p) ? IR_array_atomic : IR_update;
  IrStmt *s = access(l, p, ir_op, p->type);

  s->update = update_of(op);
  if (expected)
    ir_add_operand(l->module, s, expected);
  ir_add_operand(l->module, s, value);
  return emit(l, s);
}

/* The old value.  A shift's count may have any integer type; its low bits are
 * what counts, so the cast to the target's type keeps its meaning. */
static IrStmt *combine(Lowering *l, const Place *p, Op op, IrStmt *value)
{
  IrStmt *old;

  value = convert(l, value, p->type, p->loc);
  if (is_atomic(l, p))
    return update_place(l, p, op, NULL, value);
  old = read_place(l, p);
  write_place(l, p, lower_binary(l, op, old, value, p->loc));
  return old;
}

void lower_assign(Lowering *l, const Stmt *s)
{
  Place p = lower_place(l, s->target);
  IrStmt *value = lower_expr(l, s->a);

  if (s->op == OP_NONE)
    write_place(l, &p, convert(l, value, p.type, s->loc));
  else
    combine(l, &p, s->op, value);
}

/* ---- exchanges ---- */

/* All bits alike, as an atomic compares: 0.0 and -0.0 differ, a NaN is itself. */
static IrStmt *same_bits(Lowering *l, IrStmt *a, IrStmt *b, Loc loc)
{
  const Type *bits = a->type->bits == 32 ? TY(U32) : TY(U64);

  if (type_is_float(a->type)) {
    a = emit(l, ir_stmt(l->module, IR_bitcast, bits, loc, a, NULL));
    b = emit(l, ir_stmt(l->module, IR_bitcast, bits, loc, b, NULL));
  }
  return emit(l, ir_stmt(l->module, IR_cmp_eq, TY(BOOL), loc, a, b, NULL));
}

/* The old value.  A comparison that fails writes the old value again: what it goes to
 * is activated in any case. */
static IrStmt *exchange(Lowering *l, const Place *p, Op op, IrStmt *expected, IrStmt *value)
{
  IrStmt *old;

  if (is_atomic(l, p))
    return update_place(l, p, op, expected, value);
  old = read_place(l, p);
  if (expected)
    value = emit(l, ir_stmt(l->module, IR_select, p->type, p->loc,
                            same_bits(l, old, expected, p->loc), value, old, NULL));
  write_place(l, p, value);
  return old;
}

IrStmt *lower_atomic(Lowering *l, const Expr *e)
{
  Place p = lower_place(l, e->a);
  IrStmt *expected = e->c ? lower_expr(l, e->c) : NULL;
  IrStmt *value = lower_expr(l, e->b);

  if (e->op == OP_EXCHANGE || e->op == OP_COMPARE_EXCHANGE)
    return exchange(l, &p, e->op, expected, value);
  return combine(l, &p, e->op, value);
}
