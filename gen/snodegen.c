/* snodegen: the compile as a story.
 *
 *   options ▶ source ▶ parse ▶ check ▶ lower ▶ passes ▶ emit ▶ files
 *
 * Exit status: 0; 1 errors in the source; 2 wrong usage; 3 a file could not be
 * read or written; 70 an error of snodegen's own.
 */
#include "gen/building.h"
#include "gen/cached.h"
#include "gen/emit/emit.h"
#include "gen/files.h"
#include "gen/imports.h"
#include "gen/lower/lower.h"
#include "gen/modes.h"
#include "gen/options.h"
#include "gen/perf.h"
#include "gen/show.h"

#include <snode/version.h>

#include <string.h>

typedef struct Compile {
  Arena *arena;
  const Options *options;
  Source source;
  Imports imports;
  const char *base;           /* "out/heat": what the files are called */
  const char *prefix;
  Diag *diag;
  IrModule *module;
  Text written;               /* the IR as written, where it is asked for */
  Pipeline pipeline;
} Compile;

/* ---- names ---- */

static int name_things(Compile *c)
{
  const Options *o = c->options;
  const char *stem = stem_of(c->arena, o->input);

  c->base =
      joined_path(c->arena, o->output_dir,
                  o->output ? without_ending(c->arena, o->output, ".c") : stem);
  c->prefix = o->prefix ? o->prefix : stem;
  if (is_identifier(c->prefix))
    return 0;
  complain("'%s' cannot begin names of C: choose a prefix with --prefix=IDENT",
           c->prefix);
  return EXIT_USAGE;
}

/* ---- the front ---- */

static Program *parse_source(Compile *c)
{
  const Importer importer = { imports_find, &c->imports };

  imports_begin(&c->imports, c->arena, c->options, &c->source);
  c->diag = diag_create(c->arena, &c->options->diag, stderr);
  return parse(c->arena, c->diag, &c->source, &importer,
               c->options->defines, c->options->define_count);
}

static int check_source(Compile *c, Program **program)
{
  *program = parse_source(c);
  (*program)->path = c->source.path;
  (*program)->prefix = c->prefix;
  if (check(*program, c->diag))
    return 0;
  return (*program)->has_usage_error ? EXIT_USAGE : EXIT_SOURCE;
}

static IrBounds bounds_of(const Options *o)
{
  if (o->bounds >= 0)
    return (IrBounds)o->bounds;
  return o->level >= 3 ? IR_BOUNDS_NONE : IR_BOUNDS_TRAP;
}

static LowerOptions lower_options(const Compile *c)
{
  return (LowerOptions){ .checks = c->options->checks,
                         .no_assert = c->options->no_assert,
                         .bounds = bounds_of(c->options),
                         .has_one_thread = c->options->target != EMIT_OMP };
}

static int lower_program(Compile *c, const Program *program)
{
  const LowerOptions options = lower_options(c);
  const char *broken;

  c->module = lower(program, c->diag, &options);
  if (!c->module)
    return EXIT_SOURCE;
  broken = c->options->verify_each ? ir_verify(c->module, 0) : NULL;
  if (broken)
    ICE("as written: %s", broken);
  if ((c->options->emit & EMIT_IR) && c->options->ir_after == IR_AS_WRITTEN)
    ir_print(c->module, &c->written);
  return 0;
}

/* ---- the passes ---- */

