/* Statements, except loops. */
#include "gen/front/parser.h"

#include <string.h>

Stmt *new_stmt(Parser *p, StmtKind kind, Loc loc)
{
  Stmt *s = NEW(p->arena, Stmt);
  s->kind = kind;
  s->loc = loc;
  return s;
}

/* Its text is what has been read since token `from`. */
void keep_text(const Parser *p, Stmt *s, int from)
{
  s->first = &p->tokens[from];
  s->end = &p->tokens[p->at];
}

Variable *make_variable(Parser *p, VariableKind kind, const Type *type,
                       const char *name, Loc loc)
{
  Variable *v = NEW(p->arena, Variable);
  v->kind = kind;
  v->type = kept_type(type);
  v->name = name;
  v->loc = loc;
  return v;
}

static void append(Parser *p, Stmt *block, Stmt *s)
{
  vec_push(p->arena, block->list, block->list_count, s);
}

void skip_parenthesis(Parser *p, int open)
{
  int depth = 0;
  for (int at = open; at < p->at; at++)
    depth += (p->tokens[at].kind == TOKEN_LPAREN) -
             (p->tokens[at].kind == TOKEN_RPAREN);
  for (; depth > 0; advance(p)) {
    TokenKind kind = peek(p)->kind;
    if (kind == TOKEN_END || kind == TOKEN_LBRACE || kind == TOKEN_RBRACE ||
        kind == TOKEN_SEMICOLON || begins_declaration(kind))
      return;
    depth += (kind == TOKEN_LPAREN) - (kind == TOKEN_RPAREN);
  }
}

/* ---- declarations of locals ---- */

/* A type that no '(' or '.' follows, or two names in a row, whose first one is
 * a type that there is not. */
bool begins_local_declaration(const Parser *p)
{
  TokenKind behind = peek_at(p, 1)->kind;
  switch (peek(p)->kind) {
  case TOKEN_CONST: case TOKEN_VEC: case TOKEN_MAT:
    return true;
  case TOKEN_TYPE:
    return behind != TOKEN_LPAREN && behind != TOKEN_DOT;
  case TOKEN_NAME:
    return behind == TOKEN_NAME;
  default:
    return false;
  }
}

static Stmt *parse_array_declarator(Parser *p, Stmt *s)
{
  Variable *v = s->variable;
  if (!parse_own_array(p, v))
    return NULL;
  if (v->initial) {
    s->args = v->initial->values;
    s->arg_count = v->initial->value_count;
  }
  return s;
}

static Stmt *parse_declarator(Parser *p, const Type *type, bool is_const)
{
  const int begin = p->at;
  Loc loc;
  const char *name = expect_name(p, "the variable's name", &loc);
  if (!name)
    return NULL;
  Stmt *s = new_stmt(p, STMT_DECLARE, loc);
  s->variable = make_variable(p, VARIABLE_LOCAL, type, name, loc);
  s->variable->is_const = is_const;
  if (looking_at(p, TOKEN_LBRACKET))
    return parse_array_declarator(p, s);
  if (accept(p, TOKEN_ASSIGN)) {
    s->a = parse_expression(p);
    keep_text(p, s, begin);
    return s->a ? s : NULL;
  }
  if (is_const) {
    fail(p, DIAG_CONST_WITHOUT_VALUE, loc, name);
    return NULL;
  }
  return s;
}

/* declarators := [ "const" ] TYPE ( NAME [ "=" expression ] | array ) { "," ... } ";" */
bool parse_declarators(Parser *p, Stmt *into)
{
  bool is_const = accept(p, TOKEN_CONST);
  Loc loc = peek(p)->loc;
  const Type *type = parse_type(p);
  if (!type)
    return false;
  if (type == TY(VOID)) {
    fail(p, DIAG_VOID_VALUE, loc, "a variable");
    return false;
  }
  do {
    Stmt *s = parse_declarator(p, type, is_const);
    if (!s)
      return false;
    append(p, into, s);
  } while (accept(p, TOKEN_COMMA));
  return expect_semicolon(p, "',' or ';'");
}

/* ---- assignment and calls ---- */

