/* From the IR to the generated C file and header: what the driver calls.
 *
 * The writers read the module and never change it.  emit_c wants a lowered
 * module (for TARGET_INTERPRETER: a split one); emit_header takes any.
 */
#ifndef SNODEGEN_EMIT_EMIT_H
#define SNODEGEN_EMIT_EMIT_H

#include "gen/base/base.h"
#include "gen/ir/ir.h"

typedef enum EmitTarget {
  EMIT_OMP,                   /* host threads, devices and -DSN_SERIAL alike */
  EMIT_ACC,                   /* devices by OpenACC: the same file but for SN_ACC */
  EMIT_SERIAL,                /* no pragma at all */
  EMIT_INTERPRETER            /* the IR as text, run by libsnode_interpreter */
} EmitTarget;

/* Whether tasks have forms for devices, and threads. */
static inline bool has_parallel_tasks(EmitTarget target)
{
  return target == EMIT_OMP || target == EMIT_ACC;
}

typedef struct EmitOptions {
  EmitTarget target;
  int level;                  /* -O0 .. -O3 */
  bool lines;                 /* -g: #line, with the paths as given */
  bool contract, fast_math;   /* --fp-contract=fast, --fast-math */
  bool routines;              /* --routines */
  bool profile;               /* --profile */
  bool check_grad;            /* --check=grad */
  const char *base;           /* "heat": the C file includes "heat.h" */
} EmitOptions;

/* They append to the text. */
void emit_c(const IrModule *, const EmitOptions *, Text *);
void emit_header(const IrModule *, const EmitOptions *, Text *);
void emit_device_header(const IrModule *, const EmitOptions *, Text *);

#endif
