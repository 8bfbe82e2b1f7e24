/* Which boxes can have a window: whether the body would see the difference, and whether it pays. */
#include "gen/passes/windows.h"

/* Accesses of an iteration below which a window is not worth looking for: an addition that others
 * may meet costs as much as a few walks. */
enum { LEAST_LOADS = 8, LEAST_ADDITIONS = 4 };

enum { MOST_HALOS = 4 };      /* axes with a halo (SND_WINDOW_PARTS of snode/device/window.h) */

static void refuse(Box *box, Loc loc, const char *why)
{
  if (box->why)
    return;
  box->why = why;
  box->loc = loc;
}

/* ---- the box itself ---- */

static void check_extents(Box *box)
{
  int halos = 0;
  int64_t block[MAX_AXES];

  ir_window_blocks(box->snode, block);
  for (int k = 0; k < box->snode->path_axis_count; k++) {
    halos += box->axis[k].hi > box->axis[k].lo;
    if (box->axis[k].hi - box->axis[k].lo > block[k])
      refuse(box, box->loc, "its cells reach beyond the block beside the one that it begins in");
  }
  if (halos > MOST_HALOS)
    refuse(box, box->loc, "it reaches beyond a block on more than four axes");
}

static void check_worth(Box *box)
{
  const int64_t least = box->is_added_to ? LEAST_ADDITIONS : LEAST_LOADS;
  int64_t done = 0;

  for (int k = 0; k < box->access_count; k++)
    done += box->accesses[k].turns;
  box->is_worth = box->is_at_once || done >= least;
  if (!box->is_worth)
    refuse(box, box->loc, "an iteration goes to few cells of it");
}

/* ---- its corners: added to at all of them, it touches each block that it reaches ---- */

/* Whether the access goes to a corner, of which each axis that the box extends along has a bit:
 * set, where it is the last cell on that axis.  The index of a loop has one value on all axes. */
static bool goes_to_corner(const Box *box, const Access *a, unsigned corner)
{
  const int axes = box->snode->path_axis_count;
  int64_t turn[MAX_AXES];

  for (int k = 0; k < axes; k++) {
    const Place *p = &a->at.axis[k];
    const int64_t at = corner >> k & 1 ? box->axis[k].hi : box->axis[k].lo;
    if (at < p->lo || at > p->hi)
      return false;
    turn[k] = at - p->constant;
    for (int i = 0; i < k; i++)
      if (p->turn && a->at.axis[i].turn == p->turn && turn[i] != turn[k])
        return false;
  }
  return true;
}

static bool has_corner(const Box *box, unsigned corner)
{
  for (int k = 0; k < box->access_count; k++)
    if (goes_to_corner(box, &box->accesses[k], corner))
      return true;
  return false;
}

/* Without one of them which of the blocks are touched depends on where in its block the box begins:
 * it has a window where it lies in that block alone. */
static void check_corners(Box *box)
{
  unsigned extended = 0;
  int64_t block[MAX_AXES];

  ir_window_blocks(box->snode, block);
  for (int k = 0; k < box->snode->path_axis_count; k++)
    extended |= (unsigned)(box->axis[k].hi > box->axis[k].lo) << k;
  for (unsigned corner = extended; corner != 0; corner = (corner - 1) & extended)
    box->lacks_corners = box->lacks_corners || !has_corner(box, corner);
  box->lacks_corners = box->lacks_corners || !has_corner(box, 0);
  for (int k = 0; box->lacks_corners && k < box->snode->path_axis_count; k++)
    if (box->axis[k].hi - box->axis[k].lo >= block[k])
      refuse(box, box->loc, "it is not added to at all of its corners, and is larger than a block");
}

/* ---- where its bases are known ---- */

/* The position of the body's statement that s is, or stands in; -1: it stands elsewhere. */
static int position_of(const Boxes *b, const IrStmt *s)
{
  while (s->parent && s->parent != b->body && s->parent->owner)
    s = s->parent->owner;
  for (int k = 0; s->parent == b->body && k < b->body->count; k++)
    if (b->body->stmts[k] == s)
      return k;
  return -1;
}

/* Its value, or the local that the program has for it, stands in the body itself. */
static void check_base(const Boxes *b, Box *box, const Place *p)
{
  const IrVariable *v = p->shown->op == IR_get ? p->shown->variable : NULL;
  const IrStmt *known = v && v->declaration ? v->declaration : p->base;
  const int at = position_of(b, known);

  if (known->parent != b->body)
    refuse(box, known->loc, "where it begins is computed in a loop or a branch");
  else if (at > box->position)
    box->position = at;
}

