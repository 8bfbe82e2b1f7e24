/* Arrays: of kernels, lists of cells, and boxes of a field, whose strides are handed over. */
#include "gen/bind/fortran_procedure.h"

#include <string.h>

/* ---- arrays of kernels: reversed, so that they lie in memory as they are ---- */

static const char *array_name(const Procedure *p, const ApiParam *param)
{
  return f90_name(p->e, param->name);
}

const char *f90_first_size(Procedure *p, const IrVariable *extent)
{
  for (int k = 0; k < p->call->param_count; k++) {
    const ApiParam *a = &p->call->params[k];
    for (int d = 0; a->kind == API_ARRAY && a->variable && d < offer_array_rank(a); d++)
      if (a->variable->extent_variable[d] == extent)
        return format(p->e->arena, "size(%s, %d)", array_name(p, a), offer_array_rank(a) - d);
  }
  ICE("an extent of no array");
}

static void check_extents(Procedure *p, const ApiParam *param, const char *name)
{
  const int rank = offer_array_rank(param);

  for (int d = 0; d < rank; d++) {
    const IrVariable *extent = param->variable->extent_variable[d];
    const char *own = format(p->e->arena, "size(%s, %d)", name, rank - d);
    const char *wanted = extent ? f90_first_size(p, extent)
                                : decimal(p->e->arena, param->variable->extent_constant[d]);
    if (strcmp(own, wanted) == 0)
      continue;
    text_format(&p->before, "if (%s /= %s) sn_fits = .false.\n", own, wanted);
    p->refused = "SN_EINVAL";
    p->why = "extents of arrays do not fit";
  }
}

void f90_add_kernel_array(Procedure *p, const ApiParam *param)
{
  Emit *e = p->e;
  const char *name = f90_dummy(p, param->name);

  f90_add_dummy(p, name, format(e->arena, "%s, intent(%s), target, contiguous :: %s(%s)",
                            f90_type(e, param->type, param->of), f90_way_of(param), name,
                            f90_colons(e, offer_array_rank(param))));
  check_extents(p, param, name);
  f90_add_actual(p, format(e->arena, "c_loc(%s)", name));
}

/* ---- lists of cells, shapes, rows of memory ---- */

/* Indices and values have as many columns as are to be moved, the fewer of both. */
const char *f90_columns_moved(Procedure *p)
{
  for (int k = 0; k < p->call->param_count; k++) {
    const ApiParam *v = &p->call->params[k];
    if (v->kind == API_ARRAY && strcmp(v->name, "value") == 0)
      return format(p->e->arena, "int(min(size(index, 2), size(values, %d)), c_int64_t)",
                    f90_value_rank(v) + 1);
  }
  ICE("a list without values");
}

void f90_add_array(Procedure *p, const ApiParam *param)
{
  Emit *e = p->e;
  const bool is_value = strcmp(param->name, "value") == 0;
  const char *name = is_value ? "values" : param->name;
  const int axes = p->call->field->axis_count;
  const char *shape = is_value ? f90_colons(e, f90_value_rank(param) + 1)
                      : strcmp(name, "index") == 0 ? ":, :" : decimal(e->arena, axes ? axes : 1);

  if (strcmp(name, "stride") == 0) {
    f90_add_actual(p, "c_loc(sn_stride)");
    return;
  }
  f90_add_dummy(p, name, format(e->arena, "%s, intent(%s), target%s :: %s(%s)",
                            f90_type(e, param->type, param->of), f90_way_of(param),
                            *shape == ':' ? ", contiguous" : "", name, shape));
  f90_add_actual(p, format(e->arena, "c_loc(%s)", name));
}

/* ---- boxes: of any strides, which are handed over ---- */

/* An element of `values`: the first, but for axis `at` (from 1), where it is `there`. */
static const char *element(Emit *e, int rank, int at, const char *there)
{
  const char *list = "";

  for (int k = 1; k <= rank; k++)
    list = f90_listed(e, list, k == at ? there : "1");
  return rank ? format(e->arena, "values(%s)", list) : "values";
}

static const char *last_element(Emit *e, int rank)
{
  const char *list = "";

  for (int k = 1; k <= rank; k++)
    list = f90_listed(e, list, format(e->arena, "size(values, %d)", k));
  return rank ? format(e->arena, "values(%s)", list) : "values";
}

