/* Loops: for, serial and parallel ranges, foreach. */
#include "gen/front/parser.h"

typedef struct LoopName {      /* [ TYPE ] NAME in front of "in" */
  const Type *type;            /* NULL when not written */
  const char *name;
  Loc loc;
} LoopName;

/* loop name := [ TYPE ] NAME */
static bool parse_loop_name(Parser *p, LoopName *out)
{
  *out = (LoopName){0};
  if (!looking_at(p, TOKEN_NAME)) {
    out->type = parse_type(p);
    if (!out->type)
      return false;
  }
  out->name = expect_name(p, "a loop variable", &out->loc);
  return out->name != NULL;
}

static Variable *loop_variable(Parser *p, LoopName name)
{
  return make_variable(p, VARIABLE_LOOP, name.type, name.name, name.loc);
}

/* under := "under" NAME "[" indices "]", kept as the question is_active(NAME, indices) */
static bool parse_under(Parser *p, Stmt *s)
{
  Loc loc = advance(p)->loc;
  Expr *cell = parse_expression(p);
  if (!cell)
    return false;
  if (cell->kind != EXPR_INDEX) {
    fail(p, DIAG_UNDER_CELL, cell->loc, NULL);
    return false;
  }
  s->a = new_expr(p, EXPR_CALL, loc);
  s->a->name = "is_active";
  vec_push(p->arena, s->a->args, s->a->arg_count, cell->a);
  for (int i = 0; i < cell->arg_count; i++)
    vec_push(p->arena, s->a->args, s->a->arg_count, cell->args[i]);
  return true;
}

/* box := "within" expression ".." expression */
static bool parse_box(Parser *p, Stmt *s)
{
  Range box = {0};
  advance(p);
  box.lo = parse_expression(p);
  if (!box.lo || !expect(p, TOKEN_DOTS, "'..'"))
    return false;
  box.hi = parse_expression(p);
  vec_push(p->arena, s->ranges, s->range_count, box);
  return box.hi != NULL;
}

/* range rest := expression ".." expression, its low end parsed before */
static bool parse_range_rest(Parser *p, Stmt *s, LoopName name, Expr *lo)
{
  if (!expect(p, TOKEN_DOTS, "'..'"))
    return false;
  Range range = {.variable = loop_variable(p, name), .lo = lo};
  range.hi = parse_expression(p);
  if (!range.hi)
    return false;
  vec_push(p->arena, s->ranges, s->range_count, range);
  return true;
}

/* ranges := loop name "in" range { "," loop name "in" range } ")" */
static bool parse_ranges(Parser *p, Stmt *s, LoopName first, Expr *lo)
{
  if (!parse_range_rest(p, s, first, lo))
    return false;
  while (accept(p, TOKEN_COMMA)) {
    LoopName name;
    if (!parse_loop_name(p, &name) || !expect(p, TOKEN_IN, "'in'"))
      return false;
    lo = parse_expression(p);
    if (!lo || !parse_range_rest(p, s, name, lo))
      return false;
  }
  return expect(p, TOKEN_RPAREN, "',' or ')'");
}

static bool finish_node_loop(Parser *p, Stmt *s, const LoopName *names, int count,
                             Expr *node)
{
  bool is_serial = s->kind == STMT_FOR_RANGE;
  s->kind = is_serial ? STMT_FOR_UNDER : STMT_FOREACH_NODE;
  s->node = node;
  for (int i = 0; i < count; i++)
    vec_push(p->arena, s->variables, s->variable_count, loop_variable(p, names[i]));
  if (is_serial && !looking_at_word(p, "under")) {
    fail(p, DIAG_FOR_CELLS, node->loc, NULL);
    return false;
  }
  if (is_serial && !parse_under(p, s))
    return false;
  if (!is_serial && looking_at_word(p, "within") && !parse_box(p, s))
    return false;
  return expect(p, TOKEN_RPAREN, "')'");
}

/* head := loop name { "," loop name } "in" expression ( ".." ... | ")" ) */
static bool parse_loop_head(Parser *p, Stmt *s)
{
  LoopName *names = NULL;
  int count = 0;
  do {
    LoopName name;
    if (!parse_loop_name(p, &name))
      return false;
    vec_push(p->arena, names, count, name);
  } while (accept(p, TOKEN_COMMA));
  if (!expect(p, TOKEN_IN, "',' or 'in'"))
    return false;
  Expr *e = parse_expression(p);
  if (!e)
    return false;
  if (!looking_at(p, TOKEN_DOTS))
    return finish_node_loop(p, s, names, count, e);
  if (count > 1) {
    fail_expected(p, "')': each variable of a range has its own 'in'");
    return false;
  }
  return parse_ranges(p, s, names[0], e);
}

/* ( "foreach" | "for" ) "(" head statement, from the head on.  Without a good head it is a
 * loop of no range, for what its body says. */
static Stmt *parse_range_loop(Parser *p, Stmt *s, int open)
{
  StmtKind kind = s->kind;
  if (!parse_loop_head(p, s)) {
    skip_parenthesis(p, open);
    taint(p, open);
    s->kind = kind;
    s->a = s->node = NULL;
    s->range_count = s->variable_count = 0;
  }
  s->body = parse_statement(p);
  return s->body ? s : NULL;
}

Stmt *parse_foreach(Parser *p)
{
  Stmt *s = new_stmt(p, STMT_FOREACH_RANGE, advance(p)->loc);
  int open = p->at;
  return expect(p, TOKEN_LPAREN, "'('") ? parse_range_loop(p, s, open) : NULL;
}

/* ---- for ---- */

/* Does "[TYPE] NAME { , [TYPE] NAME } in" stand here?  A name without a type and a comma
 * behind it begin nothing else. */
