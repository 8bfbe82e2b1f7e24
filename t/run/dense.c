#include "dense.h"
#include "run.h"

int run_dense(sn_context *ctx)
{
  dense_flat *flat;
  dense_blocked *blocked;
  int32_t a[7 * 13];
  double b, sum = 0;
  float c[15 * 15], value;
  int64_t n, lo[2], hi[2], weighted = 0;

  CHECK(dense_flat_create(ctx, NULL, &flat));
  CHECK(dense_blocked_create(ctx, NULL, &blocked));
  CHECK(dense_number(flat));
  CHECK(dense_a_read(flat, NULL, sn_span_host(a, sizeof a), NULL));
  for (int k = 0; k < 7 * 13; k++) weighted += (int64_t)a[k] * (k + 1);
  printf("a: first %d last %d weighted %" PRId64 "\n", a[0], a[7 * 13 - 1], weighted);
  CHECK(dense_b_get(flat, 3, 5, &b));
  printf("b[3, 5] = %g\n", b);
  CHECK(dense_shift(flat));
  for (int64_t i = 0; i < 7; i++)
    for (int64_t j = 0; j < 13; j++) {
      CHECK(dense_b_get(flat, i, j, &b));
      sum += b;
    }
  printf("sum of b after shift %g\n", sum);
  CHECK(dense_a_count(flat, &n));
  printf("cells %" PRId64 "\n", n);

  CHECK(dense_number_blocked(blocked));
  CHECK(dense_c_get(blocked, 14, 14, &value));
  printf("c[14, 14] = %g\n", (double)value);
  CHECK(dense_c_shape(blocked, lo, hi));
  printf("c is %" PRId64 " .. %" PRId64 ", %" PRId64 " .. %" PRId64 "\n", lo[0], hi[0], lo[1],
         hi[1]);
  CHECK(dense_transpose_into(flat, blocked));
  CHECK(dense_c_read(blocked, NULL, sn_span_host(c, sizeof c), NULL));
  printf("c[12, 6] = %g c[0, 6] = %g c[14, 14] = %g\n", (double)c[12 * 15 + 6], (double)c[6],
         (double)c[14 * 15 + 14]);

  dense_flat_destroy(flat);
  dense_blocked_destroy(blocked);
  return 0;
}
