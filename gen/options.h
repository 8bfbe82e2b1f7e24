/* The command line as parsed: what each row of options.def sets. */
#ifndef SNODEGEN_OPTIONS_H
#define SNODEGEN_OPTIONS_H

#include "gen/base/base.h"
#include "gen/bind/bind.h"
#include "gen/emit/emit.h"
#include "gen/passes/passes.h"

enum { EXIT_SOURCE = 1, EXIT_USAGE = 2, EXIT_FILE = 3 };

enum { /* bits of Options.emit */
       EMIT_C = 1,
       EMIT_H = 2,
       EMIT_DEPS = 4,
       EMIT_IR = 8,
       EMIT_TASKS = 16,
       EMIT_LAYOUT = 32,
       EMIT_DEVICE = 64,
       EMIT_BINDING = 128          /* << a Binding: a bit for each */
};

/* --emit=ir without a pass: the tasks, before accesses are lowered. */
enum { IR_DEFAULT = -1, IR_AS_WRITTEN = -2 };

/* A FLAG of options.def is a member of its row's name. */
#define MEMBER_FLAG(id) bool id;
#define MEMBER_VALUE(id)
#define MEMBER_OPTIONAL(id)
#define MEMBER_JOINED(id)

typedef struct Options {
#define OPTION(id, spelling, argument, group, value, help) MEMBER_##argument(id)
#include "gen/options.def"
#undef OPTION
  const char *input;          /* "-": standard input */
  char **arguments; int argument_count;        /* of the program that --run runs */
  const char *output, *output_dir, *prefix;
  unsigned emit;
  int ir_after;               /* a PassId, IR_DEFAULT or IR_AS_WRITTEN */
  EmitTarget target;
  const char **defines;  int define_count;
  const char **includes; int include_count;
  const char *deps_file, *deps_target;
  int bounds;                 /* IrBounds, -1: as the level says */
  unsigned checks;            /* CHECK_* of gen/lower/lower.h */
  int level;
  int pass[PASS_COUNT];       /* 1 on, -1 off, 0 as the level says */
  bool contract;
  DiagOptions diag;
  bool dump[PASS_COUNT];
  bool stats, stats_json;
  int stop_after, run_pass;   /* a PassId, -1: not given */
  bool print_cflags;
  const char *cflags_for;
} Options;

/* Fills *options from the command line.  False after a message: wrong usage. */
bool options_parse(Arena *, Options *, int argc, char **argv);
/* What --help prints. */
void options_help(FILE *, bool developer);

#endif
