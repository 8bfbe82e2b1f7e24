/* Structs as the header declares them: what a program in C calls their parts. */
#include "gen/lower/scope.h"

#include <stddef.h>

IrStruct *lowered_struct(Lowering *l, const Type *type)
{
  if (!type_is_struct(type))
    return NULL;
  for (int k = 0; k < l->program->struct_count; k++)
    if (l->program->structs[k]->type == type)
      return l->module->structs[k];
  ICE("struct '%s' is used and not declared", type->name);
}

static IrMember lower_member(Lowering *l, const Member *from)
{
  IrMember m = { .name = from->name, .of = lowered_struct(l, from->type) };

  if (!m.of)
    m.type = type_element(from->type);
  if (type_is_shaped(from->type))
    m.count = type_count(from->type);
  return m;
}

/* In the order of their declaration: one stands behind those that it holds. */
void lower_structs(Lowering *l)
{
  IrModule *m = l->module;

  for (int k = 0; k < l->program->struct_count; k++) {
    const Struct *from = type_struct(l->program->structs[k]->type);
    IrStruct *s = NEW(m->arena, IrStruct);
    s->name = from->type.name;
    s->prefix = from->prefix;
    s->doc = from->doc;
    for (int i = 0; i < from->member_count; i++)
      vec_push(m->arena, s->members, s->member_count, lower_member(l, &from->members[i]));
    vec_push(m->arena, m->structs, m->struct_count, s);
  }
}
