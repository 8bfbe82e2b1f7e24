/* --run: the source, what it imports and a program around its kernel main (--emit=main) are
 * compiled in a temporary folder, which is gone when the program has ended, whichever way it did.
 */
#define _XOPEN_SOURCE 700
#include "gen/run.h"
#include "gen/building.h"
#include "gen/compile.h"
#include "gen/files.h"
#include "gen/imports.h"
#include "gen/process.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Run {
  Arena *arena;
  Options options;            /* those of the command, for what is written here */
  const char *folder;
  OutputFiles files;
  const char **sources; int source_count;      /* of C */
  const char *program;
} Run;

/* ---- the temporary folder ---- */

static bool make_folder(Run *r)
{
  const char *where = getenv("TMPDIR");
  char *path;

  where = where && *where ? where : "/tmp";
  path = NEW_ARRAY(r->arena, char, strlen(where) + 32);
  sprintf(path, "%s/snodegen-run.", where);
  memset(path + strlen(path), 'X', 6);           /* which mkdtemp replaces */
  if (!mkdtemp(path)) {
    complain("%s: %s: set TMPDIR to a folder that can be written", path, strerror(errno));
    return false;
  }
  r->folder = path;
  return true;
}

/* What lies in it is files. */
static void remove_folder(Run *r)
{
  DIR *all = opendir(r->folder);

  for (struct dirent *one; all && (one = readdir(all)) != NULL;)
    if (strcmp(one->d_name, ".") != 0 && strcmp(one->d_name, "..") != 0)
      unlink(joined_path(r->arena, r->folder, one->d_name));
  if (all)
    closedir(all);
  if (rmdir(r->folder) != 0)
    complain("%s: %s: remove it by hand", r->folder, strerror(errno));
}

/* ---- what is compiled ---- */

static bool add_text(Run *r, const char *base, const char *ending, const Text *text)
{
  const char *path = intern_format(r->arena, "%s/%s%s", r->folder, base, ending);
  const size_t length = strlen(path);

  if (path[length - 1] == 'c')
    vec_push(r->arena, r->sources, r->source_count, path);
  return output_add(&r->files, path, text);
}

static int write_unit(Run *r, const Compilation *c)
{
  bool good = add_text(r, c->base, ".c", &c->c) && add_text(r, c->base, ".h", &c->header);

  if (good && c->bindings[BINDING_main].length)
    good = add_text(r, c->base, "_main.c", &c->bindings[BINDING_main]);
  return good ? 0 : EXIT_FILE;
}

/* Is the param of a -D, "NAME=VALUE", declared in the program? */
static bool is_param(const Program *p, const char *define)
{
  const size_t length = strcspn(define, "=");

  for (int k = 0; k < p->constant_count; k++)
    if (p->constants[k]->is_param && strlen(p->constants[k]->name) == length &&
        strncmp(p->constants[k]->name, define, length) == 0)
      return true;
  return false;
}

/* An imported file has those params that are its own, or of what it imports. */
static void choose_defines(Run *r, Compilation *c, Imports *imports, const Options *given)
{
  imports_begin(imports, r->arena, &r->options, &c->source);
  r->options.define_count = 0;
  compile_imports(c);
  r->options.defines = NEW_ARRAY(r->arena, const char *, given->define_count + 1);
  for (int k = 0; k < given->define_count; k++)
    if (is_param(c->program, given->defines[k]))
      r->options.defines[r->options.define_count++] = given->defines[k];
}

/* One file of the program; *imports: what it imports.  given: of an imported one, the options
 * of the command; else NULL. */
static int compile_unit(Run *r, const Source *source, const char *name, Imports *imports,
                        const Options *given)
{
  const Importer importer = { imports_find, imports };
  Compilation c = { .arena = r->arena, .options = &r->options, .source = *source,
                    .importer = &importer, .prefix = name, .base = name, .messages = stderr };
  int status;

  c.source.file = 0;
  if (given)
    choose_defines(r, &c, imports, given);
  imports_begin(imports, r->arena, &r->options, &c.source);
  status = compile(&c);
  if (status == 0)
    status = write_unit(r, &c);
  compilation_free(&c);
  return status;
}

/* Each has its C in a file of its own; what is to be said of them was said with the first. */
static int compile_imported(Run *r, const Imports *imports)
{
  const Options given = r->options;
  int status = 0;

  r->options.emit = EMIT_C | EMIT_H;
  r->options.diag.no_warnings = r->options.diag.quiet = true;
  for (int k = 1; k < imports->count && status == 0; k++) {
    Imports own;
    status = compile_unit(r, imports->sources[k], imports->sources[k]->stem, &own, &given);
  }
  return status;
}

/* What C calls it: the stem, where it is a name. */
static const char *name_of(Arena *arena, const Options *o)
{
  const char *stem = stem_of(arena, o->input);

  if (o->prefix)
    return o->prefix;
  return is_identifier(stem) ? stem : "program";
}

static int compile_all(Run *r, const Source *source)
{
  Imports imports;
  int status;

  r->options.emit = EMIT_C | EMIT_H | (unsigned)EMIT_BINDING << BINDING_main;
  status = compile_unit(r, source, name_of(r->arena, &r->options), &imports, NULL);
  if (status == 0)
    status = compile_imported(r, &imports);
  if (status == 0 && !output_publish(&r->files))
    status = EXIT_FILE;
  return status;
}

/* ---- the program ---- */

static int run_program(Run *r)
{
  const Options *o = &r->options;
  char **argv = NEW_ARRAY(r->arena, char *, o->argument_count + 2);
  int status;

  argv[0] = (char *)(uintptr_t)r->program;     /* execvp wants char *, and changes nothing */
  for (int k = 0; k < o->argument_count; k++)
    argv[k + 1] = o->arguments[k];
  status = process_run(argv);
  if (status < 0)
    complain("%s: %s", r->program, strerror(errno));
  return status < 0 ? EXIT_FILE : status;
}

static int compile_and_run(Run *r, const Source *source)
{
  int status = compile_all(r, source);

  if (status == 0 && !process_is_asked_to_end())
    status = build_program(r->arena, &r->options, r->program, r->sources, r->source_count);
  if (status == 0 && !process_is_asked_to_end())
    status = run_program(r);
  return status;
}

int run_source(Arena *arena, const Options *o)
{
  Run r = { .arena = arena, .options = *o, .files = { .arena = arena } };
  Source source = { 0 };
  int status;

  if (!read_source(arena, o->input, &source))
    return EXIT_FILE;
  process_hold();
  if (!make_folder(&r)) {
    process_release();
    return EXIT_FILE;
  }
  r.program = joined_path(arena, r.folder, name_of(arena, o));
  status = compile_and_run(&r, &source);
  remove_folder(&r);
  process_release();
  return status;
}
