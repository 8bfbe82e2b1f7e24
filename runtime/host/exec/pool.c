/* Small pieces of memory for tasks. */
#include "runtime/host/exec/pool.h"

/* Pieces come in sizes: cache lines up to 16 of them, then powers of two. */
enum { LINES = 16, LINE = 64, SLAB = 16384 };

static size_t size_of(int pool)
{
  return pool < LINES ? LINE * ((size_t)pool + 1) : (size_t)LINE * LINES << (pool - LINES + 1);
}

static int pool_of(size_t bytes)
{
  int k = LINES;

  if (bytes <= (size_t)LINE * LINES)
    return bytes ? (int)((bytes - 1) / LINE) : 0;
  while (k < SNI_POOLS && size_of(k) < bytes)
    k++;
  return k;
}

static void give(sni_tasks *tasks, int pool, void *piece)
{
  *(void **)piece = tasks->pool[pool];
  tasks->pool[pool] = piece;
}

/* A slab of them, at the beginning of a cache line each.  0: no memory. */
static int make_pieces(sn_engine *engine, int pool)
{
  const size_t size = size_of(pool), count = size < SLAB ? SLAB / size : 1;
  const size_t bytes = sizeof(sni_slab) + LINE + count * size;
  sni_slab *slab = sni_engine_new(engine, bytes, 1);
  unsigned char *at;

  if (!slab)
    return 0;
  slab->bytes = bytes;
  slab->next = engine->tasks->slabs;
  engine->tasks->slabs = slab;
  at = (unsigned char *)(slab + 1);
  at += LINE - (uintptr_t)at % LINE;
  for (size_t k = count; k-- > 0;)
    give(engine->tasks, pool, at + k * size);
  return 1;
}

void *sni_pool_take(sn_engine *engine, size_t bytes)
{
  const int k = pool_of(bytes);
  void **piece;

  if (k >= SNI_POOLS || (!engine->tasks->pool[k] && !make_pieces(engine, k)))
    return NULL;
  piece = engine->tasks->pool[k];
  engine->tasks->pool[k] = *piece;
  return piece;
}

void sni_pool_give(sn_engine *engine, void *piece, size_t bytes)
{
  give(engine->tasks, pool_of(bytes), piece);
}

void sni_pools_destroy(sn_engine *engine)
{
  while (engine->tasks->slabs) {
    sni_slab *slab = engine->tasks->slabs;
    engine->tasks->slabs = slab->next;
    sni_engine_delete(engine, slab, slab->bytes, 1);
  }
}
