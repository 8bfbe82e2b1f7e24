/* The derivatives of svd, polar and sym_eig (docs/derivatives.md, "Factorizations").
 *
 * A rotation U has the tangent U W with W antisymmetric.  W follows from what the tangent of the
 * matrix is in the bases of the factors; where two singular values or eigenvalues meet, their
 * vectors have no derivative: for 1 / x stands x / (x * x + e * e), with an e of some last bits.
 */
#include "gen/derive/partial.h"
#include "gen/model/builtins.h"

#include <float.h>

/* NULL: zero. */
typedef struct Matrix {
  IrStmt *at[3][3];
} Matrix;

typedef struct Factor {
  Partial p;                  /* for numbers of the type */
  const IrStmt *s;
  int n;                      /* rows */
} Factor;

static Factor begin(Maker *make, const IrStmt *s, IrStmt *const *part)
{
  return (Factor){ .p = { .make = make, .s = s, .by = part[0] }, .s = s,
                   .n = s->operand_count == 4 ? 2 : 3 };
}

/* ---- numbers ---- */

static IrStmt *binary(const Factor *f, IrOp op, IrStmt *x, IrStmt *y)
{
  return put_binary(f->p.make, op, x, y);
}

static IrStmt *plus(const Factor *f, IrStmt *x, IrStmt *y)
{
  if (!x || !y)
    return x ? x : y;
  return binary(f, IR_add, x, y);
}

static IrStmt *minus(const Factor *f, IrStmt *x, IrStmt *y)
{
  if (!y)
    return x;
  return x ? binary(f, IR_sub, x, y) : put_negative(&f->p, y);
}

static IrStmt *times(const Factor *f, IrStmt *x, IrStmt *y)
{
  return x && y ? binary(f, IR_mul, x, y) : NULL;
}

static IrStmt *half(const Factor *f, IrStmt *x)
{
  return x ? times(f, x, put_real(&f->p, 0.5)) : NULL;
}

/* The least number whose square is none to be reckoned with. */
static IrStmt *tiny(const Factor *f)
{
  return put_real(&f->p, f->p.by->type == TY(F64) ? 1e-150 : 1e-18);
}

static IrStmt *rounding(const Factor *f)
{
  return put_real(&f->p, 32 * (f->p.by->type == TY(F64) ? DBL_EPSILON : (double)FLT_EPSILON));
}

static IrStmt *bounded_inverse(const Factor *f, IrStmt *x, IrStmt *least)
{
  return binary(f, IR_div, x, plus(f, times(f, x, x), times(f, least, least)));
}

/* What is no more than errors of rounding of x and y. */
static IrStmt *threshold(const Factor *f, IrStmt *x, IrStmt *y)
{
  IrStmt *magnitude = plus(f, put_builtin(&f->p, BUILTIN_abs, x, NULL),
                           put_builtin(&f->p, BUILTIN_abs, y, NULL));

  return plus(f, times(f, magnitude, rounding(f)), tiny(f));
}

static IrStmt *inverse_of_difference(const Factor *f, IrStmt *x, IrStmt *y)
{
  return bounded_inverse(f, minus(f, x, y), threshold(f, x, y));
}

/* ---- matrices ---- */

static Matrix matrix(const Factor *f, IrStmt *const *element)
{
  Matrix m = { { { NULL } } };

  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      m.at[i][j] = element[i * f->n + j];
  return m;
}

static void store(const Factor *f, const Matrix *m, IrStmt **element)
{
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      element[i * f->n + j] = m->at[i][j];
}

static Matrix transposed(const Matrix *m)
{
  Matrix t;

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      t.at[i][j] = m->at[j][i];
  return t;
}

static Matrix product(const Factor *f, const Matrix *a, const Matrix *b)
{
  Matrix m = { { { NULL } } };

  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      for (int k = 0; k < f->n; k++)
        m.at[i][j] = plus(f, m.at[i][j], times(f, a->at[i][k], b->at[k][j]));
  return m;
}

/* a^T m b */
static Matrix from_bases(const Factor *f, const Matrix *a, const Matrix *m, const Matrix *b)
{
  Matrix turned = transposed(a), first = product(f, &turned, m);

  return product(f, &first, b);
}

/* a m b^T */
static Matrix to_bases(const Factor *f, const Matrix *a, const Matrix *m, const Matrix *b)
{
  Matrix turned = transposed(b), first = product(f, a, m);

  return product(f, &first, &turned);
}

static Matrix of_transposed(const Factor *f, const Matrix *a, const Matrix *b)
{
  Matrix turned = transposed(a);

  return product(f, &turned, b);
}

static void set_pair(Matrix *m, int i, int j, IrStmt *upper, IrStmt *lower)
{
  m->at[i][j] = upper;
  m->at[j][i] = lower;
}

/* ---- svd: P = U^T A' V = Wu S + S' - S Wv ---- */

/* Of the pair i, j: the inverses of the difference and of the sum of the singular values. */
typedef struct Pair {
  IrStmt *apart, *together;
} Pair;

