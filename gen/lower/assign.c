/* Assignments and atomics.
 *
 * Inside a foreach an assignment operator on a field, an array or a kernel-
 * level variable is one atomic statement; elsewhere it is read, operator,
 * write.  A function may be called from a foreach: what it does to fields is
 * atomic, which costs nothing in a serial task; so is what has a derivative, which
 * an update has and a field that is read and later overwritten has not.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

/* ---- updates ---- */

static bool is_atomic(const Lowering *l, const Place *p)
{
  if (p->field || is_array_place(p))
    return l->in_foreach || !l->source->is_kernel || l->derivation;
  return l->in_foreach && p->variables[0]->kind == IR_VAR_KERNEL;
}

/* expected: of a compare-exchange, else NULL. */
static IrStmt *update_element(Lowering *l, const Place *p, int element, Op op, IrStmt *expected,
                              IrStmt *value)
{
  IrOp ir_op = p->field ? IR_atomic : is_array_place(p) ? IR_array_atomic : IR_update;
  IrStmt *s = access_element(l, p, element, ir_op, place_element(p, element));

  if (op_divides(op))
    check_divisor(l, value, p->loc);
  s->update = op;
  if (expected)
    ir_add_operand(l->module, s, expected);
  ir_add_operand(l->module, s, value);
  return emit(l, s);
}

/* The old value.  A shift's count may have any integer type; its low bits are
 * what counts, so the cast to the target's type keeps its meaning. */
static IrStmt *combine(Lowering *l, const Place *p, int element, Op op, IrStmt *value)
{
  IrStmt *old;

  value = convert(l, value, place_element(p, element), p->loc);
  if (is_atomic(l, p))
    return update_element(l, p, element, op, NULL, value);
  old = read_element(l, p, element);
  write_element(l, p, element, lower_binary(l, op, old, value, p->loc));
  return old;
}

/* ---- exchanges ---- */

/* All bits alike, as an atomic compares: 0.0 and -0.0 differ, a NaN is itself. */
static IrStmt *same_bits(Lowering *l, IrStmt *a, IrStmt *b, Loc loc)
{
  int width = a->type->bits;
  const Type *bits = width == 16 ? TY(U16) : width == 32 ? TY(U32) : TY(U64);

  if (type_is_float(a->type)) {
    a = emit(l, ir_stmt(l->module, IR_bitcast, bits, loc, a, NULL));
    b = emit(l, ir_stmt(l->module, IR_bitcast, bits, loc, b, NULL));
  }
  return emit(l, ir_stmt(l->module, IR_cmp_eq, TY(BOOL), loc, a, b, NULL));
}

/* The old value.  A comparison that fails writes the old value again: what it goes to
 * is activated in any case. */
static IrStmt *exchange(Lowering *l, const Place *p, int element, Op op, IrStmt *expected,
                        IrStmt *value)
{
  IrStmt *old;

  if (is_atomic(l, p))
    return update_element(l, p, element, op, expected, value);
  old = read_element(l, p, element);
  if (expected)
    value = emit(l, ir_stmt(l->module, IR_select, old->type, p->loc,
                            same_bits(l, old, expected, p->loc), value, old, NULL));
  write_element(l, p, element, value);
  return old;
}

/* ---- all elements of a place ---- */

/* What a place is updated with: lists of values, of a scalar one for all. */
typedef struct Update {
  Op op;
  IrStmt **values, **expected;
  const Type *value_type, *expected_type;
} Update;

static IrStmt *one_of(IrStmt **values, const Type *type, int k)
{
  return type_is_shaped(type) ? values[k] : values[0];
}

/* Element `element` of what p is part of takes value k; the old one. */
static IrStmt *update_one(Lowering *l, const Place *p, const Update *u, int element, int k)
{
  IrStmt *value = one_of(u->values, u->value_type, k);
  IrStmt *expected = u->expected ? one_of(u->expected, u->expected_type, k) : NULL;

  if (u->op == OP_EXCHANGE || u->op == OP_COMPARE_EXCHANGE)
    return exchange(l, p, element, u->op, expected, value);
  return combine(l, p, element, u->op, value);
}

/* All elements that the place has behind `start`; the old ones. */
static IrStmt **update_start(Lowering *l, const Place *p, const Update *u, int start)
{
  IrStmt **old = NEW_ARRAY(l->module->arena, IrStmt *, type_count(p->type));

  for (int k = 0; k < type_count(p->type); k++)
    old[k] = update_one(l, p, u, place_number(p, start, k), k);
  return old;
}

/* Which elements they are shows at run time: a chain of ifs.  old NULL: no one uses the old ones,
 * which have no derivative. */
static void update_chosen(Lowering *l, const Place *p, const Update *u, IrVariable **old)
{
  for (int k = 0; k < p->choice.count; k++) {
    IrBlock *outer = open_choice(l, p, k);
    IrStmt **values = update_start(l, p, u, p->choice.starts[k]);
    for (int i = 0; old && i < type_count(p->type); i++)
      emit_set(l, old[i], values[i], p->loc);
    l->block = outer;
  }
}

static void update_place(Lowering *l, const Place *p, const Update *u)
{
  if (is_chosen(p))
    update_chosen(l, p, u, NULL);
  else
    update_start(l, p, u, p->choice.starts[0]);
}

static IrStmt **take_and_update(Lowering *l, const Place *p, const Update *u)
{
  IrVariable **old;

  if (!is_chosen(p))
    return update_start(l, p, u, p->choice.starts[0]);
  old = new_hidden_elements(l, "old", p->type);
  declare_elements(l, old, zero_elements(l, p->type, p->loc), p->type, p->loc);
  update_chosen(l, p, u, old);
  return get_elements(l, old, p->type, p->loc);
}

void lower_assign(Lowering *l, const Stmt *s)
{
  Place p = lower_place(l, s->target);
  Update u = { .op = s->op, .value_type = s->a->type };

  if (s->op == OP_NONE) {
    write_place(l, &p, lower_converted(l, s->a, p.type));
    return;
  }
  u.values = lower_elements(l, s->a);
  update_place(l, &p, &u);
}

static Update update_of(Lowering *l, const Expr *e)
{
  Update u = { .op = e->op, .value_type = e->b->type };

  if (e->c) {
    u.expected = lower_elements(l, e->c);
    u.expected_type = e->c->type;
  }
  u.values = lower_elements(l, e->b);
  return u;
}

IrStmt **lower_atomic(Lowering *l, const Expr *e)
{
  const Place p = lower_place(l, e->a);
  const Update u = update_of(l, e);

  return take_and_update(l, &p, &u);
}

void lower_atomic_alone(Lowering *l, const Expr *e)
{
  const Place p = lower_place(l, e->a);
  const Update u = update_of(l, e);

  update_place(l, &p, &u);
}
