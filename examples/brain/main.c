/* brain: diffusion and dilation on the stored voxels of a volume.
 *
 * Reads a volume, stores the voxels above a threshold in a sparse tree (brain.sn),
 * diffuses them, grows the stored set, and says what was active, how long each part
 * took and what memory the tree holds.  With --check a dense reference in plain C
 * does the same and the results are compared.
 */
#define _POSIX_C_SOURCE 200809L
#include "brain.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "picture.h"
#include "reference.h"
#include "settings.h"
#include "volume.h"

/* What each stored voxel takes: u, next, inside, grown. */
enum { VOXEL_BYTES = 2 * sizeof(float) + 2, LEAF = 8, MEMORY_ROWS = 8 };

static const float rate = 0.125f;       /* below 1/6, where diffusion is stable */

typedef struct run {
  settings set;
  volume volume;
  float threshold, inverse_kappa;
  sn_context *context;
  brain_volume *tree;
  reference reference;
  int64_t stored, joined;
  double seconds_fill, seconds_diffuse, seconds_dilate;
  float *dense;                         /* a field read back, the volume's extents */
  uint8_t *before, *after;              /* which voxels are stored */
} run;

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Says what went wrong and gives -1. */
static int wrong(const char *text)
{
  fprintf(stderr, "brain: %s\n", text);
  return -1;
}

/* 0 for SN_OK, else says what the context says. */
static int settle(run *r, int code)
{
  const char *text = sn_context_error(r->context);

  if (code == SN_OK) return 0;
  return wrong(r->context && *text ? text : sn_strerror(code));
}

/* ---- the steps of a run: 0, or -1 after saying what is wrong ---- */

static int read_volume(run *r)
{
  char message[512];
  volume *v = &r->volume;

  if (volume_read(r->set.path, v, message, sizeof message)) return wrong(message);
  if (r->set.crop) volume_crop(v, r->set.crop);
  r->threshold = r->set.threshold_given ? r->set.threshold : 0.1f * v->greatest;
  r->inverse_kappa = 1 / (r->set.kappa > 0 ? r->set.kappa
                          : v->greatest > 0 ? 0.02f * v->greatest : 1);
  printf("%s: %" PRId64 " x %" PRId64 " x %" PRId64 " voxels, values %g to %g\n", r->set.path,
         v->n[2], v->n[1], v->n[0], (double)v->least, (double)v->greatest);
  return 0;
}

static int open_context(run *r)
{
  sn_config *config = NULL;
  int code = sn_config_create(&config);

  if (!code && r->set.device) code = sn_config_set(config, "device", r->set.device);
  if (!code && r->set.threads) code = sn_config_set(config, "threads", r->set.threads);
  if (code) wrong(config ? sn_config_error(config) : sn_strerror(code));
  else code = settle(r, sn_context_create(config, &r->context));
  sn_config_destroy(config);
  return code ? -1 : 0;
}

/* Leaves enough for the volume and one voxel around it. */
static int64_t leaves(int64_t voxels)
{
  return (voxels + 2 + LEAF - 1) / LEAF;
}

static int fill(run *r)
{
  const int64_t *n = r->volume.n;
  double start;
  int64_t tiles;

  if (settle(r, brain_volume_create(r->context, NULL, leaves(n[0]), leaves(n[1]), leaves(n[2]),
                                    &r->tree)))
    return -1;
  start = now();
  if (settle(r, brain_fill(r->tree, r->volume.value, n[0], n[1], n[2], r->threshold, &r->stored)))
    return -1;
  r->seconds_fill = now() - start;
  if (settle(r, brain_leaf_count(r->tree, &tiles))) return -1;
  printf("stored above %g: %" PRId64 " voxels (%.1f %%), in %" PRId64 " leaves of %d^3\n",
         (double)r->threshold, r->stored,
         100.0 * (double)r->stored / (double)volume_voxels(&r->volume), tiles, LEAF);
  return 0;
}

/* Two calls make two steps and leave the result in u; an odd last step is
 * followed by a step of rate 0, which copies. */
