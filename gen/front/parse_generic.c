/* Generics: their parameters, and the arguments that an instance is named by.
 *
 * "a < b" is a comparison unless a is the name of a generic: so the names of a file's
 * generics are collected before it is parsed.
 */
#include "gen/front/parser.h"

/* ---- names ---- */

/* Behind the type that begins at a token: its first word, or vec and mat with theirs. */
static int behind_type(const Parser *p, int at)
{
  bool has_list = p->tokens[at].kind == TOKEN_VEC || p->tokens[at].kind == TOKEN_MAT;
  int depth = 0;
  for (; has_list && p->tokens[at].kind != TOKEN_END; at++) {
    TokenKind kind = p->tokens[at].kind;
    depth += (kind == TOKEN_LPAREN) - (kind == TOKEN_RPAREN);
    if (kind == TOKEN_RPAREN && depth <= 0)
      break;
  }
  return p->tokens[at].kind == TOKEN_END ? at : at + 1;
}

void note_generics(Parser *p)
{
  Program *program = p->program;
  for (int at = 0; at + 1 < p->count; at++) {
    TokenKind kind = p->tokens[at].kind;
    if (kind != TOKEN_FUNC && kind != TOKEN_KERNEL)
      continue;
    int name = behind_type(p, at + 1);
    if (p->tokens[name].kind == TOKEN_NAME && p->tokens[name + 1].kind == TOKEN_LT)
      vec_push(p->arena, program->generic_names, program->generic_name_count,
               p->tokens[name].text);
  }
}

/* ---- parameters ---- */

static bool parse_constant_type(Parser *p, GenericParameter *parameter)
{
  Loc loc = peek(p)->loc;
  const Type *type = parse_type(p);
  parameter->type = kept_type(type);
  if (type == TY(VOID))
    fail(p, DIAG_VOID_VALUE, loc, "a generic parameter");
  return type && type != TY(VOID);
}

/* kind := "field" | "node" | "tree" | TYPE */
static bool parse_generic_kind(Parser *p, GenericParameter *parameter)
{
  if (accept(p, TOKEN_FIELD)) {
    parameter->kind = GENERIC_FIELD;
  } else if (accept(p, TOKEN_TREE)) {
    parameter->kind = GENERIC_TREE;
  } else if (looking_at_word(p, "node")) {
    advance(p);
    parameter->kind = GENERIC_NODE;
  } else {
    parameter->kind = GENERIC_CONSTANT;
    parameter->begin = p->at;
    return parse_constant_type(p, parameter);
  }
  return true;
}

static bool is_second(const Generic *generic, const char *name)
{
  for (int i = 0; i < generic->param_count; i++)
    if (generic->params[i].name == name)
      return true;
  return false;
}

/* parameter := kind NAME */
static bool parse_generic_parameter(Parser *p, Generic *generic)
{
  GenericParameter parameter = {0};
  if (!parse_generic_kind(p, &parameter))
    return false;
  parameter.name = expect_name(p, "the parameter's name", &parameter.loc);
  if (!parameter.name)
    return false;
  if (is_second(generic, parameter.name))
    fail(p, DIAG_REDECLARED, parameter.loc, parameter.name);
  vec_push(p->arena, generic->params, generic->param_count, parameter);
  return true;
}

/* After an error: the fields and trees in it begin no declarations. */
static bool skip_generic_parameters(Parser *p)
{
  while (!looking_at(p, TOKEN_GT) && !looking_at(p, TOKEN_LPAREN) &&
         !looking_at(p, TOKEN_LBRACE) && !looking_at(p, TOKEN_END))
    advance(p);
  return false;
}

/* generic parameters := "<" parameter { "," parameter } ">" */
static bool parse_generic_parameters(Parser *p, Generic *generic)
{
  advance(p);
  do {
    if (!parse_generic_parameter(p, generic))
      return skip_generic_parameters(p);
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_GT, "',' or '>'") || skip_generic_parameters(p);
}

int parse_generic_ahead(Parser *p, Generic *generic)
{
  int type = p->at, name = behind_type(p, type);
  if (p->tokens[name].kind != TOKEN_NAME || p->tokens[name + 1].kind != TOKEN_LT)
    return 0;
  p->at = name + 1;
  if (!parse_generic_parameters(p, generic))
    return -1;
  int behind = p->at;
  p->at = type;
  return behind;
}

/* ---- arguments ---- */

/* generic arguments := "<" sum { "," sum } ">" */
bool parse_generic_arguments(Parser *p, Expr ***args, int *count)
{
  advance(p);
  do {
    Expr *e = parse_sum(p);
    if (!e)
      return false;
    vec_push(p->arena, *args, *count, e);
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_GT, "',' or '>'");
}

/* instance := "instance" NAME "=" NAME generic arguments ";" */
bool parse_instance(Parser *p, const char *doc)
{
  advance(p);
  Instance *instance = NEW(p->arena, Instance);
  instance->doc = doc;
  instance->name = expect_name(p, "the instance's name", &instance->loc);
  if (!instance->name || !expect(p, TOKEN_ASSIGN, "'='"))
    return false;
  instance->generic = new_expr(p, EXPR_NAME, peek(p)->loc);
  instance->generic->name = peek(p)->text;
  if (!expect(p, TOKEN_NAME, "the name of a generic kernel"))
    return false;
  if (!looking_at(p, TOKEN_LT)) {
    fail_expected(p, "'<'");
    return false;
  }
  if (!parse_generic_arguments(p, &instance->args, &instance->arg_count))
    return false;
  vec_push(p->arena, p->program->instances, p->program->instance_count, instance);
  return expect(p, TOKEN_SEMICOLON, "';'");
}
