/* Loops.
 *
 * A serial loop over several ranges becomes loops in each other; the bounds
 * are evaluated once, before the first, unless a bound names an outer variable.
 * A break in such a loop leaves all of them: it raises a hidden flag that each
 * outer loop tests behind the inner one.
 */
#include "gen/lower/scope.h"

#include <stddef.h>
#include <string.h>

/* ---- while and for ---- */

static void lower_condition(Lowering *l, IrStmt *loop, const Expr *test)
{
  IrBlock *outer = open_block(l, loop, 0);

  ir_add_operand(l->module, loop, test ? lower_expr(l, test)
                                       : emit_int(l, TY(BOOL), 1, loop->loc));
  l->block = outer;
}

static void lower_loop(Lowering *l, const Stmt *s, const Stmt *step)
{
  IrStmt *loop = emit(l, ir_stmt(l->module, IR_while, TY(VOID), s->loc, NULL));
  Loop *around = l->loop, here = { 0 };
  IrBlock *outer;

  l->loop = &here;
  lower_condition(l, loop, s->a);
  outer = open_block(l, loop, 1);
  lower_body(l, s->body);
  l->block = outer;
  outer = open_block(l, loop, 2);
  lower_body(l, step);
  l->block = outer;
  l->loop = around;
  leave_inlined(l, s);
}

void lower_while(Lowering *l, const Stmt *s)
{
  if (holds_task(s->body))
    lower_task_loop(l, s, NULL);
  else
    lower_loop(l, s, NULL);
}

/* A for that counts is lowered as its range, but around tasks, which see its variable anyway, and
 * where its end may change. */
static bool is_range(const Lowering *l, const Stmt *s)
{
  return s->range_count > 0 && (s->manner.is_unrolled || !holds_task(s->body)) &&
         !changes_end(l->module->arena, s->body, s->ranges[0].hi, s->ranges[0].variable);
}

void lower_for(Lowering *l, const Stmt *s)
{
  if (is_range(l, s)) {
    lower_for_range(l, s);
    return;
  }
  lower_body(l, s->init);
  if (holds_task(s->body))
    lower_task_loop(l, s, s->step);
  else
    lower_loop(l, s, s->step);
}

/* ---- serial ranges ---- */

void lower_break(Lowering *l, const Stmt *s)
{
  if (l->loop && l->loop->leaving)
    emit_set(l, l->loop->leaving, emit_int(l, TY(BOOL), 1, s->loc), s->loc);
  emit(l, ir_stmt(l->module, IR_break, TY(VOID), s->loc, NULL));
}

bool depends_on_earlier(const Stmt *s, const Expr *bound)
{
  for (int k = 0; k < s->range_count; k++)
    if (mentions(bound, s->ranges[k].variable))
      return true;
  return false;
}

/* For element k of the variable. */
static IrVariable *index_variable(Lowering *l, const Variable *v, int k)
{
  return new_variable(l, IR_VAR_INDEX, element_name(l, v->name, v->type, k),
                      type_element(v->type));
}

static IrStmt *emit_loop_index(Lowering *l, IrStmt *loop, int index,
                               const Type *type, Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_loop_index, type, loc, loop, NULL);

  s->index = index;
  return emit(l, s);
}

/* A vector takes part as it is: nobody assigns it. */
static void bind_indices(Lowering *l, const Variable *v, IrStmt **values, const Stmt *body)
{
  if (type_is_shaped(v->type))
    bind_values(l, v, values);
  else
    bind_index(l, v, values[0], body);
}

void emit_break_if(Lowering *l, IrVariable *flag, Loc loc)
{
  IrStmt *branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), loc,
                                   emit_get(l, flag, loc), NULL));
  IrBlock *outer = open_block(l, branch, 0);

  emit(l, ir_stmt(l->module, IR_break, TY(VOID), loc, NULL));
  l->block = outer;
  branch->blocks[1] = ir_block(l->module, branch);
}

