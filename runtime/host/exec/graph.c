/* Seeing tasks: why one waits, the graph as Graphviz, counters. */
#include "runtime/host/base/sized.h"
#include "runtime/host/base/text.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/graph.h"
#include "runtime/host/exec/page.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/uses.h"

/* ---- the recorded graph: every task and edge there was ---- */

typedef struct vertex {
  char name[SNI_NAME];
  int code;
  int has_ended;
} vertex;

typedef struct arrow {
  uint64_t from, to;             /* tasks' numbers */
} arrow;

typedef struct sni_graph {
  vertex *vertices;              /* by number - 1 */
  arrow *arrows;
  size_t vertex_count, vertex_capacity, arrow_count, arrow_capacity;
  uint64_t lost;                 /* that found no memory */
} sni_graph;

static sni_graph *graph_of(sn_engine *engine)
{
  if (!engine->tasks->graph)
    engine->tasks->graph = sni_engine_new(engine, 1, sizeof *engine->tasks->graph);
  return engine->tasks->graph;
}

void sni_graph_add_task(sni_task *task)
{
  sni_graph *graph = graph_of(task->engine);
  void *vertices = graph ? graph->vertices : NULL;
  char text[SNI_NAME];

  if (!graph)
    return;
  if (!sni_engine_grow(task->engine, &vertices, &graph->vertex_capacity, task->number,
                       sizeof *graph->vertices)) {
    graph->lost++;
    return;
  }
  graph->vertices = vertices;
  (void)sni_text_copy(graph->vertices[task->number - 1].name, SNI_NAME, sni_task_name(task, text));
  graph->vertex_count = task->number;
}

void sni_graph_add_edge(const sni_task *earlier, const sni_task *later)
{
  sni_graph *graph = later->engine->tasks->graph;
  void *arrows = graph ? graph->arrows : NULL;

  if (!graph)
    return;
  if (!sni_engine_grow(later->engine, &arrows, &graph->arrow_capacity, graph->arrow_count + 1,
                       sizeof *graph->arrows)) {
    graph->lost++;
    return;
  }
  graph->arrows = arrows;
  graph->arrows[graph->arrow_count].from = earlier->number;
  graph->arrows[graph->arrow_count++].to = later->number;
}

void sni_graph_note_end(const sni_task *task)
{
  sni_graph *graph = task->engine->tasks->graph;

  if (!graph || task->number > graph->vertex_count)
    return;
  graph->vertices[task->number - 1].has_ended = 1;
  graph->vertices[task->number - 1].code = task->code;
}

void sni_graph_destroy(sn_engine *engine)
{
  sni_graph *graph = engine->tasks->graph;

  if (!graph)
    return;
  sni_engine_delete(engine, graph->vertices, graph->vertex_capacity, sizeof *graph->vertices);
  sni_engine_delete(engine, graph->arrows, graph->arrow_capacity, sizeof *graph->arrows);
  sni_engine_delete(engine, graph, 1, sizeof *graph);
}

/* ---- Graphviz ---- */

/* A vertex's label: quotes and backslashes are escaped. */
static void say_vertex(sni_page *page, uint64_t number, const char *name, const char *style)
{
  char label[2 * SNI_NAME];
  size_t n = 0;

  for (; *name && n + 3 < sizeof label; name++) {
    if (*name == '"' || *name == '\\')
      label[n++] = '\\';
    label[n++] = *name;
  }
  label[n] = 0;
  sni_page_print(page, "  t%llu [label=\"%s\"%s];\n", (unsigned long long)number, label, style);
}

static void say_edge(sni_page *page, uint64_t from, uint64_t to)
{
  sni_page_print(page, "  t%llu -> t%llu;\n", (unsigned long long)from, (unsigned long long)to);
}

/* Of one that is a worker's, the worker alone knows. */
static sni_task_state state_of(const sni_task *task)
{
  /* Relaxed: it is told and nothing follows from it. */
  return task->state == SNI_TASK_READY &&
         atomic_load_explicit(&task->has_begun, memory_order_relaxed) ? SNI_TASK_RUNNING
                                                                      : task->state;
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
static void say_live(sni_page *page, const sni_task *first)
{
  char text[SNI_NAME];

  for (const sni_task *task = first; task; task = task->sibling_next) {
    say_vertex(page, task->number, sni_task_name(task, text), style_of(state_of(task)));
    for (const sni_edge *edge = task->later; edge; edge = edge->next)
      say_edge(page, task->number, edge->later->number);
    say_live(page, task->child);
  }
}

static void say_recorded(sni_page *page, const sni_graph *graph)
{
  for (size_t k = 0; k < graph->vertex_count; k++)
    say_vertex(page, k + 1, graph->vertices[k].name,
               !graph->vertices[k].has_ended ? ", style=dashed"
               : graph->vertices[k].code != SN_OK ? ", color=red" : "");
  for (size_t k = 0; k < graph->arrow_count; k++)
    say_edge(page, graph->arrows[k].from, graph->arrows[k].to);
}

int sn_engine_graph(sn_engine *engine, sn_text_fn write, void *user)
{
  sni_page page;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!write)
    return SN_EINVAL;
  sni_page_begin(&page, engine);
  sni_mutex_lock(&engine->lock);
  sni_page_print(&page, "digraph tasks {\n");
  if (engine->tasks && engine->tasks->graph)
    say_recorded(&page, engine->tasks->graph);
  else if (engine->tasks)
    say_live(&page, engine->tasks->live);
  sni_page_print(&page, "}\n");
  sni_mutex_unlock(&engine->lock);
  return sni_page_write(&page, "a graph", write, user);
}

