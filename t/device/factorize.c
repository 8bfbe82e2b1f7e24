/* svd, polar and sym_eig of many matrices: they multiply to what was given, what should be a
 * rotation is one, singular values descend, eigenvalues ascend.  Random matrices of several
 * kinds (10^6 of each type and dimension with SN_LONG=1) and a thousand nasty ones: zero,
 * of lower rank, with values that are equal or nearly so, huge, tiny, graded.
 *
 * Differences are added up in long double and compared to the matrix's norm: at most
 * 8 units of its last place in f64, 16 in f32 (Frobenius norms).
 */
#include "tree.h"

#include <snode/device/factorize.h>

#include <float.h>
#include <math.h>

static const node_spec nodes[] = { ROOT };

/* ---- the factorizations as tasks, of matrices that lie side by side ---- */

enum { A = 0, U = 9, S = 18, V = 21, R = 30, P = 39, W = 48, Q = 51, PLACES = 60 };

/* vars: the first place, how many matrices, N */
#define DEFINE_TASK(T, C) \
  SND_INLINE void snd_factorize_##T(const SND_GLB snd_tree_view *view, int32_t snode, \
                                    SND_GLB snd_launch *launch, int32_t slot, \
                                    const snd_worker *worker) \
  { \
    const snd_share share = snd_share_of(worker, (int64_t)launch->vars[1]); \
    (void)view, (void)snode, (void)slot; \
    for (int64_t k = share.first; k < share.last; k += share.step) { \
      C *at = (C *)(uintptr_t)launch->vars[0] + k * PLACES; \
      if (launch->vars[2] == 2) { \
        snd_svd_2_##T(at + A, at + U, at + S, at + V); \
        snd_polar_2_##T(at + A, at + R, at + P); \
        snd_sym_eig_2_##T(at + A, at + W, at + Q); \
      } else { \
        snd_svd_3_##T(at + A, at + U, at + S, at + V); \
        snd_polar_3_##T(at + A, at + R, at + P); \
        snd_sym_eig_3_##T(at + A, at + W, at + Q); \
      } \
    } \
  }
DEFINE_TASK(f32, float)
DEFINE_TASK(f64, double)

SND_INLINE int64_t some_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 64;
}
SND_RUNTIME_TASK(factorize_f32, some_work)
SND_RUNTIME_TASK(factorize_f64, some_work)

/* ---- how far off, in units of the last place of the norm ---- */

typedef struct worst {
  double svd, u, v, polar, r, eig, q;
  int64_t disordered;
} worst;

static long double norm_of(const long double *m, int n)
{
  long double most = 0, sum = 0;

  for (int k = 0; k < n * n; k++) most = fmaxl(most, fabsl(m[k]));
  for (int k = 0; k < n * n && most > 0; k++) sum += m[k] / most * (m[k] / most);
  return most * sqrtl(sum);
}

/* |a - x diag(d) y^T| */
static long double off_by(const long double *a, const long double *x, const long double *d,
                          const long double *y, int n)
{
  long double rest[9];

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      rest[i * n + j] = a[i * n + j];
      for (int k = 0; k < n; k++) rest[i * n + j] -= x[i * n + k] * d[k] * y[j * n + k];
    }
  return norm_of(rest, n);
}

