/* Waves on a plane in two halves, on two units, with no dependence written by hand.
 *
 *   waves [--device] [steps [trace.json]]
 *
 * Each half is a tree in a context of its own: the left one on the host, the right one on a
 * memory unit, or with --device on the first device.  All kernels of all steps are submitted to
 * a queue of their half's unit, the exchange of the border columns as tasks that name the
 * trees and a tensor; then the program waits, once.  What ran when comes from the trace.
 * The same calls made one after the other are the reference: every bit must agree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snode/module.h>
#include <snode/submit.h>

#include "overlap.h"
#include "waves.h"

enum { LEFT, RIGHT, HALVES, N = WAVES_N, EVERY = 8 };

static const float dt = 0.5f, least = 1e-4f;
/* The own column at the border, and the one beyond it that holds the other half's. */
static const int64_t border[HALVES] = { N + 7, 8 }, beyond[HALVES] = { N + 8, 7 };

typedef struct plane {
  sn_context *context[HALVES];
  waves_half *half[HALVES];
  double *energy[HALVES];        /* of each EVERY-th step */
} plane;

static sn_box column(int64_t j)
{
  sn_box box = { { 0, 0 }, { 0, 0 } };

  box.lo[1] = j;
  box.hi[0] = N;
  box.hi[1] = j + 1;
  return box;
}

static int read_border(const plane *p, int h, float *to)
{
  const sn_box box = column(border[h]);

  return waves_u_read(p->half[h], &box, sn_span_host(to, N * sizeof *to), NULL);
}

static int write_beyond(const plane *p, int h, const float *from)
{
  const sn_box box = column(beyond[h]);

  return waves_u_write(p->half[h], &box, sn_span_host(from, N * sizeof *from), NULL);
}

static int begin(plane *p)
{
  SN_TRY(waves_rain(p->half[LEFT], 1));
  return waves_rain(p->half[RIGHT], 2);
}

/* ---- one call after the other ---- */

static int run_plain(plane *p, int steps)
{
  float edge[HALVES][N];

  for (int s = 0; s < steps; s++) {
    for (int h = 0; h < HALVES; h++) {
      SN_TRY(waves_spread(p->half[h], least));
      SN_TRY(waves_kick(p->half[h], dt));
      SN_TRY(waves_drift(p->half[h], dt));
      if (s % EVERY == 0) SN_TRY(waves_energy(p->half[h], &p->energy[h][s / EVERY]));
    }
    for (int h = 0; h < HALVES; h++) SN_TRY(read_border(p, h, edge[h]));
    for (int h = 0; h < HALVES; h++) SN_TRY(write_beyond(p, h, edge[1 - h]));
  }
  return SN_OK;
}

/* ---- submitted ---- */

typedef struct exchange {        /* copied with each task */
  const plane *plane;
  sn_tensor *edges;              /* a block for each half's border */
  int half;
} exchange;

static int sends(sn_run *run, void *user)
{
  const exchange *x = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_write(run, x->edges, x->half, NULL, &buffer));
  SN_TRY(read_border(x->plane, x->half, sn_buffer_data(buffer)));
  return sn_buffer_release_put(buffer);
}

static int receives(sn_run *run, void *user)
{
  const exchange *x = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read(run, x->edges, 1 - x->half, &buffer));
  SN_TRY(write_beyond(x->plane, x->half, sn_buffer_data(buffer)));
  return sn_buffer_release(buffer);
}

/* Reads the half's border into its block, or writes the other's block beyond the border. */
static int submit_exchange(sn_engine *engine, const plane *p, sn_tensor *edges, int half,
                           int is_send)
{
  exchange x;
  sn_use uses[2];
  sn_task_spec spec = SN_TASK_SPEC_INIT;

  x.plane = p;
  x.edges = edges;
  x.half = half;
  uses[0] = sn_tree_use(is_send ? SN_PERMISSION_READ : SN_PERMISSION_WRITE,
                        (sn_tree *)p->half[half]);
  uses[1] = is_send ? sn_use_block(SN_ACCESS_WRITE_BUFFER, edges, half)
                    : sn_use_block(SN_ACCESS_READ_BUFFER, edges, 1 - half);
  spec.name = is_send ? "send" : "receive";
  spec.body[SN_UNIT_HOST] = is_send ? sends : receives;
  spec.user = &x;
  spec.user_bytes = sizeof x;
  spec.uses = uses;
  spec.use_count = 2;
  return sn_task_submit(engine, &spec, NULL);
}

static int submit_steps(sn_engine *engine, plane *p, sn_queue *const *queue, sn_tensor *edges,
                        int steps)
{
  for (int s = 0; s < steps; s++) {
    for (int h = 0; h < HALVES; h++) {
      SN_TRY(waves_spread_submit(queue[h], p->half[h], least, NULL));
      SN_TRY(waves_kick_submit(queue[h], p->half[h], dt, NULL));
      SN_TRY(waves_drift_submit(queue[h], p->half[h], dt, NULL));
      if (s % EVERY == 0)
        SN_TRY(waves_energy_submit(queue[h], p->half[h], &p->energy[h][s / EVERY], NULL));
    }
    for (int h = 0; h < HALVES; h++) SN_TRY(submit_exchange(engine, p, edges, h, 1));
    for (int h = 0; h < HALVES; h++) SN_TRY(submit_exchange(engine, p, edges, h, 0));
  }
  return sn_engine_await(engine);
}

