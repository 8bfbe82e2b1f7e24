/* Calls the three kernels of a program made by generate.pl on two trees, which are
 * one for the second, and prints all that there is. */
#include "p.h"

#include <inttypes.h>
#include <stdio.h>

static int show(p_t *tree)
{
  int32_t values[32], total;
  int64_t tiles;
  int (*const reads[])(p_t *, const sn_box *, sn_span, const int64_t *) = { p_x_read, p_y_read,
                                                                            p_d_read };

  for (int f = 0; f < 3; f++) {
    SN_TRY(reads[f](tree, NULL, sn_span_host(values, sizeof values), NULL));
    for (int i = 0; i < 32; i++)
      printf(" %" PRId32, values[i]);
  }
  SN_TRY(p_total_get(tree, &total));
  SN_TRY(p_tile_count(tree, &tiles));
  printf(" total %" PRId32 " tiles %" PRId64 "\n", total, tiles);
  return SN_OK;
}

static int turn(p_t *one, p_t *two, int n)
{
  int32_t r = 0;

  SN_TRY(p_k0(one, two, n + 2, &r));
  printf("k0 %" PRId32 "\n", r);
  SN_TRY(show(one));
  SN_TRY(p_k1(one, one, n + 1, &r));
  printf("k1 %" PRId32 "\n", r);
  SN_TRY(show(one));
  SN_TRY(p_k2(two, one, n + 3, &r));
  printf("k2 %" PRId32 "\n", r);
  SN_TRY(show(one));
  return show(two);
}

int main(void)
{
  sn_context *ctx;
  p_t *one = NULL, *two = NULL;
  int code = sn_context_create(NULL, &ctx);

  if (code == SN_OK)
    code = p_t_create(ctx, NULL, &one);
  if (code == SN_OK)
    code = p_t_create(ctx, NULL, &two);
  for (int n = 0; n < 3 && code == SN_OK; n++)
    code = turn(one, two, n);
  printf("code %d\n", code);
  p_t_destroy(one);
  p_t_destroy(two);
  return sn_context_destroy(ctx) != SN_OK;
}
