/* Schedulers: where a ready task goes.
 *
 * The table is public (snode/task.h): a cost for each unit that could run it; the unit of the least
 * one gets it.  Without a cost the task goes to whoever comes first.
 */
#include "runtime/host/base/fnv.h"
#include "runtime/host/base/text.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/scheduler.h"

#include <string.h>

/* ---- what a scheduler may ask ---- */

const char *sn_ready_name(const sn_ready *task)
{
  return task && task->name ? task->name : "";
}

int sn_ready_priority(const sn_ready *task)
{
  return task ? task->priority : 0;
}

/* Whether the unit lacks the values that reading there needs. */
static int is_missing(const sni_tensor_block *block, const sn_unit *unit)
{
  const sni_replica *here = sni_replica_of(block, unit);

  if (unit->index)
    return !here || (here->state != SNI_READY && here->state != SNI_DIRTY);
  for (int k = 0; block->replicas && k < block->tensor->engine->unit_count - 1; k++)
    if (block->replicas[k].state == SNI_DIRTY || block->replicas[k].state == SNI_DIRTYACC)
      return 1;
  return 0;
}

uint64_t sn_ready_missing(const sn_ready *task, const sn_unit *unit)
{
  uint64_t bytes = 0;

  for (int k = 0; task && unit && k < task->buffer_count; k++) {
    const sni_request *request = &task->buffers[k].request;
    if (sni_needs_value(request->mode) && is_missing(request->block, unit))
      bytes += request->block->bytes;
  }
  return bytes;
}

static uint64_t missing_of(const sni_tensor_block *block, const sn_unit *unit)
{
  return block->home && is_missing(block, unit) ? block->bytes : 0;
}

uint64_t sn_unit_missing(const sn_unit *unit, const sn_tensor *tensor, int64_t block)
{
  uint64_t bytes;

  if (sni_is_gone(unit) || sni_is_gone(tensor) || tensor->engine != unit->engine || block < 0 ||
      block >= tensor->block_count)
    return 0;
  if (sni_is_in_callback())      /* of a scheduler: under the lock */
    return missing_of(&tensor->blocks[block], unit);
  if (sni_engine_may_call(unit->engine) != SN_OK)
    return 0;
  sni_mutex_lock(&unit->engine->lock);
  bytes = missing_of(&tensor->blocks[block], unit);
  sni_mutex_unlock(&unit->engine->lock);
  return bytes;
}

static const sni_crew *crew_of(const sn_unit *unit)
{
  return unit->engine->tasks ? &unit->engine->tasks->crews[unit->index] : NULL;
}

int64_t sni_unit_load(const sn_unit *unit)
{
  const sni_crew *crew = crew_of(unit);

  return crew ? crew->ready.count + crew->preparing.count + crew->prepared.count +
                crew->running + crew->out
              : 0;
}

static double load_of(const sn_unit *unit)
{
  return (double)sni_unit_load(unit);
}

static double expected_of(const sn_unit *unit)
{
  return crew_of(unit) ? crew_of(unit)->load : 0;
}

/* Schedulers ask under the lock, others without it. */
static double ask(const sn_unit *unit, double (*what)(const sn_unit *))
{
  double answer;

  if (sni_is_gone(unit))
    return 0;
  if (sni_is_in_callback())
    return what(unit);
  if (sni_engine_may_call(unit->engine) != SN_OK)
    return 0;
  sni_mutex_lock(&unit->engine->lock);
  answer = what(unit);
  sni_mutex_unlock(&unit->engine->lock);
  return answer;
}

double sn_unit_load(const sn_unit *unit)
{
  return ask(unit, load_of);
}

double sn_unit_expected(const sn_unit *unit)
{
  return ask(unit, expected_of);
}

/* ---- measured times: the mean over what ran, by name and unit ---- */

enum { MEASURES = 256 };

typedef struct sni_measure {
  char name[SNI_NAME];
  double seconds;                /* mean */
  uint64_t count;
  int unit;
} sni_measure;

