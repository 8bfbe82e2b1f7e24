/* What was printed is read back. */
#ifndef SN_T_FUZZ_REREAD_H
#define SN_T_FUZZ_REREAD_H

#include "gen/ir/ir.h"
#include "t/fuzz/fuzz.h"

/* A module from text; NULL where the reader says no, with a message. */
IrModule *read_ir(Arena *, const char *text, size_t length);
/* A module that keeps the rules of the stage, printed, is read back as the same. */
void check_reread(Arena *, const IrModule *, int stage);

#endif
