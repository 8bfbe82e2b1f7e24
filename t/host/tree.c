/* Trees through the library: every call on fields and SNodes, kernels, GC, errors.
 * By hand from t/host/module.h; the device is SNODE_DEVICE's. */
#include "t/host/module.h"
#include "t/tap.h"

static char printed[4096];

static void keep(void *user, const char *text)
{
  (void)user;
  strncat(printed, text, sizeof printed - strlen(printed) - 1);
}

static sn_context *new_context(void)
{
  sn_config *config;
  sn_context *context = NULL;

  if (sn_config_create(&config) != SN_OK || sn_config_set_print(config, keep, NULL) != SN_OK ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  sn_config_destroy(config);
  return context;
}

#define AT(...) ((const int64_t[]){ __VA_ARGS__ })

static void set_u(sn_tree *grid, int64_t i, int64_t j, float value)
{
  is_int(sn_field_set(grid, &grid_info, GRID_U, AT(i, j), &value), SN_OK, "set u(%d, %d)", (int)i,
         (int)j);
}

static float get_u(sn_tree *grid, int64_t i, int64_t j)
{
  float value = -1;

  if (sn_field_get(grid, &grid_info, GRID_U, AT(i, j), &value) != SN_OK) return -99;
  return value;
}

static int64_t count(sn_tree *grid, int snode)
{
  int64_t n = -1;

  if (sn_snode_count(grid, &grid_info, snode, &n) != SN_OK) return -99;
  return n;
}

static int is_active(sn_tree *grid, int snode, const int64_t *index)
{
  int active = -1;

  if (sn_snode_is_active(grid, &grid_info, snode, index, &active) != SN_OK) return -99;
  return active;
}

static sn_memory_info memory_of(sn_tree *grid, const char *name)
{
  sn_memory_info rows[8] = { { 0 } }, none = { 0 };
  int n = 0;

  if (sn_tree_memory(grid, &grid_info, rows, 8, &n) != SN_OK || n != 4) bail("no memory rows");
  for (int k = 0; k < n; k++)
    if (strcmp(rows[k].name, name) == 0) return rows[k];
  return none;
}

/* ---- one cell ---- */

static void test_cells(sn_context *context)
{
  sn_tree *grid;
  float level = 0;
  double w = 0;
  int64_t flag = 0;
  int on = 1, v = 0;

  is_int(new_grid(context, 5, &grid), SN_OK, "create");
  is_double((double)get_u(grid, 3, 31), 1.5, "an inactive cell reads as its default");
  is_int(is_active(grid, GRID_TILE, AT(0, 3)), 0, "and stays inactive");
  is_int(sn_field_get(grid, &grid_info, GRID_LEVEL, NULL, &level), SN_OK, "a field at the root");
  is_double((double)level, 3.5, "has its default");
  is_int(sn_field_get(grid, &grid_info, GRID_FLAG, AT(9), &flag), SN_OK, "a dense field");
  is_int(flag, 7, "has its default");
  set_u(grid, 3, 31, 2.25f);
  is_double((double)get_u(grid, 3, 31), 2.25, "what was set");
  is_double((double)get_u(grid, 2, 31), 1.5, "its neighbour has the default");
  is_int(is_active(grid, GRID_TILE, AT(0, 3)), 1, "its tile is active");
  is_int(is_active(grid, GRID_TILE, AT(1, 3)), 0, "the next one is not");
  is_int(is_active(grid, GRID_NODE, AT(0, 24)), 1, "a dense cell is active as its parent's");
  is_int(sn_field_set(grid, &grid_info, GRID_V, AT(31, 3), &(int){ 17 }), SN_OK, "v is (j, i)");
  is_int(sn_field_get(grid, &grid_info, GRID_V, AT(31, 3), &v), SN_OK, "v again");
  is_int(v, 17, "in the field's own order");
  is_int(sn_field_set(grid, &grid_info, GRID_ON, NULL, &(int){ 256 }), SN_OK, "a bool from an int");
  is_int(sn_field_get(grid, &grid_info, GRID_ON, NULL, &on), SN_OK, "and back");
  is_int(on, 1, "is 1");
  is_int(sn_field_get(grid, &grid_info, GRID_W, AT(4, 3, 2), &w), SN_OK, "a nested pointer");
  is_double(w, -2, "reads its default");
  is_int(sn_field_set(grid, &grid_info, GRID_W, AT(4, 3, 2), &(double){ 0.5 }), SN_OK, "is set");
  is_int(is_active(grid, GRID_SUB, AT(4, 3, 2)), 1, "active");
  is_int(is_active(grid, GRID_SUB, AT(4, 3, 1)), 0, "its sibling not");
  is_int(count(grid, GRID_TILE), 2, "two tiles");
  is_int(count(grid, GRID_SUB), 1, "one sub");
  is_int(count(grid, GRID_NODE), 64, "64 nodes");
  is_int(count(grid, GRID_MARK), 10, "10 marks");
  sn_tree_destroy(grid);
}

/* ---- boxes ---- */

static void test_boxes(sn_context *context)
{
  static float all[20 * 32], back[20 * 32], strided[40 * 64];
  const sn_box box = { { 2, 6 }, { 6, 10 } }, empty = { { 2, 6 }, { 2, 900 } };
  const int64_t stride[] = { 64, 2 };
  float small[16];
  sn_tree *grid;
  int32_t column[4] = { 0 };
  int wrong = 0;

  is_int(new_grid(context, 5, &grid), SN_OK, "create");
  for (int k = 0; k < 20 * 32; k++) all[k] = 1.5f;
  all[5 * 32 + 9] = 4;
  is_int(sn_field_write(grid, &grid_info, GRID_U, NULL, sn_span_host(all, sizeof all), NULL), SN_OK,
         "write the whole field");
  is_int(count(grid, GRID_TILE), 1, "defaults leave cells inactive");
  is_int(sn_field_read(grid, &grid_info, GRID_U, NULL, sn_span_host(back, sizeof back), NULL),
         SN_OK,
         "read it");
  is_int(memcmp(all, back, sizeof all), 0, "what was written");
  is_int(sn_field_read(grid, &grid_info, GRID_U, &box, sn_span_host(small, sizeof small), NULL),
         SN_OK, "a box");
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      const float value = small[4 * i + j];
      wrong += value < all[(2 + i) * 32 + 6 + j] || value > all[(2 + i) * 32 + 6 + j];
    }
  is_int(wrong, 0, "row by row");
  for (int k = 0; k < 40 * 64; k++) strided[k] = -1;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) strided[64 * i + 2 * j] = (float)(10 * i + j);
  is_int(sn_field_write(grid, &grid_info, GRID_U, &box, sn_span_host(strided, sizeof strided),
                        stride),
         SN_OK, "write with strides");
  is_double((double)get_u(grid, 4, 9), 23, "lands where it should");
  is_double((double)get_u(grid, 4, 10), 1.5, "and not beside it");
  for (int k = 0; k < 40 * 64; k++) strided[k] = -1;
  is_int(sn_field_read(grid, &grid_info, GRID_U, &box, sn_span_host(strided, sizeof strided),
                       stride),
         SN_OK, "read with strides");
  is_double((double)strided[64 * 2 + 2 * 3], 23, "lands where it should");
  is_double((double)strided[64 * 2 + 2 * 3 + 1], -1, "what lies between stays");
  is_int(sn_field_write(grid, &grid_info, GRID_U, &box, sn_span_host(&(float){ 9 }, sizeof(float)),
                        AT(0, 0)), SN_OK, "strides of 0 write one value everywhere");
  is_double((double)get_u(grid, 5, 9), 9, "so it is");
  is_int(sn_field_set(grid, &grid_info, GRID_V, AT(7, 3), &(int){ 5 }), SN_OK, "v(7, 3)");
  is_int(sn_field_read(grid, &grid_info, GRID_V, &(sn_box){ { 7, 0 }, { 8, 4 } },
                       sn_span_host(column, sizeof column), NULL), SN_OK,
                           "a box of v, in its order");
  is_int(column[3], 5, "its last");
  is_int(sn_field_read(grid, &grid_info, GRID_U, &empty, sn_span_host(NULL, 0), NULL), SN_OK,
         "an empty box");
  is_int(sn_field_read(grid, &grid_info, GRID_U, &(sn_box){ { 0, 0 }, { 21, 1 } },
                       sn_span_host(all, sizeof all), NULL), SN_EBOUNDS,
                           "a box beyond the extents");
  is_int(sn_field_read(grid, &grid_info, GRID_U, NULL, sn_span_host(all, sizeof all - 1), NULL),
         SN_EINVAL, "a span that is short");
  is_int(sn_field_read(grid, &grid_info, GRID_U, NULL, sn_span_host((char *)all + 1, sizeof all),
                       NULL), SN_EINVAL, "one that is not aligned");
  is_int(sn_field_read(grid, &grid_info, GRID_U, &box, sn_span_host(all, sizeof all), AT(0, 1)),
         SN_EINVAL, "values read over each other");
  is_int(sn_field_read(grid, &grid_info, GRID_U, &box, sn_span_host(all, sizeof all), AT(-1, 1)),
         SN_EINVAL, "a negative stride");
  is_int(sn_field_read(grid, &grid_info, GRID_U, &box,
                       (sn_span){ all, sizeof all, 99 }, NULL), SN_EINVAL, "a device there is not");
  sn_tree_destroy(grid);
}

