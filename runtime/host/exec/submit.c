/* Submission: what a task may and will do is checked and merged by block, then the task takes
 * its place in the order.  What is refused changes nothing.
 */
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/enqueue.h"
#include "runtime/host/exec/graph.h"
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/recording.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/submit.h"
#include "runtime/host/exec/uses.h"
#include "runtime/host/exec/wake.h"

#include <string.h>

/* ---- the order ---- */

/* Whom a task waits for, each once: collected before there is a task, since their number
 * belongs to its memory. */
typedef struct predecessors {
  sn_engine *engine;
  uint64_t mark;
  int count;
  sni_task *few[SNI_FEW_REQUIREMENTS];
  sni_task *task;                /* NULL: counted; what few does not hold is visited again */
  sni_edge *edges;
} predecessors;

static int is_recorded(const sni_task *task)
{
  return task->parent && task->parent->is_recording;
}

static void draw_edge(sni_task *task, sni_task *earlier, sni_edge *edge)
{
  edge->later = task;
  edge->next = earlier->later;
  earlier->later = edge;
  if (task->engine->options.record_graph && !is_recorded(task))
    sni_graph_add_edge(earlier, task);
}

static void add_predecessor(predecessors *p, sni_task *earlier)
{
  if (earlier->mark == p->mark)
    return;
  earlier->mark = p->mark;
  if (p->task)
    draw_edge(p->task, earlier, &p->edges[p->count]);
  else if (p->count < SNI_FEW_REQUIREMENTS)
    p->few[p->count] = earlier;
  p->count++;
}

static sni_hazard *hazard_of(sni_task *parent, sni_tensor_block *block)
{
  return parent ? sni_scope_hazard(parent, block) : &block->hazard;
}

/* 0: no memory for a hazard. */
static int visit_predecessors(predecessors *p, sni_task *parent, const sni_requirements *w)
{
  p->mark = ++p->engine->tasks->mark;
  p->count = 0;
  for (size_t k = 0; k < w->count; k++) {
    const sni_hazard *hazard;
    const sni_member *first;
    if (w->at[k].permission == SNI_NONE)
      continue;
    hazard = hazard_of(parent, w->at[k].block);
    if (!hazard)
      return 0;
    first = sni_order_first(hazard, sni_order_of(p->engine, w->at[k].permission));
    for (const sni_member *each = first; each; each = sni_order_next(each, first))
      add_predecessor(p, each->who);
  }
  return 1;
}

static void draw_edges(predecessors *p, sni_task *task, const sni_requirements *w, sni_edge *edges)
{
  task->waits = p->count;
  if (!is_recorded(task))
    task->engine->tasks->counters.edges += (uint64_t)p->count;
  if (p->count <= SNI_FEW_REQUIREMENTS) {
    for (int k = 0; k < p->count; k++)
      draw_edge(task, p->few[k], &edges[k]);
  } else {
    p->task = task;
    p->edges = edges;
    (void)visit_predecessors(p, task->parent, w);
  }
}

static void enter_order(sni_task *task, const sni_requirements *w)
{
  for (size_t k = 0; k < w->count; k++) {
    sni_part *part = &sni_task_parts(task)[k];
    sni_hazard *hazard;
    part->block = w->at[k].block;
    part->permission = w->at[k].permission;
    part->member.who = task;
    if (part->permission == SNI_NONE)
      continue;
    hazard = hazard_of(task->parent, part->block);
    hazard->ever = (unsigned char)sni_permission_merge(hazard->ever, part->permission);
    sni_order_enter(hazard, &part->member, sni_order_of(task->engine, part->permission));
  }
  sni_task_hold_tensors(task);
}

/* ---- the task ---- */

/* What stands behind the task and its parts in its memory: where each begins, and the end.  Edges
 * have no place in the task itself. */
typedef struct layout {
  size_t buffers, edges, user, name, end;
} layout;

static layout lay_out(const sni_requirements *w, const sn_task_spec *spec, int edge_count)
{
  layout at;

  at.buffers = sni_task_padded(sizeof(sni_task) + w->count * sizeof(sni_part));
  at.edges = sni_task_padded(at.buffers + (size_t)w->buffer_count * sizeof(sn_buffer));
  at.user = sni_task_padded(at.edges + (size_t)edge_count * sizeof(sni_edge));
  at.name = at.user + sni_task_padded(spec->user ? spec->user_bytes : 0);
  at.end = at.name + (spec->name ? strlen(spec->name) + 1 : 0);
  return at;
}

static void *piece(sni_task *task, size_t at)
{
  return (unsigned char *)task + at;
}

