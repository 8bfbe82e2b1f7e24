/* The bookkeeping of a body: uses of values, names, what is pending. */
#include "gen/emit/body.h"

/* ---- uses ---- */

/* Whether inner stands in a loop that outer does not stand in. */
static bool is_in_inner_loop(const IrStmt *outer, const IrStmt *inner)
{
  for (const IrBlock *b = inner->parent; b && b != outer->parent; ) {
    const IrStmt *owner = b->owner;
    if (!owner)
      return false;
    if (ir_is(owner, IR_LOOPS))
      return true;
    b = owner->parent;
  }
  return false;
}

/* Whether the user's text has the operand in it more than once. */
static bool repeats(const IrStmt *user, int operand)
{
  switch (user->op) {
  case IR_check_bounds: case IR_inside: case IR_window:
    return true;
  case IR_cell:                        /* where it is looked up, and in the arrays */
    return user->snode->is_soa &&
           (is_walked(user) || (user->snode->is_soa_by_row && operand == 1));
  default:
    return row_repeats(user, operand);
  }
}

static void count_use(Body *b, const IrStmt *user, int operand)
{
  const IrStmt *value = user->operands[operand];
  ValueInfo *info = value_info(b, value);

  info->uses++;
  info->left++;
  info->user = info->uses == 1 ? user : NULL;
  if (repeats(user, operand))
    info->is_repeated = true;
  /* The condition of a while is computed in its block 0, where it is used. */
  if (user->op != IR_while && is_in_inner_loop(value, user))
    info->crosses_loop = true;
}

static void count_uses(Body *b, const IrStmt *s)
{
  if (!is_live(b->live, s))
    return;
  if (s->op == IR_appended)
    value_info(b, s->operands[0])->gives_cell = true;
  for (int k = 0; k < s->operand_count; k++)
    if (takes_operand(b->emit, s, k))
      count_use(b, s, k);
}

void body_init(Body *b, Emit *e, const IrFunction *function, const IrStmt *task,
               const IrBlock *block, const Live *live, const Needs *needs)
{
  *b = (Body){ .emit = e, .function = function, .task = task, .root = block, .live = live,
               .needs = needs, .mask = mask_type(task) };
  names_init(&b->names, e->arena, NAMES_LOCAL, &e->names);
  map_init(&b->values, e->arena);
  map_init(&b->variables, e->arena);
  map_init(&b->hints, e->arena);
  gang_init(b);
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    count_uses(b, s);
}

/* ---- names for values ---- */

static void name_number(Body *b, const IrStmt *s, CText text)
{
  ValueInfo *info = value_info(b, s);
  const char *name = names_take(&b->names, suggest_name(b->emit->arena, s));

  if (ir_parts(s) > 0)
    write_line(b->emit, "const snd_factors_%d_%s %s = %s;", s->operand_count == 4 ? 2 : 3,
               s->type->name, name, text.text);
  else
    write_line(b->emit, "const %s %s = %s;", value_type(b, s->type, s->lanes), name, text.text);
  info->text = (CText){ name, BOUND_PRIMARY };
  info->state = VALUE_NAMED;
}

void name_value(Body *b, const IrStmt *s, CText text)
{
  const Loc outer = write_from(b->emit, s->loc);

  if (s->type->kind == TYPE_CELL)
    name_cell(b, s);
  else
    name_number(b, s, text);
  release_operands(b, s);
  b->emit->from = outer;
}

void release_operands(Body *b, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    ValueInfo *info;
    if (!takes_operand(b->emit, s, k))
      continue;
    info = value_info(b, s->operands[k]);
    if (--info->left == 0 && info->state != VALUE_NAMED)
      release_operands(b, s->operands[k]);
  }
}

/* ---- what is pending ---- */

static bool changes_activity(const IrStmt *s)
{
  return ir_is(s, IR_DEACTIVATES) || ir_activates(s);
}

/* Cells that stand in place are set back at once when one is released. */
static bool resets(const IrStmt *s, const IrSNode *n)
{
  if (s->op != IR_release_cell || !kind_is(s->snode->kind, KIND_MASKED))
    return false;
  while (n && n != s->snode)
    n = n->parent;
  return n != NULL;
}

/* Whether running s may change what the pending value reads.  Two arrays may be
 * the same memory; activation and release leave the cells that are allocated, and
 * already known, as they are until the task ends. */
static bool may_change(Body *b, const IrStmt *s, const IrStmt *value)
{
  if (s->op == IR_call && value->op != IR_get)
    return function_info(b->emit, s->function)->needs.effects >= IR_WRITES;
  switch (value->op) {
  case IR_get:
    return ir_changes(s, IR_OF_LOCAL) && s->variable == value->variable;
  case IR_load: case IR_row_load:
    return (ir_changes(s, IR_OF_FIELD) && s->field == value->field) ||
           resets(s, value->field->snode);
  case IR_near_load:                   /* nobody stores to the fields of a window that is read */
    return false;
  case IR_array_read:
    return ir_changes(s, IR_OF_ARRAY);
  case IR_cell_length:
    return changes_activity(s);
  default:                       /* a call that reads */
    return ir_changes(s, IR_OF_FIELD | IR_OF_ARRAY) || changes_activity(s);
  }
}

static bool holds_change(Body *b, IrStmt *whole, const IrStmt *value)
{
  for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
    if ((s == whole || is_live(b->live, s)) && may_change(b, s, value))
      return true;
  return false;
}

