/* Lists, masks and the loops over them, against the slots themselves. */
#include "look.h"

static const node_spec nodes[] = {
  ROOT,
  { SND_SNODE_POINTER, 0, 9, 11, 4, 0 },         /* 99 cells: two mask words */
  { SND_SNODE_DENSE, 1, 0, 3, 1, 0 },
  { SND_SNODE_POINTER, 2, 5, 1, 2, 0 },
  { SND_SNODE_DENSE, 3, 2, 2, 8, 0 },
  { SND_SNODE_DENSE, 0, 7, 0, 4, 0 },
  { SND_SNODE_DENSE, 5, 0, 900, 4, 0 },          /* several blocks a container */
};
enum { TILE = 1, MID = 2, SUB = 3, LEAF = 4, ROW = 5, LONG = 6, NODES = 7 };

/* ---- the reference: cells by their coordinates, by recursion ---- */

typedef struct found {
  sn_addr container;
  int64_t i, j;                  /* of the containing cell */
} found;

typedef struct finds {
  const snd_tree_view *view;
  int snode;
  found *rows;
  int64_t count;
} finds;

static void find_in(finds *f, int at, sn_addr cell, int64_t i, int64_t j)
{
  const int next = snd_ancestor(f->view, f->snode, f->view->snode[at].depth + 1);
  const snd_snode_view *node = &f->view->snode[next];
  const sn_addr container = snd_container(node, cell);

  if (next == f->snode) {
    f->rows[f->count].container = container;
    f->rows[f->count].i = i;
    f->rows[f->count++].j = j;
    return;
  }
  for (int64_t x = 0; x < node->extent[0]; x++)
    for (int64_t y = 0; y < node->extent[1]; y++) {
      const sn_addr below = snd_lookup(node, container, x * node->extent[1] + y, 0);
      if (below != 0) find_in(f, next, below, i * node->extent[0] + x, j * node->extent[1] + y);
    }
}

static int64_t entry_at(const snd_snode_view *parent, const uint64_t *entry, int axis)
{
  return parent->path_axes >> axis & 1
           ? (int64_t)entry[1 + snd_axis_rank(parent->path_axes, axis)] : 0;
}

/* Rows of the reference that are not in the list, or not at its place where the
 * order is that of memory. */
static int64_t list_differs(const tree *t, const finds *f)
{
  const snd_snode_view *node = &t->view->snode[f->snode];
  const snd_snode_view *parent = &t->view->snode[node->parent];
  int64_t differ = 0;

  for (int64_t k = 0; k < f->count; k++) {
    int same = 0;
    for (int64_t e = ON_DEVICE ? 0 : k; e < (ON_DEVICE ? f->count : k + 1) && !same; e++) {
      const uint64_t *entry = snd_list_entry(node, e);
      same = entry[0] == f->rows[k].container && entry_at(parent, entry, 0) == f->rows[k].i &&
             entry_at(parent, entry, 1) == f->rows[k].j;
    }
    differ += !same;
  }
  return differ;
}

static int64_t masks_differ(const tree *t, int snode)
{
  const snd_snode_view *node = &t->view->snode[snode];
  int64_t differ = 0;

  for (int64_t e = 0; e < snd_list_length(t->view, snode); e++)
    for (int64_t c = 0; c < (int64_t)node->mask_words * 64; c++) {
      const uint64_t *masks = SND_POINTER(uint64_t, node->masks) + e * node->mask_words;
      const int set = (int)(masks[c / 64] >> (c % 64) & 1);
      const int active = c < (int64_t)node->cells &&
                         snd_is_active(node, snd_list_container(t->view, snode, e), c);
      differ += set != active;
    }
  return differ;
}

static void check_list(tree *t, int snode, const char *when)
{
  finds f = { t->view, snode, NULL, 0 };

  f.rows = calloc(t->view->snode[snode].list_capacity + 1, sizeof *f.rows);
  if (f.rows == NULL) bail("out of memory");
  find_in(&f, 0, t->view->root, 0, 0);
  RUN_RT(t, LISTGEN, snode);
  is_int(snd_list_length(t->view, snode), f.count, "%s S%d: as many containers", when, snode);
  is_int(list_differs(t, &f), 0, "%s S%d: addresses, coordinates, order", when, snode);
  is_int(masks_differ(t, snode), 0, "%s S%d: masks", when, snode);
  free(f.rows);
}

/* ---- growing the tree: cell l of every container where l * factor has bits ---- */

