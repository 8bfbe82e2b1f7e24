#include "gen/bind/offer.h"

const char *offer_type(Emit *e, const Type *type, const Struct *of, int rows, int columns)
{
  if (of)
    return of->type.name;
  if (columns)
    return format(e->arena, "%sx%dx%d", type->name, rows, columns);
  return rows ? format(e->arena, "%sx%d", type->name, rows) : type->name;
}

ApiParam offer_field(Emit *e, const IrTree *tree, const IrField *f)
{
  const int elements = ir_field_elements(tree, f->id);
  ApiParam p = { .kind = API_VALUE, .type = f->type, .of = f->of };

  p.c_type = f->of ? struct_type(e, f->of) : array_type(f->type);
  if (!f->of && ir_is_element(f->name))
    api_set_shape(&p, elements, ir_field_element(f, elements - 1)->name);
  return p;
}

const char *offer_field_name(Emit *e, const IrField *f)
{
  return ir_whole_name(e->arena, f->name);
}

int offer_next_field(const IrTree *tree, int at)
{
  while (at < tree->field_count &&
         field_mode_calls[tree->fields[at]->mode] == MODE_CALLS_NONE)
    at += ir_field_elements(tree, at);
  return at < tree->field_count ? at : -1;
}

int offer_array_rank(const ApiParam *p)
{
  return p->variable->extent_count - (p->of != NULL);
}

const char *offer_array_extent(Emit *e, const ApiCall *call, const ApiParam *p, int k)
{
  const IrVariable *extent = p->variable->extent_variable[k];

  for (int i = 0; extent && i < call->param_count; i++)
    if (call->params[i].variable == extent)
      return call->params[i].name;
  return decimal(e->arena, p->variable->extent_constant[k]);
}
