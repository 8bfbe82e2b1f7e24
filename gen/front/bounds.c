/* -Wbounds: indices that are constants outside the extents, and loops over constant ranges that
 * run beyond them.
 *
 * Needs a function that was checked without errors.  What is said of a loop is certain: the access
 * stands in every turn, and the range has turns.  What costs a question is left alone: where
 * `outside` or --bounds=zero give such indices a meaning, is_active(), and cells that may be
 * inactive, which a loop then leaves out.
 */
#include "gen/front/check.h"
#include "gen/model/interval.h"

typedef struct Known {         /* a loop's variable */
  const Variable *variable;
  Interval *elements;          /* one, or of a vector one for each: both ends are taken */
  int conditions;              /* around what stands in every turn */
} Known;

typedef struct Bounds {
  Check *check;
  Known *known;  int known_count;
  int conditions;              /* around what is looked at */
} Bounds;

static void look_at_expr(Bounds *b, const Expr *e);
static void look_at_stmt(Bounds *b, const Stmt *s);

/* ---- what an index is ---- */

/* Of the element of a loop's variable; false: not known, or not in every turn. */
static bool interval_of_variable(const Bounds *b, const Variable *v, int element, Interval *out)
{
  for (int k = b->known_count - 1; k >= 0; k--)
    if (b->known[k].variable == v) {
      *out = b->known[k].elements[element];
      return b->known[k].conditions == b->conditions;
    }
  return false;
}

/* One side is a constant: so both ends are taken. */
static bool interval_of_binary(const Type *type, Op op, Interval a, Interval b, Interval *out)
{
  return (a.lo == a.hi || b.lo == b.hi) && interval_of_operator(op, a, b, out) &&
         interval_is_inside(*out, interval_of_type(type));
}

/* Of element k of an integer, or of a vector of them; false: it is not known. */
static bool interval_of(const Bounds *b, const Expr *e, int k, Interval *out)
{
  Interval left, right;
  if (!type_is_shaped(e->type))
    k = 0;
  switch (e->kind) {
  case EXPR_LITERAL:
    *out = (Interval){e->value.i, e->value.i};
    return e->type != TY(U64) || e->value.i >= 0;
  case EXPR_VARIABLE:
    return interval_of_variable(b, e->variable, k, out);
  case EXPR_COMPONENT:
    return e->arg_count == 1 && is_literal(e->args[0]) &&
           interval_of(b, e->a, (int)e->args[0]->value.i, out);
  case EXPR_CONSTRUCT:
    if (e->construct == CONSTRUCT_EACH)
      return interval_of(b, e->args[0], 0, out);
    return e->construct == CONSTRUCT_LIST && e->arg_count == type_count(e->type) &&
           interval_of(b, e->args[k], 0, out);
  case EXPR_CAST:
    return type_is_integer(type_element(e->a->type)) && interval_of(b, e->a, k, out) &&
           interval_is_inside(*out, interval_of_type(type_element(e->type)));
  case EXPR_BINARY:                    /* a product of matrices is not one of their elements */
    return e->op != OP_PRODUCT && interval_of(b, e->a, k, &left) &&
           interval_of(b, e->b, k, &right) &&
           interval_of_binary(type_element(e->type), e->op, left, right, out);
  default:
    return false;
  }
}

/* ---- indices against extents ---- */

static void check_element(Bounds *b, const Expr *index, int k, const char *name, int64_t origin,
                          int64_t total)
{
  Interval at;
  char extents[64];
  if (!interval_of(b, index, k, &at))
    return;
  if (at.lo >= origin && (total == 0 || at.hi <= origin + (total - 1)))
    return;
  if (total == 0)
    snprintf(extents, sizeof extents, "%lld on", (long long)origin);
  else
    snprintf(extents, sizeof extents, "%lld to %lld", (long long)origin,
             (long long)(origin + total - 1));
  if (at.lo == at.hi)
    diag(b->check->diag, DIAG_INDEX_OUTSIDE, index->loc, (long long)at.lo, name, extents);
  else
    diag(b->check->diag, DIAG_RANGE_OUTSIDE, index->loc, (long long)at.lo, (long long)at.hi, name,
         extents);
}

typedef struct Extents {       /* of what is indexed, in the order of the indices */
  const char *name;
  int64_t origin[MAX_AXES], total[MAX_AXES];   /* total 0: known at run time only */
  bool is_open[MAX_AXES];                      /* an index outside means something */
  int count;
} Extents;

