/* Expressions. */
#include "gen/model/builtins.h"
#include "gen/front/parser.h"

#include <string.h>

Expr *new_expr(Parser *p, ExprKind kind, Loc loc)
{
  Expr *e = NEW(p->arena, Expr);
  e->kind = kind;
  e->loc = loc;
  return e;
}

Expr *new_literal(Parser *p, Loc loc, const Type *type, Value value)
{
  Expr *e = new_expr(p, EXPR_LITERAL, loc);
  e->type = type;
  e->value = value;
  return e;
}

/* Everything behind the parser walks expressions by recursion: their height is
 * bounded here.  NULL when e has grown too high. */
static Expr *bound_height(Parser *p, Expr *e)
{
  const Expr *parts[] = {e->a, e->b, e->c};
  for (int i = 0; i < 3; i++)
    if (parts[i] && parts[i]->height >= e->height)
      e->height = parts[i]->height + 1;
  for (int i = 0; i < e->arg_count; i++)
    if (e->args[i]->height >= e->height)
      e->height = e->args[i]->height + 1;
  for (int i = 0; i < e->generic_count; i++)
    if (e->generics[i]->height >= e->height)
      e->height = e->generics[i]->height + 1;
  if (e->height <= MAX_HEIGHT)
    return e;
  fail_too_deep(p, e->loc);
  return NULL;
}

/* ---- primary ---- */

static Expr *parse_number(Parser *p)
{
  const Token *token = advance(p);
  Expr *e = new_literal(p, token->loc, token->type, token->value);
  e->is_constant = true;
  e->is_weak = !token->has_suffix;     /* a suffix names the type */
  return e;
}

/* What follows "TYPE ." of a vector or matrix. */
static const struct { const char *word; Construct construct; bool has_list; } makers[] = {
    {"zero", CONSTRUCT_EACH, false},   {"identity", CONSTRUCT_IDENTITY, false},
    {"rows", CONSTRUCT_ROWS, true},    {"cols", CONSTRUCT_COLUMNS, true},
    {"unit", CONSTRUCT_UNIT, true},
};

enum { MAKER_COUNT = sizeof makers / sizeof makers[0] };

static Expr *zero_of(Parser *p, Loc loc, const Type *type)
{
  return new_literal(p, loc, type, type_is_float(type) ? (Value){.f = 0.0} : (Value){.i = 0});
}

/* made := WORD [ "(" list ")" ] */
static Expr *parse_made(Parser *p, Expr *e, const Type *type)
{
  int k = 0;
  while (k < MAKER_COUNT && !looking_at_word(p, makers[k].word))
    k++;
  if (k == MAKER_COUNT) {
    fail_expected(p, "'zero', 'identity', 'rows', 'cols' or 'unit'");
    return NULL;
  }
  e->name = advance(p)->text;
  e->construct = makers[k].construct;
  if (e->construct == CONSTRUCT_EACH)
    vec_push(p->arena, e->args, e->arg_count, zero_of(p, e->loc, type_element(type)));
  if (!makers[k].has_list)
    return e;
  if (!expect(p, TOKEN_LPAREN, "'('") ||
      !parse_expression_list(p, TOKEN_RPAREN, &e->args, &e->arg_count))
    return NULL;
  return bound_height(p, e);
}

/* constructor := TYPE ( "(" list ")" | "." made ) */
static Expr *parse_constructor(Parser *p, Loc loc, const Type *type)
{
  Expr *e = new_expr(p, EXPR_CONSTRUCT, loc);
  e->type = kept_type(type);
  if (accept(p, TOKEN_DOT))
    return parse_made(p, e, type);
  if (!expect(p, TOKEN_LPAREN, "'(' behind a type") ||
      !parse_expression_list(p, TOKEN_RPAREN, &e->args, &e->arg_count))
    return NULL;
  return bound_height(p, e);
}

