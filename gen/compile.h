/* One compile as a call: from a source that has been read to texts.
 *
 * Nothing here reads or writes a file or ends the process (but out_of_memory and ICE do,
 * gen/base/fatal.c), and nothing is kept between two calls: what a compile makes is its
 * texts, which compilation_free() frees, and memory of the arena.
 */
#ifndef SNODEGEN_COMPILE_H
#define SNODEGEN_COMPILE_H

#include "gen/bind/bind.h"
#include "gen/front/ast.h"
#include "gen/options.h"

typedef struct Compilation {
  /* given */
  Arena *arena;
  const Options *options;
  Source source;
  const Importer *importer;   /* NULL: nothing can be imported */
  const char *prefix;         /* what the names in C begin with */
  const char *base;           /* "heat": the C file includes "heat.h" */
  FILE *messages;             /* diagnostics, --time-passes, --stats */
  /* made */
  Program *program;           /* as the checker left it, with errors too; of compile_imports() as
                                 the parser did; in the arena */
  Text c, header, device;     /* as far as --emit asks for them */
  Text bindings[BINDINGS];
  Text printed;               /* what goes to standard output: the IR, tasks, layout,
                                 statistics */
} Compilation;

/* All stages.  0, EXIT_SOURCE or EXIT_USAGE; the last two after a message, and without texts. */
int compile(Compilation *);
/* --run-pass: the source is IR, the printed text the IR behind the one pass. */
int compile_pass(Compilation *);
/* -M: no more than what asks the importer for every file.  0 or EXIT_SOURCE. */
int compile_imports(Compilation *);
void compilation_free(Compilation *);

#endif
