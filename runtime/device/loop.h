/* SPDX-License-Identifier: BSD-3-Clause */
/* The tasks of kernels: how a parallel one cuts its work, on host threads and devices.
 *
 * A generated file has one function for what each thread of a task does, which reads the same on
 * the host and on a device:
 *
 *   SND_INLINE void step_task_0(snd_thread *thread)
 *   {
 *     const float dt = SND_PARAMS(thread, step_params)->dt;
 *
 *     SND_EACH_BLOCK(thread, block) {
 *       SND_GLB grid_cell *cells = SND_CELLS(grid_cell, block);
 *       SND_EACH_CELL(thread, block, c)
 *         step_body_0(dt, &cells[c]);
 *     }
 *   }
 *   SND_STRUCT_FOR(step_task_0, 0, GRID_CELL)
 *
 * The macro behind it makes the two functions of the task's row of it, step_task_0_host and
 * step_task_0_target, with the parallel regions.  What a thread is told is constant in each of
 * them, so nothing is left of it.
 *
 * A task works through blocks: runs of cells of one container of a list (struct-for), or runs of
 * iterations (range-for).  Each host thread has a share of neighbours, draws blocks from the
 * share's counter (libomp's dynamic schedule costs 300 ns a chunk, a counter 5 to 12), and takes
 * all cells of theirs; when its own is empty it draws from the next ones.  So whoever has touched
 * cells first goes through them again in later loops, but for what is stolen at their ends.  Team
 * t of n of a device takes the blocks t, t + n, t + 2n and so on; its threads take the cells of a
 * block in turns.
 *
 * Of the containers of bitmasked, pointer and hash SNodes cells are visited by snd_first_active
 * and snd_next_active.  A block of a dynamic SNode is a piece of a container: the cells
 * first .. last - 1 of block.body.
 */
#ifndef SNODE_DEVICE_LOOP_H
#define SNODE_DEVICE_LOOP_H

#include <snode/device/atomic.h>
#include <snode/device/flush.h>
#include <snode/device/platform.h>
#include <snode/device/region.h>
#include <snode/device/trap.h>

/* Cells of a block at most: a multiple of 64 (mask words). */
enum { SND_BLOCK_CELLS = 4096, SND_BLOCK_CELLS_LEAST = 512 };
/* Draws that there should be at least: a few for each thread of a big machine. */
enum { SND_DRAWS = 256 };

/* Shares at most; of more threads some have one together. */
#if SND_HAS_THREADS
enum { SND_SHARES = 64 };
#else
enum { SND_SHARES = 1 };
#endif

/* A share of the blocks: those from next on, before last, nobody has drawn yet.  What its threads
 * hammer at lies on no line of another one's. */
typedef struct snd_blocks_share {
  uint64_t next, last;           /* next may pass last */
  uint64_t pad[14];
} snd_blocks_share;

typedef struct snd_blocks {
  int64_t count;                 /* blocks in all */
  int64_t cells;                 /* of a container; of a range: iterations */
  int64_t block_cells;           /* of a block, the last of a container aside */
  int64_t per_container;         /* blocks */
  int64_t grab;                  /* blocks that a host thread draws at once; 0: each has its
                                    share of them from the beginning, and no other */
  int64_t share_count;           /* snd_share_out */
  sn_addr shares;                /* snd_blocks_share[share_count] */
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
} snd_block;

#define SND_NO_BLOCK { 0, 0, 0, 0, 0, 0 }

/* The first cell of its container, whose cells stand in place. */
#define SND_CELLS(T, block) SND_POINTER(T, (block).container)

/* One thread of a task. */
typedef struct snd_thread {
  SND_GLB snd_launch *launch;
  const SND_GLB void *params;    /* the kernel's parameter struct */
  const SND_GLB sn_addr *views;  /* the view of each tree */
  const snd_blocks *blocks;      /* of the loop */
  int is_host;
  int is_ordered;                /* host: as of snd_args */
  int number, threads;           /* host: which of how many threads it is */
  int64_t share, passed;         /* host: the share that it draws from, at first its own; behind
                                    how many empty ones */
  int32_t lane, lanes;           /* of the cells of a block it takes lane, lane + lanes ..: on the
                                    host all, 0 of 1 */
  int32_t teams;                 /* devices: blocks from one of its own to the next one */
  int64_t next, end;             /* host: blocks that it has drawn and not yet begun.  Devices:
                                    the next one */
} snd_thread;

