/* What --check=grad moves: values of fields, held flat; runs of the kernel from near a point. */
#include "runtime/host/tree/check_grad.h"
#include "runtime/host/tree/draws.h"

#include <math.h>
#include <string.h>

/* ---- types ---- */

/* What is cut off grows with the square of the step, what is rounded with its inverse; a step near
 * the cube root of the rounding error makes them alike, and a smaller one meets fewer kinks. */
double sni_step_of(sn_type type)
{
  switch (type) {
  case SN_TYPE_F16: return 0x1p-4;
  case SN_TYPE_F32: return 0x1p-8;
  default: return 0x1p-18;
  }
}

static int is_real(sn_type type)
{
  return sni_type_epsilon(type) > 0;
}

/* ---- adjoints ---- */

static int visit_adjoint(sni_grad_check *c, sni_checked *f, uint64_t count, char *values,
                         void *with)
{
  double *to = (*(int *)with ? f->after : f->before) + f->at;

  (void)c;
  for (uint64_t k = 0; k < count; k++)
    to[k] = sni_element_get(f->type, values + k * f->bytes);
  return SN_OK;
}

int sni_check_hold_before(sni_grad_check *c)
{
  return sni_check_walk(c, SNI_CHECK_ADJOINTS, 0, visit_adjoint, &(int){ 0 });
}

int sni_check_hold_after(sni_grad_check *c)
{
  return sni_check_walk(c, SNI_CHECK_ADJOINTS, 0, visit_adjoint, &(int){ 1 });
}

/* ---- runs of the kernel ---- */

/* Silently; whether it went through.  What it prints, and an error of it, is nobody's. */
static int run(sni_grad_check *c)
{
  sn_context *context = c->context;
  const int is_silent = context->is_silent, had_error = atomic_load(&context->has_error) != 0;
  int code;

  if (c->is_lost)
    return 0;
  memcpy(c->run_params, c->params, (size_t)c->primal->params_bytes);
  context->is_silent = 1;
  code = sni_kernel_run(context, c->primal, c->trees, c->run_params, c->result, NULL);
  context->is_silent = is_silent;
  if (code != SN_OK && !had_error)
    sni_forget_error(context);
  return sni_check_has_cells(c) && code == SN_OK;
}

static double result_at(const sni_grad_check *c, uint32_t k)
{
  const snd_adjoint_result *r = &c->adjoint->adjoints[k];

  return sni_element_get(r->type, (const char *)c->result + r->offset);
}

/* ---- the point ---- */

static int visit_found(sni_grad_check *c, sni_checked *f, uint64_t count, char *values, void *with)
{
  const size_t bytes = (size_t)count * f->bytes, at = (size_t)f->at * f->bytes;

  (void)c;
  (void)with;
  memcpy(f->found + at, values, bytes);
  memcpy(f->point + at, values, bytes);
  return SN_OK;
}

static int visit_restore(sni_grad_check *c, sni_checked *f, uint64_t count, char *values,
                         void *with)
{
  (void)c;
  (void)with;
  memcpy(values, f->found + f->at * f->bytes, (size_t)count * f->bytes);
  return SN_OK;
}

int sni_check_restore(sni_grad_check *c)
{
  return c->is_lost ? sni_check_unlist(c)
                    : sni_check_walk(c, SNI_CHECK_CHANGED, 1, visit_restore, NULL);
}

/* Moves the point by as much as a run from it leaves too little; integers wrap.  1 where that is
 * more than rounding, else 0. */
static unsigned move_point(const sni_checked *f, char *point, const char *found, const char *run)
{
  uint64_t at = 0, wanted = 0, left = 0;

  if (is_real(f->type)) {
    const double was = sni_element_get(f->type, point), to = sni_element_get(f->type, found);
    const double less = to - sni_element_get(f->type, run);
    if (!(fabs(less) > 16 * sni_type_epsilon(f->type) * (fabs(was) + fabs(to))))
      return 0;
    sni_element_set(f->type, point, was + less);
    return 1;
  }
  if (f->type == SN_TYPE_BOOL || memcmp(found, run, f->bytes) == 0)
    return 0;
  memcpy(&at, point, f->bytes);
  memcpy(&wanted, found, f->bytes);
  memcpy(&left, run, f->bytes);
  at += wanted - left;
  memcpy(point, &at, f->bytes);
  return 1;
}

/* Of a field that the kernel adds to and reads, the point is less by what a run adds: there the
 * kernel finds what it found before the adjoint was called.  What is assigned does not care. */