static void check_all(Bounds *b, Expr *const *args, int arg_count, const Extents *x)
{
  int given = 0;
  for (int i = 0; i < arg_count; i++)
    for (int k = 0; k < type_count(args[i]->type) && given < x->count; k++, given++)
      if (!x->is_open[given])
        check_element(b, args[i], k, x->name, x->origin[given], x->total[given]);
}

/* Of a field's cells, as its indices go, or of a node's; without the axis that a container
 * of a dynamic node is not found by. */
static Extents extents_of(const SNode *node, const Field *field, int left_out)
{
  Extents x = {.name = field ? field->name : node->name};
  int axes[MAX_AXES], count = node_axes(node, axes);
  for (int k = 0; k < count; k++) {
    int axis = field ? field->axes[k] : axes[k];
    if (axis == left_out)
      continue;
    x.is_open[x.count] = node->open_axes >> axis & 1 || (field && field->border != BORDER_NONE);
    x.origin[x.count] = field ? field->origin[k] : 0;
    x.total[x.count++] = node->total[axis];
  }
  return x;
}

static void check_node(Bounds *b, const SNode *node, const Field *field, bool is_container,
                       Expr *const *args, int arg_count)
{
  bool leaves_out = is_container && kind_is(node->kind, KIND_LIST);
  const Extents x = extents_of(node, field, leaves_out ? node->axes[0].axis : -1);
  check_all(b, args, arg_count, &x);
}

static void check_element_of(Bounds *b, const Expr *e)
{
  const Variable *v = e->variable;
  Extents x = {.name = v->name, .count = v->extent_count};
  for (int k = 0; k < v->extent_count && k < MAX_AXES; k++)
    x.total[k] = v->kind == VARIABLE_OWN_ARRAY ? v->sizes[k]
                 : is_literal(v->extents[k])   ? v->extents[k]->value.i : 0;
  check_all(b, e->args, e->arg_count, &x);
}

static void check_component_of(Bounds *b, const Expr *e)
{
  const Type *type = e->a->type;
  Extents x = {.name = type->name, .total = {type->rows, type->columns}, .count = e->arg_count};
  check_all(b, e->args, e->arg_count, &x);
}

/* ---- expressions ---- */

static void look_at_branch(Bounds *b, const Expr *e)
{
  b->conditions++;
  look_at_expr(b, e);
  b->conditions--;
}

/* The one that is known is looked at as if it stood alone. */
static void look_at_choice(Bounds *b, const Expr *e)
{
  look_at_expr(b, e->a);
  if (is_literal(e->a)) {
    look_at_expr(b, e->a->value.i ? e->b : e->c);
    return;
  }
  look_at_branch(b, e->b);
  look_at_branch(b, e->c);
}

static void look_at_logical(Bounds *b, const Expr *e)
{
  bool goes_on = e->op == OP_LOGICAL_AND;
  look_at_expr(b, e->a);
  if (is_literal(e->a) && (bool)e->a->value.i != goes_on)
    return;
  look_at_branch(b, e->b);
}

static void look_at_access(Bounds *b, const Expr *e)
{
  switch (e->kind) {
  case EXPR_FIELD:     check_node(b, e->snode, e->field, false, e->args, e->arg_count); break;
  case EXPR_APPEND:
  case EXPR_LENGTH:    check_node(b, e->snode, e->field, true, e->args, e->arg_count); break;
  case EXPR_ELEMENT:   check_element_of(b, e); break;
  case EXPR_COMPONENT: check_component_of(b, e); break;
  default: break;
  }
}

static void look_at_expr(Bounds *b, const Expr *e)
{
  if (!e)
    return;
  if (e->kind == EXPR_CONDITIONAL) {
    look_at_choice(b, e);
    return;
  }
  if (e->kind == EXPR_LOGICAL) {
    look_at_logical(b, e);
    return;
  }
  look_at_access(b, e);
  look_at_expr(b, e->a);
  look_at_expr(b, e->b);
  look_at_expr(b, e->c);
  for (int i = 0; i < e->arg_count; i++)
    look_at_expr(b, e->args[i]);
}

/* ---- loops ---- */

static bool leaves_turn(const Stmt *s)
{
  if (!s)
    return false;
  if (s->kind == STMT_BREAK || s->kind == STMT_CONTINUE || s->kind == STMT_RETURN)
    return true;
  for (int i = 0; i < s->list_count; i++)
    if (leaves_turn(s->list[i]))
      return true;
  return leaves_turn(s->body) || leaves_turn(s->other);
}

static void add_known(Bounds *b, const Variable *v, Interval *elements)
{
  Known known = {v, elements, b->conditions};
  vec_push(b->check->arena, b->known, b->known_count, known);
}

