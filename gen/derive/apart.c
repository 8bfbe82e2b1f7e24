/* Whether what is assigned later is another cell than the one that was used before.
 *
 *   x[t + 1, i] = f(x[t, i])     in a loop over t: the turns that follow assign t + 2 and more
 *   x[t + 1, i] = f(x[t, i])     with a parameter t: none assigns t
 *
 * Of two accesses, the loops around both are looked at from the outermost on.  Their cells have to
 * differ where the second access is in a turn that follows, and, in the same turn of all loops,
 * where it stands behind the first.
 */
#include "gen/derive/place.h"

static bool has_same_base(const Place *a, const Place *b)
{
  if (!a->is_known || !b->is_known || a->home != b->home || !a->base != !b->base ||
      a->is_stepped != b->is_stepped)
    return false;
  return !a->base || (a->base->op == b->base->op && a->base->variable == b->base->variable &&
                      a->base->index == b->base->index);
}

/* ---- two accesses ---- */

typedef struct Pair {
  const Place *first, *second;          /* of each index */
  int count;
} Pair;

/* Whether an index is the same in all turns of the loop but for its constant, in which the two
 * differ; with no loop, in the turn in which both are. */
static bool differ_by_constant(const Pair *p, const IrStmt *loop)
{
  for (int k = 0; k < p->count; k++) {
    const Place *a = &p->first[k], *b = &p->second[k];
    const bool is_fixed = !loop || !a->home || (a->home != loop && stands_within(loop, a->home));
    if (has_same_base(a, b) && is_fixed && a->plus != b->plus)
      return true;
  }
  return false;
}

/* Whether an index that the loop counts is past the first access's in each turn that follows: so
 * many steps would take the second one there. */
static bool differ_by_turn(const Pair *p, const IrStmt *loop)
{
  for (int k = 0; k < p->count; k++) {
    const Place *a = &p->first[k], *b = &p->second[k];
    const int64_t ahead = a->plus - b->plus;
    if (has_same_base(a, b) && a->home == loop && a->step != 0 &&
        (ahead % a->step != 0 || ahead / a->step < (a->may_stay ? 0 : 1)))
      return true;
  }
  return false;
}

/* Whether both have the index d of a parallel loop, with one constant. */
static bool have_index(const Pair *p, const IrStmt *loop, int d)
{
  for (int k = 0; k < p->count; k++) {
    const Place *a = &p->first[k], *b = &p->second[k];
    if (has_same_base(a, b) && a->home == loop && a->base->op == IR_loop_index &&
        a->base->index == d && a->plus == b->plus)
      return true;
  }
  return false;
}

static bool differ_by_iteration(const Pair *p, const IrStmt *loop)
{
  for (int d = 0; d < loop->variable_count; d++)
    if (!have_index(p, loop, d))
      return false;
  return true;
}

static bool differ_in_other_turns(const Pair *p, const IrStmt *loop)
{
  return differ_by_constant(p, loop) ||
         (ir_is(loop, IR_FOREACH) ? differ_by_iteration(p, loop) : differ_by_turn(p, loop));
}

bool is_another_cell(const Refusal *f, const IrStmt *used, const IrStmt *later)
{
  Pair p = { .count = used->field->axis_count };

  if (used->field->border != BORDER_NONE)
    return false;
  p.first = places_of(f, used);
  p.second = places_of(f, later);
  for (const IrStmt *loop = loop_around(used); loop; loop = loop_around(loop))
    if (stands_within(later, loop) && !differ_in_other_turns(&p, loop))
      return false;
  return later->id < used->id || differ_by_constant(&p, NULL);
}
