/* Every kind of SNode through the library: shapes, calls on cells and boxes, lists, GC,
 * memory.  By hand from t/host/kinds.h; the device is SNODE_DEVICE's. */
#include "t/host/kinds.h"
#include "t/tap.h"

#define AT(...) ((const int64_t[]){ __VA_ARGS__ })

static sn_tree *zoo_of_extent(sn_context *context, int64_t n)
{
  sn_tree *zoo = NULL;

  if (!is_int(new_zoo(context, n, NULL, &zoo), SN_OK, "create a zoo"))
    bail(sn_context_error(context));
  return zoo;
}

static int64_t count(sn_tree *zoo, int snode)
{
  int64_t n = -1;

  return sn_snode_count(zoo, &zoo_info, snode, &n) == SN_OK ? n : -99;
}

static int64_t length(sn_tree *zoo, int snode, const int64_t *index)
{
  int64_t n = -1;

  return sn_snode_length(zoo, &zoo_info, snode, index, &n) == SN_OK ? n : -99;
}

static int is_active(sn_tree *zoo, int snode, const int64_t *index)
{
  int active = -1;

  return sn_snode_is_active(zoo, &zoo_info, snode, index, &active) == SN_OK ? active : -99;
}

static double get(sn_tree *zoo, int field, const int64_t *index)
{
  union { float f32; double f64; int32_t i32; int64_t i64; uint8_t u8; } value = { 0 };

  if (sn_field_get(zoo, &zoo_info, field, index, &value) != SN_OK) return -99;
  switch (zoo_fields[field].type) {
  case SN_TYPE_F32: return (double)value.f32;
  case SN_TYPE_F64: return value.f64;
  case SN_TYPE_I32: return (double)value.i32;
  case SN_TYPE_I64: return (double)value.i64;
  default: return (double)value.u8;
  }
}

static int set(sn_tree *zoo, int field, const int64_t *index, double to)
{
  union { float f32; double f64; int32_t i32; int64_t i64; uint8_t u8; } value = { 0 };

  switch (zoo_fields[field].type) {
  case SN_TYPE_F32: value.f32 = (float)to; break;
  case SN_TYPE_F64: value.f64 = to; break;
  case SN_TYPE_I32: value.i32 = (int32_t)to; break;
  case SN_TYPE_I64: value.i64 = (int64_t)to; break;
  default: value.u8 = (uint8_t)to; break;
  }
  return sn_field_set(zoo, &zoo_info, field, index, &value);
}

static double statistic(sn_context *context, const char *name)
{
  double sum = -1;

  return sn_stat_get(context, name, &sum) == SN_OK ? sum : -99;
}

static sn_memory_info memory_of(sn_tree *zoo, int snode)
{
  sn_memory_info rows[ZOO_SNODES];
  int n = 0;

  if (sn_tree_memory(zoo, &zoo_info, rows, ZOO_SNODES, &n) != SN_OK || n != ZOO_SNODES - 1)
    bail("no memory rows");
  return rows[snode - 1];
}

/* ---- one cell ---- */

