/* What names stand for in expressions, and what can be assigned. */
#include "gen/front/check.h"

#include <string.h>

/* ---- reading ---- */

static bool takes_value(const Symbol *symbol)
{
  return symbol->kind == SYMBOL_CONSTANT || symbol->kind == SYMBOL_FIELD ||
         (symbol->kind == SYMBOL_VARIABLE &&
          symbol->is.variable->kind != VARIABLE_TREE);
}

/* The meaning of a NAME; NULL after a message, now or before. */
static Symbol *find_value(Check *c, const Expr *e)
{
  Symbol *symbol = scope_find(c->scope, e->name);
  if (!symbol)
    fail_unknown(c, DIAG_UNKNOWN_NAME, e, takes_value);
  return symbol && symbol->kind != SYMBOL_UNKNOWN ? symbol : NULL;
}

static Expr *fail_no_value(Check *c, Expr *e, const Symbol *symbol)
{
  diag(c->diag, DIAG_NEEDS_VALUE, e->loc, symbol->name, symbol_kind_name(symbol));
  return fail_expr(e);
}

/* A const has been rounded to its type and counts as a literal of that value,
 * whose type gives way to its context. */
static Expr *use_constant(Check *c, Expr *e, const Symbol *symbol)
{
  const Constant *constant = symbol->is.constant;
  if (!symbol->is_ready) {
    diag(c->diag, DIAG_USED_BEFORE_DECLARED, e->loc, e->name);
    return fail_expr(e);
  }
  return construct_constant(c, e, constant->type, constant->values);
}

static Expr *use_variable(Check *c, Expr *e, const Symbol *symbol)
{
  Variable *v = symbol->is.variable;
  if (v->kind == VARIABLE_ARRAY || v->kind == VARIABLE_OWN_ARRAY || v->kind == VARIABLE_TREE)
    return fail_no_value(c, e, symbol);
  v->is_used = true;
  if (symbol->fixed)
    return construct_constant(c, e, v->type, symbol->fixed);
  if (!v->type)
    return fail_expr(e);
  note_read(c, v, e->loc);
  e->kind = EXPR_VARIABLE;
  e->variable = v;
  e->type = v->type;
  return e;
}

void use_target(const Expr *e)
{
  while (e->kind == EXPR_COMPONENT || e->kind == EXPR_PART || e->kind == EXPR_SWIZZLE)
    e = e->a;
  if (e->kind == EXPR_VARIABLE || e->kind == EXPR_ELEMENT)
    e->variable->is_used = true;
}

Expr *use_field(Check *c, Expr *e, const Place *place)
{
  Field *field = place->field;
  bool is_good = check_indices(c, e->args, e->arg_count, place->name, e->loc,
                               field->axis_count);
  if (!is_good)
    return fail_expr(e);
  e->kind = EXPR_FIELD;
  e->field = field;
  e->snode = field->snode;
  e->type = field->type;
  e->a = NULL;
  use_cell_slot(c, &e->tree_slot, place, e->loc);
  return e;
}

static Place field_place(const Symbol *symbol)
{
  Field *field = symbol->is.field;
  Tree *tree = field->snode ? field->snode->tree : NULL;
  return (Place){tree, field->snode, field, NULL, field->name};
}

/* A field that is never placed is reported as such; but consts are checked before
 * any field is placed. */
static Expr *use_field_name(Check *c, Expr *e, const Symbol *symbol)
{
  Place place = field_place(symbol);
  if (place.tree)
    return use_field(c, e, &place);
  if (!*c->info->function->name)       /* outside functions */
    diag(c->diag, DIAG_NOT_CONSTANT, e->loc, "the value of a param or const");
  return fail_expr(e);
}

Expr *check_name(Check *c, Expr *e)
{
  if (e->type) {                       /* the type of a bitcast, elsewhere */
    diag(c->diag, DIAG_EXPECTED, e->loc, "an expression", "a type");
    return fail_expr(e);
  }
  Symbol *symbol = find_value(c, e);
  if (!symbol)
    return fail_expr(e);
  switch (symbol->kind) {
  case SYMBOL_CONSTANT: return use_constant(c, e, symbol);
  case SYMBOL_FIELD: return use_field_name(c, e, symbol);
  case SYMBOL_VARIABLE: return use_variable(c, e, symbol);
  default: return fail_no_value(c, e, symbol);
  }
}

/* ---- components ---- */

/* Whether indices behind it are those of a cell, even where there is none. */
static bool has_cells(const Field *field)
{
  return field->axis_count > 0 || !type_is_aggregate(field->type);
}

