/* Of each call the interface of the C function, and the procedures over it.
 *
 * A call that takes indices has a procedure for each of two kinds of integer; reading and writing a
 * box have one without a first cell, and two with one.
 */
#include "gen/bind/fortran_procedure.h"

#include <string.h>

static bool moves_box(const ApiCall *call)
{
  return call->field && (f90_is_action(call, "read") || f90_is_action(call, "write"));
}

static bool takes_index(const ApiCall *call)
{
  for (int k = 0; k < call->param_count; k++)
    if (call->params[k].role == API_INDEX)
      return true;
  return false;
}

int f90_variants(const ApiCall *call)
{
  if (call->scope == CALL_SUBMIT || f90_is_action(call, "module"))
    return 0;
  if (moves_box(call))
    return call->field->axis_count ? 3 : 1;
  return takes_index(call) ? 2 : 1;
}

/* ---- the interface ---- */

static const char *interface_type(Emit *e, const ApiParam *p)
{
  const char *way = p->way == API_IN ? "in" : p->way == API_OUT ? "out" : "inout";

  switch (p->kind) {
  case API_OPTIONS:  return "type(sn_tree_options), intent(in)";
  case API_NEW_TREE: return "type(c_ptr), intent(out)";
  case API_TEXT:     return "character(kind=c_char), intent(in)";
  case API_BOX:      return "type(sn_box), intent(in)";
  case API_SPAN:     return "type(sn_span), value";
  case API_SCALAR:   return format(e->arena, "%s, value", f90_call_type(e, p->type, p->of));
  case API_VALUE:
    return format(e->arena, "%s, intent(%s)", f90_call_type(e, p->type, p->of), way);
  default:           return "type(c_ptr), value";
  }
}

void f90_interface(Emit *e, const Api *all, int number)
{
  const ApiCall *call = &all->calls[number];
  const char *list = "";
  const bool is_void = strcmp(call->result, "void") == 0;

  for (int k = 0; k < call->param_count; k++)
    list = format(e->arena, "%s%sa%d", list, k ? ", " : "", k);
  f90_line(e, "%s sn_c%d(%s) bind(c, name='%s')",
           is_void ? "subroutine" : "integer(c_int) function", number, list, call->name);
  e->indent++;
  f90_line(e, "import");
  for (int k = 0; k < call->param_count; k++) {
    const ApiParam *p = &call->params[k];
    f90_line(e, "%s :: a%d%s", interface_type(e, p), k,
             p->kind == API_TEXT || (p->kind == API_VALUE && p->elements) ? "(*)" : "");
  }
  e->indent--;
  f90_line(e, "end %s", is_void ? "subroutine" : "function");
}

/* Extents of a value in memory, in Fortran's order, each with a comma before it or behind it. */
static const char *value_extents(Emit *e, const ApiParam *param)
{
  if (param->columns)
    return format(e->arena, "%d, %d", param->columns, param->rows);
  return param->elements ? decimal(e->arena, param->elements) : "";
}

/* ---- parameters ---- */

static void add_tree(Procedure *p, const ApiParam *param)
{
  const bool is_own = p->call->scope != CALL_KERNEL && *p->dummies == '\0';
  const char *name = is_own ? "this" : f90_dummy(p, param->name);
  const bool is_changed = f90_is_action(p->call, "destroy");

  f90_add_dummy(p, name, format(p->e->arena, "%s(%s), intent(%s) :: %s", is_own ? "class" : "type",
                            f90_name(p->e, param->c_type), is_changed ? "inout" : "in", name));
  f90_add_actual(p, format(p->e->arena, "%s%%c", name));
  if (!*p->context)
    p->context = format(p->e->arena, "%s%%context", name);
}

static void add_context(Procedure *p)
{
  const char *name = f90_dummy(p, "ctx");

  f90_add_dummy(p, name, format(p->e->arena, "type(sn_context), intent(in) :: %s", name));
  f90_add_actual(p, format(p->e->arena, "%s%%c", name));
  p->context = format(p->e->arena, "%s%%c", name);
}

