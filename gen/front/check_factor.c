/* Calls of factorizations: rows of factors.def. */
#include "gen/front/check.h"
#include "gen/front/factors.h"

const FactorInfo factor_info[FACTOR_COUNT] = {
#define FACTOR(name, results, first, second, third) \
  {#name, results, {FACTOR_##first, FACTOR_##second, FACTOR_##third}},
#include "gen/front/factors.def"
#undef FACTOR
};

const Type *factor_result(Factor factor, int k, const Type *matrix)
{
  return factor_info[factor].shape[k] == FACTOR_MATRIX
             ? matrix : type_vector(type_element(matrix), matrix->rows);
}

static bool is_factored(const Type *t)
{
  return type_is_matrix(t) && t->rows == t->columns && (t->rows == 2 || t->rows == 3) &&
         type_is_float(type_element(t));
}

/* Result k goes to that argument, as an inout argument's would. */
static bool check_result(Check *c, Expr **argument, Factor factor, int k, const Type *matrix)
{
  Expr *e = check_target(c, *argument, ACCESS_WRITE, "a result");
  *argument = e;
  if (!e->type || !matrix)
    return false;
  use_target(e);
  const Type *type = factor_result(factor, k, matrix);
  if (e->type == type)
    return true;
  diag(c->diag, DIAG_FACTOR_RESULT, e->loc, k + 1, factor_info[factor].name, type->name,
       e->type->name);
  return false;
}

Expr *check_factor(Check *c, Expr *e, int factor)
{
  int arguments = 1 + factor_info[factor].results;
  if (e->arg_count != arguments) {
    diag(c->diag, DIAG_ARGUMENT_COUNT, e->loc, e->name, arguments, "arguments", e->arg_count);
    return fail_expr(e);
  }
  e->args[0] = settle(c, check_value(c, e->args[0]));
  const Type *matrix = e->args[0]->type;
  bool is_good = matrix != NULL;
  if (matrix && !is_factored(matrix)) {
    diag(c->diag, DIAG_SHAPED_ARGUMENT, e->args[0]->loc, e->name,
         "a matrix of floats with 2 rows and columns, or 3", matrix->name);
    matrix = NULL;
    is_good = false;
  }
  for (int k = 0; k + 1 < arguments; k++)
    is_good = check_result(c, &e->args[k + 1], (Factor)factor, k, matrix) && is_good;
  if (!is_good)
    return fail_expr(e);
  if (c->unused != e) {
    diag(c->diag, DIAG_VOID_CALL, e->loc, e->name);
    return fail_expr(e);
  }
  e->kind = EXPR_FACTOR;
  e->builtin = factor;
  e->type = TY(VOID);
  return e;
}
