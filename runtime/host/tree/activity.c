/* What a call may change, and what it has made. */
#include "runtime/host/tree/call.h"

/* By the kernel's permissions (without any it may do all), or because it lies on the path of the
 * host's access. */
int sni_call_may_change(const sn_call *call, uint32_t slot, int32_t snode)
{
  const sn_kernel_info *kernel = call->kernel;

  if (!sni_is_sparse(call->trees[slot], snode))
    return 0;
  if (!kernel)
    return sni_is_on_path(call->trees[slot], snode, call->snode);
  for (uint32_t k = 0; k < kernel->permission_count; k++) {
    const snd_permission *row = &kernel->permissions[k];
    if (row->slot == (int32_t)slot && row->field == SND_USED_TOPOLOGY && row->snode == snode &&
        row->use & (SND_MAY_WRITE | SND_MAY_ACCUMULATE))
      return 1;
  }
  return kernel->permission_count == 0;
}

int sni_call_may_change_tree(const sn_call *call, uint32_t slot)
{
  for (uint32_t k = 1; k < call->trees[slot]->info->snode_count; k++)
    if (sni_call_may_change(call, slot, (int32_t)k))
      return 1;
  return 0;
}

const char *sni_owner_name(const sn_tree *tree, int32_t node)
{
  return tree->info->snodes[sni_owner_of(tree, node)].name;
}

void sni_call_made_chunks(sn_call *call, int32_t slot, int32_t snode, uint64_t chunks)
{
  const sn_tree *tree = call->trees[slot];
  const sni_profile_key key = { PROFILE_activation, tree->info->name, sni_owner_name(tree, snode),
                                0, NULL };
  const sni_spent spent = { .calls = 1,
                            .bytes = (double)(chunks * tree->snodes[snode].chunk_bytes) };

  if (call->is_profiled)
    sni_profile_add(&call->context->profile, &call->context->accounts, &key, &spent);
}
