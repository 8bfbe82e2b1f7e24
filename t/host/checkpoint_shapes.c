/* Trees of random shapes and all kinds, filled at random, saved, loaded and copied: every
 * activity and every value comes back, on the same unit, on the host from a device, and
 * back; in a tree whose cells lie otherwise too: cells as structs, in rows, in arrays.
 */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* getpid */
#endif
#include <snode/snode.h>
#include <snode/module.h>
#include <snode/device/runtime.h>

#include "t/tap.h"

#include <unistd.h>

/* ---- numbers ---- */

static uint64_t state;

static int64_t below(int64_t n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)(state >> 33) % n;
}

/* ---- shapes ---- */

enum { NODES = 14, FIELDS = 24, CELLS = 4000 };

typedef struct shape {
  sn_tree_info tree;
  snd_snode_info nodes[NODES];
  snd_axis_info axes[NODES][SN_MAX_AXES];
  snd_field_info fields[FIELDS];
  char names[NODES][24], labels[NODES][24], field_names[FIELDS][24];
  int64_t total[NODES][SN_MAX_AXES];             /* of an open axis: 0 */
  uint32_t path[NODES];                          /* its axes */
  uint64_t cells[NODES];                         /* of a container; of a hash: none */
  uint64_t bytes[NODES];                         /* of a container that stands in place */
  sn_module module;
  const sn_tree_info *trees[1];
} shape;

static uint32_t type_bytes(sn_type type)
{
  static const uint8_t bytes[] = { 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8 };
  return bytes[type];
}

/* The axes of a new SNode, ascending; a dynamic's is new on the path. */
static void choose_axes(shape *s, int id)
{
  snd_snode_info *node = &s->nodes[id];
  const int wanted = node->kind == SND_SNODE_DYNAMIC ? 1 : 1 + (int)below(3);
  int64_t room = CELLS;

  for (int a = 0; a < SN_MAX_AXES; a++) room /= s->total[id][a] > 0 ? s->total[id][a] : 1;
  for (int a = (int)below(6); a < SN_MAX_AXES && (int)node->axis_count < wanted;
       a += 1 + (int)below(3)) {
    const int64_t most = node->kind == SND_SNODE_DYNAMIC ? 3000 : room < 8 ? room : 8;
    const int64_t size = node->kind == SND_SNODE_HASH ? 1 : 1 + below(most > 0 ? most : 1);
    if (node->kind == SND_SNODE_DYNAMIC && s->path[id] >> a & 1) continue;
    s->axes[id][node->axis_count].axis = (uint8_t)a;
    s->axes[id][node->axis_count++].size = size;
    s->total[id][a] = node->kind == SND_SNODE_HASH ? 0 : s->total[id][a] * size;
    s->path[id] |= UINT32_C(1) << a;
    s->cells[id] *= (uint64_t)size;
    room /= size;
  }
}

static void add_field(shape *s, int id)
{
  snd_field_info *field = &s->fields[s->tree.field_count];
  const int number = (int)s->tree.field_count++;

  snprintf(s->field_names[number], sizeof s->field_names[0], "field%d", number);
  field->name = s->field_names[number];
  field->type = (sn_type)below(SN_TYPE_F64 + 1);
  field->snode = id;
  field->default_bits = below(2) ? 0 : field->type == SN_TYPE_BOOL ? 1 : (uint64_t)below(127);
  for (int a = 0; a < SN_MAX_AXES; a++)
    if (s->path[id] >> a & 1) {
      /* any order: the new axis goes before one of the others, or last */
      const uint32_t at = (uint32_t)below((int64_t)field->axis_count + 1);
      for (uint32_t k = field->axis_count++; k > at; k--) field->axes[k] = field->axes[k - 1];
      field->axes[at] = (uint8_t)a;
    }
  for (uint32_t k = 0; k < field->axis_count; k++) field->origin[k] = below(2) ? 0 : below(21) - 10;
}

static const snd_snode_kind kinds[] = {
  SND_SNODE_DENSE, SND_SNODE_BITMASKED, SND_SNODE_POINTER, SND_SNODE_DYNAMIC, SND_SNODE_HASH
};

