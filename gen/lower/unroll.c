/* Short serial loops that index vectors, written out turn by turn: an element that is
 * known is a variable, one that is not is a chain of choices.
 *
 * A loop is written out when its bounds are known, it has at most MOST_TURNS turns,
 * loops around that are written out too counted in, nothing leaves a turn early, and
 * one of its variables stands in an index of a vector or a matrix; where [[unroll]] asks
 * for it, without the last one and with MOST_TURNS_ASKED turns.  An element that is chosen at run
 * time is a comparison with each that there is: where all turns would have more than MOST_CHOICES
 * the loop is left, since C compilers take minutes for what it would grow to.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

enum { MOST_TURNS = 64, MOST_TURNS_ASKED = 1024, MOST_LOOPS = 16, MOST_CHOICES = 2048 };

/* ---- the box ---- */

/* One number of each loop: a range over vectors is a loop for each element. */
typedef struct Box {
  int64_t lo[MOST_LOOPS], hi[MOST_LOOPS], at[MOST_LOOPS];
  int loops;
  int64_t turns;
} Box;

/* False when a bound is not known, or there are too many turns. */
static bool find_box(const Lowering *l, const Stmt *s, IrStmt ***bounds, Box *box, int most)
{
  *box = (Box){ .turns = 1 };
  for (int k = 0; k < s->range_count; k++)
    for (int i = 0; i < type_count(s->ranges[k].variable->type); i++) {
      int n = box->loops++;
      if (n == MOST_LOOPS || !bounds[2 * k] || !bounds[2 * k + 1] ||
          !known_value(bounds[2 * k][i], &box->lo[n]) ||
          !known_value(bounds[2 * k + 1][i], &box->hi[n]))
        return false;
      if (box->hi[n] <= box->lo[n])
        box->hi[n] = box->lo[n];
      if ((uint64_t)box->hi[n] - (uint64_t)box->lo[n] > (uint64_t)most)
        return false;
      box->at[n] = box->lo[n];
      box->turns *= box->hi[n] - box->lo[n];
      if (box->turns * l->turns > most)
        return false;
    }
  return true;
}

/* The next turn, the last loop fastest; false behind the last one. */
static bool advance(Box *box)
{
  for (int n = box->loops - 1; n >= 0; n--) {
    if (++box->at[n] < box->hi[n])
      return true;
    box->at[n] = box->lo[n];
  }
  return false;
}

/* ---- what a turn chooses ---- */

/* A loop inside, which has no value yet, may be written out itself; other locals are variables. */
static bool is_known_variable(const Lowering *l, const Variable *v)
{
  int64_t value;

  for (int k = l->binding_count - 1; k >= 0; k--)
    if (l->bindings[k].from == v)
      return l->bindings[k].value && known_value(l->bindings[k].value, &value);
  return v->kind == VARIABLE_LOOP;
}

/* Whether an index may be known where it is lowered. */
static bool may_be_known(const Lowering *l, const Expr *e)
{
  if (!e)
    return true;
  switch (e->kind) {
  case EXPR_VARIABLE:
    return is_known_variable(l, e->variable);
  case EXPR_FUNCTION: case EXPR_FIELD: case EXPR_IS_ACTIVE: case EXPR_APPEND: case EXPR_LENGTH:
  case EXPR_RANDOM: case EXPR_ATOMIC:
    return false;
  default:
    break;
  }
  for (int k = 0; k < e->arg_count; k++)
    if (!may_be_known(l, e->args[k]))
      return false;
  return may_be_known(l, e->a) && may_be_known(l, e->b) && may_be_known(l, e->c);
}

/* An element in memory is compared with none. */
static bool is_found(const Lowering *l, const Expr *e)
{
  return e->kind == EXPR_ELEMENT &&
         (is_long_table(e->variable) || is_memory_array(l, e->variable));
}

