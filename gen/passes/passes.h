/* IR to IR: the passes, in the order of passes.def.
 *
 * A pass is one file with one entry, `void pass_NAME(IrModule *)`, and a row
 * of the table.  Its head says what it needs and
 * what it guarantees.  Passes marked required make the module what the writers
 * need; the others only make it better, and may be switched off one by one.
 */
#ifndef SNODEGEN_PASSES_PASSES_H
#define SNODEGEN_PASSES_PASSES_H

#include "gen/ir/ir.h"

typedef enum PassId {
#define PASS(name, level, required, stage, help) PASS_##name,
#include "gen/passes/passes.def"
#undef PASS
  PASS_COUNT
} PassId;

typedef struct Pass {
  const char *name;
  void (*run)(IrModule *);
  int level;                  /* the lowest -O level that runs it */
  bool required;
  int stage;                  /* of ir_verify() after it */
  const char *help;
} Pass;
extern const Pass pass_table[PASS_COUNT];

/* -1 when there is none of that name. */
int pass_by_name(const char *name);

/* ---- the pipeline ---- */

typedef struct Pipeline {
  bool enabled[PASS_COUNT];
  int stop_after;             /* a pass, or -1: all */
  int only;                   /* a pass, or -1: --run-pass */
  bool verify_each;
  bool counts;                /* the statements that each pass leaves */
  bool dump[PASS_COUNT];      /* prints the module to stderr after the pass */
  int capture;                /* a pass, or -1: its text is kept in captured, */
  Text captured;              /* as it stands there, also where it is off */
  bool has_run[PASS_COUNT];   /* filled in: as are */
  int statements[PASS_COUNT]; /* those it left, */
  double seconds[PASS_COUNT]; /* and how long it took */
} Pipeline;

/* Everything that -O level switches on, nothing dumped. */
void pipeline_init(Pipeline *, int level);
/* Runs the passes that are enabled, up to and with `last` (PASS_COUNT - 1, or
 * less for the interpreter).  A module that breaks the
 * rules after a pass is an internal error that names the pass. */
void pipeline_run(Pipeline *, IrModule *, PassId last);
/* Of all functions and kernels. */
int count_statements(const IrModule *);

#define PASS(name, level, required, stage, help) \
  void pass_##name(IrModule *);
#include "gen/passes/passes.def"
#undef PASS

#endif
