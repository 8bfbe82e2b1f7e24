/* Structs that begin with their size, as callers of before had them: what they lack is at its
 * default, and of what the library fills they get what they have room for.
 */
#include <stddef.h>

#include <snode/routine.h>

#include "t/exec/course.h"

/* As many bytes as end before the member; what lies behind is no caller's. */
#define UP_TO(type, member) offsetof(type, member)

static void spoil(void *given, size_t size, size_t bytes)
{
  memset((char *)given + size, 0xa5, bytes - size);
}

/* ---- what the library reads ---- */

static void test_engine(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  options.memories = 2;
  options.size = UP_TO(sn_engine_options, backend);
  spoil(&options, options.size, sizeof options);
  is_int(sn_engine_create(&options, &engine), SN_OK, "an engine's options up to memories");
  is_int(sn_engine_unit_count(engine), 3, "which count");
  is_int(run_task(engine, NULL, "task", do_nothing, NULL, NULL, 0), SN_OK, "the rest is as usual");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
  options.size = sizeof options.size;
  is_int(sn_engine_create(&options, &engine), SN_OK, "nothing but their size");
  is_int(sn_engine_unit_count(engine), 1, "all is as usual");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
  for (int k = 0; k < 4; k++) {
    static const size_t none[] = { sizeof options + 8, sizeof options - 1, sizeof options - 4, 0 };
    sn_engine_options other = SN_ENGINE_OPTIONS_INIT;
    other.size = none[k];
    is_int(sn_engine_create(&other, &engine), SN_EINVAL, "a size that none has");
  }
}

static int counts(sn_run *run, void *user)
{
  (void)run;
  atomic_fetch_add((atomic_int *)user, 1);
  return SN_OK;
}

static void test_tasks(sn_engine *engine)
{
  sn_queue_options queue_options = SN_QUEUE_OPTIONS_INIT;
  atomic_int ran = 0;
  sn_task_spec spec = spec_with("task", counts, &ran, NULL, 0);
  sn_queue *queue = NULL;

  spec.size = UP_TO(sn_task_spec, user_bytes);
  spoil(&spec, spec.size, sizeof spec);
  is_int(sn_task_submit(engine, &spec, NULL) | sn_engine_await(engine), SN_OK, "a task's spec");
  is_int(atomic_load(&ran), 1, "which has run");
  queue_options.immediate = 1;
  queue_options.size = UP_TO(sn_queue_options, name);
  spoil(&queue_options, queue_options.size, sizeof queue_options);
  is_int(sn_queue_create(sn_engine_unit(engine, 0), &queue_options, &queue), SN_OK,
         "a queue's options");
  is_int(sn_queue_destroy(queue), SN_OK, "gone");
}

