/* Reads JSON (RFC 8259) into values; gen/bind/json.h writes it. */
#ifndef SNODEGEN_LSP_JSON_READ_H
#define SNODEGEN_LSP_JSON_READ_H

#include "gen/base/base.h"

typedef enum JsonKind {
  JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT
} JsonKind;

typedef struct JsonValue JsonValue;
struct JsonValue {
  JsonKind kind;
  const char *text;            /* STRING: in UTF-8, NUL-terminated at length; NUMBER: as written */
  size_t length;
  double number;
  JsonValue **items;           /* ARRAY, OBJECT */
  const char **keys;           /* OBJECT */
  int count;
};

/* Memory of the arena.  NULL: it is no JSON, or deeper than 100 levels. */
const JsonValue *json_read(Arena *, const char *text, size_t length);

/* Of an object; NULL where it is none, has no such member, or is NULL itself. */
const JsonValue *json_member(const JsonValue *, const char *key);
/* "textDocument.uri": a member's member */
const JsonValue *json_at(const JsonValue *, const char *path);
/* NULL: it is no string. */
const char *json_text(const JsonValue *);
/* False: it is no whole number of 32 bits that is not negative. */
bool json_count(const JsonValue *, int *out);

#endif
