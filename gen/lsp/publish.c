/* The compiler's messages as the protocol's diagnostics. */
#include "gen/lsp/frame.h"
#include "gen/lsp/place.h"
#include "gen/lsp/server.h"

#include <string.h>

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2 };

void server_send(Server *s, const Text *message)
{
  if (!frame_write(s->out, message))
    s->is_broken = true;
}

static bool is_note(const JsonValue *m)
{
  const char *severity = json_text(json_member(m, "severity"));

  return severity && strcmp(severity, "note") == 0;
}

/* The file of a message; 0 where it says none. */
static int file_of(const Analysis *a, const JsonValue *m)
{
  const char *path = json_text(json_member(m, "path"));

  for (int k = 1; path && k < a->program->source_count; k++)
    if (strcmp(a->program->sources[k]->path, path) == 0)
      return k;
  return 0;
}

static Loc place_of(const Analysis *a, const JsonValue *m)
{
  Loc loc = { .file = file_of(a, m) };

  if (!json_count(json_member(m, "line"), &loc.line) ||
      !json_count(json_member(m, "column"), &loc.column))
    loc.line = loc.column = 0;
  return loc;
}

/* To the end of the token, or one character. */
static Loc end_of(Analysis *a, Loc loc)
{
  const Tokens *t = tokens_of(a, loc.file);
  const int k = token_from(t, loc);
  Loc end = loc;

  if (loc.line > 0 && loc_is_same(t->tokens[k].loc, loc) && t->tokens[k].kind != TOKEN_END)
    return t->tokens[k].end;
  end.column++;
  return end;
}

/* What an imported file says stands at the import that brought it, with its own place. */
static Loc import_of(Analysis *a)
{
  const Tokens *t = tokens_of(a, 0);

  for (int k = 0; k < t->count; k++)
    if (t->tokens[k].kind == TOKEN_IMPORT)
      return t->tokens[k].loc;
  return (Loc){ 1, 1, 0 };
}

static void write_text(const Analysis *a, const JsonValue *m, Loc loc, Json *j)
{
  const char *text = json_text(json_member(m, "text"));

  if (loc.file > 0)
    text = intern_format(a->arena, "%s:%d:%d: %s", a->program->sources[loc.file]->path, loc.line,
                         loc.column, text);
  json_string(j, "message", text ? text : "");
}

static void write_notes(const Document *d, const JsonValue *const *notes, Json *j)
{
  Analysis *a = d->analysis;

  if (!*notes)
    return;
  json_begin(j, "relatedInformation", '[');
  for (; *notes; notes++) {
    const Loc loc = place_of(a, *notes);
    json_begin(j, NULL, '{');
    json_begin_flat(j, "location", '{');
    json_string(j, "uri", loc.file ? place_uri(a->arena, source_of(a, loc.file)->path) : d->uri);
    place_write_range(j, "range", source_of(a, loc.file), loc, end_of(a, loc));
    json_end(j, '}');
    json_string(j, "message", json_text(json_member(*notes, "text")));
    json_end(j, '}');
  }
  json_end(j, ']');
}

static void write_message(const Document *d, const JsonValue *m, const JsonValue *const *notes,
                          Json *j)
{
  Analysis *a = d->analysis;
  const char *severity = json_text(json_member(m, "severity"));
  const Loc loc = place_of(a, m), at = loc.file ? import_of(a) : loc;

  json_begin(j, NULL, '{');
  place_write_range(j, "range", &a->source, at, end_of(a, at));
  json_integer(j, "severity",
               severity && strcmp(severity, "error") == 0 ? SEVERITY_ERROR : SEVERITY_WARNING);
  json_string(j, "source", "snodegen");
  json_string(j, "code", json_text(json_member(m, "option")));
  write_text(a, m, loc, j);
  write_notes(d, notes, j);
  json_end(j, '}');
}

/* Of the compile: NULL-ended. */
static const JsonValue **read_messages(const Analysis *a)
{
  const JsonValue **all = NULL;
  int count = 0;

  for (const char *line = a->messages; *line; line += strcspn(line, "\n") + 1) {
    const JsonValue *m = json_read(a->arena, line, strcspn(line, "\n"));
    if (m)
      vec_push(a->arena, all, count, m);
  }
  vec_push(a->arena, all, count, NULL);
  return all;
}

static void begin_publishing(Json *j, const char *uri)
{
  json_begin(j, NULL, '{');
  json_string(j, "jsonrpc", "2.0");
  json_string(j, "method", "textDocument/publishDiagnostics");
  json_begin(j, "params", '{');
  json_string(j, "uri", uri);
}

static void end_publishing(Server *s, Json *j)
{
  json_end(j, '}');
  json_end(j, '}');
  server_send(s, j->out);
  text_free(j->out);
}

void publish(Server *s, const Document *d)
{
  const JsonValue **m = read_messages(d->analysis);
  Text text = { 0 };
  Json j = { .out = &text };

  begin_publishing(&j, d->uri);
  json_integer(&j, "version", d->version);
  json_begin(&j, "diagnostics", '[');
  while (*m) {
    const JsonValue **notes = NULL;
    int count = 0, k = 1;
    for (; m[k] && is_note(m[k]); k++)
      vec_push(d->analysis->arena, notes, count, m[k]);
    vec_push(d->analysis->arena, notes, count, NULL);
    write_message(d, *m, notes, &j);
    m += k;
  }
  json_end(&j, ']');
  end_publishing(s, &j);
}

void publish_nothing(Server *s, const char *uri)
{
  Text text = { 0 };
  Json j = { .out = &text };

  begin_publishing(&j, uri);
  json_begin(&j, "diagnostics", '[');
  json_end(&j, ']');
  end_publishing(s, &j);
}
