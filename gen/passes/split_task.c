/* The tasks that a kernel is cut into: serial ones, and the collection behind what deactivates. */
#include "gen/passes/split.h"

#include <stddef.h>

IrStmt *split_task(Split *split, IrTask task, IrSNode *snode, int slot,
                        Loc loc)
{
  IrStmt *s = ir_stmt(split->module, IR_offloaded, TY(VOID), loc, NULL);

  s->task = task;
  s->snode = snode;
  s->slot = slot;
  ir_append(split->module, split->body, s);
  return s;
}

/* ---- garbage collection after a task ---- */

typedef struct Collect {
  Arena *arena;
  struct Collected { IrSNode *snode; int slot; } *rows;
  int count;
} Collect;

static void add_collected(Collect *c, IrSNode *snode, int slot)
{
  const struct Collected added = { snode, slot };
  int kept = 0;

  for (int k = 0; k < c->count; k++)
    if (c->rows[k].slot == slot && is_above(c->rows[k].snode, snode))
      return;
  for (int k = 0; k < c->count; k++)
    if (c->rows[k].slot != slot || !is_above(snode, c->rows[k].snode))
      c->rows[kept++] = c->rows[k];
  c->count = kept;
  vec_push(c->arena, c->rows, c->count, added);
}

/* The topmost sparse SNodes at or below snode. */
static void collect_below(Collect *c, IrSNode *snode, int slot)
{
  if (ir_is_sparse(snode)) {
    add_collected(c, snode, slot);
    return;
  }
  for (int k = 0; k < snode->child_count; k++)
    collect_below(c, snode->children[k], slot);
}

static void put_collected(Split *split, const Collect *c, Loc loc)
{
  for (int k = 0; k < c->count; k++)
    split_task(split, IR_TASK_GC, c->rows[k].snode, c->rows[k].slot, loc);
}

void split_collect_after(Split *split, IrBlock *block, Loc loc)
{
  Collect c = { .arena = split->module->arena };
  Changes changes = changes_of(split->module->arena, block);

  while (next_change(&changes))
    if (ir_is(changes.stmt, IR_DEACTIVATES))
      add_collected(&c, changes.snode, changes.slot);
  put_collected(split, &c, loc);
}

void split_collect_below(Split *split, IrSNode *snode, int slot, Loc loc)
{
  Collect c = { .arena = split->module->arena };

  collect_below(&c, snode, slot);
  put_collected(split, &c, loc);
}

/* ---- serial tasks ---- */

void split_end_serial(Split *split)
{
  IrStmt *serial = split->serial;

  split->serial = NULL;
  if (serial)
    split_collect_after(split, serial->blocks[0], serial->loc);
}

IrBlock *split_serial(Split *split, Loc loc)
{
  if (!split->serial) {
    split->serial = split_task(split, IR_TASK_SERIAL, NULL, 0, loc);
    split->serial->blocks[0] = ir_block(split->module, split->serial);
  }
  return split->serial->blocks[0];
}