static int diffuse(run *r)
{
  const double start = now();

  for (int s = 0; s < r->set.steps; s += 2) {
    const float back = s + 1 < r->set.steps ? rate : 0;
    if (settle(r, brain_diffuse(r->tree, rate, r->inverse_kappa)) ||
        settle(r, brain_diffuse_back(r->tree, back, r->inverse_kappa)))
      return -1;
  }
  r->seconds_diffuse = now() - start;
  return 0;
}

static int dilate(run *r)
{
  const int64_t *n = r->volume.n;
  const double start = now();

  for (int g = 0; g < r->set.dilations; g++) {
    int64_t joined;
    if (settle(r, brain_dilate(r->tree, n[0], n[1], n[2], r->threshold, &joined))) return -1;
    r->joined += joined;
  }
  r->seconds_dilate = now() - start;
  return 0;
}

/* ---- looking at the tree from outside ---- */

static sn_box whole(const run *r)
{
  sn_box box;

  memset(&box, 0, sizeof box);
  for (int a = 0; a < 3; a++) {
    box.lo[a] = 1;
    box.hi[a] = r->volume.n[a] + 1;
  }
  return box;
}

static int read_u(run *r)
{
  const sn_box box = whole(r);
  const size_t bytes = (size_t)volume_voxels(&r->volume) * sizeof *r->dense;

  return settle(r, brain_u_read(r->tree, &box, sn_span_host(r->dense, bytes), NULL));
}

static int read_inside(run *r, uint8_t *to)
{
  const sn_box box = whole(r);

  return settle(r, brain_inside_read(r->tree, &box,
                                     sn_span_host(to, (size_t)volume_voxels(&r->volume)), NULL));
}

static int picture(run *r, const char *name, const uint8_t *mark)
{
  char path[4096], message[4096 + 256];

  if (!r->set.output) return 0;
  if (read_u(r)) return -1;
  if (snprintf(path, sizeof path, "%s/%s", r->set.output, name) >= (int)sizeof path)
    return wrong("--output: the name is too long");
  if (picture_write(path, r->volume.n, r->dense, mark, r->volume.greatest, message,
                    sizeof message))
    return wrong(message);
  printf("wrote %s\n", path);
  return 0;
}

/* ---- what is said at the end ---- */

static int report(run *r)
{
  sn_memory_info rows[MEMORY_ROWS];
  int count;
  int64_t voxels, bytes = 0, dense = volume_voxels(&r->volume) * VOXEL_BYTES;
  double sum;

  if (settle(r, brain_count(r->tree, &voxels)) || settle(r, brain_mass(r->tree, &sum)) ||
      settle(r, brain_volume_memory(r->tree, rows, MEMORY_ROWS, &count)))
    return -1;
  for (int i = 0; i < count && i < MEMORY_ROWS; i++) bytes += rows[i].bytes;
  printf("grew by %" PRId64 " to %" PRId64 " voxels, whose values sum to %.6g\n", r->joined,
         voxels, sum);
  printf("fill        %8.3f s\n", r->seconds_fill);
  printf("diffuse     %8.3f s, %d steps, %.1f million stored voxels a second\n",
         r->seconds_diffuse, r->set.steps,
         r->seconds_diffuse > 0
             ? 1e-6 * (double)r->stored * r->set.steps / r->seconds_diffuse : 0.0);
  printf("dilate      %8.3f s, %d rounds\n", r->seconds_dilate, r->set.dilations);
  printf("memory      %8.1f MB; a dense array of the volume: %.1f MB\n", 1e-6 * (double)bytes,
         1e-6 * (double)dense);
  return 0;
}

/* ---- --check ---- */

/* The greatest difference between u and the reference, over the volume. */
static double greatest_difference(const run *r)
{
  const float *mine = r->dense;
  double most = 0;

  for (int64_t i = 1; i <= r->volume.n[0]; i++)
    for (int64_t j = 1; j <= r->volume.n[1]; j++)
      for (int64_t k = 1; k <= r->volume.n[2]; k++) {
        const float theirs = r->reference.u[reference_at(&r->reference, i, j, k)];
        const double d = fabs((double)*mine++ - (double)theirs);
        if (!(d <= most)) most = d;     /* not a number is a difference */
      }
  return most;
}

