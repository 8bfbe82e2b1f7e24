/* Why kernels have no derivative, as the passes reverse and forward have noted it. */
#include "gen/underived.h"
#include "gen/ir/finding.h"

#include <string.h>

/* The kernel of the program: its adjoint and its tangent are named after it. */
static const char *primal_name(Arena *arena, const char *name)
{
  static const char *const suffixes[] = { "_grad_dual", "_grad", "_dual" };
  const size_t length = strlen(name);

  for (int k = 0; k < 3; k++) {
    const size_t suffix = strlen(suffixes[k]);
    if (length > suffix && strcmp(name + length - suffix, suffixes[k]) == 0)
      return intern(arena, name, length - suffix);
  }
  return name;
}

void report_underived(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->underived_count; k++) {
    const IrUnderived *u = &m->underived[k];
    diag(d, DIAG_UNDERIVED, u->loc, primal_name(m->arena, u->kernel->name), u->text);
    if (u->note)
      diag(d, DIAG_UNDERIVED_NOTE, u->other, u->note);
  }
}
