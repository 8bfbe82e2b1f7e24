/* The stages in order, and what is asked between them. */
#include "gen/compile.h"
#include "gen/cached.h"
#include "gen/ir/permission.h"
#include "gen/lower/lower.h"
#include "gen/mode_findings.h"
#include "gen/perf.h"
#include "gen/show.h"
#include "gen/statistics.h"
#include "gen/underived.h"

#include <string.h>

enum { OPTIMIZED_LEVEL = 2 };

typedef struct Stages {
  Compilation *all;
  Arena *arena;
  const Options *options;
  Diag *diag;
  IrModule *module;
  Text written;               /* the IR as written, where it is asked for */
  Pipeline pipeline;
  Statistics statistics;
} Stages;

/* ---- the front ---- */

static Stages begin(Compilation *c)
{
  return (Stages){ .all = c,
                   .arena = c->arena,
                   .options = c->options,
                   .statistics = { .arena = c->arena },
                   .diag = diag_create(c->arena, &c->options->diag, c->messages) };
}

static Program *parse_source(Stages *c)
{
  return parse(c->arena, c->diag, &c->all->source, c->all->importer,
               c->options->defines, c->options->define_count);
}

static IrBounds bounds_of(const Options *o)
{
  if (o->bounds >= 0)
    return (IrBounds)o->bounds;
  return o->level >= 3 ? IR_BOUNDS_NONE : IR_BOUNDS_TRAP;
}

static int check_source(Stages *c, Program **program)
{
  *program = parse_source(c);
  (*program)->path = c->all->source.path;
  (*program)->prefix = c->all->prefix;
  (*program)->has_device_header = (c->options->emit & EMIT_DEVICE) != 0;
  (*program)->has_zero_bounds = bounds_of(c->options) == IR_BOUNDS_ZERO;
  if (check(*program, c->diag))
    return 0;
  return (*program)->has_usage_error ? EXIT_USAGE : EXIT_SOURCE;
}

static LowerOptions lower_options(const Stages *c)
{
  return (LowerOptions){ .checks = c->options->checks,
                         .no_assert = c->options->no_assert,
                         .bounds = bounds_of(c->options),
                         .has_one_thread = !has_parallel_tasks(c->options->target),
                         .keeps_source = c->options->pass[PASS_trace] > 0 };
}

static int lower_program(Stages *c, const Program *program)
{
  const LowerOptions options = lower_options(c);
  const char *broken;

  c->module = lower(program, c->diag, &options);
  if (!c->module)
    return EXIT_SOURCE;
  statistics_written(&c->statistics, c->module);
  broken = c->options->verify_each ? ir_verify(c->module, 0) : NULL;
  if (broken)
    ICE("as written: %s", broken);
  if ((c->options->emit & EMIT_IR) && c->options->ir_after == IR_AS_WRITTEN)
    ir_print(c->module, &c->written);
  return 0;
}

/* ---- the passes ---- */

static void set_pipeline(Stages *c)
{
  const Options *o = c->options;
  Pipeline *p = &c->pipeline;

  /* the interpreter is the oracle of the passes: none has changed what it runs */
  pipeline_init(p, o->target == EMIT_INTERPRETER ? 0 : o->level);
  p->counts = o->stats || o->stats_json;
  for (int k = 0; k < PASS_COUNT; k++) {
    if (o->pass[k])
      p->enabled[k] = o->pass[k] > 0;
    p->dump[k] = o->dump[k];
  }
  p->verify_each = o->verify_each;
  p->stop_after = o->stop_after;
  p->only = o->run_pass;
  if (o->emit & EMIT_IR)
    p->capture = o->ir_after == IR_DEFAULT ? PASS_reductions : o->ir_after;
  if (o->stop_after >= 0)
    p->capture = o->stop_after;
}

/* The interpreter runs accesses as the program has them, in tasks. */
static PassId last_pass(const Options *o)
{
  return o->target == EMIT_INTERPRETER ? PASS_reductions : PASS_COUNT - 1;
}

