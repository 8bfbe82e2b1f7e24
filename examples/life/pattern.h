/* Patterns of the Game of Life: built in, or read from a file in the RLE format that
 * its programs exchange (https://conwaylife.com/wiki/Run_Length_Encoded). */
#ifndef LIFE_PATTERN_H
#define LIFE_PATTERN_H

#include <stddef.h>
#include <stdint.h>

typedef struct pattern {
  int64_t *at;                          /* row, column of each living cell */
  int64_t cells;
} pattern;

/* name: one of the built-in patterns, else the path of a file.  0, or -1 with a line in
 * message.  The pattern's memory is given back by pattern_free. */
int pattern_read(const char *name, pattern *out, char *message, size_t bytes);
void pattern_free(pattern *);

/* The built-in names, in one line. */
const char *pattern_names(void);

#endif
