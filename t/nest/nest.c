/* Every nesting of kinds (generate.pl's trees): the host's calls and struct-fors, in an
 * order of chance, against plain arrays. One check per tree.
 *
 *   nest [STEPS]     steps for each instance
 */
#include "t/nest/nest.h"
#include "t/plain.h"
#include "t/tap.h"

enum { WINDOW = 2, MOST_CELLS = 12000, INSTANCES = 3 };

static sn_context *ctx;
static const sn_tree_info *info;
static sn_tree *tree;
static plain *model;
static int failures;             /* of this instance */
static const char *doing = "";

/* ---- chance: the same everywhere ---- */

static uint64_t seed;

static int64_t below(int64_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((seed >> 33) % (uint64_t)n);
}

/* ---- checks ---- */

static int wrong(const char *what, int64_t got, int64_t expected)
{
  if (got == expected) return 0;
  if (failures++ < 3)
    diag("%s, after %s: got %" PRId64 ", expected %" PRId64, what, doing, got, expected);
  return 1;
}

#define DO(call) do_call((call), #call)
static void do_call(int code, const char *text)
{
  if (code == SN_OK) return;
  if (failures++ < 3) diag("%s: %s: %s", text, sn_strerror(code), sn_context_error(ctx));
  sn_context_clear(ctx);
}

/* ---- values ---- */

static uint32_t bytes_of(int f)
{
  static const uint8_t bytes[] = { 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8 };
  return bytes[info->fields[f].type];
}

static uint64_t random_bits(int f)
{
  const int64_t n = below(200) - 100;
  union { double f64; float f32; uint64_t u64; uint32_t u32; } bits = { .u64 = 0 };

  switch (info->fields[f].type) {
  case SN_TYPE_BOOL: return (uint64_t)n & 1;
  case SN_TYPE_F32: bits.f32 = (float)n / 4; return bits.u32;
  case SN_TYPE_F64: bits.f64 = (double)n / 4; return bits.u64;
  default: return (uint64_t)n & (~(uint64_t)0 >> (64 - 8 * bytes_of(f)));
  }
}

static void put(int f, char *to, uint64_t bits) { memcpy(to, &bits, bytes_of(f)); }

static uint64_t take(int f, const char *from)
{
  uint64_t bits = 0;
  memcpy(&bits, from, bytes_of(f));
  return bits;
}

/* ---- boxes ---- */

typedef struct block {           /* a box of a field, and memory for its values */
  sn_box box;
  int64_t stride[12], cells;
  char *memory;
  size_t bytes;
} block;

/* Values side by side, or with gaps. */
static block block_of(int f, const int64_t *lo, const int64_t *hi, int gap)
{
  const int count = (int)info->fields[f].axis_count;
  block b = { .cells = 1 };
  int64_t step = gap;

  for (int k = count - 1; k >= 0; k--) {
    b.box.lo[k] = lo[k];
    b.box.hi[k] = hi[k];
    b.stride[k] = step;
    b.cells *= hi[k] - lo[k];
    step = step * (hi[k] - lo[k]) + gap - 1;
  }
  b.bytes = (size_t)(step + 1) * bytes_of(f);
  b.memory = plain_array((int64_t)b.bytes, 1);
  return b;
}

static void whole(int f, int64_t *lo, int64_t *hi)
{
  const plain_snode *node = &model->snode[info->fields[f].snode];
  for (uint32_t k = 0; k < info->fields[f].axis_count; k++) {
    const int a = info->fields[f].axes[k];
    lo[k] = node->low[a] + info->fields[f].origin[k];
    hi[k] = lo[k] + node->span[a];
  }
}

/* Cell number c of the block: its place in memory, and its number in the model. */
static char *block_cell(const block *b, int f, int64_t c, int64_t *number)
{
  int64_t index[12], at = 0;
  for (int k = (int)info->fields[f].axis_count - 1; k >= 0; k--) {
    const int64_t span = b->box.hi[k] - b->box.lo[k];
    index[k] = b->box.lo[k] + c % span;
    at += c % span * b->stride[k];
    c /= span;
  }
  *number = plain_of_index(model, f, index);
  return b->memory + (size_t)at * bytes_of(f);
}

