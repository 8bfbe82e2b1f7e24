/* Contexts on several devices at once: in each round one tree changes, and is copied to the next
 * device's.  Beside them a tree on the host goes through the same rounds.
 *
 *   ring DEVICES ROUNDS
 */
#include "t/tap.h"
#include "ring.h"

enum { DEVICES_MOST = 8, EACH = 50, CELLS = 2048 };

static int make(const char *device, sn_context **context, ring_ring **tree)
{
  sn_config *config = NULL;
  int code = sn_config_create(&config);

  if (code == SN_OK) code = sn_config_set(config, "device", device);
  if (code == SN_OK) code = sn_context_create(config, context);
  sn_config_destroy(config);
  return code == SN_OK ? ring_ring_create(*context, NULL, tree) : code;
}

/* Whether both hold the same. */
static int are_equal(ring_ring *a, ring_ring *b)
{
  static int64_t of_a[CELLS], of_b[CELLS];
  int64_t sum_a = 0, sum_b = 1, count_a = 0, count_b = 1;
  const sn_span all_a = sn_span_host(of_a, sizeof of_a), all_b = sn_span_host(of_b, sizeof of_b);

  if (ring_sum(a, &sum_a) != SN_OK || ring_sum(b, &sum_b) != SN_OK) return 0;
  if (ring_x_count(a, &count_a) != SN_OK || ring_x_count(b, &count_b) != SN_OK) return 0;
  if (ring_x_read(a, NULL, all_a, NULL) != SN_OK || ring_x_read(b, NULL, all_b, NULL) != SN_OK)
    return 0;
  return sum_a == sum_b && count_a == count_b && memcmp(of_a, of_b, sizeof of_a) == 0;
}

int main(int argc, char **argv)
{
  const int devices = argc > 1 ? atoi(argv[1]) : 4, rounds = argc > 2 ? atoi(argv[2]) : 1000;
  sn_context *contexts[DEVICES_MOST] = { 0 }, *host = NULL;
  ring_ring *trees[DEVICES_MOST] = { 0 }, *beside = NULL;
  int failed = 0, unequal = 0;

  for (int d = 0; d < devices; d++) {
    char name[16];
    snprintf(name, sizeof name, "gpu:%d", d);
    is_int(make(name, &contexts[d], &trees[d]), SN_OK, "a tree on %s", name);
  }
  is_int(make("host", &host, &beside), SN_OK, "a tree on the host");
  is_int(ring_begin(trees[0]), SN_OK, "the first contents");
  is_int(ring_begin(beside), SN_OK, "on the host too");
  for (int r = 0; r < rounds; r++) {
    ring_ring *from = trees[r % devices], *to = trees[(r + 1) % devices];
    failed += ring_go_on(from, r) != SN_OK || ring_go_on(beside, r) != SN_OK;
    failed += ring_ring_copy(to, from) != SN_OK;
    if (r % EACH == EACH - 1 || r == rounds - 1) unequal += !are_equal(to, beside);
  }
  is_int(failed, 0, "%d rounds of changes and copies", rounds);
  is_int(unequal, 0, "what went around is what the host has");
  for (int d = 0; d < devices; d++) {
    ring_ring_destroy(trees[d]);
    is_int(sn_context_destroy(contexts[d]), SN_OK, "context %d goes", d);
  }
  ring_ring_destroy(beside);
  is_int(sn_context_destroy(host), SN_OK, "the host's goes");
  return done_testing();
}
