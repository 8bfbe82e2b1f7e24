/* What the files of the parser share.
 *
 * A function that parses returns NULL (or false) after an error, which it has
 * reported; its callers return too, up to the statement or declaration, which
 * is left out and skipped.  Nesting is bounded, so recursion is.
 */
#ifndef SNODEGEN_FRONT_PARSER_H
#define SNODEGEN_FRONT_PARSER_H

#include "gen/front/ast.h"
#include "gen/front/lexer.h"

enum { MAX_NESTING = 256, MAX_HEIGHT = 1000 };

typedef struct Parser {
  Arena *arena;
  Diag *diag;
  Program *program;
  const Source *source;
  const Importer *importer;    /* NULL: nothing is imported */
  const Token *tokens;
  int at, count;
  int depth;                   /* of nested expressions, statements, nodes */
  int branches;                /* "else if" around what is read: a loop reads them; trees nest */
  const char *struct_name;     /* the struct whose members are read, or NULL */
  int reported;                /* the token of the last "expected", or -1 */
  bool is_too_deep;            /* the declaration at hand: reported already */
  bool order_may_follow;       /* in a field's default: "= 1.0 (j, i)" is no call */
  int generic_names;           /* how many of the program's are known; 0: all */
  const Generic *generic;      /* the one whose text is read, or NULL */
  const Value *constants;      /* by its parameters: what is known of those that are integers;
                                  NULL in the generic itself: what they say is open */
  int tainted_from, tainted_to;        /* tokens whose names were tainted last */
} Parser;

/* ---- tokens (parse_token.c) ---- */
const Token *peek(const Parser *);
const Token *peek_at(const Parser *, int ahead);
const Token *advance(Parser *);
bool looking_at(const Parser *, TokenKind);
bool accept(Parser *, TokenKind);
bool expect(Parser *, TokenKind, const char *what);
/* Where nothing but the semicolon is missing, what it ends is whole: true, after a message. */
bool expect_semicolon(Parser *, const char *what);
/* A name that is being declared: no reserved word, no reserved prefix. */
const char *expect_name(Parser *, const char *what, Loc *);
/* Is the next token this word, which means something only in its place? */
bool looking_at_word(const Parser *, const char *word);

/* ---- errors and recovery (parse_token.c) ---- */
void fail(Parser *, DiagId, Loc, const char *detail);
void fail_expected(Parser *, const char *what);
void fail_not_built(Parser *, Loc, const char *what);
void fail_too_deep(Parser *, Loc);
/* Is a word of C next that this language has not?  Then after a message. */
bool fail_c_word(Parser *);
bool enter(Parser *);          /* one level deeper; false after a message */
void leave(Parser *);
/* To behind the bracket that closes an opened one; false at the end. */
bool skip_to_close(Parser *, TokenKind open, TokenKind close);
void skip_statement(Parser *);
void skip_declaration(Parser *);
bool begins_declaration(TokenKind);
/* What was read since token `begin` is left out of the program: that its names
 * are unknown behind it is no error of their own. */
void taint(Parser *, int begin);

/* ---- types (parse_type.c) ---- */
/* type := TYPE | generic | NAME of a struct; NULL after a message when it is none or not
 * built yet.  It may be the open type. */
const Type *parse_type(Parser *);
/* A vector or a matrix as long as a generic's constants say, in the generic itself. */
extern const Type open_type;
/* As the program keeps it: of the open type nothing is known, and its uses are silent. */
const Type *kept_type(const Type *);
/* The message, with what may have been meant; takes_tree: an instance may stand there. */
void report_unknown_type(Diag *, const Program *, Loc, const char *name, bool takes_tree);
/* extent := "," expression (parse_extent.c); 0: it is open; false after a message */
bool parse_type_extent(Parser *, int *extent);
/* Is the token the name of a struct that is declared already? */
bool names_struct(const Parser *, const Token *);
bool parse_struct(Parser *, const char *doc);

/* ---- expressions (parse_expr.c) ---- */
Expr *parse_expression(Parser *);
Expr *parse_sum(Parser *);     /* without comparisons, shifts and & | ^ outside of brackets */
bool parse_expression_list(Parser *, TokenKind close, Expr ***list, int *count);
Expr *new_expr(Parser *, ExprKind, Loc);
Expr *new_literal(Parser *, Loc, const Type *, Value);

/* ---- statements (parse_stmt.c, parse_loop.c) ---- */
Stmt *parse_block(Parser *);
Stmt *parse_statement(Parser *);
Stmt *parse_simple(Parser *);
void keep_text(const Parser *, Stmt *, int from);
Stmt *parse_for(Parser *);
Stmt *parse_foreach(Parser *);
Stmt *parse_attributed(Parser *);            /* a loop, attributes before it */
bool parse_declarators(Parser *, Stmt *into);
Stmt *new_stmt(Parser *, StmtKind, Loc);
Variable *make_variable(Parser *, VariableKind, const Type *, const char *, Loc);
bool begins_local_declaration(const Parser *);
/* After an error behind the '(' that is token `open`: to behind its ')', or in
 * front of a brace or semicolon before that. */
void skip_parenthesis(Parser *, int open);

/* ---- declarations (parse_declare.c, parse_tree.c) ---- */
bool parse_constant(Parser *, const char *doc);
bool parse_field(Parser *, const char *doc);
bool parse_function(Parser *, const char *doc);
/* The text of a function; what is generic is said in the last one, which is empty. */
Function *parse_function_text(Parser *, const char *doc, Generic *);
bool parse_tree(Parser *, const char *doc);
bool parse_extent_parameters(Parser *, Tree *);
/* The extents behind a field's name, of its indices as it orders them. */
bool parse_own_extents(Parser *, const Field *, Expr ***extents, int *count);
/* Behind the name of a variable: it is an array of the program's own. */
bool parse_own_array(Parser *, Variable *);
/* Field `a` with extents brings tree `a_tree`: one dense node, `a_node`, that holds it. */
void add_own_tree(Parser *, const Field *, Expr **extents, int count);

/* ---- generics (parse_generic.c) ---- */
/* The names of a file's generics, which may be used in front of them. */
void note_generics(Parser *);
/* In front of a function's type: reads the generic parameters behind its name and stays.
 * Where they end; 0: there are none; -1 after a message. */
int parse_generic_ahead(Parser *, Generic *);
bool parse_generic_arguments(Parser *, Expr ***args, int *count);
bool parse_instance(Parser *, const char *doc);

/* ---- as a whole (parse.c) ---- */
/* A function of its own from the same text, which was parsed without an error; by the
 * generic's parameters, the values of those that are integers.  NULL after a message. */
Function *parse_again(const Generic *, const Value values[]);
/* The type of a parameter that is a constant, where those before it have these values. */
const Type *parse_parameter_type(const Generic *, int k, const Value values[]);
/* Text that is one expression alone, for -D; NULL when it is none. */
Expr *parse_value(Arena *, Diag *, Program *, const char *text);

#endif
