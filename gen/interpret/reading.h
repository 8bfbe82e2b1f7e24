/* Modules as they were read from a program's text, kept from one call to the next: to read a module
 * and to verify it takes hundreds of times as long as a small task.
 *
 * Threads: one call at a time has a reading; calls that run at the same time have one each.
 */
#ifndef SNODEGEN_INTERPRET_READING_H
#define SNODEGEN_INTERPRET_READING_H

#include "gen/ir/ir.h"

#include <snode/interpreter.h>

typedef struct Reading {
  char *text;                 /* its own copy, in one piece */
  Arena *arena;               /* of the module */
  IrModule *module;           /* NULL: not read yet, or the text is no module */
  int most_operands;          /* of a statement of any kernel or function */
  int function_values;        /* numbers and variables of all functions: since no function calls
                                 itself, one frame for each is enough */
} Reading;

/* One of this very text that no call has, else a new one, not read yet; NULL: no memory. */
Reading *reading_take(const sn_interpreter_program *);

/* Its module, whose functions are numbered; NULL: the text is none. Inside interpreter_guard: a
 * reader that gives up leaves by its jump. */
IrModule *reading_module(Reading *);

/* Keeps it for the next call where it has a module. */
void reading_give_back(Reading *);

#endif