static Pair singular_pair(const Factor *f, IrStmt *const *s, int i, int j)
{
  return (Pair){ inverse_of_difference(f, s[j], s[i]),
                 bounded_inverse(f, plus(f, s[i], s[j]), threshold(f, s[i], s[j])) };
}

/* Wu + Wv and Wu - Wv: the latter, of U V^T alone, is smooth where singular values meet. */
static void svd_tangent(const Factor *f, IrStmt *const *part, const Matrix *tangent,
                        IrStmt **out)
{
  const int n = f->n, square = n * n;
  IrStmt *const *s = part + square;
  Matrix u = matrix(f, part), v = matrix(f, part + square + n);
  Matrix p = from_bases(f, &u, tangent, &v), wu = { { { NULL } } }, wv = wu, du, dv;

  for (int i = 0; i < n; i++) {
    out[square + i] = p.at[i][i];
    for (int j = i + 1; j < n; j++) {
      Pair pair = singular_pair(f, s, i, j);
      IrStmt *sum = half(f, times(f, plus(f, p.at[i][j], p.at[j][i]), pair.apart));
      IrStmt *less = half(f, times(f, minus(f, p.at[i][j], p.at[j][i]), pair.together));
      IrStmt *x = plus(f, sum, less), *y = minus(f, sum, less);
      set_pair(&wu, i, j, x, minus(f, NULL, x));
      set_pair(&wv, i, j, y, minus(f, NULL, y));
    }
  }
  du = product(f, &u, &wu);
  dv = product(f, &v, &wv);
  store(f, &du, out);
  store(f, &dv, out + square + n);
}

static Matrix svd_adjoint(const Factor *f, IrStmt *const *part, IrStmt *const *adjoint)
{
  const int n = f->n, square = n * n;
  IrStmt *const *s = part + square;
  Matrix u = matrix(f, part), v = matrix(f, part + square + n), p = { { { NULL } } };
  Matrix u_bar = matrix(f, adjoint), v_bar = matrix(f, adjoint + square + n);
  Matrix ku = of_transposed(f, &u, &u_bar), kv = of_transposed(f, &v, &v_bar);

  for (int i = 0; i < n; i++) {
    p.at[i][i] = adjoint[square + i];
    for (int j = i + 1; j < n; j++) {
      IrStmt *a = minus(f, ku.at[i][j], ku.at[j][i]), *b = minus(f, kv.at[i][j], kv.at[j][i]);
      Pair pair;
      if (!a && !b)
        continue;
      pair = singular_pair(f, s, i, j);
      a = half(f, a);
      b = half(f, b);
      ku.at[i][j] = times(f, plus(f, a, b), pair.apart);
      ku.at[j][i] = times(f, minus(f, a, b), pair.together);
      set_pair(&p, i, j, plus(f, ku.at[i][j], ku.at[j][i]), minus(f, ku.at[i][j], ku.at[j][i]));
    }
  }
  return to_bases(f, &u, &p, &v);
}

/* ---- sym_eig: P = Q^T A' Q = W D + D' - D W ---- */

static void eig_tangent(const Factor *f, IrStmt *const *part, const Matrix *tangent,
                        IrStmt **out)
{
  Matrix q = matrix(f, part + f->n), p = from_bases(f, &q, tangent, &q), w = { { { NULL } } };

  for (int i = 0; i < f->n; i++) {
    out[i] = p.at[i][i];
    for (int j = i + 1; j < f->n; j++) {
      IrStmt *apart = inverse_of_difference(f, part[j], part[i]);
      IrStmt *x = times(f, half(f, plus(f, p.at[i][j], p.at[j][i])), apart);
      set_pair(&w, i, j, x, minus(f, NULL, x));
    }
  }
  w = product(f, &q, &w);
  store(f, &w, out + f->n);
}

static Matrix eig_adjoint(const Factor *f, IrStmt *const *part, IrStmt *const *adjoint)
{
  Matrix q = matrix(f, part + f->n), q_bar = matrix(f, adjoint + f->n);
  Matrix k = of_transposed(f, &q, &q_bar), p = { { { NULL } } };

  for (int i = 0; i < f->n; i++) {
    p.at[i][i] = adjoint[i];
    for (int j = i + 1; j < f->n; j++) {
      IrStmt *a = half(f, minus(f, k.at[i][j], k.at[j][i]));
      IrStmt *x = a ? times(f, a, inverse_of_difference(f, part[j], part[i])) : NULL;
      set_pair(&p, i, j, x, x);
    }
  }
  return to_bases(f, &q, &p, &q);
}

/* ---- polar: B = R^T A' = W S + S', and W S + S W = B - B^T ---- */

/* Of an antisymmetric matrix the vector that it turns about; in the plane its last element. */
static void axis_of(const Factor *f, const Matrix *m, IrStmt *axis[3])
{
  axis[0] = f->n == 3 ? minus(f, m->at[2][1], m->at[1][2]) : NULL;
  axis[1] = f->n == 3 ? minus(f, m->at[0][2], m->at[2][0]) : NULL;
  axis[2] = minus(f, m->at[1][0], m->at[0][1]);
}

