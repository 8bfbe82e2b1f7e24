/* Budgets: counting what is taken.  The counters are relaxed: they are numbers, and order no
 * memory. */
#include "runtime/host/base/budget.h"

static uint64_t taken_of(const sni_budget *budget)
{
  return atomic_load_explicit(&budget->taken, memory_order_relaxed);
}

static uint64_t own_left(const sni_budget *budget)
{
  const uint64_t taken = taken_of(budget);

  return taken < budget->limit ? budget->limit - taken : 0;
}

void sni_budget_init(sni_budget *budget, uint64_t limit, sni_budget *above)
{
  budget->above = above;
  budget->limit = limit ? limit : UINT64_MAX;
  atomic_init(&budget->taken, 0);
}

static int take_own(sni_budget *budget, uint64_t bytes)
{
  uint_least64_t taken = taken_of(budget);

  do {
    if (taken > budget->limit || bytes > budget->limit - taken)
      return 0;
  } while (!atomic_compare_exchange_weak_explicit(&budget->taken, &taken, taken + bytes,
                                                  memory_order_relaxed, memory_order_relaxed));
  return 1;
}

static void give_own(sni_budget *budget, uint64_t bytes)
{
  (void)atomic_fetch_sub_explicit(&budget->taken, bytes, memory_order_relaxed);
}

int sni_budget_take(sni_budget *budget, uint64_t bytes)
{
  if (!take_own(budget, bytes))
    return 0;
  if (budget->above && !sni_budget_take(budget->above, bytes)) {
    give_own(budget, bytes);
    return 0;
  }
  return 1;
}

void sni_budget_give(sni_budget *budget, uint64_t bytes)
{
  for (; budget; budget = budget->above)
    give_own(budget, bytes);
}

void sni_budget_end(sni_budget *budget)
{
  sni_budget_give(budget, taken_of(budget));
}

uint64_t sni_budget_limit(const sni_budget *budget)
{
  uint64_t least = budget->limit;

  while ((budget = budget->above))
    least = budget->limit < least ? budget->limit : least;
  return least;
}

uint64_t sni_budget_left(const sni_budget *budget)
{
  uint64_t least = own_left(budget);

  while ((budget = budget->above))
    least = own_left(budget) < least ? own_left(budget) : least;
  return least;
}