static bool begins_range(const Parser *p)
{
  for (int at = 0;; at++) {
    bool has_type = peek_at(p, at)->kind == TOKEN_TYPE;
    at += has_type;
    if (peek_at(p, at++)->kind != TOKEN_NAME)
      return false;
    TokenKind behind = peek_at(p, at)->kind;
    if (behind != TOKEN_COMMA)
      return behind == TOKEN_IN;
    if (!has_type)
      return true;
  }
}

/* header := [ declarators | simple ] ";" [ expression ] ";" [ simple ] ")" */
static bool parse_for_header(Parser *p, Stmt *s, Stmt *declared)
{
  if (begins_local_declaration(p)) {
    if (!parse_declarators(p, declared))
      return false;
  } else if (!accept(p, TOKEN_SEMICOLON)) {
    s->init = parse_simple(p);
    if (!s->init || !expect(p, TOKEN_SEMICOLON, "';'"))
      return false;
  }
  int begin = p->at;
  if (!looking_at(p, TOKEN_SEMICOLON) && !(s->a = parse_expression(p)))
    return false;
  if (s->a)
    keep_text(p, s, begin);
  if (!expect(p, TOKEN_SEMICOLON, "';'"))
    return false;
  if (!looking_at(p, TOKEN_RPAREN) && !(s->step = parse_simple(p)))
    return false;
  return expect(p, TOKEN_RPAREN, "')'");
}

/* After an error in a header: behind the ')' of the for, past its semicolons. */
static void skip_header(Parser *p, int open)
{
  do
    skip_parenthesis(p, open);
  while (accept(p, TOKEN_SEMICOLON) && !looking_at(p, TOKEN_LBRACE));
}

/* for := "for" "(" header statement
 * Of several declared variables the last is the loop's; the others stand in a
 * block around it, which says the same. */
Stmt *parse_for(Parser *p)
{
  Stmt *s = new_stmt(p, STMT_FOR, advance(p)->loc);
  int open = p->at;
  if (!expect(p, TOKEN_LPAREN, "'('"))
    return NULL;
  if (begins_range(p)) {
    s->kind = STMT_FOR_RANGE;
    return parse_range_loop(p, s, open);
  }
  Stmt *declared = new_stmt(p, STMT_BLOCK, s->loc);
  if (!parse_for_header(p, s, declared)) {
    skip_header(p, open);
    taint(p, open);
    s->init = s->step = NULL;
    s->a = NULL;
    declared->list_count = 0;
  }
  s->body = parse_statement(p);
  if (!s->body)
    return NULL;
  if (declared->list_count == 0)
    return s;
  s->init = declared->list[--declared->list_count];
  if (declared->list_count == 0)
    return s;
  vec_push(p->arena, declared->list, declared->list_count, s);
  return declared;
}

/* ---- attributes ---- */

/* told := expression [ ":" expression ] */
static bool parse_told(Parser *p, Attribute *a)
{
  Expr *e = parse_expression(p), *halo = NULL;
  int count = a->arg_count;
  if (!e || (accept(p, TOKEN_COLON) && !(halo = parse_expression(p))))
    return false;
  vec_push(p->arena, a->args, a->arg_count, e);
  vec_push(p->arena, a->halos, count, halo);
  return true;
}

/* attribute := NAME [ "(" [ told { "," told } ] ")" ] */
static bool parse_attribute(Parser *p, Attribute **list, int *count)
{
  Attribute a = {0};
  a.name = expect_name(p, "an attribute", &a.loc);
  if (!a.name)
    return false;
  if (accept(p, TOKEN_LPAREN) && !accept(p, TOKEN_RPAREN)) {
    do
      if (!parse_told(p, &a))
        return false;
    while (accept(p, TOKEN_COMMA));
    if (!expect(p, TOKEN_RPAREN, "',' or ')'"))
      return false;
  }
  vec_push(p->arena, *list, *count, a);
  return true;
}

/* attributes := "[" "[" attribute { "," attribute } "]" "]" */
static bool parse_attributes(Parser *p, Attribute **list, int *count)
{
  advance(p);
  advance(p);
  do
    if (!parse_attribute(p, list, count))
      return false;
  while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_RBRACKET, "',' or ']]'") && expect(p, TOKEN_RBRACKET, "']]'");
}

static bool looking_at_attributes(const Parser *p)
{
  return looking_at(p, TOKEN_LBRACKET) && peek_at(p, 1)->kind == TOKEN_LBRACKET;
}

/* After an error within: behind its "]]", or in front of what cannot stand in one. */
static void skip_attributes(Parser *p)
{
  while (!looking_at(p, TOKEN_RBRACKET) && !looking_at(p, TOKEN_SEMICOLON) &&
         !looking_at(p, TOKEN_LBRACE) && !looking_at(p, TOKEN_RBRACE) &&
         !looking_at(p, TOKEN_END))
    advance(p);
  while (accept(p, TOKEN_RBRACKET)) { }
}

/* attributed := attributes { attributes } ( for | foreach )
 * Of a for that stands in a block with what it declares the loop is the last. */
Stmt *parse_attributed(Parser *p)
{
  Attribute *list = NULL;
  int count = 0;
  while (looking_at_attributes(p))
    if (!parse_attributes(p, &list, &count))
      skip_attributes(p);
  if (count > 0 && !looking_at(p, TOKEN_FOR) && !looking_at(p, TOKEN_FOREACH)) {
    fail(p, DIAG_ATTRIBUTE_PLACE, list[0].loc, list[0].name);
    count = 0;
  }
  Stmt *s = parse_statement(p);
  if (!s || count == 0)
    return s;
  Stmt *loop = s->kind == STMT_BLOCK ? s->list[s->list_count - 1] : s;
  loop->attributes = list;
  loop->attribute_count = count;
  return s;
}
