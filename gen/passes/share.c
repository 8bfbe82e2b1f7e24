/* share: equal values and walks are computed once.
 *
 *   <f32> .. a walk, load u $22           the same
 *   check_bounds field u grid $13 $7      (gone: checked above)
 *   <cell> $31 = cell S1pointer ..   =>   (gone: uses take the walk above)
 *
 * Needs: the module lowered.
 * Guarantees: within a block, and from a block to those nested behind it, of
 * equal pure statements, `get`s, `inside`s and checks the first one is left; a
 * check does not test again what another has tested of one of its indices. A
 * walk that reads serves until something stands between that may activate a cell
 * of its SNode, or deactivate one on its path; one that activates serves reads
 * too, until something that may deactivate. Two slots of one tree type count as
 * one instance. A value that a `while` tests stays in its block.
 */
#include "gen/passes/tools.h"

enum { BUCKETS = 512 };

typedef struct Entry {
  IrStmt *stmt;
  int next;                   /* in its bucket, -1: none */
  int bucket;
  bool dead;                  /* something between may have changed it */
} Entry;

/* Entries that something may end, in order: so that each is ended once. */
typedef struct Live {
  int *entries;
  int count;
} Live;

typedef struct Share {
  IrModule *module;
  IrStmt **by;                /* by id: what a dropped value became */
  Entry *entries;
  int count;
  int heads[BUCKETS];
  Live gets, reads, activations, checks;
} Share;

/* ---- what is equal ---- */

static bool can_be_shared(const IrStmt *s)
{
  switch (s->op) {
  case IR_check_bounds: case IR_check_element: case IR_require: case IR_get: case IR_cell:
    return true;
  case IR_own_cell:                    /* there is only one */
  case IR_block: case IR_end_block:
    return false;
  default:
    return is_pure(s);
  }
}

/* What an activated cell answers, a walk that reads or asks may take as
 * well. */
static bool mode_serves(const IrStmt *first, const IrStmt *then)
{
  return first->op != IR_cell || first->mode == then->mode ||
         first->mode == IR_MODE_ACTIVATE;
}

/* What index k of a check is about: an axis, or an array's dimension. */
static int checked_axis(const IrStmt *s, int k)
{
  if (s->field)
    return s->field->axes[k];
  return s->snode ? s->snode->path_axes[k] : k;
}

/* Where index k of a check begins. */
static int64_t checked_origin(const IrStmt *s, int k)
{
  return s->field ? s->field->origin[k] : 0;
}

static bool same_bounds(const IrStmt *a, const IrStmt *b)
{
  const IrStmt *by_axis[MAX_AXES] = { NULL };
  int64_t origin[MAX_AXES] = { 0 };

  if (ir_snode(a) != ir_snode(b) || a->variable != b->variable ||
      a->slot != b->slot || a->operand_count != b->operand_count)
    return false;
  for (int k = 0; k < a->operand_count; k++) {
    by_axis[checked_axis(a, k)] = a->operands[k];
    origin[checked_axis(a, k)] = checked_origin(a, k);
  }
  for (int k = 0; k < b->operand_count; k++)
    if (by_axis[checked_axis(b, k)] != b->operands[k] ||
        origin[checked_axis(b, k)] != checked_origin(b, k))
      return false;
  return true;
}

static bool is_equal(const IrStmt *a, const IrStmt *b)
{
  if (a->op == b->op && (a->op == IR_check_bounds || a->op == IR_inside))
    return same_bounds(a, b);
  if (a->op == IR_check_element && b->op == IR_check_element)   /* of the same vector or another */
    return a->operands[0] == b->operands[0] && a->index <= b->index;
  if (!is_same_operation(a, b) || !mode_serves(a, b))
    return false;
  for (int k = 0; k < a->operand_count; k++)
    if (a->operands[k] != b->operands[k])
      return false;
  return true;
}

static int bucket_of(const IrStmt *s)
{
  return (int)((hash_operation(s) >> 1) % BUCKETS);
}

/* ---- what is at hand ---- */

static IrStmt *find_equal(const Share *share, const IrStmt *s)
{
  for (int k = share->heads[bucket_of(s)]; k >= 0; k = share->entries[k].next)
    if (!share->entries[k].dead && is_equal(share->entries[k].stmt, s))
      return share->entries[k].stmt;
  return NULL;
}

/* Of what can end; NULL: nothing ends it. */
static Live *live_of(Share *share, const IrStmt *s)
{
  if (s->op == IR_get)
    return &share->gets;
  if (s->op == IR_check_bounds)
    return &share->checks;
  if (s->op != IR_cell)
    return NULL;
  return s->mode == IR_MODE_ACTIVATE ? &share->activations : &share->reads;
}

static void remember(Share *share, IrStmt *s)
{
  Entry e = { s, 0, bucket_of(s), false };
  Live *live = live_of(share, s);

  if (live)
    vec_push(share->module->arena, live->entries, live->count, share->count);
  e.next = share->heads[e.bucket];
  share->heads[e.bucket] = share->count;
  vec_push(share->module->arena, share->entries, share->count, e);
}

static void forget_live(Live *live, int count)
{
  while (live->count > 0 && live->entries[live->count - 1] >= count)
    live->count--;
}

static void forget_to(Share *share, int count)
{
  while (share->count > count) {
    const Entry *e = &share->entries[--share->count];
    share->heads[e->bucket] = e->next;
  }
  forget_live(&share->gets, count);
  forget_live(&share->reads, count);
  forget_live(&share->activations, count);
  forget_live(&share->checks, count);
}

/* ---- what ends it ---- */

