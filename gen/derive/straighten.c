/* The statements of a kernel in a form that can be gone through backwards: without jumps.
 *
 *   while { .. } test $1 {                   .., declare goes_on $1
 *     a                                      while { $2 = get goes_on } test $2 {
 *     if $c { break }             =>           declare on true
 *     b                                        a
 *   } next { n }                               if $c { set on false }
 *                                              $3 = get on
 *                                              if $3 { b, n, .., set goes_on .. }
 *                                              else { set goes_on false }
 *                                            } next { }
 *
 * A `continue`, that of a foreach too, lets nothing but what follows each turn be done.  A loop
 * that ends with a break, which is what is left of a function that returns early, is no loop.
 * A loop of few turns between constants is written out.  A local is updated by a get and a set.
 */
#include "gen/derive/derive.h"
#include "gen/model/builtins.h"

enum { MOST_TURNS = 32, MOST_WRITTEN_OUT = 600 };   /* of a loop; statements */

typedef struct Straighten {
  IrModule *module;
  IrFunction *function;
} Straighten;

/* What the jumps of a block mean: `on` is false behind one, `runs` behind a break. */
typedef struct Ways {
  IrVariable *on, *runs;
} Ways;

static void straighten_block(Straighten *s, IrBlock *block, const Ways *ways, int kind);

/* ---- updates ---- */

/* Of what threads share an update is one step, which stays. */
static bool is_plain_update(const IrStmt *s, int kind)
{
  return s->op == IR_update && s->update != OP_COMPARE_EXCHANGE &&
         (s->variable->kind == IR_VAR_LOCAL || kind == IR_VAR_KERNEL);
}

/* What the update makes of two values. */
static IrStmt *updated(Maker *make, const IrStmt *s, IrStmt *old)
{
  const Type *in = old->type == TY(F16) ? TY(F32) : old->type;
  bool is_builtin = s->update == OP_MIN || s->update == OP_MAX;
  IrStmt *by = s->operands[0], *value;

  if (s->update == OP_EXCHANGE)
    return by;
  value = ir_stmt(make->module, is_builtin ? IR_builtin : ir_operation[s->update], in, s->loc,
                  make_cast(make, in, old), make_cast(make, in, by), NULL);
  value->builtin = s->update == OP_MIN ? BUILTIN_min : BUILTIN_max;
  return make_cast(make, old->type, put(make, value));
}

static void write_update(Straighten *st, IrStmt *s)
{
  Maker make = make_before(st->module, s);
  IrStmt *old = put_get(&make, s->variable);

  put_set(&make, s->variable, updated(&make, s, old));
  ir_replace_uses(st->function, s, old);
  ir_remove(s);
}

/* ---- jumps ---- */

/* Whether s leaves what is around it: its own loops have breaks and continues of their own. */
static bool leaves(const IrStmt *s, bool in_loop)
{
  if (ir_is(s, IR_JUMPS))
    return !in_loop && s->op != IR_return;
  in_loop = in_loop || ir_is(s, IR_LOOPS | IR_FOREACH);
  for (int b = 0; b < 3; b++)
    for (int k = 0; s->blocks[b] && k < s->blocks[b]->count; k++)
      if (leaves(s->blocks[b]->stmts[k], in_loop))
        return true;
  return false;
}

static bool block_leaves(const IrBlock *block)
{
  for (int k = 0; k < block->count; k++)
    if (leaves(block->stmts[k], false))
      return true;
  return false;
}

static bool block_breaks(const IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    const IrStmt *s = block->stmts[k];
    if (s->op == IR_break)
      return true;
    for (int b = 0; b < 3 && !ir_is(s, IR_LOOPS | IR_FOREACH); b++)
      if (s->blocks[b] && block_breaks(s->blocks[b]))
        return true;
  }
  return false;
}

