/* Sets of cells of a field, as far as indices say which: boxes, each index of which is an
 * interval of known ends, or one value that the program computes (a loop's index, mostly).
 *
 * What is not known to be in a set is not in it: each answer "yes" holds in every run.
 *
 * Needs: the module as written, declarations noted (note_declarations).
 */
#include "gen/passes/assigned.h"

enum { DEEPEST = 8,                      /* operands of operands that are compared */
       MOST_BOXES = 1000,                /* of a set that are looked at */
       MOST_PIECES = 1000 };             /* that a box is cut into */

/* ---- indices ---- */

/* Of index k; where the extent is given at creation: as far as there are cells. */
static int64_t end_of(const IrField *f, int k)
{
  const int64_t total = f->snode->total[f->axes[k]];

  return total > 0 ? total : INT64_MAX;
}

/* a - b, or the end of the type's range that it lies beyond. */
static int64_t minus(int64_t a, int64_t b)
{
  if (b < 0 && a > INT64_MAX + b)
    return INT64_MAX;
  if (b > 0 && a < INT64_MIN + b)
    return INT64_MIN;
  return a - b;
}

/* The cells that an index may mean, of those inside the extents. */
static Span reach_of(const IrField *f, int k, const IrStmt *index)
{
  Span s = { .lo = 0, .hi = end_of(f, k) };
  IrRange r;

  if (!ir_range(index, &r))
    return s;
  r.lo = minus(r.lo, f->origin[k]);
  r.hi = minus(r.hi, f->origin[k]);
  s.lo = r.lo > 0 ? r.lo : 0;
  s.hi = r.hi < s.hi ? minus(r.hi, -1) : s.hi;
  return s;
}

static const IrStmt *value_of(const IrStmt *index, int64_t *plus)
{
  return ir_without_casts(ir_without_constant((IrStmt *)(uintptr_t)index, plus));
}

static Span span_of(const IrField *f, int k, const IrStmt *index)
{
  Span s = { 0 };

  s.value = value_of(index, &s.plus);
  if (!is_const(s.value))
    return s;
  s.lo = minus(s.value->value.i, -minus(s.plus, f->origin[k]));
  s.hi = minus(s.lo, -1);
  s.value = NULL;
  return s;
}

static bool has_same_attributes(const IrStmt *a, const IrStmt *b)
{
  return a->op == b->op && a->type == b->type && a->operand_count == b->operand_count &&
         a->variable == b->variable && a->field == b->field && a->snode == b->snode &&
         a->slot == b->slot && a->builtin == b->builtin && a->index == b->index &&
         (a->op != IR_const || (type_is_integer(a->type) && a->value.i == b->value.i));
}

/* Both are the same number wherever both are known. */
static bool is_same_value(const IrStmt *a, const IrStmt *b, int depth)
{
  a = ir_without_casts(a);
  b = ir_without_casts(b);
  if (a == b)
    return true;
  if (depth > DEEPEST || !is_pure(a) || !has_same_attributes(a, b))
    return false;
  for (int k = 0; k < a->operand_count; k++)
    if (!is_same_value(a->operands[k], b->operands[k], depth + 1))
      return false;
  return true;
}

/* ---- boxes ---- */

static Span *new_spans(Arena *arena, const IrField *f)
{
  return NEW_ARRAY(arena, Span, f->axis_count + 1);
}

static const Cells *add_box(Arena *arena, const Cells *to, Span *spans)
{
  Cells *c = NEW(arena, Cells);

  c->before = to;
  c->depth = to ? to->depth + 1 : 1;
  c->spans = spans;
  return c;
}

static bool is_inside(const Span *s, const Span *of)
{
  if (of->value)
    return s->value && s->plus == of->plus && is_same_value(s->value, of->value, 0);
  return !s->value && s->lo >= of->lo && s->hi <= of->hi;
}

static bool is_box_inside(const Span *box, const Span *of, int count)
{
  for (int k = 0; k < count; k++)
    if (!is_inside(&box[k], &of[k]))
      return false;
  return true;
}

/* Only intervals, and none of them empty. */
static bool meets(const Span *box, const Span *other, int count)
{
  for (int k = 0; k < count; k++)
    if (other[k].value || other[k].hi <= box[k].lo || other[k].lo >= box[k].hi)
      return false;
  return true;
}

static bool have_box(const Cells *c, const Span *box, int count, int *pieces);

