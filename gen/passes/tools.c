/* What several passes ask of the IR or do to it. */
#include "gen/passes/tools.h"
#include "gen/ir/finding.h"

#include <string.h>

/* ---- making statements ---- */

Maker make_before(IrModule *m, IrStmt *where)
{
  return (Maker){ .module = m, .block = where->parent, .where = where,
                  .loc = where->loc, .site = where->site };
}

Maker make_at_end(IrModule *m, IrBlock *block, const IrStmt *like)
{
  return (Maker){
    .module = m, .block = block, .loc = like->loc, .site = like->site
  };
}

/* What is done to a dynamic container, whose indices are those of another SNode. */
static bool is_of_list(const IrStmt *s)
{
  return s->op == IR_append_cell || s->op == IR_cell_length ||
         (s->op == IR_release_cell && kind_is(s->snode->kind, KIND_LIST));
}

/* What a walk can report: an index outside, and memory that is out; and what knows
 * the name for it. */
static bool has_site(const IrStmt *s)
{
  return is_of_list(s) ||
         (s->op == IR_cell && s->mode == IR_MODE_ACTIVATE) || ir_is(s, IR_SITE);
}

IrStmt *put(Maker *make, IrStmt *s)
{
  s->site = has_site(s) ? make->site : -1;
  if (make->where)
    ir_insert_before(make->module, make->where, s);
  else
    ir_append(make->module, make->block, s);
  return s;
}

IrStmt *make_value(Maker *make, const Type *type, Value value)
{
  IrStmt *s = ir_stmt(make->module, IR_const, type, make->loc, NULL);

  s->value = value;
  return put(make, s);
}

IrStmt *make_const(Maker *make, const Type *type, int64_t i)
{
  Value v = { .i = i };

  return make_value(make, type, value_cast(type, TY(I64), v));
}

IrStmt *make_cast(Maker *make, const Type *type, IrStmt *value)
{
  if (value->type == type)
    return value;
  return put(make,
             ir_stmt(make->module, IR_cast, type, make->loc, value, NULL));
}

/* ---- functions and blocks ---- */

void for_each_function(IrModule *m, void (*visit)(IrModule *, IrFunction *))
{
  for (int k = 0; k < m->function_count; k++)
    visit(m, m->functions[k]);
  for (int k = 0; k < m->kernel_count; k++)
    visit(m, m->kernels[k]);
}

void rewrite_block(IrBlock *block, RewriteFn *rewrite, void *user)
{
  IrStmt **old = block->stmts;
  int count = block->count;

  block->stmts = NULL;
  block->count = 0;
  for (int k = 0; k < count; k++) {
    for (int b = 0; b < IR_BLOCKS; b++)
      if (old[k]->blocks[b])
        rewrite_block(old[k]->blocks[b], rewrite, user);
    rewrite(old[k], block, user);
  }
}

void replace_operands(IrStmt *s, IrStmt *const *by)
{
  for (int k = 0; k < s->operand_count; k++) {
    const IrStmt *old = s->operands[k];
    while (old->id > 0 && by[old->id])
      old = s->operands[k] = by[old->id];
  }
}

/* ---- questions ---- */

bool is_pure(const IrStmt *s)
{
  return ir_effects(s) == IR_PURE;
}

bool is_const(const IrStmt *s)
{
  return s->op == IR_const;
}

bool is_same_operation(const IrStmt *a, const IrStmt *b)
{
  return a->op == b->op && a->type == b->type && a->operand_count == b->operand_count &&
         a->variable == b->variable && a->field == b->field && a->snode == b->snode &&
         a->slot == b->slot && a->builtin == b->builtin && a->index == b->index &&
         a->table == b->table &&
         a->text == b->text && a->value.i == b->value.i;          /* as bits: -0.0 is not 0.0 */
}

uintptr_t hash_operation(const IrStmt *s)
{
  uint64_t h = (uint64_t)s->op * 31 + (uintptr_t)s->variable + (uint64_t)s->value.i;

  for (int k = 0; k < s->operand_count; k++)
    h = h * 31 + (uintptr_t)s->operands[k];
  return (uintptr_t)(h * 0x9e3779b97f4a7c15u >> 7) | 1;
}

void note_declarations(IrFunction *f)
{
  for (int k = 0; k < f->local_count; k++)
    f->locals[k]->declaration = NULL;
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (s->op == IR_declare)
      s->variable->declaration = s;
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (ir_changes(s, IR_OF_LOCAL) && s != s->variable->declaration)
      s->variable->declaration = NULL;
}

