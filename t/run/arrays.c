#include "arrays.h"
#include "run.h"

int run_arrays(sn_context *ctx)
{
  enum { M = 500 };
  arrays_grid *grid;
  static int32_t at[M][2];
  static float value[M], matrix[7 * 9];
  static double got[M];
  static uint8_t data[1000];
  uint32_t bin[16] = { 5 };
  int16_t small[6];
  static const int64_t wide[6] = { 0, -1, 32767, 32768, 65536 + 7, -32769 };
  int64_t n, weighted = 0;
  double sum = 0;

  CHECK(arrays_grid_create(ctx, NULL, &grid));
  for (int k = 0; k < M; k++) {
    at[k][0] = (k * 37) % 64;
    at[k][1] = (k * 11 + k / 64) % 64;
    value[k] = (float)(k % 8) * 0.25f;
  }
  CHECK(arrays_scatter(grid, at[0], M, value));
  CHECK(arrays_gather(grid, at[0], M, got));
  for (int k = 0; k < M; k++)
    sum += got[k];
  printf("gathered %g\n", sum);
  for (int k = 0; k < 63; k++)
    matrix[k] = (float)k;
  CHECK(arrays_scale(ctx, matrix, 7, 9, 0.5f));
  printf("scaled %g %g\n", (double)matrix[1], (double)matrix[62]);
  for (int k = 0; k < 1000; k++)
    data[k] = (uint8_t)(k * k);
  CHECK(arrays_histogram(ctx, data, 1000, bin));
  for (int k = 0; k < 16; k++)
    weighted += (int64_t)bin[k] * (k + 1);
  printf("bins %u weighted %" PRId64 "\n", bin[0], weighted);
  CHECK(arrays_extents(ctx, matrix, 2, 7, &n));
  printf("extents %" PRId64 "\n", n);
  CHECK(arrays_plain(ctx, small, 6, wide));
  for (int k = 0; k < 6; k++)
    printf("%d ", small[k]);
  printf("\n");
  CHECK(arrays_scale(ctx, NULL, 0, 9, 2));
  CHECK_FAILS(SN_EINVAL, arrays_scale(ctx, NULL, 7, 9, 2));
  CHECK_FAILS(SN_EINVAL, arrays_scale(ctx, matrix, -1, 9, 2));
  CHECK_FAILS(SN_EINVAL, arrays_scale(NULL, matrix, 1, 9, 2));
  arrays_grid_destroy(grid);
  return 0;
}
