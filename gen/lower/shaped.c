/* Built-in functions on vectors and matrices (rows of shaped.def), and `@`.
 *
 * Sums go from the first element to the last.  A determinant is expanded along
 * its first row; an inverse is the adjugate divided by it: both in the elements'
 * own arithmetic, exact for what is exact there.
 */
#include "gen/model/builtins.h"
#include "gen/front/shaped.h"
#include "gen/lower/scope.h"

#include <stddef.h>

/* The arithmetic of one call: its place, and what its elements are. */
typedef struct Sums {
  Lowering *lower;
  const Type *type;
  Loc loc;
} Sums;

static IrStmt *binary(const Sums *s, Op op, IrStmt *a, IrStmt *b)
{
  return lower_binary(s->lower, op, a, b, s->loc);
}

static IrStmt *multiply(const Sums *s, IrStmt *a, IrStmt *b)
{
  return binary(s, OP_MUL, a, b);
}

static IrStmt **new_list(const Sums *s, int count)
{
  return NEW_ARRAY(s->lower->module->arena, IrStmt *, count);
}

static IrStmt **one(const Sums *s, IrStmt *value)
{
  IrStmt **list = new_list(s, 1);

  *list = value;
  return list;
}

/* ---- vectors ---- */

/* a[0] op a[1] op ... */
static IrStmt *fold_elements(const Sums *s, Op op, IrStmt **a, int count)
{
  IrStmt *sum = a[0];

  for (int k = 1; k < count; k++)
    sum = binary(s, op, sum, a[k]);
  return sum;
}

/* The sum of a[k * step_a] b[k * step_b]. */
static IrStmt *sum_products(const Sums *s, IrStmt **a, int step_a, IrStmt **b, int step_b,
                            int count)
{
  IrStmt *sum = multiply(s, a[0], b[0]);

  for (int k = 1; k < count; k++)
    sum = binary(s, OP_ADD, sum, multiply(s, a[k * step_a], b[k * step_b]));
  return sum;
}

static IrStmt *norm(const Sums *s, IrStmt **a, int count)
{
  IrStmt *square = sum_products(s, a, 1, a, 1, count);

  return lower_builtin(s->lower, BUILTIN_sqrt, s->type, s->loc, &square, 1);
}

/* a[i] b[j] - a[j] b[i] */
static IrStmt *cross_of(const Sums *s, IrStmt **a, IrStmt **b, int i, int j)
{
  return binary(s, OP_SUB, multiply(s, a[i], b[j]), multiply(s, a[j], b[i]));
}

static IrStmt **cross(const Sums *s, IrStmt **a, IrStmt **b, int count)
{
  IrStmt **list;

  if (count == 2)
    return one(s, cross_of(s, a, b, 0, 1));
  list = new_list(s, 3);
  for (int k = 0; k < 3; k++)
    list[k] = cross_of(s, a, b, (k + 1) % 3, (k + 2) % 3);
  return list;
}

static IrStmt **normalize(const Sums *s, IrStmt **a, int count)
{
  IrStmt *length = norm(s, a, count), **list = new_list(s, count);

  for (int k = 0; k < count; k++)
    list[k] = binary(s, OP_DIV, a[k], length);
  return list;
}

static IrStmt *distance(const Sums *s, IrStmt **a, IrStmt **b, int count)
{
  IrStmt **difference = new_list(s, count);

  for (int k = 0; k < count; k++)
    difference[k] = binary(s, OP_SUB, a[k], b[k]);
  return norm(s, difference, count);
}

static IrStmt **outer(const Sums *s, IrStmt **a, int rows, IrStmt **b, int columns)
{
  IrStmt **list = new_list(s, rows * columns);

  for (int k = 0; k < rows * columns; k++)
    list[k] = multiply(s, a[k / columns], b[k % columns]);
  return list;
}

/* ---- matrices ---- */

static IrStmt **transpose(const Sums *s, IrStmt **a, const Type *type)
{
  IrStmt **list = new_list(s, type_count(type));

  for (int row = 0; row < type->rows; row++)
    for (int column = 0; column < type->columns; column++)
      list[column * type->rows + row] = a[row * type->columns + column];
  return list;
}

static IrStmt *trace(const Sums *s, IrStmt **a, int n)
{
  IrStmt *sum = a[0];

  for (int k = 1; k < n; k++)
    sum = binary(s, OP_ADD, sum, a[k * n + k]);
  return sum;
}

/* The determinants of rows 0, 1 and of rows 2, 3 of a matrix of four rows, in
 * columns i and j: each is used several times. */
typedef struct Minors {
  IrStmt *of[2][4][4];
} Minors;

static IrStmt *minor2(const Sums *s, IrStmt **a, int n, int row, int other, int i, int j)
{
  return binary(s, OP_SUB, multiply(s, a[row * n + i], a[other * n + j]),
                multiply(s, a[row * n + j], a[other * n + i]));
}

static void find_minors(const Sums *s, IrStmt **a, Minors *minors)
{
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < 4; i++)
      for (int j = i + 1; j < 4; j++)
        minors->of[half][i][j] = minor2(s, a, 4, 2 * half, 2 * half + 1, i, j);
}

