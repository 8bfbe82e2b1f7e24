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

/* A context that has room for four iterations. */
static void say_small(void)
{
  sn_context *all = context;
  sn_config *config;
  int32_t n;

  if (sn_config_create(&config) || sn_config_set(config, "claims", "4") ||
      sn_context_create(config, &context))
    printf("no small context\n");
  sn_config_destroy(config);
  SAY(checks_six(context, 2, &n), "%" PRId32, n);
  SAY(checks_one_thread(context, 3, &n), "%" PRId32, n);
  if (sn_context_destroy(context)) printf("the small context still has trees\n");
  context = all;
}

int main(void)
{
  const int32_t good[2] = { 3, 4 }, bad[2] = { 3, 0 };
  int32_t n, both[2];
  uint64_t u;
  int64_t k;
  float f;
  int32_t host[3] = { 0 };
  int32_t at[6] = { 1, 5, 0, 7, 2, 9 };
  checks_sorted *sorted;
  checks_t *t;
  checks_others *o;

  if (sn_context_create(NULL, &context) || checks_t_create(context, NULL, 4, &t) ||
      checks_sorted_create(context, NULL, &sorted) || checks_others_create(context, NULL, &o) ||
      checks_fill(t, o))
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
  SAY(checks_permuted(sorted, 6, &n), "%" PRId32, n);
  SAY(checks_permuted(sorted, 2, &n), "%" PRId32, n);
  SAY(checks_permuted(sorted, 6, &n), "%" PRId32, n);
  SAY(checks_spread(sorted, 4900, &n), "%" PRId32, n);
  SAY(checks_spread(sorted, 17, &n), "%" PRId32, n);
  SAY(checks_of_array(context, host, 3, at, &n), "%" PRId32, n);
  at[5] = 7; at[4] = 0;
  SAY(checks_of_array(context, host, 3, at, &n), "%" PRId32, n);
  SAY(checks_row(t, 1, &n), "%" PRId32, n);
  SAY(checks_row(t, 2, &n), "%" PRId32, n);
  SAY(checks_one_thread(context, 3, &n), "%" PRId32, n);
  SAY(checks_one_thread(context, 2, &n), "%" PRId32, n);
  SAY(checks_six(context, 2, &n), "%" PRId32, n);
  SAY(checks_six(context, 1, &n), "%" PRId32, n);
  say_small();
  checks_sorted_destroy(sorted);
  checks_t_destroy(t);
  checks_others_destroy(o);
  if (sn_context_destroy(context)) return 1;
  return 0;
}
