/* Declarations outside of trees: params, consts, fields, funcs and kernels. */
#include "gen/front/parser.h"

#include <string.h>

/* ---- params and consts ---- */

/* table := NAME array */
static bool parse_table(Parser *p, const Constant *constant)
{
  Variable *v = make_variable(p, VARIABLE_OWN_ARRAY, constant->type, constant->name, constant->loc);
  v->is_const = true;
  if (!parse_own_array(p, v))
    return false;
  vec_push(p->arena, p->program->tables, p->program->table_count, v);
  return true;
}

/* constant := NAME "=" expression | table */
static bool parse_one_constant(Parser *p, Constant stem)
{
  Constant *constant = NEW(p->arena, Constant);
  *constant = stem;
  constant->name = expect_name(p, "the constant's name", &constant->loc);
  if (!constant->name)
    return false;
  if (looking_at(p, TOKEN_LBRACKET) && !constant->is_param)
    return parse_table(p, constant);
  if (!expect(p, TOKEN_ASSIGN, "'=' and a value"))
    return false;
  constant->init = parse_expression(p);
  if (!constant->init)
    return false;
  vec_push(p->arena, p->program->constants, p->program->constant_count, constant);
  return true;
}

/* constants := ( "param" | "const" ) TYPE constant { "," constant } ";" */
bool parse_constant(Parser *p, const char *doc)
{
  Constant stem = {.doc = doc, .is_param = advance(p)->kind == TOKEN_PARAM};
  Loc type_loc = peek(p)->loc;
  stem.type = parse_type(p);
  if (!stem.type)
    return false;
  if (stem.type == TY(VOID)) {
    fail(p, DIAG_VOID_VALUE, type_loc, "a constant");
    return false;
  }
  do {
    if (!parse_one_constant(p, stem))
      return false;
  } while (accept(p, TOKEN_COMMA));
  return expect_semicolon(p, "',' or ';'");
}

/* ---- fields ---- */

/* Each option stands once: false after a message. */
static bool is_first_option(Parser *p, const Field *field, bool is_second,
                            const char *what)
{
  if (!is_second)
    return true;
  diag(p->diag, DIAG_OPTION_TWICE, peek(p)->loc, what, field->name);
  p->program->is_broken = true;
  return false;
}

/* order := "(" LETTER { "," LETTER } ")" */
static bool parse_index_order(Parser *p, Field *field)
{
  if (!is_first_option(p, field, field->axis_count > 0, "an index order"))
    return false;
  advance(p);
  do {
    const Token *token = peek(p);
    if (!expect(p, TOKEN_NAME, "an axis"))
      return false;
    int axis = axis_by_name(token->text);
    if (axis < 0) {
      fail(p, DIAG_UNKNOWN_AXIS, token->loc, token->text);
      return false;
    }
    if (field->axis_count == MAX_AXES) {
      diag(p->diag, DIAG_INDEX_ORDER, token->loc, field->name, "an axis stands twice");
      p->program->is_broken = true;
      return false;
    }
    field->axes[field->axis_count++] = axis;
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_RPAREN, "',' or ')'");
}

/* derivative := "grad" | "dual" */
static bool looking_at_derivative(const Parser *p, int ahead)
{
  const Token *token = peek_at(p, ahead);
  return token->kind == TOKEN_NAME &&
         (strcmp(token->text, "grad") == 0 || strcmp(token->text, "dual") == 0);
}

static bool parse_derivative(Parser *p, Derivatives *with, const char *name)
{
  const Token *token = peek(p);
  if (!looking_at_derivative(p, 0)) {
    fail_expected(p, "'grad' or 'dual'");
    return false;
  }
  unsigned form = strcmp(token->text, "grad") == 0 ? DERIVE_GRAD : DERIVE_DUAL;
  if (with->forms & form) {
    diag(p->diag, DIAG_OPTION_TWICE, token->loc,
         form == DERIVE_GRAD ? "'grad'" : "'dual'", name);
    p->program->is_broken = true;
    return false;
  }
  with->forms |= form;
  advance(p);
  return true;
}

