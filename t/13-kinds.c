/* The interpreter over every kind of SNode: t/ir/kinds.ir, whose trees are one table of
 * active cells and one of values.  What the library's functions are asked for is what
 * snode/interpreter.h promises: cells by number, a field's own indices, a dynamic
 * container by the cell that it is in.
 */
#include "gen/base/base.h"

#include <snode/interpreter.h>

#define diag tap_diag         /* gen/base has another */
#include "t/tap.h"
#undef diag

/* ---- trees: what is active, what was written ---- */

enum { MARKS, LISTS };                           /* slots */
enum { ALIVE = 1, CELL = 2 };                    /* SNodes of marks */
enum { FAR = 1, NEAR = 2, ROW = 3, LIST = 4 };   /* and of lists */
enum { ROWS = 3, CAPACITY = 10 };

typedef struct Cell {
  int slot, id;
  int64_t index[2], value;
} Cell;

static Cell active[64], values[64];
static int active_count, value_count;
static int64_t lengths[ROWS];

static Cell *find(Cell *cells, int count, int slot, int id, const int64_t *index, int axes)
{
  for (int k = 0; k < count; k++)
    if (cells[k].slot == slot && cells[k].id == id &&
        memcmp(cells[k].index, index, sizeof *index * (size_t)axes) == 0)
      return &cells[k];
  return NULL;
}

static Cell *add(Cell *cells, int *count, int slot, int id, const int64_t *index, int axes)
{
  Cell *c = find(cells, *count, slot, id, index, axes);

  if (!c) {
    c = &cells[(*count)++];
    *c = (Cell){ .slot = slot, .id = id };
    memcpy(c->index, index, sizeof *index * (size_t)axes);
  }
  return c;
}

static int axes_of_field(int slot)
{
  return slot == MARKS ? 1 : 2;
}

static int axes_of_snode(int slot, int snode)
{
  return (slot == MARKS && snode == CELL) || (slot == LISTS && snode == ROW) ? 1 : 2;
}

/* Of v 4 bytes, of w and p 8. */
static void get(const snd_args *args, int32_t slot, int32_t field, const int64_t *index,
                void *value)
{
  const Cell *c = find(values, value_count, slot, field, index, axes_of_field(slot));
  int64_t wide = c ? c->value : slot == MARKS ? 7 : field == 0;
  int32_t narrow = (int32_t)wide;

  (void)args;
  memcpy(value, slot == MARKS ? (void *)&narrow : (void *)&wide, slot == MARKS ? 4 : 8);
}

static void set(const snd_args *args, int32_t slot, int32_t field, const int64_t *index,
                const void *value)
{
  Cell *c = add(values, &value_count, slot, field, index, axes_of_field(slot));
  int32_t narrow;

  (void)args;
  memcpy(&narrow, value, sizeof narrow);
  if (slot == MARKS)
    c->value = narrow;
  else
    memcpy(&c->value, value, sizeof c->value);
}

static int is_active(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  (void)args;
  if (slot == LISTS && snode == LIST)
    return index[1] < lengths[index[0]];
  return find(active, active_count, slot, snode, index, axes_of_snode(slot, snode)) != NULL;
}

static void activate(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  (void)args;
  if (slot != LISTS || snode != LIST)
    add(active, &active_count, slot, snode, index, axes_of_snode(slot, snode));
  else if (lengths[index[0]] <= index[1])
    lengths[index[0]] = index[1] + 1;
}

static void deactivate(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  Cell *c = find(active, active_count, slot, snode, index, axes_of_snode(slot, snode));

  (void)args;
  if (slot == LISTS && snode == LIST)
    lengths[index[0]] = 0;
  else if (c)
    *c = active[--active_count];
}

static int64_t append(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index,
                      int32_t site)
{
  snd_launch *launch = (snd_launch *)(uintptr_t)args->launch;

  if (slot != LISTS || snode != LIST)
    bail("append to another SNode");
  if (lengths[index[0]] < CAPACITY)
    return lengths[index[0]]++;
  launch->status.code = SN_ECAPACITY;
  launch->status.site = site;
  return -1;
}

static int64_t length(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  (void)args;
  if (slot != LISTS || snode != LIST)
    bail("the length of another SNode");
  return lengths[index[0]];
}

static int64_t total(const snd_args *args, int32_t slot, int32_t snode, int32_t axis)
{
  (void)args;
  (void)slot;
  (void)snode;
  (void)axis;
  bail("every extent is constant");
  return 0;
}

/* ---- lists, as generation would leave them ---- */

