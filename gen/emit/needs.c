/* What a function or a task takes from outside: the trees, the launch record,
 * parameters, kernel-level variables, the indices of its loop.
 *
 * It decides the parameters of the C functions, so that none is unused, and the
 * flags of the tasks.
 */
#include "gen/emit/writer.h"

typedef struct Scan {
  Emit *emit;
  const IrFunction *function;
  const IrStmt *task;
  const Live *live;
  Needs *needs;
  Map used;                              /* parameters */
  Map updates;                           /* of what iterations share: 1 + the Op */
  Map stored, loaded_beside;             /* in rows: fields, stored to, and loaded of other cells */
  Map assigned, read;                    /* fields */
} Scan;

bool is_loop(const IrStmt *task)
{
  return task->task == IR_TASK_RANGE_FOR || task->task == IR_TASK_STRUCT_FOR;
}

bool runs_parallel(const IrStmt *task)
{
  return !task || (is_loop(task) && !task->manner.is_serial);
}

/* Who activates finds what another one has activated; who takes out takes what others read. */
bool depends_on_order(const Needs *n)
{
  return n->ordered || n->deactivates || (n->looks && n->activates);
}

/* Cells stay active, and what is assigned is assigned once more. */
bool is_idempotent(const Needs *n)
{
  return n->activates && !n->deactivates && !n->repeats_differ && !n->looks && !n->draws &&
         !n->claims && !n->deposits && n->reduction_count == 0 && n->append_count == 0;
}

static void raise_effects(Needs *needs, IrEffects effects)
{
  if (effects > needs->effects)
    needs->effects = effects;
}

static void use_param(Scan *f, IrVariable *v)
{
  map_put(&f->used, v, v);
}

/* ---- uses ---- */

static void use_element(Scan *f, IrVariable *array)
{
  use_param(f, array);
  for (int k = 1; k < array->extent_count; k++)
    if (array->extent_variable[k])
      use_param(f, array->extent_variable[k]);
}

static void add_reduction(Scan *f, const IrStmt *s)
{
  Needs *n = f->needs;
  Op update = s->update == OP_SUB ? OP_ADD : s->update;

  for (int k = 0; k < n->reduction_count; k++)
    if (n->reductions[k].variable == s->variable && n->reductions[k].update == update)
      return;
  vec_push(f->emit->arena, n->reductions, n->reduction_count,
           ((Reduction){ s->variable, update }));
}

static void use_variable(Scan *f, const IrStmt *s)
{
  if (s->variable->kind == IR_VAR_PARAM || s->variable->kind == IR_VAR_EXTENT)
    use_param(f, s->variable);
  if (s->variable->kind != IR_VAR_KERNEL)
    return;
  if (s->op == IR_update && s->reduction && runs_parallel(f->task))
    add_reduction(f, s);
  else
    f->needs->vars = true;
}

/* check_bounds and inside. */
static void use_extents(Scan *f, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    if (!tests_limit(s, k) || constant_limit(s, k) > 0)
      continue;
    if (s->variable && s->variable->extent_variable[k])
      use_param(f, s->variable->extent_variable[k]);
    else if (!s->variable)
      f->needs->view[s->slot] = true;
  }
}

static void use_function(Scan *f, const IrStmt *s)
{
  const Needs *callee = &function_info(f->emit, s->function)->needs;
  Needs *n = f->needs;

  n->launch = n->launch || callee->launch;
  n->traps = n->traps || callee->traps;
  n->activates = n->activates || callee->activates;
  n->deactivates = n->deactivates || callee->deactivates;
  n->draws = n->draws || callee->draws;
  n->synchronises = n->synchronises || callee->synchronises;
  /* Which kinds of updates it makes is not kept: with others they may be mixed. */
  n->ordered = n->ordered || callee->ordered || callee->synchronises;
  n->looks = n->looks || callee->looks;
  /* Which fields it reads and writes is not kept. */
  n->repeats_differ =
      n->repeats_differ || callee->repeats_differ || callee->effects >= IR_READS;
  raise_effects(n, callee->effects);
  for (int k = 0; k < s->function->slot_count; k++) {
    int slot = s->slots[k];
    n->view[slot] = n->view[slot] || callee->view[k];
    n->slot_number[slot] = n->slot_number[slot] || callee->slot_number[k];
  }
}

/* ---- what depends on the order of the iterations ---- */

static bool is_atomic(const IrStmt *s)
{
  return s->op == IR_update || s->op == IR_cell_atomic || s->op == IR_array_atomic;
}

/* Whether updates of this kind give the same, bit for bit, in any order: sums of floating point do
 * not, nor do what they round to; a maximum tells no -0 from 0. */
static bool commutes(const IrStmt *s)
{
  switch (s->update) {
  case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN:
  case OP_MAX: case OP_AND: case OP_OR: case OP_XOR:
    return !type_is_float(s->operands[s->operand_count - 1]->type);
  default:
    return false;
  }
}

/* Two kinds of updates of one place: a sum and a maximum are not worth the same the other way
 * round. */
