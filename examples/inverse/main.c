/* inverse: the first temperature of a volume, from slices that are seen of it later.
 *
 * Reads a volume, stores the voxels above a threshold in a sparse tree (inverse.sn) and lets them
 * diffuse; of what comes out some slices are kept, and the volume is put away.  Then it searches
 * for a first temperature from which the simulation leads to the same slices: the loss says how
 * far from them it is, a tape gives its derivative by each voxel through all steps, and conjugate
 * gradients go downhill.  At the end what was found is compared with the volume.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve.h"
#include "inverse.h"
#include "picture.h"
#include "problem.h"
#include "search.h"
#include "settings.h"
#include "volume.h"

enum { LEAF = 8, MEMORY_ROWS = 8 };

typedef struct run {
  volume volume;
  sn_context *context;
  problem problem;
  found *found;                         /* a row for each round */
  int rounds;
  float *shown, *compared;              /* fields read back, the volume's extents */
} run;

/* Says what went wrong and gives -1. */
static int wrong(const char *text)
{
  fprintf(stderr, "inverse: %s\n", text);
  return -1;
}

/* 0 for SN_OK, else says what the context says. */
static int settle(run *r, int code)
{
  const char *text = sn_context_error(r->context);

  if (code == SN_OK) return 0;
  return wrong(r->context && *text ? text : sn_strerror(code));
}

/* ---- the volume, and what is seen of it: 0, or -1 after saying what is wrong ---- */

static int read_volume(run *r)
{
  char message[512];
  volume *v = &r->volume;
  problem *p = &r->problem;

  if (volume_read(p->set.path, v, message, sizeof message)) return wrong(message);
  if (p->set.crop) volume_crop(v, p->set.crop);
  printf("%s: %" PRId64 " x %" PRId64 " x %" PRId64 " voxels, values %g to %g\n", p->set.path,
         v->n[2], v->n[1], v->n[0], (double)v->least, (double)v->greatest);
  if (!(v->greatest > 0)) return wrong("no value of the volume is above 0");
  p->planes = v->n[0];
  p->inverse_kappa = (float)(1 / (p->set.kappa * (double)v->greatest));
  p->noise = (float)(p->set.noise * (double)v->greatest);
  return 0;
}

static int open_context(run *r)
{
  const settings *set = &r->problem.set;
  sn_config *config = NULL;
  int code = sn_config_create(&config);

  if (!code && set->device) code = sn_config_set(config, "device", set->device);
  if (!code && set->threads) code = sn_config_set(config, "threads", set->threads);
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
  problem *p = &r->problem;
  const float threshold = (float)p->set.threshold * r->volume.greatest;
  int64_t tiles;

  if (settle(r, inverse_head_create(r->context, NULL, leaves(n[0]), leaves(n[1]), leaves(n[2]),
                                    &p->head)) ||
      settle(r, inverse_fill(p->head, r->volume.value, n[0], n[1], n[2], threshold, &p->stored)) ||
      settle(r, inverse_leaf_count(p->head, &tiles)) ||
      settle(r, sn_tape_create(r->context, p->set.places, &p->tape)))
    return -1;
  printf("stored above %g: %" PRId64 " voxels (%.1f %%), in %" PRId64 " leaves of %d^3\n",
         (double)threshold, p->stored,
         100.0 * (double)p->stored / (double)volume_voxels(&r->volume), tiles, LEAF);
  return p->stored ? 0 : wrong("no voxel is above the threshold");
}

static int observe(run *r)
{
  problem *p = &r->problem;

  if (settle(r, problem_observe(p))) return -1;
  printf("seen: each of %" PRId64 " voxels, %.1f %% of all, after step", p->seen,
         100.0 * (double)p->seen / (double)p->stored);
  for (int t = 0; t < p->set.times; t++) printf("%s %d", t ? "," : "", problem_step_of(p, t));
  printf(" of %d", p->set.steps);
  if (p->noise > 0) printf(", with errors of %g", (double)p->noise);
  printf("\n");
  if (!p->seen) return wrong("no slice that is seen has a voxel: --every is too large");
  return settle(r, inverse_guess(p->head, p->set.times - 1, p->set.every, p->planes));
}

/* ---- the search ---- */

/* Enough where the simulation is as near to what is seen as that is to be trusted: from there on
 * the search would find the errors of measurement (Morozov's discrepancy principle). */
