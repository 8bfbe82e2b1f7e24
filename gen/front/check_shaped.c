/* Calls of built-in functions on vectors and matrices: rows of shaped.def. */
#include "gen/front/check.h"
#include "gen/front/shaped.h"

enum { MOST_SMALL = 4 };       /* rows of a determinant or an inverse */

const ShapedInfo shaped_info[SHAPED_COUNT] = {
#define SHAPED(name, arguments, takes, gives, of) \
  {#name, arguments, SHAPED_TAKES_##takes, SHAPED_GIVES_##gives, SHAPED_OF_##of},
#include "gen/front/shaped.def"
#undef SHAPED
};

/* ---- what it takes ---- */

static const char *taken(ShapedTakes takes)
{
  switch (takes) {
  case SHAPED_TAKES_VECTORS: case SHAPED_TAKES_ANY_VECTORS: return "a vector";
  case SHAPED_TAKES_VECTOR3: return "a vector of 2 or 3 elements";
  case SHAPED_TAKES_ANY: return "a vector or a matrix";
  case SHAPED_TAKES_MATRIX: return "a matrix";
  case SHAPED_TAKES_SQUARE: return "a square matrix";
  default: return "a square matrix of at most 4 rows";
  }
}

static bool is_taken(ShapedTakes takes, const Type *t)
{
  bool is_square = type_is_matrix(t) && t->rows == t->columns;
  switch (takes) {
  case SHAPED_TAKES_VECTORS: case SHAPED_TAKES_ANY_VECTORS: return type_is_vector(t);
  case SHAPED_TAKES_VECTOR3: return type_is_vector(t) && (t->rows == 2 || t->rows == 3);
  case SHAPED_TAKES_ANY: return type_is_shaped(t);
  case SHAPED_TAKES_MATRIX: return type_is_matrix(t);
  case SHAPED_TAKES_SQUARE: return is_square;
  default: return is_square && t->rows <= MOST_SMALL;
  }
}

static bool takes_argument(Check *c, const Expr *e, const ShapedInfo *info)
{
  if (!e->type)
    return false;
  if (is_taken(info->takes, e->type))
    return true;
  diag(c->diag, DIAG_SHAPED_ARGUMENT, e->loc, info->name, taken(info->takes), e->type->name);
  return false;
}

static bool takes_element(Check *c, const Expr *e, const ShapedInfo *info, const Type *element)
{
  bool is_bool = element == TY(BOOL);
  const Expr *first = e->args[0];
  if (info->of == SHAPED_OF_VALUE || (is_bool && info->of == SHAPED_OF_TRUTH))
    return true;
  if (info->of == SHAPED_OF_TRUTH)
    diag(c->diag, DIAG_SHAPED_ARGUMENT, first->loc, info->name, "bools", first->type->name);
  else if (is_bool)
    diag(c->diag, DIAG_BOOL_ARITHMETIC, first->loc);
  else if (info->of == SHAPED_OF_FLOAT && !type_is_float(element))
    diag(c->diag, DIAG_NEEDS_FLOAT, first->loc, info->name, element->name);
  else
    return true;
  return false;
}

/* ---- what it gives ---- */

static const Type *given(const Expr *e, const ShapedInfo *info, const Type *element)
{
  const Type *first = e->args[0]->type;
  switch (info->gives) {
  case SHAPED_GIVES_SAME: return type_reshaped(first, element);
  case SHAPED_GIVES_CROSS: return first->rows == 3 ? type_reshaped(first, element) : element;
  case SHAPED_GIVES_OUTER: return type_matrix(element, first->rows, e->args[1]->type->rows);
  case SHAPED_GIVES_TRANSPOSED: return type_matrix(element, first->columns, first->rows);
  default: return element;
  }
}

Expr *check_shaped(Check *c, Expr *e, int row)
{
  const ShapedInfo *info = &shaped_info[row];
  Expr **items[2];
  bool is_good = true;
  if (e->arg_count != info->arguments) {
    diag(c->diag, DIAG_ARGUMENT_COUNT, e->loc, e->name, info->arguments,
         info->arguments == 1 ? "argument" : "arguments", e->arg_count);
    return fail_expr(e);
  }
  for (int i = 0; i < e->arg_count; i++) {
    items[i] = &e->args[i];
    e->args[i] = check_value(c, e->args[i]);
    is_good = takes_argument(c, e->args[i], info) && is_good;
  }
  if (!is_good)
    return fail_expr(e);
  Unified common = info->takes == SHAPED_TAKES_ANY_VECTORS
                       ? unify_elements(c, items, e->arg_count)
                       : unify(c, items, e->arg_count);
  if (!common.type || !takes_element(c, e, info, common.type))
    return fail_expr(e);
  e->kind = EXPR_SHAPED;
  e->builtin = row;
  e->type = given(e, info, common.type);
  return e;
}