/* OP_ADD of "+=" and so on; OP_NONE of "=" ; false: no assignment. */
static bool assignment_op(TokenKind kind, Op *op)
{
  switch (kind) {
  case TOKEN_ASSIGN: *op = OP_NONE; return true;
  case TOKEN_ADD_ASSIGN: *op = OP_ADD; return true;
  case TOKEN_SUB_ASSIGN: *op = OP_SUB; return true;
  case TOKEN_MUL_ASSIGN: *op = OP_MUL; return true;
  case TOKEN_DIV_ASSIGN: *op = OP_DIV; return true;
  case TOKEN_MOD_ASSIGN: *op = OP_MOD; return true;
  case TOKEN_AND_ASSIGN: *op = OP_AND; return true;
  case TOKEN_OR_ASSIGN: *op = OP_OR; return true;
  case TOKEN_XOR_ASSIGN: *op = OP_XOR; return true;
  case TOKEN_SHL_ASSIGN: *op = OP_SHL; return true;
  case TOKEN_SHR_ASSIGN: *op = OP_SHR; return true;
  default: return false;
  }
}

/* x++ is x += 1, the 1 taking the type of x. */
static void make_step(Parser *p, Stmt *s, Op op)
{
  s->kind = STMT_ASSIGN;
  s->op = op;
  s->a = new_literal(p, s->loc, TY(I32), (Value){.i = 1});
  s->a->is_constant = s->a->is_weak = true;
}

static bool is_step(TokenKind kind)
{
  return kind == TOKEN_INCREMENT || kind == TOKEN_DECREMENT;
}

static Op step_op(TokenKind kind)
{
  return kind == TOKEN_INCREMENT ? OP_ADD : OP_SUB;
}

/* simple := expression [ assignment operator expression | "++" | "--" ]
 *         | ( "++" | "--" ) expression */
static Stmt *parse_plain(Parser *p)
{
  Stmt *s = new_stmt(p, STMT_EXPR, peek(p)->loc);
  if (is_step(peek(p)->kind)) {
    Op op = step_op(advance(p)->kind);
    s->target = parse_expression(p);
    make_step(p, s, op);
    return s->target ? s : NULL;
  }
  Expr *first = parse_expression(p);
  if (!first)
    return NULL;
  if (is_step(peek(p)->kind)) {
    s->target = first;
    make_step(p, s, step_op(advance(p)->kind));
    return s;
  }
  if (!assignment_op(peek(p)->kind, &s->op)) {
    s->a = first;
    return s;
  }
  s->kind = STMT_ASSIGN;
  s->loc = advance(p)->loc;
  s->target = first;
  s->a = parse_expression(p);
  if (s->a && looking_at(p, TOKEN_ASSIGN)) {
    fail(p, DIAG_ASSIGNMENT_IN_EXPRESSION, peek(p)->loc, NULL);
    return NULL;
  }
  return s->a ? s : NULL;
}

Stmt *parse_simple(Parser *p)
{
  const int begin = p->at;
  Stmt *s = parse_plain(p);
  if (s)
    keep_text(p, s, begin);
  return s;
}

/* ---- if, while, return, print, assert, block ---- */

/* condition := "(" expression ")"; true after a message, behind the ')': what stands under
 * it is read all the same */
static Expr *parse_condition(Parser *p, Stmt *of)
{
  int open = p->at;
  if (!expect(p, TOKEN_LPAREN, "'('"))
    return NULL;
  Expr *e = parse_expression(p);
  keep_text(p, of, open + 1);
  if (e && looking_at(p, TOKEN_ASSIGN)) {
    fail(p, DIAG_ASSIGNMENT_IN_EXPRESSION, peek(p)->loc, NULL);
    e = NULL;
  }
  if (e && expect(p, TOKEN_RPAREN, "')'"))
    return e;
  skip_parenthesis(p, open);
  return new_literal(p, p->tokens[open].loc, TY(BOOL), (Value){.i = 1});
}

/* At an "else if", which what follows stands in; false after a message: it is read all the same. */
static bool enter_branch(Parser *p)
{
  if (++p->branches <= MAX_HEIGHT)
    return true;
  fail_too_deep(p, peek(p)->loc);
  return false;
}

