/* The operations of the IR and what is true of each wherever it stands (ops.def), and the words
 * that a statement's attributes are said with: modes, manners, faults and tasks. */
#ifndef SNODEGEN_IR_OPS_H
#define SNODEGEN_IR_OPS_H

#include "gen/base/base.h"
#include "gen/model/loop.h"
#include "gen/model/operators.h"

typedef enum IrOp {
#define OP(name, result, operands, blocks, effects, stages, facts, attributes) IR_##name,
#include "gen/ir/ops.def"
#undef OP
  IR_OP_COUNT
} IrOp;

typedef enum IrEffects { IR_PURE, IR_READS, IR_WRITES, IR_CONTROL } IrEffects;

/* How far a module has come. */
enum { IR_STAGE_WRITTEN, IR_STAGE_SPLIT, IR_STAGE_LOWERED };

/* The columns of ops.def, which says what they mean. */
typedef struct IrOpInfo {
  const char *name;
  int result;                       /* IR_RESULT_* */
  int operands;                     /* -1: any */
  int blocks;
  IrEffects effects;
  unsigned stages;                  /* bits: IR_STAGE_* */
  unsigned facts;                   /* IR_SITE ... */
  unsigned attributes;              /* IR_ATTR_* */
} IrOpInfo;

enum {
  IR_SITE = 1 << 0, IR_LINE = 1 << 1, IR_TRAPS = 1 << 2, IR_BOUNDED = 1 << 3,
  IR_OF_LOCAL = 1 << 4, IR_OF_FIELD = 1 << 5, IR_OF_ARRAY = 1 << 6, IR_SEES = 1 << 7,
  IR_ACTIVATES = 1 << 8, IR_DEACTIVATES = 1 << 9, IR_DRAWS = 1 << 10, IR_PRINTS = 1 << 11,
  IR_LOOPS = 1 << 12, IR_FOREACH = 1 << 13, IR_JUMPS = 1 << 14,
  IR_IN_LANES = 1 << 15, IR_OF_PLACES = 1 << 16, IR_STAGED = 1 << 17
};

enum { IR_RESULT_NONE, IR_RESULT_SAME, IR_RESULT_BOOL, IR_RESULT_TYPE,
       IR_RESULT_CELL };
enum {
  IR_ATTR_VALUE = 1 << 0, IR_ATTR_VARIABLE = 1 << 1, IR_ATTR_FIELD = 1 << 2,
  IR_ATTR_SNODE = 1 << 3, IR_ATTR_SLOT = 1 << 4, IR_ATTR_UPDATE = 1 << 5,
  IR_ATTR_MODE = 1 << 6, IR_ATTR_BUILTIN = 1 << 7, IR_ATTR_FUNCTION = 1 << 8,
  IR_ATTR_INDEX = 1 << 9, IR_ATTR_TEXT = 1 << 10, IR_ATTR_TASK = 1 << 11,
  IR_ATTR_LANES = 1 << 12, IR_ATTR_SOURCE = 1 << 13, IR_ATTR_TABLE = 1 << 14
};
extern const IrOpInfo ir_op_info[IR_OP_COUNT];

/* What computes an operator, IR_const where nothing does; and back, else OP_NONE. */
extern const IrOp ir_operation[OP_COUNT];
extern const Op ir_operator[IR_OP_COUNT];

/* How many values an update takes, its last operands: the expected one stands before
 * the one that takes its place. */
static inline int ir_update_values(Op update)
{
  return update == OP_COMPARE_EXCHANGE ? 2 : 1;
}

typedef enum IrMode { IR_MODE_READ, IR_MODE_PEEK, IR_MODE_ACTIVATE } IrMode;

/* How the iterations of a parallel loop are run. */
typedef struct IrManner {
  bool is_serial;                   /* one after the other, in ascending order of the indices as
                                       the program has them; of a struct_for over a field FIELD
                                       says which order that is */
  Schedule schedule;
  int block_dim;                    /* threads of a team; 0: any */
} IrManner;

/* What a loop does with the array of a field that a `cache` names. */
typedef enum IrCached { IR_CACHED_NOT, IR_CACHED_READ, IR_CACHED_ADDED } IrCached;

/* What a `require` finds. */
typedef enum IrFault { IR_FAULT_DIVISION, IR_FAULT_INACTIVE, IR_FAULT_BOUNDS,
               IR_FAULTS } IrFault;

typedef enum IrTask {
  IR_TASK_SERIAL,                   /* serial { } */
  IR_TASK_RANGE_FOR,                /* range_for(lo, hi, ...) { } */
  IR_TASK_STRUCT_FOR,               /* struct_for(S2dense grid) { } */
  IR_TASK_CLEAR_LIST,               /* clear_list S2dense grid */
  IR_TASK_LISTGEN,                  /* listgen S1pointer->S2dense grid */
  IR_TASK_DEACTIVATE_ALL,           /* deactivate_all S1pointer grid */
  IR_TASK_GC,                       /* gc S1pointer grid: it and its descendants */
  IR_TASKS
} IrTask;
extern const char *const ir_task_name[IR_TASKS];
extern const char *const ir_mode_name[3];

#endif
