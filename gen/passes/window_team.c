/* What the teams of a device stage of a loop over the lists of leaves: of the fields that [[cache]]
 * names the leaf and its halo.
 *
 *   cache m g        =>     cache m g element p2g_near_m $40 $41       from 0 to 2
 *
 * The halo is what boxes reach that begin in the leaf, or what is told: cache(m: 2).  A box that
 * lies in leaf and halo lies in the team's memory, wherever it begins; any other goes to the tree,
 * and so do boxes without [[cache]].  Fields are staged in the order of their names in the program,
 * as long as they fit.
 */
#include "gen/ir/finding.h"
#include "gen/passes/stage.h"
#include "gen/passes/windows.h"

typedef struct Halo {
  int64_t lo[MAX_AXES], hi[MAX_AXES];
} Halo;

/* ---- which boxes ---- */

/* What a team has added to makes cells active. */
static bool is_of(const Box *box, const IrStmt *cache)
{
  return !box->why && box->is_at_once && !box->leaves_inactive && box->slot == cache->slot &&
         box->snode == cache->field->snode;
}

static const Box *box_of_cache(const Boxes *b, const IrStmt *cache)
{
  for (int k = 0; k < b->count; k++)
    if (is_of(&b->boxes[k], cache) &&
        is_among(b->boxes[k].field, b->boxes[k].field_count, cache->field))
      return &b->boxes[k];
  return NULL;
}

/* ---- the leaf and its halo ---- */

/* Cells of the SNode on the k-th axis of its path for one of the loop's leaves; 0: leaves are not
 * where its blocks begin and end. */
static int64_t leaf_extent(const IrSNode *looped, const IrSNode *n, int k)
{
  const int axis = n->path_axes[k];
  const int64_t leaves = looped->parent->total[axis];

  return leaves > 0 && n->total[axis] % leaves == 0 ? n->total[axis] / leaves : 0;
}

static bool has_leaves(const IrSNode *looped, const IrSNode *n)
{
  if (n->path_axis_count != looped->parent->path_axis_count)
    return false;
  for (int k = 0; k < n->path_axis_count; k++)
    if (n->path_axes[k] != looped->parent->path_axes[k] || leaf_extent(looped, n, k) == 0)
      return false;
  return true;
}

/* The largest that is told of the SNode's fields. */
static bool is_told(const Boxes *b, const IrStmt *cache, Halo *h)
{
  const int axes = cache->field->snode->path_axis_count;
  bool is_first = true;

  for (int k = 0; k < b->body->count; k++) {
    const IrStmt *s = b->body->stmts[k];
    if (s->op != IR_cache || s->operand_count == 0 || s->slot != cache->slot ||
        s->field->snode != cache->field->snode)
      continue;
    for (int a = 0; a < axes; a++) {
      const int64_t lo = s->operands[2 * a]->value.i, hi = s->operands[2 * a + 1]->value.i;
      h->lo[a] = is_first || lo < h->lo[a] ? lo : h->lo[a];
      h->hi[a] = is_first || hi > h->hi[a] ? hi : h->hi[a];
    }
    is_first = false;
  }
  return !is_first;
}

/* That of all boxes of the SNode: so its fields lie alike. */
static Halo halo_of(const Boxes *b, const IrStmt *cache)
{
  Halo h = { { 0 }, { 0 } };

  if (is_told(b, cache, &h))
    return h;
  for (int a = 0; a < cache->field->snode->path_axis_count; a++) {
    bool is_first = true;
    for (int k = 0; k < b->count; k++) {
      const Place *p = &b->boxes[k].axis[a];
      if (!is_of(&b->boxes[k], cache) || !p->base)
        continue;
      h.lo[a] = is_first || p->lo < h.lo[a] ? p->lo : h.lo[a];
      h.hi[a] = is_first || p->hi > h.hi[a] ? p->hi : h.hi[a];
      is_first = false;
    }
  }
  return h;
}

static int64_t staged_extent_of(const Boxes *b, const IrStmt *cache, const Halo *h, int a)
{
  return leaf_extent(b->task->snode, cache->field->snode, a) + h->hi[a] - h->lo[a];
}

