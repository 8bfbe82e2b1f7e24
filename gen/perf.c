/* What -Wperf says about a module: stores that other iterations may meet, and
 * updates that the machine does not do in one step.
 */
#include "gen/perf.h"

#include <stddef.h>

static const char *name_of(const IrStmt *s)
{
  return s->field ? s->field->name : s->variable->name;
}

/* Why the update takes a loop, or NULL. */
static const char *why_loop(const IrStmt *s)
{
  switch (s->update) {
  case IR_UPDATE_DIV: return "no machine divides in memory";
  case IR_UPDATE_MOD: return "no machine divides in memory";
  case IR_UPDATE_SHL: return "no machine shifts in memory";
  case IR_UPDATE_SHR: return "no machine shifts in memory";
  default:
    return type_is_integer(s->type) && s->type->bits < 32
               ? "its type has less than 32 bits" : NULL;
  }
}

static bool is_shared_update(const IrStmt *s)
{
  return (s->op == IR_cell_atomic || s->op == IR_array_atomic ||
          (s->op == IR_update && !s->reduction)) && !s->plain;
}

static void report(IrStmt *s, void *user)
{
  Diag *d = user;

  if ((s->op == IR_store || s->op == IR_array_write) && s->relaxed)
    diag(d, DIAG_RELAXED_STORE, s->loc, name_of(s));
  else if (is_shared_update(s) && why_loop(s))
    diag(d, DIAG_UPDATE_LOOP, s->loc, name_of(s), why_loop(s));
}

void report_performance(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->function_count; k++)
    ir_walk(m->functions[k]->body, report, d);
  for (int k = 0; k < m->kernel_count; k++)
    ir_walk(m->kernels[k]->body, report, d);
}