static void test_tensors(sn_engine *engine)
{
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_space *space;
  sn_tensor *tensor = NULL;

  if (sn_space_create(engine, 4, 2, &space) != SN_OK) bail("no space");
  options.name = "A";
  options.size = UP_TO(sn_tensor_options, is_stored);
  spoil(&options, options.size, sizeof options);
  is_int(sn_tensor_create(engine, SN_TYPE_I64, 1, &space, &options, &tensor), SN_OK,
         "a tensor's options");
  is_str(sn_tensor_name(tensor), "A", "its name");
  ok(sn_tensor_is_stored(tensor, 1), "all of it is stored");
  sn_space_release(space);
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

static int records_one(sn_run *run, void *user)
{
  const sn_task_spec spec = spec_with("task", counts, user, NULL, 0);
  return sn_task_submit_child(run, &spec, NULL);
}

static void test_replays(sn_engine *engine)
{
  sn_replay_spec spec = SN_REPLAY_SPEC_INIT;
  sn_recording *recording;
  atomic_int ran = 0;

  is_int(sn_record(engine, records_one, &ran, &recording), SN_OK, "a recording");
  spec.size = UP_TO(sn_replay_spec, tensor_count);
  spoil(&spec, spec.size, sizeof spec);
  is_int(sn_replay(recording, &spec, NULL) | sn_engine_await(engine), SN_OK, "a replay's spec");
  is_int(atomic_load(&ran), 1, "what was recorded has run");
  sn_recording_destroy(recording);
}

/* ---- nodes, entries, links ---- */

static int sets_one(const sn_arguments *arguments)
{
  *(int64_t *)arguments->arrays[0] += 1;
  return SN_OK;
}

/* Two entries as a program of before has them: one behind the other, without indices. */
static sn_code *old_entries(sn_engine *engine, sn_node_use *use)
{
  enum { OLD = UP_TO(sn_entry, indices) };
  static union { char bytes[2 * OLD]; void *aligned; } old;
  sn_entry entry = SN_ENTRY_INIT;
  sn_code *code = NULL;

  entry.size = OLD;
  entry.run = sets_one;
  entry.uses = use;
  entry.use_count = 1;
  for (int k = 0; k < 2; k++) {
    entry.name = k ? "second" : "first";
    memcpy(old.bytes + k * OLD, &entry, OLD);
  }
  is_int(sn_code_create(engine, (const sn_entry *)(const void *)old.bytes, 2, &code), SN_OK,
         "two entries");
  is_str(sn_code_entry_name(code, 1), "second", "one behind the other");
  memset(old.bytes + OLD, 0, sizeof(size_t));
  is_int(sn_code_create(engine, (const sn_entry *)(const void *)old.bytes, 2, &code), SN_EINVAL,
         "the second without a size");
  return code;
}

static void test_nodes(sn_engine *engine)
{
  sn_node_options options = SN_NODE_OPTIONS_INIT;
  sn_link_options link = SN_LINK_OPTIONS_INIT;
  sn_node_use use = { SN_NODE_READ_WRITE, NULL };
  sn_context *context;
  sn_routine *routine = NULL;
  sn_queue *queue;
  sn_code *code;
  sn_span span = sn_span_host(NULL, 0);

  options.mode = SN_MODE_ON_DEVICE;
  options.size = UP_TO(sn_node_options, provenance);
  spoil(&options, options.size, sizeof options);
  is_int(sn_node_create(engine, "x", SN_TYPE_I64, 1, &options, &use.node), SN_OK,
         "a node's options");
  is_int(sn_node_mode(use.node), SN_MODE_ON_DEVICE, "its mode");
  code = old_entries(engine, &use);
  is_int(sn_context_create_on(sn_engine_unit(engine, 0), NULL, NULL, &context) |
           sn_context_add(context, use.node) |
           sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue), SN_OK, "a context");
  link.size = UP_TO(sn_link_options, merge);
  spoil(&link, link.size, sizeof link);
  is_int(sn_code_link(code, 1, context, &link, &routine), SN_OK, "a link's options");
  is_int(sn_routine_schedule(routine, queue, NULL) | sn_queue_await(queue), SN_OK, "it runs");
  is_int(sn_context_array(context, use.node, &span), SN_OK, "its array");
  is_int(span.data ? *(int64_t *)span.data : -1, 1, "which it has changed");
  is_int(sn_context_destroy(sn_routine_context(routine)) | sn_routine_destroy(routine) |
           sn_context_destroy(context) | sn_code_destroy(code) | sn_queue_destroy(queue) |
           sn_node_destroy(use.node), SN_OK, "gone");
}

/* ---- what it fills ---- */

/* All bytes from there on are as they were spoilt. */
static int is_untouched(const void *given, size_t size, size_t bytes)
{
  for (size_t k = size; k < bytes; k++)
    if (((const unsigned char *)given)[k] != 0xa5) return 0;
  return 1;
}

static void test_filled(sn_engine *engine)
{
  sn_task_counters counters = SN_TASK_COUNTERS_INIT, all = SN_TASK_COUNTERS_INIT;
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  sn_merge_info info = SN_MERGE_INFO_INIT;
  sn_queue *queue;

  counters.size = UP_TO(sn_task_counters, finished);
  spoil(&counters, counters.size, sizeof counters);
  is_int(sn_engine_counters(engine, &counters) | sn_engine_counters(engine, &all), SN_OK,
         "counters");
  ok(counters.submitted == all.submitted && all.submitted > 0, "the first ones are there");
  ok(is_untouched(&counters, UP_TO(sn_task_counters, finished), sizeof counters),
     "the others are not");
  is_int(counters.size, UP_TO(sn_task_counters, finished), "the size is the caller's");
  memory.size = UP_TO(sn_unit_memory, gets);
  spoil(&memory, memory.size, sizeof memory);
  is_int(sn_unit_memory_of(sn_engine_unit(engine, 0), &memory), SN_OK, "a unit's memory");
  ok(is_untouched(&memory, UP_TO(sn_unit_memory, gets), sizeof memory), "as much as there is room");
  is_int(sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue), SN_OK, "a queue");
  info.size = UP_TO(sn_merge_info, bytes);
  spoil(&info, info.size, sizeof info);
  info.node = (const sn_node *)(const void *)&info;
  is_int(sn_queue_merge_info(queue, &info), SN_OK, "a merge buffer");
  ok(info.node == NULL, "which holds no node");
  ok(is_untouched(&info, UP_TO(sn_merge_info, bytes), sizeof info), "as much as there is room");
  is_int(sn_queue_destroy(queue), SN_OK, "gone");
  all.size = sizeof all + 64;
  all.continuations = 17;
  is_int(sn_engine_counters(engine, &all), SN_OK, "of a caller of later");
  is_int(all.continuations, 0, "all that is known is there");
}

int main(void)
{
  sn_engine *engine;

  test_engine();
  engine = engine_by(NULL);
  test_tasks(engine);
  test_tensors(engine);
  test_replays(engine);
  test_nodes(engine);
  test_filled(engine);
  is_int(sn_engine_destroy(engine), SN_OK, "the engine is gone");
  return done_testing();
}
