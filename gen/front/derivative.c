/* `with grad` and `with dual` of a field: the fields that hold its adjoint and its tangent.
 *
 * Each is a field like any other but that no name means it: the program says x.grad, x.dual and,
 * of a field with both, x.grad.dual for the tangent of its adjoint; C says x_grad and so on.  Its
 * cells are those of its field: it lies behind it, or where `place x.grad;` says, below the same
 * nodes whose cells can be inactive.  So what is active of one is active of the other.
 */
#include "gen/front/check.h"

#include <string.h>

const char *const derivative_suffix[4] = {"", "_grad", "_dual", "_grad_dual"};

/* ---- making them ---- */

/* NULL: all of it has a derivative. */
static const char *no_derivative(Check *c, const Type *type)
{
  if (!type_is_struct(type))
    return type_is_float(type_element(type))
               ? NULL
               : intern_format(c->arena, "%s is no floating-point type", type->name);
  const Struct *s = type_struct(type);
  for (int i = 0; i < s->member_count; i++)
    if (no_derivative(c, s->members[i].type))
      return intern_format(c->arena, "its member '%s' is %s, and all of them have to be floating "
                           "point", s->members[i].name, s->members[i].type->name);
  return NULL;
}

/* False after a message. */
static bool may_have_derivatives(Check *c, const Field *field)
{
  const char *problem = no_derivative(c, field->type);
  if (field->mode == FIELD_MODE_virtual)
    problem = "it is virtual, and has its derivative where it is computed: leave out the 'with'";
  else if (field->mode == FIELD_MODE_constant)
    problem = "it is constant, and nothing is added to what no kernel writes: leave out 'constant'";
  if (problem)
    diag(c->diag, DIAG_DERIVATIVE_FIELD, field->with.loc, field->name, problem);
  return !problem;
}

static Field *make_derivative(Check *c, Field *field, Derivative form)
{
  bool is_grad = form == DERIVE_GRAD;
  Field *made = NEW(c->arena, Field);
  *made = (Field){.loc = field->loc, .type = field->type, .border = field->border,
                  .border_loc = field->border_loc, .mode = field->mode,
                  .mode_loc = field->mode_loc, .primal = field};
  made->name = intern_format(c->arena, "%s%s", field->name, derivative_suffix[form]);
  made->shown = intern_format(c->arena, "%s.%s", field->shown, is_grad ? "grad" : "dual");
  made->doc = intern_format(c->arena, "The %s of %s.", is_grad ? "adjoint" : "tangent",
                            field->shown);
  return made;
}

static void make_of_field(Check *c, Field *field)
{
  unsigned forms = field->with.forms;
  if (!forms || !field->type || !may_have_derivatives(c, field))
    return;
  if (forms & DERIVE_GRAD)
    field->grad = make_derivative(c, field, DERIVE_GRAD);
  if (forms & DERIVE_DUAL)
    field->dual = make_derivative(c, field, DERIVE_DUAL);
  if (field->grad && field->dual)
    field->grad->dual = make_derivative(c, field->grad, DERIVE_DUAL);
}

/* ---- where they lie ---- */

static Field *part_of(const Field *field, const char *part)
{
  if (strcmp(part, "dual") == 0)
    return field->dual;
  return strcmp(part, "grad") == 0 || !field->grad ? field->grad : field->grad->dual;
}

/* A place by hand may stand before that of the field, or in a later tree. */
static void note_places(Check *c, const SNode *node)
{
  for (int i = 0; i < node->field_count; i++) {
    const Field *named = node->fields[i];
    const Symbol *symbol = scope_find_global(c->scope, named->name);
    bool is_part = named->part && symbol && symbol->kind == SYMBOL_FIELD;
    Field *part = is_part ? part_of(symbol->is.field, named->part) : NULL;
    if (part)
      part->is_placed_apart = true;
  }
  for (int i = 0; i < node->child_count; i++)
    note_places(c, node->children[i]);
}

void make_derivatives(Check *c)
{
  for (int i = 0; i < c->program->field_count; i++)
    make_of_field(c, c->program->fields[i]);
  for (int i = 0; i < c->program->tree_count; i++)
    note_places(c, c->program->trees[i]->root);
}

static const char *forms_needed(const char *part)
{
  return strcmp(part, "grad.dual") == 0 ? "grad, dual" : part;
}