static int has_unit(sni_task *task, const char *name)
{
  sn_engine *engine = task->engine;
  sn_unit *only = NULL;
  int units = 0, bodies = 0;

  for (int k = 0; k < engine->unit_count; k++) {
    sn_unit *unit = &engine->units[k];
    bodies += task->body[unit->kind] && (!task->run.unit || task->run.unit == unit);
    if (sni_task_can_run_on(task, unit)) {
      only = unit;
      units++;
    }
  }
  if (units == 1)
    task->run.unit = only;
  if (units)
    return SN_OK;
  if (!bodies)
    return sni_engine_fail(engine, SN_EINVAL, "'%s' has no body for %s", name,
                           task->run.unit ? task->run.unit->name : "any unit of the engine");
  return sni_engine_fail(engine, SN_ECAPACITY,
                         "'%s' declares buffers of %llu bytes, more than %s holds", name,
                         (unsigned long long)sni_task_bytes(task),
                         task->run.unit ? task->run.unit->name : "any unit that has a body for it");
}

/* The task with its pieces, of nobody yet; NULL: no memory. */
static sni_task *new_task(const sni_requirements *w, sni_task *parent, const sn_task_spec *spec,
                          int edge_count, sni_edge **edges)
{
  sn_engine *engine = w->engine;
  const layout at = lay_out(w, spec, edge_count);
  sni_task *task = sni_pool_take(engine, at.end);

  if (!task)
    return NULL;
  memset(task, 0, at.buffers);
  task->run.task = task;
  task->run.unit = spec->queue ? spec->queue->unit : spec->unit;
  memcpy(task->body, spec->body, sizeof task->body);
  task->user = spec->user;
  if (spec->user && spec->user_bytes)
    task->user = memcpy(piece(task, at.user), spec->user, spec->user_bytes);
  task->part_count = (int)w->count;
  task->parent = parent;
  task->queue = spec->queue;
  task->priority = spec->priority;
  task->engine = engine;
  if (spec->name)
    task->name = memcpy(piece(task, at.name), spec->name, at.end - at.name);
  task->bytes = at.end;
  task->buffer_count = w->buffer_count;
  task->replay = w->is_replay ? task->user : parent ? parent->replay : NULL;
  *edges = piece(task, at.edges);
  if (w->buffer_count) {
    task->buffers = piece(task, at.buffers);
    sni_buffers_declare(w, task, spec);
  }
  return task;
}

/* Lock held.  Everything that may fail but the task itself: 0: no memory. */
static int make_room(predecessors *p, sni_task *parent, const sni_requirements *w)
{
  return (!parent || !parent->is_recording || sni_recording_make_room(sni_recording_of(parent))) &&
         visit_predecessors(p, parent, w);
}

/* Lock held: what can still be refused is checked, then the task is alive. */
static int prepare_task(const sni_requirements *w, sni_task *parent, const sn_task_spec *spec,
                        int has_event, predecessors *p, sni_task **out)
{
  sni_edge *edges = NULL;
  sni_task *task = make_room(p, parent, w) ? new_task(w, parent, spec, p->count, &edges) : NULL;
  int code = task ? has_unit(task, w->name) : SN_ENOMEM;

  if (code == SN_OK && has_event) {
    task->done = sni_event_create_held(w->engine, 2);
    code = task->done ? SN_OK : SN_ENOMEM;
  }
  if (code == SN_OK) {
    *out = task;
    if (!is_recorded(task))
      sni_task_is_alive(task);
    draw_edges(p, task, w, edges);
    return SN_OK;
  }
  if (task)
    sni_pool_give(w->engine, task, task->bytes);
  return code == SN_ENOMEM ? sni_engine_fail(w->engine, code, "no memory for '%s'", w->name)
                           : code;
}

void sni_task_is_alive(sni_task *task)
{
  sn_engine *engine = task->engine;

  task->number = task->place = ++engine->tasks->counters.submitted;
  engine->tasks->live_count++;
  sni_scope_link(task);
  if (task->parent)
    task->parent->children++;
  if (engine->options.record_graph)
    sni_graph_add_task(task);
}

/* Lock held. */
static int make_task(const sni_requirements *w, sni_task *parent, const sn_task_spec *spec,
                     sni_item *place, sn_event **done)
{
  predecessors p;
  sni_task *task = NULL;

  p.engine = w->engine;
  p.task = NULL;
  SN_TRY(prepare_task(w, parent, spec, done != NULL, &p, &task));
  enter_order(task, w);
  if (is_recorded(task)) {
    sni_recording_add(sni_recording_of(parent), task);
    return SN_OK;
  }
  if (done) {
    task->done->task = task;
    *done = task->done;
  }
  if (place)
    sni_queue_place(spec->queue, place, task, sni_queue_run_task);
  if (!task->waits) {
    sni_task_is_ready(task);
    sni_crews_wake(w->engine, NULL);
  }
  return SN_OK;
}

