/* SPDX-License-Identifier: BSD-3-Clause */
/* print: a record of words, to the host's function or into the launch's ring.
 *
 * The host (also when it runs a task serially) has the record formatted at once;
 * a device appends it to the ring, which libsnode reads when the task has ended.
 * What does not fit is counted, never waited for.
 */
#ifndef SNODE_DEVICE_PRINT_H
#define SNODE_DEVICE_PRINT_H

#include <snode/device/atomic.h>
#include <snode/device/platform.h>
#include <snode/device/region.h>

/* print with n >= 1 arguments, each as a word, and print without any:
 *   snd_print(launch, SITE, 2, snd_word_i(i), snd_word_f(x));
 *   snd_print_text(launch, SITE); */
#define snd_print(launch, site, n, ...) \
  snd_print_record(launch, (n) + 2, (const uint64_t[]){ (n) + 2, (uint64_t)(site), __VA_ARGS__ })
#define snd_print_text(launch, site) \
  snd_print_record(launch, 2, (const uint64_t[]){ 2, (uint64_t)(site) })

/* A line of --trace; it has a value at least. */
#define snd_trace(launch, site, n, ...) \
  do { if (snd_traces(launch)) snd_print(launch, site, n, __VA_ARGS__); } while (0)

/* Whether the thread logs what it assigns: on the host each, on a device thread 0 of team 0 alone:
 * lines of thousands would tell nothing, and fill the ring. */
SND_INLINE int snd_traces(const SND_GLB snd_launch *launch)
{
#if SND_HAS_DEVICES
  if (launch->print_host == 0) return snd_target_is_first();
#endif
  return launch->print_host != 0;
}

SND_INLINE uint64_t snd_word_i(int64_t v) { return (uint64_t)v; }
SND_INLINE uint64_t snd_word_u(uint64_t v) { return v; }
SND_INLINE uint64_t snd_word_f(double v) { return snd_bitcast_u64_f64(v); }

/* Appends to the ring.  The add is relaxed: it hands out places; the words are
 * read after the task.  A record that straddles the end leaves a length of 0
 * where it would have begun, so that the reader stops there. */
SND_INLINE void snd_print_ring(SND_GLB snd_launch *launch, uint64_t words, const uint64_t *record)
{
  const uint64_t bytes = words * sizeof *record;
  const uint64_t at = snd_fetch_add_u64(&launch->ring_used, bytes);
  SND_GLB uint64_t *out = SND_POINTER(uint64_t, launch->ring + at);

  if (at + bytes <= launch->ring_bytes) {
    for (uint64_t k = 0; k < words; k++) out[k] = record[k];
  } else {
    if (at + sizeof *record <= launch->ring_bytes) out[0] = 0;
    snd_atomic_add_u64(&launch->lines_lost, 1);
  }
}

SND_INLINE void snd_print_record(SND_GLB snd_launch *launch, uint64_t words, const uint64_t *record)
{
#if !SND_ON_DEVICE
  /* 0 in a device's launch record, the x86_64 image's too. */
  if (launch->print_host != 0) {
    void (*print_host)(void *, const uint64_t *) =
      (void (*)(void *, const uint64_t *))(uintptr_t)launch->print_host;
    print_host((void *)(uintptr_t)launch->host, record);
    return;
  }
#endif
  snd_print_ring(launch, words, record);
}

#endif
