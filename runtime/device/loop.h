/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop skeletons: how a parallel task cuts its work, on host threads and devices.
 *
 * A task works through blocks: runs of cells of one container of a list
 * (struct-for), or runs of iterations (range-for).  Host threads draw blocks from
 * the launch record's counter (libomp's dynamic schedule costs 300 ns a chunk, a
 * counter 5 to 12); teams of a device take them in turns.
 *
 *   host:
 *     const snd_blocks blocks = snd_blocks_of(view, SNODE);
 *     launch->next_block = 0;
 *     SND_HOST_PARALLEL(args, blocks.count)
 *     {
 *       snd_block block = SND_NO_BLOCK;
 *       while (snd_next_block(launch, &blocks, &block))
 *         for (int64_t c = block.first; c < block.last; c++) ...
 *     }
 *     return SN_OK;
 *
 *   target:
 *     if (!snd_target_ready(args)) return SN_EDEVICE;
 *     SND_TARGET_TEAMS(args, is_device_ptr(tree, record) firstprivate(dt))
 *     SND_TARGET_PARALLEL
 *     {
 *       (qualified pointers, then) const snd_blocks blocks = snd_blocks_of(view, SNODE);
 *       for (int64_t b = snd_team(); b < blocks.count; b += snd_teams()) {
 *         snd_block block = SND_NO_BLOCK;
 *         snd_block_at(&blocks, b, &block);
 *         for (int64_t c = block.first + snd_thread(); c < block.last; c += snd_threads()) ...
 *       }
 *     }
 *     return SN_OK;
 *
 * Of the containers of bitmasked, pointer and hash SNodes visit c only where
 * snd_block_is_active(&block, c), or step with snd_block_next.  A block of a dynamic
 * SNode is a piece of a container: the cells first .. last - 1 of block.body.
 */
#ifndef SNODE_DEVICE_LOOP_H
#define SNODE_DEVICE_LOOP_H

#include <snode/device/atomic.h>
#include <snode/device/platform.h>

/* Cells of a block at most: a multiple of 64 (mask words). */
enum { SND_BLOCK_CELLS = 4096, SND_BLOCK_CELLS_LEAST = 512 };
/* Draws that there should be at least: a few for each thread of a big machine. */
enum { SND_DRAWS = 256 };

typedef struct snd_blocks {
  int64_t count;                 /* blocks in all */
  int64_t cells;                 /* of a container; of a range: iterations */
  int64_t block_cells;           /* of a block, the last of a container aside */
  int64_t per_container;         /* blocks */
  int64_t grab;                  /* blocks that a host thread draws at once */
  const SND_GLB uint64_t *entries, *masks;       /* NULL: none */
  int64_t entry_words, mask_words;
  int pieces;                    /* entries are pieces of dynamic containers */
} snd_blocks;

typedef struct snd_block {
  sn_addr container;             /* of a struct-for; 0 of a range */
  int64_t first, last;           /* cells of the container, first .. last - 1; of a range:
                                    iterations */
  const SND_GLB int64_t *origin; /* origin[k]: coordinate of the cell that holds the container,
                                    on the k-th (ascending) of the PARENT's path axes; times the
                                    SNode's own extent it is its first cell's coordinate */
  const SND_GLB uint64_t *masks; /* of this container; NULL: all cells are active */
  sn_addr body;                  /* dynamic: of the container; else 0 */
  int64_t next, end;             /* drawn and not yet given (host) */
} snd_block;

#define SND_NO_BLOCK { 0, 0, 0, 0, 0, 0, 0, 0 }

/* Draws of some 4096 cells (2 to 20 us of work), fewer where there are few.  A hash may
 * have no cells. */
SND_INLINE int64_t snd_grab(int64_t count, int64_t block_cells)
{
  const int64_t cells = snd_max_i64(block_cells, 1);
  const int64_t most = snd_clamp_i64(SND_BLOCK_CELLS / cells, 1, SND_BLOCK_CELLS);
  return snd_clamp_i64(count / SND_DRAWS, 1, most);
}

/* Cells of a block of so many containers: of few large ones less, still whole mask words. */
SND_INLINE int64_t snd_block_cells(int64_t containers, int64_t cells)
{
  const int64_t share = containers * cells / SND_DRAWS;

  if (containers >= SND_DRAWS || cells <= SND_BLOCK_CELLS_LEAST) return SND_BLOCK_CELLS;
  return (snd_clamp_i64(share, SND_BLOCK_CELLS_LEAST, SND_BLOCK_CELLS) + 63) & ~63;
}

