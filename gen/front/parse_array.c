/* Local arrays and tables: extents and values. */
#include "gen/front/parser.h"

static bool parse_values(Parser *p, Initial *initial, int depth);

/* item := values | expression */
static bool parse_item(Parser *p, Initial *initial, int depth)
{
  if (looking_at(p, TOKEN_LBRACE))
    return parse_values(p, initial, depth);
  Expr *e = parse_expression(p);
  if (e)
    vec_push(p->arena, initial->values, initial->value_count, e);
  return e != NULL;
}

/* values := "{" item { "," item } [ "," ] "}" */
static bool parse_values(Parser *p, Initial *initial, int depth)
{
  Loc loc = peek(p)->loc;
  int before = initial->value_count;
  bool is_good = expect(p, TOKEN_LBRACE, "'{' and the values") && enter(p);
  if (!is_good)
    return false;
  do
    is_good = parse_item(p, initial, depth + 1);
  while (is_good && accept(p, TOKEN_COMMA) && !looking_at(p, TOKEN_RBRACE));
  leave(p);
  Braces braces = {loc, depth, initial->value_count - before};
  vec_push(p->arena, initial->braces, initial->brace_count, braces);
  return is_good && expect(p, TOKEN_RBRACE, "',' or '}'");
}

/* array := NAME "[" expression { "," expression } "]" [ "=" values ] */
bool parse_own_array(Parser *p, Variable *v)
{
  Loc loc = advance(p)->loc;
  if (looking_at(p, TOKEN_RBRACKET)) {
    fail_expected(p, "an extent");
    return false;
  }
  v->kind = VARIABLE_OWN_ARRAY;
  if (!parse_expression_list(p, TOKEN_RBRACKET, &v->extents, &v->extent_count))
    return false;
  if (v->extent_count > MAX_AXES) {
    diag(p->diag, DIAG_ARRAY_RANK, loc, v->name, (int)MAX_AXES);
    p->program->is_broken = true;
    return false;
  }
  if (!accept(p, TOKEN_ASSIGN)) {
    if (v->is_const)
      fail(p, DIAG_CONST_WITHOUT_VALUE, v->loc, v->name);
    return !v->is_const;
  }
  v->initial = NEW(p->arena, Initial);
  return parse_values(p, v->initial, 0);
}
