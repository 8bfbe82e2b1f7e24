/* The state of writing IR text, shared by print_value.c (the small phrases), print_tree.c (trees),
 * print_stmt.c (statements) and print.c (functions and the module).
 */
#ifndef SNODEGEN_IR_PRINTER_H
#define SNODEGEN_IR_PRINTER_H

#include "gen/ir/ir.h"

typedef struct Printer {
  Text *out;
  const IrFunction *function; /* whose statements are written; NULL: none's */
  int indent;
} Printer;

/* ---- print_value.c ---- */
void printer_margin(Printer *);
void printer_string(Text *, const char *);                /* quoted, with escapes */
void printer_doc(Text *, const char *doc);                /* NULL: nothing */
void printer_loc(Text *, Loc);
void printer_value(Text *, const Type *, Value);
void printer_of(Text *, const Struct *of);                /* NULL: nothing */

/* ---- print_tree.c ---- */
void printer_tree(Printer *, const IrTree *);

/* ---- print_stmt.c ---- */
void printer_block(Printer *, const IrBlock *);
void printer_lane_count(Text *, int lanes);               /* 0: nothing */

#endif
