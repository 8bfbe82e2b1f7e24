/* Index spaces: ranges cut into tiles. */
#include "runtime/host/exec/tensor.h"

static int new_space(sn_engine *engine, int64_t tiles, sn_space **out)
{
  sn_space *space = sni_engine_new(engine, 1, sizeof *space);

  if (!space)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for a space");
  space->engine = engine;
  space->references = 1;
  space->tiles = tiles;
  space->first = sni_engine_new(engine, (size_t)tiles + 1, sizeof *space->first);
  if (!space->first) {
    sni_engine_delete(engine, space, 1, sizeof *space);
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for the tiles of a space");
  }
  sni_alive_begin(space);
  *out = space;
  return SN_OK;
}

int sn_space_create(sn_engine *engine, int64_t extent, int64_t tile, sn_space **out)
{
  sn_space *space;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!out)
    return SN_EINVAL;
  if (extent < 1 || tile < 1)
    return sni_engine_fail(engine, SN_EINVAL,
                           "a space of %lld indices in tiles of %lld: both are 1 or more",
                           (long long)extent, (long long)tile);
  SN_TRY(new_space(engine, (extent - 1) / tile + 1, &space));
  space->extent = extent;
  for (int64_t k = 0; k < space->tiles; k++)
    space->first[k] = k * tile;
  space->first[space->tiles] = extent;
  sni_alive_begin(space);
  *out = space;
  return SN_OK;
}

int sn_space_create_tiled(sn_engine *engine, const int64_t *tiles, int64_t count, sn_space **out)
{
  sn_space *space;
  int64_t extent = 0;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!tiles || !out)
    return SN_EINVAL;
  if (count < 1)
    return sni_engine_fail(engine, SN_EINVAL, "a space of %lld tiles: it has 1 or more",
                           (long long)count);
  for (int64_t k = 0; k < count; k++) {
    if (tiles[k] < 1 || tiles[k] > INT64_MAX - extent)
      return sni_engine_fail(engine, SN_EINVAL, "tile %lld has %lld indices", (long long)k,
                             (long long)tiles[k]);
    extent += tiles[k];
  }
  SN_TRY(new_space(engine, count, &space));
  for (int64_t k = 0; k < count; k++)
    space->first[k + 1] = space->first[k] + tiles[k];
  space->extent = extent;
  sni_alive_begin(space);
  *out = space;
  return SN_OK;
}

void sn_space_release(sn_space *space)
{
  sn_engine *engine;
  int is_last;

  if (sni_engine_may_call(SNI_ENGINE_OF(space)) != SN_OK)
    return;
  engine = space->engine;
  sni_mutex_lock(&engine->lock);
  is_last = --space->references == 0;
  sni_mutex_unlock(&engine->lock);
  if (!is_last)
    return;
  sni_alive_end(space);
  sni_engine_delete(engine, space->first, (size_t)space->tiles + 1, sizeof *space->first);
  sni_engine_delete(engine, space, 1, sizeof *space);
}

int64_t sn_space_extent(const sn_space *space)
{
  return sni_is_gone(space) ? 0 : space->extent;
}

int64_t sn_space_tiles(const sn_space *space)
{
  return sni_is_gone(space) ? 0 : space->tiles;
}

static int has_tile(const sn_space *space, int64_t tile)
{
  return space && tile >= 0 && tile < space->tiles;
}

int64_t sn_space_tile_first(const sn_space *space, int64_t tile)
{
  return has_tile(space, tile) ? space->first[tile] : -1;
}

int64_t sn_space_tile_length(const sn_space *space, int64_t tile)
{
  return has_tile(space, tile) ? space->first[tile + 1] - space->first[tile] : 0;
}