static void report_passes(const Stages *c)
{
  const Options *o = c->options;

  for (int k = 0; k < PASS_COUNT; k++) {
    if (!o->time_passes && !o->stats)
      return;
    if (!c->pipeline.has_run[k])
      continue;
    fprintf(c->all->messages, "%-16s", pass_table[k].name);
    if (o->time_passes)
      fprintf(c->all->messages, " %9.6f s", c->pipeline.seconds[k]);
    if (o->stats)
      fprintf(c->all->messages, " %7d statements", c->pipeline.statements[k]);
    fputc('\n', c->all->messages);
  }
}

/* ---- what is said of accesses ---- */

static bool is_optimized(const Options *o)
{
  return last_pass(o) == PASS_COUNT - 1 && o->level > 0;
}

/* The program once more, silently. */
static IrModule *lower_again(Stages *c, const Program *program)
{
  const LowerOptions options = lower_options(c);
  IrModule *module;

  diag_mute(c->diag);
  module = lower(program, c->diag, &options);
  diag_unmute(c->diag);
  return module;
}

/* What is said does not depend on the target, the level or --trace: where the module is not
 * lowered, for the interpreter, or its walks are not known, it is said of another one. */
static const IrModule *optimized_module(Stages *c, const Program *program)
{
  Pipeline passes;
  IrModule *module;

  if (is_optimized(c->options) && !c->pipeline.has_run[PASS_trace])
    return c->module;
  module = lower_again(c, program);
  pipeline_init(&passes, OPTIMIZED_LEVEL);
  pipeline_run(&passes, module, PASS_COUNT - 1);
  return module;
}

/* ---- tracing ---- */

static bool has_same_trees(const IrFunction *a, const IrFunction *b)
{
  for (int s = 0; s < a->slot_count && s < b->slot_count; s++)
    if (a->slots[s].tree->field_count != b->slots[s].tree->field_count)
      return false;
  return a->slot_count == b->slot_count;
}

/* Reading an old value for the log is no permission: under --trace kernels may do what they may do
 * without it, by which they are linked and ordered. */
static void permit_as_untraced(Stages *c, const Program *program)
{
  IrModule *untraced;
  Pipeline passes;

  if (!c->pipeline.has_run[PASS_trace])
    return;
  untraced = lower_again(c, program);
  pipeline_init(&passes, 0);
  memcpy(passes.enabled, c->pipeline.enabled, sizeof passes.enabled);
  passes.enabled[PASS_trace] = false;
  pipeline_run(&passes, untraced, last_pass(c->options));
  for (int k = 0; k < untraced->kernel_count; k++) {
    IrPermissions *permitted = NEW(c->arena, IrPermissions);
    *permitted = ir_permissions(c->arena, untraced->kernels[k]);
    if (has_same_trees(untraced->kernels[k], c->module->kernels[k]))
      c->module->kernels[k]->permitted = permitted;
  }
}

static void report_accesses(Stages *c, const Program *program)
{
  const IrModule *m = optimized_module(c, program);

  report_cached(m, c->diag);
  report_lost_updates(m, c->diag);
  if (is_optimized(c->options))
    report_performance(m, c->diag);
}

/* --emit=main: whether there is a kernel that a program can be made around. */
static void report_main(const Stages *c)
{
  Loc loc = { 0 };
  const char *wrong = NULL;

  if (c->options->emit & (unsigned)EMIT_BINDING << BINDING_main)
    wrong = bind_main_wrong(c->module, &loc);
  if (wrong)
    diag(c->diag, DIAG_NO_MAIN, loc, wrong);
}

/* ---- output ---- */

static EmitOptions emit_options(const Stages *c)
{
  const Options *o = c->options;

  return (EmitOptions){ .target = o->target,
                        .level = o->level,
                        .lines = o->lines,
                        .contract = o->contract,
                        .routines = o->routines,
                        .profile = o->profile,
                        .check_grad = (o->checks & CHECK_GRAD) != 0,
                        .fast_math = o->fast_math,
                        .base = c->all->base };
}

static void move_text(Text *out, Text *from)
{
  if (from->length)
    text_add(out, from->data);
  text_free(from);
}