/* with := "with" derivative { "," derivative }; behind a field's comma another field may stand. */
static bool parse_with(Parser *p, Derivatives *with, const char *name)
{
  with->loc = advance(p)->loc;
  do {
    if (!parse_derivative(p, with, name))
      return false;
  } while (looking_at_derivative(p, 1) && accept(p, TOKEN_COMMA));
  return true;
}

static bool parse_field_with(Parser *p, Field *field)
{
  return is_first_option(p, field, field->with.forms != 0, "'with'") &&
         parse_with(p, &field->with, field->name);
}

/* The memory mode whose word comes next, or FIELD_MODE_NONE. */
static FieldMode next_mode(Parser *p)
{
  for (int mode = FIELD_MODE_NONE + 1; mode < FIELD_MODES; mode++)
    if (looking_at_word(p, field_mode_word[mode]))
      return (FieldMode)mode;
  return FIELD_MODE_NONE;
}

/* mode := a word of gen/model/field_modes.def */
static bool parse_mode(Parser *p, Field *field)
{
  if (!is_first_option(p, field, field->mode != FIELD_MODE_NONE, "a memory mode"))
    return false;
  field->mode = next_mode(p);
  field->mode_loc = advance(p)->loc;
  return true;
}

/* default := "=" expression */
static bool parse_default(Parser *p, Field *field)
{
  if (!is_first_option(p, field, field->init != NULL, "a default"))
    return false;
  advance(p);
  p->order_may_follow = true;
  field->init = parse_expression(p);
  p->order_may_follow = false;
  return field->init != NULL;
}

/* offset := "offset" "(" expression { "," expression } ")" */
static bool parse_offset(Parser *p, Field *field)
{
  if (!is_first_option(p, field, field->offset_count > 0, "'offset'"))
    return false;
  advance(p);
  if (!expect(p, TOKEN_LPAREN, "'(' and an offset for each index"))
    return false;
  if (looking_at(p, TOKEN_RPAREN)) {
    fail_expected(p, "an offset");
    return false;
  }
  return parse_expression_list(p, TOKEN_RPAREN, &field->offset, &field->offset_count);
}

/* border := "outside" ( "default" | "clamp" | "wrap" ) */
static bool parse_border(Parser *p, Field *field)
{
  if (!is_first_option(p, field, field->border != BORDER_NONE, "'outside'"))
    return false;
  field->border_loc = advance(p)->loc;
  for (int k = BORDER_NONE + 1; k < BORDERS; k++)
    if (looking_at_word(p, border_name[k]))
      field->border = (Border)k;
  if (field->border == BORDER_NONE) {
    fail_expected(p, "'default', 'clamp' or 'wrap'");
    return false;
  }
  advance(p);
  return true;
}

/* options := { order | default | offset | border | with | mode } */
static bool parse_field_options(Parser *p, Field *field)
{
  for (;;) {
    bool is_good;
    if (looking_at(p, TOKEN_LPAREN))
      is_good = parse_index_order(p, field);
    else if (looking_at(p, TOKEN_ASSIGN))
      is_good = parse_default(p, field);
    else if (looking_at_word(p, "offset"))
      is_good = parse_offset(p, field);
    else if (looking_at_word(p, "outside"))
      is_good = parse_border(p, field);
    else if (next_mode(p) != FIELD_MODE_NONE)
      is_good = parse_mode(p, field);
    else if (looking_at_word(p, "with"))
      is_good = parse_field_with(p, field);
    else
      return true;
    if (!is_good)
      return false;
  }
}

/* field name := NAME [ own extents ] options */
static Field *parse_field_name(Parser *p, const Type *type, const char *doc)
{
  Field *field = NEW(p->arena, Field);
  field->type = type;
  field->doc = doc;
  field->shown = field->name = expect_name(p, "the field's name", &field->loc);
  if (!field->name)
    return NULL;
  Expr **extents = NULL;
  int count = 0;
  if (looking_at(p, TOKEN_LBRACKET) && !parse_own_extents(p, field, &extents, &count))
    return NULL;
  if (!parse_field_options(p, field))
    return NULL;
  if (count > 0)
    add_own_tree(p, field, extents, count);
  return field;
}

