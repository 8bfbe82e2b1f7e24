/* The server: reads a message, answers it, until exit.
 *
 * Whatever comes in is answered by an error or left out: no message ends the server but exit.
 */
#include "gen/lsp/server.h"
#include "gen/lsp/frame.h"
#include "gen/lsp/lsp.h"

#include <snode/version.h>

#include <string.h>

enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, INVALID_PARAMS = -32602,
       NOT_INITIALIZED = -32002 };

/* ---- replies ---- */

static void write_id(Json *j, const JsonValue *id)
{
  if (id && id->kind == JSON_STRING)
    json_string(j, "id", id->text);
  else
    json_literal(j, "id", id && id->kind == JSON_NUMBER ? id->text : "null");
}

static void begin_reply(Json *j, const JsonValue *id)
{
  json_begin(j, NULL, '{');
  json_string(j, "jsonrpc", "2.0");
  write_id(j, id);
}

static void end_reply(Server *s, Json *j)
{
  json_end(j, '}');
  server_send(s, j->out);
  text_free(j->out);
}

static void reply_error(Server *s, const JsonValue *id, int code, const char *message)
{
  Text text = { 0 };
  Json j = { .out = &text };

  begin_reply(&j, id);
  json_begin(&j, "error", '{');
  json_integer(&j, "code", code);
  json_string(&j, "message", message);
  json_end(&j, '}');
  end_reply(s, &j);
}

/* ---- initialize, shutdown ---- */

static void write_abilities(Json *j)
{
  json_begin(j, "result", '{');
  json_begin(j, "capabilities", '{');
  json_begin(j, "textDocumentSync", '{');
  json_bool(j, "openClose", true);
  json_integer(j, "change", 1);                  /* the whole text */
  json_end(j, '}');
  json_bool(j, "definitionProvider", true);
  json_bool(j, "hoverProvider", true);
  json_bool(j, "documentSymbolProvider", true);
  json_begin(j, "completionProvider", '{');
  json_begin_flat(j, "triggerCharacters", '[');
  json_string(j, NULL, ".");
  json_string(j, NULL, "[");
  json_end(j, ']');
  json_end(j, '}');
  json_end(j, '}');
  json_begin(j, "serverInfo", '{');
  json_string(j, "name", "snodegen");
  json_string(j, "version", SNODE_VERSION);
  json_end(j, '}');
  json_end(j, '}');
}

static void reply_plain(Server *s, const JsonValue *id, bool initializes)
{
  Text text = { 0 };
  Json j = { .out = &text };

  begin_reply(&j, id);
  if (initializes)
    write_abilities(&j);
  else
    json_literal(&j, "result", "null");
  end_reply(s, &j);
}

/* ---- notifications ---- */

/* The text of didOpen, or the last of didChange, which is whole. */
static const JsonValue *new_text(const JsonValue *params)
{
  const JsonValue *changes = json_member(params, "contentChanges");

  if (!changes)
    return json_at(params, "textDocument.text");
  if (changes->kind != JSON_ARRAY || changes->count == 0 ||
      json_member(changes->items[changes->count - 1], "range"))
    return NULL;
  return json_member(changes->items[changes->count - 1], "text");
}

static void take_text(Server *s, const JsonValue *params)
{
  const char *uri = json_text(json_at(params, "textDocument.uri"));
  const JsonValue *text = new_text(params);
  Document *d;
  int version = 0;

  if (!uri || !json_text(text))
    return;
  if (!json_count(json_at(params, "textDocument.version"), &version))
    version = 0;
  d = document_open(s, uri);
  document_set(s, d, text->text, text->length, version);
  publish(s, d);
  documents_renew(s, d);
}

static void close_text(Server *s, const JsonValue *params)
{
  const char *uri = json_text(json_at(params, "textDocument.uri"));
  Document *d = uri ? document_find(s, uri) : NULL;

  if (!d)
    return;
  publish_nothing(s, d->uri);
  document_close(s, d);
  documents_renew(s, NULL);
}

static void take_notification(Server *s, const char *method, const JsonValue *params)
{
  if (!s->is_initialized || s->is_shut_down)
    return;
  if (strcmp(method, "textDocument/didOpen") == 0 ||
      strcmp(method, "textDocument/didChange") == 0)
    take_text(s, params);
  else if (strcmp(method, "textDocument/didClose") == 0)
    close_text(s, params);
}

/* ---- requests ---- */

static void answer_request(Server *s, Answer answer, const JsonValue *id, const JsonValue *params)
{
  const char *uri = json_text(json_at(params, "textDocument.uri"));
  Document *d = uri ? document_find(s, uri) : NULL;
  Text text = { 0 };
  Json j = { .out = &text };

  if (!d) {
    reply_error(s, id, INVALID_PARAMS, "the document is not open");
    return;
  }
  begin_reply(&j, id);
  answer(d, params, &j);
  end_reply(s, &j);
}

static void take_request(Server *s, const char *method, const JsonValue *id,
                         const JsonValue *params)
{
  const bool initializes = strcmp(method, "initialize") == 0;
  const Answer answer = answer_of(method);

  if (s->is_shut_down || (initializes && s->is_initialized)) {
    reply_error(s, id, INVALID_REQUEST, s->is_shut_down ? "the server is shut down"
                                                        : "the server is initialized already");
  } else if (!initializes && !s->is_initialized) {
    reply_error(s, id, NOT_INITIALIZED, "initialize comes first");
  } else if (initializes || strcmp(method, "shutdown") == 0) {
    s->is_initialized = true;
    s->is_shut_down = !initializes;
    reply_plain(s, id, initializes);
  } else if (answer) {
    answer_request(s, answer, id, params);
  } else {
    reply_error(s, id, NO_METHOD, "there is no such method");
  }
}

/* ---- the loop ---- */

/* False: it was exit. */
static bool take_message(Server *s, Arena *arena, const char *text, size_t length)
{
  const JsonValue *message = json_read(arena, text, length);
  const JsonValue *id = json_member(message, "id"), *params = json_member(message, "params");
  const char *method = json_text(json_member(message, "method"));

  if (!message)
    reply_error(s, NULL, PARSE_ERROR, "this is no JSON");
  else if (!method && !json_member(message, "result") && !json_member(message, "error"))
    reply_error(s, id, INVALID_REQUEST, "a message has a method");
  else if (method && strcmp(method, "exit") == 0)
    return false;
  else if (method && id)
    take_request(s, method, id, params);
  else if (method)
    take_notification(s, method, params);
  return true;
}

int lsp_serve(const Options *o, FILE *in, FILE *out)
{
  Server s = { .options = o, .out = out };
  bool goes_on = true;

  while (goes_on && !s.is_broken) {
    Arena *arena = arena_create();
    const char *text;
    size_t length;
    const FrameKind kind = frame_read(in, arena, &text, &length);
    if (kind == FRAME_BAD)
      reply_error(&s, NULL, PARSE_ERROR, "headers without a Content-Length");
    goes_on = kind != FRAME_END &&
              (kind != FRAME_MESSAGE || take_message(&s, arena, text, length));
    arena_destroy(arena);
  }
  while (s.documents)
    document_close(&s, s.documents);
  return s.is_shut_down && !goes_on ? 0 : 1;
}