/* An SNode and what is below it; NULL-terminated by the room there is. */
static void grow(shape *s, int parent, int depth, int has_hash)
{
  const int id = (int)s->tree.snode_count;
  snd_snode_info *node = &s->nodes[id];
  const int may_hash = parent == 0 && !has_hash;
  int children;

  if (id == NODES || s->tree.field_count + 2 > FIELDS) return;
  s->tree.snode_count++;
  node->kind = kinds[below(may_hash ? 5 : 4)];
  snprintf(s->names[id], sizeof s->names[0], "node%d", id);
  snprintf(s->labels[id], sizeof s->labels[0], "S%dkind%d", id, (int)node->kind);
  node->name = s->names[id];
  node->label = s->labels[id];
  node->parent = parent;
  node->axes = s->axes[id];
  node->chunk = node->kind == SND_SNODE_DYNAMIC && below(2) ? 1 + below(50) : 0;
  memcpy(s->total[id], s->total[parent], sizeof s->total[id]);
  s->path[id] = s->path[parent];
  s->cells[id] = 1;
  choose_axes(s, id);
  if (node->axis_count == 0) {                   /* no axis was left for it */
    s->tree.snode_count--;
    memset(node, 0, sizeof *node);
    return;
  }
  children = depth < 4 && node->kind != SND_SNODE_DYNAMIC ? (int)below(3) : 0;
  if (node->kind != SND_SNODE_BITMASKED && children > 1 && below(2) == 0) { /* may be split */
  } else if (node->kind != SND_SNODE_BITMASKED || children || below(3))
    for (int64_t k = 1 + below(2); k > 0; k--) add_field(s, id);
  while (children-- > 0) grow(s, id, depth + 1, 1);
}

static uint64_t aligned(uint64_t at, uint64_t to) { return (at + to - 1) / to * to; }

static int has_fields(const shape *s, int id)
{
  for (uint32_t f = 0; f < s->tree.field_count; f++)
    if (s->fields[f].snode == id) return 1;
  return 0;
}

static int has_children(const shape *s, int id)
{
  for (uint32_t c = 0; c < s->tree.snode_count; c++)
    if (s->nodes[c].parent == id) return 1;
  return 0;
}

/* How many cells a row has, where there may be rows: those of the last axis, or all. */
static int64_t choose_row(const shape *s, int id)
{
  const snd_snode_info *node = &s->nodes[id];

  if ((node->kind != SND_SNODE_DENSE && node->kind != SND_SNODE_BITMASKED) ||
      has_children(s, id) || !has_fields(s, id))
    return 0;
  switch (below(4)) {
  case 0: return 0;
  case 1: return node->axes[node->axis_count - 1].size;
  case 2: return node->parent == 0 ? SND_ROW_OF_ALL : (int64_t)s->cells[id];
  default: return (int64_t)s->cells[id];
  }
}

/* A field for each of `cells` cells from a place on; how much that takes. */
static uint64_t put_field(shape *s, int f, uint64_t at, int64_t cells)
{
  const uint64_t bytes = type_bytes(s->fields[f].type);

  if (cells != SND_ROW_OF_ALL) at = aligned(at, bytes);
  s->fields[f].offset = at;
  return at + bytes * (uint64_t)(cells < 1 ? 1 : cells);
}

/* Wider ones first: then arrays of any number of them are aligned. */
static uint64_t put_fields(shape *s, int id)
{
  const int64_t cells = s->nodes[id].row_cells;
  uint64_t at = 0;

  for (uint32_t bytes = 8; bytes > 0; bytes /= 2)
    for (uint32_t f = 0; f < s->tree.field_count; f++)
      if (s->fields[f].snode == id && type_bytes(s->fields[f].type) == bytes)
        at = put_field(s, (int)f, at, cells);
  return at;
}

static int children_of(const shape *s, int id)
{
  int count = 0;

  for (uint32_t c = 0; c < s->tree.snode_count; c++) count += s->nodes[c].parent == id;
  return count;
}

