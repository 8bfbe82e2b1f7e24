/* Types in expressions: what holds what, how literals adapt, what is cast.
 *
 * Vectors and matrices follow their elements: what is said of a type here holds
 * for each element, and a conversion keeps the shape.
 */
#include "gen/front/check.h"

#include <math.h>

/* Does every value of `from` have its place in `to`?  An integer is taken by
 * any float, as the language has it. */
bool type_holds(const Type *to, const Type *from)
{
  if (to == from)
    return true;
  if (type_is_shaped(to) || type_is_shaped(from))
    return type_same_shape(to, from) && type_holds(type_element(to), type_element(from));
  if (type_is_float(to))
    return type_is_integer(from) || (type_is_float(from) && to->bits > from->bits);
  if (!type_is_integer(to) || !type_is_integer(from))
    return false;
  return to->bits > from->bits && (to->is_signed || !from->is_signed);
}

const Type *type_common(const Type *a, const Type *b)
{
  return type_holds(a, b) ? a : type_holds(b, a) ? b : NULL;
}

bool integer_fits(const Type *type, const Type *from, Value v)
{
  bool is_huge = from == TY(U64) && v.i < 0;
  if (is_huge)
    return type == TY(U64);
  if (v.i < 0)
    return type->is_signed && v.i >= -(int64_t)(((uint64_t)1 << (type->bits - 1)) - 1) - 1;
  int value_bits = type->bits - type->is_signed;
  return value_bits >= 63 || v.i < (int64_t)1 << value_bits;
}

bool is_literal(const Expr *e) { return e->kind == EXPR_LITERAL; }

static bool is_flexible(const Expr *e) { return e->is_constant; }

/* ---- what is no operand ---- */

Expr *fail_expr(Expr *e)
{
  e->type = NULL;
  e->is_constant = e->is_weak = false;
  return e;
}

Expr *require_value(Check *c, Expr *e)
{
  if (e->type != TY(VOID))
    return e;
  diag(c->diag, DIAG_VOID_CALL, e->loc, e->name ? e->name : "this");
  return fail_expr(e);
}

bool are_operands(Check *c, Expr **items[], int count)
{
  for (int i = 0; i < count; i++)
    if ((*items[i])->type && type_is_struct((*items[i])->type)) {
      diag(c->diag, DIAG_STRUCT_OPERAND, (*items[i])->loc, (*items[i])->type->name);
      return false;
    }
  return true;
}

Expr *require_operand(Check *c, Expr *e)
{
  Expr **items[] = {&e};
  e = require_value(c, e);
  return are_operands(c, items, 1) ? e : fail_expr(e);
}

/* ---- casts ---- */

Expr *cast_expr(Check *c, Expr *e, const Type *type)
{
  if (e->type == type)
    return e;
  if (is_literal(e)) {
    e->value = value_cast(type, e->type, e->value);
    e->type = type;
    return e;
  }
  Expr *cast = NEW(c->arena, Expr);
  cast->kind = EXPR_CAST;
  cast->loc = e->loc;
  cast->a = e;
  cast->type = type;
  return cast;
}

/* ---- adapting ---- */

static void fail_fit(Check *c, const Expr *e, const Type *type)
{
  char text[64];
  if (type_is_float(e->type))
    snprintf(text, sizeof text, "%.17g", e->value.f);
  else if (e->type == TY(U64))
    snprintf(text, sizeof text, "%llu", (unsigned long long)e->value.i);
  else
    snprintf(text, sizeof text, "%lld", (long long)e->value.i);
  diag(c->diag, DIAG_DOES_NOT_FIT, e->loc, text, type->name);
}

static void fail_narrowing(Check *c, const Expr *e, const Type *type)
{
  diag(c->diag, e->type == TY(BOOL) ? DIAG_BOOL_NUMBER : DIAG_NARROWING, e->loc, e->type->name,
       type->name, type->name);
}

static Expr *adapt_literal(Check *c, Expr *e, const Type *type)
{
  e->is_constant = e->is_weak = false;
  if (!type_is_float(type) && (!type_is_integer(type) || !type_is_integer(e->type))) {
    fail_narrowing(c, e, type);
    return fail_expr(e);
  }
  if (type_is_integer(type) && !integer_fits(type, e->type, e->value)) {
    fail_fit(c, e, type);
    return fail_expr(e);
  }
  /* a flexible float has been kept in 64 bits, whatever it is alone; f16 holds few integers */
  const Type *kept = type_is_float(e->type) ? TY(F64) : e->type;
  Value v = value_cast(type, kept, e->value);
  bool was_finite = kept != TY(F64) || !isinf(e->value.f);
  if (type_is_float(type) && was_finite && isinf(v.f)) {
    fail_fit(c, e, type);
    return fail_expr(e);
  }
  e->value = v;
  e->type = type;
  return e;
}

