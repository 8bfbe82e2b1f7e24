/* What the names of a text mean.
 *
 * The checker's scopes are gone when it has ended: those of a body are seen again here by its
 * brackets.  A name behind a dot is looked for in what stands before it, where that is a name.
 */
#include "gen/lsp/name.h"

#include <string.h>

typedef struct Collector {
  Analysis *analysis;
  NameList list;
  Loc at;                      /* of a body: what is known here */
} Collector;

static void add(Collector *c, Name name)
{
  vec_push(c->analysis->arena, c->list.names, c->list.count, name);
}

/* ---- the program's ---- */

static void add_struct(Collector *c, const StructDeclaration *d)
{
  add(c, (Name){ NAME_STRUCT, d->type->name, d->loc, { .structure = d }, NULL });
}

static void add_snode(Collector *c, const SNode *node)
{
  if (node->name)
    add(c, (Name){ NAME_SNODE, node->name, node->loc, { .snode = node }, NULL });
  for (int k = 0; k < node->child_count; k++)
    add_snode(c, node->children[k]);
}

/* A copy of a generic stands where the generic does, by a name that no text has. */
static void add_function(Collector *c, const Function *f)
{
  const Tokens *t = tokens_of(c->analysis, f->loc.file);
  const Token *token = &t->tokens[token_from(t, f->loc)];

  if (token->kind != TOKEN_NAME || strcmp(token->text, f->name) != 0)
    return;
  add(c, (Name){ NAME_FUNCTION, f->name, f->loc, { .function = f }, NULL });
}

static void add_variable(Collector *c, const Variable *v)
{
  add(c, (Name){ NAME_VARIABLE, v->name, v->loc, { .variable = v }, NULL });
}

NameList names_of_program(Analysis *a)
{
  const Program *p = a->program;
  Collector c = { .analysis = a };

  for (int k = 0; k < p->struct_count; k++)
    add_struct(&c, p->structs[k]);
  for (int k = 0; k < p->constant_count; k++)
    add(&c, (Name){ NAME_CONSTANT, p->constants[k]->name, p->constants[k]->loc,
                    { .constant = p->constants[k] }, NULL });
  for (int k = 0; k < p->table_count; k++)
    add_variable(&c, p->tables[k]);
  for (int k = 0; k < p->field_count; k++)
    add(&c, (Name){ NAME_FIELD, p->fields[k]->name, p->fields[k]->loc,
                    { .field = p->fields[k] }, NULL });
  for (int k = 0; k < p->tree_count; k++) {
    add(&c, (Name){ NAME_TREE, p->trees[k]->name, p->trees[k]->loc, { .tree = p->trees[k] },
                    NULL });
    add_snode(&c, p->trees[k]->root);
  }
  for (int k = 0; k < p->generic_count; k++)
    add_function(&c, p->generics[k]->function);
  for (int k = 0; k < p->function_count; k++)
    add_function(&c, p->functions[k]);
  for (int k = 0; k < p->kernel_count; k++)
    add_function(&c, p->kernels[k]);
  return c.list;
}

/* ---- a body's ---- */

/* The token behind the scope of what is declared at token k; what a head declares is known in the
 * statement behind it. */
static int scope_end(const Tokens *t, int k)
{
  int braces = 0, parens = 0, end;

  for (end = k; end < t->count - 1; end++) {
    const TokenKind kind = t->tokens[end].kind;
    parens += (kind == TOKEN_LPAREN) - (kind == TOKEN_RPAREN);
    braces += (kind == TOKEN_LBRACE) - (kind == TOKEN_RBRACE);
    if (braces < 0)
      return end;
    if (parens < 0)
      break;
  }
  if (end >= t->count - 1)
    return end;
  for (end++; end < t->count - 1; end++) {       /* behind the ')' of a head */
    const TokenKind kind = t->tokens[end].kind;
    if (kind == TOKEN_LBRACE)
      return token_close(t, end);
    if (kind == TOKEN_LPAREN)
      end = token_close(t, end) - 1;
    else if (kind == TOKEN_SEMICOLON)
      return end;
  }
  return end;
}

/* Where it is known at the place. */
static void add_local(Collector *c, const Variable *v)
{
  const Tokens *t = tokens_of(c->analysis, c->at.file);
  int k;

  if (!v || v->loc.file != c->at.file || loc_is_before(c->at, v->loc))
    return;
  k = token_from(t, v->loc);
  if (loc_is_before(c->at, t->tokens[scope_end(t, k)].end))
    add_variable(c, v);
}

static void add_parameter(Collector *c, const Variable *v)
{
  add_variable(c, v);
  for (int k = 0; k < v->extent_count; k++)
    if (v->extents[k] && v->extents[k]->kind == EXPR_VARIABLE && v->extents[k]->variable &&
        v->extents[k]->variable->kind == VARIABLE_EXTENT)
      add_variable(c, v->extents[k]->variable);
}

static void add_statement(Collector *c, const Stmt *s)
{
  if (!s)
    return;
  if (s->kind == STMT_DECLARE)
    add_local(c, s->variable);
  for (int k = 0; k < s->range_count; k++)
    add_local(c, s->ranges[k].variable);
  for (int k = 0; k < s->variable_count; k++)
    add_local(c, s->variables[k]);
  add_statement(c, s->init);
  add_statement(c, s->body);
  add_statement(c, s->other);
  for (int k = 0; k < s->list_count; k++)
    add_statement(c, s->list[k]);
}

