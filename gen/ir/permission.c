/* What a kernel may do: reads, writes and accumulations, of each field, of the activity
 * of each SNode (its topology) and of the list of its containers.
 *
 * The runtime orders kernels by it: so what an instruction might do counts, whether it is
 * reached or not, in functions that are called too.  It reads the IR of any level; behind the
 * passes it says less, since a cell that a loop stands on is not activated.
 *
 *   a field       reading; storing is writing; a sum whose old value no one takes is
 *                 accumulating, any other update is writing: others than sums do not commute
 *                 with sums
 *   topology      reading a field, a loop over the SNode, is_active, length: reading, on the whole
 *                 path; activating and appending: accumulating; deactivating and GC: writing, of
 *                 what is below too
 *   an output     a field that the kernel takes over from nobody (the pass local has found them)
 *   a list        its generation writes it, and reads the one above; a loop reads it; emptying
 *                 and GC may generate those that they go through
 */
#include "gen/ir/permission.h"

const char *const ir_use_name[IR_USES] = { "read", "write", "accumulate", "merge", "output" };

typedef struct Analysis {
  IrPermissions *into;
  const int *slots;                      /* of the function at hand -> the kernel's; NULL: same */
} Analysis;

/* ---- noting a use ---- */

static int slot_of(const Analysis *a, int slot)
{
  return a->slots ? a->slots[slot] : slot;
}

static void use_field(const Analysis *a, int slot, const IrField *f, unsigned use)
{
  a->into->field[slot_of(a, slot)][f->id] |= use;
}

/* A dense SNode has no activity of its own. */
static void use_cells(const Analysis *a, int slot, const IrSNode *n, unsigned use)
{
  if (ir_is_sparse(n))
    a->into->topology[slot_of(a, slot)][n->id] |= use;
}

static void use_path(const Analysis *a, int slot, const IrSNode *n, unsigned use)
{
  for (; n; n = n->parent)
    use_cells(a, slot, n, use);
}

static void use_all_below(const Analysis *a, int slot, const IrSNode *n, unsigned use)
{
  use_cells(a, slot, n, use);
  for (int k = 0; k < n->child_count; k++)
    use_all_below(a, slot, n->children[k], use);
}

/* The SNode's and those of dense SNodes below it: what has no activity of its own. */
static void use_fields_in_place(const Analysis *a, int slot, const IrSNode *n, unsigned use)
{
  for (int k = 0; k < n->field_count; k++)
    use_field(a, slot, n->fields[k], use);
  for (int k = 0; k < n->child_count; k++)
    if (!ir_is_sparse(n->children[k]))
      use_fields_in_place(a, slot, n->children[k], use);
}

static void use_list(const Analysis *a, int slot, const IrSNode *n, unsigned use)
{
  if (n->parent)
    a->into->list[slot_of(a, slot)][n->id] |= use;
}

/* Those that lead to the SNode; to the root's cells: to the topmost sparse SNodes. */
static void use_lists(const Analysis *a, int slot, const IrSNode *n, unsigned use)
{
  if (n->parent)
    for (; n->parent; n = n->parent)
      use_list(a, slot, n, use);
  else
    for (int k = 1; k < n->tree->snode_count; k++)
      use_list(a, slot, n->tree->snodes[k], use);
}

static void use_lists_below(const Analysis *a, int slot, const IrSNode *n, unsigned use)
{
  for (int k = 0; k < n->child_count; k++) {
    use_list(a, slot, n->children[k], use);
    use_lists_below(a, slot, n->children[k], use);
  }
}

/* ---- statements ---- */

/* The slot of the tree that a cell value lies in. */
static int cell_slot(const IrStmt *cell)
{
  while (cell->op == IR_cell || cell->op == IR_found_cell)
    cell = cell->operands[0];
  return cell->op == IR_own_cell || cell->op == IR_appended ? cell->operands[0]->slot
                                                            : cell->slot;
}

static bool is_sum(const IrStmt *s)
{
  return s->update == OP_ADD || s->update == OP_SUB;
}

/* The old value of an update that someone takes depends on the updates before. */
static void visit_operands(const Analysis *a, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    const IrStmt *from = s->operands[k];
    if (from->op == IR_atomic)
      use_field(a, from->slot, from->field, IR_USE_READ);
    else if (from->op == IR_cell_atomic)
      use_field(a, cell_slot(from->operands[0]), from->field, IR_USE_READ);
  }
}

static void visit_block(const Analysis *a, const IrBlock *block);

static void visit_call(const Analysis *a, const IrStmt *s)
{
  int *mapped = NEW_ARRAY(a->into->arena, int, s->function->slot_count + 1);
  Analysis inner = *a;

  for (int k = 0; k < s->function->slot_count; k++)
    mapped[k] = slot_of(a, s->slots[k]);
  inner.slots = mapped;
  visit_block(&inner, s->function->body);
}

