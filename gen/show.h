/* What --emit=tasks and --emit=layout print about a module. */
#ifndef SNODEGEN_SHOW_H
#define SNODEGEN_SHOW_H

#include "gen/ir/ir.h"

/* Each kernel's tasks in order, one a line; wants a split module. */
void show_tasks(const IrModule *, Text *);
/* Each tree: its containers, their cells, how many there can be, the fields. */
void show_layout(const IrModule *, Text *);
/* Its last part: behind the passes. show_modes.c. */
void show_modes(const IrModule *, Text *);

#endif