static int visit_run(sni_grad_check *c, sni_checked *f, uint64_t count, char *values, void *with)
{
  const size_t at = (size_t)f->at * f->bytes;
  uint64_t *moved = with;

  (void)c;
  if (f->is_read)
    for (uint64_t k = 0; k < count; k++)
      *moved += move_point(f, f->point + at + k * f->bytes, f->found + at + k * f->bytes,
                           values + k * f->bytes);
  return SN_OK;
}

static int visit_point(sni_grad_check *c, sni_checked *f, uint64_t count, char *values, void *with)
{
  (void)c;
  (void)with;
  memcpy(values, f->point + f->at * f->bytes, (size_t)count * f->bytes);
  return SN_OK;
}

static int visit_left(sni_grad_check *c, sni_checked *f, uint64_t count, char *values, void *with)
{
  (void)c;
  (void)with;
  for (uint64_t k = 0; k < count; k++)
    f->left[f->at + k] = sni_element_get(f->type, values + k * f->bytes);
  return SN_OK;
}

static void find_scale(sni_checked *f)
{
  double sum = 0;

  for (uint64_t k = 0; k < f->count; k++) {
    const double x = sni_element_get(f->type, f->point + k * f->bytes);
    sum += x * x;
  }
  f->scale = f->count && sum > 0 ? sqrt(sum / (double)f->count) : 1;
}

static const char *run_again(sni_grad_check *c)
{
  return run(c) ? NULL : "its kernel cannot be run again";
}

/* The last run is from there.  What is added to one field may depend on what was added to another,
 * or to another cell of it: each run settles one more of them, and fewer values move.  So it ends:
 * where no fewer do in as many runs as there are such fields, the kernel finds other values. */
static int find_point(sni_grad_check *c, const char **reason)
{
  uint32_t sums = 0, runs;
  uint64_t fewest = UINT64_MAX, moved = 1;

  for (uint32_t k = 0; k < c->field_count; k++)
    sums += c->fields[k].is_read && c->fields[k].is_written;
  *reason = run_again(c);
  for (runs = sums; runs > 0 && moved > 0 && !*reason; runs--) {
    moved = 0;
    SN_TRY(sni_check_walk(c, SNI_CHECK_WRITTEN, 0, visit_run, &moved));
    if (moved > 0) {
      SN_TRY(sni_check_walk(c, SNI_CHECK_CHANGED, 1, visit_point, NULL));
      *reason = run_again(c);
    }
    if (moved < fewest) {
      fewest = moved;
      runs = sums + 1;
    }
  }
  return SN_OK;
}

int sni_check_hold(sni_grad_check *c, const char **reason)
{
  SN_TRY(sni_check_walk(c, SNI_CHECK_ALL, 0, visit_found, NULL));
  SN_TRY(sni_check_list(c));
  SN_TRY(find_point(c, reason));
  if (*reason)
    return SN_OK;
  for (uint32_t k = 0; k < c->adjoint->adjoint_count; k++)
    c->left[k] = result_at(c, k);
  for (uint32_t k = 0; k < c->field_count; k++)
    if (c->fields[k].adjoint >= 0)
      find_scale(&c->fields[k]);
  return sni_check_walk(c, SNI_CHECK_WRITTEN, 0, visit_left, NULL);
}

/* ---- near the point ---- */

/* From -1 to -1/2, or from 1/2 to 1. */
static double random_part(uint64_t seed, uint64_t number)
{
  const uint64_t bits = sni_mixed(sni_mixed(seed) ^ number);
  const double size = 0.5 + 0.5 * (double)(bits >> 12) * 0x1p-52;

  return bits & 1 ? size : -size;
}

/* Where the k-th value is at that t. */
static double place(const sni_grad_check *c, const sni_checked *f, const sni_direction *d,
                    uint64_t k, double t)
{
  const double at = sni_element_get(f->type, f->point + k * f->bytes);
  const double part = sni_step_of(c->coarsest) * t * random_part(d->seed, f->first + k);

  return at + part * (d->is_relative ? fabs(at) : f->scale);
}

static int is_in(const sni_checked *f, const sni_direction *d, uint64_t k)
{
  return f->adjoint >= 0 && f->first + k >= d->from && f->first + k < d->to;
}

double sni_check_moved(const sni_grad_check *c, const sni_checked *f, const sni_direction *d,
                       uint64_t k, double t)
{
  uint64_t rounded;

  if (!is_in(f, d, k))
    return 0;
  sni_element_set(f->type, &rounded, place(c, f, d, k, t));
  return sni_element_get(f->type, &rounded) - sni_element_get(f->type, f->point + k * f->bytes);
}

