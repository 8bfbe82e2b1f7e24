/* Statements, except loops; and whether control can go on behind one. */
#include "gen/front/check.h"
#include "gen/front/special.h"

/* ---- does it end? ---- */

bool breaks_out(const Stmt *s)
{
  if (!s)
    return false;
  switch (s->kind) {
  case STMT_BREAK:
    return true;
  case STMT_BLOCK:
    for (int i = 0; i < s->list_count; i++)
      if (breaks_out(s->list[i]))
        return true;
    return false;
  case STMT_IF:
    return breaks_out(s->body) || breaks_out(s->other);
  default:
    return false;              /* an inner loop's break is its own */
  }
}

static bool is_always(const Expr *e)
{
  return !e || (is_literal(e) && e->type == TY(BOOL) && e->value.i);
}

bool can_end(const Stmt *s)
{
  switch (s->kind) {
  case STMT_RETURN:
    return false;
  case STMT_BLOCK:
    for (int i = 0; i < s->list_count; i++)
      if (!can_end(s->list[i]))
        return false;
    return true;
  case STMT_IF:
    return !s->other || can_end(s->body) || can_end(s->other);
  case STMT_WHILE: case STMT_FOR:
    return !is_always(s->a) || breaks_out(s->body);
  default:
    return true;
  }
}

/* ---- declarations and assignments ---- */

/* Initialised before it is declared: in i32 a = a + 1 the right a is the outer.
 * A const of constant value is known as that value, and nothing is left. */
static Stmt *check_declare(Check *c, Stmt *s, bool may_vanish)
{
  Variable *v = s->variable;
  if (v->kind == VARIABLE_OWN_ARRAY)
    check_own_array(c, v);
  if (s->a)
    s->a = check_stored(c, s->a, v->type);
  v->at_kernel_level = c->info->function->is_kernel && !c->foreach;
  declare_variable(c, v);
  vec_push(c->arena, c->info->locals, c->info->local_count, v);
  if (v->table && may_vanish)
    return NULL;
  Symbol *symbol = scope_find(c->scope, v->name);
  bool is_known = may_vanish && v->is_const && s->a && s->a->type && is_literal(s->a);
  if (!is_known || symbol->kind != SYMBOL_VARIABLE || symbol->is.variable != v)
    return s;
  symbol->fixed = &s->a->value;
  return NULL;
}

void report_unused_variables(Check *c, const FunctionInfo *info)
{
  for (int i = 0; i < info->local_count; i++)
    if (!info->locals[i]->is_used)
      diag(c->diag, DIAG_UNUSED_VARIABLE, info->locals[i]->loc, info->locals[i]->name);
}

static const char *update_name(Op op)
{
  switch (op) {
  case OP_NONE: return "'='";
  case OP_MOD: return "'%='";
  case OP_AND: return "'&='";
  case OP_OR: return "'|='";
  case OP_XOR: return "'^='";
  case OP_SHL: return "'<<='";
  case OP_SHR: return "'>>='";
  default: return "an assignment";
  }
}

static bool needs_integers(Op op)
{
  return op == OP_MOD || op == OP_AND || op == OP_OR || op == OP_XOR ||
         op == OP_SHL || op == OP_SHR;
}

static bool fits_operator(Check *c, const Stmt *s)
{
  const Type *type = type_element(s->target->type);
  bool is_logical = s->op == OP_AND || s->op == OP_OR || s->op == OP_XOR;
  if (s->op == OP_NONE || (type == TY(BOOL) && is_logical))
    return true;
  if (type == TY(BOOL)) {
    diag(c->diag, DIAG_BOOL_ARITHMETIC, s->target->loc);
    return false;
  }
  if (!needs_integers(s->op) || type_is_integer(type))
    return true;
  diag(c->diag, DIAG_NEEDS_INTEGER, s->loc, update_name(s->op), s->target->type->name);
  return false;
}

/* A count for all elements, or one for each. */
static Expr *check_count(Check *c, Expr *e, const Type *target, Op op)
{
  e = check_value(c, e);
  if (!e->type)
    return e;
  if (!type_is_integer(type_element(e->type))) {
    diag(c->diag, DIAG_NEEDS_INTEGER, e->loc, update_name(op), e->type->name);
    return fail_expr(e);
  }
  if (target && type_is_shaped(e->type) && !type_same_shape(target, e->type)) {
    diag(c->diag, DIAG_MIXED_SHAPES, e->loc, target->name, e->type->name);
    return fail_expr(e);
  }
  return e;
}

static void check_assign(Check *c, Stmt *s)
{
  s->target = check_target(c, s->target, s->op == OP_NONE ? ACCESS_WRITE : ACCESS_UPDATE,
                           s->op == OP_NONE ? "'='" : "an assignment");
  if (s->op != OP_NONE)
    s->target = require_operand(c, s->target);
  if (s->target->type && !fits_operator(c, s))
    fail_expr(s->target);
  if (s->op == OP_DIV || s->op == OP_MOD)
    mark_trap(c);
  if (s->op == OP_SHL || s->op == OP_SHR)
    s->a = check_count(c, s->a, s->target->type, s->op);
  else if (!s->target->type)
    s->a = settle(c, check_expr(c, s->a));     /* its own errors are reported still */
  else if (s->op == OP_NONE)
    s->a = check_stored(c, s->a, s->target->type);
  else
    s->a = check_update(c, s->a, s->target->type);
}

