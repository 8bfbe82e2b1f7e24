/* Calls each kernel of bounds.sn at an index and prints what comes of it: the value, or
 * the error. The indices are arguments; at one with an "=" before it only what reaches no
 * memory in any bounds mode is called, as --bounds=none asks for. */
#include "bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static sn_context *context;
static bounds_t *tree;

static void say(const char *name, int32_t i, int code, int64_t value)
{
  if (code == SN_OK)
    printf("%s(%d): %" PRId64 "\n", name, i, value);
  else
    printf("%s(%d): %s\n", name, i, sn_strerror(code));
}

#define CALL(name)                                                            \
  do {                                                                        \
    int64_t value = 0;                                                        \
    int code = bounds_##name(tree, i, &value);                                \
    say(#name, i, code, value);                                               \
  } while (0)

static void call_arrays(int32_t i)
{
  int32_t a[4] = { 1, 2, 3, 4 };
  const int32_t pairs[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
  bounds_pair structs[3] = { { 1, { 2, 3 } }, { 4, { 5, 6 } }, { 7, { 8, 9 } } };
  int64_t value = 0;
  int code = bounds_array_read(context, i, a, 4, &value);

  say("array_read", i, code, value);
  code = bounds_array_write(context, i, a, 4, &value);
  say("array_write", i, code, value);
  code = bounds_array_vector(context, i, pairs, 3, &value);
  say("array_vector", i, code, value);
  code = bounds_array_struct(context, i, structs, 3, &value);
  say("array_struct", i, code, value);
}

#define CALL_FREE(name)                                                       \
  do {                                                                        \
    int64_t value = 0;                                                        \
    int code = bounds_##name(context, i, &value);                             \
    say(#name, i, code, value);                                               \
  } while (0)

static void call_safe(int32_t i)
{
  CALL(border); CALL(hash_open); CALL(node_is_active); CALL(of_list_is_active);
  CALL(node_under);
}

static void call_all(int32_t i)
{
  call_safe(i);
  CALL(field_read); CALL(field_write); CALL(field_atomic); CALL(field_exchange);
  CALL(field_vector); CALL(below_hash); CALL(node_activate); CALL(node_deactivate);
  CALL(node_by_field);
  CALL(of_list_length); CALL(of_list_append); CALL(of_list_empty);
  CALL(of_list_activate); CALL(of_list_read); CALL(of_list_write); CALL(of_list_update);
  call_arrays(i);
  CALL_FREE(own_struct); CALL_FREE(own_read); CALL_FREE(own_write); CALL_FREE(table_read);
  CALL_FREE(memory_read); CALL_FREE(memory_write); CALL_FREE(memory_struct);
  CALL_FREE(vector_read); CALL_FREE(vector_write); CALL_FREE(matrix_read);
  CALL(field_component);
}

int main(int count, char **arguments)
{
  if (sn_context_create(NULL, &context) || bounds_t_create(context, NULL, &tree))
    return 1;
  for (int k = 1; k < count; k++)
    if (arguments[k][0] == '=')
      call_safe((int32_t)atoi(arguments[k] + 1));
    else
      call_all((int32_t)atoi(arguments[k]));
  bounds_t_destroy(tree);
  sn_context_destroy(context);
  return 0;
}