static void fail_lacking(Check *c, const Field *field, const char *part, Loc loc)
{
  bool is_of_adjoint = strcmp(part, "grad.dual") == 0;
  if (field->with.forms & (strcmp(part, "dual") == 0 ? DERIVE_DUAL : DERIVE_GRAD) &&
      !field->grad && !field->dual)
    return;                            /* it cannot have them, which is reported */
  diag(c->diag, DIAG_NO_DERIVATIVE, loc, field->name,
       is_of_adjoint ? "adjoint with a tangent" : strcmp(part, "grad") == 0 ? "adjoint" : "tangent",
       forms_needed(part));
}

Field *derivative_placed(Check *c, Field *field, const Field *named)
{
  if (!named->part)
    return field;
  Field *part = part_of(field, named->part);
  if (!part)
    fail_lacking(c, field, named->part, named->loc);
  return part;
}

/* The nearest node from here up whose cells can be inactive, or the root. */
static const SNode *sparse_above(const SNode *node)
{
  while (node->parent && kind_is(node->kind, KIND_DENSE))
    node = node->parent;
  return node;
}

/* The axis' extent in the node directly under the root, where it is given at creation. */
static const Variable *extent_at_root(const SNode *node, int axis)
{
  while (node->parent && node->parent->parent)
    node = node->parent;
  for (int i = 0; i < node->axis_count; i++) {
    const Expr *e = node->axes[i].axis == axis ? node->axes[i].extent : NULL;
    while (e && e->kind == EXPR_CAST)
      e = e->a;
    if (e && e->kind == EXPR_VARIABLE)
      return e->variable;
  }
  return NULL;
}

static bool has_same_extents(const SNode *a, const SNode *b)
{
  for (int axis = 0; axis < MAX_AXES; axis++) {
    const Variable *extent = extent_at_root(a, axis);
    if (a->total[axis] != b->total[axis])
      return false;
    if (a->total[axis] == 0 && (!extent || extent != extent_at_root(b, axis)))
      return false;
  }
  return a->axes_mask == b->axes_mask;
}

static bool has_same_cells(const SNode *a, const SNode *b)
{
  return a == b || (sparse_above(a) == sparse_above(b) && has_same_extents(a, b));
}

/* Its indices are those of its field. */
static void check_derivative(Check *c, const Field *field, Field *part)
{
  if (!part || !part->snode || !field->snode)
    return;
  if (!has_same_cells(field->snode, part->snode)) {
    diag(c->diag, DIAG_DERIVATIVE_PLACE, part->placed, part->shown, field->shown);
    diag(c->diag, DIAG_PLACED_HERE, field->placed, field->shown);
  }
  part->axis_count = field->axis_count;
  memcpy(part->axes, field->axes, sizeof part->axes);
  memcpy(part->origin, field->origin, sizeof part->origin);
}

void check_derivatives(Check *c, const Field *field)
{
  check_derivative(c, field, field->grad);
  check_derivative(c, field, field->dual);
  if (field->grad)
    check_derivative(c, field->grad, field->grad->dual);
}

/* ---- their names in expressions ---- */

const Field *base_field(Check *c, const Expr *e)
{
  const Symbol *symbol = is_tree_member(c, e) ? scope_find_global(c->scope, e->name)
                                              : named_symbol(c, e);
  if (symbol)
    return symbol->kind == SYMBOL_FIELD ? symbol->is.field : NULL;
  return names_derivative(c, e) ? base_field(c, e->a) : NULL;
}

bool names_derivative(Check *c, const Expr *e)
{
  if (e->kind != EXPR_MEMBER || (strcmp(e->name, "grad") != 0 && strcmp(e->name, "dual") != 0))
    return false;
  const Field *field = base_field(c, e->a);
  if (!field || !field->type || field->axis_count > 0 || !type_is_struct(field->type))
    return field != NULL;
  return !struct_member(type_struct(field->type), e->name);
}

Field *derivative_of(Check *c, const Field *field, const Expr *member)
{
  bool is_grad = strcmp(member->name, "grad") == 0;
  Field *part = is_grad ? field->grad : field->dual;
  if (part)
    return part;
  if (!field->primal)
    fail_lacking(c, field, member->name, member->loc);
  else if (!is_grad && field == field->primal->grad)
    fail_lacking(c, field->primal, "grad.dual", member->loc);
  else
    diag(c->diag, DIAG_NO_SECOND_DERIVATIVE, member->loc, field->shown, member->name);
  return NULL;
}
