/* A compile in the fuzzer's own process, and whether what it made builds. */
#ifndef SN_T_FUZZ_COMPILED_H
#define SN_T_FUZZ_COMPILED_H

#include "gen/compile.h"
#include "t/fuzz/fuzz.h"

typedef struct Compiled {
  Options options;
  Compilation all;
  char *said;                    /* its messages */
  size_t said_bytes;
  int status;                    /* as of the command */
} Compiled;

/* The text as "fuzz.sn", with the words of a command line, which stay as they are until
 * compiled_free().  False: the command line is wrong, or asks for something else than a
 * compile; then there is nothing to free. */
bool compile_text(Compiled *, const char *text, size_t length, char *const *words, int count);
void compiled_free(Compiled *);
/* What holds whatever was compiled: errors are told, in printable characters. */
void check_messages(const Compiled *);

typedef enum Builder {
  BUILD_SMALL,                   /* tcc */
  BUILD_STRICT                   /* gcc, all warnings are errors */
} Builder;

/* The C file and the header, if both were made, in the hands of a C compiler (builds.c): a finding
 * when it says no.  Nothing where there is no such compiler. */
void check_builds(const Compiled *, Builder);

#endif
