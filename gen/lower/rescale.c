/* rescale: the number of a cell above or below, from that of a cell.
 *
 * What is divided is rounded down, as a hash's cells before the origin need it; an index
 * that is never negative is divided as C does, so that the loop's own cell is known.
 */
#include "gen/lower/scope.h"

#include "gen/ir/interval.h"
#include "gen/model/builtins.h"

#include <stddef.h>

static IrStmt *shifted(Lowering *l, IrStmt *x, int64_t by, Loc loc)
{
  return by == 0 ? x : lower_binary(l, OP_ADD, x, emit_int(l, x->type, by, loc), loc);
}

static IrStmt *divided(Lowering *l, IrStmt *x, int64_t by, Loc loc)
{
  IrStmt *args[] = { x, emit_int(l, x->type, by, loc) };
  IrRange r;
  const bool is_never_negative = ir_range(x, &r) && r.lo >= 0;

  return is_never_negative ? lower_binary(l, OP_DIV, x, args[1], loc)
                           : lower_builtin(l, BUILTIN_floordiv, x->type, loc, args, 2);
}

/* In 64 bits but for a plain i32, then in the type of the indices. */
static IrStmt *rescaled(Lowering *l, const Rescaled *r, IrStmt *index, const Type *type, Loc loc)
{
  bool is_far = r->minus != 0 || r->plus != 0 || r->by > INT32_MAX || r->times > INT32_MAX;
  IrStmt *x = convert(l, index, type == TY(I32) && !is_far ? TY(I32) : TY(I64), loc);

  x = shifted(l, x, -r->minus, loc);
  if (r->times > 1)
    x = lower_binary(l, OP_MUL, x, emit_int(l, x->type, r->times, loc), loc);
  if (r->by > 1)
    x = divided(l, x, r->by, loc);
  return convert(l, shifted(l, x, r->plus, loc), type, loc);
}

IrStmt **lower_rescale(Lowering *l, const Expr *e)
{
  int count = type_count(e->type);
  IrStmt *given[MAX_AXES], **values = NEW_ARRAY(l->module->arena, IrStmt *, count);

  lower_indices(l, e->args, e->arg_count, given, MAX_AXES);
  for (int k = 0; k < count; k++)
    values[k] = rescaled(l, &e->rescaled[k], given[e->rescaled[k].from], type_element(e->type),
                         e->loc);
  return values;
}
