/* Places: what an lvalue names, read and written element by element.
 *
 * A place is elements of a whole: all of it, a member, or one element, side by side; or
 * several components in the order that a swizzle names.
 * Which ones may be known at run time only: then they are chosen by comparisons, but
 * in an array parameter and a local array in memory (memory_array.c), where memory has the index.
 */
#include "gen/lower/scope.h"

#include <stddef.h>
#include <string.h>

/* ---- -Wperf ---- */

/* "v (f32x3)"; of a member its own name. */
static const char *describe(Lowering *l, const Expr *e)
{
  const char *name = e->kind == EXPR_FIELD ? e->field->name
                     : e->kind == EXPR_VARIABLE || e->kind == EXPR_ELEMENT ? e->variable->name
                     : e->kind == EXPR_PART ? e->name
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

void report_choice(Lowering *l, int count, const char *what, Loc loc)
{
  struct Reported *r = l->reported;

  for (int k = 0; k < r->count; k++)
    if (!loc_is_before(r->locs[k], loc) && !loc_is_before(loc, r->locs[k]))
      return;
  vec_push(l->module->arena, r->locs, r->count, loc);
  diag(l->diag, DIAG_RUN_TIME_INDEX, loc, what, count);
}

/* ---- which element ---- */

/* What a member or an element of it, of any depth, is a part of. */
static const Expr *whole_of(const Expr *e)
{
  while (e->kind == EXPR_COMPONENT || e->kind == EXPR_PART)
    e = e->a;
  return e;
}

static bool is_in_memory(const Expr *e)
{
  e = whole_of(e);
  return e->kind == EXPR_ELEMENT && e->variable->kind == VARIABLE_ARRAY;
}

/* 0 <= at < count */
IrStmt *is_within(Lowering *l, IrStmt *at, int64_t count, Loc loc)
{
  IrStmt *above = lower_binary(l, OP_GE, at, emit_int(l, TY(I64), 0, loc), loc);

  return lower_binary(l, OP_AND, above,
                      lower_binary(l, OP_LT, at, emit_int(l, TY(I64), count, loc), loc), loc);
}

/* Two indices of run time as one: with --bounds=zero outside where either is. */
static IrStmt *join_indices(Lowering *l, IrStmt *row, IrStmt *column, const Type *whole, Loc loc)
{
  IrStmt *at = lower_binary(l, OP_MUL, row, emit_int(l, TY(I64), whole->columns, loc), loc), *good;

  at = lower_binary(l, OP_ADD, at, column, loc);
  if (l->options->bounds != IR_BOUNDS_ZERO)
    return at;
  good = is_within(l, column, whole->columns, loc);
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

/* The only choice there is: all elements from the first one on. */
Choice whole_choice(Lowering *l)
{
  Choice c = { .count = 1 };

  c.starts = NEW_ARRAY(l->module->arena, int, 1);
  return c;
}

/* Each of c's becomes `count` of them, which begin at `first` and every `step` behind it. */
static Choice spread(Lowering *l, const Choice *c, int first, int step, int count)
{
  Choice out = { .count = c->count * count, .at = c->at };

  out.starts = NEW_ARRAY(l->module->arena, int, out.count);
  for (int k = 0; k < out.count; k++)
    out.starts[k] = c->starts[k / count] + first + k % count * step;
  return out;
}

/* Which of `count` it is, in each of c's: with --bounds=zero a negative number is none. */
static IrStmt *choose_within(Lowering *l, const Choice *c, IrStmt *at, int count, Loc loc)
{
  IrStmt *good, *all;

  if (!c->at)
    return at;
  all = lower_binary(l, OP_ADD,
                     lower_binary(l, OP_MUL, c->at, emit_int(l, TY(I64), count, loc), loc), at,
                     loc);
  if (l->options->bounds != IR_BOUNDS_ZERO)
    return all;
  good = is_within(l, at, count, loc);
  return emit(l, ir_stmt(l->module, IR_select, TY(I64), loc, good, all,
                         emit_int(l, TY(I64), -1, loc), NULL));
}

Choice lower_choice(Lowering *l, const Choice *among, const Expr *e)
{
  const Type *whole = e->a->type;
  bool is_matrix = e->arg_count > 1;
  Index row = lower_index(l, e, 0, whole->rows), column = { .known = 0 };
  int first, step, count;
  IrStmt *at;
  Choice c;

  if (is_matrix)
    column = lower_index(l, e, 1, whole->columns);
  first = (row.known > 0 ? row.known * whole->columns : 0) +
          (column.known > 0 ? column.known : 0);
  if (row.known >= 0 && column.known >= 0)
    return spread(l, among, first, 1, 1);
  at = checked(l, e, &row, whole->rows);
  step = column.known >= 0 ? whole->columns : 1;
  count = column.known >= 0 ? whole->rows : row.known >= 0 ? whole->columns : type_count(whole);
  if (column.known < 0) {
    IrStmt *in_row = checked(l, e, &column, whole->columns);
    at = row.known < 0 ? join_indices(l, at, in_row, whole, e->loc) : in_row;
  }
  c = spread(l, among, first, step, count);
  c.at = choose_within(l, among, at, count, e->loc);
  if (!is_in_memory(e->a))
    report_choice(l, count, describe(l, e->a), e->loc);
  return c;
}

static IrStmt *emit_is(Lowering *l, IrStmt *at, int k, Loc loc)
{
  return lower_binary(l, OP_EQ, at, emit_int(l, TY(I64), k, loc), loc);
}

/* values: those that there are to choose from. */
static IrStmt *choose(Lowering *l, const Choice *c, IrStmt **values, Loc loc)
{
  bool is_zero = l->options->bounds == IR_BOUNDS_ZERO;
  IrStmt *chosen = is_zero ? emit_int(l, values[0]->type, 0, loc) : values[0];

  for (int k = !is_zero; k < c->count; k++)
    chosen = emit(l, ir_stmt(l->module, IR_select, chosen->type, loc, emit_is(l, c->at, k, loc),
                             values[k], chosen, NULL));
  return chosen;
}

IrStmt **choose_values(Lowering *l, const Choice *c, const Type *type, IrStmt **values, Loc loc)
{
  IrStmt **among = NEW_ARRAY(l->module->arena, IrStmt *, c->count);
  IrStmt **chosen = NEW_ARRAY(l->module->arena, IrStmt *, type_count(type));

  for (int i = 0; i < type_count(type); i++) {
    for (int k = 0; k < c->count; k++)
      among[k] = values[c->starts[k] + i];
    chosen[i] = c->at ? choose(l, c, among, loc) : among[0];
  }
  return chosen;
}

/* ---- what it names ---- */

static Place whole_place(Lowering *l, const Expr *e)
{
  Place p = { .type = e->type, .whole = e->type, .loc = e->loc, .choice = whole_choice(l) };

  if (e->kind == EXPR_FIELD) {
    p.field = lowered_field(l, e->field);
    p.slot = lowered_slot(l, e->tree_slot);
  } else if (e->kind == EXPR_VARIABLE || e->kind == EXPR_ELEMENT) {
    p.variables = bound_variables(l, e->variable);
  } else {
    ICE("line %d: this cannot be assigned to", e->loc.line);
  }
  if (is_in_memory_array(&p)) {
    p.indices[0] = lower_own_number(l, e);
    p.index_count = 1;
  } else if (e->kind == EXPR_ELEMENT && e->variable->kind == VARIABLE_OWN_ARRAY)
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

  if (e->kind != EXPR_COMPONENT && e->kind != EXPR_PART && e->kind != EXPR_SWIZZLE)
    return whole_place(l, e);
  p = lower_place(l, e->a);
  p.type = e->type;
  p.loc = e->loc;
  if (e->kind == EXPR_PART)
    p.choice = spread(l, &p.choice, e->first, 1, 1);
  else if (e->kind == EXPR_COMPONENT)
    p.choice = lower_choice(l, &p.choice, e);
  else
    p.order = swizzle_order(l, e);
  return p;
}

bool is_place(Lowering *l, const Expr *e)
{
  e = whole_of(e);
  if (e->kind == EXPR_VARIABLE)
    return !find_binding(l, e->variable)->value;
  return e->kind == EXPR_FIELD || (e->kind == EXPR_ELEMENT && !e->variable->table);
}

const int *swizzle_order(Lowering *l, const Expr *e)
{
  int *order = NEW_ARRAY(l->module->arena, int, type_count(e->type));

  for (int k = 0; e->name[k]; k++)
    order[k] = (int)(strchr("xyzw", e->name[k]) - "xyzw");
  return order;
}

bool is_array_place(const Place *p)
{
  return p->variables && p->variables[0]->kind == IR_VAR_ARRAY;
}

/* ---- one element ---- */

/* Where element k stands in memory, in elements of its type. */
static int64_t position(const Type *whole, int k)
{
  return type_offset(whole, k) / type_bytes(type_at(whole, k));
}

/* The last index of an array's element; which one of it is known here or not. */
static IrStmt *element_index(Lowering *l, const Place *p, int element)
{
  const Choice *c = &p->choice;
  int64_t first = position(p->whole, element), step;
  IrStmt *begin, *at;

  begin = emit_int(l, TY(I64), first, p->loc);
  if (!c->at)
    return begin;
  step = c->count > 1 ? position(p->whole, c->starts[1]) - first : 1;
  at = lower_binary(l, OP_MUL, c->at, emit_int(l, TY(I64), step, p->loc), p->loc);
  at = lower_binary(l, OP_ADD, begin, at, p->loc);
  if (l->options->bounds != IR_BOUNDS_ZERO)
    return at;
  return emit(l, ir_stmt(l->module, IR_select, TY(I64), p->loc,
                         is_within(l, c->at, c->count, p->loc), at,
                         emit_int(l, TY(I64), -1, p->loc), NULL));
}

IrStmt *access_element(Lowering *l, const Place *p, int element, IrOp op, const Type *type)
{
  IrStmt *index = is_array_place(p) && type_is_aggregate(p->whole) ? element_index(l, p, element)
                                                                   : NULL;
  IrStmt *s = ir_stmt(l->module, op, type, p->loc, NULL);

  if (p->field) {
    s->field = ir_field_element(p->field, element);
    s->slot = p->slot;
  } else {
    s->variable = p->variables[element];
  }
  if (ir_op_info[op].attributes & IR_ATTR_SOURCE)
    s->text = l->said;
  for (int k = 0; k < p->index_count; k++)
    ir_add_operand(l->module, s, p->indices[k]);
  if (index)
    ir_add_operand(l->module, s, index);
  return s;
}

/* Of an array of the program's own the variables are those of all its elements. */
const Type *place_element(const Place *p, int element)
{
  return p->field || is_array_place(p) ? type_at(p->whole, element)
                                       : p->variables[element]->type;
}

IrStmt *read_element(Lowering *l, const Place *p, int element)
{
  const Type *type = place_element(p, element);

  if (p->field)
    return emit(l, access_element(l, p, element, IR_read, type));
  if (is_array_place(p))
    return emit(l, access_element(l, p, element, IR_array_read, type));
  if (is_in_memory_array(p))
    return read_memory_array(l, p, element);
  return emit_get(l, p->variables[element], p->loc);
}

void write_element(Lowering *l, const Place *p, int element, IrStmt *value)
{
  IrStmt *s;

  if (is_in_memory_array(p)) {
    write_memory_array(l, p, element, value);
    return;
  }
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

int place_number(const Place *p, int start, int k)
{
  return start + (p->order ? p->order[k] : k);
}

/* One of those that there are to choose from, all of it. */
static IrStmt **read_start(Lowering *l, const Place *p, int start)
{
  int count = type_count(p->type);
  IrStmt **values = NEW_ARRAY(l->module->arena, IrStmt *, count);

  for (int k = 0; k < count; k++)
    values[k] = read_element(l, p, place_number(p, start, k));
  return values;
}

IrStmt **read_place(Lowering *l, const Place *p)
{
  const Choice *c = &p->choice;
  int count = type_count(p->type);
  Choice side_by_side = { .count = c->count, .at = c->at };
  IrStmt **values;

  if (!is_chosen(p))
    return read_start(l, p, c->starts[0]);
  values = NEW_ARRAY(l->module->arena, IrStmt *, count * c->count);
  side_by_side.starts = NEW_ARRAY(l->module->arena, int, c->count);
  for (int k = 0; k < c->count; k++) {
    IrStmt **read = read_start(l, p, c->starts[k]);
    side_by_side.starts[k] = k * count;
    for (int i = 0; i < count; i++)
      values[k * count + i] = read[i];
  }
  return choose_values(l, &side_by_side, p->type, values, p->loc);
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

static void write_start(Lowering *l, const Place *p, int start, IrStmt **values)
{
  for (int k = 0; k < type_count(p->type); k++)
    write_element(l, p, place_number(p, start, k), values[k]);
}

void write_place(Lowering *l, const Place *p, IrStmt **values)
{
  const Choice *c = &p->choice;

  if (!is_chosen(p)) {
    write_start(l, p, c->starts[0], values);
    return;
  }
  for (int k = 0; k < c->count; k++) {
    IrBlock *outer = open_choice(l, p, k);
    write_start(l, p, c->starts[k], values);
    l->block = outer;
  }
}
