/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers, counter-based: Philox4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror and
 * D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 *
 * A draw is a function of where it is made and of nothing else:
 *   key      the call: libsnode makes it of the seed, the kernel's name and the number of
 *            calls that the tree (or the context) has counted
 *   counter  word 0, 1: the last index of the iteration, 0 in a serial task; 2: which draw
 *            of the iteration; 3: which drawing task of the call, from 1
 * An index before the last makes a new key of the old one, with word 3 all ones.
 *
 * Normal numbers are the inverse of the normal distribution function at a uniform number:
 * algorithm AS 241, PPND16 (M. J. Wichura, Applied Statistics 37, 1988), with a logarithm
 * of its own, so that they too are the same bits on every processor: nothing but
 * + - * / and sqrt, which IEEE 754 rounds exactly.
 */
#ifndef SNODE_DEVICE_RANDOM_H
#define SNODE_DEVICE_RANDOM_H

#include <snode/device/arith.h>

typedef struct snd_random_words {
  uint32_t word[4];
} snd_random_words;

/* What one iteration draws from. */
typedef struct snd_draws {
  uint32_t key[2];
  uint64_t index;
  uint32_t draw, task;
} snd_draws;

SND_INLINE snd_random_words snd_philox(snd_random_words counter, uint32_t key_0, uint32_t key_1)
{
  snd_random_words c = counter;

  for (int round = 0; round < 10; round++) {
    const uint64_t product_0 = (uint64_t)0xD2511F53u * c.word[0];
    const uint64_t product_1 = (uint64_t)0xCD9E8D57u * c.word[2];
    const snd_random_words next = { { (uint32_t)(product_1 >> 32) ^ c.word[1] ^ key_0,
                                      (uint32_t)product_1,
                                      (uint32_t)(product_0 >> 32) ^ c.word[3] ^ key_1,
                                      (uint32_t)product_0 } };
    c = next;
    key_0 += 0x9E3779B9u;
    key_1 += 0xBB67AE85u;
  }
  return c;
}

/* ---- an iteration ---- */

SND_INLINE snd_draws snd_draws_begin(const SND_GLB snd_launch *launch)
{
  const snd_draws d = { { (uint32_t)launch->random_key, (uint32_t)(launch->random_key >> 32) },
                        0, 0, (uint32_t)launch->random_task };

  return d;
}

/* An index before the last, on which axis. */
SND_INLINE void snd_draws_outer(snd_draws *d, uint64_t index, uint32_t axis)
{
  const snd_random_words counter = { { (uint32_t)index, (uint32_t)(index >> 32), axis,
                                       0xFFFFFFFFu } };
  const snd_random_words words = snd_philox(counter, d->key[0], d->key[1]);

  d->key[0] = words.word[0];
  d->key[1] = words.word[1];
}

SND_INLINE void snd_draws_index(snd_draws *d, uint64_t index) { d->index = index; }

SND_INLINE snd_random_words snd_draw(snd_draws *d)
{
  const snd_random_words counter = { { (uint32_t)d->index, (uint32_t)(d->index >> 32), d->draw++,
                                       d->task } };

  return snd_philox(counter, d->key[0], d->key[1]);
}

SND_INLINE uint64_t snd_draw_u64(snd_draws *d)
{
  const snd_random_words words = snd_draw(d);

  return (uint64_t)words.word[1] << 32 | words.word[0];
}

/* ---- uniform: in [0, 1); integers over all of their type ---- */

SND_INLINE double snd_random_f64(snd_draws *d)
{
  return (double)(snd_draw_u64(d) >> 11) * 0x1p-53;
}
SND_INLINE float snd_random_f32(snd_draws *d)
{
  return (float)((uint32_t)snd_draw_u64(d) >> 8) * 0x1p-24f;
}
SND_INLINE int snd_random_bool(snd_draws *d) { return (int)(snd_draw_u64(d) & 1); }

#define SND_DEFINE_RANDOM(T, C) \
  SND_INLINE C snd_random_##T(snd_draws *d) { return (C)snd_draw_u64(d); }
SND_DEFINE_RANDOM(i8, int8_t)
SND_DEFINE_RANDOM(u8, uint8_t)
SND_DEFINE_RANDOM(i16, int16_t)
SND_DEFINE_RANDOM(u16, uint16_t)
SND_DEFINE_RANDOM(i32, int32_t)
SND_DEFINE_RANDOM(u32, uint32_t)
SND_DEFINE_RANDOM(i64, int64_t)
SND_DEFINE_RANDOM(u64, uint64_t)
#undef SND_DEFINE_RANDOM

/* ---- normal ---- */