static int tell(void *user, const found *f)
{
  run *r = user;
  const problem *p = &r->problem;
  const double misfit = sqrt(2 * f->loss / ((double)p->seen * p->set.times));

  if (f->round == 0)
    printf("round        loss    misfit  error: in all  slices seen  the others     seconds\n");
  printf("%5d %11.5g %9.4f %13.2f %% %10.2f %% %9.2f %% %11.1f\n", f->round, f->loss,
         misfit, 100 * f->off, 100 * f->off_seen, 100 * f->off_unseen,
         p->seconds_run + p->seconds_derivative);
  fflush(stdout);
  r->found[r->rounds++] = *f;
  if (!(misfit <= (double)p->noise)) return 0;
  printf("the misfit is down to the errors of measurement\n");
  return 1;
}

static int search(run *r)
{
  r->found = calloc((size_t)r->problem.set.rounds + 1, sizeof *r->found);
  if (!r->found) return wrong("no memory for the table of rounds");
  return settle(r, search_run(&r->problem, tell, r));
}

/* ---- pictures ---- */

typedef int reader(inverse_head *, const sn_box *, sn_span, const int64_t *stride);

/* Of the time that is seen last, where the field has times. */
static int read_field(run *r, reader *read, float *to)
{
  const int64_t t = r->problem.set.times - 1;
  sn_box box;

  memset(&box, 0, sizeof box);
  for (int a = 0; a < 3; a++) {
    box.lo[a] = 1;
    box.hi[a] = r->volume.n[a] + 1;
  }
  box.lo[3] = read == inverse_seen_read ? t : 0;
  box.hi[3] = read == inverse_seen_read ? t + 1 : 0;
  return settle(r, read(r->problem.head, &box,
                        sn_span_host(to, (size_t)volume_voxels(&r->volume) * sizeof *to), NULL));
}

/* The path of an output in buffer; a message is no longer than two of these. */
enum { PATH_BYTES = 4096 };

static int path_of(const run *r, const char *name, char path[PATH_BYTES])
{
  const int length = snprintf(path, PATH_BYTES, "%s/inverse-%s", r->problem.set.output, name);

  return length < PATH_BYTES ? 0 : wrong("--output: the name is too long");
}

static int write_shown(run *r, const char *name, float white)
{
  char path[PATH_BYTES], message[2 * PATH_BYTES];

  if (path_of(r, name, path)) return -1;
  if (picture_write(path, r->volume.n, r->shown, NULL, white, message, sizeof message))
    return wrong(message);
  printf("wrote %s\n", path);
  return 0;
}

static int picture(run *r, const char *name, reader *read)
{
  if (!r->problem.set.output) return 0;
  if (read_field(r, read, r->shown)) return -1;
  return write_shown(r, name, r->volume.greatest);
}

/* What is tried, and how far it is from the truth: white is an eighth of the greatest value. */
static int picture_tried(run *r, const char *name, const char *name_off)
{
  if (!r->problem.set.output) return 0;
  if (picture(r, name, inverse_start_read)) return -1;
  if (read_field(r, inverse_truth_read, r->compared)) return -1;
  for (int64_t i = 0; i < volume_voxels(&r->volume); i++)
    r->shown[i] = fabsf(r->shown[i] - r->compared[i]);
  return write_shown(r, name_off, r->volume.greatest / 8);
}

static int picture_search(run *r)
{
  char path[PATH_BYTES], message[2 * PATH_BYTES];

  if (!r->problem.set.output) return 0;
  if (path_of(r, "loss.csv", path)) return -1;
  if (curve_write_table(path, r->found, r->rounds, message, sizeof message))
    return wrong(message);
  printf("wrote %s\n", path);
  if (path_of(r, "loss.png", path)) return -1;
  if (curve_write_picture(path, r->found, r->rounds, message, sizeof message))
    return wrong(message);
  printf("wrote %s\n", path);
  return 0;
}

/* ---- what is said at the end ---- */

/* C(n, k) */
static double binomial(int64_t n, int64_t k)
{
  double value = 1;

  for (int64_t i = 1; i <= k; i++) value = value * (double)(n - k + i) / (double)i;
  return floor(value + 0.5);
}

