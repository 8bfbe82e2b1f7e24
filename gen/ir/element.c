/* The elements of vectors, matrices and structs, told by their names; what a call takes of them. */
#include "gen/ir/ir.h"

#include <string.h>

bool ir_is_element(const char *name)
{
  return strchr(name, '.') != NULL;
}

static size_t whole_length(const char *name)
{
  const char *dot = strchr(name, '.');

  return dot ? (size_t)(dot - name) : strlen(name);
}

const char *ir_whole_name(Arena *arena, const char *name)
{
  return ir_is_element(name) ? intern(arena, name, whole_length(name)) : name;
}

bool ir_same_whole(const char *a, const char *b)
{
  size_t length = whole_length(a);

  return ir_is_element(a) && ir_is_element(b) && whole_length(b) == length &&
         strncmp(a, b, length) == 0;
}

int ir_field_elements(const IrTree *t, int at)
{
  int count = 1;

  while (at + count < t->field_count &&
         ir_same_whole(t->fields[at]->name, t->fields[at + count]->name))
    count++;
  return count;
}

int ir_field_number(const IrField *f)
{
  int k = 0;

  while (k < f->id && ir_same_whole(f->snode->tree->fields[f->id - k - 1]->name, f->name))
    k++;
  return k;
}

IrField *ir_field_element(const IrField *f, int k)
{
  const IrTree *t = f->snode->tree;

  return (f->mode == FIELD_MODE_virtual ? t->virtuals : t->fields)[f->id + k];
}

int ir_param_elements(const IrFunction *f, int at)
{
  int count = 1;

  while (at + count < f->param_count &&
         ir_same_whole(f->params[at]->name, f->params[at + count]->name))
    count++;
  return count;
}

IrArguments ir_arguments(Arena *arena, const IrFunction *f)
{
  IrArguments all = { 0 };
  int slot = 0, param = 0;

  while (slot < f->slot_count || param < f->param_count) {
    bool is_tree = slot < f->slot_count && f->slots[slot].position <= param;
    IrArgument argument = { is_tree ? slot++ : -1, param };
    vec_push(arena, all.arguments, all.count, argument);
    if (!is_tree)
      param += ir_param_elements(f, param);
  }
  return all;
}

bool ir_is_result(const IrFunction *f, const IrVariable *v)
{
  for (int k = 0; k < f->result_count; k++)
    if (f->results[k] == v)
      return true;
  return false;
}

int ir_result_elements(const IrFunction *f)
{
  int count = 1;

  while (count < f->result_count && ir_same_whole(f->results[0]->name, f->results[count]->name))
    count++;
  return f->result_count ? count : 0;
}
