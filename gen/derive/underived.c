/* Why a kernel has no derivative. */
#include "gen/derive/derive.h"
#include "gen/ir/finding.h"

#include <string.h>

void add_underived(IrModule *m, const IrFunction *kernel, Loc loc, const char *text, Loc other,
                   const char *note)
{
  IrUnderived u = { .kernel = kernel, .loc = loc, .text = text, .other = other, .note = note };

  for (int k = 0; k < m->underived_count; k++) {
    const IrUnderived *told = &m->underived[k];
    if (told->loc.file == loc.file && told->loc.line == loc.line && strcmp(told->text, text) == 0)
      return;
  }
  vec_push(m->arena, m->underived, m->underived_count, u);
}