static void test_bitmasked(sn_context *context)
{
  sn_tree *zoo = zoo_of_extent(context, 7);

  is_double(get(zoo, ZOO_M, AT(6, 4)), 2.5, "an inactive bitmasked cell reads as its default");
  is_int(is_active(zoo, ZOO_SPOT, AT(6, 4)), 0, "and stays inactive");
  is_int(set(zoo, ZOO_M, AT(6, 4), 8), SN_OK, "set");
  is_double(get(zoo, ZOO_M, AT(6, 4)), 8, "what was set");
  is_int(is_active(zoo, ZOO_SPOT, AT(6, 4)), 1, "is active");
  is_int(is_active(zoo, ZOO_SPOT, AT(6, 3)), 0, "its neighbour is not");
  is_int(count(zoo, ZOO_SPOT), 1, "one cell");
  is_int(set(zoo, ZOO_D, AT(1, 2, 3), 4), SN_OK, "a pointer below");
  is_int(count(zoo, ZOO_SPOT), 2, "activates the cell that holds it");
  is_int(count(zoo, ZOO_DEEP), 1, "and itself");
  is_int(sn_snode_activate(zoo, &zoo_info, ZOO_ALIVE, AT(5, 3, 69)), SN_OK,
         "a cell without components");
  is_int(is_active(zoo, ZOO_ALIVE, AT(5, 3, 69)), 1, "is active");
  is_int(count(zoo, ZOO_ALIVE), 1, "alone");
  is_int(count(zoo, ZOO_TILE), 1, "in its tile");
  is_double(get(zoo, ZOO_C, AT(9, 21)), 1.5, "a field with an origin");
  is_int(set(zoo, ZOO_C, AT(-10 + 19, 4 + 17), 3), SN_OK, "its last index");
  is_double(get(zoo, ZOO_C, AT(9, 21)), 3, "is set");
  is_int(is_active(zoo, ZOO_CELL, AT(17, 19)), 1, "and counted from 0 as a node's cell");
  is_int(set(zoo, ZOO_C, AT(10, 21), 3), SN_EBOUNDS, "one beyond");
  is_int(set(zoo, ZOO_C, AT(-11, 4), 3), SN_EBOUNDS, "one below");
  is_int(set(zoo, ZOO_C, AT(INT64_MIN, 4), 3), SN_EBOUNDS, "far below");
  ok(strstr(sn_context_error(context),
            "index (10, 21) of c is outside the extents -10 .. 9 x 4 .. 21") != NULL,
     "says where: %s", sn_context_error(context));
  sn_context_clear(context);
  is_int(sn_snode_deactivate(zoo, &zoo_info, ZOO_SPOT, AT(1, 2)), SN_OK, "deactivate");
  is_int(count(zoo, ZOO_DEEP), 0, "what lies below goes too");
  is_int(sn_snode_activate(zoo, &zoo_info, ZOO_SPOT, AT(1, 2)), SN_OK, "activate again");
  is_double(get(zoo, ZOO_D, AT(1, 2, 3)), -1, "the default");
  is_int(is_active(zoo, ZOO_DEEP, AT(1, 2, 3)), 0, "inactive");
  is_int(sn_snode_deactivate_all(zoo, &zoo_info, ZOO_SPOT), SN_OK, "deactivate_all");
  is_int(count(zoo, ZOO_SPOT), 0, "no cell");
  is_double(get(zoo, ZOO_M, AT(6, 4)), 2.5, "defaults");
  sn_tree_destroy(zoo);
}

