/* The host's access: every operation, listed and boxed, against a plain array. */
#include "look.h"

/* Leaf values stand below two sparse levels, the field's order is (j, i): tree.h. */
static const node_spec nodes[] = {
  ROOT,
  { SND_SNODE_POINTER, 0, 3, 5, 2, 0x1234 },
  { SND_SNODE_DENSE, 1, 2, 0, 1, 9 },
  { SND_SNODE_POINTER, 2, 1, 2, 8, 0 },
  { SND_SNODE_DENSE, 3, 4, 3, 4, 0x40302010 },
  { SND_SNODE_DENSE, 0, 0, 6, 2, 0 },
};
enum { TILE = 1, MID = 2, SUB = 3, LEAF = 4, ROW = 5, NODES = 6, I = 3 * 2 * 1 * 4, J = 5 * 2 * 3 };
enum { DEFAULT = 0x40302010 };

/* What the tree should hold: LEAF's values, and which SUB cells are active. */
static uint32_t model[I][J];
static int active[I / 4][J / 3];

static void reset_model(void)
{
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++) model[i][j] = DEFAULT;
  memset(active, 0, sizeof active);
}

static uint64_t run_access(tree *t, snd_access_params *access)
{
  uint64_t result = 0;
  access->result = address_of(&result);
  run_rt(t, SND_RT_ACCESS, 0, access);
  return result;
}

/* One operation on n indices of a field, or (field < 0) of an SNode. */
static void listed(tree *t, snd_access_op op, int field, int snode, const int64_t *index,
                   void *value, uint64_t n)
{
  snd_access_params access;
  memset(&access, 0, sizeof access);
  access.op = op;
  access.field = field;
  access.snode = snode;
  access.index = address_of(index);
  access.value = address_of(value);
  access.n = n;
  (void)run_access(t, &access);
}

/* A box of LEAF in the field's order: j first. */
static void boxed(tree *t, snd_access_op op, const int64_t lo[2], const int64_t hi[2],
                  const int64_t stride[2], void *value)
{
  snd_access_params access;
  memset(&access, 0, sizeof access);
  access.op = op;
  access.boxed = 1;
  access.field = LEAF;
  access.snode = -1;
  access.value = address_of(value);
  for (int k = 0; k < 2; k++) {
    access.lo[k] = lo[k];
    access.hi[k] = hi[k];
    access.stride[k] = stride[k];
  }
  (void)run_access(t, &access);
}

static int64_t model_differs(tree *t, const char *how)
{
  static uint32_t got[J][I];
  int64_t index[J * I][2], differ = 0;
  int boxes = strcmp(how, "boxed") == 0;

  memset(got, 0, sizeof got);
  if (boxes) {
    boxed(t, SND_ACCESS_GET, (int64_t[]){ 0, 0 }, (int64_t[]){ J, I }, (int64_t[]){ I, 1 }, got);
  } else {
    for (int k = 0; k < J * I; k++) {
      index[k][0] = k / I;
      index[k][1] = k % I;
    }
    listed(t, SND_ACCESS_GET, LEAF, -1, index[0], got, J * I);
  }
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++) differ += got[j][i] != model[i][j];
  return differ;
}

static int64_t activity_differs(tree *t)
{
  int64_t index[I / 4 * (J / 3)][2], differ = 0;
  uint8_t is[I / 4 * (J / 3)];
  const int n = I / 4 * (J / 3);

  for (int k = 0; k < n; k++) {
    index[k][0] = k / (J / 3);
    index[k][1] = k % (J / 3);
  }
  listed(t, SND_ACCESS_IS_ACTIVE, -1, SUB, index[0], is, (uint64_t)n);
  for (int k = 0; k < n; k++) differ += is[k] != active[k / (J / 3)][k % (J / 3)];
  return differ;
}

static void check_model(tree *t, const char *when)
{
  is_int(model_differs(t, "listed"), 0, "%s: values, listed", when);
  is_int(model_differs(t, "boxed"), 0, "%s: values, boxed", when);
  is_int(activity_differs(t), 0, "%s: activity", when);
  is_int(t->launch->status.code, SN_OK, "%s: no error", when);
}

static void test_listed(tree *t)
{
  int64_t index[40][2];
  uint32_t value[40];

  check_model(t, "nothing written");
  for (int k = 0; k < 40; k++) {
    const int j = k * 7 % J, i = k * 5 % I;
    index[k][0] = j;
    index[k][1] = i;
    value[k] = (uint32_t)k * 3 + 1;
    model[i][j] = value[k];
    active[i / 4][j / 3] = 1;
  }
  listed(t, SND_ACCESS_SET, LEAF, -1, index[0], value, 40);
  check_model(t, "set");

  /* the default leaves inactive cells so, and is written to active ones */
  for (int k = 0; k < 40; k++) {
    const int j = k * 7 % J, i = k < 20 ? k * 5 % I : (k * 5 + 9) % I;
    index[k][0] = j;
    index[k][1] = i;
    value[k] = DEFAULT;
    model[i][j] = DEFAULT;
  }
  listed(t, SND_ACCESS_SET_CHANGED, LEAF, -1, index[0], value, 40);
  check_model(t, "set to the default");
}

