/* stage: which loads of a cached field, or additions to it, are near the own cell, and how
 * far the nearest and the farthest are.
 *
 *   cache x t                        cache x t $20 $21          from -1 to 1
 *   <f32> $9 = load x $8      =>     <f32> $9 = load x $8       of the cell at i + 1
 *                                    <f32> $22 = staged x t $9 $21
 *
 *   cell_atomic x add $8 $7   =>     <f32> $22 = staged x t $7 $21
 *                                    cell_atomic x add $8 $22
 *
 * A `cache` that has its box already is told it: cache(x: 2).  Then what is at indices of any kind
 * may be near, which is seen where it is run,
 *
 *   <f32> $9 = load x $8      =>     <f32> $9 = load x $8       of the cell at $5
 *                                    <f32> $22 = staged_at x t k_near_x(t) $9 $5
 *
 * Needs: the module lowered, no own_cell taken yet.
 * Guarantees: a load of a cached field at the loop's indices and constants is followed by
 * a `staged`, which takes its place, and one at others by a `staged_at`, where the box is told;
 * before an addition there stands one of the value; a `cache` holds the box of all their offsets,
 * and which of both.  Other loads, and other
 * additions, are left as they were, and so is the whole field where the loop could see the
 * difference: where it is assigned, read and added to, or where its cells are deactivated.
 * So are additions in a loop that may see or set the activity of the field's tree, since
 * staged ones activate cells later.  What is left is noted, but of serial loops, of which
 * the checker has said that they stage nothing. Of loops over lists the pass windows stages what
 * it can.
 *
 * A device stages in the memory of a team, which is small: fields in the order of their names in
 * the program, as long as they fit.  The `cache` of such a field has a function for one
 * element of it (stage_element.c).
 */
#include "gen/ir/finding.h"
#include "gen/passes/stage.h"

typedef struct Near {                  /* an access that is staged */
  IrStmt *stmt;
  bool is_computed;                    /* whether it lies in the box is seen where it is run */
} Near;

typedef struct Left {                  /* an access that goes to the cells */
  Loc loc;
  const char *why;
} Left;

typedef struct Stage {
  IrModule *module;
  IrFunction *function;
  IrStmt *task, *cache;
  const IrBlock *body;                 /* of the task, or of a function that it calls */
  const int *uses;                     /* by id, of what stands there */
  int64_t *team_bytes;                 /* of the fields that a team stages */
  bool is_told;                        /* the box is */
  int64_t lo[MAX_AXES], hi[MAX_AXES];
  Near *accesses;    int access_count;
  Left *others;      int other_count;
  IrFunction *element;                 /* which goes to a cell, once it is made */
  bool loads, adds, uses_part;         /* of the field; of the vector that it is part of, too */
  Loc refused_at;
  const char *refused;                 /* why nothing of the field is staged, or NULL */
} Stage;

/* Blocks of the loop are boxes of known size. */
static bool has_blocks(const IrSNode *looped)
{
  for (int k = 0; k < looped->axis_count; k++)
    if (looped->axes[k].size == 0)
      return false;
  return looped->open_axes == 0 && !kind_is(looped->kind, KIND_LIST);
}

/* Its cells stand side by side. */
static bool can_be_staged(const IrSNode *snode, const IrSNode *looped)
{
  for (int k = 0; k < snode->path_axis_count; k++)
    if (stage_axis(looped, snode->path_axes[k]) < 0)
      return false;
  return ir_is_in_place(snode) && snode->open_axes == 0;
}

/* Whether someone asks for a value, or for the local that it is kept in: of an addition
 * behind an `inside` the old value is. */
typedef struct Asked {
  const Stage *stage;
  const IrStmt *value;
  const IrVariable *kept;
  bool is_asked;
} Asked;

static void look_for_use(Asked *a, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (s->operands[k] == a->value && s->op == IR_set && s->variable->kind == IR_VAR_LOCAL &&
        (!a->kept || a->kept == s->variable))
      a->kept = s->variable;
    else if (s->operands[k] == a->value)
      a->is_asked = true;
  if (a->kept && s->op == IR_get && s->variable == a->kept && a->stage->uses[s->id] > 0)
    a->is_asked = true;
}

