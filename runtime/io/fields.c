/* Which fields a file gets, over which cells, and their values. */
#include "runtime/io/io.h"

#include <stdlib.h>
#include <string.h>

static size_t type_bytes(sn_type type)
{
  switch (type) {
  case SN_TYPE_BOOL: case SN_TYPE_I8: case SN_TYPE_U8: return 1;
  case SN_TYPE_I16: case SN_TYPE_U16: case SN_TYPE_F16: return 2;
  case SN_TYPE_I32: case SN_TYPE_U32: case SN_TYPE_F32: return 4;
  default: return 8;
  }
}

size_t sni_io_value_bytes(const sni_io_field *field)
{
  return (size_t)field->elements * type_bytes(field->type);
}

void sni_io_default(const sni_io_choice *c, const sni_io_field *field, int k, void *value)
{
  const uint64_t bits = c->info->fields[field->first + k].default_bits;

  switch (type_bytes(field->type)) {
  case 1:  memcpy(value, &(uint8_t){ (uint8_t)bits }, 1); break;
  case 2:  memcpy(value, &(uint16_t){ (uint16_t)bits }, 2); break;
  case 4:  memcpy(value, &(uint32_t){ (uint32_t)bits }, 4); break;
  default: memcpy(value, &bits, 8); break;
  }
}

/* ---- names ---- */

/* Whether the field's name is that of an element right below: "v.x" of "v". */
static int is_element(const char *name, const char *whole, size_t length)
{
  return strncmp(name, whole, length) == 0 && name[length] == '.' &&
         strchr(name + length + 1, '.') == NULL;
}

static int same_place(const snd_field_info *a, const snd_field_info *b)
{
  return a->snode == b->snode && a->type == b->type;
}

/* The element at `first` and those behind it that belong to the same value. */
static int count_elements(const sn_tree_info *info, int first, const char *whole, size_t length)
{
  int count = 1;

  while (first + count < (int)info->field_count &&
         is_element(info->fields[first + count].name, whole, length) &&
         same_place(&info->fields[first + count], &info->fields[first]))
    count++;
  return count;
}

static void take_field(sni_io_choice *c, const char *name, size_t length, int first, int elements)
{
  sni_io_field *field = &c->fields[c->count++];

  snprintf(field->name, sizeof field->name, "%.*s", (int)length, name);
  field->first = first;
  field->elements = elements;
  field->type = c->info->fields[first].type;
}

static int find_whole(const sni_io_choice *c, const char *name, size_t length)
{
  for (uint32_t k = 0; k < c->info->field_count; k++)
    if (strlen(c->info->fields[k].name) == length &&
        strncmp(c->info->fields[k].name, name, length) == 0)
      return (int)k;
  return -1;
}

static int find_elements(const sni_io_choice *c, const char *name, size_t length)
{
  for (uint32_t k = 0; k < c->info->field_count; k++)
    if (is_element(c->info->fields[k].name, name, length))
      return (int)k;
  return -1;
}

/* Fields below the name, to any depth, but for its adjoint and its tangent. */
static int count_below(const sn_tree_info *info, const char *name, size_t length)
{
  int count = 0;

  for (uint32_t k = 0; k < info->field_count; k++) {
    const char *field = info->fields[k].name;
    count += strncmp(field, name, length) == 0 && field[length] == '.' &&
             strncmp(field + length, ".grad.", 6) != 0 && strncmp(field + length, ".dual.", 6) != 0;
  }
  return count;
}

static int is_chosen(const sni_io_choice *c, const char *name, size_t length)
{
  for (int k = 0; k < c->count; k++)
    if (strlen(c->fields[k].name) == length && strncmp(c->fields[k].name, name, length) == 0)
      return 1;
  return 0;
}

static int choose_name(sni_io_choice *c, const char *name, size_t length)
{
  const int whole = find_whole(c, name, length);
  const int first = whole < 0 ? find_elements(c, name, length) : whole;
  const int below = whole < 0 ? count_below(c->info, name, length) : 1;
  const int count = first < 0 || whole >= 0 ? 1 : count_elements(c->info, first, name, length);

  if (first < 0 && below == 0)
    return sni_io_fail(c->tree, SN_EINVAL, "%s has no field %.*s", c->info->c_name, (int)length,
                       name);
  if (first < 0 || below != count)
    return sni_io_fail(c->tree, SN_EINVAL, "%s: the elements of %.*s are not of one type: name "
                       "them one by one, as %.*s.x", c->info->c_name, (int)length, name,
                       (int)length, name);
  if (is_chosen(c, name, length))
    return sni_io_fail(c->tree, SN_EINVAL, "%s: %.*s is named twice", c->info->c_name, (int)length,
                       name);
  take_field(c, name, length, first, count);
  return SN_OK;
}

static int choose_names(sni_io_choice *c, const char *names, int most)
{
  static const char blanks[] = " ,\t\n";

  for (const char *at = names + strspn(names, blanks); *at; at += strspn(at, blanks)) {
    const size_t length = strcspn(at, blanks);
    if (c->count == most)
      return sni_io_fail(c->tree, SN_EINVAL, "%s: more than %d fields: %s", c->info->c_name, most,
                         names);
    SN_TRY(choose_name(c, at, length));
    at += length;
  }
  return SN_OK;
}

