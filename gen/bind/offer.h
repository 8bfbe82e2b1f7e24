/* What a module offers, in terms that no language has to itself: types, values, extents, names.
 * The functions are those of gen/emit/api.h.
 */
#ifndef SNODEGEN_BIND_OFFER_H
#define SNODEGEN_BIND_OFFER_H

#include "gen/emit/api.h"

/* The type as the .sn file spells it: "f32x3", "f64x2x2", "bool", "particle". */
const char *offer_type(Emit *, const Type *, const Struct *, int rows, int columns);
/* A parameter like one that takes a value of the field. */
ApiParam offer_field(Emit *, const IrTree *, const IrField *);
/* The name of a field in the header: "u_grad", "v". */
const char *offer_field_name(Emit *, const IrField *);
/* A field that has calls; the next one, from `at` on; -1: there is none. */
int offer_next_field(const IrTree *, int at);
/* How many extents an array of a kernel has, and extent k as text: a number, or the name of the
 * parameter that it is in the call. */
int offer_array_rank(const ApiParam *);
const char *offer_array_extent(Emit *, const ApiCall *, const ApiParam *, int k);

#endif