static bool is_asked_for(const Stage *g, const IrStmt *value)
{
  Asked a = { .stage = g, .value = value };

  for (IrStmt *s = ir_first(g->body); s; s = ir_next(s, g->body))
    look_for_use(&a, s);
  /* What it is kept in may be asked for before, in a loop. */
  for (IrStmt *s = ir_first(g->body); s && a.kept; s = ir_next(s, g->body))
    look_for_use(&a, s);
  return a.is_asked;
}

/* ---- what the loop does with the field ---- */

static bool is_in_function(const Stage *g)
{
  return g->body != g->task->blocks[0];
}

static void refuse(Stage *g, Loc loc, const char *why)
{
  if (g->refused)
    return;
  g->refused_at = loc;
  g->refused = why;
}

static const char *why_no_addition(const Stage *g, const IrStmt *s)
{
  if (s->update != OP_ADD && s->update != OP_SUB)
    return "what is staged is added to, by += and -= alone";
  if (s->field->type == TY(F16))
    return "each addition to an f16 is rounded";
  return is_asked_for(g, s) ? "the old value is asked for" : NULL;
}

static bool is_in_box(const Stage *g, const int64_t *offset)
{
  for (int k = 0; k < g->cache->field->snode->path_axis_count; k++)
    if (offset[k] < g->lo[k] || offset[k] > g->hi[k])
      return false;
  return true;
}

static void widen_box(Stage *g, const int64_t *offset)
{
  for (int k = 0; k < g->cache->field->snode->path_axis_count; k++) {
    if (g->access_count == 0 || offset[k] < g->lo[k])
      g->lo[k] = offset[k];
    if (g->access_count == 0 || offset[k] > g->hi[k])
      g->hi[k] = offset[k];
  }
}

/* The tree that the access goes to is another one than that of the `cache`. */
static bool is_of_other_tree(const Stage *g, const IrStmt *s)
{
  const IrStmt *cell = s->operands[0];

  while (cell->op == IR_cell)
    cell = cell->operands[0];
  return !is_in_function(g) && cell->op == IR_root && cell->slot != g->cache->slot;
}

static void leave_access(Stage *g, const IrStmt *s, const char *why)
{
  const Left left = { s->loc, why };

  vec_push(g->module->arena, g->others, g->other_count, left);
}

static void note_near(Stage *g, IrStmt *s, bool is_computed)
{
  const Near near = { s, is_computed };

  vec_push(g->module->arena, g->accesses, g->access_count, near);
}

static void note_place(Stage *g, IrStmt *s)
{
  int64_t offset[MAX_AXES] = { 0 };
  IrStmt *coordinate[MAX_AXES];

  if (is_of_other_tree(g, s))
    return;
  if (is_in_function(g))
    leave_access(g, s, "it stands in a function");
  else if (stage_offsets(g->task, g->cache, s->operands[0], offset)) {
    if (g->is_told && !is_in_box(g, offset)) {
      leave_access(g, s, "it lies beyond the halo that is told");
      return;
    }
    if (!g->is_told)
      widen_box(g, offset);
    note_near(g, s, false);
  } else if (!g->is_told)
    leave_access(g, s, "its indices are not the loop's and constants");
  else if (stage_coordinates(g->cache, s->operands[0], coordinate))
    note_near(g, s, true);
  else
    leave_access(g, s, "where its cell is, its indices do not say alone");
}

static void note_access(Stage *g, IrStmt *s)
{
  const char *why = s->op == IR_cell_atomic ? why_no_addition(g, s) : NULL;

  if (s->op == IR_store)
    why = "what is staged is read, or added to, not assigned";
  g->loads = g->loads || s->op == IR_load;
  g->adds = g->adds || s->op == IR_cell_atomic;
  if (!why && g->loads && g->adds)
    why = "what is staged is read, or added to, not both";
  if (why)
    refuse(g, s->loc, why);
  else
    note_place(g, s);
}

static void look_into(Stage *, IrFunction *);

static void look_for_access(Stage *g, IrStmt *s)
{
  const IrField *field = g->cache->field;

  switch (s->op) {
  case IR_call:
    look_into(g, s->function);
    break;
  case IR_release_cell:
    if (s->snode->tree == field->snode->tree)
      refuse(g, s->loc, "the loop deactivates cells of its tree");
    break;
  case IR_load: case IR_store: case IR_cell_atomic:
    g->uses_part = g->uses_part || s->field == field ||
                   ir_same_whole(s->field->name, field->name);
    if (s->field == field)
      note_access(g, s);
    break;
  default:
    break;
  }
}

