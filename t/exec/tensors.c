/* Spaces, tensors, slices; values in and out; text. */
#include <snode/task.h>

#include "t/tap.h"

static sn_engine *engine_with(int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  options.workers = workers;
  options.memories = 1;
  is_int(sn_engine_create(&options, &engine), SN_OK, "an engine with %d workers", workers);
  return engine;
}

/* ---- spaces ---- */

static void test_spaces(sn_engine *engine)
{
  const int64_t lengths[] = { 2, 5, 1 }, bad[] = { 2, 0 };
  sn_space *even = NULL, *tiled = NULL, *none = NULL;

  is_int(sn_space_create(engine, 10, 4, &even), SN_OK, "ten in fours");
  is_int(sn_space_tiles(even), 3, "three tiles");
  is_int(sn_space_tile_first(even, 2), 8, "where the last begins");
  is_int(sn_space_tile_length(even, 2), 2, "it has what is left");
  is_int(sn_space_tile_length(even, 3), 0, "no tile beyond");
  is_int(sn_space_create_tiled(engine, lengths, 3, &tiled), SN_OK, "tiles of given lengths");
  is_int(sn_space_extent(tiled), 8, "together");
  is_int(sn_space_tile_first(tiled, 2), 7, "one after the other");
  is_int(sn_space_create(engine, 0, 4, &none), SN_EINVAL, "no indices");
  is_int(sn_space_create_tiled(engine, bad, 2, &none), SN_EINVAL, "an empty tile");
  is_str(sn_engine_error(engine), "a space of 0 indices in tiles of 4: both are 1 or more",
         "the first error");
  ok(none == NULL, "nothing was made");
  sn_engine_clear(engine);
  sn_space_release(even);
  sn_space_release(tiled);
  sn_space_release(NULL);
}

/* ---- dense ---- */

enum { ROWS = 7, COLUMNS = 10 };

static void test_dense(sn_engine *engine)
{
  double from[ROWS][COLUMNS], to[ROWS][COLUMNS], block[3 * 4];
  sn_space *spaces[2];
  sn_tensor *tensor = NULL;
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  int64_t tile[2] = { 1, 2 }, dims[2];
  int wrong = 0;
  sn_slice slice;

  options.name = "A";
  is_int(sn_space_create(engine, ROWS, 3, &spaces[0]), SN_OK, "rows in threes");
  is_int(sn_space_create(engine, COLUMNS, 4, &spaces[1]), SN_OK, "columns in fours");
  is_int(sn_tensor_create(engine, SN_TYPE_F64, 2, spaces, &options, &tensor), SN_OK, "a tensor");
  sn_space_release(spaces[0]);
  sn_space_release(spaces[1]);
  is_int(sn_tensor_blocks(tensor), 9, "nine blocks");
  is_int(sn_tensor_block(tensor, tile), 5, "row-major");
  is_int(sn_tensor_block_dims(tensor, 8, dims), SN_OK, "the last one");
  is_int(dims[0] * 100 + dims[1], 102, "has 1 x 2 elements");
  is_int(sn_tensor_block_dims(tensor, 9, dims), SN_EBOUNDS, "and none behind it");
  is_str(sn_engine_error(engine), "A has blocks 0 to 8, and no block 9", "the text");
  sn_engine_clear(engine);
  slice = sn_slice_whole(tensor);
  slice.lo[1] = 1;
  is_int(sn_slice_blocks(&slice), 6, "two columns of tiles");
  slice.hi[0] = 4;
  is_int(sn_slice_blocks(&slice), 0, "a slice beyond it");

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) from[i][j] = 100 * i + j;
  is_int(sn_tensor_write(tensor, from, sizeof from), SN_OK, "written");
  is_int(sn_tensor_read(tensor, to, sizeof to), SN_OK, "read");
  ok(memcmp(from, to, sizeof to) == 0, "the same");
  is_int(sn_tensor_read_block(tensor, 4, block, sizeof block), SN_OK, "the middle block");
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) wrong += block[4 * i + j] != from[3 + i][4 + j];
  is_int(wrong, 0, "row-major");
  for (int k = 0; k < 12; k++) block[k] = -k;
  is_int(sn_tensor_write_block(tensor, 4, block, sizeof block), SN_OK, "written alone");
  is_int(sn_tensor_read(tensor, to, sizeof to), SN_OK, "read again");
  is_int((int)to[4][5] * 1000 + (int)to[2][5], -5000 + 205, "it and its neighbour");
  is_int(sn_tensor_fill(tensor, 2.5), SN_OK, "filled");
  is_int(sn_tensor_read(tensor, to, sizeof to), SN_OK, "read");
  is_double(to[6][9] + to[0][0], 5, "everywhere");
  is_int(sn_tensor_read(tensor, to, 8), SN_EINVAL, "too few bytes");
  is_str(sn_engine_error(engine), "read of A: 8 bytes are given, it has 560", "the text");
  sn_engine_clear(engine);
  is_int(sn_tensor_read_block(tensor, 9, block, sizeof block), SN_EBOUNDS, "no such block");
  is_int(sn_engine_destroy(engine), SN_ESTATE, "an engine with a tensor stays");
  sn_engine_clear(engine);
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