/* How far the elements of an axis are from one another, in bytes. */
static const char *step(Emit *e, int rank, int at)
{
  return format(e->arena, "sn_distance(c_loc(%s), c_loc(%s))", element(e, rank, 0, ""),
                element(e, rank, at, "2"));
}

static void check_elements(Procedure *p, const ApiParam *value, int rank)
{
  const int extent[2] = { value->columns ? value->columns : value->rows, value->rows };
  int64_t bytes = type_bytes(value->type);

  for (int k = 1; k <= f90_value_rank(value); k++) {
    text_format(&p->before, "if (size(values, %d) /= %d) sn_fits = .false.\n", k, extent[k - 1]);
    if (extent[k - 1] > 1)
      text_format(&p->before, "if (sn_any .and. size(values, %d) > 1) sn_fits = sn_fits .and. "
                  "%s == %lld\n", k, step(p->e, rank, k), (long long)bytes);
    bytes *= extent[k - 1];
  }
}

static void find_strides(Procedure *p, const ApiParam *value, int axes, int64_t bytes)
{
  const int inner = f90_value_rank(value), rank = inner + axes;

  text_add(&p->before, format(p->e->arena, "sn_stride = 1\nsn_bytes = 0\nsn_data = c_null_ptr\n"
           "sn_any = %s\nif (sn_any) sn_data = c_loc(%s)\n",
           rank ? "size(values) > 0" : ".true.", element(p->e, rank, 0, "")));
  check_elements(p, value, rank);
  for (int k = 1; k <= axes; k++)
    text_format(&p->before, "if (sn_any .and. size(values, %d) > 1) sn_stride(%d) = "
                "sn_whole_stride(%s, %lld_c_int64_t)\n", inner + k, k, step(p->e, rank, inner + k),
                (long long)bytes);
  text_format(&p->before, "if (any(sn_stride < 0)) sn_fits = .false.\nif (sn_any) sn_bytes = "
              "sn_distance(c_loc(%s), c_loc(%s)) + %lld\n",
              element(p->e, rank, 0, ""),
              last_element(p->e, rank),
              (long long)(value->of ? bytes : type_bytes(value->type)));
  p->refused = "SN_EINVAL";
  p->why = "the strides of the array are no whole values";
}

/* The first cell is given, or that of the field. */
static void find_box(Procedure *p, int axes, int inner)
{
  int shape = p->number;

  while (!(p->all->calls[shape].field == p->call->field &&
           strcmp(p->all->calls[shape].action, "shape") == 0))
    shape++;
  text_add(&p->declared, "type(sn_box), target :: sn_cells\n");
  p->asks_shape = p->variant == 0;
  if (p->asks_shape)
    text_format(&p->before, "sn_code = sn_c%d(this%%c, c_loc(sn_cells%%lo), c_loc(sn_cells%%hi))\n",
                shape);
  else
    text_format(&p->before, "sn_cells%%lo(:%d) = lo\n", axes);
  for (int k = 1; k <= axes; k++)
    text_format(&p->before, "sn_cells%%hi(%d) = sn_cells%%lo(%d) + size(values, %d)\n", k, k,
                inner + k);
}

void f90_add_box(Procedure *p)
{
  Emit *e = p->e;
  const IrField *f = p->call->field;
  const ApiParam value = offer_field(e, f->snode->tree, f);
  const int inner = f90_value_rank(&value), rank = inner + f->axis_count;
  const int64_t bytes = value.of ? type_bytes(&value.of->type)
                                 : type_bytes(value.type) * (value.elements ? value.elements : 1);

  f90_add_dummy(p, "values", format(e->arena, "%s, intent(%s), target :: values%s",
                                f90_type(e, value.type, value.of),
                                f90_is_action(p->call, "read") ? "out" : "in",
                                rank ? format(e->arena, "(%s)", f90_colons(e, rank)) : ""));
  if (p->variant > 0)
    f90_add_dummy(p, "lo", format(e->arena, "integer(%s), intent(in) :: lo(%d)",
                              p->variant == 1 ? "c_int64_t" : "c_int32_t", f->axis_count));
  text_add(&p->declared, "integer(c_int64_t), target :: sn_stride(12)\n"
                         "integer(c_int64_t) :: sn_bytes\ntype(c_ptr) :: sn_data\n"
                         "logical :: sn_any\n");
  find_box(p, f->axis_count, inner);
  find_strides(p, &value, f->axis_count, bytes);
  f90_add_actual(p, "sn_cells");
}
