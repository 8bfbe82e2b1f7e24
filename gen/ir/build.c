/* Making, moving, numbering and walking statements. */
#include "gen/ir/ir.h"

#include <string.h>

/* ---- making ---- */

IrBlock *ir_block(IrModule *m, IrStmt *owner)
{
  IrBlock *block = NEW(m->arena, IrBlock);

  block->owner = owner;
  return block;
}

void ir_add_operand(IrModule *m, IrStmt *s, IrStmt *operand)
{
  vec_push(m->arena, s->operands, s->operand_count, operand);
}

IrStmt *ir_stmt(IrModule *m, IrOp op, const Type *type, Loc loc, ...)
{
  IrStmt *s = NEW(m->arena, IrStmt), *operand;
  va_list operands;

  s->op = op;
  s->type = type;
  s->loc = loc;
  s->id = -1;
  s->site = -1;
  va_start(operands, loc);
  while ((operand = va_arg(operands, IrStmt *)))
    ir_add_operand(m, s, operand);
  va_end(operands);
  return s;
}

/* ---- placing ---- */

void ir_append(IrModule *m, IrBlock *block, IrStmt *s)
{
  vec_push(m->arena, block->stmts, block->count, s);
  s->parent = block;
}

/* Mostly where it was seen last; else from both ends: what a pass puts in place of many
 * reads grows at one of them. */
static int position(IrStmt *s)
{
  const IrBlock *block = s->parent;

  if (s->position < block->count && block->stmts[s->position] == s)
    return s->position;
  for (int first = 0, last = block->count - 1; first <= last; first++, last--) {
    if (block->stmts[first] == s)
      return s->position = first;
    if (block->stmts[last] == s)
      return s->position = last;
  }
  ICE("a statement '%s' does not stand in its block", ir_op_info[s->op].name);
}

void ir_insert_before(IrModule *m, IrStmt *where, IrStmt *s)
{
  IrBlock *block = where->parent;
  int at = position(where);

  ir_append(m, block, s);
  memmove(&block->stmts[at + 1], &block->stmts[at],
          sizeof *block->stmts * (size_t)(block->count - 1 - at));
  block->stmts[at] = s;
}

void ir_remove(IrStmt *s)
{
  IrBlock *block = s->parent;
  int at = position(s);

  block->count--;
  memmove(&block->stmts[at], &block->stmts[at + 1],
          sizeof *block->stmts * (size_t)(block->count - at));
  s->parent = NULL;
}

/* ---- walking ---- */

static IrStmt *stmt_at(const IrBlock *block, int k)
{
  IrStmt *s = k < block->count ? block->stmts[k] : NULL;

  if (s)
    s->position = k;
  return s;
}

IrStmt *ir_first(const IrBlock *block)
{
  return stmt_at(block, 0);
}

/* The first statement of its blocks from number b on. */
static IrStmt *first_within(const IrStmt *s, int b)
{
  IrStmt *first = NULL;

  for (; b < IR_BLOCKS && !first; b++)
    if (s->blocks[b])
      first = ir_first(s->blocks[b]);
  return first;
}

static int number_of_block(const IrBlock *block)
{
  int b = 0;

  while (b < IR_BLOCKS - 1 && block->owner->blocks[b] != block)
    b++;
  return b;
}

static IrStmt *next_stmt(IrStmt *s, const IrBlock *block, const IrStmt *whole)
{
  IrStmt *next = first_within(s, 0);

  while (!next && s != whole) {
    const IrBlock *in = s->parent;
    next = stmt_at(in, position(s) + 1);
    if (next || in == block)
      return next;
    s = in->owner;
    next = first_within(s, number_of_block(in) + 1);
  }
  return next;
}

IrStmt *ir_next(IrStmt *s, const IrBlock *whole)
{
  return next_stmt(s, whole, NULL);
}

IrStmt *ir_next_in(IrStmt *s, const IrStmt *whole)
{
  return next_stmt(s, NULL, whole);
}

static void add_called(Arena *arena, const IrBlock *block, IrCalled *called)
{
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block)) {
    int k = 0;
    if (s->op != IR_call)
      continue;
    while (k < called->count && called->functions[k] != s->function)
      k++;
    if (k == called->count)
      vec_push(arena, called->functions, called->count, s->function);
  }
}

IrCalled ir_called(Arena *arena, const IrBlock *block)
{
  IrCalled called = { NULL, 0 };

  add_called(arena, block, &called);
  for (int k = 0; k < called.count; k++)
    add_called(arena, called.functions[k]->body, &called);
  return called;
}

int ir_function_count(const IrModule *m)
{
  return m->function_count + m->kernel_count;
}

IrFunction *ir_function(const IrModule *m, int k)
{
  return k < m->function_count ? m->functions[k] : m->kernels[k - m->function_count];
}

void ir_replace_uses(IrFunction *f, IrStmt *old, IrStmt *by)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    for (int k = 0; k < s->operand_count; k++)
      if (s->operands[k] == old)
        s->operands[k] = by;
}

/* ---- tasks ---- */

bool ir_stands_on_host(const IrStmt *s)
{
  for (const IrBlock *b = s->parent; b && b->owner; b = b->owner->parent)
    if (b->owner->op == IR_offloaded)
      return false;
  return s->op != IR_offloaded;
}

IrStmt *ir_leaves(const IrStmt *task)
{
  return task->task == IR_TASK_RANGE_FOR && task->blocks[1] ? task->blocks[1]->stmts[0] : NULL;
}

