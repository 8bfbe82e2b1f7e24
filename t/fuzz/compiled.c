/* One compile, as gen/compile.h has it. */
#include "t/fuzz/compiled.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 };

static bool take_words(Arena *arena, Options *options, char *const *words, int count)
{
  static char name[] = "snodegen", input[] = "fuzz.sn";
  char *argv[WORDS + 3] = { name };
  int argc = 1;

  for (int k = 0; k < count && k < WORDS; k++)
    argv[argc++] = words[k];
  argv[argc++] = input;
  argv[argc] = NULL;
  return options_parse(arena, options, argc, argv) && options->run_pass < 0;
}

bool compile_text(Compiled *c, const char *text, size_t length, char *const *words, int count)
{
  Arena *arena = arena_create();
  char *copy = arena_alloc(arena, length + 1);

  memset(c, 0, sizeof *c);
  if (!take_words(arena, &c->options, words, count)) {
    arena_destroy(arena);
    return false;
  }
  memcpy(copy, text, length);
  c->all = (Compilation){ .arena = arena, .options = &c->options, .base = "fuzz",
                          .prefix = c->options.prefix ? c->options.prefix : "fuzz",
                          .source = { .path = "fuzz.sn", .text = copy, .length = length } };
  c->all.messages = open_memstream(&c->said, &c->said_bytes);
  if (!c->all.messages)
    finding("no memory for messages");
  c->status = compile(&c->all);
  fclose(c->all.messages);
  return true;
}

void compiled_free(Compiled *c)
{
  compilation_free(&c->all);
  arena_destroy(c->all.arena);
  free(c->said);
}

void check_messages(const Compiled *c)
{
  if (c->status != 0 && !c->said_bytes)
    finding("refused without a message");
  for (size_t k = 0; k < c->said_bytes; k++) {
    const unsigned char at = (unsigned char)c->said[k];
    if ((at < 0x20 && at != '\n' && at != '\033') || at == 0x7f)
      finding("a message has the byte %u", at);
  }
}
