/* Intervals of integer values, as far as the statements themselves tell.
 *
 * Known are constants, the indices of loops whose bounds or extents are known, new positions,
 * locals that are only declared, and what few operations make of those.
 */
#include "gen/ir/interval.h"
#include "gen/ir/table.h"
#include "gen/model/builtins.h"

enum { DEEPEST = 12 };        /* operands behind operands */

static bool known(const IrStmt *s, int depth, IrRange *r);

static bool known_operand(const IrStmt *s, int k, int depth, IrRange *r)
{
  return k < s->operand_count && known(s->operands[k], depth + 1, r);
}

/* ---- the indices of loops ---- */

bool ir_cells_of_index(const IrStmt *index, IrCells *cells)
{
  const IrStmt *loop = index->operands[0];
  const IrField *f = loop->op == IR_foreach_node ? loop->field : NULL;

  if (loop->op != IR_foreach_node &&
      (loop->op != IR_offloaded || loop->task != IR_TASK_STRUCT_FOR))
    return false;
  cells->node = f ? f->snode : loop->snode;
  cells->axis = f ? f->axes[index->index] : loop->snode->path_axes[index->index];
  cells->slot = loop->slot;
  return true;
}

bool ir_bounds_of_index(const IrStmt *index, const IrStmt *bound[2])
{
  const IrStmt *loop = index->operands[0];
  const bool is_one = loop->op == IR_for_range;
  const int first = is_one ? 0 : 2 * index->index;

  if (!is_one && loop->op != IR_foreach_range &&
      (loop->op != IR_offloaded || loop->task != IR_TASK_RANGE_FOR))
    return false;
  bound[0] = loop->operands[first];
  bound[1] = loop->operands[first + 1];
  return true;
}

/* lo may be all that is known.  There is a turn, so the end is not the least of its type. */
static bool known_between(const IrStmt *const bound[2], int depth, IrRange *r)
{
  IrRange first, end;
  const bool below = known(bound[0], depth + 1, &first), above = known(bound[1], depth + 1, &end);

  *r = (IrRange){ first.lo, end.hi > INT64_MIN ? end.hi - 1 : end.hi };
  if (!above && !bound[1]->type->is_signed && bound[1]->type->bits == 64)
    return false;                      /* its limits are no interval of i64 */
  return below || above;
}

/* Where the extent is given at creation: an axis as long as the type reaches must have a wider
 * index. */
static bool known_cell(const IrCells *cells, const Type *type, IrRange *r)
{
  const int64_t total = cells->node->total[cells->axis];

  if (cells->node->open_axes >> cells->axis & 1)
    return false;
  *r = (IrRange){ 0, (total > 0 ? total : interval_of_type(type).hi) - 1 };
  return true;
}

static bool known_index(const IrStmt *s, int depth, IrRange *r)
{
  const IrStmt *bound[2];
  IrCells cells;

  if (ir_bounds_of_index(s, bound))
    return known_between(bound, depth, r);
  return ir_cells_of_index(s, &cells) && known_cell(&cells, s->type, r);
}

/* ---- arithmetic ---- */

/* What would overflow the type is not known. */
static bool known_arithmetic(const IrStmt *s, int depth, IrRange *r)
{
  IrRange a, b;

  return known_operand(s, 0, depth, &a) && known_operand(s, 1, depth, &b) &&
         interval_of_operator(ir_operator[s->op], a, b, r) &&
         interval_is_inside(*r, interval_of_type(s->type));
}

static bool known_choice(const IrStmt *s, int depth, IrRange *r)
{
  const IrStmt *condition = s->operands[0];
  IrRange other;

  if (condition->op == IR_const)
    return known_operand(s, condition->value.i ? 1 : 2, depth, r);
  if (!known_operand(s, 1, depth, r) || !known_operand(s, 2, depth, &other))
    return false;
  *r = (IrRange){ other.lo < r->lo ? other.lo : r->lo, other.hi > r->hi ? other.hi : r->hi };
  return true;
}

/* x / by and x % by for x >= 0: what digits and the program's own do. */
static bool known_division(const IrStmt *s, int depth, IrRange *r)
{
  IrRange x, by;

  if (!known_operand(s, 0, depth, &x) || !known_operand(s, 1, depth, &by) || x.lo < 0 ||
      by.lo < 1 || by.lo != by.hi)
    return false;
  *r = (IrRange){ x.lo / by.lo, x.hi / by.lo };
  if (s->op == IR_mod)
    *r = r->lo == r->hi ? (IrRange){ x.lo % by.lo, x.hi % by.lo } : (IrRange){ 0, by.lo - 1 };
  return true;
}

