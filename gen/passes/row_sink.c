/* What only one of the two loops over rows of a leaf needs stands in front of that loop: the one
 * for leaves that a box cuts, or the one for those that lie inside it. */
#include "gen/passes/rows.h"

enum { FIRST = 1, SECOND = 2, ELSEWHERE = 4 };         /* where a value is used, as bits */

typedef struct Sink {
  const Rows *rows;
  Map uses;                     /* statement of the leaf block -> bits */
} Sink;

static int uses_of(const Sink *k, const IrStmt *s)
{
  return (int)(intptr_t)map_get(&k->uses, s);
}

static void note_operands(Sink *k, const IrStmt *s, int where)
{
  for (int o = 0; o < s->operand_count; o++) {
    const IrStmt *value = s->operands[o];
    if (value->parent == k->rows->leaf)
      map_put(&k->uses, value, (void *)(intptr_t)(uses_of(k, value) | where));
  }
}

static void note_block(Sink *k, const IrBlock *block, int where)
{
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    note_operands(k, s, where);
}

/* What computes something; a cell is activated by the loop whose rows change it, and only then. */
static bool may_move(const IrStmt *s)
{
  return s->type != TY(VOID) && (ir_effects(s) <= IR_READS || s->op == IR_cell);
}

static void put_in_front(Rows *r, IrBlock *block, IrStmt *s)
{
  if (block->count > 0)
    ir_insert_before(r->module, block->stmts[0], s);
  else
    ir_append(r->module, block, s);
}

/* From the last statement on, so that what a moved one is made of may follow it. */
static void sink_into(Rows *r, const IrStmt *branch)
{
  Sink k = { .rows = r };
  IrBlock *leaf = r->leaf;

  map_init(&k.uses, r->module->arena);
  note_block(&k, branch->blocks[0], FIRST);
  note_block(&k, branch->blocks[1], SECOND);
  note_operands(&k, branch, ELSEWHERE);
  for (int at = leaf->count - 1; at >= 0; at--) {
    IrStmt *s = leaf->stmts[at];
    const int where = uses_of(&k, s);
    if (s == branch)
      continue;
    if ((where == FIRST || where == SECOND) && may_move(s)) {
      note_operands(&k, s, where);
      ir_remove(s);
      put_in_front(r, branch->blocks[where == SECOND], s);
      continue;
    }
    note_operands(&k, s, ELSEWHERE);
    for (int b = 0; b < IR_BLOCKS; b++)
      if (s->blocks[b])
        note_block(&k, s->blocks[b], ELSEWHERE);
  }
}

void rows_sink(Rows *r)
{
  for (int k = r->leaf->count - 1; k >= 0; k--) {
    const IrStmt *s = r->leaf->stmts[k];
    if (s->op == IR_if) {
      sink_into(r, s);
      k = k < r->leaf->count ? k : r->leaf->count;
    }
  }
}