static void test_dynamic(sn_context *context)
{
  sn_tree *zoo = zoo_of_extent(context, 3);
  int64_t last = -1, n = 0;

  is_int(length(zoo, ZOO_TRAIL, AT(2, 4)), 0, "an empty list");
  is_double(get(zoo, ZOO_T, AT(2, 4, 999)), 9, "reads as its default");
  is_int(set(zoo, ZOO_T, AT(2, 4, 40), 5), SN_OK, "writing position 40");
  is_int(length(zoo, ZOO_TRAIL, AT(2, 4)), 41, "makes it 41 long");
  is_double(get(zoo, ZOO_T, AT(2, 4, 40)), 5, "what was written");
  is_double(get(zoo, ZOO_T, AT(2, 4, 39)), 9, "what was skipped has its default");
  is_int(is_active(zoo, ZOO_TRAIL, AT(2, 4, 39)), 1, "and is active");
  is_int(is_active(zoo, ZOO_TRAIL, AT(2, 4, 41)), 0, "beyond the end nothing is");
  is_int(sn_snode_activate(zoo, &zoo_info, ZOO_TRAIL, AT(2, 4, 60)), SN_OK, "activate");
  is_int(length(zoo, ZOO_TRAIL, AT(2, 4)), 61, "reaches that far");
  is_int(set(zoo, ZOO_T, AT(2, 4, 1000), 5), SN_EBOUNDS, "past the extent");
  is_int(count(zoo, ZOO_TRAIL), 61, "61 cells");
  is_int(sn_field_count(zoo, &zoo_info, ZOO_T, &n), SN_OK, "counted by the field");
  is_int(n, 61, "too");
  is_int(zoo_call(&kinds_grow_list, zoo, 3, 2, 100000, 0, &last), SN_OK, "append 100000");
  is_int(last, 99999, "the last position");
  is_int(length(zoo, ZOO_LIST, AT(3, 2)), 100000, "the length");
  is_int(count(zoo, ZOO_LIST), 100000, "the count, by pieces");
  is_int(set(zoo, ZOO_X, AT(3, 2, 77777), 6), SN_OK, "set in the middle");
  is_double(get(zoo, ZOO_X, AT(3, 2, 77777)), 6, "what was set");
  is_double(get(zoo, ZOO_X, AT(3, 2, 99999)), 0.5, "an appended cell has its default");
  is_int(sn_snode_capacity(zoo, &zoo_info, ZOO_LIST, &n), SN_OK, "capacity");
  is_int(n, 24 * (1 << 22), "of all containers");
  sn_context_clear(context);
  is_int(zoo_call(&kinds_grow_log, zoo, 0, 0, 40, 0, &last), SN_OK, "fill the log");
  is_int(last, 39, "to its extent");
  is_int(zoo_call(&kinds_grow_log, zoo, 0, 0, 1, 0, &last), SN_ECAPACITY, "one more");
  ok(strstr(sn_context_error(context), "log of kinds_zoo, whose extent is 40") != NULL,
     "says what is full: %s", sn_context_error(context));
  sn_context_clear(context);
  is_int(length(zoo, ZOO_LOG, NULL), 40, "its length stays");
  is_double(get(zoo, ZOO_G, AT(39)), 4, "its cells too");
  is_int(sn_snode_deactivate(zoo, &zoo_info, ZOO_LOG, NULL), SN_OK, "empty the log");
  is_int(length(zoo, ZOO_LOG, NULL), 0, "it is empty");
  ok(zoo_call(&kinds_spend_log, zoo, 0, 0, 3000000, 1, &last) != SN_OK,
     "append and empty, for ever");
  ok(strstr(sn_context_error(context), "log of kinds_zoo has") != NULL,
     "says what is used up, which is no extent: %s", sn_context_error(context));
  sn_context_clear(context);
  is_int(zoo_call(&kinds_spend_log, zoo, 0, 0, 1000, 1, &last), SN_OK,
         "a task later it can be had");
  is_int(sn_snode_deactivate(zoo, &zoo_info, ZOO_LIST, AT(3, 2)), SN_OK, "empty the list");
  is_int(count(zoo, ZOO_LIST), 0, "no cell");
  is_int(count(zoo, ZOO_TILE), 1, "its tile stays");
  is_int(memory_of(zoo, ZOO_LIST).active, 0, "and no memory is in use");
  is_int(set(zoo, ZOO_X, AT(3, 2, 1), 1), SN_OK, "write again");
  is_double(get(zoo, ZOO_X, AT(3, 2, 0)), 0.5, "memory used again has its defaults");
  is_int(sn_snode_length(zoo, &zoo_info, ZOO_TILE, AT(0, 0), &n), SN_EINVAL, "a pointer's length");
  is_int(sn_snode_length(zoo, &zoo_info, ZOO_LIST, NULL, &n), SN_EINVAL, "length of nothing");
  is_int(sn_snode_length(zoo, &zoo_info, ZOO_LIST, AT(0, 0), NULL), SN_EINVAL, "to nowhere");
  is_int(sn_snode_length(NULL, &zoo_info, ZOO_LIST, AT(0, 0), &n), SN_EINVAL, "of no tree");
  is_int(sn_snode_length(zoo, &zoo_info, ZOO_LIST, AT(6, 0), &n), SN_EBOUNDS, "outside");
  sn_context_clear(context);
  sn_tree_destroy(zoo);
}

