/* The elements of vectors, matrices and structs: their names, their variables, their values. */
#include "gen/lower/scope.h"

#include <stddef.h>

/* ---- variables ---- */

/* The whole has a name of its own, so that its elements keep together. */
static const char *whole_name(Lowering *l, const char *name, const Type *type)
{
  return type_is_aggregate(type) ? unique_name(l, name) : name;
}

IrVariable **new_elements(Lowering *l, int kind, const char *name, const Type *type)
{
  IrVariable **elements = NEW_ARRAY(l->module->arena, IrVariable *, type_count(type));

  name = whole_name(l, name, type);
  for (int k = 0; k < type_count(type); k++)
    elements[k] = new_variable(l, kind, element_name(l, name, type, k), type_at(type, k));
  return elements;
}

IrVariable **new_hidden_elements(Lowering *l, const char *name, const Type *type)
{
  bool shared = l->source->is_kernel && !l->in_foreach;
  IrVariable **elements = new_elements(l, shared ? IR_VAR_KERNEL : IR_VAR_LOCAL, name, type);

  for (int k = 0; k < type_count(type); k++)
    elements[k]->is_hidden = true;
  return elements;
}

void bind_variables(Lowering *l, const Variable *from, IrVariable **to)
{
  bind_variable(l, from, to[0]);
  find_binding(l, from)->variables = to;
}

void bind_values(Lowering *l, const Variable *from, IrStmt **values)
{
  bind_value(l, from, values[0]);
  find_binding(l, from)->values = values;
}

IrVariable **bound_variables(Lowering *l, const Variable *v)
{
  Binding *b = find_binding(l, v);
  IrVariable **one;

  if (b->variables)
    return b->variables;
  one = NEW(l->module->arena, IrVariable *);
  *one = b->variable;
  return one;
}

void declare_elements(Lowering *l, IrVariable **elements, IrStmt **values, const Type *type,
                      Loc loc)
{
  for (int k = 0; k < type_count(type); k++)
    emit_declare(l, elements[k], values[k], loc);
}

/* ---- lists of values ---- */

IrStmt **new_values(Lowering *l, const Type *type)
{
  return NEW_ARRAY(l->module->arena, IrStmt *, type_count(type));
}

IrStmt **get_elements(Lowering *l, IrVariable **elements, const Type *type, Loc loc)
{
  IrStmt **values = new_values(l, type);

  for (int k = 0; k < type_count(type); k++)
    values[k] = emit_get(l, elements[k], loc);
  return values;
}

IrStmt **zero_elements(Lowering *l, const Type *type, Loc loc)
{
  IrStmt **values = new_values(l, type);

  for (int k = 0; k < type_count(type); k++)
    values[k] = emit_int(l, type_at(type, k), 0, loc);
  return values;
}
