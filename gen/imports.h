/* The files of a compile: the named one and what it imports. */
#ifndef SNODEGEN_IMPORTS_H
#define SNODEGEN_IMPORTS_H

#include "gen/front/ast.h"
#include "gen/options.h"

typedef struct Imports {
  Arena *arena;
  const Options *options;     /* -I */
  const Source **sources;     /* by number */
  const char **places;        /* of each: where it really is, so that it is known again */
  int count;
} Imports;

/* The named file, which has been read, is number 0. */
void imports_begin(Imports *, Arena *, const Options *, const Source *named);
/* An Importer's find; user: the Imports. */
const Source *imports_find(void *user, const Source *importing, const char *name);

#endif