void for_each_near_form(IrModule *m, void (*act)(IrModule *, IrFunction *, IrStmt *))
{
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    note_declarations(m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (t.tasks[i]->blocks[2])
        act(m, m->kernels[k], t.tasks[i]);
  }
}

int reduction_kind(Op update)
{
  switch (update) {
  case OP_ADD: case OP_SUB:
    return OP_ADD;
  case OP_MUL: case OP_MIN: case OP_MAX:
  case OP_AND: case OP_OR: case OP_XOR:
    return (int)update;
  default:
    return -1;
  }
}

bool stands_in(const IrStmt *s, const IrStmt *loop)
{
  for (const IrBlock *b = s->parent; b && b->owner; b = b->owner->parent)
    if (b->owner == loop)
      return true;
  return false;
}

bool is_invariant_in(const IrStmt *s, const IrStmt *loop)
{
  if (!stands_in(s, loop))
    return true;
  if (!is_pure(s) || (s->op == IR_loop_index && s->operands[0] == loop))
    return false;
  for (int k = 0; k < s->operand_count; k++)
    if (!is_invariant_in(s->operands[k], loop))
      return false;
  return true;
}

IrStmt *task_of(const IrStmt *s)
{
  IrBlock *b = s->parent;

  while (b && b->owner) {
    if (b->owner->op == IR_offloaded)
      return b->owner;
    b = b->owner->parent;
  }
  return NULL;
}

bool is_parallel(const IrStmt *task)
{
  bool is_loop = task->task == IR_TASK_RANGE_FOR || task->task == IR_TASK_STRUCT_FOR;

  return is_loop && !task->manner.is_serial;
}

/* Says how an iteration reads, and does nothing. */
static bool is_hint(const IrStmt *s)
{
  return s->op == IR_cache && s->index != IR_CACHED_ADDED;
}

IrStmt *whole_body(const IrStmt *task)
{
  const IrBlock *body = task->blocks[0];
  IrStmt *only = NULL;

  for (int k = 0; k < body->count; k++) {
    IrStmt *s = body->stmts[k];
    if (s->op == IR_if && !only)
      only = s;
    else if (s->op == IR_if || (ir_effects(s) > IR_READS && !is_hint(s)))
      return NULL;
  }
  return only && only->blocks[1]->count == 0 ? only : NULL;
}

bool is_above(const IrSNode *ancestor, const IrSNode *node)
{
  for (; node; node = node->parent)
    if (node == ancestor)
      return true;
  return false;
}

bool takes_memory(const IrSNode *node)
{
  for (; node; node = node->parent)
    if (ir_is_allocated(node) || kind_is(node->kind, KIND_LIST))
      return true;
  return false;
}

const IrStmt *cell_digit(const IrStmt *cell, int k)
{
  const IrStmt *position =
      cell->operand_count > 1 ? cell->operands[1] : NULL;

  if (kind_is(cell->snode->kind, KIND_KEYS))
    return k + 1 < cell->operand_count
               ? ir_without_casts(cell->operands[k + 1]) : NULL;
  if (!position || position->op != IR_linear)
    return NULL;
  return k < position->operand_count ? position->operands[k] : NULL;
}

bool is_same_cell(const IrStmt *x, const IrStmt *y,
                  bool (*is_same)(const IrStmt *, const IrStmt *))
{
  const IrStmt *digit, *other;

  if (x == y)
    return true;
  if (x->op != y->op || x->slot != y->slot || x->snode != y->snode)
    return false;
  if (x->op == IR_root)
    return true;
  if (x->op != IR_cell)
    return false;
  for (int k = 0; (digit = cell_digit(x, k)) != NULL; k++)
    if ((other = cell_digit(y, k)) == NULL || !is_same(digit, other))
      return false;
  return is_same_cell(x->operands[0], y->operands[0], is_same);
}

int give_ids(IrFunction *f)
{
  int last = 0;

  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    s->id = ++last;
  return last;
}

int *count_uses(IrModule *m, IrFunction *f)
{
  int *uses = NEW_ARRAY(m->arena, int, give_ids(f) + 1);

  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    for (int k = 0; k < s->operand_count; k++)
      if (s->operands[k]->parent)    /* a range_for's bounds have no block */
        uses[s->operands[k]->id]++;
  return uses;
}

/* ---- dead code ---- */

/* A read as written may trap, so it stays; lowered, its check does. */
bool is_removable(const IrStmt *s)
{
  return ir_effects(s) <= IR_READS && !ir_is(s, IR_BOUNDED);
}

