/* Every cell of the replicas' table, and where cancels return to.  What is expected is written
 * out here, by hand, from the specification: nothing of it comes from replica.def.
 *
 * A cell's verdicts are twelve letters: transfer under way none, Get, Put, AccAll; within each
 * count 0, 1, 2: d: it is done, w: it waits, s: skipped, e: an error.
 */
#include "runtime/host/exec/tensor.h"

#include "t/tap.h"

enum { U = SNI_UNALLOC, I = SNI_UNI, R = SNI_READY, D = SNI_DIRTY, A = SNI_DIRTYACC };
enum { NOTHING = SNI_DO_NOTHING, ALLOCATE = SNI_DO_ALLOCATE, FREE = SNI_DO_FREE,
       GET = SNI_DO_GET, PUT = SNI_DO_PUT, ACCALL = SNI_DO_ACCALL, ACCALL_GET = SNI_DO_ACCALL_GET,
       FILL = SNI_DO_FILL, PUT_FILL = SNI_DO_PUT_FILL };

/* Done whatever stands; done when count is 0 and nothing is under way, else wait or skip; ... */
#define ALWAYS "dddddddddddd"
#define NEVER "eeeeeeeeeeee"
#define IDLE "dwwwwwwwwwww"
#define IDLE_OR_SKIP "dsssssssssss"

typedef struct cell {
  int operation, state;
  const char *verdicts;
  int action;
  int change;                    /* of the count: 1, -1, 0; 9: it becomes 1 */
  int next;                      /* -1: where a cancel returns to */
} cell;

static const cell cells[] = {
  { SNI_OP_READ, U, ALWAYS, ALLOCATE, 0, I },
  { SNI_OP_READ, I, IDLE, GET, 9, R },
  { SNI_OP_READ, R, "dddddddddwww", NOTHING, 1, R },
  { SNI_OP_READ, D, IDLE, PUT, 9, R },
  { SNI_OP_READ, A, IDLE, ACCALL_GET, 9, R },
  { SNI_OP_WRITE, U, ALWAYS, ALLOCATE, 0, I },
  { SNI_OP_WRITE, I, IDLE, NOTHING, 9, D },
  { SNI_OP_WRITE, R, IDLE, NOTHING, 9, D },
  { SNI_OP_WRITE, D, IDLE, NOTHING, 9, D },
  { SNI_OP_WRITE, A, IDLE, ACCALL, 9, D },
  { SNI_OP_RW, U, ALWAYS, ALLOCATE, 0, I },
  { SNI_OP_RW, I, IDLE, GET, 9, D },
  { SNI_OP_RW, R, IDLE, NOTHING, 9, D },
  { SNI_OP_RW, D, IDLE, NOTHING, 9, D },
  { SNI_OP_RW, A, IDLE, ACCALL_GET, 9, D },
  { SNI_OP_ACC, U, ALWAYS, ALLOCATE, 0, I },
  { SNI_OP_ACC, I, IDLE, FILL, 9, A },
  { SNI_OP_ACC, R, IDLE, FILL, 9, A },
  { SNI_OP_ACC, D, IDLE, PUT_FILL, 9, A },
  { SNI_OP_ACC, A, IDLE, NOTHING, 9, A },
  { SNI_OP_RELEASE, U, NEVER, NOTHING, 0, U },
  { SNI_OP_RELEASE, I, NEVER, NOTHING, 0, I },
  { SNI_OP_RELEASE, R, "eddeddeddedd", NOTHING, -1, R },
  { SNI_OP_RELEASE, D, "edeedeedeede", NOTHING, -1, D },
  { SNI_OP_RELEASE, A, "edeedeedeede", NOTHING, -1, A },
  { SNI_OP_CANCEL, U, NEVER, NOTHING, 0, U },
  { SNI_OP_CANCEL, I, NEVER, NOTHING, 0, I },
  { SNI_OP_CANCEL, R, "eddeddeddedd", NOTHING, -1, R },
  { SNI_OP_CANCEL, D, "edeedeedeede", NOTHING, -1, -1 },
  { SNI_OP_CANCEL, A, "edeedeedeede", NOTHING, -1, -1 },
  { SNI_OP_EVICT, U, ALWAYS, NOTHING, 0, U },
  { SNI_OP_EVICT, I, IDLE_OR_SKIP, FREE, 0, U },
  { SNI_OP_EVICT, R, IDLE_OR_SKIP, FREE, 0, U },
  { SNI_OP_EVICT, D, IDLE_OR_SKIP, PUT, 0, R },
  { SNI_OP_EVICT, A, IDLE_OR_SKIP, ACCALL, 0, I },
  { SNI_OP_FLUSH, U, ALWAYS, NOTHING, 0, U },
  { SNI_OP_FLUSH, I, "dddwwwwwwwww", NOTHING, 0, I },
  { SNI_OP_FLUSH, R, "dddwwwwwwwww", NOTHING, 0, R },
  { SNI_OP_FLUSH, D, IDLE, PUT, 0, R },
  { SNI_OP_FLUSH, A, IDLE, ACCALL, 0, I }
};

