/* Tasks of kernels that are made by hand. */
#ifndef SNODE_TEST_TASK_H
#define SNODE_TEST_TASK_H

#include <snode/snode.h>
#include <snode/module.h>
#include <snode/device/runtime.h>

/* One task from what it does: BODY(view, launch, params) on the host or a device. */
#define TASK_HOST(name, P) \
  static int name##_host(const snd_args *args) \
  { \
    const P params = *(const P *)args->params; \
    name##_body(SND_HOST_VIEW(args, 0), SND_HOST_LAUNCH(args), &params); \
    return SN_OK; \
  }
#if SND_HAS_DEVICES
# define TASK_TARGET(name, P) \
  static int name##_target(const snd_args *args) \
  { \
    void *tree_view = SND_DEVICE_POINTER(args->views[0]); \
    void *record = SND_DEVICE_POINTER(args->launch); \
    const P params = *(const P *)args->params; \
    if (!snd_target_ready(args)) return SN_EDEVICE; \
    SND_TARGET_SINGLE(args, SND_DEVICE_POINTERS(tree_view, record) firstprivate(params)) \
    { \
      name##_body((const SND_GLB snd_tree_view *)tree_view, (SND_GLB snd_launch *)record, \
                  &params); \
    } \
    return SN_OK; \
  }
#else
# define TASK_TARGET(name, P)
#endif
#define TASK(name, P) TASK_HOST(name, P) TASK_TARGET(name, P)

#endif
