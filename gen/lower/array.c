/* Local arrays: a variable for each scalar of them, or memory (memory_array.c).
 *
 * An element whose indices are known, in a loop that is written out too, is its variables;
 * else it is chosen by comparisons, as a vector's is (place.c), or found in memory.  A table's
 * (table.c) has constants.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

static IrVariable **declare_array(Lowering *l, const Variable *v, const char *name,
                                  IrStmt ***values, Loc loc)
{
  int kind = v->at_kernel_level ? IR_VAR_KERNEL : IR_VAR_LOCAL, width = type_count(v->type);
  IrVariable **variables = NEW_ARRAY(l->module->arena, IrVariable *, v->element_count * width);

  for (int k = 0; k < v->element_count; k++) {
    IrVariable **element =
        new_elements(l, kind, intern_format(l->module->arena, "%s.%d", name, k), v->type);
    declare_elements(l, element, values[k], v->type, loc);
    for (int i = 0; i < width; i++)
      variables[k * width + i] = element[i];
  }
  return variables;
}

void lower_own_array(Lowering *l, const Stmt *s)
{
  const Variable *v = s->variable;
  const bool in_memory = is_memory_array(l, v);
  const char *name = unique_name(l, v->name);
  IrStmt ***values = s->arg_count || !in_memory
                       ? NEW_ARRAY(l->module->arena, IrStmt **, v->element_count) : NULL;

  for (int k = 0; values && k < v->element_count; k++)
    values[k] = s->arg_count ? lower_converted(l, s->args[k], v->type)
                             : zero_elements(l, v->type, s->loc);
  bind_variables(l, v, in_memory ? declare_memory_array(l, v, name, values, s->loc)
                                 : declare_array(l, v, name, values, s->loc));
}

/* ---- which element ---- */

static void check_element(Lowering *l, const Expr *e, IrStmt *index, int64_t size)
{
  IrStmt *check = ir_stmt(l->module, IR_check_element, TY(VOID), e->loc, index, NULL);

  check->index = (int)size;
  check->text = e->variable->name;
  emit(l, check);
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
      IrStmt *good = is_within(l, index, v->sizes[k], e->loc);
      inside = inside ? lower_binary(l, OP_AND, inside, good, e->loc) : good;
    }
    at = at ? join(l, at, index, v->sizes[k], e->loc) : index;
  }
  if (!inside)
    return at;
  return emit(l, ir_stmt(l->module, IR_select, TY(I64), e->loc, inside, at,
                         emit_int(l, TY(I64), -1, e->loc), NULL));
}

/* An i64 as an i32, as which it may have been written.  A constant here is outside: it stays a
 * cast, since a constant place is one that there is (memory_array.c). */
static IrStmt *narrow(Lowering *l, IrStmt *at, Loc loc)
{
  IrStmt *from = at->op == IR_cast ? at->operands[0] : at;

  return from->type == TY(I32) && from->op != IR_const ? from : convert(l, at, TY(I32), loc);
}

IrStmt *lower_own_number(Lowering *l, const Expr *e)
{
  const Variable *v = e->variable;
  Indices in = take_indices(l, e);
  int64_t number = 0;

  if (!in.are_known)
    return narrow(l, lower_number(l, e, &in), e->loc);
  for (int k = 0; k < v->extent_count; k++)
    number = number * v->sizes[k] + in.known[k];
  return emit_int(l, TY(I32), number, e->loc);
}

Choice lower_own_choice(Lowering *l, const Expr *e)
{
  const Variable *v = e->variable;
  Indices in = take_indices(l, e);
  Choice c = whole_choice(l);
  int width = type_count(v->type);

  for (int k = 0; k < v->extent_count && in.are_known; k++)
    c.starts[0] = c.starts[0] * (int)v->sizes[k] + (int)in.known[k];
  c.starts[0] *= width;
  if (in.are_known)
    return c;
  c.count = v->element_count;
  c.starts = NEW_ARRAY(l->module->arena, int, c.count);
  for (int k = 0; k < c.count; k++)
    c.starts[k] = k * width;
  c.at = lower_number(l, e, &in);
  if (!is_long_table(v))
    report_choice(l, c.count, v->name, e->loc);
  return c;
}
