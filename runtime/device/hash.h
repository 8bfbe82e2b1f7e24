/* SPDX-License-Identifier: BSD-3-Clause */
/* hash: a container is a table of buckets, each a chain of keys; a key has the slot of
 * its cell (layout: snd_snode_view).
 *
 *   - A key that is in a chain stays there, and its words but the slot are constants,
 *     until a task ends: chains grow at their heads, by compare-exchange.  Nobody waits:
 *     who wants to insert and is overtaken looks through what was pushed meanwhile, takes
 *     the key if it is there and gives its own back.
 *   - The slot follows the protocol of pointer.h.  Deactivation leaves the key, with 0 in
 *     its slot; SND_RT_REHASH (rehash.h) takes such keys out, between tasks.
 *   - `next` says whether a key is in a chain: 0: it is not, SND_CHAIN_END: the last one.
 *
 * t/model/hash.pml checks this exhaustively.
 *
 * By key: read, peek, activate, deactivate_key; at: a coordinate for each of the `axes`
 * own axes, ascending.  axes is a constant where speed matters: then they are in registers.
 *
 * By position, which is the id of the key: the six functions that every kind has, as
 * snd_hash_nth_*, for what is over all cells (lists, counts, deactivate_all).  Keys made
 * in this task are not among them.
 */
#ifndef SNODE_DEVICE_HASH_H
#define SNODE_DEVICE_HASH_H

#include <snode/device/index.h>
#include <snode/device/pointer.h>

enum { SND_CHAIN_END = 1 };      /* a key's next: none */

/* A key's words: next, slot, coordinates. */
SND_INLINE SND_GLB uint64_t *snd_hash_slot(sn_addr key) { return SND_POINTER(uint64_t, key) + 1; }
SND_INLINE SND_GLB int64_t *snd_hash_at(sn_addr key) { return SND_POINTER(int64_t, key) + 2; }

/* ---- keys that are looked for ---- */

/* A coordinate for each own axis, ascending, or an index from which they follow: no
 * array then, which on a GPU would be in memory if the number of axes is known at run
 * time only. */
typedef struct snd_key {
  const int64_t *at;             /* NULL: of index, on its way to target */
  int32_t axes;
  const SND_GLB snd_snode_view *node, *target;
  const snd_index *index;
} snd_key;

SND_INLINE snd_key
snd_key_of(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *at, int32_t axes)
{
  const snd_key key = { at, axes, &view->snode[snode], NULL, NULL };
  return key;
}

SND_INLINE snd_key
snd_key_of_index(const SND_GLB snd_snode_view *node, const SND_GLB snd_snode_view *target,
                 const snd_index *index)
{
  const snd_key key = { NULL, snd_popcount(node->own_axes), node, target, index };
  return key;
}

/* Coordinate k, which is on `axis`. */
SND_INLINE int64_t snd_key_at(const snd_key *key, int32_t k, int32_t axis)
{
  return key->at != NULL ? key->at[k] : snd_cell_on(key->node, key->target, key->index, axis);
}

/* The same; rest: the own axes from the k-th on, from which it takes that one. */
SND_INLINE int64_t snd_key_next(const snd_key *key, int32_t k, uint32_t *rest)
{
  const int32_t axis = snd_ctz(*rest);

  *rest &= *rest - 1;
  return snd_key_at(key, k, axis);
}

SND_INLINE int snd_key_is(const snd_key *key, sn_addr entry)
{
  const SND_GLB int64_t *at = snd_hash_at(entry);
  uint32_t rest = key->node->own_axes;
  int differ = 0;

  for (int32_t k = 0; k < key->axes; k++) differ |= at[k] != snd_key_next(key, k, &rest);
  return !differ;
}

/* ---- buckets ---- */

/* Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4) with 2^64
 * divided by the golden ratio, once for each coordinate; the upper half, which depends on
 * all bits, is mixed into the lower one before the next. */
