/* The row brain: a diffusion step of examples/brain on its stored voxels, by the
 * generated kernel, beside two programs in C:
 *
 *   dense   the loop over the whole volume that tests each voxel (reference.c's step,
 *           with OpenMP on the outer loop)
 *   list    a loop over a hand-kept list of the stored voxels, each with the positions
 *           of its six neighbours (its own where a neighbour is not stored, so that
 *           nothing flows), values packed: 24 bytes of positions a voxel
 *
 * All three take as many threads, do two steps a run and are checked to agree.
 */
#include "brain.h"                     /* generated from examples/brain/brain.sn */
#include "examples/brain/volume.h"
#include "bench/harness.h"

#include <math.h>
#include <omp.h>
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

static int dense_create(const volume *v, float threshold, float inverse_kappa, dense *d)
{
  size_t cells;

  for (int a = 0; a < 3; a++) d->m[a] = v->n[a] + 2;
  cells = (size_t)(d->m[0] * d->m[1] * d->m[2]);
  d->inverse_kappa = inverse_kappa;
  d->u = calloc(cells, sizeof *d->u);
  d->next = calloc(cells, sizeof *d->next);
  d->inside = calloc(cells, 1);
  if (!d->u || !d->next || !d->inside) return -1;
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
static int list_create(const dense *d, list *l)
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

/* ---- all of it ---- */

static int64_t leaves(int64_t voxels)
{
  return (voxels + 2 + 7) / 8;
}

static int generated_create(const volume *v, float threshold, float inverse_kappa, generated *g,
                            int64_t *stored)
{
  const int64_t *n = v->n;

  g->inverse_kappa = inverse_kappa;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(brain_volume_create(g->context, NULL, leaves(n[0]), leaves(n[1]), leaves(n[2]), &g->tree));
  return brain_fill(g->tree, v->value, n[0], n[1], n[2], threshold, stored);
}

/* After as many steps each, all three hold the same; the greatest difference.
 * The list adds 0 where a neighbour is missing: nothing rounds differently. */
static double disagreement(const generated *g, const dense *d, const list *l)
{
  const int64_t cells = d->m[0] * d->m[1] * d->m[2];
  sn_box box;
  float *mine = malloc((size_t)cells * sizeof *mine);
  double most = 0;
  int64_t own = 0;

  memset(&box, 0, sizeof box);
  for (int a = 0; a < 3; a++) box.hi[a] = d->m[a];
  if (!mine ||
      brain_u_read(g->tree, &box, sn_span_host(mine, (size_t)cells * sizeof *mine), NULL)) {
    free(mine);
    return INFINITY;
  }
  for (int64_t at = 0; at < cells; at++) {
    if (!d->inside[at]) continue;
    most = fmax(most, fabs((double)mine[at] - (double)d->u[at]));
    most = fmax(most, fabs((double)mine[at] - (double)l->u[own++]));
  }
  free(mine);
  return most;
}

/* brain VOLUME [THRESHOLD [JSON]]: threshold as a share of the greatest value. */
int main(int argc, char **argv)
{
  volume v;
  generated g = { NULL, NULL, 0 };
  dense d;
  list l;
  int64_t stored = 0;
  char message[512];
  float threshold;
  FILE *json = NULL;
  const contender contenders[] = {
    { "generated", run_generated, &g }, { "C, dense loop", run_dense, &d },
    { "C, list of voxels", run_list, &l },
  };
  row r = { "brain", "stored voxel and step", 0, contenders, 3 };
  int failed;

  if (argc < 2 || volume_read(argv[1], &v, message, sizeof message)) {
    fprintf(stderr, "bench: %s\n", argc < 2 ? "which volume?" : message);
    return 1;
  }
  threshold = (argc > 2 ? (float)atof(argv[2]) : 0.1f) * v.greatest;
  if (generated_create(&v, threshold, 1 / (0.05f * v.greatest), &g, &stored) ||
      dense_create(&v, threshold, g.inverse_kappa, &d) || list_create(&d, &l)) {
    fprintf(stderr, "bench: %s\n", g.context ? sn_context_error(g.context) : "no memory");
    return 1;
  }
  if (argc > 3 && !(json = fopen(argv[3], "a"))) perror(argv[3]);
  printf("%d threads; %lld of %lld voxels stored (%.0f %%), threshold %g\n\n",
         omp_get_max_threads(), (long long)stored, (long long)volume_voxels(&v),
         100.0 * (double)stored / (double)volume_voxels(&v), (double)threshold);
  r.work = (double)stored * STEPS;
  failed = bench_row(&r, BENCH_ROUNDS, stdout, json);
  printf("\ngreatest difference between the three: %g\n", disagreement(&g, &d, &l));
  if (json) fclose(json);
  brain_volume_destroy(g.tree);
  failed |= sn_context_destroy(g.context) != SN_OK;
  return failed ? 1 : 0;
}