static void test_hash(sn_context *context)
{
  static const int64_t far[][2] = {
    { 0, 0 }, { -1, -1 }, { INT64_C(1) << 40, -5 }, { 100, 7 }, { INT64_MIN / 2, INT64_MAX } };
  enum { FAR = sizeof far / sizeof *far };
  int64_t index[16 * FAR * 2], n = 0, lo[2], hi[2];
  double value[16 * FAR], back[6], six[6] = { 1, 2, 3, 4, 5, 6 };
  const sn_box box = { { -2, -1 }, { 0, 2 } };
  const sn_box vast = { { INT64_MIN / 2, 0 }, { INT64_MAX / 2, 9 } };
  sn_tree *zoo = zoo_of_extent(context, 3);
  int wrong = 0;

  is_double(get(zoo, ZOO_F, AT(-7, 12)), 3, "a hash reads as its default anywhere");
  is_int(count(zoo, ZOO_FAR), 0, "and activates nothing");
  for (int k = 0; k < FAR; k++)
    is_int(set(zoo, ZOO_F, far[k], 10 + k), SN_OK, "set at (%lld, %lld)", (long long)far[k][0],
           (long long)far[k][1]);
  for (int k = 0; k < FAR; k++)
    is_double(get(zoo, ZOO_F, far[k]), 10 + k, "read at (%lld, %lld)", (long long)far[k][0],
              (long long)far[k][1]);
  is_int(count(zoo, ZOO_FAR), FAR, "a cell each");
  is_int(count(zoo, ZOO_NODE), 16 * FAR, "16 nodes each");
  is_int(is_active(zoo, ZOO_FAR, AT(-26, -1)), 1, "the floor of (-1 - 100) / 4, of -1 / 4");
  is_int(is_active(zoo, ZOO_FAR, AT(-25, 0)), 1, "of (0 - 100) / 4");
  is_int(sn_field_read_active(zoo, &zoo_info, ZOO_F, index, value, 16 * FAR, &n), SN_OK,
         "read_active");
  is_int(n, 16 * FAR, "all of them");
  for (int k = 0; k < FAR; k++) {
    int found = 0;
    for (int r = 0; r < 16 * FAR; r++)
      found += index[2 * r] == far[k][0] && index[2 * r + 1] == far[k][1] &&
               value[r] > 9.5 + k && value[r] < 10.5 + k;
    wrong += found != 1;
  }
  is_int(wrong, 0, "with the field's own indices");
  is_int(sn_field_write(zoo, &zoo_info, ZOO_F, &box, sn_span_host(six, sizeof six), NULL), SN_OK,
         "a box around 0");
  is_int(sn_field_read(zoo, &zoo_info, ZOO_F, &box, sn_span_host(back, sizeof back), NULL), SN_OK,
         "read");
  is_int(memcmp(six, back, sizeof six), 0, "what was written");
  is_double(get(zoo, ZOO_F, AT(-2, -1)), 1, "its first cell");
  is_int(set(zoo, ZOO_S, AT(-3, INT64_C(1) << 50, 1), 7), SN_OK, "a pointer below");
  is_double(get(zoo, ZOO_S, AT(-3, INT64_C(1) << 50, 1)), 7, "what was set");
  is_int(count(zoo, ZOO_SUB), 1, "one of them");
  is_int(sn_field_read(zoo, &zoo_info, ZOO_F, NULL, sn_span_host(back, sizeof back), NULL),
         SN_EINVAL, "all of a field without extents");
  is_int(sn_field_read(zoo, &zoo_info, ZOO_F, &vast, sn_span_host(back, sizeof back), NULL),
         SN_EINVAL, "more than there is memory");
  is_int(sn_field_shape(zoo, &zoo_info, ZOO_F, lo, hi), SN_EINVAL, "its shape");
  is_int(sn_snode_capacity(zoo, &zoo_info, ZOO_FAR, &n), SN_EINVAL, "its capacity");
  is_int(sn_snode_capacity(zoo, &zoo_info, ZOO_SUB, &n), SN_EINVAL, "that of what is below");
  sn_context_clear(context);
  is_int(set(zoo, ZOO_S, AT(0, 0, 2), 7), SN_EBOUNDS, "an axis that has an extent");
  ok(strstr(sn_context_error(context), " x 0 .. 1") != NULL, "says which: %s",
     sn_context_error(context));
  sn_context_clear(context);
  is_int(sn_snode_deactivate(zoo, &zoo_info, ZOO_FAR, AT(-25, 0)), SN_OK, "deactivate");
  is_double(get(zoo, ZOO_F, AT(0, 0)), 3, "the default");
  is_int(is_active(zoo, ZOO_FAR, AT(-25, 0)), 0, "inactive");
  is_int(set(zoo, ZOO_F, AT(1, 1), 2), SN_OK, "activate again");
  is_double(get(zoo, ZOO_F, AT(0, 0)), 3, "a fresh cell");
  is_int(sn_tree_deactivate_all(zoo, &zoo_info), SN_OK, "the whole tree");
  is_int(count(zoo, ZOO_FAR), 0, "is empty");
  is_int(count(zoo, ZOO_SUB), 0, "all of it");
  sn_tree_destroy(zoo);
}

