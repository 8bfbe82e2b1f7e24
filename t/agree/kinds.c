/* Calls the kernels of a program made by kinds.pl, and after each one the kernel that
 * visits all that there is. */
#include "p.h"

#include <inttypes.h>
#include <stdio.h>

static int turn(p_t *tree, int64_t n)
{
  int (*const kernels[])(p_t *, int64_t, int64_t *) = { p_k0, p_k1, p_k2, p_k3 };
  int64_t result = 0, sum = 0;

  for (int k = 0; k < 4; k++) {
    SN_TRY(kernels[k](tree, n + k, &result));
    SN_TRY(p_show(tree, &sum));
    printf("k%d(%" PRId64 ") %" PRId64 " leaves %" PRId64 "\n", k, n + k, result, sum);
  }
  return SN_OK;
}

int main(void)
{
  sn_context *ctx;
  p_t *tree = NULL;
  int code = sn_context_create(NULL, &ctx);

  if (code == SN_OK)
    code = p_t_create(ctx, NULL, &tree);
  for (int64_t n = 0; n < 4 && code == SN_OK; n++)
    code = turn(tree, 3 * n);
  printf("code %d %s\n", code, code != SN_OK ? sn_context_error(ctx) : "");
  p_t_destroy(tree);
  return sn_context_destroy(ctx) != SN_OK;
}
