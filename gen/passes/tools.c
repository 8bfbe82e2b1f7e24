/* What several passes ask of the IR or do to it. */
#include "gen/passes/tools.h"

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

/* ---- variables ---- */

static bool has_name(const IrFunction *f, const char *name)
{
  for (int k = 0; k < f->param_count; k++)
    if (strcmp(f->params[k]->name, name) == 0)
      return true;
  for (int k = 0; k < f->local_count; k++)
    if (strcmp(f->locals[k]->name, name) == 0)
      return true;
  for (int k = 0; k < f->slot_count; k++)
    if (strcmp(f->slots[k].name, name) == 0)
      return true;
  return false;
}

typedef struct NameSearch {
  const char *name;
  bool found;
} NameSearch;

/* The names of loop indices stand in their loops only. */
static void find_index_name(IrStmt *s, void *user)
{
  NameSearch *search = user;

  for (int k = 0; k < s->variable_count; k++)
    if (strcmp(s->variables[k]->name, search->name) == 0)
      search->found = true;
  if (s->op == IR_for_range && strcmp(s->variable->name, search->name) == 0)
    search->found = true;
}

static bool is_taken(IrFunction *f, const char *name)
{
  NameSearch search = { name, false };

  if (has_name(f, name))
    return true;
  ir_walk(f->body, find_index_name, &search);
  return search.found;
}

static IrVariable *make_variable(IrModule *m, IrFunction *f, int kind, const char *wanted,
                                 const Type *type)
{
  IrVariable *v = NEW(m->arena, IrVariable);

  v->kind = kind;
  v->type = type;
  v->is_hidden = true;
  v->name = intern(m->arena, wanted, strlen(wanted));
  for (int k = 2; is_taken(f, v->name); k++)
    v->name = intern_format(m->arena, "%s_%d", wanted, k);
  return v;
}

IrVariable *make_hidden(IrModule *m, IrFunction *f, int kind,
                        const char *wanted, const Type *type)
{
  IrVariable *v = make_variable(m, f, kind, wanted, type);

  vec_push(m->arena, f->locals, f->local_count, v);
  return v;
}

IrVariable *make_index(IrModule *m, IrFunction *f, const char *wanted, const Type *type)
{
  return make_variable(m, f, IR_VAR_INDEX, wanted, type);
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
    for (int b = 0; b < 3; b++)
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
         a->text == b->text && a->value.i == b->value.i;          /* as bits: -0.0 is not 0.0 */
}

uintptr_t hash_operation(const IrStmt *s)
{
  uint64_t h = (uint64_t)s->op * 31 + (uintptr_t)s->variable + (uint64_t)s->value.i;

  for (int k = 0; k < s->operand_count; k++)
    h = h * 31 + (uintptr_t)s->operands[k];
  return (uintptr_t)(h * 0x9e3779b97f4a7c15u >> 7) | 1;
}

static void note_declaration(IrStmt *s, void *user)
{
  (void)user;
  if (s->op == IR_declare && s->variable->kind == IR_VAR_LOCAL)
    s->variable->declaration = s;
}

static void forget_declaration(IrStmt *s, void *user)
{
  (void)user;
  if (ir_changes(s, IR_OF_LOCAL) && s != s->variable->declaration)
    s->variable->declaration = NULL;
}

void note_declarations(IrFunction *f)
{
  for (int k = 0; k < f->local_count; k++)
    f->locals[k]->declaration = NULL;
  ir_walk(f->body, note_declaration, NULL);
  ir_walk(f->body, forget_declaration, NULL);
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

static void give_id(IrStmt *s, void *user)
{
  int *last = user;

  s->id = ++*last;
}

int give_ids(IrFunction *f)
{
  int last = 0;

  ir_walk(f->body, give_id, &last);
  return last;
}

static void count_operands(IrStmt *s, void *user)
{
  int *uses = user;

  for (int k = 0; k < s->operand_count; k++)
    if (s->operands[k]->parent)    /* a range_for's bounds have no block */
      uses[s->operands[k]->id]++;
}

int *count_uses(IrModule *m, IrFunction *f)
{
  int *uses = NEW_ARRAY(m->arena, int, give_ids(f) + 1);

  ir_walk(f->body, count_operands, uses);
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
    for (int b = 2; b >= 0; b--)
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

/* A function is looked into once for each choice of the caller's slots. */
typedef struct Call {
  const IrFunction *function;
  const int *slots;
} Call;

typedef struct ChangeWalk {
  Arena *arena;
  ChangeFn *visit;
  void *user;
  const int *slots;           /* of the call that leads here; NULL: none */
  Call *calls;
  int call_count;
} ChangeWalk;

static const int *translated(const ChangeWalk *walk, const IrStmt *call)
{
  int count = call->function->slot_count;
  int *slots = NEW_ARRAY(walk->arena, int, count + 1);

  for (int k = 0; k < count; k++)
    slots[k] = walk->slots ? walk->slots[call->slots[k]] : call->slots[k];
  return slots;
}

static bool is_known_call(const ChangeWalk *walk, const Call *call)
{
  size_t bytes = sizeof *call->slots * (size_t)call->function->slot_count;

  for (int k = 0; k < walk->call_count; k++)
    if (walk->calls[k].function == call->function &&
        memcmp(walk->calls[k].slots, call->slots, bytes) == 0)
      return true;
  return false;
}

static void visit_change(IrStmt *s, void *user);

static void visit_call(ChangeWalk *walk, const IrStmt *s)
{
  const int *outer = walk->slots;
  Call call = { s->function, translated(walk, s) };

  if (is_known_call(walk, &call))
    return;
  vec_push(walk->arena, walk->calls, walk->call_count, call);
  walk->slots = call.slots;
  ir_walk(s->function->body, visit_change, walk);
  walk->slots = outer;
}

static void visit_change(IrStmt *s, void *user)
{
  ChangeWalk *walk = user;
  int slot = walk->slots ? walk->slots[s->slot] : s->slot;

  if (s->op == IR_call)
    visit_call(walk, s);
  else if (ir_is(s, IR_DEACTIVATES) || ir_activates(s))
    walk->visit(s, ir_snode(s), slot, walk->user);
}

void for_each_change(IrModule *m, IrBlock *block, ChangeFn *visit, void *user)
{
  ChangeWalk walk = { .arena = m->arena, .visit = visit, .user = user };

  ir_walk(block, visit_change, &walk);
}

typedef struct TakeOut {
  const IrSNode *snode;
  bool found;
} TakeOut;

static void look_for_release(const IrStmt *change, const IrSNode *changed, int slot, void *user)
{
  TakeOut *t = user;

  (void)slot;
  if (ir_is(change, IR_DEACTIVATES) &&
      changed->tree == t->snode->tree && is_above(changed, t->snode))
    t->found = true;
}

bool may_take_out(IrModule *m, IrBlock *block, const IrSNode *snode)
{
  TakeOut t = { .snode = snode };

  for_each_change(m, block, look_for_release, &t);
  return t.found;
}
