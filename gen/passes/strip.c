/* strip: a serial loop along a field goes container by container, the walk to each made once
 * (strip mining).
 *
 *   for_range i32 i $lo $hi {              if lo < hi {
 *     <cell> $a = .. activate i / 64         for_range i32 strip $lo >> 6 ($hi - 1 >> 6) + 1 {
 *     store x (cell i % 64 of $a)    =>        $first = max($lo, strip << 6) ...
 *   }                                          <cell> $a = .. activate $first / 64
 *                                              for_range i32 i $first $last {
 *                                                store x (cell i % 64 of $a)
 *
 * Needs: the module lowered; behind atomics, which asks what values the loop's index has.
 * Guarantees: the same iterations in the same order, and the same cells active. A walk leaves the
 * inner loop where each turn makes it before anything that prints, changes memory or branches;
 * the index is the loop's own, and selects the cell by its quotient by a power of two; nothing in
 * the loop takes a cell out on its path nor, of a walk that reads, activates one of its SNode.
 * A loop whose index is of a type too small for the length of a strip stays: it has two at most.
 * The first index of a container is checked before the walk to it, where each turn's is checked.
 */
#include "gen/model/interval.h"
#include "gen/passes/tools.h"

enum {
  LEAST_STRIP = 8,             /* iterations: fewer are not worth a loop of their own */
  LEAST_TURNS = 8              /* of a loop whose bounds are constant */
};

typedef struct Strip {
  IrModule *module;
  IrFunction *function;
  IrStmt *loop;
  Map moved;                   /* cells that are walked to once a strip -> themselves */
  IrStmt **lead;               /* checks and those cells, in order */
  int lead_count;
  int64_t length;              /* of a strip, aligned to it; 0: no walk was found */
  bool is_worth_it;            /* a cell among them is reached by a slot */
} Strip;

static bool is_index(const Strip *strip, const IrStmt *s)
{
  return s->op == IR_loop_index && s->operands[0] == strip->loop;
}

/* Whether s is computed from the loop's index, if at all, and from what stands before the loop. */
static bool follows(const Strip *strip, const IrStmt *s)
{
  if (!stands_in(s, strip->loop) || is_index(strip, s) || map_get(&strip->moved, s))
    return true;
  if (!is_pure(s))
    return false;
  for (int k = 0; k < s->operand_count; k++)
    if (!follows(strip, s->operands[k]))
      return false;
  return true;
}

/* ---- which walks ---- */

static bool is_power_of_two(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/* Iterations over which the digit is constant, from each multiple of their number on; INT64_MAX: it
 * is so in all of them; 0: it is not known. */
static int64_t constant_over(const Strip *strip, const IrStmt *digit)
{
  if (is_invariant_in(digit, strip->loop))
    return INT64_MAX;
  if (digit->op != IR_digit || !is_index(strip, ir_without_casts(digit->operands[0])))
    return 0;
  return is_power_of_two(digit->value.i) ? digit->value.i : 0;
}

static bool is_changed(const Strip *strip, const IrStmt *cell)
{
  Changes c = changes_of(strip->module->arena, strip->loop->blocks[0]);

  while (next_change(&c)) {
    bool takes_out = ir_is(c.stmt, IR_DEACTIVATES) && is_above(c.snode, cell->snode);
    bool comes_up = ir_is(c.stmt, IR_ACTIVATES) && c.snode == cell->snode &&
                    cell->mode != IR_MODE_ACTIVATE && ir_is_sparse(cell->snode);
    if (takes_out || comes_up)
      return true;
  }
  return false;
}

/* Notes a cell whose walk is the same in all iterations of a strip. */
static void note_cell(Strip *strip, IrStmt *cell)
{
  const IrStmt *digit;
  int64_t least = INT64_MAX;

  for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++) {
    int64_t over = constant_over(strip, digit);
    least = over < least ? over : least;
  }
  if (least < LEAST_STRIP || !follows(strip, cell->operands[0]) || is_changed(strip, cell))
    return;
  for (int k = 1; k < cell->operand_count; k++)
    if (!follows(strip, cell->operands[k]))
      return;
  map_put(&strip->moved, cell, cell);
  vec_push(strip->module->arena, strip->lead, strip->lead_count, cell);
  if (least < INT64_MAX) {
    strip->length = strip->length == 0 || least < strip->length ? least : strip->length;
    strip->is_worth_it |= ir_is_allocated(cell->snode);
  }
}

static bool is_check(const Strip *strip, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (!follows(strip, s->operands[k]))
      return false;
  return s->op == IR_check_bounds;
}

static void find_lead(Strip *strip)
{
  IrBlock *body = strip->loop->blocks[0];

  for (int k = 0; k < body->count; k++) {
    IrStmt *s = body->stmts[k];
    if (s->op == IR_cell)
      note_cell(strip, s);
    else if (is_check(strip, s))
      vec_push(strip->module->arena, strip->lead, strip->lead_count, s);
    else if (!is_removable(s) && s->op != IR_array_read)
      return;
  }
}

/* ---- which loops ---- */

static bool breaks(const IrStmt *loop)
{
  const IrBlock *body = loop->blocks[0];

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body)) {
    if (s->op != IR_break)
      continue;
    const IrStmt *around = s->parent->owner;
    while (!ir_is(around, IR_LOOPS))
      around = around->parent->owner;
    if (around == loop)
      return true;
  }
  return false;
}

