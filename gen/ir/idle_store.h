/* Stores that change nothing: x = x. */
#ifndef SNODEGEN_IR_IDLE_STORE_H
#define SNODEGEN_IR_IDLE_STORE_H

#include "gen/ir/ir.h"

/* Of a store, whether its value is what is in the cell already. */
bool ir_stores_what_is_there(const IrStmt *);

#endif