static long double determinant(const long double *m, int n)
{
  if (n == 2) return m[0] * m[3] - m[1] * m[2];
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* |m m^T - 1|; far off where m is no rotation, but (sign 0) for a reflection */
static long double off_rotation(const long double *m, int sign, int n)
{
  static const long double one[3] = { 1, 1, 1 };
  static const long double identity[2][9] = { { 1, 0, 0, 1 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };

  if (sign > 0 && determinant(m, n) < 0) return 1;
  return off_by(identity[n - 2], m, one, m, n);
}

static void note(double *worst_so_far, long double off, long double unit)
{
  const double units = (double)(off / unit);
  if (!(units <= *worst_so_far)) *worst_so_far = units;
}

/* Ascending where `sign` is 1, descending in magnitude else, all but the last positive. */
static int is_disordered(const long double *values, int sign, int n)
{
  int wrong = 0;

  for (int k = 0; k + 1 < n; k++)
    wrong |= sign > 0 ? values[k] > values[k + 1]
                      : values[k] < 0 || values[k] < fabsl(values[k + 1]);
  return wrong;
}

/* p: all places, of one matrix; epsilon, tiny: of the type */
static void check(worst *w, const long double *p, long double epsilon, long double tiny, int n)
{
  static const long double one[3] = { 1, 1, 1 };
  const long double unit = fmaxl(epsilon * norm_of(p + A, n), tiny);
  long double symmetric[9], transposed[9];
  int asymmetric = 0;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      symmetric[i * n + j] = (p[A + i * n + j] + p[A + j * n + i]) / 2;
      transposed[i * n + j] = p[P + j * n + i];
      asymmetric |= p[P + i * n + j] != p[P + j * n + i];
    }
  note(&w->svd, off_by(p + A, p + U, p + S, p + V, n), unit);
  note(&w->u, off_rotation(p + U, 1, n), epsilon);
  note(&w->v, off_rotation(p + V, 1, n), epsilon);
  note(&w->polar, off_by(p + A, p + R, one, transposed, n), unit);
  note(&w->r, off_rotation(p + R, 0, n), epsilon);
  note(&w->eig, off_by(symmetric, p + Q, p + W, p + Q, n), unit);
  note(&w->q, off_rotation(p + Q, 1, n), epsilon);
  w->disordered += is_disordered(p + S, -1, n) || is_disordered(p + W, 1, n) || asymmetric;
}

/* ---- matrices ---- */

typedef struct source {
  uint64_t state;
} source;

/* Uniform in -1 .. 1. */
static double uniform(source *s)
{
  s->state = s->state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)s->state / 9223372036854775808.0;
}

static int below(source *s, int n) { return (int)((uniform(s) + 1) / 2 * n) % n; }

static void product(const double *x, const double *y, double *out, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = 0;
      for (int k = 0; k < n; k++) out[i * n + j] += x[i * n + k] * y[k * n + j];
    }
}

/* A rotation, nearly. */
static void any_rotation(source *s, double *m, int n)
{
  double turn[9], before[9];

  for (int k = 0; k < n * n; k++) m[k] = k % (n + 1) == 0;
  for (int p = 0; p < n; p++)
    for (int q = p + 1; q < n; q++) {
      const double angle = 4 * uniform(s);
      for (int k = 0; k < n * n; k++) turn[k] = k % (n + 1) == 0, before[k] = m[k];
      turn[p * n + p] = turn[q * n + q] = cos(angle);
      turn[p * n + q] = -(turn[q * n + p] = sin(angle));
      product(before, turn, m, n);
    }
}

/* Uniform elements; elements of all sizes; symmetric ones; a diagonal between rotations. */
static void random_matrix(source *s, double *m, int n)
{
  double x[9], y[9], diagonal[9] = { 0 };
  const int kind = below(s, 4);

  for (int k = 0; k < n * n; k++)
    m[k] = kind == 1 ? ldexp(uniform(s), below(s, 60) - 30) : uniform(s);
  if (kind == 2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) m[i * n + j] = m[j * n + i];
  if (kind == 3) {
    for (int k = 0; k < n; k++) diagonal[k * (n + 1)] = ldexp(uniform(s), -below(s, 20));
    if (below(s, 2)) diagonal[n + 1] = diagonal[0];
    any_rotation(s, y, n);
    product(diagonal, y, x, n);
    any_rotation(s, y, n);
    product(y, x, m, n);
  }
}