static void write_jump(Straighten *st, IrStmt *jump, const Ways *ways)
{
  Maker make = make_before(st->module, jump);

  put_set(&make, ways->on, make_const(&make, TY(BOOL), 0));
  if (jump->op == IR_break && ways->runs)
    put_set(&make, ways->runs, make_const(&make, TY(BOOL), 0));
  while (jump->parent->stmts[jump->parent->count - 1] != jump)
    jump->parent->count--;                              /* what is never reached */
  ir_remove(jump);
}

/* What stands behind `s` in its block is done where no jump was met. */
static IrBlock *guard_rest(Straighten *st, IrStmt *s, const Ways *ways)
{
  IrBlock *block = s->parent;
  Maker make = { .module = st->module, .block = block, .loc = s->loc, .site = -1 };
  int first = 0, count = block->count;
  IrStmt *guard;

  while (block->stmts[first++] != s)
    continue;
  if (first == count)
    return NULL;
  guard = put_if(&make, put_get(&make, ways->on));
  for (int k = first; k < count; k++)
    ir_append(st->module, guard->blocks[0], block->stmts[k]);
  block->stmts[first] = block->stmts[count];
  block->stmts[first + 1] = guard;
  block->count = first + 2;
  return guard->blocks[0];
}

/* ---- loops ---- */

static void move_block(Straighten *st, IrBlock *from, Maker *to)
{
  for (int k = 0; k < from->count; k++) {
    if (to->where)
      ir_insert_before(st->module, to->where, from->stmts[k]);
    else
      ir_append(st->module, to->block, from->stmts[k]);
  }
  from->count = 0;
}

/* A loop that ends with a break: its body, once. */
static bool is_one_turn(const IrStmt *loop)
{
  const IrBlock *body = loop->blocks[1];

  return loop->op == IR_while && body->count > 0 &&
         body->stmts[body->count - 1]->op == IR_break && is_const(loop->operands[0]) &&
         loop->operands[0]->value.i != 0;
}

static void write_one_turn(Straighten *st, IrStmt *loop, int kind)
{
  Maker make = make_before(st->module, loop);
  Ways ways = { make_hidden(st->module, st->function, kind, "on", TY(BOOL)), NULL };
  IrBlock *body = loop->blocks[1];
  IrStmt *whole;

  ir_remove(body->stmts[body->count - 1]);
  put_declare(&make, ways.on, make_const(&make, TY(BOOL), 1));
  whole = put_if(&make, make_const(&make, TY(BOOL), 1));
  make = make_in(&make, whole->blocks[0]);
  move_block(st, body, &make);
  ir_remove(loop);
  straighten_block(st, whole->blocks[0], &ways, kind);
}

/* The body's jumps say by `on` and `runs` what is to be done; NULL where it has none. */
static Ways open_turn(Straighten *st, IrStmt *loop, IrBlock *body, bool breaks, int kind)
{
  Ways ways = { NULL, NULL };
  Maker make;

  if (!block_leaves(body))
    return ways;
  ways.on = make_hidden(st->module, st->function, kind, "on", TY(BOOL));
  if (breaks)
    ways.runs = make_hidden(st->module, st->function, kind, "runs", TY(BOOL));
  make = make_first(st->module, body, loop->loc);
  put_declare(&make, ways.on, make_const(&make, TY(BOOL), 1));
  if (breaks)
    put_declare(&make, ways.runs, make_const(&make, TY(BOOL), 1));
  return ways;
}

/* What follows each turn, and whether another one does: `condition` is the loop's block 0. */
static void close_turn(Straighten *st, IrStmt *loop, const Copy *from, IrVariable *goes_on,
                       const Ways *ways)
{
  Maker make = { .module = st->module, .block = loop->blocks[1], .loc = loop->loc, .site = -1 };
  IrStmt *guard = ways->runs ? put_if(&make, put_get(&make, ways->runs)) : NULL;
  Copy again = *from;

  if (guard) {
    Maker left = make_in(&make, guard->blocks[1]);
    put_set(&left, goes_on, make_const(&left, TY(BOOL), 0));
    make = make_in(&make, guard->blocks[0]);
  }
  move_block(st, loop->blocks[2], &make);
  copy_block(&again, loop->blocks[0], &make);
  put_set(&make, goes_on, copied(&again, loop->operands[0]));
}