static void print_statistics(Stages *c)
{
  if (!c->options->stats_json)
    return;
  statistics_passes(&c->statistics, &c->pipeline);
  statistics_made(&c->statistics, c->module);
  statistics_json(&c->statistics, &c->all->printed);
}

static void print_module(Stages *c)
{
  Text *out = &c->all->printed;

  move_text(out, &c->written);
  move_text(out, &c->pipeline.captured);
  if (c->options->emit & EMIT_TASKS)
    show_tasks(c->module, out);
  if (c->options->emit & EMIT_LAYOUT) {
    show_layout(c->module, out);
    show_modes(c->module, out);
  }
  print_statistics(c);
}

static void emit(Stages *c)
{
  static void (*const writers[BINDINGS])(const IrModule *, const EmitOptions *, Text *) = {
#define BINDING(word, ending) bind_##word,
#include "gen/bind/bindings.def"
#undef BINDING
  };
  const EmitOptions options = emit_options(c);

  if (c->options->emit & EMIT_C)
    emit_c(c->module, &options, &c->all->c);
  if (c->options->emit & EMIT_H)
    emit_header(c->module, &options, &c->all->header);
  if (c->options->emit & EMIT_DEVICE)
    emit_device_header(c->module, &options, &c->all->device);
  for (int k = 0; k < BINDINGS; k++)
    if (c->options->emit & (unsigned)EMIT_BINDING << k)
      writers[k](c->module, &options, &c->all->bindings[k]);
}

/* ---- the ways through ---- */

/* What is only known behind the passes, told to the programmer. */
static int report(Stages *c, const Program *program)
{
  const Options *o = c->options;

  report_passes(c);
  report_modes(c->module, c->diag);
  report_underived(c->module, c->diag);
  report_main(c);
  if (diag_error_count(c->diag) > 0)
    return EXIT_SOURCE;
  if (o->stop_after < 0)
    report_accesses(c, program);
  return diag_error_count(c->diag) > 0 ? EXIT_SOURCE : 0;    /* -Werror */
}

static int run_stages(Stages *c)
{
  Program *program;
  int status = check_source(c, &program);

  c->all->program = program;
  if (status == 0)
    status = lower_program(c, program);
  if (status != 0)
    return status;
  set_pipeline(c);
  pipeline_run(&c->pipeline, c->module, last_pass(c->options));
  status = report(c, program);
  if (status != 0)
    return status;
  permit_as_untraced(c, program);
  print_module(c);
  if (c->options->stop_after < 0)
    emit(c);
  return 0;
}

int compile(Compilation *all)
{
  Stages c = begin(all);
  const int status = run_stages(&c);

  text_free(&c.written);
  text_free(&c.pipeline.captured);
  return status;
}

static int stage_before(int pass)
{
  return pass > 0 ? pass_table[pass - 1].stage : 0;
}

int compile_pass(Compilation *all)
{
  Stages c = begin(all);
  const char *broken;

  diag_source(c.diag, &all->source);
  c.module = ir_read(c.arena, c.diag, &all->source);
  if (!c.module)
    return EXIT_SOURCE;
  broken = ir_verify(c.module, stage_before(c.options->run_pass));
  if (broken) {
    diag(c.diag, DIAG_IR_TEXT, (Loc){ 0 },
         intern_format(c.arena, "%s: %s", all->source.path, broken));
    return EXIT_SOURCE;
  }
  statistics_written(&c.statistics, c.module);
  set_pipeline(&c);
  pipeline_run(&c.pipeline, c.module, PASS_COUNT - 1);
  report_passes(&c);
  ir_print(c.module, &all->printed);
  print_statistics(&c);
  return 0;
}

int compile_imports(Compilation *all)
{
  Stages c = begin(all);

  all->program = parse_source(&c);
  return diag_error_count(c.diag) > 0 ? EXIT_SOURCE : 0;
}

void compilation_free(Compilation *c)
{
  text_free(&c->c);
  text_free(&c->header);
  text_free(&c->device);
  for (int k = 0; k < BINDINGS; k++)
    text_free(&c->bindings[k]);
  text_free(&c->printed);
}