bool ir_is_leaves(const IrStmt *task)
{
  const IrStmt *owner = task->parent ? task->parent->owner : NULL;

  return owner && owner->op == IR_offloaded && owner->task == IR_TASK_RANGE_FOR &&
         task->parent == owner->blocks[1];
}

IrTasks ir_tasks(Arena *arena, const IrFunction *kernel)
{
  IrTasks t = { NULL, 0 };

  for (IrStmt *s = ir_first(kernel->body); s; s = ir_next(s, kernel->body))
    if (s->op == IR_offloaded)
      vec_push(arena, t.tasks, t.count, s);
  return t;
}

/* ---- numbering ---- */

/* Values, and the loops whose index a loop_index asks for. */
static bool can_be_named(const IrStmt *s)
{
  return s->type != TY(VOID) || s->op == IR_for_range || s->op == IR_offloaded ||
         ir_is_by_rows(s) || ir_is(s, IR_FOREACH);
}

void ir_number(IrFunction *f)
{
  int stmts = 0, variables = 0;

  for (int k = 0; k < f->param_count; k++)
    f->params[k]->id = variables++;
  for (int k = 0; k < f->local_count; k++)
    f->locals[k]->id = variables++;
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body)) {
    s->id = can_be_named(s) ? stmts++ : -1;
    for (int k = 0; k < s->variable_count; k++)
      s->variables[k]->id = variables++;
    if (s->op == IR_for_range && s->variable)
      s->variable->id = variables++;
  }
  f->number_count = stmts;
  f->variable_count = variables;
}

/* ---- sites ---- */

int ir_number_sites(IrModule *m)
{
  int next = 0;

  for (int k = 0; k < ir_function_count(m); k++) {
    const IrBlock *body = ir_function(m, k)->body;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      s->site = ir_is(s, IR_SITE) ? next++ : -1;
  }
  return next;
}

/* ---- questions ---- */

/* As snode/device/claim.h has it. */
bool ir_claim_tells(int elements, int indices)
{
  return elements + 2 * indices <= MAX_AXES;
}

bool ir_may_trap(const IrStmt *s, IrBounds bounds)
{
  if (s->op == IR_call)
    return s->function->may_trap;
  if (ir_is(s, IR_TRAPS))
    return true;
  if (bounds != IR_BOUNDS_TRAP || !ir_is(s, IR_BOUNDED))
    return false;
  return !s->field || (s->field->axis_count > 0 && s->field->border == BORDER_NONE);
}

int ir_parts(const IrStmt *s)
{
  int matrix = s->operand_count, vector = matrix == 4 ? 2 : 3;

  switch (s->op) {
  case IR_svd:     return 2 * matrix + vector;
  case IR_polar:   return 2 * matrix;
  case IR_sym_eig: return matrix + vector;
  default:         return 0;
  }
}

IrEffects ir_effects(const IrStmt *s)
{
  return ir_activates(s) ? IR_WRITES : ir_op_info[s->op].effects;
}

static int64_t own_extent(const IrSNode *s, int axis)
{
  for (int k = 0; k < s->axis_count; k++)
    if (s->axes[k].axis == axis)
      return s->axes[k].size;
  return 1;
}

bool ir_is_one_block(const IrSNode *n)
{
  enum { LEAST_BLOCK = 512 };
  int64_t cells = 1;

  for (int k = 0; k < n->axis_count; k++) {
    if (n->axes[k].size == 0 || n->axes[k].size > LEAST_BLOCK)
      return false;
    cells *= n->axes[k].size;
    if (cells > LEAST_BLOCK)
      return false;
  }
  return true;
}

int64_t ir_cells(const IrSNode *n)
{
  int64_t cells = 1;

  for (int k = 0; k < n->axis_count; k++)
    cells *= n->axes[k].size;
  return cells;
}

int64_t ir_array_cells(const IrSNode *n)
{
  return n->is_soa_by_row ? n->axes[n->axis_count - 1].size : ir_cells(n);
}

int64_t ir_field_bytes(const IrSNode *n)
{
  int64_t bytes = 0;

  for (int k = 0; k < n->field_count; k++)
    bytes += type_bytes(n->fields[k]->type);
  for (int k = 0; k < n->child_count; k++)
    if (ir_is_in_place(n->children[k]))
      bytes += ir_cells(n->children[k]) * ir_field_bytes(n->children[k]);
  return bytes;
}

/* From so many bytes on the library has each cell begin on a line of a cache. */
enum { WHOLE_LINES = 256 };

bool ir_has_id(const IrSNode *n)
{
  const bool holds_one = n->field_count == 0 && n->child_count == 1 &&
                         ir_is_in_place(n->children[0]);

  return !n->is_split && !(holds_one && ir_field_bytes(n) >= WHOLE_LINES);
}

/* 0 where one of the extents is given at creation. */
int64_t ir_below(const IrSNode *ancestor, const IrSNode *node, int axis)
{
  int64_t product = 1;

  for (; node && node != ancestor; node = node->parent)
    product *= own_extent(node, axis);
  return product;
}

/* ---- labels of a tree ---- */

/* next: its number; gives the one behind all in it. */
static int label_snode(Arena *arena, IrSNode *s, int next)
{
  s->label = intern_format(arena, "S%d%s", next++, snode_kind[s->kind].word);
  for (int k = 0; k < s->field_count; k++)
    s->fields[k]->number = next++;
  for (int k = 0; k < s->child_count; k++)
    next = label_snode(arena, s->children[k], next);
  return next;
}

void ir_label_tree(Arena *arena, IrTree *t)
{
  label_snode(arena, t->snodes[0], 0);
}
