/* Why a kernel has no derivative. */
#include "gen/derive/derive.h"
#include "gen/ir/finding.h"

void add_underived(IrModule *m, const IrFunction *kernel, Loc loc, const char *text, Loc other,
                   const char *note)
{
  IrUnderived u = { .kernel = kernel, .loc = loc, .text = text, .other = other, .note = note };

  for (int k = 0; k < m->underived_count; k++) {
    const Loc *told = &m->underived[k].loc;
    if (told->file == loc.file && told->line == loc.line && told->column == loc.column)
      return;
  }
  vec_push(m->arena, m->underived, m->underived_count, u);
}
