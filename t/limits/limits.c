/* What memory limits do to trees: of the options, of one tree, of a process's address space.
 *
 *   limits dense | budget | tree | address [GIB] | threads
 */
#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB (INT64_C(1) << 20)

static sn_context *make(const char *limit)
{
  sn_config *config = NULL;
  sn_context *context = NULL;

  if (sn_config_create(&config) != SN_OK ||
      (limit && sn_config_set(config, "memory_limit", limit) != SN_OK) ||
      sn_context_create(config, &context) != SN_OK)
    printf("no context: %s\n", sn_config_error(config));
  sn_config_destroy(config);
  return context;
}

static void tell(const char *what, int code, sn_context *context)
{
  printf("%s: %s\n", what, sn_strerror(code));
  if (code != SN_OK)
    printf("  %s\n", sn_context_error(context));
  sn_context_clear(context);
}

/* A tree of more than the machine has is refused before it is touched. */
static void dense(void)
{
  sn_context *context = make("1M");
  limits_full *full = NULL;
  limits_plain *plain = NULL;
  double value = 0;

  tell("full, 2 MiB of 1", limits_full_create(context, NULL, MIB / 4, &full), context);
  tell("plain, 2 MiB of 1", limits_plain_create(context, NULL, MIB / 4, &plain), context);
  tell("full, half a MiB", limits_full_create(context, NULL, MIB / 16, &full), context);
  tell("its last cell", limits_one_get(full, MIB / 16 - 1, &value), context);
  printf("  %g\n", value);
  limits_full_destroy(full);
  if (sn_context_destroy(context) != SN_OK) printf("not destroyed\n");
  context = make(NULL);
  printf("full, 256 TiB: %s\n",
         sn_strerror(limits_full_create(context, NULL, (int64_t)1 << 45, &full)));
  if (sn_context_destroy(context) != SN_OK) printf("not destroyed\n");
}

/* All trees of a context keep its limit together, and get back what one of them gives. */
static void budget(void)
{
  sn_context *context = make("12M");
  limits_full *first = NULL;
  limits_sparse *second = NULL, *third = NULL;

  tell("8 MiB of 12", limits_full_create(context, NULL, MIB, &first), context);
  tell("a sparse tree", limits_sparse_create(context, NULL, &second), context);
  tell("64 tiles of 32 KiB", limits_touch(second, 64), context);
  tell("another sparse tree", limits_sparse_create(context, NULL, &third), context);
  printf("200 tiles: %s\n", sn_strerror(limits_touch(third, 200)));
  printf("the limit is named: %d\n",
         strstr(sn_context_error(context), "SNODE_MEMORY_LIMIT") != NULL);
  sn_context_clear(context);
  limits_full_destroy(first);
  tell("200 tiles, without the first tree", limits_touch(third, 200), context);
  limits_sparse_destroy(second);
  limits_sparse_destroy(third);
  if (sn_context_destroy(context) != SN_OK) printf("not destroyed\n");
}

/* A tree's own limit is of that tree, below the context's. */
static void tree(void)
{
  sn_context *context = make("64M");
  sn_tree_options options = SN_TREE_OPTIONS_INIT;
  limits_sparse *one = NULL, *other = NULL;
  limits_full *full = NULL;

  options.memory_limit = 2 * MIB;
  tell("full, 4 MiB of its own 2", limits_full_create(context, &options, MIB / 2, &full), context);
  tell("a sparse tree of 2 MiB", limits_sparse_create(context, &options, &one), context);
  tell("a sparse tree", limits_sparse_create(context, NULL, &other), context);
  printf("200 tiles in the first: %s\n", sn_strerror(limits_touch(one, 200)));
  sn_context_clear(context);
  tell("200 tiles in the other", limits_touch(other, 200), context);
  limits_sparse_destroy(one);
  limits_sparse_destroy(other);
  if (sn_context_destroy(context) != SN_OK) printf("not destroyed\n");
}

static long address_space(void)
{
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");

  if (!file || fscanf(file, "%ld", &pages) != 1) pages = -1;
  if (file) fclose(file);
  return pages / 256;
}

/* Sparse trees of a tile or of a few small cells each reserve about what they use, and leave the
 * rest to the program.  more: GiB that the process may not have. */
static void address(int more)
{
  sn_context *context = make(NULL);
  limits_sparse *trees[8] = { 0 };
  limits_pages *pages = NULL;
  limits_lists *lists = NULL;
  const long before = address_space();
  int64_t s = 0;

  for (int k = 0; k < 8; k++)
    if (limits_sparse_create(context, NULL, &trees[k]) != SN_OK ||
        limits_touch(trees[k], 1) != SN_OK)
      tell("a tree", SN_ENOMEM, context);
  if (limits_pages_create(context, NULL, &pages) != SN_OK ||
      limits_lists_create(context, NULL, &lists) != SN_OK || limits_fill(pages, lists) != SN_OK)
    tell("trees of small cells", SN_ENOMEM, context);
  if (before >= 0 && address_space() - before > 1024)
    printf("10 small trees reserve %ld MiB\n", address_space() - before);
  tell("a kernel", limits_sum(context, 1000, &s), context);
  printf("  %lld\n", (long long)s);
  tell("80 MiB", limits_touch(trees[0], 2560), context);
  if (more)
    printf("%d GiB: %s\n", more, sn_strerror(limits_touch(trees[1], 32768 * more)));
  sn_context_clear(context);
  for (int k = 0; k < 8; k++) limits_sparse_destroy(trees[k]);
  limits_pages_destroy(pages);
  limits_lists_destroy(lists);
  if (sn_context_destroy(context) != SN_OK) printf("not destroyed\n");
}

/* SNODE_THREADS is the environment's. */
static void threads(void)
{
  sn_context *context = make(NULL);
  int64_t s = 0;

  tell("a kernel", limits_sum(context, 1000, &s), context);
  if (sn_context_destroy(context) != SN_OK) printf("not destroyed\n");
}

int main(int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";

  if (strcmp(what, "dense") == 0) dense();
  else if (strcmp(what, "budget") == 0) budget();
  else if (strcmp(what, "tree") == 0) tree();
  else if (strcmp(what, "address") == 0) address(argc > 2 ? atoi(argv[2]) : 0);
  else if (strcmp(what, "threads") == 0) threads();
  else return 2;
  return 0;
}
