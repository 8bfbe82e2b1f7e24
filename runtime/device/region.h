/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions on devices: the two languages of pragmas that can open one, and who takes part.
 *
 *   snd_target_ready(args)        first line of a target function: 0 when there is no such device
 *   SND_TARGET_TEAMS(args, ...)   on the device of args, for every lane of every team: then
 *   SND_TARGET_PARALLEL           a block, in which
 *   SND_TARGET_WORKER             tells which one of them it is
 *   SND_TARGET_SINGLE(args, ...)  a block for one thread
 *   SND_TEAM_THREADS              lanes of a team; the macros that end in _OF take another number
 *
 * Behind args stand clauses. A region captures plain pointers and scalars only:
 *
 *   SND_DEVICE_POINTERS(p, ..)    pointers to memory of the device
 *   SND_COPIED_IN(p)              what p points to on the host is copied, and p points to the copy
 *   firstprivate(n, ..)           scalars
 *
 * OpenMP (SN_OFFLOAD): teams, and a parallel region in each.  Host threads are OpenMP's too.
 *
 * OpenACC (SN_ACC): a loop over all lanes, whose turns are shared out to gangs and vector lanes.
 * Where the device is the host, as that of OpenACC's own runtime is where there is no other, one
 * thread takes the turns one after the other, so there are as few as can be.  No turn may wait for
 * another one; nor does any, on GPUs whose lanes run in step.
 */
#ifndef SNODE_DEVICE_REGION_H
#define SNODE_DEVICE_REGION_H

#include <snode/device/platform.h>

/* Who does which share of a task: one host thread of several, or one lane of one of several
 * teams. */
typedef struct snd_worker {
  int64_t team, teams;           /* host: a thread is a team */
  int64_t thread, threads;       /* in the team; host: 0 of 1 */
} snd_worker;

#if SND_HAS_DEVICES
# define SND_TARGET(function) function
#else
# define SND_TARGET(function) NULL
#endif
/* A row of a kernel's tasks, by the functions that the macros of loop.h make: what it is called,
 * its line in the .sn file, SND_TASK_... or 0; one that the host runs always. */
#define SND_TASK(function, title, in_line, bits) \
  { .name = title, .host = function##_host, .target = SND_TARGET(function##_target), \
    .flags = bits, .line = in_line }
#define SND_HOST_TASK(function, title, in_line, bits) \
  { .name = title, .host = function##_host, .flags = bits, .line = in_line }

/* Threads of a team at most: a constant, by which the compiler sizes registers. */
enum { SND_TEAM_THREADS = 256 };

#define SND_TARGET_TEAMS(args, ...) SND_TARGET_TEAMS_OF(SND_TEAM_THREADS, args, __VA_ARGS__)

#ifdef SN_OFFLOAD

#define SND_DEVICE_POINTERS(...) is_device_ptr(__VA_ARGS__)
#define SND_COPIED_IN(p) map(to : p[0:1])

#define SND_TARGET_PARALLEL SND_PRAGMA(omp parallel)
/* Those of [[block_dim(n)]]: teams of n threads, where the device gives as many. */
#define SND_TARGET_TEAMS_OF(n, args, ...) \
  SND_PRAGMA(omp target teams device((args)->device - 1) num_teams(snd_target_teams(args)) \
             thread_limit(n) __VA_ARGS__)
#define SND_TARGET_PARALLEL_OF(n) SND_PRAGMA(omp parallel num_threads(n))
#define SND_TARGET_SINGLE(args, ...) \
  SND_PRAGMA(omp target device((args)->device - 1) __VA_ARGS__)
#define SND_TARGET_WORKER snd_target_worker()

/* 0: as many as the device likes. */
SND_INLINE int snd_target_teams(const snd_args *args)
{
  return args->teams > 0 ? args->teams : 0;
}

/* A region on a device that is not there would abort the process: return SN_EDEVICE. */
SND_INLINE int snd_target_ready(const snd_args *args)
{
  return args->device >= 1 && args->device <= omp_get_num_devices();
}

SND_INLINE snd_worker snd_target_worker(void)
{
  const snd_worker worker = { omp_get_team_num(), omp_get_num_teams(), omp_get_thread_num(),
                              omp_get_num_threads() };
  return worker;
}

/* Whether it is thread 0 of team 0, where no worker is at hand. */
SND_INLINE int snd_target_is_first(void)
{
  return omp_get_team_num() == 0 && omp_get_thread_num() == 0;
}

#elif defined(SN_ACC)

#define SND_DEVICE_POINTERS(...) deviceptr(__VA_ARGS__)
#define SND_COPIED_IN(p) copyin(p[0:1])

/* Teams where args ask for no number, and what the host as a device is taken for. */
#ifndef SND_ACC_TEAMS
# define SND_ACC_TEAMS 1024
#endif
#ifndef SND_ACC_HOST_TEAMS
# define SND_ACC_HOST_TEAMS 1
#endif
#ifndef SND_ACC_HOST_LANES
# define SND_ACC_HOST_LANES 1
#endif

#define SND_TARGET_TEAMS_OF(n, args, ...) \
  const int64_t snd_teams = snd_acc_teams(args), snd_lanes = snd_acc_lanes(n); \
  SND_PRAGMA_(acc parallel loop gang vector num_gangs(snd_teams) \
              vector_length(((n) + 31) / 32 * 32) firstprivate(snd_teams, snd_lanes) __VA_ARGS__) \
  for (int64_t snd_turn = 0; snd_turn < snd_teams * snd_lanes; snd_turn++)
#define SND_TARGET_PARALLEL
#define SND_TARGET_PARALLEL_OF(n)
/* As of `acc serial`, whose vectors of one lane gcc warns of: nvptx has 32. */
#define SND_TARGET_SINGLE(args, ...) \
  SND_PRAGMA_(acc parallel num_gangs(1) num_workers(1) vector_length(32) __VA_ARGS__)
#define SND_TARGET_WORKER snd_acc_worker(snd_turn, snd_teams, snd_lanes)

/* Of the device that the calling thread's regions run on. */
SND_INLINE int snd_acc_is_host(void) { return acc_get_device_type() == acc_device_host; }

SND_INLINE int64_t snd_acc_teams(const snd_args *args)
{
  return args->teams > 0 ? args->teams : snd_acc_is_host() ? SND_ACC_HOST_TEAMS : SND_ACC_TEAMS;
}

SND_INLINE int64_t snd_acc_lanes(int64_t most)
{
  return snd_acc_is_host() ? SND_ACC_HOST_LANES : most;
}

/* gcc has no clause that names the device of a region: it is made the calling thread's, for what
 * comes.  A number that does not exist would end the process. */
SND_INLINE int snd_acc_use(int device)
{
  if (device < 0 || device >= acc_get_num_devices(acc_device_default)) return 0;
  acc_set_device_num(device, acc_device_default);
  return 1;
}

SND_INLINE int snd_target_ready(const snd_args *args) { return snd_acc_use(args->device - 1); }

SND_INLINE snd_worker snd_acc_worker(int64_t turn, int64_t teams, int64_t lanes)
{
  const snd_worker worker = { turn / lanes, teams, turn % lanes, lanes };
  return worker;
}

SND_INLINE int snd_target_is_first(void)
{
  return __builtin_goacc_parlevel_id(0) == 0 && __builtin_goacc_parlevel_id(2) == 0;
}

#endif

#endif
