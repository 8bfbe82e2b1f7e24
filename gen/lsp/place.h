/* Places in texts and names of files, as the protocol has them: lines and UTF-16 units from 0, and
 * URIs. */
#ifndef SNODEGEN_LSP_PLACE_H
#define SNODEGEN_LSP_PLACE_H

#include "gen/base/base.h"
#include "gen/bind/json.h"

/* The line's first byte; *end: behind its last one, in front of what ends it.  line counts from 1;
 * one behind the text is empty, at its end. */
const char *place_line(const Source *, int line, const char **end);
/* The protocol's place as one of ours, in file 0: beyond the end of a line, its end. */
Loc place_from(const Source *, int line, int units);
/* How many UTF-16 units stand before the column. */
int place_units(const Source *, Loc);
/* "range": from one place to another. */
void place_write_range(Json *, const char *key, const Source *, Loc from, Loc to);

/* "file:///a%20b" to "/a b"; another URI as it is. */
const char *place_path(Arena *, const char *uri);
const char *place_uri(Arena *, const char *path);

#endif
