/* Loops of one's own over a sparse tree: particles of a spiral give their mass to the cells around
 * them, which makes tiles exist; then tiles that got little are taken out again.  The same on a
 * dense array says whether that is right.
 *
 *   hand_loops [particles]
 */
#include <stdio.h>
#include <stdlib.h>

#include "hand_loops_device.h"
#include "spiral.h"

/* Where the file is compiled for devices the loops run on the context's, else in host threads. */
#ifdef SN_OFFLOAD
# define LOOP \
    _Pragma("omp target teams distribute parallel for device(view.device) firstprivate(view)")
#else
# define LOOP _Pragma("omp parallel for")
#endif

static int give_mass(hand_loops_plane *plane, int64_t n)
{
  hand_loops_plane_view view;

  SN_TRY(hand_loops_plane_device_begin(plane, SN_ACTIVATE, &view));
  LOOP
  for (int64_t k = 0; k < n; k++) {
    double x, y;
    place(k, n, &x, &y);
    for (int c = 0; c < 4; c++)
      hand_loops_mass_add(view, (int64_t)x + c / 2, (int64_t)y + c % 2, share(x, y, c / 2, c % 2));
  }
  return hand_loops_plane_device_end(plane);
}

static int drop_light_tiles(hand_loops_plane *plane)
{
  hand_loops_plane_view view;

  SN_TRY(hand_loops_plane_device_begin(plane, SN_READ | SN_DEACTIVATE, &view));
  LOOP
  HAND_LOOPS_FOREACH_MASS(view, b) {
    const hand_loops_plane_block block = hand_loops_mass_block(view, b);
    double sum = 0;
    int64_t i, j;
    HAND_LOOPS_CELLS_MASS(block, c) sum += *hand_loops_mass_in(view, &block, c);
    hand_loops_mass_index(view, &block, block.first, &i, &j);
    if (sum < LIGHT) hand_loops_tile_deactivate_at(view, i / 8, j / 8);
  }
  return hand_loops_plane_device_end(plane);
}

static int run(sn_context *context, int64_t n)
{
  hand_loops_plane *plane;
  int64_t made, left, wanted;
  double mass;
  int is_right;

  SN_TRY(hand_loops_plane_create(context, NULL, &plane));
  SN_TRY(give_mass(plane, n));
  SN_TRY(hand_loops_tile_count(plane, &made));
  SN_TRY(drop_light_tiles(plane));
  SN_TRY(hand_loops_tile_count(plane, &left));
  SN_TRY(hand_loops_total(plane, &mass));
  is_right = fabs(reference(n, &wanted) - mass) < 1e-6 * (double)n && left == wanted;
  printf("%lld particles: %lld tiles, %lld of them stay, with a mass of %.0f: %s\n", (long long)n,
         (long long)made, (long long)left, mass, is_right ? "as on a dense array" : "WRONG");
  hand_loops_plane_destroy(plane);
  return is_right ? SN_OK : SN_EBUG;
}

int main(int argc, char **argv)
{
  const int64_t n = argc > 1 ? atoll(argv[1]) : 1000000;
  sn_context *context = NULL;
  int code = n > 0 ? sn_context_create(NULL, &context) : SN_EINVAL;

  if (code == SN_OK) code = run(context, n);
  if (code != SN_OK) fprintf(stderr, "hand_loops: %s: %s\n", sn_strerror(code),
                             context ? sn_context_error(context) : "[particles], at least 1");
  (void)(context && sn_context_destroy(context));
  return code != SN_OK;
}
