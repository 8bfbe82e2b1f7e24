/* What the pass stage makes for devices, whose teams stage what [[cache]] names. */
#ifndef SNODEGEN_PASSES_STAGE_H
#define SNODEGEN_PASSES_STAGE_H

#include "gen/passes/tools.h"

/* A function of the module for one element of a staged field, at its coordinates, which are inside
 * the extents: it gives the element that is read, or takes the sum that is added to it.
 * access: one of those that are staged. */
IrFunction *stage_element(IrModule *, const IrFunction *kernel, const IrStmt *cache,
                          const IrStmt *access);

#endif
