/* print: a record goes to the host's function, or into the ring of the launch. */
#ifndef SNODE_DEVICE_PRINT_H
#define SNODE_DEVICE_PRINT_H

#include <snode/device/atomic.h>
#include <snode/device/platform.h>

/* print with its arguments as words (see abi.h):
 *   snd_print(launch, SITE, 2, snd_word_i(i), snd_word_f(x));    n >= 1
 *   snd_print_text(launch, SITE);                                 no arguments */
#define snd_print(launch, site, n, ...) \
  snd_print_words(launch, site, n, (const uint64_t[]){ __VA_ARGS__ })
SND_INLINE uint64_t snd_word_i(int64_t);
SND_INLINE uint64_t snd_word_u(uint64_t);
SND_INLINE uint64_t snd_word_f(double);
SND_INLINE void snd_print_words(SND_GLB sn_launch *, uint32_t site, uint32_t n, const uint64_t *words);
SND_INLINE void snd_print_text(SND_GLB sn_launch *, uint32_t site);
#endif
