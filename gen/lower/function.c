/* Functions and kernels, and the module around them. */
#include "gen/lower/scope.h"

#include <stddef.h>
#include <string.h>


/* ---- parameters ---- */

/* Of an array of aggregates the last extent is theirs, in elements of the array's type. */
static void lower_extents(Lowering *l, const Variable *from, IrVariable *array)
{
  Arena *arena = l->module->arena;
  bool is_aggregate = type_is_aggregate(from->type);

  array->extent_count = from->extent_count + is_aggregate;
  array->extent_variable = NEW_ARRAY(arena, IrVariable *, array->extent_count);
  array->extent_constant = NEW_ARRAY(arena, int64_t, array->extent_count);
  if (is_aggregate)
    array->extent_constant[from->extent_count] =
        type_bytes(from->type) / type_bytes(array->type);
  for (int k = 0; k < from->extent_count; k++) {
    const Expr *e = from->extents[k];
    while (e->kind == EXPR_CAST)
      e = e->a;
    if (e->kind == EXPR_LITERAL)
      array->extent_constant[k] = e->value.i;
    else
      array->extent_variable[k] = find_binding(l, e->variable)->variable;
  }
}

static void add_param(Lowering *l, IrVariable *v)
{
  vec_push(l->module->arena, l->function->params, l->function->param_count, v);
}

/* The memory of an array as elements of one scalar type, of which its own are some. */
static IrVariable *new_view(Lowering *l, const Variable *from, const char *name, const Type *type)
{
  IrVariable *v = new_variable(l, IR_VAR_ARRAY, name, type);

  v->mode = from->mode;
  v->of = type_if_struct(from->type);
  add_param(l, v);
  return v;
}

static bool has_one_type(const Type *type)
{
  for (int k = 1; k < type_count(type); k++)
    if (type_at(type, k) != type_at(type, 0))
      return false;
  return true;
}

/* For each element the view that holds it; of structs with several scalar types there is
 * one for each, side by side and named after the whole: "p.f32", "p.i64". */
static IrVariable **new_array(Lowering *l, const Variable *from)
{
  const Type *type = from->type;
  IrVariable **views = NEW_ARRAY(l->module->arena, IrVariable *, type_count(type));
  const char *name = has_one_type(type) ? NULL : unique_name(l, from->name);

  for (int k = 0; k < type_count(type); k++) {
    const Type *scalar = type_at(type, k);
    for (int i = 0; i < k && !views[k]; i++)
      if (views[i]->type == scalar)
        views[k] = views[i];
    if (!views[k])
      views[k] = new_view(l, from,
                          name ? intern_format(l->module->arena, "%s.%s", name, scalar->name)
                               : from->name, scalar);
  }
  return views;
}

static void lower_parameter(Lowering *l, const Variable *from)
{
  IrVariable **v;

  if (from->kind == VARIABLE_ARRAY) {
    bind_variables(l, from, new_array(l, from));
    return;
  }
  v = new_elements(l, from->kind == VARIABLE_EXTENT ? IR_VAR_EXTENT : IR_VAR_PARAM, from->name,
                   from->type);
  bind_variables(l, from, v);
  for (int k = 0; k < type_count(from->type); k++) {
    v[k]->of = type_if_struct(from->type);
    add_param(l, v[k]);
  }
}

/* An array's extents may stand behind it: two rounds. */
static void lower_parameters(Lowering *l, Variable *const *params, int count)
{
  IrFunction *f = l->function;

  for (int k = 0; k < count; k++)
    if (params[k]->kind != VARIABLE_TREE)
      lower_parameter(l, params[k]);
    else
      f->slots[params[k]->tree_slot].position = f->param_count;
  for (int k = 0; k < count; k++)
    for (int i = 0; params[k]->kind == VARIABLE_ARRAY && i < type_count(params[k]->type); i++)
      lower_extents(l, params[k], bound_variables(l, params[k])[i]);
}

/* A parameter is a value; one that the body assigns gets a copy in memory. */
static void copy_assigned(Lowering *l, Variable *const *params, int count)
{
  for (int k = 0; k < count; k++) {
    const Variable *v = params[k];
    int kind = l->source->is_kernel ? IR_VAR_KERNEL : IR_VAR_LOCAL;
    if ((v->kind == VARIABLE_PARAMETER || v->kind == VARIABLE_EXTENT) &&
        assigns(l->source->body, v)) {
      IrVariable **given = bound_variables(l, v), **copy = new_elements(l, kind, v->name, v->type);
      bind_variables(l, v, copy);
      for (int i = 0; i < type_count(v->type); i++)
        emit_declare(l, copy[i], emit_get(l, given[i], v->loc), v->loc);
    }
  }
}

static void lower_slots(Lowering *l)
{
  const Function *s = l->source;
  IrFunction *f = l->function;
  Arena *arena = l->module->arena;
  int needed = 0;

  for (int k = 0; k < s->tree_count; k++)
    needed += !s->trees[k].is_virtual;
  if (needed > MAX_SLOTS)
    diag(l->diag, DIAG_TOO_MANY_TREES, s->loc, s->name, needed, (int)MAX_SLOTS);
  for (int k = 0; k < s->tree_count; k++) {
    IrSlot slot = { .is_virtual = s->trees[k].is_virtual };
    slot.tree = lowered_tree(l, s->trees[k].tree);
    slot.name = s->trees[k].name;
    slot.is_merge = s->trees[k].parameter && s->trees[k].parameter->merge;
    vec_push(arena, f->slots, f->slot_count, slot);
    take_name(l, slot.name);
  }
}

