/* Each kernel of table.h (generate.pl) beside its adjoint. The adjoint times a direction is
 * compared with differences along it; what the adjoint may not change, with what it was. Where
 * differences disagree with each other the direction meets a kink, and is skipped. Adjoints go to
 * standard output, for compare.pl: a line "kernel field sum sum-of-magnitudes" for each field.
 *
 *   driver            all of them
 *   driver KERNEL     the one with that number
 *   driver adjoints   all, without differences
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

enum { DIRECTIONS = 3, MOST = 512, COUNT = 4 };

typedef enum Node { AT_cell, AT_some, AT_page, AT_list, AT_line, AT_root } Node;

static const int cells_of[] = { 256, 20, 40, 50, 12, 1 };
static const sn_box page_box = { { -20 }, { 20 } };

typedef int Write(p_grid *, const sn_box *, sn_span, const int64_t *);
typedef int Kernel(p_grid *, double, int32_t, double *);
typedef int Adjoint(p_grid *, double, int32_t, double);

typedef struct Field {
  const char *name;
  Node node;
  int elements;
  Write *read, *write, *read_grad, *write_grad;
} Field;

#define FIELD(name, node, elements)                                                           \
  { #name, AT_##node, elements, p_##name##_read, p_##name##_write, p_##name##_grad_read,      \
    p_##name##_grad_write },
static const Field fields[] = { FIELDS(FIELD) };
#define CONSTANT(name, node, elements)                                                        \
  { #name, AT_##node, elements, NULL, p_##name##_write, NULL, NULL },
static const Field constants[] = { CONSTANTS(CONSTANT) };

enum { FIELD_COUNT = sizeof fields / sizeof *fields };

#define KERNEL(name) { #name, p_##name, p_##name##_grad },
static const struct {
  const char *name;
  Kernel *primal;
  Adjoint *adjoint;
} kernels[] = { KERNELS(KERNEL) };

typedef double Values[FIELD_COUNT][MOST];

static sn_context *ctx;
static p_grid *g;
static Values input, direction, weight, grad, before, after;
static uint32_t state = 1;

static double draw(void)
{
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / (1 << 24);
}

static int is_active(Node node, int n)
{
  switch (node) {
  case AT_cell: return (n / 16 / 4 + n % 16 / 4) % 3 != 0;
  case AT_some: return n % 3 != 1;
  case AT_page: return n % 3 != 0;
  case AT_list: return n < 30;
  default: return 1;
  }
}

static int size_of(const Field *f) { return cells_of[f->node] * f->elements; }

static const sn_box *box_of(const Field *f) { return f->node == AT_page ? &page_box : NULL; }

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

static void move(const Field *f, Write *call, double *v)
{
  sn_span span = sn_span_host(v, sizeof(double) * (size_t)size_of(f));

  CHECK(call(g, box_of(f), span, NULL));
}

/* Every cell as it was at the beginning, but `step` along the direction. */
static void begin(double step)
{
  static double moved[MOST];

  CHECK(p_grid_deactivate_all(g));
  for (int f = 0; f < FIELD_COUNT; f++) {
    for (int n = 0; n < size_of(&fields[f]); n++)
      moved[n] = input[f][n] + step * direction[f][n];
    move(&fields[f], fields[f].write, moved);
  }
  for (size_t f = 0; f < sizeof constants / sizeof *constants; f++) {
    for (int n = 0; n < size_of(&constants[f]); n++)
      moved[n] = is_active(constants[f].node, n) ? 0.3 + 0.2 * (n % 5) : 0;
    move(&constants[f], constants[f].write, moved);
  }
}

/* What the adjoint is of: the result and the fields that are left, each with its weight. */
static double value_at(int k, double step)
{
  static double left[MOST];
  double result, sum;

  begin(step);
  CHECK(kernels[k].primal(g, 0.7, COUNT, &result));
  sum = 0.8 * result;
  for (int f = 0; f < FIELD_COUNT; f++) {
    move(&fields[f], fields[f].read, left);
    for (int n = 0; n < size_of(&fields[f]); n++)
      sum += weight[f][n] * left[n];
  }
  return sum;
}

static int64_t count_cells(void)
{
  int64_t tiles, some, pages, entries;

  CHECK(p_tile_count(g, &tiles));
  CHECK(p_some_count(g, &some));
  CHECK(p_page_count(g, &pages));
  CHECK(p_list_count(g, &entries));
  return tiles + 100 * some + 10000 * pages + 1000000 * entries;
}

