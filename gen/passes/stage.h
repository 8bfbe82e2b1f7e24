/* What the pass stage is made of: where an access is, what stands for it where its field is staged,
 * and a function for one element of it. */
#ifndef SNODEGEN_PASSES_STAGE_H
#define SNODEGEN_PASSES_STAGE_H

#include "gen/passes/tools.h"

/* Which axis of the SNode's path it is; -1: none. */
int stage_axis(const IrSNode *, int axis);

/* How far a cell of the cached field is from the own one of the task, on each axis of the path,
 * where that is constant; added to offset, of which all are 0. */
bool stage_offsets(const IrStmt *task, const IrStmt *cache, const IrStmt *cell, int64_t *offset);
/* Or its coordinates, as its walk has them; false: it has none of some axis, or several. */
bool stage_coordinates(const IrStmt *cache, const IrStmt *cell, IrStmt **coordinate);

/* A `staged` of the access, at its offsets; a `staged_at`, at its coordinates: value is the load,
 * or what is added. */
IrStmt *stage_put(Maker *, const IrStmt *task, const IrStmt *cache, const IrStmt *access,
                  IrStmt *value);
IrStmt *stage_put_at(Maker *, const IrStmt *cache, IrFunction *element, const IrStmt *access,
                     IrStmt *value);

/* A function of the module for one element of a staged field, at its coordinates, which are inside
 * the extents: it gives the element that is read, or takes the sum that is added to it.
 * access: one of those that are staged. */
IrFunction *stage_element(IrModule *, const IrFunction *kernel, const IrStmt *cache,
                          const IrStmt *access);

#endif