SND_INLINE uint64_t snd_hash_mix(uint64_t h, int64_t at)
{
  h = (h ^ (uint64_t)at) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

/* The upper bits are the best mixed; two shifts, as there may be one bucket only. */
SND_INLINE SND_GLB uint64_t *snd_hash_bucket_of(const SND_GLB snd_snode_view *node, uint64_t h)
{
  return SND_POINTER(uint64_t, node->container) +
         (h * 0x9e3779b97f4a7c15u >> 1 >> (63 - node->log2_buckets));
}

SND_INLINE SND_GLB uint64_t *snd_hash_bucket(const snd_key *key)
{
  uint32_t rest = key->node->own_axes;
  uint64_t h = 0;

  for (int32_t k = 0; k < key->axes; k++) h = snd_hash_mix(h, snd_key_next(key, k, &rest));
  return snd_hash_bucket_of(key->node, h);
}

/* Acquire: the one who pushed the first key has written it in this task, maybe, on
 * devices too.  It had acquired the head before, so the whole chain is seen as it was
 * written, and the words of its keys are constants from then on: plain loads. */
SND_INLINE sn_addr snd_hash_head(const SND_GLB uint64_t *bucket)
{
  return snd_load_acquire_u64(bucket);
}

/* The key in the chain from `entry` on, `last` and what follows it left out; 0: none. */
SND_INLINE sn_addr snd_hash_search(sn_addr entry, sn_addr last, const snd_key *key)
{
  while (entry > SND_CHAIN_END && entry != last) {
    if (snd_key_is(key, entry)) return entry;
    entry = *SND_CONST_POINTER(uint64_t, entry);
  }
  return 0;
}

/* The key in its bucket; 0: it is not there. */
SND_INLINE sn_addr snd_hash_entry_of(const snd_key *key)
{
  return snd_hash_search(snd_hash_head(snd_hash_bucket(key)), 0, key);
}

/* ---- looking by key ---- */

SND_INLINE sn_addr snd_hash_find(const snd_key *key, sn_addr absent)
{
  const sn_addr entry = snd_hash_entry_of(key);
  const sn_addr cell = entry != 0 ? snd_pointer_load(snd_hash_slot(entry)) : 0;
  return cell > SND_BUILDING ? cell : absent;
}

/* In a task that neither activates nor deactivates (pointer.h). */
SND_INLINE sn_addr snd_hash_find_settled(const snd_key *key, sn_addr absent)
{
  const sn_addr entry = snd_hash_search(*snd_hash_bucket(key), 0, key);
  const sn_addr cell = entry != 0 ? *snd_hash_slot(entry) : 0;
  return cell != SND_INACTIVE ? cell : absent;
}

/* The cell to read: the ambient cell where it is inactive; never to be written. */
SND_INLINE sn_addr
snd_hash_read(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *at, int32_t axes)
{
  const snd_key key = snd_key_of(view, snode, at, axes);
  return snd_hash_find(&key, view->snode[snode].ambient);
}

/* The cell, 0 where it is inactive. */
SND_INLINE sn_addr
snd_hash_peek(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *at, int32_t axes)
{
  const snd_key key = snd_key_of(view, snode, at, axes);
  return snd_hash_find(&key, 0);
}

SND_INLINE sn_addr
snd_hash_read_settled(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *at,
                      int32_t axes)
{
  const snd_key key = snd_key_of(view, snode, at, axes);
  return snd_hash_find_settled(&key, view->snode[snode].ambient);
}

SND_INLINE sn_addr
snd_hash_peek_settled(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *at,
                      int32_t axes)
{
  const snd_key key = snd_key_of(view, snode, at, axes);
  return snd_hash_find_settled(&key, 0);
}

/* ---- inserting ---- */

/* Whether all that is below a cell at the key has indices of 64 bits.  (The axes left over are read
 * here: what snd_key_next takes from them clang 19's OpenMPOpt does not see in the next turn.) */
SND_INLINE int snd_hash_reaches(const snd_key *key)
{
  uint32_t axes = key->node->own_axes;
  int outside = 0;

  for (int32_t k = 0; k < key->axes; k++, axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    const int64_t reach = key->node->reach[axis], at = snd_key_at(key, k, axis);
    outside |= at > reach || at < -reach - 1;
  }
  return !outside;
}

/* The coordinates go straight into the record: an array of this function's own would be local
 * memory of every GPU thread. */
SND_COLD void snd_hash_beyond(SND_GLB snd_launch *launch, int32_t slot, const snd_key *key)
{
  uint32_t rest = key->node->own_axes;

  if (snd_trap_place(launch, SN_EBOUNDS, -1, slot, key->node->id, key->axes))
    for (int32_t k = 0; k < key->axes; k++) launch->status.index[k] = snd_key_next(key, k, &rest);
}

/* Memory for a key; 0, and a noted error: there is none. */
SND_APART sn_addr
snd_hash_take(const SND_GLB snd_tree_view *view, int32_t pool, SND_GLB snd_launch *launch,
              int32_t slot)
{
  return snd_node_take(view, pool, launch, slot);
}

/* A key of one's own, not in a chain yet; 0, and a noted error: it is beyond the hash's reach, or
 * there is no memory. */
SND_INLINE sn_addr
snd_hash_make(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, int32_t slot,
              const snd_key *key)
{
  uint32_t rest = key->node->own_axes;
  sn_addr entry;

  if (!snd_hash_reaches(key)) {
    snd_hash_beyond(launch, slot, key);
    return 0;
  }
  entry = snd_hash_take(view, key->node->pool, launch, slot);
  if (entry == 0) return 0;
  for (int32_t k = 0; k < key->axes; k++) snd_hash_at(entry)[k] = snd_key_next(key, k, &rest);
  return entry;
}

/* The key in the chain, put there by this thread or another; 0: as snd_hash_make.  Release:
 * whoever finds the key in the bucket finds its coordinates and the chain behind it.  A
 * key not needed is given back as it was taken: in no chain, with no cell. */
SND_COLD sn_addr
snd_hash_insert(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, int32_t slot,
                const snd_key *key)
{
  SND_GLB uint64_t *bucket = snd_hash_bucket(key);
  sn_addr own = 0, entry = 0, looked = 0;
  int done = 0;

  while (!done) {
    const sn_addr head = snd_hash_head(bucket);
    entry = snd_hash_search(head, looked, key);
    if (entry == 0 && own == 0) own = snd_hash_make(view, launch, slot, key);
    looked = head;
    done = entry != 0 || own == 0;
    if (!done) {
      *SND_POINTER(uint64_t, own) = head != 0 ? head : (sn_addr)SND_CHAIN_END;
      if (snd_compare_exchange_release_u64(bucket, head, own) == head) {
        entry = own;
        done = 1;
      }
    }
    SND_OPAQUE(done);
  }
  if (own != 0 && entry != own) {
    *SND_POINTER(uint64_t, own) = 0;
    snd_node_recycle(view, key->node->pool, own);
  }
  return entry;
}

#if SND_HAS_LANES
/* One lane first for keys in one bucket, so that others find what it inserted: not that
 * one would wait, but each would take a key. */
SND_INLINE sn_addr
snd_hash_insert_lanes(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, int32_t slot,
                      const snd_key *key)
{
  const uint32_t lanes = snd_lanes_alike((uint64_t)(uintptr_t)snd_hash_bucket(key));
  const uint32_t leader = (uint32_t)snd_ctz(lanes);
  const int turn = snd_lane() != leader;
  sn_addr entry = 0;

  for (int now = 0; now < 2; now++) {
    SND_OPAQUE(now);
    if (now == turn) entry = snd_hash_insert(view, launch, slot, key);
    (void)snd_lane_value(lanes, leader, entry);
  }
  return entry;
}
#else
/* A copy, so that the key itself need not be in memory for those who find it. */
SND_INLINE sn_addr
snd_hash_insert_copy(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, int32_t slot,
                     const snd_key *key)
{
  int64_t at[SN_MAX_AXES];
  snd_key copy = *key;
  uint32_t rest = key->node->own_axes;

  for (int32_t k = 0; k < key->axes; k++) at[k] = snd_key_next(key, k, &rest);
  copy.at = at;
  return snd_hash_insert(view, launch, slot, &copy);
}
#endif

/* The key, put into its chain where it was not there; 0: as snd_hash_make. */
SND_INLINE sn_addr
snd_hash_entry_made(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, int32_t slot,
                    const snd_key *key)
{
  const sn_addr entry = snd_hash_entry_of(key);

  if (SND_UNLIKELY(entry == 0)) {
#if SND_HAS_LANES
    return snd_hash_insert_lanes(view, launch, slot, key);
#else
    return snd_hash_insert_copy(view, launch, slot, key);
#endif
  }
  return entry;
}

/* The cell of the key, made active; 0: as snd_hash_make, or no memory for the cell. */
SND_INLINE sn_addr
snd_hash_activate(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                  int32_t slot, const int64_t *at, int32_t axes)
{
  const snd_key key = snd_key_of(view, snode, at, axes);
  const sn_addr entry = snd_hash_entry_made(view, launch, slot, &key);
  return entry != 0 ? snd_slot_activate(view, snode, snode, launch, slot, snd_hash_slot(entry)) : 0;
}

SND_INLINE void
snd_hash_deactivate_key(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *at,
                        int32_t axes)
{
  const snd_key key = snd_key_of(view, snode, at, axes);
  const sn_addr entry = snd_hash_entry_of(&key);
  if (entry != 0) snd_slot_deactivate(view, snode, snode, snd_hash_slot(entry));
}

/* ---- by position ---- */

SND_INLINE const SND_GLB snd_snode_view *snd_hash_pool(const SND_GLB snd_snode_view *node)
{
  return node + (node->pool - node->id);
}

/* The key at position l: it may be in no chain, its slot 0 then. */
SND_INLINE sn_addr snd_hash_entry(const SND_GLB snd_snode_view *node, int64_t l)
{
  return snd_node_cell(snd_hash_pool(node), (uint64_t)l);
}

/* Coordinate of position l on the k-th own axis. */
SND_INLINE int64_t
snd_hash_key(const SND_GLB snd_tree_view *view, int32_t snode, int64_t l, int32_t k)
{
  return snd_hash_at(snd_hash_entry(&view->snode[snode], l))[k];
}

SND_INLINE int64_t snd_hash_nth_capacity(const SND_GLB snd_snode_view *node)
{
  return (int64_t)node->cells;
}

SND_INLINE sn_addr
snd_hash_nth_lookup(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l,
                    sn_addr absent)
{
  const sn_addr cell = snd_pointer_load(snd_hash_slot(snd_hash_entry(node, l)));
  (void)container;
  return cell > SND_BUILDING ? cell : absent;
}

SND_INLINE int
snd_hash_nth_is_active(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return snd_hash_nth_lookup(node, container, l, 0) != 0;
}

/* Of a key that is in a chain; 0: it is in none, or no memory. */
SND_INLINE sn_addr
snd_hash_nth_activate(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                      int32_t slot, sn_addr container, int64_t l)
{
  const sn_addr entry = snd_hash_entry(&view->snode[snode], l);
  (void)container;
  return *SND_CONST_POINTER(uint64_t, entry) != 0
           ? snd_slot_activate(view, snode, snode, launch, slot, snd_hash_slot(entry)) : 0;
}

SND_INLINE void
snd_hash_nth_deactivate(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container,
                        int64_t l)
{
  (void)container;
  snd_slot_deactivate(view, snode, snode, snd_hash_slot(snd_hash_entry(&view->snode[snode], l)));
}

/* The first active cell >= l; the capacity: none. */
SND_INLINE int64_t
snd_hash_nth_iterate(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  while (l < (int64_t)node->cells && !snd_hash_nth_is_active(node, container, l)) l++;
  return l;
}

#endif
