/* Questions about the source that lowering asks before it goes on. */
#include "gen/model/builtins.h"
#include "gen/lower/scope.h"

#include <stddef.h>

/* What the target is a part of. */
static const Expr *whole_of(const Expr *target)
{
  while (target->kind == EXPR_COMPONENT || target->kind == EXPR_PART ||
         target->kind == EXPR_SWIZZLE)
    target = target->a;
  return target;
}

static bool is_part_of(const Expr *target, const Variable *v)
{
  target = whole_of(target);
  return target->kind == EXPR_VARIABLE && target->variable == v;
}

static bool expr_assigns(const Expr *e, const Variable *v)
{
  if (!e)
    return false;
  if (e->kind == EXPR_ATOMIC && is_part_of(e->a, v))
    return true;
  for (int k = 0; k < e->arg_count; k++)
    if (expr_assigns(e->args[k], v))
      return true;
  return expr_assigns(e->a, v) || expr_assigns(e->b, v) ||
         expr_assigns(e->c, v);
}

bool assigns(const Stmt *s, const Variable *v)
{
  if (!s)
    return false;
  if (s->target && is_part_of(s->target, v))
    return true;
  for (int k = 0; k < s->list_count; k++)
    if (assigns(s->list[k], v))
      return true;
  for (int k = 0; k < s->arg_count; k++)
    if (expr_assigns(s->args[k], v))
      return true;
  for (int k = 0; k < s->range_count; k++)
    if (expr_assigns(s->ranges[k].lo, v) || expr_assigns(s->ranges[k].hi, v))
      return true;
  return expr_assigns(s->target, v) || expr_assigns(s->a, v) ||
         assigns(s->init, v) || assigns(s->step, v) || assigns(s->body, v) ||
         assigns(s->other, v);
}

/* ---- what changes a tree ---- */

/* What is read of one: a field, or how long a list is. */
typedef struct Read {
  const Field *field;
  const SNode *list;
  const Variable *below;      /* what stays below that length */
  Map seen;                   /* functions that do not change it, or are looked at */
} Read;

/* Whether it is the cell of that number, in a list, which is there. */
static bool is_cell_below(const Expr *target, Read *read)
{
  const Field *f = target->field;

  for (int k = 0; k < f->axis_count && target->arg_count == f->axis_count; k++)
    if (f->axes[k] == read->list->axes[0].axis)
      return f->origin[k] == 0 && target->args[k]->kind == EXPR_VARIABLE &&
             target->args[k]->variable == read->below;
  return false;
}

/* What is assigned becomes active: a list may grow. */
static bool target_changes(const Expr *target, Read *read)
{
  target = target ? whole_of(target) : NULL;
  if (!target || target->kind != EXPR_FIELD)
    return false;
  return target->field == read->field ||
         (read->list && target->field->snode == read->list && !is_cell_below(target, read));
}

static bool stmt_changes(const Stmt *s, Read *read);

/* In its body, or by an argument that it is to change. */
static bool call_changes(const Expr *call, Read *read)
{
  const Function *f = call->function;

  for (int k = 0, value = 0; k < f->param_count; k++) {
    if (f->params[k]->kind == VARIABLE_TREE)
      continue;
    if (f->params[k]->mode == ARRAY_INOUT && target_changes(call->args[value], read))
      return true;
    value++;
  }
  if (map_get(&read->seen, f))
    return false;
  map_put(&read->seen, f, read);
  return stmt_changes(f->body, read);
}

static bool expr_changes(const Expr *e, Read *read)
{
  if (!e)
    return false;
  if ((e->kind == EXPR_APPEND && e->snode == read->list) ||
      (e->kind == EXPR_ATOMIC && target_changes(e->a, read)) ||
      (e->kind == EXPR_FUNCTION && call_changes(e, read)))
    return true;
  for (int k = 0; k < e->arg_count; k++)
    if (expr_changes(e->args[k], read))
      return true;
  return expr_changes(e->a, read) || expr_changes(e->b, read) || expr_changes(e->c, read);
}

/* Of the values that an array of the program's own begins with. */
static bool initial_changes(const Initial *initial, Read *read)
{
  for (int k = 0; initial && k < initial->value_count; k++)
    if (expr_changes(initial->values[k], read))
      return true;
  return false;
}

