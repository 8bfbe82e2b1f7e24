/* A C loop that counts: in for (i32 k = a; k < b; k++) nothing else assigns k, and nothing in the
 * body what b is made of.  It does what a loop over the range a .. b does, which is its only range.
 *
 * Whether the fields and lengths that b reads are changed in the body is asked when it is lowered:
 * by then it is known what the functions do that it calls.
 */
#include "gen/front/check.h"
#include "gen/model/interval.h"

/* Whether e is the same in every turn: it is not made of the counting variable, nor of one that is
 * assigned behind the write that was the `last` before the body. */
static bool is_steady(const Expr *e, const Variable *counting, int last)
{
  switch (e->kind) {
  case EXPR_LITERAL:
    return true;
  case EXPR_VARIABLE:
    return e->variable != counting && e->variable->last_write <= last;
  case EXPR_FIELD:
    if (e->field->mode == FIELD_MODE_virtual)
      return false;
    break;
  case EXPR_LENGTH: case EXPR_UNARY: case EXPR_BINARY: case EXPR_CAST:
  case EXPR_COMPONENT: case EXPR_PART: case EXPR_SWIZZLE:
    break;
  default:
    return false;
  }
  for (int i = 0; i < e->arg_count; i++)
    if (!is_steady(e->args[i], counting, last))
      return false;
  return (!e->a || is_steady(e->a, counting, last)) && (!e->b || is_steady(e->b, counting, last));
}

static bool is_variable(const Expr *e, const Variable *v)
{
  return e && e->kind == EXPR_VARIABLE && e->variable == v;
}

/* The variable that the head declares, begins and steps by 1; NULL: there is none. */
static Variable *counting_variable(const Stmt *s)
{
  Variable *v = s->init && s->init->kind == STMT_DECLARE ? s->init->variable : NULL;
  const Stmt *step = s->step;
  if (!v || !s->init->a || !s->init->a->type || !type_is_integer(v->type))
    return NULL;
  if (!step || step->kind != STMT_ASSIGN || step->op != OP_ADD || !is_variable(step->target, v))
    return NULL;
  return step->a->type && is_literal(step->a) && step->a->value.i == 1 ? v : NULL;
}

/* What the variable stays below: b of v < b, b + 1 of v <= b where b is known; else NULL. */
static Expr *end_of(Check *c, const Expr *test, const Variable *v)
{
  if (!test || !test->type || test->kind != EXPR_BINARY || !is_variable(test->a, v))
    return NULL;
  if (test->op == OP_LT)
    return test->b;
  if (test->op != OP_LE || !is_literal(test->b) || v->type == TY(U64) ||
      test->b->value.i == interval_of_type(v->type).hi)
    return NULL;
  Expr *end = NEW(c->arena, Expr);
  *end = *test->b;
  end->value.i++;
  return end;
}

void find_count(Check *c, Stmt *s, int last)
{
  Variable *v = counting_variable(s);
  Expr *end = v ? end_of(c, s->a, v) : NULL;
  if (!end || v->last_write > last || !is_steady(end, v, last))
    return;
  Range range = {.variable = v, .lo = s->init->a, .hi = end};
  v->kind = VARIABLE_LOOP;
  vec_push(c->arena, s->ranges, s->range_count, range);
}
