/* The parser's tokens, its messages and its recovery from errors: what all of it stands on. */
#include "gen/front/parser.h"

#include <string.h>

/* ---- tokens ---- */

const Token *peek_at(const Parser *p, int ahead)
{
  int at = p->at + ahead;
  return &p->tokens[at < p->count ? at : p->count - 1];
}

const Token *peek(const Parser *p) { return peek_at(p, 0); }

const Token *advance(Parser *p)
{
  const Token *token = peek(p);
  if (token->kind != TOKEN_END)
    p->at++;
  return token;
}

bool looking_at(const Parser *p, TokenKind kind) { return peek(p)->kind == kind; }

bool looking_at_word(const Parser *p, const char *word)
{
  return looking_at(p, TOKEN_NAME) && strcmp(peek(p)->text, word) == 0;
}

bool accept(Parser *p, TokenKind kind)
{
  if (!looking_at(p, kind))
    return false;
  advance(p);
  return true;
}

bool expect(Parser *p, TokenKind kind, const char *what)
{
  if (accept(p, kind))
    return true;
  fail_expected(p, what);
  return false;
}

bool expect_semicolon(Parser *p, const char *what)
{
  if (accept(p, TOKEN_SEMICOLON))
    return true;
  fail_expected(p, what);
  bool begins_line = p->at > 0 && p->tokens[p->at - 1].end.line < peek(p)->loc.line;
  return begins_line || looking_at(p, TOKEN_RBRACE);
}

static bool is_reserved_word(const Token *token)
{
  return token->kind == TOKEN_TYPE ||
         (token->kind >= TOKEN_PARAM && token->kind <= TOKEN_MAT);
}

const char *expect_name(Parser *p, const char *what, Loc *loc)
{
  const Token *token = peek(p);
  *loc = token->loc;
  if (is_reserved_word(token)) {
    fail(p, DIAG_RESERVED_WORD, token->loc, token->text);
    if (p->at > 0 && p->tokens[p->at - 1].end.line == token->loc.line)
      advance(p);                      /* meant as a name: it begins no declaration */
    return NULL;
  }
  if (!expect(p, TOKEN_NAME, what))
    return NULL;
  if (strncmp(token->text, "sn_", 3) == 0 || strncmp(token->text, "SN_", 3) == 0)
    fail(p, DIAG_RESERVED_NAME, token->loc, token->text);
  return token->text;
}

/* ---- errors and recovery ---- */

void fail(Parser *p, DiagId id, Loc loc, const char *detail)
{
  diag(p->diag, id, loc, detail);
  p->program->is_broken = true;
}

void fail_not_built(Parser *p, Loc loc, const char *what)
{
  fail(p, DIAG_NOT_BUILT, loc, what);
}

/* What stands there, short enough for a line. */
static void describe(const Token *token, char *out, size_t size)
{
  switch (token->kind) {
  case TOKEN_END: snprintf(out, size, "the end of the file"); break;
  case TOKEN_STRING: snprintf(out, size, "a string"); break;
  default:
    snprintf(out, size, "'%.40s'%s", token->text,
             strlen(token->text) > 40 ? "..." : "");
  }
}

/* A token that is missing is so behind the one before, when the one found begins a later line. */
static Loc place_of_missing(const Parser *p, const char *what)
{
  Loc found = peek(p)->loc;
  if (p->at == 0 || *what != '\'')
    return found;
  Loc before = p->tokens[p->at - 1].end;
  return before.line < found.line ? before : found;
}

/* At most one message for a token: what closes around it is missing too. */
void fail_expected(Parser *p, const char *what)
{
  char found[64];
  p->program->is_broken = true;
  if (p->reported == p->at)
    return;
  p->reported = p->at;
  describe(peek(p), found, sizeof found);
  diag(p->diag, DIAG_EXPECTED, place_of_missing(p, what), what, found);
  const Token *before = p->at > 0 ? peek_at(p, -1) : NULL;
  if (before && before->kind == TOKEN_TYPE && looking_at(p, TOKEN_LBRACKET))
    diag(p->diag, DIAG_EXTENTS_HINT, peek(p)->loc, before->text);
}

/* Once in a declaration: what follows in it is as deep. */
void fail_too_deep(Parser *p, Loc loc)
{
  if (!p->is_too_deep)
    fail(p, DIAG_TOO_DEEP, loc, NULL);
  p->is_too_deep = true;
}