/* if := "if" condition statement { "else" "if" condition statement } [ "else" statement ] */
static Stmt *parse_if(Parser *p)
{
  const int outer = p->branches;
  Stmt *first = NULL, **end = &first;
  bool is_good = true;
  do {
    Stmt *s = new_stmt(p, STMT_IF, advance(p)->loc);
    s->a = parse_condition(p, s);
    s->body = parse_statement(p);
    *end = s;
    end = &s->other;
    is_good = is_good && s->a && s->body;
    if (!looking_at(p, TOKEN_ELSE) || peek_at(p, 1)->kind != TOKEN_IF)
      break;
    advance(p);
    is_good = enter_branch(p) && is_good;
  } while (true);
  if (accept(p, TOKEN_ELSE)) {
    *end = parse_statement(p);
    is_good = is_good && *end;
  }
  p->branches = outer;
  return is_good ? first : NULL;
}

/* while := "while" condition statement */
static Stmt *parse_while(Parser *p)
{
  Stmt *s = new_stmt(p, STMT_WHILE, advance(p)->loc);
  s->a = parse_condition(p, s);
  s->body = parse_statement(p);
  return s->a && s->body ? s : NULL;
}

/* string := STRING { STRING }      (put together, as in C) */
static const char *parse_string(Parser *p)
{
  const char *text = peek(p)->text;
  if (!expect(p, TOKEN_STRING, "a string"))
    return NULL;
  while (looking_at(p, TOKEN_STRING))
    text = intern_format(p->arena, "%s%s", text, advance(p)->text);
  return text;
}

/* format := STRING { "," expression } ")" */
static bool parse_format(Parser *p, Stmt *s)
{
  s->format_loc = peek(p)->loc;
  s->format = parse_string(p);
  if (!s->format)
    return false;
  if (accept(p, TOKEN_COMMA))
    return parse_expression_list(p, TOKEN_RPAREN, &s->args, &s->arg_count);
  return expect(p, TOKEN_RPAREN, "',' or ')'");
}

/* print := "print" "(" format ";" */
static Stmt *parse_print(Parser *p)
{
  const int begin = p->at;
  Stmt *s = new_stmt(p, STMT_PRINT, advance(p)->loc);
  if (!expect(p, TOKEN_LPAREN, "'('") || !parse_format(p, s))
    return NULL;
  keep_text(p, s, begin);
  return expect_semicolon(p, "';'") ? s : NULL;
}

/* The tokens from .. to - 1 as a format. */
static const char *format_of(Parser *p, int from, int to)
{
  const char *source = token_text(p->arena, &p->tokens[from], &p->tokens[to]);
  Text text = {0};
  text_add(&text, "");
  for (; *source; source++)
    text_format(&text, *source == '%' ? "%%%%" : "%c", *source);
  const char *result = intern(p->arena, text.data, text.length);
  text_free(&text);
  return result;
}

/* assert := "assert" "(" expression [ "," format | ")" ] ";"
 * Without a message the expression itself is the message. */
static Stmt *parse_assert(Parser *p)
{
  Stmt *s = new_stmt(p, STMT_ASSERT, advance(p)->loc);
  if (!expect(p, TOKEN_LPAREN, "'('"))
    return NULL;
  int first = p->at;
  s->a = parse_expression(p);
  if (!s->a)
    return NULL;
  keep_text(p, s, first);
  s->format = format_of(p, first, p->at);
  bool is_whole = accept(p, TOKEN_COMMA) ? parse_format(p, s)
                                         : expect(p, TOKEN_RPAREN, "',' or ')'");
  return is_whole && expect_semicolon(p, "';'") ? s : NULL;
}

/* return := "return" [ expression ] ";" */
static Stmt *parse_return(Parser *p)
{
  const int begin = p->at;
  Stmt *s = new_stmt(p, STMT_RETURN, advance(p)->loc);
  if (!looking_at(p, TOKEN_SEMICOLON)) {
    s->a = parse_expression(p);
    keep_text(p, s, begin);
    if (!s->a)
      return NULL;
  }
  return expect_semicolon(p, "';'") ? s : NULL;
}

/* named block := "block" STRING block */
static Stmt *parse_named_block(Parser *p)
{
  const Loc loc = advance(p)->loc;
  const char *name = parse_string(p);
  if (!name)
    return NULL;
  if (!looking_at(p, TOKEN_LBRACE)) {
    fail_expected(p, "'{'");
    return NULL;
  }
  Stmt *s = parse_block(p);
  if (s) {
    s->format = name;
    s->loc = loc;
  }
  return s;
}

static Stmt *parse_jump(Parser *p, StmtKind kind)
{
  Stmt *s = new_stmt(p, kind, advance(p)->loc);
  return expect_semicolon(p, "';'") ? s : NULL;
}

