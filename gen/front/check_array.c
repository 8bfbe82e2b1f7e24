/* Local arrays and tables of constants.
 *
 * Their extents are constant; a const one whose values are constants is a table: an
 * element with constant indices is a constant.
 */
#include "gen/front/check.h"

enum { MAX_ARRAY_SCALARS = 1024 };           /* of what is no table: each is a variable of the IR */

static int most_elements(const Variable *v, int scalars)
{
  return scalars / (v->type ? type_count(v->type) : 1);
}

/* A const one may become a table. */
static bool check_own_extent(Check *c, Variable *v, int k)
{
  Expr *e = v->extents[k] = check_integer(c, v->extents[k], "an extent");
  if (!e->type)
    return false;
  if (!is_literal(e)) {
    fail_constant(c, e, "the extent of an array");
    return false;
  }
  int most = most_elements(v, v->is_const ? MAX_TABLE : MAX_ARRAY_SCALARS);
  v->sizes[k] = e->value.i;
  if (v->sizes[k] < 1 || v->sizes[k] > most / v->element_count) {
    diag(c->diag, DIAG_OWN_ARRAY_EXTENT, e->loc, v->name, most);
    return false;
  }
  v->element_count *= (int)v->sizes[k];
  return true;
}

/* Values in a group of braces of that depth. */
static int values_below(const Variable *v, int depth)
{
  int count = 1;
  for (int k = depth; k < v->extent_count; k++)
    count *= (int)v->sizes[k];
  return count;
}

static bool check_braces(Check *c, const Variable *v)
{
  for (int i = 0; i < v->initial->brace_count; i++) {
    const Braces *b = &v->initial->braces[i];
    int want = values_below(v, b->depth);
    if (b->depth >= v->extent_count) {
      diag(c->diag, DIAG_ARRAY_BRACES, b->loc, v->name, v->extent_count,
           v->extent_count == 1 ? "extent" : "extents");
      return false;
    }
    if (b->count == want)
      continue;
    diag(c->diag, DIAG_ARRAY_VALUES, b->loc, v->name, want, want == 1 ? "value" : "values",
         b->count);
    return false;
  }
  return true;
}

static void make_table(Check *c, Variable *v)
{
  int width = type_count(v->type);
  Value *table = NEW_ARRAY(c->arena, Value, v->element_count * width);
  for (int i = 0; i < v->element_count; i++)
    if (!constant_elements(c, v->initial->values[i], table + i * width))
      return;
  v->table = table;
}

static bool check_values(Check *c, const Variable *v)
{
  bool is_good = true;
  for (int i = 0; i < v->initial->value_count; i++) {
    Expr **value = &v->initial->values[i];
    *value = check_stored(c, *value, v->type);
    is_good = is_good && (*value)->type;
  }
  return is_good;
}

/* With an error its type is unknown, so that its uses are silent. */
void check_own_array(Check *c, Variable *v)
{
  bool is_good = true;
  v->element_count = 1;
  for (int k = 0; k < v->extent_count && is_good; k++)
    is_good = check_own_extent(c, v, k);
  if (v->initial)
    is_good = check_values(c, v) && is_good && check_braces(c, v);
  if (is_good && v->is_const)
    make_table(c, v);
  if (is_good && !v->table && v->element_count > most_elements(v, MAX_ARRAY_SCALARS)) {
    diag(c->diag, DIAG_OWN_ARRAY_EXTENT, v->loc, v->name, most_elements(v, MAX_ARRAY_SCALARS));
    is_good = false;
  }
  if (!is_good)
    v->type = NULL;
}

void check_tables(Check *c)
{
  for (int i = 0; i < c->program->table_count; i++) {
    Variable *v = c->program->tables[i];
    check_own_array(c, v);
    if (v->type && !v->table) {
      diag(c->diag, DIAG_NOT_CONSTANT, v->loc, "a value of a table");
      v->type = NULL;
    }
    declare_variable(c, v);
  }
}

/* ---- elements ---- */

/* Where the element stands; -1: an index is no literal; -2 after a message. */
static int64_t constant_place(Check *c, const Expr *e, const Variable *v)
{
  int64_t at = 0;
  for (int k = 0; k < e->arg_count; k++) {
    const Expr *index = e->args[k];
    if (e->arg_count != v->extent_count || !is_literal(index))
      return -1;
    if (index->value.i < 0 || index->value.i >= v->sizes[k]) {
      diag(c->diag, DIAG_COMPONENT_RANGE, index->loc, (long long)index->value.i, v->name);
      return -2;
    }
    at = at * v->sizes[k] + index->value.i;
  }
  return at;
}

Expr *use_own_element(Check *c, Expr *e, Variable *v)
{
  if (!check_indices(c, e->args, e->arg_count, v->name, e->loc, v->extent_count) || !v->type)
    return fail_expr(e);
  int64_t at = constant_place(c, e, v);
  if (at < -1)
    return fail_expr(e);
  if (at >= 0 && v->table) {
    e->arg_count = 0;
    return construct_constant(c, e, v->type, v->table + at * type_count(v->type));
  }
  return as_element(c, e, v, at < 0);
}
