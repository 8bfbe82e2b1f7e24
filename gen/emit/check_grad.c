/* --check=grad: the table by which libsnode compares the calls of an adjoint with differences of
 * its kernel: which field has which adjoint.
 */
#include "gen/emit/task.h"

static const char *pair_rows(Emit *e, const IrFunction *f)
{
  const char *rows = "";

  for (int s = 0; s < f->slot_count; s++) {
    const IrTree *tree = f->slots[s].tree;
    const TreeNames *t = &e->trees[tree->id];
    for (int k = 0; k < tree->field_count; k++)
      if (tree->fields[k]->grad)
        rows = format(e->arena, "%s  { %s },\n", rows,
                      members(e->arena, "slot", decimal(e->arena, s), "field", t->field_id[k],
                              "adjoint", t->field_id[tree->fields[k]->grad->id], NULL));
  }
  return rows;
}

static bool has_append(const IrBlock *body)
{
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (s->op == IR_append || s->op == IR_append_cell)
      return true;
  return false;
}

static bool appends(Emit *e, const IrBlock *body)
{
  const IrCalled called = ir_called(e->arena, body);

  for (int k = 0; k < called.count; k++)
    if (has_append(called.functions[k]->body))
      return true;
  return has_append(body);
}

const char *write_grad_check(Emit *e, const IrFunction *primal, const char *primal_info,
                             const IrFunction *adjoint)
{
  const char *name = names_take(&e->names, format(e->arena, "%s_check", adjoint->name));
  const char *rows = pair_rows(e, primal);
  Arena *a = e->arena;
  const char *table = *rows ? write_table(e, "snd_adjoint_pair",
                                          format(a, "%s_pairs", adjoint->name), rows) : "NULL";

  write_line(e, "static const snd_grad_check %s = {", name);
  e->indent++;
  write_members(e, members(a, "primal", format(a, "&%s", primal_info), NULL));
  write_members(e, tables(a, "pair", table, NULL));
  write_members(e, members(a, "appends", appends(e, primal->body) ? "1" : "0", NULL));
  e->indent--;
  write_line(e, "};");
  write_line(e, "%s", "");
  return format(a, "&%s", name);
}
