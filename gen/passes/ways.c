/* Where the accesses of a parallel task go: at indices that no two iterations share, below
 * the own cell, in a cell that was just appended.
 */
#include "gen/passes/ways.h"

enum { DEEPEST = 12 };         /* operands behind operands */

/* ---- expressions ---- */

static bool is_same(const IrStmt *a, const IrStmt *b, int depth)
{
  int64_t of_a, of_b;

  a = ir_without_casts(ir_without_constant((IrStmt *)ir_without_casts(a), &of_a));
  b = ir_without_casts(ir_without_constant((IrStmt *)ir_without_casts(b), &of_b));
  if (a == b || of_a != of_b)
    return of_a == of_b;
  if (depth > DEEPEST || !is_same_operation(a, b) || ir_effects(a) > IR_READS)
    return false;
  for (int k = 0; k < a->operand_count; k++)
    if (!is_same(a->operands[k], b->operands[k], depth + 1))
      return false;
  return true;
}

bool is_same_expression(const IrStmt *a, const IrStmt *b)
{
  return is_same(a, b, 0);
}

/* Of one value throughout the task: made of constants, parameters and extents. */
static bool is_invariant(const IrStmt *s, int depth)
{
  if (s->op == IR_const || s->op == IR_param || s->op == IR_extent)
    return true;
  if (depth > DEEPEST || !is_pure(s) || s->operand_count == 0 || s->op == IR_loop_index ||
      s->op == IR_own_position)
    return false;
  for (int k = 0; k < s->operand_count; k++)
    if (!is_invariant(ir_without_casts(s->operands[k]), depth + 1))
      return false;
  return true;
}

/* ---- what differs in any two iterations ---- */

static int loop_rank(const IrStmt *task)
{
  return task->task == IR_TASK_STRUCT_FOR ? task->snode->path_axis_count
                                          : task->operand_count / 2;
}

static bool is_loop_index(const Ways *w, const IrStmt *x, int n)
{
  return x->op == IR_loop_index && x->operands[0] == w->task && x->index == n;
}

/* Whether x is element n, or that and a constant more. */
static bool is_element(const Ways *w, const IrStmt *x, const IrStmt *unique, int n, int64_t *more)
{
  const IrStmt *value;

  *more = 0;
  if (!unique)
    return is_loop_index(w, x, n);
  value = ir_without_constant((IrStmt *)ir_without_casts(unique->operands[n]), more);
  *more = -*more;
  return x == ir_without_casts(value);
}

/* ---- an index as a sum ---- */

/* Sums stay far from the edge: the language lets index arithmetic assume that it fits. */
static bool add_constant(Linear *sum, int64_t value, int64_t factor)
{
  const int64_t most = INT64_C(1) << 31, far = INT64_C(1) << 40;

  if (value > far || value < -far || factor > most || factor < -most)
    return false;
  sum->constant += value * factor;
  return sum->constant <= far && sum->constant >= -far;
}

static bool add_term(Linear *sum, const IrStmt *term, int64_t factor)
{
  for (int k = 0; k < sum->term_count; k++)
    if (is_same_expression(sum->term[k], term)) {
      sum->factor[k] += factor;
      return true;
    }
  if (sum->term_count == LINEAR_TERMS)
    return false;
  sum->term[sum->term_count] = term;
  sum->factor[sum->term_count++] = factor;
  return true;
}

static bool is_arithmetic(const IrStmt *x)
{
  return type_is_integer(x->type) && x->type->is_signed && x->type->bits >= 32;
}

typedef struct Adding {
  const Ways *ways;
  const IrStmt *unique;
  int element;
  Linear *sum;
} Adding;

static bool add_linear(const Adding *a, const IrStmt *x, int64_t factor, int depth);

static bool add_product(const Adding *a, const IrStmt *x, int64_t factor, int depth)
{
  const int64_t most = 1 << 20;

  for (int k = 0; k < 2; k++) {
    const IrStmt *by = ir_without_casts(x->operands[1 - k]);
    if (is_const(by) && by->value.i > -most && by->value.i < most && factor > -most &&
        factor < most)
      return add_linear(a, x->operands[k], factor * by->value.i, depth + 1);
  }
  return is_invariant(x, depth) && add_term(a->sum, x, factor);
}

static bool same_linear(const Linear *a, const Linear *b)
{
  if (a->times != b->times || a->constant != b->constant || a->width != b->width ||
      a->term_count != b->term_count)
    return false;
  for (int k = 0; k < a->term_count; k++) {
    int i = 0;
    while (i < b->term_count &&
           !(a->factor[k] == b->factor[i] && is_same_expression(a->term[k], b->term[i])))
      i++;
    if (i == b->term_count)
      return false;
  }
  return true;
}

