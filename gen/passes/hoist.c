/* hoist: what a serial loop does not change stands before it.
 *
 *   $5 = for_range i32 k $lo $hi {        check_bounds field u grid $i $j
 *     check_bounds field u grid $i $j     <cell> $9 = .. the walk
 *     <cell> $9 = .. the walk        =>   $5 = for_range i32 k $lo $hi {
 *     <f32> $10 = load u $9                 <f32> $10 = load u $9
 *
 * Needs: the module lowered; better after share.
 * Guarantees: a check or a walk that reads leaves a loop only where the loop
 * certainly turns, the statement is reached in the first turn before anything
 * that prints, changes memory or branches, its operands come from outside, and
 * the loop activates no cell of its SNode and takes out none on its path; a walk
 * to where another has walked before the loop leaves any loop. Pure statements leave with
 * the walks that need them; other arithmetic is left to the C compiler, which moves
 * it as well and leaves the text readable.
 */
#include "gen/passes/tools.h"

typedef struct Hoist {
  IrModule *module;
  IrStmt *loop;
} Hoist;

/* ---- what the loop does ---- */

static bool block_changes(IrModule *m, const IrBlock *block, const IrSNode *snode)
{
  Changes c = changes_of(m->arena, block);

  while (next_change(&c))
    if (ir_is(c.stmt, IR_DEACTIVATES) ? is_above(c.snode, snode)
                                      : c.snode == snode && ir_is_sparse(snode))
      return true;
  return false;
}

static bool changes_activity(IrModule *m, const IrStmt *loop, const IrSNode *snode)
{
  for (int b = 0; b < IR_BLOCKS; b++)
    if (loop->blocks[b] && block_changes(m, loop->blocks[b], snode))
      return true;
  return false;
}

static bool certainly_turns(const IrStmt *loop)
{
  IrRange first, end;

  return loop->op == IR_for_range && ir_range(loop->operands[0], &first) &&
         ir_range(loop->operands[1], &end) && first.hi < end.lo;
}

/* ---- moving ---- */

/* Whether s can stand before the loop, since all that it is made of stands there or could. */
static bool can_move(const Hoist *h, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (!is_invariant_in(s->operands[k], h->loop))
      return false;
  return true;
}

static void move(const Hoist *h, IrStmt *s)
{
  if (!stands_in(s, h->loop))
    return;
  for (int k = 0; k < s->operand_count; k++)
    move(h, s->operands[k]);
  ir_remove(s);
  ir_insert_before(h->module, h->loop, s);
}

static bool is_wanted(const Hoist *h, const IrStmt *s)
{
  if (s->op == IR_check_bounds)
    return true;
  return s->op == IR_cell && s->mode != IR_MODE_ACTIVATE &&
         !changes_activity(h->module, h->loop, s->snode);
}

/* What may stand before a check without a difference if the check traps. */
static bool has_no_effect(const IrStmt *s)
{
  return is_removable(s) || s->op == IR_array_read;
}

/* ---- a loop that may have no turn ---- */

static bool is_same_walk(const IrStmt *s, const IrStmt *other)
{
  return other->op == IR_cell && other->snode == s->snode && other->slot == s->slot &&
         other->operands[0] == s->operands[0] && other->operands[1] == s->operands[1];
}

/* Whatever that walk was for: its index is inside, so that it costs time at most to do it again. */
static bool was_done_before(const IrStmt *s, const IrStmt *loop)
{
  for (const IrStmt *at = loop; at; at = at->parent->owner)
    for (int k = 0; at->parent->stmts[k] != at; k++)
      if (is_same_walk(s, at->parent->stmts[k]))
        return true;
  return false;
}

static void hoist_walks(Hoist *h, IrBlock *body)
{
  for (int k = 0; k < body->count;) {
    IrStmt *s = body->stmts[k];
    if (s->op == IR_cell && is_wanted(h, s) && can_move(h, s) && was_done_before(s, h->loop))
      move(h, s);
    else
      k++;
  }
}

static void hoist_from(IrModule *m, IrStmt *loop)
{
  Hoist h = { m, loop };
  IrBlock *body = loop->blocks[0];

  if (!certainly_turns(loop)) {
    hoist_walks(&h, body);
    return;
  }
  for (int k = 0; k < body->count;) {
    IrStmt *s = body->stmts[k];
    bool moves = is_wanted(&h, s) && can_move(&h, s);
    if (moves) {
      int before = body->count;
      move(&h, s);
      k -= before - body->count - 1;   /* its operands stood before it */
    } else if (has_no_effect(s) || s->op == IR_check_bounds) {
      k++;                     /* a check that stays is first in any turn */
    } else {
      return;
    }
  }
}

static void hoist_block(IrModule *m, IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    IrStmt *s = block->stmts[k];
    for (int b = 0; b < IR_BLOCKS; b++)
      if (s->blocks[b])
        hoist_block(m, s->blocks[b]);
    if (s->op == IR_for_range)
      hoist_from(m, s);
    while (block->stmts[k] != s)       /* what was put before it */
      k++;
  }
}

static void hoist_function(IrModule *m, IrFunction *f)
{
  note_declarations(f);
  hoist_block(m, f->body);
}

void pass_hoist(IrModule *m)
{
  for_each_function(m, hoist_function);
}