/* A cell that is split, where it may be and chance wants it. */
static int splits(shape *s, int id)
{
  snd_snode_info *node = &s->nodes[id];
  uint64_t largest = 0;
  uint32_t part = 0;

  if ((node->kind != SND_SNODE_POINTER && node->kind != SND_SNODE_HASH) || has_fields(s, id) ||
      children_of(s, id) < 2 || below(2) == 0)
    return 0;
  for (uint32_t c = 0; c < s->tree.snode_count; c++)
    if (s->nodes[c].parent == id && s->bytes[c] > largest) largest = s->bytes[c];
  for (uint32_t c = 0; c < s->tree.snode_count; c++)
    if (s->nodes[c].parent == id)
      s->nodes[c].container_offset = part++ * SND_SPLIT_APART(largest);
  node->parts = part;
  node->id_offset = SND_ID_NOWHERE;
  node->log2_chunk = SND_SPLIT_LOG2(largest);
  node->cell_bytes = SND_SPLIT_BYTES(largest);
  s->bytes[id] = node->kind == SND_SNODE_POINTER ? 8 * s->cells[id] : 0;
  return 1;
}

/* As the structs of a generated file would lie; children come behind their parents. */
static void lay_out(shape *s)
{
  for (int id = (int)s->tree.snode_count - 1; id >= 0; id--) {
    snd_snode_info *node = &s->nodes[id];
    uint64_t at;
    if (splits(s, id)) continue;
    node->parts = node->log2_chunk = 0;
    node->row_cells = choose_row(s, id);
    at = put_fields(s, id);
    for (int c = id + 1; c < (int)s->tree.snode_count && id > 0; c++)
      if (s->nodes[c].parent == id) {
        s->nodes[c].container_offset = aligned(at, 8);
        at = s->nodes[c].container_offset + s->bytes[c];
      }
    if (node->kind == SND_SNODE_POINTER || node->kind == SND_SNODE_HASH) {
      node->id_offset = (uint32_t)aligned(at, 4);
      at = node->id_offset + 4;
    }
    node->cell_bytes = node->row_cells == SND_ROW_OF_ALL ? at : aligned(at, 8);
    s->bytes[id] = node->kind == SND_SNODE_POINTER ? 8 * s->cells[id]
                   : node->kind == SND_SNODE_DYNAMIC ? 8
                   : node->row_cells > 0
                       ? s->cells[id] / (uint64_t)node->row_cells * node->cell_bytes
                   : s->cells[id] * node->cell_bytes;
    if (node->kind == SND_SNODE_BITMASKED) s->bytes[id] += 16 * ((s->cells[id] + 63) / 64);
  }
  s->tree.root_bytes = s->nodes[0].cell_bytes;
  s->nodes[0].cell_bytes = s->tree.root_bytes;
}

/* The same tree; its cells may lie otherwise. */
static shape *laid_anew(const shape *of)
{
  shape *s = malloc(sizeof *s);

  if (s == NULL) bail("no memory");
  *s = *of;
  s->tree.snodes = s->nodes;
  s->tree.fields = s->fields;
  s->trees[0] = &s->tree;
  s->module.trees = s->trees;
  lay_out(s);
  return s;
}

static shape *new_shape(void)
{
  shape *s = calloc(1, sizeof *s);

  if (s == NULL) bail("no memory");
  s->tree.name = "shape";
  s->tree.c_name = "test_shape";
  s->tree.snodes = s->nodes;
  s->tree.fields = s->fields;
  s->tree.snode_count = 1;
  s->nodes[0].kind = SND_SNODE_ROOT;
  s->nodes[0].parent = -1;
  s->nodes[0].label = "S0root";
  s->cells[0] = 1;
  for (int a = 0; a < SN_MAX_AXES; a++) s->total[0][a] = 1;
  if (below(2)) add_field(s, 0);
  for (int64_t k = 1 + below(4); k > 0; k--) {
    int has_hash = 0;
    for (uint32_t n = 0; n < s->tree.snode_count; n++)
      has_hash |= s->nodes[n].kind == SND_SNODE_HASH;
    grow(s, 0, 1, has_hash);
  }
  lay_out(s);
  s->trees[0] = &s->tree;
  s->module = (sn_module){ .abi = SNODE_ABI, .bytes = sizeof(sn_module), .name = "shape",
                           .source = "shape.sn", .generator = "by hand", .backend = &snd_backend,
                           .tree_count = 1, .trees = s->trees };
  return s;
}

/* ---- filling ---- */