/* cast := TYPE "(" list, of one value | TYPE "." "zero" | constructor */
static Expr *parse_cast(Parser *p)
{
  Loc loc = peek(p)->loc;
  const Type *type = parse_type(p);
  if (!type)
    return NULL;
  if (type_is_shaped(type))
    return parse_constructor(p, loc, type);
  if (type == TY(VOID)) {
    fail(p, DIAG_VOID_VALUE, loc, "a value");
    return NULL;
  }
  Expr *e = new_expr(p, EXPR_CAST, loc);
  e->type = type;
  if (accept(p, TOKEN_DOT)) {
    if (looking_at_word(p, "zero")) {
      advance(p);
      return zero_of(p, loc, type);
    }
    fail_expected(p, "'zero'");
    return NULL;
  }
  Expr **values = NULL;
  int count = 0;
  if (!expect(p, TOKEN_LPAREN, "'(' behind a type") ||
      !parse_expression_list(p, TOKEN_RPAREN, &values, &count))
    return NULL;
  if (count != 1) {
    diag(p->diag, DIAG_CAST_COUNT, loc, type->name, count);
    p->program->is_broken = true;
    return zero_of(p, loc, type);
  }
  e->a = values[0];
  return bound_height(p, e);
}

static Expr *parse_parenthesis(Parser *p)
{
  advance(p);
  Expr *e = parse_expression(p);
  if (!e)
    return NULL;
  if (looking_at(p, TOKEN_ASSIGN)) {
    fail(p, DIAG_ASSIGNMENT_IN_EXPRESSION, peek(p)->loc, NULL);
    return NULL;
  }
  if (expect(p, TOKEN_RPAREN, "')'"))
    return e;
  if (looking_at(p, TOKEN_COMMA))
    diag(p->diag, DIAG_VECTOR_HINT, peek(p)->loc);
  return NULL;
}

/* Is the token at hand a '<' that begins the arguments of what has that name? */
static bool begins_generic_arguments(const Parser *p, const char *name)
{
  int known = p->generic_names ? p->generic_names : p->program->generic_name_count;
  for (int i = 0; looking_at(p, TOKEN_LT) && i < known; i++)
    if (p->program->generic_names[i] == name)          /* interned */
      return true;
  return false;
}

/* name := NAME [ "<" generic arguments ">" ]; behind those a call follows */
static Expr *parse_name(Parser *p)
{
  const Token *token = advance(p);
  Expr *e = new_expr(p, EXPR_NAME, token->loc);
  e->name = token->text;
  if (!begins_generic_arguments(p, e->name))
    return e;
  if (!parse_generic_arguments(p, &e->generics, &e->generic_count))
    return NULL;
  if (looking_at(p, TOKEN_LPAREN))
    return e;
  fail_expected(p, "'('");
  return NULL;
}

/* primary := number | "true" | "false" | name | cast | "(" expression ")" */
static Expr *parse_primary(Parser *p)
{
  const Token *token = peek(p);
  switch (token->kind) {
  case TOKEN_INTEGER: case TOKEN_FLOAT:
    return parse_number(p);
  case TOKEN_TRUE: case TOKEN_FALSE:
    advance(p);
    return new_literal(p, token->loc, TY(BOOL),
                       (Value){.i = token->kind == TOKEN_TRUE});
  case TOKEN_NAME:
    return parse_name(p);
  case TOKEN_TYPE: case TOKEN_VEC: case TOKEN_MAT:
    return parse_cast(p);
  case TOKEN_LPAREN:
    return parse_parenthesis(p);
  default:
    fail_expected(p, "an expression");
    if (looking_at(p, TOKEN_LBRACE))
      diag(p->diag, DIAG_VECTOR_HINT, peek(p)->loc);
    return NULL;
  }
}

/* ---- postfix ---- */

