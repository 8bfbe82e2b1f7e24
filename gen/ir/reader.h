/* The state of reading IR text, shared by read_token.c (tokens), read.c (the module
 * and its trees), read_function.c (functions) and read_stmt.c (statements).
 *
 * The first error is reported and ends the reading: every later token is the end.
 */
#ifndef SNODEGEN_IR_READER_H
#define SNODEGEN_IR_READER_H

#include "gen/ir/ir.h"

typedef enum TokenKind {
  TOKEN_END, TOKEN_NEWLINE, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_VALUE,
  TOKEN_MARK                  /* one character, or -> */
} TokenKind;

typedef struct Token {
  TokenKind kind;
  const char *text;           /* interned; of a string: unescaped; of $7: "7" */
  Loc loc;
} Token;

/* A field that another is the derivative of: by name until the tree is read. */
typedef struct Derivative {
  const IrField *of;
  IrField **found;
  const char *name;
} Derivative;

typedef struct Reader {
  IrModule *module;
  Arena *arena;
  Diag *diag;                 /* or NULL: nothing is reported */
  const char *at, *end;
  const char *line_start;
  int line;
  Token token;                /* the one that is looked at */
  bool failed;
  int depth;                  /* of nested blocks */
  int number;                 /* of the next SNode or place of the tree at hand */
  Derivative *derivatives; int derivative_count;   /* of its fields */
  /* of the function at hand */
  IrFunction *function;
  IrStmt **values;            /* by number; NULL: not yet */
  int value_count;
} Reader;

/* ---- read_token.c ---- */
void reader_advance(Reader *);
void reader_fail(Reader *, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool reader_sees(const Reader *, TokenKind, const char *text);   /* text NULL: any */
bool reader_accept(Reader *, const char *text);                  /* a name or a mark */
void reader_expect(Reader *, const char *text);
void reader_expect_line_end(Reader *);                           /* and the empty lines behind */
const char *reader_expect_name(Reader *, const char *what);
const char *reader_expect_string(Reader *);
int64_t reader_expect_integer(Reader *, int64_t lo, int64_t hi);
const Type *reader_expect_type(Reader *);
Value reader_expect_value(Reader *, const Type *);
Loc reader_accept_loc(Reader *);
const char *reader_accept_doc(Reader *);

/* ---- read_name.c ---- */
const Struct *reader_find_struct(const IrModule *, const char *name);    /* NULL: none */
IrVariable *reader_find_variable(const IrFunction *, const char *name);  /* NULL: none */
IrTree *reader_find_tree(Reader *, const char *name);          /* NULL after an error */
IrField *reader_find_field(const IrModule *, const char *name);  /* NULL: none */
IrField *reader_expect_field(Reader *);                        /* NULL after an error */
const Struct *reader_accept_struct(Reader *);                  /* "of" its name, or NULL */

/* ---- read_stmt.c ---- */
int reader_accept_lane_count(Reader *);                        /* "x 8"; 0: it is not there */
void reader_read_block(Reader *, IrBlock *);                   /* up to and with its brace */

/* ---- read_function.c ---- */
void read_function(Reader *, bool is_kernel);

#endif
