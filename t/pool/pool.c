/* What a device's tasks make out of the context's pool, against plain C.
 *
 *   pool fill N | twice N | race N | whirl N | again TIMES | copy N | limit N | failing N | paint N
 */
#define _POSIX_C_SOURCE 200809L
#include "particles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, LISTS = 2 * SIDE };

static sn_context *context;
static int failures;

static void ok(int holds, const char *what)
{
  if (!holds)
    printf("failed: %s\n", what);
  failures += !holds;
}

/* The call's code; another than `expected` is told, with its text. */
static int is(int code, int expected, const char *what)
{
  if (code != expected)
    printf("%s: %s: %s\n", what, sn_strerror(code), sn_context_error(context));
  ok(code == expected, what);
  return code;
}

static particles_particles *make(void)
{
  particles_particles *tree = NULL;

  is(particles_particles_create(context, NULL, &tree), SN_OK, "create");
  return tree;
}

/* Lists as long as n particles make them. */
static void check_all(particles_particles *tree, int n)
{
  static int64_t lists[LISTS][LISTS];
  int64_t held = 0, length = 0;
  double total = 0, expected = 0;
  int same = 1;

  memset(lists, 0, sizeof lists);
  for (int k = 0; k < n; k++) {
    lists[k * 7919 % LISTS][k / LISTS * 5 % LISTS]++;
    expected += k + 0.5;
  }
  is(particles_held(tree, &held), SN_OK, "held");
  is(particles_total(tree, &total), SN_OK, "total");
  ok(held == n, "as many particles as were appended");
  ok(total == expected, "with their values, and the defaults of what was not written");
  for (int i = 0; i < LISTS; i++)
    for (int j = 0; j < LISTS; j += 9) {
      is(particles_list_length(tree, i, j, &length), SN_OK, "length");
      same &= length == lists[i][j];
    }
  ok(same, "each list is as long as it should be");
}

/* Whatever is there is whole: lists are as long as what is visited of them. */
static void check_valid(particles_particles *tree, int n)
{
  int64_t held = 0, length = 0, sum = 0;
  double total = 0;

  is(particles_held(tree, &held), SN_OK, "held");
  is(particles_total(tree, &total), SN_OK, "total");
  for (int i = 0; i < LISTS; i++)
    for (int j = 0; j < LISTS; j++) {
      is(particles_list_length(tree, i, j, &length), SN_OK, "length");
      sum += length;
    }
  ok(held < n && held == sum, "lists are cut to what has memory");
}

static void fill(int n)
{
  particles_particles *tree = make();

  if (is(particles_seed(tree, 0, n), SN_OK, "seed") == SN_OK) check_all(tree, n);
  /* what has been made is used, and added to */
  if (is(particles_seed(tree, n, n), SN_OK, "seed more") == SN_OK) check_all(tree, 2 * n);
  is(particles_particles_deactivate_all(tree), SN_OK, "deactivate_all");
  if (is(particles_seed(tree, 0, n), SN_OK, "seed anew") == SN_OK) check_all(tree, n);
  particles_particles_destroy(tree);
}

/* A pool that is too small: the error, a tree that is valid, and a second run that passes. */
static void twice(int n)
{
  particles_particles *tree = make();
  const int code = particles_seed(tree, 0, n);

  printf("%s: %s\n", sn_strerror(code), sn_context_error(context));
  sn_context_clear(context);
  check_valid(tree, n);
  is(particles_particles_deactivate_all(tree), SN_OK, "deactivate_all");
  if (is(particles_seed(tree, 0, n), SN_OK, "the second run") == SN_OK) check_all(tree, n);
  particles_particles_destroy(tree);
}

/* As race() in plain C. */
static void race(int n)
{
  static unsigned char is_there[SIDE * SIDE];
  particles_tiles *tiles = NULL;
  particles_far *far = NULL;
  int64_t count = 0, sum = 0, mark = 0, expected_count = 0, expected_sum = 0, there = 0;

  is(particles_tiles_create(context, NULL, &tiles), SN_OK, "create");
  is(particles_far_create(context, NULL, &far), SN_OK, "create");
  is(particles_race(tiles, far, n), SN_OK, "race");
  for (int k = 0; k < n; k++) {
    is_there[k * 7919 % (SIDE * SIDE)] = 1;
    expected_count += k % 5;
    expected_sum += k % 3;
  }
  for (int k = 0; k < SIDE * SIDE; k++) there += is_there[k];
  is(particles_counted(tiles, &count), SN_OK, "counted");
  is(particles_marked(tiles, &mark), SN_OK, "marked");
  is(particles_summed(far, &sum), SN_OK, "summed");
  ok(count == expected_count, "each addition to a tile is there");
  ok(mark == -7 * 48 * 48 * there, "cells that were not written hold their default");
  ok(sum == expected_sum, "each addition to a spot is there");
  is(particles_tile_count(tiles, &count), SN_OK, "count");
  ok(count == there, "each tile was made once");
  particles_tiles_destroy(tiles);
  particles_far_destroy(far);
}

/* More lists, n <= 4096, than there is memory for: a kernel that leaves the same when it is run
 * twice is, by libsnode, until it has had enough; one that does not tells that there was none. */
static void paint(int n)
{
  particles_particles *tree = make();
  int64_t held = 0;
  double total = 0;

  printf("gather: %s\n", sn_strerror(particles_gather(tree, n)));
  sn_context_clear(context);
  particles_particles_destroy(tree);
  tree = make();
  printf("paint: %s\n", sn_strerror(particles_paint(tree, n)));
  is(particles_held(tree, &held), SN_OK, "held");
  is(particles_total(tree, &total), SN_OK, "total");
  ok(held == 4 * (int64_t)n, "each list has its cells once");
  ok(total == (double)n * (n - 1) / 2 + 2.0 * n, "with what was assigned, and defaults");
  particles_particles_destroy(tree);
}

