/* Each kernel of table.h (generate.pl) beside its adjoint and its tangent. The tangent along a
 * direction is compared with the product of the adjoint and the direction, and both with
 * differences; that of the adjoint with differences of the adjoint; what a derivative may not
 * change, with what it was. Where differences disagree with each other the direction meets a
 * kink, and they are skipped, as those of kernels with f32, which are too coarse. Sums go to
 * standard output, for compare.pl: a line "kernel field sum sum-of-magnitudes" for each adjoint,
 * tangent and tangent of an adjoint.
 *
 *   driver            all of them
 *   driver KERNEL     the one with that number
 *   driver sums       all, without differences
 */
#include "p.h"
#include "table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    int status_ = (call);                                                                     \
    if (status_) {                                                                            \
      printf("ERROR %s: %d, %s\n", #call, status_, sn_context_error(ctx));                    \
      exit(2);                                                                                \
    }                                                                                         \
  } while (0)

enum { DIRECTIONS = 2, MOST = 128, COUNT = 4 };

typedef enum Node { AT_cell, AT_some, AT_page, AT_list, AT_line, AT_deep, AT_wide,
                    AT_past, AT_root } Node;

static const int cells_of[] = { 64, 20, 40, 50, 12, 48, 10, 54, 1 };
static const sn_box page_box = { { -20 }, { 20 } }, deep_box = { { -5 }, { 43 } };
static const double more[] = { 0.4, 0.8, 0.6, 1.2, 0.2 };

typedef int Write(const sn_box *, sn_span);
typedef int Kernel(p_grid *, p_side *, double, int32_t, const double *, double *);
typedef int Adjoint(p_grid *, p_side *, double, int32_t, const double *, double);
typedef int Tangent(p_grid *, p_side *, double, int32_t, const double *, double *, double *);

static sn_context *ctx;
static p_grid *g;
static p_side *h;