void leave_inlined(Lowering *l, const Stmt *loop)
{
  if (l->inlined && l->inlined->returned && holds_return(loop->body))
    emit_break_if(l, l->inlined->returned, loop->loc);
}

static IrStmt **new_indices(Lowering *l, const Variable *v)
{
  return NEW_ARRAY(l->module->arena, IrStmt *, type_count(v->type));
}

/* The loops of s from element `element` of range k on, each within the one before;
 * bounds holds lo and hi of each range, NULL where they are evaluated in place,
 * values the indices of range k so far. */
static void lower_ranges(Lowering *l, const Stmt *s, int k, int element, IrStmt ***bounds,
                         IrStmt **values)
{
  const Range *r = &s->ranges[k];
  const Variable *v = r->variable;
  bool is_last = element + 1 == type_count(v->type);
  IrStmt *loop;
  IrBlock *outer;

  if (!bounds[2 * k])
    bounds[2 * k] = lower_converted(l, r->lo, v->type);
  if (!bounds[2 * k + 1])
    bounds[2 * k + 1] = lower_converted(l, r->hi, v->type);
  loop = emit(l, ir_stmt(l->module, IR_for_range, TY(VOID), s->loc, bounds[2 * k][element],
                         bounds[2 * k + 1][element], NULL));
  loop->variable = index_variable(l, v, element);
  outer = open_block(l, loop, 0);
  values[element] = emit_loop_index(l, loop, 0, type_element(v->type), s->loc);
  if (is_last)
    bind_indices(l, v, values, s->body);
  if (!is_last)
    lower_ranges(l, s, k, element + 1, bounds, values);
  else if (k + 1 < s->range_count)
    lower_ranges(l, s, k + 1, 0, bounds, new_indices(l, s->ranges[k + 1].variable));
  if (is_last && k + 1 == s->range_count)
    lower_body(l, s->body);
  else if (l->loop->leaving)
    emit_break_if(l, l->loop->leaving, s->loc);
  l->block = outer;
}

static int count_loops(const Stmt *s)
{
  int count = 0;

  for (int k = 0; k < s->range_count; k++)
    count += type_count(s->ranges[k].variable->type);
  return count;
}

void lower_for_range(Lowering *l, const Stmt *s)
{
  IrStmt ***bounds = NEW_ARRAY(l->module->arena, IrStmt **, 2 * s->range_count);
  Loop *around = l->loop, here = { 0 };

  for (int k = 0; k < s->range_count; k++) {
    const Range *r = &s->ranges[k];
    if (!depends_on_earlier(s, r->lo))
      bounds[2 * k] = lower_converted(l, r->lo, r->variable->type);
    if (!depends_on_earlier(s, r->hi))
      bounds[2 * k + 1] = lower_converted(l, r->hi, r->variable->type);
  }
  if (lower_unrolled(l, s, bounds))
    return;
  if (count_loops(s) > 1 &&
      (breaks_out(s->body) || (l->inlined && holds_return(s->body)))) {
    here.leaving = new_hidden(l, "leaving", TY(BOOL));
    emit_declare(l, here.leaving, emit_int(l, TY(BOOL), 0, s->loc), s->loc);
  }
  l->loop = &here;
  if (holds_task(s->body))
    lower_task_ranges(l, s, bounds);
  else
    lower_ranges(l, s, 0, 0, bounds, new_indices(l, s->ranges[0].variable));
  l->loop = around;
  leave_inlined(l, s);
}

/* ---- parallel loops ---- */

/* What the program's variable is: loop_index counts cells. */
static IrStmt *own_index(Lowering *l, const Stmt *s, IrStmt *loop, int k,
                         const Type *type)
{
  IrStmt *index = emit_loop_index(l, loop, k, type, s->loc);
  int64_t origin = s->field ? s->field->origin[k] : 0;

  if (origin == 0)
    return index;
  return emit(l, ir_stmt(l->module, IR_add, type, s->loc, index,
                         emit_int(l, type, origin, s->loc), NULL));
}