static void compare_box(int f, const int64_t *lo, const int64_t *hi, int gap, int null_box)
{
  block b = block_of(f, lo, hi, gap);

  DO(sn_field_read(tree, info, f, null_box ? NULL : &b.box, sn_span_host(b.memory, b.bytes),
                   gap == 1 ? NULL : b.stride));
  for (int64_t c = 0; c < b.cells; c++) {
    int64_t number;
    const char *at = block_cell(&b, f, c, &number);
    if (wrong(info->fields[f].name, (int64_t)take(f, at), (int64_t)plain_get(model, f, number)))
      break;
  }
  free(b.memory);
}

static int has_open_axes(void) { return info->snodes[1].kind == SND_SNODE_HASH; }

static void compare_active(int f)
{
  const int s = info->fields[f].snode, axes = (int)info->fields[f].axis_count;
  const int64_t expected = plain_count(model, s), room = expected + 2;
  int64_t *index = plain_array(room * axes, sizeof *index), n = -1;
  char *value = plain_array(room, bytes_of(f));
  char *seen = plain_array(model->snode[s].cells, 1);

  DO(sn_field_read_active(tree, info, f, index, value, room, &n));
  wrong("read_active: how many", n, expected);
  for (int64_t c = 0; c < n && c < expected; c++) {
    const int64_t number = plain_of_index(model, f, index + c * axes);
    const int inside = number >= 0 && number < model->snode[s].cells;
    if (wrong("read_active: an index inside", inside, 1)) break;
    if (wrong("read_active: an active cell", plain_alive(model, s, number), 1) ||
        wrong("read_active: once", seen[number]++, 0) ||
        wrong("read_active: value", (int64_t)take(f, value + c * bytes_of(f)),
              (int64_t)plain_get(model, f, number)))
      break;
  }
  free(index);
  free(value);
  free(seen);
}

static void compare_all(void)
{
  sn_memory_info rows[8];
  int64_t n, lo[12], hi[12];
  int count;

  for (int f = 0; f < (int)info->field_count; f++) {
    whole(f, lo, hi);
    compare_box(f, lo, hi, 1, !has_open_axes());
    compare_active(f);
    DO(sn_field_count(tree, info, f, &n));
    wrong("count of a field", n, plain_count(model, info->fields[f].snode));
  }
  DO(sn_tree_memory(tree, info, rows, 8, &count));
  wrong("rows of memory", count, (int)info->snode_count - 1);
  for (int s = 1; s < (int)info->snode_count; s++) {
    DO(sn_snode_count(tree, info, s, &n));
    wrong("count of an SNode", n, plain_count(model, s));
    if (info->snodes[s].kind == SND_SNODE_POINTER || info->snodes[s].kind == SND_SNODE_HASH) {
      wrong("active cells in memory", rows[s - 1].active, n);
      wrong("recycled", rows[s - 1].recycled, 0);
      wrong("free and active", rows[s - 1].active + rows[s - 1].free, rows[s - 1].ever_allocated);
    }
  }
}

/* ---- steps ---- */

/* An index of an SNode's cell; of a dynamic one's container when asked. */
static void snode_index(int s, int64_t number, int of_container, int64_t *index)
{
  int axes[12];
  int64_t at[12];
  const int count = plain_axes(model, s, of_container, axes);

  plain_coordinates(model, s, number, at);
  for (int k = 0; k < count; k++) index[k] = at[axes[k]];
}

static void step_set(int f)
{
  const int64_t number = below(model->snode[info->fields[f].snode].cells);
  const uint64_t bits = random_bits(f);
  int64_t index[12];
  char value[8] = { 0 };
  const int truth = (int)bits;

  doing = "set";
  plain_index(model, f, number, index);
  put(f, value, bits);
  DO(sn_field_set(tree, info, f, index,
                  info->fields[f].type == SN_TYPE_BOOL ? (const void *)&truth : value));
  plain_set(model, f, number, bits);
}

static void random_box(int f, int64_t *lo, int64_t *hi)
{
  whole(f, lo, hi);
  for (uint32_t k = 0; k < info->fields[f].axis_count; k++) {
    const int64_t span = hi[k] - lo[k], from = below(span);
    lo[k] += from;
    hi[k] = lo[k] + 1 + below(span - from < 40 ? span - from : 40);
  }
}

