/* Boxes: the accesses of a body, those with the same bases together. */
#include "gen/passes/windows.h"

/* ---- accesses ---- */

/* How often a serial loop between constants turns; 0: it is another statement. */
static int64_t turns_of(const IrStmt *s)
{
  if (s->op != IR_for_range || !is_const(s->operands[0]) || !is_const(s->operands[1]) ||
      s->operands[1]->value.i <= s->operands[0]->value.i)
    return 0;
  return s->operands[1]->value.i - s->operands[0]->value.i;
}

/* How often it is done in each iteration; 0: that depends. */
static int64_t times_done(const Boxes *b, const IrStmt *s)
{
  int64_t times = 1;

  for (const IrBlock *at = s->parent; at != b->body && times > 0; at = at->owner->parent)
    times *= turns_of(at->owner);
  return times;
}

/* The tree's slot where it is walked to from the root. */
static int slot_of(const IrStmt *cell)
{
  while (cell->op == IR_cell)
    cell = cell->operands[0];
  return cell->slot;
}

static bool has_elements_of_words(const Type *t)
{
  return t->bits >= 32 && (type_is_float(t) || type_is_integer(t));
}

/* An access to a cell in blocks, of a place that is computed. */
static bool access_of(const Boxes *b, IrStmt *s, Access *a)
{
  int64_t block[MAX_AXES];

  if ((s->op != IR_load && s->op != IR_cell_atomic) || s->operands[0]->op != IR_cell ||
      !has_elements_of_words(s->field->type) || !ir_window_blocks(s->field->snode, block))
    return false;
  *a = (Access){ .stmt = s, .turns = times_done(b, s) };
  return places_of_cell(s->operands[0], &a->at);
}

/* ---- boxes ---- */

static bool holds_type(const Box *box, const Access *a)
{
  return box->field[0]->type == a->stmt->field->type;
}

/* What is added in each iteration is told apart from what is not. */
static bool is_done_as_often(const Box *box, const Access *a)
{
  return !box->is_added_to || (box->accesses[0].turns == 0) == (a->turns == 0);
}

bool is_among(const IrField *const *fields, int count, const IrField *field)
{
  for (int k = 0; k < count; k++)
    if (fields[k] == field)
      return true;
  return false;
}

static bool has_room(const Box *box, const IrField *field)
{
  return is_among(box->field, box->field_count, field) || box->field_count < IR_WINDOW_FIELDS;
}

static Box *box_of(Boxes *b, const Access *a)
{
  const IrField *field = a->stmt->field;
  const bool adds = a->stmt->op == IR_cell_atomic;
  const bool peeks = adds && a->stmt->operands[0]->mode == IR_MODE_PEEK;
  const int slot = slot_of(a->stmt->operands[0]);
  Box new = { .snode = field->snode, .slot = slot, .is_added_to = adds, .leaves_inactive = peeks,
              .loc = a->stmt->loc };

  for (int k = 0; k < b->count; k++) {
    Box *box = &b->boxes[k];
    if (box->snode == field->snode && box->slot == slot && box->is_added_to == adds &&
        box->leaves_inactive == peeks &&
        holds_type(box, a) && is_done_as_often(box, a) && has_room(box, field) &&
        has_same_bases(box, &a->at))
      return box;
  }
  for (int k = 0; k < field->snode->path_axis_count; k++)
    new.axis[k] = a->at.axis[k];
  new.field[new.field_count++] = field;
  vec_push(b->module->arena, b->boxes, b->count, new);
  return &b->boxes[b->count - 1];
}

static void add_access(Boxes *b, const Access *a)
{
  Box *box = box_of(b, a);

  if (!is_among(box->field, box->field_count, a->stmt->field))
    box->field[box->field_count++] = a->stmt->field;
  for (int k = 0; k < box->snode->path_axis_count; k++) {
    Place *to = &box->axis[k];
    const Place *from = &a->at.axis[k];
    to->lo = from->lo < to->lo ? from->lo : to->lo;
    to->hi = from->hi > to->hi ? from->hi : to->hi;
  }
  vec_push(b->module->arena, box->accesses, box->access_count, *a);
}

/* Whether the program asks for it in a loop over the lists of leaves, one after the other. */
static bool is_cached(const Boxes *b, const Box *box)
{
  const IrSNode *looped = b->task->snode;
  const bool is_list = looped && kind_is(looped->kind, KIND_LIST);

  if (!is_list || looped->parent->path_axis_count == 0)
    return false;
  for (int k = 0; k < b->body->count; k++) {
    const IrStmt *s = b->body->stmts[k];
    for (int f = 0; s->op == IR_cache && s->slot == box->slot && f < box->field_count; f++)
      if (s->field == box->field[f])
        return true;
  }
  return false;
}

Boxes boxes_of_task(IrModule *m, IrFunction *f, IrStmt *task)
{
  Boxes b = { .module = m, .function = f, .task = task, .body = task->blocks[0] };
  Access a;

  b.uses = count_uses(m, f);
  for (IrStmt *s = ir_first(b.body); s; s = ir_next(s, b.body))
    if (access_of(&b, s, &a))
      add_access(&b, &a);
  for (int k = 0; k < b.count; k++)
    b.boxes[k].is_at_once = is_cached(&b, &b.boxes[k]);
  return b;
}