/* ---- active cells ---- */

static void test_active(sn_context *context)
{
  const int64_t at[] = { 0, 0, 3, 7, 19, 31, 19, 0 };
  const float values[] = { 1, 2, 3, 4 };
  int64_t index[3 * 96], n = 0, lo[2] = { -1, -1 }, hi[2] = { -1, -1 };
  float value[96];
  double sum_of = 0;
  sn_tree *grid;

  is_int(new_grid(context, 5, &grid), SN_OK, "create");
  is_int(sn_field_fill(grid, &grid_info, GRID_U, &(float){ 6 }), SN_OK, "fill while it is empty");
  is_int(sn_field_count(grid, &grid_info, GRID_U, &n), SN_OK, "count");
  is_int(n, 0, "no cell is activated");
  is_double((double)get_u(grid, 18, 30), 1.5, "and the default is read");
  is_int(sn_field_write_active(grid, &grid_info, GRID_U, at, values, 4), SN_OK, "write_active");
  is_int(sn_field_count(grid, &grid_info, GRID_U, &n), SN_OK, "count");
  is_int(n, 96, "three tiles of 32");
  is_int(sn_field_read_active(grid, &grid_info, GRID_U, index, value, 96, &n), SN_OK,
         "read_active");
  is_int(n, 96, "all of them");
  for (int k = 0; k < 96; k++)
    if (value[k] > 1.5f || value[k] < 1.5f)
      sum_of += (double)value[k] * (double)(100 * index[2 * k] + index[2 * k + 1]);
  is_double(sum_of, 0 + 2 * 307 + 3 * 1931 + 4 * 1900, "with their indices");
  is_int(sn_field_read_active(grid, &grid_info, GRID_U, index, value, 10, &n), SN_OK,
         "ten of them");
  is_int(n, 96, "and how many there are");
  is_int(sn_field_read_active(grid, &grid_info, GRID_U, NULL, NULL, 0, &n), SN_OK, "none of them");
  is_int(sn_field_fill(grid, &grid_info, GRID_U, &(float){ 6 }), SN_OK, "fill");
  is_double((double)get_u(grid, 18, 30), 6, "active cells have it");
  is_double((double)get_u(grid, 18, 20), 1.5, "inactive ones do not");
  is_int(sn_field_fill(grid, &grid_info, GRID_LEVEL, &(float){ 8 }), SN_OK, "fill at the root");
  is_int(sn_field_read_active(grid, &grid_info, GRID_LEVEL, NULL, value, 1, &n), SN_OK, "and read");
  is_double((double)value[0], 8, "what was filled");
  is_int(n, 1, "one cell");
  is_int(sn_field_count(grid, &grid_info, GRID_LEVEL, &n), SN_OK, "count at the root");
  is_int(n, 1, "one cell");
  is_int(sn_field_shape(grid, &grid_info, GRID_V, lo, hi), SN_OK, "shape of v");
  is_int(lo[0] == 0 && lo[1] == 0 && hi[0] == 32 && hi[1] == 20, 1, "in its order");
  is_int(sn_snode_capacity(grid, &grid_info, GRID_SUB, &n), SN_OK, "capacity of sub");
  is_int(n, 5 * 4 * 3, "all slots");
  is_int(sn_snode_activate(grid, &grid_info, GRID_SUB, AT(2, 2, 1)), SN_OK, "activate a sub");
  is_int(is_active(grid, GRID_TILE, AT(2, 2)), 1, "its tile too");
  is_int(sn_snode_activate(grid, &grid_info, GRID_NODE, AT(4, 8)), SN_OK,
         "activate by a dense cell");
  is_int(is_active(grid, GRID_TILE, AT(1, 1)), 1, "its tile is");
  sn_tree_destroy(grid);
}

