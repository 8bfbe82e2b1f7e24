/* Loop skeletons: how a parallel task cuts its work, on host threads and devices.
 *
 * A task works through blocks: runs of cells of one container of a list
 * (struct-for), or runs of iterations (range-for).  Host threads draw blocks from
 * the launch record's counter; teams of a device take them in turns.
 *
 *   host                                        target
 *     const snd_blocks blocks =                   (inside the region)
 *       snd_blocks_of(view, SNODE);               const snd_blocks blocks = ...
 *     launch->next_block = 0;                     for (int64_t b = snd_team(); b < blocks.count;
 *     SND_HOST_PARALLEL(args, blocks.count)            b += snd_teams()) {
 *     {                                             snd_block block;
 *       snd_block block = SND_NO_BLOCK;             snd_block_at(&blocks, b, &block);
 *       while (snd_next_block(launch, &blocks,      for (int64_t c = block.first + snd_thread();
 *                             &block)) {                 c < block.last; c += snd_threads())
 *         for (c = block.first;                       ...
 *              c < block.last; c++) ...           }
 *       }
 *     }
 *
 * A list of pointer containers: visit c only where snd_block_is_active(&block, c),
 * or step by snd_block_next.
 */
#ifndef SNODE_DEVICE_LOOP_H
#define SNODE_DEVICE_LOOP_H

#include <snode/device/atomic.h>
#include <snode/device/platform.h>

/* Cells of a block at most: a multiple of 64 (mask words). */
#define SND_BLOCK_CELLS 4096

typedef struct snd_blocks {
  int64_t count;                 /* blocks in all */
  int64_t cells;                 /* of a container; of a range: of all of it */
  int64_t block_cells;           /* of a block, the last of a container aside */
  int64_t per_container;         /* blocks */
  int64_t grab;                  /* blocks that a host thread draws at once */
  const SND_GLB uint64_t *entries, *masks;       /* NULL: none */
  int64_t entry_words, mask_words;
} snd_blocks;

typedef struct snd_block {
  sn_addr container;             /* of a struct-for; 0 of a range */
  int64_t first, last;           /* cells of the container: first .. last - 1; of a range: iterations */
  const SND_GLB int64_t *origin; /* origin[k]: coordinate of the cell that holds the container, on the
                                    k-th path axis (ascending) of the PARENT SNode; times the
                                    own extent it is the container's first cell's */
  const SND_GLB uint64_t *masks; /* of this container; NULL: all cells are active */
  int64_t next, end;             /* drawn and not yet given (host) */
} snd_block;

#define SND_NO_BLOCK { 0, 0, 0, 0, 0, 0, 0 }

/* The blocks of the list of snode's containers, as list generation left it. */
SND_INLINE snd_blocks snd_blocks_of(const SND_GLB sn_tree_view *view, int32_t snode);
/* The blocks of a range of n iterations, numbered from 0; n < 1: none. */
SND_INLINE snd_blocks snd_blocks_of_range(int64_t n);
/* Block number b, 0 <= b < count.  Does not touch next and end. */
SND_INLINE void snd_block_at(const snd_blocks *, int64_t b, snd_block *);
/* Host: the next block for this thread; 0 when none is left. */
SND_INLINE int snd_next_block(SND_GLB sn_launch *, const snd_blocks *, snd_block *);
/* Whether cell c was active when the list was made. */
SND_INLINE int snd_block_is_active(const snd_block *, int64_t c);
/* The first cell >= c of the block that was active; block->last: none. */
SND_INLINE int64_t snd_block_next(const snd_block *, int64_t c);

/* ---- host ---- */
#define SND_HOST_VIEW(args, slot) SND_CONST_POINTER(sn_tree_view, (args)->views[slot])
#define SND_HOST_LAUNCH(args) SND_POINTER(sn_launch, (args)->launch)
/* Opens a parallel region of at most `work` threads over the block that follows. */
/* #define SND_HOST_PARALLEL(args, work) */

/* ---- devices, inside SND_TARGET_TEAMS .. SND_TARGET_PARALLEL { } ---- */
SND_INLINE int64_t snd_team(void);
SND_INLINE int64_t snd_teams(void);
SND_INLINE int64_t snd_thread(void);
SND_INLINE int64_t snd_threads(void);
/* First line of a target function: 0 when there is no such device (a region on
 * it would abort the process): then return SN_EDEVICE. */
SND_INLINE int snd_target_ready(const sn_args *);

/* ---- reductions: one atomic a thread (a warp on NVPTX, whose lanes must all
 * arrive: call it after the loops, outside any condition).
 * snd_reduce_OP_T(SND_GLB T *into, T value), OP: add mul min max and or xor;
 * T: i8 .. u64, f32, f64 (and or xor: integers). ---- */

#endif
