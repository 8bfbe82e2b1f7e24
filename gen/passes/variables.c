/* Variables that passes make, whose names are new to their function. */
#include "gen/passes/tools.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Which of the names `wanted`, wanted_2, wanted_3 ... a function has. */
typedef struct Taken {
  Arena *arena;
  const char *wanted;
  int *numbers, count;              /* 1: wanted itself */
} Taken;

static void note_name(Taken *t, const char *name)
{
  const size_t length = strlen(t->wanted);
  long number = 1;
  char *end;

  if (strncmp(name, t->wanted, length) != 0)
    return;
  name += length;
  if (*name) {
    if (name[0] != '_' || name[1] < '1' || name[1] > '9')
      return;
    number = strtol(name + 1, &end, 10);
    if (*end || number < 2 || number > INT_MAX)
      return;
  }
  vec_push(t->arena, t->numbers, t->count, (int)number);
}

/* The names of loop indices stand in their loops only. */
static void note_indices(Taken *t, const IrStmt *s)
{
  for (int k = 0; k < s->variable_count; k++)
    note_name(t, s->variables[k]->name);
  if (s->op == IR_for_range)
    note_name(t, s->variable->name);
}

static void note_names(Taken *t, const IrFunction *f)
{
  for (int k = 0; k < f->param_count; k++)
    note_name(t, f->params[k]->name);
  for (int k = 0; k < f->local_count; k++)
    note_name(t, f->locals[k]->name);
  for (int k = 0; k < f->slot_count; k++)
    note_name(t, f->slots[k].name);
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    note_indices(t, s);
}

/* The first number that is free: of so many names that are taken one up to the next is. */
static int free_number(const Taken *t)
{
  bool *is_taken = NEW_ARRAY(t->arena, bool, t->count + 2);
  int number = 1;

  for (int k = 0; k < t->count; k++)
    if (t->numbers[k] <= t->count + 1)
      is_taken[t->numbers[k]] = true;
  while (number <= t->count && is_taken[number])
    number++;
  return number;
}

static IrVariable *make_variable(IrModule *m, IrFunction *f, int kind, const char *wanted,
                                 const Type *type)
{
  IrVariable *v = NEW(m->arena, IrVariable);
  Taken taken = { .arena = m->arena, .wanted = wanted };
  int number;

  note_names(&taken, f);
  number = free_number(&taken);
  v->kind = kind;
  v->type = type;
  v->is_hidden = true;
  v->name = number == 1 ? intern(m->arena, wanted, strlen(wanted))
                        : intern_format(m->arena, "%s_%d", wanted, number);
  return v;
}

/* ---- variables ---- */

IrVariable *make_hidden(IrModule *m, IrFunction *f, int kind,
                        const char *wanted, const Type *type)
{
  IrVariable *v = make_variable(m, f, kind, wanted, type);

  vec_push(m->arena, f->locals, f->local_count, v);
  return v;
}

IrVariable *make_index(IrModule *m, IrFunction *f, const char *wanted, const Type *type)
{
  return make_variable(m, f, IR_VAR_INDEX, wanted, type);
}