#define CALL(call, tree)                                                                      \
  static int call(const sn_box *box, sn_span span) { return p_##call(tree, box, span, NULL); }
#define CALLS(name, node, tree, elements, single)                                             \
  CALL(name##_read, tree) CALL(name##_write, tree)                                            \
  CALL(name##_grad_read, tree) CALL(name##_grad_write, tree)                                  \
  CALL(name##_dual_read, tree) CALL(name##_dual_write, tree)                                  \
  CALL(name##_grad_dual_read, tree) CALL(name##_grad_dual_write, tree)
FIELDS(CALLS)
#define CALL_OF_CONSTANT(name, node, tree, elements, single) CALL(name##_write, tree)
CONSTANTS(CALL_OF_CONSTANT)

typedef struct Field {
  const char *name;
  Node node;
  int elements;
  bool is_single;                       /* f32 */
  Write *read, *write, *read_grad, *write_grad, *read_dual, *write_dual, *read_both, *write_both;
} Field;

#define FIELD(name, node, tree, elements, single)                                             \
  { #name, AT_##node, elements, single, name##_read, name##_write, name##_grad_read,          \
    name##_grad_write, name##_dual_read, name##_dual_write, name##_grad_dual_read,            \
    name##_grad_dual_write },
static const Field fields[] = { FIELDS(FIELD) };
#define CONSTANT(name, node, tree, elements, single)                                          \
  { #name, AT_##node, elements, false, NULL, name##_write, NULL, NULL, NULL, NULL, NULL, NULL },
static const Field constants[] = { CONSTANTS(CONSTANT) };

enum { FIELD_COUNT = sizeof fields / sizeof *fields };

#define KERNEL(name, too, second, single)                                                     \
  { #name, p_##name, p_##name##_grad, p_##too##_dual, second, single },
static const struct {
  const char *name;
  Kernel *primal;
  Adjoint *adjoint;
  Tangent *tangent;
  Adjoint *second;
  bool is_single;                       /* uses f32 */
} kernels[] = { KERNELS(KERNEL) };

typedef double Values[FIELD_COUNT][MOST];

static Values input, direction, weight, grad, before, after, dual, other;
static double result;                  /* of the call before */
static uint32_t state = 1;

static double draw(void)
{
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / (1 << 24);
}

static int is_active(Node node, int n)
{
  switch (node) {
  case AT_cell: return (n / 8 / 4 + n % 8 / 2) % 3 != 0;
  case AT_some: return n % 3 != 1;
  case AT_page: return n % 3 != 0;
  case AT_list: return n < 30;
  case AT_deep: return n / 12 != 2 && n / 4 % 3 != 1;
  default: return 1;
  }
}

static int size_of(const Field *f) { return cells_of[f->node] * f->elements; }

static const sn_box *box_of(const Field *f)
{
  return f->node == AT_page ? &page_box : f->node == AT_deep ? &deep_box : NULL;
}

static void draw_into(Values v, double low, double high)
{
  memset(v, 0, sizeof(Values));
  for (int f = 0; f < FIELD_COUNT; f++)
    for (int n = 0; n < size_of(&fields[f]); n++) {
      double x = low + (high - low) * draw();
      if (is_active(fields[f].node, n / fields[f].elements))
        v[f][n] = x;
    }
}

/* As in draw_into; what is f32 stays as it is in kernels that do not use it. */
static void draw_for(bool is_single, Values v, double low, double high)
{
  draw_into(v, low, high);
  for (int f = 0; f < FIELD_COUNT && !is_single; f++)
    if (fields[f].is_single)
      memset(v[f], 0, sizeof v[f]);
}

static void move_single(const Field *f, Write *call, double *v)
{
  static float single[MOST];

  for (int n = 0; n < size_of(f); n++)
    single[n] = (float)v[n];
  CHECK(call(box_of(f), sn_span_host(single, sizeof(float) * (size_t)size_of(f))));
  for (int n = 0; n < size_of(f); n++)
    v[n] = single[n];
}

static void move(const Field *f, Write *call, double *v)
{
  if (f->is_single)
    move_single(f, call, v);
  else
    CHECK(call(box_of(f), sn_span_host(v, sizeof(double) * (size_t)size_of(f))));
}

static void set_constants(void)
{
  static double v[MOST];

  for (size_t f = 0; f < sizeof constants / sizeof *constants; f++) {
    for (int n = 0; n < size_of(&constants[f]); n++)
      v[n] = is_active(constants[f].node, n) ? 0.3 + 0.2 * (n % 5) : 0;
    move(&constants[f], constants[f].write, v);
  }
}

/* Every cell as it was at the beginning, but `step` along the direction. */
static void begin(double step)
{
  static double moved[MOST];

  CHECK(p_grid_deactivate_all(g));
  CHECK(p_side_deactivate_all(h));
  for (int f = 0; f < FIELD_COUNT; f++) {
    for (int n = 0; n < size_of(&fields[f]); n++)
      moved[n] = input[f][n] + step * direction[f][n];
    move(&fields[f], fields[f].write, moved);
  }
  set_constants();
}

/* What the adjoint is of: the result and the fields that are left, each with its weight. */
static double value_at(int k, double step)
{
  double sum;

  begin(step);
  CHECK(kernels[k].primal(g, h, 0.7, COUNT, more, &result));
  sum = 0.8 * result;
  for (int f = 0; f < FIELD_COUNT; f++) {
    move(&fields[f], fields[f].read, before[f]);
    for (int n = 0; n < size_of(&fields[f]); n++)
      sum += weight[f][n] * before[f][n];
  }
  return sum;
}

static int64_t count_cells(void)
{
  int64_t tiles, some, pages, entries, parts, bits;

  CHECK(p_tile_count(g, &tiles));
  CHECK(p_some_count(g, &some));
  CHECK(p_page_count(g, &pages));
  CHECK(p_list_count(g, &entries));
  CHECK(p_part_count(h, &parts));
  CHECK(p_bit_count(h, &bits));
  return tiles + 100 * (some + 100 * (pages + 100 * (entries + 100 * (parts + 100 * bits))));
}

static void tell_sums(int k, const char *kind, Values v)
{
  for (int f = 0; f < FIELD_COUNT; f++) {
    double sum = 0, magnitude = 0;
    for (int n = 0; n < size_of(&fields[f]); n++) {
      sum += v[f][n] * sin(n + 1);
      magnitude += fabs(v[f][n]);
    }
    printf("%s %s%s %.17g %.17g\n", kernels[k].name, fields[f].name, kind, sum, magnitude);
  }
}

/* Whether the fields are `before`, up to a part of them, which sums in another order may make. */
static int compare_fields(int k, double part, const char *what)
{
  int bad = 0;

  for (int f = 0; f < FIELD_COUNT; f++) {
    move(&fields[f], fields[f].read, after[f]);
    for (int n = 0; n < size_of(&fields[f]); n++)
      if (!(fabs(after[f][n] - before[f][n]) <= part * (fabs(before[f][n]) + 0.1)) && ++bad < 3)
        printf("BAD %s: %s changes %s\n", kernels[k].name, what, fields[f].name);
  }
  return bad;
}

/* Behind the primal: the adjoint, by itself or with its tangent. */
static int go_back(int k, Adjoint *adjoint)
{
  int64_t cells = count_cells();
  int bad = 0;

  for (int f = 0; f < FIELD_COUNT; f++)
    move(&fields[f], fields[f].write_grad, weight[f]);
  if (count_cells() != cells && ++bad)
    printf("BAD %s: weights activate\n", kernels[k].name);
  CHECK(adjoint(g, h, 0.7, COUNT, more, 0.8));
  if (count_cells() != cells && ++bad)
    printf("BAD %s: the adjoint activates\n", kernels[k].name);
  for (int f = 0; f < FIELD_COUNT; f++)
    move(&fields[f], fields[f].read_grad, grad[f]);
  return bad;
}

/* The adjoint where the fields are `step` along the direction. */
static int adjoint_at(int k, double step)
{
  value_at(k, step);
  return go_back(k, kernels[k].adjoint);
}

/* Along the direction, by the tangents of what the kernel leaves. */
static double go_forward(int k, double *magnitude, int *bad)
{
  double tangent, sum, most, value = result;

  begin(0);
  for (int f = 0; f < FIELD_COUNT; f++)
    move(&fields[f], fields[f].write_dual, direction[f]);
  CHECK(kernels[k].tangent(g, h, 0.7, COUNT, more, &result, &tangent));
  *bad += compare_fields(k, kernels[k].is_single ? 1e-5 : 1e-12, "the tangent");
  most = (kernels[k].is_single ? 1e-5 : 1e-12) * (fabs(value) + 1);
  if (!(fabs(result - value) <= most) && ++*bad)
    printf("BAD %s: %.17g, beside its tangent %.17g\n", kernels[k].name, value, result);
  sum = 0.8 * tangent;
  *magnitude = fabs(sum);
  for (int f = 0; f < FIELD_COUNT; f++) {
    move(&fields[f], fields[f].read_dual, dual[f]);
    for (int n = 0; n < size_of(&fields[f]); n++) {
      sum += weight[f][n] * dual[f][n];
      *magnitude += fabs(weight[f][n] * dual[f][n]);
    }
  }
  return sum;
}

/* Of the fields' adjoints the sum, each weighed by a number of its own. */
static double weighed(Values v)
{
  double sum = 0;

  for (int f = 0; f < FIELD_COUNT; f++)
    for (int n = 0; n < size_of(&fields[f]); n++)
      sum += v[f][n] * other[f][n];
  return sum;
}

static double second_difference(int k, double step)
{
  double sum = 0;

  for (int n = -2; n <= 2; n++) {
    static const double by[] = { 1, -8, 0, 8, -1 };
    if (n == 0)
      continue;
    adjoint_at(k, n * step);
    sum += by[n + 2] * weighed(grad);
  }
  return sum / (12 * step);
}

static double largest(Values v)
{
  double norm = 0;

  for (int f = 0; f < FIELD_COUNT; f++)
    for (int n = 0; n < size_of(&fields[f]); n++)
      norm += v[f][n] * v[f][n];
  return sqrt(norm);
}

/* The tangent of the adjoint, behind the tangent. */
static int compare_second(int k, bool is_short, int *skipped)
{
  static const double by = 1e-4;
  static Values first;
  double product, wide, narrow, most;
  int bad = 0;

  memcpy(first, grad, sizeof grad);
  memset(other, 0, sizeof other);
  for (int f = 0; f < FIELD_COUNT; f++)
    move(&fields[f], fields[f].write_both, other[f]);
  bad += go_back(k, kernels[k].second);
  for (int f = 0; f < FIELD_COUNT; f++)
    for (int n = 0; n < size_of(&fields[f]); n++)
      if (!(fabs(grad[f][n] - first[f][n]) <= 1e-11 * (fabs(first[f][n]) + largest(first) + 1e-3))
          && ++bad < 3)
        printf("BAD %s: adjoint of %s[%d] %.17g, beside its tangent %.17g\n", kernels[k].name,
               fields[f].name, n, first[f][n], grad[f][n]);
  for (int f = 0; f < FIELD_COUNT; f++)
    move(&fields[f], fields[f].read_both, dual[f]);
  tell_sums(k, "_grad_dual", dual);
  if (is_short)
    return bad;
  draw_into(other, -0.5, 0.5);
  product = weighed(dual);
  wide = second_difference(k, by);
  narrow = second_difference(k, by / 2);
  most = 1e-6 * (fabs(wide) + 0.1 * largest(dual) + 0.01);
  memcpy(grad, first, sizeof grad);
  if (fabs(wide - product) <= most || fabs(narrow - product) <= most)
    return bad;
  if (fabs(wide - narrow) > 0.1 * most) {
    ++*skipped;
    return bad;
  }
  printf("BAD %s: tangent of the adjoint %.12g, differences %.12g\n", kernels[k].name, product,
         wide);
  return bad + 1;
}

static double difference(int k, double step)
{
  double near = value_at(k, step) - value_at(k, -step),
         far = value_at(k, 2 * step) - value_at(k, -2 * step);

  return (8 * near - far) / (12 * step);
}

/* Both are exact but for rounding: of some thousand operations each, in sums of such magnitudes. */
static int compare_both(int k, double product, double tangent, double magnitude)
{
  double most = kernels[k].is_single ? 1e-5 : 1e-10;

  for (int f = 0; f < FIELD_COUNT; f++)
    for (int n = 0; n < size_of(&fields[f]); n++)
      magnitude += fabs(grad[f][n] * direction[f][n]);
  if (fabs(product - tangent) <= most * (magnitude + 1e-3))
    return 0;
  printf("BAD %s: adjoint %.17g, tangent %.17g\n", kernels[k].name, product, tangent);
  return 1;
}

static double product_with_direction(void)
{
  double product = 0;

  for (int f = 0; f < FIELD_COUNT; f++)
    for (int n = 0; n < size_of(&fields[f]); n++)
      product += grad[f][n] * direction[f][n];
  return product;
}

static int compare(int k, int *skipped)
{
  static const double by = 2e-5;
  double product = product_with_direction(), most, wide = difference(k, by),
         narrow = difference(k, by / 2);

  most = 1e-6 * (fabs(wide) + 0.1 * largest(grad) + 0.01);
  if (fabs(wide - product) <= most || fabs(narrow - product) <= most)
    return 0;
  if (fabs(wide - narrow) > 0.1 * most) {
    ++*skipped;
    return 0;
  }
  printf("BAD %s: adjoint %.12g, differences %.12g\n", kernels[k].name, product, wide);
  return 1;
}

/* Fields whose adjoint alone is not what differences say: where to look. */
static void tell(int k)
{
  static Values all;

  draw_for(kernels[k].is_single, all, -0.5, 0.5);
  for (int f = 0; f < FIELD_COUNT; f++) {
    double product, tangent, magnitude, found;
    int unused = 0;

    memset(direction, 0, sizeof direction);
    memcpy(direction[f], all[f], sizeof all[f]);
    found = difference(k, 2e-5);
    value_at(k, 0);
    tangent = go_forward(k, &magnitude, &unused);
    product = product_with_direction();
    if (!(fabs(product - found) + fabs(tangent - found) <= 1e-6 * (fabs(found) + 0.1)))
      printf("  BAD %s: of %s adjoint %.12g, tangent %.12g, differences %.12g\n",
             kernels[k].name, fields[f].name, product, tangent, found);
  }
}

static int run(int k, bool is_short, int *skipped)
{
  double tangent, magnitude;
  int bad = 0;

  if (kernels[k].is_single)
    printf("SINGLE %s\n", kernels[k].name);
  state = 77;
  draw_into(input, 0.1, 1.1);
  draw_for(kernels[k].is_single, weight, -0.2, 0.2);
  memset(direction, 0, sizeof direction);
  adjoint_at(k, 0);
  bad += compare_fields(k, 0, "the adjoint");
  tell_sums(k, "", grad);
  for (int n = 0; n < (is_short ? 1 : DIRECTIONS); n++) {
    draw_for(kernels[k].is_single, direction, -0.5, 0.5);
    value_at(k, 0);
    tangent = go_forward(k, &magnitude, &bad);
    if (n == 0)
      tell_sums(k, "_dual", dual);
    bad += compare_both(k, product_with_direction(), tangent, magnitude);
    if (n == 0 && kernels[k].second && !kernels[k].is_single)
      bad += compare_second(k, is_short, skipped);
    if (!is_short && !kernels[k].is_single)
      bad += compare(k, skipped);
  }
  if (bad)
    tell(k);
  return bad;
}

int main(int argc, char **argv)
{
  int bad = 0, skipped = 0, count = 0, directions = 0;
  bool is_short = argc > 1 && strcmp(argv[1], "sums") == 0;

  CHECK(sn_context_create(NULL, &ctx));
  CHECK(p_grid_create(ctx, NULL, &g));
  CHECK(p_side_create(ctx, NULL, 10, &h));
  for (int k = 0; k < (int)(sizeof kernels / sizeof *kernels); k++)
    if (argc < 2 || is_short || strcmp(argv[1], kernels[k].name + 1) == 0) {
      bad += run(k, is_short, &skipped) > 0;
      count++;
      directions += kernels[k].is_single ? 0 : DIRECTIONS + (kernels[k].second != NULL);
      fflush(stdout);
    }
  printf("TOTAL %d kernels, %d directions, %d skipped, %d bad\n", count,
         is_short ? 0 : directions, skipped, bad);
  p_grid_destroy(g);
  p_side_destroy(h);
  return sn_context_destroy(ctx) != SN_OK || bad > 0;
}
