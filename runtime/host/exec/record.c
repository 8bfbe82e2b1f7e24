/* Recording: a body submits tasks, which are kept and not run.
 *
 * What is recorded are tasks as any, made as the children of one that never runs: checked, merged,
 * with their buffers declared and their edges drawn.
 */
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/recording.h"
#include "runtime/host/exec/scope.h"

/* Lock held.  Nobody comes after them in this scope: they leave its order, and keep their edges. */
static void close_scope(sn_recording *recording)
{
  for (size_t t = 0; t < recording->count; t++)
    for (int k = 0; k < recording->tasks[t]->part_count; k++)
      sni_order_leave(&sni_task_parts(recording->tasks[t])[k].member);
  sni_scope_destroy(&recording->root);
}

static void add_up(sn_recording *recording)
{
  sni_requirements *all = &recording->all;

  for (size_t t = 0; t < recording->count; t++)
    for (int k = 0; k < recording->tasks[t]->part_count; k++) {
      all->permission = sni_task_parts(recording->tasks[t])[k].permission;
      sni_requirements_add(sni_task_parts(recording->tasks[t])[k].block, all);
    }
  sni_requirements_merge(all);
}

static sn_recording *begin(sn_engine *engine)
{
  sn_recording *recording = sni_engine_new(engine, 1, sizeof *recording);

  if (!recording)
    return NULL;
  recording->engine = engine;
  recording->references = 1;
  recording->root.engine = engine;
  recording->root.name = "a recording";
  recording->root.is_recording = 1;
  recording->root.run.task = &recording->root;
  recording->root.run.unit = &engine->units[0];
  sni_requirements_begin(&recording->all, engine, "a replay");
  return recording;
}

static int record(sn_recording *recording, sn_body_fn body, void *user)
{
  sn_engine *engine = recording->engine;
  sni_inside inside;
  int code;

  sni_inside_body(&inside, &recording->root.run);
  sni_alive_begin(&recording->root.run);
  code = body(&recording->root.run, user);
  sni_alive_end(&recording->root.run);
  sni_inside_end(&inside);
  sni_mutex_lock(&engine->lock);
  close_scope(recording);
  sni_mutex_unlock(&engine->lock);
  if (code != SN_OK)
    return sni_engine_fail(engine, code, "the body that was recorded has failed: %s",
                           sn_strerror(code));
  add_up(recording);
  return recording->all.failed ? sni_engine_fail(engine, SN_ENOMEM, "no memory for a recording")
                               : SN_OK;
}

int sn_record(sn_engine *engine, sn_body_fn body, void *user, sn_recording **out)
{
  sn_recording *recording;
  const sn_run *running = sni_engine_running();
  int code;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!body || !out)
    return SN_EINVAL;
  if (running && running->task->is_recording)
    return sni_engine_fail(engine, SN_ESTATE, "a recording begins inside another one");
  sni_mutex_lock(&engine->lock);
  code = sni_tasks_create(engine);
  recording = code == SN_OK ? begin(engine) : NULL;
  engine->recording_count += recording != NULL;
  sni_mutex_unlock(&engine->lock);
  if (!recording)
    return code == SN_OK ? sni_engine_fail(engine, SN_ENOMEM, "no memory for a recording") : code;
  code = record(recording, body, user);
  sni_alive_begin(recording);
  if (code == SN_OK)
    *out = recording;
  else
    sn_recording_destroy(recording);
  return code;
}
