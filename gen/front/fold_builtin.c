/* Built-in functions on literals, so that constants may be made with them.
 *
 * Only flexible literals, in 64 bits; what is left out here (fma, mix, the
 * counts, bitcast, and integers whose result would not fit) is computed at run
 * time.
 */
#include "gen/front/check.h"

#include <math.h>

static double sign_of(double x) { return (double)((x > 0) - (x < 0)); }

/* Halves away from zero, NaN gives the other: as the language has them. */
static bool float_result(int builtin, const double *x, double *out) {
  switch ((Builtin)builtin) {
  case BUILTIN_sqrt: *out = sqrt(x[0]); return true;
  case BUILTIN_rsqrt: *out = 1.0 / sqrt(x[0]); return true;
  case BUILTIN_exp: *out = exp(x[0]); return true;
  case BUILTIN_log: *out = log(x[0]); return true;
  case BUILTIN_sin: *out = sin(x[0]); return true;
  case BUILTIN_cos: *out = cos(x[0]); return true;
  case BUILTIN_tan: *out = tan(x[0]); return true;
  case BUILTIN_asin: *out = asin(x[0]); return true;
  case BUILTIN_acos: *out = acos(x[0]); return true;
  case BUILTIN_atan: *out = atan(x[0]); return true;
  case BUILTIN_atan2: *out = atan2(x[0], x[1]); return true;
  case BUILTIN_sinh: *out = sinh(x[0]); return true;
  case BUILTIN_cosh: *out = cosh(x[0]); return true;
  case BUILTIN_tanh: *out = tanh(x[0]); return true;
  case BUILTIN_floor: *out = floor(x[0]); return true;
  case BUILTIN_ceil: *out = ceil(x[0]); return true;
  case BUILTIN_round: *out = round(x[0]); return true;
  case BUILTIN_trunc: *out = trunc(x[0]); return true;
  case BUILTIN_pow: *out = pow(x[0], x[1]); return true;
  case BUILTIN_abs: *out = fabs(x[0]); return true;
  case BUILTIN_sign: *out = sign_of(x[0]); return true;
  case BUILTIN_min: *out = fmin(x[0], x[1]); return true;
  case BUILTIN_max: *out = fmax(x[0], x[1]); return true;
  case BUILTIN_clamp: *out = fmin(fmax(x[0], x[1]), x[2]); return true;
  case BUILTIN_sqr: *out = x[0] * x[0]; return true;
  case BUILTIN_floordiv: *out = floor(x[0] / x[1]); return true;
  default: return false;
  }
}

/* base to a small power; false on overflow. */
static bool integer_power(int64_t base, int64_t exponent, int64_t *out) {
  if (exponent < 0 || exponent > 63)
    return false;
  *out = 1;
  for (; exponent > 0; exponent--)
    if (__builtin_mul_overflow(*out, base, out))
      return false;
  return true;
}

static bool floor_division(int builtin, int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || b == -1)
    return false;
  int64_t quotient = a / b, rest = a % b;
  bool is_above = rest != 0 && (rest < 0) != (b < 0);
  *out = builtin == BUILTIN_floordiv ? quotient - is_above : is_above ? rest + b : rest;
  return true;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }

static bool integer_result(int builtin, const int64_t *x, int64_t *out) {
  switch ((Builtin)builtin) {
  case BUILTIN_pow: return integer_power(x[0], x[1], out);
  case BUILTIN_abs: *out = x[0] < 0 ? -x[0] : x[0]; return x[0] != INT64_MIN;
  case BUILTIN_sign: *out = (x[0] > 0) - (x[0] < 0); return true;
  case BUILTIN_min: *out = least(x[0], x[1]); return true;
  case BUILTIN_max: *out = greatest(x[0], x[1]); return true;
  case BUILTIN_clamp: *out = least(greatest(x[0], x[1]), x[2]); return true;
  case BUILTIN_sqr: return !__builtin_mul_overflow(x[0], x[0], out);
  case BUILTIN_floordiv: case BUILTIN_floormod:
    return floor_division(builtin, x[0], x[1], out);
  default: return false;
  }
}

static bool are_flexible_literals(const Expr *e) {
  for (int i = 0; i < e->arg_count; i++) {
    const Expr *argument = e->args[i];
    bool is_huge = argument->type == TY(U64) && argument->value.i < 0;
    if (!is_literal(argument) || !argument->is_constant || is_huge)
      return false;
  }
  return e->arg_count > 0 && e->arg_count <= 3;
}

Expr *fold_builtin(Expr *e) {
  if (!e->is_constant || e->builtin == BUILTIN_select || !are_flexible_literals(e))
    return e;
  const Type *type = e->type;
  bool is_weak = e->is_weak;
  if (type_is_float(type)) {
    double x[3] = {0}, result;
    for (int i = 0; i < e->arg_count; i++)
      x[i] = value_cast(TY(F64), type_is_float(e->args[i]->type) ? TY(F64)
                                 : e->args[i]->type, e->args[i]->value).f;
    if (!float_result(e->builtin, x, &result))
      return e;
    set_literal(e, type, (Value){.f = result});
    e->is_constant = true;
    e->is_weak = is_weak;
    return e;
  }
  int64_t x[3] = {0}, result;
  for (int i = 0; i < e->arg_count; i++)
    x[i] = e->args[i]->value.i;
  if (integer_result(e->builtin, x, &result))
    set_integer(e, (uint64_t)result, false, type, is_weak);
  return e;
}
