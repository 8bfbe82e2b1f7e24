/* Constants that are chosen among at run time: a table of the program's, or one scalar of each of
 * its elements.
 */
#ifndef SNODEGEN_IR_TABLE_H
#define SNODEGEN_IR_TABLE_H

#include "gen/ir/ir.h"

typedef struct IrTable {
  const char *name;                 /* no other's in the module */
  const Type *type;                 /* a number */
  Value *values;  int count;
} IrTable;

const IrTable *ir_find_table(const IrModule *, const char *name);       /* NULL: there is none */
/* What `table` gives: 0 where the index is no element's. */
Value ir_table_value(const IrTable *, int64_t index);

#endif
