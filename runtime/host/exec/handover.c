/* The lines of a crew as its workers see them, and handing tasks over to these without the lock.
 *
 * A ready task of the host's that declares no buffers is handed to the workers through a ring, and
 * comes back through a stack (handoff.h): while somebody submits, the workers wait for no lock, and
 * what follows from the end of their tasks is done by who holds it, in whose caches it is.
 */
#include "runtime/host/exec/wake.h"

/* What can be handed to the crew's workers: a ready task that needs nothing but one of them. */
static int can_be_handed(const sni_crew *crew, const sni_task *task)
{
  return crew->hands_over && !task->buffer_count && task->code == SN_OK;
}

sni_lined sni_crew_lined(const sni_crew *crew)
{
  if (crew->prepared.head || sni_crew_has_shared(crew))
    return SNI_LINED_NOW;
  if (!crew->ready.head)
    return SNI_LINED_NONE;
  return can_be_handed(crew, crew->ready.head) ? SNI_LINED_NEXT : SNI_LINED_NOW;
}

/* Lock held, both.  Release: who sees that there is something sees what was done before with the
 * lock held (sni_crew_wake_next). */
void sni_crew_note_lines(sni_crew *crew)
{
  const int lined = crew->hands_over ? (int)sni_crew_lined(crew) : SNI_LINED_NOW;

  if (atomic_load_explicit(&crew->lined, memory_order_relaxed) != lined)
    atomic_store_explicit(&crew->lined, lined, memory_order_release);
}

/* The ring is first come, first served, so all in it are of one priority. */
static int fits_in_ring(sni_crew *crew, int priority)
{
  if (priority != crew->out_priority && sni_handoff_count(&crew->handoff) > 0)
    return 0;
  return sni_handoff_has_room(&crew->handoff);
}

/* It is in no line, and a worker's from here on.  Only where one is awake: threads that help take
 * from the line. */
static void hand_over(sni_crew *crew, sni_task *task)
{
  crew->out_priority = task->priority;
  crew->out++;
  sni_handoff_give(&crew->handoff, task);
}

int sni_crew_hand_over(sni_crew *crew, sni_task *task)
{
  if (can_be_handed(crew, task) && !crew->ready.head && !sni_crew_has_shared(crew) &&
      fits_in_ring(crew, task->priority)) {
    hand_over(crew, task);
    return 1;
  }
  return 0;
}

/* As many as there is room for. */
void sni_crew_hand_over_next(sni_crew *crew)
{
  while (sni_crew_is_awake(crew) && crew->ready.head && !sni_crew_has_shared(crew) &&
         can_be_handed(crew, crew->ready.head) && fits_in_ring(crew, crew->ready.head->priority))
    hand_over(crew, sni_line_remove(&crew->ready, NULL));
}

/* It stands in the line again, where it stood. */
void sni_crew_take_back(sni_crew *crew)
{
  sni_task *newest = NULL, *task;

  while ((task = sni_handoff_take(&crew->handoff)) != NULL) {
    task->next = newest;
    newest = task;
  }
  while ((task = newest) != NULL) {
    newest = task->next;
    crew->out--;
    sni_line_push_ahead(&crew->ready, task);
  }
  sni_crew_note_lines(crew);
}
