/* SPDX-License-Identifier: BSD-3-Clause */
/* The two forms of a runtime task, host and target, from what one worker does.
 *
 *   SND_RUNTIME_TASK(name, WORK): snd_NAME_host and snd_NAME_target over
 *     void snd_NAME(view, snode, launch, slot, const snd_worker *)
 *   WORK(view, snode): how many threads' worth of work there is (host)
 */
#ifndef SNODE_DEVICE_TASK_H
#define SNODE_DEVICE_TASK_H

#include <snode/device/node.h>
#include <snode/device/worker.h>

#define SND_RUNTIME_SHARE(name) \
  SND_FUNCTION void \
  snd_##name##_host_share(const SND_GLB snd_tree_view *view, const snd_args *args, int number, \
                     int threads) \
  { \
    const snd_worker worker = snd_host_worker(number, threads); \
    snd_##name(view, args->snode, SND_HOST_LAUNCH(args), args->slot, &worker); \
  }

#define SND_RUNTIME_TASK_HOST(name, WORK) \
  SND_RUNTIME_SHARE(name) \
  SND_FUNCTION int snd_##name##_host(const snd_args *args) \
  { \
    const SND_GLB snd_tree_view *view = SND_HOST_VIEW(args, args->slot); \
    SND_HOST_PARALLEL(args, WORK(view, args->snode), snd_##name##_host_share, view, args); \
    return SN_OK; \
  }

#if SND_HAS_DEVICES
# define SND_RUNTIME_TASK_TARGET(name) \
  SND_FUNCTION int snd_##name##_target(const snd_args *args) \
  { \
    void *tree_view = SND_DEVICE_POINTER(args->views[args->slot]); \
    void *record = SND_DEVICE_POINTER(args->launch); \
    const int32_t snode = args->snode, slot = args->slot; \
    if (!snd_target_ready(args)) return SN_EDEVICE; \
    SND_TARGET_TEAMS(args, SND_DEVICE_POINTERS(tree_view, record) firstprivate(snode, slot)) \
    SND_TARGET_PARALLEL \
    { \
      const snd_worker worker = SND_TARGET_WORKER; \
      snd_##name((const SND_GLB snd_tree_view *)tree_view, snode, (SND_GLB snd_launch *)record, \
                 slot, &worker); \
    } \
    return SN_OK; \
  }
#else
# define SND_RUNTIME_TASK_TARGET(name)
#endif

#define SND_RUNTIME_TASK(name, WORK) \
  SND_RUNTIME_TASK_HOST(name, WORK) \
  SND_RUNTIME_TASK_TARGET(name)

/* One thread's worth, for tasks that one thread does. */
SND_INLINE int64_t snd_work_single(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 1;
}

SND_INLINE int snd_is_first(const snd_worker *worker)
{
  return worker->team == 0 && worker->thread == 0;
}

#endif
