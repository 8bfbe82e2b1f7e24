/* Vectors and matrices: how they are made, their components, the product; constants of
 * several elements. */
#include "gen/front/check.h"

#include <string.h>

/* ---- constructors ---- */

/* T(a): a scalar for every element, or another vector's elements cast. */
static Expr *check_single(Check *c, Expr *e)
{
  Expr *a = check_operand(c, e->args[0]);
  if (!a->type)
    return fail_expr(e);
  if (type_is_shaped(a->type)) {
    e->args[0] = a = settle(c, a);
    if (!a->type || !type_same_shape(a->type, e->type)) {
      if (a->type)
        diag(c->diag, DIAG_OTHER_SHAPE, a->loc, a->type->name, e->type->name);
      return fail_expr(e);
    }
    return cast_expr(c, a, e->type);
  }
  const Type *element = type_element(e->type);
  a = cast_adapts(a, element) ? adapt(c, a, element) : settle(c, a);
  if (!a->type)
    return fail_expr(e);
  e->args[0] = cast_expr(c, a, element);
  e->construct = CONSTRUCT_EACH;
  return e;
}

/* T(a, b, ...): all elements, in order; a vector among them gives all of its. */
static Expr *check_elements(Check *c, Expr *e)
{
  const Type *element = type_element(e->type);
  int count = 0;
  bool is_good = true;
  for (int i = 0; i < e->arg_count; i++) {
    Expr *a = e->args[i] = check_operand(c, e->args[i]);
    if (a->type) {
      count += type_count(a->type);
      a = e->args[i] = convert_expr(c, a, type_reshaped(a->type, element));
    }
    is_good = is_good && a->type;
  }
  if (is_good && count != type_count(e->type)) {
    diag(c->diag, DIAG_CONSTRUCTOR_COUNT, e->loc, e->type->name, type_count(e->type), count);
    is_good = false;
  }
  return is_good ? e : fail_expr(e);
}

/* T.rows(...), T.cols(...) */
static Expr *check_parts(Check *c, Expr *e)
{
  const Type *type = e->type;
  bool by_row = e->construct == CONSTRUCT_ROWS, is_good = true;
  int count = by_row ? type->rows : type->columns;
  const Type *part = type_vector(type_element(type), by_row ? type->columns : type->rows);
  for (int i = 0; i < e->arg_count; i++) {
    e->args[i] = check_stored(c, e->args[i], part);
    is_good = is_good && e->args[i]->type;
  }
  if (e->arg_count != count) {
    diag(c->diag, DIAG_CONSTRUCTOR_PARTS, e->loc, type->name, e->name, count,
         count == 1 ? "vector" : "vectors", e->arg_count);
    is_good = false;
  }
  return is_good ? e : fail_expr(e);
}

static Expr *check_unit(Check *c, Expr *e)
{
  const Type *type = e->type;
  if (e->arg_count != 1) {
    diag(c->diag, DIAG_CONSTRUCTOR_PARTS, e->loc, type->name, e->name, 1, "index",
         e->arg_count);
    return fail_expr(e);
  }
  Expr *at = e->args[0] = check_integer(c, e->args[0], "an index");
  if (!at->type)
    return fail_expr(e);
  bool is_outside = is_literal(at) && (at->value.i < 0 || at->value.i >= type->rows);
  if (!is_outside)
    return e;
  diag(c->diag, DIAG_COMPONENT_RANGE, at->loc, (long long)at->value.i, type->name);
  return fail_expr(e);
}

/* What is there for vectors only, or for matrices only. */
static bool has_constructor(Check *c, const Expr *e)
{
  const char *problem = NULL;
  bool is_matrix = type_is_matrix(e->type), is_bool = type_element(e->type) == TY(BOOL);
  if (e->construct == CONSTRUCT_UNIT && is_matrix)
    problem = "it is a vector that has a unit";
  else if (e->construct == CONSTRUCT_UNIT && is_bool)
    problem = "a unit has numbers";
  else if (e->construct == CONSTRUCT_IDENTITY && is_bool)
    problem = "an identity has numbers";
  else if (e->construct == CONSTRUCT_IDENTITY && e->type->rows != e->type->columns)
    problem = "only a square matrix has an identity";
  else if ((e->construct == CONSTRUCT_ROWS || e->construct == CONSTRUCT_COLUMNS ||
            e->construct == CONSTRUCT_IDENTITY) && !is_matrix)
    problem = "it is no matrix";
  if (problem)
    diag(c->diag, DIAG_NO_CONSTRUCTOR, e->loc, e->type->name, e->name, problem);
  return !problem;
}