static void add_options(Procedure *p)
{
  p->last = "memory_limit, reserve";
  (void)f90_dummy(p, "memory_limit");
  (void)f90_dummy(p, "reserve");
  text_add(&p->declared, "integer(c_int64_t), intent(in), optional :: memory_limit, reserve\n"
                         "type(sn_tree_options) :: sn_options\n");
  text_add(&p->before, "sn_options = sn_tree_options(c_sizeof(sn_options), 0, 0)\n"
                       "if (present(memory_limit)) sn_options%memory_limit = memory_limit\n"
                       "if (present(reserve)) sn_options%reserve = reserve\n");
  f90_add_actual(p, "sn_options");
}

static void add_new_tree(Procedure *p, const ApiParam *param)
{
  p->dummies = *p->dummies ? format(p->e->arena, "this, %s", p->dummies) : "this";
  text_format(&p->declared, "class(%s), intent(inout) :: this\ntype(c_ptr) :: sn_made\n",
              f90_name(p->e, param->c_type));
  text_add(&p->before, "if (c_associated(this%c)) sn_fits = .false.\n");
  p->refused = "SN_ESTATE";
  p->why = "the instance is there already";
  f90_add_actual(p, "sn_made");
  text_format(&p->after, "this%%c = sn_made\nthis%%context = %s\n", p->context);
}

static void add_index(Procedure *p, const ApiParam *param)
{
  const bool is_wide = p->variant == 0;
  const char *name = f90_dummy(p, param->name);

  f90_add_dummy(p, name, format(p->e->arena, "integer(%s), intent(in) :: %s",
                            is_wide ? "c_int64_t" : "c_int32_t", name));
  f90_add_actual(p, is_wide ? name : format(p->e->arena, "int(%s, c_int64_t)", name));
}

/* One value, by value or not. */
static void add_value(Procedure *p, const ApiParam *param)
{
  Emit *e = p->e;
  const char *name = f90_dummy(p, param->name);
  const char *extents = value_extents(e, param);
  const char *shape = *extents ? format(e->arena, "(%s)", extents) : "";

  f90_add_dummy(p, name, format(e->arena, "%s, intent(%s) :: %s%s",
                            f90_type(e, param->type, param->of), f90_way_of(param), name, shape));
  if (param->of || param->type->kind != TYPE_BOOL) {
    f90_add_actual(p, name);
  } else if (param->way == API_IN) {
    f90_add_actual(p, format(e->arena, "merge(1_c_int, 0_c_int, %s)", name));
  } else {
    text_format(&p->declared, "integer(c_int) :: sn_%s%s\n", name, shape);
    text_format(&p->after, "%s = sn_%s /= 0\n", name, name);
    f90_add_actual(p, format(e->arena, "sn_%s", name));
  }
}

static void add_memory(Procedure *p, const ApiParam *param)
{
  f90_add_dummy(p, param->name, format(p->e->arena, "type(sn_memory_info), intent(out), target, "
                                                "contiguous :: %s(:)", param->name));
  f90_add_actual(p, format(p->e->arena, "c_loc(%s)", param->name));
}

/* ---- all of them ---- */

static void add_scalar(Procedure *p, const ApiParam *param)
{
  const char *action = p->call->action;

  if (param->role == API_INDEX)
    add_index(p, param);
  else if (param->role == API_EXTENT && param->variable)
    f90_add_actual(p, format(p->e->arena, "int(%s, c_int64_t)",
                             f90_first_size(p, param->variable)));
  else if (f90_is_action(p->call, "memory"))
    f90_add_actual(p, "size(rows)");
  else if (p->call->field && strstr(action, "_active"))
    f90_add_actual(p, f90_columns_moved(p));
  else
    add_value(p, param);
}