/* ---- boxes, lists of cells ---- */

static void test_fields(sn_context *context)
{
  static float all[20 * 18], back[20 * 18];
  const sn_box box = { { -10, 4 }, { -9, 22 } }, below = { { -11, 4 }, { -9, 5 } };
  int64_t index[3 * 70], lo[2], hi[2], n = 0;
  int32_t value[70];
  double total = 0;
  sn_tree *zoo = zoo_of_extent(context, 3);

  is_int(sn_field_shape(zoo, &zoo_info, ZOO_C, lo, hi), SN_OK, "the shape of c");
  is_int(lo[0] == -10 && hi[0] == 10 && lo[1] == 4 && hi[1] == 22, 1, "from its origin on");
  for (int k = 0; k < 20 * 18; k++) all[k] = k % 7 == 0 ? (float)k : 1.5f;
  is_int(sn_field_write(zoo, &zoo_info, ZOO_C, NULL, sn_span_host(all, sizeof all), NULL), SN_OK,
         "write all of c");
  is_int(sn_field_read(zoo, &zoo_info, ZOO_C, NULL, sn_span_host(back, sizeof back), NULL), SN_OK,
         "read it");
  is_int(memcmp(all, back, sizeof all), 0, "what was written");
  is_int(count(zoo, ZOO_CELL), 52, "only what is not the default became active");
  is_int(sn_field_read(zoo, &zoo_info, ZOO_C, &box, sn_span_host(back, 18 * sizeof(float)), NULL),
         SN_OK, "its first row");
  is_int(memcmp(all, back, 18 * sizeof(float)), 0, "in the field's own indices");
  is_int(sn_field_read(zoo, &zoo_info, ZOO_C, &below, sn_span_host(back, sizeof back), NULL),
         SN_EBOUNDS, "a box below the origin");
  sn_context_clear(context);
  is_int(set(zoo, ZOO_T, AT(0, 0, 30), 1), SN_OK, "a list of 31");
  is_int(set(zoo, ZOO_T, AT(2, 4, 38), 2), SN_OK, "and one of 39");
  is_int(sn_field_read_active(zoo, &zoo_info, ZOO_T, index, value, 70, &n), SN_OK, "read_active");
  is_int(n, 70, "both");
  for (int k = 0; k < n; k++)
    total += (double)(value[k] != 9) * (double)(index[3 * k] + 10 * index[3 * k + 1] +
                                                100 * index[3 * k + 2]);
  is_double(total, 3000 + 3842, "with their indices");
  is_int(sn_field_fill(zoo, &zoo_info, ZOO_T, &(int32_t){ 6 }), SN_OK, "fill");
  is_double(get(zoo, ZOO_T, AT(2, 4, 17)), 6, "cells have it");
  is_double(get(zoo, ZOO_T, AT(2, 4, 39)), 9, "beyond the end the default stays");
  sn_tree_destroy(zoo);
}

/* ---- lists: what is made anew, and what is not ---- */

static void test_lists(sn_context *context)
{
  double made, masks, reused;
  sn_tree *zoo = zoo_of_extent(context, 3);

#define NOTE() (made = statistic(context, "listgen"), masks = statistic(context, "listmasks"), \
                reused = statistic(context, "lists_reused"))
