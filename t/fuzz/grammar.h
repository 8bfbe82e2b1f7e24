/* A generator of valid programs, driven by bytes.
 *
 * Each byte chooses; behind the last one every choice is the first, which is the simplest, so that
 * any bytes make a whole program.  What it knows of the language are its rules of types, shapes
 * and places: a program is accepted, or that is a finding.  What it does when it runs is left open.
 *
 *   grammar.c              choices, types, the program from top to bottom
 *   grammar_tree.c         structs, trees, nodes, fields
 *   grammar_expression.c   expressions of a wanted type
 *   grammar_statement.c    statements
 *   grammar_loop.c         loops over ranges, boxes and cells
 */
#ifndef SN_T_FUZZ_GRAMMAR_H
#define SN_T_FUZZ_GRAMMAR_H

#include "gen/base/base.h"

/* Appends the program. */
void grammar_program(const uint8_t *data, size_t size, Text *out);

#endif