/* The blocks of the list of snode's containers, as list generation left it. */
SND_INLINE snd_blocks snd_blocks_of(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t length =
    (int64_t)SND_CONST_POINTER(snd_snode_counters, view->counters)[snode].list_length;
  snd_blocks blocks;

  blocks.pieces = node->kind == SND_SNODE_DYNAMIC;
  blocks.cells = blocks.pieces ? SND_PIECE_CELLS : (int64_t)node->cells;
  blocks.block_cells = blocks.pieces ? SND_BLOCK_CELLS : snd_block_cells(length, blocks.cells);
  blocks.per_container = snd_ceil_div(blocks.cells, blocks.block_cells);
  blocks.count = length * blocks.per_container;
  /* A hash without keys has no cells. */
  blocks.grab = snd_grab(blocks.count, snd_clamp_i64(blocks.cells, 1, blocks.block_cells));
  blocks.entries = SND_CONST_POINTER(uint64_t, node->entries);
  blocks.masks = SND_CONST_POINTER(uint64_t, node->masks);
  blocks.entry_words = node->entry_words;
  blocks.mask_words = node->mask_words;
  return blocks;
}

/* The blocks of a range of n iterations, numbered from 0; n < 1: none.  What an
 * iteration costs is not known: many small blocks. */
SND_INLINE snd_blocks snd_blocks_of_range(int64_t n)
{
  snd_blocks blocks;

  blocks.pieces = 0;
  blocks.cells = snd_max_i64(n, 0);
  blocks.block_cells = snd_clamp_i64(blocks.cells / SND_DRAWS, 1, 1024);
  blocks.per_container = snd_ceil_div(blocks.cells, blocks.block_cells);
  blocks.count = blocks.per_container;
  blocks.grab = 1;
  blocks.entries = NULL;
  blocks.masks = NULL;
  blocks.entry_words = 0;
  blocks.mask_words = 0;
  return blocks;
}

/* schedule(dynamic): the smallest pieces that are worth a draw, one at a time; iterations
 * of a range a few, cells a block. */
enum { SND_DYNAMIC_ITERATIONS = 16 };

SND_INLINE snd_blocks snd_blocks_dynamic(snd_blocks blocks)
{
  blocks.grab = 1;
  if (blocks.entries == NULL) {
    blocks.block_cells = snd_clamp_i64(blocks.block_cells, 1, SND_DYNAMIC_ITERATIONS);
    blocks.per_container = blocks.count = snd_ceil_div(blocks.cells, blocks.block_cells);
  }
  return blocks;
}

/* Block number b, 0 <= b < count.  Does not touch next and end. */
SND_INLINE void snd_block_at(const snd_blocks *blocks, int64_t b, snd_block *block)
{
  /* A 64-bit division costs a GPU 160 instructions: most leaves are one block. */
  const int64_t entry = blocks->per_container == 1 ? b : b / blocks->per_container;

  block->first = (b - entry * blocks->per_container) * blocks->block_cells;
  block->last = snd_min_i64(block->first + blocks->block_cells, blocks->cells);
  block->container = 0;
  block->origin = NULL;
  block->masks = NULL;
  block->body = 0;
  if (blocks->entries != NULL) {
    const SND_GLB uint64_t *words = blocks->entries + entry * blocks->entry_words;
    block->container = words[0];
    block->origin = (const SND_GLB int64_t *)(words + 1);
    if (blocks->masks != NULL) block->masks = blocks->masks + entry * blocks->mask_words;
    if (blocks->pieces) {        /* the entry's last words: first, last, body */
      block->first = (int64_t)words[blocks->entry_words - 3];
      block->last = (int64_t)words[blocks->entry_words - 2];
      block->body = words[blocks->entry_words - 1];
    }
  }
}

/* Host: the next block for this thread; 0 when none is left.  The add is relaxed:
 * it deals out numbers; what the blocks hold was made before the region. */
SND_INLINE int
snd_next_block(SND_GLB snd_launch *launch, const snd_blocks *blocks, snd_block *block)
{
  if (block->next == block->end) {
    block->next = (int64_t)snd_fetch_add_u64(&launch->next_block, (uint64_t)blocks->grab);
    block->end = snd_min_i64(block->next + blocks->grab, blocks->count);
    if (block->next >= block->end) {
      block->next = block->end;
      return 0;
    }
  }
  snd_block_at(blocks, block->next, block);
  block->next++;
  return 1;
}

/* Host, schedule(static): thread `thread` of `threads` has its share of the blocks,
 * neighbours, from the beginning. */
