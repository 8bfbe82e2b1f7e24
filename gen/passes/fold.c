/* fold: constants, algebraic identities, dead code.
 *
 *   <i32> $3 = const 4              <i32> $3 = const 4
 *   <i32> $4 = mul $3 $3       =>   <i32> $4 = const 16
 *   <i32> $5 = add $2 $zero         (its uses take $2)
 *   if $true { print "a" }          print "a"
 *   <i64> $7 = cast $6              (of a bool)
 *   <bool> $8 = cmp_le $7 $zero =>  <bool> $8 = logic_not $6
 *   declare hi $3                   (at kernel level, around tasks, $3 a constant)
 *   <i64> $9 = get hi           =>  <i64> $9 = const 2047
 *
 * Needs: the module as written.
 * Guarantees: the same values, bit for bit (a float is folded only where the
 * result is the one that IEEE 754 gives); what can trap, print or change memory
 * stays, in its order. Division by zero is left to run time.
 */
#include "gen/passes/tools.h"

#include <stddef.h>

typedef struct Fold {
  IrModule *module;
  IrStmt **by;
  bool has_tasks;             /* the function is a kernel with parallel loops */
} Fold;

/* ---- constants ---- */

static void become_const(IrStmt *s, Value value)
{
  s->op = IR_const;
  s->operand_count = 0;
  s->value = value;
}

static bool all_const(const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (!is_const(s->operands[k]))
      return false;
  return s->operand_count > 0;
}

static bool is_nan(const IrStmt *s)
{
  return type_is_float(s->type) && s->value.f != s->value.f;
}

/* Of what is left to run time: division by zero, the least integer by -1, a comparison with a
 * NaN, and what math.h computes. */
static bool may_fold(const IrStmt *s)
{
  const IrStmt *b = s->operands[s->operand_count - 1];
  Op op = ir_operator[s->op];

  if (s->op == IR_table)
    return true;
  if (op_compares(op))
    return !is_nan(s->operands[0]) && !is_nan(b);
  if (type_is_float(s->type))
    return (op >= OP_ADD && op <= OP_DIV) || op == OP_NEGATE || s->op == IR_cast;
  if (op_divides(op))
    return b->value.i != 0 && !(s->type->is_signed && b->value.i == -1);
  return op != OP_NONE || s->op == IR_cast;
}

static void fold_constants(IrStmt *s)
{
  Value operand[2];

  if (!is_pure(s) || !all_const(s) || s->operand_count > 2 || !may_fold(s))
    return;
  for (int k = 0; k < s->operand_count; k++)
    operand[k] = s->operands[k]->value;
  become_const(s, ir_evaluate(s, operand));
}

/* ---- kernel-level variables ---- */

/* Whether the variable is a constant that tasks would read from memory: a box of `within`, say,
 * whose loop then knows where it ends.  The program's own locals keep their names elsewhere: there
 * the C compiler sees what they are. */
static bool is_constant(const Fold *f, const IrVariable *v)
{
  return f->has_tasks && v->kind == IR_VAR_KERNEL && v->declaration &&
         is_const(v->declaration->operands[0]);
}

static void fold_get(const Fold *f, IrStmt *s)
{
  const IrVariable *v = s->variable;

  if (s->op != IR_get || !is_constant(f, v))
    return;
  become_const(s, v->declaration->operands[0]->value);
  s->variable = NULL;
}

/* All that reads it stands behind it, and is folded. */
static bool is_needless(const Fold *f, const IrStmt *s)
{
  return s->op == IR_declare && is_constant(f, s->variable);
}

static bool has_tasks(const IrFunction *f)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (ir_is(s, IR_FOREACH))
      return true;
  return false;
}

/* ---- comparisons of a bool ---- */

static bool holds_for(const IrStmt *s, int k, int64_t i)
{
  Value operand[2];

  operand[k] = type_is_float(s->operands[k]->type) ? (Value){ .f = (double)i } : (Value){ .i = i };
  operand[1 - k] = s->operands[1 - k]->value;
  return ir_evaluate(s, operand).i != 0;
}

/* A comparison of a bool with a constant is that bool, its opposite, or a constant.  Of the
 * comparison itself compilers warn (-Wbool-compare; gcc also -Wconversion). */
static void fold_bool_comparison(IrStmt *s)
{
  const int k = is_const(s->operands[0]) ? 1 : 0;        /* the operand that is not constant */
  const IrStmt *constant = s->operands[1 - k];
  IrStmt *truth = ir_widened_bool(s->operands[k]);
  bool of_false, of_true;

  if (!truth || is_const(s->operands[k]) || !is_const(constant) || is_nan(constant))
    return;
  of_false = holds_for(s, k, 0);
  of_true = holds_for(s, k, 1);
  if (of_false == of_true)
    become_const(s, (Value){ .i = of_true });
  else {
    s->op = of_true ? IR_cast : IR_logic_not;
    s->operands[0] = truth;
    s->operand_count = 1;
  }
}

/* Of these compilers warn as well (-Wtype-limits). */
static void fold_known_comparison(IrStmt *s)
{
  bool result;

  if (ir_known_comparison(s, &result))
    become_const(s, (Value){ .i = result });
}

/* ---- identities: what s is equal to, or NULL ---- */

static bool is_value(const IrStmt *s, int64_t i)
{
  if (!is_const(s))
    return false;
  return type_is_float(s->type) ? s->value.f == (double)i : s->value.i == i;
}

