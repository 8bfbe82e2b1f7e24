/* An assignment to all cells of a field, as the program has it.
 *
 * Needs: the module as written.
 */
#include "gen/passes/mode_tools.h"

IrStmt *statement_in(const IrBlock *block, const IrStmt *s)
{
  for (; s; s = s->parent ? s->parent->owner : NULL)
    if (s->parent == block)
      return (IrStmt *)(uintptr_t)s;
  return NULL;
}

static bool is_parallel_loop(const IrStmt *s)
{
  return s && ir_is(s, IR_FOREACH);
}

bool is_at_kernel_level(const IrStmt *s)
{
  for (const IrBlock *b = s->parent; b && b->owner; b = b->owner->parent)
    if (is_parallel_loop(b->owner))
      return false;
  return true;
}

/* ---- indices ---- */

/* Index k of the access as an index of the loop and a constant; false where it is none. */
static bool find_dimension(const IrStmt *loop, const IrStmt *access, int k, int *dimension,
                           int64_t *plus)
{
  const IrStmt *index = ir_without_casts(ir_without_constant(access->operands[k], plus));

  if (index->op != IR_loop_index || index->operands[0] != loop)
    return false;
  *dimension = index->index;
  return true;
}

/* The axis that dimension d of a loop over cells counts. */
static int looped_axis(const IrStmt *loop, int d)
{
  return loop->field ? loop->field->axes[d] : loop->snode->path_axes[d];
}

static const IrSNode *looped_snode(const IrStmt *loop)
{
  return loop->field ? loop->field->snode : loop->snode;
}

/* Over cells that are all there, and as many as the field's. */
static bool goes_over_cells(const IrStmt *loop, const IrStmt *write)
{
  const IrSNode *looped = looped_snode(loop), *own = write->field->snode;

  for (const IrSNode *n = looped; n; n = n->parent)
    if (ir_is_sparse(n))
      return false;
  if (looped == own && loop->slot == write->slot)
    return true;
  for (int axis = 0; axis < MAX_AXES; axis++)
    if (looped->total[axis] == 0 || looped->total[axis] != own->total[axis])
      return false;
  return true;
}

static bool is_known(const IrStmt *bound, int64_t value)
{
  return is_const(bound) && bound->value.i == value;
}

/* Dimension d begins where the field does and ends there. */
static bool goes_over_range(const Cover *c, int k)
{
  const IrField *f = c->write->field;
  const int64_t first = f->origin[k] - c->plus[k], total = f->snode->total[f->axes[k]];
  IrStmt *const *bounds = &c->loop->operands[2 * c->dimension[k]];

  return total > 0 && is_known(bounds[0], first) && is_known(bounds[1], first + total);
}

static const char *check_dimensions(const Cover *c)
{
  static const char not_all[] = "it is assigned in a loop that does not go over all its cells";
  static const char elsewhere[] = "it is assigned here at other cells than the loop stands on";
  const IrField *f = c->write->field;

  if (c->loop->op == IR_foreach_node && !goes_over_cells(c->loop, c->write))
    return not_all;
  for (int k = 0; k < f->axis_count; k++) {
    if (c->loop->op == IR_foreach_range && !goes_over_range(c, k))
      return not_all;
    if (c->loop->op == IR_foreach_node &&
        (looped_axis(c->loop, c->dimension[k]) != f->axes[k] || c->plus[k] != f->origin[k]))
      return elsewhere;
  }
  return NULL;
}

static const char *find_dimensions(Cover *c)
{
  const IrField *f = c->write->field;
  unsigned used = 0;

  for (int k = 0; k < f->axis_count; k++) {
    if (!find_dimension(c->loop, c->write, k, &c->dimension[k], &c->plus[k]) ||
        used >> c->dimension[k] & 1)
      return "it is assigned here at other indices than the loop's variables, each once";
    used |= 1u << c->dimension[k];
  }
  if (c->loop->variable_count != f->axis_count)
    return "it is assigned in a loop with other variables beside its indices";
  return check_dimensions(c);
}

/* ---- the place ---- */

static const IrStmt *loop_around(const IrStmt *s)
{
  for (const IrBlock *b = s->parent; b && b->owner; b = b->owner->parent)
    if (ir_is(b->owner, IR_LOOPS | IR_FOREACH))
      return b->owner;
  return NULL;
}

static bool may_end_before(const Cover *c)
{
  const IrBlock *body = c->loop->blocks[0];

  for (IrStmt *s = ir_first(body); s && s != c->write; s = ir_next(s, body))
    if (s->op == IR_continue && loop_around(s) == c->loop)
      return true;
  return false;
}

const char *find_cover(IrStmt *write, Cover *c)
{
  IrStmt *owner = write->parent->owner, *loop = owner;

  while (loop && !is_parallel_loop(loop))
    loop = loop->parent->owner;
  if (!loop)
    return "it is assigned here, in no foreach";
  if (loop != owner)
    return "it is assigned here under a condition, or in a loop in the foreach";
  *c = (Cover){ .write = write, .loop = loop };
  if (may_end_before(c))
    return "it is assigned here behind what may end the iteration";
  return find_dimensions(c);
}

bool is_own_access(const Cover *c, const IrStmt *access)
{
  for (int k = 0; k < c->write->field->axis_count; k++) {
    int dimension;
    int64_t plus;
    if (access->operands[k] != c->write->operands[k] &&
        (!find_dimension(c->loop, access, k, &dimension, &plus) ||
         dimension != c->dimension[k] || plus != c->plus[k]))
      return false;
  }
  return true;
}