SND_INLINE void
snd_take_share(const snd_blocks *blocks, int64_t thread, int64_t threads, snd_block *block)
{
  block->next = blocks->count / threads * thread + snd_min_i64(thread, blocks->count % threads);
  block->end = block->next + blocks->count / threads + (thread < blocks->count % threads);
}

/* The next of that share; 0 when none is left. */
SND_INLINE int snd_next_of_share(const snd_blocks *blocks, snd_block *block)
{
  if (block->next == block->end) return 0;
  snd_block_at(blocks, block->next, block);
  block->next++;
  return 1;
}

/* Whether cell c was active when the list was made. */
SND_INLINE int snd_block_is_active(const snd_block *block, int64_t c)
{
  return block->masks == NULL || (int)(block->masks[c >> 6] >> (c & 63) & 1);
}

/* The first cell >= c of the block that was active; block->last: none. */
SND_INLINE int64_t snd_block_next(const snd_block *block, int64_t c)
{
  if (block->masks == NULL) return snd_min_i64(c, block->last);
  while (c < block->last) {
    const uint64_t rest = block->masks[c >> 6] >> (c & 63);
    if (rest != 0) return snd_min_i64(c + snd_ctz(rest), block->last);
    c = (c | 63) + 1;
  }
  return block->last;
}

/* ---- host ----
 * Host functions qualify their pointers with SND_GLB too: a GPU's compiler pass
 * reads and checks them, though it drops them. */

#define SND_HOST_VIEW(args, slot) SND_CONST_POINTER(snd_tree_view, (args)->views[slot])
#define SND_HOST_LAUNCH(args) SND_POINTER(snd_launch, (args)->launch)

/* Threads for `work` blocks: no more than there are blocks. */
SND_INLINE int snd_host_threads(const snd_args *args, int64_t work)
{
#ifdef SN_SERIAL
  (void)args;
  (void)work;
  return 1;
#else
  const int most = args->threads > 0 ? args->threads : omp_get_max_threads();
  return (int)snd_clamp_i64(work, 1, most);
#endif
}

/* Of the region at hand. */
#ifdef SN_SERIAL
# define SND_HOST_THREAD() 0
# define SND_HOST_THREADS() 1
#else
# define SND_HOST_THREAD() omp_get_thread_num()
# define SND_HOST_THREADS() omp_get_num_threads()
#endif

/* Opens a parallel region over the block that follows. */
#ifdef SN_SERIAL
# define SND_HOST_PARALLEL(args, work) (void)snd_host_threads(args, work);
#else
# define SND_HOST_PARALLEL(args, work) \
   SND_PRAGMA(omp parallel num_threads(snd_host_threads(args, work)))
#endif

/* ---- devices ---- */

#ifdef SN_OFFLOAD
# define SND_TARGET(function) function
#else
# define SND_TARGET(function) NULL
#endif

#ifdef SN_OFFLOAD

/* Threads of a team at most: a constant, by which the compiler sizes registers. */
enum { SND_TEAM_THREADS = 256 };

/* A region on the device of args, then the threads of each team.  Captured are
 * plain pointers and scalars only (clauses: is_device_ptr, firstprivate). */
#define SND_TARGET_TEAMS(args, ...) SND_TARGET_TEAMS_OF(SND_TEAM_THREADS, args, __VA_ARGS__)
#define SND_TARGET_PARALLEL SND_PRAGMA(omp parallel)
/* The same for [[block_dim(n)]]: teams of n threads, where the device gives as many. */
#define SND_TARGET_TEAMS_OF(n, args, ...) \
  SND_PRAGMA(omp target teams device((args)->device - 1) num_teams(snd_target_teams(args)) \
             thread_limit(n) __VA_ARGS__)
#define SND_TARGET_PARALLEL_OF(n) SND_PRAGMA(omp parallel num_threads(n))
/* One thread. */
#define SND_TARGET_SINGLE(args, ...) \
  SND_PRAGMA(omp target device((args)->device - 1) __VA_ARGS__)

/* 0: as many as the device likes. */
SND_INLINE int snd_target_teams(const snd_args *args)
{
  return args->teams > 0 ? args->teams : 0;
}

/* First line of a target function: 0 when there is no such device (a region on
 * it would abort the process): then return SN_EDEVICE. */
SND_INLINE int snd_target_ready(const snd_args *args)
{
  return args->device >= 1 && args->device <= omp_get_num_devices();
}

SND_INLINE int64_t snd_team(void) { return omp_get_team_num(); }
SND_INLINE int64_t snd_teams(void) { return omp_get_num_teams(); }
SND_INLINE int64_t snd_thread(void) { return omp_get_thread_num(); }
SND_INLINE int64_t snd_threads(void) { return omp_get_num_threads(); }

#endif

#endif