/* What is activated has the default, which it is read as before; what is deactivated, again. */
static bool activity_changes(const Stmt *s, Read *read)
{
  const SNode *node = read->list ? read->list : read->field->snode;

  if (s->kind == STMT_ACTIVATE)
    return s->snode == read->list;
  if (s->kind != STMT_DEACTIVATE && s->kind != STMT_DEACTIVATE_ALL)
    return false;
  while (node && node != s->snode)
    node = node->parent;
  return node != NULL;
}

static bool stmt_changes(const Stmt *s, Read *read)
{
  if (!s)
    return false;
  if (activity_changes(s, read) || target_changes(s->target, read) ||
      (s->variable && initial_changes(s->variable->initial, read)))
    return true;
  for (int k = 0; k < s->list_count; k++)
    if (stmt_changes(s->list[k], read))
      return true;
  for (int k = 0; k < s->arg_count; k++)
    if (expr_changes(s->args[k], read))
      return true;
  for (int k = 0; k < s->range_count; k++)
    if (expr_changes(s->ranges[k].lo, read) || expr_changes(s->ranges[k].hi, read))
      return true;
  return expr_changes(s->target, read) || expr_changes(s->a, read) || stmt_changes(s->init, read) ||
         stmt_changes(s->step, read) || stmt_changes(s->body, read) ||
         stmt_changes(s->other, read);
}

bool changes_end(Arena *arena, const Stmt *s, const Expr *e, const Variable *below)
{
  Read read = { .below = below };

  if (!e)
    return false;
  read.field = e->kind == EXPR_FIELD ? e->field : NULL;
  read.list = e->kind == EXPR_LENGTH ? e->snode : NULL;
  map_init(&read.seen, arena);
  if ((read.field || read.list) && stmt_changes(s, &read))
    return true;
  if (e->kind != EXPR_CAST)            /* below the length, not below twice as much */
    below = NULL;
  for (int k = 0; k < e->arg_count; k++)
    if (changes_end(arena, s, e->args[k], below))
      return true;
  return changes_end(arena, s, e->a, below) || changes_end(arena, s, e->b, below) ||
         changes_end(arena, s, e->c, below);
}

static bool any_stmt(const Stmt *s, bool (*is_it)(const Stmt *))
{
  if (!s)
    return false;
  if (is_it(s))
    return true;
  for (int k = 0; k < s->list_count; k++)
    if (any_stmt(s->list[k], is_it))
      return true;
  return any_stmt(s->init, is_it) || any_stmt(s->step, is_it) ||
         any_stmt(s->body, is_it) || any_stmt(s->other, is_it);
}

static bool is_return(const Stmt *s)
{
  return s->kind == STMT_RETURN;
}

static bool is_task(const Stmt *s)
{
  return s->kind == STMT_FOREACH_RANGE || s->kind == STMT_FOREACH_NODE ||
         s->kind == STMT_DEACTIVATE_ALL;
}

/* ---- loops that could be turns in a row ---- */

/* A break or continue of the loop whose body it is; inner loops keep theirs. */
static bool jumps(const Stmt *s)
{
  if (!s)
    return false;
  if (s->kind == STMT_BREAK || s->kind == STMT_CONTINUE)
    return true;
  for (int k = 0; s->kind == STMT_BLOCK && k < s->list_count; k++)
    if (jumps(s->list[k]))
      return true;
  return s->kind == STMT_IF && (jumps(s->body) || jumps(s->other));
}

bool leaves_turn(const Stmt *body)
{
  return jumps(body) || holds_return(body);
}

bool is_choice(const Expr *e)
{
  return e->kind == EXPR_COMPONENT ||
         (e->kind == EXPR_ELEMENT && e->variable->kind == VARIABLE_OWN_ARRAY);
}

static bool expr_indexes(const Expr *e, const Variable *v)
{
  if (!e)
    return false;
  for (int k = 0; k < e->arg_count; k++)
    if (expr_indexes(e->args[k], v) || (is_choice(e) && mentions(e->args[k], v)))
      return true;
  return expr_indexes(e->a, v) || expr_indexes(e->b, v) || expr_indexes(e->c, v);
}

