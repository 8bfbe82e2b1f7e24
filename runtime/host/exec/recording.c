/* Recordings: tasks that are made once (record.c), to be replayed, and kept as long as any are. */
#include "runtime/host/exec/recording.h"
#include "runtime/host/exec/pool.h"

#include <stddef.h>

sn_recording *sni_recording_of(sni_task *root)
{
  return (sn_recording *)(void *)((unsigned char *)root - offsetof(sn_recording, root));
}

int sni_recording_make_room(sn_recording *recording)
{
  void *tasks = recording->tasks;
  const int has_room = sni_engine_grow(recording->engine, &tasks, &recording->capacity,
                                       recording->count + 1, sizeof *recording->tasks);

  recording->tasks = tasks;
  return has_room;
}

void sni_recording_add(sn_recording *recording, sni_task *task)
{
  recording->tasks[recording->count++] = task;
  task->number = recording->count;
}

void sni_recording_drop(sn_recording *recording)
{
  sn_engine *engine = recording->engine;

  if (--recording->references)
    return;
  for (size_t t = 0; t < recording->count; t++) {
    sni_task_drop_tensors(recording->tasks[t]);
    sni_pool_give(engine, recording->tasks[t], recording->tasks[t]->bytes);
  }
  sni_engine_delete(engine, recording->tasks, recording->capacity, sizeof *recording->tasks);
  sni_requirements_drop(&recording->all);
  sni_engine_delete(engine, recording, 1, sizeof *recording);
  engine->recording_count--;
}

void sn_recording_destroy(sn_recording *recording)
{
  if (sni_engine_may_call(SNI_ENGINE_OF(recording)) == SN_OK) {
    sn_engine *engine = recording->engine;
    sni_mutex_lock(&engine->lock);
    sni_alive_end(recording);
    sni_recording_drop(recording);
    sni_mutex_unlock(&engine->lock);
  }
}

int64_t sn_recording_tasks(const sn_recording *recording)
{
  return sni_is_gone(recording) ? 0 : (int64_t)recording->count;
}

void sni_replay_over(const struct sni_replay *replay)
{
  sni_recording_drop(replay->recording);
}
