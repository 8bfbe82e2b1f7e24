/* One kernel whose list two devices share.  Each has the whole tree and goes through the cells of
 * its half of the box at the same time; then each gets the other's tree, and joins both.  Beside
 * them a tree on the host goes through the same steps whole.
 *
 *   halves STEPS
 */
#include "t/tap.h"
#include "halves.h"

#include <pthread.h>

enum { N = 256 };

typedef struct half {
  sn_context *context;
  halves_field_of *tree, *from;  /* its own, and what it gets of the other's */
  int32_t lo, hi;
  int64_t cells;
  int code;
} half;

static int make(const char *device, half *h, int32_t lo, int32_t hi)
{
  sn_config *config = NULL;
  int code = sn_config_create(&config);

  *h = (half){ .lo = lo, .hi = hi };
  if (code == SN_OK) code = sn_config_set(config, "device", device);
  if (code == SN_OK) code = sn_context_create(config, &h->context);
  sn_config_destroy(config);
  if (code == SN_OK) code = halves_field_of_create(h->context, NULL, &h->tree);
  if (code == SN_OK) code = halves_field_of_create(h->context, NULL, &h->from);
  return code == SN_OK ? halves_begin(h->tree) : code;
}

static void *step(void *of)
{
  half *h = of;
  h->code = halves_step(h->tree, h->lo, h->hi, &h->cells);
  return NULL;
}

static void both_step(half *a, half *b)
{
  pthread_t other;

  if (pthread_create(&other, NULL, step, b) != 0) b->code = SN_ENOMEM;
  else {
    step(a);
    pthread_join(other, NULL);
  }
}

/* What the other one has done. */
static int join(half *h, const half *other)
{
  const int code = halves_field_of_copy(h->from, other->tree);
  return code == SN_OK ? halves_join(h->tree, h->from, other->lo, other->hi) : code;
}

/* Both trees are copied before either is changed. */
static int exchange(half *a, half *b)
{
  int code = halves_field_of_copy(b->from, a->tree);
  if (code == SN_OK) code = join(a, b);
  return code == SN_OK ? halves_join(b->tree, b->from, a->lo, a->hi) : code;
}

static void unmake(half *h, const char *name)
{
  halves_field_of_destroy(h->tree);
  halves_field_of_destroy(h->from);
  is_int(sn_context_destroy(h->context), SN_OK, "%s: the context goes", name);
}

int main(int argc, char **argv)
{
  const int steps = argc > 1 ? atoi(argv[1]) : 50;
  half a, b, whole;
  int failed = 0, apart = 0, idle = 0;
  int64_t sum_a = 0, sum_b = 1, sum_whole = 2;

  /* The cut lies within a row of tiles. */
  is_int(make("gpu:0", &a, 0, 121), SN_OK, "a tree on one device");
  is_int(make("gpu:1", &b, 121, N), SN_OK, "a tree on another one");
  is_int(make("host", &whole, 0, N), SN_OK, "a tree on the host");
  for (int s = 0; s < steps; s++) {
    both_step(&a, &b);
    step(&whole);
    failed += a.code != SN_OK || b.code != SN_OK || whole.code != SN_OK;
    apart += a.cells + b.cells != whole.cells;
    idle += a.cells == 0 || b.cells == 0;
    failed += exchange(&a, &b) != SN_OK || halves_join(whole.tree, whole.tree, 0, 0) != SN_OK;
  }
  is_int(failed, 0, "%d steps, joined after each", steps);
  is_int(apart, 0, "each cell was one device's");
  is_int(idle, 0, "and both had some");
  is_int(halves_sum(a.tree, &sum_a) != SN_OK || halves_sum(b.tree, &sum_b) != SN_OK ||
           halves_sum(whole.tree, &sum_whole) != SN_OK, 0, "sums");
  is_int(sum_a, sum_whole, "one has what the host has");
  is_int(sum_b, sum_whole, "the other too");
  unmake(&a, "one device");
  unmake(&b, "the other");
  unmake(&whole, "the host");
  return done_testing();
}
