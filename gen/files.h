/* Files of the command: read whole, written whole or not at all. */
#ifndef SNODEGEN_FILES_H
#define SNODEGEN_FILES_H

#include "gen/base/base.h"

/* ---- messages ---- */
/* "snodegen: error: ..." to stderr. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- contents ---- */
/* path "-": standard input.  False after a message. */
bool read_source(Arena *, const char *path, Source *);

/* Files that appear together: each is written beside its place first. What is not a regular file,
 * such as a pipe or /dev/null, is written into, and last: it cannot be replaced. */
typedef struct OutputFile {
  const char *path;
  const char *temporary;      /* NULL: path is not a regular file */
  const char *text; size_t length;      /* of such a one */
} OutputFile;
typedef struct OutputFiles {
  Arena *arena;
  OutputFile *files;
  int count;
} OutputFiles;
/* False after a message; then nothing is left behind. */
bool output_add(OutputFiles *, const char *path, const Text *);
bool output_publish(OutputFiles *);

/* To standard output; false after a message. */
bool print_text(const Text *);

/* ---- names ---- */
/* "a/b.sn" -> "b"; "-" -> "stdin". */
const char *stem_of(Arena *, const char *path);
/* Of C, in ASCII. */
bool is_identifier(const char *);
/* The path without its ending, where it is this one. */
const char *without_ending(Arena *, const char *path, const char *ending);
const char *joined_path(Arena *, const char *folder, const char *name);
/* A name as make reads it in a rule: blanks, # and $ quoted. */
const char *quoted_for_make(Arena *, const char *name);
/* The rule for make: targets (as given, or NULL: quoted outputs, up to a NULL): sources,
 * up to a NULL; NULL: an empty rule for the first output. */
void write_rule(Text *, const char *targets, const char *const *outputs,
                const char *const *sources);

#endif