static int check_spec(sn_engine *engine, const sn_task_spec *spec)
{
  if (spec->use_count < 0 || (spec->use_count && !spec->uses))
    return sni_engine_fail(engine, SN_EINVAL, "'%s': %d uses, which are not there",
                           spec->name ? spec->name : "a task", spec->use_count);
  if (spec->unit && (sni_is_gone(spec->unit) || spec->unit->engine != engine))
    return sni_engine_fail(engine, SN_EINVAL, "'%s': its unit belongs to another engine",
                           spec->name ? spec->name : "a task");
  if (spec->queue && (sni_is_gone(spec->queue) || spec->queue->engine != engine))
    return sni_engine_fail(engine, SN_EINVAL, "'%s': its queue belongs to another engine",
                           spec->name ? spec->name : "a task");
  return SN_OK;
}

/* Lock held.  *place: in the task's queue, where it has one. */
static int enter(const sni_requirements *w, sni_task *parent, const sn_task_spec *spec,
                 sni_item **place, sn_event **done)
{
  int code;

  SN_TRY(sni_tasks_create(w->engine));
  if (spec->queue)
    SN_TRY(sni_queue_admit(spec->queue, place));
  code = make_task(w, parent, spec, *place, done);
  if (code != SN_OK && *place)
    sni_engine_delete(w->engine, *place, 1, sizeof **place);
  return code;
}

static int count_refusal(sn_engine *engine, int code)
{
  sni_mutex_lock(&engine->lock);
  if (engine->tasks)
    engine->tasks->counters.refused++;
  sni_mutex_unlock(&engine->lock);
  return code;
}

/* Lock held, and let go meanwhile.  Down to half, so that who is woken has something to do. */
static void wait_for_tasks(sn_engine *engine)
{
  const int64_t most = engine->options.most_tasks;
  int idle = 0;

  if (most > 0 && engine->tasks->live_count > most && !sni_engine_is_inside(engine))
    while (engine->tasks->live_count > most / 2)
      sni_engine_await_tasks(engine, most / 2, &idle);
}

int sni_task_submit_requirements(const sni_requirements *w, sni_task *parent,
                                 const sn_task_spec *spec, sn_event **done)
{
  const int is_immediate = spec->queue && spec->queue->is_immediate;
  sni_item *place = NULL;
  int code, serves;

  sni_mutex_lock(&w->engine->lock);
  serves = sni_crews_serve(w->engine);
  code = enter(w, parent, spec, &place, done);
  if (serves)
    sni_crews_unserve(w->engine);
  if (code == SN_OK && !is_immediate)
    wait_for_tasks(w->engine);
  sni_mutex_unlock(&w->engine->lock);
  if (code == SN_OK && is_immediate)
    sni_queue_run_at_once(spec->queue, place);
  return code;
}

/* What is recorded has no event of its own, and nothing beside it. */
static int check_recording(sn_engine *engine, const sni_task *parent, const sn_task_spec *spec,
                           sn_event **done)
{
  const sn_run *running = sni_engine_running();
  const char *name = spec->name ? spec->name : "a task";

  if (!running || running->task->engine != engine || !running->task->is_recording)
    return SN_OK;
  if (parent != running->task)
    return sni_engine_fail(engine, SN_ESTATE,
                           "'%s' is submitted while a graph is recorded, and not as a child of "
                           "what is recorded: it would not be in it", name);
  if (done)
    return sni_engine_fail(engine, SN_EINVAL,
                           "'%s' is recorded and asks for an event: each replay has one of its own",
                           name);
  return SN_OK;
}

static const sn_task_spec *sized_spec(sn_engine *engine, const sn_task_spec *given,
                                      sn_task_spec *own, const sn_task_spec *standard)
{
  if (given && given->size == sizeof *given)
    return given;
  if (given)
    return sni_engine_sized(engine, "a task's spec", given, own, standard, sizeof *own);
  (void)sni_engine_fail(engine, SN_EINVAL, "a task's spec is NULL");
  return NULL;
}

/* What can be checked without the lock; then the rest. */
int sni_task_submit(sn_engine *engine, sni_task *parent, const sn_task_spec *given,
                    sn_event **done)
{
  static const sn_task_spec standard = SN_TASK_SPEC_INIT;
  sn_task_spec own;
  const sn_task_spec *spec = sized_spec(engine, given, &own, &standard);
  sni_requirements w;
  int code = spec ? check_spec(engine, spec) : SN_EINVAL;

  if (code == SN_OK)
    code = check_recording(engine, parent, spec, done);
  if (code != SN_OK)
    return count_refusal(engine, code);
  code = sni_requirements_collect(&w, engine, parent, spec);
  if (code == SN_OK && spec->queue)
    code = sni_queue_check_task(spec->queue, parent, spec, w.name);
  if (code == SN_OK)
    code = sni_task_submit_requirements(&w, parent, spec, done);
  sni_requirements_drop(&w);
  return code == SN_OK ? SN_OK : count_refusal(engine, code);
}

int sn_task_submit(sn_engine *engine, const sn_task_spec *spec, sn_event **done)
{
  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  return sni_task_submit(engine, NULL, spec, done);
}

int sn_task_submit_child(sn_run *run, const sn_task_spec *spec, sn_event **done)
{
  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(run)));
  return sni_task_submit(run->task->engine, run->task, spec, done);
}
