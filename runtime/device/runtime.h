/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a generated file includes: the sparse runtime, as inline functions.
 *
 * From the bottom up (a header includes only those above it here, or beside it):
 *   abi platform                  layouts; compilers
 *   arith atomic lanes shape      values; a tree's shape
 *   trap print fill lock random   pieces
 *   region loop team worker reduce   loops and who takes part in them
 *   node dense pointer reset bitmasked kinds        cells
 *   walk list order leaves within stage deposit claim window  trees
 *   task listgen gc sweep settle init access box    the runtime's own tasks
 *   factorize                     svd, polar, sym_eig of small matrices
 *   devices backend               the table for libsnode
 */
#ifndef SNODE_DEVICE_RUNTIME_H
#define SNODE_DEVICE_RUNTIME_H

#include <snode/device/backend.h>
#include <snode/device/claim.h>
#include <snode/device/deposit.h>
#include <snode/device/factorize.h>
#include <snode/device/gang.h>
#include <snode/device/leaves.h>
#include <snode/device/order.h>
#include <snode/device/print.h>
#include <snode/device/random.h>
#include <snode/device/reduce.h>
#include <snode/device/rows.h>
#include <snode/device/team.h>
#include <snode/device/window.h>
#include <snode/device/within.h>

#endif
