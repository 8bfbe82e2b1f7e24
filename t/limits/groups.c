/* groups FOLDER: what the control groups that stand in the folder allow, as libsnode reads them. */
#include "runtime/host/base/allowed.h"

#include <stdio.h>

int main(int argc, char **argv)
{
  const uint64_t bytes = sni_control_group_memory(argc > 1 ? argv[1] : "");

  if (bytes == UINT64_MAX) printf("no limit\n");
  else printf("%llu\n", (unsigned long long)bytes);
  return 0;
}