static int same_indices(const snd_field_info *a, const snd_field_info *b)
{
  return a->snode == b->snode && a->axis_count == b->axis_count &&
         memcmp(a->axes, b->axes, a->axis_count) == 0 &&
         memcmp(a->origin, b->origin, a->axis_count * sizeof *a->origin) == 0;
}

/* All that have the indices of the first that has any. */
static void choose_all(sni_io_choice *c, int most)
{
  const sn_tree_info *info = c->info;
  int first = 0, count;

  while (first < (int)info->field_count && info->fields[first].axis_count == 0)
    first++;
  for (int k = first; k < (int)info->field_count && c->count < most; k += count) {
    const char *name = info->fields[k].name, *dot = strrchr(name, '.');
    const size_t length = dot ? (size_t)(dot - name) : 0;
    count = dot ? count_elements(info, k, name, length) : 1;
    if (same_indices(&info->fields[k], &info->fields[first]))
      take_field(c, name, count > 1 ? length : strlen(name), k, count);
  }
}

/* ---- the choice ---- */

static int check(sni_io_choice *c, const char *names, int most_indices)
{
  const snd_field_info *fields = c->info->fields, *first;

  if (c->count == 0)
    return sni_io_fail(c->tree, SN_EINVAL, "%s: no field with indices is named in '%s'",
                       c->info->c_name, names ? names : "");
  first = &fields[c->fields[0].first];
  if (first->axis_count < 1 || first->axis_count > (uint32_t)most_indices)
    return sni_io_fail(c->tree, SN_EINVAL, "%s: %s has %u indices, and such a file holds 1 to %d",
                       c->info->c_name, c->fields[0].name, (unsigned)first->axis_count,
                       most_indices);
  for (int k = 1; k < c->count; k++)
    if (!same_indices(first, &fields[c->fields[k].first]))
      return sni_io_fail(c->tree, SN_EINVAL, "%s: %s and %s are not held by one node with the same "
                         "indices: write a file for each", c->info->c_name, c->fields[0].name,
                         c->fields[k].name);
  c->axes = (sn_axes)SN_AXES_INIT;
  return sn_tree_axes(c->tree, fields[c->fields[0].first].name, &c->axes);
}

/* Texts with commas between them, one for each field, in their order. */
static int take_units(sni_io_choice *c)
{
  const char *at = c->options.units;

  for (int k = 0; at && *at; k++) {
    size_t length, used;
    at += strspn(at, " ");
    used = length = strcspn(at, ",");
    while (used && at[used - 1] == ' ')
      used--;
    if (k == c->count || used >= SNI_IO_UNIT)
      return sni_io_fail(c->tree, SN_EINVAL, "%s: options.units has %s: %s", c->info->c_name,
                         k == c->count ? "more units than there are fields"
                                       : "one that is too long", c->options.units);
    memcpy(c->fields[k].unit, at, used);
    at += length;
    at += *at == ',';
  }
  return SN_OK;
}

int sni_io_choose(sni_io_choice *c, sn_tree *tree, const char *names, const sn_io_options *options,
                  int most_fields, int most_indices)
{
  static const sn_io_options standard = SN_IO_OPTIONS_INIT;

  memset(c, 0, sizeof *c);
  if (!tree)
    return SN_EINVAL;
  c->tree = tree;
  c->info = sn_tree_type(tree);
  c->options = options ? *options : standard;
  if (c->options.size < sizeof standard)
    return sni_io_fail(tree, SN_EINVAL, "sn_io_options: begin with SN_IO_OPTIONS_INIT");
  if (names)
    SN_TRY(choose_names(c, names, most_fields));
  else
    choose_all(c, most_fields);
  SN_TRY(take_units(c));
  return check(c, names, most_indices);
}

/* ---- boxes ---- */

static const sn_axis *axis_of(const sni_io_choice *c, int k)
{
  return &c->axes.axis[c->axes.index[k]];
}

static int is_open(const sni_io_choice *c)
{
  for (int k = 0; k < c->axes.count; k++)
    if (axis_of(c, k)->total == 0)
      return 1;
  return 0;
}

/* Around the active cells; empty where there are none. */
static int surround(sni_io_choice *c)
{
  const int n = c->axes.count;
  sni_io_cells cells;
  void *values;

  SN_TRY(sni_io_read_cells(c, &c->fields[0], &cells, &values));
  for (int64_t k = 0; k < cells.count; k++)
    for (int a = 0; a < n; a++) {
      const int64_t i = cells.index[k * n + a];
      if (k == 0 || i < c->box.lo[a])
        c->box.lo[a] = i;
      if (k == 0 || i >= c->box.hi[a])
        c->box.hi[a] = i + 1;
    }
  free(cells.index);
  free(values);
  return SN_OK;
}

