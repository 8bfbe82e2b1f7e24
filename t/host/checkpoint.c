/* Trees saved, loaded and copied: between contexts, thread counts and units; files that
 * are damaged, cut off, foreign or cannot be written change nothing.
 * By hand from t/host/module.h; the first context is as the environment says, the second
 * one is on the host. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* mkdir */
#endif
#include "t/host/folder.h"
#include "t/host/module.h"

#include <errno.h>

#define AT(...) ((const int64_t[]){ __VA_ARGS__ })

static sn_context *new_context(const char *device, const char *threads)
{
  sn_config *config;
  sn_context *context = NULL;

  if (sn_config_create(&config) != SN_OK ||
      (device && sn_config_set(config, "device", device) != SN_OK) ||
      (threads && sn_config_set(config, "threads", threads) != SN_OK) ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  sn_config_destroy(config);
  return context;
}

static sn_tree *grid_in(sn_context *context, int64_t n)
{
  sn_tree *grid = NULL;

  if (new_grid(context, n, &grid) != SN_OK) bail(sn_context_error(context));
  return grid;
}

/* ---- what a tree holds, as one text of numbers ---- */

enum { MOST = 2048 };

typedef struct held {
  float level;
  int on;
  int64_t tiles, nodes, subs;
  uint8_t active[MOST];          /* tiles, then subs */
  float u[MOST];
  int32_t v[MOST];
  double w[MOST];
  int64_t flag[10];
} held;

static void hold(sn_tree *grid, int64_t n, held *out)
{
  int code = SN_OK;

  memset(out, 0, sizeof *out);
#define STEP(call) if (code == SN_OK) code = (call)
  STEP(sn_field_get(grid, &grid_info, GRID_LEVEL, NULL, &out->level));
  STEP(sn_field_get(grid, &grid_info, GRID_ON, NULL, &out->on));
  STEP(sn_snode_count(grid, &grid_info, GRID_TILE, &out->tiles));
  STEP(sn_snode_count(grid, &grid_info, GRID_NODE, &out->nodes));
  STEP(sn_snode_count(grid, &grid_info, GRID_SUB, &out->subs));
  for (int64_t t = 0; t < n * 4; t++) {
    int active = 0;
    STEP(sn_snode_is_active(grid, &grid_info, GRID_TILE, AT(t / 4, t % 4), &active));
    out->active[t] = (uint8_t)active;
    for (int64_t k = 0; k < 3; k++) {
      STEP(sn_snode_is_active(grid, &grid_info, GRID_SUB, AT(t / 4, t % 4, k), &active));
      out->active[n * 4 + t * 3 + k] = (uint8_t)active;
    }
  }
  STEP(sn_field_read(grid, &grid_info, GRID_U, NULL, sn_span_host(out->u, sizeof out->u), NULL));
  STEP(sn_field_read(grid, &grid_info, GRID_V, NULL, sn_span_host(out->v, sizeof out->v), NULL));
  STEP(sn_field_read(grid, &grid_info, GRID_W, NULL, sn_span_host(out->w, sizeof out->w), NULL));
  STEP(sn_field_read(grid, &grid_info, GRID_FLAG, NULL,
                     sn_span_host(out->flag, sizeof out->flag), NULL));
#undef STEP
  if (code != SN_OK) bail(sn_strerror(code));
}

static int same(sn_tree *a, sn_tree *b, int64_t n)
{
  static held left, right;

  hold(a, n, &left);
  hold(b, n, &right);
  return memcmp(&left, &right, sizeof left) == 0;
}

/* Something in every corner: values, active cells that hold only defaults, empty tiles,
 * root values. */
static void furnish(sn_tree *grid, int64_t n, unsigned seed)
{
  int code = SN_OK;
#define STEP(call) if (code == SN_OK) code = (call)
  STEP(sn_field_set(grid, &grid_info, GRID_LEVEL, NULL, &(float){ (float)seed }));
  STEP(sn_field_set(grid, &grid_info, GRID_ON, NULL, &(int){ 1 }));
  STEP(sn_field_set(grid, &grid_info, GRID_FLAG, AT(seed % 10), &(int64_t){ -5 }));
  for (int64_t k = 0; k < n * 2; k++) {
    const int64_t i = (int64_t)(seed = seed * 1103515245u + 12345u) >> 8 & 0xffff;
    const int64_t j = (int64_t)(seed = seed * 1103515245u + 12345u) >> 8 & 0xffff;
    switch (k % 4) {
    case 0:
      STEP(sn_field_set(grid, &grid_info, GRID_U, AT(i % (4 * n), j % 32), &(float){ (float)i }));
      break;
    case 1:
      STEP(sn_field_set(grid, &grid_info, GRID_V, AT(j % 32, i % (4 * n)),
                        &(int32_t){ (int32_t)j }));
      break;
    case 2:
      STEP(sn_field_set(grid, &grid_info, GRID_W, AT(i % n, j % 4, k % 3), &(double){ -2.0 }));
      break;
    default:
      STEP(sn_snode_activate(grid, &grid_info, GRID_TILE, AT(i % n, j % 4)));
    }
  }
#undef STEP
  if (code != SN_OK) bail(sn_strerror(code));
}

static void empty(sn_tree *grid)
{
  if (sn_tree_deactivate_all(grid, &grid_info) != SN_OK) bail("deactivate_all");
}

static int64_t count_of(sn_tree *grid, int snode)
{
  int64_t n = -1;

  return sn_snode_count(grid, &grid_info, snode, &n) == SN_OK ? n : -99;
}

static int save(sn_tree *grid, const char *path) { return sn_tree_save(grid, &grid_info, path); }
static int load(sn_tree *grid, const char *path) { return sn_tree_load(grid, &grid_info, path); }

/* ---- round trips ---- */

static void test_round_trip(sn_context *from, sn_context *to, int64_t n, const char *what)
{
  sn_tree *a = grid_in(from, n), *b = grid_in(to, n);
  const char *path = path_of("tree");

  is_int(save(a, path), SN_OK, "%s: a new tree is saved", what);
  furnish(b, n, 5);
  is_int(load(b, path), SN_OK, "%s: and loaded over another", what);
  ok(same(a, b, n), "%s: which is new again", what);
  furnish(a, n, 7);
  is_int(save(a, path), SN_OK, "%s: saved over the first file", what);
  is_int(load(b, path), SN_OK, "%s: loaded", what);
  ok(same(a, b, n), "%s: the same cells, the same values", what);
  is_int(load(b, path), SN_OK, "%s: loaded twice", what);
  ok(same(a, b, n), "%s: no difference", what);
  furnish(b, n, 9);
  is_int(sn_tree_copy(b, a, &grid_info), SN_OK, "%s: copied", what);
  ok(same(a, b, n), "%s: the copy is the same", what);
  is_int(sn_tree_copy(a, a, &grid_info), SN_OK, "%s: onto itself", what);
  ok(same(a, b, n), "%s: nothing changed", what);
  empty(a);
  is_int(sn_tree_copy(b, a, &grid_info), SN_OK, "%s: an empty tree is copied", what);
  ok(same(a, b, n), "%s: and is empty", what);
  is_int(files_in_folder(), 1, "%s: one file in all", what);
  sn_tree_destroy(a);
  sn_tree_destroy(b);
}

/* More than a batch of everything: records, cells, bytes of values. */
static void test_large(sn_context *from, sn_context *to, const char *what)
{
  enum { N = 17000, U = N * 4 * 32, W = N * 4 * 3 };
  static float u[U], read_u[U];
  static double w[W], read_w[W];
  sn_tree *a = grid_in(from, N), *b = grid_in(to, N);
  const sn_span us = sn_span_host(u, sizeof u), ws = sn_span_host(w, sizeof w);
  const sn_span read_us = sn_span_host(read_u, sizeof u), read_ws = sn_span_host(read_w, sizeof w);
  int64_t tiles = 0, subs = 0;

  for (int k = 0; k < U; k++) u[k] = (float)(k % 1000003);
  for (int k = 0; k < W; k++) w[k] = k % 5 ? (double)k : -2.0;
  is_int(sn_field_write(a, &grid_info, GRID_U, NULL, us, NULL), SN_OK, "%s: a large tree", what);
  is_int(sn_field_write(a, &grid_info, GRID_W, NULL, ws, NULL), SN_OK, "%s: with subs", what);
  is_int(save(a, path_of("tree")), SN_OK, "%s: saved", what);
  for (int way = 0; way < 2; way++) {
    if (way == 0) is_int(load(b, path_of("tree")), SN_OK, "%s: loaded", what);
    else is_int(sn_tree_copy(b, a, &grid_info), SN_OK, "%s: copied", what);
    memset(read_u, 0, sizeof read_u);
    memset(read_w, 0, sizeof read_w);
    if (sn_field_read(b, &grid_info, GRID_U, NULL, read_us, NULL) != SN_OK ||
        sn_field_read(b, &grid_info, GRID_W, NULL, read_ws, NULL) != SN_OK ||
        sn_snode_count(b, &grid_info, GRID_TILE, &tiles) != SN_OK ||
        sn_snode_count(b, &grid_info, GRID_SUB, &subs) != SN_OK)
      bail("read");
    ok(memcmp(u, read_u, sizeof u) == 0 && memcmp(w, read_w, sizeof w) == 0, "%s: all values",
       what);
    is_int(tiles, N * 4, "%s: tiles", what);
    is_int(subs, W - W / 5, "%s: subs", what);
    empty(b);
  }
  sn_tree_destroy(a);
  sn_tree_destroy(b);
}

/* Few of very many: the cost is what is active, and a bit for each slot. */
static void test_huge(sn_context *context)
{
  const int64_t n = INT64_C(1) << 24;
  sn_tree *a = grid_in(context, n), *b = grid_in(context, n);
  struct stat status;
  float value = 0;

  for (int64_t k = 0; k < 5; k++)
    is_int(sn_field_set(a, &grid_info, GRID_U, AT(k * 3333333 * 4, k), &(float){ (float)k }), SN_OK,
           "a cell of many");
  is_int(save(a, path_of("tree")), SN_OK, "2^26 slots are saved");
  ok(stat(path_of("tree"), &status) == 0 && status.st_size < 8192, "in %d bytes",
     (int)status.st_size);
  is_int(load(b, path_of("tree")), SN_OK, "and loaded");
  is_int(count_of(b, GRID_TILE), 5, "all cells");
  is_int(sn_field_get(b, &grid_info, GRID_U, AT(4 * 3333333 * 4, 4), &value), SN_OK, "a value");
  is_double(value, 4, "as it was");
  sn_tree_destroy(a);
  sn_tree_destroy(b);
}

/* ---- files as bytes ---- */

typedef struct file {
  unsigned char bytes[1 << 16];
  size_t length;
} file;

static void read_file(const char *path, file *out)
{
  FILE *in = fopen(path, "rb");

  if (in == NULL) bail("no file");
  out->length = fread(out->bytes, 1, sizeof out->bytes, in);
  fclose(in);
}

static void write_file(const char *path, const file *from)
{
  FILE *out;

  (void)unlink(path);            /* a file that is overwritten is awaited by some disks */
  out = fopen(path, "wb");
  if (out == NULL || fwrite(from->bytes, 1, from->length, out) != from->length || fclose(out) != 0)
    bail("a file could not be written");
}

/* By the definition: a bit at a time. */
static uint32_t crc_of(const unsigned char *bytes, size_t count)
{
  uint32_t sum = 0xffffffffu;

  for (size_t k = 0; k < count; k++) {
    sum ^= bytes[k];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
  }
  return ~sum;
}

static uint64_t number_at(const unsigned char *at, int bytes)
{
  uint64_t number = 0;

  for (int k = bytes - 1; k >= 0; k--) number = number << 8 | at[k];
  return number;
}

static void put_number(unsigned char *at, uint32_t number)
{
  for (int k = 0; k < 4; k++) at[k] = (unsigned char)(number >> 8 * k);
}

/* The checksums made true again after a change. */
static void mend(file *f)
{
  size_t at = 16;

  put_number(f->bytes + 12, crc_of(f->bytes, 12));
  while (at + 24 <= f->length) {
    const size_t length = (size_t)number_at(f->bytes + at + 8, 8);
    if (length > f->length - at - 24) return;
    put_number(f->bytes + at + 16, crc_of(f->bytes + at + 24, length));
    put_number(f->bytes + at + 20, crc_of(f->bytes + at, 20));
    at += 24 + length;
  }
}

/* As docs/checkpoint.md says, read without the library. */
static void test_format(const file *f)
{
  static const unsigned char magic[8] = { 0x89, 'S', 'N', 'T', '\r', '\n', 0x1a, '\n' };
  size_t at = 16;
  uint64_t number = 0, wrong = 0;
  char kinds[64] = "";

  ok(memcmp(f->bytes, magic, 8) == 0, "the magic");
  is_int(number_at(f->bytes + 8, 4), 1, "the format's version");
  is_int(number_at(f->bytes + 12, 4), crc_of(f->bytes, 12), "its checksum");
  while (at + 24 <= f->length) {
    const size_t length = (size_t)number_at(f->bytes + at + 8, 8);
    wrong += number_at(f->bytes + at + 4, 4) != number++;
    wrong += number_at(f->bytes + at + 20, 4) != crc_of(f->bytes + at, 20);
    if (length > f->length - at - 24) break;
    wrong += number_at(f->bytes + at + 16, 4) != crc_of(f->bytes + at + 24, length);
    if (strlen(kinds) < 60) strncat(kinds, (const char *)f->bytes + at, 1);
    at += 24 + length;
  }
  is_int(wrong, 0, "block after block: number, checksums");
  is_int(at, f->length, "to the end");
  is_str(kinds, "TCDDDCDDCDD", "TREE, the root's cells, tiles with nodes, subs, DONE");
}

/* ---- files that are not what they should be ---- */

/* What loading the bytes says; the context's text is cleared. */
static int load_bytes(sn_context *context, sn_tree *grid, const file *f, char *text)
{
  const char *path = path_of("tree");
  int code;

  write_file(path, f);
  code = load(grid, path);
  strcpy(text, sn_context_error(context));
  sn_context_clear(context);
  return code;
}

static void test_refused(sn_context *context, sn_tree *grid, const file *f, int code,
                         const char *part, const char *what)
{
  char text[2048];

  is_int(load_bytes(context, grid, f, text), code, "%s: refused", what);
  if (!ok(strstr(text, part) != NULL, "%s: the reason", what)) diag("said: %s", text);
}

static void test_damage(sn_context *context)
{
  sn_tree *a = grid_in(context, 1), *b = grid_in(context, 1), *before = grid_in(context, 1);
  static file whole, f;
  char text[2048];
  int loaded = 0, unsaid = 0;

  furnish(a, 1, 3);
  furnish(b, 1, 4);
  is_int(sn_field_set(a, &grid_info, GRID_W, AT(0, 1, 2), &(double){ 0.5 }), SN_OK, "a sub");
  is_int(sn_tree_copy(before, b, &grid_info), SN_OK, "a copy to compare with");
  is_int(save(a, path_of("tree")), SN_OK, "a small file");
  read_file(path_of("tree"), &whole);
  test_format(&whole);

  for (size_t k = 0; k < whole.length; k++) {
    f = whole;
    f.bytes[k] ^= (unsigned char)(1 << k % 8);
    loaded += load_bytes(context, b, &f, text) != SN_EIO;
    unsaid += strstr(text, "damaged") == NULL && strstr(text, "no file of a tree") == NULL;
  }
  is_int(loaded, 0, "one bit changed, in any of %d bytes: refused", (int)whole.length);
  is_int(unsaid, 0, "and it says that it is damaged");
  loaded = unsaid = 0;
  for (f = whole; f.length-- > 0;) {
    char end[64];
    snprintf(end, sizeof end, "is cut off at byte %d", (int)f.length);
    loaded += load_bytes(context, b, &f, text) != SN_EIO;
    unsaid += strstr(text, end) == NULL;
  }
  is_int(loaded, 0, "cut off at any byte: refused");
  is_int(unsaid, 0, "and it says where");
  ok(same(b, before, 1), "none of them has changed the tree");

  f = whole;
  f.bytes[f.length++] = 0;
  test_refused(context, b, &f, SN_EIO, "goes on behind its end", "a byte too many");
  f = whole;
  put_number(f.bytes + 8, 2);
  mend(&f);
  test_refused(context, b, &f, SN_EIO, "has version 2", "a newer version");
  strcpy((char *)f.bytes, "Once upon a time there was a tree.");
  test_refused(context, b, &f, SN_EIO, "is no file of a tree", "a text");
  ok(same(b, before, 1), "nor have these");
  is_int(load_bytes(context, b, &whole, text), SN_OK, "the whole file is loaded");
  ok(same(a, b, 1), "as it was saved");

  /* Wrong numbers under right checksums: no crash, and whole trees only. */
  loaded = 0;
  for (size_t k = 16; k < whole.length; k++) {
    const unsigned char change[] = { 1, 0x80, 0xff };
    f = whole;
    f.bytes[k] ^= change[k % 3];
    mend(&f);
    loaded += load_bytes(context, b, &f, text) == SN_OK;
  }
  ok(loaded > 0 && loaded < (int)whole.length, "%d of %d forged files were trees", loaded,
     (int)whole.length - 16);
  is_int(load_bytes(context, b, &whole, text), SN_OK, "a whole file after them");
  ok(same(a, b, 1), "makes the tree again");
  sn_tree_destroy(a);
  sn_tree_destroy(b);
  sn_tree_destroy(before);
}

/* ---- other trees, other fields ---- */

static sn_tree *tree_of(sn_context *context, const sn_tree_info *info, int64_t n)
{
  sn_tree *tree = NULL;

  if (sn_tree_create(context, &hand, info, &n, NULL, &tree) != SN_OK)
    bail(sn_context_error(context));
  return tree;
}

static void refuses(sn_context *context, const sn_tree_info *info, int64_t n, const char *part)
{
  sn_tree *tree = tree_of(context, info, n);

  is_int(sn_tree_load(tree, info, path_of("tree")), SN_EINVAL, "another tree: %s", part);
  if (!ok(strstr(sn_context_error(context), part) != NULL, "the reason"))
    diag("said: %s", sn_context_error(context));
  sn_context_clear(context);
  sn_tree_destroy(tree);
}

static void test_other_trees(sn_context *context)
{
  sn_tree *grid = grid_in(context, 3);
  snd_snode_info snodes[5];
  snd_field_info fields[6];
  sn_tree_info info = grid_info;
  snd_axis_info axes[1] = { { 0, 11, NULL } };

  furnish(grid, 3, 8);
  is_int(save(grid, path_of("tree")), SN_OK, "a file");
  sn_tree_destroy(grid);
  info.snodes = snodes;
  info.fields = fields;
#define AGAIN() (memcpy(snodes, grid_snodes, sizeof snodes), \
                 memcpy(fields, grid_fields, sizeof fields))
  AGAIN();
  refuses(context, &grid_info, 4, "extent 0 of tile is 3 there and 4 here");
  refuses(context, &other_info, 3, "holds another tree: grid, and not other");
  snodes[GRID_SUB].name = "twig";
  refuses(context, &info, 3, "SNode 3 is pointer sub there and pointer twig here");
  AGAIN();
  snodes[GRID_MARK].axes = axes;
  refuses(context, &info, 3, "extent 0 of mark is 10 there and 11 here");
  AGAIN();
  snodes[GRID_MARK].kind = SND_SNODE_BITMASKED;
  refuses(context, &info, 3, "SNode 4 is dense mark there and bitmasked mark here");
  AGAIN();
  fields[GRID_FLAG].type = SN_TYPE_F64;
  refuses(context, &info, 3, "field flag is i64 in SNode 4 there and f64 in SNode 4 here");
  AGAIN();
  fields[GRID_U].origin[1] = -4;
  refuses(context, &info, 3, "index 1 of field u begins at 0 there and at -4 here");
  AGAIN();
  fields[GRID_V].axes[0] = 0;
  fields[GRID_V].axes[1] = 1;
  refuses(context, &info, 3, "index 0 of field v runs along another axis");
  info.snode_count = 4;
  info.field_count = 5;
  AGAIN();
  refuses(context, &info, 3, "it has 5 SNodes there and 4 here");
#undef AGAIN
}

