/* Modules: binding by hand, and kernels by name. */
#include <string.h>

#include <snode/version.h>

#include "runtime/host/tree/tree.h"

int sni_check_module(sn_context *context, const sn_module *module)
{
  if (module->abi == SNODE_ABI && module->bytes == sizeof *module)
    return SN_OK;
  return sni_fail(context, SN_EABI, "module %s was generated for ABI %u, this libsnode has ABI %d: "
                  "run snodegen again", module->name, (unsigned)module->abi, SNODE_ABI);
}

int sni_check_apart(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  for (uint32_t k = 0; k < kernel->apart_count; k++) {
    const snd_apart *apart = &kernel->apart[k];
    if (trees[apart->slot] == trees[apart->other])
      return sni_fail(context, SN_EINVAL, "%s: trees %d and %d that it takes may not be one: it "
                      "reads in tree %d what its kernel has overwritten in tree %d",
                      kernel->c_name, (int)apart->slot + 1, (int)apart->other + 1,
                      (int)apart->slot + 1, (int)apart->other + 1);
  }
  return SN_OK;
}

static int bind_module(sn_context *context, const sn_module *module)
{
  if (!module)
    return sni_fail(context, SN_EINVAL, "no module (NULL)");
  SN_TRY(sni_check_module(context, module));
  return sni_bind(context, module->backend);
}

int sn_module_bind(const sn_module *module, sn_context *context)
{
  int code;

  SN_TRY(sni_enter(context));
  code = bind_module(context, module);
  sni_leave(context);
  return code;
}

const sn_kernel_info *sn_module_find_kernel(const sn_module *module, const char *name)
{
  for (uint32_t k = 0; module && name && k < module->kernel_count; k++)
    if (strcmp(module->kernels[k]->name, name) == 0)
      return module->kernels[k];
  return NULL;
}