static void test_boxed(tree *t)
{
  enum { LJ = 4, HJ = 23, LI = 3, HI = 22 };
  static uint32_t value[2 * (HJ - LJ) * (HI - LI)];
  const int64_t lo[2] = { LJ, LI }, hi[2] = { HJ, HI }, stride[2] = { 2 * (HI - LI), 2 };

  /* strides of two elements; values here and there only */
  for (int j = LJ; j < HJ; j++)
    for (int i = LI; i < HI; i++) {
      const uint32_t v = (i * 3 + j) % 11 == 0 ? (uint32_t)(i * 100 + j) : DEFAULT;
      value[(j - LJ) * 2 * (HI - LI) + 2 * (i - LI)] = v;
      model[i][j] = v;
      if (v != DEFAULT) active[i / 4][j / 3] = 1;
    }
  boxed(t, SND_ACCESS_SET_CHANGED, lo, hi, stride, value);
  check_model(t, "a box, what changed");

  for (int j = LJ; j < HJ; j++)
    for (int i = LI; i < HI; i++) active[i / 4][j / 3] = 1;
  boxed(t, SND_ACCESS_SET, lo, hi, stride, value);
  check_model(t, "a box, all");

  boxed(t, SND_ACCESS_SET, hi, lo, stride, value);
  boxed(t, SND_ACCESS_SET, lo, lo, stride, value);
  check_model(t, "an empty box");
}

static void test_activity(tree *t)
{
  int64_t index[3][2] = { { 5, 9 }, { 0, 9 }, { 5, 0 } }, tile[2] = { 2, 4 }, mid[2] = { 5, 4 };
  uint8_t is[3] = { 7, 7, 7 };

  listed(t, SND_ACCESS_ACTIVATE, -1, SUB, index[0], NULL, 3);
  for (int k = 0; k < 3; k++) active[index[k][0]][index[k][1]] = 1;
  check_model(t, "activated");
  listed(t, SND_ACCESS_IS_ACTIVE, -1, MID, mid, is, 1);
  is_int(is[0], 1, "a dense cell is active as what holds it");
  listed(t, SND_ACCESS_DEACTIVATE, -1, SUB, index[0], NULL, 2);
  for (int k = 0; k < 2; k++) {
    active[index[k][0]][index[k][1]] = 0;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 3; j++) model[index[k][0] * 4 + i][index[k][1] * 3 + j] = DEFAULT;
  }
  check_model(t, "deactivated");
  /* the tile (2, 4): rows 4 and 5 of SUB, columns 8 and 9, with all below */
  listed(t, SND_ACCESS_DEACTIVATE, -1, TILE, tile, NULL, 1);
  for (int i = 16; i < 24; i++)
    for (int j = 24; j < 30; j++) {
      model[i][j] = DEFAULT;
      active[i / 4][j / 3] = 0;
    }
  check_model(t, "a tile deactivated");
  listed(t, SND_ACCESS_IS_ACTIVE, -1, MID, mid, is, 1);
  is_int(is[0], 0, "and the dense cells in it");
  listed(t, SND_ACCESS_DEACTIVATE, -1, SUB, (int64_t[]){ 5, 9 }, NULL, 1);
  check_model(t, "below an inactive cell there is nothing to deactivate");
  collect(t, TILE);
  is_int(wrong_ids(t, TILE) + wrong_ids(t, SUB), 0, "ids are conserved");
  check_model(t, "after collection");
}

static void lists(tree *t)
{
  for (int s = 1; s <= LEAF; s++) RUN_RT(t, LISTGEN, s);
}

static int64_t active_in_model(void)
{
  int64_t n = 0;
  for (int i = 0; i < I / 4; i++)
    for (int j = 0; j < J / 3; j++) n += active[i][j];
  return n;
}

