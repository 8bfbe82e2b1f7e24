/* Nodes and fields of instances: how they are named, and what is done to them. */
#include "gen/front/check.h"

#include <string.h>

/* ---- places ---- */

bool takes_place(const Symbol *symbol)
{
  return symbol->kind == SYMBOL_FIELD || symbol->kind == SYMBOL_SNODE ||
         symbol->kind == SYMBOL_TREE;
}

/* A field or node that belongs to a tree: false for one placed nowhere, which
 * has been reported. */
static bool fill_place(const Symbol *symbol, Place *place)
{
  *place = (Place){.name = symbol->name};
  switch (symbol->kind) {
  case SYMBOL_FIELD:
    place->field = symbol->is.field;
    place->snode = symbol->is.field->snode;
    break;
  case SYMBOL_SNODE:
    place->snode = symbol->is.snode;
    break;
  default:
    place->tree = symbol->is.tree;
    place->snode = symbol->is.tree->root;
    return true;
  }
  place->tree = place->snode ? place->snode->tree : NULL;
  return place->tree != NULL;
}

static bool takes_member(const Symbol *symbol)
{
  return symbol->kind == SYMBOL_FIELD || symbol->kind == SYMBOL_SNODE;
}

/* x.grad, and of its adjoint the tangent x.grad.dual: a place like its field's. */
static bool find_derivative(Check *c, const Expr *e, Place *place)
{
  if (!find_place(c, e->a, e->name, place))
    return false;
  place->name = intern_format(c->arena, "%s.%s", place->name, e->name);
  place->field = derivative_of(c, place->field, e);
  if (!place->field || !place->field->snode)
    return false;
  place->snode = place->field->snode;
  return true;
}

bool find_member(Check *c, const Expr *e, Place *place)
{
  if (names_derivative(c, e))
    return find_derivative(c, e, place);
  if (names_merge(c, e)) {
    diag(c->diag, DIAG_MERGE_NODE, e->loc, e->a->name);
    return false;
  }
  Symbol *base = e->a->kind == EXPR_NAME ? scope_find(c->scope, e->a->name) : NULL;
  if (e->a->kind == EXPR_NAME && !base) {
    fail_unknown(c, DIAG_UNKNOWN_NAME, e->a, NULL);
    return false;
  }
  if (base && base->kind == SYMBOL_UNKNOWN)
    return false;
  if (!base || base->kind != SYMBOL_VARIABLE ||
      base->is.variable->kind != VARIABLE_TREE) {
    diag(c->diag, DIAG_NO_MEMBERS, e->loc, e->name);
    return false;
  }
  Variable *parameter = base->is.variable;
  if (!parameter->tree)
    return false;                      /* its type was reported */
  Symbol *symbol = scope_find_global(c->scope, e->name);
  if (symbol && symbol->kind == SYMBOL_UNKNOWN)
    return false;
  if (!symbol || !takes_member(symbol) || !fill_place(symbol, place) ||
      place->tree != parameter->tree) {
    diag(c->diag, DIAG_UNKNOWN_MEMBER, e->loc, parameter->tree->name, e->name);
    suggest(c, e->loc, e->name, scope_names(c->scope, takes_member));
    return false;
  }
  place->parameter = parameter;
  return true;
}

static bool is_tree_parameter(const Symbol *symbol)
{
  return symbol->kind == SYMBOL_VARIABLE && symbol->is.variable->kind == VARIABLE_TREE;
}

bool find_place(Check *c, const Expr *e, const char *user, Place *place)
{
  if (e->kind == EXPR_MEMBER)
    return find_member(c, e, place);
  if (e->kind != EXPR_NAME || e->type) {
    diag(c->diag, DIAG_EXPECTED_NODE, e->loc, user);
    return false;
  }
  Symbol *symbol = scope_find(c->scope, e->name);
  if (!symbol) {
    fail_unknown(c, DIAG_UNKNOWN_NAME, e, takes_place);
    return false;
  }
  if (symbol->kind == SYMBOL_UNKNOWN)
    return false;
  if (is_tree_parameter(symbol)) {
    Variable *v = symbol->is.variable;
    *place = (Place){v->tree, v->tree ? v->tree->root : NULL, NULL, v, v->name};
    return v->tree != NULL;
  }
  if (takes_place(symbol))
    return fill_place(symbol, place);
  diag(c->diag, DIAG_EXPECTED_NODE, e->loc, user);
  return false;
}