static int64_t choices_in(const Lowering *l, const Expr *e)
{
  int64_t choices = 0;
  bool is_known = true;

  if (!e)
    return 0;
  for (int k = 0; k < e->arg_count; k++) {
    choices += choices_in(l, e->args[k]);
    is_known = is_known && may_be_known(l, e->args[k]);
  }
  if (is_choice(e) && !is_known && !is_found(l, e))
    choices += e->kind == EXPR_ELEMENT ? e->variable->element_count : type_count(e->a->type);
  return choices + choices_in(l, e->a) + choices_in(l, e->b) + choices_in(l, e->c);
}

/* With how many elements its indices are compared that are known at run time only, about. */
static int64_t choices_of(const Lowering *l, const Stmt *s)
{
  int64_t choices = 0;

  if (!s)
    return 0;
  for (int k = 0; k < s->list_count; k++)
    choices += choices_of(l, s->list[k]);
  for (int k = 0; k < s->arg_count; k++)
    choices += choices_in(l, s->args[k]);
  choices += choices_in(l, s->target) + choices_in(l, s->a);
  return choices + choices_of(l, s->init) + choices_of(l, s->step) + choices_of(l, s->body) +
         choices_of(l, s->other);
}

/* ---- the turns ---- */

static void bind_turn(Lowering *l, const Stmt *s, const Box *box)
{
  int n = 0;

  for (int k = 0; k < s->range_count; k++) {
    const Variable *v = s->ranges[k].variable;
    IrStmt **values = NEW_ARRAY(l->module->arena, IrStmt *, type_count(v->type));
    for (int i = 0; i < type_count(v->type); i++)
      values[i] = emit_int(l, type_element(v->type), box->at[n++], s->loc);
    bind_values(l, v, values);
  }
}

static bool indexes_any(const Stmt *s)
{
  for (int k = 0; k < s->range_count; k++)
    if (indexes_vector(s->body, s->ranges[k].variable))
      return true;
  return false;
}

/* Why [[unroll]] cannot be followed; NULL: it can. */
static const char *why_not(const Lowering *l, const Stmt *s, IrStmt ***bounds, Box *box)
{
  if (holds_task(s->body))
    return "a task stands in it";
  if (leaves_turn(s->body))
    return "break, continue or return leaves a turn";
  if (!find_box(l, s, bounds, box, MOST_TURNS_ASKED))
    return "its bounds are not constant, or its turns, with loops around it, are more than 1024";
  return NULL;
}

/* Whether the turns do not grow to too many choices. */
static bool is_small(const Lowering *l, const Stmt *s, const Box *box)
{
  const int64_t choices = box->turns * l->turns * choices_of(l, s->body);

  if (choices > MOST_CHOICES)
    diag(l->diag, DIAG_TOO_MANY_CHOICES, s->loc, (int)(box->turns * l->turns), (long long)choices,
         MOST_CHOICES);
  return choices <= MOST_CHOICES;
}

/* What is staged is found at constant offsets. */
static bool in_cached(const Lowering *l)
{
  return l->in_foreach && l->foreach->manner.cached_count > 0;
}

static bool is_unrolled(const Lowering *l, const Stmt *s, IrStmt ***bounds, Box *box)
{
  const char *why;

  if (!s->manner.is_unrolled)
    return !holds_task(s->body) && !leaves_turn(s->body) && (indexes_any(s) || in_cached(l)) &&
           find_box(l, s, bounds, box, MOST_TURNS) && is_small(l, s, box);
  why = why_not(l, s, bounds, box);
  if (why)
    diag(l->diag, DIAG_UNROLL_LOOP, s->loc, why);
  return !why;
}

bool lower_unrolled(Lowering *l, const Stmt *s, IrStmt ***bounds)
{
  int turns = l->turns;
  Box box;

  if (!is_unrolled(l, s, bounds, &box))
    return false;
  if (box.turns == 0)
    return true;
  l->turns *= (int)box.turns;
  do {
    bind_turn(l, s, &box);
    lower_body(l, s->body);
  } while (advance(&box));
  l->turns = turns;
  return true;
}