static void check_bases(const Boxes *b, Box *box)
{
  box->position = -1;
  for (int k = 0; k < box->snode->path_axis_count; k++)
    if (box->axis[k].base)
      check_base(b, box, &box->axis[k]);
}

/* ---- what stands before: it is done again where the iteration is left to block 0 ---- */

static bool has_effect(Boxes *b, const IrStmt *s);

static bool does_anything(Boxes *b, const IrBlock *block)
{
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    if (has_effect(b, s))
      return true;
  return false;
}

/* Locals are the iteration's own, and its random numbers are drawn anew. */
static bool has_effect(Boxes *b, const IrStmt *s)
{
  if (s->op == IR_call)
    return does_anything(b, s->function->body);
  if (ir_is(s, IR_OF_LOCAL) && s->variable->kind == IR_VAR_LOCAL)
    return false;
  return !ir_is(s, IR_DRAWS) && ir_effects(s) == IR_WRITES;
}

static void check_before(Boxes *b, Box *box)
{
  for (int k = 0; k <= box->position; k++) {
    IrStmt *whole = b->body->stmts[k];
    for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
      if (has_effect(b, s))
        refuse(box, s->loc, "something is changed before it is known where it begins");
  }
}

/* ---- what stands between: all additions are done, or none ---- */

static bool is_checked_in_window(const Box *box, const IrStmt *s)
{
  Places at;

  return s->op == IR_check_bounds && ir_snode(s) == box->snode && places_of_check(s, &at) &&
         is_in_box(box, &at);
}

/* Whether the iteration may end there. */
static bool may_end(const Box *box, const IrStmt *s)
{
  return ir_is(s, IR_JUMPS) || (ir_may_trap(s, IR_BOUNDS_NONE) && !is_checked_in_window(box, s));
}

static void check_between(const Boxes *b, Box *box)
{
  const int last = position_of(b, box->accesses[box->access_count - 1].stmt);

  for (int k = 0; k < box->access_count; k++)
    if (box->accesses[k].turns == 0)
      refuse(box, box->accesses[k].stmt->loc, "whether it is added to depends on a condition");
  for (int k = box->position + 1; k <= last; k++) {
    IrStmt *whole = b->body->stmts[k];
    for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
      if (may_end(box, s))
        refuse(box, s->loc, "the iteration may end before all is added");
  }
}

/* ---- what else is done with its fields ---- */

static bool sees_activity(const IrStmt *s)
{
  return s->op == IR_cell_length || (s->op == IR_cell && s->mode == IR_MODE_PEEK);
}

static const char *why_not_added_to(const Boxes *b, const IrStmt *s, bool is_in_function)
{
  if (s->op != IR_cell_atomic || (s->update != OP_ADD && s->update != OP_SUB))
    return "its fields are added to, by += and -= alone";
  if (is_in_function)
    return "a func goes to its fields too";
  return b->uses[s->id] > 0 ? "the old value is asked for" : NULL;
}

static void check_use(const Boxes *b, Box *box, const IrStmt *s, bool is_in_function)
{
  const char *why = NULL;

  if (s->field && ir_is(s, IR_OF_FIELD) && is_among(box->field, box->field_count, s->field))
    why = box->is_added_to ? why_not_added_to(b, s, is_in_function)
        : s->op != IR_load ? "its fields are read alone" : NULL;
  if (s->snode && s->snode->tree == box->snode->tree) {
    if (s->op == IR_release_cell)
      why = "the loop deactivates cells of its tree";
    if (box->leaves_inactive && ir_activates(s))
      why = "the loop makes cells of its tree active, of which those that are get what is added";
    else if (box->is_added_to && !box->leaves_inactive && sees_activity(s))
      why = "the loop may see which cells are active, which windows make so later";
  }
  if (why)
    refuse(box, s->loc, why);
}

static void check_uses(const Boxes *b, Box *box)
{
  const IrCalled called = ir_called(b->module->arena, b->body);

  for (IrStmt *s = ir_first(b->body); s; s = ir_next(s, b->body))
    check_use(b, box, s, false);
  for (int k = 0; k < called.count; k++)
    for (IrStmt *s = ir_first(called.functions[k]->body); s;
         s = ir_next(s, called.functions[k]->body))
      check_use(b, box, s, true);
}

/* ---- all ---- */

void boxes_check(Boxes *b)
{
  for (int k = 0; k < b->count; k++) {
    Box *box = &b->boxes[k];
    check_worth(box);
    check_extents(box);
    check_bases(b, box);
    check_before(b, box);
    if (box->is_added_to && !box->leaves_inactive) {
      check_corners(box);
      check_between(b, box);
    }
    check_uses(b, box);
  }
}