/* ---- deactivation, GC, memory ---- */

static void test_gc(sn_context *context)
{
  sn_memory_info tile, sub;
  sn_tree *grid;
  double total = 0;
  float level = 0;
  int64_t flag = 0;

  is_int(new_grid(context, 64, &grid), SN_OK, "create");
  for (int round = 0; round < 20; round++) {
    int bad = 0;
    for (int64_t i = 0; i < 64; i++)
      for (int64_t k = 0; k < 3; k++) {
        bad += sn_field_set(grid, &grid_info, GRID_U, AT(4 * i, 8 * (i % 4)),
                            &(float){ 5 }) != SN_OK;
        bad += sn_field_set(grid, &grid_info, GRID_W, AT(i, i % 4, k), &(double){ 4 }) != SN_OK;
      }
    if (!ok(bad == 0, "round %d: set", round)) break;
    if (round % 2 == 0)
      is_int(sn_snode_deactivate_all(grid, &grid_info, GRID_TILE), SN_OK, "deactivate_all");
    else
      for (int64_t i = 0; i < 64; i++)
        if (sn_snode_deactivate(grid, &grid_info, GRID_TILE, AT(i, i % 4)) != SN_OK)
          ok(0, "deactivate tile %d", (int)i);
  }
  tile = memory_of(grid, "tile");
  sub = memory_of(grid, "sub");
  is_int(tile.active, 0, "no tile is active");
  is_int(sub.active, 0, "what lies below went with it");
  is_int(tile.recycled + sub.recycled, 0, "nothing waits for GC");
  is_int(tile.ever_allocated, 64, "tiles were used again");
  is_int(sub.ever_allocated, 192, "subs too");
  is_int(tile.free, 64, "all are free");
  ok(tile.chunks > 0 && tile.bytes >= 64 * (int64_t)sizeof(grid_tile), "memory is accounted");
  is_double((double)get_u(grid, 4, 8), 1.5, "a cell that was deactivated reads as its default");
  is_int(sn_snode_activate(grid, &grid_info, GRID_SUB, AT(1, 1, 0)), SN_OK, "activate again");
  is_double((double)get_u(grid, 4, 8), 1.5, "a cell that is used again has its defaults");
  is_int(sn_field_get(grid, &grid_info, GRID_W, AT(1, 1, 0), &total), SN_OK, "below too");
  is_double(total, -2, "its default");
  is_int(sn_snode_deactivate(grid, &grid_info, GRID_SUB, AT(1, 1, 0)), SN_OK, "one sub");
  is_int(is_active(grid, GRID_TILE, AT(1, 1)), 1, "leaves its tile");
  is_int(memory_of(grid, "tile").active, 1, "one tile");
  is_int(memory_of(grid, "node").active, 32, "32 nodes");
  is_int(sn_snode_deactivate(grid, &grid_info, GRID_SUB, AT(9, 1, 0)), SN_OK,
         "below an inactive tile there is nothing to deactivate");
  is_int(sn_field_set(grid, &grid_info, GRID_LEVEL, NULL, &(float){ 1 }), SN_OK, "set level");
  is_int(sn_field_set(grid, &grid_info, GRID_FLAG, AT(3), &(int64_t){ 1 }), SN_OK, "set flag");
  is_int(sn_tree_deactivate_all(grid, &grid_info), SN_OK, "the whole tree");
  is_int(count(grid, GRID_TILE), 0, "is empty");
  is_int(sn_field_get(grid, &grid_info, GRID_LEVEL, NULL, &level), SN_OK, "level");
  is_double((double)level, 3.5, "has its default again");
  is_int(sn_field_get(grid, &grid_info, GRID_FLAG, AT(3), &flag), SN_OK, "flag");
  is_int(flag, 7, "too");
  sn_tree_destroy(grid);
}

