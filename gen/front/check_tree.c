/* Trees and fields: extents, axes, places, defaults. */
#include "gen/front/check.h"

/* ---- extents ---- */

/* An extent given at creation, rebuilt in i64 throughout. */
static Expr *runtime_extent(Check *c, Expr *e) {
  switch (e->kind) {
  case EXPR_LITERAL:
    return convert_expr(c, e, TY(I64));
  case EXPR_VARIABLE:
    return cast_expr(c, e, TY(I64));
  case EXPR_CAST:
    if (type_is_integer(e->type))
      return runtime_extent(c, e->a);
    break;
  case EXPR_UNARY:
    e->a = runtime_extent(c, e->a);
    e->type = e->a->type;
    if (e->op == OP_NEGATE)
      return e;
    break;
  case EXPR_BINARY:
    if (e->op < OP_ADD || e->op > OP_MOD)
      break;
    e->a = runtime_extent(c, e->a);
    e->b = runtime_extent(c, e->b);
    e->type = e->a->type && e->b->type ? TY(I64) : NULL;
    return e;
  default:
    break;
  }
  diag(c->diag, DIAG_EXTENT_EXPRESSION, e->loc);
  return fail_expr(e);
}

static void constant_extent(Check *c, Axis *axis, const SNode *node) {
  const Expr *e = axis->extent;
  bool is_huge = e->type == TY(U64) && e->value.i < 0;
  axis->size = 1;                      /* after an error: silent from then on */
  if (is_huge)
    diag(c->diag, DIAG_EXTENT_TOO_LARGE, axis->loc, node->name);
  else if (e->value.i < 1)
    diag(c->diag, DIAG_BAD_EXTENT, e->loc, 'i' + axis->axis, (long long)e->value.i);
  else
    axis->size = e->value.i;
}

static void check_extent(Check *c, Axis *axis, const SNode *node) {
  Expr *e = axis->extent = check_value(c, axis->extent);
  axis->size = 1;
  if (!e->type)
    return;
  if (!type_is_integer(e->type)) {
    diag(c->diag, DIAG_EXTENT_TYPE, e->loc);
    return;
  }
  if (is_literal(e)) {
    constant_extent(c, axis, node);
    return;
  }
  if (node->parent->kind != SNODE_ROOT) {
    diag(c->diag, DIAG_EXTENT_BELOW_ROOT, e->loc);
    return;
  }
  axis->extent = runtime_extent(c, e);
  axis->size = 0;
}

/* ---- nodes ---- */

static void sum_axes(Check *c, SNode *node) {
  const SNode *parent = node->parent;
  int64_t cells = 1;
  bool overflows = false;
  node->axes_mask = parent->axes_mask;
  for (int axis = 0; axis < MAX_AXES; axis++)
    node->total[axis] = parent->total[axis];
  for (int i = 0; i < node->axis_count; i++) {
    int axis = node->axes[i].axis;
    node->axes_mask |= 1u << axis;
    overflows |= __builtin_mul_overflow(node->total[axis], node->axes[i].size,
                                        &node->total[axis]);
  }
  for (int axis = 0; axis < MAX_AXES; axis++)
    if (node->total[axis] > 0)
      overflows |= __builtin_mul_overflow(cells, node->total[axis], &cells);
  if (!overflows)
    return;
  diag(c->diag, DIAG_EXTENT_TOO_LARGE, node->loc, node->name);
  for (int axis = 0; axis < MAX_AXES; axis++)
    node->total[axis] = 1;             /* below it: silent */
}

static bool takes_field(const Symbol *symbol) { return symbol->kind == SYMBOL_FIELD; }

/* The field that a place names; NULL after a message. */
static Field *find_field(Check *c, const Field *named, SNode *node) {
  Symbol *symbol = scope_find_global(c->scope, named->name);
  if (symbol && symbol->kind == SYMBOL_UNKNOWN)
    return NULL;
  if (!symbol || symbol->kind != SYMBOL_FIELD) {
    diag(c->diag, DIAG_UNKNOWN_FIELD, named->loc, named->name);
    suggest(c, named->loc, named->name, scope_names(c->scope, takes_field));
    return NULL;
  }
  if (symbol->placed.line > 0) {
    diag(c->diag, DIAG_PLACED_TWICE, named->loc, named->name);
    diag(c->diag, DIAG_PLACED_HERE, symbol->placed, named->name);
    return NULL;
  }
  symbol->placed = named->loc;
  symbol->is.field->snode = node;
  return symbol->is.field;
}