/* Whether the indices behind e are those of a cell or of an array's element. */
static bool is_container(Check *c, const Expr *e)
{
  const Symbol *symbol = named_symbol(c, names_merge(c, e) ? e->a : e);
  if (names_derivative(c, e))
    return has_cells(base_field(c, e));
  if (e->kind == EXPR_MEMBER && is_tree_member(c, e))
    symbol = scope_find_global(c->scope, e->name);
  if (!symbol)
    return e->kind == EXPR_MEMBER && is_tree_member(c, e);
  switch (symbol->kind) {
  case SYMBOL_VARIABLE:
    return symbol->is.variable->kind == VARIABLE_ARRAY ||
           symbol->is.variable->kind == VARIABLE_OWN_ARRAY ||
           symbol->is.variable->kind == VARIABLE_TREE;
  case SYMBOL_FIELD:
    return has_cells(symbol->is.field);
  case SYMBOL_CONSTANT:
    return false;
  default:
    return true;
  }
}

/* Is e, a MEMBER or an INDEX, a part of what stands in front of it? */
static bool is_component(Check *c, const Expr *e)
{
  if (e->kind == EXPR_INDEX)
    return !is_container(c, e->a);
  if (e->kind != EXPR_MEMBER || names_derivative(c, e) || names_merge(c, e) ||
      is_tree_member(c, e))
    return false;
  return e->a->kind == EXPR_NAME ? named_symbol(c, e->a) && !is_container(c, e->a) : true;
}

/* Errors inside what cannot be indexed are reported too. */
static Expr *fail_indices(Check *c, Expr *e)
{
  for (int i = 0; i < e->arg_count; i++)
    e->args[i] = check_expr(c, e->args[i]);
  return fail_expr(e);
}

static Expr *fail_index(Check *c, Expr *e)
{
  const Symbol *symbol = named_symbol(c, e->a);
  if (symbol && symbol->kind == SYMBOL_SNODE)
    diag(c->diag, DIAG_NODE_INDEXED, e->loc, e->a->name);
  else
    diag(c->diag, DIAG_NOT_INDEXED, e->loc);
  return fail_indices(c, e);
}

/* The base is checked. */
static Expr *use_component(Check *c, Expr *e, Expr *base)
{
  if (!base->type)
    return fail_expr(e);
  if (type_is_struct(base->type))
    return check_struct_member(c, e, base);
  if (type_is_shaped(base->type))
    return check_component(c, e, base);
  if (e->kind == EXPR_INDEX)
    return fail_index(c, e);
  diag(c->diag, DIAG_NO_MEMBERS, e->loc, e->name);
  return fail_expr(e);
}

Expr *check_member(Check *c, Expr *e)
{
  Place place;
  const Symbol *base = named_symbol(c, e->a);
  if (base && base->kind == SYMBOL_STRUCT)
    return check_struct_made(c, e, base->is.structure);
  if (names_merge(c, e))
    return check_merge(c, e, e);
  if (is_component(c, e))
    return use_component(c, e, settle(c, check_expr(c, e->a)));
  if (!find_member(c, e, &place))
    return fail_expr(e);
  if (place.field)
    return use_field(c, e, &place);
  diag(c->diag, DIAG_NEEDS_VALUE, e->loc, place.name, "a node");
  return fail_expr(e);
}

Expr *as_element(Check *c, Expr *e, Variable *v, bool may_trap)
{
  if (may_trap)
    mark_trap(c);
  e->kind = EXPR_ELEMENT;
  e->variable = v;
  e->type = v->type;
  e->a = NULL;
  return e;
}

static Expr *use_element(Check *c, Expr *e, Variable *v)
{
  if (!check_indices(c, e->args, e->arg_count, v->name, e->loc, v->extent_count))
    return fail_expr(e);
  return as_element(c, e, v, true);
}

Expr *check_index(Check *c, Expr *e)
{
  Place place;
  if (is_component(c, e))
    return use_component(c, e, settle(c, check_expr(c, e->a)));
  if (names_merge(c, e->a))
    return check_merge(c, e, e->a);
  if (e->a->kind == EXPR_MEMBER) {
    if (!find_member(c, e->a, &place))
      return fail_expr(e);
    return place.field ? use_field(c, e, &place) : fail_index(c, e);
  }
  Symbol *symbol = find_value(c, e->a);
  if (!symbol)
    return fail_indices(c, e);
  if (symbol->kind == SYMBOL_FIELD)
    return use_field_name(c, e, symbol);
  if (symbol->kind == SYMBOL_VARIABLE && symbol->is.variable->kind == VARIABLE_ARRAY)
    return use_element(c, e, symbol->is.variable);
  if (symbol->kind == SYMBOL_VARIABLE && symbol->is.variable->kind == VARIABLE_OWN_ARRAY) {
    note_read(c, symbol->is.variable, e->loc);
    symbol->is.variable->is_used = true;
    return use_own_element(c, e, symbol->is.variable);
  }
  return fail_index(c, e);
}

