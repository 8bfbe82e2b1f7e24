/* Target: valid programs, made of the input's bytes (grammar.h), through the whole compiler.
 *
 * They are accepted with every option, every pass keeps the IR's rules, the IR is read back as it
 * was printed, and what is generated builds, with all warnings as errors.  FUZZ_SHOW=1 prints them.
 */
#include "t/fuzz/compiled.h"
#include "t/fuzz/grammar.h"
#include "t/fuzz/reread.h"

#include <stdlib.h>

enum { WORDS = 16, WORD_BYTES = 32, CHOICES = 3 };

typedef struct Command {
  char words[WORDS][WORD_BYTES];
  char *list[WORDS];
  int count;
} Command;

static void add(Command *c, const char *word)
{
  snprintf(c->words[c->count], WORD_BYTES, "%s", word);
  c->list[c->count] = c->words[c->count];
  c->count++;
}

static void choose_options(Command *c, const uint8_t *choices)
{
  static const char *const targets[] = { "omp", "serial", "interpreter" };
  static const char *const bounds[] = { "trap", "zero", "none" };
  static const char *const checks[] = { "--check=div", "--check=inactive", "--check=all" };
  static const char *const more[] = { "-g", "--routines", "--trace", "--no-assert", "-Wperf",
                                      "--pass=no-fold", "--pass=no-share", "--fp-contract=fast" };
  char word[WORD_BYTES];

  c->count = 0;
  add(c, "--verify-each");
  add(c, choices[2] & 64 ? "--emit=c,h,tasks,layout" : "--emit=c,h,ir=split");
  snprintf(word, sizeof word, "-O%d", 2 ^ choices[0] % 4);
  add(c, word);
  snprintf(word, sizeof word, "--target=%s", targets[choices[0] / 4 % 4 % 3]);
  add(c, word);
  snprintf(word, sizeof word, "--bounds=%s", bounds[choices[0] / 16 % 3]);
  add(c, word);
  if (choices[1] % 4 == 1)
    add(c, checks[choices[1] / 4 % 3]);
  if (choices[1] / 16 % 2)
    add(c, more[choices[1] / 32]);
}

/* As split. */
static void check_ir(const Compiled *c)
{
  const IrModule *m = read_ir(c->all.arena, c->all.printed.data, c->all.printed.length);

  if (!m)
    finding("what was printed is not read back\n%s", c->all.printed.data);
  check_reread(c->all.arena, m, 1);
}

static void compile_program(const Text *text, const uint8_t *choices)
{
  Command command;
  Compiled c;

  choose_options(&command, choices);
  if (!compile_text(&c, text->data, text->length, command.list, command.count))
    finding("the options are refused");
  if (c.status != 0)
    finding("a valid program is refused\n%s\n%s", c.said, text->data);
  check_messages(&c);
  if (c.options.emit & EMIT_IR)
    check_ir(&c);
  if (choices[2] % 4 == 1 || getenv("FUZZ_ALL"))
    check_builds(&c, BUILD_SMALL);
  if (choices[2] % 32 == 3 || getenv("FUZZ_ALL"))
    check_builds(&c, BUILD_STRICT);
  compiled_free(&c);
}

void fuzz_one(const uint8_t *data, size_t size)
{
  Text text = { 0 };

  if (size < CHOICES)
    return;
  grammar_program(data + CHOICES, size - CHOICES, &text);
  if (getenv("FUZZ_SHOW"))
    puts(text.data);
  compile_program(&text, data);
  text_free(&text);
}