static void step_write(int f)
{
  int64_t lo[12], hi[12];
  const int gap = 1 + (int)below(3);
  block b;

  doing = "write";
  random_box(f, lo, hi);
  b = block_of(f, lo, hi, gap);
  for (int64_t c = 0; c < b.cells; c++) {
    const uint64_t bits = below(3) ? info->fields[f].default_bits : random_bits(f);
    int64_t number;
    put(f, block_cell(&b, f, c, &number), bits);
    if (bits != info->fields[f].default_bits || plain_alive(model, info->fields[f].snode, number))
      plain_set(model, f, number, bits);
  }
  DO(sn_field_write(tree, info, f, &b.box, sn_span_host(b.memory, b.bytes),
                    gap == 1 ? NULL : b.stride));
  free(b.memory);
}

static void step_write_active(int f)
{
  enum { MOST = 20 };
  const int axes = (int)info->fields[f].axis_count;
  const int64_t cells = model->snode[info->fields[f].snode].cells;
  const int64_t count = below(cells < MOST ? cells : MOST) + 1, stride = cells / count;
  int64_t index[MOST * 12];
  char value[MOST * 8] = { 0 };

  doing = "write_active";
  for (int64_t c = 0; c < count; c++) {
    const int64_t number = c * stride + below(stride);
    const uint64_t bits = random_bits(f);
    plain_index(model, f, number, index + c * axes);
    put(f, value + c * bytes_of(f), bits);
    plain_set(model, f, number, bits);
  }
  DO(sn_field_write_active(tree, info, f, index, value, count));
}

static void step_activate(int s)
{
  const int64_t number = below(model->snode[s].cells);
  int64_t index[12];
  int active = -1;

  doing = "activate";
  snode_index(s, number, 0, index);
  DO(sn_snode_is_active(tree, info, s, index, &active));
  wrong("is_active", active, plain_alive(model, s, number));
  DO(sn_snode_activate(tree, info, s, index));
  plain_activate(model, s, number);
  DO(sn_snode_is_active(tree, info, s, index, &active));
  wrong("is_active then", active, 1);
}

static void step_deactivate(int s)
{
  const int64_t number = below(model->snode[s].cells);
  int64_t index[12], length;

  doing = "deactivate";
  if (!plain_is_sparse(model, s)) return;
  snode_index(s, number, 1, index);
  if (info->snodes[s].kind == SND_SNODE_DYNAMIC) {
    DO(sn_snode_length(tree, info, s, index, &length));
    wrong("length", length, plain_length(model, s, number));
  }
  DO(sn_snode_deactivate(tree, info, s, index));
  plain_deactivate(model, s, number);
  if (info->snodes[s].kind == SND_SNODE_DYNAMIC) {
    DO(sn_snode_length(tree, info, s, index, &length));
    wrong("length of nothing", length, 0);
  }
}

static void step_empty(int s)
{
  doing = "deactivate_all";
  if (s == 0) {
    DO(sn_tree_deactivate_all(tree, info));
  } else {
    if (!plain_is_sparse(model, s)) return;
    DO(sn_snode_deactivate_all(tree, info, s));
  }
  plain_deactivate_all(model, s);
}

static void step_fill(int f)
{
  const int s = info->fields[f].snode;
  const uint64_t bits = random_bits(f);
  char value[8] = { 0 };
  const int truth = (int)bits;

  doing = "fill";
  put(f, value, bits);
  DO(sn_field_fill(tree, info, f,
                   info->fields[f].type == SN_TYPE_BOOL ? (const void *)&truth : value));
  for (int64_t c = 0; c < model->snode[s].cells; c++)
    if (plain_alive(model, s, c)) plain_set(model, f, c, bits);
}

static void step_visit(const nest_visit *visit)
{
  int f = 0;
  int64_t n = -1, lo[12], hi[12];

  doing = "a struct-for";
  while (strcmp(info->fields[f].name, visit->note) != 0) f++;
  for (int64_t c = 0; c < model->snode[info->fields[f].snode].cells; c++)
    if (plain_alive(model, info->fields[f].snode, c))
      model->value[f][c] = (model->value[f][c] + 1) & 0xffffffff;
  DO(visit->run(tree, &n));
  wrong("cells visited", n, plain_count(model, info->fields[f].snode));
  whole(f, lo, hi);
  compare_box(f, lo, hi, 1, 0);
}

