/* snode/snode.h: what a program includes (generated headers do it for it).
 *
 * Contexts and errors, what calls on trees take, profile, versions.  Not here:
 * snode/module.h, which generated code and bindings for other languages use.
 */
#ifndef SNODE_SNODE_H
#define SNODE_SNODE_H

#include <snode/context.h>
#include <snode/error.h>
#include <snode/profile.h>
#include <snode/tree.h>
#include <snode/version.h>

#endif
