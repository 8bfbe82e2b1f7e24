#include "adjoint.h"
#include "run.h"

#include <math.h>
#include <snode/tape.h>

enum { N = 16, SOME = 20, LIST = 50, FAR = 40, LINE = 12, ALL = 1200 };

/* The inputs, one behind the other, and how they are spread over the fields. */
static double input[ALL], direction[ALL];
static int used;

static double next(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 24);
}

static int is_active(int i, int j)
{
  return (i / 4 + j / 4) % 3 != 0;
}

#define SPAN(array) sn_span_host(array, sizeof array)

/* Values and directions; those of cells that are inactive are zero. */
static void draw(void)
{
  uint32_t state = 5;

  used = N * N + 2 * SOME + LIST + FAR + 7 * LINE + SOME;
  for (int k = 0; k < used; k++) {
    input[k] = 0.05 + next(&state);
    direction[k] = next(&state) - 0.5;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (!is_active(i, j))
        input[i * N + j] = direction[i * N + j] = 0;
  for (int l = 0; l < 2 * SOME; l++)
    if (l / 2 % 3 == 1)
      input[N * N + l] = direction[N * N + l] = 0;
  for (int n = 30; n < LIST; n++)
    input[N * N + 2 * SOME + n] = direction[N * N + 2 * SOME + n] = 0;
  for (int m = 0; m < FAR; m += 3)
    input[N * N + 2 * SOME + LIST + m] = direction[N * N + 2 * SOME + LIST + m] = 0;
  for (int l = 0; l < SOME; l++)
    if (l % 3 == 1)
      input[used - SOME + l] = direction[used - SOME + l] = 0;
}

typedef struct Values {
  double u[N * N], w[2 * SOME], x[LIST], far[FAR], row[LINE], edge[LINE], ring[LINE], wall[LINE];
  adjoint_spot p[LINE];
  float single[SOME];
} Values;

static double *part(double **at, int count)
{
  *at += count;
  return *at - count;
}

static void spread(double *all, Values *v)
{
  double *at = all, *p;

  memcpy(v->u, part(&at, N * N), sizeof v->u);
  memcpy(v->w, part(&at, 2 * SOME), sizeof v->w);
  memcpy(v->x, part(&at, LIST), sizeof v->x);
  memcpy(v->far, part(&at, FAR), sizeof v->far);
  memcpy(v->row, part(&at, LINE), sizeof v->row);
  memcpy(v->edge, part(&at, LINE), sizeof v->edge);
  memcpy(v->ring, part(&at, LINE), sizeof v->ring);
  memcpy(v->wall, part(&at, LINE), sizeof v->wall);
  for (int o = 0; o < LINE; o++) {
    p = part(&at, 3);
    v->p[o] = (adjoint_spot){ p[0], { p[1], p[2] } };
  }
  for (int l = 0; l < SOME; l++)
    v->single[l] = (float)*part(&at, 1);
}

static const sn_box far_box = { { -20 }, { FAR - 20 } };

static int set(sn_context *ctx, adjoint_grid *g, double step)
{
  static double all[ALL], k[N * N], zero = 0;
  static Values v;

  for (int n = 0; n < used; n++)
    all[n] = input[n] + step * direction[n];
  for (int n = 0; n < N * N; n++)
    k[n] = input[n] == 0 ? 0 : 0.5 + 0.25 * (n % 3);
  spread(all, &v);
  CHECK(adjoint_grid_deactivate_all(g));
  CHECK(adjoint_u_write(g, NULL, SPAN(v.u), NULL));
  CHECK(adjoint_k_write(g, NULL, SPAN(k), NULL));
  CHECK(adjoint_w_write(g, NULL, SPAN(v.w), NULL));
  CHECK(adjoint_x_write(g, NULL, SPAN(v.x), NULL));
  CHECK(adjoint_far_write(g, &far_box, SPAN(v.far), NULL));
  CHECK(adjoint_row_write(g, NULL, SPAN(v.row), NULL));
  CHECK(adjoint_edge_write(g, NULL, SPAN(v.edge), NULL));
  CHECK(adjoint_ring_write(g, NULL, SPAN(v.ring), NULL));
  CHECK(adjoint_wall_write(g, NULL, SPAN(v.wall), NULL));
  CHECK(adjoint_p_write(g, NULL, SPAN(v.p), NULL));
  CHECK(adjoint_single_write(g, NULL, SPAN(v.single), NULL));
  CHECK(adjoint_total_set(g, zero));
  return 0;
}

static int get(sn_context *ctx, adjoint_grid *g, Values *v)
{
  CHECK(adjoint_u_grad_read(g, NULL, SPAN(v->u), NULL));
  CHECK(adjoint_w_grad_read(g, NULL, SPAN(v->w), NULL));
  CHECK(adjoint_x_grad_read(g, NULL, SPAN(v->x), NULL));
  CHECK(adjoint_far_grad_read(g, &far_box, SPAN(v->far), NULL));
  CHECK(adjoint_row_grad_read(g, NULL, SPAN(v->row), NULL));
  CHECK(adjoint_edge_grad_read(g, NULL, SPAN(v->edge), NULL));
  CHECK(adjoint_ring_grad_read(g, NULL, SPAN(v->ring), NULL));
  CHECK(adjoint_wall_grad_read(g, NULL, SPAN(v->wall), NULL));
  CHECK(adjoint_p_grad_read(g, NULL, SPAN(v->p), NULL));
  CHECK(adjoint_single_grad_read(g, NULL, SPAN(v->single), NULL));
  return 0;
}

/* The adjoint times the direction; inactive cells have none. */
static double product(const Values *v)
{
  static Values d;
  double sum = 0;

  spread(direction, &d);
  for (int n = 0; n < N * N; n++) sum += v->u[n] * d.u[n];
  for (int n = 0; n < 2 * SOME; n++) sum += v->w[n] * d.w[n];
  for (int n = 0; n < LIST; n++) sum += v->x[n] * d.x[n];
  for (int n = 0; n < FAR; n++) sum += v->far[n] * d.far[n];
  for (int n = 0; n < LINE; n++) {
    sum += v->row[n] * d.row[n] + v->edge[n] * d.edge[n] + v->ring[n] * d.ring[n];
    sum += v->wall[n] * d.wall[n] + v->p[n].a * d.p[n].a;
    sum += v->p[n].b[0] * d.p[n].b[0] + v->p[n].b[1] * d.p[n].b[1];
  }
  for (int n = 0; n < SOME; n++) sum += (double)v->single[n] * (double)d.single[n];
  return sum;
}

/* Adjoints of inactive cells. */
static int count_inactive(const Values *v)
{
  int count = 0;

  for (int n = 0; n < N * N; n++) count += input[n] == 0 && v->u[n] != 0;
  for (int n = 0; n < 2 * SOME; n++) count += input[N * N + n] == 0 && v->w[n] != 0;
  for (int n = 30; n < LIST; n++) count += v->x[n] != 0;
  for (int n = 0; n < FAR; n += 3) count += v->far[n] != 0;
  return count;
}

static int count_cells(sn_context *ctx, adjoint_grid *g, int64_t *all)
{
  int64_t tiles, some, pages, entries;

  CHECK(adjoint_tile_count(g, &tiles));
  CHECK(adjoint_some_count(g, &some));
  CHECK(adjoint_page_count(g, &pages));
  CHECK(adjoint_list_count(g, &entries));
  *all = tiles + 100 * some + 10000 * pages + 1000000 * entries;
  return 0;
}

typedef int Primal(adjoint_grid *, double, double *);
typedef int Adjoint(adjoint_grid *, double, double);

static int compare(sn_context *ctx, adjoint_grid *g, const char *name, Primal *primal,
                   Adjoint *adjoint, double step, double most)
{
  static Values v;
  double high, low, value, difference, off;
  int64_t before, after;

  if (set(ctx, g, step)) return 1;
  CHECK(primal(g, 0.7, &high));
  if (set(ctx, g, -step)) return 1;
  CHECK(primal(g, 0.7, &low));
  if (set(ctx, g, 0)) return 1;
  CHECK(primal(g, 0.7, &value));
  if (count_cells(ctx, g, &before)) return 1;
  CHECK(adjoint(g, 0.7, 0.5));
  if (count_cells(ctx, g, &after) || get(ctx, g, &v)) return 1;
  difference = (high - low) / (2 * step);
  off = fabs(difference - 2 * product(&v)) - 1e-15 * fabs(value) / step;  /* sums in any order */
  off = fmax(0, off) / (fabs(difference) + 1e-3);
  printf("%s: %s, %s, %d adjoints of inactive cells\n", name,
         off < most ? "as differences say" : "not as differences say",
         before == after ? "nothing activated" : "cells activated", count_inactive(&v));
  if (off >= most)
    printf("  %.17g, differences %.17g\n", 2 * product(&v), difference);
  return 0;
}

/* `=` takes its target's adjoint, `+=` leaves it; both add to what was there. */
static int take(sn_context *ctx, adjoint_grid *g)
{
  double u, v;

  if (set(ctx, g, 0)) return 1;
  CHECK(adjoint_u_grad_set(g, 5, 3, 1));
  CHECK(adjoint_v_grad_set(g, 5, 3, 10));
  CHECK(adjoint_add_grad(g));
  CHECK(adjoint_u_grad_get(g, 5, 3, &u));
  CHECK(adjoint_v_grad_get(g, 5, 3, &v));
  printf("added: %g, %g\n", u, v);
  CHECK(adjoint_assign_grad(g));
  CHECK(adjoint_u_grad_get(g, 5, 3, &u));
  CHECK(adjoint_v_grad_get(g, 5, 3, &v));
  printf("assigned: %g, %g\n", u, v);
  CHECK(adjoint_u_get(g, 5, 3, &u));
  CHECK(adjoint_v_get(g, 5, 3, &v));
  printf("the fields: %s, %g\n", u == input[5 * N + 3] ? "as they were" : "changed", v);
  return 0;
}

/* What is read in one tree and overwritten in another: they may not be one. */
static int onward(sn_context *ctx, adjoint_grid *from)
{
  adjoint_grid *to;
  sn_tape *tape;
  double u, v;

  CHECK(adjoint_grid_create(ctx, NULL, &to));
  if (set(ctx, from, 0)) return 1;
  CHECK(adjoint_onward(from, to));
  CHECK(adjoint_u_grad_set(from, 5, 3, 1));
  CHECK(adjoint_u_grad_set(to, 5, 3, 10));
  CHECK(adjoint_onward_grad(from, to));
  CHECK(adjoint_u_grad_get(from, 5, 3, &u));
  CHECK(adjoint_u_grad_get(to, 5, 3, &v));
  u -= 1 + 20 * input[5 * N + 3];
  printf("onward: %s, %g\n", fabs(u) < 1e-12 ? "as it has to be" : "not so", v);
  printf("with one tree: %d\n", adjoint_onward_grad(from, from) == SN_EINVAL);
  printf("%s\n", sn_context_error(ctx));
  printf("carried, with one tree: %d\n", adjoint_carried_grad(from, from) == SN_EINVAL);
  CHECK(sn_tape_create(ctx, 2, &tape));
  CHECK(sn_tape_begin(tape));
  printf("noted with one tree: %d\n", adjoint_onward(from, from) == SN_EINVAL);
  sn_tape_destroy(tape);
  adjoint_grid_destroy(to);
  return 0;
}

/* The adjoint of a struct, by the call and by a tape. */
static int paired(sn_context *ctx, adjoint_grid *g)
{
  const adjoint_pair seed = { 0.25f, { 0.5, 1.5 } };
  adjoint_pair value;
  double called[LINE], taped[LINE], off = 0;
  sn_tape *tape;

  if (set(ctx, g, 0)) return 1;
  CHECK(adjoint_row_grad_fill(g, 0.0));
  CHECK(sn_tape_create(ctx, 0, &tape));
  CHECK(sn_tape_begin(tape));
  CHECK(adjoint_paired(g, 1.5f, &value));
  CHECK(sn_tape_end(tape));
  CHECK(sn_tape_seed(tape, -1, &seed));
  CHECK(sn_tape_backward(tape));
  sn_tape_destroy(tape);
  CHECK(adjoint_row_grad_read(g, NULL, SPAN(taped), NULL));
  CHECK(adjoint_row_grad_fill(g, 0.0));
  CHECK(adjoint_paired_grad(g, 1.5f, &seed));
  CHECK(adjoint_row_grad_read(g, NULL, SPAN(called), NULL));
  for (int o = 0; o < LINE; o++)
    off = fmax(off, fabs(called[o] - 3 * (2 + value.b[0]) *
                                         input[N * N + 2 * SOME + LIST + FAR + o]) +
                        fabs(called[o] - taped[o]));
  printf("paired: %s\n", off < 1e-6 ? "a tape takes the adjoint of a struct" : "not so");
  return 0;
}

/* The adjoint reads the arrays that the kernel has written, and leaves them. */
static int weighted(sn_context *ctx, adjoint_grid *g)
{
  double weight[3] = { 0, 0, 0 }, value, bar, off = 0;
  int32_t at[3] = { 4, 1, 7 };

  if (set(ctx, g, 0)) return 1;
  CHECK(adjoint_row_grad_fill(g, 0.0));
  CHECK(adjoint_weighted(g, 0.5, weight, 3, at, &value));
  CHECK(adjoint_weighted_grad(g, 0.5, weight, 3, at, 2.0));
  for (int o = 0; o < 3; o++) {
    CHECK(adjoint_row_grad_get(g, at[o], &bar));
    off = fmax(off, fabs(bar - 4 * input[N * N + 2 * SOME + LIST + FAR + at[o]] * (o + 0.5)));
  }
  printf("weighted: %s, %g %d\n", off < 1e-12 ? "as it has to be" : "not so", weight[2], at[2]);
  return 0;
}

#define KERNELS(K)                                                            \
  K(squares) K(chain) K(stencil) K(flow) K(branches) K(loops) K(long_loop)    \
  K(nested) K(written_out) K(tasks) K(scatter) K(sums) K(functions)           \
  K(vectors) K(structs) K(factors) K(lists) K(borders) K(branched)   \
  K(overwritten) K(reassigned) K(asked) K(in_order) K(counted) K(elements)    \
  K(stepped) K(emptied)

int run_adjoint(sn_context *ctx)
{
  adjoint_grid *g;

  draw();
  CHECK(adjoint_grid_create(ctx, NULL, &g));
#define COMPARE(name)                                                         \
  if (compare(ctx, g, #name, adjoint_##name, adjoint_##name##_grad, 1e-6, 1e-6)) return 1;
  KERNELS(COMPARE)
#undef COMPARE
  if (compare(ctx, g, "mixed", adjoint_mixed, adjoint_mixed_grad, 1e-3, 1e-3)) return 1;
  if (take(ctx, g) || onward(ctx, g) || paired(ctx, g) || weighted(ctx, g)) return 1;
  adjoint_grid_destroy(g);
  return 0;
}
