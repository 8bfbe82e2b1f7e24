/* Loops: for, ranges, foreach over ranges and over cells. */
#include "gen/front/check.h"

static void check_loop_body(Check *c, Stmt *s)
{
  c->loop_depth++;
  s->body = check_stmt(c, s->body);
  c->loop_depth--;
}

/* At kernel level the variable of its head is one that all tasks in it see. */
void check_for(Check *c, Stmt *s)
{
  scope_open(c->scope);
  if (s->init)
    s->init = check_stmt(c, s->init);
  if (s->init && s->init->kind == STMT_DECLARE)
    s->init->variable->is_of_for = true;
  if (s->a)
    s->a = check_condition(c, s->a);
  if (s->step)
    s->step = check_stmt(c, s->step);
  const int last = c->writes;
  scope_open(c->scope);
  check_loop_body(c, s);
  scope_close(c->scope);
  scope_close(c->scope);
  find_count(c, s, last);
  check_attributes(c, s);
}

/* ---- ranges ---- */

static bool is_range_type(const Type *type)
{
  return type_is_integer(type_element(type)) && !type_is_matrix(type);
}

static bool is_range_bound(Check *c, const Expr *e)
{
  if (e->type && !is_range_type(e->type))
    diag(c->diag, DIAG_RANGE_TYPE, e->loc, e->type->name);
  return e->type && is_range_type(e->type);
}

/* Both ends are scalars or vectors of one length. */
static bool have_one_shape(Check *c, const Range *range)
{
  if (type_same_shape(range->lo->type, range->hi->type))
    return true;
  diag(c->diag, DIAG_RANGE_SHAPES, range->lo->loc, range->lo->type->name,
       range->hi->type->name);
  return false;
}

/* The variable has the type written, or the one that both bounds share. */
static void check_range(Check *c, Range *range)
{
  Variable *v = range->variable;
  range->lo = require_value(c, check_expr(c, range->lo));
  range->hi = require_value(c, check_expr(c, range->hi));
  bool is_good = is_range_bound(c, range->lo);
  is_good = is_range_bound(c, range->hi) && is_good;
  if (v->type && !is_range_type(v->type)) {
    diag(c->diag, DIAG_RANGE_TYPE, v->loc, v->type->name);
    is_good = false;
  }
  is_good = is_good && have_one_shape(c, range);
  Expr **items[] = {&range->lo, &range->hi};
  const Type *type = !is_good ? NULL : v->type ? v->type : unified_type(unify(c, items, 2));
  v->type = type;
  if (!type)
    return;
  range->lo = convert_expr(c, range->lo, type);
  range->hi = convert_expr(c, range->hi, type);
}

/* All bounds are evaluated before any variable is there. */
static void check_ranges(Check *c, Stmt *s)
{
  for (int i = 0; i < s->range_count; i++)
    check_range(c, &s->ranges[i]);
  for (int i = 0; i < s->range_count; i++)
    declare_variable(c, s->ranges[i].variable);
}

void check_for_range(Check *c, Stmt *s)
{
  check_attributes(c, s);
  scope_open(c->scope);
  check_ranges(c, s);
  scope_open(c->scope);
  check_loop_body(c, s);
  scope_close(c->scope);
  scope_close(c->scope);
}

/* ---- foreach over cells ---- */

bool holds_extent(const Type *type, int64_t extent, int64_t origin)
{
  if (!integer_fits(type, TY(I64), (Value){.i = origin}))
    return false;
  if (extent == 0)
    return type->bits >= 32;
  return integer_fits(type, TY(I64), (Value){.i = extent - 1}) &&
         integer_fits(type, TY(I64), (Value){.i = origin + extent - 1});
}

/* An open axis goes from the least i64 to the greatest. */
static bool holds_index(const Type *type, const Place *place, int axis, int64_t origin)
{
  if (!type_is_integer(type))
    return false;
  if (place->snode->open_axes & 1u << axis)
    return type == TY(I64);
  return holds_extent(type, place->snode->total[axis], origin);
}

static void fail_variable_type(Check *c, const Variable *v, const Type *wide, int axis,
                               const char *place)
{
  diag(c->diag, DIAG_LOOP_VARIABLE_TYPE, v->loc, v->type->name, 'i' + axis, place);
  diag(c->diag, DIAG_LOOP_VARIABLE_HINT, v->loc, wide->name, wide->name, v->name);
}

/* In the field's own order, or in that of the axes. */
static void check_loop_variables(Check *c, Stmt *s, const Place *place,
                                 const int *axes)
{
  for (int i = 0; i < s->variable_count; i++) {
    Variable *v = s->variables[i];
    int64_t origin = place->field ? place->field->origin[i] : 0;
    if (!v->type)
      v->type = TY(I32);
    if (holds_index(v->type, place, axes[i], origin))
      continue;
    fail_variable_type(c, v, TY(I64), axes[i], place->name);
    v->type = NULL;
  }
}

static bool has_right_variables(Check *c, const Stmt *s, const Place *place,
                                int axis_count)
{
  if (s->variable_count == axis_count)
    return true;
  diag(c->diag, DIAG_FOREACH_VARIABLES, s->variables[0]->loc, place->name, axis_count,
       axis_count == 1 ? "variable" : "variables", s->variable_count);
  return false;
}

/* Does one variable take the whole index, as a vector? */
static bool takes_whole_index(const Stmt *s, int axis_count)
{
  const Type *type = s->variables[0]->type;
  return s->variable_count == 1 && (type ? type_is_shaped(type) : axis_count > 1);
}

