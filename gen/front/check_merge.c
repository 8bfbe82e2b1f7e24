/* p.merge: the version of field p that another queue has sent to this queue's merge buffer.
 *
 * To a kernel it is one more instance of p's tree, of which it reads p alone: a slot behind
 * those of the trees that are named without a parameter, under the name p_merge.  There is
 * one at most.
 */
#include "gen/front/check.h"

#include <string.h>

static Field *field_of(Check *c, const Expr *e)
{
  const Symbol *symbol = e->kind == EXPR_NAME && !e->type ? scope_find(c->scope, e->name) : NULL;
  return symbol && symbol->kind == SYMBOL_FIELD ? symbol->is.field : NULL;
}

bool names_merge(Check *c, const Expr *e)
{
  if (e->kind != EXPR_MEMBER || strcmp(e->name, "merge") != 0)
    return false;
  const Field *field = field_of(c, e->a);
  if (!field || !field->type || field->axis_count > 0 || !type_is_struct(field->type))
    return field != NULL;
  return !struct_member(type_struct(field->type), "merge");
}

/* The nearest node above the field's cells that can be inactive; NULL: there is none. */
static const SNode *sparse_above(const Field *field)
{
  const SNode *n = field->snode;
  while (n && (n->kind == SNODE_ROOT || kind_is(n->kind, KIND_DENSE)))
    n = n->parent;
  return n;
}

/* The merge buffer as an instance; NULL after a message. */
static Variable *buffer_of(Check *c, Field *field, Loc loc)
{
  FunctionInfo *info = c->info;
  if (info->merge && info->merge->merge != field) {
    diag(c->diag, DIAG_MERGE_TWICE, loc, field->name, info->merge->merge->name);
    diag(c->diag, DIAG_MERGE_FIRST, info->merge->loc, info->merge->merge->name);
    return NULL;
  }
  if (!info->merge) {
    info->merge = NEW(c->arena, Variable);
    info->merge->kind = VARIABLE_TREE;
    info->merge->name = intern_format(c->arena, "%s_merge", field->name);
    info->merge->loc = loc;
    info->merge->tree = field->snode->tree;
    info->merge->merge = field;
  }
  return info->merge;
}

Expr *check_merge(Check *c, Expr *e, const Expr *member)
{
  Field *field = field_of(c, member->a);
  const SNode *sparse = sparse_above(field);
  if (!field->snode)
    return fail_expr(e);               /* placed nowhere, which is reported */
  if (!c->info->function->is_kernel) {
    diag(c->diag, DIAG_MERGE_FUNC, member->loc, field->name);
    return fail_expr(e);
  }
  if (sparse) {
    diag(c->diag, DIAG_MERGE_SPARSE, member->loc, field->name, sparse->name,
         snode_kind[sparse->kind].word);
    return fail_expr(e);
  }
  if (field->mode == FIELD_MODE_virtual || field->mode == FIELD_MODE_local) {
    diag(c->diag, DIAG_MERGE_MODE, member->loc, field->name, field_mode_word[field->mode]);
    return fail_expr(e);
  }
  Variable *buffer = buffer_of(c, field, member->loc);
  if (!buffer)
    return fail_expr(e);
  Place place = {field->snode->tree, field->snode, field, buffer, field->name};
  return use_field(c, e, &place);
}
