#include "run.h"
#include "taichi_counts.h"

#define CALL(name) taichi_counts_##name

static sn_memory_info row(const sn_memory_info *rows, int n, const char *name)
{
  static const sn_memory_info none;
  for (int k = 0; k < n; k++)
    if (strcmp(rows[k].name, name) == 0) return rows[k];
  return none;
}

/* 100 rounds of scatter and deactivate: one block active, one to be had. */
static int scatter(sn_context *ctx)
{
  taichi_counts_blocks *t;
  sn_memory_info rows[4], block;
  int n;

  CHECK(CALL(blocks_create)(ctx, NULL, &t));
  for (int round = 0; round < 100; round++) {
    CHECK(CALL(scatter)(t, round * 37));
    CHECK(CALL(clear)(t));
  }
  CHECK(CALL(blocks_memory)(t, rows, 4, &n));
  block = row(rows, n, "tile");
  printf("blocks: at most two %d active %" PRId64 "\n", block.ever_allocated <= 2, block.active);
  CALL(blocks_destroy)(t);
  return 0;
}

/* One list of 1,000 rounds of deactivate and append stays within its memory. */
static int refill(sn_context *ctx)
{
  taichi_counts_one *t;
  sn_memory_info rows[2];
  int64_t bytes = 0, size, total, wrong = 0;
  int32_t five;
  int n;

  CHECK(CALL(one_create)(ctx, NULL, &t));
  for (int round = 0; round < 1000; round++) {
    CHECK(CALL(refill)(t, 100 + round % 7));
    CHECK(CALL(size)(t, &size));
    wrong += size != 100 + round % 7;
    CHECK(CALL(one_memory)(t, rows, 2, &n));
    if (round == 10) bytes = rows[0].bytes;
  }
  CHECK(CALL(total)(t, &total));
  printf("list: wrong %" PRId64 " total %" PRId64 " level %d\n", wrong, total,
         rows[0].bytes <= bytes);
  CHECK(CALL(five_then_20)(t, &five));
  CHECK(CALL(total)(t, &total));
  printf("five and 20: %d total %" PRId64 "\n", five, total);
  CALL(one_destroy)(t);
  return 0;
}

static int appends(sn_context *ctx)
{
  taichi_counts_many *t;
  int64_t bad, length, sum = 0, v_last;
  int32_t v;

  CHECK(CALL(many_create)(ctx, NULL, &t));
  CHECK(CALL(append_all)(t, 3));
  CHECK(CALL(append_all)(t, 0));
  CHECK(CALL(in_order)(t, &bad));
  for (int64_t i = 0; i < 16; i++) {
    CHECK(CALL(cells_length)(t, i, &length));
    sum += length;
  }
  printf("appended: out of order %" PRId64 " sum %" PRId64 "\n", bad, sum);
  /* Past the declared size: an error here, where Taichi counts on. */
  CHECK_FAILS(SN_ECAPACITY, CALL(beyond)(t, &v_last));
  sn_context_clear(ctx);
  CHECK(CALL(cells_length)(t, 3, &length));
  CHECK(CALL(v_get)(t, 3, 5, &v));
  printf("full: length %" PRId64 " first %d\n", length, v);
  CALL(many_destroy)(t);
  return 0;
}

static int bits(sn_context *ctx)
{
  taichi_counts_flags *t;
  int64_t n, wrong = 0;
  int32_t stale;

  CHECK(CALL(flags_create)(ctx, NULL, &t));
  for (int k = 0; k <= 100; k++) {
    CHECK(CALL(misses)(t, k, &n));
    wrong += n != k;
  }
  CHECK(CALL(stale)(t, &stale));
  CHECK(CALL(flag_count)(t, &n));
  printf("flags: wrong %" PRId64 " stale %d active %" PRId64 "\n", wrong, stale, n);
  CALL(flags_destroy)(t);
  return 0;
}

static int levels(sn_context *ctx)
{
  taichi_counts_levels *t;
  taichi_counts_leaves *l;
  sn_memory_info rows[8];
  double sum;
  int64_t n, a, b, c;
  int count, leak = 0;

  CHECK(CALL(levels_create)(ctx, NULL, &t));
  CHECK(CALL(below_inactive)(t));
  CHECK(CALL(a_count)(t, &a));
  CHECK(CALL(b_count)(t, &b));
  CHECK(CALL(c_count)(t, &c));
  CHECK(CALL(everywhere)(t, &sum));
  printf("below an inactive cell: %" PRId64 " %" PRId64 " %" PRId64 " sum %g\n", a, b, c, sum);
  for (int round = 0; round < 10; round++) {
    CHECK(CALL(plant)(t));
    CHECK(CALL(uproot)(t));
    CHECK(CALL(levels_memory)(t, rows, 8, &count));
    leak += row(rows, count, "b").active + row(rows, count, "c").active > 0;
    leak += row(rows, count, "c").ever_allocated > 2 * 27;
  }
  CHECK(CALL(everywhere)(t, &sum));
  printf("children: leaks %d sum %g\n", leak, sum);
  CALL(levels_destroy)(t);

  CHECK(CALL(leaves_create)(ctx, NULL, &l));
  CHECK(CALL(reads)(l, &n));
  CHECK(CALL(leaf_count)(l, &a));
  CHECK(CALL(set_one)(l));
  CHECK(CALL(weakened)(l));
  CHECK(CALL(leaf_count)(l, &b));
  printf("reads %" PRId64 " activate %" PRId64 ", writes elsewhere %" PRId64 "\n", n, a, b);
  CALL(leaves_destroy)(l);
  return 0;
}

int run_taichi_counts(sn_context *ctx)
{
  return scatter(ctx) || refill(ctx) || appends(ctx) || bits(ctx) || levels(ctx);
}
