/* Comparing an adjoint with central differences, and finding the cell whose adjoint is off.
 *
 * At t and -t, and at half of it, what the kernel's outputs come to (the value) and what the
 * adjoint says (the gain) are read.  Their difference r(t) has an odd part, which is the adjoint's
 * error times t and what central differences cut off, which goes with the cube of t; and an even
 * part, which of a smooth kernel goes with the square, and at a kink with t itself.  So two widths
 * tell how much of the odd part is cut off and how much a kink leaves open.  An adjoint is wrong
 * only where the odd part is larger than all that, than rounding, and than the tolerance.
 */
#include "runtime/host/tree/check_grad.h"

#include <math.h>
#include <stddef.h>

enum { DIRECTIONS = 4, LEAST_TIMES = 4 };

typedef struct verdict {
  int is_known;                  /* the differences tell at all */
  int is_wrong;
  double value, gain, moved;     /* the odd parts of both, and by how much values were moved */
  double off, open;              /* the difference, at its least; what is open of it */
} verdict;

/* Behind that many roundings of what is added up to an adjoint it is still right; a sum of n of
 * them is known to sqrt(n) roundings, and more where they cancel. */
static double tolerance_of(sn_type type)
{
  switch (type) {
  case SN_TYPE_F16: return 0.05;
  case SN_TYPE_F32: return 5e-3;
  default: return 1e-5;
  }
}

static double least(double a, double b)
{
  return a < b ? a : b;
}

/* r at t, -t, t / 2, -t / 2. */
static void judge(const sni_grad_check *c, const sni_reading *at, verdict *v)
{
  const int has_gain = isfinite(at[0].gain) && isfinite(at[1].gain) && isfinite(at[2].gain) &&
                       isfinite(at[3].gain);
  double r[4], wide, narrow, bent, open, size;

  for (int k = 0; k < 4; k++)
    r[k] = at[k].value - (has_gain ? at[k].gain : 0);
  wide = (r[0] - r[1]) / 2;
  narrow = (r[2] - r[3]) / 2;
  bent = 2 * (r[2] + r[3]) - (r[0] + r[1]) / 2;
  size = sqrt(at[0].value_spread) + fabs(at[0].value - at[1].value) / 2;
  if (has_gain)
    size += sqrt(at[0].gain_spread) + fabs(at[0].gain - at[1].gain) / 2;
  open = 2 * fabs(wide - 2 * narrow) + 2 * fabs(bent) + tolerance_of(c->coarsest) * size +
         8 * sqrt(at[0].noise + at[1].noise + at[2].noise + at[3].noise);
  v->off = least(least(fabs(wide), 2 * fabs(narrow)), fabs(8 * narrow - wide) / 3);
  v->open = open;
  v->value = (8 * (at[2].value - at[3].value) - (at[0].value - at[1].value)) / 6;
  v->gain = (at[0].gain - at[1].gain) / 2;
  v->moved = (at[0].moved + at[1].moved) / 2;
  v->is_wrong = v->off > open;
  v->is_known = v->is_wrong || open <= 0.2 * size;
  if (!has_gain)
    v->is_wrong = v->is_known = open <= 0.2 * size;
}

static int measure(sni_grad_check *c, const sni_direction *d, double t, verdict *v)
{
  const double ts[4] = { t, -t, t / 2, -t / 2 };
  sni_reading at[4];
  int is_known = 1;

  *v = (verdict){ 0 };
  for (int k = 0; k < 4 && is_known; k++) {
    SN_TRY(sni_check_read(c, d, ts[k], &at[k]));
    is_known = at[k].is_finite && at[k].moved > 0;
  }
  if (is_known)
    judge(c, at, v);
  return SN_OK;
}

/* Where the first step does not tell: smaller ones, which meet fewer kinks, and one that rounding
 * disturbs less. */
static int measure_well(sni_grad_check *c, const sni_direction *d, verdict *v)
{
  static const double steps[] = { 1, 1.0 / 16, 1.0 / 256, 8 };

  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    SN_TRY(measure(c, d, steps[k], v));
    if (v->is_known)
      return SN_OK;
  }
  return SN_OK;
}

/* ---- the cell ---- */

/* Between two fields where there are several, else in the middle. */
static uint64_t cut(const sni_grad_check *c, uint64_t from, uint64_t to)
{
  const uint64_t middle = from + (to - from) / 2;
  uint64_t best = middle, distance = to;

  for (uint32_t k = 0; k < c->field_count; k++) {
    const sni_checked *f = &c->fields[k];
    const uint64_t away = f->first > middle ? f->first - middle : middle - f->first;
    if (f->adjoint >= 0 && f->first > from && f->first < to && away < distance) {
      best = f->first;
      distance = away;
    }
  }
  return best;
}

/* As few values as tell that the adjoint is wrong. */
static int narrow_down(sni_grad_check *c, sni_direction *d)
{
  while (d->to - d->from > 1) {
    const uint64_t middle = cut(c, d->from, d->to);
    sni_direction half = *d;
    verdict v;
    half.to = middle;
    SN_TRY(measure_well(c, &half, &v));
    if (!v.is_wrong) {
      half = (sni_direction){ d->seed, d->is_relative, middle, d->to };
      SN_TRY(measure_well(c, &half, &v));
    }
    if (!v.is_wrong)
      return SN_OK;
    *d = half;
  }
  return SN_OK;
}

/* How often it is wrong along one direction, by several steps; 0 where a step that would show what
 * the others do shows nothing: what is flat between jumps has no difference there. */
