/* stage: which loads of a cached field are near the own cell, and how far the nearest and
 * the farthest are.
 *
 *   cache x t                        cache x t $20 $21          from -1 to 1
 *   <f32> $9 = load x $8      =>     <f32> $9 = load x $8       of the cell at i + 1
 *                                    <f32> $22 = staged x t $9 $21
 *
 * Needs: the module lowered, no own_cell taken yet.
 * Guarantees: a load of a cached field at the loop's indices and constants is followed by
 * a `staged`, which takes its place; a `cache` holds the box of all their offsets.  What a
 * field or a loop has that cannot be staged is left as it was.
 */
#include "gen/passes/tools.h"

typedef struct Stage {
  IrModule *module;
  IrFunction *function;
  IrStmt *task, *cache;
  int64_t lo[IR_MAX_AXES], hi[IR_MAX_AXES];
  IrStmt **loads; int load_count;
} Stage;

static int path_position(const IrSNode *snode, int axis)
{
  for (int k = 0; k < snode->path_axis_count; k++)
    if (snode->path_axes[k] == axis)
      return k;
  return -1;
}

/* Blocks of the loop are boxes of known size. */
static bool has_blocks(const IrSNode *looped)
{
  for (int k = 0; k < looped->axis_count; k++)
    if (looped->axes[k].size == 0)
      return false;
  return looped->open_axes == 0 && looped->kind != IR_SNODE_DYNAMIC;
}

/* Its cells stand side by side. */
static bool can_be_staged(const IrSNode *snode, const IrSNode *looped)
{
  for (int k = 0; k < snode->path_axis_count; k++)
    if (path_position(looped, snode->path_axes[k]) < 0)
      return false;
  return ir_is_in_place(snode) && snode->open_axes == 0;
}

/* How far the cell is from the own one on an axis; false: not a constant. */
static bool offset_on(const Stage *g, const IrStmt *digit, int64_t *offset)
{
  const IrStmt *x = without_constant((IrStmt *)without_casts(digit->operands[0]), offset);

  x = without_casts(x);
  return x->op == IR_loop_index && x->operands[0] == g->task &&
         g->task->snode->path_axes[x->index] == digit->index;
}

static bool find_offsets(const Stage *g, const IrStmt *cell, int64_t *offset)
{
  for (; cell->op == IR_cell; cell = cell->operands[0]) {
    const IrStmt *digit;
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++)
      if (digit->op != IR_digit ||
          !offset_on(g, digit, &offset[path_position(g->cache->field->snode, digit->index)]))
        return false;
  }
  return cell->op == IR_root && cell->slot == g->cache->slot;
}

static void note_load(IrStmt *s, void *user)
{
  Stage *g = user;
  int64_t offset[IR_MAX_AXES] = { 0 };
  int count = g->load_count;

  if (s->op != IR_load || s->field != g->cache->field || !find_offsets(g, s->operands[0], offset))
    return;
  vec_push(g->module->arena, g->loads, g->load_count, s);
  for (int k = 0; k < s->field->snode->path_axis_count; k++) {
    if (count == 0 || offset[k] < g->lo[k])
      g->lo[k] = offset[k];
    if (count == 0 || offset[k] > g->hi[k])
      g->hi[k] = offset[k];
  }
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

static void put_staged(Stage *g, IrStmt *load)
{
  IrStmt *s = ir_stmt(g->module, IR_staged, load->type, load->loc, NULL), *behind = NULL;
  int64_t offset[IR_MAX_AXES] = { 0 };
  Maker make;

  for (int k = 0; k + 1 < load->parent->count; k++)
    if (load->parent->stmts[k] == load)
      behind = load->parent->stmts[k + 1];
  make = behind ? make_before(g->module, behind) : make_at_end(g->module, load->parent, load);
  find_offsets(g, load->operands[0], offset);
  ir_replace_uses(g->function, load, s);
  s->field = load->field;
  s->slot = g->cache->slot;
  ir_add_operand(g->module, s, load);
  for (int k = 0; k < load->field->snode->path_axis_count; k++)
    ir_add_operand(g->module, s, make_const(&make, TY(I64), offset[k]));
  put(&make, s);
}

static void stage_field(Stage *g)
{
  Maker make = make_before(g->module, g->cache);

  if (!has_blocks(g->task->snode) || !can_be_staged(g->cache->field->snode, g->task->snode))
    return;
  ir_walk(g->task->blocks[0], note_load, g);
  if (g->load_count == 0 || box_cells(g) > IR_STAGED_CELLS)
    return;
  for (int k = 0; k < g->cache->field->snode->path_axis_count; k++) {
    ir_add_operand(g->module, g->cache, make_const(&make, TY(I64), g->lo[k]));
    ir_add_operand(g->module, g->cache, make_const(&make, TY(I64), g->hi[k]));
  }
  for (int k = 0; k < g->load_count; k++)
    put_staged(g, g->loads[k]);
}

static void stage_task(IrModule *m, IrFunction *f, IrStmt *task)
{
  IrBlock *body = task->blocks[0];
  int count = 0;
  IrStmt **caches = NULL;

  for (int k = 0; k < body->count; k++)
    if (body->stmts[k]->op == IR_cache)
      vec_push(m->arena, caches, count, body->stmts[k]);
  for (int k = 0; k < count; k++) {
    Stage g = { .module = m, .function = f, .task = task, .cache = caches[k] };
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
      if (t.tasks[i]->task == IR_TASK_STRUCT_FOR && is_parallel(t.tasks[i]))
        stage_task(m, m->kernels[k], t.tasks[i]);
  }
}
