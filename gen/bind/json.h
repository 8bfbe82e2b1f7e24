/* Writes JSON: objects and lists, a member a line; those that are begun flat stand on one line. */
#ifndef SNODEGEN_BIND_JSON_H
#define SNODEGEN_BIND_JSON_H

#include "gen/base/base.h"

enum { JSON_MOST_DEPTH = 128 };

typedef struct Json {
  Text *out;
  int depth, flat;            /* how many are open; from which on they stand on one line, or 0 */
  bool has_any[JSON_MOST_DEPTH];
} Json;

/* bracket: '{' or '['.  key: NULL in a list, and of the whole. */
void json_begin(Json *, const char *key, char bracket);
void json_begin_flat(Json *, const char *key, char bracket);
void json_end(Json *, char bracket);            /* '}' or ']' */
void json_string(Json *, const char *key, const char *value);     /* NULL: nothing is written */
void json_integer(Json *, const char *key, long long value);
void json_bool(Json *, const char *key, bool value);
void json_literal(Json *, const char *key, const char *text);     /* as it is */

#endif
