#include "half.h"
#include "run.h"

static double number(sn_f16 x) { return (double)sn_f16_float(x); }

static int arrays(sn_context *ctx)
{
  const sn_f16 c[2] = { sn_f16_of(2), sn_f16_of(-0.5f) };
  const sn_f16 from[3] = { sn_f16_of(1), sn_f16_of(0.1f), sn_f16_of(65504) };
  sn_f16 to[3][2] = { { 0x3c00, 0 }, { 0, 0xbc00 }, { 0, 0 } }, out[2];
  half_bit bits[2];

  CHECK(half_given(ctx, sn_f16_of_double(3), c, from, 3, to[0], 3, bits, out));
  printf("given %g %g; %g %g, %g %g, %g %g; %g %d %d, %g\n", number(out[0]), number(out[1]),
         number(to[0][0]), number(to[0][1]), number(to[1][0]), number(to[1][1]), number(to[2][0]),
         number(to[2][1]), number(bits[0].a), bits[0].on, bits[1].on, number(bits[1].v[2]));
  return 0;
}

static int files(sn_context *ctx, half_t *t)
{
  const char *file = "half.snode";
  half_t *again, *copy;
  sn_f16 all[16], x, v[2];

  CHECK(half_t_create(ctx, NULL, &again));
  CHECK(half_t_create(ctx, NULL, &copy));
  CHECK(half_x_set(t, 5, sn_f16_of(-0.0f)));
  CHECK(half_t_save(t, file));
  CHECK(half_t_load(again, file));
  CHECK(half_t_copy(copy, again));
  remove(file);
  CHECK(half_x_read(copy, NULL, sn_span_host(all, sizeof all), NULL));
  CHECK(half_v_get(copy, 2, v));
  printf("loaded %g %g %x, %g %g\n", number(all[0]), number(all[13]), (unsigned)all[5],
         number(v[0]), number(v[1]));
  CHECK(half_t_deactivate_all(copy));
  CHECK(half_x_get(copy, 5, &x));
  printf("default %x\n", (unsigned)x);
  half_t_destroy(again);
  half_t_destroy(copy);
  return 0;
}

int run_half(sn_context *ctx)
{
  sn_f16 sum;
  half_t *t;

  CHECK(half_t_create(ctx, NULL, &t));
  CHECK(half_numbers(t));
  CHECK(half_updates(t, &sum));
  printf("sum %g\n", number(sum));
  if (arrays(ctx) || files(ctx, t)) return 1;
  half_t_destroy(t);
  return 0;
}
