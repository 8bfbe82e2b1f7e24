/* The exclusive use of a context.
 *
 * A call from outside waits for the tasks that name the context or one of its trees, then until
 * nobody uses the context; so the program's text is the order.  A call from a task or from the work
 * of a queue waits for the user alone: among tasks the permissions are the order, and a task that
 * waited for the others would wait for itself.  Nobody waits for a context while using another one:
 * two are acquired together or not at all, so that no deadlock can come about.
 */
#include "runtime/host/bridge/exclusion.h"

static sn_engine *engine_of(const sn_context *context)
{
  return context->attachment->unit->engine;
}

static int has_users(const sni_attachment *attachment)
{
  for (const sni_attached_tree *t = attachment->trees; t; t = t->next)
    if (t->resource->users)
      return 1;
  return attachment->own->users != 0;
}

static int is_mine(const sni_attachment *attachment)
{
  return attachment->is_taken && sni_thread_is_this(attachment->holder);
}

static int is_free(const sni_attachment *attachment, int is_inside)
{
  return !attachment->is_taken && (is_inside || !has_users(attachment));
}

static void take(sni_attachment *attachment)
{
  attachment->is_taken = 1;
  attachment->holder = sni_thread_this();
}

static void give(sni_attachment *attachment)
{
  attachment->is_taken = 0;
  sni_engine_wake(attachment->unit->engine);
}

/* Lock held.  Whoever waits outside runs the host's tasks where there are no workers. */
static void wait_for_change(sn_engine *engine, int is_inside)
{
  if (is_inside)
    sni_engine_wait(engine);
  else
    sni_engine_await_change(engine);
}

int sni_exclusion_enter(sn_context *context, const char *what)
{
  sni_attachment *attachment = context->attachment;
  sn_engine *engine = engine_of(context);
  const int is_inside = sni_engine_is_inside(engine);
  int is_inside_already;

  if (sni_engine_may_call(engine) != SN_OK)
    return sni_fail(context, SN_ESTATE, "%s", sn_engine_error(engine));
  sni_mutex_lock(&engine->lock);
  is_inside_already = is_mine(attachment);
  if (!is_inside_already) {
    while (!is_free(attachment, is_inside))
      wait_for_change(engine, is_inside);
    take(attachment);
  }
  sni_mutex_unlock(&engine->lock);
  /* A callback of a call: it would wait for itself. */
  return is_inside_already ? sni_fail_busy(context, what) : SN_OK;
}

/* Of two engines there is no common lock: who would have to wait is refused. */
static int try_other(sn_context *other)
{
  sni_attachment *attachment = other->attachment;
  sn_engine *engine = engine_of(other);
  const int is_inside = sni_engine_is_inside(engine);
  int has_taken;

  sni_mutex_lock(&engine->lock);
  has_taken = is_free(attachment, is_inside);
  if (has_taken)
    take(attachment);
  sni_mutex_unlock(&engine->lock);
  return has_taken ? SN_OK : sni_fail_busy(other, NULL);
}

int sni_exclusion_enter_also(sn_context *held, sn_context *other)
{
  sni_attachment *mine = held->attachment, *wanted = other->attachment;
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

void sni_exclusion_leave(sn_context *context)
{
  sn_engine *engine = engine_of(context);

  sni_mutex_lock(&engine->lock);
  give(context->attachment);
  sni_mutex_unlock(&engine->lock);
}
