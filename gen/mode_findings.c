/* What the passes found out about fields with a memory mode, said to the programmer. */
#include "gen/ir/finding.h"
#include "gen/mode_findings.h"

void report_modes(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->finding_count; k++) {
    const IrFinding *f = &m->findings[k];
    const char *name = ir_whole_name(m->arena, f->field->name);
    if (f->kind != IR_FOUND_ERROR)
      continue;
    diag(d, DIAG_VIRTUAL_FIELD, f->loc, name, f->text);
    if (f->changed)
      diag(d, DIAG_CHANGED_HERE, f->changed_loc, f->changed);
  }
}
