/* windows: a loop that goes to boxes of cells at computed places gets a second form, in which they
 * lie in windows of the thread; and one over the lists of leaves a third one, block 3, in which
 * those that [[cache]] names lie in the memory of a device's team (window_team.c).
 *
 *   $0 = offloaded struct_for(S1dynamic p) {      the same, and behind it
 *     <i32> $2 = cast $1                        near {
 *     ... the walk to [$2]                        <i32> $41 = cast $40
 *     cell_atomic x add $9 $3             =>      <cell> $42 = window grid.S2dense $41 $2 ..
 *     ... the walk to [$2 + 1]                    near_add x add $42 $0 $43
 *     cell_atomic x add $19 $4                    near_add x add $42 $1 $44
 *   }                                           }
 *
 * Needs: the module lowered; better behind all passes that make less of walks.
 * Guarantees: block 2 leaves what block 0 would leave, but for the order in which sums of floats
 * are taken. The cells of a box lie at one value for each axis and constants, or indices of serial
 * loops between constants; its fields are read in the loop alone, or added to alone; nothing is
 * changed before the `window`, so that block 0 may begin anew where it finds none. A box that is
 * added to is so in each iteration that comes to its window, at all of its corners, or it lies in
 * one block: so the window may say which parts of the tree become active. Checks of indices in a
 * box are gone: outside the extents there is no window.
 * What gets no window though [[cache]] asks for it is noted; and so is why a box that is worth it
 * gets none.
 */
#include "gen/ir/finding.h"
#include "gen/passes/windows.h"

/* ---- the window ---- */

/* What the program has for the base, where block 2 has it; with what the box begins at. */
static IrStmt *put_begin(Maker *make, const Copy *copy, const Place *p)
{
  const Type *type = p->base && p->shown->type->bits == 64 ? TY(I64) : TY(I32);
  IrStmt *base, *from;

  if (!p->base)
    return make_const(make, TY(I64), p->lo);
  if (p->shown->op == IR_get && p->shown->variable->declaration) {
    base = ir_stmt(make->module, IR_get, p->shown->type, make->loc, NULL);
    base->variable = copied(copy, p->shown->variable);
    put(make, base);
  } else {
    base = copied(copy, p->base);
  }
  base = make_cast(make, base->type->bits > 32 ? TY(I64) : type, base);
  if (p->lo == 0)
    return base;
  from = ir_stmt(make->module, IR_add, base->type, make->loc, base,
                 make_const(make, base->type, p->lo), NULL);
  from->plain = true;
  return put(make, from);
}

/* In the order of the tree. */
static const char *names_of_fields(const Boxes *b, const Box *box)
{
  const char *names = "";

  for (int k = 0; k < box->snode->field_count; k++)
    for (int f = 0; f < box->held_count; f++)
      if (box->held[f] == box->snode->fields[k])
        names = intern_format(b->module->arena, "%s%s%s", names, *names ? " " : "",
                              box->held[f]->name);
  return names;
}

static void put_window(Boxes *b, Box *box, const Copy *copy)
{
  IrStmt *next = copied(copy, b->body->stmts[box->position + 1]);
  const bool may_be_outside =
      b->module->bounds != IR_BOUNDS_NONE || box->field[0]->border == BORDER_DEFAULT;
  Maker make = make_before(b->module, next);

  make.loc = box->accesses[0].stmt->loc;
  box->window = ir_stmt(b->module, IR_window, TY(CELL), make.loc, NULL);
  box->window->snode = box->snode;
  box->window->slot = box->slot;
  box->window->index = (may_be_outside ? IR_WINDOW_CHECKED : 0) |
                       (box->is_at_once ? IR_WINDOW_AT_ONCE : 0) |
                       (box->is_added_to ? IR_WINDOW_ADDED : 0) |
                       (box->leaves_inactive ? IR_WINDOW_LEAVES_INACTIVE : 0) |
                       (box->lacks_corners ? IR_WINDOW_IN_BLOCK : 0);
  box->window->text = names_of_fields(b, box);
  for (int k = 0; k < box->snode->path_axis_count; k++)
    ir_add_operand(b->module, box->window, put_begin(&make, copy, &box->axis[k]));
  for (int k = 0; k < box->snode->path_axis_count; k++)
    ir_add_operand(b->module, box->window,
                   make_const(&make, TY(I64), box->axis[k].hi - box->axis[k].lo + 1));
  put(&make, box->window);
}

/* ---- the accesses ---- */