static const char *const operation_name[] = { "READ", "WRITE", "RW", "ACC", "RELEASE", "CANCEL",
                                              "EVICT", "FLUSH" };
static const char *const state_name[] = { "UNALLOC", "UNI", "READY", "DIRTY", "DIRTYACC" };

/* Of the sixty cases of a cell: how many differ. */
static int wrong_in(const cell *c)
{
  static const char letters[] = "dwse";
  int wrong = 0;

  for (int pending = 0; pending < 4; pending++)
    for (int count = 0; count < 3; count++)
      for (int before = 0; before < 5; before++) {
        const sni_replica replica = { .state = (sni_state)c->state, .before = (sni_state)before,
                                      .count = count, .pending = (sni_pending)pending };
        const sni_step step = sni_replica_step(&replica, (sni_operation)c->operation);
        const char expected = c->verdicts[3 * pending + count];
        const int is_done = expected == 'd';
        const int next = !is_done ? c->state : c->next < 0 ? before : c->next;
        const int then = !is_done ? count : c->change == 9 ? 1 : count + c->change;
        wrong += letters[step.verdict] != expected;
        wrong += (int)step.action != (is_done ? c->action : NOTHING);
        wrong += (int)step.next != next || step.count != then;
      }
  return wrong;
}

/* Rule 2: by the state in which it was granted. */
static void test_cancel(void)
{
  static const int write[] = { I, I, R, D, I }, rw[] = { R, R, R, D, R }, acc[] = { I, I, I, I, A };

  for (int s = 0; s < 5; s++) {
    is_int(sni_replica_before(SNI_OP_WRITE, (sni_state)s), write[s], "a WRITE from %s",
           state_name[s]);
    is_int(sni_replica_before(SNI_OP_RW, (sni_state)s), rw[s], "a RW from %s", state_name[s]);
    is_int(sni_replica_before(SNI_OP_ACC, (sni_state)s), acc[s], "an ACC from %s", state_name[s]);
  }
}

/* DONE_WAITING: which transfers may end in a state: none, Get, Put, AccAll. */
static void test_done(void)
{
  static const char *const may[] = { "....", "..PA", ".GP.", ".G.A", "..P." };

  for (int s = 0; s < 5; s++)
    for (int t = 0; t < 4; t++)
      is_int(sni_replica_may_end((sni_state)s, (sni_pending)t), may[s][t] != '.',
             "transfer %d ends in %s", t, state_name[s]);
}

int main(void)
{
  is_int(sizeof cells / sizeof *cells, 8 * 5, "cells");
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
    is_int(wrong_in(&cells[k]), 0, "%s in %s", operation_name[cells[k].operation],
           state_name[cells[k].state]);
  test_cancel();
  test_done();
  return done_testing();
}