bool enter(Parser *p)
{
  if (p->depth >= MAX_NESTING) {
    fail_too_deep(p, peek(p)->loc);
    return false;
  }
  p->depth++;
  return true;
}

void leave(Parser *p) { p->depth--; }

bool begins_declaration(TokenKind kind)
{
  switch (kind) {
  case TOKEN_PARAM: case TOKEN_FIELD: case TOKEN_TREE: case TOKEN_FUNC:
  case TOKEN_KERNEL: case TOKEN_INSTANCE: case TOKEN_IMPORT: case TOKEN_STRUCT:
    return true;
  default:
    return false;
  }
}

bool skip_to_close(Parser *p, TokenKind open, TokenKind close)
{
  for (int depth = 1; depth > 0; advance(p)) {
    TokenKind kind = peek(p)->kind;
    if (kind == TOKEN_END || begins_declaration(kind))
      return false;
    depth += (kind == open) - (kind == close);
  }
  return true;
}

/* Does a line begin here with what can only begin a statement? */
static bool begins_statement(const Parser *p)
{
  switch (peek(p)->kind) {
  case TOKEN_IF: case TOKEN_WHILE: case TOKEN_FOR: case TOKEN_FOREACH:
  case TOKEN_BREAK: case TOKEN_CONTINUE: case TOKEN_RETURN: case TOKEN_PRINT:
  case TOKEN_ASSERT: case TOKEN_BLOCK: case TOKEN_CONST: case TOKEN_DO:
    break;
  default:
    return false;
  }
  return p->at > 0 && p->tokens[p->at - 1].loc.line < peek(p)->loc.line;
}

/* To behind the statement: its semicolon or its block, or in front of what
 * closes the block around it or begins the next statement on a line. */
void skip_statement(Parser *p)
{
  for (int begin = p->at; !looking_at(p, TOKEN_END); advance(p)) {
    if (looking_at(p, TOKEN_RBRACE) || begins_declaration(peek(p)->kind) ||
        (p->at > begin && begins_statement(p)))
      return;
    if (accept(p, TOKEN_SEMICOLON))
      return;
    if (accept(p, TOKEN_LBRACE)) {
      skip_to_close(p, TOKEN_LBRACE, TOKEN_RBRACE);
      return;
    }
  }
}

/* To the next word that begins a declaration.  A const may be a local one, so
 * it counts outside of braces only. */
void skip_declaration(Parser *p)
{
  int depth = 0;
  for (; !looking_at(p, TOKEN_END); advance(p)) {
    TokenKind kind = peek(p)->kind;
    if (begins_declaration(kind) || (kind == TOKEN_CONST && depth <= 0))
      return;
    depth += (kind == TOKEN_LBRACE) - (kind == TOKEN_RBRACE);
  }
}

void taint(Parser *p, int begin)
{
  Program *program = p->program;
  for (int at = begin; at < p->at; at++) {
    bool is_done = at >= p->tainted_from && at < p->tainted_to;
    if (p->tokens[at].kind == TOKEN_NAME && !is_done)
      vec_push(p->arena, program->tainted, program->tainted_count,
               p->tokens[at].text);
  }
  p->tainted_from = begin;
  p->tainted_to = p->at;
}

/* ---- words of C ---- */

/* What a C programmer's word stands for, where it is no type. */
bool fail_c_word(Parser *p)
{
  static const char *const words[][2] = {
      {"goto", "break, continue and return leave what they stand in"},
      {"switch", "write if and else if"},
      {"do", "write while"},
      {"enum", "declare a const for each value"},
      {"union", "bitcast(T, e) takes bits as they are"},
      {"typedef", "a type has one name"},
      {"static", "what a kernel keeps between calls is a field"},
      {"extern", "import \"other.sn\" makes another file's declarations known"},
      {"inline", "declare the func without it"},
      {"volatile", "atomic_... functions say what iterations share"},
      {"sizeof", "extents of arrays have names"}};
  const char *word = peek(p)->text;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i][0], word) == 0) {
      diag(p->diag, DIAG_C_WORD, peek(p)->loc, word, words[i][1]);
      p->program->is_broken = true;
      return true;
    }
  return false;
}
