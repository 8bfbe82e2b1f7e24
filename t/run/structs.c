#include "run.h"
#include "shared.h"
#include "shared_more.h"
#include "structs.h"

enum { N = 16 };

static void show_spin(const char *name, const structs_spin *s)
{
  printf("%s %d %d %g %u\n", name, s->up, s->label, s->energy, (unsigned)s->bits);
}

static void show(const char *name, const structs_particle *p)
{
  printf("%s x %g %g %g, v %g %g %g, C %g %g %g %g, m %g,", name, p->x[0], p->x[1], p->x[2],
         p->v[0], p->v[1], p->v[2], p->C[0], p->C[1], p->C[2], p->C[3], p->m);
  show_spin("", &p->s);
}

static const structs_particle sample = {
  { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9, 10 }, 11, { 1, -128, -0.5, 65535 }
};

static int fields(sn_context *ctx, structs_cells *t)
{
  static structs_particle all[N][2];
  const int64_t stride[] = { 2 };
  const sn_box box = { { 2 }, { 6 } };
  static int64_t index[N];
  structs_particle p;
  structs_pair sum;
  double total;
  int64_t n;

  CHECK(structs_p_get(t, 5, &p));
  show("default", &p);
  CHECK(structs_scatter(t, 48, &sample, &n));
  CHECK(structs_counted_get(t, &sum));
  printf("scattered %" PRId64 ": %d %d %" PRId64 "\n", n, (int)sum.at[0], (int)sum.at[1], sum.n);
  CHECK(structs_gathered(t, &total));
  printf("gathered %.17g\n", total);
  CHECK(structs_p_read(t, NULL, sn_span_host(all, sizeof all), stride));
  for (int i = 0; i < N; i += 5) show("read", &all[i][0]);
  show("between", &all[3][1]);
  show("flipped", &all[N - 2][0]);
  CHECK_FAILS(SN_EINVAL, structs_p_read(t, NULL, sn_span_host(all, sizeof all / 2), stride));
  CHECK_FAILS(SN_EINVAL, structs_p_read(t, &box, sn_span_host((char *)all + 4, 4 * sizeof p),
                                        NULL));

  CHECK(structs_cells_deactivate_all(t));
  all[0][0] = sample;
  all[1][0].s.up = 1;
  CHECK(structs_p_write(t, &box, sn_span_host(all, sizeof all), stride));
  CHECK(structs_p_count(t, &n));
  CHECK(structs_p_get(t, 2, &p));
  show("written", &p);
  printf("active %" PRId64 "\n", n);
  CHECK(structs_p_fill(t, &sample));
  p.m = 0.25;
  p.s.up = 0;
  CHECK(structs_p_set(t, 3, &p));
  CHECK(structs_p_read_active(t, index, &all[0][0], N, &n));
  for (int64_t k = 0; k < n; k++)
    if (index[k] == 3) show("listed", &(&all[0][0])[k]);
  all[0][1] = sample;
  all[0][1].s.label = 42;
  index[0] = 15;
  CHECK(structs_p_write_active(t, index, &all[0][1], 1));
  CHECK(structs_p_get(t, 15, &p));
  show_spin("put", &p.s);
  CHECK_FAILS(SN_EBOUNDS, structs_p_get(t, N, &p));
  CHECK_FAILS(SN_EINVAL, structs_p_get(t, 0, NULL));
  sn_context_clear(ctx);
  return 0;
}

static int arrays(sn_context *ctx)
{
  static const float src[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
  static const structs_spin spins[2] = { { 1, 3, 0.5, 1 }, { 0, -3, 0.25, 2 } };
  static structs_particle dst[3][2], past[2];
  structs_pair made[2], one;
  double total;

  for (int i = 0; i < 6; i++) dst[i / 2][i % 2] = sample;
  CHECK(structs_transfer(ctx, src[0], 3, &dst[0][0], 2, made, spins, 1, &total));
  show("first", &dst[0][0]);
  show("last", &dst[2][1]);
  printf("total %g, made %d %d %" PRId64 ", %d %d %" PRId64 "\n", total, (int)made[0].at[0],
         (int)made[0].at[1], made[0].n, (int)made[1].at[0], (int)made[1].at[1], made[1].n);
  CHECK(structs_past(ctx, past, 2, 1, 2));
  printf("within %g, %g\n", past[1].x[2], past[1].v[0]);
  CHECK_FAILS(SN_EBOUNDS, structs_past(ctx, past, 2, 2, 0));
  CHECK_FAILS(SN_EBOUNDS, structs_past(ctx, past, 2, 1, 3));
  printf("past %g, %g\n", past[1].x[2], past[1].v[0]);
  sn_context_clear(ctx);
  CHECK(structs_arrays(ctx, 1, &one));
  printf("arrays %d %d %" PRId64 "\n", (int)one.at[0], (int)one.at[1], one.n);
  CHECK(structs_arrays(ctx, 2, &one));
  printf("arrays %d %d %" PRId64 "\n", (int)one.at[0], (int)one.at[1], one.n);
  return 0;
}

static int bounds(sn_context *ctx)
{
  float out;

  CHECK(structs_outside(ctx, 1, 1, &out));
  printf("inside %g\n", out);
  CHECK_FAILS(SN_EBOUNDS, structs_outside(ctx, 3, 1, &out));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK_FAILS(SN_EBOUNDS, structs_outside(ctx, 0, -1, &out));
  sn_context_clear(ctx);
  return 0;
}

static int others(sn_context *ctx)
{
  const char *file = "structs.snode";
  structs_marked out, in = { { 1, 2 }, 0.5f };
  shared_tag tag = { 1, 40 };
  structs_other *o, *again;
  structs_board *g;
  structs_spin s;

  CHECK(structs_other_create(ctx, NULL, &o));
  CHECK(structs_other_create(ctx, NULL, &again));
  CHECK(structs_mark(o, &in, &tag, &out));
  printf("marked %d %d %g\n", out.t.flag, (int)out.t.count, out.of);
  CHECK(structs_other_save(o, file));
  CHECK(structs_other_load(again, file));
  remove(file);
  CHECK(structs_note_get(again, &in));
  printf("loaded %d %d %g\n", in.t.flag, (int)in.t.count, in.of);
  structs_other_destroy(o);
  structs_other_destroy(again);

  CHECK(structs_board_create(ctx, NULL, &g));
  CHECK(structs_turn(g));
  CHECK(structs_wrapped_get(g, -2, 3, &s));
  show_spin("turned", &s);
  CHECK(structs_wrapped_get(g, -1, 6, &s));
  show_spin("turned", &s);
  structs_board_destroy(g);
  return 0;
}

int run_structs(sn_context *ctx)
{
  structs_cells *t;
  int failed;

  CHECK(structs_values(ctx, 3, (float[]){ 1.5f, -2.0f, 0.25f }));
  CHECK(structs_values(ctx, 4, (float[]){ 3e38f, -0.0f, 1e-40f }));
  CHECK(structs_cells_create(ctx, NULL, &t));
  failed = fields(ctx, t) || arrays(ctx) || bounds(ctx) || others(ctx);
  structs_cells_destroy(t);
  return failed;
}