/* ---- kernels ---- */

static void test_kernels(sn_context *context)
{
  const int64_t at[] = { 0, 0, 10, 20, 10, 21, 79, 31 };
  const int64_t outside[] = { 0, 0, 80, 3 };
  int64_t numbers[] = { 1, 2, 3 };
  double out = -1, lists = 0, lists_after = 0, gc = 0;
  int flag = -1;
  sn_tree *grid;

  is_int(new_grid(context, 20, &grid), SN_OK, "create");
  is_int(sum(grid, &out), SN_OK, "sum of nothing");
  is_double(out, 0, "is 0");
  is_int(positive(grid, &flag), SN_OK, "a bool result");
  is_int(flag, 0, "is an int");
  is_int(touch(grid, at, 4, 3.5f), SN_OK, "touch");
  is_int(sum(grid, &out), SN_OK, "sum");
  is_double(out, 3 * 32 * 1.5 + 4 * 2, "of three tiles");
  is_int(positive(grid, &flag), SN_OK, "a bool result");
  is_int(flag, 1, "true");
  (void)!sn_stat_get(context, "listgen", &lists);
  is_int(sum(grid, &out), SN_OK, "again");
  (void)!sn_stat_get(context, "listgen", &lists_after);
  is_double(lists_after, lists, "an unchanged tree generates no list");
  is_int(touch(grid, at + 2, 1, 1.5f), SN_OK, "touch what is active");
  is_int(sum(grid, &out), SN_OK, "again");
  (void)!sn_stat_get(context, "listgen", &lists_after);
  is_double(lists_after, lists, "nor does a task that activates nothing new");
  is_int(drop(grid, 19, 3), SN_OK, "drop a tile");
  (void)!sn_stat_get(context, "gc", &gc);
  ok(gc > 0, "collected");
  is_int(sum(grid, &out), SN_OK, "sum");
  is_double(out, 2 * 32 * 1.5 + 4, "without it");
  is_int(twice(grid, numbers, 3), SN_OK, "an inout array");
  is_int(numbers[0] + 10 * numbers[1] + 100 * numbers[2], 642, "comes back");
  sn_context_clear(context);
  is_int(touch(grid, outside, 2, 2), SN_EBOUNDS, "an index outside");
  is_str(sn_context_error(context),
         "hand.sn:21: hand_touch: index (80, 3) of u is outside the extents of 80 x 32",
             "says where");
  is_double((double)get_u(grid, 0, 0), 2, "what was written before stays");
  sn_context_clear(context);
  printed[0] = 0;
  is_int(complain(grid, 2.5f), SN_OK, "print");
  is_str(printed, " -5|  2.50|1|%done\n", "formatted by the sites");
  is_int(complain(grid, -1), SN_EASSERT, "assert");
  is_str(sn_context_error(context), "hand.sn:24: hand_complain: assertion failed: value > 0",
         "says which");
  is_int(sum(grid, &out), SN_OK, "the tree stays usable");
  is_str(sn_context_error(context), "hand.sn:24: hand_complain: assertion failed: value > 0",
         "the first error stays");
  sn_context_clear(context);
  is_str(sn_context_error(context), "", "until it is cleared");
  sn_tree_destroy(grid);
}

