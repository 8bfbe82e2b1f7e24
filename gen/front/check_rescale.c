/* rescale(from, to, i, ...): the ancestor cell, or the first descendant cell, in other
 * numbers; of any two nodes or fields of one tree with the same axes.
 *
 * Axis by axis by the ratio of the total extents, which is known here: so what is left
 * is arithmetic on the indices.
 */
#include "gen/front/check.h"

/* ---- what is related ---- */

static bool has_index(Check *c, const Place *place, Loc loc)
{
  if (place->snode->axes_mask != 0)
    return true;
  diag(c->diag, DIAG_NOTHING_SPARSE, loc, place->name);
  return false;
}

static bool is_one_tree(Check *c, const Place *from, const Place *to, Loc loc)
{
  if (from->tree == to->tree)
    return true;
  diag(c->diag, DIAG_RESCALE_TREE, loc, from->name, from->tree->name, to->name, to->tree->name);
  return false;
}

/* The first axis that only one of them has. */
static bool has_same_axes(Check *c, const Place *from, const Place *to, Loc loc)
{
  unsigned differ = from->snode->axes_mask ^ to->snode->axes_mask;
  for (int axis = 0; axis < MAX_AXES; axis++)
    if (differ & 1u << axis) {
      bool is_of_from = from->snode->axes_mask & 1u << axis;
      diag(c->diag, DIAG_RESCALE_AXIS, loc, 'i' + axis, (is_of_from ? from : to)->name,
           (is_of_from ? to : from)->name);
      return false;
    }
  return true;
}

/* ---- the ratio ---- */

/* Where an extent given at creation stands: under the root. */
static const SNode *top_of(const SNode *node)
{
  while (node->parent->parent)
    node = node->parent;
  return node;
}

/* The cells on an axis for each one of the node under the root. */
static int64_t cells_below_top(const SNode *node, int axis)
{
  int64_t cells = 1;
  for (; node->parent->parent; node = node->parent)
    for (int i = 0; i < node->axis_count; i++)
      if (node->axes[i].axis == axis)
        cells *= node->axes[i].size;
  return cells;
}

static bool set_ratio(Check *c, const Place *from, const Place *to, int axis, Loc loc,
                      Rescaled *r)
{
  const SNode *a = from->snode, *b = to->snode;
  int64_t x = a->total[axis], y = b->total[axis];
  if ((a->open_axes ^ b->open_axes) & 1u << axis) {
    diag(c->diag, DIAG_RESCALE_OPEN, loc, 'i' + axis, from->name, to->name);
    return false;
  }
  if ((x == 0 || y == 0) && top_of(a) != top_of(b)) {
    diag(c->diag, DIAG_RESCALE_CREATION, loc, from->name, to->name, 'i' + axis);
    return false;
  }
  if (x == 0) {                        /* the same one stands in both */
    x = cells_below_top(a, axis);
    y = cells_below_top(b, axis);
  }
  if (x % y != 0 && y % x != 0) {
    diag(c->diag, DIAG_RESCALE_RATIO, loc, 'i' + axis, from->name, (long long)x, to->name,
         (long long)y);
    return false;
  }
  r->times = y > x ? y / x : 1;
  r->by = x > y ? x / y : 1;
  return true;
}

/* ---- indices ---- */

/* A field counts in its own order with its offset, a node in that of the axes from 0. */
typedef struct Counted {
  int axes[MAX_AXES], count;
  int64_t origin[MAX_AXES];
} Counted;

static Counted counted(const Place *place)
{
  Counted of = {0};
  of.count = node_axes(place->snode, of.axes);
  for (int k = 0; place->field && k < of.count; k++) {
    of.axes[k] = place->field->axes[k];
    of.origin[k] = place->field->origin[k];
  }
  return of;
}

static bool relate(Check *c, Expr *e, const Place *from, const Place *to, Loc loc)
{
  Counted given = counted(from), wanted = counted(to);
  e->rescaled = NEW_ARRAY(c->arena, Rescaled, wanted.count);
  for (int k = 0; k < wanted.count; k++) {
    Rescaled *r = &e->rescaled[k];
    while (given.axes[r->from] != wanted.axes[k])
      r->from++;
    r->minus = given.origin[r->from];
    r->plus = wanted.origin[k];
    if (!set_ratio(c, from, to, wanted.axes[k], loc, r))
      return false;
  }
  return true;
}

/* The widest type of the indices; NULL after a message. */
static const Type *widest_type(Check *c, Expr *e)
{
  Expr ***items = NEW_ARRAY(c->arena, Expr **, e->arg_count);
  for (int i = 0; i < e->arg_count; i++)
    items[i] = &e->args[i];
  return unify_elements(c, items, e->arg_count).type;
}

/* A hash's axis has no end: there the type is what the program counts in, as wide as it likes. */
static bool holds_result(Check *c, const Expr *e, const Type *type, const Place *to)
{
  Counted wanted = counted(to);
  for (int k = 0; k < wanted.count; k++) {
    int axis = wanted.axes[k];
    bool is_open = to->snode->open_axes & 1u << axis;
    if (is_open ? integer_fits(type, TY(I64), (Value){.i = wanted.origin[k]})
                : holds_extent(type, to->snode->total[axis], wanted.origin[k]))
      continue;
    diag(c->diag, DIAG_RESCALE_TYPE, e->loc, type->name, to->name, 'i' + axis);
    return false;
  }
  return true;
}

Expr *check_rescale(Check *c, Expr *e)
{
  Place from, to;
  if (e->arg_count < 2) {
    diag(c->diag, DIAG_EXPECTED_NODE, e->loc, e->name);
    return fail_expr(e);
  }
  Loc loc = e->args[1]->loc;
  if (!find_place(c, e->args[0], e->name, &from) || !find_place(c, e->args[1], e->name, &to) ||
      !has_index(c, &from, e->args[0]->loc) || !has_index(c, &to, loc) ||
      !is_one_tree(c, &from, &to, loc) || !has_same_axes(c, &from, &to, loc) ||
      !relate(c, e, &from, &to, loc))
    return fail_expr(e);
  int count = node_axes(from.snode, (int[MAX_AXES]){0});
  if (!check_indices(c, e->args + 2, e->arg_count - 2, from.name, e->args[0]->loc, count))
    return fail_expr(e);
  e->args += 2;
  e->arg_count -= 2;
  const Type *type = widest_type(c, e);
  if (!type || !holds_result(c, e, type, &to))
    return fail_expr(e);
  e->kind = EXPR_RESCALE;
  e->type = count > 1 ? type_vector(type, count) : type;
  use_slot(c, &e->tree_slot, &from, e->loc);
  return e;
}
