/* What is asked about a document: definition, hover, completion, symbols. */
#include "gen/lsp/complete.h"
#include "gen/lsp/describe.h"
#include "gen/lsp/place.h"
#include "gen/lsp/server.h"

#include <string.h>

/* The place that a request is about; its start where it says none. */
static Loc asked(const Document *d, const JsonValue *params)
{
  int line = 0, units = 0;

  if (!json_count(json_at(params, "position.line"), &line) ||
      !json_count(json_at(params, "position.character"), &units))
    line = units = 0;
  if (line == INT32_MAX)
    line--;
  return place_from(&d->analysis->source, line, units);
}

/* The name there, and its token. */
static bool asked_name(const Document *d, const JsonValue *params, int *token, Name *name)
{
  *token = token_at(d->analysis, asked(d, params));
  return *token >= 0 && name_at_token(d->analysis, *token, name);
}

static void write_location(const Document *d, Loc loc, Json *j, const char *key)
{
  Analysis *a = d->analysis;
  const Tokens *t = tokens_of(a, loc.file);
  const Token *token = &t->tokens[token_from(t, loc)];
  const bool is_there = loc_is_same(token->loc, loc);

  json_begin(j, key, '{');
  json_string(j, "uri", loc.file ? place_uri(a->arena, source_of(a, loc.file)->path) : d->uri);
  place_write_range(j, "range", source_of(a, loc.file), loc, is_there ? token->end : loc);
  json_end(j, '}');
}

/* ---- definition ---- */

/* "import "shared.sn";": the beginning of that file */
static bool is_import(Analysis *a, int k, Loc *to)
{
  const Tokens *t = tokens_of(a, 0);
  const Program *p = a->program;
  const char *name, *path;

  if (k < 1 || t->tokens[k].kind != TOKEN_STRING || t->tokens[k - 1].kind != TOKEN_IMPORT)
    return false;
  name = t->tokens[k].text;
  for (int f = 1; f < p->source_count; f++) {
    path = p->sources[f]->path;
    if (strlen(path) >= strlen(name) && strcmp(path + strlen(path) - strlen(name), name) == 0) {
      *to = (Loc){ 1, 1, p->sources[f]->file };
      return true;
    }
  }
  return false;
}

static void definition(Document *d, const JsonValue *params, Json *j)
{
  int token;
  Name name;
  Loc to;

  if (asked_name(d, params, &token, &name) && name.loc.line > 0)
    write_location(d, name.loc, j, "result");
  else if (token >= 0 && is_import(d->analysis, token, &to))
    write_location(d, to, j, "result");
  else
    json_literal(j, "result", "null");
}

/* ---- hover ---- */

static void hover(Document *d, const JsonValue *params, Json *j)
{
  Text text = { 0 };
  int token;
  Name name;

  if (!asked_name(d, params, &token, &name)) {
    json_literal(j, "result", "null");
    return;
  }
  describe_long(d->analysis, &name, &text);
  json_begin(j, "result", '{');
  json_begin(j, "contents", '{');
  json_string(j, "kind", "markdown");
  json_string(j, "value", text.data);
  json_end(j, '}');
  place_write_range(j, "range", &d->analysis->source, tokens_of(d->analysis, 0)->tokens[token].loc,
                    tokens_of(d->analysis, 0)->tokens[token].end);
  json_end(j, '}');
  text_free(&text);
}

/* ---- completion ---- */

static void completion(Document *d, const JsonValue *params, Json *j)
{
  json_begin(j, "result", '[');
  complete_at(d->analysis, asked(d, params), j);
  json_end(j, ']');
}

/* ---- symbols ---- */

/* As the protocol numbers them; 0: it is no symbol of a file. */
static const int symbol_kind[] = {
  [NAME_CONSTANT] = 14, [NAME_STRUCT] = 23, [NAME_FIELD] = 8, [NAME_TREE] = 5, [NAME_SNODE] = 7,
  [NAME_FUNCTION] = 12, [NAME_VARIABLE] = 13
};

static void symbols(Document *d, const JsonValue *params, Json *j)
{
  const NameList all = names_of_program(d->analysis);

  (void)params;
  json_begin(j, "result", '[');
  for (int k = 0; k < all.count; k++) {
    const Name *n = &all.names[k];
    if (n->loc.file != 0 || n->loc.line == 0)
      continue;
    json_begin(j, NULL, '{');
    json_string(j, "name", n->name);
    json_integer(j, "kind", symbol_kind[n->kind]);
    write_location(d, n->loc, j, "location");
    json_end(j, '}');
  }
  json_end(j, ']');
}

Answer answer_of(const char *method)
{
  static const struct { const char *method; Answer answer; } answers[] = {
    { "textDocument/definition", definition }, { "textDocument/hover", hover },
    { "textDocument/completion", completion }, { "textDocument/documentSymbol", symbols }
  };

  for (size_t k = 0; k < sizeof answers / sizeof *answers; k++)
    if (strcmp(answers[k].method, method) == 0)
      return answers[k].answer;
  return NULL;
}