/* ---- print ---- */

static int64_t lines_told;

static void tell(void *user, const char *text)
{
  (void)user;
  (void)text;
  lines_told++;
}

/* More than a device's ring holds: what is lost is counted. */
static void test_ring(void)
{
  const int64_t lines = 100000;
  sn_context *context = NULL;
  sn_config *config;
  sn_tree *grid;
  double lost = -1;

  if (sn_config_create(&config) != SN_OK || sn_config_set_print(config, tell, NULL) != SN_OK ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  sn_config_destroy(config);
  is_int(new_grid(context, 1, &grid), SN_OK, "create");
  is_int(chatter(grid, lines), SN_OK, "100002 lines");
  is_int(sn_stat_get(context, "lines_lost", &lost), SN_OK, "lines_lost");
  ok(lost >= 0 && (double)lines_told + lost > 100001 && (double)lines_told + lost < 100003,
     "%d told, %d lost", (int)lines_told, (int)lost);
  ok(lines_told > 40000, "as many as fit");
  lines_told = 0;
  is_int(chatter(grid, 10), SN_OK, "12 lines");
  is_int(lines_told, 12, "fit again");
  sn_tree_destroy(grid);
  is_int(sn_context_destroy(context), SN_OK, "destroy");
}

/* ---- memory of devices ---- */

/* A box to and from memory of a device, whatever the context's unit is. */
static void test_device_spans(sn_context *context, int device)
{
  const sn_box box = { { 2, 6 }, { 6, 10 } };
  const int64_t stride[] = { 5, 1 };
  float values[20], back[20];
  sn_span span = { NULL, sizeof values, device + 1 };
  sn_tree *grid;

  if (snd_backend.alloc(device, sizeof values, &span.data) != SN_OK) bail("no device memory");
  for (int k = 0; k < 20; k++) values[k] = (float)k;
  is_int(snd_backend.copy(device, span.data, -1, values, sizeof values), SN_OK,
         "to device %d", device);
  is_int(new_grid(context, 5, &grid), SN_OK, "create");
  is_int(sn_field_write(grid, &grid_info, GRID_U, &box, span, stride), SN_OK, "write from it");
  is_double((double)get_u(grid, 3, 8), 7, "a value");
  set_u(grid, 3, 8, 70);
  is_int(sn_field_read(grid, &grid_info, GRID_U, &box, span, stride), SN_OK, "read to it");
  is_int(snd_backend.copy(-1, back, device, span.data, sizeof back), SN_OK, "from the device");
  is_double((double)back[7], 70, "the value");
  is_double((double)back[9], 9, "what lies between stays");
  snd_backend.free(device, span.data);
  sn_tree_destroy(grid);
}

/* ---- wrong arguments ---- */

/* A module that imports the tree has tables of its own for it. */
static void test_imported(sn_tree *grid)
{
  sn_tree_info imported = grid_info;
  const sn_tree_info *const slots[] = { &imported };
  sn_kernel_info kernel = hand_sum;
  double out = -1;

  kernel.slots = slots;
  is_int(hand_call(&kernel, grid, NULL, 0, 0, 0, 1, 0, &out), SN_OK,
         "a tree of the module that declares it");
  is_double(out, 0, "whose values are summed");
  out = -1;
  imported.layout_hash++;
  is_int(hand_call(&kernel, grid, NULL, 0, 0, 0, 1, 0, &out), SN_EABI,
         "a tree that has changed since it was imported");
  is_double(out, -1, "no call was made of it");
}

static void test_arguments(sn_context *context)
{
  sn_tree *grid, *other, *nobody = NULL;
  sn_tree *trees[2];
  sn_context *second = new_context();
  sn_kernel_info homeless = hand_sum;
  sn_tree_options options = SN_TREE_OPTIONS_INIT;
  int64_t n = 0, lo[3], hi[3];
  float value = 0;
  double out = 12;
  int flag = 0;
  sn_memory_info row;
  const sn_span span = sn_span_host(&value, sizeof value);
  const int64_t zero = 0, one = 1, vast = INT64_C(1) << 61;

#define BAD(call, what) is_int(call, SN_EINVAL, "%s", what)
  homeless.module = NULL;
  is_int(new_grid(context, 5, &grid), SN_OK, "create");
  is_int(sn_tree_create(context, &hand, &other_info, &one, NULL, &other), SN_OK, "another type");
  BAD(sn_tree_create(NULL, &hand, &grid_info, &one, NULL, &nobody), "create: no context");
  BAD(sn_tree_create(context, NULL, &grid_info, &one, NULL, &nobody), "create: no module");
  BAD(sn_tree_create(context, &hand, NULL, &one, NULL, &nobody), "create: no type");
  BAD(sn_tree_create(context, &hand, &grid_info, NULL, NULL, &nobody), "create: no extents");
  BAD(sn_tree_create(context, &hand, &grid_info, &one, NULL, NULL), "create: nowhere");
  BAD(sn_tree_create(context, &hand, &grid_info, &zero, NULL, &nobody), "an extent of 0");
  BAD(sn_tree_create(context, &hand, &grid_info, &vast, NULL, &nobody), "too many cells");
  options.size = 1;
  BAD(sn_tree_create(context, &hand, &grid_info, &one, &options, &nobody), "options without size");
  options.size = sizeof options + sizeof(int);
  BAD(sn_tree_create(context, &hand, &grid_info, &one, &options, &nobody), "options of tomorrow");
  ok(nobody == NULL, "nothing was created");
  options.size = offsetof(sn_tree_options, reserve);
  options.reserve = UINT64_MAX;                  /* behind what the caller has: not read */
  is_int(sn_tree_create(context, &hand, &grid_info, &one, &options, &nobody), SN_OK,
         "options of a caller of before, which end earlier");
  sn_tree_destroy(nobody);
  sn_tree_destroy(NULL);
  BAD(sn_field_get(NULL, &grid_info, GRID_U, AT(0, 0), &value), "get: no tree");
  BAD(sn_field_get(grid, NULL, GRID_U, AT(0, 0), &value), "get: no type");
  BAD(sn_field_get(other, &grid_info, GRID_U, AT(0, 0), &value), "get: foreign tree");
  BAD(sn_field_get(grid, &grid_info, GRID_U, NULL, &value), "get: no index");
  BAD(sn_field_get(grid, &grid_info, GRID_U, AT(0, 0), NULL), "get: nowhere");
  BAD(sn_field_get(grid, &grid_info, 6, AT(0, 0), &value), "get: no such field");
  BAD(sn_field_get(grid, &grid_info, -1, AT(0, 0), &value), "get: no such field");
  BAD(sn_field_set(NULL, &grid_info, GRID_U, AT(0, 0), &value), "set: no tree");
  BAD(sn_field_set(grid, &grid_info, GRID_U, NULL, &value), "set: no index");
  BAD(sn_field_set(grid, &grid_info, GRID_U, AT(0, 0), NULL), "set: no value");
  BAD(sn_field_read(NULL, &grid_info, GRID_U, NULL, span, NULL), "read: no tree");
  BAD(sn_field_read(grid, &grid_info, GRID_U, NULL, sn_span_host(NULL, 4096), NULL),
      "read: nowhere");
  BAD(sn_field_read(grid, &grid_info, 9, NULL, span, NULL), "read: no such field");
  BAD(sn_field_write(NULL, &grid_info, GRID_U, NULL, span, NULL), "write: no tree");
  BAD(sn_field_write(grid, &grid_info, GRID_U, NULL, sn_span_host(NULL, 4096), NULL),
      "write: NULL");
  BAD(sn_field_read_active(NULL, &grid_info, GRID_U, &n, &value, 0, &n), "read_active: no tree");
  BAD(sn_field_read_active(grid, &grid_info, GRID_U, NULL, &value, 1, &n),
      "read_active: no indices");
  BAD(sn_field_read_active(grid, &grid_info, GRID_U, &n, NULL, 1, &n), "read_active: no values");
  BAD(sn_field_read_active(grid, &grid_info, GRID_U, &n, &value, 0, NULL), "read_active: no count");
  BAD(sn_field_read_active(grid, &grid_info, GRID_U, &n, &value, -1, &n), "read_active: cap < 0");
  BAD(sn_field_write_active(NULL, &grid_info, GRID_U, &n, &value, 0), "write_active: no tree");
  BAD(sn_field_write_active(grid, &grid_info, GRID_U, NULL, &value, 1), "write_active: no indices");
  BAD(sn_field_write_active(grid, &grid_info, GRID_U, AT(0, 0), NULL, 1),
      "write_active: no values");
  BAD(sn_field_write_active(grid, &grid_info, GRID_U, AT(0, 0), &value, -1), "write_active: n < 0");
  BAD(sn_field_fill(NULL, &grid_info, GRID_U, &value), "fill: no tree");
  BAD(sn_field_fill(grid, &grid_info, GRID_U, NULL), "fill: no value");
  BAD(sn_field_count(NULL, &grid_info, GRID_U, &n), "count: no tree");
  BAD(sn_field_count(grid, &grid_info, GRID_U, NULL), "count: nowhere");
  BAD(sn_field_shape(NULL, &grid_info, GRID_U, lo, hi), "shape: no tree");
  BAD(sn_field_shape(grid, &grid_info, GRID_U, NULL, hi), "shape: no lo");
  BAD(sn_field_shape(grid, &grid_info, GRID_U, lo, NULL), "shape: no hi");
  BAD(sn_snode_activate(NULL, &grid_info, GRID_TILE, AT(0, 0)), "activate: no tree");
  BAD(sn_snode_activate(grid, &grid_info, GRID_TILE, NULL), "activate: no index");
  BAD(sn_snode_activate(grid, &grid_info, GRID_ROOT, AT(0, 0)), "activate: the root");
  BAD(sn_snode_activate(grid, &grid_info, 5, AT(0, 0)), "activate: no such SNode");
  BAD(sn_snode_deactivate(NULL, &grid_info, GRID_TILE, AT(0, 0)), "deactivate: no tree");
  BAD(sn_snode_deactivate(grid, &grid_info, GRID_TILE, NULL), "deactivate: no index");
  BAD(sn_snode_deactivate(grid, &grid_info, GRID_NODE, AT(0, 0)), "deactivate: dense");
  BAD(sn_snode_is_active(NULL, &grid_info, GRID_TILE, AT(0, 0), &flag), "is_active: no tree");
  BAD(sn_snode_is_active(grid, &grid_info, GRID_TILE, NULL, &flag), "is_active: no index");
  BAD(sn_snode_is_active(grid, &grid_info, GRID_TILE, AT(0, 0), NULL), "is_active: nowhere");
  BAD(sn_snode_deactivate_all(NULL, &grid_info, GRID_TILE), "deactivate_all: no tree");
  BAD(sn_snode_deactivate_all(grid, &grid_info, GRID_MARK), "deactivate_all: dense");
  BAD(sn_snode_count(NULL, &grid_info, GRID_TILE, &n), "count: no tree");
  BAD(sn_snode_count(grid, &grid_info, GRID_TILE, NULL), "count: nowhere");
  BAD(sn_snode_capacity(NULL, &grid_info, GRID_TILE, &n), "capacity: no tree");
  BAD(sn_snode_capacity(grid, &grid_info, GRID_TILE, NULL), "capacity: nowhere");
  BAD(sn_tree_deactivate_all(NULL, &grid_info), "deactivate_all: no tree");
  BAD(sn_tree_memory(NULL, &grid_info, &row, 1, &flag), "memory: no tree");
  BAD(sn_tree_memory(grid, &grid_info, NULL, 1, &flag), "memory: no rows");
  BAD(sn_tree_memory(grid, &grid_info, &row, 1, NULL), "memory: no count");
  is_int(sn_tree_memory(grid, &grid_info, NULL, 0, &flag), SN_OK, "memory: how many rows");
  is_int(flag, 4, "one for each named SNode");
  BAD(sum(NULL, &out), "kernel: no tree");
  BAD(sum(other, &out), "kernel: foreign tree");
  BAD(sum(grid, NULL), "kernel: no result");
  BAD(touch(grid, NULL, 1, 1), "kernel: no array");
  BAD(touch(grid, AT(0, 0), -1, 1), "kernel: a negative extent");
  BAD(sn_kernel_call(&homeless, NULL, SN_TREES(grid), NULL, &out), "kernel: of no module");
  BAD(sn_kernel_call(NULL, NULL, SN_TREES(grid), NULL, &out), "no kernel");
  BAD(sn_kernel_call(&hand_sum, NULL, NULL, NULL, &out), "kernel: no trees");
  test_imported(grid);
  is_int(new_grid(second, 5, &trees[1]), SN_OK, "a tree of another context");
  trees[0] = grid;
  BAD(sn_kernel_call(&hand_two, NULL, SN_TREES(trees[0], trees[1]), NULL, NULL),
      "trees of two contexts");
  is_double(out, 12, "results are untouched");
  is_int(sn_field_get(grid, &grid_info, GRID_U, AT(20, 0), &value), SN_EBOUNDS,
         "an index too large");
  is_int(sn_field_set(grid, &grid_info, GRID_U, AT(0, -1), &value), SN_EBOUNDS, "a negative one");
  is_int(sn_field_write_active(grid, &grid_info, GRID_U, AT(0, 0, 0, 32), (float[]){ 1, 2 }, 2),
         SN_EBOUNDS, "one of several");
  is_int(sn_snode_is_active(grid, &grid_info, GRID_SUB, AT(0, 0, 3), &flag), SN_EBOUNDS,
         "of an SNode");
  is_int(count(grid, GRID_TILE), 0, "nothing was activated");
  is_int(sn_context_destroy(second), SN_ESTATE, "a context with a live tree");
  sn_tree_destroy(trees[1]);
  is_int(sn_context_destroy(second), SN_OK, "and without");
  sn_tree_destroy(grid);
  sn_tree_destroy(other);
  sn_context_clear(context);
#undef BAD
}

/* ---- limits ---- */

static void test_limits(sn_context *context)
{
  sn_tree_options options = SN_TREE_OPTIONS_INIT;
  const int64_t n = 1 << 20;
  int64_t done = 0;
  sn_tree *grid;
  int code = SN_OK;

  options.memory_limit = 4 << 20;
  is_int(sn_tree_create(context, &hand, &grid_info, &n, &options, &grid), SN_OK,
         "a limit of 4 MiB");
  sn_context_clear(context);
  while (code == SN_OK && done < n)
    code = sn_field_set(grid, &grid_info, GRID_U, AT(4 * done++, 0), &(float){ 1 });
  is_int(code, SN_ENOMEM, "runs out");
  ok(done * (int64_t)sizeof(grid_tile) > (2 << 20) &&
     done * (int64_t)sizeof(grid_tile) <= (4 << 20),
     "at %d tiles", (int)done);
  ok(strstr(sn_context_error(context), "SNode tile of hand_grid has") != NULL,
     "names the SNode: %s",
     sn_context_error(context));
  is_double((double)get_u(grid, 0, 0), 1, "what was written stays");
  is_double((double)get_u(grid, 4 * (done - 1), 0), 1.5, "what could not be had is not there");
  is_int(sn_snode_deactivate(grid, &grid_info, GRID_TILE, AT(0, 0)), SN_OK, "give one back");
  is_int(sn_field_set(grid, &grid_info, GRID_U, AT(4 * done, 0), &(float){ 1 }), SN_OK,
         "and there is room again");
  sn_tree_destroy(grid);
  sn_context_clear(context);
}

int main(void)
{
  sn_context *context = new_context();

  if (sn_module_bind(&hand, context) != SN_OK) bail(sn_context_error(context));
  test_cells(context);
  test_boxes(context);
  test_active(context);
  test_gc(context);
  test_kernels(context);
  test_arguments(context);
  test_limits(context);
  test_ring();
  for (int device = 0; device < snd_backend.devices() && device < 2; device++)
    test_device_spans(context, device);
  is_int(sn_context_destroy(context), SN_OK, "everything was given back");
  is_int(sn_context_destroy(NULL), SN_OK, "NULL is fine");
  return done_testing();
}
