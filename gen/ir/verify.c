/* The rules of a module: what may stand where, and which values are seen.
 *
 * A statement stands in the block that says so; its operands are defined before
 * it, in its block or in one around it; break and continue have a loop; only
 * kernels hold parallel loops; each stage has its own operations.  The rules of
 * single operations are verify_stmt.c's.
 */
#include "gen/ir/verify.h"
#include "gen/ir/words.h"

#include <string.h>

/* ---- stages ---- */

static void verify_op_of_stage(Verifier *v, const IrStmt *s)
{
  bool fits = ir_op_info[s->op].stages >> v->stage & 1;

  /* What reads of a virtual field become has bounds checks before there are walks. */
  if ((s->op == IR_check_bounds || s->op == IR_inside) && s->field)
    fits = true;
  if (!fits)
    verify_broken(v, s, "this operation does not belong to the stage");
}

/* ---- where ---- */

/* The nearest statement around s that is one of the two loops that
 * break and continue mean, or a parallel loop or task. */
static const IrStmt *loop_around(const IrStmt *s)
{
  const IrBlock *b = s->parent;

  while (b && b->owner) {
    if (b->owner->op == IR_offloaded || ir_is(b->owner, IR_LOOPS | IR_FOREACH))
      return b->owner;
    b = b->owner->parent;
  }
  return NULL;
}

static bool is_serial_loop(const IrStmt *s)
{
  return s && ir_is(s, IR_LOOPS);
}

static bool is_parallel_loop(const IrStmt *s)
{
  return s && (ir_is(s, IR_FOREACH) || (s->op == IR_offloaded && s->task != IR_TASK_SERIAL));
}

static bool stands_in_parallel(const IrStmt *s)
{
  for (const IrStmt *loop = loop_around(s); loop; loop = loop_around(loop))
    if (is_parallel_loop(loop))
      return true;
  return false;
}

/* Whether s is what an if or while of the host tests. */
static bool is_host_test(const IrStmt *s)
{
  bool is_variable = s->op == IR_get && s->variable && s->variable->kind == IR_VAR_KERNEL;

  return (s->op == IR_const || is_variable) && s->type == TY(BOOL);
}

static bool belongs_to_host(const IrStmt *s)
{
  bool is_tested = s->operand_count == 1 && is_host_test(s->operands[0]);

  switch (s->op) {
  case IR_offloaded: case IR_block: case IR_end_block:
    return true;
  case IR_if:    return is_tested;
  case IR_while: return is_tested && s->blocks[0] && s->blocks[0]->count == 1;
  default:       return ir_is(s, IR_JUMPS) || is_host_test(s);
  }
}

/* Around what stands at kernel level only `if` and `while` stand. */
static bool stands_at_kernel_level(const Verifier *v, const IrStmt *s)
{
  const IrBlock *b = s->parent;

  while (b->owner && (b->owner->op == IR_if || b->owner->op == IR_while))
    b = b->owner->parent;
  return v->function->is_kernel && b == v->function->body;
}

static void verify_place(Verifier *v, const IrStmt *s)
{
  bool is_of_kernel = stands_at_kernel_level(v, s);

  if (s->op == IR_break && !is_serial_loop(loop_around(s)))
    verify_broken(v, s, "no serial loop to leave");
  if (s->op == IR_continue && !is_serial_loop(loop_around(s)) &&
      !is_parallel_loop(loop_around(s)))
    verify_broken(v, s, "no loop to go on with");
  if (s->op == IR_return && stands_in_parallel(s))
    verify_broken(v, s, "a return cannot leave a parallel loop");
  if ((ir_is(s, IR_FOREACH) || s->op == IR_deactivate_all) && !is_of_kernel)
    verify_broken(v, s, "it stands at kernel level only");
  if (s->op == IR_offloaded && !is_of_kernel && !ir_is_leaves(s))
    verify_broken(v, s, "a task stands directly in a kernel");
  if (v->stage > 0 && is_of_kernel && !belongs_to_host(s))
    verify_broken(v, s, "a kernel as split holds tasks only");
}

/* ---- values ---- */

static bool precedes(const IrBlock *b, const IrStmt *first, const IrStmt *then)
{
  for (int k = 0; k < b->count; k++) {
    if (b->stmts[k] == then)
      return false;
    if (b->stmts[k] == first)
      return true;
  }
  return false;
}

