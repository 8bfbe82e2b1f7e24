/* Replays of recordings.
 *
 * A replay is a task that may do what the recorded ones (recording.c) may together; its body makes
 * a copy of each, which needs no check and no look at the order: the edges stand at the same places
 * in the copies.
 *
 * Names of tensors are exchanged in the copies; the body is told by sn_run_tensor.
 */
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/graph.h"
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/recording.h"
#include "runtime/host/exec/submit.h"
#include "runtime/host/exec/wake.h"

#include <string.h>

enum { CHUNK = 256 };            /* tasks that are copied before others get the lock */

typedef struct pair {
  sn_tensor *from, *to;
} pair;

static const pair *pairs_of(const struct sni_replay *replay)
{
  return (const pair *)(const void *)(replay + 1);
}

static sn_tensor *stands_for(const struct sni_replay *replay, sn_tensor *tensor)
{
  for (size_t k = 0; k < replay->pair_count; k++)
    if (pairs_of(replay)[k].from == tensor)
      return pairs_of(replay)[k].to;
  return tensor;
}

static sni_tensor_block *block_for(const struct sni_replay *replay, sni_tensor_block *block)
{
  sn_tensor *tensor = stands_for(replay, block->tensor);

  return tensor == block->tensor ? block : &tensor->blocks[block->number];
}

/* ---- copies ---- */

typedef struct instance {
  sni_task *root;                /* the replay's */
  const struct sni_replay *replay;
  sni_task **copy;               /* by number of the recorded - 1 */
  int failed;
} instance;

/* What stood in the recorded task's memory, in its copy's; another address stays. */
static void *moved(const void *at, const sni_task *from, sni_task *to)
{
  const uintptr_t offset = (uintptr_t)at - (uintptr_t)from;

  return at && offset < from->bytes ? (unsigned char *)to + offset : (void *)(uintptr_t)at;
}

/* Tensors that stand for others may lie in another order. */
static void sort_parts(sni_task *task)
{
  for (int k = 1; k < task->part_count; k++) {
    const sni_part part = sni_task_parts(task)[k];
    int at = k;
    for (; at > 0 && (uintptr_t)sni_task_parts(task)[at - 1].block > (uintptr_t)part.block; at--)
      sni_task_parts(task)[at] = sni_task_parts(task)[at - 1];
    sni_task_parts(task)[at] = part;
  }
}

static void exchange_tensors(sni_task *task, const struct sni_replay *replay)
{
  for (int k = 0; k < task->part_count; k++)
    sni_task_parts(task)[k].block = block_for(replay, sni_task_parts(task)[k].block);
  for (int k = 0; k < task->buffer_count; k++)
    task->buffers[k].request.block = block_for(replay, task->buffers[k].request.block);
  sort_parts(task);
}

static void make_copy(instance *i, size_t number)
{
  const sni_task *from = i->replay->recording->tasks[number];
  sni_task *to = i->failed ? NULL : sni_pool_take(from->engine, from->bytes);

  i->copy[number] = to;
  i->failed |= !to;
  if (!to)
    return;
  memcpy(to, from, from->bytes);
  to->parent = i->root;
  to->replay = i->replay;
  to->later = NULL;
  to->waits = 0;
  to->run.task = to;
  to->name = moved(from->name, from, to);
  to->user = moved(from->user, from, to);
  to->buffers = moved(from->buffers, from, to);
  for (int k = 0; k < to->part_count; k++)
    sni_task_parts(to)[k].member.who = to;
  for (int k = 0; k < to->buffer_count; k++) {
    to->buffers[k].task = to;
    to->buffers[k].request.next = moved(from->buffers[k].request.next, from, to);
  }
  if (i->replay->pair_count)
    exchange_tensors(to, i->replay);
}

static void give_copy(instance *i, size_t number)
{
  if (i->copy[number])
    sni_pool_give(i->root->engine, i->copy[number], i->copy[number]->bytes);
}

static void enliven(instance *i, size_t number)
{
  sni_task_hold_tensors(i->copy[number]);
  sni_task_is_alive(i->copy[number]);
}

static void draw_edges(instance *i, size_t number)
{
  sn_engine *engine = i->root->engine;
  const sni_task *from = i->replay->recording->tasks[number];
  sni_task *earlier = i->copy[number];

  for (const sni_edge *edge = from->later; edge; edge = edge->next) {
    sni_task *later = i->copy[edge->later->number - 1];
    sni_edge *own = moved(edge, edge->later, later);
    own->later = later;
    own->next = earlier->later;
    earlier->later = own;
    later->waits++;
    engine->tasks->counters.edges++;
    if (engine->options.record_graph)
      sni_graph_add_edge(earlier, later);
  }
}

