/* Calls of functions with inout parameters or several values as their result, and of a kernel
 * that is to be derived all: the body stands where the call does.
 *
 * The IR's functions take values and give one; what a function gives back
 * beside it has no place there.  So each inout argument is copied
 * into a local, the body works on that, and the local is copied back.  Returns
 * that are not the last statement become the ends of branches (tail.c); where they
 * stand in loops, say, they leave a loop of one turn around the body.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

enum { MOST_INLINED = 1000,            /* in one function: they may double */
       MOST_AROUND = 2000 };           /* statements: lowering recurses over them */

/* ---- arguments ---- */

static IrVariable **new_copy(Lowering *l, const Variable *v, IrStmt **values)
{
  bool shared = l->source->is_kernel && !l->in_foreach;
  IrVariable **copy =
      new_elements(l, shared ? IR_VAR_KERNEL : IR_VAR_LOCAL, v->name, v->type);

  declare_elements(l, copy, values, v->type, v->loc);
  return copy;
}

static bool has_bool(const Type *type)
{
  for (int k = 0; k < type_count(type); k++)
    if (type_at(type, k) == TY(BOOL))
      return true;
  return false;
}

/* What a loop tests stands in a block of the loop's own, where the value of a variable can be read:
 * a bool's value from outside is no statement of that block. */
static void bind_argument(Lowering *l, const Function *f, const Variable *v, IrStmt **values)
{
  if (v->mode == ARRAY_INOUT || assigns(f->body, v) || (has_bool(v->type) && tests(f->body, v)))
    bind_variables(l, v, new_copy(l, v, values));
  else
    bind_values(l, v, values);
}

/* All arguments are evaluated, left to right, before any is bound: a parameter
 * of an outer call of the same function may be among them. */
static void bind_arguments(Lowering *l, const Expr *call,
                           const Variable **params, Place *places)
{
  const Function *f = call->function;
  IrStmt ***values = NEW_ARRAY(l->module->arena, IrStmt **, call->arg_count + 1);

  for (int k = 0; k < call->arg_count; k++) {
    if (params[k]->mode == ARRAY_INOUT) {
      places[k] = lower_place(l, call->args[k]);
      values[k] = read_place(l, &places[k]);
    } else {
      values[k] = lower_converted(l, call->args[k], params[k]->type);
    }
  }
  for (int k = 0; k < call->arg_count; k++)
    bind_argument(l, f, params[k], values[k]);
}

static void copy_back(Lowering *l, const Expr *call, const Variable **params,
                      IrVariable **const *copies, const Place *places)
{
  for (int k = 0; k < call->arg_count; k++)
    if (params[k]->mode == ARRAY_INOUT)
      write_place(l, &places[k], get_elements(l, copies[k], params[k]->type, call->loc));
}

/* ---- returns ---- */

/* Whether there is another return than one that is the last statement, be it of a block. */
static bool returns_early(const Stmt *body)
{
  for (int k = 0; k < body->list_count; k++) {
    const Stmt *s = body->list[k];
    bool is_last = k + 1 == body->list_count;
    if (is_last && s->kind == STMT_RETURN)
      continue;
    if (is_last && s->kind == STMT_BLOCK ? returns_early(s) : holds_return(s))
      return true;
  }
  return false;
}

void lower_inlined_return(Lowering *l, const Stmt *s)
{
  Inlined *in = l->inlined;

  if (s->a) {
    in->values = lower_converted(l, s->a, in->function->result);
    for (int k = 0; in->results && k < type_count(in->function->result); k++)
      emit_set(l, in->results[k], in->values[k], s->loc);
  }
  if (!in->returned)
    return;
  emit_set(l, in->returned, emit_int(l, TY(BOOL), 1, s->loc), s->loc);
  lower_break(l, s);
}