/* A coordinate of the SNode's cells; of an open axis any, some of them often. */
static int64_t somewhere(const shape *s, int id, int axis)
{
  if (s->total[id][axis] > 0) return below(s->total[id][axis]);
  return below(3) ? below(9) - 4 : (below(2000000) - 1000000) * 1000;
}

static void index_of_node(const shape *s, int id, int64_t *index)
{
  int n = 0;

  for (int a = 0; a < SN_MAX_AXES; a++)
    if (s->path[id] >> a & 1) index[n++] = somewhere(s, id, a);
}

/* A dynamic's container: without its own axis. */
static void index_of_container(const shape *s, int id, int64_t *index)
{
  int n = 0;

  for (int a = 0; a < SN_MAX_AXES; a++)
    if (s->path[id] >> a & 1 &&
        (s->nodes[id].kind != SND_SNODE_DYNAMIC || a != s->axes[id][0].axis))
      index[n++] = somewhere(s, id, a);
}

static int set_field(const shape *s, sn_tree *tree, int f)
{
  const snd_field_info *field = &s->fields[f];
  int64_t index[SN_MAX_AXES];
  uint64_t bits = state;
  int truth = (int)below(2);

  for (uint32_t k = 0; k < field->axis_count; k++)
    index[k] = field->origin[k] + somewhere(s, field->snode, field->axes[k]);
  if (below(4) == 0) memcpy(&bits, &field->default_bits, sizeof bits);
  return sn_field_set(tree, &s->tree, f, index,
                      field->type == SN_TYPE_BOOL ? (const void *)&truth : (const void *)&bits);
}

static void furnish(const shape *s, sn_tree *tree, int64_t times)
{
  int64_t index[SN_MAX_AXES];
  int code = SN_OK;

  for (int64_t k = 0; k < times && code == SN_OK; k++) {
    const int id = (int)below((int64_t)s->tree.snode_count);
    const snd_snode_kind kind = s->nodes[id].kind;
    const int64_t what = below(8);
    if (what < 5 || id == 0) {
      if (s->tree.field_count > 0)
        code = set_field(s, tree, (int)below((int64_t)s->tree.field_count));
    } else if (what < 7) {
      index_of_node(s, id, index);
      code = sn_snode_activate(tree, &s->tree, id, index);
    } else if (kind != SND_SNODE_DENSE) {
      index_of_container(s, id, index);
      code = sn_snode_deactivate(tree, &s->tree, id, index);
    }
  }
  if (code != SN_OK) bail(sn_strerror(code));
}

/* ---- comparing: by the host's access, not by what wrote the files ---- */

static size_t row_bytes;

static int compare_rows(const void *a, const void *b) { return memcmp(a, b, row_bytes); }

/* The active cells of a field, index and value side by side, in order; how many. */
static int64_t rows_of(const shape *s, sn_tree *tree, int f, unsigned char **out)
{
  const snd_field_info *field = &s->fields[f];
  const size_t axes = field->axis_count, bytes = type_bytes(field->type);
  int64_t n = 0, *index;
  unsigned char *values, *rows;

  if (sn_field_count(tree, &s->tree, f, &n) != SN_OK) bail("count");
  index = calloc((size_t)n * axes + 1, sizeof *index);
  values = calloc((size_t)n + 1, bytes);
  row_bytes = axes * sizeof *index + bytes;
  rows = calloc((size_t)n + 1, row_bytes);
  if (index == NULL || values == NULL || rows == NULL) bail("no memory");
  if (sn_field_read_active(tree, &s->tree, f, index, values, n, &n) != SN_OK) bail("read_active");
  for (int64_t k = 0; k < n; k++) {
    memcpy(rows + (size_t)k * row_bytes, index + (size_t)k * axes, axes * sizeof *index);
    memcpy(rows + (size_t)k * row_bytes + axes * sizeof *index, values + (size_t)k * bytes, bytes);
  }
  qsort(rows, (size_t)n, row_bytes, compare_rows);
  free(index);
  free(values);
  *out = rows;
  return n;
}

static int same_field(const shape *s, sn_tree *a, const shape *other, sn_tree *b, int f)
{
  unsigned char *left, *right;
  const int64_t n = rows_of(s, a, f, &left), m = rows_of(other, b, f, &right);
  const int same = n == m && memcmp(left, right, (size_t)n * row_bytes) == 0;

  if (!same) diag("field%d: %d and %d active cells", f, (int)n, (int)m);
  free(left);
  free(right);
  return same;
}