/* The rows or columns but one, ascending. */
static void list_others(int n, int but, int out[3])
{
  for (int k = 0, count = 0; k < n; k++)
    if (k != but)
      out[count++] = k;
}

/* Of four rows: what is left without one row and one column, expanded along the
 * row that shares its half with the one left out. */
static IrStmt *minor3(const Sums *s, IrStmt **a, const Minors *minors, int row, int column)
{
  int c[3], partner = row ^ 1, half = row < 2;
  IrStmt **along = &a[partner * 4];
  IrStmt *sum;

  list_others(4, column, c);
  sum = multiply(s, along[c[0]], minors->of[half][c[1]][c[2]]);
  sum = binary(s, OP_SUB, sum, multiply(s, along[c[1]], minors->of[half][c[0]][c[2]]));
  return binary(s, OP_ADD, sum, multiply(s, along[c[2]], minors->of[half][c[0]][c[1]]));
}

static IrStmt *minor(const Sums *s, IrStmt **a, int n, const Minors *minors, int row, int column)
{
  int r[3], c[3];

  if (n == 4)
    return minor3(s, a, minors, row, column);
  list_others(n, row, r);
  list_others(n, column, c);
  return n == 2 ? a[r[0] * 2 + c[0]] : minor2(s, a, 3, r[0], r[1], c[0], c[1]);
}

/* In a half the row beside the one left out stands first or second as that does
 * not: the sign of the expansion is that of the minor either way. */
static IrStmt *cofactor(const Sums *s, IrStmt **a, int n, const Minors *minors, int row,
                        int column)
{
  IrStmt *value = minor(s, a, n, minors, row, column);

  return (row + column) % 2 ? lower_unary(s->lower, OP_NEGATE, value, s->loc) : value;
}

static IrStmt *determinant(const Sums *s, IrStmt **a, int n, const Minors *minors)
{
  IrStmt *sum = a[0];

  if (n == 1)
    return sum;
  for (int k = 0; k < n; k++) {
    IrStmt *term = multiply(s, a[k], minor(s, a, n, minors, 0, k));
    sum = k == 0 ? term : binary(s, k % 2 ? OP_SUB : OP_ADD, sum, term);
  }
  return sum;
}

static IrStmt **inverse(const Sums *s, IrStmt **a, int n, const Minors *minors)
{
  IrStmt *whole = determinant(s, a, n, minors), **list = new_list(s, n * n);

  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      IrStmt *part = n == 1 ? emit_int(s->lower, s->type, 1, s->loc)
                            : cofactor(s, a, n, minors, row, column);
      list[column * n + row] = binary(s, OP_DIV, part, whole);
    }
  return list;
}

/* ---- the calls ---- */

IrStmt **lower_shaped(Lowering *l, const Expr *e)
{
  const Type *type = e->args[0]->type;
  const Sums sums = { l, type_element(type), e->loc }, *s = &sums;
  IrStmt **a = lower_elements(l, e->args[0]);
  IrStmt **b = e->arg_count > 1 ? lower_elements(l, e->args[1]) : NULL;
  int count = type_count(type), n = type->rows;
  Minors minors;

  if (n == 4 && (e->builtin == SHAPED_determinant || e->builtin == SHAPED_inverse))
    find_minors(s, a, &minors);
  switch ((Shaped)e->builtin) {
  case SHAPED_dot:         return one(s, sum_products(s, a, 1, b, 1, count));
  case SHAPED_cross:       return cross(s, a, b, count);
  case SHAPED_norm:        return one(s, norm(s, a, count));
  case SHAPED_norm_sqr:    return one(s, sum_products(s, a, 1, a, 1, count));
  case SHAPED_normalize:   return normalize(s, a, count);
  case SHAPED_distance:    return one(s, distance(s, a, b, count));
  case SHAPED_outer:       return outer(s, a, count, b, type_count(e->args[1]->type));
  case SHAPED_sum:         return one(s, fold_elements(s, OP_ADD, a, count));
  case SHAPED_product:     return one(s, fold_elements(s, OP_MUL, a, count));
  case SHAPED_any:         return one(s, fold_elements(s, OP_OR, a, count));
  case SHAPED_all:         return one(s, fold_elements(s, OP_AND, a, count));
  case SHAPED_transpose:   return transpose(s, a, type);
  case SHAPED_trace:       return one(s, trace(s, a, n));
  case SHAPED_determinant: return one(s, determinant(s, a, n, &minors));
  case SHAPED_inverse:     return inverse(s, a, n, &minors);
  case SHAPED_COUNT:       break;
  }
  ICE("line %d: no function on vectors has the number %d", e->loc.line, e->builtin);
}

/* A vector on the left is a row, on the right a column. */
IrStmt **lower_product(Lowering *l, const Expr *e)
{
  const Type *left = e->a->type, *right = e->b->type;
  const Sums s = { l, type_element(e->type), e->loc };
  IrStmt **a = lower_elements(l, e->a), **b = lower_elements(l, e->b);
  int rows = type_is_vector(left) ? 1 : left->rows, inner = right->rows;
  IrStmt **list = new_list(&s, rows * right->columns);

  for (int row = 0; row < rows; row++)
    for (int column = 0; column < right->columns; column++)
      list[row * right->columns + column] =
          sum_products(&s, &a[row * inner], 1, &b[column], right->columns, inner);
  return list;
}
