/* Calls: funcs of the program, atomics, random numbers, and where the other kinds are checked. */
#include "gen/front/check.h"
#include "gen/front/special.h"

static void fail_argument_count(Check *c, const Expr *e, int expected)
{
  diag(c->diag, DIAG_ARGUMENT_COUNT, e->loc, e->name, expected,
       expected == 1 ? "argument" : "arguments", e->arg_count);
}

/* ---- atomics ---- */

static bool is_exchange(Op op)
{
  return op == OP_EXCHANGE || op == OP_COMPARE_EXCHANGE;
}

/* A bool is exchanged as any value is; no other operation has one. */
static Expr *check_atomic(Check *c, Expr *e, Op op)
{
  int arguments = op == OP_COMPARE_EXCHANGE ? 3 : 2;
  if (e->arg_count != arguments) {
    fail_argument_count(c, e, arguments);
    return fail_expr(e);
  }
  Access access = e == c->unused ? ACCESS_UPDATE : ACCESS_TAKE;
  e->a = require_operand(c, check_target(c, e->args[0], access, e->name));
  if (op == OP_COMPARE_EXCHANGE)
    e->c = check_update(c, e->args[1], e->a->type);
  e->b = check_update(c, e->args[arguments - 1], e->a->type);
  if (!e->a->type || !e->b->type || (e->c && !e->c->type))
    return fail_expr(e);
  use_target(e->a);
  if (type_element(e->a->type) == TY(BOOL) && !is_exchange(op)) {
    diag(c->diag, DIAG_BOOL_ARITHMETIC, e->a->loc);
    return fail_expr(e);
  }
  if (op_is_bitwise(op) && type_is_float(type_element(e->a->type))) {
    diag(c->diag, DIAG_NEEDS_INTEGER, e->a->loc, e->name, e->a->type->name);
    return fail_expr(e);
  }
  e->kind = EXPR_ATOMIC;
  e->op = op;
  e->type = e->a->type;
  e->arg_count = 0;
  return e;
}

/* ---- random numbers ---- */

/* Of the type that is asked for; else of the context's, as a literal is: f64 alone. */
static Expr *check_random(Check *c, Expr *e, bool is_normal)
{
  if (e->arg_count > 1) {
    fail_argument_count(c, e, 1);
    return fail_expr(e);
  }
  const Expr *type = e->arg_count ? e->args[0] : NULL;
  if (type && (type->kind != EXPR_NAME || !type->type)) {
    diag(c->diag, DIAG_EXPECTED_TYPE, type->loc, e->name);
    return fail_expr(e);
  }
  if (type && is_normal && !type_is_float(type_element(type->type))) {
    diag(c->diag, DIAG_NEEDS_FLOAT_TYPE, type->loc, e->name, type->type->name);
    return fail_expr(e);
  }
  if (!c->info->function->name) {      /* outside functions */
    diag(c->diag, DIAG_NOT_CONSTANT, e->loc, "the value of a param or const");
    return fail_expr(e);
  }
  e->kind = EXPR_RANDOM;
  e->type = type ? type->type : TY(F64);
  e->is_constant = e->is_weak = !type;
  e->arg_count = 0;
  return e;
}

/* ---- funcs ---- */

/* The instance that an argument names: a tree parameter, or a tree. */
static bool find_instance(Check *c, const Expr *e, const Variable *parameter,
                          const Function *f, SlotUse *out)
{
  Symbol *symbol = e->kind == EXPR_NAME && !e->type ? scope_find(c->scope, e->name)
                                                    : NULL;
  if (!parameter->tree || (symbol && symbol->kind == SYMBOL_UNKNOWN))
    return false;
  *out = (SlotUse){.name = e->name, .loc = e->loc};
  if (symbol && symbol->kind == SYMBOL_TREE) {
    out->tree = symbol->is.tree;
  } else if (symbol && symbol->kind == SYMBOL_VARIABLE) {
    out->tree = symbol->is.variable->tree;
    out->parameter = symbol->is.variable;
  }
  if (out->tree == parameter->tree)
    return true;
  diag(c->diag, DIAG_EXPECTED_TREE, e->loc, parameter->name, f->name,
       parameter->tree->name);
  return false;
}

static bool check_inout_argument(Check *c, Expr **argument, const Variable *parameter)
{
  Expr *e = check_target(c, *argument, ACCESS_WRITE, "an inout argument");
  *argument = e;
  if (!e->type)
    return false;
  use_target(e);
  if (e->kind == EXPR_VARIABLE)
    note_read(c, e->variable, e->loc);
  if (e->type == parameter->type)
    return true;
  diag(c->diag, DIAG_INOUT_TYPE, e->loc, parameter->name, parameter->type->name,
       e->type->name);
  return false;
}

