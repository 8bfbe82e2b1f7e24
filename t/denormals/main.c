/* main.c: what kernels leave of numbers that become denormal, and the threads of the program */
#include "fade.h"
#include <stdio.h>

static void tell(void *user, const char *text)
{
  (void)user;
  printf("log: %s\n", text);
}

/* In every thread that OpenMP has: denormal numbers are there as before. */
static int threads_keep_them(void)
{
  int lost = 0;
#ifdef _OPENMP
# pragma omp parallel reduction(+ : lost)
#endif
  {
    volatile double small = 3e-308;
    volatile float smaller = 1.5e-38f;
    small *= 0.5;
    smaller *= 0.5f;
    lost += small <= 0 || smaller <= 0;
  }
  return lost == 0;
}

static int run(sn_context *context, fade_t *t)
{
  int64_t left[3];

  (void)context;
  SN_TRY(fade_start(t));
  SN_TRY(fade_halve(t));
  SN_TRY(fade_count(t, left, 3));
  printf("%d %d %d\n", (int)left[0], (int)left[1], (int)left[2]);
  printf("threads %s\n", threads_keep_them() ? "as before" : "have lost them");
  return SN_OK;
}

int main(void)
{
  sn_config *config;
  sn_context *context;
  fade_t *t;

  SN_TRY(sn_config_create(&config));
  SN_TRY(sn_config_set_log(config, tell, NULL));
  SN_TRY(sn_context_create(config, &context));
  sn_config_destroy(config);
  SN_TRY(fade_t_create(context, NULL, &t));
  if (run(context, t)) puts(sn_context_error(context));
  fade_t_destroy(t);
  return sn_context_destroy(context);
}
