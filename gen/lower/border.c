/* Borders: which cell an index beyond the extents means.
 *
 *   outside clamp    min(max(i, first), last)
 *   outside wrap     floormod(i - first, extent) + first
 *
 * Every access to such a field has its indices from here, so that all behind takes them
 * as inside.  `outside default` is the matter of whoever makes the access.
 *
 * A loop's index that is known to be inside stays as it is, so that its cell is known
 * to be the loop's own; and what is at most one extent beyond, as an index and a small
 * constant is, wraps by an addition.
 */
#include "gen/lower/scope.h"

#include "gen/ir/interval.h"
#include "gen/model/builtins.h"

#include <stddef.h>

/* An axis of the field that is indexed. */
typedef struct Edge {
  Lowering *lowering;
  const IrField *field;
  int axis;
  int slot;
  int64_t origin;
  int64_t total;                       /* of the extents; 0: at run time */
  Loc loc;
} Edge;

/* What is known of index - origin: [lo, hi] or, of_extent, [lo, extent - 1 + hi]. */
typedef struct Reach {
  bool is_known, of_extent;
  int64_t lo, hi;
} Reach;

/* ---- what is known ---- */

/* Farther from the origin an index is not told apart: differences of two such fit. */
static const int64_t MOST = INT64_C(1) << 61;

static Reach between(int64_t lo, int64_t hi, int64_t origin)
{
  const bool is_known = lo >= -MOST && hi <= MOST && origin >= -MOST && origin <= MOST;

  return is_known ? (Reach){ .is_known = true, .lo = lo - origin, .hi = hi - origin }
                  : (Reach){ 0 };
}

/* Of an extent that is given at creation: one cell beyond it at most, else it may wrap. */
static bool reach_of_cells(const Edge *b, const IrStmt *index, Reach *r)
{
  const IrCells cells = { b->field->snode, b->axis, b->slot };
  int64_t plus;

  if (b->total > 0 || !ir_is_index_below(index, &cells, &plus))
    return false;
  *r = between(plus, plus, b->origin);
  r->of_extent = true;
  r->is_known = r->is_known && r->lo >= -1 && r->hi <= 1;
  return r->is_known;
}

static Reach reach_of(const Edge *b, const IrStmt *index)
{
  IrRange range;
  Reach r;

  if (reach_of_cells(b, index, &r))
    return r;
  return ir_range(index, &range) ? between(range.lo, range.hi, b->origin) : (Reach){ 0 };
}

static bool may_be_below(const Reach *r)
{
  return !r->is_known || r->lo < 0;
}

static bool may_be_above(const Edge *b, const Reach *r)
{
  if (!r->is_known)
    return true;
  return r->of_extent ? r->hi > 0 : b->total == 0 || r->hi >= b->total;
}

/* Whether one extent more or less brings it inside. */
static bool is_near(const Edge *b, const Reach *r)
{
  if (!r->is_known)
    return false;
  if (r->of_extent)
    return true;
  return b->total > 0 && r->lo >= -b->total && r->hi < 2 * b->total;
}

/* ---- what is made of it ---- */

static IrStmt *operate(const Edge *b, Op op, IrStmt *x, IrStmt *y)
{
  return lower_binary(b->lowering, op, x, y, b->loc);
}

static IrStmt *constant(const Edge *b, const Type *type, int64_t value)
{
  return emit_int(b->lowering, type, value, b->loc);
}

static IrStmt *call(const Edge *b, int builtin, IrStmt *x, IrStmt *y)
{
  IrStmt *args[] = { x, y };

  return lower_builtin(b->lowering, builtin, x->type, b->loc, args, 2);
}

/* One given at creation stands under the root. */
IrStmt *total_extent(Lowering *l, const IrField *f, int slot, int axis, Loc loc)
{
  IrSNode *top = f->snode;
  IrStmt *extent;

  if (f->snode->total[axis] > 0)
    return emit_int(l, TY(I64), f->snode->total[axis], loc);
  while (top->parent->parent)
    top = top->parent;
  extent = ir_stmt(l->module, IR_extent, TY(I64), loc, NULL);
  extent->snode = top;
  extent->slot = slot;
  extent->index = axis;
  emit(l, extent);
  return lower_binary(l, OP_MUL, extent, emit_int(l, TY(I64), ir_below(top, f->snode, axis), loc),
                      loc);
}

