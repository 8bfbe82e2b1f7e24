/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills memory with zeros or with a copy, for any size and alignment.
 *
 * Several threads may share one range: thread `part` of `parts` does its share, 0 of 1 does all.
 * On a GPU these are words side by side on side-by-side threads, on a host a piece each.
 */
#ifndef SNODE_DEVICE_FILL_H
#define SNODE_DEVICE_FILL_H

#include <snode/device/atomic.h>
#include <snode/device/platform.h>

#if SND_LIBRARY_FILLS

#include <string.h>

enum { SND_FILL_LINE = 64 };

/* Where the share of thread `part` begins, at a cache line of the range. */
SND_INLINE uint64_t snd_fill_begin(uint64_t bytes, int64_t part, int64_t parts)
{
  const uint64_t share = (bytes + (uint64_t)parts - 1) / (uint64_t)parts;
  const uint64_t lines = (share + SND_FILL_LINE - 1) & ~(uint64_t)(SND_FILL_LINE - 1);

  return snd_min_u64(lines * (uint64_t)part, bytes);
}

/* bytes at `to` become those at `from`, or zero where from is 0. */
SND_COLD void snd_fill(sn_addr to, sn_addr from, uint64_t bytes, int64_t part, int64_t parts)
{
  const uint64_t begin = parts == 1 ? 0 : snd_fill_begin(bytes, part, parts);
  const uint64_t end = parts == 1 ? bytes : snd_fill_begin(bytes, part + 1, parts);
  char *out = (char *)(uintptr_t)to + begin;

  if (from == 0) memset(out, 0, (size_t)(end - begin));
  else memcpy(out, (const char *)(uintptr_t)from + begin, (size_t)(end - begin));
}

/* bytes at `to` become the bytes of pattern, which are all alike. */
SND_INLINE void
snd_fill_pattern(sn_addr to, uint64_t pattern, uint64_t bytes, int64_t part, int64_t parts)
{
  const uint64_t begin = snd_fill_begin(bytes, part, parts);
  const uint64_t end = snd_fill_begin(bytes, part + 1, parts);

  memset((char *)(uintptr_t)to + begin, (int)(pattern & 255), (size_t)(end - begin));
}

#else

/* `count` elements of one width, both sides aligned to it; from 0: zeros. */
#define SND_DEFINE_FILL(T, C) \
  SND_INLINE void \
  snd_fill_##T(sn_addr to, sn_addr from, uint64_t count, int64_t part, int64_t parts) \
  { \
    SND_GLB snd_word_##T *out = SND_POINTER(snd_word_##T, to); \
    const SND_GLB snd_word_##T *in = SND_CONST_POINTER(snd_word_##T, from); \
    if (from == 0) \
      for (uint64_t k = (uint64_t)part; k < count; k += (uint64_t)parts) out[k] = 0; \
    else \
      for (uint64_t k = (uint64_t)part; k < count; k += (uint64_t)parts) out[k] = in[k]; \
  }
SND_DEFINE_FILL(u8, uint8_t)
SND_DEFINE_FILL(u32, uint32_t)
SND_DEFINE_FILL(u64, uint64_t)
#undef SND_DEFINE_FILL

/* bytes at `to` become those at `from`, or zero where from is 0: a head up to the first aligned
 * word, words, a tail.  Words of 8 or 4 bytes where both sides are congruent to it, else bytes. */
SND_COLD void snd_fill(sn_addr to, sn_addr from, uint64_t bytes, int64_t part, int64_t parts)
{
  const uint64_t skew = from == 0 ? 0 : to ^ from;
  const uint64_t width = (skew & 7) == 0 ? 8 : (skew & 3) == 0 ? 4 : 1;
  const uint64_t head = snd_min_u64((0 - to) & (width - 1), bytes);
  const uint64_t body = (bytes - head) & ~(width - 1);
  const uint64_t tail = bytes - head - body;

  snd_fill_u8(to, from, head, part, parts);
  to += head;
  from += from == 0 ? 0 : head;
  if (width == 8) snd_fill_u64(to, from, body / 8, part, parts);
  else if (width == 4) snd_fill_u32(to, from, body / 4, part, parts);
  else snd_fill_u8(to, from, body, part, parts);
  snd_fill_u8(to + body, from == 0 ? 0 : from + body, tail, part, parts);
}

/* bytes at `to` become the bytes of pattern, which are all alike. */
SND_INLINE void
snd_fill_pattern(sn_addr to, uint64_t pattern, uint64_t bytes, int64_t part, int64_t parts)
{
  const uint64_t head = snd_min_u64((0 - to) & 7, bytes);
  const uint64_t words = (bytes - head) / 8, step = (uint64_t)parts;
  SND_GLB snd_word_u8 *out = SND_POINTER(snd_word_u8, to);
  SND_GLB snd_word_u64 *body = SND_POINTER(snd_word_u64, to + head);

  for (uint64_t k = (uint64_t)part; k < head; k += step) out[k] = (uint8_t)pattern;
  for (uint64_t k = (uint64_t)part; k < words; k += step) body[k] = pattern;
  for (uint64_t k = head + words * 8 + (uint64_t)part; k < bytes; k += step)
    out[k] = (uint8_t)pattern;
}

#endif
#endif
