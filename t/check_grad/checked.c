/* Calls each adjoint behind its kernel, and says what it comes to, what the log tells, and whether
 * a field is not what it was. */
#include "checked.h"

#include <stdio.h>
#include <string.h>

static sn_context *context;
static checked_grid *g;

static int try(int code, const char *call)
{
  if (code)
    printf("%s: %d, %s\n", call, code, sn_context_error(context));
  sn_context_clear(context);
  return code;
}
#define TRY(call) try(call, #call)

static void tell(void *user, const char *text)
{
  (void)user;
  if (strstr(text, "checked (--check=grad)"))
    printf("  %s\n", text);
}

/* Sums that tell whether a field is what it was. */
static double sum(void)
{
  static double u[64], v[64], w[24], mass[12], far[16];
  static float a[64], b[64];
  static sn_f16 twice[64];
  double all = 0, total;

  TRY(checked_u_read(g, NULL, sn_span_host(u, sizeof u), NULL));
  TRY(checked_v_read(g, NULL, sn_span_host(v, sizeof v), NULL));
  TRY(checked_w_read(g, NULL, sn_span_host(w, sizeof w), NULL));
  TRY(checked_mass_read(g, NULL, sn_span_host(mass, sizeof mass), NULL));
  TRY(checked_far_read(g, NULL, sn_span_host(far, sizeof far), NULL));
  TRY(checked_a_read(g, NULL, sn_span_host(a, sizeof a), NULL));
  TRY(checked_b_read(g, NULL, sn_span_host(b, sizeof b), NULL));
  TRY(checked_twice_read(g, NULL, sn_span_host(twice, sizeof twice), NULL));
  TRY(checked_total_get(g, &total));
  for (int k = 0; k < 64; k++)
    all += u[k] * (k + 1) + v[k] * (k + 2) + (double)(a[k] * 3 + b[k]) * k + twice[k] * 0.01 * k;
  for (int k = 0; k < 12; k++)
    all += mass[k] * k + w[2 * k] * 5 + w[2 * k + 1] * k + far[k] * k;
  return all + total;
}

/* 1: what only adjoints may have changed has changed. */
static double before;
static void begin(const char *name)
{
  printf("%s\n", name);
  before = sum();
}
static void end(void)
{
  const double now = sum();

  if (now < before || now > before)
    printf("  a field has changed\n");
}

static void chain(void)
{
  double value, at;

  TRY(checked_step(g, 0.1));
  TRY(checked_loss(g, &value));
  begin("loss");
  TRY(checked_loss_grad(g, 2.0));
  end();
  TRY(checked_v_grad_get(g, 3, &at));
  printf("  the adjoint of v[3] is %.6f\n", at);
  begin("step");
  TRY(checked_step_grad(g, 0.1));
  end();
  TRY(checked_u_grad_get(g, -1, &at));
  printf("  the adjoint of u[-1] is %.6f\n", at);
  TRY(checked_v_grad_get(g, 3, &at));
  printf("  of v[3] %.6f\n", at);
}

static void results(void)
{
  const double bar[2] = { 0.5, -2.0 };
  checked_both parts;
  double s, two[2];

  TRY(checked_turned(g, 0.7, two));
  begin("turned");
  TRY(checked_turned_grad(g, 0.7, bar));
  end();
  TRY(checked_parts(g, &parts));
  begin("parts");
  TRY(checked_parts_grad(g, &(checked_both){ 1.0f, 0.25 }));
  end();
  TRY(checked_gather(g, &s));
  begin("gather");
  TRY(checked_gather_grad(g, 1.0));
  end();
}

static void sums(void)
{
  TRY(checked_mass_grad_fill(g, 1.0));
  TRY(checked_total_grad_set(g, 1.0));
  TRY(checked_last_grad_set(g, 1.0));
  TRY(checked_total_set(g, 0.25));
  TRY(checked_last_set(g, 0.5));
  TRY(checked_chained(g));
  begin("chained");
  TRY(checked_chained_grad(g));
  end();
  TRY(checked_total_set(g, 0.0));
}

static void others(void)
{
  sn_f16 bar;
  double s;

  TRY(checked_singles(g));
  TRY(checked_b_grad_fill(g, 0.5f));
  begin("singles");
  TRY(checked_singles_grad(g));
  end();
  TRY(checked_halves(g));
  bar = 0x3c00;
  TRY(checked_twice_grad_fill(g, bar));
  begin("halves");
  TRY(checked_halves_grad(g));
  end();
  TRY(checked_mass_fill(g, 0.5));
  TRY(checked_kinks(g, &s));
  begin("kinks, twice");
  TRY(checked_kinks_grad(g, 1.0));
  TRY(checked_kinks_grad(g, 1.0));
  end();
  TRY(checked_stairs(g, &s));
  begin("stairs");
  TRY(checked_stairs_grad(g, 1.0));
  end();
}

static void refused(void)
{
  double s, sums[2];

  TRY(checked_between(g, &s));
  begin("between");
  TRY(checked_between_grad(g, 1.0));
  end();
  TRY(checked_mass_set(g, 3, 77.0));
  begin("between, and a field is set");
  TRY(checked_between_grad(g, 1.0));
  end();
  TRY(checked_far_grad_fill(g, 1.0));
  TRY(checked_grow(g));
  TRY(checked_far_grad_fill(g, 1.0));
  begin("grow");
  TRY(checked_grow_grad(g));
  end();
  TRY(checked_mass_fill(g, 2.0));
  TRY(checked_page_deactivate_all(g));
  TRY(checked_creep(g));
  TRY(checked_far_grad_fill(g, 1.0));
  begin("creep");
  TRY(checked_creep_grad(g));
  end();
  begin("noise, push, told");
  TRY(checked_noise(g));
  TRY(checked_noise_grad(g));
  TRY(checked_push(g));
  TRY(checked_push_grad(g));
  TRY(checked_told(g, sums, 2));
  TRY(checked_told_grad(g, sums, 2));
}

int main(void)
{
  sn_config *config;

  if (sn_config_create(&config) || sn_config_set_log(config, tell, NULL) ||
      sn_context_create(config, &context) || checked_grid_create(context, NULL, &g))
    return 1;
  sn_config_destroy(config);
  TRY(checked_start(g));
  chain();
  results();
  others();
  sums();
  refused();
  checked_grid_destroy(g);
  return sn_context_destroy(context) != SN_OK;
}