/* From its name to the brace that closes its body. */
static bool stands_around(Analysis *a, const Function *f, Loc at)
{
  const Tokens *t;
  int k;

  if (f->loc.file != at.file || loc_is_before(at, f->loc))
    return false;
  t = tokens_of(a, at.file);
  k = token_from(t, f->loc);
  while (k < t->count - 1 && t->tokens[k].kind != TOKEN_LBRACE)
    k++;
  k = token_close(t, k);
  return k > 0 && !loc_is_before(t->tokens[k - 1].end, at);
}

static const Function *function_among(Analysis *a, Function *const *functions, int count, Loc at)
{
  for (int k = 0; k < count; k++)
    if (stands_around(a, functions[k], at))
      return functions[k];
  return NULL;
}

static const Function *function_around(Analysis *a, Loc at)
{
  const Program *p = a->program;
  const Function *f = NULL;

  for (int k = 0; k < p->generic_count && !f; k++)
    f = function_among(a, &p->generics[k]->function, 1, at);
  if (!f)
    f = function_among(a, p->functions, p->function_count, at);
  return f ? f : function_among(a, p->kernels, p->kernel_count, at);
}

static void add_generic(Collector *c, const Generic *g)
{
  for (int k = 0; k < g->param_count; k++)
    add(c, (Name){ NAME_GENERIC, g->params[k].name, g->params[k].loc,
                   { .generic = &g->params[k] }, NULL });
}

NameList names_at(Analysis *a, Loc at)
{
  const Function *f = function_around(a, at);
  Collector c = { .analysis = a, .at = at };

  for (int k = 0; f && k < a->program->generic_count; k++)
    if (a->program->generics[k]->function == f)
      add_generic(&c, a->program->generics[k]);
  for (int k = 0; f && k < f->param_count; k++)
    add_parameter(&c, f->params[k]);
  if (f)
    add_statement(&c, f->body);
  for (int k = 0; k < a->program->tree_count; k++) {
    const Tree *tree = a->program->trees[k];
    for (int i = 0; i < tree->param_count; i++)
      add_local(&c, tree->params[i]);
  }
  return c.list;
}

/* ---- one name ---- */

static bool find(const NameList *list, const char *name, Name *out)
{
  for (int k = list->count - 1; k >= 0; k--)
    if (strcmp(list->names[k].name, name) == 0) {
      *out = list->names[k];
      return true;
    }
  return false;
}

static bool find_plain(Analysis *a, const Token *token, Name *out)
{
  const NameList local = names_at(a, token->loc), global = names_of_program(a);
  const Special *special = special_by_name(token->text);

  if (find(&local, token->text, out) || find(&global, token->text, out))
    return true;
  if (special)
    *out = (Name){ NAME_SPECIAL, special->name, { 0 }, { .special = special }, NULL };
  return special != NULL;
}

/* ---- behind a dot ---- */

static const Type *type_of(const Name *n)
{
  if (n->kind == NAME_MEMBER)
    return n->member->type;
  if (n->kind == NAME_FIELD)
    return n->is.field->type;
  return n->kind == NAME_VARIABLE && n->is.variable->kind != VARIABLE_TREE ? n->is.variable->type
                                                                          : NULL;
}

static void add_members(Collector *c, const Type *type)
{
  const Program *p = c->analysis->program;

  for (int k = 0; k < p->struct_count; k++) {
    const StructDeclaration *d = p->structs[k];
    const Struct *s = type_struct(d->type);
    for (int i = 0; i < s->member_count && (!type || d->type == type); i++)
      add(c, (Name){ NAME_MEMBER, s->members[i].name, d->member_locs[i], { .structure = d },
                     &s->members[i] });
  }
}

static void add_placed(Collector *c, const char *tree)
{
  const NameList all = names_of_program(c->analysis);

  for (int k = 0; k < all.count; k++) {
    const Name *n = &all.names[k];
    const Tree *of = n->kind == NAME_SNODE   ? n->is.snode->tree
                     : n->kind == NAME_FIELD && n->is.field->snode ? n->is.field->snode->tree
                                                                   : NULL;
    if (of && strcmp(of->name, tree) == 0)
      add(c, *n);
  }
}

/* The name that stands before the dot, indices left out: the one of x[i, j].a; -1: none. */
static int base_of(const Tokens *t, int dot)
{
  int depth = 0;

  for (int k = dot - 1; k >= 0; k--) {
    const TokenKind kind = t->tokens[k].kind;
    depth += (kind == TOKEN_RBRACKET) - (kind == TOKEN_LBRACKET);
    if (depth == 0 && kind != TOKEN_LBRACKET)
      return kind == TOKEN_NAME ? k : -1;
  }
  return -1;
}

NameList names_behind_dot(Analysis *a, int k)
{
  const Tokens *t = tokens_of(a, 0);
  const int before = base_of(t, k);
  Collector c = { .analysis = a };
  Name base;

  if (before < 0 || !name_at_token(a, before, &base)) {
    add_members(&c, NULL);
    return c.list;
  }
  if (base.kind == NAME_VARIABLE && base.is.variable->kind == VARIABLE_TREE)
    add_placed(&c, base.is.variable->tree_name);
  else if (base.kind == NAME_TREE)
    add_placed(&c, base.name);
  else if (!type_of(&base) || type_is_struct(type_of(&base)))
    add_members(&c, type_of(&base));
  return c.list;
}

bool name_at_token(Analysis *a, int k, Name *out)
{
  const Tokens *t = tokens_of(a, 0);
  NameList list;

  if (t->tokens[k].kind != TOKEN_NAME)
    return false;
  if (k == 0 || t->tokens[k - 1].kind != TOKEN_DOT)
    return find_plain(a, &t->tokens[k], out);
  list = names_behind_dot(a, k - 1);
  return find(&list, t->tokens[k].text, out);
}