/* Where the name's row is or would be; NULL: the table is full. */
static sni_measure *find(const sni_task *task, int unit)
{
  sni_measure *rows = task->engine->tasks->measures;
  char name[SNI_NAME];
  uint64_t hash;

  (void)sni_text_copy(name, sizeof name, sn_ready_name(task));
  hash = sni_fnv(name) + (uint64_t)unit;
  for (uint64_t k = 0; rows && k < MEASURES; k++) {
    sni_measure *row = &rows[(hash + k) % MEASURES];
    if (!row->count || (row->unit == unit && strcmp(row->name, name) == 0))
      return row;
  }
  return NULL;
}

double sn_ready_seconds(const sn_ready *task, const sn_unit *unit)
{
  const sni_measure *row = task && unit ? find(task, unit->index) : NULL;

  return row && row->count ? row->seconds : -1;
}

void sni_measure_add(sni_task *task, const sn_unit *unit, double seconds)
{
  sni_tasks *tasks = task->engine->tasks;
  sni_measure *row;

  if (!tasks->measures)
    tasks->measures = sni_engine_new(task->engine, MEASURES, sizeof *tasks->measures);
  row = find(task, unit->index);
  if (!row)
    return;
  if (!row->count) {
    (void)sni_text_copy(row->name, sizeof row->name, sn_ready_name(task));
    row->unit = unit->index;
  }
  row->count++;
  row->seconds += (seconds - row->seconds) / (double)row->count;
}

void sni_measures_destroy(sn_engine *engine)
{
  sni_engine_delete(engine, engine->tasks->measures, MEASURES, sizeof *engine->tasks->measures);
}

/* ---- the table ---- */

/* Bytes to move; of equal ones the unit with less to do. */
static double movement(const sn_ready *task, const sn_unit *unit)
{
  return (double)sn_ready_missing(task, unit) + 1e-3 * sn_unit_load(unit);
}

/* When it would end: what waits there, its own time, its transfers at a plain 4 GB/s.  A unit
 * where it never ran comes first, so that each gets a time. */
static double measured(const sn_ready *task, const sn_unit *unit)
{
  const double seconds = sn_ready_seconds(task, unit);

  if (seconds < 0)
    return -1 + 1e-3 * sn_unit_load(unit);
  return sn_unit_expected(unit) + seconds + (double)sn_ready_missing(task, unit) / 4e9;
}

static const sn_scheduler schedulers[] = {
  { "first", NULL },
  { "movement", movement },
  { "measured", measured }
};
enum { SCHEDULERS = sizeof schedulers / sizeof *schedulers };

const sn_scheduler *sni_scheduler_named(const char *name)
{
  if (!name)
    return &schedulers[0];
  for (int k = 0; k < SCHEDULERS; k++)
    if (strcmp(schedulers[k].name, name) == 0)
      return &schedulers[k];
  return NULL;
}

const char *const *sn_engine_schedulers(void)
{
  static const char *const names[] = { "first", "movement", "measured", NULL };

  return names;
}

sn_unit *sni_place(sni_task *task)
{
  sn_engine *engine = task->engine;
  const sn_scheduler *scheduler = engine->tasks->scheduler;
  sn_unit *best = NULL;
  double least = 0, seconds;
  sni_inside inside;

  if (!scheduler->cost)
    return NULL;
  sni_inside_callback(&inside, "a scheduler's cost function");
  for (int k = 0; k < engine->unit_count; k++) {
    sn_unit *unit = &engine->units[k];
    double cost;
    if (!sni_task_can_run_on(task, unit))
      continue;
    cost = scheduler->cost(task, unit);
    if (!best || cost < least) {
      best = unit;
      least = cost;
    }
  }
  sni_inside_end(&inside);
  seconds = sn_ready_seconds(task, best);
  task->expected = seconds > 0 ? seconds : 0;
  return best;
}