static void write_while(Straighten *st, IrStmt *loop, int kind)
{
  bool breaks = block_breaks(loop->blocks[1]);
  IrVariable *goes_on = make_hidden(st->module, st->function, kind, "goes_on", TY(BOOL));
  Ways ways = open_turn(st, loop, loop->blocks[1], breaks, kind);
  Maker make;
  Copy copy;

  straighten_block(st, loop->blocks[0], NULL, kind);
  straighten_block(st, loop->blocks[1], ways.on ? &ways : NULL, kind);
  straighten_block(st, loop->blocks[2], NULL, kind);
  copy_init(&copy, st->module, st->function);
  copy.kind = kind;
  close_turn(st, loop, &copy, goes_on, &ways);
  make = make_before(st->module, loop);
  move_block(st, loop->blocks[0], &make);
  put_declare(&make, goes_on, loop->operands[0]);
  make = make_in(&make, loop->blocks[0]);
  loop->operands[0] = put_get(&make, goes_on);
}

static bool is_index_of(const IrStmt *s, const IrStmt *loop)
{
  return s->op == IR_loop_index && s->operands[0] == loop;
}

/* What names the loop's index in the block takes `now`. */
static void name_index(IrBlock *block, const IrStmt *loop, IrStmt *now)
{
  IrStmt *next;

  for (IrStmt *s = ir_first(block); s; s = next) {
    next = ir_next(s, block);
    for (int k = 0; k < s->operand_count; k++)
      if (is_index_of(s->operands[k], loop))
        s->operands[k] = now;
    if (is_index_of(s, loop))
      ir_remove(s);
  }
}

/* A range that can be left before its end: while, with the index in a variable. */
static IrStmt *while_of_range(Straighten *st, IrStmt *loop, int kind)
{
  const Type *type = loop->variable->type;
  IrVariable *index = make_hidden(st->module, st->function, kind, loop->variable->name, type);
  Maker make = make_before(st->module, loop);
  IrStmt *by = ir_stmt(st->module, IR_while, TY(VOID), loop->loc, NULL), *now;

  put_declare(&make, index, loop->operands[0]);
  put(&make, by);
  for (int b = 0; b < 3; b++)
    by->blocks[b] = ir_block(st->module, by);
  make = make_in(&make, by->blocks[0]);
  ir_add_operand(st->module, by,
                 put_binary(&make, IR_cmp_lt, put_get(&make, index), loop->operands[1]));
  make = make_in(&make, by->blocks[1]);
  now = put_get(&make, index);
  move_block(st, loop->blocks[0], &make);
  name_index(by->blocks[1], loop, now);
  make = make_in(&make, by->blocks[2]);
  put_set(&make, index, put_binary(&make, IR_add, put_get(&make, index),
                                   make_const(&make, type, 1)));
  ir_remove(loop);
  return by;
}

static int count_in(IrStmt *loop)
{
  int count = 0;

  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    count++;
  return count;
}

static int64_t turns_of(const IrStmt *loop)
{
  return loop->operands[1]->value.i - loop->operands[0]->value.i;
}

static bool is_written_out(IrStmt *loop)
{
  return is_const(loop->operands[0]) && is_const(loop->operands[1]) &&
         turns_of(loop) <= MOST_TURNS && turns_of(loop) * count_in(loop) <= MOST_WRITTEN_OUT;
}

