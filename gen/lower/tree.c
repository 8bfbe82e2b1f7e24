/* Trees: the same shape, free of the syntax tree. */
#include "gen/lower/scope.h"

#include <inttypes.h>
#include <stddef.h>

/* ---- extents given at creation, as C over the parameters' names ---- */

/* False for what an extent may not hold (yet). */
static bool write_extent(Text *out, const Expr *e)
{
  switch (e->kind) {
  case EXPR_LITERAL:
    text_format(out, "%" PRId64, e->value.i);
    return true;
  case EXPR_VARIABLE:
    text_add(out, e->variable->name);
    return true;
  case EXPR_CAST:
    return type_is_integer(e->type) && write_extent(out, e->a);
  case EXPR_BINARY:
    if (e->op < OP_ADD || e->op > OP_SHR)
      return false;
    text_add(out, "(");
    if (!write_extent(out, e->a))
      return false;
    text_format(out, " %s ", operator_sign[e->op]);
    if (!write_extent(out, e->b))
      return false;
    text_add(out, ")");
    return true;
  default:
    return false;
  }
}

static int param_position(const Tree *tree, const Variable *v)
{
  for (int k = 0; k < tree->param_count; k++)
    if (tree->params[k] == v)
      return k;
  ICE("extent '%s' is no parameter of tree '%s'", v->name, tree->name);
}

static void lower_extent(Lowering *l, const Tree *tree, const Axis *from,
                         IrAxis *to)
{
  const Expr *e = from->extent;
  Text text = { 0 };

  to->axis = from->axis;
  to->size = from->size;
  to->param = -1;
  if (from->size > 0)
    return;
  while (e->kind == EXPR_CAST && type_is_integer(e->type))
    e = e->a;
  if (e->kind == EXPR_VARIABLE) {
    to->param = param_position(tree, e->variable);
    return;
  }
  if (write_extent(&text, e))
    to->text = intern(l->module->arena, text.data, text.length);
  else
    diag(l->diag, DIAG_NOT_BUILT, from->loc, "an extent of this form");
  text_free(&text);
}

/* ---- SNodes and fields ---- */

static IrSNode *lower_snode(Lowering *l, IrTree *tree, const SNode *from)
{
  Arena *arena = l->module->arena;
  IrSNode *s = NEW(arena, IrSNode);

  s->kind = from->kind;
  s->name = from->name;
  s->id = from->id;
  s->depth = from->depth;
  s->tree = tree;
  s->doc = from->doc;
  s->loc = from->loc;
  s->axis_count = from->axis_count;
  s->open_axes = from->open_axes;
  s->chunk = from->chunk_cells;
  for (int k = 0; k < from->axis_count; k++)
    lower_extent(l, from->tree, &from->axes[k], &s->axes[k]);
  for (int axis = 0; axis < MAX_AXES; axis++) {
    s->total[axis] = from->total[axis];
    if (from->axes_mask >> axis & 1)
      s->path_axes[s->path_axis_count++] = axis;
  }
  if (from->parent) {
    s->parent = tree->snodes[from->parent->id];
    vec_push(arena, s->parent->children, s->parent->child_count, s);
  }
  return s;
}

/* Element k of it, or it itself. */
static IrField *lower_element(Lowering *l, IrTree *tree, const Field *from, int k)
{
  IrField *f = NEW(l->module->arena, IrField);

  f->name = element_name(l, from->name, from->type, k);
  f->type = type_at(from->type, k);
  f->of = type_if_struct(from->type);
  if (from->defaults)
    f->default_value = from->defaults[k];
  f->snode = tree->snodes[from->snode->id];
  f->id = from->mode == FIELD_MODE_virtual ? tree->virtual_count : tree->field_count;
  f->axis_count = from->axis_count;
  f->border = from->border;
  f->mode = from->mode;
  f->mode_loc = from->mode_loc;
  for (int axis = 0; axis < from->axis_count; axis++) {
    f->axes[axis] = from->axes[axis];
    f->origin[axis] = from->origin[axis];
  }
  f->doc = from->doc;
  f->loc = from->loc;
  return f;
}

