/* Contexts on the devices that are named, one after the other: what a tree's first call says there.
 *
 *   open DEVICE...
 */
#include "ring.h"

#include <stdio.h>

static int begin(sn_context *context, int64_t *sum)
{
  ring_ring *tree = NULL;
  int code = ring_ring_create(context, NULL, &tree);

  if (code == SN_OK) code = ring_begin(tree);
  if (code == SN_OK) code = ring_sum(tree, sum);
  ring_ring_destroy(tree);
  return code;
}

static int look(const char *device)
{
  sn_config *config = NULL;
  sn_context *context = NULL;
  int64_t sum = 0;
  int code = sn_config_create(&config);

  if (code == SN_OK) code = sn_config_set(config, "device", device);
  if (code == SN_OK) code = sn_context_create(config, &context);
  sn_config_destroy(config);
  if (code != SN_OK) return code;
  code = begin(context, &sum);
  if (code == SN_OK) printf("%s: %lld\n", device, (long long)sum);
  else printf("%s: %s: %s\n", device, sn_strerror(code), sn_context_error(context));
  return sn_context_destroy(context);
}

int main(int argc, char **argv)
{
  for (int k = 1; k < argc; k++)
    if (look(argv[k]) != SN_OK) return 1;
  return 0;
}