/* What stands for an iteration of a gang, as seen in what follows. */
static bool is_by_lane(const IrStmt *value)
{
  const IrStmt *around = value->parent ? value->parent->owner : NULL;

  return value->op == IR_by_lane || (around && around->op == IR_each_lane);
}

static bool may_see_lanes(const IrStmt *s)
{
  return s->parent->owner->op == IR_each_lane || s->op == IR_in_lanes || s->op == IR_near_load;
}

/* Whether `value` is defined before `s` in its block or in one around it.  A loop
 * is seen by what it holds: for loop_index and own_cell.  A gang sees what its each_lanes have. */
static bool is_seen(const IrStmt *value, const IrStmt *s)
{
  const IrStmt *stands = value;

  if (is_by_lane(value) && value->parent != s->parent) {
    if (!may_see_lanes(s))
      return false;
    stands = value->op == IR_by_lane ? value : value->parent->owner;
  } else if (is_by_lane(value) && !may_see_lanes(s)) {
    return false;
  }
  for (const IrStmt *at = s; at && at->parent; at = at->parent->owner) {
    if (at == value)
      return at != s;
    if (stands->parent == at->parent)
      return precedes(at->parent, stands, at);
  }
  return false;
}

static void verify_operands(Verifier *v, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    const IrStmt *o = s->operands[k];
    bool seen = s->op == IR_while ? o->parent && o->parent == s->blocks[0] : is_seen(o, s);
    if (s->op == IR_offloaded)
      seen = !o->parent;               /* its bounds stand in no block */
    if (!seen)
      verify_broken(v, s, "an operand is not defined where it is used");
  }
}

/* ---- blocks ---- */

static void verify_block(Verifier *v, const IrBlock *block);

/* Rows of a struct_for; of a range_for one struct_for over the box of its ranges. */
static bool may_have_second_form(const Verifier *v, const IrStmt *s)
{
  if (s->op != IR_offloaded || s->task != IR_TASK_RANGE_FOR)
    return s->op == IR_offloaded && s->task == IR_TASK_STRUCT_FOR && v->stage == IR_STAGE_LOWERED;
  return s->blocks[1]->count == 1 && s->blocks[1]->stmts[0]->op == IR_offloaded &&
         s->blocks[1]->stmts[0]->task == IR_TASK_STRUCT_FOR;
}

/* A loop's forms with windows. */
static bool may_have_near_form(const Verifier *v, const IrStmt *s)
{
  return v->stage == IR_STAGE_LOWERED && is_parallel_loop(s);
}

static void verify_blocks(Verifier *v, const IrStmt *s)
{
  int want = words_has_blocks(s) ? ir_op_info[s->op].blocks : 0;

  for (int b = 0; b < IR_BLOCKS && !v->broken; b++) {
    if ((s->blocks[b] != NULL) != (b < want) && !(b == 1 && may_have_second_form(v, s)) &&
        !(b >= 2 && may_have_near_form(v, s)))
      verify_broken(v, s, "it has not the blocks of its operation");
    else if (s->blocks[b] && s->blocks[b]->owner != s)
      verify_broken(v, s, "its block has another owner");
    else if (s->blocks[b])
      verify_block(v, s->blocks[b]);
  }
}

static void verify_block(Verifier *v, const IrBlock *block)
{
  int named = 0;

  for (int k = 0; k < block->count && !v->broken; k++) {
    const IrStmt *s = block->stmts[k];
    named += (s->op == IR_block) - (s->op == IR_end_block);
    if (named < 0)
      verify_broken(v, s, "it ends no block of its list");
    if (s->parent != block) {
      verify_broken(v, s, "it says that it stands in another block");
      return;
    }
    verify_op_of_stage(v, s);
    verify_place(v, s);
    if (!v->broken)
      verify_operands(v, s);
    if (!v->broken)
      verify_stmt(v, s);
    if (!v->broken)
      verify_blocks(v, s);
  }
}

/* ---- functions ---- */

static bool is_named_twice(const IrFunction *f, const IrVariable *v)
{
  int found = 0;

  for (int k = 0; k < f->param_count; k++)
    found += strcmp(f->params[k]->name, v->name) == 0;
  for (int k = 0; k < f->local_count; k++)
    found += strcmp(f->locals[k]->name, v->name) == 0;
  return found != 1;
}