SND_INLINE SND_GLB void *snd_vars(const snd_thread *thread) { return thread->launch->vars; }

/* What the kernel's task is given, as its types. */
#define SND_PARAMS(thread, T) ((const SND_GLB T *)(thread)->params)
#define SND_VARS(thread, T) ((SND_GLB T *)snd_vars(thread))
#define SND_VIEW(thread, slot) SND_CONST_POINTER(snd_tree_view, (thread)->views[slot])

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

/* How a list of so many containers, or pieces of such, of so many cells each is cut. */
SND_INLINE snd_blocks snd_blocks_cut(int pieces, int64_t cells, int64_t length)
{
  snd_blocks blocks;

  blocks.pieces = pieces;
  blocks.cells = pieces ? (int64_t)SND_PIECE_CELLS : cells;
  blocks.block_cells = pieces ? (int64_t)SND_BLOCK_CELLS : snd_block_cells(length, blocks.cells);
  blocks.per_container = snd_ceil_div(blocks.cells, blocks.block_cells);
  blocks.count = length * blocks.per_container;
  /* A hash without keys has no cells. */
  blocks.grab = snd_grab(blocks.count, snd_clamp_i64(blocks.cells, 1, blocks.block_cells));
  blocks.entries = NULL;
  blocks.masks = NULL;
  blocks.entry_words = 0;
  blocks.mask_words = 0;
  blocks.share_count = 0;
  blocks.shares = 0;
  return blocks;
}

/* The blocks of the list of snode's containers, as list generation left it. */
SND_INLINE snd_blocks snd_blocks_of(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t length =
    (int64_t)SND_CONST_POINTER(snd_snode_counters, view->counters)[snode].list_length;
  snd_blocks blocks =
    snd_blocks_cut(node->kind == SND_SNODE_DYNAMIC, (int64_t)node->cells, length);

  blocks.entries = SND_CONST_POINTER(uint64_t, node->entries);
  blocks.masks = SND_CONST_POINTER(uint64_t, node->masks);
  blocks.entry_words = node->entry_words;
  blocks.mask_words = node->mask_words;
  return blocks;
}

/* ---- how many iterations ranges have: INT64_MAX stands for all beyond it too ---- */

SND_INLINE int64_t snd_span_u64(uint64_t lo, uint64_t hi)
{
  return lo >= hi ? 0 : hi - lo < INT64_MAX ? (int64_t)(hi - lo) : INT64_MAX;
}

SND_INLINE int64_t snd_span_i64(int64_t lo, int64_t hi)
{
  return lo >= hi ? 0 : snd_span_u64(0, (uint64_t)hi - (uint64_t)lo);
}

/* Of two ranges of a, b >= 0.  Most are small, and are not divided. */
SND_INLINE int64_t snd_span_times(int64_t a, int64_t b)
{
  if ((a | b) >> 31 == 0) return a * b;
  return b == 0 || a <= INT64_MAX / b ? a * b : INT64_MAX;
}

/* n; 0 where that stands for more, which is noted as the error of the loop on that line. */
SND_INLINE int64_t snd_span_checked(const snd_thread *thread, int32_t line, int64_t n)
{
  const int64_t at = line;

  if (n < INT64_MAX) return n;
  snd_trap_index(thread->launch, SN_ENOTSUP, -1, -1, -1, 1, &at);
  return 0;
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
  blocks.share_count = 0;
  blocks.shares = 0;
  return blocks;
}

/* schedule(dynamic): the smallest pieces that are worth a draw, one at a time; iterations
 * of a range a few, cells a block. */
enum { SND_DYNAMIC_ITERATIONS = 16 };

SND_INLINE snd_blocks snd_blocks_dynamic(snd_blocks blocks)
{
  blocks.grab = 1;
  if (blocks.entry_words == 0) {       /* a range: a list may have no entries yet */
    blocks.block_cells = snd_clamp_i64(blocks.block_cells, 1, SND_DYNAMIC_ITERATIONS);
    blocks.per_container = blocks.count = snd_ceil_div(blocks.cells, blocks.block_cells);
  }
  return blocks;
}

