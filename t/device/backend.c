/* The backend table, traps, prints, and what the interpreter is given. */
#include "tree.h"

/* How the interpreter reaches trees, in this file: a shared backend has it in serial programs
 * alone. */
#undef SN_BACKEND_TAKEN
#undef SN_BACKEND_GIVEN
#include <snode/device/interpret.h>

/* ---- devices ---- */

static void test_memory(void)
{
  unsigned char in[1001], out[1001];
  void *memory = NULL;
  int64_t wrong = 0;

  for (size_t k = 0; k < sizeof in; k++) in[k] = (unsigned char)(k * 5);
  is_int(snd_backend.alloc(0, sizeof in, &memory), SN_OK, "device memory");
  is_int(snd_backend.copy(0, memory, -1, in, sizeof in), SN_OK, "to the device");
  is_int(snd_backend.fill(0, (char *)memory + 3, 0xa5, 900), SN_OK, "filled there");
  is_int(snd_backend.copy(-1, out, 0, memory, sizeof out), SN_OK, "and back");
  for (size_t k = 0; k < sizeof in; k++)
    wrong += out[k] != (k >= 3 && k < 903 ? 0xa5 : in[k]);
  is_int(wrong, 0, "what was written, where it was written");
  is_int(snd_backend.copy(0, memory, -1, in, 0), SN_OK, "nothing to copy");
  is_int(snd_backend.fill(0, memory, 0, 0), SN_OK, "nothing to fill");
  snd_backend.free(0, memory);
}

static void test_backend(void)
{
  const int beyond = snd_backend.devices();
  snd_device_info info;
  char byte = 0;
  void *memory = &byte;

  is_int(snd_backend.abi, SNODE_ABI, "the ABI's number");
  is_int(snd_backend.bytes, sizeof(sn_backend), "the table's size");
  ok(snd_backend.threads() >= 1 && !snd_backend.in_parallel(), "threads");
  is_int(beyond > 0, ON_DEVICE, "devices, with SN_OFFLOAD or SN_ACC");
  is_int(snd_backend.probe(beyond), 0, "no region runs where there is no device");
  is_int(snd_backend.info(beyond, &info), SN_EDEVICE, "no device, no name");
  is_int(snd_backend.alloc(beyond, 8, &memory), SN_EDEVICE, "no memory");
  ok(memory == NULL, "a null pointer");
  is_int(snd_backend.copy(beyond, &byte, -1, &byte, 1), SN_EDEVICE, "no copy");
  is_int(snd_backend.fill(beyond, &byte, 0, 1), SN_EDEVICE, "no fill");
  snd_backend.free(beyond, NULL);
  for (int k = 0; k < SND_RT_COUNT; k++) {
    const snd_task *task = &snd_backend.runtime_tasks[k];
    ok(task->host != NULL && (task->target != NULL) == ON_DEVICE, "%s has its forms", task->name);
  }
#if SND_HAS_DEVICES
  ok(snd_backend.probe(0) != 0, "a region runs on the device");
  is_int(snd_backend.info(0, &info), SN_OK, "it has a name");
  test_memory();
#else
  (void)test_memory;
#endif
}

/* ---- the first error wins ---- */

static const node_spec nodes[] = { ROOT, { SND_SNODE_POINTER, 0, 4, 3, 4, 5 } };

SND_INLINE void
snd_fail(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch, int32_t slot,
         const snd_worker *worker)
{
  (void)view;
  if (snd_is_first(worker)) {
    snd_trap_bounds(launch, 3, slot, snode, 2, 7, -8);
    snd_trap_assert(launch, 9);
  }
}
SND_RUNTIME_TASK(fail, snd_work_single)

static void test_traps(tree *t)
{
  const snd_status *status = &t->launch->status;

  ok(!snd_stopped(t->launch), "no error yet");
  RUN(t, fail, 1);
  ok(snd_stopped(t->launch), "an error");
  is_int(status->code, SN_EBOUNDS, "the first one");
  ok(status->site == 3 && status->slot == 0 && status->snode == 1 && status->index_count == 2 &&
     status->index[0] == 7 && status->index[1] == -8, "where it was");
  launch_clear(t);
  snd_trap_assert(t->launch, 9);
  ok(status->code == SN_EASSERT && status->site == 9, "an assertion");
  launch_clear(t);
  snd_trap_arithmetic(t->launch, 4);
  ok(status->code == SN_EARITHMETIC && status->site == 4, "a division by zero");
  launch_clear(t);
}