/* log x of a positive normal x: 2^e m with m in [sqrt 1/2, sqrt 2), and
 * log m = 2 (s + s^3/3 + s^5/5 + ...) of s = (m - 1) / (m + 1). */
SND_INLINE double snd_random_log(double x)
{
  SND_NO_CONTRACTION
  const uint64_t bits = snd_bitcast_u64_f64(x);
  /* to the mantissa's bits as if those of sqrt 1/2 were the first */
  const uint64_t shifted = bits - 0x3FE6A09E667F3BCDu;
  const int64_t e = (int64_t)shifted >> 52;
  const double m = snd_bitcast_f64_u64(bits - ((uint64_t)e << 52));
  const double s = (m - 1) / (m + 1), z = s * s;
  double sum = 1.0 / 23;

  sum = sum * z + 1.0 / 21;
  sum = sum * z + 1.0 / 19;
  sum = sum * z + 1.0 / 17;
  sum = sum * z + 1.0 / 15;
  sum = sum * z + 1.0 / 13;
  sum = sum * z + 1.0 / 11;
  sum = sum * z + 1.0 / 9;
  sum = sum * z + 1.0 / 7;
  sum = sum * z + 1.0 / 5;
  sum = sum * z + 1.0 / 3;
  sum = sum * z;
  return (double)e * 6.93147180559945286e-1 + (2 * s + 2 * s * sum);
}

/* p / q, polynomials of degree 7, of which q begins with 1: by rising powers. */
SND_INLINE double snd_random_ratio(double x, const double p[8], const double q[7])
{
  SND_NO_CONTRACTION
  double above = p[7], below = q[6];

  for (int k = 6; k >= 0; k--) above = above * x + p[k];
  for (int k = 5; k >= 0; k--) below = below * x + q[k];
  return above / (below * x + 1);
}

/* Where the distribution function is 1/2 + q; rest: 1/2 - |q|, exactly. */
SND_INLINE double snd_random_normal(double q, double rest)
{
  SND_NO_CONTRACTION
  const double a[8] = { 3.3871328727963666080e0, 1.3314166789178437745e+2,
                        1.9715909503065514427e+3, 1.3731693765509461125e+4,
                        4.5921953931549871457e+4, 6.7265770927008700853e+4,
                        3.3430575583588128105e+4, 2.5090809287301226727e+3 };
  const double b[7] = { 4.2313330701600911252e+1, 6.8718700749205790830e+2,
                        5.3941960214247511077e+3, 2.1213794301586595867e+4,
                        3.9307895800092710610e+4, 2.8729085735721942674e+4,
                        5.2264952788528545610e+3 };
  const double c[8] = { 1.42343711074968357734e0, 4.63033784615654529590e0,
                        5.76949722146069140550e0, 3.64784832476320460504e0,
                        1.27045825245236838258e0, 2.41780725177450611770e-1,
                        2.27238449892691845833e-2, 7.74545014278341407640e-4 };
  const double d[7] = { 2.05319162663775882187e0, 1.67638483018380384940e0,
                        6.89767334985100004550e-1, 1.48103976427480074590e-1,
                        1.51986665636164571966e-2, 5.47593808499534494600e-4,
                        1.05075007164441684324e-9 };
  const double e[8] = { 6.65790464350110377720e0, 5.46378491116411436990e0,
                        1.78482653991729133580e0, 2.96560571828504891230e-1,
                        2.65321895265761230930e-2, 1.24266094738807843860e-3,
                        2.71155556874348757815e-5, 2.01033439929228813265e-7 };
  const double f[7] = { 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                        1.48753612908506148525e-2, 7.86869131145613259100e-4,
                        1.84631831751005468180e-5, 1.42151175831644588870e-7,
                        2.04426310338993978564e-15 };
  double r, x;

  if (rest >= 0.075) return q * snd_random_ratio(0.180625 - q * q, a, b);
  r = sqrt(-snd_random_log(rest));
  x = r <= 5 ? snd_random_ratio(r - 1.6, c, d) : snd_random_ratio(r - 5, e, f);
  return q < 0 ? -x : x;
}

/* At the middle of one of 2^53 equal parts of (0, 1). */
SND_INLINE double snd_randn_f64(snd_draws *d)
{
  SND_NO_CONTRACTION
  const int64_t part = (int64_t)(snd_draw_u64(d) >> 11) - ((int64_t)1 << 52);
  const double q = ((double)part + 0.5) * 0x1p-53;

  return snd_random_normal(q, 0.5 - (q < 0 ? -q : q));
}
SND_INLINE float snd_randn_f32(snd_draws *d) { return (float)snd_randn_f64(d); }

#endif
