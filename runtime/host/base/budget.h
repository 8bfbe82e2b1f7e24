/* Budgets: how many bytes of a unit's memory may be taken for values.
 *
 * A tree's stands below its context's: what the tree takes, the context has taken too, so that all
 * trees of a context keep one limit together.  Any thread may take, at any time: tasks of the host
 * make chunks.
 */
#ifndef SNI_BASE_BUDGET_H
#define SNI_BASE_BUDGET_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct sni_budget {
  struct sni_budget *above;      /* NULL: none */
  uint64_t limit;                /* UINT64_MAX: none */
  atomic_uint_least64_t taken;
} sni_budget;

/* limit 0: none of its own. */
void sni_budget_init(sni_budget *, uint64_t limit, sni_budget *above);
/* 1, or 0 where it would pass a limit, its own or one above: then nothing is taken. */
int sni_budget_take(sni_budget *, uint64_t bytes);
void sni_budget_give(sni_budget *, uint64_t bytes);
/* Gives all of it back to those above. */
void sni_budget_end(sni_budget *);
/* The least limit, and what is left of it: of its own and those above. */
uint64_t sni_budget_limit(const sni_budget *);
uint64_t sni_budget_left(const sni_budget *);

#endif
