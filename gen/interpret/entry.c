/* The function that libsnode_interpreter is called by: finds the task in the text and runs it. */
#include "gen/interpret/interpret.h"
#include "gen/interpret/fatal.h"
#include "gen/interpret/reading.h"

#include <string.h>

typedef struct Run {
  const sn_interpreter_program *program;
  const char *kernel;
  int task;
  const snd_args *args;
  const sn_interpreter_access *access;
  Reading *reading;
  Arena *arena;                        /* of this call alone */
  int code;
} Run;

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

static void reserve_places(Interpreter *in, const IrFunction *f)
{
  for (int k = 0; k < f->local_count; k++)
    if (f->locals[k]->places > 0)
      map_put(&in->saved, f->locals[k], NEW_ARRAY(in->arena, Value, f->locals[k]->places));
}

static void make_room(Interpreter *in, const Reading *reading, const IrFunction *kernel)
{
  const int own = kernel->number_count + kernel->variable_count;

  in->record = NEW_ARRAY(in->arena, uint64_t, reading->most_operands + 2);
  in->variables = NEW_ARRAY(in->arena, Value, own + reading->function_values + 1);
  in->values = in->variables + kernel->variable_count;
  in->stack = in->values + kernel->number_count;
  map_init(&in->saved, in->arena);
  reserve_places(in, kernel);
  for (int k = 0; k < in->module->function_count; k++)
    reserve_places(in, in->module->functions[k]);
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
  m = reading_module(run->reading);
  kernel = m ? find_kernel(m, run->kernel) : NULL;
  task = kernel ? find_task(run->arena, kernel, run->task) : NULL;
  if (!places || !task || !fits(run, m, kernel, places))
    return;
  Interpreter in = { .module = m, .arena = run->arena, .places = places, .access = run->access,
                     .args = run->args,
                     .launch = (snd_launch *)(uintptr_t)run->args->launch,
                     .kernel = kernel, .function = kernel };
  for (int k = 0; k < kernel->slot_count; k++)
    in.slots[k] = k;
  make_room(&in, run->reading, kernel);
  interpret_load_frame(&in);
  interpret_task(&in, task);
  interpret_store_vars(&in);
  run->code = SN_OK;
}

int sn_interpret(const sn_interpreter_program *program, const char *kernel, int task,
                 const snd_args *args, const sn_interpreter_access *access)
{
  Run run = { .program = program, .kernel = kernel, .task = task, .args = args,
              .access = access, .reading = reading_take(program) };
  int code;

  if (!run.reading)
    return SN_ENOMEM;
  code = interpreter_guard(run_program, &run);
  arena_destroy(run.arena);
  reading_give_back(run.reading);
  return code == SN_OK ? run.code : code;
}
