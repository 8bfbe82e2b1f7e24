/* What an SNode or a statement tells by itself, whatever is live around it: beneath what asks which
 * statements are written, and what they need.
 */
#include "gen/emit/writer.h"

/* ---- SNodes ---- */

const SNodeKindInfo *runtime_kind(const IrSNode *n)
{
  int kind = 0;

  while (snode_kind[kind].cells != snode_kind[n->kind].cells)
    kind++;
  return &snode_kind[kind];
}

int own_axis(const IrSNode *n, int axis)
{
  for (int k = 0; k < n->axis_count; k++)
    if (n->axes[k].axis == axis)
      return k;
  return -1;
}

int axis_of_index(const IrSNode *n, int index)
{
  return own_axis(n, n->path_axes[index]);
}

int index_of_axis(const IrSNode *n, int axis)
{
  for (int k = 0; k < n->path_axis_count; k++)
    if (n->path_axes[k] == axis)
      return k;
  return -1;
}

int64_t own_extent(const IrSNode *n, int axis)
{
  const int own = own_axis(n, axis);

  return own < 0 ? 1 : n->axes[own].size;
}

bool is_top_of_axis(const IrSNode *n, int axis)
{
  return index_of_axis(n->parent, axis) < 0;
}

/* ---- statements ---- */

bool is_walked(const IrStmt *s)
{
  if (s->op != IR_cell)
    return false;
  return !ir_is_in_place(s->snode) ||
         (kind_is(s->snode->kind, KIND_MASKED) && s->mode != IR_MODE_READ);
}

Nullness nullness_of(const IrStmt *cell)
{
  if (is_walked(cell) && !kind_is(cell->snode->kind, KIND_MASKED))
    return cell->mode == IR_MODE_READ ? NULL_NEVER : NULL_MAYBE;
  return is_walked(cell) && cell->mode == IR_MODE_PEEK ? NULL_MAYBE : NULL_AS_PARENT;
}

bool can_be_null(const IrStmt *cell)
{
  Nullness nullness = NULL_AS_PARENT;

  for (; cell->op == IR_cell && nullness == NULL_AS_PARENT; cell = cell->operands[0])
    nullness = nullness_of(cell);
  return nullness == NULL_MAYBE;
}

/* Whether the row that the statement is of begins where one of the container does. */
static bool is_first_of_row(const IrStmt *s)
{
  return s->operand_count > 0 && s->operands[0]->op == IR_each_row && s->operands[0]->index == 0;
}

bool begins_row(const IrStmt *cell)
{
  const IrStmt *at = cell->op == IR_cell && cell->operand_count == 2 ? cell->operands[1] : NULL;
  const IrStmt *last = at && at->op == IR_linear && at->operand_count > 0
                           ? at->operands[at->operand_count - 1] : NULL;

  if (cell->op == IR_own_cell)
    return is_first_of_row(cell);
  if (at && at->op == IR_own_position)
    return is_first_of_row(at);
  return last && last->op == IR_const && last->value.i == 0;
}

bool is_only_digit(const IrStmt *s)
{
  return own_extent(s->snode, s->index) == 1 && !is_top_of_axis(s->snode, s->index);
}

const IrStmt *constant_of(const IrStmt *s)
{
  if (s->op == IR_spread)
    s = s->operands[0];
  return s->op == IR_const ? s : NULL;
}

bool shifts_by_number(const IrStmt *s)
{
  const bool is_shift = s->lanes > 0 && (s->op == IR_shl || s->op == IR_shr);
  const IrStmt *count = is_shift ? constant_of(s->operands[1]) : NULL;

  if ((s->op == IR_div || s->op == IR_mod) && s->plain)
    return true;
  return count && count->value.i >= 0 && count->value.i < s->type->bits;
}

/* A `staged` of what is added to the field: no load of it. */
bool is_staged_addition(const IrStmt *s)
{
  return ir_is(s, IR_STAGED) &&
         !(s->operands[0]->op == IR_load && s->operands[0]->field == s->field);
}

const IrStmt *cache_of(const IrStmt *staged)
{
  const IrBlock *body = staged->parent;

  while (body->owner->op != IR_offloaded)
    body = body->owner->parent;
  for (int k = 0; k < body->count; k++)
    if (body->stmts[k]->op == IR_cache && body->stmts[k]->field == staged->field &&
        body->stmts[k]->slot == staged->slot)
      return body->stmts[k];
  ICE("a staged load without its cache");
}

bool is_nearby(const Emit *e, const IrStmt *s)
{
  return e->staging == STAGING_THREAD ||
         (e->staging == STAGING_TEAM && cache_of(s)->function != NULL);
}

bool adds_nearby(const Emit *e, const IrStmt *s)
{
  return s->op == IR_cell_atomic && is_staged_addition(s->operands[1]) &&
         s->operands[1]->field == s->field && is_nearby(e, s->operands[1]);
}

/* ---- checks ---- */

/* The extent that index k of a check goes up to; 0: known at run time only. */
int64_t constant_limit(const IrStmt *s, int k)
{
  if (s->variable)
    return s->variable->extent_variable && s->variable->extent_variable[k]
               ? 0 : s->variable->extent_constant[k];
  return ir_snode(s)->total[s->field ? s->field->axes[k] : s->snode->path_axes[k]];
}

bool widens_narrow(const IrStmt *s)
{
  const IrStmt *from = s->operands[0];

  while (from->op == IR_cast && from->type->is_signed && type_is_integer(from->type))
    from = from->operands[0];
  return s->type->kind == TYPE_U32 && type_is_integer(from->type) && from->type->is_signed &&
         from->type->bits < 32;
}

int64_t check_origin(const IrStmt *s, int k)
{
  return s->field ? s->field->origin[k] : 0;
}

/* Where index k of a check has to stay below; 0: known at run time only. */
static int64_t constant_end(const IrStmt *s, int k, bool *is_known)
{
  *is_known = constant_limit(s, k) > 0;
  return check_origin(s, k) + constant_limit(s, k);
}

/* A pass notes in s->index which side of an index is known: bit 2k, that it is not
 * before the origin; bit 2k + 1, that it is below the limit. */
bool tests_origin(const IrStmt *s, int k)
{
  const IrStmt *index = s->operands[k];
  int64_t origin = check_origin(s, k);
  bool is_narrow = index->type->kind == TYPE_I32;

  if (s->index >> (2 * k) & 1)
    return false;
  return !(index->op == IR_const && index->value.i >= origin) &&
         !(is_narrow && origin <= INT32_MIN);
}

bool tests_limit(const IrStmt *s, int k)
{
  const IrStmt *index = s->operands[k];
  bool is_narrow = index->type->kind == TYPE_I32, is_known;
  int64_t end = constant_end(s, k, &is_known);

  if (s->index >> (2 * k) & 2)
    return false;
  return !(is_known && ((index->op == IR_const && index->value.i < end) ||
                        (is_narrow && end > INT32_MAX)));
}

bool needs_param(const Needs *needs, const IrVariable *v)
{
  for (int k = 0; k < needs->param_count; k++)
    if (needs->params[k] == v)
      return true;
  return false;
}