/* u is new here, v is gone: by another name for each. */
static void test_other_fields(sn_context *context)
{
  sn_tree *grid = grid_in(context, 3), *other;
  snd_field_info fields[6];
  sn_tree_info info = grid_info;
  int32_t v = 0;
  float u = 0;
  double w = 0;
  int64_t n = 0;

  memcpy(fields, grid_fields, sizeof fields);
  fields[GRID_U].name = "height";
  fields[GRID_V].name = "width";
  info.fields = fields;
  other = tree_of(context, &info, 3);
  is_int(sn_field_set(grid, &grid_info, GRID_U, AT(1, 1), &(float){ 9 }), SN_OK, "u");
  is_int(sn_field_set(grid, &grid_info, GRID_W, AT(2, 3, 1), &(double){ 4 }), SN_OK, "w");
  is_int(sn_field_set(other, &info, GRID_V, AT(1, 1), &(int32_t){ 9 }), SN_OK, "width");
  is_int(save(grid, path_of("tree")), SN_OK, "a file");
  is_int(sn_tree_load(other, &info, path_of("tree")), SN_OK, "other fields: loaded");
  ok(strstr(sn_context_error(context),
            "at their defaults, since they are not in the file: height, width; "
            "skipped, since the tree has them not: u, v") != NULL, "and listed");
  is_int(sn_field_get(other, &info, GRID_U, AT(1, 1), &u), SN_OK, "a new field");
  is_double(u, 1.5, "has its default");
  is_int(sn_field_get(other, &info, GRID_V, AT(1, 1), &v), SN_OK, "another");
  is_int(v, 0, "too, where it was something else");
  is_int(sn_field_get(other, &info, GRID_W, AT(2, 3, 1), &w), SN_OK, "one that both have");
  is_double(w, 4, "is loaded");
  is_int(sn_snode_count(other, &info, GRID_NODE, &n), SN_OK, "cells");
  is_int(n, 64, "are those of the file");
  is_int(sn_field_get(other, &info, GRID_U, AT(99, 1), &u), SN_EBOUNDS, "an error");
  ok(strstr(sn_context_error(context), "99") != NULL, "takes the place of that text");
  sn_context_clear(context);
  sn_tree_destroy(grid);
  sn_tree_destroy(other);
}

