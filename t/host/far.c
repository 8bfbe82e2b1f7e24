/* How far a hash reaches: all below its cells has indices of 64 bits.  What the host's calls
 * take, what a file may hold. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L
#endif
#include "t/host/folder.h"
#include "t/host/kinds.h"

#define AT(...) ((const int64_t[]){ __VA_ARGS__ })

/* Of f, whose cells are 4 x 4 below a cell of the hash and whose first index begins at 100. */
static const int64_t reach_i = INT64_MAX / 4 - 25, reach_j = INT64_MAX / 4;

static void refuses(sn_context *context, int code, int expected, const char *part)
{
  is_int(code, expected, "refused: %s", part);
  if (!ok(strstr(sn_context_error(context), part) != NULL, "the reason"))
    diag("said: %s", sn_context_error(context));
  sn_context_clear(context);
}

static int set_f(sn_tree *zoo, int64_t i, int64_t j, double value)
{
  return sn_field_set(zoo, &zoo_info, ZOO_F, AT(i, j), &value);
}

static void test_calls(sn_context *context, sn_tree *zoo)
{
  const sn_box box = { { INT64_MIN, 0 }, { INT64_MIN + 1, 1 } };
  double value = 0;
  int active = 0;

  is_int(sn_snode_activate(zoo, &zoo_info, ZOO_FAR, AT(reach_i, reach_j)), SN_OK, "the last cell");
  is_int(sn_snode_activate(zoo, &zoo_info, ZOO_FAR, AT(-reach_i - 1, -reach_j - 1)), SN_OK,
         "the first one");
  refuses(context, sn_snode_activate(zoo, &zoo_info, ZOO_FAR, AT(reach_i + 1, 0)), SN_EBOUNDS,
          "index (2305843009213693927, 0) of far is outside the extents -2305843009213693927 .. "
          "2305843009213693926 x -2305843009213693952 .. 2305843009213693951");
  refuses(context, sn_snode_activate(zoo, &zoo_info, ZOO_FAR, AT(0, -reach_j - 2)), SN_EBOUNDS,
          "of far is outside");
  refuses(context, sn_snode_is_active(zoo, &zoo_info, ZOO_FAR, AT(INT64_MIN, 0), &active),
          SN_EBOUNDS, "of far is outside");
  is_int(set_f(zoo, INT64_MIN + 200, 0, 6), SN_OK, "f at its first index");
  is_int(set_f(zoo, INT64_MAX, INT64_MAX, 7), SN_OK, "f at its last one");
  is_int(sn_field_get(zoo, &zoo_info, ZOO_F, AT(INT64_MAX, INT64_MAX), &value), SN_OK, "read");
  is_double(value, 7, "is there");
  refuses(context, set_f(zoo, INT64_MIN + 199, 0, 1), SN_EBOUNDS, "of f is outside the extents");
  refuses(context, sn_field_read(zoo, &zoo_info, ZOO_F, &box,
                                 sn_span_host(&value, sizeof value), NULL), SN_EBOUNDS,
          "the box of f goes from -9223372036854775808 to -9223372036854775807 on index 0");
  is_int(sn_tree_deactivate_all(zoo, &zoo_info), SN_OK, "empty");
}

/* ---- a file with another coordinate ---- */

static uint32_t crc_of(const unsigned char *bytes, size_t count)
{
  uint32_t sum = UINT32_MAX;

  for (size_t k = 0; k < count; k++) {
    sum ^= bytes[k];
    for (int b = 0; b < 8; b++) sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xEDB88320) : 0);
  }
  return ~sum;
}

static void put(unsigned char *at, uint64_t value, int bytes)
{
  for (int k = 0; k < bytes; k++) at[k] = (unsigned char)(value >> 8 * k);
}

static uint64_t get(const unsigned char *at, int bytes)
{
  uint64_t value = 0;

  for (int k = bytes; k-- > 0;) value = value << 8 | at[k];
  return value;
}

/* The blocks of cells of the SNode: word `word` of the first record becomes value; the checksums
 * are made anew.  Gives how many. */
static int change_records(unsigned char *file, size_t size, int snode, int word, int64_t value)
{
  int changed = 0;

  for (size_t at = 16; at + 24 <= size; at += 24 + get(file + at + 8, 8)) {
    unsigned char *head = file + at, *payload = head + 24;
    if (memcmp(head, "CELL", 4) != 0 || get(payload, 4) != (uint64_t)snode) continue;
    put(payload + 24 + 8 * word, (uint64_t)value, 8);
    put(head + 16, crc_of(payload, get(head + 8, 8)), 4);
    put(head + 20, crc_of(head, 20), 4);
    changed++;
  }
  return changed;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");

  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) bail("no file");
}

static void test_file(sn_context *context, sn_tree *zoo)
{
  /* sub: a record has the coordinates of the cell that holds the container, those of far */
  static const struct { int snode, word; int64_t value; int code; } cases[] = {
    { ZOO_FAR, 0, INT64_C(1) << 62, SN_EIO }, { ZOO_FAR, 1, INT64_MIN, SN_EIO },
    { ZOO_FAR, 0, INT64_MAX / 4 - 25 + 1, SN_EIO }, { ZOO_SUB, 0, INT64_C(1) << 62, SN_EIO },
    { ZOO_SUB, 1, -(INT64_MAX / 4) - 2, SN_EIO }, { ZOO_FAR, 1, INT64_MAX / 4, SN_OK }
  };
  static unsigned char bytes[1 << 16], changed[1 << 16];
  FILE *file;
  size_t size;

  is_int(set_f(zoo, 180, 5, 3), SN_OK, "a cell");
  is_int(sn_snode_activate(zoo, &zoo_info, ZOO_SUB, AT(20, 1, 1)), SN_OK, "one below it");
  is_int(sn_tree_save(zoo, &zoo_info, path_of("zoo")), SN_OK, "a file");
  file = fopen(path_of("zoo"), "rb");
  size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (!file || size == sizeof bytes || fclose(file) != 0) bail("no file");
  for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
    double value = 0;
    memcpy(changed, bytes, size);
    is_int(change_records(changed, size, cases[k].snode, cases[k].word, cases[k].value), 1,
           "another coordinate");
    write_file(path_of("changed"), changed, size);
    if (cases[k].code == SN_OK) {
      is_int(sn_tree_load(zoo, &zoo_info, path_of("changed")), SN_OK, "the last one there is");
    } else {
      refuses(context, sn_tree_load(zoo, &zoo_info, path_of("changed")), SN_EIO,
              "a cell that cannot be");
      is_int(sn_field_get(zoo, &zoo_info, ZOO_F, AT(180, 5), &value), SN_OK, "the tree");
      is_double(value, 3, "is as it was");
    }
  }
  (void)unlink(path_of("zoo"));
  (void)unlink(path_of("changed"));
}

int main(void)
{
  sn_context *context;
  sn_tree *zoo = NULL;

  make_folder();
  if (sn_context_create(NULL, &context) != SN_OK || new_zoo(context, 2, NULL, &zoo) != SN_OK)
    bail("no tree");
  test_calls(context, zoo);
  test_file(context, zoo);
  sn_tree_destroy(zoo);
  is_int(sn_context_destroy(context), SN_OK, "nothing leaks");
  is_int(rmdir(folder), 0, "nothing is left behind");
  return done_testing();
}