static bool check_whole_index(Check *c, Stmt *s, const Place *place, const int *axes,
                              int axis_count)
{
  Variable *v = s->variables[0];
  if (!v->type)
    v->type = type_vector(TY(I32), axis_count);
  if (!type_is_vector(v->type) || v->type->rows != axis_count) {
    diag(c->diag, DIAG_WHOLE_INDEX, v->loc, place->name, axis_count, v->type->name);
    return false;
  }
  for (int k = 0; k < axis_count; k++) {
    int64_t origin = place->field ? place->field->origin[k] : 0;
    if (holds_index(type_element(v->type), place, axes[k], origin))
      continue;
    fail_variable_type(c, v, type_vector(TY(I64), axis_count), axes[k], place->name);
    return false;
  }
  return true;
}

/* In the order of the loop's indices, which are not declared yet. */
static bool check_box(Check *c, Stmt *s, int axis_count)
{
  const Type *type = axis_count > 1 ? type_vector(TY(I64), axis_count) : TY(I64);
  for (int i = 0; i < s->range_count; i++) {
    Range *box = &s->ranges[i];
    box->lo = check_stored(c, box->lo, type);
    box->hi = check_stored(c, box->hi, type);
    if (!box->lo->type || !box->hi->type)
      return false;
  }
  return true;
}

static bool check_cells(Check *c, Stmt *s)
{
  Place place;
  int axes[MAX_AXES];
  if (s->node->kind != EXPR_NAME && s->node->kind != EXPR_MEMBER) {
    diag(c->diag, DIAG_FOREACH_TARGET, s->node->loc);
    return false;
  }
  if (!find_place(c, s->node, "foreach", &place))
    return false;
  if (place.snode->kind == SNODE_ROOT) {
    diag(c->diag, DIAG_FOREACH_ZERO, s->node->loc, place.name);
    return false;
  }
  int axis_count = node_axes(place.snode, axes);
  const int *order = place.field ? place.field->axes : axes;
  bool is_whole = takes_whole_index(s, axis_count);
  if (is_whole ? !check_whole_index(c, s, &place, order, axis_count)
               : !has_right_variables(c, s, &place, axis_count))
    return false;
  if (!is_whole)
    check_loop_variables(c, s, &place, order);
  if (!check_box(c, s, axis_count))
    return false;
  s->snode = place.snode;
  s->field = place.field;
  if (s->kind == STMT_FOREACH_NODE)
    use_cell_slot(c, &s->tree_slot, &place, s->node->loc);
  else
    use_slot(c, &s->tree_slot, &place, s->node->loc);
  return true;
}

/* Variables of a head with an error are declared, so that the body is checked
 * without more messages about them. */
static void declare_cells(Check *c, Stmt *s, bool is_good)
{
  for (int i = 0; i < s->variable_count; i++) {
    if (!is_good)
      s->variables[i]->type = NULL;
    declare_variable(c, s->variables[i]);
  }
}

/* ---- for over the cells below one ---- */

static bool is_above(const SNode *node, const SNode *below)
{
  for (below = below->parent; below; below = below->parent)
    if (below == node)
      return true;
  return false;
}

/* The tree parameter that a member is of; NULL: the tree itself. */
static const char *instance_of(Check *c, const Expr *e)
{
  while (names_derivative(c, e))
    e = e->a;
  return e->kind == EXPR_MEMBER ? e->a->name : NULL;
}

/* The cell is of the instance that the loop goes over. */
static bool check_under(Check *c, Stmt *s)
{
  const Expr *cell = s->a->args[0];
  s->a = check_value(c, s->a);
  if (!s->a->type)
    return false;
  if (is_above(s->a->snode, s->snode) && !s->a->field &&
      instance_of(c, cell) == instance_of(c, s->node))
    return true;
  diag(c->diag, DIAG_UNDER_NODE, cell->loc, cell->name,
       s->field ? s->field->name : s->snode->name);
  return false;
}

void check_for_under(Check *c, Stmt *s)
{
  check_attributes(c, s);
  bool is_good = check_cells(c, s);
  is_good = is_good && check_under(c, s);
  scope_open(c->scope);
  declare_cells(c, s, is_good);
  scope_open(c->scope);
  check_loop_body(c, s);
  scope_close(c->scope);
  scope_close(c->scope);
}

/* ---- foreach ---- */

static void report_place(Check *c, const Stmt *s)
{
  if (c->foreach)
    diag(c->diag, DIAG_NESTED_FOREACH, s->loc);
  else if (!c->info->function->is_kernel)
    diag(c->diag, DIAG_FOREACH_IN_FUNC, s->loc);
}

static void check_foreach_body(Check *c, Stmt *s)
{
  Stmt *outer = c->foreach;
  SharedUse *outer_shared = c->shared;
  int outer_count = c->shared_count, loops = c->loop_depth;
  c->foreach = s;
  c->shared = NULL;
  c->shared_count = c->loop_depth = 0;
  scope_open(c->scope);
  s->body = check_stmt(c, s->body);
  scope_close(c->scope);
  report_shared(c);
  c->foreach = outer;
  c->shared = outer_shared;
  c->shared_count = outer_count;
  c->loop_depth = loops;
}

void check_foreach(Check *c, Stmt *s)
{
  report_place(c, s);
  check_attributes(c, s);
  scope_open(c->scope);
  if (s->kind == STMT_FOREACH_RANGE)
    check_ranges(c, s);
  else
    declare_cells(c, s, check_cells(c, s));
  check_foreach_body(c, s);
  scope_close(c->scope);
}
