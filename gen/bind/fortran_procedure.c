/* What a procedure is put together from: its dummies, what is declared, the arguments in C. */
#include "gen/bind/fortran_procedure.h"

#include <string.h>

bool f90_is_action(const ApiCall *call, const char *action)
{
  return call->scope != CALL_KERNEL && strcmp(call->action, action) == 0;
}

const char *f90_listed(Emit *e, const char *list, const char *what)
{
  return format(e->arena, "%s%s%s", list, *list ? ", " : "", what);
}

const char *f90_dummy(Procedure *p, const char *wanted)
{
  const size_t length = strlen(p->e->module->prefix);
  const char *name = f90_name(p->e, wanted);
  bool is_taken = strncmp(name, p->e->module->prefix, length) == 0 && name[length] == '_';

  for (;;) {
    for (int k = 0; k < p->names.count; k++)
      is_taken = is_taken || strcmp(upper_case(p->e->arena, name), p->names.taken[k]) == 0;
    if (!is_taken)
      break;
    name = format(p->e->arena, "%s_", name);
    is_taken = false;
  }
  vec_push(p->e->arena, p->names.taken, p->names.count, upper_case(p->e->arena, name));
  return name;
}

void f90_add_dummy(Procedure *p, const char *name, const char *declaration)
{
  p->dummies = f90_listed(p->e, p->dummies, name);
  text_format(&p->declared, "%s\n", declaration);
}

void f90_add_actual(Procedure *p, const char *what)
{
  p->actual = f90_listed(p->e, p->actual, what);
}

const char *f90_way_of(const ApiParam *param)
{
  static const char *const ways[] = { "in", "out", "inout" };

  return ways[param->way];
}

int f90_value_rank(const ApiParam *param)
{
  return param->columns ? 2 : param->elements ? 1 : 0;
}

const char *f90_colons(Emit *e, int rank)
{
  const char *list = "";

  for (int k = 0; k < rank; k++)
    list = f90_listed(e, list, ":");
  return list;
}
