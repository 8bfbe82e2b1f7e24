/* Which reads of a loop are those of a stencil, whose cells gather their adjoints (gather.c). */
#include "gen/derive/adjoint.h"

#include <string.h>

enum { MOST_GATHERED = 1500 };          /* statements that are put, about */

bool is_gatherable(const Reverse *r, const IrStmt *read)
{
  return map_get(&r->gathered, read) != NULL;
}

/* ---- which loops ---- */

int axis_of(const IrStmt *loop, int dimension)
{
  return loop->field ? loop->field->axes[dimension] : loop->snode->path_axes[dimension];
}

static const IrSNode *sparse_above(const IrSNode *n)
{
  while (n && !ir_is_sparse(n))
    n = n->parent;
  return n;
}

/* Whether both have the same cells, and those of one are there where those of the other are. */
static bool has_same_cells(const IrSNode *a, const IrSNode *b)
{
  if (a == b)
    return true;
  if (a->tree != b->tree || sparse_above(a) != sparse_above(b) ||
      a->path_axis_count != b->path_axis_count)
    return false;
  for (int k = 0; k < a->path_axis_count; k++) {
    int axis = a->path_axes[k];
    bool is_open = a->open_axes >> axis & 1;
    if (axis != b->path_axes[k] || (!is_open && a->total[axis] == 0) ||
        a->total[axis] != b->total[axis])
      return false;
  }
  return true;
}

/* Of each dimension of the loop how far from its own cell the access is. */
static bool find_offset(const IrStmt *access, const IrStmt *loop, int64_t *offset)
{
  const IrField *f = access->field;

  if (!has_same_cells(f->snode, ir_snode(loop)) || access->slot != loop->slot)
    return false;
  for (int k = 0; k < f->axis_count; k++) {
    int64_t plus;
    const IrStmt *index = ir_without_casts(ir_without_constant(access->operands[k], &plus));
    if (index->op != IR_loop_index || index->operands[0] != loop ||
        axis_of(loop, index->index) != f->axes[k])
      return false;
    offset[index->index] = plus - f->origin[k];
  }
  return true;
}

static bool is_own(const IrStmt *access, const IrStmt *loop)
{
  int64_t offset[MAX_AXES] = { 0 };

  if (!find_offset(access, loop, offset))
    return false;
  for (int d = 0; d < loop->variable_count; d++)
    if (offset[d] != 0)
      return false;
  return true;
}

static bool is_changed_in(IrStmt *loop, const IrField *f)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if ((s->op == IR_write || s->op == IR_atomic) && s->field == f)
      return true;
  return false;
}

/* The block of the `if` in which s stands; -1: in none. */
static int branch_of(const IrStmt *s, const IrStmt *branch)
{
  for (; s->parent->owner; s = s->parent->owner)
    if (s->parent->owner == branch)
      return s->parent == branch->blocks[1];
  return -1;
}

static bool exclude_each_other(const IrStmt *a, const IrStmt *b)
{
  for (const IrStmt *at = a->parent->owner; at; at = at->parent->owner) {
    const int other = at->op == IR_if ? branch_of(b, at) : -1;
    if (other >= 0 && other != branch_of(a, at))
      return true;
  }
  return false;
}

/* Whether s is assigned over: what it has begun has no adjoint then, which cells that gather, and
 * set to zero behind all, would not see. */
static bool is_overwritten(const IrStmt *s, IrStmt *loop)
{
  for (IrStmt *other = loop; other; other = ir_next_in(other, loop))
    if (other->op == IR_write && other->field == s->field && other->id > s->id &&
        !exclude_each_other(s, other))
      return true;
  return false;
}

