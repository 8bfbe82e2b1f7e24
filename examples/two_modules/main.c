/* Rain on a pool: two modules, compiled apart, and one tree that both work on.
 *
 *   two_modules [FILE.png]
 */
#include <stdio.h>

#include <snode/io.h>

#include "rain.h"
#include "ripples.h"

enum { STEPS = 400, SHOWER = 20 };

/* The pool is a tree of ripples.sn, and rain.sn's kernels take it as it is. */
static int run(ripples_pool *pool, rain_sky *sky, const char *picture)
{
  double pushed = 0, falling = 0;
  int64_t drops = 0, tiles = 0;

  for (int k = 0; k < STEPS; k++) {
    if (k % SHOWER == 0) SN_TRY(rain_fall(pool, sky, 1));
    if (k % 4 == 0) SN_TRY(ripples_widen(pool));
    SN_TRY(ripples_step(pool));
  }
  SN_TRY(rain_drop_length(sky, &drops));
  SN_TRY(rain_pushed(sky, &pushed));
  SN_TRY(rain_falling(pool, &falling));
  SN_TRY(ripples_tile_count(pool, &tiles));
  printf("%lld drops pushed by %.3f, the water moves by %.3f on %lld tiles\n", (long long)drops,
         pushed, falling, (long long)tiles);
  return picture ? sn_io_write_png((sn_tree *)pool, "level", NULL, -0.7, 0.3, picture) : SN_OK;
}

int main(int argc, char **argv)
{
  sn_context *context = NULL;
  ripples_pool *pool = NULL;
  rain_sky *sky = NULL;
  int code = sn_context_create(NULL, &context);

  if (code == SN_OK) code = ripples_pool_create(context, NULL, &pool);
  if (code == SN_OK) code = rain_sky_create(context, NULL, &sky);
  if (code == SN_OK) code = run(pool, sky, argc > 1 ? argv[1] : NULL);
  if (code != SN_OK) fprintf(stderr, "two_modules: %s\n", sn_context_error(context));
  rain_sky_destroy(sky);
  ripples_pool_destroy(pool);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}