static bool is_mixed(Scan *f, const IrStmt *s)
{
  const void *object = s->field ? (const void *)s->field : s->variable;
  const Op kind = s->update == OP_SUB ? OP_ADD : s->update;
  void *const noted = (void *)(intptr_t)(1 + (int)kind);
  void *const before = map_get(&f->updates, object);

  map_put(&f->updates, object, noted);
  return before && before != noted;
}

static bool is_ordered(Scan *f, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)     /* who asks for the old value */
    if (takes_operand(f->emit, s, k) && is_atomic(s->operands[k]) && !s->operands[k]->plain)
      return true;
  switch (s->op) {
  case IR_load: case IR_store: case IR_array_read: case IR_array_write:
    return s->relaxed;
  case IR_update: case IR_cell_atomic: case IR_array_atomic:
    return !s->plain && (!commutes(s) || is_mixed(f, s));
  case IR_set:
    return s->variable->kind == IR_VAR_KERNEL;
  case IR_append_cell:
    return true;
  default:
    return ir_is(s, IR_PRINTS);
  }
}

static void note_order(Scan *f, const IrStmt *s)
{
  Needs *n = f->needs;

  n->ordered = n->ordered || is_ordered(f, s);
  n->looks = n->looks || s->op == IR_is_null || s->op == IR_cell_length;
}

/* What a second run would do again to what the first one has left.  Locals begin anew. */
static void note_repeat(Scan *f, const IrStmt *s)
{
  Needs *n = f->needs;

  if (s->op == IR_load)
    map_put(&f->read, s->field, s->field);
  if (s->op == IR_store)
    map_put(&f->assigned, s->field, s->field);
  if ((s->op == IR_load || s->op == IR_store) && map_get(&f->read, s->field) &&
      map_get(&f->assigned, s->field))
    n->repeats_differ = true;
  if (is_atomic(s) || s->op == IR_array_write || s->op == IR_append || ir_is(s, IR_PRINTS) ||
      (s->op == IR_set && s->variable->kind == IR_VAR_KERNEL))
    n->repeats_differ = true;
}

static bool is_sparse(const IrSNode *n)
{
  for (; n; n = n->parent)
    if (ir_is_sparse(n))
      return true;
  return false;
}

/* ---- what the rows of ops.def say ---- */

static bool tests_any(const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (tests_origin(s, k) || tests_limit(s, k))
      return true;
  return false;
}

/* Whether C is written that can end the iteration.  An append as written is the
 * interpreter's, which needs nothing for it. */
static bool can_fail(const IrStmt *s)
{
  switch (s->op) {
  case IR_check_bounds:
    return tests_any(s);
  case IR_assert: case IR_require:
    return !(s->operands[0]->op == IR_const && s->operands[0]->value.i);
  case IR_append:
    return false;
  default:
    return ir_is(s, IR_TRAPS);
  }
}

/* What callers and other iterations may notice of it.  Locals are the function's own, and a
 * cell that is not walked to is arithmetic. */
static IrEffects outer_effects(const IrStmt *s)
{
  bool is_inner = ir_is(s, IR_OF_LOCAL) || s->op == IR_call || (s->op == IR_cell && !is_walked(s));

  if (can_fail(s))
    return IR_CONTROL;
  return is_inner || ir_effects(s) == IR_CONTROL ? IR_PURE : ir_effects(s);
}

static void note_facts(Scan *f, const IrStmt *s)
{
  bool fails = can_fail(s), is_update = s->op == IR_cell_atomic || s->op == IR_array_atomic;
  bool activates = ir_activates(s) && (s->op == IR_cell ? is_walked(s) : is_sparse(ir_snode(s)));
  Needs *n = f->needs;

  n->traps = n->traps || fails;
  n->launch = n->launch || fails || ir_is(s, IR_PRINTS);
  n->draws = n->draws || ir_is(s, IR_DRAWS);
  n->activates = n->activates || activates;
  n->deactivates = n->deactivates || ir_is(s, IR_DEACTIVATES);
  n->synchronises = n->synchronises || (ir_is(s, IR_OF_FIELD) && s->relaxed) ||
                    (is_update && !s->plain);
  if (ir_is(s, IR_OF_LOCAL))
    use_variable(f, s);
  if (ir_is(s, IR_OF_ARRAY))
    use_element(f, s->variable);
  raise_effects(n, outer_effects(s));
}

/* ---- what each takes of its own ---- */

/* Its struct; or the struct of arrays or the tree, and its position. */
static void use_own_cell(Needs *n, const IrStmt *task)
{
  if (has_named_arrays(task->snode))
    n->view[task->slot] = true;
  else
    n->own_cell = true;
  n->own_position = n->own_position || task->snode->is_soa;
}

