/* Whether what is assigned later is another cell than the one that was used before.
 *
 * An index is a *base* and a constant.  A base has one value in each turn of its *home*, a loop, or
 * in the whole kernel:
 *
 *   x[t + 1, i] = f(x[t, i])     in a loop over t: the turns that follow assign t + 2 and more
 *   x[t + 1, i] = f(x[t, i])     with a parameter t: none assigns t
 *
 * Of two accesses, the loops around both are looked at from the outermost on.  Their cells have to
 * differ where the second access is in a turn that follows, and, in the same turn of all loops,
 * where it stands behind the first.  That index arithmetic does not overflow is the language's rule
 * (ir_without_constant).
 */
#include "gen/derive/refuse.h"

/* ---- an index ---- */

typedef struct Place {
  bool is_known;
  const IrStmt *base;         /* a param, a loop's index, the get of a variable; NULL: none */
  const IrStmt *home;         /* NULL: it has one value in the kernel */
  int64_t step;               /* what home adds to it in a turn; 0: unknown */
  bool may_stay;              /* in some turns home adds nothing */
  bool is_stepped;            /* the value is that of behind the step in its turn */
  int64_t plus;
} Place;

static const IrStmt *only_change(const Reverse *r, const IrStmt *whole, const IrVariable *v)
{
  const IrBlock *primal = r->primal;
  const IrStmt *found = NULL;

  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal)) {
    if (!ir_changes(s, IR_OF_LOCAL) || s->variable != v || (whole && !stands_within(s, whole)))
      continue;
    if (found)
      return NULL;
    found = s;
  }
  return found;
}

static const IrStmt *loop_around(const IrStmt *s)
{
  for (IrStmt *at = s->parent->owner; at; at = at->parent->owner)
    if (ir_is(at, IR_LOOPS | IR_FOREACH))
      return at;
  return NULL;
}

static bool is_in_block(const IrStmt *s, const IrBlock *block)
{
  for (; s; s = s->parent->owner)
    if (s->parent == block)
      return true;
  return false;
}

/* What the loop adds to the variable, in one place, once a turn at most.  A step that is large may
 * be one back, of an unsigned variable. */
static void find_step(const Reverse *r, const IrStmt *get, Place *p)
{
  const IrStmt *set = only_change(r, p->home, get->variable);
  Counter c;

  if (!set || loop_around(set) != p->home || !is_step_of(set, &c) ||
      c.step->value.i != (int32_t)c.step->value.i)
    return;
  p->step = c.op == IR_add ? c.step->value.i : -c.step->value.i;
  p->may_stay = set->parent->owner != p->home;
  p->is_stepped = get->id > set->id;
}

/* The innermost loop around the get that changes its variable; NULL: none does. */
static const IrStmt *loop_that_changes(const Reverse *r, const IrStmt *get)
{
  const IrBlock *primal = r->primal;

  for (const IrStmt *loop = loop_around(get); loop; loop = loop_around(loop))
    for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
      if (ir_changes(s, IR_OF_LOCAL) && s->variable == get->variable && stands_within(s, loop))
        return loop;
  return NULL;
}

static Place place_of(const Reverse *r, IrStmt *index);

/* A variable that is set once is what it is set to, where that is done first and what it depends on
 * is in the same turn.  Another one is known where a loop counts it. */
static Place place_of_variable(const Reverse *r, const IrStmt *get)
{
  const IrStmt *only = only_change(r, NULL, get->variable);
  Place p = { .base = get };

  if (only && only->op != IR_update && only->id < get->id && is_in_block(get, only->parent)) {
    p = place_of(r, only->operands[0]);
    p.is_known = p.is_known && (!p.home || stands_within(get, p.home));
    return p;
  }
  p.home = loop_that_changes(r, get);
  if (p.home && p.home->op == IR_while)
    find_step(r, get, &p);
  p.is_known = p.step != 0;
  return p;
}

static Place place_of(const Reverse *r, IrStmt *index)
{
  int64_t plus;
  const IrStmt *base = ir_without_widening(ir_without_constant(index, &plus));
  Place p = { .is_known = true };

  if (is_const(base))
    plus += base->value.i;
  else if (base->op == IR_param)
    p.base = base;
  else if (base->op == IR_get)
    p = place_of_variable(r, base);
  else if (base->op == IR_loop_index) {
    p.base = base;
    p.home = base->operands[0];
    p.step = p.home->op == IR_for_range;
  } else
    p.is_known = false;
  p.plus += plus;
  return p;
}

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

static const Place *places_of(const Refusal *f, const IrStmt *access)
{
  Place **places = &f->places[access->id];

  if (!*places) {
    *places = NEW_ARRAY(f->r->module->arena, Place, access->field->axis_count);
    for (int k = 0; k < access->field->axis_count; k++)
      (*places)[k] = place_of(f->r, access->operands[k]);
  }
  return *places;
}

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
