/* The rows mgpcg128 and mgpcg256: Poisson's equation in a cube, solved by conjugate gradients
 * that a multigrid preconditions: the generated kernels of mgpcg.sn beside C written by hand.
 *
 * By hand: each level is an array with a border of zeros, since the levels are full cubes; rows
 * begin at a line, a row of eight cells is one vector of GNU C.  Threads take slabs of planes, and
 * go through strips of them that stay in the second cache, once for both colours: black cells
 * follow the red ones a plane and a row behind; the planes at a slab's ends wait for a barrier.
 * What only prepares a sweep (zeros, the correction of the coarser level) is done in it, p and A p
 * are one pass, and small levels have no threads.
 *
 * Sums of floats decide the step, and are taken in another order, so results differ in their last
 * bits; those of Taichi by 1e-5 and more (not looked into).
 */
#include "mgpcg.h"                     /* generated from bench/mgpcg.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SMOOTHING = 2, BOTTOM = 30, ANEW = 8, LEVELS_MOST = 6, COARSEST = 8, ALONE = 16 };

static int levels_of(int n)
{
  int levels = 1;

  while (n >> (levels - 1) > COARSEST) levels++;
  return levels;
}

/* ---- generated; size: cells along an axis ---- */

typedef struct generated {
  sn_context *context;
  mgpcg_grid *grid;
  int n, steps;                        /* steps: iterations made, which begin anew after ANEW */
  double rz;                           /* of the last one */
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  g->n = (int)size;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(mgpcg_grid_create(g->context, NULL, &g->grid));
  return mgpcg_fill(g->grid, g->n, levels_of(g->n));
}

static int generated_before(void *state)
{
  generated *g = state;

  if (g->steps++ % ANEW != 0) return SN_OK;
  g->rz = 0;
  return mgpcg_begin(g->grid);
}