static int64_t different_voxels(const run *r)
{
  const uint8_t *mine = r->after;
  int64_t n = 0;

  for (int64_t i = 1; i <= r->volume.n[0]; i++)
    for (int64_t j = 1; j <= r->volume.n[1]; j++)
      for (int64_t k = 1; k <= r->volume.n[2]; k++)
        n += *mine++ != r->reference.inside[reference_at(&r->reference, i, j, k)];
  return n;
}

static int check(run *r)
{
  const double bound = 1e-6 * fmax(fabs((double)r->volume.least), fabs((double)r->volume.greatest));
  int64_t joined = 0, stored, voxels;
  double difference;

  if (reference_create(&r->volume, r->threshold, &r->reference))
    return wrong("no memory for the reference");
  stored = reference_count(&r->reference);
  for (int s = 0; s < r->set.steps; s++)
    reference_diffuse(&r->reference, rate, r->inverse_kappa);
  for (int g = 0; g < r->set.dilations; g++)
    joined += reference_dilate(&r->reference, r->threshold);
  if (read_u(r) || read_inside(r, r->after)) return -1;
  difference = greatest_difference(r);
  voxels = different_voxels(r);
  printf("check: stored %" PRId64 " and %" PRId64 ", grown by %" PRId64 " and %" PRId64
         ", %" PRId64 " voxels differ, greatest difference %g (bound %g)\n",
         r->stored, stored, r->joined, joined, voxels, difference, bound);
  if (stored != r->stored || joined != r->joined || voxels != 0 || !(difference <= bound))
    return wrong("the dense reference disagrees");
  printf("check: equal to the dense reference\n");
  return 0;
}

/* ---- all of it ---- */

static int make_room(run *r)
{
  const size_t voxels = (size_t)volume_voxels(&r->volume);

  r->dense = malloc(voxels * sizeof *r->dense);
  r->before = malloc(voxels);
  r->after = malloc(voxels);
  return r->dense && r->before && r->after ? 0 : wrong("no memory for the pictures");
}

/* What joined, for the picture: stored now and not before. */
static int mark_joined(run *r)
{
  const int64_t voxels = volume_voxels(&r->volume);

  if (read_inside(r, r->after)) return -1;
  for (int64_t i = 0; i < voxels; i++) r->before[i] = r->after[i] && !r->before[i];
  return 0;
}

static int work(run *r)
{
  if (read_volume(r) || make_room(r) || open_context(r)) return -1;
  if (fill(r) || read_inside(r, r->before) || picture(r, "brain-before.png", NULL)) return -1;
  if (diffuse(r) || picture(r, "brain-diffused.png", NULL)) return -1;
  if (dilate(r) || mark_joined(r) || picture(r, "brain-grown.png", r->before)) return -1;
  if (report(r)) return -1;
  return r->set.check ? check(r) : 0;
}

static int print_reduced(const char *path)
{
  float patch[32 * 32];
  char message[4096];

  if (picture_reduce(path, patch, message, sizeof message)) return wrong(message);
  for (int row = 0; row < 32; row++)
    for (int column = 0; column < 32; column++)
      printf("%.3f%c", (double)patch[row * 32 + column], column < 31 ? ' ' : '\n');
  return 0;
}

int main(int argc, char **argv)
{
  run r;
  int failed;

  memset(&r, 0, sizeof r);
  failed = settings_read(argc, argv, &r.set);
  if (failed) return failed < 0 ? 2 : 0;
  if (r.set.reduce) return print_reduced(r.set.reduce) ? 1 : 0;
  failed = work(&r);
  if (r.tree) brain_volume_destroy(r.tree);
  if (r.context && sn_context_destroy(r.context) != SN_OK)
    failed = wrong("the context is still in use");
  reference_free(&r.reference);
  volume_free(&r.volume);
  free(r.dense);
  free(r.before);
  free(r.after);
  return failed ? 1 : 0;
}