/* ---- print ---- */

SND_INLINE void
snd_say(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch, int32_t slot,
        const snd_worker *worker)
{
  (void)view;
  (void)snode;
  (void)slot;
  if (snd_is_first(worker)) {
    snd_print(launch, 5, 3, snd_word_i(-2), snd_word_u(7u), snd_word_f(1.5));
    snd_print_text(launch, 6);
    snd_print(launch, 7, 1, snd_word_i(1));
  }
}
SND_RUNTIME_TASK(say, snd_work_single)

static void test_ring(tree *t)
{
  uint64_t ring[64];
  const uint64_t wanted[] = { 5, 5, (uint64_t)-2, 7, 0x3ff8000000000000u, 2, 6, 3, 7, 1 };

  memset(ring, 0xff, sizeof ring);
  t->launch->ring = address_of(ring);
  t->launch->ring_bytes = sizeof ring;
  RUN(t, say, 0);
  is_int(t->launch->ring_used, sizeof wanted, "the ring holds ten words");
  ok(memcmp(ring, wanted, sizeof wanted) == 0, "the records");

  t->launch->ring_used = 0;
  t->launch->ring_bytes = 8 * sizeof *ring;
  memset(ring, 0xff, sizeof ring);
  RUN(t, say, 0);
  is_int(t->launch->lines_lost, 1, "a line is lost where the ring is full");
  is_int(ring[7], 0, "its place ends the ring");
  ok(ring[8] == UINT64_MAX, "nothing is written behind it");
  launch_clear(t);
}

typedef struct heard { int records; uint64_t words, last_site; } heard;

static void hear(void *host, const uint64_t *record)
{
  heard *h = host;
  h->records++;
  h->words += record[0];
  h->last_site = record[1];
}

static void test_print_host(tree *t)
{
  const snd_worker alone = { 0, 1, 0, 1 };
  heard h = { 0, 0, 0 };

  t->launch->host = address_of(&h);
  t->launch->print_host = (sn_addr)(uintptr_t)hear;
  snd_say(t->view, 0, t->launch, 0, &alone);
  ok(h.records == 3 && h.words == 10 && h.last_site == 7, "the host's function has each record");
  is_int(t->launch->ring_used, 0, "and the ring none");
  launch_clear(t);
}

/* ---- the interpreter's way in ---- */

static void test_interpreter(tree *t)
{
  const snd_args args = tree_args(t, 0, NULL);
  const sn_interpreter_access *a = &snd_interpreter_access;
  const int64_t field_index[2] = { 2, 1 }, cell_index[2] = { 1, 2 };   /* (j, i) and (i, j) */
  sn_interpreter_entry entry;
  uint32_t value = 0;

  a->get(&args, 0, 1, field_index, &value);
  is_int(value, 5, "get: the default");
  is_int(a->is_active(&args, 0, 1, cell_index), 0, "activates nothing");
  value = 44;
  a->set(&args, 0, 1, field_index, &value);
  value = 0;
  a->get(&args, 0, 1, field_index, &value);
  is_int(value, 44, "set");
  is_int(a->is_active(&args, 0, 1, cell_index), 1, "activates");
  is_int(a->total(&args, 0, 1, 0), 4, "total");
  RUN_RT(t, LISTGEN, 1);
  is_int(a->list_length(&args, 0, 1), 1, "the list");
  a->list_entry(&args, 0, 1, 0, &entry);
  is_int(entry.first, 0, "its only container, from the first cell");
  is_int(entry.last, (int64_t)t->view->snode[1].cells, "to the last");
  ok(entry.mask != NULL && entry.mask[0] == (uint64_t)1 << 5, "its mask");
  a->deactivate(&args, 0, 1, cell_index);
  is_int(a->is_active(&args, 0, 1, cell_index), 0, "deactivate");
  a->activate(&args, 0, 1, cell_index);
  is_int(a->is_active(&args, 0, 1, cell_index), 1, "activate");
}

int main(void)
{
  tree *t = tree_make(nodes, 2, &(tree_options){ .chunk = 1 });

  test_backend();
  test_traps(t);
  test_ring(t);
  test_print_host(t);
  test_interpreter(t);
  tree_free(t);
  return done_testing();
}
