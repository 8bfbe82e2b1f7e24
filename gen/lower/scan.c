/* Questions about the source that lowering asks before it goes on. */
#include "gen/lower/scope.h"

#include <stddef.h>

/* Whether the target is v or a part of it. */
static bool is_part_of(const Expr *target, const Variable *v)
{
  while (target->kind == EXPR_COMPONENT || target->kind == EXPR_PART ||
         target->kind == EXPR_SWIZZLE)
    target = target->a;
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

/* Whether its arguments say which of several variables is meant. */
static bool is_choice(const Expr *e)
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
