/* What [[cache]] could not stage, said after the passes: they know the indices. */
#include "gen/cached.h"
#include "gen/passes/tools.h"

typedef struct Search {
  const IrModule *module;
  Diag *diag;
  const IrStmt *task, *cache;
  bool is_read, is_added;
  const IrStmt *staged[4096];          /* the loads that are */
  int staged_count;
} Search;

static bool is_of_field(const Search *f, const IrStmt *s)
{
  return s->field == f->cache->field;
}

static void note_staged(IrStmt *s, void *user)
{
  Search *f = user;

  if (s->op == IR_staged && is_of_field(f, s) && f->staged_count < 4096)
    f->staged[f->staged_count++] = s->operands[0];
}

static bool is_staged(const Search *f, const IrStmt *load)
{
  for (int k = 0; k < f->staged_count; k++)
    if (f->staged[k] == load)
      return true;
  return f->staged_count == 4096;
}

static bool has_open_block(const IrSNode *looped)
{
  for (int k = 0; k < looped->axis_count; k++)
    if (looped->axes[k].size == 0)
      return true;
  return looped->open_axes != 0 || looped->kind == IR_SNODE_DYNAMIC;
}

static const char *why_not(const Search *f)
{
  if (has_open_block(f->task->snode))
    return "the loop's cells stand in no block of constant extents";
  if (!ir_is_in_place(f->cache->field->snode) || f->cache->field->snode->open_axes)
    return "its cells do not stand side by side";
  if (f->cache->operand_count > 0)
    return "its indices are not the loop's and constants";
  return "its indices are not the loop's and constants, or the block and its halo are large";
}

static void report(const Search *f, const IrStmt *s, const char *why)
{
  diag(f->diag, DIAG_CACHE_ACCESS, s->loc, ir_whole_name(f->module->arena, s->field->name), why);
}

static const char read_or_added[] = "what is staged is read, or added to, not both";

static bool is_staged_addition(const IrStmt *s)
{
  return s->operands[1]->op == IR_staged && s->operands[1]->field == s->field;
}

typedef struct Asked {
  const IrStmt *value;
  bool is_asked;
} Asked;

static void look_for_use(IrStmt *s, void *user)
{
  Asked *a = user;

  for (int k = 0; k < s->operand_count; k++)
    a->is_asked = a->is_asked || s->operands[k] == a->value;
}

static const char *why_not_added(const Search *f, const IrStmt *s)
{
  Asked a = { .value = s };

  if (s->update != IR_UPDATE_ADD && s->update != IR_UPDATE_SUB)
    return "what is staged is added to, by += and -= alone";
  if (f->task)
    ir_walk(f->task->blocks[0], look_for_use, &a);
  if (a.is_asked)
    return "its old value is asked for";
  return f->task ? why_not(f) : "it stands in a function";
}

static void visit_update(Search *f, const IrStmt *s)
{
  f->is_added = true;
  if (f->is_read)
    report(f, s, read_or_added);
  else if (f->cache->index != IR_CACHED_READ && f->cache->index != IR_CACHED_AT_ONCE &&
           !is_staged_addition(s))
    report(f, s, why_not_added(f, s));
}

static void visit(IrStmt *s, void *user)
{
  Search *f = user;

  if (s->op == IR_load && is_of_field(f, s)) {
    f->is_read = true;
    if (f->is_added)
      report(f, s, read_or_added);
    else if (!is_staged(f, s))
      report(f, s, f->task ? why_not(f) : "it stands in a function");
  }
  if (s->op == IR_store && is_of_field(f, s))
    report(f, s, "what is staged is read, or added to, not assigned");
  if (s->op == IR_cell_atomic && is_of_field(f, s))
    visit_update(f, s);
  if (s->op == IR_release_cell && s->snode->tree == f->cache->field->snode->tree)
    diag(f->diag, DIAG_CACHE_DEACTIVATES, s->loc, s->snode->name,
         ir_whole_name(f->module->arena, f->cache->field->name));
  if (s->op == IR_call) {
    const IrStmt *task = f->task;
    f->task = NULL;
    ir_walk(s->function->body, visit, f);
    f->task = task;
  }
}

static void report_field(const IrModule *m, Diag *d, const IrStmt *task, const IrStmt *cache)
{
  Search f = { .module = m, .diag = d, .task = task, .cache = cache };

  ir_walk(task->blocks[0], note_staged, &f);
  ir_walk(task->blocks[0], visit, &f);
  if (task->manner.is_serial)          /* the checker has told that nothing is staged */
    return;
  if (cache->index == IR_CACHED_AT_ONCE)
    diag(d, DIAG_ATTRIBUTE_UNUSED, cache->loc, "cache",
         "the loop may see which cells are active, so additions go to them at once");
  else if (!f.is_read && !f.is_added)
    diag(d, DIAG_ATTRIBUTE_UNUSED, cache->loc, "cache", "the field is neither read nor added to");
}

/* Of a vector's elements, which stand side by side, the first speaks for all. */
static bool is_told(const IrBlock *b, int at)
{
  for (int k = 0; k < at; k++)
    if (b->stmts[k]->op == IR_cache && b->stmts[k]->slot == b->stmts[at]->slot &&
        ir_same_whole(b->stmts[k]->field->name, b->stmts[at]->field->name))
      return true;
  return false;
}

void report_cached(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    for (int i = 0; i < t.count; i++) {
      const IrStmt *task = t.tasks[i];
      for (int n = 0; task->task == IR_TASK_STRUCT_FOR && n < task->blocks[0]->count; n++)
        if (task->blocks[0]->stmts[n]->op == IR_cache && !is_told(task->blocks[0], n))
          report_field(m, d, task, task->blocks[0]->stmts[n]);
    }
  }
}