static void test_over_list(tree *t)
{
  static int64_t index[I * J][2];
  static uint32_t value[I * J];
  static unsigned char seen[I][J];
  uint32_t seven = 7;
  const int64_t subs = active_in_model();
  snd_access_params access;
  int64_t wrong = 0, n;

  memset(seen, 0, sizeof seen);
  lists(t);
  memset(&access, 0, sizeof access);
  access.op = SND_ACCESS_COUNT;
  access.field = -1;
  access.snode = SUB;
  is_int(run_access(t, &access), subs, "count of a pointer SNode");
  access.snode = LEAF;
  is_int(run_access(t, &access), subs * 12, "count of a dense SNode");

  access.op = SND_ACCESS_LIST;
  access.field = LEAF;
  access.snode = -1;
  access.index = address_of(index);
  access.value = address_of(value);
  access.n = I * J;
  n = (int64_t)run_access(t, &access);
  is_int(n, subs * 12, "list: how many");
  for (int64_t k = 0; k < n; k++) {
    const int64_t j = index[k][0], i = index[k][1];
    if (i < 0 || i >= I || j < 0 || j >= J || seen[i][j]++ || value[k] != model[i][j]) wrong++;
  }
  is_int(wrong, 0, "list: each cell once, with its value, in the field's order");

  memset(index, 0xff, sizeof index);
  memset(value, 0xff, sizeof value);
  access.n = 5;
  is_int(run_access(t, &access), subs * 12, "list with little room counts all");
  ok(index[4][0] >= 0 && index[5][0] == -1 && value[5] == 0xffffffff, "and writes as many as fit");

  access.op = SND_ACCESS_FILL;
  access.value = address_of(&seven);
  (void)run_access(t, &access);
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++)
      if (active[i / 4][j / 3]) model[i][j] = 7;
  check_model(t, "filled");
}

static void test_other_fields(tree *t)
{
  uint16_t two = 0;
  uint64_t eight = 77;
  uint8_t one = 0;
  uint32_t four = 0;

  listed(t, SND_ACCESS_GET, TILE, -1, (int64_t[]){ 4, 0 }, &two, 1);
  is_int(two, 0x1234, "two bytes: the default of a pointer cell's place");
  listed(t, SND_ACCESS_GET, SUB, -1, (int64_t[]){ 0, 0 }, &eight, 1);
  is_int(eight, 0, "eight bytes");
  eight = 0x1122334455667788u;
  listed(t, SND_ACCESS_SET, SUB, -1, (int64_t[]){ 3, 2 }, &eight, 1);
  eight = 0;
  listed(t, SND_ACCESS_GET, SUB, -1, (int64_t[]){ 3, 2 }, &eight, 1);
  is_int(eight, 0x1122334455667788, "eight bytes written");
  listed(t, SND_ACCESS_GET, MID, -1, (int64_t[]){ 4, 5 }, &one, 1);
  is_int(one, 9, "one byte");
  two = 0x4321;
  listed(t, SND_ACCESS_SET, ROW, -1, (int64_t[]){ 5 }, &two, 1);
  two = 0;
  listed(t, SND_ACCESS_GET, ROW, -1, (int64_t[]){ 5 }, &two, 1);
  is_int(two, 0x4321, "a field of one axis");
  if (t->view->root == 0) return;
  listed(t, SND_ACCESS_GET, 0, -1, NULL, &four, 1);
  is_int(four, 7, "a field at the root has its default");
  four = 99;
  listed(t, SND_ACCESS_SET, 0, -1, NULL, &four, 1);
  four = 0;
  listed(t, SND_ACCESS_GET, 0, -1, NULL, &four, 1);
  is_int(four, 99, "and is written");
}

static void test_outside(tree *t)
{
  uint32_t value[3] = { 5, 5, 5 };
  const snd_status *status = &t->launch->status;

  listed(t, SND_ACCESS_GET, LEAF, -1, (int64_t[]){ 0, 0, J, 3, 1, 0 }, value, 3);
  is_int(status->code, SN_EBOUNDS, "an index outside");
  is_int(status->index_count, 2, "its indices");
  is_int(status->index[0], J, "in the field's order");
  is_int(status->index[1], 3, "both");
  is_int(value[1], 5, "is left out");
  launch_clear(t);
  boxed(t, SND_ACCESS_GET, (int64_t[]){ 0, -1 }, (int64_t[]){ 1, 2 }, (int64_t[]){ 3, 1 }, value);
  is_int(status->code, SN_EBOUNDS, "a box outside");
  is_int(status->index[1], -1, "which index");
  launch_clear(t);
}

int main(void)
{
  static const int threads[] = { 1, 16 };

  for (int k = 0; k < 2; k++) {
    node_spec specs[NODES];
    tree *t;

    memcpy(specs, nodes, sizeof specs);
    if (k == 1) specs[0].bytes = 0;
    t = tree_make(specs, NODES, &(tree_options){ .chunk = 1, .threads = threads[k] });
    reset_model();
    test_listed(t);
    test_boxed(t);
    test_activity(t);
    test_over_list(t);
    test_other_fields(t);
    test_outside(t);
    tree_free(t);
  }
  return done_testing();
}
