/* The driver holds whirl.sn's tree against plain arrays (t/plain.h) and watches its memory.
 * SN_STEPS: how many steps (the output is the same). */
#include "../plain.h"
#include "run.h"
#include "whirl.h"

enum { FAR = 1, TILE, BIT, LIST, FEW };
enum { A, D, P };

static uint32_t chance(uint32_t seed, uint32_t key)
{
  uint32_t h = (seed * 2654435761u + key) * 2246822519u;
  h = h ^ (h >> 15);
  h *= 3266489917u;
  return h ^ (h >> 13);
}

static int64_t number(const plain *p, int s, int64_t i, int64_t j, int64_t k)
{
  int64_t at[12] = { 0 };
  at[0] = i;
  at[1] = j;
  at[2] = k;
  return plain_number(p, s, at);
}

static int64_t half(int64_t x) { return x >= 0 ? x / 2 : -((1 - x) / 2); }

static void set_p(plain *p, int64_t at)
{
  double value;
  uint64_t bits = plain_get(p, P, at);

  memcpy(&value, &bits, sizeof value);
  value += 0.5;
  memcpy(&bits, &value, sizeof bits);
  plain_set(p, P, at, bits);
}

static void turn(plain *p, int64_t i, int64_t j, uint32_t r)
{
  const int what = (int)(r % 16), value = (int)(r >> 20);
  const int64_t x = i * 4 + (r >> 8 & 3), y = j * 4 + (r >> 10 & 3);
  const int64_t list = number(p, LIST, x, y, 0), bit = number(p, BIT, x, y, 0);

  if (what == 0) plain_deactivate(p, FAR, number(p, FAR, i, j, 0));
  else if (what == 1) plain_deactivate(p, TILE, number(p, TILE, half(x), half(y), 0));
  else if (what < 4) plain_deactivate(p, BIT, bit);
  else if (what == 4) plain_deactivate(p, LIST, list);
  else if (what < 8) plain_set(p, A, bit, (uint32_t)value);
  else if (what < 11)
    for (int n = 0; n < (int)(r >> 12 & 3) && plain_length(p, LIST, list) < 12; n++)
      plain_set(p, D, list + plain_length(p, LIST, list), (uint16_t)(value + n));
  else if (what == 11) plain_set(p, D, list + (r >> 12 & 7), (uint16_t)value);
  else if (what == 12) plain_activate(p, TILE, number(p, TILE, half(x), half(y), 0));
  else if (what == 13) set_p(p, number(p, FEW, x, y, 0));
  else if (what == 14) plain_deactivate(p, FEW, number(p, FEW, x, y, 0));
  else plain_set(p, A, bit, (uint32_t)(plain_get(p, A, bit) + 1));
}

static void step(plain *p, uint32_t seed)
{
  for (int key = 0; key < 16; key++)
    for (uint32_t t = 0; t < 3; t++)
      turn(p, key / 4 - 2, key % 4 - 2, chance(seed * 3 + t, (uint32_t)key));
}

static void step_few(plain *p, uint32_t seed)
{
  for (int key = 0; key < 16; key++)
    if (chance(seed, (uint32_t)key) % 8 == 0)
      plain_deactivate(p, FAR, number(p, FAR, key / 4 - 2, key % 4 - 2, 0));
}

static int compare(sn_context *ctx, whirl_t *t, const plain *p, int64_t *wrong)
{
  static int32_t a[16][16];
  static int16_t d[16][16][12];
  static double v[16][16];
  const sn_box box = { { -8, -8, 0 }, { 8, 8, 12 } }, own = { { -16, -16 }, { 0, 0 } };
  static const int nodes[] = { FAR, TILE, BIT, LIST, FEW };
  int64_t n[5];

  CHECK(whirl_a_read(t, &box, sn_span_host(a, sizeof a), NULL));
  CHECK(whirl_d_read(t, &box, sn_span_host(d, sizeof d), NULL));
  CHECK(whirl_p_read(t, &own, sn_span_host(v, sizeof v), NULL));
  for (int64_t i = 0; i < 16; i++)
    for (int64_t j = 0; j < 16; j++) {
      const uint64_t bits = plain_get(p, P, number(p, FEW, i - 8, j - 8, 0));
      *wrong += (uint32_t)a[i][j] != plain_get(p, A, number(p, BIT, i - 8, j - 8, 0));
      *wrong += memcmp(&v[i][j], &bits, sizeof bits) != 0;
      for (int64_t k = 0; k < 12; k++)
        *wrong += (uint16_t)d[i][j][k] !=
                  (uint16_t)plain_get(p, D, number(p, LIST, i - 8, j - 8, k));
    }
  CHECK(whirl_far_count(t, &n[0]));
  CHECK(whirl_tile_count(t, &n[1]));
  CHECK(whirl_bit_count(t, &n[2]));
  CHECK(whirl_list_count(t, &n[3]));
  CHECK(whirl_few_count(t, &n[4]));
  for (int s = 0; s < 5; s++) *wrong += n[s] != plain_count(p, nodes[s]);
  return 0;
}

static int held(sn_context *ctx, whirl_t *t, int64_t *cells, int64_t *bytes, int *conserved)
{
  sn_memory_info rows[8];
  int n;

  CHECK(whirl_t_memory(t, rows, 8, &n));
  *cells = *bytes = 0;
  for (int s = 0; s < n; s++) {
    *cells += rows[s].ever_allocated;
    *bytes += rows[s].bytes;
    if (rows[s].ever_allocated > 0)
      *conserved &= rows[s].recycled == 0 &&
                    rows[s].active + rows[s].free == rows[s].ever_allocated;
  }
  return 0;
}

int run_whirl(sn_context *ctx)
{
  const char *asked = getenv("SN_STEPS");
  const int steps = asked ? atoi(asked) : 240, often = steps > 10000 ? 500 : 20;
  int64_t wrong = 0, cells = 0, bytes = 0, warm_cells = 0, warm_bytes = 0, sum;
  int conserved = 1;
  whirl_t *t;
  plain *p;

  CHECK(whirl_t_create(ctx, NULL, &t));
  p = plain_create(whirl_module()->trees[0], NULL, 2);
  for (int k = 0; k < steps; k++) {
    CHECK(whirl_step(t, (uint32_t)k));
    step(p, (uint32_t)k);
    if (k % 7 == 6) {
      CHECK(whirl_step_few(t, (uint32_t)k));
      step_few(p, (uint32_t)k);
    }
    if (k % often == often - 1) {
      if (compare(ctx, t, p, &wrong)) return 1;
      CHECK(whirl_sum(t, &sum));
      if (held(ctx, t, &cells, &bytes, &conserved)) return 1;
      if (k < steps / 2) {
        warm_cells = cells;
        warm_bytes = bytes;
      }
    }
  }
  printf("wrong %" PRId64 " conserved %d\n", wrong, conserved);
  printf("no growth: cells %d bytes %d\n", cells <= warm_cells + warm_cells / 4,
         bytes <= warm_bytes + warm_bytes / 4);
  CHECK(whirl_empty(t));
  plain_deactivate_all(p, 0);
  if (compare(ctx, t, p, &wrong) || held(ctx, t, &cells, &bytes, &conserved)) return 1;
  printf("emptied: wrong %" PRId64 " conserved %d\n", wrong, conserved);
  plain_destroy(p);
  whirl_t_destroy(t);
  return 0;
}
