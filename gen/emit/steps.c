/* The steps of a kernel call: its tasks as they are handed to libsnode's sequencer, in
 * the order of the IR, and what the host decides between them.
 */
#include "gen/emit/task.h"

typedef struct Steps {
  Emit *emit;
  const KernelNames *names;
  const char *call;            /* the sn_call */
  int task;                    /* number of the next one */
} Steps;

typedef struct Calls {         /* of one step, or of several */
  const char **texts;
  int count;
} Calls;

/* ---- tasks ---- */

static void add_call(Steps *s, Calls *c, const char *text)
{
  vec_push(s->emit->arena, c->texts, c->count, text);
}

/* The list of a struct-for is asked for just before it: what its IR tasks say
 * (clear_list, listgen, from the root down) libsnode does where it is stale. */
static void add_task(Steps *s, Calls *c, const IrStmt *task)
{
  Emit *e = s->emit;
  const IrSNode *n = task->snode;
  const char *place = n ? format(e->arena, "%s, %d, %s", s->call, task->slot,
                                 e->trees[n->tree->id].snode[n->id].id) : NULL;

  switch (task->task) {
  case IR_TASK_STRUCT_FOR:
    add_call(s, c, format(e->arena, "sn_call_list(%s)", place));
    add_call(s, c, format(e->arena, "sn_call_task(%s, %d)", s->call, s->task++));
    break;
  case IR_TASK_SERIAL: case IR_TASK_RANGE_FOR:
    add_call(s, c, format(e->arena, "sn_call_task(%s, %d)", s->call, s->task++));
    break;
  case IR_TASK_DEACTIVATE_ALL:
    add_call(s, c, format(e->arena, "sn_call_deactivate_all(%s)", place));
    break;
  case IR_TASK_GC:
    add_call(s, c, format(e->arena, "sn_call_gc(%s)", place));
    break;
  case IR_TASK_CLEAR_LIST: case IR_TASK_LISTGEN: case IR_TASKS:
    break;
  }
}

static void write_task(Steps *s, const IrStmt *task)
{
  Calls c = { 0 };

  add_task(s, &c, task);
  for (int k = 0; k < c.count; k++)
    write_line(s->emit, "%s;", c.texts[k]);
}

/* ---- what the host decides ---- */

static void write_block(Steps *s, const IrBlock *block);

/* After an error nothing holds, so that every loop ends. */
static const char *test_text(Steps *s, const IrStmt *test)
{
  Emit *e = s->emit;

  if (test->op == IR_const)
    return test->value.i ? format(e->arena, "sn_call_stands(%s)", s->call) : "0";
  return format(e->arena, "sn_call_test(%s, offsetof(%s, %s))", s->call, s->names->vars,
                (const char *)map_get(&s->names->var_member, test->variable));
}

static void write_braced(Steps *s, const IrBlock *block)
{
  s->emit->indent++;
  write_block(s, block);
  s->emit->indent--;
}

static void write_if(Steps *s, const IrStmt *branch)
{
  const char *test = test_text(s, branch->operands[0]);

  write_line(s->emit, "if (%s) {", test);
  write_braced(s, branch->blocks[0]);
  if (branch->blocks[1]->count > 0) {
    write_line(s->emit, "} else {");
    write_braced(s, branch->blocks[1]);
  }
  write_line(s->emit, "}");
}

/* What follows each turn, after a continue too, as a for's step: tasks only.  They are
 * numbered as they stand in the IR: behind those of the body. */
static const char *step_text(Steps *s, const IrBlock *next)
{
  const char *text = "";
  Calls c = { 0 };

  for (int k = 0; k < next->count; k++)
    if (next->stmts[k]->op == IR_offloaded)
      add_task(s, &c, next->stmts[k]);
  for (int k = 0; k < c.count; k++)
    text = format(s->emit->arena, "%s%s%s", text, k ? ", " : "", c.texts[k]);
  return text;
}

static void write_while(Steps *s, const IrStmt *loop)
{
  const char *test = test_text(s, loop->operands[0]), *step;
  Text body = { 0 }, *out = s->emit->out;

  s->emit->out = &body;
  write_braced(s, loop->blocks[1]);
  s->emit->out = out;
  step = step_text(s, loop->blocks[2]);
  if (*step)
    write_line(s->emit, "for (; %s; %s) {", test, step);
  else
    write_line(s->emit, "while (%s) {", test);
  if (body.data)
    text_add(out, body.data);
  write_line(s->emit, "}");
  text_free(&body);
}

/* Behind the steps that have the name, where others follow. */
static void write_end_of_name(Steps *s, const IrBlock *block, int at)
{
  if (at + 1 < block->count)
    write_comment(s->emit, format(s->emit->arena, "end of %s",
                                  ir_named_block(block->stmts[at])->text));
}

static void write_block(Steps *s, const IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    const IrStmt *stmt = block->stmts[k];
    switch (stmt->op) {
    case IR_block:     write_comment(s->emit, stmt->text); break;
    case IR_end_block: write_end_of_name(s, block, k); break;
    case IR_offloaded: write_task(s, stmt); break;
    case IR_if:        write_if(s, stmt); break;
    case IR_while:     write_while(s, stmt); break;
    case IR_break:     write_line(s->emit, "break;"); break;
    case IR_continue:  write_line(s->emit, "continue;"); break;
    case IR_return:    write_line(s->emit, "return;"); break;
    default:           break;          /* what is tested: read where it is */
    }
  }
}

void emit_steps(Emit *e, const IrFunction *f, const KernelNames *names, const char *call)
{
  Steps s = { .emit = e, .names = names, .call = call };

  write_block(&s, f->body);
}
