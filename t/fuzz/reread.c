/* The IR's reader and writer, one against the other. */
#include "t/fuzz/reread.h"

#include <stdlib.h>
#include <string.h>

IrModule *read_ir(Arena *arena, const char *text, size_t length)
{
  DiagOptions *options = NEW(arena, DiagOptions);
  Source *source = NEW(arena, Source);
  char *copy = arena_alloc(arena, length + 1), *said = NULL;
  size_t bytes = 0;
  FILE *messages = open_memstream(&said, &bytes);
  Diag *d = messages ? diag_create(arena, options, messages) : NULL;
  IrModule *m;

  if (!d)
    finding("no memory for messages");
  diag_defaults(options);
  memcpy(copy, text, length);
  *source = (Source){ .path = "fuzz.ir", .text = copy, .length = length };
  diag_source(d, source);
  m = ir_read(arena, d, source);
  fclose(messages);
  if (!m && !bytes)
    finding("IR is refused without a message");
  free(said);
  return m;
}

void check_reread(Arena *arena, const IrModule *m, int stage)
{
  Text once = { 0 }, twice = { 0 };
  const char *broken;
  IrModule *again;

  ir_print(m, &once);
  again = read_ir(arena, once.data, once.length);
  if (!again)
    finding("what was printed is not read back\n%s", once.data);
  broken = ir_verify(again, stage);
  if (broken)
    finding("read back it breaks a rule: %s", broken);
  ir_print(again, &twice);
  if (once.length != twice.length || memcmp(once.data, twice.data, once.length) != 0)
    finding("read back it is another text\n%s\n---\n%s", once.data, twice.data);
  text_free(&once);
  text_free(&twice);
}
