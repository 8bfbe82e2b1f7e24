/* snodegen: what the command line asks for.
 *
 * Exit status: 0; 1 errors in the source; 2 wrong usage; 3 a file could not be
 * read or written; 70 an error of snodegen's own.
 */
#include "gen/building.h"
#include "gen/command.h"
#include "gen/files.h"
#include "gen/lsp/lsp.h"
#include "gen/options.h"
#include "gen/run.h"
#include "gen/watch.h"

#include <snode/version.h>

/* ---- questions about the command itself ---- */

static bool is_question(const Options *o)
{
  return o->help || o->version || o->print_targets ||
         ((o->print_cflags || o->print_libs) && !o->cc && !o->run);
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
    write_targets(arena, &text);
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
  Imports imports;
  Options *options = NEW(arena, Options);
  int status;

  if (!options_parse(arena, options, argc, argv)) {
    status = EXIT_USAGE;
  } else if (is_question(options)) {
    status = answer(arena, options);
  } else if (options->lsp) {
    status = lsp_serve(options, stdin, stdout);
  } else if (!options->input) {
    complain("no input file; --help tells more");
    status = EXIT_USAGE;
  } else if (options->run) {
    status = run_source(arena, options);
  } else if (options->watch) {
    status = watch_source(options);
  } else {
    status = command_run(arena, options, stderr, &imports);
  }
  arena_destroy(arena);
  return status;
}