static const int64_t keys[3][2] = { { -3, 7 }, { 0, 0 }, { 5, INT64_MIN } };
static const uint64_t alive_mask[4] = { 1, 1, UINT64_C(1) << (139 - 128), 0 }, cell_mask = 10,
                      far_mask = 5;

static int64_t list_length(const snd_args *args, int32_t slot, int32_t snode)
{
  (void)args;
  return slot == LISTS && (snode == LIST || snode == NEAR) ? 2 : 1;
}

static void list_entry(const snd_args *args, int32_t slot, int32_t snode, int64_t entry,
                       sn_interpreter_entry *out)
{
  (void)args;
  out->first = 0;
  out->mask = NULL;
  if (slot == MARKS) {
    out->last = snode == ALIVE ? 210 : 4;
    out->mask = snode == ALIVE ? alive_mask : &cell_mask;
  } else if (snode == LIST) {          /* two pieces of the list in row 2 */
    out->coordinate[0] = 2;
    out->first = entry == 0 ? 0 : 2;
    out->last = entry == 0 ? 2 : 3;
  } else if (snode == FAR) {
    out->last = 3;
    out->mask = &far_mask;
  } else {                             /* the dense cells below keys 0 and 2 */
    out->last = 2;
    memcpy(out->coordinate, keys[2 * entry], sizeof keys[0]);
  }
}

static void hash_key(const snd_args *args, int32_t slot, int32_t snode, int64_t cell, int64_t *key)
{
  (void)args;
  if (slot != LISTS || snode != FAR)
    bail("a key of no hash");
  memcpy(key, keys[cell], sizeof keys[0]);
}

static const sn_interpreter_access access = {
  .get = get, .set = set, .is_active = is_active, .activate = activate,
  .deactivate = deactivate, .append = append, .length = length, .total = total,
  .list_length = list_length, .list_entry = list_entry, .hash_key = hash_key
};

/* ---- calls ---- */

typedef struct FailsParams {
  int32_t how, row, at;
} FailsParams;

#define PLACE(member) { offsetof(FailsParams, member), 4 }
static const sn_interpreter_place fails_params[] = { PLACE(how), PLACE(row), PLACE(at) };
static const sn_interpreter_place fails_vars[] = { { 0, 8 } };
static const sn_interpreter_kernel kernels[] = {
  { "fill", 0, 0, NULL, NULL }, { "visit", 0, 0, NULL, NULL },
  { "fails", 3, 1, fails_params, fails_vars }
};

static const char *pieces[2];
static sn_interpreter_program program = { pieces, 3, kernels };
static char printed[4096];

/* The arguments of each print in parentheses. */
static void note_record(void *host, const uint64_t *words)
{
  size_t used = strlen(printed);

  (void)host;
  used += (size_t)snprintf(printed + used, sizeof printed - used, "(");
  for (uint64_t k = 2; k < words[0]; k++)
    used += (size_t)snprintf(printed + used, sizeof printed - used, "%s%" PRId64,
                             k > 2 ? " " : "", (int64_t)words[k]);
  snprintf(printed + used, sizeof printed - used, ")");
}

static union {
  snd_launch launch;
  char room[sizeof(snd_launch) + 64];
} record;

static int call(const char *kernel, int task, const void *params)
{
  snd_args args = { .slot_count = 2, .launch = (sn_addr)(uintptr_t)&record.launch,
                    .params = params };

  memset(&record, 0, sizeof record);
  record.launch.print_host = (sn_addr)(uintptr_t)note_record;
  printed[0] = '\0';
  return sn_interpret(&program, kernel, task, &args, &access);
}

static void test_fill(void)
{
  const int64_t first[2] = { -2, 0 }, corner[2] = { 1, 69 }, below[2] = { 1000, INT64_MIN };
  const Cell *c;

  is_int(call("fill", 0, NULL), SN_OK, "a serial task runs");
  is_int(record.launch.status.code, SN_OK, "and nothing fails");
  is_str(printed, "(7 1)(0 0)(0 1 2 0)(0 1 0 10)(0 1)(1 0)",
         "defaults, positions, lengths: 10 is no cell of ten; any index of a hash is inside");
  c = find(values, value_count, MARKS, 0, first, 1);
  is_int(c ? c->value : 0, 1, "a field is reached by its own index");
  ok(find(active, active_count, MARKS, ALIVE, corner, 2) != NULL, "a node by the cell's number");
  is_int(active_count, 1, "deactivate undid what activate did");
  is_int(lengths[1], 2, "two appends");
  is_int(lengths[2], 0, "a list is deactivated as a whole");
  c = find(values, value_count, LISTS, 0, below, 2);
  is_int(c ? c->value : 0, 1, "the least index of an open axis");
}

