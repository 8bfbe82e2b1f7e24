/* The words of the text form, shared by the printer and the reader. */
#include "gen/ir/words.h"

#include <stdlib.h>
#include <string.h>

const char *words_op(IrOp op)
{
  return op == IR_loop_index ? "loop" : ir_op_info[op].name;
}

IrOp words_op_by_name(const char *name)
{
  int op = 0;

  while (op < IR_OP_COUNT && strcmp(words_op((IrOp)op), name) != 0)
    op++;
  return (IrOp)op;
}

bool words_is_choice(unsigned attributes)
{
  unsigned objects = attributes & (IR_ATTR_FIELD | IR_ATTR_SNODE | IR_ATTR_VARIABLE);

  return (objects & (objects - 1)) != 0;
}

bool words_task_has_block(IrTask task)
{
  return task == IR_TASK_SERIAL || task == IR_TASK_RANGE_FOR || task == IR_TASK_STRUCT_FOR;
}

bool words_has_blocks(const IrStmt *s)
{
  return s->op == IR_offloaded ? words_task_has_block(s->task)
                               : ir_op_info[s->op].blocks > 0;
}

bool words_keeps_loc(const IrStmt *s)
{
  return s->site >= 0 || ir_is(s, IR_SITE | IR_LINE);
}

double words_float(const Type *type, const char *digits)
{
  return type->kind == TYPE_F32 ? (double)strtof(digits, NULL)
                                : value_wrap(type, (Value){ .f = strtod(digits, NULL) }).f;
}

int words_position(const char *const *names, int count, const char *name)
{
  for (int k = 0; k < count; k++)
    if (strcmp(names[k], name) == 0)
      return k;
  return -1;
}
