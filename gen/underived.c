/* Why kernels have no derivative, as the passes reverse and forward have noted it. */
#include "gen/underived.h"
#include "gen/ir/finding.h"

void report_underived(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->underived_count; k++) {
    const IrUnderived *u = &m->underived[k];
    diag(d, DIAG_UNDERIVED, u->loc, u->kernel->name, u->text);
    if (u->note)
      diag(d, DIAG_UNDERIVED_NOTE, u->other, u->note);
  }
}
