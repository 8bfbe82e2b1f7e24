/* The versions that are linked. */
#include <snode/version.h>

const char *sn_version(void)
{
  return SNODE_VERSION;
}

int sn_version_api(void)
{
  return SNODE_API;
}

int sn_version_abi(void)
{
  return SNODE_ABI;
}