/* What of a box of intervals lies beside the list's first one is in the others. */
static bool have_rest(const Cells *c, const Span *box, int count, int *pieces)
{
  Span rest[MAX_AXES], piece[MAX_AXES];

  for (int k = 0; k < count; k++)
    rest[k] = piece[k] = box[k];
  for (int k = 0; k < count; k++) {
    const Span *cut = &c->spans[k];
    if (rest[k].lo < cut->lo) {
      piece[k].hi = cut->lo;
      if (!have_box(c->before, piece, count, pieces))
        return false;
    }
    piece[k] = rest[k];
    if (rest[k].hi > cut->hi) {
      piece[k].lo = cut->hi;
      if (!have_box(c->before, piece, count, pieces))
        return false;
    }
    rest[k].lo = rest[k].lo > cut->lo ? rest[k].lo : cut->lo;
    rest[k].hi = rest[k].hi < cut->hi ? rest[k].hi : cut->hi;
    piece[k] = rest[k];
  }
  return true;
}

/* Of a box of intervals, none of them empty. */
static bool have_box(const Cells *c, const Span *box, int count, int *pieces)
{
  if (++*pieces > MOST_PIECES)
    return false;
  for (int looked = 0; c && looked < MOST_BOXES; c = c->before, looked++)
    if (meets(box, c->spans, count))
      return have_rest(c, box, count, pieces);
  return false;
}

static bool have_intervals(const Cells *c, const Span *box, int count)
{
  int pieces = 0;

  for (int k = 0; k < count; k++)
    if (box[k].value)
      return false;
  for (int k = 0; k < count; k++)
    if (box[k].lo >= box[k].hi)
      return true;
  return have_box(c, box, count, &pieces);
}

/* ---- questions ---- */

bool cells_are_all(const Cells *c, const IrField *f)
{
  Span box[MAX_AXES];

  for (int k = 0; k < f->axis_count; k++)
    box[k] = (Span){ .lo = 0, .hi = end_of(f, k) };
  return have_intervals(c, box, f->axis_count);
}

/* Each cell of the access is the box's, by its value or by where it can be. */
static bool has_box_access(const Cells *c, const Span *exact, const Span *reach, int count)
{
  for (int k = 0; k < count; k++)
    if (!is_inside(&exact[k], &c->spans[k]) && !is_inside(&reach[k], &c->spans[k]))
      return false;
  return true;
}

bool cells_have_access(const Cells *c, const IrStmt *access)
{
  const IrField *f = access->field;
  Span exact[MAX_AXES], reach[MAX_AXES];
  const Cells *at = c;

  for (int k = 0; k < f->axis_count; k++) {
    exact[k] = span_of(f, k, access->operands[k]);
    reach[k] = reach_of(f, k, access->operands[k]);
  }
  for (int looked = 0; at && looked < MOST_BOXES; at = at->before, looked++)
    if (has_box_access(at, exact, reach, f->axis_count))
      return true;
  return have_intervals(c, reach, f->axis_count);
}

/* ---- sets made of sets ---- */

const Cells *cells_with_access(Arena *arena, const Cells *to, const IrStmt *access)
{
  Span *spans = new_spans(arena, access->field);

  for (int k = 0; k < access->field->axis_count; k++)
    spans[k] = span_of(access->field, k, access->operands[k]);
  return add_box(arena, to, spans);
}

const Cells *cells_all(Arena *arena, const IrField *f)
{
  Span *spans = new_spans(arena, f);

  for (int k = 0; k < f->axis_count; k++)
    spans[k].hi = end_of(f, k);
  return add_box(arena, NULL, spans);
}

static bool have_spans(const Cells *c, const Span *box, int count)
{
  const Cells *at = c;

  for (int looked = 0; at && looked < MOST_BOXES; at = at->before, looked++)
    if (is_box_inside(box, at->spans, count))
      return true;
  return have_intervals(c, box, count);
}

/* The boxes of `from`, down to the common ones, that `other` has too. */
static const Cells *add_common(Arena *arena, const Cells *to, const Cells *from,
                               const Cells *common, const Cells *other, int count)
{
  for (; from != common; from = from->before)
    if (have_spans(other, from->spans, count))
      to = add_box(arena, to, from->spans);
  return to;
}

const Cells *cells_meet(Arena *arena, const Cells *a, const Cells *b, const IrField *f)
{
  const Cells *x = a, *y = b, *both;

  while (x != y) {
    const int depth = x ? x->depth : 0;
    if (depth >= (y ? y->depth : 0))
      x = x->before;
    else
      y = y->before;
  }
  both = add_common(arena, x, a, x, b, f->axis_count);
  return add_common(arena, both, b, x, a, f->axis_count);
}

