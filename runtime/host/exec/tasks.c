/* The tasks of an engine, and their workers: made by the first one, destroyed with the engine. */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/graph.h"
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/scheduler.h"
#include "runtime/host/exec/wake.h"

static int crew_create(sni_crew *crew, sn_unit *unit)
{
  char name[SNI_NAME];

  crew->unit = unit;
  crew->ahead = unit->kind == SN_UNIT_HOST ? 0 : SNI_AHEAD;
  crew->threads_wanted = unit->kind == SN_UNIT_HOST ? unit->engine->options.workers : 1;
  crew->processors = sni_processors();
  crew->is_measured = unit->kind == SN_UNIT_HOST && crew->threads_wanted > 0;
  atomic_store_explicit(&crew->grain, SNI_GRAIN_UNKNOWN, memory_order_relaxed);
  /* A scheduler that measures is told of a task's end by its worker, in the lock. */
  crew->hands_over = unit->kind == SN_UNIT_HOST && crew->threads_wanted > 0 &&
                     !unit->engine->tasks->scheduler->cost;
  sni_condition_create(&crew->work);
  sni_mutex_create(&crew->watch_lock);
  sni_condition_create(&crew->watch);
  if (!crew->threads_wanted)
    return SN_OK;
  crew->threads = sni_engine_new(unit->engine, (size_t)crew->threads_wanted,
                                 sizeof *crew->threads);
  if (!crew->threads)
    return sni_engine_fail(unit->engine, SN_ENOMEM, "no memory for the workers of %s",
                           unit->name);
  while (crew->thread_count < crew->threads_wanted) {
    (void)sni_text_format(name, sizeof name, "sn:%s %d", unit->name, crew->thread_count);
    if (!sni_thread_start(&crew->threads[crew->thread_count], name, unit->engine->options.stack,
                          sni_crew_work, crew))
      return sni_engine_fail(unit->engine, SN_ENOMEM, "no thread could be had for a worker of %s",
                             unit->name);
    crew->thread_count++;
  }
  return SN_OK;
}

/* Lock held, and let go while threads end. */
static void crew_destroy(sni_crew *crew)
{
  sn_engine *engine = crew->unit->engine;

  sni_crew_close(crew);
  sni_mutex_unlock(&engine->lock);
  for (int k = 0; k < crew->thread_count; k++)
    sni_thread_join(crew->threads[k]);
  sni_mutex_lock(&engine->lock);
  if (crew->threads)
    sni_engine_delete(engine, crew->threads, (size_t)crew->threads_wanted,
                      sizeof *crew->threads);
  sni_condition_destroy(&crew->watch);
  sni_mutex_destroy(&crew->watch_lock);
  sni_condition_destroy(&crew->work);
}

static void free_tasks(sn_engine *engine, int crews)
{
  for (int k = 0; k < crews; k++)
    crew_destroy(&engine->tasks->crews[k]);
  sni_graph_destroy(engine);
  sni_measures_destroy(engine);
  sni_pools_destroy(engine);
  sni_engine_delete(engine, engine->tasks->crews, (size_t)engine->unit_count,
                    sizeof *engine->tasks->crews);
  sni_engine_delete(engine, engine->tasks, 1, sizeof *engine->tasks);
  engine->tasks = NULL;
}

int sni_tasks_create(sn_engine *engine)
{
  static const sni_upward calls = { sni_crews_pump, sni_crews_help };
  sni_tasks *tasks;
  int code = SN_OK, crews = 0;

  if (engine->tasks)
    return SN_OK;
  tasks = sni_engine_new(engine, 1, sizeof *tasks);
  if (!tasks)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for tasks");
  engine->tasks = tasks;
  tasks->calls = &calls;
  tasks->scheduler = &engine->scheduler;
  tasks->crews = sni_engine_new(engine, (size_t)engine->unit_count, sizeof *tasks->crews);
  if (!tasks->crews)
    code = sni_engine_fail(engine, SN_ENOMEM, "no memory for the workers");
  for (; code == SN_OK && crews < engine->unit_count; crews++)
    code = crew_create(&tasks->crews[crews], &engine->units[crews]);
  if (code != SN_OK)
    free_tasks(engine, crews);
  else
    sni_engine_note_sleepers(engine);
  return code;
}

void sni_tasks_destroy(sn_engine *engine)
{
  sni_mutex_lock(&engine->lock);
  if (engine->tasks)
    free_tasks(engine, engine->unit_count);
  sni_mutex_unlock(&engine->lock);
}
