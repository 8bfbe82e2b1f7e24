/* What the server keeps, and what it answers. */
#ifndef SNODEGEN_LSP_SERVER_H
#define SNODEGEN_LSP_SERVER_H

#include "gen/lsp/analysis.h"
#include "gen/bind/json.h"
#include "gen/lsp/json_read.h"

typedef struct Document {      /* a text that the editor holds */
  Arena *arena;                /* of its text and its names */
  const char *uri, *path;
  const char *text; size_t length;
  int version;
  Analysis *analysis;
  struct Document *next;
} Document;

typedef struct Server {
  const Options *options;
  FILE *out;
  Document *documents;
  bool is_initialized, is_shut_down;
  bool is_broken;              /* nothing can be written any more */
} Server;

/* ---- document.c: the texts; each change is analysed at once ---- */
/* NULL: it is not open. */
Document *document_find(const Server *, const char *uri);
Document *document_open(Server *, const char *uri);    /* it, or a new one without a text */
void document_set(Server *, Document *, const char *text, size_t length, int version);
void document_close(Server *, Document *);
/* Those that import something may have another text in it. */
void documents_renew(Server *, const Document *changed);

/* ---- publish.c ---- */
/* textDocument/publishDiagnostics of a document; of none that is closed. */
void publish(Server *, const Document *);
void publish_nothing(Server *, const char *uri);
/* A message that is complete, sent. */
void server_send(Server *, const Text *);

/* ---- answer.c: requests about a place in a document.  They write the member "result" ---- */
typedef void (*Answer)(Document *, const JsonValue *params, Json *);
/* NULL: there is no such method. */
Answer answer_of(const char *method);

#endif
