/* The words of the text form, shared by the printer and the reader. */
#ifndef SNODEGEN_IR_WORDS_H
#define SNODEGEN_IR_WORDS_H

#include "gen/ir/ir.h"

/* Flags of a statement, in the order in which they are written. */
#define WORDS_FLAGS "plain", "relaxed", "reduction", "may_be_null", "if_active"
enum { WORDS_FLAG_COUNT = 5 };

/* The NaN that is written without its bits. */
#define WORDS_NAN_BITS UINT64_C(0x7ff8000000000000)


/* The word of an operation: its name, but "loop" for loop_index. */
const char *words_op(IrOp);
/* IR_OP_COUNT when there is none. */
IrOp words_op_by_name(const char *);

/* Whether the attributes leave open what the statement is about. */
bool words_is_choice(unsigned attributes);
/* Whether { } follows: an offloaded that runs the runtime's own code has none. */
bool words_has_blocks(const IrStmt *);
bool words_task_has_block(IrTask);
/* Whether run time may show the statement's place in the source. */
bool words_keeps_loc(const IrStmt *);

/* The position of name in names, -1 when it is not there. */
int words_position(const char *const *names, int count, const char *name);

/* The value of decimal digits, rounded once to the type. */
double words_float(const Type *, const char *digits);

#endif