/* Others become ready when these end, and may have ended by now. */
static void start_first(instance *i, size_t number)
{
  if (!i->replay->recording->tasks[number]->waits)
    sni_task_is_ready(i->copy[number]);
}

static void for_all(instance *i, void (*step)(instance *, size_t))
{
  sn_engine *engine = i->root->engine;
  const size_t count = i->replay->recording->count;

  for (size_t from = 0; from < count; from += CHUNK) {
    const size_t to = count - from > CHUNK ? from + CHUNK : count;
    sni_mutex_lock(&engine->lock);
    for (size_t k = from; k < to; k++)
      step(i, k);
    if (step == start_first)
      sni_crews_wake(engine, NULL);
    sni_mutex_unlock(&engine->lock);
  }
}

/* The replay's body. */
static int run_replay(sn_run *run, void *user)
{
  sn_engine *engine = run->task->engine;
  instance i = { run->task, user, NULL, 0 };
  const size_t count = i.replay->recording->count;

  if (count)
    i.copy = sni_engine_new(engine, count, sizeof *i.copy);
  if (count && !i.copy)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for a replay");
  for_all(&i, make_copy);
  if (i.failed) {
    for_all(&i, give_copy);
  } else {
    for_all(&i, enliven);
    for_all(&i, draw_edges);
    for_all(&i, start_first);
  }
  sni_engine_delete(engine, i.copy, count, sizeof *i.copy);
  return i.failed ? sni_engine_fail(engine, SN_ENOMEM, "no memory for a replay") : SN_OK;
}

/* ---- what may stand for what ---- */

static int is_recorded(const sn_recording *recording, const sn_tensor *tensor)
{
  for (size_t k = 0; k < recording->all.count; k++)
    if (recording->all.at[k].block->tensor == tensor)
      return 1;
  return 0;
}

static int have_same_tiles(const sn_tensor *a, const sn_tensor *b)
{
  for (int d = 0; d < a->dimensions; d++) {
    if (a->tiles[d] != b->tiles[d])
      return 0;
    for (int64_t t = 0; a->spaces[d] != b->spaces[d] && t < a->tiles[d]; t++)
      if (sn_space_tile_length(a->spaces[d], t) != sn_space_tile_length(b->spaces[d], t))
        return 0;
  }
  for (int64_t k = 0; k < a->block_count; k++)
    if (!a->blocks[k].home != !b->blocks[k].home)
      return 0;
  return 1;
}

static int check_pair(const sn_recording *recording, const sn_replay_spec *spec, int number)
{
  sn_engine *engine = recording->engine;
  const sn_tensor *from = spec->from[number], *to = spec->to[number];

  if (!from || !to || to->engine != engine)
    return sni_engine_fail(engine, SN_EINVAL, "a replay exchanges %s for %s",
                           sn_tensor_name(from), to ? "a tensor of another engine" : "no tensor");
  if (!is_recorded(recording, from))
    return sni_engine_fail(engine, SN_EINVAL, "a replay exchanges %s, which its recording does not "
                           "name", from->name);
  if (from->type != to->type || from->dimensions != to->dimensions || !have_same_tiles(from, to))
    return sni_engine_fail(engine, SN_EINVAL, "a replay exchanges %s for %s, which has another "
                           "type, other tiles or other stored blocks", from->name, to->name);
  return SN_OK;
}

/* Two tensors that become one would be ordered otherwise. */
static int check_meeting(const sn_recording *recording, const sn_replay_spec *spec, int number)
{
  int is_exchanged = 0;

  for (int k = 0; k < spec->tensor_count; k++) {
    is_exchanged |= spec->from[k] == spec->to[number];
    if (k != number && (spec->from[k] == spec->from[number] || spec->to[k] == spec->to[number]))
      return sni_engine_fail(recording->engine, SN_EINVAL, "a replay exchanges %s twice",
                             sn_tensor_name(spec->from[k] == spec->from[number] ? spec->from[k]
                                                                                : spec->to[k]));
  }
  if (!is_exchanged && is_recorded(recording, spec->to[number]))
    return sni_engine_fail(recording->engine, SN_EINVAL,
                           "a replay exchanges %s for %s, which the recording uses too",
                           spec->from[number]->name, spec->to[number]->name);
  return SN_OK;
}

