/* Target: any text through the reader of the IR, its verifier and its writer.
 *
 * What is read and keeps the rules of a stage is printed, and read back it is the same text, which
 * keeps the rules too.
 */
#include "t/fuzz/reread.h"

enum { STAGES = 3 };

void fuzz_one(const uint8_t *data, size_t size)
{
  Arena *arena = arena_create();
  const IrModule *m = read_ir(arena, (const char *)data, size);

  for (int stage = 0; m && stage < STAGES; stage++)
    if (!ir_verify(m, stage))
      check_reread(arena, m, stage);
  arena_destroy(arena);
}