/* How far the cell is from the box's first one on an axis. */
static IrStmt *put_distance(Maker *make, const Copy *copy, const Place *p, int64_t lo)
{
  IrStmt *turn, *sum;

  if (!p->turn)
    return make_const(make, TY(I64), p->constant - lo);
  turn = copied(copy, p->turn);
  if (p->constant == lo)
    return turn;
  sum = ir_stmt(make->module, IR_add, turn->type, make->loc, turn,
                make_const(make, turn->type, p->constant - lo), NULL);
  sum->plain = true;
  return put(make, sum);
}

/* The copy of the access goes to the window instead. */
static void go_near(Boxes *b, const Box *box, const Access *a, const Copy *copy)
{
  IrStmt *s = copied(copy, a->stmt), *value = s->operands[s->operand_count - 1];
  Maker make = make_before(b->module, s);

  s->operand_count = 0;
  s->operands = NULL;
  s->plain = s->relaxed = s->may_be_null = s->reduction = false;
  ir_add_operand(b->module, s, box->window);
  for (int k = 0; k < box->snode->path_axis_count; k++)
    ir_add_operand(b->module, s, put_distance(&make, copy, &a->at.axis[k], box->axis[k].lo));
  if (s->op == IR_load) {
    s->op = IR_near_load;
    return;
  }
  s->op = IR_near_add;
  s->type = TY(VOID);
  ir_add_operand(b->module, s, value);
}

/* ---- what goes then ---- */

typedef struct Rest {
  const Boxes *boxes;
  Map walks;                  /* of the copies of accesses that have gone near */
} Rest;

static void note_walk(Rest *r, const IrStmt *cell)
{
  for (; cell->op == IR_cell; cell = cell->operands[0])
    map_put(&r->walks, cell, r);
}

static bool may_go(const IrStmt *s, void *user)
{
  const Rest *r = user;

  return is_removable(s) || map_get(&r->walks, s) != NULL;
}

static bool is_checked_by_window(const Boxes *b, const IrStmt *s)
{
  Places at;

  if (s->op != IR_check_bounds || !places_of_check(s, &at))
    return false;
  for (int k = 0; k < b->count; k++)
    if (b->boxes[k].window && b->boxes[k].snode == ir_snode(s) &&
        b->boxes[k].slot == s->slot && is_in_box(&b->boxes[k], &at))
      return true;
  return false;
}

/* ---- cells that have been read ---- */

/* Of the form's own statements: where it is; -1: it stands elsewhere. */
static int position_in(const IrBlock *block, const IrStmt *s)
{
  for (int k = 0; s->parent == block && k < block->count; k++)
    if (block->stmts[k] == s)
      return k;
  return -1;
}

static IrStmt *first_window(const IrBlock *near)
{
  int k = 0;

  while (near->stmts[k]->op != IR_window)
    k++;
  return near->stmts[k];
}

/* The found cell in the place of one that is activated: it is never null. */
static void use_found(IrBlock *near, const IrStmt *cell, IrStmt *found)
{
  for (IrStmt *s = ir_first(near); s; s = ir_next(s, near))
    for (int k = 0; k < s->operand_count; k++)
      if (s->operands[k] == cell) {
        s->operands[k] = found;
        if (s->op == IR_store || s->op == IR_cell_atomic)
          s->may_be_null = false;
      }
}

/* A cell that is activated, and was read before the window: where that found one, the form goes on
 * with it, without a branch at each store; else the iteration is left to block 0. C compilers move
 * what a branch alone needs behind it, sum by sum, out of registers. */
static void take_found_cells(IrModule *m, IrBlock *near)
{
  IrStmt *window = first_window(near);

  for (IrStmt *next, *s = ir_first(near); s; s = next) {
    IrStmt *read = s->op == IR_cell && s->mode == IR_MODE_ACTIVATE && s->operand_count == 3 &&
                   kind_is(s->snode->kind, KIND_LIST) ? s->operands[2] : NULL;
    IrStmt *found;
    next = ir_next(s, near);
    if (!read || position_in(near, read) < 0 ||
        position_in(near, read) > position_in(near, window))
      continue;
    found = ir_stmt(m, IR_found_cell, TY(CELL), s->loc, read, NULL);
    found->snode = s->snode;
    ir_insert_before(m, window, found);
    use_found(near, s, found);
    ir_remove(s);
  }
}

/* ---- the form ---- */

/* Of a host thread: all boxes that can have one. */
static bool have_windows(Boxes *b)
{
  bool any = false;

  for (int k = 0; k < b->count; k++) {
    Box *box = &b->boxes[k];
    for (int f = 0; !box->why && f < box->field_count; f++)
      box->held[box->held_count++] = box->field[f];
    any = any || !box->why;
  }
  return any;
}