typedef struct Sweep {
  int *uses;
  bool (*may_go)(const IrStmt *, void *);
  void *user;
} Sweep;

static bool goes(const IrStmt *s, const Sweep *sweep)
{
  return sweep->uses[s->id] == 0 && s->type != TY(VOID) &&
         sweep->may_go(s, sweep->user);
}

/* Backwards, so that what only dead values use dies in the same round. */
static void sweep_block(IrBlock *block, const Sweep *sweep)
{
  int first = block->count;

  for (int k = block->count - 1; k >= 0; k--) {
    IrStmt *s = block->stmts[k];
    if (goes(s, sweep)) {
      for (int o = 0; o < s->operand_count; o++)
        sweep->uses[s->operands[o]->id]--;
      continue;
    }
    for (int b = IR_BLOCKS - 1; b >= 0; b--)
      if (s->blocks[b])
        sweep_block(s->blocks[b], sweep);
    block->stmts[--first] = s;
  }
  block->count -= first;
  if (block->count > 0)                /* an empty block has no table */
    memmove(block->stmts, block->stmts + first,
            sizeof *block->stmts * (size_t)block->count);
}

void remove_unused(IrModule *m, IrFunction *f,
                   bool (*may_go)(const IrStmt *, void *), void *user)
{
  Sweep sweep = { count_uses(m, f), may_go, user };

  sweep_block(f->body, &sweep);
}

static bool go_if_removable(const IrStmt *s, void *user)
{
  (void)user;
  return is_removable(s);
}

void remove_dead(IrModule *m, IrFunction *f)
{
  remove_unused(m, f, go_if_removable, NULL);
}

/* ---- activity ---- */

Changes changes_of(Arena *arena, const IrBlock *block)
{
  return (Changes){ .arena = arena, .block = block, .next = ir_first(block) };
}

static int slot_of(const Changes *c, int slot)
{
  return c->slots ? c->slots[slot] : slot;
}

static bool is_known_call(const Changes *c, const struct Called *call)
{
  size_t bytes = sizeof *call->slots * (size_t)call->function->slot_count;

  for (int k = 0; k < c->call_count; k++)
    if (c->calls[k].function == call->function &&
        memcmp(c->calls[k].slots, call->slots, bytes) == 0)
      return true;
  return false;
}

/* A function is looked into once for each choice of the slots that it is called with. */
static void note_call(Changes *c, const IrStmt *s)
{
  const int count = s->function->slot_count;
  int *slots = NEW_ARRAY(c->arena, int, count + 1);
  struct Called call = { s->function, slots };

  for (int k = 0; k < count; k++)
    slots[k] = slot_of(c, s->slots[k]);
  if (!is_known_call(c, &call))
    vec_push(c->arena, c->calls, c->call_count, call);
}

/* On to the next function that was called; false: there is none. */
static bool go_into_call(Changes *c)
{
  if (c->done == c->call_count)
    return false;
  c->slots = c->calls[c->done].slots;
  c->block = c->calls[c->done++].function->body;
  c->next = ir_first(c->block);
  return true;
}

bool next_change(Changes *c)
{
  do {
    while (c->next) {
      const IrStmt *s = c->next;
      c->next = ir_next(c->next, c->block);
      if (s->op == IR_call)
        note_call(c, s);
      else if (ir_is(s, IR_DEACTIVATES) || ir_activates(s)) {
        c->stmt = s;
        c->snode = ir_snode(s);
        c->slot = slot_of(c, s->slot);
        return true;
      }
    }
  } while (go_into_call(c));
  return false;
}

bool may_take_out(IrModule *m, IrBlock *block, const IrSNode *snode)
{
  Changes c = changes_of(m->arena, block);

  while (next_change(&c))
    if (ir_is(c.stmt, IR_DEACTIVATES) && c.snode->tree == snode->tree &&
        is_above(c.snode, snode))
      return true;
  return false;
}

/* ---- what is told ---- */

void note_unstaged(IrModule *m, const IrStmt *cache, int kind, Loc loc, const char *why)
{
  const IrUnstaged u = { ir_whole_name(m->arena, cache->field->name), kind, loc, why };

  for (int k = 0; k < m->unstaged_count; k++)
    if (loc_is_same(m->unstaged[k].loc, loc) && strcmp(m->unstaged[k].name, u.name) == 0)
      return;
  vec_push(m->arena, m->unstaged, m->unstaged_count, u);
}
