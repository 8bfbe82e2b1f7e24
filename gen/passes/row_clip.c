/* What each run of cells asks for of its place along the row is asked once, for the row:
 *
 *   each_run x 16 $part {
 *     leave_leaf ($first + 15 < $lo) | ($first >= $hi)   each_run x 16 $part $lo $hi $least $most {
 *     leave_row $first - 1 < 0                      =>     row_store y ..
 *     row_store y ..                                     }
 *   }
 *
 * Cells whose index is $lo .. $hi are gone through, those of $least .. $most of them by runs.
 * The first run and the last begin wherever that takes them, and share cells with their neighbours.
 * The other cells are gone through one by one.
 *
 * So a run no longer begins at a multiple of its length, and some cells are computed twice: it is
 * done where nothing of the run was made for such a place, and where the same cells computed again
 * store the same.
 */
#include "gen/passes/rows.h"

#include "gen/model/builtins.h"

/* ---- whether a run may begin anywhere, and its cells be computed again ---- */

/* A number of which runs know something only where they begin at a multiple of their length: a
 * remainder, a quotient, some bits of an index. */
static bool asks_multiple(const Rows *r, const IrStmt *s)
{
  switch (s->op) {
  case IR_div: case IR_mod: case IR_shl: case IR_shr:
  case IR_bit_and: case IR_bit_or: case IR_bit_xor:
    return s->type != TY(BOOL) && type_is_integer(s->type) && span_of(r->task, s) != SPAN_LEAF;
  case IR_digit:
    return s->value.i != 1 || !begins_axis(s->snode, s->index);
  default:
    return s->op == IR_call;                       /* not looked into */
  }
}

static bool may_begin_anywhere(const Rows *r)
{
  const IrBlock *body = r->task->blocks[0];
  const IrSNode *node = r->task->snode;

  if (kind_is(node->kind, KIND_MASKED) || node->is_soa_by_row ||
      !begins_axis(node, node->axes[node->axis_count - 1].axis))
    return false;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (asks_multiple(r, s))
      return false;
  return true;
}

/* Whether a field that the run stores to is one that it reads. */
static bool is_stored(const IrBlock *run, const IrField *field)
{
  for (IrStmt *s = ir_first(run); s; s = ir_next(s, run))
    if (s->op == IR_row_store && s->field == field)
      return true;
  return false;
}

static bool is_declared(const IrBlock *run, const IrVariable *v)
{
  for (IrStmt *s = ir_first(run); s; s = ir_next(s, run))
    if (s->op == IR_declare && s->variable == v)
      return true;
  return false;
}

static bool is_repeatable(const Rows *r, const IrStmt *s)
{
  const IrBlock *run = r->each->blocks[0];

  switch (s->op) {
  case IR_row_store:
    return !s->relaxed;
  case IR_row_load: case IR_load:
    return !s->field->snode->is_soa_by_row && !is_stored(run, s->field);
  case IR_declare: case IR_set:
    return is_declared(run, s->variable);
  case IR_cell:
    return s->mode != IR_MODE_ACTIVATE;
  case IR_active_cells: case IR_row_active:
    return false;                                  /* masks of a run stand in one word */
  case IR_if: case IR_leave_row: case IR_leave_leaf:
    return true;
  default:
    return ir_effects(s) <= IR_READS;
  }
}

static bool may_run_again(const Rows *r)
{
  const IrBlock *run = r->each->blocks[0];

  for (IrStmt *s = ir_first(run); s; s = ir_next(s, run))
    if (!is_repeatable(r, s))
      return false;
  return true;
}

/* ---- the limits ---- */

/* Indices along the row from `least` on, and below `beyond`: each a number, and what is only known
 * when the row is (NULL: there is none). */
typedef struct Ends {
  int64_t least, beyond;
  IrStmt *least_value, *beyond_value;
} Ends;

typedef struct Clip {
  Rows *rows;
  Ends cells, runs;
} Clip;

/* The index along the row, of the run's first cell, plus a number. */
static bool is_along_run(const Rows *r, IrStmt *s, int64_t *plus)
{
  const IrStmt *index = ir_without_casts(ir_without_constant(s, plus));

  return index->op == IR_first_index && index->operands[0] == r->each &&
         index->index == r->row_index;
}

/* Whether a small number can be added to it: an extent, or what has no more bits than an index. */
static bool is_bounded(const IrStmt *limit)
{
  if (is_const(limit))
    return limit->value.i > INT64_MIN / 2 && limit->value.i < INT64_MAX / 2;
  if (limit->op == IR_extent || limit->type->bits <= 32)
    return true;
  for (int k = 0; k < limit->operand_count; k++)
    if (!is_bounded(limit->operands[k]))
      return false;
  return limit->op == IR_cast || limit->op == IR_add || limit->op == IR_mul;
}

/* What is added to the comparison's limit, so that it is an end of the cells that the loop goes
 * through, or of those that runs are made of.  It compares a run's first cell, or its last, with
 * the limit.  No cell of a run is gone through where the last one is less, or the first one is not.
 * A run goes cell by cell where the first one is less, or the last one is not. */
