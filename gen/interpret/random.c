/* Random numbers, as runtime/device/random.h defines them, written a second time: Philox4x32-10
 * (Salmon et al., SC 2011) and AS 241 (Wichura, 1988).
 */
#include "gen/interpret/interpret.h"

#include <math.h>

typedef struct Counter {
  uint32_t key[2], word[4];
} Counter;

/* Ten rounds; the key is kept as it was. */
static void philox(Counter *c)
{
  uint32_t left = c->key[0], right = c->key[1], *w = c->word;

  for (int round = 0; round < 10; round++) {
    uint64_t a = (uint64_t)w[0] * 0xD2511F53u, b = (uint64_t)w[2] * 0xCD9E8D57u;
    uint32_t first = (uint32_t)(b >> 32) ^ w[1] ^ left;
    uint32_t third = (uint32_t)(a >> 32) ^ w[3] ^ right;
    w[0] = first;
    w[1] = (uint32_t)b;
    w[2] = third;
    w[3] = (uint32_t)a;
    left += 0x9E3779B9u;
    right += 0xBB67AE85u;
  }
}

static void set_words(Counter *c, uint64_t index, uint32_t third, uint32_t fourth)
{
  c->word[0] = (uint32_t)index;
  c->word[1] = (uint32_t)(index >> 32);
  c->word[2] = third;
  c->word[3] = fourth;
}

/* 64 random bits. */
static uint64_t draw(Interpreter *in)
{
  int rank = in->task->variable_count;
  uint64_t last = rank > 0 ? (uint64_t)in->index[rank - 1].i : 0;
  Counter c = { .key = { (uint32_t)in->launch->random_key,
                         (uint32_t)(in->launch->random_key >> 32) } };

  for (int k = 0; k < rank - 1; k++) {
    set_words(&c, (uint64_t)in->index[k].i, (uint32_t)k, UINT32_MAX);
    philox(&c);
    c.key[0] = c.word[0];
    c.key[1] = c.word[1];
  }
  set_words(&c, last, in->draws++, (uint32_t)in->launch->random_task);
  philox(&c);
  return (uint64_t)c.word[1] << 32 | c.word[0];
}

/* ---- normal ---- */

/* log x by its mantissa's odd series in (m - 1) / (m + 1), m in [sqrt 1/2, sqrt 2). */
static double series_log(double x)
{
  int e;
  double m = frexp(x, &e), s, z, sum = 0;

  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    e--;
  }
  s = (m - 1) / (m + 1);
  z = s * s;
  for (int odd = 23; odd >= 3; odd -= 2) {
    sum += 1.0 / odd;
    sum *= z;
  }
  return e * 6.93147180559945286e-1 + (2 * s + 2 * s * sum);
}

static double polynomial(const double *coefficient, int degree, double x)
{
  double sum = coefficient[degree];

  for (int k = degree - 1; k >= 0; k--) {
    sum *= x;
    sum += coefficient[k];
  }
  return sum;
}

/* In pieces: the middle, the tails, what lies far out; above and below of each. */
static const double pieces[3][2][8] = {
  { { 3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
      1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
      3.3430575583588128105e+4, 2.5090809287301226727e+3 },
    { 1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
      2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
      5.2264952788528545610e+3 } },
  { { 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
      3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
      2.27238449892691845833e-2, 7.74545014278341407640e-4 },
    { 1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
      1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
      1.05075007164441684324e-9 } },
  { { 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
      2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
      2.71155556874348757815e-5, 2.01033439929228813265e-7 },
    { 1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
      2.04426310338993978564e-15 } }
};

static double ratio(int piece, double x)
{
  return polynomial(pieces[piece][0], 7, x) / polynomial(pieces[piece][1], 7, x);
}

static double normal(uint64_t bits)
{
  double q = ((double)((int64_t)(bits >> 11) - ((int64_t)1 << 52)) + 0.5) * 0x1p-53;
  double rest = 0.5 - fabs(q), r;

  if (rest >= 0.075)
    return q * ratio(0, 0.180625 - q * q);
  r = sqrt(-series_log(rest));
  return copysign(r <= 5 ? ratio(1, r - 1.6) : ratio(2, r - 5), q);
}

/* ---- by type ---- */

Value interpret_draw(Interpreter *in, const IrStmt *s)
{
  const Type *t = s->type;
  uint64_t bits = draw(in);

  if (s->op == IR_randn)
    return (Value){ .f = t->kind == TYPE_F32 ? (double)(float)normal(bits) : normal(bits) };
  if (t->kind == TYPE_F64)
    return (Value){ .f = (double)(bits >> 11) * 0x1p-53 };
  if (t->kind == TYPE_F32)
    return (Value){ .f = (double)((uint32_t)bits >> 8) * 0x1p-24 };
  if (t->kind == TYPE_BOOL)
    return (Value){ .i = (int64_t)(bits & 1) };
  return value_wrap(t, (Value){ .i = (int64_t)bits });
}