/* What begins an adjoint in the loop is that of its own cell; what does not is in the way. */
static bool is_in_the_way(const Reverse *r, IrStmt *loop, IrStmt *s)
{
  switch (s->op) {
  case IR_write: case IR_atomic:
    return s->field->grad && (!is_own(s, loop) || is_overwritten(s, loop));
  case IR_read:
    return s->field->grad && is_changed_in(loop, s->field);
  case IR_update:
    return r->goes_back[s->id];
  default:
    return r->goes_back[s->id] && s != loop && ir_is(s, IR_LOOPS);
  }
}

static int note_gathered(Reverse *r, IrStmt *loop)
{
  int count = 0;

  for (IrStmt *s = loop; s; s = ir_next_in(s, loop)) {
    int64_t offset[MAX_AXES] = { 0 };
    if (s->op != IR_read || !r->goes_back[s->id] || !s->field->grad ||
        (s->field->border != BORDER_NONE && s->field->border != BORDER_DEFAULT) ||
        !find_offset(s, loop, offset))
      continue;
    map_put(&r->gathered, s, s);
    count += !is_own(s, loop);
  }
  return count;
}

static void forget_gathered(Reverse *r, IrStmt *loop)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if (is_gatherable(r, s))
      map_put(&r->gathered, s, NULL);
}

/* ---- the offsets ---- */

bool is_far_from_border(const Reverse *r, IrStmt *loop, int dimension, int64_t offset)
{
  const IrBlock *body = loop->blocks[0];

  if (r->module->bounds == IR_BOUNDS_ZERO)
    return false;
  for (int k = 0; k < body->count; k++) {
    const IrStmt *s = body->stmts[k];
    int64_t by[MAX_AXES] = { 0 };
    if (s->op == IR_read && s->field->border == BORDER_NONE && find_offset(s, loop, by) &&
        (offset > 0 ? by[dimension] <= -offset : by[dimension] >= -offset))
      return true;
  }
  return false;
}

static void note_offset(Offsets *o, const Offset *offset)
{
  for (int k = 0; k < o->count; k++)
    if (memcmp(&o->offset[k], offset, sizeof *offset) == 0)
      return;
  vec_push(o->arena, o->offset, o->count, *offset);
}

Offsets offsets_of(Reverse *r, IrStmt *loop)
{
  Offsets o = { .arena = r->module->arena };

  for (IrStmt *s = loop; s; s = ir_next_in(s, loop)) {
    Offset offset = { { 0 } };
    if (is_gatherable(r, s) && find_offset(s, loop, offset.by))
      note_offset(&o, &offset);
  }
  return o;
}

static int count_going_back(const Reverse *r, IrStmt *loop)
{
  int count = 0;

  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    count += r->goes_back[s->id] || r->needed[s->id];
  return count;
}

/* Whether there is an adjoint that iterations would begin with. */
static bool assigns(IrStmt *loop)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if ((s->op == IR_write || s->op == IR_atomic) && s->field->grad)
      return true;
  return false;
}

bool find_gathered(Reverse *r, IrStmt *loop)
{
  bool found = loop->op == IR_foreach_node && !loop->manner.is_serial && assigns(loop);

  for (IrStmt *s = loop; s && found; s = ir_next_in(s, loop))
    found = !is_in_the_way(r, loop, s);
  if (!found)
    return false;
  found = note_gathered(r, loop) > 0 &&
          offsets_of(r, loop).count * count_going_back(r, loop) <= MOST_GATHERED;
  if (!found)
    forget_gathered(r, loop);
  return found;
}

/* ---- while they are gathered ---- */

bool is_at_offset(const Reverse *r, const IrStmt *read)
{
  int64_t offset[MAX_AXES] = { 0 };

  return is_gatherable(r, read) && find_offset(read, r->unit, offset) &&
         memcmp(offset, r->offset, sizeof offset) == 0;
}

void add_to_gathered(Reverse *r, const IrField *f, IrStmt *by, Maker *make)
{
  IrVariable *sum = map_get(&r->sums, f);

  put_set(make, sum, put_binary(make, IR_add, put_get(make, sum), by));
}
