/* A text as the compiler sees it: its messages, its names, its tokens, where its fields lie. */
#ifndef SNODEGEN_LSP_ANALYSIS_H
#define SNODEGEN_LSP_ANALYSIS_H

#include "gen/front/ast.h"
#include "gen/front/lexer.h"
#include "gen/imports.h"
#include "gen/options.h"

typedef struct Tokens {        /* of one file */
  const Token *tokens;         /* the last one is TOKEN_END */
  int count;
} Tokens;

typedef struct Analysis {
  Arena *arena;                /* of all that it holds */
  Source source;
  Program *program;            /* as the checker left it, with errors too */
  Imports imports;
  Tokens *files;               /* by number; those of imported files are made when asked for */
  const char *messages;        /* a line of JSON each, as --diagnostics=json */
  const char *layout;          /* as --emit=layout; "": there are errors */
} Analysis;

/* What is read instead of a file: an editor's text.  NULL: the file is to be read. */
typedef struct OpenTexts {
  const char *(*find)(void *user, const char *path, size_t *length);
  void *user;
} OpenTexts;

/* Of a text that is copied.  Never NULL. */
Analysis *analyse(const Options *, const OpenTexts *, const char *path, const char *text,
                  size_t length);
void analysis_free(Analysis *);

/* ---- tokens ---- */
const Tokens *tokens_of(Analysis *, int file);
/* The token at a place, or that ends there, a name before another; -1: there is none. */
int token_at(Analysis *, Loc);
/* The first that begins at the place or behind it. */
int token_from(const Tokens *, Loc);
/* Behind the bracket that closes the one at k; the last token where none does. */
int token_close(const Tokens *, int k);
const Source *source_of(const Analysis *, int file);

#endif