#define SINCE(m, k, what) \
  (is_double(statistic(context, "listgen") - made, m, "%s: layers made", what), \
   is_double(statistic(context, "listmasks") - masks, k, "%s: masks made", what))
  is_int(set(zoo, ZOO_C, AT(0, 4), 1), SN_OK, "one cell");
  NOTE();
  is_int(count(zoo, ZOO_CELL), 1, "counted");
  SINCE(2, 0, "first");
  NOTE();
  is_int(count(zoo, ZOO_CELL), 1, "again");
  SINCE(0, 0, "unchanged");
  ok(statistic(context, "lists_reused") > reused, "a list was used again");
  is_int(set(zoo, ZOO_C, AT(1, 4), 1), SN_OK, "another cell of the container");
  NOTE();
  is_int(count(zoo, ZOO_CELL), 2, "counted");
  SINCE(0, 1, "a leaf's own change");
  is_int(set(zoo, ZOO_C, AT(1, 5), 1), SN_OK, "a third");
  NOTE();
  is_int(count(zoo, ZOO_TILE), 1, "the layer above");
  SINCE(0, 0, "is not touched");
  is_int(set(zoo, ZOO_C, AT(9, 21), 1), SN_OK, "another tile");
  NOTE();
  is_int(count(zoo, ZOO_CELL), 4, "counted");
  SINCE(1, 1, "the tile's masks and the cells' list");
  is_int(set(zoo, ZOO_F, AT(0, 0), 1), SN_OK, "a key");
  is_int(count(zoo, ZOO_FAR), 1, "counted");
  is_int(set(zoo, ZOO_F, AT(50, 0), 1), SN_OK, "another key");
  NOTE();
  is_int(count(zoo, ZOO_FAR), 2, "counted");
  SINCE(0, 1, "a hash has one container");
  sn_tree_destroy(zoo);
#undef NOTE
#undef SINCE
}

/* ---- GC, memory ---- */

static void test_collect(sn_context *context)
{
  sn_tree *zoo = zoo_of_extent(context, 6);
  int64_t last = 0;
  double gc, taken;

  for (int round = 0; round < 100; round++) {
    int bad = 0;
    for (int64_t i = 0; i < 6; i++) {
      bad += set(zoo, ZOO_D, AT(i, i % 4, i % 3), 1) != SN_OK;
      bad += set(zoo, ZOO_T, AT(i, i % 4, 100), 1) != SN_OK;
      bad += set(zoo, ZOO_X, AT(i, i % 4, 1000), 1) != SN_OK;
      bad += set(zoo, ZOO_F, AT(100 * i, round), 1) != SN_OK;
      bad += set(zoo, ZOO_S, AT(i, -i, 1), 1) != SN_OK;
    }
    if (round % 3 == 0) bad += sn_tree_deactivate_all(zoo, &zoo_info) != SN_OK;
    else if (round % 3 == 1) {
      bad += sn_snode_deactivate_all(zoo, &zoo_info, ZOO_SPOT) != SN_OK;
      bad += sn_snode_deactivate_all(zoo, &zoo_info, ZOO_TILE) != SN_OK;
      bad += sn_snode_deactivate_all(zoo, &zoo_info, ZOO_FAR) != SN_OK;
    } else {
      for (int64_t i = 0; i < 6; i++)
        bad += zoo_call(&kinds_empty, zoo, i, i % 4, 1, 1, &last) != SN_OK;
      bad += sn_snode_deactivate_all(zoo, &zoo_info, ZOO_FAR) != SN_OK;
    }
    if (bad) is_int(bad, 0, "round %d", round);
  }
  is_int(memory_of(zoo, ZOO_DEEP).ever_allocated, 6, "100 rounds use the same pointer cells");
  is_int(memory_of(zoo, ZOO_TILE).ever_allocated, 6, "the same tiles");
  is_int(memory_of(zoo, ZOO_SUB).ever_allocated, 6, "the same cells below a hash");
  is_int(memory_of(zoo, ZOO_FAR).ever_allocated, 12, "the same cells of the hash");
  is_int(memory_of(zoo, ZOO_TRAIL).ever_allocated, 6 * (1 + 1 + 6), "the same chunks");
  is_int(memory_of(zoo, ZOO_LIST).ever_allocated, 6 * 6, "the same growing chunks");
  for (int s = 1; s < ZOO_SNODES; s++) {
    const sn_memory_info row = memory_of(zoo, s);
    if (s != ZOO_SPOT)
      is_int(row.active + row.recycled, 0, "nothing of %s is in use", row.name);
  }
  is_int(count(zoo, ZOO_SPOT) + count(zoo, ZOO_CELL) + count(zoo, ZOO_FAR), 0, "all is empty");
  is_int(set(zoo, ZOO_D, AT(1, 1, 1), 1), SN_OK, "one pointer cell");
  is_int(set(zoo, ZOO_X, AT(1, 1, 5), 1), SN_OK, "one tile");
  taken = statistic(context, "activated");
  is_int(set(zoo, ZOO_D, AT(1, 2, 1), 1), SN_OK, "another pointer cell");
  is_double(statistic(context, "activated") - taken, 1, "is counted");
  gc = statistic(context, "gc");
  is_int(zoo_call(&kinds_empty, zoo, 1, 1, 0, 1, &last), SN_EASSERT, "a kernel that fails");
  ok(statistic(context, "gc") > gc, "is collected all the same");
  is_int(memory_of(zoo, ZOO_TILE).recycled, 0, "nothing waits");
  is_int(memory_of(zoo, ZOO_LIST).active, 0, "and nothing is left");
  is_int(memory_of(zoo, ZOO_DEEP).active, 1, "but what it did not take out");
  ok(strstr(sn_context_error(context), "assertion failed: n > 0") != NULL, "the error stays: %s",
     sn_context_error(context));
  sn_context_clear(context);
  gc = statistic(context, "gc");
  is_int(zoo_call(&kinds_empty, zoo, 5, 3, 1, 1, &last), SN_OK, "nothing to take out");
  is_double(statistic(context, "gc") - gc, 0, "nothing to collect");
  sn_tree_destroy(zoo);
}