static Matrix turning_about(const Factor *f, IrStmt *const axis[3])
{
  Matrix w = { { { NULL } } };

  set_pair(&w, 0, 1, minus(f, NULL, axis[2]), axis[2]);
  if (f->n == 3) {
    set_pair(&w, 0, 2, axis[1], minus(f, NULL, axis[1]));
    set_pair(&w, 1, 2, minus(f, NULL, axis[0]), axis[0]);
  }
  return w;
}

static IrStmt *minor(const Factor *f, const Matrix *g, int i, int j)
{
  int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;

  return minus(f, times(f, g->at[a][c], g->at[b][d]), times(f, g->at[a][d], g->at[b][c]));
}

/* The inverse of a matrix whose elements are of the magnitude of 1. */
static Matrix inverse(const Factor *f, const Matrix *g)
{
  Matrix m;
  IrStmt *determinant = NULL, *by;

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m.at[i][j] = minor(f, g, j, i);
  for (int k = 0; k < 3; k++)
    determinant = plus(f, determinant, times(f, g->at[0][k], m.at[k][0]));
  by = bounded_inverse(f, determinant, rounding(f));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m.at[i][j] = times(f, m.at[i][j], by);
  return m;
}

/* I - S / trace(S), whose eigenvalues are sums of two of those of S / trace(S). */
static Matrix sums(const Factor *f, const Matrix *s, IrStmt *by)
{
  Matrix g;

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      g.at[i][j] = minus(f, i == j ? put_real(&f->p, 1) : NULL, times(f, s->at[i][j], by));
  return g;
}

/* The axis of W, given that of W S + S W. */
static void solve(const Factor *f, const Matrix *s, IrStmt *axis[3])
{
  IrStmt *trace = plus(f, s->at[0][0], s->at[1][1]), *by, *x[3] = { NULL, NULL, NULL };
  Matrix g;

  if (!axis[0] && !axis[1] && !axis[2])
    return;
  by = bounded_inverse(f, f->n == 3 ? plus(f, trace, s->at[2][2]) : trace, tiny(f));
  if (f->n == 2) {
    axis[2] = times(f, axis[2], by);
    return;
  }
  g = sums(f, s, by);
  g = inverse(f, &g);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      x[i] = plus(f, x[i], times(f, g.at[i][k], axis[k]));
  for (int i = 0; i < 3; i++)
    axis[i] = times(f, x[i], by);
}

static void polar_tangent(const Factor *f, IrStmt *const *part, const Matrix *tangent,
                          IrStmt **out)
{
  Matrix r = matrix(f, part), s = matrix(f, part + f->n * f->n);
  Matrix b = of_transposed(f, &r, tangent), w, turned;
  IrStmt *axis[3];

  axis_of(f, &b, axis);
  solve(f, &s, axis);
  w = turning_about(f, axis);
  turned = product(f, &w, &s);
  w = product(f, &r, &w);
  store(f, &w, out);
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      out[f->n * (f->n + i) + j] = minus(f, b.at[i][j], turned.at[i][j]);
}

static Matrix polar_adjoint(const Factor *f, IrStmt *const *part, IrStmt *const *adjoint)
{
  Matrix r = matrix(f, part), s = matrix(f, part + f->n * f->n);
  Matrix r_bar = matrix(f, adjoint), s_bar = matrix(f, adjoint + f->n * f->n);
  Matrix k = of_transposed(f, &r, &r_bar), turned = product(f, &s_bar, &s), b;
  IrStmt *axis[3];

  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      k.at[i][j] = minus(f, k.at[i][j], turned.at[i][j]);
  axis_of(f, &k, axis);
  solve(f, &s, axis);
  b = turning_about(f, axis);
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      b.at[i][j] = plus(f, b.at[i][j], s_bar.at[i][j]);
  return product(f, &r, &b);
}

/* ---- what others call ---- */

void put_factor_adjoint(Maker *make, const IrStmt *factor, IrStmt *const *operand,
                        IrStmt *const *part, IrStmt *const *part_adjoint,
                        IrStmt **operand_adjoint)
{
  Factor f = begin(make, factor, part);
  Matrix m;

  (void)operand;
  switch (factor->op) {
  case IR_svd:   m = svd_adjoint(&f, part, part_adjoint); break;
  case IR_polar: m = polar_adjoint(&f, part, part_adjoint); break;
  default:       m = eig_adjoint(&f, part, part_adjoint);
  }
  store(&f, &m, operand_adjoint);
}

void put_factor_tangent(Maker *make, const IrStmt *factor, IrStmt *const *operand,
                        IrStmt *const *part, IrStmt *const *operand_tangent,
                        IrStmt **part_tangent)
{
  Factor f = begin(make, factor, part);
  Matrix m = matrix(&f, operand_tangent);

  (void)operand;
  switch (factor->op) {
  case IR_svd:   svd_tangent(&f, part, &m, part_tangent); return;
  case IR_polar: polar_tangent(&f, part, &m, part_tangent); return;
  default:       eig_tangent(&f, part, &m, part_tangent);
  }
}
