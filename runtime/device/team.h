/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging on devices: blocks of fields, with their halos, in the memory of a team.
 *
 *   typedef struct step_staged_0 {       what the team stages: a field that is read,
 *     float x[10 * 10];
 *     float m[10 * 10];                  and one that is added to: sums, and which elements
 *     uint8_t wrote_m[10 * 10];          have been added to
 *   } step_staged_0;
 *
 *   SND_INLINE void step_team_task_0(snd_thread *thread, step_staged_0 *staged)
 *   {
 *     SND_EACH_BLOCK(thread, block) {
 *       ... staged->x[e] of the block: each lane some of the elements
 *       SND_TEAM_BARRIER;
 *       ... the cells of the block: each lane some
 *       SND_TEAM_BARRIER;
 *       ... staged->m[e] goes to its cell: each lane some of the elements
 *     }
 *   }
 *   SND_LOOP_TEAM(step_task_0, step_near_task_0, step_team_task_0, step_staged_0, 256, blocks)
 *
 * A whole team has one block at a time, so that all of its lanes come to each barrier.  The first
 * one keeps lanes from elements that are not there yet; the second one keeps a lane that is done
 * from filling, and from taking sums, while others are at their cells.  A lane that takes a sum
 * sets it back itself: the first barrier of the next block stands between that and what is added
 * then.
 */
#ifndef SNODE_DEVICE_TEAM_H
#define SNODE_DEVICE_TEAM_H

#include <snode/device/loop.h>

/* A local of a team that its threads share.  Of the x86_64 image it is the thread's that begins the
 * team, and the others reach it; clang warns there that it has no memory for teams. */
#if SND_ON_DEVICE
# define SND_TEAM_MEMORY(local) SND_PRAGMA(omp allocate(local) allocator(omp_pteam_mem_alloc))
#else
# define SND_TEAM_MEMORY(local)
#endif

/* What a lane has written before others read behind it. */
#define SND_TEAM_BARRIER SND_PRAGMA(omp barrier)

/* Sums of a team: lanes add in any order, and others read behind a barrier.  Addresses are generic;
 * where the team's memory is known, at the link, compilers take its own instructions. */
#define SND_DEFINE_TEAM_ADD(T, C) \
  SND_INLINE void snd_team_add_##T(C *sum, C v) \
  { \
    SND_PRAGMA(omp atomic) \
    *sum += v; \
  } \
  SND_INLINE void snd_team_sub_##T(C *sum, C v) { snd_team_add_##T(sum, -v); }
SND_DEFINE_TEAM_ADD(u32, uint32_t)
SND_DEFINE_TEAM_ADD(u64, uint64_t)
SND_DEFINE_TEAM_ADD(f32, float)
SND_DEFINE_TEAM_ADD(f64, double)
#undef SND_DEFINE_TEAM_ADD

/* Several lanes may raise one flag, none takes it back before the barrier. */
SND_INLINE void snd_team_mark(uint8_t *flag)
{
  SND_PRAGMA(omp atomic write)
  *flag = 1;
}

#if SND_HAS_DEVICES && !defined(SN_ACC)

SND_INLINE void snd_target_team(snd_thread *thread, const snd_blocks *blocks, snd_worker worker)
{
  thread->blocks = blocks;
  thread->lane = (int32_t)worker.thread;
  thread->lanes = (int32_t)worker.threads;
  thread->teams = (int32_t)worker.teams;
  thread->next = worker.team;
}

# define SND_LOOP_TEAM_TARGET(name, task, staged, blocks_of, most, OF) \
  SND_FUNCTION int name##_target(const snd_args *args) \
  { \
    void *record = SND_DEVICE_POINTER(args->launch); \
    if (!snd_target_ready(args)) return SN_EDEVICE; \
    SND_TARGET_TEAMS_OF(most, args, SND_DEVICE_POINTERS(record)) \
    { \
      staged of_team; \
      SND_TEAM_MEMORY(of_team) \
      SND_TARGET_PARALLEL##OF \
      { \
        snd_thread each = snd_target_thread(record), *thread = &each; \
        const snd_blocks blocks = blocks_of; \
        snd_target_team(thread, &blocks, SND_TARGET_WORKER); \
        task(thread, &of_team); \
      } \
    } \
    return SN_OK; \
  }
#else
# define SND_LOOP_TEAM_TARGET(name, task, staged, blocks_of, most, OF)
#endif

/* Host threads run the function `host`, teams of a device, of so many threads, the function `team`,
 * which stages; _BY: the threads are what [[block_dim]] asks for. */
#define SND_LOOP_TEAM(name, host, team, staged, threads, blocks_of) \
  SND_LOOP_HOST(name, host, blocks_of) \
  SND_LOOP_TEAM_TARGET(name, team, staged, blocks_of, threads, )
#define SND_LOOP_TEAM_BY(name, host, team, staged, threads, blocks_of) \
  SND_LOOP_HOST(name, host, blocks_of) \
  SND_LOOP_TEAM_TARGET(name, team, staged, blocks_of, threads, _OF(threads))

#endif