static void step(const nest_tree *made)
{
  const int f = (int)below(info->field_count), s = 1 + (int)below(info->snode_count - 1);
  int64_t lo[12], hi[12];

  switch (below(16)) {
  case 0: case 1: step_set(f); break;
  case 2: case 3: step_write(f); break;
  case 4: case 5: step_write_active(f); break;
  case 6: case 7: step_activate(s); break;
  case 8: case 9: step_deactivate(s); break;
  case 10: if (below(4) == 0) step_empty((int)below(info->snode_count)); break;
  case 11: step_fill(f); break;
  case 12: random_box(f, lo, hi); compare_box(f, lo, hi, 1 + (int)below(3), 0); break;
  default:
    for (int k = 0; k < 4 && made->visits[k].run; k++) step_visit(&made->visits[k]);
  }
}

/* ---- instances ---- */

/* What never changes: shape, capacity, and that indices outside are refused. */
static void check_shape(void)
{
  int64_t lo[12], hi[12], want_lo[12], want_hi[12], n, product;
  uint64_t value;

  doing = "create";
  for (int f = 0; f < (int)info->field_count; f++) {
    const int code = sn_field_shape(tree, info, f, lo, hi);
    if (has_open_axes()) {
      wrong("the shape of a hash is refused", code, SN_EINVAL);
      sn_context_clear(ctx);
      continue;
    }
    DO(code);
    whole(f, want_lo, want_hi);
    for (uint32_t k = 0; k < info->fields[f].axis_count; k++) {
      wrong("lo", lo[k], want_lo[k]);
      wrong("hi", hi[k], want_hi[k]);
    }
    wrong("beyond the extents", sn_field_get(tree, info, f, want_hi, &value), SN_EBOUNDS);
    want_lo[0]--;
    wrong("before the extents", sn_field_get(tree, info, f, want_lo, &value), SN_EBOUNDS);
    sn_context_clear(ctx);
  }
  for (int s = 1; s < (int)info->snode_count; s++) {
    const int code = sn_snode_capacity(tree, info, s, &n);
    if (has_open_axes()) {
      wrong("the capacity of a hash is refused", code, SN_EINVAL);
      sn_context_clear(ctx);
      continue;
    }
    DO(code);
    product = model->snode[s].cells;
    wrong("capacity", n, product);
  }
}

static int work(const nest_tree *made, int number, int64_t n, int steps)
{
  failures = 0;
  seed = (uint64_t)(number * 1000 + n);
  if (made->create(ctx, n, &tree) != SN_OK) {
    diag("create: %s", sn_context_error(ctx));
    return 1;
  }
  model = plain_create(info, &n, WINDOW);
  check_shape();
  for (int k = 0; k < steps && failures == 0; k++) {
    step(made);
    if (k % 8 == 7) compare_all();
  }
  if (failures == 0) compare_all();
  plain_destroy(model);
  sn_tree_destroy(tree);
  return failures != 0;
}

/* Cells of the largest SNode when the first one's extent is n. */
static int64_t cells_of(int64_t n)
{
  int64_t most = 1;
  plain *p = plain_create(info, &n, WINDOW);

  for (uint32_t s = 0; s < info->snode_count; s++)
    if (p->snode[s].cells > most) most = p->snode[s].cells;
  plain_destroy(p);
  return most;
}

int main(int argc, char **argv)
{
  static const int64_t extents[] = { 1, 1000, 3, 343, 10, 129, 100, 127, 7, 509, 31, 2 };
  const int steps = argc > 1 ? atoi(argv[1]) : 40;
  int next = 0;

  if (sn_context_create(NULL, &ctx) != SN_OK) return 1;
  for (int t = 0; t < nest_count; t++) {
    int64_t one;
    int bad = 0;
    info = nest_module()->trees[t];
    one = cells_of(1);
    for (int k = 0, done = 0; k < 12 && done < (has_open_axes() ? 1 : INSTANCES); k++) {
      const int64_t n = extents[next++ % 12];
      if (one * n > MOST_CELLS && n > 3) continue;
      bad += work(&nest_trees[t], t, n, steps);
      if (bad) diag("extent %" PRId64, n);
      done++;
    }
    ok(bad == 0, "%s: %s", info->name, nest_trees[t].kinds);
  }
  ok(sn_context_destroy(ctx) == SN_OK, "all is given back");
  return done_testing();
}
