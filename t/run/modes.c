#include "modes.h"
#include "run.h"

static int virtuals(sn_context *ctx)
{
  modes_b_tree *b;
  modes_c_tree *c;
  modes_sc_tree *sc;
  modes_a_tree *a;
  modes_sa_tree *sa;
  modes_plane *plane;
  int64_t n;

  CHECK(modes_b_tree_create(ctx, NULL, &b));
  CHECK(modes_c_tree_create(ctx, NULL, &c));
  CHECK(modes_sc_tree_create(ctx, NULL, &sc));
  CHECK(modes_a_tree_create(ctx, NULL, &a));
  CHECK(modes_sa_tree_create(ctx, NULL, &sa));
  CHECK(modes_plane_create(ctx, NULL, &plane));
  CHECK(modes_smooth(b, c, sc, sa, 0.25f, &n));
  printf("smooth: %" PRId64 " wrong\n", n);
  CHECK(modes_own(b, c, sc, &n));
  printf("own: %" PRId64 " wrong\n", n);
  CHECK(modes_wide(plane, &n));
  printf("wide: %" PRId64 " wrong\n", n);
  CHECK(modes_a_node_count(a, &n));
  printf("%" PRId64 " cells without memory\n", n);
  CHECK_FAILS(SN_EBOUNDS, modes_past(b, 1, 6));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  modes_b_tree_destroy(b);
  modes_c_tree_destroy(c);
  modes_sc_tree_destroy(sc);
  modes_a_tree_destroy(a);
  modes_sa_tree_destroy(sa);
  modes_plane_destroy(plane);
  return 0;
}

/* No instance is taken of a tree of which nothing is stored. */
static int trees(sn_context *ctx)
{
  modes_sized *sized;
  int64_t n;

  CHECK(modes_alone(ctx, 4, &n));
  printf("alone %" PRId64 "\n", n);
  CHECK_FAILS(SN_EBOUNDS, modes_alone(ctx, 8, &n));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK(modes_sized_create(ctx, NULL, 5, &sized));
  CHECK(modes_given(sized, 4, &n));
  printf("given %" PRId64 "\n", n);
  CHECK_FAILS(SN_EBOUNDS, modes_given(sized, 5, &n));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  modes_sized_destroy(sized);
  return 0;
}

static int locals(sn_context *ctx)
{
  modes_work *work, *other;
  modes_room *room;
  int64_t n;
  int32_t kept;
  double sum;

  CHECK(modes_work_create(ctx, NULL, &work));
  CHECK(modes_work_create(ctx, NULL, &other));
  for (int k = 0; k < 2; k++) {
    CHECK(modes_count(work, 20, &n));
    printf("count %" PRId64 "\n", n);
  }
  CHECK(modes_assigned(work, 3, &n));
  printf("assigned %" PRId64 "\n", n);
  CHECK(modes_work_save(work, "modes.sn1"));
  CHECK(modes_work_load(other, "modes.sn1"));
  remove("modes.sn1");
  printf("loaded:%s\n", sn_context_error(ctx));
  CHECK(modes_work_copy(work, other));
  CHECK(modes_kept_get(work, 2, 3, &kept));
  printf("kept %d\n", (int)kept);
  CHECK(modes_count(work, 1, &n));
  printf("count %" PRId64 "\n", n);
  modes_work_destroy(work);
  modes_work_destroy(other);
  CHECK(modes_room_create(ctx, NULL, &room));
  CHECK(modes_fused(room, 0.5f, &sum));
  printf("fused %g\n", sum);
  modes_room_destroy(room);
  return 0;
}

static int others(sn_context *ctx)
{
  modes_table_tree *table;
  modes_near_tree *near;
  modes_far_tree *far;
  float values[24];
  int64_t n;
  double s;

  for (int k = 0; k < 24; k++)
    values[k] = (float)(k % 4);
  CHECK(modes_table_tree_create(ctx, NULL, &table));
  CHECK(modes_near_tree_create(ctx, NULL, &near));
  CHECK(modes_far_tree_create(ctx, NULL, &far));
  CHECK(modes_table_write(table, NULL, sn_span_host(values, sizeof values), NULL));
  CHECK(modes_others(table, near, far, &s));
  CHECK(modes_near_count(near, &n));
  printf("others %g, %" PRId64 " cells\n", s, n);
  CHECK(modes_far_get(far, 3, &n));
  printf("far %" PRId64 "\n", n);
  modes_table_tree_destroy(table);
  modes_near_tree_destroy(near);
  modes_far_tree_destroy(far);
  return 0;
}

int run_modes(sn_context *ctx)
{
  return virtuals(ctx) || trees(ctx) || locals(ctx) || others(ctx);
}