/* As the pass stage has it (stage.c). */
static int64_t bytes_of(const Boxes *b, const IrStmt *cache, const Halo *h, bool is_added_to)
{
  int64_t bytes = type_bytes(cache->field->type) + is_added_to;

  for (int a = 0; a < cache->field->snode->path_axis_count; a++) {
    const int64_t extent = staged_extent_of(b, cache, h, a);
    if (extent > IR_TEAM_BYTES / bytes)
      return IR_TEAM_BYTES + 1;
    bytes *= extent;
  }
  return (bytes + 7) & ~(int64_t)7;
}

static bool lies_in(const Boxes *b, const Box *box, const IrStmt *cache, const Halo *h)
{
  for (int a = 0; a < box->snode->path_axis_count; a++)
    if (box->axis[a].hi - box->axis[a].lo >= staged_extent_of(b, cache, h, a))
      return false;
  return true;
}

static bool goes_into(const Boxes *b, const Box *box, const IrStmt *cache, const Halo *h)
{
  return is_of(box, cache) && is_among(box->field, box->field_count, cache->field) &&
         lies_in(b, box, cache, h);
}

static bool any_goes_into(const Boxes *b, const IrStmt *cache, const Halo *h)
{
  for (int k = 0; k < b->count; k++)
    if (goes_into(b, &b->boxes[k], cache, h))
      return true;
  return false;
}

/* ---- what is staged ---- */

static void stage(Boxes *b, IrStmt *cache, const Halo *h, const Box *any)
{
  Maker make = make_before(b->module, cache);

  cache->index = any->is_added_to ? IR_CACHED_ADDED : IR_CACHED_READ;
  cache->operand_count = 0;
  for (int a = 0; a < any->snode->path_axis_count; a++) {
    ir_add_operand(b->module, cache, make_const(&make, TY(I64), h->lo[a]));
    ir_add_operand(b->module, cache, make_const(&make, TY(I64), h->hi[a]));
  }
  cache->function = stage_element(b->module, b->function, cache, any->accesses[0].stmt);
  cache->slots = NEW_ARRAY(b->module->arena, int, 1);
  cache->slots[0] = cache->slot;
  for (int k = 0; k < b->count; k++) {
    Box *box = &b->boxes[k];
    if (goes_into(b, box, cache, h))
      box->held[box->held_count++] = cache->field;
  }
}

bool team_stages(Boxes *b)
{
  const IrSNode *looped = b->task->snode;
  IrStmt **caches = NULL;
  const int before = b->body->count;
  int64_t bytes = 0;
  int count = 0;
  bool any = false;

  for (int k = 0; k < b->count; k++)
    b->boxes[k].held_count = 0;
  for (int k = 0; k < b->body->count; k++)
    if (b->body->stmts[k]->op == IR_cache)
      vec_push(b->module->arena, caches, count, b->body->stmts[k]);
  for (int k = 0; k < count; k++) {
    const Box *box = box_of_cache(b, caches[k]);
    const Halo h = halo_of(b, caches[k]);
    const bool fits = box && has_leaves(looped, box->snode);
    const int64_t more = fits ? bytes_of(b, caches[k], &h, box->is_added_to) : 0;
    if (box && !fits)
      note_unstaged(b->module, caches[k], IR_UNSTAGED_TEAM, caches[k]->loc,
                    "its cells are not cut by the leaves that the lists stand in");
    else if (box && !any_goes_into(b, caches[k], &h))
      note_unstaged(b->module, caches[k], IR_UNSTAGED_TEAM, caches[k]->loc,
                    "its boxes are larger than the leaf and the halo that is told");
    else if (box && bytes + more > IR_TEAM_BYTES)
      note_unstaged(b->module, caches[k], IR_UNSTAGED_TEAM, caches[k]->loc,
                    IR_TEAM_TOO_SMALL);
    else if (box) {
      stage(b, caches[k], &h, box);
      bytes += more;
      any = true;
    }
  }
  for (int k = 0; k < b->count; k++)   /* behind what the caches take */
    b->boxes[k].position += b->body->count - before;
  return any;
}
