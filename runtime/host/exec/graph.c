/* Seeing tasks: why one waits, the graph as Graphviz, counters. */
#include "runtime/host/exec/task.h"

#include <stdio.h>

/* ---- a task's run ---- */

sn_unit *sn_run_unit(const sn_run *run)
{
  return run ? run->unit : NULL;
}

sn_engine *sn_run_engine(const sn_run *run)
{
  return run ? run->task->engine : NULL;
}

/* ---- the record: every task and edge there was ---- */

typedef struct node {
  char name[SNI_NAME];
  int code;
  int has_ended;
} node;

typedef struct arrow {
  uint64_t from, to;             /* tasks' numbers */
} arrow;

typedef struct sni_record {
  node *nodes;                   /* by number - 1 */
  arrow *arrows;
  size_t node_count, node_capacity, arrow_count, arrow_capacity;
  uint64_t lost;                 /* that found no memory */
} sni_record;

/* Lock held. */
static int grow(sn_engine *engine, void **array, size_t *capacity, size_t need, size_t bytes)
{
  int grown;

  sni_mutex_lock(&engine->memory_lock);
  grown = sni_grow(&engine->accounts, array, capacity, need, bytes);
  sni_mutex_unlock(&engine->memory_lock);
  return grown;
}

static sni_record *record_of(sn_engine *engine)
{
  if (!engine->tasks->record)
    engine->tasks->record = sni_engine_new(engine, 1, sizeof *engine->tasks->record);
  return engine->tasks->record;
}

void sni_record_task(sni_task *task)
{
  sni_record *record = record_of(task->engine);
  void *nodes = record ? record->nodes : NULL;
  char text[SNI_NAME];

  if (!record)
    return;
  if (!grow(task->engine, &nodes, &record->node_capacity, task->number, sizeof *record->nodes)) {
    record->lost++;
    return;
  }
  record->nodes = nodes;
  snprintf(record->nodes[task->number - 1].name, SNI_NAME, "%s", sni_task_name(task, text));
  record->node_count = task->number;
}

void sni_record_edge(const sni_task *earlier, const sni_task *later)
{
  sni_record *record = later->engine->tasks->record;
  void *arrows = record ? record->arrows : NULL;

  if (!record)
    return;
  if (!grow(later->engine, &arrows, &record->arrow_capacity, record->arrow_count + 1,
            sizeof *record->arrows)) {
    record->lost++;
    return;
  }
  record->arrows = arrows;
  record->arrows[record->arrow_count].from = earlier->number;
  record->arrows[record->arrow_count++].to = later->number;
}

void sni_record_end(const sni_task *task)
{
  sni_record *record = task->engine->tasks->record;

  if (!record || task->number > record->node_count)
    return;
  record->nodes[task->number - 1].has_ended = 1;
  record->nodes[task->number - 1].code = task->code;
}

void sni_record_destroy(sn_engine *engine)
{
  sni_record *record = engine->tasks->record;

  if (!record)
    return;
  sni_engine_delete(engine, record->nodes, record->node_capacity, sizeof *record->nodes);
  sni_engine_delete(engine, record->arrows, record->arrow_capacity, sizeof *record->arrows);
  sni_engine_delete(engine, record, 1, sizeof *record);
}

/* ---- Graphviz ---- */

typedef struct page {
  sn_text_fn write;
  void *user;
} page;

/* A node's label: quotes and backslashes are escaped. */
static void say_node(const page *p, uint64_t number, const char *name, const char *style)
{
  char text[2 * SNI_NAME + 64];
  size_t n = (size_t)snprintf(text, sizeof text, "  t%llu [label=\"", (unsigned long long)number);

  for (; *name && n < 2 * SNI_NAME; name++) {
    if (*name == '"' || *name == '\\')
      text[n++] = '\\';
    text[n++] = *name;
  }
  snprintf(text + n, sizeof text - n, "\"%s];\n", style);
  p->write(p->user, text);
}

static void say_edge(const page *p, uint64_t from, uint64_t to)
{
  char text[64];

  snprintf(text, sizeof text, "  t%llu -> t%llu;\n", (unsigned long long)from,
           (unsigned long long)to);
  p->write(p->user, text);
}

static const char *style_of(sni_task_state state)
{
  switch (state) {
  case SNI_TASK_WAITS: return ", style=dashed";
  case SNI_TASK_RUNNING: case SNI_TASK_CHILDREN: return ", style=bold";
  default: return "";
  }
}

/* Those that have not ended; children behind their parent. */
static void say_live(const page *p, const sni_task *first)
{
  char text[SNI_NAME];

  for (const sni_task *task = first; task; task = task->sibling_next) {
    say_node(p, task->number, sni_task_name(task, text), style_of(task->state));
    for (const sni_edge *edge = task->later; edge; edge = edge->next)
      say_edge(p, task->number, edge->later->number);
    say_live(p, task->child);
  }
}

static void say_record(const page *p, const sni_record *record)
{
  for (size_t k = 0; k < record->node_count; k++)
    say_node(p, k + 1, record->nodes[k].name,
             !record->nodes[k].has_ended ? ", style=dashed"
             : record->nodes[k].code != SN_OK ? ", color=red" : "");
  for (size_t k = 0; k < record->arrow_count; k++)
    say_edge(p, record->arrows[k].from, record->arrows[k].to);
}