typedef struct moving {
  const sni_direction *direction;
  double t;
  sni_reading *reading;
} moving;

static int visit_move(sni_grad_check *c, sni_checked *f, uint64_t count, char *values, void *with)
{
  const moving *m = with;

  memcpy(values, f->point + f->at * f->bytes, (size_t)count * f->bytes);
  for (uint64_t k = f->at; k < f->at + count; k++)
    if (is_in(f, m->direction, k)) {
      const double moved = sni_check_moved(c, f, m->direction, k, m->t);
      const double gain = (f->after[k] - (f->is_written ? 0 : f->before[k])) * moved;
      const double rounded = f->is_written ? 0 : f->before[k] * moved * sni_type_epsilon(f->type);
      sni_element_set(f->type, values + (k - f->at) * f->bytes,
                      place(c, f, m->direction, k, m->t));
      m->reading->gain += gain;
      m->reading->gain_spread += gain * gain;
      m->reading->noise += rounded * rounded;
      m->reading->moved += fabs(moved);
    }
  return SN_OK;
}

/* The adjoint used what the call found; it is the kernel's where a run leaves the same, as far as
 * sums of many terms are: their terms are as large as what a step changes them by says. */
static void compare_found(sni_grad_check *c, const sni_checked *f, uint64_t k, double now)
{
  const double found = sni_element_get(f->type, f->found + k * f->bytes), left = f->left[k];
  const double terms = fabs(now - left) / sni_step_of(c->coarsest);
  const double most = 1e4 * sni_type_epsilon(f->type) * (fabs(found) + fabs(left) + terms);

  if (c->stale || fabs(found - left) <= most || (isnan(found) && isnan(left)))
    return;
  c->stale = f;
  c->stale_at = k;
  c->stale_found = found;
  c->stale_left = left;
}

static void add_value(sni_reading *r, double adjoint, double now, double left, double epsilon)
{
  const double value = adjoint * (now - left), noise = adjoint * now * epsilon;

  if (now == left) {
    r->unseen = fmax(r->unseen, noise * noise);
    return;
  }
  r->value += value;
  r->value_spread += value * value;
  r->noise += noise * noise;
}

static int visit_compare(sni_grad_check *c, sni_checked *f, uint64_t count, char *values,
                         void *with)
{
  const moving *m = with;

  for (uint64_t k = f->at; k < f->at + count; k++) {
    const double now = sni_element_get(f->type, values + (k - f->at) * f->bytes);
    if (f->is_needed)
      compare_found(c, f, k, now);
    if (f->adjoint >= 0 && f->before[k] != 0)
      add_value(m->reading, f->before[k], now, f->left[k], sni_type_epsilon(f->type));
  }
  return SN_OK;
}

int sni_check_read(sni_grad_check *c, const sni_direction *d, double t, sni_reading *r)
{
  moving m = { d, t, r };

  *r = (sni_reading){ 0 };
  SN_TRY(sni_check_walk(c, SNI_CHECK_CHANGED, 1, visit_move, &m));
  if (!run(c))
    return SN_OK;
  SN_TRY(sni_check_walk(c, SNI_CHECK_WRITTEN, 0, visit_compare, &m));
  for (uint32_t k = 0; k < c->adjoint->adjoint_count; k++) {
    const snd_adjoint_result *result = &c->adjoint->adjoints[k];
    const double bar = sni_element_get(result->type, (const char *)c->params + result->adjoint);
    if (bar != 0)
      add_value(r, bar, result_at(c, k), c->left[k], 4 * sni_type_epsilon(result->type));
  }
  r->noise += r->unseen;
  r->is_finite = isfinite(r->value) && isfinite(r->noise);
  return SN_OK;
}

/* ---- one of them ---- */

typedef struct marking {
  const sni_checked *field;
  uint64_t k;
} marking;

static int visit_mark(sni_grad_check *c, sni_checked *f, uint64_t count, char *values, void *with)
{
  const marking *m = with;

  (void)c;
  memset(values, 0, (size_t)count * f->bytes);
  if (f == m->field && m->k >= f->at && m->k < f->at + count)
    values[(m->k - f->at) * f->bytes] = 1;
  return SN_OK;
}

int sni_check_mark(sni_grad_check *c, const sni_checked *f, uint64_t k)
{
  return sni_check_walk(c, SNI_CHECK_CHANGED, 1, visit_mark, &(marking){ f, k });
}
