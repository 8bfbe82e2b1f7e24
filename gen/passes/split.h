/* split.c, split_task.c and split_host.c: a kernel being cut into tasks. */
#ifndef SNODEGEN_PASSES_SPLIT_H
#define SNODEGEN_PASSES_SPLIT_H

#include "gen/passes/tools.h"

typedef struct Split {
  IrModule *module;
  IrFunction *kernel;
  IrBlock *body;              /* the new one: of the kernel, of an if or a while */
  IrStmt *serial;             /* the serial task being filled, or NULL */
} Split;

/* ---- split_task.c ---- */
/* A task behind those that there are. */
IrStmt *split_task(Split *, IrTask, IrSNode *, int slot, Loc);
/* Tasks that collect what the block deactivates, or all below an SNode. */
void split_collect_after(Split *, IrBlock *, Loc);
void split_collect_below(Split *, IrSNode *, int slot, Loc);
/* The block of the serial task at hand, which is begun where there is none. */
IrBlock *split_serial(Split *, Loc);
void split_end_serial(Split *);

/* ---- split.c ---- */
/* Cuts what stands in the old block; the last serial task is ended. */
void split_block(Split *, IrBlock *old);

/* ---- split_host.c ---- */
bool split_holds_task(IrStmt *);
/* Whether s, which holds no task, can leave what is around it. */
bool split_leaves_to_host(const Split *, IrStmt *);
void split_control(Split *, IrStmt *);
void split_leaving(Split *, IrStmt *);

#endif
