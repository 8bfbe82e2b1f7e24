/* SPDX-License-Identifier: BSD-3-Clause */
/* Which share of a runtime task a worker does (region.h): one host thread of several, or one lane
 * of one team of several.
 */
#ifndef SNODE_DEVICE_WORKER_H
#define SNODE_DEVICE_WORKER_H

#include <snode/device/loop.h>

/* Elements first, first + step, .. below last. */
typedef struct snd_share {
  int64_t first, last, step;
} snd_share;

SND_INLINE snd_worker snd_host_worker(int number, int threads)
{
  const snd_worker worker = { number, threads, 0, 1 };
  return worker;
}

/* A share of n elements: one run of neighbours for a host thread, side by side
 * for the lanes of a GPU. */
SND_INLINE snd_share snd_share_of(const snd_worker *worker, int64_t n)
{
  const int64_t part = worker->team * worker->threads + worker->thread;
  const int64_t parts = worker->teams * worker->threads;
  snd_share share;

#if SND_ON_DEVICE
  share.first = part;
  share.last = n;
  share.step = parts;
#else
  const int64_t each = n / parts, more = n % parts;
  share.first = part * each + snd_min_i64(part, more);
  share.last = share.first + each + (part < more);
  share.step = 1;
#endif
  return share;
}

/* A share of n elements among the teams: what the threads of a team do together. */
SND_INLINE snd_share snd_team_share_of(const snd_worker *worker, int64_t n)
{
  const snd_worker team = { worker->team, worker->teams, 0, 1 };
  return snd_share_of(&team, n);
}

/* Below this many elements a thread, a runtime task takes fewer threads: opening
 * a parallel region costs 1 to 4 us. */
#ifndef SND_SHARE_LEAST
# define SND_SHARE_LEAST 4096
#endif

/* Threads' worth of work in n elements of a few nanoseconds each. */
SND_INLINE int64_t snd_work(int64_t n)
{
  return snd_ceil_div(n, SND_SHARE_LEAST);
}

#endif
