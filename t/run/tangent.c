#include "tangent.h"
#include "run.h"

#include <math.h>

enum { N = 16, SOME = 20, LIST = 50, FAR = 40, LINE = 12 };

typedef struct Values {
  double u[N * N], w[2 * SOME], x[LIST], far[FAR], row[LINE], edge[LINE], ring[LINE], wall[LINE];
  double p[3 * LINE], box[9 * LINE], single[SOME];
} Values;
enum { ALL = sizeof(Values) / sizeof(double) };

static Values input, direction, weight;

static double next(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 24);
}

/* What is inactive is 0, its direction too. */
static void clear(double *x, double *d, int is_inactive)
{
  if (is_inactive)
    *x = *d = 0;
}

static void draw(void)
{
  double *x = (double *)&input, *d = (double *)&direction, *e = (double *)&weight;
  uint32_t state = 7;

  for (int k = 0; k < ALL; k++) {
    x[k] = 0.05 + next(&state);
    d[k] = next(&state) - 0.5;
    e[k] = next(&state);
  }
  for (int k = 0; k < N * N; k++)
    clear(&input.u[k], &direction.u[k], (k / N / 4 + k % N / 4) % 3 == 0);
  for (int k = 0; k < 2 * SOME; k++)
    clear(&input.w[k], &direction.w[k], k / 2 % 3 == 1);
  for (int k = 0; k < SOME; k++)
    clear(&input.single[k], &direction.single[k], k % 3 == 1);
  for (int k = 30; k < LIST; k++)
    clear(&input.x[k], &direction.x[k], 1);
  for (int k = 0; k < FAR; k += 3)
    clear(&input.far[k], &direction.far[k], 1);
}

#define SPAN(array) sn_span_host(array, sizeof array)

static const sn_box far_box = { { -20 }, { FAR - 20 } };

