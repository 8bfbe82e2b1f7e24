/* The tables of the IR: operations by ops.def, and the words of the text form. */
#include "gen/ir/ir.h"

/* Facts, attributes and stages as ops.def spells them. */
enum {
  SITE = IR_SITE, LINE = IR_LINE, TRAPS = IR_TRAPS, BOUNDED = IR_BOUNDED,
  OF_LOCAL = IR_OF_LOCAL, OF_FIELD = IR_OF_FIELD, OF_ARRAY = IR_OF_ARRAY,
  OF_PLACES = IR_OF_PLACES, SEES = IR_SEES,
  ACTIVATES = IR_ACTIVATES, DEACTIVATES = IR_DEACTIVATES, DRAWS = IR_DRAWS, PRINTS = IR_PRINTS,
  LOOPS = IR_LOOPS, FOREACH = IR_FOREACH, JUMPS = IR_JUMPS, IN_LANES = IR_IN_LANES,
  STAGED = IR_STAGED,

  WRITTEN = 1 << IR_STAGE_WRITTEN, LOWERED = 1 << IR_STAGE_LOWERED,
  UNLOWERED = WRITTEN | 1 << IR_STAGE_SPLIT, SPLIT = LOWERED | 1 << IR_STAGE_SPLIT,
  ALL = WRITTEN | SPLIT,

  VALUE = IR_ATTR_VALUE, VARIABLE = IR_ATTR_VARIABLE, FIELD = IR_ATTR_FIELD,
  SNODE = IR_ATTR_SNODE, SLOT = IR_ATTR_SLOT, UPDATE = IR_ATTR_UPDATE,
  MODE = IR_ATTR_MODE, BUILTIN = IR_ATTR_BUILTIN, FUNCTION = IR_ATTR_FUNCTION,
  INDEX = IR_ATTR_INDEX, TEXT = IR_ATTR_TEXT, TASK = IR_ATTR_TASK, LANES = IR_ATTR_LANES,
  SOURCE = IR_ATTR_SOURCE, TABLE = IR_ATTR_TABLE,
  ANY = -1
};

const IrOpInfo ir_op_info[IR_OP_COUNT] = {
#define OP(name, result, operands, blocks, effects, stages, facts, attributes) \
  { #name, IR_RESULT_##result, operands, blocks, IR_##effects, stages, facts, attributes },
#include "gen/ir/ops.def"
#undef OP
};

const IrOp ir_operation[OP_COUNT] = {
#define OPERATOR(id, name, sign, operation) [OP_##id] = IR_##operation,
#define OTHER(id, name, sign)
#include "gen/model/operators.def"
};

const Op ir_operator[IR_OP_COUNT] = {
#define OPERATOR(id, name, sign, operation) [IR_##operation] = OP_##id,
#define OTHER(id, name, sign)
#include "gen/model/operators.def"
};

const char *const ir_task_name[IR_TASKS] = {
  [IR_TASK_SERIAL] = "serial", [IR_TASK_RANGE_FOR] = "range_for",
  [IR_TASK_STRUCT_FOR] = "struct_for", [IR_TASK_CLEAR_LIST] = "clear_list",
  [IR_TASK_LISTGEN] = "listgen", [IR_TASK_DEACTIVATE_ALL] = "deactivate_all",
  [IR_TASK_GC] = "gc"
};

const char *const ir_mode_name[3] = {
  [IR_MODE_READ] = "read", [IR_MODE_PEEK] = "peek", [IR_MODE_ACTIVATE] = "activate"
};

const char *const ir_bounds_name[3] = {
  [IR_BOUNDS_TRAP] = "trap", [IR_BOUNDS_ZERO] = "zero", [IR_BOUNDS_NONE] = "none"
};