/* A limit is met by lists too, and what could not be had is not there. */
static void test_limit(sn_context *context)
{
  sn_tree_options options = SN_TREE_OPTIONS_INIT;
  sn_tree *zoo = NULL;
  int64_t last = 0, n;

  options.memory_limit = 8 << 20;
  is_int(new_zoo(context, 3, &options, &zoo), SN_OK, "a limit of 8 MiB");
  sn_context_clear(context);
  is_int(zoo_call(&kinds_grow_list, zoo, 0, 0, 1 << 22, 0, &last), SN_ENOMEM, "a list of 32 MiB");
  ok(strstr(sn_context_error(context), "SNode list of kinds_zoo") != NULL, "names the SNode: %s",
     sn_context_error(context));
  sn_context_clear(context);
  n = length(zoo, ZOO_LIST, AT(0, 0));
  ok(n > 1000 && n < 1 << 20, "%d cells", (int)n);
  is_double(get(zoo, ZOO_X, AT(0, 0, n - 1)), 0.5, "the last one is there");
  is_int(set(zoo, ZOO_X, AT(0, 0, n - 1), 2), SN_OK, "and can be written");
  is_int(sn_snode_deactivate(zoo, &zoo_info, ZOO_TILE, AT(0, 0)), SN_OK, "give it back");
  is_int(zoo_call(&kinds_grow_list, zoo, 0, 1, 1000, 0, &last), SN_OK, "and there is room again");
  sn_tree_destroy(zoo);
}

/* ---- a hash that grows ---- */

/* More keys than buckets: there are more buckets after the task; keys that have lost their
 * cells go, so that their ids are used again. */
