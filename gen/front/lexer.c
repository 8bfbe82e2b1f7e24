/* Source text to tokens.
 *
 * Needs nothing but the text; guarantees that any bytes end in TOKEN_END, that
 * a run of bytes that are no tokens is one message, and that comments of three
 * slashes travel with the token behind them.
 */
#include "gen/front/lexer.h"

#include <ctype.h>
#include <string.h>

typedef struct Lexer {
  Arena *arena;
  Diag *diag;
  const char *at, *end;
  const char *line_start;
  int line, file;
  bool is_broken;
  Text doc;                    /* lines of /// since the last token */
} Lexer;

static const struct { const char *spelling; TokenKind kind; } keywords[] = {
#define KEYWORD(id, spelling) {spelling, TOKEN_##id},
#define PUNCTUATOR(id, spelling)
#include "gen/front/tokens.def"
#undef KEYWORD
#undef PUNCTUATOR
};

static const struct { const char *spelling; TokenKind kind; } punctuators[] = {
#define KEYWORD(id, spelling)
#define PUNCTUATOR(id, spelling) {spelling, TOKEN_##id},
#include "gen/front/tokens.def"
#undef KEYWORD
#undef PUNCTUATOR
};

enum {
  KEYWORD_COUNT = sizeof keywords / sizeof keywords[0],
  PUNCTUATOR_COUNT = sizeof punctuators / sizeof punctuators[0]
};

static Loc here(const Lexer *lexer)
{
  return (Loc){lexer->line, (int)(lexer->at - lexer->line_start) + 1, lexer->file};
}

static bool starts_name(char c) { return isalpha((unsigned char)c) || c == '_'; }

static bool continues_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The text ends in a NUL at `end`, so one character ahead may always be read. */
static bool looking_at(const Lexer *lexer, const char *spelling)
{
  size_t length = strlen(spelling);
  return (size_t)(lexer->end - lexer->at) >= length &&
         memcmp(lexer->at, spelling, length) == 0;
}

static void report(Lexer *lexer, DiagId id, Loc loc)
{
  diag(lexer->diag, id, loc);
  lexer->is_broken = true;
}

static void advance_line(Lexer *lexer)
{
  lexer->line++;
  lexer->line_start = ++lexer->at;
}

/* ---- blanks and comments ---- */

static void skip_block_comment(Lexer *lexer)
{
  Loc start = here(lexer);
  for (lexer->at += 2; lexer->at < lexer->end;) {
    if (looking_at(lexer, "*/")) {
      lexer->at += 2;
      return;
    }
    if (*lexer->at == '\n')
      advance_line(lexer);
    else
      lexer->at++;
  }
  report(lexer, DIAG_UNTERMINATED_COMMENT, start);
}

/* Lines of "///" are kept; "////" is a ruler and no documentation. */
static void skip_line_comment(Lexer *lexer)
{
  const char *begin = lexer->at;
  while (lexer->at < lexer->end && *lexer->at != '\n') {
    if (*lexer->at == '\r' && lexer->at + 1 < lexer->end && lexer->at[1] != '\n') {
      report(lexer, DIAG_CARRIAGE_RETURN, here(lexer));
      lexer->at = lexer->end;          /* the rest is one line */
      return;
    }
    lexer->at++;
  }
  size_t length = (size_t)(lexer->at - begin);
  if (length < 3 || begin[2] != '/' || (length > 3 && begin[3] == '/'))
    return;
  begin += 3;
  if (begin < lexer->at && *begin == ' ')
    begin++;
  const char *end = lexer->at;
  while (end > begin && isspace((unsigned char)end[-1]))
    end--;
  text_add(&lexer->doc, lexer->doc.length ? "\n" : "");
  text_add_utf8(&lexer->doc, begin, end);
}

static void skip_blanks(Lexer *lexer)
{
  while (lexer->at < lexer->end) {
    if (*lexer->at == '\n')
      advance_line(lexer);
    else if (isspace((unsigned char)*lexer->at))
      lexer->at++;
    else if (looking_at(lexer, "//"))
      skip_line_comment(lexer);
    else if (looking_at(lexer, "/*"))
      skip_block_comment(lexer);
    else
      return;
  }
}

/* ---- names ---- */

static void lex_name(Lexer *lexer, Token *token)
{
  const char *begin = lexer->at;
  while (lexer->at < lexer->end && continues_name(*lexer->at))
    lexer->at++;
  token->kind = TOKEN_NAME;
  token->text = intern(lexer->arena, begin, (size_t)(lexer->at - begin));
  bool is_shape = false;               /* a vector that is too long is a type's name too */
  token->type = type_by_name(token->text);
  if (!token->type)
    token->type = type_shaped_by_name(token->text, &is_shape);
  if (token->type || is_shape)
    token->kind = TOKEN_TYPE;
  for (int i = 0; i < KEYWORD_COUNT; i++)
    if (strcmp(keywords[i].spelling, token->text) == 0)
      token->kind = keywords[i].kind;
}

/* ---- numbers and strings ---- */

/* What C calls a preprocessing number, except that a dot before a dot belongs
 * to the `..` of a range. */
