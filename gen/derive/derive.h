/* Kernels to their derivatives, IR to IR (docs/derivatives.md): what the passes reverse and
 * forward share.  A kernel that is to be derived has a copy of the program's statements as its
 * body, calls of functions replaced by their bodies; a pass makes the derivative of it.
 *
 * Values that have a derivative are floating point.  What is computed of an f16 is f32.
 */
#ifndef SNODEGEN_DERIVE_DERIVE_H
#define SNODEGEN_DERIVE_DERIVE_H

#include "gen/passes/tools.h"

/* Notes why the kernel has no derivative, once for each place; `note` NULL: there is no other. */
void add_underived(IrModule *, const IrFunction *kernel, Loc, const char *text, Loc other,
                   const char *note);

#endif