static void test_book(sn_context *context)
{
  enum { WORDS = 1100000 };                      /* buckets begin as 2^20 */
  int64_t *index = malloc(WORDS * sizeof *index), n = 0, total = 0;
  int32_t *value = malloc(WORDS * sizeof *value), out = 0;
  sn_memory_info before, after;
  sn_tree *book = NULL;
  int rows = 0;

  if (!index || !value) bail("no memory");
  for (int64_t k = 0; k < WORDS; k++) {
    index[k] = (k - WORDS / 2) * 1000003;
    value[k] = (int32_t)k;
  }
  is_int(sn_tree_create(context, &kinds, &book_info, NULL, NULL, &book), SN_OK, "a book");
  is_int(sn_field_write_active(book, &book_info, 0, index, value, WORDS), SN_OK, "1100000 words");
  is_int(sn_field_count(book, &book_info, 0, &n), SN_OK, "counted");
  is_int(n, WORDS, "all are there");
  is_int(sn_field_get(book, &book_info, 0, &index[WORDS / 3], &out), SN_OK, "one of them");
  is_int(out, WORDS / 3, "is found");
  is_int(sn_field_get(book, &book_info, 0, AT(1), &out), SN_OK, "one that is not");
  is_int(out, -1, "reads as the default");
  is_int(sn_field_read_active(book, &book_info, 0, index, value, WORDS, &n), SN_OK, "all words");
  for (int64_t k = 0; k < WORDS; k++)
    total += index[k] == (value[k] - WORDS / 2) * INT64_C(1000003);
  is_int(total, WORDS, "by their indices");
  is_int(sn_tree_memory(book, &book_info, &before, 1, &rows), SN_OK, "memory");
  for (int round = 0; round < 3; round++) {
    is_int(sn_snode_deactivate_all(book, &book_info, BOOK_WORD), SN_OK, "erase");
    for (int64_t k = 0; k < WORDS; k++) index[k] = k * 7 + round;
    is_int(sn_field_write_active(book, &book_info, 0, index, value, WORDS), SN_OK, "write others");
  }
  is_int(sn_tree_memory(book, &book_info, &after, 1, &rows), SN_OK, "memory");
  is_int(after.chunks, before.chunks, "the same chunks, of cells and of keys");
  is_int(after.ever_allocated, WORDS, "the same cells");
  is_int(sn_field_get(book, &book_info, 0, AT(2), &out), SN_OK, "the last ones");
  is_int(out, value[0], "are there");
  sn_tree_destroy(book);
  free(index);
  free(value);
}

/* ---- the profile tells them apart ---- */

static void test_profile(void)
{
  sn_context *context = NULL;
  sn_config *config;
  const char *json = NULL;
  sn_tree *zoo;
  int64_t last;

  if (sn_config_create(&config) != SN_OK || sn_config_set(config, "profile", "1") != SN_OK ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  sn_config_destroy(config);
  zoo = zoo_of_extent(context, 3);
  is_int(zoo_call(&kinds_grow_list, zoo, 1, 1, 5000, 0, &last), SN_OK, "append");
  is_int(count(zoo, ZOO_LIST), 5000, "count");
  is_int(zoo_call(&kinds_empty, zoo, 1, 1, 1, 1, &last), SN_OK, "take out");
  is_int(sn_profile_json(context, &json), SN_OK, "json");
  ok(strstr(json, "{\"kind\":\"activation\",\"name\":\"zoo: list\"") != NULL, "activation: %s",
     json);
  ok(strstr(json, "{\"kind\":\"listgen\",\"name\":\"zoo: list\"") != NULL, "list generation");
  ok(strstr(json, "{\"kind\":\"gc\",\"name\":\"zoo: tile\"") != NULL, "collection");
  sn_tree_destroy(zoo);
  is_int(sn_context_destroy(context), SN_OK, "destroy");
}

int main(void)
{
  sn_context *context = NULL;
  sn_tree *zoo;
  int64_t bad = -1;

  if (sn_context_create(NULL, &context) != SN_OK || sn_module_bind(&kinds, context) != SN_OK)
    bail(sn_context_error(context));
  zoo = zoo_of_extent(context, 2);
  is_int(zoo_call(&kinds_shape, zoo, 0, 0, 0, 0, &bad), SN_OK, "look at its shape");
  is_int(bad, 0, "which is as it should be");
  sn_tree_destroy(zoo);
  test_bitmasked(context);
  test_dynamic(context);
  test_hash(context);
  test_fields(context);
  test_lists(context);
  test_collect(context);
  test_limit(context);
  test_book(context);
  test_profile();
  is_int(sn_context_destroy(context), SN_OK, "everything was given back");
  return done_testing();
}