static void lex_number(Lexer *lexer, Token *token)
{
  const char *begin = lexer->at;
  bool is_hex = looking_at(lexer, "0x") || looking_at(lexer, "0X");
  while (lexer->at < lexer->end) {
    char c = *lexer->at;
    bool is_exponent = is_hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
    if (is_exponent && (lexer->at[1] == '+' || lexer->at[1] == '-'))
      lexer->at++;
    else if (!continues_name(c) && !(c == '.' && lexer->at[1] != '.'))
      break;
    lexer->at++;
  }
  token->text = intern(lexer->arena, begin, (size_t)(lexer->at - begin));
  if (!read_number(lexer->diag, token, token->text))
    lexer->is_broken = true;
}

/* The character behind a backslash, or 0. */
static char escaped(char c)
{
  static const char from[] = "ntr\\\"'abfv", to[] = "\n\t\r\\\"'\a\b\f\v";
  const char *found = c ? strchr(from, c) : NULL;
  return found ? to[found - from] : '\0';
}

static void lex_escape(Lexer *lexer, Text *out)
{
  Loc loc = here(lexer);
  char c = lexer->at[1];
  if (lexer->at + 1 >= lexer->end || c == '\n') {
    lexer->at++;                       /* the string does not end: said there */
    return;
  }
  lexer->at += 2;
  if (escaped(c)) {
    text_add_char(out, escaped(c));
    return;
  }
  char shown[2] = {c, '\0'};
  diag(lexer->diag, DIAG_BAD_ESCAPE, loc, shown);
  lexer->is_broken = true;
}

static void lex_string(Lexer *lexer, Token *token)
{
  Text text = {0};
  text_add(&text, "");
  token->kind = TOKEN_STRING;
  lexer->at++;
  while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n') {
    if (*lexer->at == '\\') {
      lex_escape(lexer, &text);
      continue;
    }
    const char *begin = lexer->at;     /* a run of plain characters at once */
    while (lexer->at < lexer->end && !strchr("\"\\\n", *lexer->at))
      lexer->at++;
    text_add_part(&text, begin, (size_t)(lexer->at - begin));
    if (lexer->at < lexer->end && *lexer->at == '\0') {
      report(lexer, DIAG_BAD_CHARACTER, here(lexer));
      lexer->at++;
    }
  }
  if (lexer->at < lexer->end && *lexer->at == '"')
    lexer->at++;
  else
    report(lexer, DIAG_UNTERMINATED_STRING, token->loc);
  token->text = intern(lexer->arena, text.data, text.length);
  text_free(&text);
}

/* ---- the rest ---- */

static bool lex_punctuator(Lexer *lexer, Token *token)
{
  for (int i = 0; i < PUNCTUATOR_COUNT; i++)
    if (looking_at(lexer, punctuators[i].spelling)) {
      token->kind = punctuators[i].kind;
      token->text = punctuators[i].spelling;
      lexer->at += strlen(punctuators[i].spelling);
      return true;
    }
  return false;
}

static bool begins_token(const Lexer *lexer)
{
  char c = *lexer->at;
  return c != '\0' && (continues_name(c) || isspace((unsigned char)c) ||
                       strchr("\"<>.+-*/%&|^=!@~?:;,()[]{}", c));
}

/* One message for a run of noise on a line. */
static void skip_noise(Lexer *lexer)
{
  report(lexer, DIAG_BAD_CHARACTER, here(lexer));
  while (lexer->at < lexer->end && !begins_token(lexer))
    lexer->at++;
}

static void take_doc(Lexer *lexer, Token *token)
{
  if (lexer->doc.length == 0)
    return;
  token->doc = intern(lexer->arena, lexer->doc.data, lexer->doc.length);
  lexer->doc.length = 0;
}

static Token next_token(Lexer *lexer)
{
  for (;;) {
    skip_blanks(lexer);
    Token token = {.kind = TOKEN_END, .loc = here(lexer), .text = ""};
    take_doc(lexer, &token);
    if (lexer->at >= lexer->end)
      return token;
    char c = *lexer->at;
    if (starts_name(c))
      lex_name(lexer, &token);
    else if (isdigit((unsigned char)c) ||
             (c == '.' && isdigit((unsigned char)lexer->at[1])))
      lex_number(lexer, &token);
    else if (c == '"')
      lex_string(lexer, &token);
    else if (!lex_punctuator(lexer, &token)) {
      skip_noise(lexer);
      continue;
    }
    token.end = here(lexer);
    return token;
  }
}

Token *lex(Arena *arena, Diag *d, const Source *source, int *count,
           bool *is_broken)
{
  Lexer lexer = {.arena = arena, .diag = d, .at = source->text,
                 .end = source->text + source->length,
                 .line_start = source->text, .line = 1, .file = source->file};
  lexer.at += utf8_mark(source->text, lexer.end);
  lexer.line_start = lexer.at;
  Token *tokens = NULL;
  *count = 0;
  do
    vec_push(arena, tokens, *count, next_token(&lexer));
  while (tokens[*count - 1].kind != TOKEN_END);
  *is_broken = lexer.is_broken;
  text_free(&lexer.doc);
  return tokens;
}

/* ---- back to text ---- */

static bool is_apart(const Token *t, const Token *last)
{
  return t->loc.line != last->end.line || t->loc.column > last->end.column;
}

const char *token_text(Arena *arena, const Token *first, const Token *end)
{
  Text text = {0};
  text_add(&text, "");
  for (const Token *t = first; t < end; t++) {
    const char *quote = t->kind == TOKEN_STRING ? "\"" : "";
    text_format(&text, "%s%s%s%s", t > first && is_apart(t, t - 1) ? " " : "", quote, t->text,
                quote);
  }
  const char *result = intern(arena, text.data, text.length);
  text_free(&text);
  return result;
}