/* All bits of the type; true of a bool. */
static bool is_all_ones(const IrStmt *s)
{
  Value ones = { .i = s->type->kind == TYPE_BOOL ? 1 : -1 };

  return is_const(s) && !type_is_float(s->type) &&
         s->value.i ==
             (s->type->kind == TYPE_BOOL ? 1 : value_wrap(s->type, ones).i);
}

/* x + 0.0 is no identity: it turns -0.0 into 0.0. */
static IrStmt *equal_integer(const IrStmt *s)
{
  IrStmt *a = s->operands[0], *b = s->operands[1];

  switch (s->op) {
  case IR_add:
    return is_value(b, 0) ? a : is_value(a, 0) ? b : NULL;
  case IR_sub: case IR_shl: case IR_shr:
    return is_value(b, 0) ? a : NULL;
  case IR_mul:
    return is_value(b, 1) || is_value(a, 0)   ? a
           : is_value(a, 1) || is_value(b, 0) ? b
                                              : NULL;
  case IR_div:
    return is_value(b, 1) ? a : NULL;
  case IR_bit_or:
    return is_value(b, 0) || is_all_ones(a) ? a
           : is_value(a, 0) || is_all_ones(b) ? b : NULL;
  case IR_bit_xor:
    return is_value(b, 0) ? a : is_value(a, 0) ? b : NULL;
  case IR_bit_and:
    return is_all_ones(b) || is_value(a, 0)   ? a
           : is_all_ones(a) || is_value(b, 0) ? b
                                              : NULL;
  default:
    return NULL;
  }
}

static IrStmt *equal_float(const IrStmt *s)
{
  IrStmt *a = s->operands[0], *b = s->operands[1];

  if (s->op == IR_mul && is_value(a, 1))
    return b;
  return (s->op == IR_mul || s->op == IR_div) && is_value(b, 1) ? a : NULL;
}

static IrStmt *equal_to(const IrStmt *s)
{
  IrStmt *const *o = s->operands;

  switch (s->op) {
  case IR_add: case IR_sub: case IR_mul: case IR_div: case IR_shl: case IR_shr:
  case IR_bit_and: case IR_bit_or: case IR_bit_xor:
    return type_is_float(s->type) ? equal_float(s) : equal_integer(s);
  case IR_select:
    if (is_const(o[0]))
      return o[0]->value.i ? o[1] : o[2];
    return o[1] == o[2] ? o[1] : NULL;
  case IR_cast:
    return o[0]->type == s->type ? o[0] : NULL;
  case IR_logic_not:
    return o[0]->op == IR_logic_not ? o[0]->operands[0] : NULL;
  default:
    return NULL;
  }
}

/* ---- control ---- */

static void splice(IrModule *m, IrBlock *from, IrBlock *to)
{
  for (int k = 0; k < from->count; k++)
    ir_append(m, to, from->stmts[k]);
}

static bool is_empty(const IrBlock *b)
{
  return !b || b->count == 0;
}

static bool is_empty_range(const IrStmt *lo, const IrStmt *hi)
{
  if (!is_const(lo) || !is_const(hi))
    return false;
  return lo->type->is_signed ? lo->value.i >= hi->value.i
                             : (uint64_t)lo->value.i >= (uint64_t)hi->value.i;
}

static bool never_turns(const IrStmt *s)
{
  if (s->op == IR_while)
    return is_value(s->operands[0], 0);
  if (s->op != IR_for_range && s->op != IR_foreach_range)
    return false;
  for (int k = 0; k + 1 < s->operand_count; k += 2)
    if (is_empty_range(s->operands[k], s->operands[k + 1]))
      return true;
  return false;
}

static void cut_unreachable(IrBlock *b)
{
  for (int k = 0; k < b->count; k++) {
    if (ir_is(b->stmts[k], IR_JUMPS))
      b->count = k + 1;
  }
}

static void fold_stmt(IrStmt *s, IrBlock *to, void *user)
{
  Fold *f = user;
  IrStmt *same;

  replace_operands(s, f->by);
  for (int k = 0; k < IR_BLOCKS; k++)
    if (s->blocks[k])
      cut_unreachable(s->blocks[k]);
  fold_get(f, s);
  fold_constants(s);
  if (op_compares(ir_operator[s->op]))
    fold_bool_comparison(s);
  fold_known_comparison(s);
  same = equal_to(s);
  if (same)
    f->by[s->id] = same;
  else if (s->op == IR_if && is_const(s->operands[0]))
    splice(f->module, s->blocks[s->operands[0]->value.i ? 0 : 1], to);
  else if (s->op == IR_if && is_empty(s->blocks[0]) && is_empty(s->blocks[1]))
    return;
  else if (is_needless(f, s))
    return;
  else if (never_turns(s))   /* the condition's block has its effects once */
    splice(f->module,
           s->op == IR_while ? s->blocks[0] : ir_block(f->module, NULL), to);
  else
    ir_append(f->module, to, s);
}

static void fold_function(IrModule *m, IrFunction *function)
{
  Fold f = { .module = m, .has_tasks = has_tasks(function) };

  note_declarations(function);
  f.by = NEW_ARRAY(m->arena, IrStmt *, give_ids(function) + 1);
  rewrite_block(function->body, fold_stmt, &f);
  cut_unreachable(function->body);
  remove_dead(m, function);
}

void pass_fold(IrModule *m)
{
  for_each_function(m, fold_function);
}
