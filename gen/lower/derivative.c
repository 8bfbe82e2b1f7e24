/* What is to become the derivatives of a kernel: the kernel once more for each, calls of functions
 * replaced by their bodies, under the name that C has for it.  The passes reverse and forward make
 * the derivative of it.  IR_REVERSE and IR_FORWARD are DERIVE_GRAD and DERIVE_DUAL.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

static const char *const meaning[] = { "", "adjoint", "tangent", "tangent of the adjoint" };

static bool has_floats(const Type *type)
{
  for (int k = 0; k < type_count(type); k++)
    if (type_is_float(type_at(type, k)))
      return true;
  return false;
}

void describe_derivative(Lowering *l)
{
  const Function *s = l->source;
  IrFunction *f = l->function;
  Arena *arena = l->module->arena;

  if (!l->derivation)
    return;
  f->derivation = l->derivation;
  f->name = intern_format(arena, "%s%s", s->name, derivative_suffix[l->derivation]);
  f->doc = intern_format(arena, "The %s of %s%s%s", meaning[l->derivation], s->name,
                         s->doc ? ": " : ".", s->doc ? s->doc : "");
}

void add_adjoints(Lowering *l)
{
  const Type *type = l->source->result;
  IrFunction *f = l->function;
  IrVariable **v;

  if (!(l->derivation & IR_REVERSE) || type == TY(VOID) || !has_floats(type))
    return;
  v = new_elements(l, IR_VAR_PARAM, "adjoint", type);
  for (int k = 0; k < type_count(type); k++) {
    v[k]->of = type_if_struct(type);
    vec_push(l->module->arena, f->params, f->param_count, v[k]);
  }
}

/* A result that has no adjoint is none of what is to be reversed. */
void settle_results(Lowering *l)
{
  IrFunction *f = l->function;

  if (!(l->derivation & IR_REVERSE) || f->result_count == 0 || has_floats(l->source->result))
    return;
  f->result = TY(VOID);
  f->results = NULL;
  f->result_count = 0;
}

/* ---- whether there is anything to derive ---- */

static bool writes_derived(const IrFunction *f, bool is_reverse)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (ir_changes(s, IR_OF_FIELD) && (is_reverse ? s->field->grad : s->field->dual))
      return true;
  return false;
}

void check_derived(const Lowering *l, const Function *kernel, const IrFunction *f)
{
  bool is_reverse = (f->derivation & IR_REVERSE) != 0;

  if (has_floats(kernel->result) || writes_derived(f, is_reverse))
    return;
  diag(l->diag, DIAG_NOTHING_DERIVED, kernel->with.loc, kernel->name,
       is_reverse ? "adjoint" : "tangent", is_reverse ? "grad" : "dual");
}
