/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells that stand in place, taken back to what a fresh cell is: elements hold
 * their defaults, all below is inactive.
 *
 * A cell of a bitmasked SNode stays where it is when it is taken out, so that what
 * is in it has to go at once: the iteration that took it out meets an inactive cell
 * from then on.  "All below" is what lies in the same piece of memory: the cells
 * of dense and bitmasked descendants down to the containers of pointer and dynamic
 * ones, whose slots are emptied; what those held is recycled, and GC's expand finds
 * the rest.
 *
 * Nothing here needs an order.  An element is stored as a word of its own, and of
 * what others store into it meanwhile one of the values stays; a mask word or slot
 * is exchanged, so that exactly one thread takes out what was in it.
 */
#ifndef SNODE_DEVICE_RESET_H
#define SNODE_DEVICE_RESET_H

#include <snode/device/dynamic.h>
#include <snode/device/shape.h>

/* ---- elements ---- */

/* A field's value in one element, by its bytes.  Relaxed atomics: the host may
 * name a cell twice in one write, and one of the values must result. */
SND_INLINE void snd_value_store(sn_addr to, uint32_t bytes, uint64_t bits)
{
  switch (bytes) {
  case 1: snd_store_u8(SND_POINTER(snd_word_u8, to), (uint8_t)bits); break;
  case 2: snd_store_u16(SND_POINTER(snd_word_u16, to), (uint16_t)bits); break;
  case 4: snd_store_u32(SND_POINTER(snd_word_u32, to), (uint32_t)bits); break;
  default: snd_store_u64(SND_POINTER(snd_word_u64, to), bits); break;
  }
}

SND_INLINE uint64_t snd_value_load(sn_addr from, uint32_t bytes)
{
  switch (bytes) {
  case 1: return snd_load_u8(SND_CONST_POINTER(snd_word_u8, from));
  case 2: return snd_load_u16(SND_CONST_POINTER(snd_word_u16, from));
  case 4: return snd_load_u32(SND_CONST_POINTER(snd_word_u32, from));
  default: return snd_load_u64(SND_CONST_POINTER(snd_word_u64, from));
  }
}

/* ---- slots ---- */

/* Slots of one container: words that lead to cells, by the protocol of pointer.h; of a
 * dynamic one its only word (dynamic.h). */
SND_INLINE int64_t snd_slots(const SND_GLB snd_snode_view *node)
{
  return node->kind == SND_SNODE_POINTER ? (int64_t)node->cells : node->kind == SND_SNODE_DYNAMIC;
}

/* The node manager of what its slots hold: the SNode's own; of a dynamic SNode the
 * pool of its bodies. */
SND_INLINE int32_t snd_slot_manager(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return view->snode[snode].kind == SND_SNODE_DYNAMIC ? view->snode[snode].pool : snode;
}

/* Empties slot k of a pointer container, as snd_pointer_deactivate does: who swaps
 * recycles; or a dynamic container. */
SND_INLINE void
snd_reset_slot(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t k)
{
  SND_GLB uint64_t *slot = snd_pointer_slot(container, k);
  uint64_t held;

  if (view->snode[snode].kind == SND_SNODE_DYNAMIC) {
    (void)snd_dynamic_empty(view, snode, container);
    return;
  }
  held = snd_pointer_load(slot);
  if (held > SND_BUILDING && snd_compare_exchange_u64(slot, held, SND_INACTIVE) == held)
    snd_node_recycle(view, snode, held);
}

/* ---- masks ---- */

/* The mask words of a bitmasked container; as many behind them say which cells were
 * taken out. */
SND_INLINE SND_GLB uint64_t *
snd_bitmasked_words(const SND_GLB snd_snode_view *node, sn_addr container)
{
  return SND_POINTER(uint64_t, container + node->mask_offset);
}

/* Cells that go with one above them are cells taken out like any other: `out` says
 * so, for writers that still are at them.  Between tasks there are none. */
SND_INLINE void
snd_reset_masks(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int between)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB uint64_t *mask = snd_bitmasked_words(node, container);
  SND_GLB uint64_t *out = mask + node->mask_words;

  for (uint32_t w = 0; w < node->mask_words; w++) {
    const uint64_t active = snd_load_u64(&mask[w]) == 0 ? 0 : snd_exchange_u64(&mask[w], 0);
    if (between) {
      out[w] = 0;
    } else if (active != 0) {
      (void)snd_fetch_or_u64(&out[w], active);
      snd_raise(&snd_counters(view, snode)->taken_out);
    }
  }
}

/* ---- a cell ---- */

/* Whether containers of snode lie in the cells of top, in place. */
SND_INLINE int snd_lies_in(const SND_GLB snd_tree_view *view, int32_t snode, int32_t top)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode], *above = &view->snode[top];
  return node->depth > above->depth && node->holder == above->holder &&
         snd_ancestor(view, snode, above->depth) == top;
}

/* The default into every element of a field in a cell of top, whose address is top_cell. */
SND_INLINE void
snd_reset_field(const SND_GLB snd_tree_view *view, int32_t top, snd_cell cell, sn_addr top_cell,
                const SND_GLB snd_field_view *field)
{
  const int32_t snode = (int32_t)field->snode;
  const SND_GLB snd_snode_view *node = &view->snode[snode];

  if (snode == top) {
    snd_value_store(snd_place(node, field, cell), field->bytes, field->default_bits);
  } else if (snd_is_in_place(node) && snd_lies_in(view, snode, top)) {
    const int64_t containers = snd_containers_in(view, top, snode);
    for (int64_t m = 0; m < containers; m++) {
      snd_cell at = { snd_nth_container(view, top, top_cell, snode, m), 0 };
      for (; at.l < (int64_t)node->cells; at.l++)
        snd_value_store(snd_place(node, field, at), field->bytes, field->default_bits);
    }
  }
}

/* What is active in the containers of snode in a cell of top. */
SND_INLINE void
snd_reset_containers(const SND_GLB snd_tree_view *view, int32_t top, sn_addr cell, int32_t snode,
                     int between)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t slots = snd_slots(node), containers = snd_containers_in(view, top, snode);

  for (int64_t m = 0; m < containers; m++) {
    const sn_addr container = snd_nth_container(view, top, cell, snode, m);
    if (node->kind == SND_SNODE_BITMASKED) snd_reset_masks(view, snode, container, between);
    for (int64_t k = 0; k < slots; k++) snd_reset_slot(view, snode, container, k);
  }
}

/* Cell l of a bitmasked container and all below it.  between: no other thread is at it,
 * and none has been since the last task: nothing is left for the sweep.  `touched`
 * of what is below stays: its lists stand on the version of `snode` too. */
SND_COLD void
snd_reset_in_place(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t l,
                   int between)
{
  const sn_addr address = container + (uint64_t)l * view->snode[snode].cell_bytes;
  const snd_cell cell = { container, l };

  for (int32_t f = 0; f < (int32_t)view->field_count; f++)
    snd_reset_field(view, snode, cell, address, snd_field(view, f));
  for (int32_t s = snode + 1; s < (int32_t)view->snode_count; s++)
    if (view->snode[s].kind != SND_SNODE_DENSE && snd_lies_in(view, s, snode))
      snd_reset_containers(view, snode, address, s, between);
}

#endif
