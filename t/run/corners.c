#include "corners.h"
#include "run.h"

typedef int scatter(corners_plane *plane, int32_t n, int32_t seed);

/* So many tiles are active behind loops whose boxes lie anywhere; and the sum of what they left. */
static int go(corners_plane *plane, const char *name, scatter *kernel)
{
  printf("%s:", name);
  for (int32_t seed = 0; seed < 784; seed += 97) {
    int64_t tiles, total;
    SN_TRY(corners_clear(plane));
    SN_TRY(kernel(plane, 16, seed));
    SN_TRY(corners_tiles(plane, &tiles));
    SN_TRY(corners_total(plane, &total));
    printf(" %" PRId64 " %" PRId64 "%s", tiles, total, seed + 97 < 784 ? "," : "\n");
  }
  return SN_OK;
}

int run_corners(sn_context *ctx)
{
  corners_plane *plane;

  CHECK(corners_plane_create(ctx, NULL, &plane));
  CHECK(go(plane, "stars", corners_stars));
  CHECK(go(plane, "crosses", corners_crosses));
  CHECK(go(plane, "diagonals", corners_diagonals));
  CHECK(go(plane, "rings", corners_rings));
  corners_plane_destroy(plane);
  return 0;
}