/* ---- bodies ---- */

static void lower_function_body(Lowering *l)
{
  const Function *s = l->source;
  IrFunction *f = l->function;

  f->body = ir_block(l->module, NULL);
  l->block = f->body;
  lower_slots(l);
  if (s->is_kernel)
    lower_parameters(l, s->c_params, s->c_param_count);
  else
    lower_parameters(l, s->params, s->param_count);
  add_adjoints(l);
  copy_assigned(l, s->is_kernel ? s->c_params : s->params,
                s->is_kernel ? s->c_param_count : s->param_count);
  if (s->is_kernel && s->result != TY(VOID)) {
    f->results = new_elements(l, IR_VAR_KERNEL, "result", s->result);
    f->result_count = type_count(s->result);
    for (int k = 0; k < f->result_count; k++) {
      f->results[k]->is_hidden = true;
      f->results[k]->of = type_if_struct(s->result);
    }
  }
  lower_body(l, s->body);
  settle_results(l);
  replace_by_scalars(l);
  /* Functions that are called are lowered already. */
  for (IrStmt *stmt = ir_first(f->body); stmt; stmt = ir_next(stmt, f->body))
    f->may_trap = f->may_trap || ir_may_trap(stmt, l->options->bounds);
  ir_number(f);
}

IrFunction *lower_function(const Lowering *outer, const Function *s)
{
  Lowering inner = *outer, *l = &inner;
  IrModule *m = outer->module;
  IrFunction *f = NEW(m->arena, IrFunction);

  l->source = s;
  l->function = f;
  l->bindings = NULL;
  l->binding_count = 0;
  l->names = NULL;
  l->name_count = 0;
  l->loop = NULL;
  l->inlined = NULL;
  l->inlined_calls = 0;
  l->memory_arrays = NULL;
  l->is_too_deep = false;
  l->turns = 1;
  l->slot_map = NULL;
  l->in_foreach = false;
  f->name = s->name;
  f->is_kernel = s->is_kernel;
  f->result = type_at(s->result, 0);
  f->doc = s->doc;
  f->loc = s->loc;
  describe_derivative(l);
  lower_function_body(l);
  if (s->is_kernel)
    vec_push(m->arena, m->kernels, m->kernel_count, f);
  else
    vec_push(m->arena, m->functions, m->function_count, f);
  return f;
}

/* The kernel, and behind it once more for each of its derivatives. */
static void lower_kernel(const Lowering *outer, const Function *kernel)
{
  const int errors = diag_error_count(outer->diag);
  IrFunction *primal = lower_function(outer, kernel);
  Lowering l = *outer;

  if (kernel->with.forms & DERIVE_GRAD)
    primal->gradient = intern_format(l.module->arena, "%s%s", kernel->name,
                                     derivative_suffix[DERIVE_GRAD]);
  for (l.derivation = 1; l.derivation <= (IR_REVERSE | IR_FORWARD); l.derivation++)
    if ((l.derivation & kernel->with.forms) == l.derivation &&
        diag_error_count(l.diag) == errors)
      check_derived(outer, kernel, lower_function(&l, kernel));
}

/* ---- the module ---- */

/* For the header, which has numbers only: the program's own uses are literals. */
static void lower_constants(IrModule *m, const Program *p)
{
  for (int k = 0; k < p->constant_count; k++) {
    IrConst *c = NEW(m->arena, IrConst);
    /* an imported one is in its own file's header */
    if (type_is_aggregate(p->constants[k]->type) || p->constants[k]->loc.file > 0)
      continue;
    c->name = p->constants[k]->name;
    c->type = p->constants[k]->type;
    c->value = p->constants[k]->values[0];
    c->doc = p->constants[k]->doc;
    vec_push(m->arena, m->consts, m->const_count, c);
  }
}

IrModule *lower(const Program *p, Diag *diagnostics,
                const LowerOptions *options)
{
  IrModule *m = NEW(p->arena, IrModule);
  Lowering l = {
    .program = p, .options = options, .diag = diagnostics, .module = m
  };
  int errors = diag_error_count(diagnostics);

  m->arena = p->arena;
  m->path = p->path;
  m->prefix = p->prefix;
  m->bounds = options->bounds;
  for (int k = 0; k < p->source_count; k++)
    vec_push(m->arena, m->sources, m->source_count, p->sources[k]->path);
  l.reported = new_reported(m->arena);
  l.tables = NEW(m->arena, Map);
  map_init(l.tables, m->arena);
  l.lowered = NEW_ARRAY(p->arena, IrFunction *, p->function_count + 1);
  lower_constants(m, p);
  for (int k = 0; k < p->struct_count; k++)
    vec_push(m->arena, m->structs, m->struct_count, type_struct(p->structs[k]->type));
  lower_trees(&l);
  for (int k = 0; k < p->function_count; k++)
    if (!l.lowered[k] && !is_inlined(p->functions[k]))
      l.lowered[k] = lower_function(&l, p->functions[k]);
  for (int k = 0; k < p->kernel_count; k++)
    if (p->kernels[k]->loc.file == 0)
      lower_kernel(&l, p->kernels[k]);
  return diag_error_count(diagnostics) == errors ? m : NULL;
}