static bool has_few_turns(const IrStmt *loop)
{
  IrRange first, end;

  return is_const(loop->operands[0]) && is_const(loop->operands[1]) &&
         ir_range(loop->operands[0], &first) && ir_range(loop->operands[1], &end) &&
         end.hi - first.lo < LEAST_TURNS;
}

/* ---- the two loops ---- */

static IrStmt *binary(Maker *make, IrOp op, const Type *type, IrStmt *a, IrStmt *b)
{
  return put(make, ir_stmt(make->module, op, type, make->loc, a, b, NULL));
}

static IrStmt *choose(Maker *make, IrStmt *condition, IrStmt *a, IrStmt *b)
{
  return put(make, ir_stmt(make->module, IR_select, a->type, make->loc, condition, a, b, NULL));
}

static void copy_computed(Copy *copy, const Strip *strip, IrStmt *s, Maker *make)
{
  if (!stands_in(s, strip->loop) || map_get(&copy->made, s))
    return;
  for (int k = 0; k < s->operand_count; k++)
    copy_computed(copy, strip, s->operands[k], make);
  copy_stmt(copy, s, make);
}

/* What each turn would do first is done for the first turn of a strip. */
static void make_lead(Strip *strip, IrStmt *first, Maker *make)
{
  IrBlock *body = strip->loop->blocks[0];
  Copy copy;

  copy_init(&copy, strip->module, strip->function);
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (is_index(strip, s))
      copy_note(&copy, s, first);
  for (int k = 0; k < strip->lead_count; k++) {
    IrStmt *s = strip->lead[k];
    copy_computed(&copy, strip, s, make);
    if (s->op == IR_cell) {
      ir_replace_uses(strip->function, s, copied(&copy, s));
      ir_remove(s);
    }
  }
}

/* Where the loop's first and last strip are known, the loop over strips; make: where it stands. */
static void make_strips(Strip *strip, Maker *make)
{
  IrStmt *loop = strip->loop, *lo = loop->operands[0], *hi = loop->operands[1];
  const Type *type = lo->type;
  IrStmt *length = make_const(make, type, strip->length), *one = make_const(make, type, 1);
  int64_t bits = 0;

  while (INT64_C(1) << bits < strip->length)
    bits++;
  IrStmt *shift = make_const(make, type, bits);
  IrStmt *begin = binary(make, IR_shr, type, lo, shift);
  IrStmt *last = binary(make, IR_shr, type, binary(make, IR_sub, type, hi, one), shift);
  IrStmt *strips = ir_stmt(strip->module, IR_for_range, TY(VOID), make->loc, begin,
                           binary(make, IR_add, type, last, one), NULL);
  strips->variable = make_index(strip->module, strip->function, "strip", type);
  strips->blocks[0] = ir_block(strip->module, strips);
  put(make, strips);

  Maker inner = make_at_end(strip->module, strips->blocks[0], loop);
  IrStmt *at = put(&inner, ir_stmt(strip->module, IR_loop_index, type, loop->loc, strips, NULL));
  IrStmt *from = binary(&inner, IR_mul, type, at, length);
  IrStmt *first = choose(&inner, binary(&inner, IR_cmp_eq, TY(BOOL), at, begin), lo, from);
  IrStmt *end = choose(&inner, binary(&inner, IR_cmp_eq, TY(BOOL), at, last), hi,
                       binary(&inner, IR_add, type, from, length));
  make_lead(strip, first, &inner);
  ir_remove(loop);
  loop->operands[0] = first;
  loop->operands[1] = end;
  put(&inner, loop);
}

static void strip_loop(IrModule *m, IrFunction *f, IrStmt *loop)
{
  Strip strip = { .module = m, .function = f, .loop = loop };

  if (breaks(loop) || has_few_turns(loop))
    return;
  map_init(&strip.moved, m->arena);
  find_lead(&strip);
  if (!strip.is_worth_it || strip.length > interval_of_type(loop->operands[0]->type).hi)
    return;
  Maker make = make_before(m, loop);
  IrStmt *some = put(&make, ir_stmt(m, IR_if, TY(VOID), loop->loc,
                                    binary(&make, IR_cmp_lt, TY(BOOL), loop->operands[0],
                                           loop->operands[1]), NULL));
  for (int b = 0; b < 2; b++)
    some->blocks[b] = ir_block(m, some);
  Maker inside = make_at_end(m, some->blocks[0], loop);
  make_strips(&strip, &inside);
}

/* Inner loops first: what is left of them is in the way of the walks behind them alone. */
static void strip_block(IrModule *m, IrFunction *f, IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    IrStmt *s = block->stmts[k];
    for (int b = 0; b < IR_BLOCKS; b++)
      if (s->blocks[b])
        strip_block(m, f, s->blocks[b]);
    if (s->op == IR_for_range)
      strip_loop(m, f, s);
  }
}

static void strip_function(IrModule *m, IrFunction *f)
{
  note_declarations(f);
  strip_block(m, f, f->body);
}

void pass_strip(IrModule *m)
{
  for_each_function(m, strip_function);
}