/* while (true) { body; break } */
static void lower_in_one_turn(Lowering *l, const Stmt *body)
{
  IrStmt *loop =
      emit(l, ir_stmt(l->module, IR_while, TY(VOID), body->loc, NULL));
  IrBlock *outer = open_block(l, loop, 0);

  ir_add_operand(l->module, loop, emit_int(l, TY(BOOL), 1, body->loc));
  l->block = outer;
  loop->blocks[2] = ir_block(l->module, loop);
  outer = open_block(l, loop, 1);
  lower_body(l, body);
  emit(l, ir_stmt(l->module, IR_break, TY(VOID), body->loc, NULL));
  l->block = outer;
}

/* ---- the call ---- */

static void lower_inlined_body(Lowering *l, const Expr *call, Inlined *in)
{
  const Function *f = call->function;
  Loop *loop = l->loop;
  Inlined *around = l->inlined;
  const int *slot_map = l->slot_map;
  int *slots = NEW_ARRAY(l->module->arena, int, f->tree_count + 1);

  for (int k = 0; k < f->tree_count; k++)
    slots[k] = lowered_slot(l, call->tree_slots[k]);
  l->slot_map = slots;
  l->inlined = in;
  l->loop = NULL;
  if (in->returned)
    lower_in_one_turn(l, in->body);
  else
    lower_body(l, in->body);
  l->loop = loop;
  l->inlined = around;
  l->slot_map = slot_map;
}

static Inlined begin_inlined(Lowering *l, const Expr *call)
{
  const Function *f = call->function;
  Inlined in = { .function = f, .body = f->body };

  if (!returns_early(f->body))
    return in;
  in.body = tail_form(l, f->body);
  if (f->result != TY(VOID)) {
    in.results = new_hidden_elements(l, f->name, f->result);
    declare_elements(l, in.results, zero_elements(l, f->result, call->loc), f->result, call->loc);
  }
  if (!in.body) {
    in.body = f->body;
    in.returned = new_hidden(l, "returned", TY(BOOL));
    emit_declare(l, in.returned, emit_int(l, TY(BOOL), 0, call->loc),
                 call->loc);
  }
  return in;
}

/* The parameters that take values, in the order of the call's arguments. */
static const Variable **value_params(Lowering *l, const Function *f)
{
  const Variable **params =
      NEW_ARRAY(l->module->arena, const Variable *, f->param_count + 1);
  int count = 0;

  for (int k = 0; k < f->param_count; k++)
    if (f->params[k]->kind != VARIABLE_TREE)
      params[count++] = f->params[k];
  return params;
}

static void fail_too_many(Lowering *l, Loc loc)
{
  diag(l->diag, DIAG_NOT_BUILT, loc,
       l->derivation ? "more than 1000 calls of functions in a kernel 'with grad' or 'with dual'"
                     : "more than 1000 calls of functions with inout parameters or several values "
                       "as their result in one function");
}

IrStmt **lower_inlined(Lowering *l, const Expr *call)
{
  Arena *arena = l->module->arena;
  const Variable **params = value_params(l, call->function);
  Place *places = NEW_ARRAY(arena, Place, call->arg_count + 1);
  IrVariable ***copies = NEW_ARRAY(arena, IrVariable **, call->arg_count + 1);
  Inlined in;

  if (l->depth > MOST_AROUND)
    fail_nested(l, call->loc, true);
  if (++l->inlined_calls > MOST_INLINED || l->is_too_deep) {
    if (l->inlined_calls == MOST_INLINED + 1)
      fail_too_many(l, call->loc);
    return zero_elements(l, call->type == TY(VOID) ? TY(I32) : call->type, call->loc);
  }
  bind_arguments(l, call, params, places);
  for (int k = 0; k < call->arg_count; k++)
    copies[k] = find_binding(l, params[k])->variables;
  in = begin_inlined(l, call);
  lower_inlined_body(l, call, &in);
  copy_back(l, call, params, copies, places);
  return in.results ? get_elements(l, in.results, call->type, call->loc) : in.values;
}