bool indexes_vector(const Stmt *s, const Variable *v)
{
  if (!s)
    return false;
  for (int k = 0; k < s->list_count; k++)
    if (indexes_vector(s->list[k], v))
      return true;
  for (int k = 0; k < s->arg_count; k++)
    if (expr_indexes(s->args[k], v))
      return true;
  return expr_indexes(s->target, v) || expr_indexes(s->a, v) || indexes_vector(s->init, v) ||
         indexes_vector(s->step, v) || indexes_vector(s->body, v) ||
         indexes_vector(s->other, v);
}

/* ---- returns and tasks ---- */

bool holds_return(const Stmt *s)
{
  return any_stmt(s, is_return);
}

bool holds_task(const Stmt *s)
{
  return any_stmt(s, is_task);
}

bool mentions(const Expr *e, const Variable *v)
{
  if (!e)
    return false;
  if (e->kind == EXPR_VARIABLE && e->variable == v)
    return true;
  for (int k = 0; k < e->arg_count; k++)
    if (mentions(e->args[k], v))
      return true;
  return mentions(e->a, v) || mentions(e->b, v) || mentions(e->c, v);
}

bool tests(const Stmt *s, const Variable *v)
{
  if (!s)
    return false;
  if ((s->kind == STMT_WHILE || s->kind == STMT_FOR) && mentions(s->a, v))
    return true;
  for (int k = 0; k < s->list_count; k++)
    if (tests(s->list[k], v))
      return true;
  return tests(s->body, v) || tests(s->other, v);
}

bool is_constant_component(const Expr *e)
{
  for (int k = 0; k < e->arg_count; k++)
    if (e->args[k]->kind != EXPR_LITERAL)
      return false;
  return true;
}

static bool has_inout(const Function *f)
{
  for (int k = 0; k < f->param_count; k++)
    if (f->params[k]->kind == VARIABLE_PARAMETER && f->params[k]->mode == ARRAY_INOUT)
      return true;
  return false;
}

bool is_inlined(const Function *f)
{
  return type_is_aggregate(f->result) || has_inout(f);
}

/* ---- what may be evaluated without need ---- */

enum { TOO_DEAR = 1000, CHEAP = 6 };

static int builtin_cost(int builtin)
{
  switch (builtin) {
  case BUILTIN_abs: case BUILTIN_sign: case BUILTIN_min: case BUILTIN_max:
  case BUILTIN_clamp: case BUILTIN_sqr: case BUILTIN_select: case BUILTIN_fma:
  case BUILTIN_bitcast:
    return 1;
  default:
    return TOO_DEAR;
  }
}

static int operator_cost(const Expr *e)
{
  if (e->kind == EXPR_BUILTIN)
    return builtin_cost(e->builtin);
  if (op_divides(e->op))
    return type_is_float(e->type) ? 2 : TOO_DEAR;
  return 1;
}

static int cost(const Expr *e);

static int cost_of_arguments(const Expr *e, int sum)
{
  for (int k = 0; k < e->arg_count && sum < TOO_DEAR; k++)
    sum += cost(e->args[k]);
  return sum < TOO_DEAR ? sum : TOO_DEAR;
}

static int cost(const Expr *e)
{
  int sum;

  if (!e)
    return 0;
  switch (e->kind) {
  case EXPR_LITERAL:
  case EXPR_VARIABLE:
    return 0;
  case EXPR_COMPONENT:
    return is_constant_component(e) ? cost(e->a) : TOO_DEAR;
  case EXPR_PART: case EXPR_SWIZZLE:
    return cost(e->a);
  case EXPR_CONSTRUCT:
    return e->construct == CONSTRUCT_UNIT ? TOO_DEAR : cost_of_arguments(e, 0);
  case EXPR_UNARY: case EXPR_BINARY: case EXPR_LOGICAL: case EXPR_CONDITIONAL:
  case EXPR_CAST: case EXPR_BUILTIN:
    sum = operator_cost(e) + cost(e->a) + cost(e->b) + cost(e->c);
    return cost_of_arguments(e, sum);
  default:
    return TOO_DEAR;
  }
}

bool is_cheap(const Expr *e)
{
  return cost(e) <= CHEAP;
}