static int check_spec(const sn_recording *recording, const sn_replay_spec *spec)
{
  if (spec->tensor_count < 0 || (spec->tensor_count && (!spec->from || !spec->to)) ||
      (spec->argument_bytes && !spec->arguments))
    return sni_engine_fail(recording->engine, SN_EINVAL, "a replay's spec names tensors or "
                           "arguments that are not there");
  for (int k = 0; k < spec->tensor_count; k++)
    SN_TRY(check_pair(recording, spec, k));
  for (int k = 0; k < spec->tensor_count; k++)
    SN_TRY(check_meeting(recording, spec, k));
  return SN_OK;
}

/* ---- replaying ---- */

/* Where its arguments begin. */
static size_t arguments_at(size_t pair_count)
{
  return sni_task_padded(sizeof(struct sni_replay) + pair_count * sizeof(pair));
}

static size_t replay_bytes(const sn_replay_spec *spec)
{
  return arguments_at((size_t)spec->tensor_count) + spec->argument_bytes;
}

static void fill_replay(struct sni_replay *replay, sn_recording *recording,
                        const sn_replay_spec *spec)
{
  pair *pairs = (pair *)(void *)(replay + 1);

  replay->recording = recording;
  replay->pair_count = (size_t)spec->tensor_count;
  replay->argument_bytes = spec->argument_bytes;
  for (int k = 0; k < spec->tensor_count; k++) {
    pairs[k].from = spec->from[k];
    pairs[k].to = spec->to[k];
  }
  if (spec->argument_bytes)
    memcpy((unsigned char *)replay + arguments_at(replay->pair_count), spec->arguments,
           spec->argument_bytes);
}

/* What the tasks may do together, to the tensors that take the place of theirs. */
static int exchange_requirements(sni_requirements *w, const struct sni_replay *replay)
{
  const sni_requirements *all = &replay->recording->all;

  for (size_t k = 0; k < all->count; k++) {
    w->permission = all->at[k].permission;
    sni_requirements_add(block_for(replay, all->at[k].block), w);
  }
  sni_requirements_merge(w);
  return w->failed ? sni_engine_fail(w->engine, SN_ENOMEM, "no memory for a replay") : SN_OK;
}

static int submit(const struct sni_replay *replay, const sn_task_spec *spec, sn_event **done)
{
  sn_recording *recording = replay->recording;
  sni_requirements w;
  int code;

  sni_requirements_begin(&w, recording->engine, spec->name ? spec->name : "a replay");
  w.is_replay = 1;
  code = exchange_requirements(&w, replay);
  if (code == SN_OK) {
    sni_mutex_lock(&recording->engine->lock);
    recording->references++;
    sni_mutex_unlock(&recording->engine->lock);
    code = sni_task_submit_requirements(&w, NULL, spec, done);
    if (code != SN_OK) {
      sni_mutex_lock(&recording->engine->lock);
      sni_recording_drop(recording);
      sni_mutex_unlock(&recording->engine->lock);
    }
  }
  sni_requirements_drop(&w);
  return code;
}

int sn_replay(sn_recording *recording, const sn_replay_spec *given, sn_event **done)
{
  static const sn_replay_spec standard = SN_REPLAY_SPEC_INIT;
  sn_replay_spec own;
  const sn_replay_spec *what;
  sn_task_spec spec = SN_TASK_SPEC_INIT;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(recording)));
  what = sni_engine_sized(recording->engine, "a replay's spec", given, &own, &standard, sizeof own);
  if (!what)
    return SN_EINVAL;
  SN_TRY(check_spec(recording, what));
  spec.name = what->name;
  spec.body[SN_UNIT_HOST] = run_replay;
  spec.user_bytes = replay_bytes(what);
  spec.user = sni_engine_new(recording->engine, spec.user_bytes, 1);
  if (!spec.user)
    return sni_engine_fail(recording->engine, SN_ENOMEM, "no memory for a replay");
  fill_replay(spec.user, recording, what);
  code = submit(spec.user, &spec, done);
  sni_engine_delete(recording->engine, spec.user, spec.user_bytes, 1);
  return code;
}

/* ---- what its tasks are told ---- */

sn_tensor *sn_run_tensor(const sn_run *run, sn_tensor *tensor)
{
  return run && run->task->replay ? stands_for(run->task->replay, tensor) : tensor;
}

const void *sn_run_arguments(const sn_run *run)
{
  const struct sni_replay *replay = run ? run->task->replay : NULL;

  return replay && replay->argument_bytes
           ? (const unsigned char *)replay + arguments_at(replay->pair_count) : NULL;
}
