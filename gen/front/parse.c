/* What is parsed as a whole: a file with what it imports, the value of a -D, a generic again. */
#include "gen/front/parser.h"

#include <string.h>

static void parse_file(const Parser *outer, const Source *);

/* import := "import" STRING ";" : a file that is known already, itself too, adds nothing */
static bool parse_import(Parser *p)
{
  advance(p);
  const Token *name = peek(p);
  if (!expect(p, TOKEN_STRING, "the name of a file"))
    return false;
  if (!expect_semicolon(p, "';'"))
    return false;
  const Source *found = p->importer ? p->importer->find(p->importer->user, p->source, name->text)
                                    : NULL;
  if (!found) {
    diag(p->diag, DIAG_IMPORT_NOT_FOUND, name->loc, name->text);
    p->program->is_broken = p->program->lacks_import = true;
    return false;
  }
  for (int i = 0; i < p->program->source_count; i++)
    if (p->program->sources[i] == found)
      return true;
  if (!found->stem) {
    diag(p->diag, DIAG_IMPORT_NAME, name->loc, name->text);
    return false;
  }
  parse_file(p, found);
  return true;
}

static void fail_declaration(Parser *p)
{
  static const char *const words[] = {"const", "field", "func", "import", "instance", "kernel",
                                      "param", "struct", "tree", NULL};
  const Token *token = peek(p);
  const bool is_new = p->reported != p->at;
  fail_expected(p, "a declaration");
  if (is_new && token->kind == TOKEN_NAME)
    diag_suggest(p->diag, token->loc, token->text, words);
}

/* declaration := constant | struct | field | tree | function | import | instance */
static bool parse_declaration(Parser *p)
{
  const char *doc = peek(p)->doc;
  switch (peek(p)->kind) {
  case TOKEN_PARAM: case TOKEN_CONST: return parse_constant(p, doc);
  case TOKEN_FIELD: return parse_field(p, doc);
  case TOKEN_TREE: return parse_tree(p, doc);
  case TOKEN_FUNC: case TOKEN_KERNEL: return parse_function(p, doc);
  case TOKEN_IMPORT: return parse_import(p);
  case TOKEN_INSTANCE: return parse_instance(p, doc);
  case TOKEN_STRUCT: return parse_struct(p, doc);
  default:
    if (!fail_c_word(p))
      fail_declaration(p);
    advance(p);
    return false;
  }
}

Expr *parse_value(Arena *arena, Diag *d, Program *program, const char *text)
{
  Source source = {.path = "-D", .text = text, .length = strlen(text)};
  Parser parser = {.arena = arena, .diag = d, .program = program, .reported = -1};
  bool is_broken = false;
  parser.tokens = lex(arena, d, &source, &parser.count, &is_broken);
  Expr *e = parse_expression(&parser);
  return looking_at(&parser, TOKEN_END) && !is_broken ? e : NULL;
}

/* program := { declaration } */
static void parse_file(const Parser *outer, const Source *source)
{
  Program *program = outer->program;
  Parser parser = {.arena = outer->arena, .diag = outer->diag, .program = program,
                   .source = source, .importer = outer->importer, .reported = -1};
  vec_push(parser.arena, program->sources, program->source_count, source);
  diag_source(parser.diag, source);
  bool is_broken = false;
  parser.tokens = lex(parser.arena, parser.diag, source, &parser.count, &is_broken);
  program->is_broken = program->is_broken || is_broken;
  note_generics(&parser);
  while (!looking_at(&parser, TOKEN_END) && !diag_limit_reached(parser.diag)) {
    int begin = parser.at;
    parser.is_too_deep = false;
    if (parse_declaration(&parser))
      continue;
    skip_declaration(&parser);
    taint(&parser, begin);
  }
}

Program *parse(Arena *arena, Diag *d, const Source *source, const Importer *importer,
               const char **defines, int define_count)
{
  Program *program = NEW(arena, Program);
  program->defines = defines;
  program->define_count = define_count;
  program->arena = arena;
  program->path = source->path;
  Parser outside = {.arena = arena, .diag = d, .program = program, .importer = importer};
  parse_file(&outside, source);
  return program;
}

/* ---- generics ---- */

/* An instance is the text of its generic parsed once more: what the checker writes into one tree
 * of syntax is in no other. */
static Parser parser_of_copy(const Generic *generic, const Value values[])
{
  Parser p = *generic->begin;
  p.generic = generic;
  p.constants = values;
  return p;
}

Function *parse_again(const Generic *generic, const Value values[])
{
  Parser p = parser_of_copy(generic, values);
  Program *program = p.program;
  Generic same = {0};
  bool was_broken = program->is_broken;
  program->is_broken = false;
  Function *f = parse_function_text(&p, generic->function->doc, &same);
  bool is_good = f && !program->is_broken;
  program->is_broken |= was_broken;
  return is_good ? f : NULL;
}

const Type *parse_parameter_type(const Generic *generic, int k, const Value values[])
{
  Parser p = parser_of_copy(generic, values);
  p.at = generic->params[k].begin;
  return parse_type(&p);
}