static int confirm_along(sni_grad_check *c, const sni_direction *d, int *times)
{
  static const double steps[] = { 4, 1, 1.0 / 8, 1.0 / 64, 1.0 / 4096 };
  enum { STEPS = sizeof steps / sizeof *steps };
  verdict v[STEPS];
  double slope = INFINITY;

  *times = 0;
  for (int k = 0; k < STEPS; k++) {
    SN_TRY(measure(c, d, steps[k], &v[k]));
    *times += v[k].is_wrong;
    if (v[k].is_wrong)
      slope = least(slope, v[k].off / steps[k]);
  }
  for (int k = 0; k < STEPS; k++)
    if (!v[k].is_wrong && v[k].moved > 0 && v[k].open < slope * steps[k] / 4)
      *times = 0;
  return SN_OK;
}

static int confirm(sni_grad_check *c, const sni_direction *d, int *is_wrong)
{
  sni_direction other = *d;
  int times, more;

  other.seed += DIRECTIONS;
  SN_TRY(confirm_along(c, d, &times));
  SN_TRY(confirm_along(c, &other, &more));
  *is_wrong = times > 0 && more > 0 && times + more >= LEAST_TIMES;
  return SN_OK;
}

/* ---- what is said ---- */

static const sni_checked *field_of(const sni_grad_check *c, uint64_t number)
{
  const sni_checked *f = c->fields;

  while (f->adjoint < 0 || number < f->first || number >= f->first + f->count)
    f++;
  return f;
}

/* A NaN has a sign, which says nothing. */
static double unsigned_nan(double x)
{
  return isnan(x) ? fabs(x) : x;
}

static int report_cell(sni_grad_check *c, const sni_direction *d)
{
  const sni_checked *f = field_of(c, d->from);
  const uint64_t k = d->from - f->first;
  char name[SNI_CELL_NAME_BYTES];
  double moved;
  verdict v;

  SN_TRY(measure_well(c, d, &v));
  moved = sni_check_moved(c, f, d, k, 1) < 0 ? -v.moved : v.moved;
  SN_TRY(sni_check_name(c, f, k, name));
  return sni_fail(c->context, SN_EDERIVATIVE, "%s: the adjoint of %s is %.9g behind it, and by "
                  "differences of %s it is %.9g (--check=grad): please report the kernel as an "
                  "error of snodegen", c->adjoint->c_name, name, unsigned_nan(f->after[k]),
                  c->primal->c_name,
                  v.value / moved + (f->is_written ? 0 : f->before[k]));
}

static int report_cells(sni_grad_check *c, const sni_direction *d)
{
  const sni_checked *first = field_of(c, d->from), *last = field_of(c, d->to - 1);
  char name[SNI_CELL_NAME_BYTES], end[SNI_CELL_NAME_BYTES];
  verdict v;

  SN_TRY(measure_well(c, d, &v));
  SN_TRY(sni_check_name(c, first, d->from - first->first, name));
  SN_TRY(sni_check_name(c, last, d->to - 1 - last->first, end));
  return sni_fail(c->context, SN_EDERIVATIVE, "%s: the adjoints of %llu cells from %s to %s give "
                  "%.9g along a direction, and differences of %s give %.9g (--check=grad): please "
                  "report the kernel as an error of snodegen", c->adjoint->c_name,
                  (unsigned long long)(d->to - d->from), name, end, v.gain, c->primal->c_name,
                  v.value);
}

static int report_stale(sni_grad_check *c)
{
  char name[SNI_CELL_NAME_BYTES];

  SN_TRY(sni_check_name(c, c->stale, c->stale_at, name));
  return sni_fail(c->context, SN_ESTATE, "%s: it uses %s, which is %.9g, and %s leaves %.9g there "
                  "(--check=grad): call it behind %s, with the fields as that has left them",
                  c->adjoint->c_name, name, c->stale_found, c->primal->c_name, c->stale_left,
                  c->primal->c_name);
}

/* ---- all of it ---- */

static int look_closer(sni_grad_check *c, sni_direction *d)
{
  int is_wrong;

  SN_TRY(narrow_down(c, d));
  SN_TRY(confirm(c, d, &is_wrong));
  if (!is_wrong)
    return SN_OK;
  return d->to - d->from == 1 ? report_cell(c, d) : report_cells(c, d);
}

/* Of so many values that one kink or another is always met, a part. */
static void choose_part(const sni_grad_check *c, sni_direction *d)
{
  const uint64_t count = c->moved_count / 64 + 1, parts = (c->moved_count + count - 1) / count;

  d->from = d->seed * 7 % parts * count;
  d->to = d->from + count < c->moved_count ? d->from + count : c->moved_count;
}

int sni_check_compare(sni_grad_check *c, const char **reason)
{
  int known = 0;

  if (!c->moved_count)
    return SN_OK;
  for (int k = 0; k < DIRECTIONS; k++) {
    sni_direction d = { (uint64_t)k, k % 2, 0, c->moved_count };
    verdict v;
    SN_TRY(measure_well(c, &d, &v));
    if (c->stale)
      return report_stale(c);
    if (!v.is_known) {
      choose_part(c, &d);
      SN_TRY(measure_well(c, &d, &v));
    }
    known += v.is_known;
    if (v.is_wrong)
      SN_TRY(look_closer(c, &d));
  }
  if (!known)
    *reason = "differences do not settle: it is at a kink, or rounding is larger than they are";
  return SN_OK;
}
