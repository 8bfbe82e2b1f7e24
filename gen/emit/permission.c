/* What a kernel may do: a row for each field and each topology that it, or a
 * function it calls, reads, writes or accumulates.
 *
 * The runtime schedules by these rows: so what an instruction might do counts,
 * whether it is reached or not.
 */
#include "gen/emit/task.h"

enum { USE_READ = 1, USE_WRITE = 2, USE_ACCUMULATE = 4 };

typedef struct Permissions {
  Emit *emit;
  const int *slots;                      /* of the function at hand -> the kernel's; NULL: same */
  int slot_count;
  unsigned *field[MAX_SLOTS], *topology[MAX_SLOTS];
} Permissions;

static int slot_of(const Permissions *p, int slot)
{
  return p->slots ? p->slots[slot] : slot;
}

static void use_field(Permissions *p, int slot, const IrField *f, unsigned use)
{
  p->field[slot_of(p, slot)][f->id] |= use;
}

/* A dense SNode's topology is that of the sparse SNodes above it. */
static void use_topology(Permissions *p, int slot, const IrSNode *n, unsigned use)
{
  for (; n; n = n->parent)
    if (ir_is_sparse(n))
      p->topology[slot_of(p, slot)][n->id] |= use;
}

/* The slot of the tree that a cell value lies in. */
static int cell_slot(const IrStmt *cell)
{
  while (cell->op == IR_cell)
    cell = cell->operands[0];
  return cell->op == IR_own_cell || cell->op == IR_appended ? cell->operands[0]->slot
                                                            : cell->slot;
}

static void visit(IrStmt *s, void *user);

static void visit_call(Permissions *p, const IrStmt *s)
{
  int mapped[MAX_SLOTS];
  Permissions inner = *p;

  for (int k = 0; k < s->function->slot_count; k++)
    mapped[k] = slot_of(p, s->slots[k]);
  inner.slots = mapped;
  ir_walk(s->function->body, visit, &inner);
}

static void visit_atomic(Permissions *p, const IrStmt *s, int slot)
{
  use_field(p, slot, s->field, USE_ACCUMULATE);
  use_topology(p, slot, s->field->snode, USE_READ | USE_WRITE);
}

static void visit(IrStmt *s, void *user)
{
  Permissions *p = user;

  switch (s->op) {
  case IR_read:
    use_field(p, s->slot, s->field, USE_READ);
    use_topology(p, s->slot, s->field->snode, USE_READ);
    break;
  case IR_write:
    use_field(p, s->slot, s->field, USE_WRITE);
    use_topology(p, s->slot, s->field->snode, USE_READ | USE_WRITE);
    break;
  case IR_atomic:
    visit_atomic(p, s, s->slot);
    break;
  case IR_load:
    use_field(p, cell_slot(s->operands[0]), s->field, USE_READ);
    break;
  case IR_store:
    use_field(p, cell_slot(s->operands[0]), s->field, USE_WRITE);
    break;
  case IR_cell_atomic:
    use_field(p, cell_slot(s->operands[0]), s->field, USE_ACCUMULATE);
    break;
  case IR_cell:
    use_topology(p, s->slot, s->snode,
                 s->mode == IR_MODE_ACTIVATE ? USE_READ | USE_WRITE : USE_READ);
    break;
  case IR_is_active: case IR_length: case IR_cell_length:
    use_topology(p, s->slot, s->snode, USE_READ);
    break;
  case IR_activate: case IR_deactivate: case IR_release_cell:
  case IR_append: case IR_append_cell:
    use_topology(p, s->slot, s->snode, USE_READ | USE_WRITE);
    break;
  case IR_call:
    visit_call(p, s);
    break;
  default:
    break;
  }
}

static void visit_task(Permissions *p, const IrStmt *task)
{
  if (task->task == IR_TASK_STRUCT_FOR)
    use_topology(p, task->slot, task->snode, USE_READ);
  if (task->task == IR_TASK_DEACTIVATE_ALL || task->task == IR_TASK_GC) {
    const IrTree *tree = task->snode->tree;
    for (int k = 0; k < tree->snode_count; k++)
      use_topology(p, task->slot, tree->snodes[k], USE_READ | USE_WRITE);
  }
  if (task->task == IR_TASK_DEACTIVATE_ALL && !task->snode->parent)
    for (int k = 0; k < task->snode->field_count; k++)
      use_field(p, task->slot, task->snode->fields[k], USE_WRITE);
  if (task->blocks[0])
    ir_walk(task->blocks[0], visit, p);
}

static const char *use_text(Emit *e, unsigned use)
{
  static const char *const words[] = { "SN_USE_READ", "SN_USE_WRITE", "SN_USE_ACCUMULATE" };
  const char *text = "";

  for (int k = 0; k < 3; k++)
    if (use >> k & 1)
      text = format(e->arena, "%s%s%s", text, *text ? " | " : "", words[k]);
  return text;
}

static int write_rows(Emit *e, const IrFunction *f, const Permissions *p)
{
  int count = 0;

  for (int s = 0; s < f->slot_count; s++) {
    const IrTree *tree = f->slots[s].tree;
    const TreeNames *t = &e->trees[tree->id];
    for (int k = 0; k < tree->field_count; k++)
      if (p->field[s][k]) {
        write_line(e, "{ %d, %s, %s, %s },", s, t->field_id[k],
                   t->snode[tree->fields[k]->snode->id].id, use_text(e, p->field[s][k]));
        count++;
      }
    for (int k = 0; k < tree->snode_count; k++)
      if (p->topology[s][k]) {
        write_line(e, "{ %d, -1, %s, %s },", s, t->snode[k].id, use_text(e, p->topology[s][k]));
        count++;
      }
  }
  return count;
}

const char *write_permissions(Emit *e, const IrFunction *f, int *count)
{
  const IrTasks all = ir_tasks(e->arena, f);
  Permissions p = { .emit = e };
  Text rows = { 0 }, *out = e->out;
  const char *name = "NULL";

  for (int s = 0; s < f->slot_count; s++) {
    p.field[s] = NEW_ARRAY(e->arena, unsigned, f->slots[s].tree->field_count + 1);
    p.topology[s] = NEW_ARRAY(e->arena, unsigned, f->slots[s].tree->snode_count);
  }
  for (int k = 0; k < all.count; k++)
    visit_task(&p, all.tasks[k]);
  e->out = &rows;
  e->indent++;
  *count = write_rows(e, f, &p);
  e->indent--;
  e->out = out;
  if (*count) {
    name = names_take(&e->names, format(e->arena, "%s_permissions", f->name));
    write_line(e, "static const sn_permission %s[] = {", name);
    text_add(e->out, rows.data);
    write_line(e, "};");
    write_line(e, "%s", "");
  }
  text_free(&rows);
  return name;
}
