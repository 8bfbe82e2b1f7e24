/* What a kernel's random numbers are made of: a key for each call, a number for each of
 * its tasks that draws.  snode/device/random.h makes the numbers.
 */
#include "runtime/host/base/fnv.h"
#include "runtime/host/tree/draws.h"

#include <stddef.h>

/* Of a bijection: the last steps of splitmix64 (G. L. Steele, D. Lea and C. H. Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014). */
uint64_t sni_mixed(uint64_t x)
{
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

int sni_draws(const sn_kernel_info *kernel)
{
  for (uint32_t k = 0; k < kernel->task_count; k++)
    if (kernel->tasks[k].flags & SND_TASK_DRAWS)
      return 1;
  return 0;
}

uint64_t *sni_draws_count(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  return kernel->slot_count ? &trees[0]->draws : &context->draws;
}

/* Calls of one kernel differ in n, kernels and seeds in what n is added to. */
void sni_draws_begin(sn_call *call)
{
  const sn_kernel_info *kernel = call->kernel;
  const uint64_t seed = (uint64_t)call->context->options.value[OPTION_seed];

  if (!kernel || !sni_draws(kernel))
    return;
  call->launch->random_key = sni_mixed(sni_mixed(seed) ^ sni_fnv(kernel->name)) +
                             (*sni_draws_count(call->context, kernel, call->trees))++;
}

int sni_draws_next(sn_call *call)
{
  snd_launch *launch = call->launch;
  const sn_addr at = call->launch_block.address + offsetof(snd_launch, random_task);

  launch->random_task++;
  return sni_memory_put(&call->context->memory, at, &launch->random_task,
                        sizeof launch->random_task);
}
