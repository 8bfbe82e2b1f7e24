/* Counting allocations, and refusing the one that a test names. */
#include "runtime/host/base/accounts.h"

#include <stdlib.h>
#include <string.h>

void sni_accounts_init(sni_accounts *accounts)
{
  const char *fail_at = getenv("SNODE_FAIL_ALLOCATION");

  memset(accounts, 0, sizeof *accounts);
  accounts->fail_at = fail_at ? strtoull(fail_at, NULL, 10) : 0;
}

int sni_accounts_admit(sni_accounts *accounts)
{
  return ++accounts->allocations != accounts->fail_at;
}

void sni_accounts_took(sni_accounts *accounts, size_t bytes)
{
  accounts->blocks++;
  accounts->bytes += bytes;
  if (accounts->bytes > accounts->peak_bytes)
    accounts->peak_bytes = accounts->bytes;
}

void sni_accounts_gave(sni_accounts *accounts, size_t bytes)
{
  accounts->blocks--;
  accounts->bytes -= bytes;
}

void *sni_new(sni_accounts *accounts, size_t count, size_t bytes)
{
  void *memory;

  if (!sni_accounts_admit(accounts))
    return NULL;
  memory = calloc(count ? count : 1, bytes);
  if (memory)
    sni_accounts_took(accounts, count * bytes);
  return memory;
}

void sni_delete(sni_accounts *accounts, void *memory, size_t count, size_t bytes)
{
  if (!memory)
    return;
  free(memory);
  sni_accounts_gave(accounts, count * bytes);
}

int sni_grow(sni_accounts *accounts, void **array, size_t *capacity, size_t need, size_t bytes)
{
  size_t wanted = *capacity ? *capacity : 8;
  void *grown;

  if (need <= *capacity)
    return 1;
  while (wanted < need)
    wanted *= 2;
  grown = sni_new(accounts, wanted, bytes);
  if (!grown)
    return 0;
  if (*array)
    memcpy(grown, *array, *capacity * bytes);
  sni_delete(accounts, *array, *capacity, bytes);
  *array = grown;
  *capacity = wanted;
  return 1;
}