static bool is_shift(const Expr *e)
{
  return e->kind == EXPR_BINARY && (e->op == OP_SHL || e->op == OP_SHR);
}

static void adapt_part(Check *c, Expr **part, const Type *type)
{
  if (!*part)
    return;
  const Type *own = type_reshaped((*part)->type, type_element(type));
  *part = is_flexible(*part) ? adapt(c, *part, own) : cast_expr(c, *part, own);
}

/* The parts from which a flexible operation has its type take the new one. */
static void adapt_parts(Check *c, Expr *e, const Type *type)
{
  switch (e->kind) {
  case EXPR_CAST:                      /* of an integer that met a float */
  case EXPR_RANDOM:
    break;
  case EXPR_UNARY:
    adapt_part(c, &e->a, type);
    break;
  case EXPR_BINARY:
    adapt_part(c, &e->a, type);
    if (!is_shift(e))
      adapt_part(c, &e->b, type);
    break;
  case EXPR_CONDITIONAL:
    adapt_part(c, &e->b, type);
    adapt_part(c, &e->c, type);
    break;
  case EXPR_BUILTIN:
    for (int i = e->builtin == BUILTIN_select; i < e->arg_count; i++)
      adapt_part(c, &e->args[i], type);
    break;
  default:
    ICE("an expression of kind %d cannot be flexible", (int)e->kind);
  }
}

static bool part_failed(const Expr *e)
{
  if ((e->a && !e->a->type) || (e->b && !e->b->type) || (e->c && !e->c->type))
    return true;
  for (int i = 0; i < e->arg_count; i++)
    if (!e->args[i]->type)
      return true;
  return false;
}

Expr *adapt(Check *c, Expr *e, const Type *type)
{
  if (is_literal(e))
    return adapt_literal(c, e, type);
  bool was_float = type_is_float(type_element(e->type));
  const Type *element = type_element(type);
  if (element == TY(BOOL) || (was_float && type_is_integer(element))) {
    fail_narrowing(c, e, type);
    return fail_expr(e);
  }
  if (!was_float && type_is_float(element)) {     /* integer arithmetic, then a cast */
    e = settle(c, e);
    return e->type ? cast_expr(c, e, type) : e;
  }
  e->is_constant = e->is_weak = false;
  adapt_parts(c, e, type);
  e->type = part_failed(e) ? NULL : type;
  return e;
}

bool cast_adapts(const Expr *e, const Type *type)
{
  return is_flexible(e) && type_is_float(type) && (type_is_float(e->type) || is_literal(e));
}

Expr *settle(Check *c, Expr *e)
{
  return e->type && is_flexible(e) ? adapt(c, e, e->type) : e;
}

static bool has_shape(Check *c, const Expr *e, const Type *type)
{
  if (type_same_shape(e->type, type))
    return true;
  DiagId id = type_is_shaped(type) && !type_is_shaped(e->type) ? DIAG_NEEDS_SHAPE
                                                               : DIAG_OTHER_SHAPE;
  if (type_is_struct(type) || type_is_struct(e->type))
    id = DIAG_STRUCT_TYPE;
  diag(c->diag, id, e->loc, e->type->name, type->name, type->name);
  return false;
}

Expr *convert_expr(Check *c, Expr *e, const Type *type)
{
  if (!e->type || !type || !has_shape(c, e, type))
    return fail_expr(e);
  if (is_flexible(e))
    return adapt(c, e, type);
  if (type_holds(type, e->type))
    return cast_expr(c, e, type);
  fail_narrowing(c, e, type);
  return fail_expr(e);
}

/* ---- one type for several operands ---- */

/* What two flexible types are together: a named one wins over a weak one, a
 * float over an integer; of two named ones that do not hold each other the
 * widest takes both or adapt() reports it. */
