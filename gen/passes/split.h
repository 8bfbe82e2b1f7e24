/* split.c and split_host.c: a kernel being cut into tasks. */
#ifndef SNODEGEN_PASSES_SPLIT_H
#define SNODEGEN_PASSES_SPLIT_H

#include "gen/passes/tools.h"

typedef struct Split {
  IrModule *module;
  IrFunction *kernel;
  IrBlock *body;              /* the new one: of the kernel, of an if or a while */
  IrStmt *serial;             /* the serial task being filled, or NULL */
} Split;

/* ---- split.c ---- */
/* The block of the serial task at hand, which is begun where there is none. */
IrBlock *serial_block(Split *, Loc);
void end_serial(Split *);
/* Cuts what stands in the old block; the last serial task is ended. */
void split_block(Split *, IrBlock *old);

/* ---- split_host.c ---- */
bool contains_task(IrStmt *);
/* Whether s, which holds no task, can leave what is around it. */
bool leaves_to_host(const Split *, IrStmt *);
void split_control(Split *, IrStmt *);
void split_leaving(Split *, IrStmt *);

#endif