static void verify_variables(Verifier *v)
{
  const IrFunction *f = v->function;

  for (int k = 0; k < f->param_count; k++) {
    const IrVariable *p = f->params[k];
    if (p->kind == IR_VAR_LOCAL || p->kind == IR_VAR_KERNEL || p->kind == IR_VAR_INDEX)
      verify_broken(v, NULL, "a parameter is no parameter");
    if (is_named_twice(f, p))
      verify_broken(v, NULL, "two variables have one name");
    if (p->kind == IR_VAR_ARRAY && (!f->is_kernel || p->extent_count < 1 ||
                                      p->extent_count > MAX_AXES))
      verify_broken(v, NULL, "an array is a kernel's parameter and has extents");
  }
  for (int k = 0; k < f->local_count; k++) {
    const IrVariable *l = f->locals[k];
    if (l->kind != IR_VAR_LOCAL && l->kind != IR_VAR_KERNEL)
      verify_broken(v, NULL, "a local is no local");
    if (l->kind == IR_VAR_KERNEL && !f->is_kernel)
      verify_broken(v, NULL, "a function has a kernel-level variable");
    if (is_named_twice(f, l))
      verify_broken(v, NULL, "two variables have one name");
  }
}

static void verify_result(Verifier *v)
{
  const IrFunction *f = v->function;
  bool wants = f->is_kernel && f->result != TY(VOID);
  const int elements = ir_result_elements(f);

  if (wants != (f->result_count > 0))
    verify_broken(v, NULL, "the result of a kernel is a variable, of a func none");
  if (f->result_count != elements && f->result_count != 2 * elements)
    verify_broken(v, NULL, "a kernel has one result, and its tangent");
  for (int k = 0; k < f->result_count; k++) {
    const IrVariable *result = f->results[k];
    if ((k == 0 && result->type != f->result) || result->kind != IR_VAR_KERNEL)
      verify_broken(v, NULL, "the result's variable has another type or kind");
    if (k > elements && !ir_same_whole(f->results[elements]->name, result->name))
      verify_broken(v, NULL, "a kernel has one result, and its tangent");
    if (k >= elements && (result->of != f->results[k % elements]->of ||
                          result->type != f->results[k % elements]->type))
      verify_broken(v, NULL, "a result's tangent is of another type");
  }
}

/* Whether a tree may stand there among the parameters: between two whole ones, not in one. */
static bool is_between_wholes(const IrFunction *f, int position)
{
  return position == 0 || position == f->param_count ||
         (position > 0 && position < f->param_count &&
          !ir_same_whole(f->params[position - 1]->name, f->params[position]->name));
}

static void verify_slots(Verifier *v)
{
  const IrFunction *f = v->function;
  int merges = 0, position = 0;

  for (int k = 0; k < f->slot_count; k++) {
    const IrSlot *s = &f->slots[k];
    merges += s->is_merge;
    if (!s->tree || !s->name)
      verify_broken(v, NULL, "a slot has a tree and a name");
    else if (s->position < position || !is_between_wholes(f, s->position))
      verify_broken(v, NULL, "a tree stands between two parameters, in the order of the slots");
    else if (s->is_merge && (!f->is_kernel || merges > 1))
      verify_broken(v, NULL, "what was sent to a merge buffer is one slot of a kernel");
    position = s->position;
  }
}

static bool has_slot(const IrFunction *f, const char *name)
{
  for (int k = 0; k < f->slot_count; k++)
    if (strcmp(f->slots[k].name, name) == 0)
      return true;
  return false;
}

static void verify_apart(Verifier *v)
{
  const IrFunction *f = v->function;

  for (int k = 0; k < f->apart_count; k++)
    if (!has_slot(f, f->apart[k].slot) || !has_slot(f, f->apart[k].other) ||
        strcmp(f->apart[k].slot, f->apart[k].other) == 0)
      verify_broken(v, NULL, "what is to be apart are two of its slots");
}

static bool is_param(const IrFunction *f, const IrVariable *v)
{
  for (int k = 0; k < f->param_count; k++)
    if (f->params[k] == v)
      return v->kind == IR_VAR_PARAM && type_is_integer(v->type);
  return false;
}

