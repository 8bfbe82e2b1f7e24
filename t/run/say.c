#include "say.h"
#include "run.h"

int run_say(sn_context *ctx)
{
  say_t *t;

  CHECK(say_t_create(ctx, NULL, &t));
  CHECK(say_x_set(t, 0, 42));
  fflush(stdout);
  CHECK(say_hello(ctx, 21, 0.5));
  CHECK(say_each(t));
  CHECK(say_conversions(ctx, 77, 6.25));
  fflush(stdout);
  say_t_destroy(t);
  return 0;
}