int sn_engine_graph(sn_engine *engine, sn_text_fn write, void *user)
{
  const page p = { write, user };

  if (sni_is_gone(engine) || !write)
    return SN_EINVAL;
  sni_mutex_lock(&engine->lock);
  write(user, "digraph tasks {\n");
  if (engine->tasks && engine->tasks->record)
    say_record(&p, engine->tasks->record);
  else if (engine->tasks)
    say_live(&p, engine->tasks->live);
  write(user, "}\n");
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}

/* ---- why a task waits ---- */

/* The first block on which the two conflict. */
static const sni_part *conflict(const sni_task *later, const sni_task *earlier)
{
  for (int k = 0; k < earlier->part_count; k++) {
    const sni_permission theirs = earlier->parts[k].permission;
    const sni_permission ours = sni_task_may(later, earlier->parts[k].block);
    if (ours != SNI_NONE && (ours != theirs || ours == SNI_WRITE))
      return &earlier->parts[k];
  }
  return NULL;
}

static void say_earlier(const page *p, const sni_task *task, const sni_task *earlier)
{
  const sni_part *part = conflict(task, earlier);
  char line[3 * SNI_NAME + SNI_BLOCK_NAME + 64], mine[SNI_NAME], theirs[SNI_NAME];
  char block[SNI_BLOCK_NAME];

  if (part)
    snprintf(line, sizeof line, "'%s' waits for %s of %s by '%s'\n", sni_task_name(task, mine),
             sni_permission_name[part->permission], sni_block_name(part->block, block),
             sni_task_name(earlier, theirs));
  else
    snprintf(line, sizeof line, "'%s' waits for '%s'\n", sni_task_name(task, mine),
             sni_task_name(earlier, theirs));
  p->write(p->user, line);
}

static void say_waits(const page *p, const sni_task *task)
{
  const sni_task *scope = task->parent ? task->parent->child : task->engine->tasks->live;

  for (const sni_task *earlier = scope; earlier; earlier = earlier->sibling_next)
    for (const sni_edge *edge = earlier->later; edge; edge = edge->next)
      if (edge->later == task)
        say_earlier(p, task, earlier);
}

static void say_line(const page *p, const sni_task *task, const char *what, const char *more)
{
  char line[2 * SNI_NAME + SNI_BLOCK_NAME + 64], name[SNI_NAME];

  snprintf(line, sizeof line, "'%s' %s%s\n", sni_task_name(task, name), what, more);
  p->write(p->user, line);
}

/* The first of its declared buffers that something is in the way of. */
static void say_buffers(const page *p, const sni_task *task)
{
  char text[SNI_BLOCK_NAME];

  for (int k = 0; k < task->buffer_count; k++) {
    const sni_request *request = &task->buffers[k].request;
    const sni_obstacle obstacle = sni_request_obstacle(request);
    if (obstacle == SNI_NOTHING)
      continue;
    say_line(p, task, obstacle == SNI_A_TRANSFER ? "waits for a transfer of "
                                                 : "waits for a buffer to be released, of ",
             sni_block_name(request->block, text));
    return;
  }
  say_line(p, task, "waits for room on ", task->run.unit ? task->run.unit->name : "its unit");
}

int sn_task_explain(sn_event *event, sn_text_fn write, void *user)
{
  const page p = { write, user };
  const sni_task *task;

  if (sni_is_gone(event) || !write)
    return SN_EINVAL;
  sni_mutex_lock(&event->engine->lock);
  task = event->task;
  if (!task)
    write(user, "it has ended\n");
  else
    switch (task->state) {
    case SNI_TASK_WAITS: say_waits(&p, task); break;
    case SNI_TASK_READY:
      say_line(&p, task, "is ready and waits for ", task->queue ? task->queue->name : "a worker");
      break;
    case SNI_TASK_PREPARING: say_buffers(&p, task); break;
    case SNI_TASK_PREPARED: say_line(&p, task, "is prepared and waits for a worker", ""); break;
    case SNI_TASK_RUNNING: say_line(&p, task, "runs on ", task->run.unit->name); break;
    case SNI_TASK_CHILDREN: say_line(&p, task, "waits for its children", ""); break;
    case SNI_TASK_ENDED: say_line(&p, task, "ends", ""); break;
    }
  sni_mutex_unlock(&event->engine->lock);
  return SN_OK;
}

/* ---- counters ---- */

int sn_engine_counters(sn_engine *engine, sn_task_counters *out)
{
  static const sn_task_counters none;
  const sni_tasks *tasks;

  if (sni_is_gone(engine) || !out)
    return SN_EINVAL;
  sni_mutex_lock(&engine->lock);
  tasks = engine->tasks;
  *out = tasks ? tasks->counters : none;
  if (tasks) {
    out->ready = (uint64_t)tasks->shared.count;
    for (int k = 0; k < engine->unit_count; k++) {
      out->ready += (uint64_t)(tasks->crews[k].ready.count + tasks->crews[k].preparing.count +
                               tasks->crews[k].prepared.count);
      out->running += (uint64_t)tasks->crews[k].running;
    }
    out->waiting = (uint64_t)tasks->live_count - out->ready - out->running;
  }
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}
