#include "gen/bind/json.h"

static void begin_line(Json *j)
{
  if (j->flat) {
    text_add(j->out, " ");
    return;
  }
  text_add(j->out, "\n");
  for (int k = 0; k < j->depth; k++)
    text_add(j->out, "  ");
}

/* Before a member. */
static void next(Json *j, const char *key)
{
  if (j->depth > 0) {
    text_add(j->out, j->has_any[j->depth] ? "," : "");
    j->has_any[j->depth] = true;
    begin_line(j);
  }
  if (key)
    text_format(j->out, "\"%s\": ", key);
}

void json_begin(Json *j, const char *key, char bracket)
{
  next(j, key);
  text_add_char(j->out, bracket);
  if (++j->depth >= JSON_MOST_DEPTH)
    ICE("JSON of more than %d levels", JSON_MOST_DEPTH);
  j->has_any[j->depth] = false;
}

void json_begin_flat(Json *j, const char *key, char bracket)
{
  json_begin(j, key, bracket);
  if (!j->flat)
    j->flat = j->depth;
}

void json_end(Json *j, char bracket)
{
  const bool has_any = j->has_any[j->depth];

  if (has_any && j->flat)
    text_add(j->out, " ");
  if (j->flat == j->depth)
    j->flat = 0;
  else if (has_any && !j->flat) {
    j->depth--;
    begin_line(j);
    j->depth++;
  }
  j->depth--;
  text_add_char(j->out, bracket);
  if (j->depth == 0)
    text_add(j->out, "\n");
}

void json_string(Json *j, const char *key, const char *value)
{
  if (!value)
    return;
  next(j, key);
  text_add_json(j->out, value);
}

void json_integer(Json *j, const char *key, long long value)
{
  next(j, key);
  text_format(j->out, "%lld", value);
}

void json_bool(Json *j, const char *key, bool value)
{
  json_literal(j, key, value ? "true" : "false");
}

void json_literal(Json *j, const char *key, const char *text)
{
  next(j, key);
  text_add(j->out, text);
}
