/* Which handles are alive: a table of their addresses, in debug builds (alive.h). */
#include "runtime/host/exec/alive.h"

#ifdef SN_DEBUG

# include <stdatomic.h>
# include <stdint.h>
# include <stdlib.h>

# include "runtime/host/base/platform.h"

static struct {
  atomic_flag lock;
  const void **at;               /* open addresses; NULL: free; freed: was taken */
  size_t count, capacity;        /* count: with those that are freed */
  int is_incomplete;             /* memory ran out: everything is alive */
} table = { ATOMIC_FLAG_INIT, NULL, 0, 0, 0 };

static const char freed;

/* Acquire and release: the lock of the table.  Who holds it may have lost its processor. */
static void lock(void)
{
  while (atomic_flag_test_and_set_explicit(&table.lock, memory_order_acquire))
    sni_thread_yield();
}

static void unlock(void)
{
  atomic_flag_clear_explicit(&table.lock, memory_order_release);
}

/* Where the search for it begins: handles of a pool lie in equal steps, so the product's upper
 * half. */
static size_t start_of(const void *handle)
{
  const uint64_t product = ((uintptr_t)handle >> 4) * UINT64_C(0x9e3779b97f4a7c15);

  return (size_t)(product >> 32) & (table.capacity - 1);
}

/* Its place, or the free one where the search ends. */
static size_t place_of(const void *handle)
{
  size_t k = start_of(handle);

  while (table.at[k] && table.at[k] != handle)
    k = (k + 1) & (table.capacity - 1);
  return k;
}

/* Where one that is not there goes: first where one was, so that an address that comes and goes
 * again and again stays near its start. */
static size_t room_for(const void *handle)
{
  size_t k = start_of(handle);

  while (table.at[k] && table.at[k] != &freed)
    k = (k + 1) & (table.capacity - 1);
  return k;
}

static void make_room(void)
{
  const void **old = table.at;
  const size_t capacity = table.capacity;

  if (4 * (table.count + 1) <= 3 * table.capacity)
    return;
  table.capacity = capacity ? 2 * capacity : 1024;
  table.at = calloc(table.capacity, sizeof *table.at);
  table.count = 0;
  if (!table.at) {
    table.is_incomplete = 1;
    table.capacity = 0;
  }
  for (size_t k = 0; table.at && k < capacity; k++)
    if (old[k] && old[k] != &freed) {
      table.at[place_of(old[k])] = old[k];
      table.count++;
    }
  free(old);
}

void sni_alive_begin(const void *handle)
{
  lock();
  if (!table.is_incomplete)
    make_room();
  if (!table.is_incomplete && table.at[place_of(handle)] != handle) {
    const size_t k = room_for(handle);
    table.count += !table.at[k];
    table.at[k] = handle;
  }
  unlock();
}

void sni_alive_end(const void *handle)
{
  lock();
  if (table.at && table.at[place_of(handle)] == handle)
    table.at[place_of(handle)] = &freed;
  unlock();
}

int sni_is_gone(const void *handle)
{
  int is_there;

  if (!handle)
    return 1;
  lock();
  is_there = table.is_incomplete || (table.at && table.at[place_of(handle)] == handle);
  unlock();
  return !is_there;
}

#else

/* No unit of translation is empty. */
typedef int nothing_is_checked;

#endif
