/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/snode.h: what a program includes (generated headers do it for it).
 *
 * Contexts and errors, what calls on trees take, numbers of f16, queues and events, profile,
 * versions.  Not here: snode/task.h and snode/submit.h, for programs that submit tasks and
 * kernels; snode/tape.h, for the derivative of many calls; snode/module.h, which generated code
 * and bindings for other languages use.
 */
#ifndef SNODE_SNODE_H
#define SNODE_SNODE_H

#include <snode/context.h>
#include <snode/device/f16.h>
#include <snode/engine.h>
#include <snode/error.h>
#include <snode/profile.h>
#include <snode/tree.h>
#include <snode/version.h>

#endif