/* range: of exponents that are looked for */
static void nasty_matrix(source *s, double *m, int n, int range)
{
  static const double few[] = { 0, 1, -1, 1, 0, 0x1p-23, -0x1p-52, 1 + 0x1p-23, 1 - 0x1p-52, 2 };
  double x[9], column[3], row[3];
  int e = below(s, 2 * range) - range;

  switch (below(s, 6)) {
  case 0:                                        /* few values: equal, singular, permuted */
    for (int k = 0; k < n * n; k++) m[k] = few[below(s, 10)];
    break;
  case 1:                                        /* rank 1 */
    for (int k = 0; k < n; k++) column[k] = uniform(s), row[k] = below(s, 3) ? uniform(s) : 0;
    for (int k = 0; k < n * n; k++) m[k] = column[k / n] * row[k % n];
    break;
  case 2:                                        /* a rotation, times a number: all are equal */
    any_rotation(s, m, n);
    break;
  case 3:                                        /* graded */
    random_matrix(s, m, n);
    for (int k = 0; k < n * n; k++) m[k] = ldexp(m[k], -(k / n + k % n) * below(s, 40));
    break;
  case 4:                                        /* a symmetric one that is nearly diagonal */
    random_matrix(s, x, n);
    for (int k = 0; k < n * n; k++) m[k] = k % (n + 1) == 0 ? few[below(s, 10)] : 0x1p-27 * x[k];
    break;
  default:                                       /* as it comes, far from 1 */
    random_matrix(s, m, n);
    e = below(s, 2) ? range : -range - 40;
    break;
  }
  for (int k = 0; k < n * n; k++) m[k] = ldexp(m[k], below(s, 2) ? e : 0);
}

/* ---- all of it ---- */

enum { BATCH = 2000 };

#define DEFINE_TEST(T, C, epsilon, tiny, range) \
  static worst test_##T(int n, int64_t count, int nasty) \
  { \
    tree *t = tree_make(nodes, 1, &(tree_options){ .chunk = 0 }); \
    C *places = tree_alloc(t, BATCH * PLACES * sizeof *places); \
    source s = { 20 + (uint64_t)nasty }; \
    worst w = { 0 }; \
    for (int64_t done = 0; done < count; done += BATCH) { \
      const int64_t batch = count - done < BATCH ? count - done : BATCH; \
      for (int64_t k = 0; k < batch; k++) { \
        double m[9]; \
        if (nasty) nasty_matrix(&s, m, n, range); \
        else random_matrix(&s, m, n); \
        for (int e = 0; e < n * n; e++) places[k * PLACES + A + e] = (C)m[e]; \
      } \
      t->launch->vars[0] = address_of(places); \
      t->launch->vars[1] = (uint64_t)batch; \
      t->launch->vars[2] = (uint64_t)n; \
      RUN(t, factorize_##T, 0); \
      for (int64_t k = 0; k < batch; k++) { \
        long double all[PLACES]; \
        for (int e = 0; e < PLACES; e++) all[e] = places[k * PLACES + e]; \
        check(&w, all, epsilon, tiny, n); \
      } \
    } \
    tree_free(t); \
    return w; \
  }
DEFINE_TEST(f32, float, 0x1p-23L, 0x1p-149L, 90)
DEFINE_TEST(f64, double, 0x1p-52L, 0x1p-1074L, 900)

static void report(const char *what, int n, const worst *w, double bound)
{
  const double all[] = { w->svd, w->u, w->v, w->polar, w->r, w->eig, w->q };
  static const char *const names[] = { "svd", "u", "v", "polar", "r", "sym_eig", "q" };

  for (int k = 0; k < 7; k++)
    ok(all[k] <= bound, "%s, %d dimensions: %s is off by at most %.0f units (%.1f)", what, n,
       names[k], bound, all[k]);
  is_int(w->disordered, 0, "%s, %d dimensions: values are in order, s is symmetric", what, n);
}

int main(void)
{
  const int64_t count = tap_size(20000, 20000, 1000000);

  for (int n = 2; n <= 3; n++)
    for (int nasty = 0; nasty < 2; nasty++) {
      const worst single = test_f32(n, nasty ? 1000 : count, nasty);
      const worst twice = test_f64(n, nasty ? 1000 : count, nasty);
      report(nasty ? "f32, nasty" : "f32, random", n, &single, 16);
      report(nasty ? "f64, nasty" : "f64, random", n, &twice, 8);
    }
  return done_testing();
}