static void look_into(Stage *g, IrFunction *function)
{
  const Stage caller = *g;

  g->body = function->body;
  g->uses = count_uses(g->module, function);
  for (IrStmt *s = ir_first(function->body); s; s = ir_next(s, function->body))
    look_for_access(g, s);
  g->body = caller.body;
  g->uses = caller.uses;
}

/* A block and its halo. */
static int64_t box_cells(const Stage *g)
{
  const IrSNode *snode = g->cache->field->snode, *looped = g->task->snode;
  int64_t cells = 1;

  for (int k = 0; k < snode->path_axis_count; k++) {
    int64_t extent = 1;
    for (int a = 0; a < looped->axis_count; a++)
      if (looped->axes[a].axis == snode->path_axes[k])
        extent = looped->axes[a].size;
    extent += g->hi[k] - g->lo[k];
    if (extent > IR_STAGED_CELLS / cells)
      return IR_STAGED_CELLS + 1;
    cells *= extent;
  }
  return cells;
}

static bool has_computed(const Stage *g)
{
  for (int k = 0; k < g->access_count; k++)
    if (g->accesses[k].is_computed)
      return true;
  return false;
}

/* Of the value. */
static IrStmt *put_staged(Stage *g, Maker *make, const Near *near, IrStmt *value)
{
  return near->is_computed ? stage_put_at(make, g->cache, g->element, near->stmt, value)
                           : stage_put(make, g->task, g->cache, near->stmt, value);
}

static void stage_load(Stage *g, const Near *near)
{
  IrStmt *behind = NULL, *staged, *load = near->stmt;
  Maker make;

  for (int k = 0; k + 1 < load->parent->count; k++)
    if (load->parent->stmts[k] == load)
      behind = load->parent->stmts[k + 1];
  make = behind ? make_before(g->module, behind) : make_at_end(g->module, load->parent, load);
  staged = put_staged(g, &make, near, load);
  ir_replace_uses(g->function, load, staged);
  staged->operands[0] = load;
}

/* What adds to an element takes what is added: x -= v is x += -v. */
static void stage_addition(Stage *g, const Near *near)
{
  IrStmt *add = near->stmt;
  Maker make = make_before(g->module, add);

  if (near->is_computed && add->update == OP_SUB) {
    add->operands[1] = put(&make, ir_stmt(g->module, IR_neg, add->operands[1]->type, add->loc,
                                          add->operands[1], NULL));
    add->update = OP_ADD;
  }
  add->operands[1] = put_staged(g, &make, near, add->operands[1]);
}

/* ---- what must not wait ---- */

static bool sees_activity(const Stage *g, const IrStmt *s)
{
  return (s->op == IR_cell_length || (s->op == IR_cell && s->mode == IR_MODE_PEEK)) &&
         s->snode->tree == g->cache->field->snode->tree;
}

/* activate(): a walk that no one goes on from.  Another one may come to share it. */
static bool activates(const Stage *g, const IrStmt *s)
{
  return s->op == IR_cell && s->mode == IR_MODE_ACTIVATE && g->uses[s->id] == 0 &&
         s->snode->tree == g->cache->field->snode->tree;
}

static bool may_see_activity(const Stage *g)
{
  const IrBlock *body = g->task->blocks[0];
  const IrCalled called = ir_called(g->module->arena, body);

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (sees_activity(g, s) || activates(g, s))
      return true;
  for (int k = 0; k < called.count; k++)
    for (IrStmt *s = ir_first(called.functions[k]->body); s;
         s = ir_next(s, called.functions[k]->body))
      if (sees_activity(g, s))
        return true;
  return false;
}

/* ---- what is left ---- */

static void leave(Stage *g, int kind, Loc loc, const char *why)
{
  if (!g->task->manner.is_serial)
    note_unstaged(g->module, g->cache, kind, loc, why);
}

/* Why no access of the field is staged, or NULL. */
static const char *why_none(Stage *g)
{
  if (g->refused)
    return g->refused;
  if (!has_blocks(g->task->snode))
    return "the loop's cells stand in no block of constant extents";
  if (!can_be_staged(g->cache->field->snode, g->task->snode))
    return "its cells do not stand side by side, or have indices that the loop has not";
  if (g->access_count > 0 && box_cells(g) > IR_STAGED_CELLS)
    return "the block and its halo are too large";
  if (g->adds && may_see_activity(g))
    return "the loop may see which cells are active, which staged additions make so later";
  return NULL;
}

