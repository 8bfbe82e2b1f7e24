/* fold: constants, algebraic identities, dead code.
 *
 *   <i32> $3 = const 4              <i32> $3 = const 4
 *   <i32> $4 = mul $3 $3       =>   <i32> $4 = const 16
 *   <i32> $5 = add $2 $zero         (its uses take $2)
 *   if $true { print "a" }          print "a"
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

/* Unsigned arithmetic in 64 bits, cut to the type by the caller. */
static bool fold_integer(IrOp op, const Type *t, int64_t a, int64_t b,
                         int64_t *result)
{
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  unsigned count = (unsigned)(y & (uint64_t)(t->bits - 1));

  switch (op) {
  case IR_add:     *result = (int64_t)(x + y); return true;
  case IR_sub:     *result = (int64_t)(x - y); return true;
  case IR_mul:     *result = (int64_t)(x * y); return true;
  case IR_bit_and: *result = (int64_t)(x & y); return true;
  case IR_bit_or:  *result = (int64_t)(x | y); return true;
  case IR_bit_xor: *result = (int64_t)(x ^ y); return true;
  case IR_shl:     *result = (int64_t)(x << count); return true;
  case IR_shr:
    *result = !t->is_signed ? (int64_t)(x >> count)
              : a >= 0 ? (int64_t)(x >> count) : (int64_t)~(~x >> count);
    return true;
  case IR_div:
  case IR_mod:
    if (b == 0 || (t->is_signed && b == -1))
      return false;
    if (t->is_signed)
      *result = op == IR_div ? a / b : a % b;
    else
      *result = (int64_t)(op == IR_div ? x / y : x % y);
    return true;
  default:
    return false;
  }
}

/* Computed in double and rounded to f32 once more: for these four operations
 * that is the same as one rounding, as 53 bits are more than 2 * 24 + 2. */
static bool fold_float(IrOp op, double a, double b, double *result)
{
  switch (op) {
  case IR_add: *result = a + b; return true;
  case IR_sub: *result = a - b; return true;
  case IR_mul: *result = a * b; return true;
  case IR_div: *result = a / b; return true;
  default:     return false;
  }
}

static bool compare(IrOp op, bool less, bool equal)
{
  switch (op) {
  case IR_cmp_eq: return equal;
  case IR_cmp_ne: return !equal;
  case IR_cmp_lt: return less;
  case IR_cmp_le: return less || equal;
  case IR_cmp_gt: return !less && !equal;
  case IR_cmp_ge: return !less;
  default: ICE("no comparison: %s", ir_op_info[op].name);
  }
}

static bool is_comparison(const IrStmt *s)
{
  return s->op >= IR_cmp_eq && s->op <= IR_cmp_ge;
}

static void fold_comparison(IrStmt *s)
{
  const Type *t = s->operands[0]->type;
  Value a = s->operands[0]->value, b = s->operands[1]->value, result;
  bool less = t->is_signed || t->kind == TYPE_BOOL
                  ? a.i < b.i
                  : (uint64_t)a.i < (uint64_t)b.i;

  if (type_is_float(t)) {
    if (a.f != a.f || b.f != b.f)      /* with a NaN: left to run time */
      return;
    result.i = compare(s->op, a.f < b.f, a.f == b.f);
  } else {
    result.i = compare(s->op, less, a.i == b.i);
  }
  become_const(s, result);
}

static void fold_unary(IrStmt *s)
{
  const IrStmt *a = s->operands[0];
  Value result;

  if (s->op == IR_cast) {
    become_const(s, value_cast(s->type, a->type, a->value));
  } else if (s->op == IR_logic_not) {
    result.i = !a->value.i;
    become_const(s, result);
  } else if (s->op == IR_bit_not) {
    result.i = ~a->value.i;
    become_const(s, value_wrap(s->type, result));
  } else if (s->op == IR_neg && type_is_float(s->type)) {
    result.f = -a->value.f;
    become_const(s, result);
  } else if (s->op == IR_neg) {
    result.i = (int64_t)(0 - (uint64_t)a->value.i);
    become_const(s, value_wrap(s->type, result));
  }
}

static void fold_binary(IrStmt *s)
{
  Value a = s->operands[0]->value, b = s->operands[1]->value, result;

  if (is_comparison(s)) {
    fold_comparison(s);
  } else if (type_is_float(s->type)) {
    if (fold_float(s->op, a.f, b.f, &result.f))
      become_const(s, value_cast(s->type, TY(F64), result));
  } else if (fold_integer(s->op, s->type, a.i, b.i, &result.i)) {
    become_const(s, value_wrap(s->type, result));
  }
}

static void fold_constants(IrStmt *s)
{
  if (!is_pure(s) || !all_const(s))
    return;
  if (s->operand_count == 1)
    fold_unary(s);
  else if (s->operand_count == 2)
    fold_binary(s);
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

static bool never_turns(const IrStmt *s)
{
  const IrStmt *lo, *hi;

  if (s->op == IR_while)
    return is_value(s->operands[0], 0);
  if (s->op != IR_for_range)
    return false;
  lo = s->operands[0];
  hi = s->operands[1];
  if (!is_const(lo) || !is_const(hi))
    return false;
  return lo->type->is_signed ? lo->value.i >= hi->value.i
                             : (uint64_t)lo->value.i >= (uint64_t)hi->value.i;
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
  for (int k = 0; k < 3; k++)
    if (s->blocks[k])
      cut_unreachable(s->blocks[k]);
  fold_constants(s);
  same = equal_to(s);
  if (same)
    f->by[s->id] = same;
  else if (s->op == IR_if && is_const(s->operands[0]))
    splice(f->module, s->blocks[s->operands[0]->value.i ? 0 : 1], to);
  else if (s->op == IR_if && is_empty(s->blocks[0]) && is_empty(s->blocks[1]))
    return;
  else if (never_turns(s))   /* the condition's block has its effects once */
    splice(f->module,
           s->op == IR_while ? s->blocks[0] : ir_block(f->module, NULL), to);
  else
    ir_append(f->module, to, s);
}

static void fold_function(IrModule *m, IrFunction *function)
{
  Fold f = { .module = m };

  f.by = NEW_ARRAY(m->arena, IrStmt *, give_ids(function) + 1);
  rewrite_block(function->body, fold_stmt, &f);
  cut_unreachable(function->body);
  remove_dead(m, function);
}

void pass_fold(IrModule *m)
{
  for_each_function(m, fold_function);
}
