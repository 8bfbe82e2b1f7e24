/* SPDX-License-Identifier: BSD-3-Clause */
/* bitmasked: all cells of a container stand in place, and behind them a bit for each
 * says whether it is active; then as many bits for the cells that were taken out since
 * the last sweep (abi.h: mask_offset).
 *
 * An inactive cell holds its defaults and nothing below it is active, so reading needs
 * no test, and activation sets a bit and writes no value.  Deactivation resets the cell
 * (reset.h) and clears the bit; who clears it takes the cell out, and notes that.  Others
 * who are still at it may leave values behind: SND_RT_SWEEP resets the noted cells that
 * end inactive once more (sweep.h).
 *
 * A set bit publishes nothing: its cell was there, with its defaults, before the task.  An
 * element that others write while its cell is taken out ends as one of the values stored,
 * as the order of stores to one word will have it.
 *
 * t/model/bitmasked.pml checks the protocol exhaustively.
 *
 * The six functions that every kind has, and the forms of lookup by name.
 * view, snode: tree and id; container: its address; l: linear position in it
 * (row-major over its own axes), inside it.
 */
#ifndef SNODE_DEVICE_BITMASKED_H
#define SNODE_DEVICE_BITMASKED_H

#include <snode/device/reset.h>

/* Cells of one container. */
SND_INLINE int64_t snd_bitmasked_capacity(const SND_GLB snd_snode_view *node)
{
  return (int64_t)node->cells;
}

SND_INLINE SND_GLB uint64_t *
snd_bitmasked_word(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return &snd_bitmasked_words(node, container)[l >> 6];
}

SND_INLINE uint64_t snd_bitmasked_bit(int64_t l) { return (uint64_t)1 << (l & 63); }

SND_INLINE int
snd_bitmasked_is_active(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return (int)(snd_load_u64(snd_bitmasked_word(node, container, l)) >> (l & 63) & 1);
}

/* The cell to read, active or not; not to be written: its address, where it is a struct, else that
 * of the container. */
SND_INLINE sn_addr
snd_bitmasked_read(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return container + (uint64_t)l * node->cell_bytes;
}

/* The cell, `absent` where it is inactive. */
SND_INLINE sn_addr
snd_bitmasked_lookup(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l,
                     sn_addr absent)
{
  return snd_bitmasked_is_active(node, container, l) ? snd_bitmasked_read(node, container, l)
                                                     : absent;
}

/* The cell, 0 where it is inactive. */
SND_INLINE sn_addr
snd_bitmasked_peek(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return snd_bitmasked_lookup(node, container, l, 0);
}

/* The same in a task that neither activates nor deactivates in any tree of this
 * type: its masks are constants then. */
SND_INLINE sn_addr
snd_bitmasked_peek_settled(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  const uint64_t word = *snd_bitmasked_word(node, container, l);
  return (word & snd_bitmasked_bit(l)) != 0 ? snd_bitmasked_read(node, container, l) : 0;
}

/* The bits of the cells from l on that are in one word with it, in such a task. */
SND_INLINE uint64_t
snd_bitmasked_bits(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return *snd_bitmasked_word(node, container, l) >> (l & 63);
}

/* The cell, made active: never fails.  Looked at first, so that the line stays shared
 * between caches once its bits are set. */
SND_INLINE sn_addr
snd_bitmasked_activate(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                       int32_t slot, sn_addr container, int64_t l)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB uint64_t *word = snd_bitmasked_word(node, container, l);
  const uint64_t bit = snd_bitmasked_bit(l);

  (void)launch;
  (void)slot;
  if ((snd_load_u64(word) & bit) == 0 && (snd_set_bits(view, word, bit) & bit) == 0)
    snd_raise(&snd_counters(view, snode)->touched);
  return snd_bitmasked_read(node, container, l);
}

/* Takes the cell out: of several exactly one clears the bit and notes it.
 *
 * The cell is reset before its bit is cleared, by everyone who finds it active: who
 * finds the bit clear has nothing to do, and yet meets an inactive cell from then on.
 * The other way round it would meet what the one who cleared the bit has not reset yet,
 * and what it then wrote could be reset under its hands.  The clearing is release and
 * the look acquire for that: a clear bit shows the defaults. */
SND_INLINE void
snd_bitmasked_deactivate(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container,
                         int64_t l)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB uint64_t *word = snd_bitmasked_word(node, container, l);
  const uint64_t bit = snd_bitmasked_bit(l);

  if ((snd_load_acquire_u64(word) & bit) == 0) return;
  snd_reset_in_place(view, snode, container, l, 0);
  if ((snd_clear_bits(view, word, bit) & bit) != 0) {
    (void)snd_set_bits(view, word + node->mask_words, bit);
    snd_raise(&snd_counters(view, snode)->taken_out);
    snd_raise(&snd_counters(view, snode)->touched);
  }
}

/* The first active cell >= l; the capacity: none. */
SND_INLINE int64_t
snd_bitmasked_iterate(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  const int64_t cells = (int64_t)node->cells;

  while (l < cells) {
    const uint64_t rest = snd_load_u64(snd_bitmasked_word(node, container, l)) >> (l & 63);
    if (rest != 0) return l + snd_ctz(rest);
    l = (l | 63) + 1;
  }
  return cells;
}

#endif