static void suggest_option(Parser *p, const Token *wrong)
{
  static const char *const words[] = {
#define MODE(word, ...) #word,
#include "gen/model/field_modes.def"
#undef MODE
      "offset", "outside", "with", NULL};
  diag_suggest(p->diag, wrong->loc, wrong->text, words);
}

/* field := "field" TYPE field name { "," field name } ";" */
bool parse_field(Parser *p, const char *doc)
{
  advance(p);
  Loc type_loc = peek(p)->loc;
  const Type *type = parse_type(p);
  if (!type)
    return false;
  if (type == TY(VOID)) {
    fail(p, DIAG_VOID_VALUE, type_loc, "a field");
    return false;
  }
  do {
    Field *field = parse_field_name(p, type, doc);
    if (!field)
      return false;
    vec_push(p->arena, p->program->fields, p->program->field_count, field);
  } while (accept(p, TOKEN_COMMA));
  const Token *behind = peek(p);
  const bool is_good = expect_semicolon(p, "',' or ';'");
  if (behind->kind == TOKEN_NAME)
    suggest_option(p, behind);
  return is_good;
}

/* ---- parameters ---- */

/* extents := "[" expression { "," expression } "]" */
static bool parse_array_extents(Parser *p, Variable *v)
{
  if (looking_at(p, TOKEN_RBRACKET)) {
    fail_expected(p, "an extent");
    return false;
  }
  v->kind = VARIABLE_ARRAY;
  return parse_expression_list(p, TOKEN_RBRACKET, &v->extents, &v->extent_count);
}

/* What may follow the mode: an array in a kernel, a scalar inout in a func. */
static void check_mode(Parser *p, const Function *f, const Variable *v,
                       const Token *mode)
{
  bool is_array = v->kind == VARIABLE_ARRAY;
  const char *problem = NULL;
  if (is_array && !f->is_kernel)
    fail_not_built(p, v->loc, "array parameters of a func");
  else if (is_array && !mode)
    fail(p, DIAG_ARRAY_WITHOUT_MODE, v->loc, v->name);
  else if (!is_array && mode && f->is_kernel)
    problem = "has a mode but no extents: in a kernel only arrays have modes";
  else if (!is_array && mode && mode->kind == TOKEN_OUT)
    problem = "is out: a func's parameter is by value or inout";
  if (!problem)
    return;
  diag(p->diag, DIAG_MODE_WITHOUT_ARRAY, mode->loc, v->name, problem);
  p->program->is_broken = true;
}

static Variable *parse_tree_parameter(Parser *p)
{
  const Token *tree = advance(p);
  Loc loc;
  const char *name = expect_name(p, "the parameter's name", &loc);
  if (!name)
    return NULL;
  Variable *v = make_variable(p, VARIABLE_TREE, NULL, name, loc);
  v->tree_name = tree->text;
  v->tree_loc = tree->loc;
  return v;
}

/* parameter := NAME NAME, of a tree, | [ "in" | "out" | "inout" ] TYPE NAME [ extents ] */
static Variable *parse_parameter(Parser *p, const Function *f)
{
  if (looking_at(p, TOKEN_NAME) && peek_at(p, 1)->kind == TOKEN_NAME &&
      !names_struct(p, peek(p)))
    return parse_tree_parameter(p);
  const Token *mode = NULL;
  if (looking_at(p, TOKEN_IN) || looking_at(p, TOKEN_OUT) || looking_at(p, TOKEN_INOUT))
    mode = advance(p);
  Loc loc = peek(p)->loc;
  const Type *type = parse_type(p);
  if (!type)
    return NULL;
  if (type == TY(VOID)) {
    fail(p, DIAG_VOID_VALUE, loc, "a parameter");
    return NULL;
  }
  const char *name = expect_name(p, "the parameter's name", &loc);
  if (!name)
    return NULL;
  Variable *v = make_variable(p, VARIABLE_PARAMETER, type, name, loc);
  if (mode)
    v->mode = mode->kind == TOKEN_IN ? ARRAY_IN
              : mode->kind == TOKEN_OUT ? ARRAY_OUT : ARRAY_INOUT;
  if (accept(p, TOKEN_LBRACKET) && !parse_array_extents(p, v))
    return NULL;
  check_mode(p, f, v, mode);
  return v;
}

