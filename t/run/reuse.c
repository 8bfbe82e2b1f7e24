#include "reuse.h"
#include "run.h"

/* Layers of lists made, lists whose masks were, and whether anything was collected, since
 * the last time. */
static int since(sn_context *ctx, const char *what, int64_t visited)
{
  static double listgen_before, masks_before, gc_before;
  double listgen, masks, gc;

  CHECK(sn_stat_get(ctx, "listgen", &listgen));
  CHECK(sn_stat_get(ctx, "listmasks", &masks));
  CHECK(sn_stat_get(ctx, "gc", &gc));
  if (!what) listgen_before = masks_before = gc_before = 0;
  else printf("%s: visited %" PRId64 " lists %g masks %g collected %d\n", what, visited,
              listgen - listgen_before, masks - masks_before, gc > gc_before);
  listgen_before = listgen;
  masks_before = masks;
  gc_before = gc;
  return 0;
}

#define VISIT(kernel, tree, text)                                              \
  do {                                                                         \
    CHECK(reuse_##kernel(tree, &n));                                           \
    if (since(ctx, text, n)) return 1;                                         \
  } while (0)
#define DO(call, text)                                                         \
  do {                                                                         \
    CHECK(call);                                                               \
    if (since(ctx, text, 0)) return 1;                                         \
  } while (0)

int run_reuse(sn_context *ctx)
{
  reuse_t *t;
  reuse_far *far;
  int64_t n;

  CHECK(reuse_t_create(ctx, NULL, &t));
  CHECK(reuse_far_create(ctx, NULL, &far));
  if (since(ctx, NULL, 0)) return 1;
  DO(reuse_plant(t, 32), "plant");
  VISIT(leaf, t, "first");
  VISIT(leaf, t, "again");
  DO(reuse_write_there(t), "write there");
  VISIT(leaf, t, "after it");
  VISIT(middle, t, "middle");
  DO(reuse_add_leaf(t, 1), "add to a leaf");
  VISIT(middle, t, "middle again");
  VISIT(leaf, t, "masks only");
  DO(reuse_drop_leaf(t, 1), "drop in a leaf");
  VISIT(leaf, t, "masks only");
  VISIT(beside, t, "beside");
  DO(reuse_drop_b(t, 3), "drop a middle cell");
  VISIT(beside, t, "beside again");
  VISIT(leaf, t, "layers below it");
  VISIT(leaf, t, "again");
  DO(reuse_drop_none(t), "drop none");
  VISIT(leaf, t, "again");
  DO(reuse_add_list(t, 2), "append");
  VISIT(leaf, t, "again");
  VISIT(lists, t, "lists");
  VISIT(lists, t, "lists again");
  DO(reuse_set(far, -5), "a key");
  VISIT(keys, far, "keys");
  VISIT(keys, far, "keys again");
  DO(reuse_set(far, -6), "no new key");
  VISIT(keys, far, "keys, masks only");
  DO(reuse_set(far, 60), "another key");
  VISIT(keys, far, "keys, all");
  reuse_t_destroy(t);
  reuse_far_destroy(far);
  return 0;
}