static void place_fields(Check *c, SNode *node) {
  int kept = 0;
  Tree *tree = node->tree;
  for (int i = 0; i < node->field_count; i++) {
    Field *field = find_field(c, node->fields[i], node);
    if (!field)
      continue;
    field->id = tree->field_count;
    vec_push(c->arena, tree->fields, tree->field_count, field);
    node->fields[kept++] = field;
  }
  node->field_count = kept;
}

static void check_node(Check *c, SNode *node) {
  Tree *tree = node->tree;
  if (node->depth == MAX_DEPTH + 1)    /* once: those below are deeper still */
    diag(c->diag, DIAG_TREE_TOO_DEEP, node->loc, (int)MAX_DEPTH);
  node->id = tree->snode_count;
  vec_push(c->arena, tree->snodes, tree->snode_count, node);
  bool is_empty = node->field_count == 0 && node->child_count == 0;
  if (is_empty && !c->program->is_broken)
    diag(c->diag, DIAG_EMPTY_NODE, node->loc, node->name ? node->name : tree->name);
  for (int i = 0; i < node->axis_count; i++)
    check_extent(c, &node->axes[i], node);
  if (node->parent)
    sum_axes(c, node);
  place_fields(c, node);
  for (int i = 0; i < node->child_count; i++) {
    node->children[i]->depth = node->depth + 1;
    check_node(c, node->children[i]);
  }
}

static void check_tree(Check *c, Tree *tree) {
  scope_open(c->scope);
  for (int i = 0; i < tree->param_count; i++) {
    Variable *v = tree->params[i];
    if (v->type != TY(I32) && v->type != TY(I64)) {
      diag(c->diag, DIAG_TREE_PARAMETER_TYPE, v->loc, v->type->name);
      v->type = NULL;
    }
    declare_variable(c, v);
  }
  for (int axis = 0; axis < MAX_AXES; axis++)
    tree->root->total[axis] = 1;
  check_node(c, tree->root);
  scope_close(c->scope);
}

void check_trees(Check *c) {
  for (int i = 0; i < c->program->tree_count; i++) {
    c->program->trees[i]->id = i;
    check_tree(c, c->program->trees[i]);
  }
}

/* ---- fields ---- */

/* The order written after the name, or axis order. */
static void check_index_order(Check *c, Field *field) {
  unsigned mask = field->snode->axes_mask, named = 0;
  int axes[MAX_AXES], count = node_axes(field->snode, axes);
  const char *problem = NULL;
  for (int k = 0; k < field->axis_count; k++) {
    if (named & 1u << field->axes[k])
      problem = "an axis stands twice";
    named |= 1u << field->axes[k];
  }
  if (field->axis_count > 0 && named != mask)
    problem = named & ~mask ? "an axis is none of its node's" : "an axis is missing";
  if (problem)
    diag(c->diag, DIAG_INDEX_ORDER, field->loc, field->name, problem);
  if (field->axis_count > 0 && !problem)
    return;
  field->axis_count = count;
  for (int k = 0; k < count; k++)
    field->axes[k] = axes[k];
}

static void check_default(Check *c, Field *field) {
  field->init = check_stored(c, field->init, field->type);
  if (!field->init->type)
    return;
  if (is_literal(field->init))
    field->default_value = field->init->value;
  else
    diag(c->diag, DIAG_NOT_CONSTANT, field->init->loc, "the default of a field");
}

void check_fields(Check *c) {
  for (int i = 0; i < c->program->field_count; i++) {
    Field *field = c->program->fields[i];
    if (field->init)
      check_default(c, field);
    if (field->snode)
      check_index_order(c, field);
    else if (!c->program->is_broken &&
             scope_find(c->scope, field->name)->kind == SYMBOL_FIELD)
      diag(c->diag, DIAG_NEVER_PLACED, field->loc, field->name);
  }
}