static int uses_by(Body *b, const IrStmt *s, const IrStmt *value)
{
  int uses = 0;

  for (int k = 0; k < s->operand_count && is_live(b->live, s); k++)
    uses += s->operands[k] == value && takes_operand(b->emit, s, k);
  return uses;
}

/* Whether all the uses that are left of the value stand in the branches of `whole`:
 * there it is settled again. */
static bool is_left_to_branches(Body *b, IrStmt *whole, const IrStmt *value)
{
  int uses = 0;

  if (whole->op != IR_if)
    return false;
  for (IrStmt *s = ir_next_in(whole, whole); s; s = ir_next_in(s, whole))
    uses += uses_by(b, s, value);
  return uses == value_info(b, value)->left;
}

static bool is_used_within(Body *b, IrStmt *whole, const IrStmt *value)
{
  for (IrStmt *s = ir_next_in(whole, whole); s; s = ir_next_in(s, whole))
    if (uses_by(b, s, value) > 0)
      return true;
  return false;
}

/* By s or what stands behind it, but not in another branch. */
static bool is_used_behind(Body *b, IrStmt *s, const IrStmt *value)
{
  bool is_used = uses_by(b, s, value) > 0 || is_used_within(b, s, value);

  for (IrStmt *at = s; !is_used && at; at = at->parent->owner) {
    const IrBlock *block = at->parent;
    int k = 0;
    while (block->stmts[k] != at)
      k++;
    for (k++; k < block->count && !is_used; k++)
      is_used = uses_by(b, block->stmts[k], value) > 0 ||
                is_used_within(b, block->stmts[k], value);
    if (block == value->parent)
      break;
  }
  return is_used;
}

/* Whether the value is used there, or goes into another that is pending and is. */
static bool is_used_from_here(Body *b, IrStmt *s, IrStmt *value)
{
  if (is_used_behind(b, s, value))
    return true;
  for (IrStmt *by = ir_next(value, value->parent); by && by != s; by = ir_next(by, value->parent))
    if (uses_by(b, by, value) > 0 && value_info(b, by)->state == VALUE_PENDING &&
        is_used_from_here(b, s, by))
      return true;
  return false;
}

void settle_pending(Body *b, IrStmt *s)
{
  IrStmt **pending = b->pending;
  int count = b->pending_count, kept = 0;

  for (int k = 0; k < count; k++) {
    ValueInfo *info = value_info(b, pending[k]);
    if (info->state != VALUE_PENDING || info->left <= 0)
      continue;
    if (holds_change(b, s, pending[k]) && !is_left_to_branches(b, s, pending[k]) &&
        is_used_from_here(b, s, pending[k]))
      name_value(b, pending[k], value_text(b, pending[k]));
    else
      pending[kept++] = pending[k];
  }
  b->pending_count = kept;
}

/* ---- branches ---- */

/* What is pending where an if begins is pending in each of its branches, whatever
 * became of it in the other: names end with their block. */
Pending pending_save(Body *b)
{
  Pending saved = { .count = b->pending_count };

  saved.stmts = NEW_ARRAY(b->emit->arena, IrStmt *, saved.count + 1);
  for (int k = 0; k < saved.count; k++)
    saved.stmts[k] = b->pending[k];
  return saved;
}

void pending_restore(Body *b, const Pending *saved)
{
  b->pending = NULL;
  b->pending_count = 0;
  for (int k = 0; k < saved->count; k++) {
    value_info(b, saved->stmts[k])->state = VALUE_PENDING;
    vec_push(b->emit->arena, b->pending, b->pending_count, saved->stmts[k]);
  }
}

/* ---- folding ---- */

/* Whether writing s again costs no more than a name for it. */
static bool is_trivial(const IrStmt *s)
{
  switch (s->op) {
  case IR_loop_index:
    return s->lanes == 0;
  case IR_const: case IR_param: case IR_first_index: case IR_root: case IR_own_cell: case IR_get:
  case IR_row_digit: case IR_appended: case IR_part:
  case IR_own_position:
    return true;
  case IR_digit:
    return s->operands[0]->op == IR_const;
  default:
    return false;
  }
}

/* i - 1, where i may not change. */
static bool is_offset(const IrStmt *s)
{
  return s->lanes == 0 && (s->op == IR_add || s->op == IR_sub) && s->plain &&
         s->operands[1]->op == IR_const &&
         (s->operands[0]->op == IR_param || s->operands[0]->op == IR_loop_index ||
          s->operands[0]->op == IR_first_index || s->operands[0]->op == IR_row_digit);
}

/* A variable of the kernel is in memory. No loop by rows changes one, which compilers do not know:
 * it is read in front of the rows. */
static bool is_read_before_rows(const Body *b, const IrStmt *s, const ValueInfo *info)
{
  return b->rows && info->crosses_loop && s->op == IR_get &&
         s->variable->kind == IR_VAR_KERNEL;
}

bool may_fold(Body *b, const IrStmt *s)
{
  const ValueInfo *info = value_info(b, s);

  if (is_read_before_rows(b, s, info))
    return false;
  if (is_trivial(s) || is_offset(s))
    return true;
  if (is_walked(s) || ir_parts(s) > 0)
    return false;
  return info->uses <= 1 && !info->crosses_loop && !info->is_repeated;
}