/* parameters := "(" [ "void" | parameter { "," parameter } ] ")" */
static bool parse_parameters(Parser *p, Function *f)
{
  if (!expect(p, TOKEN_LPAREN, "'('"))
    return false;
  if (peek(p)->type == TY(VOID) && peek_at(p, 1)->kind == TOKEN_RPAREN)
    advance(p);
  if (accept(p, TOKEN_RPAREN))
    return true;
  do {
    Variable *v = parse_parameter(p, f);
    if (!v)
      return false;
    vec_push(p->arena, f->params, f->param_count, v);
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_RPAREN, "',' or ')'");
}

/* ---- functions ---- */

/* What is behind the parameters.  A func is derived with the kernels that call it. */
static bool parse_function_with(Parser *p, Function *f)
{
  if (!looking_at_word(p, "with"))
    return true;
  if (!parse_with(p, &f->with, f->name))
    return false;
  if (!f->is_kernel)
    fail(p, DIAG_FUNC_WITH, f->with.loc, f->name);
  return true;
}

/* Without a type, or with one that there is not, the rest is read all the same. */
static bool parse_result(Parser *p, Function *f)
{
  if (looking_at(p, TOKEN_NAME) && peek_at(p, 1)->kind == TOKEN_LPAREN) {
    fail_expected(p, "the type of what it gives, void where that is nothing");
    return true;
  }
  const Type *type = parse_type(p);
  f->result = kept_type(type);
  if (type)
    return true;
  bool names_type = looking_at(p, TOKEN_NAME) && peek_at(p, 1)->kind == TOKEN_NAME;
  if (names_type)
    advance(p);
  return names_type;
}

/* function := ( "func" | "kernel" ) TYPE NAME [ generic parameters ] parameters [ with ] block
 * The generic parameters are read first: the type may be made of them. */
Function *parse_function_text(Parser *p, const char *doc, Generic *generic)
{
  Function *f = NEW(p->arena, Function);
  f->doc = doc;
  f->is_kernel = advance(p)->kind == TOKEN_KERNEL;
  int behind = parse_generic_ahead(p, generic);
  if (behind < 0 || !parse_result(p, f))
    return NULL;
  f->name = expect_name(p, "a function's name", &f->loc);
  if (behind > 0 && f->name)
    p->at = behind;
  if (!f->name || !parse_parameters(p, f) || !parse_function_with(p, f))
    return NULL;
  if (!looking_at(p, TOKEN_LBRACE)) {
    fail_expected(p, "'{'");
    return NULL;
  }
  f->body = parse_block(p);
  return f->body ? f : NULL;
}

/* What the program calls and what it is called by; of a generic its instances are. */
static void add_function(Parser *p, Function *f, Generic *generic)
{
  Program *program = p->program;
  generic->function = f;
  if (generic->param_count > 0)
    vec_push(p->arena, program->generics, program->generic_count, generic);
  else if (f->is_kernel)
    vec_push(p->arena, program->kernels, program->kernel_count, f);
  else
    vec_push(p->arena, program->functions, program->function_count, f);
}

bool parse_function(Parser *p, const char *doc)
{
  Generic *generic = NEW(p->arena, Generic);
  Parser *begin = NEW(p->arena, Parser);
  bool was_broken = p->program->is_broken;
  *begin = *p;
  begin->generic_names = p->program->generic_name_count;      /* later files bring others */
  generic->begin = begin;
  p->program->is_broken = false;
  p->generic = generic;
  Function *f = parse_function_text(p, doc, generic);
  p->generic = NULL;
  generic->is_broken = p->program->is_broken;
  p->program->is_broken |= was_broken;
  if (f)
    add_function(p, f, generic);
  return f != NULL;
}
