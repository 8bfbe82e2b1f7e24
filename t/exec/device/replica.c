/* Scenario 3, on each of four units: a known course of one replica, step by step, and what it
 * moves; who may hold sums at once.  (All operations in all states: table.c.)
 */
#include "t/exec/holder.h"
#include "t/exec/course.h"
#include "t/exec/units/units.h"

enum { LENGTH = 8 };             /* elements of a block */

static char states[256], moved[64];
static sn_unit_memory last = SN_UNIT_MEMORY_INIT;

static void note_state(const sni_replica *replica)
{
  static const char *const names[] = { "UNALLOC", "UNI", "READY", "DIRTY", "DIRTYACC" };

  if (*states) strcat(states, " ");
  strcat(states, replica ? names[replica->state] : "UNALLOC");
}

/* Lock held: the transfers since the last note. */
static void note_transfers(sn_unit *unit)
{
  const sn_unit_memory *m = &unit->memory;

  for (uint64_t k = last.gets; k < m->gets; k++) strcat(moved, " Get");
  for (uint64_t k = last.puts; k < m->puts; k++) strcat(moved, " Put");
  for (uint64_t k = last.adds; k < m->adds; k++) strcat(moved, " AccAll");
  last = *m;
}

static void settle(sn_engine *engine, const sni_replica *replica)
{
  while (replica->pending != SNI_IDLE) sni_engine_wait(engine);
}

static int evict(sn_unit *unit, sni_replica *replica)
{
  const int code = sni_replica_take(replica, SNI_OP_EVICT) != SNI_DO;

  note_state(replica);
  note_transfers(unit);
  settle(unit->engine, replica);
  return code;
}

static void test_course(sn_unit *unit)
{
  static const sni_operation course[] = { SNI_OP_READ, SNI_OP_WRITE, SNI_OP_READ, SNI_OP_ACC };
  sn_engine *engine = unit->engine;
  sn_tensor *tensor = tensor_named(engine, "A", 1, LENGTH);
  sni_tensor_block *block = &tensor->blocks[0];
  sni_request request = { .block = block, .unit = unit };
  sni_replica *replica = NULL;
  int64_t values[LENGTH];
  int codes = 0, wrong = 0;

  *states = *moved = 0;
  sni_mutex_lock(&engine->lock);
  last = unit->memory;
  note_state(NULL);
  for (int k = 0; k < 4; k++) {
    int64_t *memory;
    request.mode = course[k];
    memory = have(&request);
    if (course[k] == SNI_OP_WRITE) codes |= units_change(unit->device, memory, LENGTH, 0, 40);
    if (course[k] == SNI_OP_ACC) codes |= units_change(unit->device, memory, LENGTH, 1, 2);
    if (k == 0) strcat(states, " UNI");          /* on its way */
    replica = sni_replica_of(block, unit);
    note_state(replica);
    note_transfers(unit);
    codes |= give(&request, 1);
    note_state(replica);
  }
  codes |= evict(unit, replica);
  codes |= evict(unit, replica);
  sni_mutex_unlock(&engine->lock);
  is_int(codes, SN_OK, "READ, WRITE, READ, ACC, each released, then EVICT twice, on %s",
         sn_unit_name(unit));
  is_str(states, "UNALLOC UNI READY READY DIRTY DIRTY READY READY DIRTYACC DIRTYACC UNI UNALLOC",
         "its states");
  is_str(moved, " Get Put AccAll", "what it moved, in this order");
  is_int(last.used, 0, "nothing is left");
  is_int(sn_tensor_read(tensor, values, sizeof values), SN_OK, "read");
  for (int k = 0; k < LENGTH; k++) wrong += values[k] != 40 + 2;
  is_int(wrong, 0, "written and added to");
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

/* Two buffers of sums exclude each other on one unit, and not on two. */
static void test_adders(sn_unit *unit, sn_unit *other)
{
  sn_engine *engine = unit->engine;
  sn_tensor *tensor = tensor_named(engine, "A", 1, LENGTH);
  sni_request first = { .block = &tensor->blocks[0], .unit = unit, .mode = SNI_OP_ACC };
  sni_request second = first, elsewhere = first;
  int64_t values[LENGTH];
  int code = sn_tensor_fill(tensor, 1), wrong = 0;

  elsewhere.unit = other;
  sni_mutex_lock(&engine->lock);
  code |= units_change(unit->device, have(&first), LENGTH, 1, 10);
  is_int(sni_requests_reserve(&second), SNI_WAITS, "a second one on %s waits", sn_unit_name(unit));
  code |= units_change(other->device, have(&elsewhere), LENGTH, 1, 100);
  code |= give(&first, 1);
  code |= units_change(unit->device, have(&second), LENGTH, 1, 1000);
  code |= give(&second, 1) | give(&elsewhere, 1);
  sni_mutex_unlock(&engine->lock);
  is_int(code | sn_tensor_read(tensor, values, sizeof values), SN_OK, "one on %s does not",
         sn_unit_name(other));
  for (int k = 0; k < LENGTH; k++) wrong += values[k] != 1111;
  is_int(wrong, 0, "the sum of all three");
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  if (units_engine(options, &engine) != SN_OK) bail("no engine");
  for (int u = 1; u < UNITS; u++) {
    test_course(sn_engine_unit(engine, u));
    test_adders(sn_engine_unit(engine, u), sn_engine_unit(engine, u % (UNITS - 1) + 1));
  }
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
  return done_testing();
}
