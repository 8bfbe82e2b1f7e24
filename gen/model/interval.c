/* Intervals of integer values. */
#include "gen/model/interval.h"

Interval interval_of_type(const Type *t)
{
  const int bits = t->bits;

  if (!type_is_integer(t))
    return (Interval){ 0, t->kind == TYPE_BOOL };
  if (t->is_signed)
    return bits == 64 ? (Interval){ INT64_MIN, INT64_MAX }
                      : (Interval){ -(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1 };
  return (Interval){ 0, bits == 64 ? INT64_MAX : (INT64_C(1) << bits) - 1 };
}

bool interval_is_inside(Interval a, Interval outer)
{
  return a.lo >= outer.lo && a.hi <= outer.hi;
}

static bool add_within(int64_t a, int64_t b, int64_t *sum)
{
  if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b))
    return false;
  *sum = a + b;
  return true;
}

static bool add(Interval a, Interval b, Interval *r)
{
  return add_within(a.lo, b.lo, &r->lo) && add_within(a.hi, b.hi, &r->hi);
}

static bool subtract(Interval a, Interval b, Interval *r)
{
  return b.lo > INT64_MIN && b.hi > INT64_MIN && add(a, (Interval){ -b.hi, -b.lo }, r);
}

/* Small factors only: what indices are made of. */
static bool multiply(Interval a, Interval b, Interval *r)
{
  const int64_t most = INT64_C(1) << 31;
  const Interval small = { -most, most };

  if (!interval_is_inside(a, small) || !interval_is_inside(b, small))
    return false;
  const int64_t p[] = { a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi };
  *r = (Interval){ p[0], p[0] };
  for (int k = 1; k < 4; k++)
    *r = (Interval){ p[k] < r->lo ? p[k] : r->lo, p[k] > r->hi ? p[k] : r->hi };
  return true;
}

bool interval_of_operator(Op op, Interval a, Interval b, Interval *r)
{
  switch (op) {
  case OP_ADD: return add(a, b, r);
  case OP_SUB: return subtract(a, b, r);
  case OP_MUL: return multiply(a, b, r);
  default:     return false;
  }
}