/* ---- block-sparse, text, other types ---- */

static int on_diagonal(void *user, const int64_t *tile)
{
  ++*(int *)user;
  return tile[0] == tile[1];
}

static void collect(void *user, const char *text)
{
  strncat(user, text, 4000 - strlen(user));
}

static void test_sparse(sn_engine *engine)
{
  int32_t from[16], to[16], expected[16] = { 0 };
  char text[4096] = "";
  int asked = 0;
  sn_space *space, *spaces[2];
  sn_tensor *tensor = NULL;
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;

  options.name = "D";
  options.is_stored = on_diagonal;
  options.user = &asked;
  is_int(sn_space_create(engine, 4, 2, &space), SN_OK, "two tiles of two");
  spaces[0] = spaces[1] = space;
  is_int(sn_tensor_create(engine, SN_TYPE_I32, 2, spaces, &options, &tensor), SN_OK,
         "the diagonal is stored");
  is_int(asked, 4, "asked for each block");
  is_int(sn_tensor_is_stored(tensor, 3) * 10 + sn_tensor_is_stored(tensor, 1), 10, "two are");
  for (int k = 0; k < 16; k++) from[k] = k + 1;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (i / 2 == j / 2) expected[4 * i + j] = from[4 * i + j];
  is_int(sn_tensor_write(tensor, from, sizeof from), SN_OK, "zero blocks take no writes");
  is_int(sn_tensor_read(tensor, to, sizeof to), SN_OK, "and read");
  ok(memcmp(expected, to, sizeof to) == 0, "as zero");
  is_int(sn_tensor_print(tensor, collect, text), SN_OK, "printed");
  is_str(text, "D: 2 dimensions, 4 blocks\nD[0]: 2 x 2\n  1 2 5 6\nD[1]: 2 x 2: zero\n"
               "D[2]: 2 x 2: zero\nD[3]: 2 x 2\n  11 12 15 16\n", "block by block");
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
  sn_space_release(space);
}