/* ---- variables that iterations share ---- */

static bool is_shared(const Check *c, const Variable *v)
{
  return v->at_kernel_level ||
         (v->kind == VARIABLE_PARAMETER && c->info->function &&
          c->info->function->is_kernel);
}

static SharedUse *shared_use(Check *c, Variable *v)
{
  for (int i = 0; i < c->shared_count; i++)
    if (c->shared[i].variable == v)
      return &c->shared[i];
  SharedUse use = {.variable = v};
  vec_push(c->arena, c->shared, c->shared_count, use);
  return &c->shared[c->shared_count - 1];
}

/* Whether iterations run at once at what stands here. */
static bool is_parallel(const Check *c)
{
  return c->foreach && !c->foreach->manner.is_serial;
}

void note_read(Check *c, Variable *v, Loc loc)
{
  if (!is_parallel(c) || !is_shared(c, v))
    return;
  SharedUse *use = shared_use(c, v);
  if (use->read.line == 0)
    use->read = loc;
}

void report_shared(Check *c)
{
  for (int i = 0; i < c->shared_count; i++) {
    const SharedUse *use = &c->shared[i];
    Loc written = use->reduced.line ? use->reduced : use->taken;
    Loc read = use->read.line ? use->read : use->reduced.line ? use->taken : use->read;
    if (written.line == 0 || read.line == 0)
      continue;
    diag(c->diag, DIAG_REDUCED_READ, read, use->variable->name);
    diag(c->diag, DIAG_REDUCED_HERE, written, use->variable->name);
  }
}

/* ---- writing ---- */

/* False after a message. */
static bool write_shared(Check *c, Variable *v, Access access, const Expr *e)
{
  if (!c->foreach || !is_shared(c, v))
    return true;
  if (v->is_of_for) {
    diag(c->diag, DIAG_WRITES_FOR_VARIABLE, e->loc, v->name);
    return false;
  }
  if (!is_parallel(c))
    return true;
  if (access == ACCESS_WRITE) {
    diag(c->diag, DIAG_PLAIN_IN_FOREACH, e->loc, v->name);
    diag(c->diag, DIAG_PLAIN_HINT, e->loc);
    return false;
  }
  SharedUse *use = shared_use(c, v);
  Loc *loc = access == ACCESS_TAKE ? &use->taken : &use->reduced;
  if (loc->line == 0)
    *loc = e->loc;
  return true;
}

/* A parameter by value that is assigned is a local that begins with it.  The
 * object that all uses point to becomes the local; a new one is the parameter. */
static void make_local(Check *c, Variable *v)
{
  Function *f = c->info->function;
  if (v->kind != VARIABLE_PARAMETER || v->mode == ARRAY_INOUT)
    return;
  Variable *parameter = NEW(c->arena, Variable);
  *parameter = *v;
  v->kind = VARIABLE_LOCAL;
  v->at_kernel_level = f->is_kernel;
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i] == v)
      f->params[i] = parameter;
  for (int i = 0; i < f->c_param_count; i++) {
    if (f->c_params[i] == v)
      f->c_params[i] = parameter;
    for (int k = 0; k < f->c_params[i]->extent_count; k++)
      if (f->c_params[i]->extents[k]->variable == v)
        f->c_params[i]->extents[k]->variable = parameter;
  }
  Copied copied = {v, parameter};
  vec_push(c->arena, c->info->copied, c->info->copied_count, copied);
}

static bool refuse_write(Check *c, const Variable *v, const Expr *e, const char *what)
{
  if (v->is_const)
    diag(c->diag, DIAG_WRITES_CONST, e->loc, v->name);
  else if (v->kind == VARIABLE_LOOP)
    diag(c->diag, DIAG_WRITES_LOOP_VARIABLE, e->loc, v->name);
  else if (v->kind == VARIABLE_EXTENT)
    diag(c->diag, DIAG_WRITES_EXTENT, e->loc, v->name);
  else if (v->kind == VARIABLE_ARRAY || v->kind == VARIABLE_OWN_ARRAY || v->kind == VARIABLE_TREE)
    diag(c->diag, DIAG_EXPECTED_LVALUE, e->loc, what);
  else
    return false;
  return true;
}

