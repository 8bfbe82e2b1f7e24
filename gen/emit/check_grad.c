/* --check=grad: the table by which libsnode compares the calls of an adjoint with differences of
 * its kernel: which field has which adjoint, and which element of the result has which parameter.
 */
#include "gen/emit/task.h"

static const char *pair_rows(Emit *e, const IrFunction *f, int *count)
{
  const char *rows = "";

  *count = 0;
  for (int s = 0; s < f->slot_count; s++) {
    const IrTree *tree = f->slots[s].tree;
    const TreeNames *t = &e->trees[tree->id];
    for (int k = 0; k < tree->field_count; k++)
      if (tree->fields[k]->grad) {
        rows = format(e->arena, "%s  { %s },\n", rows,
                      members(e->arena, "slot", decimal(e->arena, s), "field", t->field_id[k],
                              "adjoint", t->field_id[tree->fields[k]->grad->id], NULL));
        ++*count;
      }
  }
  return rows;
}

/* Where element k of the result stands in what a call gets. */
static const char *offset_text(Emit *e, const IrFunction *primal, int k)
{
  const IrVariable *result = primal->results[k];

  if (result->of)
    return format(e->arena, "offsetof(%s, %s)", struct_type(e, result->of),
                  struct_path(e, result->of, k));
  return k ? format(e->arena, "%d * sizeof(%s)", k, c_type(result->type)) : "0";
}

static const char *result_rows(Emit *e, const IrFunction *primal, const IrFunction *adjoint,
                               const KernelNames *k, int count)
{
  const char *rows = "";

  for (int r = 0; r < count; r++) {
    const IrVariable *param = adjoint->params[primal->param_count + r];
    rows = format(e->arena, "%s  { %s },\n", rows,
                  members(e->arena, "type", sn_type_name(param->type),
                          "offset", offset_text(e, primal, r),
                          "adjoint", format(e->arena, "offsetof(%s, %s)", k->params,
                                            (const char *)map_get(&k->param_member, param)), NULL));
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

static const char *table(Emit *e, const char *type, const IrFunction *f, const char *what,
                         int count, const char *rows)
{
  return count ? write_table(e, type, format(e->arena, "%s_%s", f->name, what), rows) : "NULL";
}

const char *write_grad_check(Emit *e, const IrFunction *primal, const char *primal_info,
                             const IrFunction *adjoint, const KernelNames *k)
{
  const char *name = names_take(&e->names, format(e->arena, "%s_check", adjoint->name));
  const int results = adjoint->param_count - primal->param_count;
  int pairs;
  const char *rows = pair_rows(e, primal, &pairs);
  const char *pair_table = table(e, "snd_adjoint_pair", adjoint, "pairs", pairs, rows);
  const char *result_table = table(e, "snd_adjoint_result", adjoint, "results", results,
                                   result_rows(e, primal, adjoint, k, results));
  Arena *a = e->arena;

  write_line(e, "static const snd_grad_check %s = {", name);
  e->indent++;
  write_members(e, members(a, "primal", format(a, "&%s", primal_info), NULL));
  write_members(e, members(a, "pair_count", decimal(a, pairs), "pairs", pair_table, NULL));
  write_members(e, members(a, "result_count", decimal(a, results), "results", result_table, NULL));
  write_members(e, members(a, "appends", appends(e, primal->body) ? "1" : "0", NULL));
  e->indent--;
  write_line(e, "};");
  write_line(e, "%s", "");
  return format(a, "&%s", name);
}