static void set_pipeline(Compile *c)
{
  const Options *o = c->options;
  Pipeline *p = &c->pipeline;

  /* the interpreter is the oracle of the passes: none has changed what it runs */
  pipeline_init(p, o->target == EMIT_INTERPRETER ? 0 : o->level);
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

static void report_passes(const Compile *c)
{
  const Options *o = c->options;

  for (int k = 0; k < PASS_COUNT; k++) {
    if (!o->time_passes && !o->stats)
      return;
    if (!c->pipeline.enabled[k])
      continue;
    fprintf(stderr, "%-16s", pass_table[k].name);
    if (o->time_passes)
      fprintf(stderr, " %9.6f s", c->pipeline.seconds[k]);
    if (o->stats)
      fprintf(stderr, " %7d statements", c->pipeline.statements[k]);
    fputc('\n', stderr);
  }
}

/* ---- output ---- */

static const char *file_name(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

static EmitOptions emit_options(const Compile *c)
{
  const Options *o = c->options;

  return (EmitOptions){ .target = o->target,
                        .level = o->level,
                        .lines = o->lines,
                        .contract = o->contract,
                        .routines = o->routines,
                        .fast_math = o->fast_math,
                        .base = file_name(c->base) };
}

static void write_dependencies(const Compile *c, Text *out)
{
  const char *outputs[3] = { NULL };
  const char **sources = NEW_ARRAY(c->arena, const char *, c->imports.count + 2);
  int count = 0;

  if (c->options->emit & EMIT_C)
    outputs[count++] = intern_format(c->arena, "%s.c", c->base);
  if ((c->options->emit & EMIT_H) || count == 0)
    outputs[count++] = intern_format(c->arena, "%s.h", c->base);
  sources[0] = c->options->input;
  for (int k = 1; k < c->imports.count; k++)
    sources[k] = c->imports.sources[k]->path;
  write_rule(out, c->options->deps_target, outputs, sources);
  for (int k = 1; c->options->deps_phony && k < c->imports.count; k++)
    write_rule(out, NULL, sources + k, NULL);
}

static bool add_file(Compile *c, OutputFiles *files, const char *ending,
                     void (*write)(const IrModule *, const EmitOptions *,
                                   Text *))
{
  EmitOptions options = emit_options(c);
  Text text = { 0 };
  bool good;

  write(c->module, &options, &text);
  good = output_add(files, intern_format(c->arena, "%s%s", c->base, ending),
                    &text);
  text_free(&text);
  return good;
}

static bool add_dependencies(Compile *c, OutputFiles *files)
{
  const char *path = c->options->deps_file;
  Text text = { 0 };
  bool good;

  write_dependencies(c, &text);
  good = output_add(
      files, path ? path : intern_format(c->arena, "%s.d", c->base), &text);
  text_free(&text);
  return good;
}

static int write_files(Compile *c)
{
  const Options *o = c->options;
  OutputFiles files = { .arena = c->arena };
  bool good = true;

  if (o->emit & EMIT_C)
    good = add_file(c, &files, ".c", emit_c);
  if (good && (o->emit & EMIT_H))
    good = add_file(c, &files, ".h", emit_header);
  if (good && ((o->emit & EMIT_DEPS) || o->deps_too))
    good = add_dependencies(c, &files);
  if (!good || !output_publish(&files))
    return EXIT_FILE;
  for (int k = 0; o->verbose && k < files.count; k++)
    fprintf(stderr, "snodegen: wrote %s\n", files.files[k].path);
  return 0;
}

static int print_module(Compile *c)
{
  const Options *o = c->options;
  Text text = { 0 };
  bool good;

  if (c->written.length)
    text_add(&text, c->written.data);
  if (c->pipeline.captured.length)
    text_add(&text, c->pipeline.captured.data);
  if (o->emit & EMIT_TASKS)
    show_tasks(c->module, &text);
  if (o->emit & EMIT_LAYOUT) {
    show_layout(c->module, &text);
    show_modes(c->module, &text);
  }
  good = print_text(&text);
  text_free(&text);
  text_free(&c->written);
  text_free(&c->pipeline.captured);
  return good ? 0 : EXIT_FILE;
}

/* ---- what [[cache]] cannot stage ---- */

static void look_for_cache(IrStmt *s, void *user)
{
  bool *found = user;

  *found = *found || s->op == IR_cache;
}

static bool has_cache(const IrModule *m)
{
  bool found = false;

  for (int k = 0; k < m->kernel_count; k++)
    ir_walk(m->kernels[k]->body, look_for_cache, &found);
  return found;
}

/* The interpreter stages nothing and is given the module before any walk is known: what is
 * wrong is told of another one, lowered for that. */
static void report_of_lowered(Compile *c, const Program *program)
{
  const LowerOptions options = lower_options(c);
  Pipeline passes;
  IrModule *lowered;

  diag_mute(c->diag);
  lowered = lower(program, c->diag, &options);
  diag_unmute(c->diag);
  pipeline_init(&passes, c->options->level);
  pipeline_run(&passes, lowered, PASS_COUNT - 1);
  report_cached(lowered, c->diag);
}

static void report_staging(Compile *c, const Program *program)
{
  if (c->options->stop_after >= 0 || !has_cache(c->module))
    return;
  if (last_pass(c->options) == PASS_COUNT - 1)
    report_cached(c->module, c->diag);
  else
    report_of_lowered(c, program);
}

/* ---- the ways through ---- */

static int compile(Compile *c)
{
  const Options *o = c->options;
  Program *program;
  int status = check_source(c, &program);

  if (status == 0)
    status = lower_program(c, program);
  if (status != 0)
    return status;
  set_pipeline(c);
  pipeline_run(&c->pipeline, c->module, last_pass(o));
  report_passes(c);
  report_modes(c->module, c->diag);
  if (diag_error_count(c->diag) > 0)
    return EXIT_SOURCE;
  report_staging(c, program);
  if (last_pass(o) == PASS_COUNT - 1 && o->stop_after < 0 && o->level > 0)
    report_performance(c->module, c->diag);
  if (diag_error_count(c->diag) > 0)   /* -Werror */
    return EXIT_SOURCE;
  status = print_module(c);
  if (status == 0 && o->stop_after < 0)
    status = write_files(c);
  if (status == 0 && o->cc)
    status = run_compiler(c->arena, o, c->base);
  return status;
}

static int stage_before(int pass)
{
  return pass > 0 ? pass_table[pass - 1].stage : 0;
}

static int run_one_pass(Compile *c)
{
  const char *broken;
  Text text = { 0 };
  int status;

  c->diag = diag_create(c->arena, &c->options->diag, stderr);
  diag_source(c->diag, &c->source);
  c->module = ir_read(c->arena, c->diag, &c->source);
  if (!c->module)
    return EXIT_SOURCE;
  broken = ir_verify(c->module, stage_before(c->options->run_pass));
  if (broken) {
    complain("%s: %s", c->source.path, broken);
    return EXIT_SOURCE;
  }
  set_pipeline(c);
  pipeline_run(&c->pipeline, c->module, PASS_COUNT - 1);
  report_passes(c);
  ir_print(c->module, &text);
  status = print_text(&text) ? 0 : EXIT_FILE;
  text_free(&text);
  return status;
}

static int print_dependencies(Compile *c)
{
  OutputFiles files = { .arena = c->arena };
  Text text = { 0 };
  bool good;

  parse_source(c);
  if (diag_error_count(c->diag) > 0)
    return EXIT_SOURCE;
  write_dependencies(c, &text);
  if (c->options->deps_file)
    good = output_add(&files, c->options->deps_file, &text) &&
           output_publish(&files);
  else
    good = print_text(&text);
  text_free(&text);
  return good ? 0 : EXIT_FILE;
}

static int process(Arena *arena, const Options *o)
{
  Compile c = { .arena = arena, .options = o };
  int status;

  if (!read_source(arena, o->input, &c.source))
    return EXIT_FILE;
  if (o->run_pass >= 0)
    return run_one_pass(&c);
  status = name_things(&c);
  if (status != 0)
    return status;
  if (o->deps_only)
    return print_dependencies(&c);
  return compile(&c);
}

/* ---- questions about the command itself ---- */

static bool is_question(const Options *o)
{
  return o->help || o->version || o->print_targets ||
         ((o->print_cflags || o->print_libs) && !o->cc);
}

static int answer(Arena *arena, const Options *o)
{
  Text text = { 0 };
  bool good;

  if (o->help)
    options_help(stdout, o->help_dev);
  else if (o->version)
    text_format(&text, "snodegen %s (ABI %d)\n", SNODE_VERSION, SNODE_ABI);
  else if (o->print_targets)
    write_targets(&text);
  if (o->print_cflags)
    write_cflags(arena, o, &text);
  if (o->print_libs) {
    text_add(&text, o->print_cflags ? " " : "");
    write_libs(arena, o, &text);
  }
  if (o->print_cflags || o->print_libs)
    text_add(&text, "\n");
  good = print_text(&text);
  text_free(&text);
  return good ? 0 : EXIT_FILE;
}

int main(int argc, char **argv)
{
  Arena *arena = arena_create();
  Options *options = NEW(arena, Options);
  int status;

  if (!options_parse(arena, options, argc, argv)) {
    status = EXIT_USAGE;
  } else if (is_question(options)) {
    status = answer(arena, options);
  } else if (!options->input) {
    complain("no input file; --help tells more");
    status = EXIT_USAGE;
  } else {
    status = process(arena, options);
  }
  arena_destroy(arena);
  return status;
}