static void whirl(int n)
{
  particles_tiles *tiles = NULL;
  int64_t count = 0, mark = 0, tile = 0;

  is(particles_tiles_create(context, NULL, &tiles), SN_OK, "create");
  for (int k = 0; k < 3; k++) {
    is(particles_whirl(tiles, n), SN_OK, "whirl");
    is(particles_tile_count(tiles, &tile), SN_OK, "count");
    is(particles_counted(tiles, &count), SN_OK, "counted");
    is(particles_marked(tiles, &mark), SN_OK, "marked");
    ok(count >= 0 && count <= (int64_t)n * (k + 1), "no addition is there twice");
    ok(mark == -7 * 48 * 48 * tile, "defaults");
  }
  particles_tiles_destroy(tiles);
}

/* Where an allocation of libsnode's fails (SNODE_FAIL_ALLOCATION) the call says so, and the next
 * one works. */
static void failing(int n)
{
  particles_particles *tree = NULL;
  int code = particles_particles_create(context, NULL, &tree);

  ok(code == SN_OK || code == SN_ENOMEM, "create works, or says that there is no memory");
  if (code != SN_OK) tree = make();
  code = particles_seed(tree, 0, n);
  ok(code == SN_OK || code == SN_ENOMEM, "seed works, or says that there is no memory");
  if (code != SN_OK) {
    sn_context_clear(context);
    is(particles_particles_deactivate_all(tree), SN_OK, "deactivate_all");
    is(particles_seed(tree, 0, n), SN_OK, "seed again");
  }
  code = particles_seed(tree, n, n);
  ok(code == SN_OK || code == SN_ENOMEM, "seed works again, or says that there is no memory");
  if (code != SN_OK) {
    sn_context_clear(context);
    is(particles_particles_deactivate_all(tree), SN_OK, "deactivate_all");
    is(particles_seed(tree, 0, 2 * n), SN_OK, "seed all");
  }
  check_all(tree, 2 * n);
  particles_particles_destroy(tree);
}

/* Pages of the process: address space, or what is touched. */
static long pages(int touched)
{
  FILE *file = fopen("/proc/self/statm", "r");
  long size = -1, resident = -1;

  if (file && fscanf(file, "%ld %ld", &size, &resident) != 2) size = resident = -1;
  if (file) (void)fclose(file);
  return touched ? resident : size;
}

/* Trees that come and go: from the second on none takes more than the one before. */
static void again(int times)
{
  long first = 0, last = 0;

  for (int k = 0; k < times; k++) {
    particles_particles *tree = make();
    is(particles_seed(tree, 0, 4000), SN_OK, "seed");
    particles_particles_destroy(tree);
    last = pages(0);
    if (k == 1) first = last;
  }
  ok(last <= first + 256, "no tree leaves anything");
  /* one that stays keeps what it has, and nothing of the others */
  particles_particles *stays = make();
  is(particles_seed(stays, 0, 4000), SN_OK, "seed");
  for (int k = 0; k < times; k++) {
    particles_particles *tree = make();
    is(particles_seed(tree, 0, 2000), SN_OK, "seed");
    particles_particles_destroy(tree);
    last = pages(0);
    if (k == 1) first = last;
  }
  ok(last <= first + 256, "beside one that stays either");
  check_all(stays, 4000);
  particles_particles_destroy(stays);
}

static void copy(int n)
{
  particles_particles *from = make(), *to = make();

  is(particles_seed(from, 0, n), SN_OK, "seed");
  is(particles_particles_save(from, "saved"), SN_OK, "save");
  is(particles_particles_load(to, "saved"), SN_OK, "load");
  check_all(to, n);
  is(particles_particles_deactivate_all(to), SN_OK, "deactivate_all");
  is(particles_particles_copy(to, from), SN_OK, "copy");
  check_all(to, n);
  particles_particles_destroy(from);
  particles_particles_destroy(to);
}

/* Memory runs out; bytes of cells do not pass the limit, where SNODE_MEMORY_LIMIT says one. */
static void limit(int n)
{
  particles_particles *tree = make();
  sn_memory_info rows[8];
  const char *text = getenv("SNODE_MEMORY_LIMIT");
  const int64_t most = text ? atoll(text) : 0;
  int64_t chunks = 0;
  const int code = particles_seed(tree, 0, n);
  int count = 0;

  printf("%s: %s\n", sn_strerror(code), sn_context_error(context));
  sn_context_clear(context);
  check_valid(tree, n);
  is(particles_particles_memory(tree, rows, 8, &count), SN_OK, "memory");
  for (int k = 0; k < count; k++)
    if (strcmp(rows[k].name, "list") == 0) chunks = rows[k].chunks;
  ok(chunks > 0 && (!text || chunks * 151552 <= most), "the list's chunks are within the limit");
  particles_particles_destroy(tree);
}

static int run(const char *what, int n)
{
  static const struct { const char *name; void (*run)(int); } all[] = {
    { "fill", fill }, { "twice", twice }, { "race", race }, { "whirl", whirl },
    { "again", again }, { "copy", copy }, { "limit", limit }, { "failing", failing },
    { "paint", paint }
  };

  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (strcmp(what, all[k].name) == 0) {
      all[k].run(n);
      return 1;
    }
  return 0;
}

int main(int argc, char **argv)
{
  if (argc < 3 || sn_context_create(NULL, &context) != SN_OK || !run(argv[1], atoi(argv[2])))
    return 2;
  ok(sn_context_destroy(context) == SN_OK, "the context goes");
  return failures != 0;
}