/* Trees go into the call's record, values stay as arguments. */
static bool check_arguments(Check *c, Expr *e, const Function *f, CallUse *use)
{
  bool is_good = true;
  int values = 0;
  for (int i = 0; i < e->arg_count; i++) {
    const Variable *parameter = f->params[i];
    SlotUse instance;
    if (parameter->kind == VARIABLE_TREE) {
      if (find_instance(c, e->args[i], parameter, f, &instance))
        vec_push(c->arena, use->trees, use->tree_count, instance);
      else
        is_good = false;
      continue;
    }
    Expr *argument = e->args[i];
    if (parameter->mode == ARRAY_INOUT)
      is_good = check_inout_argument(c, &argument, parameter) && is_good;
    else
      argument = check_stored(c, argument, parameter->type);
    is_good = is_good && argument->type;
    e->args[values++] = argument;
  }
  e->arg_count = values;
  return is_good;
}

static Expr *fail_kernel(Check *c, Expr *e, const Function *kernel)
{
  diag(c->diag, DIAG_CALLED_KERNEL, e->loc, e->name);
  diag(c->diag, DIAG_DECLARED_HERE, kernel->loc, kernel->name);
  return fail_expr(e);
}

static Expr *check_function_call(Check *c, Expr *e, int callee)
{
  Function *f = c->functions[callee]->function;
  if (e->arg_count != f->param_count) {
    fail_argument_count(c, e, f->param_count);
    diag(c->diag, DIAG_DECLARED_HERE, f->loc, f->name);
    return fail_expr(e);
  }
  CallUse use = {.call = e, .callee = callee};
  if (!check_arguments(c, e, f, &use))
    return fail_expr(e);
  e->kind = EXPR_FUNCTION;
  e->function = f;
  e->type = f->result;
  if (!e->type)
    return fail_expr(e);
  vec_push(c->arena, c->info->calls, c->info->call_count, use);
  return e;
}

static Expr *check_generic_call(Check *c, Expr *e, Generic *generic)
{
  if (generic->function->is_kernel)
    return fail_kernel(c, e, generic->function);
  if (e->generic_count == 0) {
    diag(c->diag, DIAG_GENERIC_CALL, e->loc, e->name, e->name);
    return fail_expr(e);
  }
  int callee = find_copy(c, generic, e);
  if (callee >= 0)
    return check_function_call(c, e, callee);
  for (int i = 0; i < e->arg_count; i++)
    e->args[i] = check_expr(c, e->args[i]);
  return fail_expr(e);
}

/* ---- all calls ---- */

static bool takes_function(const Symbol *symbol)
{
  return symbol->kind == SYMBOL_FUNCTION && !symbol->is.function->is_kernel;
}

static Expr *check_special_call(Check *c, Expr *e, const Special *special)
{
  const int number = special->number;
  switch (special->kind) {
  case SPECIAL_BUILTIN: return check_builtin(c, e, number);
  case SPECIAL_SHAPED: return check_shaped(c, e, number);
  case SPECIAL_FACTOR: return check_factor(c, e, number);
  case SPECIAL_ATOMIC: return check_atomic(c, e, (Op)number);
  case SPECIAL_QUESTION: return check_node_question(c, e, (ExprKind)number);
  case SPECIAL_RANDOM: return check_random(c, e, number);
  case SPECIAL_RESCALE: return check_rescale(c, e);
  case SPECIAL_STATEMENT: break;       /* one that stands alone is check_expression_statement's */
  }
  diag(c->diag, DIAG_VOID_CALL, e->loc, e->name);
  return fail_expr(e);
}

Expr *check_call(Check *c, Expr *e)
{
  Symbol *symbol = scope_find(c->scope, e->name);
  const Special *special = symbol ? NULL : special_by_name(e->name);
  if (special)
    return check_special_call(c, e, special);
  if (!symbol) {
    fail_unknown(c, DIAG_UNKNOWN_FUNCTION, e, takes_function);
    return fail_expr(e);
  }
  if (symbol->kind == SYMBOL_GENERIC)
    return check_generic_call(c, e, symbol->is.generic);
  if (symbol->kind == SYMBOL_FUNCTION)
    return symbol->is.function->is_kernel ? fail_kernel(c, e, symbol->is.function)
                                          : check_function_call(c, e, symbol->function_index);
  if (symbol->kind == SYMBOL_STRUCT)
    return check_struct_call(c, e, symbol->is.structure);
  if (symbol->kind != SYMBOL_UNKNOWN)
    diag(c->diag, DIAG_NOT_A_FUNCTION, e->loc, e->name, symbol_kind_name(symbol));
  return fail_expr(e);
}