static int same_node(const shape *s, sn_tree *a, const shape *other, sn_tree *b, int id, int looks)
{
  int64_t index[SN_MAX_AXES], n = 0, m = 0;
  int differ = 0;

  if (sn_snode_count(a, &s->tree, id, &n) != SN_OK ||
      sn_snode_count(b, &other->tree, id, &m) != SN_OK)
    bail("count");
  differ = n != m;
  if (differ) diag("node%d: %d and %d active cells", id, (int)n, (int)m);
  while (looks-- > 0) {
    int left = 0, right = 0;
    index_of_node(s, id, index);
    if (sn_snode_is_active(a, &s->tree, id, index, &left) != SN_OK ||
        sn_snode_is_active(b, &other->tree, id, index, &right) != SN_OK)
      bail("is_active");
    differ |= left != right;
  }
  return !differ;
}

static int same(const shape *s, sn_tree *a, const shape *other, sn_tree *b)
{
  int held = 1;

  for (int id = 1; id < (int)s->tree.snode_count; id++) held &= same_node(s, a, other, b, id, 6);
  for (int f = 0; f < (int)s->tree.field_count; f++) held &= same_field(s, a, other, b, f);
  return held;
}

/* ---- round trips ---- */

static char path[512];

static sn_tree *tree_in(sn_context *context, const shape *s)
{
  sn_tree *tree = NULL;

  if (sn_tree_create(context, &s->module, &s->tree, NULL, NULL, &tree) != SN_OK)
    bail(sn_context_error(context));
  return tree;
}

static int went(int code, sn_context *context)
{
  if (code != SN_OK) diag("%s: %s", sn_strerror(code), sn_context_error(context));
  return code == SN_OK;
}

/* Through a file, onto a tree that held something else; then by copy. */
static int trip(const shape *s, sn_tree *from, const shape *other, sn_context *to)
{
  sn_tree *tree = tree_in(to, other);
  int held = 1;

  furnish(other, tree, 10);
  held &= went(sn_tree_save(from, &s->tree, path), to);
  held &= went(sn_tree_load(tree, &other->tree, path), to);
  held = held && same(s, from, other, tree);
  furnish(other, tree, 10);
  held &= went(sn_tree_copy(tree, from, &other->tree), to);
  held = held && same(s, from, other, tree);
  sn_tree_destroy(tree);
  return held;
}

static sn_context *new_context(const char *device)
{
  sn_config *config;
  sn_context *context = NULL;

  if (sn_config_create(&config) != SN_OK ||
      (device && sn_config_set(config, "device", device) != SN_OK) ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  sn_config_destroy(config);
  return context;
}

/* How many of these trees lost something on a way. */
static int lost(sn_context *from, sn_context *to, int trees)
{
  int wrong = 0;

  for (int k = 0; k < trees; k++) {
    shape *s = new_shape(), *other = laid_anew(s);
    sn_tree *tree = tree_in(from, s);
    furnish(s, tree, below(4) == 0 ? 0 : 10 + below(150));
    if (!trip(s, tree, other, to)) wrong++;
    sn_tree_destroy(tree);
    free(s);
    free(other);
  }
  return wrong;
}

int main(void)
{
  const char *place = getenv("TMPDIR"), *device = getenv("SNODE_DEVICE");
  /* A new tree on a device takes much memory ahead: that is what costs. */
  const int trees = device && strncmp(device, "gpu", 3) == 0 ? 4 : 15;
  sn_context *own = new_context(NULL), *host = new_context("host");

  snprintf(path, sizeof path, "%s/snode-shapes-%ld", place && *place ? place : "/tmp",
           (long)getpid());
  state = 17;
  is_int(lost(own, own, 2 * trees), 0, "%d trees in one context", 2 * trees);
  is_int(lost(own, host, trees), 0, "%d trees to the host", trees);
  is_int(lost(host, own, trees), 0, "%d trees from the host", trees);
  (void)unlink(path);
  is_int(sn_context_destroy(own), SN_OK, "nothing leaks");
  is_int(sn_context_destroy(host), SN_OK, "nor on the host");
  return done_testing();
}
