/* prefetch: a loop with windows asks for the cells that its own cell leads to some turns before
 * they are read.
 *
 *   near {                                        near {
 *     <cell> $1 = own_cell grid.S7dynamic $0        ahead {
 *     <i32> $2 = load id $1                           <cell> $9 = own_cell grid.S7dynamic $0
 *     <cell> $3 = root particles                      <i32> $10 = load id $9
 *     <i32> $4 = digit S1dynamic $2           =>      <bool> $11 = inside snode S1dynamic $10
 *     <i64> $5 = linear S1dynamic $4                  if $11 { .. the walk .. prefetch $15 }
 *     <cell> $6 = cell S1dynamic read $3 $5         }
 *     <f32> $7 = load x $6                          ..
 *
 * Such cells lie anywhere, and an iteration of a loop with windows is long: a processor that waits
 * for the first of them does not get to the next iteration's.
 *
 * Needs: the module lowered, behind windows, which makes near forms, and pack, which looks at them.
 * Guarantees: the same is computed.  An index that an iteration would not get to, since it ends
 * before, may be anything: it is tested once more.
 */
#include "gen/passes/windows.h"

#include <string.h>

enum { MOST_CELLS = 4 };               /* that an iteration asks for */

typedef struct Prefetch {
  IrModule *module;
  IrStmt *task;
  const IrBlock *near;
  int ids;
  bool *needed;                        /* by id: what has been needed for a cell so far */
  IrStmt *ahead;
  Copy copy;
  IrStmt *cells[MOST_CELLS]; int count;
} Prefetch;

/* ---- which cells ---- */

static bool is_loaded_from_own_cell(const Prefetch *p, const IrStmt *s)
{
  return s->op == IR_load && s->operands[0]->op == IR_own_cell &&
         s->operands[0]->snode == p->task->snode;
}

/* Whether each coordinate is a value of the own cell, or a constant. */
static bool is_led_to(const Prefetch *p, const IrStmt *cell, const Places *at)
{
  bool is_loaded = false;

  for (int k = 0; k < cell->snode->path_axis_count; k++) {
    const Place *place = &at->axis[k];
    if (place->turn || (place->base && place->constant != 0))
      return false;
    if (place->base && !is_loaded_from_own_cell(p, place->base))
      return false;
    is_loaded = is_loaded || place->base;
  }
  return is_loaded;
}

/* Nothing is looked up in tables, and values of a cell lie side by side. */
static bool may_be_asked_for(const IrSNode *n)
{
  for (; n; n = n->parent)
    if (n->is_soa || kind_is(n->kind, KIND_KEYS))
      return false;
  return true;
}

static bool has_same_place(const IrStmt *a, const IrStmt *b)
{
  return ir_without_casts(a->operands[0]) == ir_without_casts(b->operands[0]);
}

static bool is_asked_for(const Prefetch *p, const IrStmt *cell)
{
  for (int k = 0; k < p->count; k++)
    if (is_same_cell(p->cells[k], cell, has_same_place))
      return true;
  return false;
}

static bool is_accessed(const IrStmt *s)
{
  return (s->op == IR_load || s->op == IR_store || s->op == IR_cell_atomic) &&
         s->operands[0]->op == IR_cell;
}

static void find_cells(Prefetch *p)
{
  for (int k = 0; k < p->near->count && p->count < MOST_CELLS; k++) {
    IrStmt *cell = is_accessed(p->near->stmts[k]) ? p->near->stmts[k]->operands[0] : NULL;
    Places at;
    if (cell && cell->parent == p->near && may_be_asked_for(cell->snode) &&
        places_of_cell(cell, &at) && is_led_to(p, cell, &at) && !is_asked_for(p, cell))
      p->cells[p->count++] = cell;
  }
}

/* ---- what is done ahead ---- */

static void need(Prefetch *p, IrStmt *s)
{
  if (s->parent != p->near || p->needed[s->id])
    return;
  p->needed[s->id] = true;
  if (s->op == IR_get)
    need(p, s->variable->declaration);
  for (int k = 0; k < s->operand_count; k++)
    need(p, s->operands[k]);
}

