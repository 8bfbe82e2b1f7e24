/* The dense reference.  Every sum is in the order of brain.sn, and nothing is
 * contracted (-ffp-contract=off), so that the results can be compared closely. */
#include "reference.h"

#include <stdlib.h>

int reference_create(const volume *v, float threshold, reference *out)
{
  reference r = { { v->n[0] + 2, v->n[1] + 2, v->n[2] + 2 }, NULL, NULL, NULL, NULL };
  const size_t cells = (size_t)(r.m[0] * r.m[1] * r.m[2]);
  const float *value = v->value;

  r.u = calloc(cells, sizeof *r.u);
  r.next = calloc(cells, sizeof *r.next);
  r.inside = calloc(cells, 1);
  r.grown = calloc(cells, 1);
  if (!r.u || !r.next || !r.inside || !r.grown) {
    reference_free(&r);
    return -1;
  }
  for (int64_t i = 0; i < v->n[0]; i++)
    for (int64_t j = 0; j < v->n[1]; j++)
      for (int64_t k = 0; k < v->n[2]; k++, value++) {
        const int64_t at = reference_at(&r, i + 1, j + 1, k + 1);
        if (*value > threshold) {
          r.u[at] = *value;
          r.inside[at] = 1;
        }
      }
  *out = r;
  return 0;
}

void reference_free(reference *r)
{
  free(r->u);
  free(r->next);
  free(r->inside);
  free(r->grown);
  r->u = r->next = NULL;
  r->inside = r->grown = NULL;
}

static inline float flow(float d, float inverse_kappa)
{
  const float s = d * inverse_kappa;
  return d / (1.0f + s * s);
}

void reference_diffuse(reference *r, float rate, float inverse_kappa)
{
  const int64_t row = r->m[2], plane = r->m[1] * r->m[2];
  const uint8_t *inside = r->inside;
  float *u = r->u, *next = r->next;

  for (int64_t i = 1; i < r->m[0] - 1; i++)
    for (int64_t j = 1; j < r->m[1] - 1; j++)
      for (int64_t k = 1; k < r->m[2] - 1; k++) {
        const int64_t at = reference_at(r, i, j, k);
        float c, sum = 0;
        if (!inside[at]) continue;
        c = u[at];
        if (inside[at - plane]) sum += flow(u[at - plane] - c, inverse_kappa);
        if (inside[at + plane]) sum += flow(u[at + plane] - c, inverse_kappa);
        if (inside[at - row]) sum += flow(u[at - row] - c, inverse_kappa);
        if (inside[at + row]) sum += flow(u[at + row] - c, inverse_kappa);
        if (inside[at - 1]) sum += flow(u[at - 1] - c, inverse_kappa);
        if (inside[at + 1]) sum += flow(u[at + 1] - c, inverse_kappa);
        next[at] = c + rate * sum;
      }
  r->u = next;
  r->next = u;
}

int64_t reference_dilate(reference *r, float value)
{
  const int64_t row = r->m[2], plane = r->m[1] * r->m[2];
  int64_t joined = 0;

  for (int64_t i = 1; i < r->m[0] - 1; i++)
    for (int64_t j = 1; j < r->m[1] - 1; j++)
      for (int64_t k = 1; k < r->m[2] - 1; k++) {
        const int64_t at = reference_at(r, i, j, k);
        r->grown[at] = !r->inside[at] &&
                       (r->inside[at - plane] || r->inside[at + plane] || r->inside[at - row] ||
                        r->inside[at + row] || r->inside[at - 1] || r->inside[at + 1]);
      }
  for (int64_t at = 0; at < r->m[0] * plane; at++)
    if (r->grown[at]) {
      r->inside[at] = 1;
      r->u[at] = value;
      joined++;
    }
  return joined;
}

int64_t reference_count(const reference *r)
{
  int64_t n = 0;

  for (int64_t at = 0; at < r->m[0] * r->m[1] * r->m[2]; at++) n += r->inside[at];
  return n;
}

double reference_mass(const reference *r)
{
  double sum = 0;

  for (int64_t at = 0; at < r->m[0] * r->m[1] * r->m[2]; at++)
    if (r->inside[at]) sum += r->u[at];
  return sum;
}