/* Of an EXPR_FIELD, or of what could not become one. */
static Expr *target_field(Check *c, Expr *e)
{
  if (!e->type || e->field->mode != FIELD_MODE_constant)
    return e;
  diag(c->diag, DIAG_WRITES_CONSTANT_FIELD, e->loc, e->field->name);
  diag(c->diag, DIAG_DECLARED_HERE, e->field->loc, e->field->name);
  return fail_expr(e);
}

static Expr *target_name(Check *c, Expr *e, Access access, const char *what)
{
  Symbol *symbol = e->type ? NULL : find_value(c, e);
  if (!symbol)
    return e->type ? check_name(c, e) : fail_expr(e);
  if (symbol->kind == SYMBOL_FIELD)
    return target_field(c, use_field_name(c, e, symbol));
  if (symbol->kind == SYMBOL_CONSTANT)
    diag(c->diag, DIAG_WRITES_CONST, e->loc, symbol->name);
  else if (symbol->kind != SYMBOL_VARIABLE)
    diag(c->diag, DIAG_EXPECTED_LVALUE, e->loc, what);
  if (symbol->kind != SYMBOL_VARIABLE)
    return fail_expr(e);
  Variable *v = symbol->is.variable;
  if (!v->type || refuse_write(c, v, e, what) ||
      !write_shared(c, v, access, e))
    return fail_expr(e);
  make_local(c, v);
  v->last_write = ++c->writes;
  e->kind = EXPR_VARIABLE;
  e->variable = v;
  e->type = v->type;
  return e;
}

/* v.xy: of each component it is said once what it becomes. */
static Expr *target_swizzle(Check *c, Expr *e)
{
  for (const char *p = e->name; *p; p++) {
    if (!strchr(p + 1, *p))
      continue;
    const char letter[] = {*p, '\0'};
    diag(c->diag, DIAG_SWIZZLE_TWICE, e->loc, letter, e->name);
    return fail_expr(e);
  }
  return e;
}

/* A part of something that can be assigned; several components have no parts. */
static Expr *target_component(Check *c, Expr *e, Access access, const char *what)
{
  Expr *base = check_target(c, e->a, access, what);
  if (base->type && base->kind == EXPR_SWIZZLE) {
    diag(c->diag, DIAG_SWIZZLE_TARGET, e->loc, base->name);
    return fail_expr(e);
  }
  e = use_component(c, e, base);
  return e->type && e->kind == EXPR_SWIZZLE ? target_swizzle(c, e) : e;
}

/* The array of the program's own that e is an element of, or NULL. */
static Variable *own_array(Check *c, const Expr *e)
{
  const Symbol *symbol = e->kind == EXPR_INDEX ? named_symbol(c, e->a) : NULL;
  bool is_own = symbol && symbol->kind == SYMBOL_VARIABLE &&
                symbol->is.variable->kind == VARIABLE_OWN_ARRAY;
  return is_own ? symbol->is.variable : NULL;
}

static Expr *target_own_element(Check *c, Expr *e, Variable *v, Access access)
{
  if (v->is_const)
    diag(c->diag, DIAG_WRITES_CONST, e->loc, v->name);
  if (v->is_const || !v->type || !write_shared(c, v, access, e))
    return fail_expr(e);
  return use_own_element(c, e, v);
}

Expr *check_target(Check *c, Expr *e, Access access, const char *what)
{
  Variable *array = own_array(c, e);
  const Expr *named = e->kind == EXPR_INDEX ? e->a : e;
  if (names_merge(c, named)) {
    diag(c->diag, DIAG_MERGE_WRITTEN, e->loc, named->a->name);
    return fail_expr(e);
  }
  if (array)
    return target_own_element(c, e, array, access);
  if (e->kind == EXPR_NAME)
    return target_name(c, e, access, what);
  if (is_component(c, e))
    return target_component(c, e, access, what);
  e = check_expr(c, e);
  if (!e->type)
    return e;
  if (e->kind == EXPR_ELEMENT && e->variable->mode == ARRAY_IN) {
    diag(c->diag, DIAG_WRITES_IN_ARRAY, e->loc, e->variable->name);
    return fail_expr(e);
  }
  if (e->kind == EXPR_FIELD)
    return target_field(c, e);
  if (e->kind == EXPR_ELEMENT)
    return e;
  diag(c->diag, DIAG_EXPECTED_LVALUE, e->loc, what);
  return fail_expr(e);
}