static void visit_offloaded(const Analysis *a, const IrStmt *s)
{
  if (ir_is_leaves(s))                   /* block 0 of its range_for tells what it uses */
    return;
  switch (s->task) {
  case IR_TASK_STRUCT_FOR:
    use_path(a, s->slot, s->snode, IR_USE_READ);
    use_list(a, s->slot, s->snode, IR_USE_READ);
    break;
  case IR_TASK_CLEAR_LIST:
    use_list(a, s->slot, s->snode, IR_USE_WRITE);
    break;
  case IR_TASK_LISTGEN:
    use_path(a, s->slot, s->snode, IR_USE_READ);
    use_list(a, s->slot, s->snode->parent, IR_USE_READ);
    use_list(a, s->slot, s->snode, IR_USE_WRITE);
    break;
  case IR_TASK_DEACTIVATE_ALL:           /* goes through the list, brought up to date first */
    use_path(a, s->slot, s->snode->parent, IR_USE_READ);
    use_lists(a, s->slot, s->snode, IR_USE_WRITE);
    use_all_below(a, s->slot, s->snode, IR_USE_WRITE);
    if (!s->snode->parent)
      use_fields_in_place(a, s->slot, s->snode, IR_USE_WRITE);
    break;
  case IR_TASK_GC:                       /* may bring the lists below up to date */
    use_lists(a, s->slot, s->snode, IR_USE_WRITE);
    use_lists_below(a, s->slot, s->snode, IR_USE_WRITE);
    use_all_below(a, s->slot, s->snode, IR_USE_WRITE);
    break;
  case IR_TASK_SERIAL: case IR_TASK_RANGE_FOR: case IR_TASKS:
    break;
  }
}

/* The slot of the tree whose value or activity the statement is about. */
static int slot_of_access(const IrStmt *s)
{
  bool has_slot = (ir_op_info[s->op].attributes & IR_ATTR_SLOT) != 0;

  return has_slot ? s->slot : cell_slot(s->operands[0]);
}

static void visit_value(const Analysis *a, const IrStmt *s)
{
  bool updates = (ir_op_info[s->op].attributes & IR_ATTR_UPDATE) != 0;
  unsigned use = !ir_changes(s, IR_OF_FIELD) ? IR_USE_READ
                 : updates && is_sum(s)      ? IR_USE_ACCUMULATE
                                             : IR_USE_WRITE;

  use_field(a, slot_of_access(s), s->field, use);
}

/* An access as written goes down the whole path; lowered it has a statement for each level. */
static void visit_activity(const Analysis *a, const IrStmt *s)
{
  const IrSNode *n = ir_snode(s);
  unsigned use = ir_activates(s) ? IR_USE_ACCUMULATE : IR_USE_READ;

  if (ir_is(s, IR_DEACTIVATES)) {
    use_path(a, s->slot, n->parent, IR_USE_READ);
    use_all_below(a, s->slot, n, IR_USE_WRITE);
  } else if (ir_op_info[s->op].stages >> IR_STAGE_LOWERED & 1) {
    use_cells(a, s->slot, n, use);
  } else {
    use_path(a, s->slot, n, use);
  }
}

static void visit(const Analysis *a, const IrStmt *s)
{
  visit_operands(a, s);
  if (ir_is(s, IR_OF_FIELD))
    visit_value(a, s);
  if (ir_is(s, IR_SEES | IR_ACTIVATES | IR_DEACTIVATES))
    visit_activity(a, s);
  a->into->draws = a->into->draws || ir_is(s, IR_DRAWS);
  a->into->prints = a->into->prints || ir_is(s, IR_PRINTS);
  if (s->op == IR_offloaded)
    visit_offloaded(a, s);
  else if (s->op == IR_call)
    visit_call(a, s);
}

/* A loop's other forms do what block 0 does, which says it more exactly: a row's sums are loads and
 * stores, which keep the values of cells that the body does not change. */
static void visit_block(const Analysis *a, const IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    const IrStmt *s = block->stmts[k];
    visit(a, s);
    for (int b = 0; b < IR_BLOCKS; b++)
      if (s->blocks[b] && !(s->op == IR_offloaded && b > 0))
        visit_block(a, s->blocks[b]);
  }
}

/* What is read of such a slot was sent to the merge buffer. */
static void note_merge(IrPermissions *p, const IrFunction *kernel)
{
  for (int s = 0; s < kernel->slot_count; s++)
    for (int k = 0; kernel->slots[s].is_merge && k < kernel->slots[s].tree->field_count; k++)
      if (p->field[s][k])
        p->field[s][k] |= IR_USE_MERGE;
}

static void note_outputs(IrPermissions *p, const IrFunction *kernel)
{
  for (int k = 0; k < kernel->output_count; k++) {
    const IrOutput *output = &kernel->outputs[k];
    if (p->field[output->slot][output->field->id])
      p->field[output->slot][output->field->id] |= IR_USE_OUTPUT;
  }
}

static IrPermissions find_permissions(Arena *arena, const IrFunction *kernel)
{
  const int count = kernel->slot_count;
  IrPermissions p = { .arena = arena };
  Analysis a = { .into = &p };

  p.field = NEW_ARRAY(arena, unsigned *, count + 1);
  p.topology = NEW_ARRAY(arena, unsigned *, count + 1);
  p.list = NEW_ARRAY(arena, unsigned *, count + 1);
  for (int s = 0; s < count; s++) {
    const IrTree *tree = kernel->slots[s].tree;
    p.field[s] = NEW_ARRAY(arena, unsigned, tree->field_count + 1);
    p.topology[s] = NEW_ARRAY(arena, unsigned, tree->snode_count);
    p.list[s] = NEW_ARRAY(arena, unsigned, tree->snode_count);
  }
  visit_block(&a, kernel->body);
  note_merge(&p, kernel);
  note_outputs(&p, kernel);
  return p;
}

IrPermissions ir_permissions(Arena *arena, const IrFunction *kernel)
{
  const IrPermissions found = find_permissions(arena, kernel);
  IrPermissions permitted;

  if (!kernel->permitted)
    return found;
  permitted = *kernel->permitted;
  permitted.prints = found.prints;
  return permitted;
}
