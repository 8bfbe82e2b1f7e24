/* Places: what an lvalue names, read and written element by element.
 *
 * A place is a scalar, a whole vector or matrix, or an element of one.  Which
 * element may be known at run time only: then it is one of a chain of choices,
 * but in an array parameter, where it is the last index.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

/* ---- -Wperf ---- */

/* "v (f32x3)" */
static const char *describe(Lowering *l, const Expr *e)
{
  const char *name = e->kind == EXPR_FIELD ? e->field->name
                     : e->kind == EXPR_VARIABLE || e->kind == EXPR_ELEMENT ? e->variable->name
                     : NULL;

  return name ? intern_format(l->module->arena, "%s (%s)", name, e->type->name) : e->type->name;
}

struct Reported {
  Loc *locs;
  int count;
};

struct Reported *new_reported(Arena *arena)
{
  return NEW(arena, struct Reported);
}

void report_choice(Lowering *l, const Choice *c, const char *what, Loc loc)
{
  struct Reported *r = l->reported;

  for (int k = 0; k < r->count; k++)
    if (!loc_is_before(r->locs[k], loc) && !loc_is_before(loc, r->locs[k]))
      return;
  vec_push(l->module->arena, r->locs, r->count, loc);
  diag(l->diag, DIAG_RUN_TIME_INDEX, loc, what, c->count);
}

/* ---- which element ---- */

bool is_constant_component(const Expr *e)
{
  for (int k = 0; k < e->arg_count; k++)
    if (e->args[k]->kind != EXPR_LITERAL)
      return false;
  return true;
}

/* Two indices of run time as one: with --bounds=zero outside where either is. */
static IrStmt *join_indices(Lowering *l, IrStmt *row, IrStmt *column, const Type *whole, Loc loc)
{
  IrStmt *at = lower_binary(l, OP_MUL, row, emit_int(l, TY(I64), whole->columns, loc), loc), *good;

  at = lower_binary(l, OP_ADD, at, column, loc);
  if (l->options->bounds != IR_BOUNDS_ZERO)
    return at;
  good = lower_binary(l, OP_AND, lower_binary(l, OP_GE, column, emit_int(l, TY(I64), 0, loc), loc),
                      lower_binary(l, OP_LT, column,
                                   emit_int(l, TY(I64), whole->columns, loc), loc), loc);
  return emit(l, ir_stmt(l->module, IR_select, TY(I64), loc, good, at,
                         emit_int(l, TY(I64), -1, loc), NULL));
}

/* An index of the component: its value, or known. */
typedef struct Index {
  IrStmt *value;
  int known;                             /* -1: at run time only, or outside */
} Index;

static Index lower_index(Lowering *l, const Expr *e, int k, int extent)
{
  Index index = { .known = -1 };
  int64_t value;

  index.value = convert(l, lower_expr(l, e->args[k]), TY(I64), e->loc);
  if (known_value(index.value, &value) && value >= 0 && value < extent)
    index.known = (int)value;
  return index;
}

/* What is not known is tested where the program runs. */
static IrStmt *checked(Lowering *l, const Expr *e, const Index *index, int extent)
{
  IrStmt *check;

  if (index->known >= 0 || l->options->bounds != IR_BOUNDS_TRAP)
    return index->value;
  check = ir_stmt(l->module, IR_check_element, TY(VOID), e->loc, index->value, NULL);
  check->index = extent;
  check->text = describe(l, e->a);
  emit(l, check);
  return index->value;
}

Choice lower_choice(Lowering *l, const Expr *e)
{
  const Type *whole = e->a->type;
  bool is_matrix = e->arg_count > 1;
  Index row = lower_index(l, e, 0, whole->rows), column = { .known = 0 };
  Choice c = { .step = 1, .count = 1 };
  IrStmt *at;

  if (is_matrix)
    column = lower_index(l, e, 1, whole->columns);
  c.first = (row.known > 0 ? row.known * whole->columns : 0) +
            (column.known > 0 ? column.known : 0);
  if (row.known >= 0 && column.known >= 0)
    return c;
  at = checked(l, e, &row, whole->rows);
  c.step = column.known >= 0 ? whole->columns : 1;
  c.count = column.known >= 0 ? whole->rows : row.known >= 0 ? whole->columns : type_count(whole);
  c.at = at;
  if (column.known < 0) {
    c.at = checked(l, e, &column, whole->columns);
    if (row.known < 0)
      c.at = join_indices(l, at, c.at, whole, e->loc);
  }
  if (e->a->kind != EXPR_ELEMENT)          /* in an array memory has the index */
    report_choice(l, &c, describe(l, e->a), e->loc);
  return c;
}

static IrStmt *emit_is(Lowering *l, IrStmt *at, int k, Loc loc)
{
  return lower_binary(l, OP_EQ, at, emit_int(l, TY(I64), k, loc), loc);
}

/* values: of the elements that there are to choose from. */
static IrStmt *choose(Lowering *l, const Choice *c, IrStmt **values, Loc loc)
{
  bool is_zero = l->options->bounds == IR_BOUNDS_ZERO;
  IrStmt *chosen = is_zero ? emit_int(l, values[0]->type, 0, loc) : values[0];

  for (int k = !is_zero; k < c->count; k++)
    chosen = emit(l, ir_stmt(l->module, IR_select, chosen->type, loc, emit_is(l, c->at, k, loc),
                             values[k], chosen, NULL));
  return chosen;
}

