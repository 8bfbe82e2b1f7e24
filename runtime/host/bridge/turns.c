/* Who is in a context that stands on a unit: one thread or queue at a time.
 *
 * A call from outside waits for the tasks that name the context or one of its trees, then for its
 * turn; so the program's text is the order.  A call from a task or from the work of a queue waits
 * for its turn alone: among tasks the permissions are the order, and who waited for
 * the others would wait for itself.  Nobody holds a turn while waiting for another: two are
 * taken together or not at all, so no circle comes about.
 */
#include "runtime/host/bridge/stand.h"

static sn_engine *engine_of(const sn_context *context)
{
  return context->stand->unit->engine;
}

static int has_users(const sni_stand *stand)
{
  for (const sni_standing_tree *t = stand->trees; t; t = t->next)
    if (t->resource->users)
      return 1;
  return stand->own->users != 0;
}

static int is_mine(const sni_stand *stand)
{
  return stand->is_taken && sni_thread_is_this(stand->holder);
}

static int is_free(const sni_stand *stand, int is_inside)
{
  return !stand->is_taken && (is_inside || !has_users(stand));
}

static void take(sni_stand *stand)
{
  stand->is_taken = 1;
  stand->holder = pthread_self();
}

static void give(sni_stand *stand)
{
  stand->is_taken = 0;
  sni_engine_wake(stand->unit->engine);
}

/* Lock held.  Whoever waits outside runs the host's tasks where there are no workers. */
static void wait_for_change(sn_engine *engine, int is_inside)
{
  if (is_inside)
    sni_engine_wait(engine);
  else
    sni_engine_await_change(engine);
}

int sni_turn_enter(sn_context *context, const char *what)
{
  sni_stand *stand = context->stand;
  sn_engine *engine = engine_of(context);
  const int is_inside = sni_engine_is_inside(engine);
  int is_inside_already;

  if (sni_engine_may_call(engine) != SN_OK)
    return sni_fail(context, SN_ESTATE, "%s", sn_engine_error(engine));
  sni_mutex_lock(&engine->lock);
  is_inside_already = is_mine(stand);
  if (!is_inside_already) {
    while (!is_free(stand, is_inside))
      wait_for_change(engine, is_inside);
    take(stand);
  }
  sni_mutex_unlock(&engine->lock);
  /* A callback of a call: it would wait for itself. */
  return is_inside_already ? sni_fail_busy(context, what) : SN_OK;
}

/* Of two engines there is no common lock: who would have to wait is refused. */
static int try_other(sn_context *other)
{
  sni_stand *stand = other->stand;
  sn_engine *engine = engine_of(other);
  const int is_inside = sni_engine_is_inside(engine);
  int has_taken;

  sni_mutex_lock(&engine->lock);
  has_taken = is_free(stand, is_inside);
  if (has_taken)
    take(stand);
  sni_mutex_unlock(&engine->lock);
  return has_taken ? SN_OK : sni_fail_busy(other, NULL);
}

int sni_turn_enter_also(sn_context *held, sn_context *other)
{
  sni_stand *mine = held->stand, *wanted = other->stand;
  sn_engine *engine = engine_of(held);
  const int is_inside = sni_engine_is_inside(engine);

  if (engine_of(other) != engine)
    return try_other(other);
  sni_mutex_lock(&engine->lock);
  give(mine);
  while (!is_free(mine, is_inside) || !is_free(wanted, is_inside))
    wait_for_change(engine, is_inside);
  take(mine);
  take(wanted);
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}

void sni_turn_leave(sn_context *context)
{
  sn_engine *engine = engine_of(context);

  sni_mutex_lock(&engine->lock);
  give(context->stand);
  sni_mutex_unlock(&engine->lock);
}
