/* Local arrays and tables: a variable for each element, a constant for each of a table.
 *
 * An element whose indices are known, in a loop that is written out too, is that variable;
 * else it is one of a chain of choices, as a vector's is (place.c).
 */
#include "gen/lower/scope.h"

#include <stddef.h>

void lower_own_array(Lowering *l, const Stmt *s)
{
  const Variable *v = s->variable;
  int kind = v->at_kernel_level ? IR_VAR_KERNEL : IR_VAR_LOCAL;
  IrVariable **elements = NEW_ARRAY(l->module->arena, IrVariable *, v->element_count);
  IrStmt **values = NEW_ARRAY(l->module->arena, IrStmt *, v->element_count);
  const char *name = unique_name(l, v->name);

  for (int k = 0; k < v->element_count; k++)
    values[k] = s->arg_count ? convert(l, lower_expr(l, s->args[k]), v->type, s->loc)
                             : emit_int(l, v->type, 0, s->loc);
  for (int k = 0; k < v->element_count; k++) {
    elements[k] = new_variable(l, kind, intern_format(l->module->arena, "%s.%d", name, k),
                               v->type);
    emit_declare(l, elements[k], values[k], s->loc);
  }
  bind_variables(l, v, elements);
}

/* ---- which element ---- */

static void check_element(Lowering *l, const Expr *e, IrStmt *index, int64_t size)
{
  IrStmt *check = ir_stmt(l->module, IR_check_element, TY(VOID), e->loc, index, NULL);

  check->index = (int)size;
  check->text = e->variable->name;
  emit(l, check);
}

static IrStmt *is_inside(Lowering *l, IrStmt *index, int64_t size, Loc loc)
{
  IrStmt *above = lower_binary(l, OP_GE, index, emit_int(l, TY(I64), 0, loc), loc);

  return lower_binary(l, OP_AND, above,
                      lower_binary(l, OP_LT, index, emit_int(l, TY(I64), size, loc), loc), loc);
}

/* Row by row: what stands in front of the index, and it. */
static IrStmt *join(Lowering *l, IrStmt *at, IrStmt *index, int64_t size, Loc loc)
{
  at = lower_binary(l, OP_MUL, at, emit_int(l, TY(I64), size, loc), loc);
  return lower_binary(l, OP_ADD, at, index, loc);
}

/* The indices, an integer vector's one behind the other. */
typedef struct Indices {
  IrStmt *value[MAX_AXES];
  int64_t known[MAX_AXES];               /* -1: at run time only, or outside */
  bool are_known;
} Indices;

static Indices take_indices(Lowering *l, const Expr *e)
{
  const Variable *v = e->variable;
  Indices in = { .are_known = true };

  lower_indices(l, e->args, e->arg_count, in.value, MAX_AXES);
  for (int k = 0; k < v->extent_count; k++) {
    in.value[k] = convert(l, in.value[k], TY(I64), e->loc);
    if (!known_value(in.value[k], &in.known[k]) || in.known[k] < 0 || in.known[k] >= v->sizes[k])
      in.known[k] = -1;
    in.are_known = in.are_known && in.known[k] >= 0;
  }
  return in;
}

/* The element's number; -1 where an index is outside with --bounds=zero. */
static IrStmt *lower_number(Lowering *l, const Expr *e, const Indices *in)
{
  const Variable *v = e->variable;
  IrStmt *at = NULL, *inside = NULL;

  for (int k = 0; k < v->extent_count; k++) {
    IrStmt *index = in->value[k];
    if (l->options->bounds == IR_BOUNDS_TRAP && in->known[k] < 0)
      check_element(l, e, index, v->sizes[k]);
    if (l->options->bounds == IR_BOUNDS_ZERO) {
      IrStmt *good = is_inside(l, index, v->sizes[k], e->loc);
      inside = inside ? lower_binary(l, OP_AND, inside, good, e->loc) : good;
    }
    at = at ? join(l, at, index, v->sizes[k], e->loc) : index;
  }
  if (!inside)
    return at;
  return emit(l, ir_stmt(l->module, IR_select, TY(I64), e->loc, inside, at,
                         emit_int(l, TY(I64), -1, e->loc), NULL));
}

Choice lower_own_choice(Lowering *l, const Expr *e)
{
  const Variable *v = e->variable;
  Indices in = take_indices(l, e);
  Choice c = { .step = 1, .count = 1 };

  for (int k = 0; k < v->extent_count && in.are_known; k++)
    c.first = c.first * (int)v->sizes[k] + (int)in.known[k];
  if (in.are_known)
    return c;
  c.count = v->element_count;
  c.at = lower_number(l, e, &in);
  report_choice(l, &c, v->name, e->loc);
  return c;
}

IrStmt *lower_table(Lowering *l, const Expr *e)
{
  const Variable *v = e->variable;
  IrStmt **values = NEW_ARRAY(l->module->arena, IrStmt *, v->element_count);
  Choice c = lower_own_choice(l, e);

  if (!c.at)
    return emit_const(l, v->type, v->table[c.first], e->loc);
  for (int k = 0; k < v->element_count; k++)
    values[k] = emit_const(l, v->type, v->table[k], e->loc);
  return choose_value(l, &c, values, e->loc);
}
