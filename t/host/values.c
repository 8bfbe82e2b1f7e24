/* Calls on values of several elements with arguments that cannot be: a status, a text, and nothing
 * done. */
#include "t/host/module.h"
#include "t/tap.h"

#define AT(...) ((const int64_t[]){ __VA_ARGS__ })

static sn_context *context;
static sn_tree *grid;

static void refuses(int code, const char *part)
{
  is_int(code, SN_EINVAL, "refused: %s", part);
  if (!ok(strstr(sn_context_error(context), part) != NULL, "the reason"))
    diag("said: %s", sn_context_error(context));
  sn_context_clear(context);
}

/* What each of the calls is given; fine: as it should be. */
typedef struct arguments {
  sn_tree *tree;
  const sn_tree_info *info;
  int field, elements;
} arguments;

static int calls_fail(const arguments *a, const char *part)
{
  const sn_box box = { { 0, 0 }, { 1, 1 } };
  int64_t index[2] = { 1, 1 }, n = 0;
  int32_t v[4] = { 0 };
  const sn_span span = sn_span_host(v, sizeof v);
  sn_tree *const t = a->tree;
  const int codes[] = {
    sn_vector_get(t, a->info, a->field, a->elements, index, v),
    sn_vector_set(t, a->info, a->field, a->elements, index, v),
    sn_vector_fill(t, a->info, a->field, a->elements, v),
    sn_vector_read(t, a->info, a->field, a->elements, &box, span, NULL),
    sn_vector_write(t, a->info, a->field, a->elements, &box, span, NULL),
    sn_vector_read_active(t, a->info, a->field, a->elements, index, v, 1, &n),
    sn_vector_write_active(t, a->info, a->field, a->elements, index, v, 1),
    sn_struct_get(t, a->info, a->field, a->elements, index, v),
    sn_struct_set(t, a->info, a->field, a->elements, index, v),
    sn_struct_fill(t, a->info, a->field, a->elements, v),
    sn_struct_read(t, a->info, a->field, a->elements, sizeof(grid_node), &box, span, NULL),
    sn_struct_write(t, a->info, a->field, a->elements, sizeof(grid_node), &box, span, NULL),
    sn_struct_read_active(t, a->info, a->field, a->elements, sizeof(grid_node), index, v, 1, &n),
    sn_struct_write_active(t, a->info, a->field, a->elements, sizeof(grid_node), index, v, 1)
  };
  int well = 1;

  for (int k = 0; k < (int)(sizeof codes / sizeof *codes); k++) {
    well &= codes[k] == SN_EINVAL;
    if (codes[k] != SN_EINVAL) diag("call %d: %d instead of %d", k, codes[k], SN_EINVAL);
  }
  if (t && !strstr(sn_context_error(context), part)) {
    diag("said: %s", sn_context_error(context));
    well = 0;
  }
  sn_context_clear(context);
  return well;
}

static void test_misuse(void)
{
  static const struct { int field, elements; } missing[] = {
    { -1, 1 }, { GRID_FLAG, 2 }, { GRID_FLAG + 1, 1 }, { GRID_U, 0 }, { GRID_U, -1 },
    { INT32_MAX, 1 }, { 1, INT32_MAX }, { INT32_MIN, 1 }
  };
  arguments a = { NULL, &grid_info, GRID_U, 1 };
  int64_t n = -1;

  ok(calls_fail(&a, ""), "no tree");
  a.tree = grid;
  a.info = NULL;
  ok(calls_fail(&a, "NULL for the tables of its type"), "no tables");
  a.info = &other_info;
  ok(calls_fail(&a, "takes a hand_other, and was given a hand_grid"), "another tree's tables");
  a.info = &grid_info;
  for (int k = 0; k < (int)(sizeof missing / sizeof *missing); k++) {
    a.field = missing[k].field;
    a.elements = missing[k].elements;
    ok(calls_fail(&a, "there is no value of"), "fields %d, %d of them", a.field, a.elements);
  }
  is_int(sn_field_count(grid, &grid_info, GRID_U, &n), SN_OK, "count");
  is_int(n, 0, "nothing became active");
}

static void test_null(void)
{
  grid_node value = { 0, 0 };
  int64_t index[2] = { 0, 0 }, n = 0;

  refuses(sn_vector_get(grid, &grid_info, GRID_U, 1, NULL, &value.u), "the pointer to the index");
  refuses(sn_vector_set(grid, &grid_info, GRID_U, 1, NULL, &value.u), "the pointer to the index");
  refuses(sn_vector_get(grid, &grid_info, GRID_U, 1, AT(0, 0), NULL), "the pointer to the value");
  refuses(sn_vector_set(grid, &grid_info, GRID_U, 1, AT(0, 0), NULL), "the pointer to the value");
  refuses(sn_vector_fill(grid, &grid_info, GRID_U, 1, NULL), "the pointer to the value");
  refuses(sn_struct_get(grid, &grid_info, GRID_U, 2, NULL, &value), "the pointer to the index");
  refuses(sn_struct_set(grid, &grid_info, GRID_U, 2, AT(0, 0), NULL), "the pointer to the value");
  refuses(sn_vector_read_active(grid, &grid_info, GRID_U, 1, NULL, &value.u, 1, &n),
          "the pointer to the indices");
  refuses(sn_vector_read_active(grid, &grid_info, GRID_U, 1, index, NULL, 1, &n),
          "the pointer to the values");
  refuses(sn_vector_read_active(grid, &grid_info, GRID_U, 1, index, &value.u, 1, NULL),
          "the pointer to the count");
  refuses(sn_struct_write_active(grid, &grid_info, GRID_U, 2, sizeof value, NULL, &value, 1),
          "the pointer to the indices");
}

int main(void)
{
  if (sn_context_create(NULL, &context) != SN_OK || new_grid(context, 2, &grid) != SN_OK)
    bail("no tree");
  test_misuse();
  test_null();
  sn_tree_destroy(grid);
  is_int(sn_context_destroy(context), SN_OK, "nothing leaks");
  return done_testing();
}
