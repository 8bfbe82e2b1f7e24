/* Trees and fields: extents, axes, places, defaults. */
#include "gen/front/check.h"

/* ---- extents ---- */

/* An extent given at creation, rebuilt in i64 throughout. */
static Expr *runtime_extent(Check *c, Expr *e)
{
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

static void constant_extent(Check *c, Axis *axis, const SNode *node)
{
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

static void check_extent(Check *c, Axis *axis, const SNode *node)
{
  axis->size = 1;
  if (!axis->extent)                   /* of a hash */
    return;
  Expr *e = axis->extent = check_value(c, axis->extent);
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

/* ---- kinds ---- */

static void check_dynamic_axis(Check *c, const SNode *node)
{
  if (node->parent->axes_mask & 1u << node->axes[0].axis)
    diag(c->diag, DIAG_DYNAMIC_AXIS, node->axes[0].loc, 'i' + node->axes[0].axis,
         node->name);
}

/* Cut to the extent where that is known; at creation where it is not. */
static void check_chunk(Check *c, SNode *node)
{
  Expr *e = node->chunk = check_integer(c, node->chunk, "a chunk");
  if (!e->type)
    return;
  bool is_huge = e->type == TY(U64) && e->value.i < 0;
  int64_t extent = node->axes[0].size;
  if (!is_literal(e))
    fail_constant(c, e, "a chunk");
  else if (!is_huge && e->value.i < 1)
    diag(c->diag, DIAG_BAD_CHUNK, e->loc, (long long)e->value.i);
  else
    node->chunk_cells = is_huge ? INT64_MAX : e->value.i;
  if (extent > 0 && node->chunk_cells > extent)
    node->chunk_cells = extent;
}

static void refuse_nodes(Check *c, const SNode *node, DiagId message)
{
  for (int i = 0; i < node->child_count; i++)
    diag(c->diag, message, node->children[i]->loc, node->children[i]->name, node->name);
}

static void check_dynamic(Check *c, SNode *node)
{
  check_dynamic_axis(c, node);
  if (node->chunk)
    check_chunk(c, node);
  refuse_nodes(c, node, DIAG_DYNAMIC_COMPONENT);
}

static void check_hash(Check *c, SNode *node)
{
  const SNode *root = node->tree->root;
  if (node->parent != root)
    diag(c->diag, DIAG_HASH_PLACE, node->loc, node->name);
  for (int i = 0; i < root->child_count && root->children[i] != node; i++)
    if (kind_is(root->children[i]->kind, KIND_KEYS)) {
      diag(c->diag, DIAG_HASH_TWICE, node->loc, node->tree->name);
      diag(c->diag, DIAG_DECLARED_HERE, root->children[i]->loc,
           root->children[i]->name);
      break;
    }
  for (int i = 0; i < node->axis_count; i++)
    node->open_axes |= 1u << node->axes[i].axis;
}

static void check_kind(Check *c, SNode *node)
{
  if (node->parent)
    node->open_axes = node->parent->open_axes;
  if (kind_is(node->kind, KIND_LIST))
    check_dynamic(c, node);
  else if (kind_is(node->kind, KIND_KEYS))
    check_hash(c, node);
  if (node->is_split && kind_is(node->kind, KIND_ALLOCATED) && node->field_count > 0)
    diag(c->diag, DIAG_SPLIT_COMPONENT, node->loc, node->name);
  if (node->is_soa)
    refuse_nodes(c, node, DIAG_SOA_COMPONENT);
  if (node->is_soa_by_row && node->axis_count > 1 && node->axes[node->axis_count - 1].size == 0)
    diag(c->diag, DIAG_SOA_ROWS, node->loc, node->name);
}

/* ---- nodes ---- */

static void sum_axes(Check *c, SNode *node)
{
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
static Field *find_field(Check *c, const Field *named)
{
  Symbol *symbol = scope_find_global(c->scope, named->name);
  if (symbol && symbol->kind == SYMBOL_UNKNOWN)
    return NULL;
  if (!symbol || symbol->kind != SYMBOL_FIELD) {
    diag(c->diag, DIAG_UNKNOWN_FIELD, named->loc, named->name);
    suggest(c, named->loc, named->name, scope_names(c->scope, takes_field));
    return NULL;
  }
  Field *field = derivative_placed(c, symbol->is.field, named);
  if (field && field->placed.line > 0) {
    diag(c->diag, DIAG_PLACED_TWICE, named->loc, field->shown);
    diag(c->diag, DIAG_PLACED_HERE, field->placed, field->shown);
    return NULL;
  }
  return field;
}

/* Behind it what holds its derivatives, unless that is placed by hand. */
static void place_field(Check *c, SNode *node, Field *field, Loc loc)
{
  Tree *tree = node->tree;
  Field *const derivatives[] = {field->grad, field->dual};
  field->placed = loc;
  field->snode = node;
  field->id = tree->field_count;
  vec_push(c->arena, tree->fields, tree->field_count, field);
  vec_push(c->arena, node->fields, node->field_count, field);
  for (int k = 0; k < 2; k++)
    if (derivatives[k] && !derivatives[k]->is_placed_apart)
      place_field(c, node, derivatives[k], loc);
}

static void place_fields(Check *c, SNode *node)
{
  Field **named = node->fields;
  int count = node->field_count;
  node->fields = NULL;
  node->field_count = 0;
  for (int i = 0; i < count; i++) {
    Field *field = find_field(c, named[i]);
    if (field)
      place_field(c, node, field, named[i]->loc);
  }
}

static void check_node(Check *c, SNode *node)
{
  Tree *tree = node->tree;
  if (node->depth == MAX_DEPTH + 1)    /* once: those below are deeper still */
    diag(c->diag, DIAG_TREE_TOO_DEEP, node->loc, (int)MAX_DEPTH);
  node->id = tree->snode_count;
  vec_push(c->arena, tree->snodes, tree->snode_count, node);
  bool is_empty = node->field_count == 0 && node->child_count == 0;
  if (is_empty && !kind_is(node->kind, KIND_MASKED) && !c->program->is_broken)
    diag(c->diag, DIAG_EMPTY_NODE, node->loc, node->name ? node->name : tree->name);
  for (int i = 0; i < node->axis_count; i++)
    check_extent(c, &node->axes[i], node);
  check_kind(c, node);
  if (node->parent)
    sum_axes(c, node);
  place_fields(c, node);
  for (int i = 0; i < node->child_count; i++) {
    node->children[i]->depth = node->depth + 1;
    check_node(c, node->children[i]);
  }
}

static void check_tree(Check *c, Tree *tree)
{
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

void check_trees(Check *c)
{
  make_derivatives(c);
  for (int i = 0; i < c->program->tree_count; i++) {
    c->program->trees[i]->id = i;
    check_tree(c, c->program->trees[i]);
  }
}

/* ---- fields ---- */

/* The order written after the name, or axis order. */
static void check_index_order(Check *c, Field *field)
{
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

static const int64_t LARGEST_OFFSET = INT64_C(1) << 62;

/* The index that origin stands for and the last one, where that is known. */
static bool fits_offset(const Field *field, int k, const Expr *e)
{
  int64_t origin = e->value.i, total = field->snode->total[field->axes[k]], last;
  if ((e->type == TY(U64) && origin < 0) || origin > LARGEST_OFFSET ||
      origin < -LARGEST_OFFSET)
    return false;
  return total < 1 || !__builtin_add_overflow(origin, total - 1, &last);
}

static void check_offset(Check *c, Field *field)
{
  bool is_counted = field->offset_count == field->axis_count;
  if (field->snode && !is_counted)
    diag(c->diag, DIAG_OFFSET_COUNT, field->offset[0]->loc, field->name,
         field->offset_count, field->offset_count == 1 ? "number" : "numbers",
         field->axis_count);
  for (int k = 0; k < field->offset_count; k++) {
    Expr *e = field->offset[k] = check_integer(c, field->offset[k], "an offset");
    if (!e->type || !field->snode || !is_counted)
      continue;
    if (!is_literal(e))
      fail_constant(c, e, "an offset");
    else if (fits_offset(field, k, e))
      field->origin[k] = e->value.i;
    else
      diag(c->diag, DIAG_OFFSET_RANGE, e->loc, field->name, 'i' + field->axes[k]);
  }
}

/* What it says is said of every index: each has an end. */
static void check_border(Check *c, const Field *field)
{
  if (field->axis_count == 0)
    diag(c->diag, DIAG_BORDER_ZERO, field->border_loc, field->name);
  for (int k = 0; k < field->axis_count; k++)
    if (field->snode->open_axes & 1u << field->axes[k]) {
      diag(c->diag, DIAG_BORDER_OPEN, field->border_loc, 'i' + field->axes[k], field->name);
      return;
    }
}

/* A mode says where all cells are: there is no SNode above whose cells may not be there. */
static void check_mode(Check *c, const Field *field)
{
  for (const SNode *node = field->snode; node->parent; node = node->parent)
    if (!kind_is(node->kind, KIND_DENSE)) {
      diag(c->diag, DIAG_MODE_SPARSE, field->mode_loc, field->name,
           field_mode_word[field->mode], node->name, snode_kind[node->kind].word);
      return;
    }
  if (field->mode == FIELD_MODE_virtual && field->axis_count == 0)
    diag(c->diag, DIAG_VIRTUAL_ZERO, field->mode_loc, field->name);
}

static void check_default(Check *c, Field *field)
{
  int count = type_count(field->type);
  field->init = check_stored(c, field->init, field->type);
  if (!field->init->type)
    return;
  field->defaults = NEW_ARRAY(c->arena, Value, count);
  if (!constant_elements(c, field->init, field->defaults))
    fail_constant(c, field->init, "the default of a field");
}

void check_fields(Check *c)
{
  for (int i = 0; i < c->program->field_count; i++) {
    Field *field = c->program->fields[i];
    if (field->init)
      check_default(c, field);
    if (field->snode)
      check_index_order(c, field);
    else if (!is_tainted(c, field->name) &&
             scope_find(c->scope, field->name)->kind == SYMBOL_FIELD)
      diag(c->diag, DIAG_NEVER_PLACED, field->loc, field->name);
    if (field->offset_count > 0)
      check_offset(c, field);
    if (field->border != BORDER_NONE && field->snode)
      check_border(c, field);
    if (field->mode != FIELD_MODE_NONE && field->snode)
      check_mode(c, field);
    check_derivatives(c, field);
  }
}