/* argument := expression | TYPE      (the type of a bitcast) */
static Expr *parse_argument(Parser *p)
{
  TokenKind behind = peek_at(p, 1)->kind;
  if (!looking_at(p, TOKEN_TYPE) || behind == TOKEN_LPAREN || behind == TOKEN_DOT)
    return parse_expression(p);
  Expr *e = new_expr(p, EXPR_NAME, peek(p)->loc);
  e->name = peek(p)->text;
  e->type = parse_type(p);
  return e->type ? e : NULL;
}

/* list := [ argument { "," argument } ], up to and with the closing bracket */
bool parse_expression_list(Parser *p, TokenKind close, Expr ***list, int *count)
{
  const char *what = close == TOKEN_RPAREN ? "',' or ')'" : "',' or ']'";
  if (accept(p, close))
    return true;
  do {
    Expr *e = parse_argument(p);
    if (!e)
      return false;
    vec_push(p->arena, *list, *count, e);
  } while (accept(p, TOKEN_COMMA));
  return expect(p, close, what);
}

static Expr *parse_call(Parser *p, Expr *callee)
{
  if (callee->kind != EXPR_NAME) {
    fail(p, DIAG_NOT_CALLABLE, peek(p)->loc, NULL);
    return NULL;
  }
  advance(p);
  Expr *e = new_expr(p, EXPR_CALL, callee->loc);
  e->name = callee->name;
  e->generics = callee->generics;
  e->generic_count = callee->generic_count;
  if (!parse_expression_list(p, TOKEN_RPAREN, &e->args, &e->arg_count))
    return NULL;
  return bound_height(p, e);
}

static Expr *parse_index(Parser *p, Expr *base)
{
  advance(p);
  Expr *e = new_expr(p, EXPR_INDEX, base->loc);
  e->a = base;
  if (looking_at(p, TOKEN_RBRACKET)) {
    fail_expected(p, "an index");
    return NULL;
  }
  if (!parse_expression_list(p, TOKEN_RBRACKET, &e->args, &e->arg_count))
    return NULL;
  return bound_height(p, e);
}

static Expr *parse_member(Parser *p, Expr *base)
{
  advance(p);
  Expr *e = new_expr(p, EXPR_MEMBER, peek(p)->loc);
  e->a = base;
  e->name = peek(p)->text;
  if (!expect(p, TOKEN_NAME, "a member's name"))
    return NULL;
  return bound_height(p, e);
}

/* Behind a field's default: does its index order stand here?  What can be called
 * in a default is a built-in. */
static bool begins_index_order(const Parser *p, const Expr *before)
{
  TokenKind behind = peek_at(p, 2)->kind;
  return p->order_may_follow && peek_at(p, 1)->kind == TOKEN_NAME &&
         axis_by_name(peek_at(p, 1)->text) >= 0 &&
         (behind == TOKEN_COMMA || behind == TOKEN_RPAREN) &&
         !(before->kind == EXPR_NAME && builtin_by_name(before->name) >= 0);
}

/* postfix := primary { "(" list ")" | "[" list "]" | "." NAME } */
static Expr *parse_postfix(Parser *p)
{
  Expr *e = parse_primary(p);
  while (e) {
    if (looking_at(p, TOKEN_LPAREN) && begins_index_order(p, e))
      break;
    if (looking_at(p, TOKEN_LPAREN))
      e = parse_call(p, e);
    else if (looking_at(p, TOKEN_LBRACKET))
      e = parse_index(p, e);
    else if (looking_at(p, TOKEN_DOT))
      e = parse_member(p, e);
    else
      break;
  }
  return e;
}

/* ---- operators ---- */

static Op unary_op(TokenKind kind)
{
  switch (kind) {
  case TOKEN_MINUS: return OP_NEGATE;
  case TOKEN_PLUS: return OP_PLUS;
  case TOKEN_NOT: return OP_NOT;
  case TOKEN_TILDE: return OP_COMPLEMENT;
  default: return OP_NONE;
  }
}