static void join_flexible(Unified *sum, const Expr *e)
{
  const Type *type = type_element(e->type);
  if (!sum->type) {
    *sum = (Unified){.type = type, .is_flexible = true, .is_weak = e->is_weak};
    return;
  }
  bool is_float = type_is_float(type), was_float = type_is_float(sum->type);
  if (is_float != was_float) {
    if (is_float)
      *sum = (Unified){.type = type, .is_flexible = true, .is_weak = e->is_weak};
    return;
  }
  if (sum->is_weak != e->is_weak) {
    if (sum->is_weak)
      *sum = (Unified){.type = type, .is_flexible = true};
    return;
  }
  const Type *common = type_common(sum->type, type);
  sum->type = common ? common : TY(I64);
}

/* Common type of the operands that have one of their own; false on a message. */
static bool join_fixed(Check *c, const Type **sum, const Expr *e)
{
  const Type *type = type_element(e->type), *common = *sum ? type_common(*sum, type) : type;
  if (!common)
    diag(c->diag, DIAG_MIXED_TYPES, e->loc, (*sum)->name, e->type->name);
  *sum = common;
  return common != NULL;
}

/* All bool: 1; none: 0; some: -1 and a message. */
static int count_bools(Check *c, Expr **items[], int count)
{
  int bools = 0;
  for (int i = 0; i < count; i++)
    bools += type_element((*items[i])->type) == TY(BOOL);
  if (bools == 0 || bools == count)
    return bools > 0;
  for (int i = 0; i < count; i++)
    if (type_element((*items[i])->type) == TY(BOOL)) {
      diag(c->diag, DIAG_BOOL_ARITHMETIC, (*items[i])->loc);
      break;
    }
  return -1;
}

/* An integer beside a flexible float: a float whose width is still open. */
static void cast_flexibly(Check *c, Expr **item, Unified sum)
{
  if (is_flexible(*item))
    return;
  *item = cast_expr(c, *item, type_reshaped((*item)->type, sum.type));
  (*item)->is_constant = true;
  (*item)->is_weak = sum.is_weak;
}

/* The shape of the shaped ones among the operands; false after a message. */
static bool join_shapes(Check *c, Expr **items[], int count, const Type **shape)
{
  *shape = NULL;
  for (int i = 0; i < count; i++) {
    const Expr *e = *items[i];
    if (!type_is_shaped(e->type))
      continue;
    if (*shape && !type_same_shape(*shape, e->type)) {
      diag(c->diag, DIAG_MIXED_SHAPES, e->loc, (*shape)->name, e->type->name);
      return false;
    }
    *shape = e->type;
  }
  return true;
}

Unified unify_elements(Check *c, Expr **items[], int count)
{
  const Unified failed = {0};
  const Type *fixed = NULL;
  Unified flexible = {0};
  for (int i = 0; i < count; i++)
    if (!(*items[i])->type)
      return failed;
  int bools = count_bools(c, items, count);
  if (bools)
    return bools > 0 ? (Unified){.type = TY(BOOL)} : failed;
  for (int i = 0; i < count; i++) {
    if (is_flexible(*items[i]))
      join_flexible(&flexible, *items[i]);
    else if (!join_fixed(c, &fixed, *items[i]))
      return failed;
  }
  if (!fixed)
    return flexible;
  if (flexible.type && type_is_float(flexible.type) && type_is_integer(fixed)) {
    for (int i = 0; i < count; i++)
      cast_flexibly(c, items[i], flexible);
    return flexible;
  }
  bool is_good = true;
  for (int i = 0; i < count; i++) {
    *items[i] = convert_expr(c, *items[i], type_reshaped((*items[i])->type, fixed));
    is_good = is_good && (*items[i])->type;
  }
  return is_good ? (Unified){.type = fixed} : failed;
}

const Type *join_structs(Check *c, Expr **a, Expr **b)
{
  const Type *type = type_is_struct((*a)->type) ? (*a)->type : (*b)->type;
  *a = convert_expr(c, *a, type);
  *b = convert_expr(c, *b, type);
  return (*a)->type && (*b)->type ? type : NULL;
}

Unified unify(Check *c, Expr **items[], int count)
{
  const Type *shape;
  for (int i = 0; i < count; i++)
    if (!(*items[i])->type)
      return (Unified){0};
  if (!join_shapes(c, items, count, &shape))
    return (Unified){0};
  Unified unified = unify_elements(c, items, count);
  unified.shape = shape;
  return unified;
}

const Type *unified_type(Unified unified)
{
  return unified.shape && unified.type ? type_reshaped(unified.shape, unified.type)
                                       : unified.type;
}

void set_unified(Expr *e, Unified unified)
{
  e->type = unified_type(unified);
  e->is_constant = unified.is_flexible;
  e->is_weak = unified.is_weak;
}