/* x & mask, whatever x is, where the mask is a constant that is not negative. */
static bool known_mask(const IrStmt *s, int depth, IrRange *r)
{
  for (int k = 0; k < 2; k++)
    if (s->operands[k]->op == IR_const && s->operands[k]->value.i >= 0) {
      const int64_t mask = s->operands[k]->value.i;
      const bool is_less = known_operand(s, 1 - k, depth, r) && r->lo >= 0 && r->hi < mask;
      *r = (IrRange){ 0, is_less ? r->hi : mask };
      return true;
    }
  return false;
}

/* x >> count, of an x that is not negative. */
static bool known_shift(const IrStmt *s, int depth, IrRange *r)
{
  const IrStmt *count = s->operands[1];

  if (count->op != IR_const || count->value.i < 0 || count->value.i >= s->type->bits ||
      !known_operand(s, 0, depth, r) || r->lo < 0)
    return false;
  *r = (IrRange){ r->lo >> count->value.i, r->hi >> count->value.i };
  return true;
}

/* The limits of a narrower type, where no more is known. */
static bool known_cast(const IrStmt *s, int depth, IrRange *r)
{
  const Type *from = s->operands[0]->type;
  const bool is_known = known_operand(s, 0, depth, r);

  if (!type_is_integer(from) && from != TY(BOOL))
    return false;
  return (is_known || from->bits < s->type->bits) &&
         interval_is_inside(*r, interval_of_type(s->type));
}

static bool known_constant(const IrStmt *s, IrRange *r)
{
  *r = (IrRange){ s->value.i, s->value.i };
  return s->type->is_signed || s->type->bits < 64 || s->value.i >= 0;
}

/* All its values, and 0, which it has outside. */
static bool known_table(const IrStmt *s, IrRange *r)
{
  const IrTable *table = s->table;

  *r = (IrRange){ 0, 0 };
  for (int k = 0; k < table->count; k++) {
    const int64_t value = table->values[k].i;
    if (!table->type->is_signed && value < 0)
      return false;
    r->lo = value < r->lo ? value : r->lo;
    r->hi = value > r->hi ? value : r->hi;
  }
  return true;
}

/* Those that count bits. */
static bool known_builtin(const IrStmt *s, IrRange *r)
{
  if (s->builtin != BUILTIN_clz && s->builtin != BUILTIN_ctz && s->builtin != BUILTIN_popcount)
    return false;
  *r = (IrRange){ 0, s->operands[0]->type->bits };
  return true;
}

/* Of a list. */
static bool known_length(const IrStmt *s, IrRange *r)
{
  const int64_t size = s->snode->axes[0].size;

  *r = (IrRange){ 0, size > 0 ? size : interval_of_type(s->type).hi };
  return true;
}

/* Of its new cell: where there was no room nothing follows. */
static bool known_position(const IrStmt *s, IrRange *r)
{
  known_length(s, r);
  r->hi--;
  return true;
}

static bool known_by_op(const IrStmt *s, int depth, IrRange *r)
{
  switch (s->op) {
  case IR_const:       return known_constant(s, r);
  case IR_loop_index:  return known_index(s, depth, r);
  case IR_get:         return s->variable->declaration &&
                              known(s->variable->declaration->operands[0], depth + 1, r);
  case IR_append_cell: return known_position(s, r);
  case IR_length: case IR_cell_length:
                       return known_length(s, r);
  case IR_cast:        return known_cast(s, depth, r);
  case IR_add: case IR_sub: case IR_mul:
                       return known_arithmetic(s, depth, r);
  case IR_select:      return known_choice(s, depth, r);
  case IR_div: case IR_mod:
                       return known_division(s, depth, r);
  case IR_bit_and:     return known_mask(s, depth, r);
  case IR_shr:         return known_shift(s, depth, r);
  case IR_table:       return known_table(s, r);
  case IR_builtin:     return known_builtin(s, r);
  default:             return false;
  }
}

static bool known(const IrStmt *s, int depth, IrRange *r)
{
  if (type_is_integer(s->type) && depth <= DEEPEST && known_by_op(s, depth, r))
    return true;
  *r = interval_of_type(s->type);
  return false;
}

bool ir_range(const IrStmt *s, IrRange *r)
{
  return known(s, 0, r);
}

/* ---- comparisons ---- */

/* Of u64, where nothing is known, only the least value is. */
static bool ends(const IrStmt *s, IrRange *r)
{
  return ir_range(s, r) || s->type != TY(U64);
}

