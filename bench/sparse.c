/* The rows sparse_*: a step of diffusion over a plane of 2048 x 2048 cells of which a part is
 * active; scattered_*: single cells anywhere.  All contenders are generated code: "ours" goes over
 * a dense node, all of it; "bits" over the active cells of a bitmasked one, "tiles" over tiles of
 * 16 x 16 cells that are there.
 *
 * The rows fade: a decay whose numbers are denormal; "ours" has the option flush_denormals.
 */
#include "sparse.h"                    /* generated from bench/sparse.sn */
#include "bench/contender.h"

#include <stdlib.h>

/* ---- size: 1000 * so many of 1000 squares that are active + their side in cells ---- */

typedef struct plane {
  sn_context *context;
  sparse_whole *whole;
  sparse_bits *bits;
  sparse_tiles *tiles;
  int32_t permille, side;
} plane;

static int create(plane **state, int64_t size)
{
  plane *p = calloc(1, sizeof *p);

  if (!p) return -1;
  *state = p;
  p->permille = (int32_t)(size / 1000);
  p->side = (int32_t)(size % 1000);
  return sn_context_create(NULL, &p->context);
}

static int create_whole(void **state, int64_t size)
{
  plane *p;
  if (create(&p, size)) return -1;
  *state = p;
  SN_TRY(sparse_whole_create(p->context, NULL, &p->whole));
  return sparse_fill_whole(p->whole, p->permille, p->side);
}

static int create_bits(void **state, int64_t size)
{
  plane *p;
  if (create(&p, size)) return -1;
  *state = p;
  SN_TRY(sparse_bits_create(p->context, NULL, &p->bits));
  return sparse_fill_bits(p->bits, p->permille, p->side);
}

static int create_tiles(void **state, int64_t size)
{
  plane *p;
  if (create(&p, size)) return -1;
  *state = p;
  SN_TRY(sparse_tiles_create(p->context, NULL, &p->tiles));
  return sparse_fill_tiles(p->tiles, p->permille, p->side);
}

static int run_whole(void *state) { return sparse_step_whole(((plane *)state)->whole); }
static int run_bits(void *state) { return sparse_step_bits(((plane *)state)->bits); }
static int run_tiles(void *state) { return sparse_step_tiles(((plane *)state)->tiles); }

static int after(void *state, double *result)
{
  plane *p = state;
  int64_t sum = 0;

  if (p->whole) SN_TRY(sparse_sum_whole(p->whole, p->permille, p->side, &sum));
  if (p->bits) SN_TRY(sparse_sum_bits(p->bits, p->permille, p->side, &sum));
  if (p->tiles) SN_TRY(sparse_sum_tiles(p->tiles, p->permille, p->side, &sum));
  *result = (double)sum;
  return 0;
}

/* ---- fade ---- */

typedef struct fading {
  sn_context *context;
  sparse_line *line;
} fading;

static int create_fading(void **state, const char *flush)
{
  fading *f = calloc(1, sizeof *f);
  sn_config *config;

  if (!f) return -1;
  *state = f;
  SN_TRY(sn_config_create(&config));
  SN_TRY(sn_config_set(config, "flush_denormals", flush));
  SN_TRY(sn_context_create(config, &f->context));
  sn_config_destroy(config);
  return sparse_line_create(f->context, NULL, &f->line);
}

static int create_flushed(void **state, int64_t size)
{
  (void)size;
  return create_fading(state, "1");
}

static int create_kept(void **state, int64_t size)
{
  (void)size;
  return create_fading(state, "0");
}

static int begin(void *state) { return sparse_begin(((fading *)state)->line); }

/* After the first step or two all numbers are denormal. */
static int fade(void *state)
{
  for (int s = 0; s < 16; s++) SN_TRY(sparse_decay(((fading *)state)->line));
  return SN_OK;
}

static int after_fading(void *state, double *result)
{
  int64_t count;

  SN_TRY(sparse_count(((fading *)state)->line, &count));
  *result = (double)count;
  return 0;
}

#define ROW_OF(name) \
  { name, "ours", create_whole, NULL, run_whole, after }, \
  { name, "bits", create_bits, NULL, run_bits, after }, \
  { name, "tiles", create_tiles, NULL, run_tiles, after }

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    ROW_OF("sparse_1"), ROW_OF("sparse_3"), ROW_OF("sparse_10"), ROW_OF("sparse_25"),
    ROW_OF("sparse_50"), ROW_OF("sparse_75"), ROW_OF("sparse_100"), ROW_OF("scattered_1"),
    ROW_OF("scattered_10"),
    { "fade", "ours", create_flushed, begin, fade, after_fading },
    { "fade", "denormal", create_kept, begin, fade, after_fading },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
