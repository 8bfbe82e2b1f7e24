/* What [[cache]] does not stage, as the pass stage has noted it. */
#include "gen/cached.h"
#include "gen/ir/finding.h"

void report_cached(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->unstaged_count; k++) {
    const IrUnstaged *u = &m->unstaged[k];
    if (u->kind == IR_UNSTAGED_UNUSED)
      diag(d, DIAG_ATTRIBUTE_UNUSED, u->loc, "cache", "the field is neither read nor added to");
    else if (u->kind == IR_UNSTAGED_TEAM)
      diag(d, DIAG_CACHE_TEAM, u->loc, u->name, u->why);
    else
      diag(d, u->kind == IR_UNSTAGED_FIELD ? DIAG_CACHE_FIELD : DIAG_CACHE_ACCESS, u->loc, u->name,
           u->why);
  }
}