/* False: it is not known, or it may have no turn. */
static bool know_range(Bounds *b, const Range *range)
{
  Arena *arena = b->check->arena;
  const Type *type = range->variable->type;
  int count = type_count(type);
  Value *lo = NEW_ARRAY(arena, Value, count), *hi = NEW_ARRAY(arena, Value, count);
  Interval *elements = NEW_ARRAY(arena, Interval, count);
  if (type_element(type) == TY(U64) || !constant_elements(b->check, range->lo, lo) ||
      !constant_elements(b->check, range->hi, hi))
    return false;
  for (int k = 0; k < count; k++) {
    if (lo[k].i >= hi[k].i)
      return false;
    elements[k] = (Interval){lo[k].i, hi[k].i - 1};
  }
  add_known(b, range->variable, elements);
  return true;
}

static bool know_ranges(Bounds *b, const Stmt *s)
{
  for (int i = 0; i < s->range_count; i++)
    if (!know_range(b, &s->ranges[i]))
      return false;
  return true;
}

/* Of a loop over all cells that there are, as many as is known. */
static bool know_cells(Bounds *b, const Stmt *s)
{
  const Extents x = extents_of(s->snode, s->field, -1);
  Interval *all = NEW_ARRAY(b->check->arena, Interval, x.count);
  for (const SNode *n = s->snode; n->parent; n = n->parent)
    if (!kind_is(n->kind, KIND_DENSE))
      return false;
  if (s->kind != STMT_FOREACH_NODE || s->range_count > 0)
    return false;
  for (int k = 0; k < x.count; k++) {
    if (x.total[k] == 0)
      return false;
    all[k] = (Interval){x.origin[k], x.origin[k] + x.total[k] - 1};
  }
  for (int k = 0; k < s->variable_count; k++)
    add_known(b, s->variables[k], &all[k]);
  return true;
}

static void look_at_loop(Bounds *b, const Stmt *s)
{
  int before = b->known_count, conditions = b->conditions;
  bool has_cells = s->kind == STMT_FOREACH_NODE || s->kind == STMT_FOR_UNDER;
  for (int i = 0; i < s->range_count; i++) {
    look_at_expr(b, s->ranges[i].lo);
    look_at_expr(b, s->ranges[i].hi);
  }
  bool is_known = !leaves_turn(s->body) && (has_cells ? know_cells(b, s) : know_ranges(b, s));
  b->conditions += !is_known;
  look_at_stmt(b, s->body);
  b->known_count = before;
  b->conditions = conditions;
}

/* ---- statements ---- */

static void look_at_part(Bounds *b, const Stmt *s)
{
  b->conditions++;
  look_at_stmt(b, s);
  b->conditions--;
}

static void look_at_if(Bounds *b, const Stmt *s)
{
  look_at_expr(b, s->a);
  if (!is_literal(s->a) || s->a->value.i)
    look_at_part(b, s->body);
  if (!is_literal(s->a) || !s->a->value.i)
    look_at_part(b, s->other);
}

/* Of a while, or of a for as C has it. */
static void look_at_turns(Bounds *b, const Stmt *s)
{
  if (s->range_count > 0) {
    look_at_loop(b, s);
    return;
  }
  look_at_stmt(b, s->init);
  look_at_expr(b, s->a);
  look_at_part(b, s->body);
  look_at_part(b, s->step);
}

static void look_at_node_statement(Bounds *b, const Stmt *s)
{
  bool is_of_cells = s->kind == STMT_ACTIVATE || s->kind == STMT_DEACTIVATE;
  if (is_of_cells)
    check_node(b, s->snode, s->field, s->kind == STMT_DEACTIVATE, s->args, s->arg_count);
}

static void look_at_stmt(Bounds *b, const Stmt *s)
{
  if (!s)
    return;
  switch (s->kind) {
  case STMT_IF:
    look_at_if(b, s);
    return;
  case STMT_FOR_RANGE: case STMT_FOREACH_RANGE: case STMT_FOREACH_NODE: case STMT_FOR_UNDER:
    look_at_loop(b, s);
    return;
  case STMT_WHILE: case STMT_FOR:
    look_at_turns(b, s);
    return;
  default:
    break;
  }
  look_at_node_statement(b, s);
  look_at_expr(b, s->target);
  look_at_expr(b, s->a);
  for (int i = 0; i < s->arg_count; i++)
    look_at_expr(b, s->args[i]);
  for (int i = 0; i < s->list_count; i++)
    look_at_stmt(b, s->list[i]);
}

void report_bounds(Check *c, const FunctionInfo *info)
{
  Bounds b = {.check = c};
  if (!c->program->has_zero_bounds)
    look_at_stmt(&b, info->function->body);
}