/* ---- calls as statements ---- */

static bool has_effect(const Expr *e)
{
  return e->kind == EXPR_FUNCTION || e->kind == EXPR_ATOMIC || e->kind == EXPR_APPEND ||
         e->kind == EXPR_FACTOR;
}

static void check_expression_statement(Check *c, Stmt *s)
{
  bool is_plain_call = s->a->kind == EXPR_CALL && !scope_find(c->scope, s->a->name);
  const Special *special = is_plain_call ? special_by_name(s->a->name) : NULL;
  if (special && special->kind == SPECIAL_STATEMENT) {
    check_node_statement(c, s, (StmtKind)special->number);
    return;
  }
  c->unused = s->a;
  Loc loc = s->a->loc;
  s->a = settle(c, check_expr(c, s->a));
  c->unused = NULL;
  if (s->a->type && !has_effect(s->a))
    diag(c->diag, DIAG_NO_EFFECT, loc);
}

/* ---- control ---- */

static void check_branch(Check *c, Stmt **body)
{
  scope_open(c->scope);
  *body = check_stmt(c, *body);
  scope_close(c->scope);
}

static void check_if(Check *c, Stmt *s)
{
  s->a = check_condition(c, s->a);
  check_branch(c, &s->body);
  if (s->other)
    check_branch(c, &s->other);
}

static void check_while(Check *c, Stmt *s)
{
  s->a = check_condition(c, s->a);
  c->loop_depth++;
  check_branch(c, &s->body);
  c->loop_depth--;
}

static void check_jump(Check *c, Stmt *s)
{
  bool is_break = s->kind == STMT_BREAK;
  if (c->loop_depth > 0 || (c->foreach && !is_break))
    return;
  if (c->foreach)
    diag(c->diag, DIAG_BREAK_LEAVES_FOREACH, s->loc);
  else
    diag(c->diag, DIAG_BREAK_OUTSIDE, s->loc, is_break ? "break" : "continue");
}

static void check_return(Check *c, Stmt *s)
{
  const Function *f = c->info->function;
  if (c->foreach)
    diag(c->diag, DIAG_RETURN_LEAVES_FOREACH, s->loc);
  if (!s->a) {
    if (f->result && f->result != TY(VOID) && !c->foreach)
      diag(c->diag, DIAG_RETURN_NOTHING, s->loc, f->name, f->result->name);
    return;
  }
  if (f->result && f->result != TY(VOID)) {
    s->a = check_stored(c, s->a, f->result);
    return;
  }
  s->a = check_expr(c, s->a);
  if (f->result && !c->foreach)
    diag(c->diag, DIAG_RETURN_VALUE, s->loc, f->name);
}

/* They stand in the launch record where other errors have their indices. */
static void check_asserted(Check *c, const Stmt *s)
{
  int values = 0;
  for (int k = 0; k < s->arg_count; k++)
    values += s->args[k]->type ? type_count(s->args[k]->type) : 0;
  if (values > MAX_AXES)
    diag(c->diag, DIAG_FORMAT_VALUES, s->format_loc, (int)MAX_AXES, values);
}

static void check_assert(Check *c, Stmt *s)
{
  mark_trap(c);
  s->a = check_condition(c, s->a);
  if (!s->format)
    return;
  check_format(c, s);
  check_asserted(c, s);
}

/* The statement that stands for s after the check. */
Stmt *check_stmt(Check *c, Stmt *s)
{
  switch (s->kind) {
  case STMT_BLOCK:
    scope_open(c->scope);
    check_block(c, s);
    scope_close(c->scope);
    break;
  case STMT_DECLARE: check_declare(c, s, false); break;
  case STMT_ASSIGN: check_assign(c, s); break;
  case STMT_EXPR: check_expression_statement(c, s); break;
  case STMT_IF: check_if(c, s); break;
  case STMT_WHILE: check_while(c, s); break;
  case STMT_FOR: check_for(c, s); break;
  case STMT_FOR_RANGE: check_for_range(c, s); break;
  case STMT_FOR_UNDER: check_for_under(c, s); break;
  case STMT_FOREACH_RANGE: case STMT_FOREACH_NODE: check_foreach(c, s); break;
  case STMT_BREAK: case STMT_CONTINUE: check_jump(c, s); break;
  case STMT_RETURN: check_return(c, s); break;
  case STMT_PRINT: check_format(c, s); break;
  case STMT_ASSERT: check_assert(c, s); break;
  default: ICE("statement %d is checked twice", (int)s->kind);
  }
  return s;
}

/* The statements of a block, in the scope that is open. */
void check_block(Check *c, Stmt *block)
{
  int kept = 0;
  for (int i = 0; i < block->list_count; i++) {
    Stmt *s = block->list[i];
    s = s->kind == STMT_DECLARE ? check_declare(c, s, true) : check_stmt(c, s);
    if (s)
      block->list[kept++] = s;
  }
  block->list_count = kept;
}