static void test_visit(void)
{
  is_int(call("visit", 0, NULL), SN_OK, "a bitmasked SNode is visited");
  is_str(printed, "(-1 7)(1 8)", "where its mask says");
  is_int(call("visit", 1, NULL), SN_OK, "one without components too");
  is_str(printed, "(0 0)(0 64)(1 69)", "its cells row by row, over words of the mask");
  is_int(call("visit", 2, NULL), SN_OK, "a dynamic SNode");
  is_str(printed, "(2 0)(2 1)(2 2)", "piece by piece");
  is_int(call("visit", 3, NULL), SN_OK, "a hash");
  is_str(printed, "(-3 7)(5 -9223372036854775808)", "by its keys");
  is_int(call("visit", 4, NULL), SN_OK, "what lies below a hash");
  is_str(printed, "(-6 7 1)(-5 7 1)(10 -9223372036854775808 1)(11 -9223372036854775808 1)",
         "negative numbers too");
}

/* ---- failures ---- */

static int64_t fail_as(int how, int row, int at, const char *what, int code, int site)
{
  FailsParams params = { how, row, at };
  int64_t reached;

  is_int(call("fails", 0, &params), SN_OK, "%s: the call itself is fine", what);
  is_int(record.launch.status.code, code, "%s: the code", what);
  is_int(record.launch.status.site, site, "%s: the site", what);
  memcpy(&reached, record.launch.vars, sizeof reached);
  return reached;
}

static void test_failures(void)
{
  const snd_status *status = &record.launch.status;

  lengths[0] = CAPACITY - 1;
  is_int(fail_as(0, 0, 0, "the last append", SN_OK, 0), 109, "its position");
  is_int(fail_as(0, 0, 0, "an append past the extent", SN_ECAPACITY, 40), 0, "ends the task");
  is_int(fail_as(0, 3, 0, "an append outside", SN_EBOUNDS, 40), 0, "ends it too");
  is_int(status->snode, ROW, "of what the container is in");
  is_int(status->slot, LISTS, "of its tree");
  is_int(status->index_count, 1, "the container's indices");
  is_int(status->index[0], 3, "are kept");
  is_int(fail_as(1, -1, 0, "a length outside", SN_EBOUNDS, 41), 0, "ends it");
  is_int(fail_as(4, 3, 0, "a deactivation outside", SN_EBOUNDS, 44), 0, "and so does that");
  is_int(fail_as(2, 0, 1009, "the last cell of a list", SN_OK, 0), 100, "is written");
  is_int(fail_as(2, 0, 1010, "a cell past a list's extent", SN_EBOUNDS, 42), 0, "is outside");
  is_int(status->index[1], 1010, "by the field's own index");
  is_int(fail_as(3, 0, -2, "the first own index", SN_OK, 0), 101, "is read");
  is_int(fail_as(3, 0, -3, "the one before", SN_EBOUNDS, 43), 0, "is outside");
  is_int(fail_as(3, 0, 2, "the one behind the last", SN_EBOUNDS, 43), 0, "is outside");
}

/* The text is that of --bounds=trap. */
static void test_bounds_zero(char *text)
{
  memcpy(strstr(text, "trap"), "zero", 4);
  is_int(fail_as(0, 3, 0, "zero, an append outside", SN_ECAPACITY, 40), 0, "still ends the task");
  is_int(record.launch.status.have, CAPACITY, "as if the list were full");
  is_int(fail_as(1, 3, 0, "zero, a length outside", SN_OK, 0), 100, "is 0");
  is_int(fail_as(2, 0, 1010, "zero, a cell past the extent", SN_OK, 0), 100, "is dropped");
  is_int(fail_as(3, 0, 2, "zero, a read outside", SN_OK, 0), 107, "gives the default");
  is_int(fail_as(4, 3, 0, "zero, a deactivation outside", SN_OK, 0), 100, "does nothing");
}

static char *read_program(void)
{
  const char *folder = getenv("SN_SRCDIR");
  char path[4096], *text = calloc(1, 1 << 16);
  FILE *file;

  snprintf(path, sizeof path, "%s/t/ir/kinds.ir", folder ? folder : ".");
  file = fopen(path, "rb");
  if (!text || !file || fread(text, 1, (1 << 16) - 1, file) == 0)
    bail(path);
  fclose(file);
  return text;
}

int main(void)
{
  char *text = read_program();

  pieces[0] = text;
  test_fill();
  test_visit();
  test_failures();
  test_bounds_zero(text);
  free(text);
  return done_testing();
}
