/* All that a generated file includes: the sparse runtime, as inline functions. */
#ifndef SNODE_DEVICE_RUNTIME_H
#define SNODE_DEVICE_RUNTIME_H

#include <snode/device/arith.h>
#include <snode/device/atomic.h>
#include <snode/device/backend.h>
#include <snode/device/loop.h>
#include <snode/device/pointer.h>
#include <snode/device/print.h>
#include <snode/device/trap.h>
#include <snode/device/walk.h>

#endif
