/* The door of libsnode_interpreter: finds the task in the text and runs it.
 *
 * The text is read at every call: it takes a fraction of a millisecond, and
 * nothing outlives the call, so there is nothing to lock.
 */
#define _POSIX_C_SOURCE 200809L        /* uselocale */

#include "gen/interpret/interpret.h"
#include "gen/interpret/fatal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
  const sn_interpreter_program *program;
  const char *kernel;
  int task;
  const snd_args *args;
  const sn_interpreter_access *access;
  const char *text;
  Arena *arena;
  int code;
} Run;

/* ---- the text ---- */

static char *join(const char *const *pieces)
{
  size_t length = 0, at = 0;
  char *text;

  for (int k = 0; pieces[k]; k++)
    length += strlen(pieces[k]);
  text = malloc(length + 1);
  if (!text)
    return NULL;
  for (int k = 0; pieces[k]; k++) {
    size_t piece = strlen(pieces[k]);
    memcpy(text + at, pieces[k], piece);
    at += piece;
  }
  text[at] = '\0';
  return text;
}

/* Numbers have a point, whatever the process calls one. */
static IrModule *read_text(Run *run)
{
  Source source = { .path = "", .text = run->text, .length = strlen(run->text) };
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t old = c ? uselocale(c) : (locale_t)0;
  IrModule *m = ir_read(run->arena, NULL, &source);

  if (c) {
    uselocale(old);
    freelocale(c);
  }
  return m && !ir_verify(m, 1) ? m : NULL;
}

/* ---- what the call names ---- */

static IrFunction *find_kernel(const IrModule *m, const char *name)
{
  for (int k = 0; k < m->kernel_count; k++)
    if (strcmp(m->kernels[k]->name, name) == 0)
      return m->kernels[k];
  return NULL;
}

static const sn_interpreter_kernel *find_places(const Run *run)
{
  for (uint32_t k = 0; k < run->program->kernel_count; k++)
    if (strcmp(run->program->kernels[k].name, run->kernel) == 0)
      return &run->program->kernels[k];
  return NULL;
}

static const IrStmt *find_task(Arena *arena, const IrFunction *kernel, int task)
{
  const IrTasks all = ir_tasks(arena, kernel);

  for (int k = 0; k < all.count; k++)
    if (all.tasks[k]->blocks[0] && task-- == 0)
      return all.tasks[k];
  return NULL;
}

static uint32_t count_vars(const IrFunction *kernel)
{
  uint32_t count = 0;

  for (int k = 0; k < kernel->local_count; k++)
    count += kernel->locals[k]->kind == IR_VAR_KERNEL;
  return count;
}

static bool fits(const Run *run, const IrModule *m, const IrFunction *kernel,
                 const sn_interpreter_kernel *places)
{
  for (int k = 0; k < m->function_count; k++)
    if (m->functions[k]->slot_count > SND_MAX_SLOTS)
      return false;
  return kernel->slot_count <= SND_MAX_SLOTS && run->args->slot_count >= kernel->slot_count &&
         places->param_count == (uint32_t)kernel->param_count &&
         places->var_count == count_vars(kernel);
}

/* ---- room ---- */

static int most_operands(const IrFunction *f)
{
  int most = 0;

  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (s->operand_count > most)
      most = s->operand_count;
  return most;
}

static void reserve_places(Interpreter *in, IrModule *m, const IrFunction *kernel)
{
  in->saved = NEW_ARRAY(m->arena, Value *, kernel->variable_count + 1);
  for (int k = 0; k < kernel->local_count; k++) {
    const IrVariable *v = kernel->locals[k];
    if (v->places > 0)
      in->saved[v->id] = NEW_ARRAY(m->arena, Value, v->places);
  }
}

/* No function calls itself, so one frame for each is enough. */
static void make_room(Interpreter *in, IrModule *m, IrFunction *kernel)
{
  int most = most_operands(kernel), values = 0, operands;

  for (int k = 0; k < m->function_count; k++) {
    ir_number(m->functions[k]);
    values += m->functions[k]->number_count + m->functions[k]->variable_count;
    operands = most_operands(m->functions[k]);
    most = operands > most ? operands : most;
  }
  ir_number(kernel);
  values += kernel->number_count + kernel->variable_count;
  in->record = NEW_ARRAY(m->arena, uint64_t, most + 2);
  in->variables = NEW_ARRAY(m->arena, Value, values + 1);
  in->values = in->variables + kernel->variable_count;
  in->stack = in->values + kernel->number_count;
  reserve_places(in, m, kernel);
}

/* ---- the call ---- */

static void run_program(void *user)
{
  Run *run = user;
  const sn_interpreter_kernel *places = find_places(run);
  IrFunction *kernel;
  const IrStmt *task;
  IrModule *m;

  run->code = SN_EBUG;
  run->arena = arena_create();
  m = read_text(run);
  kernel = m ? find_kernel(m, run->kernel) : NULL;
  task = kernel ? find_task(run->arena, kernel, run->task) : NULL;
  if (!places || !task || !fits(run, m, kernel, places))
    return;
  Interpreter in = { .module = m, .places = places, .access = run->access, .args = run->args,
                     .launch = (snd_launch *)(uintptr_t)run->args->launch,
                     .kernel = kernel, .function = kernel };
  for (int k = 0; k < kernel->slot_count; k++)
    in.slots[k] = k;
  make_room(&in, m, kernel);
  interpret_load_frame(&in);
  interpret_task(&in, task);
  interpret_store_vars(&in);
  run->code = SN_OK;
}

int sn_interpret(const sn_interpreter_program *program, const char *kernel, int task,
                 const snd_args *args, const sn_interpreter_access *access)
{
  Run run = { .program = program, .kernel = kernel, .task = task, .args = args,
              .access = access };
  char *text = join(program->text);
  int code;

  if (!text)
    return SN_ENOMEM;
  run.text = text;
  code = interpreter_guard(run_program, &run);
  arena_destroy(run.arena);
  free(text);
  return code == SN_OK ? run.code : code;
}