/* The index of a serial loop: where it begins, and as many turns as there are whatever the
 * element is. */
static bool add_turns(const Adding *a, const IrStmt *x, int64_t factor, int depth)
{
  const int64_t most = INT64_C(1) << 20;
  const IrStmt *loop = x->operands[0];
  Linear begin = { 0 }, end = { 0 };
  const Adding first = { a->ways, a->unique, a->element, &begin };
  const Adding last = { a->ways, a->unique, a->element, &end };
  int64_t turns;

  if (loop->op != IR_for_range || depth >= DEEPEST ||
      !add_linear(&first, loop->operands[0], 1, depth + 1) ||
      !add_linear(&last, loop->operands[1], 1, depth + 1))
    return false;
  turns = end.constant - begin.constant;
  end.constant = begin.constant;
  if (begin.width > 0 || turns < 1 || turns > most || factor < -most || factor > most ||
      !same_linear(&begin, &end) || !add_linear(a, loop->operands[0], factor, depth + 1))
    return false;
  a->sum->width += (factor < 0 ? -factor : factor) * (turns - 1);
  return factor > 0 || add_constant(a->sum, turns - 1, factor);
}

/* Adds factor * x, in which the element may stand. */
static bool add_linear(const Adding *a, const IrStmt *x, int64_t factor, int depth)
{
  int64_t more;

  x = ir_without_casts(x);
  if (is_element(a->ways, x, a->unique, a->element, &more)) {
    a->sum->times += factor;
    return add_constant(a->sum, more, factor);
  }
  if (is_const(x))
    return add_constant(a->sum, x->value.i, factor);
  if (x->op == IR_loop_index)
    return add_turns(a, x, factor, depth);
  if (is_arithmetic(x) && depth < DEEPEST)
    switch (x->op) {
    case IR_neg:
      return add_linear(a, x->operands[0], -factor, depth + 1);
    case IR_add: case IR_sub:
      return add_linear(a, x->operands[0], factor, depth + 1) &&
             add_linear(a, x->operands[1], x->op == IR_add ? factor : -factor, depth + 1);
    case IR_mul:
      return add_product(a, x, factor, depth);
    default:
      break;
    }
  return is_invariant(x, depth) && add_term(a->sum, x, factor);
}

/* Whether x has different values in iterations in which element n has, all turns of serial loops in
 * them together.  A multiple that wraps may not. */
static bool differs(const Ways *w, const IrStmt *x, const IrStmt *unique, int n, Linear *as)
{
  const Adding adding = { w, unique, n, as };
  IrRange r;

  *as = (Linear){ 0 };
  return add_linear(&adding, x, 1, 0) && as->times != 0 &&
         (as->times > as->width || as->times < -as->width) &&
         (as->times == 1 || as->times == -1 || ir_range(x, &r));
}

/* ---- what an access has of it ---- */

/* Where the elements stand among the indices of an access; false: not all. */
static bool find_elements(const Ways *w, const IrStmt *unique, const IrStmt *const *index,
                          int count, Elements *found)
{
  *found = (Elements){ .unique = unique };
  found->count = unique ? unique->operand_count : loop_rank(w->task);
  if (found->count > MAX_AXES)
    return false;
  for (int n = 0; n < found->count; n++) {
    int k = 0;
    while (k < count && !(index[k] && differs(w, index[k], unique, n, &found->index[n])))
      k++;
    if (k == count)
      return false;
    found->at[n] = k;
  }
  return found->count > 0;
}

static bool same_elements(const Elements *a, const Elements *b)
{
  if (a->unique != b->unique)
    return false;
  for (int n = 0; n < a->count; n++)
    if (a->at[n] != b->at[n] || !same_linear(&a->index[n], &b->index[n]))
      return false;
  return true;
}

static int way_of_elements(Ways *w, const Elements *found)
{
  int row = 0;

  while (row < w->element_count && !same_elements(&w->elements[row], found))
    row++;
  if (row == w->element_count)
    vec_push(w->arena, w->elements, w->element_count, *found);
  return WAY_FIRST + row;
}

static int way_of_indices(Ways *w, const IrStmt *const *index, int count)
{
  Elements found;

  if (find_elements(w, NULL, index, count, &found))
    return way_of_elements(w, &found);
  for (int u = 0; u < w->unique_count; u++)
    if (find_elements(w, w->uniques[u], index, count, &found))
      return way_of_elements(w, &found);
  return WAY_SHARED;
}

/* ---- cells ---- */

static bool is_below_own(const IrStmt *cell)
{
  while (cell->op == IR_cell)
    cell = cell->operands[0];
  return cell->op == IR_own_cell && cell->snode == cell->operands[0]->snode;
}

