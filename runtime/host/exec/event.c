/* Events: done once, with the code of their work. */
#include "runtime/host/exec/engine.h"

sn_event *sni_event_create_held(sn_engine *engine, int references)
{
  sn_event *event = sni_engine_new(engine, 1, sizeof *event);

  if (event) {
    event->engine = engine;
    event->references = (uint32_t)references;
    engine->event_count++;
    sni_alive_begin(event);
  }
  return event;
}

sn_event *sni_event_create(sn_engine *engine, int references)
{
  sn_event *event;

  sni_mutex_lock(&engine->lock);
  event = sni_event_create_held(engine, references);
  sni_mutex_unlock(&engine->lock);
  return event;
}

void sni_event_complete(sn_event *event, int code)
{
  event->code = code;
  /* Release: who finds it done without the lock sees the code, and what the work wrote. */
  atomic_store_explicit(&event->done, 1, memory_order_release);
  sni_engine_wake(event->engine);
}

void sni_event_keep(sn_event *event)
{
  event->references++;
}

void sni_event_drop(sn_event *event)
{
  sn_engine *engine = event->engine;

  if (--event->references == 0) {
    engine->event_count--;
    sni_alive_end(event);
    sni_engine_delete(engine, event, 1, sizeof *event);
  }
}

int sn_event_is_done(sn_event *event, int *done)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(event)));
  if (!done)
    return SN_EINVAL;
  *done = atomic_load_explicit(&event->done, memory_order_acquire);
  return SN_OK;
}

int sn_event_await(sn_event *event)
{
  sn_engine *engine;
  int code = SN_OK;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(event)));
  if (atomic_load_explicit(&event->done, memory_order_acquire))
    return event->code;
  engine = event->engine;
  SN_TRY(sni_engine_may_wait(engine, "sn_event_await of what is not done"));
  sni_mutex_lock(&engine->lock);
  while (!atomic_load_explicit(&event->done, memory_order_relaxed))
    sni_engine_await_change(engine);
  code = event->code;
  sni_mutex_unlock(&engine->lock);
  return code;
}

void sn_event_release(sn_event *event)
{
  if (sni_engine_may_call(SNI_ENGINE_OF(event)) == SN_OK) {
    sn_engine *engine = event->engine;
    sni_mutex_lock(&engine->lock);
    sni_event_drop(event);
    sni_mutex_unlock(&engine->lock);
  }
}