/* Copies what has been needed and is not there yet. */
static void copy_needed(Prefetch *p, IrBlock *to)
{
  Maker make = { .module = p->module, .block = to, .loc = p->task->loc };

  copy_block(&p->copy, p->near, &make);
}

/* Whether all coordinates are inside the extents. */
static IrStmt *put_inside(Prefetch *p, const IrStmt *cell, const Places *at, Maker *make)
{
  IrStmt *inside = ir_stmt(p->module, IR_inside, TY(BOOL), make->loc, NULL);

  inside->snode = cell->snode;
  inside->slot = cell->slot;
  for (int k = 0; k < cell->snode->path_axis_count; k++) {
    const Place *place = &at->axis[k];
    ir_add_operand(p->module, inside,
                   place->base ? copied(&p->copy, place->shown)
                               : make_const(make, TY(I64), place->constant));
  }
  return put(make, inside);
}

/* What was copied into a branch is not at hand behind it.  outer: what had been needed before. */
static void leave_branch(Prefetch *p, const bool *outer)
{
  for (int k = 0; k < p->near->count; k++) {
    const IrStmt *s = p->near->stmts[k];
    if (!p->needed[s->id] || outer[s->id])
      continue;
    p->needed[s->id] = false;
    copy_note(&p->copy, s, NULL);
    if (s->op == IR_declare)
      copy_note(&p->copy, s->variable, NULL);
  }
}

static void put_prefetch(Prefetch *p, IrStmt *cell)
{
  bool *outer = NEW_ARRAY(p->module->arena, bool, p->ids + 1);
  Maker make = { .module = p->module, .block = p->ahead->blocks[0], .loc = cell->loc };
  IrStmt *branch, *there;
  Places at;

  places_of_cell(cell, &at);
  for (int k = 0; k < cell->snode->path_axis_count; k++)
    if (at.axis[k].base)
      need(p, at.axis[k].shown);
  copy_needed(p, make.block);
  branch = ir_stmt(p->module, IR_if, TY(VOID), cell->loc, put_inside(p, cell, &at, &make), NULL);
  put(&make, branch);
  branch->blocks[0] = ir_block(p->module, branch);
  branch->blocks[1] = ir_block(p->module, branch);
  memcpy(outer, p->needed, sizeof *outer * (size_t)(p->ids + 1));
  need(p, cell);
  copy_needed(p, branch->blocks[0]);
  there = copied(&p->copy, cell);
  for (IrStmt *c = there; c->op == IR_cell; c = c->operands[0])
    c->mode = IR_MODE_READ;
  make.block = branch->blocks[0];
  put(&make, ir_stmt(p->module, IR_prefetch, TY(VOID), cell->loc, there, NULL));
  leave_branch(p, outer);
}

/* Runs of cells that lie side by side, of which a later one is at hand: a list's, a container's. */
static bool has_later_cells(const IrStmt *task)
{
  return task->task == IR_TASK_STRUCT_FOR && !task->snode->is_soa &&
         (kind_is(task->snode->kind, KIND_LIST) || kind_is(task->snode->kind, KIND_DENSE));
}

static void ask_ahead(IrModule *m, IrFunction *f, IrStmt *task)
{
  Prefetch p = { .module = m, .task = task, .near = task->blocks[2] };

  if (!has_later_cells(task))
    return;
  p.ids = give_ids(f);
  p.needed = NEW_ARRAY(m->arena, bool, p.ids + 1);
  find_cells(&p);
  if (p.count == 0)
    return;
  p.ahead = ir_stmt(m, IR_ahead, TY(VOID), task->loc, NULL);
  p.ahead->blocks[0] = ir_block(m, p.ahead);
  copy_init(&p.copy, m, f);
  p.copy.keeps_names = true;
  p.copy.needed = p.needed;
  for (int k = 0; k < p.count; k++)
    put_prefetch(&p, p.cells[k]);
  put(&(Maker){ .module = m, .block = task->blocks[2], .where = task->blocks[2]->stmts[0],
                .loc = task->loc }, p.ahead);
}

void pass_prefetch(IrModule *m)
{
  for_each_near_form(m, ask_ahead);
}