/* ---- why a task waits ---- */

/* The first block on which the two conflict. */
static const sni_part *conflict(const sni_task *later, const sni_task *earlier)
{
  for (int k = 0; k < earlier->part_count; k++) {
    if (sni_permissions_conflict(sni_task_parts(earlier)[k].permission,
                                 sni_task_may(later, sni_task_parts(earlier)[k].block)))
      return &sni_task_parts(earlier)[k];
  }
  return NULL;
}

static void say_earlier(sni_page *page, const sni_task *task, const sni_task *earlier)
{
  const sni_part *part = conflict(task, earlier);
  char mine[SNI_NAME], theirs[SNI_NAME], block[SNI_BLOCK_NAME];

  if (part)
    sni_page_print(page, "'%s' waits for %s of %s by '%s'\n", sni_task_name(task, mine),
                   sni_permission_name[part->permission], sni_block_name(part->block, block),
                   sni_task_name(earlier, theirs));
  else
    sni_page_print(page, "'%s' waits for '%s'\n", sni_task_name(task, mine),
                   sni_task_name(earlier, theirs));
}

/* By a buffer or a commit of its parent. */
static void say_blocked(sni_page *page, const sni_task *task)
{
  const sni_tensor_block *block = sni_task_blocked_by(task);
  char mine[SNI_NAME], theirs[SNI_NAME], text[SNI_BLOCK_NAME];

  if (block)
    sni_page_print(page, "'%s' waits for '%s' to release %s\n", sni_task_name(task, mine),
                   sni_task_name(task->parent, theirs), sni_block_name(block, text));
}

static void say_waits(sni_page *page, const sni_task *task)
{
  const sni_task *scope = task->parent ? task->parent->child : task->engine->tasks->live;

  if (!task->waits)
    say_blocked(page, task);
  for (const sni_task *earlier = scope; earlier; earlier = earlier->sibling_next)
    for (const sni_edge *edge = earlier->later; edge; edge = edge->next)
      if (edge->later == task)
        say_earlier(page, task, earlier);
}

static void say_line(sni_page *page, const sni_task *task, const char *what, const char *more)
{
  char name[SNI_NAME];

  sni_page_print(page, "'%s' %s%s\n", sni_task_name(task, name), what, more);
}

/* The first of its declared buffers that something is in the way of. */
static void say_buffers(sni_page *page, const sni_task *task)
{
  char text[SNI_BLOCK_NAME];

  for (int k = 0; k < task->buffer_count; k++) {
    const sni_request *request = &task->buffers[k].request;
    const sni_obstacle obstacle = sni_request_obstacle(request);
    if (obstacle == SNI_NOTHING)
      continue;
    say_line(page, task, obstacle == SNI_A_TRANSFER ? "waits for a transfer of "
                                                    : "waits for a buffer to be released, of ",
             sni_block_name(request->block, text));
    return;
  }
  say_line(page, task, "waits for room on ", task->run.unit ? task->run.unit->name : "its unit");
}

static void say_state(sni_page *page, const sni_task *task)
{
  switch (state_of(task)) {
  case SNI_TASK_WAITS: say_waits(page, task); break;
  case SNI_TASK_READY:
    say_line(page, task, "is ready and waits for ", task->queue ? task->queue->name : "a worker");
    break;
  case SNI_TASK_PREPARING: say_buffers(page, task); break;
  case SNI_TASK_PREPARED: say_line(page, task, "is prepared and waits for a worker", ""); break;
  case SNI_TASK_RUNNING: say_line(page, task, "runs on ", task->run.unit->name); break;
  case SNI_TASK_CHILDREN: say_line(page, task, "waits for its children", ""); break;
  case SNI_TASK_ENDED: say_line(page, task, "ends", ""); break;
  }
}

int sn_task_explain(sn_event *event, sn_text_fn write, void *user)
{
  sni_page page;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(event)));
  if (!write)
    return SN_EINVAL;
  sni_page_begin(&page, event->engine);
  sni_mutex_lock(&event->engine->lock);
  if (event->task)
    say_state(&page, event->task);
  else if (!atomic_load_explicit(&event->done, memory_order_relaxed))
    sni_page_print(&page, "it is no task's: a queue has not come to its end\n");
  else
    sni_page_print(&page, "it has ended\n");
  sni_mutex_unlock(&event->engine->lock);
  return sni_page_write(&page, "why a task waits", write, user);
}

/* ---- counters ---- */

/* What stands in the ring has not begun; the rest of what is out has. */
static void count_handed(const sni_crew *crew, sn_task_counters *counters)
{
  const int64_t ready = sni_handoff_count(&crew->handoff);

  counters->ready += (uint64_t)ready;
  counters->running += (uint64_t)(crew->out - ready);
}

int sn_engine_counters(sn_engine *engine, sn_task_counters *out)
{
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  const sni_tasks *tasks;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!out)
    return SN_EINVAL;
  sni_mutex_lock(&engine->lock);
  tasks = engine->tasks;
  if (tasks) {
    counters = tasks->counters;
    counters.ready = (uint64_t)tasks->shared.count;
    for (int k = 0; k < engine->unit_count; k++) {
      counters.ready += (uint64_t)(tasks->crews[k].ready.count + tasks->crews[k].preparing.count +
                                   tasks->crews[k].prepared.count);
      count_handed(&tasks->crews[k], &counters);
      counters.running += (uint64_t)tasks->crews[k].running;
    }
    counters.waiting = (uint64_t)tasks->live_count - counters.ready - counters.running;
  }
  sni_mutex_unlock(&engine->lock);
  sni_sized_fill(out, &counters, sizeof counters);
  return SN_OK;
}
