/* The command around a compile (gen/compile.c): names of files, what is written, what is printed.
 *
 *   source ▶ parse ▶ check ▶ lower ▶ passes ▶ emit ▶ files
 */
#include "gen/command.h"
#include "gen/building.h"
#include "gen/compile.h"
#include "gen/files.h"

#include <string.h>

typedef struct Command {
  Arena *arena;
  const Options *options;
  Imports *imports;
  Importer importer;
  const char *base;           /* "out/heat": what the files are called */
  Compilation compilation;
} Command;

/* ---- names ---- */

static const char *file_name(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

static int name_things(Command *c)
{
  const Options *o = c->options;
  const char *stem = stem_of(c->arena, o->input);

  c->base =
      joined_path(c->arena, o->output_dir,
                  o->output ? without_ending(c->arena, o->output, ".c") : stem);
  c->compilation.base = file_name(c->base);
  c->compilation.prefix = o->prefix ? o->prefix : stem;
  if (is_identifier(c->compilation.prefix))
    return 0;
  complain("'%s' cannot begin names of C: choose a prefix with --prefix=IDENT",
           c->compilation.prefix);
  return EXIT_USAGE;
}

/* ---- output ---- */

static const char *const binding_ending[BINDINGS] = {
#define BINDING(word, ending) ending,
#include "gen/bind/bindings.def"
#undef BINDING
};

static bool is_bound(const Command *c, int k)
{
  return (c->options->emit & (unsigned)EMIT_BINDING << k) != 0;
}

static void write_dependencies(const Command *c, Text *out)
{
  const char *outputs[4 + BINDINGS] = { NULL };
  const char **sources = NEW_ARRAY(c->arena, const char *, c->imports->count + 2);
  int count = 0;

  if (c->options->emit & EMIT_C)
    outputs[count++] = intern_format(c->arena, "%s.c", c->base);
  if ((c->options->emit & EMIT_H) || count == 0)
    outputs[count++] = intern_format(c->arena, "%s.h", c->base);
  if (c->options->emit & EMIT_DEVICE)
    outputs[count++] = intern_format(c->arena, "%s_device.h", c->base);
  for (int k = 0; k < BINDINGS; k++)
    if (is_bound(c, k))
      outputs[count++] = intern_format(c->arena, "%s%s", c->base, binding_ending[k]);
  sources[0] = c->options->input;
  for (int k = 1; k < c->imports->count; k++)
    sources[k] = c->imports->sources[k]->path;
  write_rule(out, c->options->deps_target, outputs, sources);
  for (int k = 1; c->options->deps_phony && k < c->imports->count; k++)
    write_rule(out, NULL, sources + k, NULL);
}

static bool add_file(const Command *c, OutputFiles *files, const char *ending, const Text *text)
{
  return output_add(files, intern_format(c->arena, "%s%s", c->base, ending), text);
}

static bool add_dependencies(const Command *c, OutputFiles *files)
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

static int write_files(const Command *c)
{
  const Options *o = c->options;
  OutputFiles files = { .arena = c->arena };
  bool good = true;

  if (o->emit & EMIT_C)
    good = add_file(c, &files, ".c", &c->compilation.c);
  if (good && (o->emit & EMIT_H))
    good = add_file(c, &files, ".h", &c->compilation.header);
  if (good && (o->emit & EMIT_DEVICE))
    good = add_file(c, &files, "_device.h", &c->compilation.device);
  for (int k = 0; good && k < BINDINGS; k++)
    if (is_bound(c, k))
      good = add_file(c, &files, binding_ending[k], &c->compilation.bindings[k]);
  if (good && ((o->emit & EMIT_DEPS) || o->deps_too))
    good = add_dependencies(c, &files);
  if (!good || !output_publish(&files))
    return EXIT_FILE;
  for (int k = 0; o->verbose && k < files.count; k++)
    fprintf(stderr, "snodegen: wrote %s\n", files.files[k].path);
  return 0;
}

static int print_dependencies(const Command *c)
{
  OutputFiles files = { .arena = c->arena };
  Text text = { 0 };
  bool good;

  write_dependencies(c, &text);
  if (c->options->deps_file)
    good = output_add(&files, c->options->deps_file, &text) &&
           output_publish(&files);
  else
    good = print_text(&text);
  text_free(&text);
  return good ? 0 : EXIT_FILE;
}

/* ---- the ways through ---- */

static int compile_to_files(Command *c)
{
  const Options *o = c->options;
  int status = compile(&c->compilation);

  if (status == 0 && !print_text(&c->compilation.printed))
    status = EXIT_FILE;
  if (status == 0 && o->stop_after < 0)
    status = write_files(c);
  if (status == 0 && o->cc)
    status = run_compiler(c->arena, o, c->base);
  return status;
}

static int run_one_pass(Command *c)
{
  const int status = compile_pass(&c->compilation);

  if (status != 0)
    return status;
  return print_text(&c->compilation.printed) ? 0 : EXIT_FILE;
}

static int process_source(Command *c)
{
  const Options *o = c->options;
  int status;

  if (o->run_pass >= 0)
    return run_one_pass(c);
  status = name_things(c);
  if (status != 0)
    return status;
  imports_begin(c->imports, c->arena, o, &c->compilation.source);
  if (!o->deps_only)
    return compile_to_files(c);
  status = compile_imports(&c->compilation);
  return status == 0 ? print_dependencies(c) : status;
}

int command_run(Arena *arena, const Options *o, FILE *messages, Imports *imports)
{
  Command c = { .arena = arena, .options = o, .importer = { imports_find, imports },
                .imports = imports };
  int status;

  *imports = (Imports){ .arena = arena, .options = o };
  c.compilation = (Compilation){ .arena = arena, .options = o, .importer = &c.importer,
                                 .messages = messages };
  if (!read_source(arena, o->input, &c.compilation.source))
    return EXIT_FILE;
  status = process_source(&c);
  compilation_free(&c.compilation);
  return status;
}