static void verify_spans(Verifier *v)
{
  const IrFunction *f = v->function;

  for (int k = 0; k < f->span_count; k++) {
    const IrSpan *r = &f->spans[k];
    if (!r->field || r->index >= r->field->axis_count || r->lo > r->hi || !has_slot(f, r->slot))
      verify_broken(v, NULL, "what it reaches is an index of a field of a slot, from one constant "
                    "on to another");
    else if (r->base && !is_param(f, r->base))
      verify_broken(v, NULL, "how far it reaches is counted from an integer parameter");
  }
}

static void verify_function(Verifier *v, IrFunction *f, bool is_kernel)
{
  if (v->broken)
    return;
  v->function = f;
  if (f->is_kernel != is_kernel || !f->body || f->body->owner) {
    verify_broken(v, NULL, "a kernel is no func, and each has a body");
    return;
  }
  verify_slots(v);
  verify_apart(v);
  verify_spans(v);
  verify_variables(v);
  verify_result(v);
  if (!v->broken)
    verify_block(v, f->body);
}

/* ---- trees ---- */

static bool divides_anew(const IrSNode *s)
{
  for (int k = 0; k < s->parent->path_axis_count; k++)
    if (s->parent->path_axes[k] == s->axes[0].axis)
      return false;
  return true;
}

/* What a dynamic, a hash, one in arrays and one that is split may be. */
static bool is_kind_kept(const IrSNode *s)
{
  const IrSNode *root = s->tree->snodes[0];
  unsigned own = 0;

  if (s->is_soa && (!ir_is_in_place(s) || s->child_count > 0 || s->field_count == 0))
    return false;
  if (s->is_split && (!ir_is_allocated(s) || s->child_count < 2 || s->field_count > 0))
    return false;
  if (s->is_soa_by_row && (!s->is_soa || s->axis_count < 2 || ir_array_cells(s) == 0))
    return false;
  if (kind_is(s->kind, KIND_LIST))
    return s->axis_count == 1 && divides_anew(s) && s->child_count == 0 && s->chunk >= 0 &&
           (s->axes[0].size == 0 || s->chunk <= s->axes[0].size) &&
           s->open_axes == s->parent->open_axes;
  if (s->chunk != 0)
    return false;
  if (!kind_is(s->kind, KIND_KEYS))
    return s->open_axes == s->parent->open_axes;
  for (int k = 0; k < root->child_count; k++)
    if (root->children[k] != s && kind_is(root->children[k]->kind, KIND_KEYS))
      return false;
  for (int k = 0; k < s->axis_count; k++) {
    own |= 1u << s->axes[k].axis;
    if (s->axes[k].size != 1)
      return false;
  }
  return s->parent == root && s->axis_count > 0 && s->open_axes == own;
}

static bool are_fields_whole(const IrTree *t, IrField *const *fields, int count)
{
  for (int k = 0; k < count; k++)
    if (!fields[k] || fields[k]->id != k || fields[k]->snode->tree != t ||
        fields[k]->axis_count != fields[k]->snode->path_axis_count)
      return false;
  return true;
}

static bool is_tree_whole(const IrTree *t)
{
  if (t->snode_count < 1 || t->snodes[0]->parent || t->snodes[0]->kind != SNODE_ROOT)
    return false;
  for (int k = 0; k < t->snode_count; k++) {
    const IrSNode *s = t->snodes[k];
    if (s->id != k || s->tree != t || (k > 0 && (!s->parent || s->parent->id >= k)))
      return false;
    if (k > 0 && (s->kind == SNODE_ROOT || s->depth != s->parent->depth + 1))
      return false;
    for (int a = 0; a < s->axis_count; a++)
      if (s->axes[a].size < 0 || (s->axes[a].size == 0 && s->depth != 1))
        return false;
    if (k > 0 && !is_kind_kept(s))
      return false;
  }
  return are_fields_whole(t, t->fields, t->field_count) &&
         are_fields_whole(t, t->virtuals, t->virtual_count);
}

const char *ir_verify(const IrModule *m, int stage)
{
  Verifier v = { .module = m, .stage = stage };

  for (int k = 0; k < m->tree_count; k++)
    if (!is_tree_whole(m->trees[k]))
      verify_broken(&v, NULL, "a tree's tables do not fit each other");
  for (int k = 0; k < m->function_count; k++)
    verify_function(&v, m->functions[k], false);
  for (int k = 0; k < m->kernel_count; k++)
    verify_function(&v, m->kernels[k], true);
  return v.broken;
}