static void add_param(Procedure *p, const ApiParam *param)
{
  switch (param->kind) {
  case API_CONTEXT:  add_context(p); break;
  case API_OPTIONS:  add_options(p); break;
  case API_TREE:     add_tree(p, param); break;
  case API_NEW_TREE: add_new_tree(p, param); break;
  case API_BOX:      f90_add_box(p); break;
  case API_SPAN:
    f90_add_actual(p, "sn_span(sn_data, sn_bytes, 0)");
    break;
  case API_MEMORY:   add_memory(p, param); break;
  case API_SCALAR:   add_scalar(p, param); break;
  case API_VALUE:    add_value(p, param); break;
  case API_ARRAY:
    if (param->variable)
      f90_add_kernel_array(p, param);
    else
      f90_add_array(p, param);
    break;
  default: {
    const char *name = f90_dummy(p, param->name);
    f90_add_dummy(p, name, format(p->e->arena, "character(*), intent(in) :: %s", name));
    f90_add_actual(p, format(p->e->arena, "%s // c_null_char", name));
  }
  }
}

static void write_lines(Emit *e, const Text *lines)
{
  for (const char *at = lines->data; at && *at; ) {
    const size_t length = strcspn(at, "\n");
    f90_line(e, "%.*s", (int)length, at);
    at += length + 1;
  }
}

static void write_after(Procedure *p)
{
  Emit *e = p->e;

  if (!p->after.length)
    return;
  f90_line(e, "if (sn_code == SN_OK) then");
  e->indent++;
  write_lines(e, &p->after);
  e->indent--;
  f90_line(e, "end if");
}

/* Ends there where something does not fit. */
static void write_refusal(Emit *e, const Procedure *p, const char *test, const char *code,
                          const char *what)
{
  f90_line(e, "if (%s) then", test);
  e->indent++;
  f90_line(e, "call sn_end_call(%s, %s, %s, ierr)", code, p->context, what);
  f90_line(e, "return");
  e->indent--;
  f90_line(e, "end if");
}

static void write_body(Procedure *p)
{
  Emit *e = p->e;

  if (f90_is_action(p->call, "destroy")) {
    f90_line(e, "call sn_c%d(this%%c)", p->number);
    f90_line(e, "this%%c = c_null_ptr");
    return;
  }
  if (p->refused)
    f90_line(e, "sn_fits = .true.");
  write_lines(e, &p->before);
  if (p->asks_shape)
    write_refusal(e, p, "sn_code /= SN_OK", "sn_code", "''");
  if (p->refused)
    write_refusal(e, p, ".not. sn_fits", p->refused,
                  format(e->arena, "'%s: %s'", p->call->name, p->why));
  f90_line(e, "sn_code = sn_c%d(%s)", p->number, p->actual);
  write_after(p);
  f90_line(e, "call sn_end_call(sn_code, %s, '', ierr)", p->context);
}

static void write_procedure(Procedure *p)
{
  Emit *e = p->e;
  const bool is_destroy = f90_is_action(p->call, "destroy");

  p->dummies = p->last = p->actual = p->context = "";
  for (int k = 0; k < p->call->param_count; k++)
    add_param(p, &p->call->params[k]);
  if (*p->last)
    p->dummies = f90_listed(e, p->dummies, p->last);
  if (!is_destroy)
    p->dummies = f90_listed(e, p->dummies, "ierr");
  f90_line(e, "%s", "");
  f90_line(e, "subroutine sn_p%d_%d(%s)", p->number, p->variant, p->dummies);
  e->indent++;
  write_lines(e, &p->declared);
  if (!is_destroy) {
    f90_line(e, "integer, intent(out), optional :: ierr");
    f90_line(e, "integer(c_int) :: sn_code");
  }
  if (p->refused)
    f90_line(e, "logical :: sn_fits");
  f90_line(e, "%s", "");
  write_body(p);
  e->indent--;
  f90_line(e, "end subroutine");
  text_free(&p->declared);
  text_free(&p->before);
  text_free(&p->after);
}

void f90_procedures(Emit *e, const Api *all, int number)
{
  for (int k = 0; k < f90_variants(&all->calls[number]); k++) {
    Procedure p = { .e = e, .all = all, .call = &all->calls[number], .number = number,
                    .variant = k };
    write_procedure(&p);
  }
}