static IrStmt *extent(const Edge *b, const Type *type)
{
  return b->total > 0 ? constant(b, type, b->total)
                      : total_extent(b->lowering, b->field, b->slot, b->axis, b->loc);
}

/* The type in which lo to hi, which are no results of run time, are computed. */
static IrStmt *widened(const Edge *b, IrStmt *index, int64_t lo, int64_t hi)
{
  bool is_short = index->type == TY(I32) && b->total > 0 && lo >= INT32_MIN && hi <= INT32_MAX;

  return is_short ? index : convert(b->lowering, index, TY(I64), b->loc);
}

static IrStmt *clamped(const Edge *b, IrStmt *index, const Reach *r)
{
  IrStmt *x = widened(b, index, b->origin, b->origin + (b->total - 1));

  if (may_be_below(r))
    x = call(b, BUILTIN_max, x, constant(b, x->type, b->origin));
  if (may_be_above(b, r))
    x = call(b, BUILTIN_min, x, operate(b, OP_ADD, extent(b, x->type),
                                        constant(b, x->type, b->origin - 1)));
  return x;
}

static IrStmt *choose(const Edge *b, IrStmt *condition, IrStmt *x, IrStmt *y)
{
  return emit(b->lowering, ir_stmt(b->lowering->module, IR_select, x->type, b->loc, condition, x, y,
                                   NULL));
}

static IrStmt *wrapped_once(const Edge *b, IrStmt *x, const Reach *r)
{
  IrStmt *n = extent(b, x->type);

  if (may_be_below(r))
    x = choose(b, operate(b, OP_LT, x, constant(b, x->type, 0)), operate(b, OP_ADD, x, n), x);
  if (may_be_above(b, r))
    x = choose(b, operate(b, OP_GE, x, n), operate(b, OP_SUB, x, n), x);
  return x;
}

/* Of an extent that is a power of two the low bits are the rest, of a negative x too. */
static IrStmt *wrapped(const Edge *b, IrStmt *index, const Reach *r)
{
  bool is_power = b->total > 0 && (b->total & (b->total - 1)) == 0;
  IrStmt *x = index;

  if (b->origin != 0)
    x = operate(b, OP_SUB, convert(b->lowering, x, TY(I64), b->loc),
                constant(b, TY(I64), b->origin));
  x = widened(b, x, 0, b->total > INT32_MAX ? b->total : 2 * b->total);
  if (is_power)
    x = operate(b, OP_AND, x, constant(b, x->type, b->total - 1));
  else if (is_near(b, r))
    x = wrapped_once(b, x, r);
  else
    x = call(b, BUILTIN_floormod, x, extent(b, x->type));
  return b->origin == 0 ? x : operate(b, OP_ADD, x, constant(b, x->type, b->origin));
}

/* A u64 beyond i64, whose bits are a negative i64, which an origin below 0 may have a cell for. */
static IrStmt *below_limit(const Edge *b, IrStmt *index)
{
  IrRange range;

  if (index->type != TY(U64) || b->origin >= 0 || ir_range(index, &range))
    return index;
  return call(b, BUILTIN_min, index, constant(b, TY(U64), INT64_MAX));
}

IrStmt *border_index(Lowering *l, const IrField *f, int k, int slot, IrStmt *index, Loc loc)
{
  const Edge b = { .lowering = l, .field = f, .axis = f->axes[k], .slot = slot,
                       .origin = f->origin[k], .total = f->snode->total[f->axes[k]], .loc = loc };
  Reach r;

  if (f->border != BORDER_CLAMP && f->border != BORDER_WRAP)
    return below_limit(&b, index);
  r = reach_of(&b, index);
  if (!may_be_below(&r) && !may_be_above(&b, &r))
    return index;
  return f->border == BORDER_CLAMP ? clamped(&b, index, &r) : wrapped(&b, index, &r);
}
