/* Runs the passes of the table in order, and what developers ask between them:
 * verifying, dumping, timing, counting.
 */
#include "gen/passes/passes.h"

#include <string.h>
#include <time.h>

const Pass pass_table[PASS_COUNT] = {
#define PASS(name, level, required, stage, help) \
  { #name, pass_##name, level, required, stage, help },
#include "gen/passes/passes.def"
#undef PASS
};

int pass_by_name(const char *name)
{
  for (int k = 0; k < PASS_COUNT; k++)
    if (strcmp(pass_table[k].name, name) == 0)
      return k;
  return -1;
}

void pipeline_init(Pipeline *p, int level)
{
  memset(p, 0, sizeof *p);
  p->stop_after = p->only = p->capture = -1;
  for (int k = 0; k < PASS_COUNT; k++)
    p->enabled[k] = pass_table[k].required || level >= pass_table[k].level;
}

int count_statements(const IrModule *m)
{
  int count = 0;

  for (int k = 0; k < ir_function_count(m); k++) {
    const IrBlock *body = ir_function(m, k)->body;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      count++;
  }
  return count;
}

static void number_all(IrModule *m)
{
  for (int k = 0; k < ir_function_count(m); k++)
    ir_number(ir_function(m, k));
}

static void run_one(Pipeline *p, IrModule *m, int k)
{
  clock_t begin = clock();
  const char *broken;

  pass_table[k].run(m);
  p->seconds[k] = (double)(clock() - begin) / CLOCKS_PER_SEC;
  number_all(m);
  p->has_run[k] = true;
  if (p->counts)
    p->statements[k] = count_statements(m);
  if (p->dump[k]) {
    Text text = { 0 };
    ir_print(m, &text);
    fprintf(stderr, "-- after %s --\n%s", pass_table[k].name,
            text.data ? text.data : "");
    text_free(&text);
  }
  broken = p->verify_each ? ir_verify(m, pass_table[k].stage) : NULL;
  if (broken)
    ICE("after pass %s: %s", pass_table[k].name, broken);
}

void pipeline_run(Pipeline *p, IrModule *m, PassId last)
{
  if (p->only >= 0) {
    run_one(p, m, p->only);
    return;
  }
  for (int k = 0; k <= (int)last; k++) {
    if (p->enabled[k])
      run_one(p, m, k);
    if (k == p->capture)
      ir_print(m, &p->captured);
    if (k == p->stop_after)
      return;
  }
}
