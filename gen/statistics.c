/* Statistics of a compile: sums by name, for --stats=json.  The names are documented in
 * snodegen(1), and stay: programs read them.
 */
#include "gen/statistics.h"

#include <string.h>

void statistics_add(Statistics *s, const char *name, long long value)
{
  const Statistic first = { name, value };

  for (int k = 0; k < s->count; k++)
    if (strcmp(s->sums[k].name, name) == 0) {
      s->sums[k].sum += value;
      return;
    }
  vec_push(s->arena, s->sums, s->count, first);
}

/* ---- what is counted ---- */

void statistics_written(Statistics *s, const IrModule *m)
{
  statistics_add(s, "trees", m->tree_count);
  statistics_add(s, "snodes", 0);
  statistics_add(s, "places", 0);
  for (int k = 0; k < m->tree_count; k++) {
    statistics_add(s, "snodes", m->trees[k]->snode_count);
    statistics_add(s, "places", m->trees[k]->field_count + m->trees[k]->virtual_count);
  }
  statistics_add(s, "functions", m->function_count);
  statistics_add(s, "kernels", m->kernel_count);
  statistics_add(s, "written_statements", count_statements(m));
}

void statistics_passes(Statistics *s, const Pipeline *p)
{
  for (int k = 0; k < PASS_COUNT; k++)
    if (p->has_run[k])
      statistics_add(s, intern_format(s->arena, "pass_%s_statements", pass_table[k].name),
                     p->statements[k]);
}

static void count_tasks(Statistics *s, const IrFunction *kernel)
{
  const IrTasks t = ir_tasks(s->arena, kernel);

  for (int k = 0; k < t.count; k++)
    if (!ir_is_leaves(t.tasks[k])) {
      statistics_add(s, "codegen_offloaded_tasks", 1);
      statistics_add(s, intern_format(s->arena, "codegen_%s_tasks",
                                      ir_task_name[t.tasks[k]->task]), 1);
    }
}

/* Of near forms. */
static void count_windows(Statistics *s, const IrFunction *kernel)
{
  for (IrStmt *at = ir_first(kernel->body); at; at = ir_next(at, kernel->body))
    statistics_add(s, "codegen_windows", at->op == IR_window);
}

/* A name is there whether there are such tasks or not. */
void statistics_made(Statistics *s, const IrModule *m)
{
  statistics_add(s, "codegen_statements", count_statements(m));
  statistics_add(s, "codegen_offloaded_tasks", 0);
  statistics_add(s, "codegen_windows", 0);
  for (int k = 0; k < IR_TASKS; k++)
    statistics_add(s, intern_format(s->arena, "codegen_%s_tasks", ir_task_name[k]), 0);
  for (int k = 0; k < m->kernel_count; k++)
    count_tasks(s, m->kernels[k]);
  for (int k = 0; k < m->kernel_count; k++)
    count_windows(s, m->kernels[k]);
}

/* ---- JSON ---- */

void statistics_json(const Statistics *s, Text *out)
{
  text_add(out, "{\n");
  for (int k = 0; k < s->count; k++)
    text_format(out, "  \"%s\": %lld%s\n", s->sums[k].name, s->sums[k].sum,
                k + 1 < s->count ? "," : "");
  text_add(out, "}\n");
}
