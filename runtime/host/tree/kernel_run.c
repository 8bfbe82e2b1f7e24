/* A kernel's call inside the context: its steps, and its result. */
#include "runtime/host/tree/arrays.h"
#include "runtime/host/tree/sequencer.h"

#include <string.h>

/* ---- end ---- */

/* The result lies among the kernel-level variables, a vector's elements side by side;
 * a bool is an int in C. */
static void copy_values(const sn_call *call, uint32_t offset, void *result)
{
  const sn_kernel_info *kernel = call->kernel;
  const char *from = (const char *)call->launch->vars + offset;

  if (kernel->result == SN_TYPE_BOOL)
    for (uint32_t k = 0; k < kernel->result_count; k++)
      ((int *)result)[k] = ((const uint8_t *)from)[k] != 0;
  else
    memcpy(result, from, kernel->result_count * sni_type_bytes((sn_type)kernel->result));
}

static void copy_result(const sn_call *call, void *result)
{
  const sn_kernel_info *kernel = call->kernel;
  void **both = result;

  if (kernel->dual_offset)
    copy_values(call, kernel->dual_offset, both[1]);
  copy_values(call, kernel->result_offset, kernel->dual_offset ? both[0] : result);
}

static int end(sn_call *call, void *result)
{
  sni_call_return_arrays(call);
  if (call->code == SN_OK && call->kernel->result >= 0)
    copy_result(call, result);
  sni_call_spent(call, (sni_profile_key){ .kind = PROFILE_kernel, .owner = call->name },
                 call->timer, 0);
  return sni_call_close(call);
}

/* ---- the call ---- */

int sni_kernel_run(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees,
                   void *params, void *result, struct sni_noted *note)
{
  sn_call *call;

  SN_TRY(sni_call_open(context, kernel->module, kernel, kernel->c_name, trees, kernel->slot_count,
                       NULL, kernel->vars_bytes, &call));
  call->params = params;
  call->note = note;
  kernel->steps(call);
  return end(call, result);
}
