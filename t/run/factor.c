#include "factor.h"
#include "run.h"

#include <math.h>

int run_factor(sn_context *ctx)
{
  static const double matrices[3][9] = {
    { 1, 0, 0, 0, -3, 0, 0, 0, 2 }, { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, { 1, 2, 3, 4, 5, 6, 7, 8, 10 },
  };
  static const double expected[3][3] = { { 3, 2, -1 }, { 0, 0, 0 },
                                         { 17.412505166808597, 0.87516135011043477,
                                           -0.19686652111743 } };
  double values[3][3] = { { 0 } };
  factor_t *t;
  int32_t wrong;

  CHECK(factor_t_create(ctx, NULL, &t));
  CHECK(factor_in_fields(t, &wrong));
  printf("fields: %" PRId32 " wrong\n", wrong);
  CHECK(factor_in_places(t, &wrong));
  printf("places: %" PRId32 " wrong\n", wrong);
  CHECK(factor_in_arrays(ctx, matrices[0], 3, values[0], &wrong));
  for (int k = 0; k < 9; k++) wrong += fabs(values[k / 3][k % 3] - expected[k / 3][k % 3]) > 1e-13;
  printf("arrays: %" PRId32 " wrong\n", wrong);
  factor_t_destroy(t);
  return 0;
}
