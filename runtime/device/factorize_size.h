/* SPDX-License-Identifier: BSD-3-Clause */
/* factorize.h, for one type and dimension. */

#define SND_OF_N_(name, n, t) name##_##n##_##t
#define SND_OF_N__(name, n, t) SND_OF_N_(name, n, t)
#define SND_OF(name) SND_OF_N__(name, SND_N, SND_T)

enum { SND_OF(SND_SWEEPS) = 32 };        /* never reached: five to eight are enough */

/* ---- columns ---- */

SND_INLINE SND_C SND_OF(snd_columns_dot)(const SND_C *x, int p, const SND_C *y, int q)
{
  SND_C sum = 0;

  for (int k = 0; k < SND_N; k++) sum += x[k * SND_N + p] * y[k * SND_N + q];
  return sum;
}

SND_INLINE void
SND_OF(snd_columns_turn)(SND_C *m, int p, int q, SND_OF_T(snd_angle) angle)
{
  for (int k = 0; k < SND_N; k++) {
    const SND_C x = m[k * SND_N + p], y = m[k * SND_N + q];
    m[k * SND_N + p] = x - angle.s * (y + angle.half * x);
    m[k * SND_N + q] = y + angle.s * (x - angle.half * y);
  }
}

/* Column q goes before p, by a right angle: a rotation stays one. */
SND_INLINE void SND_OF(snd_columns_swap)(SND_C *m, int p, int q)
{
  for (int k = 0; k < SND_N; k++) {
    const SND_C x = m[k * SND_N + p];
    m[k * SND_N + p] = m[k * SND_N + q];
    m[k * SND_N + q] = -x;
  }
}

SND_INLINE void SND_OF(snd_identity)(SND_C *m)
{
  for (int k = 0; k < SND_N * SND_N; k++) m[k] = k % (SND_N + 1) == 0;
}

/* a times 2^-e, so that its largest element is between 1 and 2; gives e. */
SND_INLINE int32_t SND_OF(snd_scaled)(const SND_C *a, SND_C *m)
{
  SND_C most = 0, scale;
  int32_t e;

  for (int k = 0; k < SND_N * SND_N; k++) most = SND_OF_T(snd_max)(most, SND_OF_T(snd_abs)(a[k]));
  e = SND_OF_T(snd_exponent)(most);
  scale = SND_OF_T(snd_power_of_two)(-e);
  for (int k = 0; k < SND_N * SND_N; k++) m[k] = a[k] * scale;
  return e;
}

/* ---- svd ---- */

/* Makes two columns of b orthogonal, and turns v with them; whether they were not. */
SND_INLINE int SND_OF(snd_svd_turn)(SND_C *b, SND_C *v, int p, int q)
{
  const SND_C square_p = SND_OF(snd_columns_dot)(b, p, b, p);
  const SND_C square_q = SND_OF(snd_columns_dot)(b, q, b, q);
  const SND_C product = SND_OF(snd_columns_dot)(b, p, b, q);
  const SND_C least = SND_OF_T(snd_epsilon)() * SND_SQRT(square_p) * SND_SQRT(square_q);
  SND_OF_T(snd_angle) angle;

  if (square_p < SND_SMALL || square_q < SND_SMALL || !(SND_OF_T(snd_abs)(product) > least))
    return 0;
  angle = SND_OF_T(snd_angle_of)(square_p, square_q, product);
  SND_OF(snd_columns_turn)(b, p, q, angle);
  SND_OF(snd_columns_turn)(v, p, q, angle);
  return 1;
}

SND_INLINE void SND_OF(snd_svd_sort)(SND_C *b, SND_C *v, int p, int q)
{
  if (SND_OF(snd_columns_dot)(b, p, b, p) < SND_OF(snd_columns_dot)(b, q, b, q)) {
    SND_OF(snd_columns_swap)(b, p, q);
    SND_OF(snd_columns_swap)(v, p, q);
  }
}

/* Column j of u: that of b made as long as 1; gives its length.  0: it is none. */
SND_INLINE SND_C SND_OF(snd_svd_vector)(const SND_C *b, SND_C *u, int j)
{
  const SND_C square = SND_OF(snd_columns_dot)(b, j, b, j);
  const SND_C length = square < SND_SMALL ? 0 : SND_SQRT(square);

  for (int k = 0; k < SND_N && length != 0; k++) u[k * SND_N + j] = b[k * SND_N + j] / length;
  return length;
}