/* Block `which` of the task, in which the fields that boxes hold go to windows. */
static void make_form(Boxes *b, int which)
{
  Rest rest = { .boxes = b };
  Copy copy;
  Maker make;

  map_init(&rest.walks, b->module->arena);
  b->task->blocks[which] = ir_block(b->module, b->task);
  make = (Maker){ .module = b->module, .block = b->task->blocks[which], .loc = b->task->loc };
  copy_init(&copy, b->module, b->function);
  copy.keeps_names = true;
  copy_block(&copy, b->body, &make);
  for (int k = 0; k < b->count; k++) {
    Box *box = &b->boxes[k];
    box->window = NULL;
    if (box->held_count == 0)
      continue;
    put_window(b, box, &copy);
    for (int a = 0; a < box->access_count; a++) {
      if (!is_among(box->held, box->held_count, box->accesses[a].stmt->field))
        continue;
      note_walk(&rest, ((IrStmt *)copied(&copy, box->accesses[a].stmt))->operands[0]);
      go_near(b, box, &box->accesses[a], &copy);
    }
  }
  for (IrStmt *s = ir_first(b->body); s; s = ir_next(s, b->body))
    if (s->op == IR_cache || is_checked_by_window(b, s))
      ir_remove(copied(&copy, s));
  if (which == 2)
    take_found_cells(b->module, b->task->blocks[which]);
  remove_unused(b->module, b->function, may_go, &rest);
}

/* ---- what is told ---- */

/* Of an access of the field: the box with a window that it is in, or else why it is in none. */
static const Box *box_with(const Boxes *b, const IrStmt *s, const char **why, Loc *loc)
{
  *why = "its indices are not values that all iterations compute first, and constants";
  *loc = s->loc;
  for (int k = 0; k < b->count; k++)
    for (int a = 0; a < b->boxes[k].access_count; a++)
      if (b->boxes[k].accesses[a].stmt == s) {
        *why = b->boxes[k].why;
        *loc = b->boxes[k].why ? b->boxes[k].loc : s->loc;
        return b->boxes[k].why ? NULL : &b->boxes[k];
      }
  return NULL;
}

static void note_cached(Boxes *b, const IrStmt *cache)
{
  const char *why;
  bool is_used = false;
  Loc loc;

  for (IrStmt *s = ir_first(b->body); s; s = ir_next(s, b->body)) {
    const bool is_of_it = s->op != IR_cache && ir_is(s, IR_OF_FIELD) &&
                          (s->field == cache->field ||
                           ir_same_whole(s->field->name, cache->field->name));
    is_used = is_used || is_of_it;
    if (is_of_it && s->field == cache->field && !box_with(b, s, &why, &loc))
      note_unstaged(b->module, cache, IR_UNSTAGED_ACCESS, loc, why);
  }
  if (!is_used)
    note_unstaged(b->module, cache, IR_UNSTAGED_UNUSED, cache->loc, NULL);
}

static void note_refused(Boxes *b)
{
  for (int k = 0; k < b->count; k++)
    if (b->boxes[k].why && b->boxes[k].is_worth && !b->boxes[k].is_at_once)
      vec_push(b->module->arena, b->module->unwindowed, b->module->unwindowed_count,
               ((IrUnrowed){ b->boxes[k].loc, b->boxes[k].why, NULL }));
}

/* ---- all loops ---- */

/* It has no better form: no rows, no staged fields. */
static bool may_have_windows(const IrStmt *task)
{
  const IrBlock *body = task->blocks[0];

  if (!is_parallel(task) || task->blocks[1] ||
      (task->task != IR_TASK_STRUCT_FOR && task->task != IR_TASK_RANGE_FOR))
    return false;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (ir_is(s, IR_STAGED))
      return false;
  return true;
}

static void windows_of_task(IrModule *m, IrFunction *f, IrStmt *task)
{
  Boxes b = boxes_of_task(m, f, task);

  boxes_check(&b);
  if (have_windows(&b))
    make_form(&b, 2);
  if (team_stages(&b))
    make_form(&b, 3);
  note_refused(&b);
  for (int k = 0; kind_is(task->snode ? task->snode->kind : SNODE_ROOT, KIND_LIST) &&
                  k < b.body->count; k++)
    if (b.body->stmts[k]->op == IR_cache)
      note_cached(&b, b.body->stmts[k]);
}

void pass_windows(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    note_declarations(m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (may_have_windows(t.tasks[i]))
        windows_of_task(m, m->kernels[k], t.tasks[i]);
  }
}
