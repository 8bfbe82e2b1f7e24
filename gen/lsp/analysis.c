/* A text, compiled as far as its layout and every message are known; nothing is written. */
#define _POSIX_C_SOURCE 200809L
#include "gen/lsp/analysis.h"
#include "gen/compile.h"
#include "gen/files.h"

#include <stdlib.h>
#include <string.h>

typedef struct Finder {
  Imports *imports;
  const OpenTexts *open;
} Finder;

/* An imported file that an editor holds has the editor's text. */
static const Source *find_import(void *user, const Source *importing, const char *name)
{
  Finder *f = user;
  const Source *found = imports_find(f->imports, importing, name);
  const char *text;
  size_t length;

  if (!found || found->file == 0)
    return found;
  text = f->open->find(f->open->user, found->path, &length);
  if (text) {
    Source *own = NEW(f->imports->arena, Source);
    char *copy = arena_alloc(f->imports->arena, length + 1);
    memcpy(copy, text, length);
    *own = *found;
    own->text = copy;
    own->length = length;
    f->imports->sources[found->file] = own;
    return own;
  }
  return found;
}

static const char *name_of(Arena *arena, const Options *o, const char *path)
{
  const char *stem = stem_of(arena, path);

  if (o->prefix)
    return o->prefix;
  return is_identifier(stem) ? stem : "program";
}

static void compile_text(Analysis *a, const Options *given, const OpenTexts *open, FILE *messages)
{
  Finder finder = { &a->imports, open };
  const Importer importer = { find_import, &finder };
  Options options = *given;
  Compilation c = { .arena = a->arena, .options = &options, .source = a->source,
                    .importer = &importer, .messages = messages };

  options.emit = EMIT_LAYOUT;
  options.diag.json = true;
  options.diag.color = false;
  c.prefix = c.base = name_of(a->arena, given, a->source.path);
  imports_begin(&a->imports, a->arena, given, &a->source);
  compile(&c);
  a->program = c.program;
  a->program->sources[0] = &a->source;         /* which was the compile's own */
  a->layout = intern(a->arena, c.printed.data ? c.printed.data : "", c.printed.length);
  compilation_free(&c);
}

Analysis *analyse(const Options *o, const OpenTexts *open, const char *path, const char *text,
                  size_t length)
{
  Arena *arena = arena_create();
  Analysis *a = NEW(arena, Analysis);
  char *copy = arena_alloc(arena, length + 1), *said = NULL;
  size_t said_length = 0;
  FILE *messages = open_memstream(&said, &said_length);

  if (!messages)
    out_of_memory();
  memcpy(copy, text, length);
  a->arena = arena;
  a->source = (Source){ .path = intern(arena, path, strlen(path)), .text = copy,
                        .length = length };
  compile_text(a, o, open, messages);
  fclose(messages);
  a->messages = intern(arena, said, said_length);
  free(said);
  a->files = NEW_ARRAY(arena, Tokens, a->program->source_count + 1);
  return a;
}

void analysis_free(Analysis *a)
{
  if (a)
    arena_destroy(a->arena);
}

/* ---- tokens ---- */

const Source *source_of(const Analysis *a, int file)
{
  return file < a->program->source_count ? a->program->sources[file] : &a->source;
}

/* What is no token was reported already. */
const Tokens *tokens_of(Analysis *a, int file)
{
  Tokens *t = &a->files[file];
  DiagOptions options;
  bool is_broken = false;
  Diag *silent;

  if (t->tokens)
    return t;
  diag_defaults(&options);
  silent = diag_create(a->arena, &options, stderr);
  diag_mute(silent);
  t->tokens = lex(a->arena, silent, source_of(a, file), &t->count, &is_broken);
  return t;
}

int token_from(const Tokens *t, Loc loc)
{
  int k = 0;

  while (k + 1 < t->count && loc_is_before(t->tokens[k].loc, loc))
    k++;
  return k;
}

int token_at(Analysis *a, Loc loc)
{
  const Tokens *t = tokens_of(a, loc.file);
  const int k = token_from(t, loc);
  const bool begins = loc_is_same(t->tokens[k].loc, loc) && t->tokens[k].kind != TOKEN_END;
  const bool is_behind = k > 0 && !loc_is_before(t->tokens[k - 1].end, loc);

  if (is_behind && (!begins || t->tokens[k].kind != TOKEN_NAME))
    return k - 1;
  return begins ? k : -1;
}

int token_close(const Tokens *t, int k)
{
  int depth = 0;

  for (; k < t->count - 1; k++) {
    const TokenKind kind = t->tokens[k].kind;
    depth += kind == TOKEN_LBRACE || kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET;
    depth -= kind == TOKEN_RBRACE || kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET;
    if (depth <= 0)
      return k + 1;
  }
  return t->count - 1;
}