/* ---- what the disk and the caller do wrong ---- */

static void fails(sn_context *context, int code, int expected, const char *part)
{
  is_int(code, expected, "refused: %s", part);
  if (!ok(strstr(sn_context_error(context), part) != NULL, "the reason"))
    diag("said: %s", sn_context_error(context));
  sn_context_clear(context);
}

static void test_misuse(sn_context *context, sn_context *host)
{
  sn_tree *grid = grid_in(context, 3), *four = grid_in(host, 4);
  sn_tree *other = tree_of(context, &other_info, 3);
  struct stat status;

  is_int(save(NULL, path_of("tree")), SN_EINVAL, "no tree to save");
  is_int(load(NULL, path_of("tree")), SN_EINVAL, "none to load");
  is_int(sn_tree_copy(NULL, grid, &grid_info), SN_EINVAL, "none to copy to");
  fails(context, sn_tree_copy(grid, NULL, &grid_info), SN_EINVAL, "the source is NULL");
  fails(context, sn_tree_copy(grid, other, &grid_info), SN_EINVAL, "was given a hand_other");
  fails(host, sn_tree_copy(four, grid, &grid_info), SN_EINVAL,
        "tile has an extent of 4 in one tree and of 3 in the other");
  fails(context, save(grid, NULL), SN_EINVAL, "the path is NULL");
  fails(context, load(grid, NULL), SN_EINVAL, "the path is NULL");
  fails(context, load(grid, path_of("none")), SN_EIO, strerror(ENOENT));
  fails(context, load(grid, folder), SN_EIO, strerror(EISDIR));
  fails(context, save(grid, folder), SN_EIO, strerror(EISDIR));
  fails(context, save(grid, path_of("none/tree")), SN_EIO, strerror(ENOENT));
  if (stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode)) {
    fails(context, save(grid, "/dev/full"), SN_EIO, strerror(ENOSPC));
    ok(stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode), "a device stays a device");
  }
  is_int(files_in_folder(), 1, "no file is left beside");
  sn_tree_destroy(grid);
  sn_tree_destroy(four);
  sn_tree_destroy(other);
}

int main(void)
{
  sn_context *own = new_context(NULL, NULL), *host = new_context("host", "3");

  make_folder();
  test_round_trip(own, own, 5, "one context");
  test_round_trip(own, host, 5, "to the host");
  test_round_trip(host, own, 16, "from the host");

  test_large(own, host, "large, to the host");
  test_large(host, own, "large, from the host");
  test_huge(host);
  test_damage(host);
  test_other_trees(own);
  test_other_fields(own);
  test_misuse(own, host);
  (void)unlink(path_of("tree"));
  is_int(rmdir(folder), 0, "nothing is left behind");
  is_int(sn_context_destroy(own), SN_OK, "nothing leaks");
  is_int(sn_context_destroy(host), SN_OK, "nor on the host");
  return done_testing();
}
