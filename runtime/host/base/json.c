/* A writer of JSON, as RFC 8259 has it. */
#include "runtime/host/base/json.h"
#include "runtime/host/base/text.h"

#include <stdio.h>
#include <string.h>

void sni_json_begin(sni_json *json, void (*put)(void *user, const char *text), void *user)
{
  json->put = put;
  json->user = user;
  json->wants_comma = 0;
}

static void put(sni_json *json, const char *text)
{
  json->put(json->user, text);
}

static void separate(sni_json *json)
{
  if (json->wants_comma)
    put(json, ",");
  json->wants_comma = 1;
}

void sni_json_open(sni_json *json, char bracket)
{
  const char text[] = { bracket, 0 };

  separate(json);
  put(json, text);
  json->wants_comma = 0;
}

void sni_json_close(sni_json *json, char bracket)
{
  const char text[] = { bracket, 0 };

  put(json, text);
  json->wants_comma = 1;
}

void sni_json_string(sni_json *json, const char *text)
{
  char piece[SNI_JSON_BYTES];

  separate(json);
  put(json, "\"");
  while (*text) {
    sni_text_json(&text, piece);
    put(json, piece);
  }
  put(json, "\"");
}

void sni_json_key(sni_json *json, const char *name)
{
  sni_json_string(json, name);
  put(json, ":");
  json->wants_comma = 0;
}

void sni_json_verbatim(sni_json *json, const char *number)
{
  separate(json);
  put(json, number);
}

void sni_json_number(sni_json *json, double value)
{
  char number[64];
  char *comma;

  snprintf(number, sizeof number, "%.17g", value);
  comma = strchr(number, ',');
  if (comma)
    *comma = '.';
  sni_json_verbatim(json, number);
}

void sni_json_line(sni_json *json)
{
  if (json->wants_comma)
    put(json, ",");
  put(json, "\n");
  json->wants_comma = 0;
}