/* Calls that run again of n, with c places: the formula of snode/tape.h. */
static int64_t calls_again(int64_t n, int64_t c)
{
  const int64_t m = n - 1;
  int64_t r = 0;

  while (binomial(c + r, c) < (double)m) r++;
  return r * m - (r ? (int64_t)binomial(c + r, c + 1) : 0) + m;
}

static int report_tape(run *r)
{
  sn_tape_statistics s = SN_TAPE_STATISTICS_INIT;
  const problem *p = &r->problem;
  int64_t again, bytes;

  if (settle(r, sn_tape_statistics_of(p->tape, &s))) return -1;
  again = calls_again(s.calls, p->set.places);
  bytes = s.note_bytes + (p->set.places + 1) * s.checkpoint_bytes;
  printf("tape        %" PRId64 " calls noted, %" PRId64 " run again (by the formula %" PRId64
         "); %" PRId64 " of %d places used\n", s.calls, s.calls_again, again, s.checkpoints,
         p->set.places);
  printf("            at most %.1f MB held (by the formula %.1f MB): %.1f MB a checkpoint, "
         "notes %.4f MB\n", 1e-6 * (double)s.most_bytes, 1e-6 * (double)bytes,
         1e-6 * (double)s.checkpoint_bytes, 1e-6 * (double)s.note_bytes);
  return s.calls_again <= again && s.most_bytes <= bytes
             ? 0 : wrong("the tape took more than its formula says");
}

static int report(run *r)
{
  sn_memory_info rows[MEMORY_ROWS];
  const problem *p = &r->problem;
  const found *first = r->found, *last = &r->found[r->rounds - 1];
  int64_t bytes = 0;
  int count;

  if (settle(r, inverse_head_memory(p->head, rows, MEMORY_ROWS, &count))) return -1;
  for (int i = 0; i < count && i < MEMORY_ROWS; i++) bytes += rows[i].bytes;
  printf("loss        %.5g, %.3g of the first guess's %.5g\n", last->loss,
         first->loss > 0 ? last->loss / first->loss : 0.0, first->loss);
  printf("error       %.2f %% of the truth; the first guess's is %.2f %%\n", 100 * last->off,
         100 * first->off);
  printf("forward     %8.3f s, %" PRId64 " times %d steps: %.4f s each\n", p->seconds_run, p->runs,
         p->set.steps, p->seconds_run / (double)p->runs);
  printf("backward    %8.3f s, %" PRId64 " times: %.4f s each\n", p->seconds_derivative,
         p->derivatives, p->seconds_derivative / (double)p->derivatives);
  printf("memory      %8.1f MB of the tree\n", 1e-6 * (double)bytes);
  return report_tape(r);
}

/* ---- all of it ---- */

static int check(run *r)
{
  int differs;

  if (settle(r, check_derivative(&r->problem, &differs)) || report_tape(r)) return -1;
  if (differs) return wrong("the derivative is not that of the difference");
  printf("check: the derivative is that of differences\n");
  return 0;
}

static int make_room(run *r)
{
  const size_t voxels = (size_t)volume_voxels(&r->volume);

  r->shown = malloc(voxels * sizeof *r->shown);
  r->compared = malloc(voxels * sizeof *r->compared);
  return r->shown && r->compared ? 0 : wrong("no memory for the pictures");
}

static int work(run *r)
{
  if (read_volume(r) || make_room(r) || open_context(r) || fill(r) || observe(r)) return -1;
  if (r->problem.set.check) return check(r);
  if (picture(r, "truth.png", inverse_truth_read) || picture(r, "seen.png", inverse_seen_read) ||
      picture_tried(r, "guess.png", "guess-off.png"))
    return -1;
  if (search(r) || picture_tried(r, "result.png", "result-off.png") || picture_search(r))
    return -1;
  return report(r);
}

int main(int argc, char **argv)
{
  run r;
  int failed;

  memset(&r, 0, sizeof r);
  failed = settings_read(argc, argv, &r.problem.set);
  if (failed) return failed < 0 ? 2 : 0;
  failed = work(&r);
  sn_tape_destroy(r.problem.tape);
  if (r.problem.head) inverse_head_destroy(r.problem.head);
  if (r.context && sn_context_destroy(r.context) != SN_OK)
    failed = wrong("the context is still in use");
  volume_free(&r.volume);
  free(r.found);
  free(r.shown);
  free(r.compared);
  return failed ? 1 : 0;
}