/* A step of a walk, the check before it, and what is done at its end. */
static void note_walk(Scan *f, const IrStmt *s)
{
  Needs *n = f->needs;

  switch (s->op) {
  case IR_extent: case IR_root: case IR_cell_length: case IR_release_cell:
    n->view[s->slot] = true;
    break;
  case IR_own_cell:
    if (s->snode == f->task->snode)
      use_own_cell(n, f->task);
    else
      n->own_parent = true;
    break;
  case IR_own_position:
    n->own_position = true;
    break;
  case IR_check_bounds:
    if (can_fail(s) && !s->variable)
      n->slot_number[s->slot] = true;
    /* fall through */
  case IR_inside:
    use_extents(f, s);
    break;
  case IR_active_cells:
    n->view[s->slot] = true;
    break;
  case IR_cell:
    if (is_walked(s) || s->snode->parent->kind == SNODE_ROOT)
      n->view[s->slot] = true;
    if (is_walked(s) && s->mode == IR_MODE_ACTIVATE)
      n->launch = n->slot_number[s->slot] = true;
    break;
  case IR_found_cell:                    /* where there is none it is made, by the plain body */
    n->view[s->operands[0]->slot] = true;
    break;
  case IR_append_cell:
    n->view[s->slot] = n->slot_number[s->slot] = true;
    if (s->operand_count > 0)            /* not one that is always outside */
      vec_push(f->emit->arena, n->appends, n->append_count, s);
    break;
  default:
    break;
  }
}

/* What is loaded with a row of the field: the members of its cells that lie side by side. */
static const void *memory_of_row(const IrField *f)
{
  return f->snode->is_soa ? (const void *)f : (const void *)f->snode;
}

/* A row that is loaded may have lanes, and members, that another thread stores to, wanted or
 * not. */
static void note_row(Scan *f, const IrStmt *s)
{
  const bool is_row = s->op == IR_row_store || s->op == IR_row_load;
  const void *memory = is_row ? memory_of_row(s->field) : NULL;

  if (s->op == IR_row_store)
    map_put(&f->stored, memory, s->field);
  for (int k = 0; s->op == IR_row_load && k < s->operand_count; k++)
    if (s->operands[k]->op != IR_own_cell)
      map_put(&f->loaded_beside, memory, s->field);
  if (s->relaxed ||
      (memory && map_get(&f->stored, memory) && map_get(&f->loaded_beside, memory)))
    f->needs->shares_rows = true;
}

static void scan(Scan *f, const IrStmt *s)
{
  Needs *n = f->needs;

  if (!is_live(f->live, s))
    return;
  note_facts(f, s);
  note_order(f, s);
  note_repeat(f, s);
  switch (s->op) {
  case IR_param:
    use_param(f, s->variable);
    break;
  case IR_loop_index:
    if (ir_whole_loop(s->operands[0]) == f->task)
      n->indices |= 1u << s->index;
    break;
  case IR_first_index:
    n->first_indices |= 1u << s->index;
    break;
  case IR_row_digit:
    n->row_digits |= 1u << s->index;
    break;
  case IR_leave_row:
    n->leaves_rows = true;
    break;
  case IR_row_load: case IR_row_store:
    note_row(f, s);
    break;
  case IR_claim:
    n->claims = true;
    break;
  case IR_call:
    use_function(f, s);
    break;
  case IR_staged_at:
    if (is_nearby(f->emit, s))
      use_function(f, s);
    break;
  default:
    note_walk(f, s);
    break;
  }
}

void join_params(Emit *e, Needs *to, const Needs *other, const IrFunction *f)
{
  const Needs own = *to;

  to->params = NULL;
  to->param_count = 0;
  for (int k = 0; k < f->param_count; k++)
    if (needs_param(&own, f->params[k]) || needs_param(other, f->params[k]))
      vec_push(e->arena, to->params, to->param_count, f->params[k]);
}

void needs_find(Emit *e, const IrFunction *function, const IrStmt *task, const IrBlock *block,
                const Live *live, Needs *needs)
{
  Scan f = { .emit = e, .function = function, .task = task, .live = live, .needs = needs };

  map_init(&f.used, e->arena);
  map_init(&f.updates, e->arena);
  map_init(&f.stored, e->arena);
  map_init(&f.loaded_beside, e->arena);
  map_init(&f.assigned, e->arena);
  map_init(&f.read, e->arena);
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    scan(&f, s);
  if (task && task->task == IR_TASK_STRUCT_FOR && e->staging != STAGING_NONE)
    staged_fields(e, task, live, needs);
  if (task && ir_is_leaves(task))        /* whatever it assigns */
    needs->activates = true;
  if (task && needs->draws) {            /* a draw's number depends on all indices */
    needs->launch = true;
    needs->indices |= (1u << task->variable_count) - 1;
  }
  for (int k = 0; k < function->param_count; k++)
    if (map_get(&f.used, function->params[k]))
      vec_push(e->arena, needs->params, needs->param_count, function->params[k]);
}

FunctionInfo *function_info(Emit *e, const IrFunction *function)
{
  FunctionInfo *info = map_get(&e->functions, function);
  Live live;

  if (info)
    return info;
  info = NEW(e->arena, FunctionInfo);
  map_put(&e->functions, function, info);        /* the language has no recursion */
  live_find(e, function->body, &live);
  needs_find(e, function, NULL, function->body, &live, &info->needs);
  return info;
}
