/* SPDX-License-Identifier: BSD-3-Clause */
/* Gangs: eight iterations of a loop over particles at once, each in a lane of vectors (rows.h).
 *
 * Their boxes of cells lie in one window (window.h), each at a place of its own: near[lane] is the
 * first cell of a box.  Cells that hold one value are gathered.  Cells of four values are loaded
 * whole, and their values put into lanes by shuffles: a load for each iteration gives all four.
 * What is added to such a cell goes the other way, by an array of what each iteration adds:
 *
 *   const snd_f32x8 v = SND_NEAR_LANES_4(f32, near, 19, 1);    value 1 of cell 19 of each box
 *   SND_BY_LANE_4(f32, each, vx, vy, vz, m);
 *   for (int32_t lane = 0; lane < 8; lane++) near[lane][19] += each[lane];
 *
 * Walks of eight iterations to cells of one list share what they look up of it.
 */
#ifndef SNODE_DEVICE_GANG_H
#define SNODE_DEVICE_GANG_H

#include <snode/device/dynamic.h>
#include <snode/device/rows.h>

/* ---- a list that several iterations read ----
 * What a walk to one cell looks up that is the same for all: acquired once, as each of them would.
 * A cell that becomes active later is not found. */
typedef struct snd_list_look {
  const SND_GLB snd_snode_view *node;
  int64_t length, tail;          /* the tail chunks begin at that position */
  sn_addr body, directory;       /* of the tail chunks; <= SND_BUILDING: there is none */
} snd_list_look;

/* Of a list under the root. */
SND_INLINE snd_list_look snd_list_look_at(const SND_GLB snd_snode_view *node)
{
  const uint64_t word = snd_pointer_load(SND_CONST_POINTER(uint64_t, node->container));
  snd_list_look look = { .node = node, .length = snd_dynamic_length_in(node, word) };

  look.tail = (int64_t)1 << (node->log2_first + node->heads - 1);
  if (look.length > 0) look.body = snd_dynamic_body(node, word);
  if (look.length > look.tail)
    look.directory = snd_pointer_load(SND_CONST_POINTER(uint64_t, look.body) + (node->heads - 1));
  return look;
}

/* As snd_dynamic_read. */
SND_INLINE sn_addr snd_list_read(const snd_list_look *look, int64_t p)
{
  const SND_GLB snd_snode_view *node = look->node;
  const int64_t behind = p - look->tail, chunk = (int64_t)1 << node->log2_tail;
  sn_addr cells;

  if (p >= look->length) return node->ambient;
  if (behind < 0) return snd_dynamic_read(node, node->container, p);
  if (look->directory <= SND_BUILDING) return node->ambient;
  cells = snd_pointer_load(SND_CONST_POINTER(uint64_t, look->directory) +
                           (behind >> node->log2_tail));
  if (cells <= SND_BUILDING) return node->ambient;
  return cells + (uint64_t)(behind & (chunk - 1)) * node->cell_bytes;
}

#if SND_ROWS

/* What each iteration has of a vector, as an array: `float each[8];` */
#define SND_BY_LANE(T, each, value) \
  __typeof__((*(snd_##T##x8 *)0)[0]) each[8]; \
  SND_ROW_STORE(T##x8, each[0], value)

/* ---- cells of one value ---- */

#define SND_NEAR_ONE(lane, near, at) (near)[lane][at]
#define SND_NEAR_LANES_1(T, near, at) \
  ((snd_##T##x8){ SND_ROW_LIST_8(SND_NEAR_ONE, near, at) })

/* ---- cells of four values ---- */

/* Of two vectors the lower, and the upper, halves of each half, by turns. */
#define SND_GANG_LOWER(a, b) SND_ROW_JOIN(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define SND_GANG_UPPER(a, b) SND_ROW_JOIN(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
/* Pairs of lanes: the first, and the second, of each half. */
#define SND_GANG_FIRST(a, b) SND_ROW_JOIN(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SND_GANG_SECOND(a, b) SND_ROW_JOIN(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

/* Cell `at` of the boxes of an iteration and of the fourth behind it. */
#define SND_GANG_PAIR(near, at, lane) \
  SND_ROW_JOIN((near)[lane][at], (near)[lane + 4][at], SND_ROW_FIRST_8)

/* Value `field` of a cell of each box: compilers do what the four have in common once.  A macro:
 * functions do not return vectors that are wider than the processor's registers. */
#define SND_NEAR_LANES_4(T, near, at, field) \
  ((field) % 2 == 0 \
     ? SND_GANG_FIRST(SND_GANG_PART(near, at, 0, field), SND_GANG_PART(near, at, 2, field)) \
     : SND_GANG_SECOND(SND_GANG_PART(near, at, 0, field), SND_GANG_PART(near, at, 2, field)))
#define SND_GANG_PART(near, at, lane, field) \
  ((field) < 2 ? SND_GANG_LOWER(SND_GANG_PAIR(near, at, lane), SND_GANG_PAIR(near, at, lane + 1)) \
               : SND_GANG_UPPER(SND_GANG_PAIR(near, at, lane), SND_GANG_PAIR(near, at, lane + 1)))

/* Of four vectors what each iteration has of them: snd_f32x4 each[8]. */
#define SND_BY_LANE_4(T, each, x, y, z, w) \
  snd_##T##x4 each[8]; \
  do { \
    const snd_##T##x8 x_ = (x), y_ = (y), z_ = (z), w_ = (w); \
    const snd_##T##x8 xy_ = SND_GANG_LOWER(x_, y_), zw_ = SND_GANG_LOWER(z_, w_); \
    const snd_##T##x8 yx_ = SND_GANG_UPPER(x_, y_), wz_ = SND_GANG_UPPER(z_, w_); \
    const snd_##T##x8 of_[] = { SND_GANG_FIRST(xy_, zw_), SND_GANG_SECOND(xy_, zw_), \
                                SND_GANG_FIRST(yx_, wz_), SND_GANG_SECOND(yx_, wz_) }; \
    for (int lane_ = 0; lane_ < 4; lane_++) { \
      each[lane_] = SND_ROW_JOIN(of_[lane_], of_[lane_], 0, 1, 2, 3); \
      each[lane_ + 4] = SND_ROW_JOIN(of_[lane_], of_[lane_], 4, 5, 6, 7); \
    } \
  } while (0)

#endif

#endif