static void add_slot_use(Check *c, int *slot, const Place *place, bool is_virtual, Loc loc)
{
  SlotUse use = {slot, place->tree, place->parameter, is_virtual, place->name, loc};
  vec_push(c->arena, c->info->uses, c->info->use_count, use);
  mark_trap(c);
}

void use_slot(Check *c, int *slot, const Place *place, Loc loc)
{
  add_slot_use(c, slot, place, false, loc);
}

void use_cell_slot(Check *c, int *slot, const Place *place, Loc loc)
{
  bool is_virtual = place->field && place->field->mode == FIELD_MODE_virtual &&
                    !place->parameter && place->tree->param_count == 0;
  add_slot_use(c, slot, place, is_virtual, loc);
}

/* ---- indices ---- */

/* An integer, or a vector of them for as many axes. */
static Expr *check_index_value(Check *c, Expr *e)
{
  e = check_value(c, e);
  if (!e->type || (type_is_vector(e->type) && type_is_integer(type_element(e->type))))
    return e;
  if (type_is_integer(e->type))
    return e;
  diag(c->diag, DIAG_NEEDS_INTEGER, e->loc, "an index", e->type->name);
  return fail_expr(e);
}

/* The loop's variable that is a vector in the index, which alone may stand for several. */
static const Variable *vector_in(const Expr *e)
{
  const Variable *v = NULL;
  if (e && e->kind == EXPR_VARIABLE && e->variable->kind == VARIABLE_LOOP &&
      type_is_vector(e->variable->type))
    return e->variable;
  if (e && e->type && type_is_vector(e->type) &&
      (e->kind == EXPR_UNARY || e->kind == EXPR_BINARY || e->kind == EXPR_CAST)) {
    v = vector_in(e->a);
    v = v ? v : vector_in(e->b);
  }
  return v;
}

static void fail_index_count(Check *c, Expr *const *args, int count, const char *name, Loc loc,
                             int axis_count, int given)
{
  diag(c->diag, DIAG_INDEX_COUNT, loc, name, axis_count, axis_count == 1 ? "index" : "indices",
       given);
  for (int i = 0; i < count; i++) {
    const Variable *v = vector_in(args[i]);
    if (!v)
      continue;
    diag(c->diag, DIAG_INDEX_VECTOR, v->loc, v->name, v->type->rows, v->name);
    return;
  }
}

bool check_indices(Check *c, Expr **args, int count, const char *name, Loc loc,
                   int axis_count)
{
  bool is_good = true;
  int given = 0;
  for (int i = 0; i < count; i++) {
    args[i] = check_index_value(c, args[i]);
    is_good = is_good && args[i]->type;
    given += args[i]->type ? type_count(args[i]->type) : 1;
  }
  if (given == axis_count || !is_good)
    return is_good;
  fail_index_count(c, args, count, name, loc, axis_count, given);
  return false;
}

int node_axes(const SNode *snode, int axes[MAX_AXES])
{
  int count = 0;
  for (int axis = 0; axis < MAX_AXES; axis++)
    if (snode->axes_mask & 1u << axis)
      axes[count++] = axis;
  return count;
}

/* ---- what is done to nodes ---- */

typedef enum Meaning {
  MEANS_CELL,                  /* is_active, activate */
  MEANS_LIST,                  /* append, length: the container of a dynamic node */
  MEANS_WHOLE                  /* deactivate: a cell, or such a container */
} Meaning;

static bool needs_dynamic(Check *c, const char *user, const Place *place, Loc loc)
{
  if (kind_is(place->snode->kind, KIND_LIST))
    return true;
  diag(c->diag, DIAG_NEEDS_DYNAMIC, loc, user, place->name,
       snode_kind[place->snode->kind].word);
  return false;
}

/* The node and its indices in the arguments of is_active, activate ...:
 * args[0] is the place, the rest the indices, moved down to args[0] on. */
