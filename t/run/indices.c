#include "run.h"

#include "indices.h"

static int show(sn_context *ctx, indices_sparse *sparse, indices_row_tree *row,
                indices_turned_tree *turned, indices_lists *lists, const char *what)
{
  int64_t sums[4];

  CHECK(indices_sums(row, turned, sparse, lists, sums));
  printf("%s: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", what, sums[0], sums[1], sums[2],
         sums[3]);
  return 0;
}

int run_indices(sn_context *ctx)
{
  indices_sparse *sparse;
  indices_row_tree *row;
  indices_turned_tree *turned;
  indices_lists *lists;

  CHECK(indices_sparse_create(ctx, NULL, &sparse));
  CHECK(indices_row_tree_create(ctx, NULL, &row));
  CHECK(indices_turned_tree_create(ctx, NULL, &turned));
  CHECK(indices_lists_create(ctx, NULL, &lists));
  CHECK(indices_fill(sparse));
  CHECK(indices_apart(row, turned, sparse, 10, INDICES_N - 1));
  if (show(ctx, sparse, row, turned, lists, "apart")) return 1;
  CHECK(indices_together(row, sparse));
  if (show(ctx, sparse, row, turned, lists, "together")) return 1;
  CHECK(indices_lists_of(lists));
  if (show(ctx, sparse, row, turned, lists, "lists")) return 1;
  indices_sparse_destroy(sparse);
  indices_row_tree_destroy(row);
  indices_turned_tree_destroy(turned);
  indices_lists_destroy(lists);
  return 0;
}