/* At its own position beside the own cell. */
static bool is_beside_own(const IrStmt *cell)
{
  return cell->op == IR_cell && cell->operand_count == 2 &&
         cell->operands[1]->op == IR_own_position;
}

static bool is_below_beside_own(const IrStmt *cell)
{
  while (cell->op == IR_cell && !is_beside_own(cell))
    cell = cell->operands[0];
  return is_beside_own(cell);
}

/* The coordinate on each axis of the field's path, from the digits of the walk.
 * False: two digits of one axis come from different coordinates. */
static bool coordinates(const IrStmt *cell, const IrStmt **by_axis)
{
  for (; cell->op == IR_cell; cell = cell->operands[0]) {
    const IrStmt *digit;
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++) {
      const IrStmt *x;
      if (digit->op != IR_digit)
        return false;
      x = ir_without_casts(digit->operands[0]);
      if (by_axis[digit->index] && by_axis[digit->index] != x)
        return false;
      by_axis[digit->index] = x;
    }
  }
  return cell->op == IR_root;
}

/* Whether the indices are just the loop's, each in its place. */
static bool are_own_indices(const Ways *w, const IrStmt *const *index, int count)
{
  if (count != loop_rank(w->task))
    return false;
  for (int k = 0; k < count; k++)
    if (!index[k] || !is_loop_index(w, ir_without_casts(index[k]), k))
      return false;
  return true;
}

static int way_of_cell(Ways *w, const IrStmt *cell, const IrSNode *snode)
{
  const IrStmt *by_axis[MAX_AXES] = { NULL }, *index[MAX_AXES] = { NULL };

  if (cell->op == IR_appended)
    return WAY_APPENDED;
  if (!w->task)
    return WAY_SHARED;
  if (is_below_own(cell))
    return WAY_OWN;
  if (is_beside_own(cell))
    return WAY_BESIDE;
  if (is_below_beside_own(cell))
    return WAY_OWN;
  if (!coordinates(cell, by_axis))
    return WAY_SHARED;
  for (int k = 0; k < snode->path_axis_count; k++)
    index[k] = by_axis[snode->path_axes[k]];
  if (are_own_indices(w, index, snode->path_axis_count))
    return w->task->task == IR_TASK_STRUCT_FOR && w->task->snode == snode ? WAY_OWN : WAY_BESIDE;
  return way_of_indices(w, index, snode->path_axis_count);
}

static int way_of_element(Ways *w, const IrStmt *s)
{
  const IrStmt *index[MAX_AXES] = { NULL };
  int count = s->variable->extent_count;

  if (!w->task || count > MAX_AXES)
    return WAY_SHARED;
  for (int k = 0; k < count; k++)
    index[k] = s->operands[k];
  return way_of_indices(w, index, count);
}

int way_of(Ways *w, const IrStmt *s)
{
  return s->field ? way_of_cell(w, s->operands[0], s->field->snode) : way_of_element(w, s);
}

/* ---- tasks ---- */

Ways ways_of_task(Arena *arena, const IrStmt *task)
{
  Ways w = { .arena = arena, .task = task };

  for (IrStmt *s = ir_first(task->blocks[0]); s; s = ir_next(s, task->blocks[0]))
    if (s->op == IR_unique)
      vec_push(w.arena, w.uniques, w.unique_count, s);
  return w;
}

/* ---- conditions that one iteration meets ---- */

/* Which of the loop's indices the condition says, as bits. */
static unsigned said_by(const Ways *w, const IrStmt *condition, int depth)
{
  unsigned said = 0;
  Linear as;

  condition = ir_without_casts(condition);
  if (depth > DEEPEST)
    return 0;
  if (condition->op == IR_bit_and)
    return said_by(w, condition->operands[0], depth + 1) |
           said_by(w, condition->operands[1], depth + 1);
  for (int k = 0; condition->op == IR_cmp_eq && k < 2; k++)
    for (int n = 0; n < loop_rank(w->task); n++)
      if (is_invariant(ir_without_casts(condition->operands[1 - k]), depth) &&
          differs(w, condition->operands[k], NULL, n, &as))
        said |= 1u << n;
  return said;
}

bool is_of_one_iteration(const IrStmt *task, const IrStmt *s)
{
  const Ways w = { .task = task };
  unsigned said = 0;

  for (const IrBlock *b = s->parent; b && b->owner != task; b = b->owner->parent)
    if (b->owner && b->owner->op == IR_if && b == b->owner->blocks[0])
      said |= said_by(&w, b->owner->operands[0], 0);
    else if (!b->owner)
      return false;
  return said == (1u << loop_rank(task)) - 1;
}
