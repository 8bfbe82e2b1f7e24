/* reductions: updates of a kernel-level variable that no one reads meanwhile
 * are summed up by each thread for itself.
 *
 *   <f64> $7 = update sum add $6   =>   the same, marked `reduction`
 *
 * Needs: the module split.
 * Guarantees: of an update marked so the old value is not used, and in its task
 * the variable is neither read nor set, and all its updates are of one kind
 * (sums and differences are one).  Those of f16, which each addition rounds, stay atomic.
 */
#include "gen/passes/tools.h"

typedef struct Candidate {
  const IrVariable *variable;
  int kind;                   /* Op, -1: none seen yet */
  bool refused;
  const int *uses;
} Candidate;

static void examine(Candidate *c, const IrStmt *s)
{
  int kind;

  if (s->variable != c->variable)
    return;
  kind = -1;
  if (s->op == IR_update && c->uses[s->id] == 0)
    kind = reduction_kind(s->update);
  if (kind < 0 || (c->kind >= 0 && c->kind != kind))
    c->refused = true;
  c->kind = kind;
}

static void reduce_in_task(IrFunction *f, IrStmt *task, const int *uses)
{
  const IrBlock *body = task->blocks[0];

  for (int k = 0; k < f->local_count; k++) {
    Candidate c = { .variable = f->locals[k], .kind = -1, .uses = uses };
    if (c.variable->kind != IR_VAR_KERNEL || c.variable->type == TY(F16))
      continue;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      examine(&c, s);
    for (IrStmt *s = ir_first(body); s && c.kind >= 0 && !c.refused; s = ir_next(s, body))
      if (s->variable == c.variable && s->op == IR_update)
        s->reduction = true;
  }
}

void pass_reductions(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++) {
    IrFunction *f = m->kernels[k];
    const int *uses = count_uses(m, f);
    const IrTasks t = ir_tasks(m->arena, f);
    for (int i = 0; i < t.count; i++)
      if (is_parallel(t.tasks[i]))
        reduce_in_task(f, t.tasks[i], uses);
  }
}
