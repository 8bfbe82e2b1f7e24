/* The checker: names, constants, trees, fields, functions, in that order.
 *
 * Needs the parser's program; guarantees what ast.h promises when no error was
 * reported.  Every stage goes on after errors, so that one run reports those of
 * the whole file.
 */
#include "gen/front/check.h"
#include "gen/front/special.h"

#include <string.h>

enum { MAX_SUGGESTIONS = 50 };

/* ---- declaring ---- */

/* Of a name of the program nobody can know then what it means: its uses are
 * silent. */
static Symbol *report_redeclared(Check *c, Symbol *first, const char *name, Loc loc)
{
  bool is_later = loc_is_before(first->loc, loc);
  diag(c->diag, DIAG_REDECLARED, is_later ? loc : first->loc, name);
  diag(c->diag, DIAG_DECLARED_HERE, is_later ? first->loc : loc, name);
  if (first->level == 0) {
    first->kind = SYMBOL_UNKNOWN;
    first->is_redeclared = true;
  }
  return NULL;
}

/* Declares a name in the innermost scope; NULL after a message. */
Symbol *declare(Check *c, SymbolKind kind, const char *name, Loc loc)
{
  Symbol *known = scope_find(c->scope, name);
  bool means_something = known && (known->kind != SYMBOL_UNKNOWN || known->is_redeclared);
  if (means_something && known->level == scope_level(c->scope))
    return report_redeclared(c, known, name, loc);
  if (means_something && !known->is_redeclared)
    diag(c->diag, DIAG_SHADOW, loc, name, symbol_kind_name(known));
  else if (!known && special_by_name(name))
    diag(c->diag, DIAG_SHADOW, loc, name, "a built-in function");
  return scope_add(c->scope, kind, name, loc);
}

void declare_variable(Check *c, Variable *v)
{
  Symbol *symbol = declare(c, SYMBOL_VARIABLE, v->name, v->loc);
  if (symbol)
    symbol->is.variable = v;
}

/* ---- unknown names ---- */

void suggest(Check *c, Loc loc, const char *wrong, const char *const *names)
{
  if (c->suggestions++ < MAX_SUGGESTIONS)
    diag_suggest(c->diag, loc, wrong, names);
}

static void suggest_function(Check *c, const Expr *e, bool (*takes)(const Symbol *))
{
  const char *const *own = scope_names(c->scope, takes);
  const char **names = NULL;
  int count = 0;
  for (const Special *special = special_functions; special->name; special++)
    vec_push(c->arena, names, count, special->name);
  for (int kind = TYPE_BOOL; kind < TYPE_CELL; kind++)      /* casts */
    vec_push(c->arena, names, count, type_scalar[kind].name);
  vec_push(c->arena, names, count, "print");
  vec_push(c->arena, names, count, "assert");
  for (; *own; own++)
    vec_push(c->arena, names, count, *own);
  vec_push(c->arena, names, count, NULL);
  suggest(c, e->loc, e->name, names);
}

static void report_unknown(Check *c, DiagId id, const Expr *e, bool (*takes)(const Symbol *))
{
  diag(c->diag, id, e->loc, e->name);
  if (id == DIAG_UNKNOWN_FUNCTION)
    suggest_function(c, e, takes);
  else if (takes && c->suggestions < MAX_SUGGESTIONS)
    suggest(c, e->loc, e->name, scope_names(c->scope, takes));
}

/* Reported once in a function: from then on the name is silent in it.  Where an import was not
 * found nobody knows what it would have declared. */
void fail_unknown(Check *c, DiagId id, const Expr *e, bool (*takes)(const Symbol *))
{
  if (!c->program->lacks_import)
    report_unknown(c, id, e, takes);
  int level = scope_level(c->scope) > 0 ? 1 : 0;
  scope_add_at(c->scope, level, SYMBOL_UNKNOWN, e->name, e->loc);
}

/* ---- the program's names ---- */

static void declare_nodes(Check *c, SNode *node)
{
  for (int i = 0; i < node->child_count; i++) {
    SNode *child = node->children[i];
    Symbol *symbol = declare(c, SYMBOL_SNODE, child->name, child->loc);
    if (symbol)
      symbol->is.snode = child;
    declare_nodes(c, child);
  }
}