static Stmt *parse_simple_statement(Parser *p)
{
  Stmt *s = parse_simple(p);
  return s && expect_semicolon(p, "';'") ? s : NULL;
}

/* A declaration where one statement is expected has a scope of its own. */
static Stmt *parse_declaration_statement(Parser *p)
{
  Stmt *s = new_stmt(p, STMT_BLOCK, peek(p)->loc);
  return parse_declarators(p, s) ? s : NULL;
}

/* What C has and this language has not may look like a call: "switch (e) {". */
static bool opens_block(const Parser *p)
{
  int depth = 0, ahead = 1;
  do {
    TokenKind kind = peek_at(p, ahead++)->kind;
    depth += (kind == TOKEN_LPAREN) - (kind == TOKEN_RPAREN);
    if (kind == TOKEN_END)
      return false;
  } while (depth > 0);
  return peek_at(p, ahead)->kind == TOKEN_LBRACE;
}

static bool is_c_statement(Parser *p)
{
  TokenKind behind = peek_at(p, 1)->kind;
  bool is_one = looking_at(p, TOKEN_DO) ||
                (looking_at(p, TOKEN_NAME) &&
                 (behind == TOKEN_TYPE || behind == TOKEN_CONST || behind == TOKEN_LBRACE ||
                  (behind == TOKEN_LPAREN && opens_block(p))));
  return is_one && fail_c_word(p);
}

static Stmt *parse_one(Parser *p)
{
  Loc loc = peek(p)->loc;
  if (is_c_statement(p))
    return NULL;
  switch (peek(p)->kind) {
  case TOKEN_LBRACE: return parse_block(p);
  case TOKEN_SEMICOLON: advance(p); return new_stmt(p, STMT_BLOCK, loc);
  case TOKEN_IF: return parse_if(p);
  case TOKEN_WHILE: return parse_while(p);
  case TOKEN_FOR: return parse_for(p);
  case TOKEN_FOREACH: return parse_foreach(p);
  case TOKEN_BREAK: return parse_jump(p, STMT_BREAK);
  case TOKEN_CONTINUE: return parse_jump(p, STMT_CONTINUE);
  case TOKEN_RETURN: return parse_return(p);
  case TOKEN_PRINT: return parse_print(p);
  case TOKEN_ASSERT: return parse_assert(p);
  case TOKEN_BLOCK: return parse_named_block(p);
  case TOKEN_ELSE:
    if (!p->is_too_deep)               /* else its 'if' may have been left out */
      fail(p, DIAG_ELSE_WITHOUT_IF, peek(p)->loc, NULL);
    advance(p);
    return parse_one(p);
  case TOKEN_LBRACKET:
    if (peek_at(p, 1)->kind == TOKEN_LBRACKET)
      return parse_attributed(p);
    break;
  default:
    break;
  }
  return begins_local_declaration(p) ? parse_declaration_statement(p)
                                     : parse_simple_statement(p);
}

/* statement := block | ";" | if | while | for | foreach | jump | return
 *            | print | assert | named block | declarators | simple ";"
 * After an error NULL, behind the statement. */
Stmt *parse_statement(Parser *p)
{
  if (!enter(p)) {
    skip_statement(p);
    return NULL;
  }
  int begin = p->at;
  Stmt *s = parse_one(p);
  bool ends_statement = p->at > begin &&
      (p->tokens[p->at - 1].kind == TOKEN_SEMICOLON ||
       p->tokens[p->at - 1].kind == TOKEN_RBRACE);
  if (!s && !ends_statement)
    skip_statement(p);
  if (!s)
    taint(p, begin);
  leave(p);
  return s;
}

/* block := "{" { statement } "}" */
Stmt *parse_block(Parser *p)
{
  Stmt *block = new_stmt(p, STMT_BLOCK, peek(p)->loc);
  advance(p);
  while (!looking_at(p, TOKEN_RBRACE) && !looking_at(p, TOKEN_END) &&
         !begins_declaration(peek(p)->kind)) {
    if (begins_local_declaration(p)) {   /* declared in this scope */
      int begin = p->at;
      if (!parse_declarators(p, block)) {
        skip_statement(p);
        taint(p, begin);
      }
      continue;
    }
    Stmt *s = parse_statement(p);
    if (s)
      append(p, block, s);
  }
  return expect(p, TOKEN_RBRACE, "'}'") ? block : NULL;
}
