/* The rows brain_all and brain_quarter: diffusion steps of examples/brain on its stored
 * voxels, by the generated kernel, beside two programs in C:
 *
 *   C-dense  the loop over the whole volume that tests each voxel (reference.c's step,
 *            with OpenMP on the outer loop)
 *   C-list   a loop over a hand-kept list of the stored voxels, each with the positions
 *            of its six neighbours (its own where a neighbour is not stored, so that
 *            nothing flows), values packed: 24 bytes of positions a voxel
 *
 * The volume is named by the environment, BRAIN_VOLUME; a row's size is the threshold, in
 * thousandths of the greatest value.
 */
#include "brain.h"                     /* generated from examples/brain/brain.sn */
#include "examples/brain/volume.h"
#include "bench/contender.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float rate = 0.125f;

enum { STEPS = 2 };

/* ---- generated ---- */

typedef struct generated {
  sn_context *context;
  brain_volume *tree;
  float inverse_kappa;
  int64_t hi[3];                        /* padded by one voxel each side */
} generated;

static int run_generated(void *state)
{
  generated *g = state;

  SN_TRY(brain_diffuse(g->tree, rate, g->inverse_kappa));
  return brain_diffuse_back(g->tree, rate, g->inverse_kappa);
}

/* ---- dense ---- */

typedef struct dense {
  int64_t m[3];                         /* padded by one voxel each side */
  float *u, *next, inverse_kappa;
  uint8_t *inside;
} dense;

static inline float flow(float d, float inverse_kappa)
{
  const float s = d * inverse_kappa;
  return d / (1.0f + s * s);
}

static void dense_step(const dense *d, const float *restrict u, float *restrict next)
{
  const int64_t row = d->m[2], plane = d->m[1] * d->m[2];
  const uint8_t *restrict inside = d->inside;
  const float ik = d->inverse_kappa;

# pragma omp parallel for schedule(static)
  for (int64_t i = 1; i < d->m[0] - 1; i++)
    for (int64_t j = 1; j < d->m[1] - 1; j++) {
      const int64_t first = (i * d->m[1] + j) * d->m[2];
      for (int64_t at = first + 1; at < first + d->m[2] - 1; at++) {
        float c, sum = 0;
        if (!inside[at]) continue;
        c = u[at];
        if (inside[at - plane]) sum += flow(u[at - plane] - c, ik);
        if (inside[at + plane]) sum += flow(u[at + plane] - c, ik);
        if (inside[at - row]) sum += flow(u[at - row] - c, ik);
        if (inside[at + row]) sum += flow(u[at + row] - c, ik);
        if (inside[at - 1]) sum += flow(u[at - 1] - c, ik);
        if (inside[at + 1]) sum += flow(u[at + 1] - c, ik);
        next[at] = c + rate * sum;
      }
    }
}

static int run_dense(void *state)
{
  dense *d = state;

  dense_step(d, d->u, d->next);
  dense_step(d, d->next, d->u);
  return 0;
}

static int dense_of(const volume *v, float threshold, float inverse_kappa, dense *d)
{
  size_t cells;

  for (int a = 0; a < 3; a++) d->m[a] = v->n[a] + 2;
  cells = (size_t)(d->m[0] * d->m[1] * d->m[2]);
  d->inverse_kappa = inverse_kappa;
  d->u = bench_pages(cells * sizeof *d->u);
  d->next = bench_pages(cells * sizeof *d->next);
  d->inside = calloc(cells, 1);
  if (!d->u || !d->next || !d->inside) return -1;
  /* A masked store that stores nothing is slow where no page has been written yet. */
  memset(d->u, 0, cells * sizeof *d->u);
  memset(d->next, 0, cells * sizeof *d->next);
  for (int64_t i = 0; i < v->n[0]; i++)
    for (int64_t j = 0; j < v->n[1]; j++)
      for (int64_t k = 0; k < v->n[2]; k++) {
        const float value = v->value[(i * v->n[1] + j) * v->n[2] + k];
        const int64_t at = ((i + 1) * d->m[1] + j + 1) * d->m[2] + k + 1;
        if (!(value > threshold)) continue;
        d->u[at] = value;
        d->inside[at] = 1;
      }
  return 0;
}

/* ---- list ---- */

typedef struct list {
  int64_t count;
  int32_t (*neighbour)[6];
  float *u, *next, inverse_kappa;
} list;

static void list_step(const list *l, const float *restrict u, float *restrict next)
{
  const float ik = l->inverse_kappa;

# pragma omp parallel for schedule(static)
  for (int64_t a = 0; a < l->count; a++) {
    const float c = u[a];
    float sum = 0;
    for (int n = 0; n < 6; n++) sum += flow(u[l->neighbour[a][n]] - c, ik);
    next[a] = c + rate * sum;
  }
}

static int run_list(void *state)
{
  list *l = state;

  list_step(l, l->u, l->next);
  list_step(l, l->next, l->u);
  return 0;
}

