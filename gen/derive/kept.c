/* What an adjoint keeps, for -Wperf. */
#include "gen/derive/derive.h"
#include "gen/ir/finding.h"

#include <string.h>

void add_kept(IrModule *m, Loc loc, const char *how)
{
  for (int k = 0; k < m->kept_count; k++)
    if (loc_is_same(m->kept[k].loc, loc) && strcmp(m->kept[k].why, how) == 0)
      return;
  vec_push(m->arena, m->kept, m->kept_count, ((IrUnrowed){ loc, how, NULL }));
}
