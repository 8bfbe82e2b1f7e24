/* Calls of factorizations: the matrix's elements go in, the results' come out one by
 * one, each result to its place as soon as the place's own indices are known.
 */
#include "gen/front/factors.h"
#include "gen/lower/scope.h"

static IrStmt *whole(Lowering *l, const Expr *e)
{
  static const IrOp op[FACTOR_COUNT] = {
#define FACTOR(name, results, first, second, third) IR_##name,
#include "gen/front/factors.def"
#undef FACTOR
  };
  const Type *matrix = e->args[0]->type;
  IrStmt **elements = lower_elements(l, e->args[0]);
  const Type *element = type_element(matrix) == TY(F16) ? TY(F32) : type_element(matrix);
  IrStmt *s = ir_stmt(l->module, op[e->builtin], element, e->loc, NULL);

  for (int k = 0; k < type_count(matrix); k++)
    ir_add_operand(l->module, s, convert(l, elements[k], element, e->loc));
  return emit(l, s);
}

IrStmt *lower_factor(Lowering *l, const Expr *e)
{
  IrStmt *factors = whole(l, e);
  int next = 0;

  for (int result = 1; result < e->arg_count; result++) {
    Place place = lower_place(l, e->args[result]);
    int count = type_count(place.type);
    IrStmt **parts = NEW_ARRAY(l->module->arena, IrStmt *, count);
    for (int k = 0; k < count; k++) {
      parts[k] = ir_stmt(l->module, IR_part, factors->type, e->loc, factors, NULL);
      parts[k]->index = next++;
      parts[k] = convert(l, emit(l, parts[k]), type_at(place.type, k), e->loc);
    }
    write_place(l, &place, parts);
  }
  return factors;
}