static int generated_run(void *state)
{
  generated *g = state;
  const double before = g->rz;

  SN_TRY(mgpcg_precondition(g->grid, g->n, levels_of(g->n), &g->rz));
  return mgpcg_advance(g->grid, before > 0 ? (float)(g->rz / before) : 0, g->rz);
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return mgpcg_sum_up(g->grid, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef double f64x8 __attribute__((vector_size(64)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef float f32x8_anywhere __attribute__((vector_size(32), aligned(4), may_alias));

enum { LANES = 8, MARGIN = 16, STRIP = 32 };    /* MARGIN: a line of 64 bytes in front of a row */

typedef struct level {
  int n;
  ptrdiff_t row, plane;                /* floats from one to the next */
  float *r, *z;
} level;

typedef struct by_hand {
  int n, levels, steps;
  double rz;
  level level[LEVELS_MOST];
  float *x, *p, *ap;
} by_hand;

typedef struct range { int first, last; } range;

static inline f32x8 load(const float *at)
{
  return *(const f32x8_anywhere *)at;
}

static inline void store(float *at, f32x8 value)
{
  *(f32x8_anywhere *)at = value;
}

static inline ptrdiff_t row_of(const level *l, int i, int j)
{
  return (i + 1) * l->plane + (j + 1) * l->row + MARGIN;
}

static float *array_of(const level *l)
{
  return bench_pages((size_t)(l->n + 2) * (size_t)l->plane * sizeof(float));
}

/* The planes of the calling thread. */
static range slab_of(int n)
{
  const int threads = omp_get_num_threads(), t = omp_get_thread_num();
  const range s = { n * t / threads, n * (t + 1) / threads };

  return s;
}

static inline int at_an_end(range s, int i)
{
  return i == s.first || i == s.last - 1;
}

/* Rows from first on, shifted by some, so that the strips of a plane are all its rows. */
static inline range strip_of(int n, int first, int shift)
{
  const range rows = { first > 0 ? first + shift : 0,
                       first + STRIP < n ? first + STRIP + shift : n };

  return rows;
}

static inline range all_of(int n)
{
  const range rows = { 0, n };
  return rows;
}

static int hand_before(void *state)
{
  by_hand *h = state;
  const level *l = h->level;

  if (h->steps++ % ANEW != 0) return 0;
  h->rz = 0;
# pragma omp parallel for schedule(static)
  for (int i = 0; i < h->n; i++)
    for (int j = 0; j < h->n; j++) {
      const ptrdiff_t row = row_of(l, i, j);
      for (int k = 0; k < h->n; k++)
        l->r[row + k] = (float)((((i >> 2) * 5 + (j >> 3) * 3 + (k >> 2) * 7) & 15) - 8);
      memset(h->x + row, 0, (size_t)h->n * sizeof(float));
      memset(h->p + row, 0, (size_t)h->n * sizeof(float));
    }
  return 0;
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);

  if (!h) return -1;
  *state = h;
  h->n = (int)size;
  h->levels = levels_of(h->n);
  for (int q = 0; q < h->levels; q++) {
    level *l = &h->level[q];
    l->n = h->n >> q;
    l->row = l->n + MARGIN;
    l->plane = (l->n + 2) * l->row + MARGIN;
    l->r = array_of(l);
    l->z = array_of(l);
    if (!l->r || !l->z) return -1;
  }
  h->x = array_of(h->level);
  h->p = array_of(h->level);
  h->ap = array_of(h->level);
  return h->x && h->p && h->ap ? 0 : -1;
}

/* Three vectors of a row, side by side: what was stored last is not loaded again, shifted by a
 * cell, for which processors wait. */
typedef struct window { f32x8 before, own, behind; } window;

static inline window window_at(const float *row)
{
  const window w = { load(row - LANES), load(row), load(row + LANES) };
  return w;
}

static inline window moved_on(window w, const float *at)
{
  const window next = { w.own, w.behind, load(at + 2 * LANES) };
  return next;
}

static inline f32x8 less_k(window w)
{
  return __builtin_shufflevector(w.before, w.own, 7, 8, 9, 10, 11, 12, 13, 14);
}

static inline f32x8 more_k(window w)
{
  return __builtin_shufflevector(w.own, w.behind, 1, 2, 3, 4, 5, 6, 7, 8);
}

/* (What follows copies a level before its loops: for clang a store of a vector may change it.) */

/* The sum of the six beside each cell from `at` on, in the order of mgpcg.sn. */
static inline f32x8 with_those_beside(const level *l, f32x8 sum, const float *at, window w)
{
  return sum + load(at - l->plane) + load(at + l->plane) + load(at - l->row) + load(at + l->row) +
         less_k(w) + more_k(w);
}

static inline f32x8 without_those_beside(const level *l, f32x8 from, const float *at, window w)
{
  return from - load(at - l->plane) - load(at + l->plane) - load(at - l->row) - load(at + l->row) -
         less_k(w) - more_k(w);
}

/* ---- by hand: smoothing ---- */

/* a where the bits of mask are set, else b. */
static inline f32x8 choose(i32x8 mask, f32x8 a, f32x8 b)
{
  return (f32x8)(((i32x8)a & mask) | ((i32x8)b & ~mask));
}

static inline i32x8 lanes_of(int i, int j, int colour)
{
  static const i32x8 even = { -1, 0, -1, 0, -1, 0, -1, 0 };

  return (i + j + colour) & 1 ? ~even : even;
}

static inline void smooth_plane(const level *of, int i, range rows, int colour)
{
  const level own = *of, *l = &own;

  for (int j = rows.first; j < rows.last; j++) {
    const i32x8 lanes = lanes_of(i, j, colour);
    float *z = l->z + row_of(l, i, j);
    const float *r = l->r + row_of(l, i, j);
    window w = window_at(z);
    for (int k = 0; k < l->n; k += LANES) {
      store(z + k, choose(lanes, with_those_beside(l, load(r + k), z + k, w) * (float)(1.0 / 6),
                          w.own));
      w = moved_on(w, z + k);
    }
  }
}

/* The first colour where z is 0 everywhere. */
static inline void begin_plane(const level *of, int i, range rows)
{
  const level own = *of, *l = &own;

  for (int j = rows.first; j < rows.last; j++) {
    const i32x8 lanes = lanes_of(i, j, 0);
    float *z = l->z + row_of(l, i, j);
    const float *r = l->r + row_of(l, i, j);
    for (int k = 0; k < l->n; k += LANES)
      store(z + k, choose(lanes, load(r + k) * (float)(1.0 / 6), (f32x8){ 0 }));
  }
}

static inline void correct_plane(const level *of, int i, range rows)
{
  const level own = *of, *l = &own;
  const level next = of[1], *coarse = &next;

  for (int j = rows.first; j < rows.last; j++) {
    float *z = l->z + row_of(l, i, j);
    const float *from = coarse->z + row_of(coarse, i / 2, j / 2);
    for (int k = 0; k < l->n; k += 2 * LANES) {
      const f32x8 c = load(from + k / 2);
      store(z + k, load(z + k) + __builtin_shufflevector(c, c, 0, 0, 1, 1, 2, 2, 3, 3));
      store(z + k + LANES,
            load(z + k + LANES) + __builtin_shufflevector(c, c, 4, 4, 5, 5, 6, 6, 7, 7));
    }
  }
}

typedef enum preparation { NONE, ZERO, CORRECT } preparation;

/* Both colours in a strip of a slab, but for the second one's planes at the slab's ends. */
static inline void sweep_strip(const level *l, range s, int first, int colour, preparation what)
{
  const range rows = strip_of(l->n, first, 0);

  for (int i = s.first; i < s.last; i++) {
    if (what == CORRECT && i + 1 < s.last - 1) correct_plane(l, i + 1, strip_of(l->n, first, 1));
    if (what == ZERO) begin_plane(l, i, rows);
    else smooth_plane(l, i, rows, colour);
    if (i - 1 > s.first) smooth_plane(l, i - 1, strip_of(l->n, first, -1), colour + 1);
  }
}

/* A colour, then the other, by a slab of each thread of the region; all are done behind it. */
static void sweep(const level *l, int colour, preparation what)
{
  const range s = slab_of(l->n);

  if (what == CORRECT) {
    for (int i = s.first; i < s.last; i++)
      if (at_an_end(s, i)) correct_plane(l, i, all_of(l->n));
#   pragma omp barrier
  }
  for (int first = 0; first < l->n; first += STRIP) sweep_strip(l, s, first, colour, what);
# pragma omp barrier
  for (int i = s.first; i < s.last; i++)
    if (at_an_end(s, i)) smooth_plane(l, i, all_of(l->n), colour + 1);
# pragma omp barrier
}

static void smooth(const level *l, int sweeps, int colour, preparation what)
{
# pragma omp parallel if (l->n > ALONE)
  for (int s = 0; s < sweeps; s++) sweep(l, colour, s > 0 ? NONE : what);
}

/* ---- by hand: between levels ---- */

static inline f32x8 residual(const level *l, ptrdiff_t at)
{
  const window w = window_at(l->z + at);

  return 0.5f * (load(l->r + at) - without_those_beside(l, 6.0f * w.own, l->z + at, w));
}

/* What two vectors of a finer row come to, in the order of the cells. */
static inline f32x8 add_pairs(f32x8 sum, f32x8 a, f32x8 b)
{
  sum += __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  return sum + __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}

static inline void restrict_row(const level *of, int i, int j)
{
  const level own = *of, *l = &own;
  const level next = of[1], *coarse = &next;

  for (int k = 0; k < coarse->n; k += LANES) {
    f32x8 sum = { 0 };
    for (int o = 0; o < 4; o++) {
      const ptrdiff_t at = row_of(l, 2 * i + o / 2, 2 * j + o % 2) + 2 * k;
      sum = add_pairs(sum, residual(l, at), residual(l, at + LANES));
    }
    store(coarse->r + row_of(coarse, i, j) + k, sum);
  }
}

static void restrict_residual(const level *l)
{
  const int n = (l + 1)->n;

# pragma omp parallel if (l->n > ALONE)
  {
    const range s = slab_of(n);
    for (int first = 0; first < n; first += STRIP / 2)
      for (int i = s.first; i < s.last; i++)
        for (int j = first; j < first + STRIP / 2 && j < n; j++) restrict_row(l, i, j);
  }
}

static void v_cycle(const by_hand *h)
{
  const level *l = h->level;

  for (int q = 0; q < h->levels - 1; q++) {
    smooth(&l[q], SMOOTHING, 0, ZERO);
    restrict_residual(&l[q]);
  }
  smooth(&l[h->levels - 1], BOTTOM, 0, ZERO);
  for (int q = h->levels - 2; q >= 0; q--) smooth(&l[q], SMOOTHING, 1, CORRECT);
}

/* ---- by hand: conjugate gradients ---- */

static inline double sum_of(const f64x8 *v)
{
  double total = 0;

  for (int k = 0; k < LANES; k++) total += (*v)[k];
  return total;
}

static double product(const by_hand *h, const float *a, const float *b)
{
  double total = 0;

# pragma omp parallel for schedule(static) reduction(+ : total)
  for (int i = 0; i < h->n; i++) {
    f64x8 sum = { 0 };
    for (int j = 0; j < h->n; j++) {
      const ptrdiff_t row = row_of(h->level, i, j);
      for (int k = 0; k < h->n; k += LANES)
        sum += __builtin_convertvector(load(a + row + k) * load(b + row + k), f64x8);
    }
    total += sum_of(&sum);
  }
  return total;
}

static inline void turn_plane(const by_hand *of, int i, range rows, float beta)
{
  const by_hand own = *of, *h = &own;

  for (int j = rows.first; j < rows.last; j++) {
    const ptrdiff_t row = row_of(h->level, i, j);
    const float *z = h->level->z + row;
    float *p = h->p + row;
    for (int k = 0; k < h->n; k += LANES) store(p + k, load(z + k) + beta * load(p + k));
  }
}

static inline void multiply_plane(const by_hand *of, int i, range rows, f64x8 *sum)
{
  const by_hand own = *of, *h = &own;
  f64x8 total = *sum;

  for (int j = rows.first; j < rows.last; j++) {
    const ptrdiff_t row = row_of(h->level, i, j);
    const float *p = h->p + row;
    for (int k = 0; k < h->n; k += LANES) {
      const window w = window_at(p + k);
      const f32x8 ap = without_those_beside(h->level, 6.0f * w.own, p + k, w);
      store(h->ap + row + k, ap);
      total += __builtin_convertvector(w.own * ap, f64x8);
    }
  }
  *sum = total;
}

/* p = z + beta p, ap = A p; gives p ap. */
static double turn_and_multiply(const by_hand *h, float beta)
{
  double total = 0;

# pragma omp parallel reduction(+ : total)
  {
    const range s = slab_of(h->n);
    f64x8 sum = { 0 };
    for (int i = s.first; i < s.last; i++)
      if (at_an_end(s, i)) turn_plane(h, i, all_of(h->n), beta);
#   pragma omp barrier
    for (int first = 0; first < h->n; first += STRIP)
      for (int i = s.first; i < s.last; i++) {
        if (i + 1 < s.last - 1) turn_plane(h, i + 1, strip_of(h->n, first, 1), beta);
        multiply_plane(h, i, strip_of(h->n, first, 0), &sum);
      }
    total += sum_of(&sum);
  }
  return total;
}

static void step_along(const by_hand *h, float alpha)
{
  float *r = h->level->r, *x = h->x;
  const float *p = h->p, *ap = h->ap;

# pragma omp parallel for schedule(static)
  for (int i = 0; i < h->n; i++)
    for (int j = 0; j < h->n; j++) {
      const ptrdiff_t row = row_of(h->level, i, j);
      for (ptrdiff_t k = row; k < row + h->n; k += LANES) {
        store(x + k, load(x + k) + alpha * load(p + k));
        store(r + k, load(r + k) - alpha * load(ap + k));
      }
    }
}

static int hand_run(void *state)
{
  by_hand *h = state;
  const double before = h->rz;

  v_cycle(h);
  h->rz = product(h, h->level->r, h->level->z);
  step_along(h, (float)(h->rz / turn_and_multiply(h, before > 0 ? (float)(h->rz / before) : 0)));
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int i = 0; i < h->n; i++)
    for (int j = 0; j < h->n; j++) {
      const float *x = h->x + row_of(h->level, i, j);
      for (int k = 0; k < h->n; k++) *result += (double)x[k] * ((i + 2 * j + 3 * k) & 7);
    }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "mgpcg128", "ours", generated_create, generated_before, generated_run, generated_after },
    { "mgpcg128", "C", hand_create, hand_before, hand_run, hand_after },
    { "mgpcg256", "ours", generated_create, generated_before, generated_run, generated_after },
    { "mgpcg256", "C", hand_create, hand_before, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