/* Of a `within`: where each index begins and ends, in kernel-level variables. */
typedef struct Box {
  IrVariable *lo[MAX_AXES], *hi[MAX_AXES];
} Box;

static void keep_bounds(Lowering *l, IrVariable **to, const char *name, const Expr *bound)
{
  IrStmt **values = lower_elements(l, bound);

  for (int k = 0; k < type_count(bound->type); k++) {
    to[k] = new_hidden(l, name, TY(I64));
    emit_declare(l, to[k], values[k], bound->loc);
  }
}

static IrStmt *both(Lowering *l, IrStmt *a, IrStmt *b, Loc loc)
{
  return a ? lower_binary(l, OP_AND, a, b, loc) : b;
}

/* The body of what follows stands in an `if` that the index is in the box. */
static void open_box(Lowering *l, const Box *box, IrStmt *const *index, int count, Loc loc)
{
  IrStmt *inside = NULL, *branch;

  for (int k = 0; k < count; k++) {
    IrStmt *at = convert(l, index[k], TY(I64), loc);
    inside = both(l, inside, lower_binary(l, OP_GE, at, emit_get(l, box->lo[k], loc), loc), loc);
    inside = both(l, inside, lower_binary(l, OP_LT, at, emit_get(l, box->hi[k], loc), loc), loc);
  }
  branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), loc, inside, NULL));
  branch->blocks[1] = ir_block(l->module, branch);
  open_block(l, branch, 0);
}

/* Several threads make use of these; targets that have one do not.  Of a serial loop the
 * checker has told. */
static void report_unused(Lowering *l, const Stmt *s)
{
  if (!l->options->has_one_thread || s->manner.is_serial)
    return;
  for (int k = 0; k < s->attribute_count; k++) {
    const Attribute *a = &s->attributes[k];
    if (strcmp(a->name, "block_dim") == 0 || strcmp(a->name, "schedule") == 0)
      diag(l->diag, DIAG_ATTRIBUTE_UNUSED, a->loc, a->name, "the target has one thread");
  }
}

static IrManner lowered_manner(Lowering *l, const Stmt *s)
{
  const Manner *m = &s->manner;

  report_unused(l, s);
  return (IrManner){ .is_serial = m->is_serial,
                     .schedule = m->schedule,
                     .block_dim = m->block_dim };
}

void lower_unique(Lowering *l, const Variable *v, IrStmt **values)
{
  IrStmt *s = ir_stmt(l->module, IR_unique, TY(VOID), v->loc, NULL);

  if (!type_is_integer(type_element(v->type))) {
    diag(l->diag, DIAG_UNIQUE_VARIABLE, v->loc, v->name, "no integer, nor a vector of integers");
    return;
  }
  if (assigns(l->foreach->body, v)) {
    diag(l->diag, DIAG_UNIQUE_VARIABLE, v->loc, v->name, "assigned again in the body");
    return;
  }
  for (int k = 0; k < type_count(v->type); k++)
    ir_add_operand(l->module, s, values[k]);
  emit(l, s);
  check_unique(l, s, v->name);
}

static void lower_unique_indices(Lowering *l, Variable *const *variables, int count)
{
  for (int k = 0, at = 0; k < count; at += type_count(variables[k]->type), k++)
    if (variables[k]->is_unique)
      lower_unique(l, variables[k], l->own + at);
}

/* How far before and behind the own cell, on each axis of the field's path. */
static void lower_halo(Lowering *l, IrStmt *cache, int halo)
{
  for (int k = 0; halo != CACHED_AS_NEEDED && k < cache->field->snode->path_axis_count; k++) {
    ir_add_operand(l->module, cache, emit_int(l, TY(I64), -halo, cache->loc));
    ir_add_operand(l->module, cache, emit_int(l, TY(I64), halo, cache->loc));
  }
}