/* In a generic, of a type that only its copies have: what stands in it is checked. */
static Expr *check_open(Check *c, Expr *e)
{
  for (int i = 0; i < e->arg_count; i++)
    check_operand(c, e->args[i]);
  return fail_expr(e);
}

Expr *check_construct(Check *c, Expr *e)
{
  if (!e->type)
    return check_open(c, e);
  if (!has_constructor(c, e))
    return fail_expr(e);
  switch (e->construct) {
  case CONSTRUCT_LIST: return e->arg_count == 1 ? check_single(c, e) : check_elements(c, e);
  case CONSTRUCT_ROWS: case CONSTRUCT_COLUMNS: return check_parts(c, e);
  case CONSTRUCT_UNIT: return check_unit(c, e);
  case CONSTRUCT_EACH: case CONSTRUCT_IDENTITY: break;
  }
  return e;
}

/* ---- constants ---- */

static Expr *literal_of(Check *c, const Type *type, Value value, Loc loc)
{
  Expr *e = NEW(c->arena, Expr);
  e->loc = loc;
  set_literal(e, type, value);
  return e;
}

Expr *construct_constant(Check *c, Expr *e, const Type *type, const Value values[])
{
  if (!type_is_aggregate(type)) {
    set_literal(e, type, values[0]);
    e->is_constant = type != TY(BOOL);
    return e;
  }
  e->kind = EXPR_CONSTRUCT;
  e->construct = CONSTRUCT_LIST;
  e->type = type;
  for (int k = 0; k < type_count(type); k++)
    vec_push(c->arena, e->args, e->arg_count, literal_of(c, type_at(type, k), values[k], e->loc));
  return e;
}

/* An operator on constants, element by element. */
static bool constant_operation(Check *c, const Expr *e, Value out[])
{
  int count = type_count(e->type);
  Value *a = NEW_ARRAY(c->arena, Value, count), *b = NEW_ARRAY(c->arena, Value, count);
  if (e->op == OP_PRODUCT || type_element(e->type) == TY(BOOL) ||
      !constant_elements(c, e->a, a) || (e->b && !constant_elements(c, e->b, b)))
    return false;
  for (int k = 0; k < count; k++) {
    Expr one = {.kind = e->kind, .loc = e->loc, .op = e->op, .type = type_element(e->type)};
    one.a = literal_of(c, type_element(e->a->type), a[type_is_shaped(e->a->type) ? k : 0], e->loc);
    if (e->b)
      one.b = literal_of(c, type_element(e->b->type), b[type_is_shaped(e->b->type) ? k : 0],
                         e->loc);
    const Expr *result = e->b ? fold_binary(c, &one) : fold_unary(c, &one);
    if (!result->type || !is_literal(result))
      return false;
    out[k] = result->value;
  }
  return true;
}

static bool constant_cast(Check *c, const Expr *e, Value out[])
{
  if (!constant_elements(c, e->a, out))
    return false;
  for (int k = 0; k < type_count(e->type); k++)
    out[k] = value_cast(type_element(e->type), type_element(e->a->type), out[k]);
  return true;
}

static bool constant_identity(const Expr *e, Value out[])
{
  int n = e->type->rows;
  for (int k = 0; k < n * n; k++)
    out[k] = value_cast(type_element(e->type), TY(I32), (Value){.i = k / n == k % n});
  return true;
}

static bool constant_construct(Check *c, const Expr *e, Value out[])
{
  int count = 0;
  if (e->construct == CONSTRUCT_IDENTITY)
    return constant_identity(e, out);
  if (e->construct != CONSTRUCT_LIST && e->construct != CONSTRUCT_EACH)
    return false;
  for (int i = 0; i < e->arg_count; i++) {
    if (!constant_elements(c, e->args[i], out + count))
      return false;
    count += type_count(e->args[i]->type);
  }
  for (int k = 1; e->construct == CONSTRUCT_EACH && k < type_count(e->type); k++)
    out[k] = out[0];
  return true;
}

bool constant_elements(Check *c, const Expr *e, Value out[])
{
  out[0] = e->value;
  if (is_literal(e))
    return true;
  if (!type_is_aggregate(e->type))
    return false;
  switch (e->kind) {
  case EXPR_CONSTRUCT: return constant_construct(c, e, out);
  case EXPR_CAST: return constant_cast(c, e, out);
  case EXPR_UNARY: case EXPR_BINARY: return constant_operation(c, e, out);
  default: return false;
  }
}

/* ---- components ---- */

/* "x" to "w" as a number; -1: none. */
static int component_number(const Type *type, char letter)
{
  const char *found = letter ? strchr("xyzw", letter) : NULL;
  int number = found ? (int)(found - "xyzw") : -1;
  return number < type->rows ? number : -1;
}