static int make_edges(sn_engine *engine, sn_tensor **edges)
{
  sn_space *space;
  int code;

  SN_TRY(sn_space_create(engine, HALVES * N, N, &space));
  code = sn_tensor_create(engine, SN_TYPE_F32, 1, &space, NULL, edges);
  sn_space_release(space);
  return code;
}

/* ---- the program ---- */

static int make_context(const char *device, sn_context **ctx)
{
  sn_config *config;
  int code;

  SN_TRY(sn_config_create(&config));
  code = sn_config_set(config, "device", device);
  if (code == SN_OK) code = sn_context_create(config, ctx);
  sn_config_destroy(config);
  return code;
}

static int make_plane(plane *p, const char *right, int steps)
{
  for (int h = 0; h < HALVES; h++) {
    SN_TRY(make_context(h == RIGHT ? right : "host", &p->context[h]));
    p->energy[h] = calloc((size_t)(steps / EVERY) + 1, sizeof *p->energy[h]);
    if (!p->energy[h]) return SN_ENOMEM;
  }
  return SN_OK;
}

static int make_halves(plane *p)
{
  for (int h = 0; h < HALVES; h++) SN_TRY(waves_half_create(p->context[h], NULL, &p->half[h]));
  return begin(p);
}

static int destroy_plane(plane *p)
{
  for (int h = 0; h < HALVES; h++) {
    waves_half_destroy(p->half[h]);
    SN_TRY(sn_context_destroy(p->context[h]));
    free(p->energy[h]);
  }
  return SN_OK;
}

/* Two halves on two units; the engine is to be destroyed behind them. */
static int run_submitted(plane *p, int on_device, int steps, const char *trace, sn_engine **out)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *edges;
  sn_queue *queue[HALVES];

  options.workers = 1;           /* for the exchange; kernels run in their queues */
  options.memories = !on_device;
  options.devices = on_device;
  options.backend = waves_module()->backend;
  options.trace = trace;
  SN_TRY(sn_engine_create(&options, out));
  engine = *out;
  for (int h = 0; h < HALVES; h++) {
    SN_TRY(sn_context_attach(p->context[h], sn_engine_unit(engine, h)));
    SN_TRY(sn_queue_create(sn_engine_unit(engine, h), NULL, &queue[h]));
  }
  SN_TRY(make_halves(p));
  SN_TRY(make_edges(engine, &edges));
  SN_TRY(submit_steps(engine, p, queue, edges, steps));
  for (int h = 0; h < HALVES; h++) SN_TRY(sn_queue_destroy(queue[h]));
  return sn_tensor_destroy(edges);
}

/* Values that differ, of heights and energies. */
static int64_t compare(const plane *a, const plane *b, int steps)
{
  static float x[N][N + 16], y[N][N + 16];
  int64_t wrong = 0;

  for (int h = 0; h < HALVES; h++) {
    if (waves_u_read(a->half[h], NULL, sn_span_host(x, sizeof x), NULL) != SN_OK ||
        waves_u_read(b->half[h], NULL, sn_span_host(y, sizeof y), NULL) != SN_OK)
      return -1;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N + 16; j++) wrong += x[i][j] != y[i][j];
    for (int s = 0; s < steps; s += EVERY)
      wrong += a->energy[h][s / EVERY] > 1.0000001 * b->energy[h][s / EVERY] ||
               b->energy[h][s / EVERY] > 1.0000001 * a->energy[h][s / EVERY];
  }
  return wrong;
}

static int fail(const char *what, const plane *p)
{
  fprintf(stderr, "waves: %s: %s %s\n", what, p->context[LEFT] ? sn_context_error(p->context[LEFT])
                                                               : "",
          p->context[RIGHT] ? sn_context_error(p->context[RIGHT]) : "");
  return 1;
}

int main(int argc, char **argv)
{
  const int on_device = argc > 1 && strcmp(argv[1], "--device") == 0;
  const int steps = argc > 1 + on_device ? atoi(argv[1 + on_device]) : 60;
  const char *trace = argc > 2 + on_device ? argv[2 + on_device] : "waves.json";
  const char *right = on_device ? "gpu:0" : "host";
  plane plain = { { NULL, NULL }, { NULL, NULL }, { NULL, NULL } }, submitted = plain;
  sn_engine *engine = NULL;
  int64_t wrong, tiles = 0;

  if (steps < 1) {
    fprintf(stderr, "usage: waves [--device] [steps [trace.json]]\n");
    return 2;
  }
  if (make_plane(&plain, right, steps) || make_halves(&plain) || run_plain(&plain, steps))
    return fail("one call after the other", &plain);
  if (make_plane(&submitted, right, steps) ||
      run_submitted(&submitted, on_device, steps, trace, &engine))
    return fail("submitted", &submitted);
  wrong = compare(&submitted, &plain, steps);
  if (waves_tile_count(submitted.half[LEFT], &tiles)) return fail("count", &submitted);
  printf("%d steps of two halves of %d x %d, %lld tiles of the left one in use: %lld values differ "
         "from plain calls\n", steps, N, N, (long long)tiles, (long long)wrong);
  if (destroy_plane(&plain) || destroy_plane(&submitted)) return 1;
  if (sn_engine_destroy(engine)) {       /* which writes the trace */
    fprintf(stderr, "waves: %s\n", sn_engine_error(engine));
    return 1;
  }
  if (report_overlap(trace)) {
    fprintf(stderr, "waves: %s: no kernels in it\n", trace);
    return 1;
  }
  return wrong != 0;
}