/* Cells of the SNode, and of those below it. */
static void end_cells(Share *share, Live *live, const IrSNode *snode,
                      bool and_below)
{
  int kept = 0;

  for (int k = 0; k < live->count; k++) {
    Entry *e = &share->entries[live->entries[k]];
    if (e->stmt->snode == snode ||
        (and_below && is_above(snode, e->stmt->snode)))
      e->dead = true;
    else
      live->entries[kept++] = live->entries[k];
  }
  live->count = kept;
}

/* What is below a cell that was released went with it. */
static void forget_released(Share *share, const IrSNode *snode)
{
  end_cells(share, &share->reads, snode, true);
  end_cells(share, &share->activations, snode, true);
}

/* What is below a cell that was activated is found through that cell anew. */
static void forget_activated(Share *share, const IrSNode *snode)
{
  end_cells(share, &share->reads, snode, false);
}

static void forget_variable(Share *share, const IrVariable *v)
{
  Live *live = &share->gets;
  int kept = 0;

  for (int k = 0; k < live->count; k++) {
    Entry *e = &share->entries[live->entries[k]];
    if (e->stmt->variable == v)
      e->dead = true;
    else
      live->entries[kept++] = live->entries[k];
  }
  live->count = kept;
}

static void forget_changed(Share *share, const IrStmt *s, const IrSNode *snode)
{
  if (ir_is(s, IR_DEACTIVATES))
    forget_released(share, snode);
  else
    forget_activated(share, snode);
}

static void forget_by_call(Share *share, const IrFunction *f)
{
  Changes c = changes_of(share->module->arena, f->body);

  while (next_change(&c))
    forget_changed(share, c.stmt, c.snode);
}

/* The effects of one statement, those of its blocks apart. */
static void forget_by(Share *share, const IrStmt *s)
{
  if (ir_changes(s, IR_OF_LOCAL))
    forget_variable(share, s->variable);
  else if (ir_is(s, IR_DEACTIVATES) || ir_activates(s))
    forget_changed(share, s, s->snode);
  else if (s->op == IR_call)
    forget_by_call(share, s->function);
}

/* A later turn comes after all that an earlier one did. */
static void forget_by_turns(Share *share, IrStmt *loop)
{
  for (IrStmt *s = ir_next_in(loop, loop); s; s = ir_next_in(s, loop))
    forget_by(share, s);
}

/* ---- checks that were made in part ---- */

/* How far index k of a check may go; 0: known at run time only. */
static int64_t checked_extent(const IrStmt *s, int k)
{
  const IrVariable *array = s->variable;

  if (!array)
    return ir_snode(s)->total[checked_axis(s, k)];
  return array->extent_variable && array->extent_variable[k]
             ? 0 : array->extent_constant[k];
}

/* Whether the check has tested this index against the same limits. */
static bool has_tested(const IrStmt *check, const IrStmt *index, int64_t origin,
                       int64_t extent)
{
  for (int k = 0; k < check->operand_count; k++)
    if (check->operands[k] == index && checked_origin(check, k) == origin &&
        checked_extent(check, k) == extent)
      return true;
  return false;
}

static void note_tested(Share *share, IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    int64_t origin = checked_origin(s, k), extent = checked_extent(s, k);
    for (int c = 0; extent > 0 && c < share->checks.count; c++)
      if (has_tested(share->entries[share->checks.entries[c]].stmt,
                     s->operands[k], origin, extent))
        s->index |= 3 << (2 * k);
  }
}

static bool is_all_tested(const IrStmt *s)
{
  return s->index == (1 << (2 * s->operand_count)) - 1;
}

/* ---- the walk over a function ---- */

static bool is_tested(const IrStmt *s)
{
  const IrStmt *owner = s->parent->owner;

  return owner && owner->op == IR_while && owner->operands[0] == s;
}

static void share_block(Share *share, IrBlock *block);

static void share_blocks(Share *share, IrStmt *s)
{
  if (ir_is(s, IR_LOOPS))
    forget_by_turns(share, s);
  for (int b = 0; b < IR_BLOCKS; b++)
    if (s->blocks[b]) {
      int before = share->count;
      share_block(share, s->blocks[b]);
      forget_to(share, before);
    }
}

/* Whether s stays. */
static bool share_stmt(Share *share, IrStmt *s)
{
  IrStmt *equal;

  replace_operands(s, share->by);
  if (can_be_shared(s) && !is_tested(s)) {
    equal = find_equal(share, s);
    if (equal) {
      share->by[s->id] = equal;
      return false;
    }
    if (s->op == IR_check_bounds) {
      note_tested(share, s);
      if (is_all_tested(s))
        return false;
    }
    forget_by(share, s);
    remember(share, s);
    return true;
  }
  forget_by(share, s);
  share_blocks(share, s);
  return true;
}

static void share_block(Share *share, IrBlock *block)
{
  int kept = 0;

  for (int k = 0; k < block->count; k++) {
    IrStmt *s = block->stmts[k];
    if (share_stmt(share, s))
      block->stmts[kept++] = s;
  }
  block->count = kept;
}

static void share_body(IrModule *m, IrBlock *body, IrStmt **by)
{
  Share share = { .module = m, .by = by };

  for (int k = 0; k < BUCKETS; k++)
    share.heads[k] = -1;
  share_block(&share, body);
}

/* Tasks share nothing with each other, nor with what the host tests between them. */
static void share_function(IrModule *m, IrFunction *f)
{
  IrStmt **by = NEW_ARRAY(m->arena, IrStmt *, give_ids(f) + 1);
  IrTasks t = { NULL, 0 };

  if (f->is_kernel)
    t = ir_tasks(m->arena, f);
  else
    share_body(m, f->body, by);
  for (int k = 0; k < t.count; k++)
    if (t.tasks[k]->blocks[0])
      share_body(m, t.tasks[k]->blocks[0], by);
}

void pass_share(IrModule *m)
{
  for_each_function(m, share_function);
}