static void activate_some(tree *t, int snode, int64_t factor)
{
  const snd_snode_view *node = &t->view->snode[snode];
  for (int64_t e = 0; e < snd_list_length(t->view, snode); e++)
    for (int64_t l = 0; l < (int64_t)node->cells; l++)
      if ((l * factor + e * 3) % 7 < 3)
        snd_pointer_activate(t->view, snode, t->launch, 0,
                             snd_list_container(t->view, snode, e), l);
}

static tree *grown(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 4, .threads = threads });

  RUN_RT(t, LISTGEN, TILE);
  activate_some(t, TILE, 5);
  RUN_RT(t, LISTGEN, TILE);
  RUN_RT(t, LISTGEN, MID);
  RUN_RT(t, LISTGEN, SUB);
  activate_some(t, SUB, 1);
  RUN_RT(t, TASK_END, 0);
  return t;
}

/* ---- loops: each active cell once ---- */

/* Adds 1 to a count for each cell, in the root's launch variables: [0] cells, [1] a
 * sum over coordinates, [2] the greatest; and reduces them. */
SND_INLINE void
snd_visit_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  const snd_blocks blocks = snd_blocks_of(view, snode);
  uint64_t cells = 0;
  int64_t sum = 0, greatest = -1;

  (void)slot;
  for (int64_t b = worker->team; b < blocks.count; b += worker->teams) {
    snd_block block = SND_NO_BLOCK;
    snd_block_at(&blocks, b, &block);
    for (int64_t c = block.first + worker->thread; c < block.last; c += worker->threads)
      if (snd_block_is_active(&block, c)) {
        cells++;
        sum += c + (blocks.entry_words > 1 ? block.origin[0] : 0);
        greatest = snd_max_i64(greatest, c);
      }
  }
  snd_reduce_add_u64(&launch->vars[0], cells);
  snd_reduce_add_i64((SND_GLB int64_t *)&launch->vars[1], sum);
  snd_reduce_max_i64((SND_GLB int64_t *)&launch->vars[2], greatest);
}
SND_INLINE int64_t work_some(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 8;
}
SND_RUNTIME_TASK(visit_all, work_some)

/* ---- loops as kernels have them ---- */

typedef struct loop_params {
  int32_t snode;
  int64_t n;
  sn_addr seen;                  /* uint8_t[n] */
} loop_params;

/* The same over the cells that are active. */
SND_INLINE void snd_visit_cells(snd_thread *thread)
{
  SND_GLB uint64_t *vars = SND_VARS(thread, uint64_t);
  uint64_t cells = 0;
  int64_t sum = 0, greatest = -1;
  snd_block block;

  while (snd_next_block(thread, &block))
    for (int64_t c = snd_first_active(thread, &block); c < block.last;
         c = snd_next_active(thread, &block, c)) {
      cells++;
      sum += c + (thread->blocks->entry_words > 1 ? block.origin[0] : 0);
      greatest = snd_max_i64(greatest, c);
    }
  snd_reduce_add_u64(&vars[0], cells);
  snd_reduce_add_i64((SND_GLB int64_t *)&vars[1], sum);
  snd_reduce_max_i64((SND_GLB int64_t *)&vars[2], greatest);
}
SND_LOOP(snd_visit_cells,
         snd_blocks_of(SND_VIEW(thread, 0), SND_PARAMS(thread, loop_params)->snode))

/* Each iteration by as many as a thread takes at once. */
SND_INLINE void see(snd_thread *thread)
{
  SND_GLB uint8_t *seen = SND_POINTER(uint8_t, SND_PARAMS(thread, loop_params)->seen);
  snd_block block;

  while (snd_next_block(thread, &block))
    for (int64_t c = block.first + thread->lane, row; c < block.last; c += row * thread->lanes) {
      row = snd_at_once(thread, snd_min_i64(7 - c % 7, block.last - c));
      for (int64_t k = c; k < c + row; k++) snd_atomic_add_u8(&seen[k], 1);
    }
}
SND_INLINE void snd_see_any(snd_thread *thread) { see(thread); }
SND_INLINE void snd_see_static(snd_thread *thread) { see(thread); }
SND_INLINE void snd_see_dynamic(snd_thread *thread) { see(thread); }
SND_INLINE void snd_see_by(snd_thread *thread) { see(thread); }
SND_RANGE_FOR(snd_see_any, SND_PARAMS(thread, loop_params)->n)
SND_LOOP(snd_see_static,
         snd_blocks_static(snd_blocks_of_range(SND_PARAMS(thread, loop_params)->n)))
SND_LOOP(snd_see_dynamic,
         snd_blocks_dynamic(snd_blocks_of_range(SND_PARAMS(thread, loop_params)->n)))
SND_LOOP_BY(32, snd_see_by, snd_blocks_of_range(SND_PARAMS(thread, loop_params)->n))