/* schedule(static): each host thread has its share, of neighbours. */
SND_INLINE snd_blocks snd_blocks_static(snd_blocks blocks)
{
  blocks.grab = 0;
  return blocks;
}

/* Block number b, 0 <= b < count. */
SND_INLINE void snd_block_at(const snd_blocks *blocks, int64_t b, snd_block *block)
{
  int64_t entry = b;

  /* Most leaves are one block, and a 64-bit division costs a GPU 160 instructions. */
  block->first = 0;
  if (blocks->per_container != 1) {
    entry = b / blocks->per_container;
    block->first = (b - entry * blocks->per_container) * blocks->block_cells;
  }
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

/* Equal shares of neighbours for so many host threads, one of which takes all; room: SND_SHARES of
 * them, alive as long as the blocks. */
SND_INLINE void snd_share_out(snd_blocks *blocks, snd_blocks_share *room, int threads)
{
  const int64_t shares = snd_min_i64(threads, SND_SHARES);
  int64_t each, more, next = 0;

  if (threads == 1) {
    blocks->grab = 0;
    return;
  }
  each = blocks->count / shares;
  more = blocks->count % shares;
  for (int64_t k = 0; k < shares; k++) {
    room[k].next = (uint64_t)next;
    next += each + (k < more);
    room[k].last = (uint64_t)next;
  }
  blocks->share_count = shares;
  blocks->shares = (sn_addr)(uintptr_t)room;
}

/* All blocks of a share that nobody else draws from: schedule(static), and of one thread. */
SND_INLINE int snd_take_share(snd_thread *thread)
{
  const snd_blocks *blocks = thread->blocks;

  if (thread->end == 0) {
    const int64_t each = blocks->count / thread->threads, more = blocks->count % thread->threads;
    thread->next = each * thread->number + snd_min_i64(thread->number, more);
    thread->end = thread->next + each + (thread->number < more);
  }
  return thread->next < thread->end;
}

/* What a host thread has drawn, and where it stands among the shares. */
typedef struct snd_drawn {
  int64_t next, end;             /* next == end: nothing is left */
  int64_t share, passed;
} snd_drawn;

/* Of the share, or the next one that has some.  Relaxed: the add deals out numbers, each once, and
 * the look before it only spares adds to what is empty, since next never falls; what the blocks
 * hold, and the shares, was made before the region.  By values and apart, so that the thread stays
 * in registers through its loop. */
SND_COLD snd_drawn snd_draw_from(const snd_blocks *blocks, snd_drawn draw)
{
  while (draw.passed < blocks->share_count) {
    SND_GLB snd_blocks_share *share = SND_POINTER(snd_blocks_share, blocks->shares) + draw.share;
    if (snd_load_u64(&share->next) < share->last) {
      draw.next = (int64_t)snd_fetch_add_u64(&share->next, (uint64_t)blocks->grab);
      draw.end = snd_min_i64(draw.next + blocks->grab, (int64_t)share->last);
      if (draw.next < draw.end) return draw;
    }
    draw.passed++;
    draw.share = draw.share + 1 == blocks->share_count ? 0 : draw.share + 1;
  }
  draw.end = draw.next;
  return draw;
}

/* Blocks for this host thread; 0: none is left. */
SND_INLINE int snd_draw_blocks(snd_thread *thread)
{
  snd_drawn draw = { 0, 0, 0, 0 };

  if (thread->blocks->grab == 0) return snd_take_share(thread);
  draw.share = thread->share;
  draw.passed = thread->passed;
  draw = snd_draw_from(thread->blocks, draw);
  thread->next = draw.next;
  thread->end = draw.end;
  thread->share = draw.share;
  thread->passed = draw.passed;
  return draw.next < draw.end;
}

/* The next block of this thread; 0: none is left, and it is not asked again. */
SND_INLINE int snd_next_block(snd_thread *thread, snd_block *block)
{
  if (!thread->is_host) {
    if (thread->next >= thread->blocks->count) return 0;
    snd_block_at(thread->blocks, thread->next, block);
    thread->next += thread->teams;
    return 1;
  }
  if (thread->next == thread->end && !snd_draw_blocks(thread)) return 0;
  snd_block_at(thread->blocks, thread->next, block);
  thread->next++;
  return 1;
}

/* Of n cells that lie side by side from the thread's own on as many as it takes at once: a host
 * thread all of them, one of a device its own. */
SND_INLINE int64_t snd_at_once(const snd_thread *thread, int64_t n)
{
  return thread->is_host ? n : 1;
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

/* The first cell from c on that was active and is the thread's; block->last or more: none. */
SND_INLINE int64_t snd_active_from(const snd_thread *thread, const snd_block *block, int64_t c)
{
  if (thread->is_host) return snd_block_next(block, c);
  while (c < block->last && !snd_block_is_active(block, c)) c += thread->lanes;
  return c;
}

SND_INLINE int64_t snd_first_active(const snd_thread *thread, const snd_block *block)
{
  return snd_active_from(thread, block, block->first + thread->lane);
}

SND_INLINE int64_t
snd_next_active(const snd_thread *thread, const snd_block *block, int64_t c)
{
  return snd_active_from(thread, block, c + thread->lanes);
}

/* Which of n <= 64 cells from c on were active, as bits; they stand in one word of the mask. */
SND_INLINE uint64_t snd_active_bits(const snd_block *block, int64_t c, int64_t n)
{
  return block->masks[c >> 6] >> (c & 63) & (UINT64_MAX >> (64 - n));
}

/* In a loop over blocks: on the host what goes through a block by rows, where the compiler can
 * (rows.h); 0 where nothing has been done. */
#if SND_ROWS
# define SND_BY_ROWS(thread, call) ((thread)->is_host ? (call, 1) : 0)
#else
# define SND_BY_ROWS(thread, call) 0
#endif
#if SND_ROWS_SHARED
# define SND_BY_ROWS_SHARED(thread, call) ((thread)->is_host ? (call, 1) : 0)
#else
# define SND_BY_ROWS_SHARED(thread, call) 0
#endif

/* The loops of a thread: over the blocks that it takes; over its own cells of a block, or
 * iterations; over those that were active; over rows and runs of cells side by side, of which it
 * takes `row` at once, a number or, in a run, what the loop sets it to in each turn. */
#define SND_EACH_BLOCK(thread, block) for (snd_block block; snd_next_block(thread, &block); )
#define SND_EACH_CELL(thread, block, c) \
  for (int64_t c = (block).first + (thread)->lane; c < (block).last; c += (thread)->lanes)
#define SND_EACH_ACTIVE(thread, block, c) \
  for (int64_t c = snd_first_active(thread, &(block)); c < (block).last; \
       c = snd_next_active(thread, &(block), c))
#define SND_EACH_ROW(thread, block, c, row) \
  for (int64_t c = (block).first + (thread)->lane; c < (block).last; c += (row) * (thread)->lanes)
#define SND_EACH_RUN(thread, block, c, row) \
  for (int64_t c = (block).first + (thread)->lane, row; c < (block).last; \
       c += row * (thread)->lanes)

/* ---- devices ---- */

/* Parts of teams (snd_target_share): lanes at least, of pieces of lists, and pieces for each part
 * at least. */
enum { SND_LANES_LEAST = 4, SND_PIECE_LANES = 32, SND_PIECES_EACH = 4 };

/* A thread of a team, to which blocks are given.  Where blocks have fewer cells than a team has
 * lanes, part of a team is one of its own: else most lanes would have nothing to do in leaves of 64
 * cells.  How many cells a piece of a list has is not known before: parts of one warp, if that
 * gives each part pieces enough.  The lanes of a part are neighbours, and so are the cells that
 * they work on at the same time. */
SND_INLINE void snd_target_share(snd_thread *thread, const snd_blocks *blocks, snd_worker worker)
{
  const int64_t cells = snd_min_i64(blocks->cells, blocks->block_cells);
  const int32_t number = (int32_t)worker.thread;
  int32_t lanes = (int32_t)worker.threads, parts = 1;

  while (lanes % 2 == 0 && lanes > SND_LANES_LEAST &&
         (blocks->pieces ? lanes > SND_PIECE_LANES &&
                             blocks->count >= worker.teams * parts * SND_PIECES_EACH
                         : cells <= lanes / 2)) {
    lanes /= 2;
    parts *= 2;
  }
  thread->blocks = blocks;
  thread->lane = number % lanes;
  thread->lanes = lanes;
  thread->teams = (int32_t)worker.teams * parts;
  thread->next = worker.team * parts + number / lanes;
}

/* ---- host ----
 * Host functions qualify their pointers with SND_GLB too: a GPU's compiler pass
 * reads and checks them, though it drops them. */

#define SND_HOST_VIEW(args, slot) SND_CONST_POINTER(snd_tree_view, (args)->views[slot])
#define SND_HOST_LAUNCH(args) SND_POINTER(snd_launch, (args)->launch)

/* Threads for `work` blocks: no more than there are blocks. */
SND_INLINE int snd_host_threads(const snd_args *args, int64_t work)
{
#if SND_HAS_THREADS
  const int most = args->threads > 0 ? args->threads : omp_get_max_threads();
  return (int)snd_clamp_i64(work, 1, most);
#else
  (void)args;
  (void)work;
  return 1;
#endif
}

/* function(..., number, threads) in each of the threads for `work`, 0 <= number < threads.  Where
 * that is one thread it is the caller's, which opens no parallel region: of one thread too a region
 * costs libgomp a team, and in a thread that OpenMP has not seen libomp a descriptor.  The caller
 * may then be in a region of the program's: what asks for its number is to ask for this one, and
 * no barrier is to be met where threads is 1 (SND_HOST_BARRIER). */
#if SND_HAS_THREADS
# define SND_HOST_PARALLEL(args, work, function, ...) \
   do { \
     const int threads_for_work = snd_host_threads(args, work); \
     if (threads_for_work == 1) { \
       SND_IN_MODE(args, function(__VA_ARGS__, 0, 1)); \
     } else { \
       SND_PRAGMA(omp parallel num_threads(threads_for_work)) \
       SND_IN_MODE(args, function(__VA_ARGS__, omp_get_thread_num(), omp_get_num_threads())); \
     } \
   } while (0)
# define SND_HOST_BARRIER(threads) \
   do { \
     if ((threads) > 1) { SND_PRAGMA(omp barrier) } \
   } while (0)
#else
# define SND_HOST_PARALLEL(args, work, function, ...) \
   do { \
     (void)snd_host_threads(args, work); \
     SND_IN_MODE(args, function(__VA_ARGS__, 0, 1)); \
   } while (0)
# define SND_HOST_BARRIER(threads) (void)(threads)
#endif

/* ---- the two functions of a task ----
 * A device's region captures the address of the launch record alone: there stand those of the
 * views and of the parameters.  blocks: what a parallel task goes through, where `thread` is at
 * hand for the parameters. */

/* blocks: of the loop; NULL: it is no loop, or they are not known yet. */
SND_INLINE snd_thread
snd_host_thread(const snd_args *args, const snd_blocks *blocks, int number, int threads)
{
  const int64_t share = blocks == NULL ? 0 : number * blocks->share_count / threads;
  const snd_thread thread = {
    SND_HOST_LAUNCH(args), (const SND_GLB void *)args->params,
    (const SND_GLB sn_addr *)args->views, blocks, /* is_host */ 1, args->is_ordered, number,
    threads, share, /* passed */ 0, /* lane, lanes, teams */ 0, 1, 0, /* next, end */ 0, 0
  };
  return thread;
}

#define SND_LOOP_HOST(name, task, blocks_of) \
  SND_FUNCTION void \
  name##_share(const snd_args *args, const snd_blocks *blocks, int number, int threads) \
  { \
    snd_thread thread = snd_host_thread(args, blocks, number, threads); \
    task(&thread); \
  } \
  SND_FUNCTION int name##_host(const snd_args *args) \
  { \
    const snd_thread first = snd_host_thread(args, NULL, 0, 1), *thread = &first; \
    snd_blocks blocks = blocks_of; \
    snd_blocks_share shares[SND_SHARES]; \
    (void)thread; \
    snd_share_out(&blocks, shares, snd_host_threads(args, blocks.count)); \
    SND_HOST_PARALLEL(args, blocks.count, name##_share, args, &blocks); \
    return SN_OK; \
  }

#define SND_SINGLE_HOST(name) \
  SND_FUNCTION int name##_host(const snd_args *args) \
  { \
    snd_thread thread = snd_host_thread(args, NULL, 0, 1); \
    SND_IN_MODE(args, name(&thread)); \
    return SN_OK; \
  }

#if SND_HAS_DEVICES

SND_INLINE snd_thread snd_target_thread(void *record)
{
  SND_GLB snd_launch *launch = SND_POINTER(snd_launch, record);
  const snd_thread thread = {
    launch, SND_CONST_POINTER(void, launch->params), SND_CONST_POINTER(sn_addr, launch->views),
    NULL, /* is_host */ 0, 0, 0, 0, 0, 0, /* lane, lanes, teams */ 0, 1, 0, /* next, end */ 0, 0
  };
  return thread;
}

# define SND_LOOP_TARGET(name, blocks_of, most, OF) \
  SND_FUNCTION int name##_target(const snd_args *args) \
  { \
    void *record = SND_DEVICE_POINTER(args->launch); \
    if (!snd_target_ready(args)) return SN_EDEVICE; \
    SND_TARGET_TEAMS_OF(most, args, SND_DEVICE_POINTERS(record)) \
    SND_TARGET_PARALLEL##OF \
    { \
      snd_thread each = snd_target_thread(record), *thread = &each; \
      const snd_blocks blocks = blocks_of; \
      snd_target_share(thread, &blocks, SND_TARGET_WORKER); \
      name(thread); \
    } \
    return SN_OK; \
  }

# define SND_SINGLE_TARGET(name) \
  SND_FUNCTION int name##_target(const snd_args *args) \
  { \
    void *record = SND_DEVICE_POINTER(args->launch); \
    if (!snd_target_ready(args)) return SN_EDEVICE; \
    SND_TARGET_SINGLE(args, SND_DEVICE_POINTERS(record)) \
    { \
      snd_thread thread = snd_target_thread(record); \
      name(&thread); \
    } \
    return SN_OK; \
  }

#else
# define SND_LOOP_TARGET(name, blocks_of, most, OF)
# define SND_SINGLE_TARGET(name)
#endif

/* In parallel: over any blocks, over the list of an SNode's containers, over n iterations; _BY:
 * on a device by teams of so many threads. */
#define SND_LOOP(name, blocks_of) \
  SND_LOOP_HOST(name, name, blocks_of) \
  SND_LOOP_TARGET(name, blocks_of, SND_TEAM_THREADS, )
#define SND_LOOP_BY(threads, name, blocks_of) \
  SND_LOOP_HOST(name, name, blocks_of) \
  SND_LOOP_TARGET(name, blocks_of, threads, _OF(threads))
/* Host threads run another function, in which cells lie near: in windows (window.h), or what
 * [[cache]] names is staged. */
#define SND_LOOP_NEAR(name, near, blocks_of) \
  SND_LOOP_HOST(name, near, blocks_of) \
  SND_LOOP_TARGET(name, blocks_of, SND_TEAM_THREADS, )
#define SND_LOOP_NEAR_BY(threads, name, near, blocks_of) \
  SND_LOOP_HOST(name, near, blocks_of) \
  SND_LOOP_TARGET(name, blocks_of, threads, _OF(threads))
#define SND_STRUCT_FOR(name, slot, snode) \
  SND_LOOP(name, snd_blocks_of(SND_VIEW(thread, slot), snode))
#define SND_RANGE_FOR(name, n) SND_LOOP(name, snd_blocks_of_range(n))

/* One thread; one thread of the host, of a device's call too (SND_TASK_SCALARS). */
#define SND_SINGLE(name) SND_SINGLE_HOST(name) SND_SINGLE_TARGET(name)
#define SND_SCALARS(name) SND_SINGLE_HOST(name)

#endif
