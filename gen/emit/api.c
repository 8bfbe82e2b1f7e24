/* All functions of a generated header, in its order. */
#include "gen/emit/api.h"

Api api_of(Emit *e)
{
  const IrModule *m = e->module;
  Api all = { 0 };

  for (int k = 0; k < m->kernel_count; k++)
    for (int submits = 0; submits < 2; submits++)
      vec_push(e->arena, all.calls, all.count, kernel_api(e, m->kernels[k], submits != 0));
  for (int k = 0; k < m->tree_count; k++)
    if (!m->trees[k]->prefix)
      tree_api(e, m->trees[k], &all);
  module_api(e, &all);
  return all;
}
