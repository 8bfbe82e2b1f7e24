/* The ring and the stack of handoff.h. */
#include "runtime/host/exec/handoff.h"
#include "runtime/host/exec/task.h"

/* Beside the address of a task, which is even. */
#define SNI_IS_SERVED ((uintptr_t)1)

/* ---- to the workers ---- */

int sni_handoff_has_room(sni_handoff *h)
{
  /* Relaxed: tail is written under the lock alone. */
  const uint64_t tail = atomic_load_explicit(&h->tail, memory_order_relaxed);

  /* Acquire: pairs with the exchange below.  Whoever took it has read the place before. */
  if (tail - h->seen_head == SNI_HANDED_MOST)
    h->seen_head = atomic_load_explicit(&h->head, memory_order_acquire);
  return tail - h->seen_head < SNI_HANDED_MOST;
}

void sni_handoff_give(sni_handoff *h, sni_task *task)
{
  const uint64_t tail = atomic_load_explicit(&h->tail, memory_order_relaxed);

  atomic_store_explicit(&h->at[tail % SNI_HANDED_MOST], task, memory_order_relaxed);
  /* Release: who sees the new tail sees the place, and the task as it is. */
  atomic_store_explicit(&h->tail, tail + 1, memory_order_release);
}

sni_task *sni_handoff_take(sni_handoff *h)
{
  uint64_t head = atomic_load_explicit(&h->head, memory_order_relaxed);

  for (;;) {
    sni_task *task;
    /* Acquire: pairs with the store of tail.  With a head that is out of date the exchange
     * fails. */
    if (head >= atomic_load_explicit(&h->tail, memory_order_acquire))
      return NULL;
    task = atomic_load_explicit(&h->at[head % SNI_HANDED_MOST], memory_order_relaxed);
    /* Sequentially consistent: release, so that the place is read before it can be filled again;
     * and in one order with the looks at who is awake (crew.c). */
    if (atomic_compare_exchange_weak_explicit(&h->head, &head, head + 1, memory_order_seq_cst,
                                              memory_order_relaxed))
      return task;
  }
}

int64_t sni_handoff_count(const sni_handoff *h)
{
  /* Head first: it never passes a tail that is read later. */
  const uint64_t head = atomic_load_explicit(&h->head, memory_order_seq_cst);

  return (int64_t)(atomic_load_explicit(&h->tail, memory_order_seq_cst) - head);
}

uint64_t sni_handoff_taken(const sni_handoff *h)
{
  return atomic_load_explicit(&h->head, memory_order_relaxed);
}

/* ---- back ---- */

int sni_handoff_return(sni_handoff *h, sni_task *task)
{
  uintptr_t before = atomic_load_explicit(&h->returned, memory_order_relaxed);

  /* Release: who collects sees what the body has written; the next task's too, since each
   * exchange continues the release of the one before. */
  do
    task->next = (sni_task *)(before & ~SNI_IS_SERVED);
  while (!atomic_compare_exchange_weak_explicit(&h->returned, &before,
                                                (uintptr_t)task | (before & SNI_IS_SERVED),
                                                memory_order_release, memory_order_relaxed));
  return (before & SNI_IS_SERVED) != 0;
}

sni_task *sni_handoff_collect(sni_handoff *h, int is_served)
{
  return (sni_task *)(atomic_exchange_explicit(&h->returned, is_served ? SNI_IS_SERVED : 0,
                                               memory_order_acquire) & ~SNI_IS_SERVED);
}

int sni_handoff_has_returned(const sni_handoff *h)
{
  return atomic_load_explicit(&h->returned, memory_order_relaxed) > SNI_IS_SERVED;
}