int sni_io_take_box(sni_io_choice *c)
{
  if (c->options.box)
    c->box = *c->options.box;
  else if (is_open(c))
    SN_TRY(surround(c));
  else
    for (int k = 0; k < c->axes.count; k++) {
      c->box.lo[k] = c->axes.origin[k];
      c->box.hi[k] = c->axes.origin[k] + axis_of(c, k)->total;
    }
  c->cells = 1;
  for (int k = 0; k < c->axes.count; k++) {
    const uint64_t extent = (uint64_t)c->box.hi[k] - (uint64_t)c->box.lo[k];
    if (c->box.hi[k] <= c->box.lo[k])
      return sni_io_fail(c->tree, SN_EINVAL, "%s: the box of %s is empty along index %d",
                         c->info->c_name, c->fields[0].name, k);
    if (extent > (uint64_t)(INT64_MAX / c->cells))
      return sni_io_fail(c->tree, SN_ENOMEM, "%s: the box of %s has too many cells: write a "
                         "part of it (options.box; snode-info: --box)", c->info->c_name,
                         c->fields[0].name);
    c->cells *= (int64_t)extent;
  }
  return SN_OK;
}

void *sni_io_read_box(const sni_io_choice *c, const sni_io_field *field, int is_x_fastest,
                      int *code)
{
  const int n = c->axes.count;
  const size_t bytes = sni_io_value_bytes(field);
  int64_t stride[12], step = 1;
  void *values = NULL;

  if ((uint64_t)c->cells <= SIZE_MAX / 2 / bytes)
    values = malloc((size_t)c->cells * bytes);
  if (!values) {
    *code = sni_io_fail(c->tree, SN_ENOMEM, "%s: no memory for %lld values of %s: write a part of "
                        "them (options.box; snode-info: --box)", c->info->c_name,
                        (long long)c->cells, field->name);
    return NULL;
  }
  for (int k = 0; k < n; k++) {
    const int a = is_x_fastest ? k : n - 1 - k;
    stride[a] = step;
    step *= c->box.hi[a] - c->box.lo[a];
  }
  *code = sn_vector_read(c->tree, c->info, field->first, field->elements, &c->box,
                         sn_span_host(values, (size_t)c->cells * bytes), stride);
  if (*code == SN_OK)
    return values;
  free(values);
  return NULL;
}

/* ---- active cells ---- */

typedef struct item {
  const int64_t *index;
  int64_t place;
  int n;
} item;

static int compare(const void *left, const void *right)
{
  const item *a = left, *b = right;

  for (int k = 0; k < a->n; k++)
    if (a->index[k] != b->index[k])
      return a->index[k] < b->index[k] ? -1 : 1;
  return 0;
}

static int is_in_box(const sni_io_choice *c, const int64_t *index)
{
  for (int k = 0; k < c->axes.count; k++)
    if (c->options.box && (index[k] < c->options.box->lo[k] || index[k] >= c->options.box->hi[k]))
      return 0;
  return 1;
}

/* Those in the box, in order. */
static void sort(const sni_io_choice *c, size_t bytes, item *items, const int64_t *index,
                 const char *values, sni_io_cells *to, char *to_values)
{
  const int n = c->axes.count;
  int64_t count = 0;

  for (int64_t k = 0; k < to->count; k++)
    if (is_in_box(c, index + k * n))
      items[count++] = (item){ index + k * n, k, n };
  if (count)
    qsort(items, (size_t)count, sizeof *items, compare);
  for (int64_t k = 0; k < count; k++) {
    memcpy(to->index + k * n, items[k].index, (size_t)n * sizeof *index);
    memcpy(to_values + (size_t)k * bytes, values + (size_t)items[k].place * bytes, bytes);
  }
  to->count = count;
}

int sni_io_read_cells(const sni_io_choice *c, const sni_io_field *field, sni_io_cells *to,
                      void **values)
{
  const size_t n = (size_t)c->axes.count, bytes = sni_io_value_bytes(field);
  int64_t *index = NULL, found;
  char *read = NULL;
  item *items = NULL;
  size_t room;
  int code = sn_field_count(c->tree, c->info, field->first, &to->count);

  to->index = NULL;
  *values = NULL;
  if (code != SN_OK)
    return code;
  room = (size_t)to->count + 1;
  index = malloc(room * n * sizeof *index);
  read = malloc(room * bytes);
  items = malloc(room * sizeof *items);
  to->index = malloc(room * n * sizeof *index);
  *values = malloc(room * bytes);
  if (!index || !read || !items || !to->index || !*values)
    code = sni_io_fail(c->tree, SN_ENOMEM, "%s: no memory for %lld active cells", c->info->c_name,
                       (long long)to->count);
  else
    code = sn_vector_read_active(c->tree, c->info, field->first, field->elements, index, read,
                                 to->count, &found);
  if (code == SN_OK) {
    sort(c, bytes, items, index, read, to, *values);
  } else {
    free(to->index);
    free(*values);
    to->index = NULL;
    *values = NULL;
  }
  free(index);
  free(read);
  free(items);
  return code;
}