static void run_loop(tree *t, snd_task_fn run, const loop_params *params)
{
  const snd_args args = tree_args(t, 0, params);

  t->launch->views = address_of(t->views);
  t->launch->params = address_of(params);
  if (run(&args) != SN_OK) bail("a task did not start");
}

static void check_loops(tree *t, int snode)
{
  const snd_snode_view *node = &t->view->snode[snode];
  int64_t cells = 0, sum = 0, greatest = -1;

  for (int64_t e = 0; e < snd_list_length(t->view, snode); e++)
    for (int64_t c = 0; c < (int64_t)node->cells; c++)
      if (snd_is_active(node, snd_list_container(t->view, snode, e), c)) {
        cells++;
        sum += c + (node->entry_words > 1 ? (int64_t)snd_list_entry(node, e)[1] : 0);
        if (c > greatest) greatest = c;
      }
  for (int kernel = 0; kernel < 2; kernel++) {
    launch_clear(t);
    t->launch->vars[2] = (uint64_t)-1;
    if (kernel) run_loop(t, RUN_FUNCTION(visit_cells), &(loop_params){ .snode = snode });
    else RUN(t, visit_all, snode);
    is_int(t->launch->vars[0], cells, "S%d%s: each active cell once", snode,
           kernel ? ", a kernel" : "");
    is_int(t->launch->vars[1], sum, "S%d: each at its place", snode);
    is_int(t->launch->vars[2], greatest, "S%d: the last one too", snode);
  }
}

/* ---- loops over a box ---- */

/* Whether a cell of the container that begins there is in lo .. hi - 1. */
static int meets(int64_t origin, int64_t extent, const int64_t *bounds)
{
  for (int64_t d = 0; d < extent; d++)
    if (origin * extent + d >= bounds[0] && origin * extent + d < bounds[1]) return 1;
  return 0;
}

/* bounds: of the LEAF's two axes. */
static void check_within(tree *t, const int64_t *bounds, const char *what)
{
  const snd_snode_view *node = &t->view->snode[LEAF];
  const snd_blocks blocks = snd_blocks_of(t->view, LEAF);
  const snd_within within = snd_within_of(t->view, LEAF, 2, bounds);
  int64_t want = 0, got = 0;

  for (int64_t e = 0; e < snd_list_length(t->view, LEAF); e++) {
    const int64_t *origin = (const int64_t *)(snd_list_entry(node, e) + 1);
    want += meets(origin[0], node->extent[0], bounds) &&
            meets(origin[1], node->extent[1], bounds + 2);
  }
  for (int64_t b = 0; b < blocks.count; b++) {
    snd_block block;
    snd_block_at(&blocks, b, &block);
    got += snd_within_meets(&within, &block);
  }
  is_int(got, want, "%s: the containers that the box meets", what);
}

static void test_within(void)
{
  static const int64_t some[] = { 21, 23, 3, 14 }, one[] = { 20, 21, 20, 21 },
                       all[] = { INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX },
                       side[] = { INT64_MIN, INT64_MAX, -5, 17 },
                       none[] = { INT64_MIN, INT64_MIN, 0, 9 };
  tree *t = grown(8);

  for (int s = 1; s <= LEAF; s++) RUN_RT(t, LISTGEN, s);
  check_within(t, some, "a box");
  check_within(t, one, "a cell");
  check_within(t, all, "no limits");
  check_within(t, side, "limits of one axis");
  check_within(t, none, "nothing");
  tree_free(t);
}

/* ---- parts of a device's teams ---- */

enum { PARTS_CELLS = 1 << 14 };

/* What one lane goes through: each cell is counted in seen, where a block has `stride`.  Gives how
 * many lanes share a block. */
static int
see_share(const snd_blocks *blocks, snd_worker worker, int64_t stride, uint8_t *seen)
{
  snd_thread thread = { .lanes = 1 };
  snd_block block;

  snd_target_share(&thread, blocks, worker);
  while (snd_next_block(&thread, &block)) {
    const int64_t before = (thread.next - thread.teams) * stride;
    for (int64_t c = block.first + thread.lane; c < block.last; c += thread.lanes)
      seen[before + c - block.first]++;
  }
  return thread.lanes;
}

/* So many containers of so many cells, by teams of so many threads: each cell is one lane's.
 * lanes: of a part. */
