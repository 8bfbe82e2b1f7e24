/* The table of what a kernel may do: a row for each field, topology and list that it, or a
 * function it calls, reads, writes or accumulates (gen/ir/permission.c finds that).
 */
#include "gen/emit/task.h"
#include "gen/ir/permission.h"

static const char *use_text(Emit *e, unsigned use)
{
  static const char *const words[IR_USES] = { "SND_MAY_READ", "SND_MAY_WRITE", "SND_MAY_ACCUMULATE",
                                              "SND_MAY_MERGE", "SND_MAY_OUTPUT" };
  const char *text = "";

  for (int k = 0; k < IR_USES; k++)
    if (use >> k & 1)
      text = format(e->arena, "%s%s%s", text, *text ? " | " : "", words[k]);
  return text;
}

static void write_row(Emit *e, int slot, const char *what, const char *snode, unsigned use)
{
  if (use)
    write_line(e, "{ %s },", members(e->arena, "slot", decimal(e->arena, slot), "field", what,
                                     "snode", snode, "use", use_text(e, use), NULL));
}

static void write_tree_rows(Emit *e, int slot, const IrTree *tree, const IrPermissions *p)
{
  const TreeNames *t = &e->trees[tree->id];

  for (int k = 0; k < tree->field_count; k++)
    write_row(e, slot, t->field_id[k], t->snode[tree->fields[k]->snode->id].id,
              p->field[slot][k]);
  for (int k = 0; k < tree->snode_count; k++)
    write_row(e, slot, "SND_USED_TOPOLOGY", t->snode[k].id, p->topology[slot][k]);
  for (int k = 0; k < tree->snode_count; k++)
    write_row(e, slot, "SND_USED_LIST", t->snode[k].id, p->list[slot][k]);
}

static void write_rows(Emit *e, const IrFunction *f)
{
  const IrPermissions p = ir_permissions(e->arena, f);

  for (int s = 0; s < f->slot_count; s++)
    write_tree_rows(e, s, f->slots[s].tree, &p);
  write_row(e, f->slot_count ? 0 : -1, "SND_USED_DRAWS", "0", p.draws ? IR_USE_WRITE : 0);
  write_row(e, -1, "SND_USED_OUTPUT", "0", p.prints ? IR_USE_WRITE : 0);
}

const char *write_permissions(Emit *e, const IrFunction *f)
{
  Text rows = { 0 }, *out = e->out;
  const char *name = "NULL";

  e->out = &rows;
  e->indent++;
  write_rows(e, f);
  e->indent--;
  e->out = out;
  if (rows.data)
    name = write_table(e, "snd_permission", format(e->arena, "%s_permissions", f->name), rows.data);
  text_free(&rows);
  return name;
}