/* Each element of a vector is a field of its own. */
static void lower_cached(Lowering *l, const Stmt *s)
{
  for (int k = 0; k < s->manner.cached_count; k++) {
    const Cached *c = &s->manner.cached[k];
    const IrField *first = lowered_field(l, c->field);
    for (int i = 0; i < type_count(c->field->type); i++) {
      IrStmt *cache = ir_stmt(l->module, IR_cache, TY(VOID), c->loc, NULL);
      cache->field = ir_field_element(first, i);
      cache->slot = lowered_slot(l, c->tree_slot);
      lower_halo(l, cache, c->halo);
      emit(l, cache);
    }
  }
}

static void lower_foreach_body(Lowering *l, const Stmt *s, IrStmt *loop,
                               Variable *const *variables, int count, const Box *box)
{
  Loop *around = l->loop;
  IrStmt *index[MAX_AXES];
  IrBlock *outer;
  int at = 0;

  loop->manner = lowered_manner(l, s);
  l->loop = NULL;
  l->in_foreach = true;
  l->foreach = s;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < type_count(variables[k]->type); i++)
      vec_push(l->module->arena, loop->variables, loop->variable_count,
               index_variable(l, variables[k], i));
  outer = open_block(l, loop, 0);
  lower_cached(l, s);
  for (int k = 0; k < count; k++) {
    IrStmt **values = new_indices(l, variables[k]);
    for (int i = 0; i < type_count(variables[k]->type); i++, at++)
      index[at] = values[i] = own_index(l, s, loop, at, type_element(variables[k]->type));
    bind_indices(l, variables[k], values, s->body);
  }
  l->own = index;
  l->own_count = at;
  if (box)
    open_box(l, box, index, at, s->loc);
  lower_unique_indices(l, variables, count);
  lower_body(l, s->body);
  l->block = outer;
  l->in_foreach = false;
  l->loop = around;
}

/* Of a vector lo and hi of each element. */
static void add_bounds(Lowering *l, IrStmt *loop, const Range *r)
{
  IrStmt **lo = lower_converted(l, r->lo, r->variable->type);
  IrStmt **hi = lower_converted(l, r->hi, r->variable->type);

  for (int k = 0; k < type_count(r->variable->type); k++) {
    ir_add_operand(l->module, loop, lo[k]);
    ir_add_operand(l->module, loop, hi[k]);
  }
}

void lower_foreach_range(Lowering *l, const Stmt *s)
{
  Variable **variables =
      NEW_ARRAY(l->module->arena, Variable *, s->range_count);
  IrStmt *loop = ir_stmt(l->module, IR_foreach_range, TY(VOID), s->loc, NULL);

  for (int k = 0; k < s->range_count; k++) {
    const Range *r = &s->ranges[k];
    if (depends_on_earlier(s, r->lo) || depends_on_earlier(s, r->hi)) {
      diag(l->diag, DIAG_NOT_BUILT, s->loc,
           "a parallel range that depends on another");
      return;
    }
    variables[k] = r->variable;
    add_bounds(l, loop, r);
  }
  emit(l, loop);
  lower_foreach_body(l, s, loop, variables, s->range_count, NULL);
}

void lower_foreach_node(Lowering *l, const Stmt *s)
{
  IrStmt *loop = ir_stmt(l->module, IR_foreach_node, TY(VOID), s->loc, NULL);
  Box box;

  for (int k = 0; k < s->range_count; k++) {
    keep_bounds(l, box.lo, "lo", s->ranges[k].lo);
    keep_bounds(l, box.hi, "hi", s->ranges[k].hi);
  }
  if (s->field)
    loop->field = lowered_field(l, s->field);
  else
    loop->snode = lowered_snode(l, s->snode);
  loop->slot = s->tree_slot;
  emit(l, loop);
  lower_foreach_body(l, s, loop, s->variables, s->variable_count,
                     s->range_count ? &box : NULL);
}
