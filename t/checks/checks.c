/* Says of each call what it gives or how it fails. */
#include "checks.h"

#include <inttypes.h>
#include <stdio.h>

static sn_context *context;

#define SAY(call, format, value) \
  do { \
    int say_code = (call); \
    printf("%s: ", #call); \
    if (say_code) printf("%d: %s\n", say_code, sn_context_error(context)); \
    else printf(format "\n", value); \
    sn_context_clear(context); \
  } while (0)

int main(void)
{
  const int32_t good[2] = { 3, 4 }, bad[2] = { 3, 0 };
  int32_t n, both[2];
  uint64_t u;
  int64_t k;
  float f;
  checks_t *t;
  checks_others *o;

  if (sn_context_create(NULL, &context) || checks_t_create(context, NULL, 4, &t) ||
      checks_others_create(context, NULL, &o) || checks_fill(t, o))
    return 1;
  SAY(checks_each(t, 9, &n), "%" PRId32, n);
  SAY(checks_each(t, 3, &n), "%" PRId32, n);
  SAY(checks_several(context, 4, &n), "%" PRId32, n);
  SAY(checks_several(context, 0, &n), "%" PRId32, n);
  SAY(checks_whole(context, good, both), "%" PRId32, both[0] + both[1]);
  SAY(checks_whole(context, bad, both), "%" PRId32, both[0]);
  SAY(checks_update(t, 3, &u), "%" PRIu64, u);
  SAY(checks_update(t, 0, &u), "%" PRIu64, u);
  SAY(checks_serial(t, 3, &n), "%" PRId32, n);
  SAY(checks_serial(t, 0, &n), "%" PRId32, n);
  SAY(checks_others_pass(context, 0, 0.0f, &f), "%g", (double)f);
  SAY(checks_taken(t, -4, 1, &n), "%" PRId32, n);
  SAY(checks_taken(t, -4, 2, &n), "%" PRId32, n);
  SAY(checks_taken(t, -5, 2, &n), "%" PRId32, n);
  SAY(checks_taken(t, -4, 8, &n), "%" PRId32, n);
  SAY(checks_own(t, &n), "%" PRId32, n);
  SAY(checks_beside(t, -1, &n), "%" PRId32, n);
  SAY(checks_beside(t, 1, &n), "%" PRId32, n);
  SAY(checks_vector(t, 1, 1, &n), "%" PRId32, n);
  SAY(checks_vector(t, 4, 4, &n), "%" PRId32, n);
  SAY(checks_activating(t, 4, 4, &n), "%" PRId32, n);
  SAY(checks_border(t, -6, 8, &n), "%" PRId32, n);
  SAY(checks_border(t, 9, 8, &n), "%" PRId32, n);
  SAY(checks_keyed(o, -3, &k), "%" PRId64, k);
  SAY(checks_keyed(o, 3, &k), "%" PRId64, k);
  SAY(checks_listed(o, 1, &f), "%g", (double)f);
  SAY(checks_listed(o, 5, &f), "%g", (double)f);
  checks_t_destroy(t);
  checks_others_destroy(o);
  if (sn_context_destroy(context)) return 1;
  return 0;
}