/* unary := ( "-" | "+" | "!" | "~" ) unary | postfix */
static Expr *parse_unary(Parser *p)
{
  Op op = unary_op(peek(p)->kind);
  if (!enter(p))
    return NULL;
  Expr *e = NULL;
  if (op == OP_NONE) {
    e = parse_postfix(p);
  } else {
    e = new_expr(p, EXPR_UNARY, advance(p)->loc);
    e->op = op;
    e->a = parse_unary(p);
    e = e->a ? bound_height(p, e) : NULL;
  }
  leave(p);
  return e;
}

typedef struct BinaryOp { int precedence; Op op; } BinaryOp;

/* Precedences as in C; 0: no binary operator. */
static BinaryOp binary_op(TokenKind kind)
{
  switch (kind) {
  case TOKEN_OR_OR: return (BinaryOp){1, OP_LOGICAL_OR};
  case TOKEN_AND_AND: return (BinaryOp){2, OP_LOGICAL_AND};
  case TOKEN_OR: return (BinaryOp){3, OP_OR};
  case TOKEN_XOR: return (BinaryOp){4, OP_XOR};
  case TOKEN_AND: return (BinaryOp){5, OP_AND};
  case TOKEN_EQ: return (BinaryOp){6, OP_EQ};
  case TOKEN_NE: return (BinaryOp){6, OP_NE};
  case TOKEN_LT: return (BinaryOp){7, OP_LT};
  case TOKEN_LE: return (BinaryOp){7, OP_LE};
  case TOKEN_GT: return (BinaryOp){7, OP_GT};
  case TOKEN_GE: return (BinaryOp){7, OP_GE};
  case TOKEN_SHL: return (BinaryOp){8, OP_SHL};
  case TOKEN_SHR: return (BinaryOp){8, OP_SHR};
  case TOKEN_PLUS: return (BinaryOp){9, OP_ADD};
  case TOKEN_MINUS: return (BinaryOp){9, OP_SUB};
  case TOKEN_STAR: return (BinaryOp){10, OP_MUL};
  case TOKEN_SLASH: return (BinaryOp){10, OP_DIV};
  case TOKEN_PERCENT: return (BinaryOp){10, OP_MOD};
  case TOKEN_AT: return (BinaryOp){10, OP_PRODUCT};
  default: return (BinaryOp){0, OP_NONE};
  }
}

/* binary(n) := unary { operator of precedence m >= n  binary(m + 1) } */
static Expr *parse_binary(Parser *p, int least)
{
  Expr *left = parse_unary(p);
  while (left) {
    BinaryOp found = binary_op(peek(p)->kind);
    if (found.precedence == 0 || found.precedence < least)
      break;
    bool is_logical = found.op == OP_LOGICAL_AND || found.op == OP_LOGICAL_OR;
    Expr *e = new_expr(p, is_logical ? EXPR_LOGICAL : EXPR_BINARY, advance(p)->loc);
    e->op = found.op;
    e->a = left;
    e->b = parse_binary(p, found.precedence + 1);
    left = e->b ? bound_height(p, e) : NULL;
  }
  return left;
}

Expr *parse_sum(Parser *p)
{
  if (!enter(p))
    return NULL;
  Expr *e = parse_binary(p, binary_op(TOKEN_PLUS).precedence);
  leave(p);
  return e;
}

/* expression := binary(1) [ "?" expression ":" expression ] */
Expr *parse_expression(Parser *p)
{
  if (!enter(p))
    return NULL;
  Expr *e = parse_binary(p, 1);
  if (e && looking_at(p, TOKEN_QUESTION)) {
    Expr *choice = new_expr(p, EXPR_CONDITIONAL, advance(p)->loc);
    choice->a = e;
    choice->b = parse_expression(p);
    if (choice->b && expect(p, TOKEN_COLON, "':'"))
      choice->c = parse_expression(p);
    e = choice->c ? bound_height(p, choice) : NULL;
  }
  leave(p);
  return e;
}