/* In the order of the dense array. */
static int list_of(const dense *d, list *l)
{
  const int64_t cells = d->m[0] * d->m[1] * d->m[2];
  const int64_t step[6] = { -d->m[1] * d->m[2], d->m[1] * d->m[2], -d->m[2], d->m[2], -1, 1 };
  int32_t *position = malloc((size_t)cells * sizeof *position);

  l->count = 0;
  l->inverse_kappa = d->inverse_kappa;
  if (!position) return -1;
  for (int64_t at = 0; at < cells; at++)
    position[at] = d->inside[at] ? (int32_t)l->count++ : -1;
  l->neighbour = malloc((size_t)(l->count + 1) * sizeof *l->neighbour);
  l->u = malloc((size_t)(l->count + 1) * sizeof *l->u);
  l->next = malloc((size_t)(l->count + 1) * sizeof *l->next);
  if (!l->neighbour || !l->u || !l->next) {
    free(position);
    return -1;
  }
  for (int64_t at = 0; at < cells; at++) {
    const int32_t own = position[at];
    if (own < 0) continue;
    l->u[own] = d->u[at];
    for (int n = 0; n < 6; n++) {
      const int32_t other = position[at + step[n]];
      l->neighbour[own][n] = other < 0 ? own : other;
    }
  }
  free(position);
  return 0;
}

/* ---- setting up: each contender reads the volume for itself ---- */

typedef struct source {
  volume v;
  float threshold, inverse_kappa;
} source;

static int source_read(int64_t thousandths, source *s)
{
  const char *path = getenv("BRAIN_VOLUME");
  char message[512] = "which volume? set BRAIN_VOLUME";

  if (!path || volume_read(path, &s->v, message, sizeof message)) {
    fprintf(stderr, "bench: %s\n", message);
    return -1;
  }
  s->threshold = (float)thousandths / 1000 * s->v.greatest;
  s->inverse_kappa = 1 / (0.05f * s->v.greatest);
  return 0;
}

static int64_t leaves(int64_t voxels)
{
  return (voxels + 2 + 7) / 8;
}

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);
  source s;
  const int64_t *n = s.v.n;
  int64_t stored;

  if (!g || source_read(size, &s)) return -1;
  *state = g;
  g->inverse_kappa = s.inverse_kappa;
  for (int a = 0; a < 3; a++) g->hi[a] = n[a] + 2;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(brain_volume_create(g->context, NULL, leaves(n[0]), leaves(n[1]), leaves(n[2]), &g->tree));
  return brain_fill(g->tree, s.v.value, n[0], n[1], n[2], s.threshold, &stored);
}

static int dense_create(void **state, int64_t size)
{
  dense *d = calloc(1, sizeof *d);
  source s;

  if (!d || source_read(size, &s)) return -1;
  *state = d;
  return dense_of(&s.v, s.threshold, s.inverse_kappa, d);
}

static int list_create(void **state, int64_t size)
{
  list *l = calloc(1, sizeof *l);
  source s;
  dense d;

  if (!l || source_read(size, &s)) return -1;
  *state = l;
  return dense_of(&s.v, s.threshold, s.inverse_kappa, &d) || list_of(&d, l);
}

/* ---- results: the sum in the order of the dense array, where what is not stored adds 0 ---- */

static double sum_of(const float *u, int64_t count)
{
  double sum = 0;

  for (int64_t at = 0; at < count; at++) sum += (double)u[at];
  return sum;
}

static int generated_after(void *state, double *result)
{
  const generated *g = state;
  const int64_t cells = g->hi[0] * g->hi[1] * g->hi[2];
  float *mine = malloc((size_t)cells * sizeof *mine);
  sn_box box;
  int status;

  if (!mine) return SN_ENOMEM;
  memset(&box, 0, sizeof box);
  for (int a = 0; a < 3; a++) box.hi[a] = g->hi[a];
  status = brain_u_read(g->tree, &box, sn_span_host(mine, (size_t)cells * sizeof *mine), NULL);
  *result = sum_of(mine, cells);
  free(mine);
  return status;
}

static int dense_after(void *state, double *result)
{
  const dense *d = state;

  *result = sum_of(d->u, d->m[0] * d->m[1] * d->m[2]);
  return 0;
}

static int list_after(void *state, double *result)
{
  const list *l = state;

  *result = sum_of(l->u, l->count);
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "brain_all", "ours", generated_create, NULL, run_generated, generated_after },
    { "brain_all", "C-dense", dense_create, NULL, run_dense, dense_after },
    { "brain_all", "C-list", list_create, NULL, run_list, list_after },
    { "brain_quarter", "ours", generated_create, NULL, run_generated, generated_after },
    { "brain_quarter", "C-dense", dense_create, NULL, run_dense, dense_after },
    { "brain_quarter", "C-list", list_create, NULL, run_list, list_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