static void declare_functions(Check *c, Function **functions, int count)
{
  for (int i = 0; i < count; i++) {
    FunctionInfo *info = NEW(c->arena, FunctionInfo);
    info->function = functions[i];
    Symbol *symbol = declare(c, SYMBOL_FUNCTION, functions[i]->name, functions[i]->loc);
    if (symbol) {
      symbol->is.function = functions[i];
      symbol->function_index = c->function_count;
    }
    vec_push(c->arena, c->functions, c->function_count, info);
  }
}

bool is_tainted(const Check *c, const char *name)
{
  for (int i = 0; i < c->program->tainted_count; i++)
    if (strcmp(c->program->tainted[i], name) == 0)
      return true;
  return false;
}

/* Names in what could not be parsed: it is no error not to know them. */
static void declare_tainted(Check *c)
{
  for (int i = 0; i < c->program->tainted_count; i++)
    if (!scope_find(c->scope, c->program->tainted[i]))
      scope_add(c->scope, SYMBOL_UNKNOWN, c->program->tainted[i], (Loc){0});
}

static void declare_program(Check *c)
{
  const Program *program = c->program;
  for (int i = 0; i < program->struct_count; i++) {
    const StructDeclaration *d = program->structs[i];
    Symbol *symbol = declare(c, SYMBOL_STRUCT, d->type->name, d->loc);
    if (symbol)
      symbol->is.structure = d->type;
  }
  for (int i = 0; i < program->constant_count; i++) {
    Constant *constant = program->constants[i];
    Symbol *symbol = declare(c, SYMBOL_CONSTANT, constant->name, constant->loc);
    if (symbol)
      symbol->is.constant = constant;
  }
  for (int i = 0; i < program->field_count; i++) {
    Field *field = program->fields[i];
    Symbol *symbol = declare(c, SYMBOL_FIELD, field->name, field->loc);
    if (symbol)
      symbol->is.field = field;
  }
  for (int i = 0; i < program->tree_count; i++) {
    Tree *tree = program->trees[i];
    Symbol *symbol = declare(c, SYMBOL_TREE, tree->name, tree->loc);
    if (symbol)
      symbol->is.tree = tree;
    declare_nodes(c, tree->root);
  }
  declare_functions(c, program->functions, program->function_count);
  declare_functions(c, program->kernels, program->kernel_count);
  declare_generics(c);
  declare_tainted(c);
}

/* ---- the stages ---- */

/* What constants and extents are checked in: a function that nobody calls. */
static FunctionInfo *outside_functions(Check *c)
{
  FunctionInfo *info = NEW(c->arena, FunctionInfo);
  info->function = NEW(c->arena, Function);
  info->function->name = "";
  info->function->result = TY(VOID);
  return info;
}

/* What is right and may not be meant: in the named file, whose functions are its own. */
static void report_questions(Check *c, const FunctionInfo *info)
{
  if (info->function->loc.file > 0)
    return;
  const DiagCopy *before = diag_copy(c->diag, info->copy ? &info->copy->shown : NULL);
  report_two_trees(c, info);
  report_bounds(c, info);
  report_unused_variables(c, info);
  diag_copy(c->diag, before);
}

static bool is_good(const Check *c)
{
  return diag_error_count(c->diag) == 0 && !c->program->is_broken;
}

bool check(Program *program, Diag *d)
{
  Check c = {.arena = program->arena, .diag = d, .program = program};
  c.scope = scope_create(c.arena);
  c.info = outside_functions(&c);
  declare_program(&c);
  check_constants(&c);
  check_tables(&c);
  check_trees(&c);
  check_fields(&c);
  for (int i = 0; i < c.function_count; i++)
    check_signature(&c, c.functions[i]);
  check_generics(&c);
  check_instances(&c);
  for (int i = 0; i < c.function_count; i++)   /* copies come while bodies are checked */
    c.functions[i]->copy ? check_copy(&c, c.functions[i]) : check_body(&c, c.functions[i]);
  report_unused_generics(&c);
  check_call_graph(&c);
  for (int i = 0, good = is_good(&c); good && i < c.function_count; i++)
    report_questions(&c, c.functions[i]);
  if (is_good(&c) && program->prefix)
    check_names(&c);
  return is_good(&c);
}