static void lower_one_field(Lowering *l, IrTree *tree, const Field *from)
{
  Arena *arena = l->module->arena;

  for (int k = 0; k < type_count(from->type); k++) {
    IrField *f = lower_element(l, tree, from, k);
    if (from->mode == FIELD_MODE_virtual) {
      vec_push(arena, tree->virtuals, tree->virtual_count, f);
      continue;
    }
    vec_push(arena, tree->fields, tree->field_count, f);
    vec_push(arena, f->snode->fields, f->snode->field_count, f);
  }
}

/* Whether the cells hold several containers of about one size, and nothing else: then to split them
 * costs no memory. */
static bool holds_alike(const IrSNode *n)
{
  int64_t least = INT64_MAX, most = 0;

  for (int k = 0; k < n->child_count; k++) {
    const IrSNode *child = n->children[k];
    const int64_t bytes = ir_is_in_place(child) ? ir_cells(child) * ir_field_bytes(child) : 0;
    least = bytes < least ? bytes : least;
    most = bytes > most ? bytes : most;
  }
  return ir_is_allocated(n) && n->field_count == 0 && least >= IR_SMALL_CONTAINER &&
         least >= most - most / 8;
}

/* Virtual fields have no arrays. A container with one axis is one row. */
static void lower_arrays(const SNode *from, IrSNode *n)
{
  n->is_soa = from->is_soa && n->field_count > 0;
  n->is_soa_by_row = n->is_soa && from->is_soa_by_row && n->axis_count > 1;
  n->is_split = n->child_count > 1 && (from->is_split || holds_alike(n));
}

static IrTree *lower_tree(Lowering *l, const Tree *from)
{
  Arena *arena = l->module->arena;
  IrTree *t = NEW(arena, IrTree);
  int types = 0;

  t->name = from->name;
  t->id = from->id;
  t->doc = from->doc;
  if (from->loc.file > 0)
    t->prefix = l->program->sources[from->loc.file]->stem;
  for (int k = 0; k < from->param_count; k++) {
    vec_push(arena, t->param_names, t->param_count, from->params[k]->name);
    vec_push(arena, t->param_types, types, from->params[k]->type);
  }
  for (int k = 0; k < from->snode_count; k++)
    vec_push(arena, t->snodes, t->snode_count,
             lower_snode(l, t, from->snodes[k]));
  for (int k = 0; k < from->field_count; k++)
    if (from->fields[k]->mode != FIELD_MODE_local)
      lower_one_field(l, t, from->fields[k]);
  for (int k = 0; k < from->field_count; k++)
    if (from->fields[k]->mode == FIELD_MODE_local)
      lower_one_field(l, t, from->fields[k]);
  for (int k = 0; k < from->snode_count; k++)
    lower_arrays(from->snodes[k], t->snodes[k]);
  ir_label_tree(arena, t);
  return t;
}

/* Element by element. */
static void link_derivatives(Lowering *l, const Field *from)
{
  for (int k = 0; k < type_count(from->type); k++) {
    IrField *f = ir_field_element(lowered_field(l, from), k);
    if (from->grad)
      f->grad = ir_field_element(lowered_field(l, from->grad), k);
    if (from->dual)
      f->dual = ir_field_element(lowered_field(l, from->dual), k);
  }
}

void lower_trees(Lowering *l)
{
  IrModule *m = l->module;

  for (int k = 0; k < l->program->tree_count; k++) {
    const Tree *tree = l->program->trees[k];
    vec_push(m->arena, m->trees, m->tree_count, lower_tree(l, tree));
    for (int i = 0; i < tree->field_count; i++)
      if (tree->fields[i]->grad || tree->fields[i]->dual)
        link_derivatives(l, tree->fields[i]);
  }
}
