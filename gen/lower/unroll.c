/* Short serial loops that index vectors, written out turn by turn: an element that is
 * known is a variable, one that is not is a chain of choices.
 *
 * A loop is written out when its bounds are known, it has at most MOST_TURNS turns,
 * loops around that are written out too counted in, nothing leaves a turn early, and
 * one of its variables stands in an index of a vector or a matrix; where [[unroll]] asks
 * for it, without the last one and with MOST_TURNS_ASKED turns.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

enum { MOST_TURNS = 64, MOST_TURNS_ASKED = 1024, MOST_LOOPS = 16 };

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
           find_box(l, s, bounds, box, MOST_TURNS);
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