/* A component of a constant is a literal. */
static Expr *fold_component(Check *c, Expr *e)
{
  const Type *whole = e->a->type;
  int64_t at = 0;
  for (int i = 0; i < e->arg_count; i++) {
    if (!is_literal(e->args[i]))
      return e;
    at = at * whole->columns + e->args[i]->value.i;
  }
  Value *values = NEW_ARRAY(c->arena, Value, type_count(whole));
  if (e->a->kind != EXPR_CONSTRUCT || !constant_elements(c, e->a, values))
    return e;
  return construct_constant(c, e, type_element(whole), &values[at]);
}

/* v.x, or several components: v.yx */
static Expr *check_letters(Check *c, Expr *e, Expr *base)
{
  const Type *type = base->type;
  int length = (int)strlen(e->name);
  bool is_good = type_is_vector(type) && length <= 4;
  for (int i = 0; i < length && is_good; i++)
    is_good = component_number(type, e->name[i]) >= 0;
  if (!is_good) {
    diag(c->diag, DIAG_NO_COMPONENT, e->loc, type->name, e->name);
    return fail_expr(e);
  }
  e->a = base;
  if (length > 1) {
    e->kind = EXPR_SWIZZLE;
    e->type = type_vector(type_element(type), length);
    return e;
  }
  e->kind = EXPR_COMPONENT;
  e->type = type_element(type);
  vec_push(c->arena, e->args, e->arg_count,
           literal_of(c, TY(I32), (Value){.i = component_number(type, e->name[0])}, e->loc));
  return fold_component(c, e);
}

/* False after a message; a run-time index is tested when it is used. */
static bool check_component_index(Check *c, const Expr *at, int extent, const Type *type)
{
  if (!is_literal(at)) {
    mark_trap(c);
    return true;
  }
  if (at->value.i >= 0 && at->value.i < extent)
    return true;
  diag(c->diag, DIAG_COMPONENT_RANGE, at->loc, (long long)at->value.i, type->name);
  return false;
}

Expr *check_component(Check *c, Expr *e, Expr *base)
{
  const Type *type = base->type;
  if (e->kind == EXPR_MEMBER)
    return check_letters(c, e, base);
  int count = type_is_matrix(type) ? 2 : 1;
  bool is_good = true;
  for (int i = 0; i < e->arg_count; i++) {
    e->args[i] = check_integer(c, e->args[i], "an index");
    is_good = is_good && e->args[i]->type;
  }
  if (e->arg_count != count) {
    diag(c->diag, DIAG_COMPONENT_COUNT, e->loc, type->name, count,
         count == 1 ? "index" : "indices", e->arg_count);
    is_good = false;
  }
  for (int i = 0; i < count && is_good; i++)
    is_good = check_component_index(c, e->args[i], i == 0 ? type->rows : type->columns, type);
  if (!is_good)
    return fail_expr(e);
  e->kind = EXPR_COMPONENT;
  e->a = base;
  e->type = type_element(type);
  return fold_component(c, e);
}

/* ---- operators ---- */

/* M @ N, M @ v with v as a column, v @ M with v as a row. */
static const Type *product_type(const Type *a, const Type *b, const Type *element)
{
  bool has_row = type_is_vector(a);
  int inner = has_row ? a->rows : a->columns;
  if (!type_is_shaped(a) || !type_is_shaped(b) || (has_row && type_is_vector(b)) ||
      inner != b->rows)
    return NULL;
  if (type_is_vector(b))
    return type_vector(element, a->rows);
  return has_row ? type_vector(element, b->columns)
                 : type_matrix(element, a->rows, b->columns);
}

Expr *check_product(Check *c, Expr *e)
{
  Expr **items[] = {&e->a, &e->b};
  if (!product_type(e->a->type, e->b->type, TY(F64))) {
    diag(c->diag, DIAG_PRODUCT_SHAPES, e->loc, e->a->type->name, e->b->type->name);
    return fail_expr(e);
  }
  e->a = settle(c, e->a);
  e->b = settle(c, e->b);
  Unified common = unify_elements(c, items, 2);
  if (common.type == TY(BOOL)) {
    diag(c->diag, DIAG_BOOL_ARITHMETIC, e->a->loc);
    return fail_expr(e);
  }
  if (!common.type)
    return fail_expr(e);
  e->type = product_type(e->a->type, e->b->type, common.type);
  return e;
}

/* A scalar meets every element of what is updated. */
Expr *check_update(Check *c, Expr *e, const Type *target)
{
  e = target ? check_operand(c, e) : check_expr(c, e);
  if (!e->type || !target)
    return fail_expr(e);
  return convert_expr(c, e, type_is_shaped(e->type) ? target : type_element(target));
}