static void test_scalar(sn_engine *engine)
{
  static const sn_type types[] = {
    SN_TYPE_BOOL, SN_TYPE_I8, SN_TYPE_I16, SN_TYPE_I32, SN_TYPE_I64, SN_TYPE_U8, SN_TYPE_U16,
    SN_TYPE_U32, SN_TYPE_U64, SN_TYPE_F32, SN_TYPE_F64
  };
  static const int bytes[] = { 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8 };
  double home = 3;
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_tensor *tensor = NULL;

  for (int k = 0; k < 11; k++) {
    uint64_t value = 0;
    char text[256] = "", *last;
    is_int(sn_tensor_create(engine, types[k], 0, NULL, NULL, &tensor), SN_OK, "type %d", k);
    is_int(sn_tensor_fill(tensor, 1) | sn_tensor_read(tensor, &value, (size_t)bytes[k]), SN_OK,
           "one element of %d bytes", bytes[k]);
    is_int(sn_tensor_print(tensor, collect, text), SN_OK, "its text");
    last = strrchr(text, ' ');
    is_str(last ? last : text, " 1\n", "its value");
    is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
  }
  options.home = &home;
  is_int(sn_tensor_create(engine, SN_TYPE_F64, 0, NULL, &options, &tensor), SN_OK,
         "in the caller's memory");
  is_int(sn_tensor_fill(tensor, 7), SN_OK, "filled");
  is_double(home, 7, "in place");
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
  is_int(sn_tensor_create(engine, (sn_type)99, 0, NULL, NULL, &tensor), SN_EINVAL, "no type");
  is_int(sn_tensor_create(engine, SN_TYPE_F64, 13, NULL, NULL, &tensor), SN_EINVAL,
         "no spaces");
  is_int(sn_tensor_destroy(NULL), SN_OK, "nothing to destroy");
  sn_engine_clear(engine);
}

/* Integers of 64 bits, of which a double has not each; values that a type has not. */
static void test_integers(sn_engine *engine)
{
  static const struct { sn_type type; double value; const char *text; } fills[] = {
    { SN_TYPE_I8, 127.5, " 127\n" }, { SN_TYPE_I8, 128, "i8" }, { SN_TYPE_I8, -128.5, " -128\n" },
    { SN_TYPE_I8, -129, "i8" }, { SN_TYPE_U8, -0.5, " 0\n" }, { SN_TYPE_U8, -1, "u8" },
    { SN_TYPE_I64, NAN, "i64" }, { SN_TYPE_I64, 0x1p63, "i64" }, { SN_TYPE_U64, -1, "u64" },
    { SN_TYPE_I64, -0x1p63, " -9223372036854775808\n" }, { SN_TYPE_U64, 0x1p64, "u64" },
    { SN_TYPE_U64, 0x1p63, " 9223372036854775808\n" }, { SN_TYPE_F32, NAN, " nan\n" },
  };
  const int64_t odd = 9007199254740993;
  sn_tensor *tensor = NULL;

  for (size_t k = 0; k < sizeof fills / sizeof *fills; k++) {
    const int is_taken = fills[k].text[0] == ' ';
    char text[256] = "";
    is_int(sn_tensor_create(engine, fills[k].type, 0, NULL, NULL, &tensor), SN_OK, "a tensor");
    is_int(sn_tensor_fill(tensor, fills[k].value), is_taken ? SN_OK : SN_EINVAL, "filled by %g",
           fills[k].value);
    is_int(sn_tensor_print(tensor, collect, text), SN_OK, "its text");
    ok(strstr(is_taken ? text : sn_engine_error(engine), fills[k].text) != NULL, "%s%s", text,
       sn_engine_error(engine));
    sn_engine_clear(engine);
    is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
  }
  is_int(sn_tensor_create(engine, SN_TYPE_I64, 0, NULL, NULL, &tensor), SN_OK, "a tensor");
  {
    char text[256] = "";
    is_int(sn_tensor_write(tensor, &odd, sizeof odd) | sn_tensor_print(tensor, collect, text),
           SN_OK, "a number that no double is");
    ok(strstr(text, " 9007199254740993\n") != NULL, "%s", text);
  }
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

int main(void)
{
  for (int workers = 0; workers < 2; workers++) {
    sn_engine *engine = engine_with(workers);
    test_spaces(engine);
    test_dense(engine);
    test_sparse(engine);
    test_scalar(engine);
    test_integers(engine);
    is_int(sn_engine_destroy(engine), SN_OK, "the engine is gone");
  }
  return done_testing();
}