/* Values of the fields, or of their tangents. */
#define WRITE(which)                                                          \
  static int write##which(sn_context *ctx, tangent_grid *g, const Values *v)  \
  {                                                                           \
    static Values to;                                                         \
    float single[SOME];                                                       \
    to = *v;                                                                  \
    for (int l = 0; l < SOME; l++) single[l] = (float)to.single[l];           \
    CHECK(tangent_u##which##_write(g, NULL, SPAN(to.u), NULL));               \
    CHECK(tangent_w##which##_write(g, NULL, SPAN(to.w), NULL));               \
    CHECK(tangent_x##which##_write(g, NULL, SPAN(to.x), NULL));               \
    CHECK(tangent_far##which##_write(g, &far_box, SPAN(to.far), NULL));       \
    CHECK(tangent_row##which##_write(g, NULL, SPAN(to.row), NULL));           \
    CHECK(tangent_edge##which##_write(g, NULL, SPAN(to.edge), NULL));         \
    CHECK(tangent_ring##which##_write(g, NULL, SPAN(to.ring), NULL));         \
    CHECK(tangent_wall##which##_write(g, NULL, SPAN(to.wall), NULL));         \
    CHECK(tangent_p##which##_write(g, NULL, SPAN(to.p), NULL));               \
    CHECK(tangent_box##which##_write(g, NULL, SPAN(to.box), NULL));           \
    CHECK(tangent_single##which##_write(g, NULL, SPAN(single), NULL));        \
    CHECK(tangent_total##which##_set(g, 0));                                  \
    return 0;                                                                 \
  }
WRITE()
WRITE(_dual)

static int set(sn_context *ctx, tangent_grid *g, double step)
{
  static Values all;
  static double k[N * N];
  const double *x = (const double *)&input, *d = (const double *)&direction;

  for (int n = 0; n < ALL; n++)
    ((double *)&all)[n] = x[n] + step * d[n];
  for (int n = 0; n < N * N; n++)
    k[n] = input.u[n] == 0 ? 0 : 0.5 + 0.25 * (n % 3);
  CHECK(tangent_grid_deactivate_all(g));
  CHECK(tangent_k_write(g, NULL, SPAN(k), NULL));
  CHECK(tangent_row_grad_fill(g, 0));
  return write(ctx, g, &all);
}

static int count_cells(sn_context *ctx, tangent_grid *g, int64_t *all)
{
  int64_t tiles, some, pages, entries;

  CHECK(tangent_tile_count(g, &tiles));
  CHECK(tangent_some_count(g, &some));
  CHECK(tangent_page_count(g, &pages));
  CHECK(tangent_list_count(g, &entries));
  *all = tiles + 100 * some + 10000 * pages + 1000000 * entries;
  return 0;
}

typedef int Primal(tangent_grid *, double, double *);
typedef int Dual(tangent_grid *, double, double *, double *);
typedef int Adjoint(tangent_grid *, double, double);

static int structs(tangent_grid *g, double a, double *out)
{
  tangent_pair pair;
  int rc = tangent_structs(g, a, &pair);

  out[0] = pair.first;
  out[1] = pair.rest[0];
  out[2] = pair.rest[1] + pair.count;
  return rc;
}

static int structs_dual(tangent_grid *g, double a, double *out, double *dual)
{
  tangent_pair pair, tangent;
  int rc = tangent_structs_dual(g, a, &pair, &tangent);

  out[0] = pair.first;
  out[1] = pair.rest[0];
  out[2] = pair.rest[1] + pair.count;
  dual[0] = tangent.first;
  dual[1] = tangent.rest[0];
  dual[2] = tangent.rest[1] + tangent.count;     /* of what is constant, and of an integer */
  return rc;
}

/* The results' tangents; and the kernel does what it does without. */
static int compare(sn_context *ctx, tangent_grid *g, const char *name, int results, Primal *primal,
                   Dual *dual, double step, double most)
{
  double high[3], low[3], value[3], again[3], tangent[3], worst = 0;
  int64_t plain, derived;
  int same = 1;

  if (set(ctx, g, step)) return 1;
  CHECK(primal(g, 0.7, high));
  if (set(ctx, g, -step)) return 1;
  CHECK(primal(g, 0.7, low));
  if (set(ctx, g, 0)) return 1;
  CHECK(primal(g, 0.7, value));
  if (count_cells(ctx, g, &plain)) return 1;
  if (set(ctx, g, 0) || write_dual(ctx, g, &direction)) return 1;
  CHECK(dual(g, 0.7, again, tangent));
  if (count_cells(ctx, g, &derived)) return 1;
  for (int k = 0; k < results; k++) {
    double difference = (high[k] - low[k]) / (2 * step), off = fabs(difference - tangent[k]);
    off = fmax(0, off - 1e-15 * fabs(value[k]) / step);   /* threads sum up in any order */
    worst = fmax(worst, off / (fabs(difference) + 1e-3));
    same = same && fabs(value[k] - again[k]) <= 1e-9 * fabs(value[k]);
    if (!(off / (fabs(difference) + 1e-3) < most))
      printf("  %.17g, differences %.17g\n", tangent[k], difference);
  }
  printf("%s: %s, %s, %s\n", name, worst < most ? "as differences say" : "not as differences say",
         same ? "the same result" : "another result",
         plain == derived ? "the same cells" : "other cells");
  return 0;
}

/* Sums of the adjoints, or of their tangents, with weights. */
#define SUM(which)                                                            \
  static int sum##which(sn_context *ctx, tangent_grid *g, double *sum)        \
  {                                                                           \
    static double u[N * N], row[LINE];                                        \
    CHECK(tangent_u##which##_read(g, NULL, SPAN(u), NULL));                   \
    CHECK(tangent_row##which##_read(g, NULL, SPAN(row), NULL));               \
    *sum = 0;                                                                 \
    for (int k = 0; k < N * N; k++) *sum += u[k] * weight.u[k];               \
    for (int k = 0; k < LINE; k++) *sum += row[k] * weight.row[k];            \
    return 0;                                                                 \
  }
SUM(_grad)
SUM(_grad_dual)

static int gradient(sn_context *ctx, tangent_grid *g, Primal *primal, Adjoint *adjoint,
                    double step, double *sum)
{
  double value;

  if (set(ctx, g, step)) return 1;
  CHECK(primal(g, 0.7, &value));
  CHECK(adjoint(g, 0.7, 0.5));
  return sum_grad(ctx, g, sum);
}

/* Second derivatives times the direction. */
static int second(sn_context *ctx, tangent_grid *g, const char *name, Primal *primal, Dual *dual,
                  Adjoint *adjoint, Adjoint *adjoint_dual)
{
  const double step = 1e-5;
  double high, low, first, again, product, value, tangent, difference, off;

  if (gradient(ctx, g, primal, adjoint, step, &high)) return 1;
  if (gradient(ctx, g, primal, adjoint, -step, &low)) return 1;
  if (gradient(ctx, g, primal, adjoint, 0, &first)) return 1;
  if (set(ctx, g, 0) || write_dual(ctx, g, &direction)) return 1;
  CHECK(tangent_row_grad_dual_fill(g, 0));
  CHECK(dual(g, 0.7, &value, &tangent));
  CHECK(adjoint_dual(g, 0.7, 0.5));
  if (sum_grad(ctx, g, &again) || sum_grad_dual(ctx, g, &product)) return 1;
  difference = (high - low) / (2 * step);
  off = fabs(difference - product) / (fabs(difference) + 1e-3);
  printf("%s twice: %s, %s\n", name, off < 1e-5 ? "as differences say" : "not as differences say",
         fabs(first - again) <= 1e-9 * fabs(first) ? "the same adjoints" : "other adjoints");
  if (off >= 1e-5)
    printf("  %.17g, differences %.17g\n", product, difference);
  return 0;
}

/* What is kept as f16 has its tangent as f16. */
static int halves(sn_context *ctx, tangent_grid *g)
{
  float sum = 0, value;

  CHECK(tangent_grid_deactivate_all(g));
  for (int l = 0; l < SOME; l += 2) {
    CHECK(tangent_half_set(g, l, sn_f16_of(1)));
    CHECK(tangent_half_dual_set(g, l, sn_f16_of((float)l / 8)));
    CHECK(tangent_single_dual_set(g, l, 0.25f * (float)(l % 3)));
  }
  CHECK(tangent_halves_dual(g));
  for (int l = 0; l < SOME; l += 2) {
    sn_f16 half;
    CHECK(tangent_half_dual_get(g, l, &half));
    value = sn_f16_float(half);
    sum += fabsf(value - ((float)l / 16 + 0.25f * (float)(l % 3)));
  }
  printf("halves: %g off\n", (double)sum);
  return 0;
}

#define KERNELS(K)                                                            \
  K(chain) K(stencil) K(branches) K(loops) K(long_loop) K(tasks) K(scatter)   \
  K(sums) K(functions) K(factors) K(lists) K(borders)
#define TWICE(K) K(stencil) K(branches) K(loops) K(long_loop) K(scatter)

int run_tangent(sn_context *ctx)
{
  tangent_grid *g;

  draw();
  CHECK(tangent_grid_create(ctx, NULL, &g));
#define COMPARE(name)                                                         \
  if (compare(ctx, g, #name, 1, tangent_##name, tangent_##name##_dual, 1e-6, 1e-6)) return 1;
  KERNELS(COMPARE)
#undef COMPARE
  if (compare(ctx, g, "vectors", 2, tangent_vectors, tangent_vectors_dual, 1e-6, 1e-6)) return 1;
  if (compare(ctx, g, "structs", 3, structs, structs_dual, 1e-6, 1e-6)) return 1;
  if (compare(ctx, g, "mixed", 1, tangent_mixed, tangent_mixed_dual, 1e-3, 1e-3)) return 1;
#define SECOND(name)                                                          \
  if (second(ctx, g, #name, tangent_##name, tangent_##name##_dual,            \
             tangent_##name##_grad, tangent_##name##_grad_dual)) return 1;
  TWICE(SECOND)
#undef SECOND
  if (halves(ctx, g)) return 1;
  tangent_grid_destroy(g);
  return 0;
}