/* One value, or two reads of one that is never set: parameters, locals that are only declared. */
static bool is_same(const IrStmt *a, const IrStmt *b)
{
  if (a == b)
    return true;
  if (a->op != b->op)
    return false;
  if (a->op == IR_cast)
    return a->type == b->type && is_same(a->operands[0], b->operands[0]);
  return a->variable == b->variable &&
         (a->op == IR_param || (a->op == IR_get && a->variable->declaration));
}

bool ir_known_comparison(const IrStmt *s, bool *result)
{
  const Op op = ir_operator[s->op];
  IrRange a, b;
  bool a_ends, b_ends, less, greater;

  if (!op_compares(op) || !type_is_integer(s->operands[0]->type))
    return false;
  if (is_same(s->operands[0], s->operands[1])) {
    *result = op == OP_EQ || op == OP_LE || op == OP_GE;
    return true;
  }
  a_ends = ends(s->operands[0], &a);
  b_ends = ends(s->operands[1], &b);
  less = a_ends && a.hi < b.lo;
  greater = b_ends && b.hi < a.lo;
  *result = op == OP_NE || op == (less ? OP_LT : OP_GT) || op == (less ? OP_LE : OP_GE);
  if (less || greater)
    return true;
  *result = op == OP_LE || op == OP_GE;
  return ((op == OP_GE || op == OP_LT) && b_ends && b.hi <= a.lo) ||
         ((op == OP_LE || op == OP_GT) && a_ends && a.hi <= b.lo);
}

/* ---- what an index is made of ---- */

static bool keeps_value(const Type *to, const Type *from)
{
  if (!type_is_integer(to) || !type_is_integer(from))
    return false;
  if (to->is_signed == from->is_signed)
    return to->bits >= from->bits;
  return to->is_signed && to->bits > from->bits;
}

const IrStmt *ir_without_widening(const IrStmt *s)
{
  while (s->op == IR_cast && keeps_value(s->type, s->operands[0]->type))
    s = s->operands[0];
  return s;
}

const IrStmt *ir_without_casts(const IrStmt *s)
{
  for (;;) {
    s = ir_without_widening(s);
    if (s->op != IR_get || !s->variable->declaration)
      return s;
    s = s->variable->declaration->operands[0];
  }
}

IrStmt *ir_widened_bool(IrStmt *s)
{
  while (s->op == IR_cast && s->type->kind != TYPE_BOOL)
    s = s->operands[0];
  return s->type->kind == TYPE_BOOL ? s : NULL;
}

static bool is_index_arithmetic(const IrStmt *s)
{
  return (s->op == IR_add || s->op == IR_sub) && type_is_integer(s->type) && s->type->is_signed &&
         s->type->bits >= 32;
}

/* Which operand of a sum is the constant, -1: none. */
static int constant_operand(const IrStmt *s)
{
  const int64_t most = INT64_C(1) << 40;       /* sums stay far from the edge */

  for (int k = 1; k >= (s->op == IR_add ? 0 : 1); k--)
    if (s->operands[k]->op == IR_const && s->operands[k]->value.i <= most &&
        s->operands[k]->value.i >= -most)
      return k;
  return -1;
}

IrStmt *ir_without_constant(IrStmt *index, int64_t *constant)
{
  IrStmt *x = index;
  int64_t sum = 0;

  *constant = 0;
  for (;;) {
    int k;
    if (x->op == IR_cast && keeps_value(x->type, x->operands[0]->type)) {
      x = x->operands[0];
      continue;
    }
    k = is_index_arithmetic(x) ? constant_operand(x) : -1;
    if (k < 0)
      return index;
    sum += x->op == IR_add ? x->operands[k]->value.i : -x->operands[k]->value.i;
    index = x = x->operands[1 - k];
    *constant = sum;
  }
}

/* The SNode under the root on the path to s: where a run-time extent stands. */
static const IrSNode *under_root(const IrSNode *s)
{
  while (s->parent && s->parent->parent)
    s = s->parent;
  return s;
}

bool ir_is_index_below(const IrStmt *x, const IrCells *of, int64_t *plus)
{
  const IrSNode *const top = under_root(of->node);
  IrCells looped;

  x = ir_without_casts(ir_without_constant((IrStmt *)(uintptr_t)ir_without_casts(x), plus));
  return x->op == IR_loop_index && ir_cells_of_index(x, &looped) && looped.slot == of->slot &&
         looped.axis == of->axis && under_root(looped.node) == top &&
         ir_below(top, looped.node, of->axis) <= ir_below(top, of->node, of->axis);
}