/* Behind the primal: the adjoint, and what it leaves as it was. */
static int go_back(int k)
{
  int64_t cells = count_cells();
  int bad = 0;

  for (int f = 0; f < FIELD_COUNT; f++) {
    move(&fields[f], fields[f].write_grad, weight[f]);
    move(&fields[f], fields[f].read, before[f]);
  }
  if (count_cells() != cells)
    printf("ERROR %s: weights activate\n", kernels[k].name);
  CHECK(kernels[k].adjoint(g, 0.7, COUNT, 0.8));
  if (count_cells() != cells && ++bad)
    printf("BAD %s: the adjoint activates\n", kernels[k].name);
  for (int f = 0; f < FIELD_COUNT; f++) {
    double sum = 0, magnitude = 0;

    move(&fields[f], fields[f].read, after[f]);
    move(&fields[f], fields[f].read_grad, grad[f]);
    if (memcmp(before[f], after[f], sizeof after[f]) != 0 && ++bad)
      printf("BAD %s: the adjoint changes %s\n", kernels[k].name, fields[f].name);
    for (int n = 0; n < size_of(&fields[f]); n++) {
      sum += grad[f][n] * sin(n + 1);
      magnitude += fabs(grad[f][n]);
    }
    printf("%s %s %.17g %.17g\n", kernels[k].name, fields[f].name, sum, magnitude);
  }
  return bad;
}

static double difference(int k, double h)
{
  double near = value_at(k, h) - value_at(k, -h), far = value_at(k, 2 * h) - value_at(k, -2 * h);

  return (8 * near - far) / (12 * h);
}

static int compare(int k, int *skipped)
{
  static const double h = 2e-5;
  double product = 0, norm = 0, most, wide, narrow;

  draw_into(direction, -0.5, 0.5);
  wide = difference(k, h);
  narrow = difference(k, h / 2);
  for (int f = 0; f < FIELD_COUNT; f++)
    for (int n = 0; n < size_of(&fields[f]); n++) {
      double part = grad[f][n] * direction[f][n];
      product += part;
      norm += part * part;
    }
  most = 1e-6 * (fabs(wide) + 0.1 * sqrt(norm) + 0.01);
  if (fabs(wide - product) <= most || fabs(narrow - product) <= most)
    return 0;
  if (fabs(wide - narrow) > 0.1 * most) {
    printf("SKIP %s: %.12g and %.12g, adjoint %.12g\n", kernels[k].name, wide, narrow,
           product);
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

  draw_into(all, -0.5, 0.5);
  for (int f = 0; f < FIELD_COUNT; f++) {
    double product = 0, found;

    memset(direction, 0, sizeof direction);
    memcpy(direction[f], all[f], sizeof all[f]);
    found = difference(k, 2e-5);
    for (int n = 0; n < size_of(&fields[f]); n++)
      product += grad[f][n] * direction[f][n];
    if (!(fabs(product - found) <= 1e-6 * (fabs(found) + 0.1)))
      printf("  BAD %s: of %s %.12g, differences %.12g\n", kernels[k].name, fields[f].name,
             product, found);
  }
}

static int run(int k, int directions, int *skipped)
{
  int bad = 0;

  state = 77;
  draw_into(input, 0.1, 1.1);
  draw_into(weight, -0.2, 0.2);
  memset(direction, 0, sizeof direction);
  value_at(k, 0);
  bad = go_back(k);
  for (int n = 0; n < directions; n++)
    bad += compare(k, skipped);
  if (bad)
    tell(k);
  return bad;
}

int main(int argc, char **argv)
{
  int bad = 0, skipped = 0, count = sizeof kernels / sizeof *kernels;
  bool is_short = argc > 1 && strcmp(argv[1], "adjoints") == 0;
  int directions = is_short ? 0 : DIRECTIONS;

  CHECK(sn_context_create(NULL, &ctx));
  CHECK(p_grid_create(ctx, NULL, &g));
  for (int k = 0; k < count; k++)
    if (argc < 2 || is_short || strcmp(argv[1], kernels[k].name + 1) == 0)
      bad += run(k, directions, &skipped) > 0;
  printf("TOTAL %d kernels, %d directions, %d skipped, %d bad\n", count, count * directions,
         skipped, bad);
  p_grid_destroy(g);
  return sn_context_destroy(ctx) != SN_OK || bad > 0;
}