IrStmt *choose_value(Lowering *l, const Choice *c, IrStmt **values, Loc loc)
{
  IrStmt **among = NEW_ARRAY(l->module->arena, IrStmt *, c->count);

  for (int k = 0; k < c->count; k++)
    among[k] = values[c->first + k * c->step];
  return c->at ? choose(l, c, among, loc) : among[0];
}

/* ---- what it names ---- */

static Place whole_place(Lowering *l, const Expr *e)
{
  Place p = { .type = e->type, .whole = e->type, .loc = e->loc };

  p.choice = (Choice){ .step = 1, .count = type_count(e->type) };
  if (e->kind == EXPR_FIELD) {
    p.field = lowered_field(l, e->field);
    p.slot = lowered_slot(l, e->tree_slot);
  } else if (e->kind == EXPR_VARIABLE || e->kind == EXPR_ELEMENT) {
    p.variables = bound_variables(l, e->variable);
  } else {
    ICE("line %d: this cannot be assigned to", e->loc.line);
  }
  if (e->kind == EXPR_ELEMENT && e->variable->kind == VARIABLE_OWN_ARRAY)
    p.choice = lower_own_choice(l, e);
  else
    p.index_count = lower_indices(l, e->args, e->arg_count, p.indices, MAX_AXES);
  for (int k = 0; p.field && k < p.index_count; k++)
    p.indices[k] = border_index(l, p.field, k, p.slot, p.indices[k], p.loc);
  return p;
}

Place lower_place(Lowering *l, const Expr *e)
{
  Place p;

  if (e->kind != EXPR_COMPONENT)
    return whole_place(l, e);
  p = whole_place(l, e->a);
  p.type = e->type;
  p.loc = e->loc;
  p.choice = lower_choice(l, e);
  return p;
}

bool is_array_place(const Place *p)
{
  return p->variables && p->variables[0]->kind == IR_VAR_ARRAY;
}

/* ---- one element ---- */

/* The last index of an array's element; which one of it is known here or not. */
static IrStmt *element_index(Lowering *l, const Place *p, int element)
{
  const Choice *c = &p->choice;
  IrStmt *at;

  if (!c->at)
    return emit_int(l, TY(I64), element, p->loc);
  at = lower_binary(l, OP_MUL, c->at, emit_int(l, TY(I64), c->step, p->loc), p->loc);
  return lower_binary(l, OP_ADD, emit_int(l, TY(I64), c->first, p->loc), at, p->loc);
}

IrStmt *access_element(Lowering *l, const Place *p, int element, IrOp op, const Type *type)
{
  IrStmt *index = is_array_place(p) && type_is_shaped(p->whole) ? element_index(l, p, element)
                                                                : NULL;
  IrStmt *s = ir_stmt(l->module, op, type, p->loc, NULL);

  if (p->field) {
    s->field = p->field->snode->tree->fields[p->field->id + element];
    s->slot = p->slot;
  } else {
    s->variable = is_array_place(p) ? p->variables[0] : p->variables[element];
  }
  for (int k = 0; k < p->index_count; k++)
    ir_add_operand(l->module, s, p->indices[k]);
  if (index)
    ir_add_operand(l->module, s, index);
  return s;
}

IrStmt *read_element(Lowering *l, const Place *p, int element)
{
  const Type *type = type_element(p->whole);

  if (p->field)
    return emit(l, access_element(l, p, element, IR_read, type));
  if (is_array_place(p))
    return emit(l, access_element(l, p, element, IR_array_read, type));
  return emit_get(l, p->variables[element], p->loc);
}

void write_element(Lowering *l, const Place *p, int element, IrStmt *value)
{
  IrStmt *s;

  if (!p->field && !is_array_place(p)) {
    emit_set(l, p->variables[element], value, p->loc);
    return;
  }
  s = access_element(l, p, element, p->field ? IR_write : IR_array_write, TY(VOID));
  ir_add_operand(l->module, s, value);
  emit(l, s);
}

/* ---- the place ---- */

bool is_chosen(const Place *p)
{
  return p->choice.at && !is_array_place(p);
}

IrStmt **read_place(Lowering *l, const Place *p)
{
  const Choice *c = &p->choice;
  int count = is_array_place(p) && c->at ? 1 : c->count;
  IrStmt **values = NEW_ARRAY(l->module->arena, IrStmt *, count);

  for (int k = 0; k < count; k++)
    values[k] = read_element(l, p, c->first + k * c->step);
  if (is_chosen(p))
    values[0] = choose(l, c, values, p->loc);
  return values;
}

IrStmt **take_place(Lowering *l, const Place *p)
{
  IrStmt **values = read_place(l, p);

  check_read(l, p);
  return values;
}

IrBlock *open_choice(Lowering *l, const Place *p, int k)
{
  IrStmt *branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), p->loc,
                                   emit_is(l, p->choice.at, k, p->loc), NULL));

  branch->blocks[1] = ir_block(l->module, branch);
  return open_block(l, branch, 0);
}

void write_place(Lowering *l, const Place *p, IrStmt **values)
{
  const Choice *c = &p->choice;

  for (int k = 0; is_chosen(p) && k < c->count; k++) {
    IrBlock *outer = open_choice(l, p, k);
    write_element(l, p, c->first + k * c->step, values[0]);
    l->block = outer;
  }
  for (int k = 0; !is_chosen(p) && k < type_count(p->type); k++)
    write_element(l, p, c->first + k, values[k]);
}