static bool check_node_arguments(Check *c, const char *user, Meaning meaning,
                                 Expr **args, int *count, Loc loc, Place *place)
{
  int axes[MAX_AXES];
  if (*count == 0) {
    diag(c->diag, DIAG_EXPECTED_NODE, loc, user);
    return false;
  }
  if (!find_place(c, args[0], user, place))
    return false;
  if (place->snode->kind == SNODE_ROOT) {
    diag(c->diag, DIAG_NOTHING_SPARSE, args[0]->loc, place->name);
    return false;
  }
  if (meaning == MEANS_LIST && !needs_dynamic(c, user, place, args[0]->loc))
    return false;
  int axis_count = node_axes(place->snode, axes), given = *count - 1;
  if (meaning != MEANS_CELL && kind_is(place->snode->kind, KIND_LIST))
    axis_count--;
  if (!check_indices(c, args + 1, given, place->name, args[0]->loc, axis_count))
    return false;
  memmove(args, args + 1, (size_t)given * sizeof *args);
  *count = given;
  return true;
}

/* ---- is_active, append, length ---- */

Expr *check_node_question(Check *c, Expr *e, ExprKind kind)
{
  Meaning meaning = kind == EXPR_IS_ACTIVE ? MEANS_CELL : MEANS_LIST;
  Place place;
  Loc loc = e->arg_count > 0 ? e->args[0]->loc : e->loc;
  if (!check_node_arguments(c, e->name, meaning, e->args, &e->arg_count, e->loc, &place))
    return fail_expr(e);
  e->kind = kind;
  e->type = kind == EXPR_IS_ACTIVE ? TY(BOOL) : TY(I64);
  e->field = place.field;
  e->snode = place.snode;
  use_slot(c, &e->tree_slot, &place, loc);
  return e;
}

/* ---- activate, deactivate, deactivate_all ---- */

static bool refuse_dense(Check *c, const Place *place, Loc loc)
{
  if (!kind_is(place->snode->kind, KIND_DENSE))
    return false;
  diag(c->diag, DIAG_DEACTIVATE_DENSE, loc, place->snode->name);
  return true;
}

/* It empties containers between tasks: what a task or a func cannot do. */
static bool refuse_deactivate_all(Check *c, Loc loc)
{
  if (!c->info->function->is_kernel || c->foreach) {
    diag(c->diag, DIAG_DEACTIVATE_ALL_PLACE, loc, c->foreach ? "foreach" : "func");
    return true;
  }
  return false;
}

/* Of a tree it sets all cells back to their defaults. */
static bool refuse_constant(Check *c, const SNode *node, Loc loc)
{
  for (int i = 0; !node->parent && i < node->tree->field_count; i++)
    if (node->tree->fields[i]->mode == FIELD_MODE_constant) {
      diag(c->diag, DIAG_WRITES_CONSTANT_FIELD, loc, node->tree->fields[i]->name);
      diag(c->diag, DIAG_DECLARED_HERE, node->tree->fields[i]->loc, node->tree->fields[i]->name);
      return true;
    }
  return false;
}

static void check_deactivate_all(Check *c, Stmt *s, Expr *call)
{
  Place place;
  if (refuse_deactivate_all(c, call->loc))
    return;
  if (call->arg_count != 1) {
    diag(c->diag, DIAG_ARGUMENT_COUNT, call->loc, call->name, 1, "argument",
         call->arg_count);
    return;
  }
  if (!find_place(c, call->args[0], call->name, &place) ||
      refuse_dense(c, &place, call->args[0]->loc) ||
      refuse_constant(c, place.snode, call->args[0]->loc))
    return;
  if (place.field && place.snode->kind == SNODE_ROOT) {
    diag(c->diag, DIAG_NOTHING_SPARSE, call->args[0]->loc, place.name);
    return;
  }
  s->snode = place.snode;
  use_slot(c, &s->tree_slot, &place, call->args[0]->loc);
}

/* s is the statement of a call, whose name is that of a node operation. */
void check_node_statement(Check *c, Stmt *s, StmtKind kind)
{
  Expr *call = s->a;
  Place place;
  s->kind = kind;
  s->a = NULL;
  if (kind == STMT_DEACTIVATE_ALL) {
    check_deactivate_all(c, s, call);
    return;
  }
  s->args = call->args;
  s->arg_count = call->arg_count;
  Meaning meaning = kind == STMT_DEACTIVATE ? MEANS_WHOLE : MEANS_CELL;
  Loc loc = call->arg_count > 0 ? call->args[0]->loc : call->loc;
  if (!check_node_arguments(c, call->name, meaning, s->args, &s->arg_count, call->loc,
                            &place))
    return;
  if (kind == STMT_DEACTIVATE && refuse_dense(c, &place, loc))
    return;
  s->field = place.field;
  s->snode = place.snode;
  use_slot(c, &s->tree_slot, &place, loc);
}
