/* Names: declaring them, and what is said of one that nobody knows. */
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

bool is_tainted(const Check *c, const char *name)
{
  for (int i = 0; i < c->program->tainted_count; i++)
    if (strcmp(c->program->tainted[i], name) == 0)
      return true;
  return false;
}

Symbol *named_symbol(Check *c, const Expr *e)
{
  return e->kind == EXPR_NAME && !e->type ? scope_find(c->scope, e->name) : NULL;
}

bool is_tree_member(Check *c, const Expr *e)
{
  const Symbol *base = e->kind == EXPR_MEMBER ? named_symbol(c, e->a) : NULL;
  return base && base->kind == SYMBOL_VARIABLE && base->is.variable->kind == VARIABLE_TREE;
}
