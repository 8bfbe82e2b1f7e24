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

static int position(const IrStmt *s)
{
  const IrBlock *block = s->parent;

  /* From both ends: what a pass puts in place of many reads grows at one of them. */
  for (int first = 0, last = block->count - 1; first <= last; first++, last--) {
    if (block->stmts[first] == s)
      return first;
    if (block->stmts[last] == s)
      return last;
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

void ir_walk(IrBlock *block, void (*visit)(IrStmt *, void *), void *user)
{
  for (int k = 0; k < block->count; k++) {
    IrStmt *s = block->stmts[k];
    visit(s, user);
    for (int b = 0; b < 3; b++)
      if (s->blocks[b])
        ir_walk(s->blocks[b], visit, user);
  }
}

typedef struct Replacement {
  IrStmt *old, *by;
} Replacement;

static void replace_operands(IrStmt *s, void *user)
{
  const Replacement *r = user;

  for (int k = 0; k < s->operand_count; k++)
    if (s->operands[k] == r->old)
      s->operands[k] = r->by;
}

void ir_replace_uses(IrFunction *f, IrStmt *old, IrStmt *by)
{
  Replacement r = { old, by };

  ir_walk(f->body, replace_operands, &r);
}

/* ---- tasks ---- */

bool ir_stands_on_host(const IrStmt *s)
{
  for (const IrBlock *b = s->parent; b && b->owner; b = b->owner->parent)
    if (b->owner->op == IR_offloaded)
      return false;
  return s->op != IR_offloaded;
}

static void add_tasks(Arena *arena, const IrBlock *block, IrTasks *t)
{
  for (int k = 0; k < block->count; k++) {
    IrStmt *s = block->stmts[k];
    if (s->op == IR_offloaded) {
      vec_push(arena, t->tasks, t->count, s);
      continue;
    }
    for (int b = 0; b < 3; b++)
      if (s->blocks[b])
        add_tasks(arena, s->blocks[b], t);
  }
}

IrTasks ir_tasks(Arena *arena, const IrFunction *kernel)
{
  IrTasks t = { NULL, 0 };

  add_tasks(arena, kernel->body, &t);
  return t;
}

/* ---- numbering ---- */

/* Values, and the loops whose index a loop_index asks for. */
static bool can_be_named(const IrStmt *s)
{
  return s->type != TY(VOID) || s->op == IR_for_range || s->op == IR_offloaded ||
         ir_is_by_rows(s) || ir_is(s, IR_FOREACH);
}

typedef struct Numbers {
  int stmts, variables;
} Numbers;

static void number_stmt(IrStmt *s, void *user)
{
  Numbers *n = user;

  s->id = can_be_named(s) ? n->stmts++ : -1;
  for (int k = 0; k < s->variable_count; k++)
    s->variables[k]->id = n->variables++;
  if (s->op == IR_for_range && s->variable)
    s->variable->id = n->variables++;
}

void ir_number(IrFunction *f)
{
  Numbers n = { 0, 0 };

  for (int k = 0; k < f->param_count; k++)
    f->params[k]->id = n.variables++;
  for (int k = 0; k < f->local_count; k++)
    f->locals[k]->id = n.variables++;
  ir_walk(f->body, number_stmt, &n);
  f->number_count = n.stmts;
  f->variable_count = n.variables;
}

/* ---- sites ---- */

static void number_site(IrStmt *s, void *user)
{
  int *next = user;

  s->site = ir_is(s, IR_SITE) ? (*next)++ : -1;
}

int ir_number_sites(IrModule *m)
{
  int next = 0;

  for (int k = 0; k < m->function_count; k++)
    ir_walk(m->functions[k]->body, number_site, &next);
  for (int k = 0; k < m->kernel_count; k++)
    ir_walk(m->kernels[k]->body, number_site, &next);
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

/* 0 where one of the extents is given at creation. */
int64_t ir_below(const IrSNode *ancestor, const IrSNode *node, int axis)
{
  int64_t product = 1;

  for (; node && node != ancestor; node = node->parent)
    product *= own_extent(node, axis);
  return product;
}
