/* Source text to tokens. */
#ifndef SNODEGEN_FRONT_LEXER_H
#define SNODEGEN_FRONT_LEXER_H

#include "gen/base/base.h"
#include "gen/base/type.h"

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_TYPE,                  /* a type's name */
  TOKEN_INTEGER,
  TOKEN_FLOAT,
  TOKEN_STRING,
#define KEYWORD(id, spelling) TOKEN_##id,
#define PUNCTUATOR(id, spelling) TOKEN_##id,
#include "gen/front/tokens.def"
#undef KEYWORD
#undef PUNCTUATOR
  TOKEN_KINDS
} TokenKind;

typedef struct Token {
  TokenKind kind;
  Loc loc, end;                /* its first character, and what follows its last */
  const char *text;            /* as written; of a string, its characters */
  const Type *type;            /* TYPE: NULL where it is not built yet;
                                  INTEGER: as the suffix says, else the first of
                                  i32 i64 u64 (not decimal: i32 u32 i64 u64) that
                                  holds it; FLOAT: f64, or f32 with the suffix f */
  bool has_suffix;             /* INTEGER, FLOAT: which names the type */
  Value value;                 /* of INTEGER and FLOAT */
  const char *doc;             /* the lines of /// before it, or NULL */
} Token;

/* All tokens of the source, the last one TOKEN_END; *count says how many.
 * What is no token is reported and left out, *is_broken set. */
Token *lex(Arena *, Diag *, const Source *, int *count, bool *is_broken);

/* The tokens before `end` as the source has them, on one line and without comments. */
const char *token_text(Arena *, const Token *first, const Token *end);

/* literal.c: the number whose spelling is text; reports a wrong one and leaves
 * zero.  False when it was wrong. */
bool read_number(Diag *, Token *, const char *text);

#endif
