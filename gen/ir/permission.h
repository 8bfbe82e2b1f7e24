/* What a kernel as split may do to the trees that it takes. */
#ifndef SNODEGEN_IR_PERMISSION_H
#define SNODEGEN_IR_PERMISSION_H

#include "gen/ir/ir.h"

/* OUTPUT, beside what it does else: the field is one of the kernel's outputs. */
enum { IR_USE_READ = 1, IR_USE_WRITE = 2, IR_USE_ACCUMULATE = 4, IR_USE_MERGE = 8,
       IR_USE_OUTPUT = 16, IR_USES = 5 };
extern const char *const ir_use_name[IR_USES];    /* "read" ... */
typedef struct IrPermissions {      /* of slot s: IR_USE_... together, 0: nothing */
  Arena *arena;
  unsigned **field;                 /* [s][field's id] */
  unsigned **topology, **list;      /* [s][SNode's id]; dense SNodes have no topology */
  bool draws, prints;
} IrPermissions;
IrPermissions ir_permissions(Arena *, const IrFunction *kernel);

#endif