/* What it takes of a team's memory: a sum has 32 bits at least, and a flag. */
static int64_t team_bytes(const Stage *g)
{
  const int64_t value = type_bytes(g->cache->field->type);
  const int64_t element = g->adds ? (value < 4 ? 4 : value) + 1 : value;

  return (box_cells(g) * element + 7) & ~(int64_t)7;
}

/* The function for one element. */
static IrFunction *element_of(Stage *g)
{
  if (!g->element)
    g->element = stage_element(g->module, g->function, g->cache, g->accesses[0].stmt);
  return g->element;
}

static void stage_in_team(Stage *g)
{
  const int64_t bytes = *g->team_bytes + team_bytes(g);

  if (bytes > IR_TEAM_BYTES) {
    leave(g, IR_UNSTAGED_TEAM, g->cache->loc, IR_TEAM_TOO_SMALL);
    return;
  }
  *g->team_bytes = bytes;
  g->cache->function = element_of(g);
  g->cache->slots = NEW_ARRAY(g->module->arena, int, 1);
  g->cache->slots[0] = g->cache->slot;
}

static void stage_accesses(Stage *g)
{
  Maker make = make_before(g->module, g->cache);

  g->cache->index = g->loads ? IR_CACHED_READ : IR_CACHED_ADDED;
  for (int k = 0; !g->is_told && k < g->cache->field->snode->path_axis_count; k++) {
    ir_add_operand(g->module, g->cache, make_const(&make, TY(I64), g->lo[k]));
    ir_add_operand(g->module, g->cache, make_const(&make, TY(I64), g->hi[k]));
  }
  if (has_computed(g))
    element_of(g);
  for (int k = 0; k < g->access_count; k++)
    if (g->accesses[k].stmt->op == IR_load)
      stage_load(g, &g->accesses[k]);
    else
      stage_addition(g, &g->accesses[k]);
  if (!g->task->manner.is_serial)
    stage_in_team(g);
}

static void take_told_box(Stage *g)
{
  g->is_told = g->cache->operand_count > 0;
  for (int k = 0; 2 * k < g->cache->operand_count; k++) {
    g->lo[k] = g->cache->operands[2 * k]->value.i;
    g->hi[k] = g->cache->operands[2 * k + 1]->value.i;
  }
}

static void stage_field(Stage *g)
{
  const IrBlock *body = g->task->blocks[0];
  const char *why;

  take_told_box(g);
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    look_for_access(g, s);
  if (!g->uses_part)
    leave(g, IR_UNSTAGED_UNUSED, g->cache->loc, NULL);
  else if ((why = why_none(g)) != NULL)
    leave(g, IR_UNSTAGED_FIELD, g->refused ? g->refused_at : g->cache->loc, why);
  else {
    for (int k = 0; k < g->other_count; k++)
      leave(g, IR_UNSTAGED_ACCESS, g->others[k].loc, g->others[k].why);
    if (g->access_count > 0)
      stage_accesses(g);
  }
}

static void stage_task(IrModule *m, IrFunction *f, IrStmt *task)
{
  IrBlock *body = task->blocks[0];
  int64_t bytes = 0;
  int count = 0;
  IrStmt **caches = NULL;
  const int *uses;

  for (int k = 0; k < body->count && !kind_is(task->snode->kind, KIND_LIST); k++)
    if (body->stmts[k]->op == IR_cache)
      vec_push(m->arena, caches, count, body->stmts[k]);
  uses = count > 0 ? count_uses(m, f) : NULL;
  for (int k = 0; k < count; k++) {
    Stage g = { .module = m, .function = f, .task = task, .cache = caches[k], .body = body,
                .uses = uses, .team_bytes = &bytes };
    stage_field(&g);
  }
}

static void note_declared(IrModule *m, IrFunction *f)
{
  (void)m;
  note_declarations(f);
}

void pass_stage(IrModule *m)
{
  for_each_function(m, note_declared);
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (t.tasks[i]->task == IR_TASK_STRUCT_FOR)
        stage_task(m, m->kernels[k], t.tasks[i]);
  }
}