static void write_out(Straighten *st, IrStmt *loop, int kind)
{
  Maker make = make_before(st->module, loop);

  add_kept(st->module, loop->loc,
           intern_format(st->module->arena, "has the %lld turns of this loop written out, with the "
                         "values of each at hand", (long long)turns_of(loop)));
  for (int64_t turn = 0; turn < turns_of(loop); turn++) {
    IrStmt *index = make_const(&make, loop->variable->type, loop->operands[0]->value.i + turn);
    Copy copy;
    copy_init(&copy, st->module, st->function);
    copy.kind = kind;
    for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
      if (is_index_of(s, loop))
        copy_note(&copy, s, index);
    copy_block(&copy, loop->blocks[0], &make);
  }
  ir_remove(loop);
}

static void straighten_range(Straighten *st, IrStmt *loop, int kind)
{
  if (block_breaks(loop->blocks[0])) {
    write_while(st, while_of_range(st, loop, kind), kind);
    return;
  }
  {
    Ways ways = open_turn(st, loop, loop->blocks[0], false, kind);
    straighten_block(st, loop->blocks[0], ways.on ? &ways : NULL, kind);
  }
  if (is_written_out(loop))
    write_out(st, loop, kind);
}

/* A loop with tasks in it stays as gen/lower makes it (task_loop.c); one that is left before its
 * end has no derivative. */
static void straighten_task_loop(Straighten *st, IrStmt *loop)
{
  if (block_leaves(loop->blocks[1]))
    add_underived(st->module, st->function, loop->loc,
                  "this loop over parallel loops is left by break or continue: say by an 'if' "
                  "what is done", (Loc){ 0 }, NULL);
  for (int b = 0; b < 3; b++)
    straighten_block(st, loop->blocks[b], NULL, IR_VAR_KERNEL);
  write_step_last(st->module, loop);
}

static void straighten_foreach(Straighten *st, IrStmt *loop)
{
  Ways ways = open_turn(st, loop, loop->blocks[0], false, IR_VAR_LOCAL);

  straighten_block(st, loop->blocks[0], ways.on ? &ways : NULL, IR_VAR_LOCAL);
}

/* ---- blocks ---- */

static void straighten_stmt(Straighten *st, IrStmt *s, const Ways *ways, int kind)
{
  if (ir_is(s, IR_FOREACH))
    straighten_foreach(st, s);
  else if (s->op == IR_while && has_task_in(s))
    straighten_task_loop(st, s);
  else if (is_one_turn(s))
    write_one_turn(st, s, kind);
  else if (s->op == IR_while)
    write_while(st, s, kind);
  else if (s->op == IR_for_range)
    straighten_range(st, s, kind);
  else if (s->op == IR_if)
    for (int b = 0; b < 2; b++)
      straighten_block(st, s->blocks[b], ways, kind);
  else if (is_plain_update(s, kind))
    write_update(st, s);
  else if (s->op == IR_declare)
    s->variable->kind = kind;           /* a function's, on the kernel's own level */
}

static void straighten_block(Straighten *st, IrBlock *block, const Ways *ways, int kind)
{
  const IrBlock old = *block;
  IrStmt **stmts = NEW_ARRAY(st->module->arena, IrStmt *, old.count + 1);

  for (int k = 0; k < old.count; k++)
    stmts[k] = old.stmts[k];
  for (int k = 0; k < old.count; k++) {
    IrStmt *s = stmts[k];
    bool jumps = ways && leaves(s, false);
    if (s->op == IR_return) {
      if (s->parent->owner)
        add_underived(st->module, st->function, s->loc, "it returns before its end, here: say by "
                      "an 'if' what is done", (Loc){ 0 }, NULL);
      ir_remove(s);
      continue;
    }
    if (jumps && ir_is(s, IR_JUMPS)) {
      write_jump(st, s, ways);
      return;
    }
    if (jumps)
      guard_rest(st, s, ways);
    straighten_stmt(st, s, ways, kind);
  }
}

void straighten(IrModule *m, IrFunction *f)
{
  Straighten st = { m, f };

  write_serial_loops(m, f);
  straighten_block(&st, f->body, NULL, IR_VAR_KERNEL);
}