static int64_t added(const Rows *r, const IrStmt *comparison, bool is_of_cells)
{
  const bool is_of_last = is_of_cells == (comparison->op == IR_cmp_lt);
  int64_t plus;

  ir_without_constant(comparison->operands[0], &plus);
  return (is_of_last ? r->lanes - 1 : 0) - plus;
}

/* A comparison by which a run is left: of the index at its first cell, plus a number, with what is
 * one value for the row. */
static bool is_limit(const Rows *r, const IrStmt *s, bool is_of_cells)
{
  enum { MOST_ADDED = 4096 };
  int64_t plus;

  if ((s->op != IR_cmp_lt && s->op != IR_cmp_ge) || !is_along_run(r, s->operands[0], &plus) ||
      stands_in(s->operands[1], r->each) || !s->operands[1]->type->is_signed)
    return false;
  plus = added(r, s, is_of_cells);
  return plus == 0 ||
         (plus >= -MOST_ADDED && plus <= MOST_ADDED && is_bounded(s->operands[1]));
}

static bool is_of_limits(const Rows *r, const IrStmt *condition, bool is_of_cells)
{
  if (condition->op == IR_bit_or)
    return is_of_limits(r, condition->operands[0], is_of_cells) &&
           is_of_limits(r, condition->operands[1], is_of_cells);
  return is_limit(r, condition, is_of_cells);
}

/* The greater of the two, or the less. */
static IrStmt *chosen(Rows *r, int builtin, IrStmt *a, IrStmt *b)
{
  IrStmt *s;

  if (!a || a == b)
    return b;
  s = ir_stmt(r->module, IR_builtin, TY(I64), b->loc, a, b, NULL);
  s->builtin = builtin;
  return rows_put(r, s);
}

static IrStmt *sum(Rows *r, IrStmt *limit, int64_t plus)
{
  if (limit->type != TY(I64))
    limit = rows_put(r, ir_stmt(r->module, IR_cast, TY(I64), limit->loc, limit, NULL));
  return plus == 0 ? limit : rows_plain(r, IR_add, limit, rows_const(r, TY(I64), plus));
}

static void keep_from(Rows *r, Ends *ends, IrStmt *limit, int64_t plus)
{
  if (!is_const(limit))
    ends->least_value = chosen(r, BUILTIN_max, ends->least_value, sum(r, limit, plus));
  else if (limit->value.i + plus > ends->least)
    ends->least = limit->value.i + plus;
}

static void keep_below(Rows *r, Ends *ends, IrStmt *limit, int64_t plus)
{
  if (!is_const(limit))
    ends->beyond_value = chosen(r, BUILTIN_min, ends->beyond_value, sum(r, limit, plus));
  else if (limit->value.i + plus < ends->beyond)
    ends->beyond = limit->value.i + plus;
}

static void take_limit(Clip *c, const IrStmt *comparison, bool is_of_cells)
{
  void (*keep)(Rows *, Ends *, IrStmt *, int64_t) =
      comparison->op == IR_cmp_lt ? keep_from : keep_below;
  const int64_t plus = added(c->rows, comparison, is_of_cells);

  keep(c->rows, &c->runs, comparison->operands[1], plus);
  if (is_of_cells)
    keep(c->rows, &c->cells, comparison->operands[1], plus);
}

static void take_limits(Clip *c, const IrStmt *condition, bool is_of_cells)
{
  if (condition->op != IR_bit_or) {
    take_limit(c, condition, is_of_cells);
    return;
  }
  take_limits(c, condition->operands[0], is_of_cells);
  take_limits(c, condition->operands[1], is_of_cells);
}

/* ---- the loop ---- */

static void add_ends(Rows *r, const Ends *ends)
{
  IrStmt *least = ends->least_value, *beyond = ends->beyond_value;

  if (!least || ends->least > INT64_MIN)
    least = chosen(r, BUILTIN_max, least, rows_const(r, TY(I64), ends->least));
  if (!beyond || ends->beyond < INT64_MAX)
    beyond = chosen(r, BUILTIN_min, beyond, rows_const(r, TY(I64), ends->beyond));
  ir_add_operand(r->module, r->each, least);
  ir_add_operand(r->module, r->each, beyond);
}

void rows_clip(Rows *r)
{
  const Ends all = { INT64_MIN, INT64_MAX, NULL, NULL };
  Clip c = { r, all, all };
  IrBlock *run = r->each->blocks[0];
  int kept = 0;

  if (r->why || !may_begin_anywhere(r) || !may_run_again(r))
    return;
  for (int k = 0; k < run->count; k++) {
    IrStmt *s = run->stmts[k];
    const bool is_of_cells = s->op == IR_leave_leaf;
    if ((is_of_cells || s->op == IR_leave_row) && is_of_limits(r, s->operands[0], is_of_cells))
      take_limits(&c, s->operands[0], is_of_cells);
    else
      run->stmts[kept++] = s;
  }
  if (kept == run->count)
    return;
  run->count = kept;
  add_ends(r, &c.cells);
  add_ends(r, &c.runs);
}
