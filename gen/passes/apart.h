/* Sweeps that take turns: iterations that store to a field, and cells of it that none of them
 * stores to, told apart by a rest.
 *
 *   if (((i + j + k) & 1) == colour) z[i, j, k] = z[i - 1, j, k] + ...
 *
 * A cell that is loaded there has another rest than any that is stored to.
 */
#ifndef SNODEGEN_PASSES_APART_H
#define SNODEGEN_PASSES_APART_H

#include "gen/passes/tools.h"

/* Whether no other iteration of the task stores to what the load, of a field, loads.
 * Needs note_declarations(). */
bool is_apart(const IrStmt *task, const IrStmt *load);

#endif
