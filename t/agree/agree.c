/* Calls the three kernels of a program made by generate.pl on two trees, which are
 * one for the second, and prints all that there is. */
#include "p.h"

#include <inttypes.h>
#include <stdio.h>

typedef int (*read_call)(p_t *, const sn_box *, sn_span, const int64_t *);
typedef int (*count_call)(p_t *, int64_t *);

/* The values of a box, at most 160; NULL: of all the field's 32. */
static int show_values(p_t *tree, read_call read, const sn_box *box, int count)
{
  int32_t values[160];

  SN_TRY(read(tree, box, sn_span_host(values, sizeof values), NULL));
  for (int i = 0; i < count; i++)
    printf(" %" PRId32, values[i]);
  return SN_OK;
}

static int show(p_t *tree)
{
  static const read_call reads[] = { p_x_read, p_y_read, p_d_read, p_b_read, p_m_read };
  static const count_call counts[] = { p_tile_count, p_some_count, p_marks_count, p_far_count,
                                       p_list_count };
  const sn_box far = { { -50 }, { 60 } }, list = { { 0, 0 }, { 4, 40 } };
  int64_t n;
  int32_t total;

  for (int f = 0; f < 5; f++)
    SN_TRY(show_values(tree, reads[f], NULL, 32));
  SN_TRY(show_values(tree, p_z_read, NULL, 96));
  SN_TRY(show_values(tree, p_h_read, &far, 110));
  SN_TRY(show_values(tree, p_e_read, &list, 160));
  SN_TRY(p_total_get(tree, &total));
  printf(" total %" PRId32 " active", total);
  for (int c = 0; c < 5; c++) {
    SN_TRY(counts[c](tree, &n));
    printf(" %" PRId64, n);
  }
  for (int i = 0; i < 4; i++) {
    SN_TRY(p_list_length(tree, i, &n));
    printf(" %" PRId64, n);
  }
  printf("\n");
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
