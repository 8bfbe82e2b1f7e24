/* Structs of the program in C: the header declares those of its own file; another
 * file's are in that file's header, which it includes.
 */
#include "gen/emit/writer.h"

#include <string.h>

/* ---- names ---- */

const char *struct_type(Emit *e, const Struct *s)
{
  return format(e->arena, "%s_%s", s->prefix ? s->prefix : e->module->prefix, s->type.name);
}

const char *struct_member_name(Emit *e, const Struct *s, int position)
{
  Names members;
  const char *name = NULL;

  names_init(&members, e->arena, NAMES_MEMBER, NULL);
  for (int k = 0; k <= position; k++)
    name = names_take(&members, s->members[k].name);
  return name;
}

const char *struct_path(Emit *e, const Struct *s, int element)
{
  const Member *m = struct_member_at(s, element);
  const char *name = struct_member_name(e, s, (int)(m - s->members));
  const int inner = element - m->first;

  if (type_is_struct(m->type))
    return format(e->arena, "%s.%s", name, struct_path(e, type_struct(m->type), inner));
  return type_is_shaped(m->type) ? format(e->arena, "%s[%d]", name, inner) : name;
}

const char *struct_of_arrays(Emit *e, const Struct *s, const char *extent)
{
  const char *list = "";

  for (int k = 0; k < s->member_count; k++) {
    const Type *type = s->members[k].type;
    const char *name = struct_member_name(e, s, k);
    if (type_is_struct(type))
      list = format(e->arena, "%s%s %s; ", list, struct_of_arrays(e, type_struct(type), extent),
                    name);
    else if (type_is_shaped(type))
      list = format(e->arena, "%s%s %s[%d]%s; ", list, array_type(type_element(type)), name,
                    type_count(type), extent);
    else
      list = format(e->arena, "%s%s %s%s; ", list, array_type(type), name, extent);
  }
  return format(e->arena, "struct { %s}", list);
}

/* ---- what the header needs ---- */

/* An element of what the file's own calls take or give. */
static bool takes_struct(const IrModule *m, const Struct *s)
{
  for (int k = 0; k < m->kernel_count; k++) {
    const IrFunction *f = m->kernels[k];
    if (f->result_count && f->results[0]->of == s)
      return true;
    for (int p = 0; p < f->param_count; p++)
      if (f->params[p]->of == s)
        return true;
  }
  for (int t = 0; t < m->tree_count; t++)
    for (int k = 0; !m->trees[t]->prefix && k < m->trees[t]->field_count; k++)
      if (m->trees[t]->fields[k]->of == s)
        return true;
  return false;
}

static bool is_held(const IrModule *m, const Struct *s)
{
  for (int k = 0; k < m->struct_count; k++)
    for (int i = 0; !m->structs[k]->prefix && i < m->structs[k]->member_count; i++)
      if (m->structs[k]->members[i].type == &s->type)
        return true;
  return false;
}

bool header_names_struct(Emit *e, const Struct *s)
{
  return takes_struct(e->module, s) || is_held(e->module, s);
}

void plan_structs(Emit *e)
{
  for (int k = 0; k < e->module->struct_count; k++)
    names_fix(&e->names, struct_type(e, e->module->structs[k]));
}

/* ---- declarations ---- */

void write_struct_names(Emit *e)
{
  for (int k = 0; k < e->module->struct_count; k++) {
    const char *name = struct_type(e, e->module->structs[k]);
    if (!e->module->structs[k]->prefix)
      write_line(e, "typedef struct %s %s;", name, name);
  }
}

static void write_member(Emit *e, const Struct *s, int k)
{
  const Type *type = s->members[k].type;
  const char *name = struct_member_name(e, s, k);

  if (type_is_struct(type))
    write_line(e, "%s %s;", struct_type(e, type_struct(type)), name);
  else if (type_is_shaped(type))
    write_line(e, "%s %s[%d];", array_type(type_element(type)), name, type_count(type));
  else
    write_line(e, "%s %s;", array_type(type), name);
}

void write_struct_types(Emit *e)
{
  for (int k = 0; k < e->module->struct_count; k++) {
    const Struct *s = e->module->structs[k];
    if (s->prefix)
      continue;
    write_line(e, "%s", "");
    if (s->doc)
      write_comment(e, s->doc);
    write_line(e, "struct %s {", struct_type(e, s));
    e->indent++;
    for (int i = 0; i < s->member_count; i++)
      write_member(e, s, i);
    e->indent--;
    write_line(e, "};");
  }
}

/* ---- layout ---- */

static const IrVariable *array_of(const IrModule *m, const Struct *s)
{
  for (int k = 0; k < m->kernel_count; k++)
    for (int p = 0; p < m->kernels[k]->param_count; p++) {
      const IrVariable *v = m->kernels[k]->params[p];
      if (v->kind == IR_VAR_ARRAY && v->of == s)
        return v;
    }
  return NULL;
}

/* An array of structs is reached by the places of their scalars, which the compiler
 * reckoned with. */
void emit_struct_layouts(Emit *e)
{
  bool is_first = true;

  for (int k = 0; k < e->module->struct_count; k++) {
    const char *type = struct_type(e, e->module->structs[k]);
    const IrVariable *v = array_of(e->module, e->module->structs[k]);
    if (!v)
      continue;
    if (is_first)
      write_section(e, "structs");
    is_first = false;
    write_line(e, "_Static_assert(sizeof(%s) == %lld * sizeof(%s), \"each scalar is aligned to its "
               "size\");", type, (long long)v->extent_constant[v->extent_count - 1],
               array_type(v->type));
  }
}