static void check_parts(int pieces, int64_t cells, int64_t length, int64_t teams, int64_t threads,
                        int lanes)
{
  static uint8_t seen[PARTS_CELLS];
  snd_blocks blocks = snd_blocks_cut(pieces, cells, length);
  int64_t stride = snd_min_i64(blocks.cells, blocks.block_cells), wrong = 0, other = 0;

  if (pieces) stride = blocks.cells = blocks.block_cells = PARTS_CELLS / blocks.count;
  memset(seen, 0, sizeof seen);
  for (int64_t team = 0; team < teams; team++)
    for (int64_t thread = 0; thread < threads; thread++)
      other +=
        see_share(&blocks, (snd_worker){ team, teams, thread, threads }, stride, seen) != lanes;
  for (int64_t at = 0; at < blocks.count * stride; at++) wrong += seen[at] != 1;
  is_int(wrong, 0, "%d blocks, %d teams of %d: each cell once", (int)blocks.count, (int)teams,
         (int)threads);
  is_int(other, 0, "by parts of %d lanes", lanes);
}

static void test_parts(void)
{
  check_parts(0, 512, 7, 3, 256, 256);
  check_parts(0, 129, 7, 3, 256, 256);
  check_parts(0, 128, 7, 3, 256, 128);
  check_parts(0, 64, 29, 3, 256, 64);
  check_parts(0, 64, 1, 3, 256, 64);
  check_parts(0, 9, 100, 2, 96, 12);       /* 96, 48, 24, 12 */
  check_parts(0, 1, 50, 2, 8, 4);          /* no less than 4 */
  check_parts(0, 1, 50, 5, 1, 1);
  check_parts(0, 3, 50, 2, 33, 33);        /* has no halves */
  check_parts(1, 0, 5, 2, 256, 256);       /* few pieces: all lanes for each */
  check_parts(1, 0, 8, 2, 256, 128);
  check_parts(1, 0, 400, 2, 256, 32);
}

/* ---- ranges ---- */

static void test_range(int64_t n)
{
  static const struct { const char *name; snd_task_fn run; } ways[] = {
    { "", RUN_FUNCTION(see_any) }, { ", static", RUN_FUNCTION(see_static) },
    { ", dynamic", RUN_FUNCTION(see_dynamic) }, { ", small teams", RUN_FUNCTION(see_by) }
  };
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 4, .threads = 16 });

  for (int way = 0; way < 4; way++) {
    unsigned char *seen = calloc((size_t)(n > 0 ? n : 1), 1);
    int64_t wrong = 0;
    if (seen == NULL) bail("out of memory");
    run_loop(t, ways[way].run, &(loop_params){ .n = n, .seen = address_of(seen) });
    for (int64_t k = 0; k < n; k++) wrong += seen[k] != 1;
    is_int(wrong, 0, "a range of %d%s: each iteration once", (int)n, ways[way].name);
    free(seen);
  }
  tree_free(t);
}

/* ---- more containers than there is room for ---- */

static void test_overflow(void)
{
  tree *t = grown(8);

  RUN_RT(t, LISTGEN, TILE);
  t->view->snode[MID].list_capacity = 5;
  RUN_RT(t, LISTGEN, MID);
  is_int(t->launch->status.code, SN_EBUG, "no room in the list: an error of libsnode's");
  is_int(t->launch->status.snode, MID, "which SNode");
  is_int(t->launch->status.have, 5, "what it had");
  ok(t->launch->status.want > 5, "what it wanted");
  tree_free(t);
}

/* ---- what is deactivated meanwhile is still visited ---- */

static void test_as_generated(void)
{
  tree *t = grown(8);
  const int64_t before = active_cells(t, TILE);

  RUN_RT(t, LISTGEN, TILE);
  for (int64_t l = 0; l < 99; l += 2)
    snd_pointer_deactivate(t->view, TILE, t->view->snode[TILE].container, l);
  launch_clear(t);
  RUN(t, visit_all, TILE);
  is_int(t->launch->vars[0], before, "the cells of when the list was made");
  ok(active_cells(t, TILE) < before, "though some are gone");
  tree_free(t);
}

int main(void)
{
  static const int threads[] = { 1, 3, 16 };

  for (int k = 0; k < 3; k++) {
    tree *t = grown(threads[k]);
    char when[32];
    snprintf(when, sizeof when, "%d threads,", threads[k]);
    for (int s = 1; s < NODES; s++) check_list(t, s, when);
    for (int s = 1; s < NODES; s++) check_loops(t, s);
    is_int(t->launch->status.code, SN_OK, "no error");
    tree_free(t);
  }
  for (int k = 0; k < 2; k++) {
    tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 4 });
    for (int s = 1; s < NODES; s++) check_list(t, s, "empty,");
    tree_free(t);
  }
  test_within();
  test_parts();
  test_range(-3);
  test_range(0);
  test_range(1);
  test_range(257);
  test_range(1000003);
  test_overflow();
  test_as_generated();
  return done_testing();
}