#if SND_N == 3
/* Column 1 of u: any that is orthogonal to column 0. */
SND_INLINE void SND_OF(snd_svd_second)(SND_C *u)
{
  const SND_C x = u[0], y = u[3], z = u[6];
  const SND_C xx = x * x, yy = y * y, zz = z * z;
  SND_C length;

  /* 0's product with the axis from which it is farthest */
  if (xx <= yy && xx <= zz) {
    length = SND_SQRT(yy + zz);
    u[1] = 0, u[4] = z / length, u[7] = -y / length;
  } else if (yy <= zz) {
    length = SND_SQRT(xx + zz);
    u[1] = -z / length, u[4] = 0, u[7] = x / length;
  } else {
    length = SND_SQRT(xx + yy);
    u[1] = y / length, u[4] = -x / length, u[7] = 0;
  }
}
#endif

/* The last column of u: u is a rotation then. */
SND_INLINE void SND_OF(snd_svd_last)(SND_C *u)
{
#if SND_N == 3
  u[2] = u[3] * u[7] - u[6] * u[4];
  u[5] = u[6] * u[1] - u[0] * u[7];
  u[8] = u[0] * u[4] - u[3] * u[1];
#else
  u[1] = -u[2];
  u[3] = u[0];
#endif
}

/* u and s of b = u diag(s), whose columns are orthogonal and descend. */
SND_INLINE void SND_OF(snd_svd_vectors)(const SND_C *b, SND_C *u, SND_C *s)
{
  SND_C last;

  s[0] = SND_OF(snd_svd_vector)(b, u, 0);
  if (s[0] == 0)
    for (int k = 0; k < SND_N; k++) u[k * SND_N] = k == 0;
#if SND_N == 3
  s[1] = SND_OF(snd_svd_vector)(b, u, 1);
  if (s[1] == 0) SND_OF(snd_svd_second)(u);
#endif
  SND_OF(snd_svd_last)(u);
  last = SND_OF(snd_columns_dot)(u, SND_N - 1, b, SND_N - 1);
  s[SND_N - 1] = SND_OF_T(snd_clamp)(last, -s[SND_N - 2], s[SND_N - 2]);
}

SND_INLINE void SND_OF(snd_svd)(const SND_C *a, SND_C *u, SND_C *s, SND_C *v)
{
  SND_C b[SND_N * SND_N], scale;
  int turned = 1;

  scale = SND_OF_T(snd_power_of_two)(SND_OF(snd_scaled)(a, b));
  SND_OF(snd_identity)(v);
  for (int sweep = 0; turned && sweep < SND_OF(SND_SWEEPS); sweep++) {
    turned = SND_OF(snd_svd_turn)(b, v, 0, 1);
#if SND_N == 3
    turned |= SND_OF(snd_svd_turn)(b, v, 0, 2);
    turned |= SND_OF(snd_svd_turn)(b, v, 1, 2);
#endif
  }
  SND_OF(snd_svd_sort)(b, v, 0, 1);
#if SND_N == 3
  SND_OF(snd_svd_sort)(b, v, 0, 2);
  SND_OF(snd_svd_sort)(b, v, 1, 2);
#endif
  SND_OF(snd_svd_vectors)(b, u, s);
  for (int k = 0; k < SND_N; k++) s[k] *= scale;
}

/* ---- polar ---- */

SND_INLINE void SND_OF(snd_polar)(const SND_C *a, SND_C *r, SND_C *s)
{
  SND_C u[SND_N * SND_N], v[SND_N * SND_N], sigma[SND_N];

  SND_OF(snd_svd)(a, u, sigma, v);
  if (sigma[SND_N - 1] < 0) {
    sigma[SND_N - 1] = -sigma[SND_N - 1];
    for (int k = 0; k < SND_N; k++) u[k * SND_N + SND_N - 1] = -u[k * SND_N + SND_N - 1];
  }
  for (int i = 0; i < SND_N; i++)
    for (int j = 0; j < SND_N; j++) {
      r[i * SND_N + j] = s[i * SND_N + j] = 0;
      for (int k = 0; k < SND_N; k++) {
        r[i * SND_N + j] += u[i * SND_N + k] * v[j * SND_N + k];
        s[i * SND_N + j] += v[i * SND_N + k] * v[j * SND_N + k] * sigma[k];
      }
    }
}

