/* Functions and kernels: parameters, arrays' extents, bodies. */
#include "gen/front/check.h"
#include "gen/front/parser.h"

enum { MAX_RANK = MAX_AXES };

/* ---- signatures ---- */

/* What others need to know to call it: the trees of its parameters. */
void check_signature(Check *c, FunctionInfo *info)
{
  Function *f = info->function;
  for (int i = 0; i < f->param_count; i++) {
    Variable *v = f->params[i];
    if (v->kind != VARIABLE_TREE)
      continue;
    Symbol *symbol = scope_find_global(c->scope, v->tree_name);
    if (symbol && symbol->kind == SYMBOL_TREE) {
      v->tree = symbol->is.tree;
    } else if (symbol && symbol->kind == SYMBOL_STRUCT) {
      diag(c->diag, DIAG_USED_BEFORE_DECLARED, v->tree_loc, v->tree_name);
    } else if (!symbol || symbol->kind != SYMBOL_UNKNOWN) {
      report_unknown_type(c->diag, c->program, v->tree_loc, v->tree_name, true);
    }
  }
}

/* ---- arrays ---- */

static Variable *introduce_extent(Check *c, const Expr *e)
{
  Variable *v = NEW(c->arena, Variable);
  v->kind = VARIABLE_EXTENT;
  v->name = e->name;
  v->loc = e->loc;
  v->type = TY(I64);
  v->introduces = true;
  declare_variable(c, v);
  vec_push(c->arena, c->info->function->c_params, c->info->function->c_param_count, v);
  return v;
}

/* A name declares an extent, unless it means a number: a param, a const, a constant of the
 * generic's or a parameter before it.  What else the program calls so has no value. */
static bool is_new_extent(Check *c, const Expr *e)
{
  if (e->kind != EXPR_NAME || e->type)
    return false;
  const Symbol *symbol = scope_find(c->scope, e->name);
  if (!symbol)
    return true;
  switch (symbol->kind) {
  case SYMBOL_CONSTANT: return false;
  case SYMBOL_UNKNOWN: return !symbol->is_argument;
  case SYMBOL_VARIABLE: return symbol->level == 0;     /* a table */
  default: return true;
  }
}

static bool is_extent_variable(const Expr *e)
{
  return e->kind == EXPR_VARIABLE && type_is_integer(e->type) &&
         (e->variable->kind == VARIABLE_EXTENT ||
          e->variable->kind == VARIABLE_PARAMETER);
}

static void check_array_extent(Check *c, Expr **extent)
{
  Expr *e = *extent;
  if (is_new_extent(c, e)) {
    e->kind = EXPR_VARIABLE;
    e->variable = introduce_extent(c, e);
    e->type = TY(I64);
    return;
  }
  *extent = e = check_value(c, e);
  if (!e->type || is_extent_variable(e))
    return;
  if (is_literal(e) && type_is_integer(e->type) && e->value.i > 0)
    *extent = cast_expr(c, e, TY(I64));
  else
    diag(c->diag, DIAG_ARRAY_EXTENT, e->loc);
}

static void check_parameter(Check *c, Variable *v)
{
  Function *f = c->info->function;
  if (v->kind == VARIABLE_TREE && !v->tree) {          /* its type was reported: uses are silent */
    declare(c, SYMBOL_UNKNOWN, v->name, v->loc);
    return;
  }
  declare_variable(c, v);
  if (v->kind == VARIABLE_TREE)
    use_slot(c, &v->tree_slot, &(Place){.tree = v->tree, .parameter = v, .name = v->name}, v->loc);
  vec_push(c->arena, f->c_params, f->c_param_count, v);
  if (v->extent_count > MAX_RANK)
    diag(c->diag, DIAG_ARRAY_RANK, v->loc, v->name, (int)MAX_RANK);
  for (int i = 0; i < v->extent_count; i++)
    check_array_extent(c, &v->extents[i]);
}

/* ---- bodies ---- */

/* Parameters that the body assigns: locals that begin with their values. */
static void declare_copies(Check *c, const FunctionInfo *info)
{
  Stmt *body = info->function->body;
  Stmt **list = NULL;
  int count = 0;
  for (int i = 0; i < info->copied_count; i++) {
    const Copied *copied = &info->copied[i];
    Stmt *s = NEW(c->arena, Stmt);
    s->kind = STMT_DECLARE;
    s->loc = copied->local->loc;
    s->variable = copied->local;
    s->a = NEW(c->arena, Expr);
    s->a->kind = EXPR_VARIABLE;
    s->a->loc = s->loc;
    s->a->type = copied->parameter->type;
    s->a->variable = copied->parameter;
    vec_push(c->arena, list, count, s);
  }
  for (int i = 0; i < body->list_count; i++)
    vec_push(c->arena, list, count, body->list[i]);
  body->list = list;
  body->list_count = count;
}

/* That of a copy is its generic's. */
static void report_missing_return(Check *c, const FunctionInfo *info)
{
  const Function *f = info->copy ? info->copy->generic->function : info->function;
  diag(c->diag, DIAG_MISSING_RETURN, f->loc, f->name);
}

void check_body(Check *c, FunctionInfo *info)
{
  Function *f = info->function;
  c->info = info;
  c->foreach = NULL;
  c->loop_depth = 0;
  scope_open(c->scope);
  for (int i = 0; i < f->param_count; i++)
    check_parameter(c, f->params[i]);
  check_block(c, f->body);
  scope_close(c->scope);
  bool has_end = can_end(f->body) && !c->program->is_broken;
  if (f->result && f->result != TY(VOID) && has_end && !info->is_generic)
    report_missing_return(c, info);
  if (info->copied_count > 0)
    declare_copies(c, info);
}
