/* Target: any text, with any options, through the whole compiler.
 *
 * As in t/err, lines "// options: ..." are a command line.  Whatever the text is: no crash, no
 * internal error (every pass is verified), errors are told; what is accepted gives the same texts
 * a second time, and builds.
 */
#include "t/fuzz/compiled.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 24, LINE_BYTES = 512 };

static const char marker[] = "// options:";

/* Cuts the line at blanks, in place. */
static void cut(char *line, char **words, int *count)
{
  char *word = strtok(line, " \t\r");

  for (; word && *count < MOST_WORDS; word = strtok(NULL, " \t\r"))
    words[(*count)++] = word;
}

static int options_of(const char *text, size_t length, char *line, char **words)
{
  static char verify[] = "--verify-each";
  const char *at = memmem(text, length, marker, sizeof marker - 1), *end;
  size_t bytes;
  int count = 0;

  words[count++] = verify;
  if (!at)
    return count;
  at += sizeof marker - 1;
  end = memchr(at, '\n', (size_t)(text + length - at));
  bytes = (size_t)((end ? end : text + length) - at);
  if (bytes >= LINE_BYTES)
    return count;
  memcpy(line, at, bytes);
  line[bytes] = '\0';
  cut(line, words, &count);
  return count;
}

static void expect_same(const Text *a, const Text *b, const char *what)
{
  if (a->length != b->length || (a->length && memcmp(a->data, b->data, a->length) != 0))
    finding("a second compile gives another %s", what);
}

static void compile_again(const Compiled *first, char *const *words, int count)
{
  Compiled again;

  if (!compile_text(&again, first->all.source.text, first->all.source.length, words, count))
    finding("a second compile refuses its options");
  expect_same(&first->all.c, &again.all.c, "C file");
  expect_same(&first->all.header, &again.all.header, "header");
  compiled_free(&again);
}

/* Some of what takes long, by chance; of what was found before, all (FUZZ_ALL). */
static void check_accepted(const Compiled *c, char *const *words, int count, uint64_t chance)
{
  if ((chance & 15) == 15)
    compile_again(c, words, count);
  if ((chance >> 4 & 7) == 7)
    check_builds(c, BUILD_SMALL);
  if ((chance >> 8 & 63) == 63)
    check_builds(c, BUILD_STRICT);
}

void fuzz_one(const uint8_t *data, size_t size)
{
  const char *text = (const char *)data;
  char line[LINE_BYTES], *words[MOST_WORDS];
  const int count = options_of(text, size, line, words);
  Compiled c;

  if (!compile_text(&c, text, size, words, count))
    return;
  check_messages(&c);
  if (c.status == 0)
    check_accepted(&c, words, count, getenv("FUZZ_ALL") ? ~UINT64_C(0) : hash_of(data, size));
  compiled_free(&c);
}
