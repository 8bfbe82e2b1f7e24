/* What the names in a module's text mean. */
#include "gen/ir/reader.h"

#include <stddef.h>
#include <string.h>

const Struct *reader_find_struct(const IrModule *m, const char *name)
{
  for (int k = 0; k < m->struct_count; k++)
    if (strcmp(m->structs[k]->type.name, name) == 0)
      return m->structs[k];
  return NULL;
}

const Struct *reader_accept_struct(Reader *r)
{
  const Struct *s;

  if (!reader_accept(r, "of"))
    return NULL;
  s = reader_find_struct(r->module, reader_expect_name(r, "a struct"));
  if (!s)
    reader_fail(r, "unknown struct");
  return s;
}

static IrField *find_among(IrField *const *fields, int count, const char *name)
{
  for (int k = 0; k < count; k++)
    if (fields[k] && strcmp(fields[k]->name, name) == 0)
      return fields[k];
  return NULL;
}

IrField *reader_find_field(const IrModule *m, const char *name)
{
  IrField *found = NULL;

  for (int t = 0; t < m->tree_count && !found; t++) {
    const IrTree *tree = m->trees[t];
    found = find_among(tree->fields, tree->field_count, name);
    if (!found)
      found = find_among(tree->virtuals, tree->virtual_count, name);
  }
  return found;
}

IrField *reader_expect_field(Reader *r)
{
  const char *name = reader_expect_name(r, "a field");
  IrField *field = reader_find_field(r->module, name);

  if (!field)
    reader_fail(r, "unknown field '%s'", name);
  return field;
}

IrTree *reader_find_tree(Reader *r, const char *name)
{
  for (int k = 0; k < r->module->tree_count; k++)
    if (strcmp(r->module->trees[k]->name, name) == 0)
      return r->module->trees[k];
  reader_fail(r, "unknown tree '%s'", name);
  return NULL;
}

IrVariable *reader_find_variable(const IrFunction *f, const char *name)
{
  for (int k = 0; k < f->param_count; k++)
    if (strcmp(f->params[k]->name, name) == 0)
      return f->params[k];
  for (int k = 0; k < f->local_count; k++)
    if (strcmp(f->locals[k]->name, name) == 0)
      return f->locals[k];
  return NULL;
}
