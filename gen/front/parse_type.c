/* Types, and the structs that a program declares. */
#include "gen/front/parser.h"

#include <string.h>

/* ---- what is no type ---- */

/* The type that a C programmer's word stands for. */
static const char *type_for(const char *name)
{
  static const char *const pairs[][2] = {
      {"int", "i32"}, {"float", "f32"}, {"double", "f64"}, {"long", "i64"},
      {"short", "i16"}, {"char", "i8"}, {"unsigned", "u32"}, {"size_t", "u64"},
      {"int8_t", "i8"}, {"int16_t", "i16"}, {"int32_t", "i32"},
      {"int64_t", "i64"}, {"uint8_t", "u8"}, {"uint16_t", "u16"},
      {"uint32_t", "u32"}, {"uint64_t", "u64"}, {"signed", "i32"},
      {"_Bool", "bool"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (strcmp(pairs[i][0], name) == 0)
      return pairs[i][1];
  return NULL;
}

void report_unknown_type(Diag *d, const Program *program, Loc loc, const char *name,
                         bool takes_tree)
{
  const char **names = NULL;
  int count = 0;
  for (int kind = TYPE_VOID; kind < TYPE_CELL; kind++)
    vec_push(program->arena, names, count, type_scalar[kind].name);
  for (int i = 0; i < program->struct_count; i++)
    vec_push(program->arena, names, count, program->structs[i]->type->name);
  for (int i = 0; takes_tree && i < program->tree_count; i++)
    vec_push(program->arena, names, count, program->trees[i]->name);
  vec_push(program->arena, names, count, NULL);
  diag(d, DIAG_UNKNOWN_TYPE, loc, name);
  if (type_for(name))
    diag(d, DIAG_DID_YOU_MEAN, loc, type_for(name));
  else
    diag_suggest(d, loc, name, names);
}

static void fail_unknown_type(Parser *p, const Token *token)
{
  if (fail_c_word(p))
    return;
  report_unknown_type(p->diag, p->program, token->loc, token->text, false);
  p->program->is_broken = true;
}

const Type open_type = {TYPE_VECTOR, "vec", NULL, 0, false, TY(F64), 1, 1};

const Type *kept_type(const Type *type) { return type == &open_type ? NULL : type; }

/* generic := ( "vec" "(" TYPE extent | "mat" "(" TYPE extent extent ) ")" */
static const Type *parse_generic_type(Parser *p)
{
  const Token *token = advance(p);
  bool is_vector = token->kind == TOKEN_VEC;
  if (!expect(p, TOKEN_LPAREN, "'('"))
    return NULL;
  Loc loc = peek(p)->loc;
  const Type *element = parse_type(p);
  int rows, columns = 1;
  if (!element || !parse_type_extent(p, &rows) ||
      (!is_vector && !parse_type_extent(p, &columns)) || !expect(p, TOKEN_RPAREN, "')'"))
    return NULL;
  const Type *type = is_vector ? type_vector(element, rows)
                               : type_matrix(element, rows, columns);
  if (type_is_aggregate(element) || element == TY(VOID))
    fail(p, DIAG_ELEMENT_TYPE, loc, element->name);
  else if (rows == 0 || columns == 0)
    return &open_type;
  else if (!type)
    fail(p, DIAG_SHAPE_EXTENT, token->loc, token->text);
  return type;
}

/* ---- structs ---- */

static const Type *find_struct(const Parser *p, const char *name)
{
  for (int i = 0; i < p->program->struct_count; i++)
    if (strcmp(p->program->structs[i]->type->name, name) == 0)
      return p->program->structs[i]->type;
  return NULL;
}

bool names_struct(const Parser *p, const Token *token)
{
  return token->kind == TOKEN_NAME && find_struct(p, token->text);
}

/* Does the file declare such a struct behind the place at hand? */
static bool is_declared_later(const Parser *p, const char *name)
{
  for (int at = p->at; at + 1 < p->count; at++)
    if (p->tokens[at].kind == TOKEN_STRUCT && strcmp(p->tokens[at + 1].text, name) == 0)
      return true;
  return false;
}

static bool is_tainted(const Parser *p, const char *name)
{
  for (int i = 0; i < p->program->tainted_count; i++)
    if (strcmp(p->program->tainted[i], name) == 0)
      return true;
  return false;
}

/* One whose declaration could not be read is silent. */
static const Type *parse_struct_name(Parser *p)
{
  const Token *token = peek(p);
  const Type *type = find_struct(p, token->text);
  if (type) {
    advance(p);
    return type;
  }
  p->program->is_broken = true;
  if (p->struct_name && strcmp(p->struct_name, token->text) == 0)
    fail(p, DIAG_STRUCT_IN_ITSELF, token->loc, token->text);
  else if (is_declared_later(p, token->text))
    fail(p, DIAG_USED_BEFORE_DECLARED, token->loc, token->text);
  else if (!is_tainted(p, token->text))
    fail_unknown_type(p, token);
  return NULL;
}

const Type *parse_type(Parser *p)
{
  const Token *token = peek(p);
  if (token->kind == TOKEN_VEC || token->kind == TOKEN_MAT)
    return parse_generic_type(p);
  if (token->kind == TOKEN_TYPE && !token->type) {
    fail(p, DIAG_SHAPE_EXTENT, token->loc, token->text);
    return NULL;
  }
  if (token->kind == TOKEN_NAME)
    return parse_struct_name(p);
  if (!expect(p, TOKEN_TYPE, "a type"))
    return NULL;
  return token->type;
}

/* ---- declarations of structs ---- */

static void add_member(Parser *p, StructDeclaration *d, Struct *s, const Type *type,
                       const char *name, Loc loc)
{
  Member member = {.name = name, .type = type};
  int count = s->member_count;
  if (struct_member(s, name)) {
    diag(p->diag, DIAG_MEMBER_TWICE, loc, name, s->type.name);
    p->program->is_broken = true;
    return;
  }
  vec_push(p->arena, s->members, s->member_count, member);
  vec_push(p->arena, d->member_locs, count, loc);
}

/* members := TYPE NAME { "," NAME } ";" */
static bool parse_members(Parser *p, StructDeclaration *d, Struct *s)
{
  Loc loc = peek(p)->loc;
  const Type *type = parse_type(p);
  if (!type)
    return false;
  if (type == TY(VOID)) {
    fail(p, DIAG_VOID_VALUE, loc, "a member");
    return false;
  }
  do {
    const char *name = expect_name(p, "the member's name", &loc);
    if (!name)
      return false;
    if (looking_at(p, TOKEN_LBRACKET)) {
      fail(p, DIAG_MEMBER_ARRAY, loc, name);
      return false;
    }
    add_member(p, d, s, type, name, loc);
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_SEMICOLON, "',' or ';'");
}

/* False after a message. */
static bool close_struct(Parser *p, Struct *s, Loc loc)
{
  if (struct_close(s))
    return true;
  if (s->member_count == 0)
    fail(p, DIAG_EMPTY_STRUCT, loc, s->type.name);
  else
    diag(p->diag, DIAG_STRUCT_SIZE, loc, s->type.name, (int)MAX_STRUCT_ELEMENTS);
  p->program->is_broken = true;
  return false;
}

/* struct := "struct" NAME "{" { members } "}" [ ";" ] */
bool parse_struct(Parser *p, const char *doc)
{
  StructDeclaration *d = NEW(p->arena, StructDeclaration);
  Struct *s = NEW(p->arena, Struct);
  advance(p);
  p->struct_name = s->type.name = expect_name(p, "the struct's name", &d->loc);
  s->doc = doc;
  s->prefix = d->loc.file > 0 ? p->source->stem : NULL;
  bool is_good = s->type.name && expect(p, TOKEN_LBRACE, "'{'");
  while (is_good && !looking_at(p, TOKEN_RBRACE))
    is_good = parse_members(p, d, s);
  p->struct_name = NULL;
  if (!is_good)
    return false;
  advance(p);
  accept(p, TOKEN_SEMICOLON);
  if (!close_struct(p, s, d->loc))
    return false;
  d->type = &s->type;
  vec_push(p->arena, p->program->structs, p->program->struct_count, d);
  return true;
}
