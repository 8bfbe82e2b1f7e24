/* The checker: names, constants, trees, fields, functions, in that order.
 *
 * Needs the parser's program; guarantees what ast.h promises when no error was
 * reported.  Every stage goes on after errors, so that one run reports those of
 * the whole file.
 */
#include "gen/front/check.h"

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