/* ---- loops ---- */

static const IrSNode *looped_snode(const IrStmt *loop)
{
  return loop->field ? loop->field->snode : loop->snode;
}

static int looped_axis(const IrStmt *loop, int d)
{
  return loop->field ? loop->field->axes[d] : loop->snode->path_axes[d];
}

static int dimension_count(const IrStmt *loop)
{
  return loop->op == IR_for_range ? 1 : loop->variable_count;
}

/* From the first index of dimension d to behind the last; false: it is not known. */
static bool find_turns(const IrStmt *loop, int d, int64_t *lo, int64_t *hi)
{
  const IrStmt *first, *end;

  if (loop->op == IR_foreach_node) {
    *lo = 0;
    *hi = looped_snode(loop)->total[looped_axis(loop, d)];
    return *hi > 0;
  }
  first = ir_without_casts(loop->operands[2 * d]);
  end = ir_without_casts(loop->operands[2 * d + 1]);
  if (!is_const(first) || !is_const(end))
    return false;
  *lo = first->value.i;
  *hi = end->value.i;
  return true;
}

static bool may_skip_cells(const IrStmt *loop)
{
  if (loop->op != IR_foreach_node)
    return false;
  for (const IrSNode *n = looped_snode(loop); n; n = n->parent)
    if (ir_is_sparse(n))
      return true;
  return false;
}

/* Whether dimension d, of as many cells as are given at creation, is the field's index k. */
static bool counts_own_cells(const IrStmt *loop, int d, const IrField *f, int k, int slot,
                             int64_t plus)
{
  return loop->op == IR_foreach_node && looped_snode(loop) == f->snode && loop->slot == slot &&
         looped_axis(loop, d) == f->axes[k] && plus == f->origin[k];
}

/* A span that names an index of the loop becomes an interval; false: that is not known. */
static bool widen(Span *s, const IrStmt *loop, const IrField *f, int k, int slot)
{
  const int d = s->value->index;
  int64_t lo, hi;

  if (find_turns(loop, d, &lo, &hi)) {
    const int64_t shift = minus(f->origin[k], s->plus);
    *s = (Span){ .lo = minus(lo, shift), .hi = minus(hi, shift) };
    return lo < hi;
  }
  if (!counts_own_cells(loop, d, f, k, slot, s->plus))
    return false;
  *s = (Span){ .lo = 0, .hi = end_of(f, k) };
  return true;
}

static bool stands_inside(const IrStmt *s, const IrStmt *loop)
{
  for (const IrBlock *b = s->parent; b; b = b->owner ? b->owner->parent : NULL)
    if (b->owner == loop)
      return true;
  return false;
}

/* Dimensions that no index names: the loop goes through them at all. */
static bool runs_through(const IrStmt *loop, unsigned named)
{
  int64_t lo, hi;

  if (loop->op == IR_foreach_node)       /* extents are at least 1 */
    return true;
  for (int d = 0; d < dimension_count(loop); d++)
    if (!(named >> d & 1) && (!find_turns(loop, d, &lo, &hi) || lo >= hi))
      return false;
  return true;
}

/* The box as all iterations together make it; NULL: nothing is known of it. */
static Span *widened(Arena *arena, const Span *box, const IrStmt *loop, const IrField *f, int slot)
{
  Span *spans = new_spans(arena, f);
  unsigned named = 0;

  for (int k = 0; k < f->axis_count; k++) {
    const IrStmt *value = box[k].value;
    spans[k] = box[k];
    if (!value || !stands_inside(value, loop))
      continue;
    if (value->op != IR_loop_index || value->operands[0] != loop || named >> value->index & 1)
      return NULL;
    named |= 1u << value->index;
    if (!widen(&spans[k], loop, f, k, slot))
      return NULL;
  }
  return runs_through(loop, named) ? spans : NULL;
}

const Cells *cells_behind(Arena *arena, const Cells *before, const Cells *within,
                          const IrStmt *loop, const IrField *f, int slot)
{
  const Cells *behind = before;

  if (may_skip_cells(loop))
    return before;
  for (; within != before; within = within->before) {
    Span *spans = widened(arena, within->spans, loop, f, slot);
    if (spans)
      behind = add_box(arena, behind, spans);
  }
  return behind;
}