/* ---- sym_eig ---- */

/* Makes element p, q vanish, and turns the columns of v with it; whether it was there. */
SND_INLINE int SND_OF(snd_eig_turn)(SND_C *m, SND_C *v, int p, int q)
{
  const SND_C product = m[p * SND_N + q];
  SND_OF_T(snd_angle) angle;

  /* m is of order 1 */
  if (!(SND_OF_T(snd_abs)(product) > SND_OF_T(snd_epsilon)() / 16)) return 0;
  angle = SND_OF_T(snd_angle_of)(m[p * SND_N + p], m[q * SND_N + q], product);
  m[p * SND_N + p] -= angle.t * product;
  m[q * SND_N + q] += angle.t * product;
  m[p * SND_N + q] = m[q * SND_N + p] = 0;
#if SND_N == 3
  {
    const int k = 3 - p - q;
    const SND_C x = m[k * SND_N + p], y = m[k * SND_N + q];
    m[k * SND_N + p] = m[p * SND_N + k] = x - angle.s * (y + angle.half * x);
    m[k * SND_N + q] = m[q * SND_N + k] = y + angle.s * (x - angle.half * y);
  }
#endif
  SND_OF(snd_columns_turn)(v, p, q, angle);
  return 1;
}

SND_INLINE void SND_OF(snd_eig_sort)(SND_C *w, SND_C *q, int i, int j)
{
  if (w[i] > w[j]) {
    const SND_C larger = w[i];
    w[i] = w[j];
    w[j] = larger;
    SND_OF(snd_columns_swap)(q, i, j);
  }
}

SND_INLINE void SND_OF(snd_sym_eig)(const SND_C *a, SND_C *w, SND_C *q)
{
  SND_C m[SND_N * SND_N], scale;
  int turned = 1;

  scale = SND_OF_T(snd_power_of_two)(SND_OF(snd_scaled)(a, m));
  for (int i = 0; i < SND_N; i++)
    for (int j = 0; j < i; j++)
      m[i * SND_N + j] = m[j * SND_N + i] = (m[i * SND_N + j] + m[j * SND_N + i]) / 2;
  SND_OF(snd_identity)(q);
  for (int sweep = 0; turned && sweep < SND_OF(SND_SWEEPS); sweep++) {
    turned = SND_OF(snd_eig_turn)(m, q, 0, 1);
#if SND_N == 3
    turned |= SND_OF(snd_eig_turn)(m, q, 0, 2);
    turned |= SND_OF(snd_eig_turn)(m, q, 1, 2);
#endif
  }
  for (int k = 0; k < SND_N; k++) w[k] = m[k * SND_N + k] * scale;
  SND_OF(snd_eig_sort)(w, q, 0, 1);
#if SND_N == 3
  SND_OF(snd_eig_sort)(w, q, 0, 2);
  SND_OF(snd_eig_sort)(w, q, 1, 2);
#endif
}

/* ---- by value ---- */

/* The results of one factorization in their order, end to end. */
typedef struct SND_OF(snd_factors) {
  SND_C part[SND_N * (2 * SND_N + 1)];
} SND_OF(snd_factors);

SND_INLINE SND_OF(snd_factors) SND_OF(snd_svd_parts)(const SND_C *a)
{
  SND_OF(snd_factors) f;
  SND_OF(snd_svd)(a, f.part, f.part + SND_N * SND_N, f.part + SND_N * SND_N + SND_N);
  return f;
}

SND_INLINE SND_OF(snd_factors) SND_OF(snd_polar_parts)(const SND_C *a)
{
  SND_OF(snd_factors) f;
  SND_OF(snd_polar)(a, f.part, f.part + SND_N * SND_N);
  return f;
}

SND_INLINE SND_OF(snd_factors) SND_OF(snd_sym_eig_parts)(const SND_C *a)
{
  SND_OF(snd_factors) f;
  SND_OF(snd_sym_eig)(a, f.part, f.part + SND_N);
  return f;
}

#undef SND_OF
#undef SND_OF_N__
#undef SND_OF_N_
#undef SND_N
