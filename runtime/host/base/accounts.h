/* Memory accounts: what a context holds, and small allocations.
 *
 * Every allocation of libsnode is admitted here first, the host's and the
 * devices' alike, so that a leak shows as a count and a test can make each
 * allocation fail once, in every build: with SNODE_FAIL_ALLOCATION=N in the environment the N-th
 * one of every context (and of every configuration and engine) fails.
 */
#ifndef SNI_BASE_ACCOUNTS_H
#define SNI_BASE_ACCOUNTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sni_accounts {
  uint64_t allocations;          /* admitted or refused, ever */
  uint64_t fail_at;              /* the one to refuse; 0: none */
  uint64_t blocks;               /* alive */
  uint64_t bytes, peak_bytes;    /* alive; address space that is only reserved included */
} sni_accounts;

void sni_accounts_init(sni_accounts *);
/* 1: go on and allocate, then report what it came to by sni_accounts_took. */
int sni_accounts_admit(sni_accounts *);
void sni_accounts_took(sni_accounts *, size_t bytes);
void sni_accounts_gave(sni_accounts *, size_t bytes);

/* Zeroed; NULL when there is no memory.  The size is told again on freeing. */
void *sni_new(sni_accounts *, size_t count, size_t bytes);
void sni_delete(sni_accounts *, void *, size_t count, size_t bytes);
/* Room for `need` entries: *array grows by doubling, *count is its capacity; new
 * entries are zero.  0: no memory, nothing changed. */
int sni_grow(sni_accounts *, void **array, size_t *capacity, size_t need, size_t bytes);

#endif
