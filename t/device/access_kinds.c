/* The host's access to bitmasked, dynamic and hash SNodes, and to fields whose indices
 * have an origin: listed and boxed, against plain arrays. */
#include "look.h"

/* Fields are indexed the last axis first: (j, i), (k, i), (j, i) of the hash. */
static const node_spec nodes[] = {
  { SND_SNODE_ROOT, -1, 0, 0, 0, 0 },
  { SND_SNODE_POINTER, 0, 3, 2, 0, 0 },
  { SND_SNODE_BITMASKED, 1, 5, 7, 4, 0x01020304 },
  { SND_SNODE_DENSE, 0, 6, 0, 1, 1 },
  { SND_SNODE_DYNAMIC, 3, 60, 0, 2, 0x0506 },
  { SND_SNODE_HASH, 0, 1, 1, 0, 0 },
  { SND_SNODE_DENSE, 5, 4, 3, 8, 77 },
};
enum { MASK = 2, ROWS = 3, LIST = 4, FAR = 5, BLOCK = 6, NODES = 7 };
enum { MI = 15, MJ = 14, LI = 6, LK = 60, FI = 40, FJ = 30 };   /* of BLOCK a part */
enum { AT_J = -9, AT_I = 1000, AT_K = 5, FAR_J = -16, FAR_I = -21 };

static uint64_t run_access(tree *t, snd_access_params *access)
{
  uint64_t result = 0;
  access->result = address_of(&result);
  run_rt(t, SND_RT_ACCESS, 0, access);
  return result;
}

static snd_access_params access_to(snd_access_op op, int field, int snode, void *value)
{
  snd_access_params access;
  memset(&access, 0, sizeof access);
  access.op = op;
  access.field = field;
  access.snode = snode;
  access.value = address_of(value);
  return access;
}

static void listed(tree *t, snd_access_op op, int field, int snode, const int64_t *index,
                   void *value, uint64_t n)
{
  snd_access_params access = access_to(op, field, snode, value);
  access.index = address_of(index);
  access.n = n;
  (void)run_access(t, &access);
}

/* The box from (a, b) to (c, d) of a field; values row by row. */
static void boxed(tree *t, snd_access_op op, int field, const int64_t box[4], void *value)
{
  snd_access_params access = access_to(op, field, -1, value);
  access.boxed = 1;
  for (int k = 0; k < 2; k++) {
    access.lo[k] = box[k];
    access.hi[k] = box[2 + k];
  }
  access.stride[0] = box[3] - box[1];
  access.stride[1] = 1;
  (void)run_access(t, &access);
}

/* Fields' own indices begin here; libsnode writes it into the views. */
static void set_origins(tree *t)
{
  snd_field_view *fields = SND_POINTER(snd_field_view, t->view->fields);
  fields[MASK].origin[0] = AT_J;
  fields[MASK].origin[1] = AT_I;
  fields[LIST].origin[0] = AT_K;
  fields[BLOCK].origin[0] = 4;
}

static int64_t active_by_access(tree *t, int snode, const int64_t index[2])
{
  uint8_t is = 9;
  listed(t, SND_ACCESS_IS_ACTIVE, -1, snode, index, &is, 1);
  return is;
}

/* What COUNT over fresh lists says. */
static int64_t counted(tree *t, int snode)
{
  snd_access_params access = access_to(SND_ACCESS_COUNT, -1, snode, NULL);
  RUN_RT(t, TASK_END, 0);
  make_lists(t, snode);
  return (int64_t)run_access(t, &access);
}

/* LIST of a field: how many cells; wrong: that are not as `get` says, or twice. */
static int64_t list_differs(tree *t, int field, int bytes, int64_t *count)
{
  static int64_t index[4000][2];
  static unsigned char value[4000 * 8], again[4000 * 8];
  snd_access_params access = access_to(SND_ACCESS_LIST, field, -1, value);
  int64_t wrong = 0;

  RUN_RT(t, TASK_END, 0);
  make_lists(t, field);
  access.index = address_of(index);
  access.n = 4000;
  *count = (int64_t)run_access(t, &access);
  listed(t, SND_ACCESS_GET, field, -1, index[0], again, (uint64_t)*count);
  wrong += memcmp(value, again, (size_t)(*count * bytes)) != 0;
  for (int64_t a = 0; a < *count; a++)
    for (int64_t b = 0; b < a; b++)
      wrong += index[a][0] == index[b][0] && index[a][1] == index[b][1];
  return wrong;
}

/* ---- bitmasked ---- */

static uint32_t mask_model[MJ][MI];
static int mask_active[MJ][MI];

static void check_mask(tree *t, const char *when)
{
  static uint32_t got[MJ][MI], got_listed[MJ][MI];
  static int64_t index[MJ * MI][2];
  int64_t wrong = 0, active = 0, n = 0, count;

  boxed(t, SND_ACCESS_GET, MASK, (int64_t[]){ AT_J, AT_I, AT_J + MJ, AT_I + MI }, got);
  for (int j = 0; j < MJ; j++)
    for (int i = 0; i < MI; i++, n++) {
      index[n][0] = AT_J + j;
      index[n][1] = AT_I + i;
      wrong += got[j][i] != mask_model[j][i];
      wrong += active_by_access(t, MASK, (int64_t[]){ i, j }) != mask_active[j][i];
      active += mask_active[j][i];
    }
  listed(t, SND_ACCESS_GET, MASK, -1, index[0], got_listed, (uint64_t)n);
  wrong += memcmp(got, got_listed, sizeof got) != 0;
  is_int(wrong, 0, "bitmasked, %s: values and activity", when);
  is_int(counted(t, MASK), active, "bitmasked, %s: count", when);
  is_int(list_differs(t, MASK, 4, &count), 0, "bitmasked, %s: list", when);
  is_int(count, active, "bitmasked, %s: as many in the list", when);
  is_int(t->launch->status.code, SN_OK, "bitmasked, %s: no error", when);
}

static void test_mask(tree *t)
{
  enum { J0 = 2, J1 = 12, I0 = 3, I1 = 14 };
  static uint32_t value[J1 - J0][I1 - I0];
  const int64_t box[4] = { AT_J + J0, AT_I + I0, AT_J + J1, AT_I + I1 };
  uint32_t seven = 7;
  snd_access_params fill = access_to(SND_ACCESS_FILL, MASK, -1, &seven);

  for (int j = 0; j < MJ; j++)
    for (int i = 0; i < MI; i++) mask_model[j][i] = 0x01020304, mask_active[j][i] = 0;
  check_mask(t, "nothing");
  for (int j = J0; j < J1; j++)
    for (int i = I0; i < I1; i++) {
      const int is = (i * j) % 5 == 0;
      value[j - J0][i - I0] = is ? (uint32_t)(100 * i + j) : 0x01020304;
      mask_model[j][i] = value[j - J0][i - I0];
      mask_active[j][i] = is;
    }
  boxed(t, SND_ACCESS_SET_CHANGED, MASK, box, value);
  check_mask(t, "a box, what changed");
  /* the default where a cell is active is written, and elsewhere is not */
  for (int j = J0; j < J1; j++)
    for (int i = I0; i < I1; i++) mask_model[j][i] = value[j - J0][i - I0] = 0x01020304;
  boxed(t, SND_ACCESS_SET_CHANGED, MASK, box, value);
  check_mask(t, "a box of defaults");
  for (int j = J0; j < J1; j++)
    for (int i = I0; i < I1; i++) mask_active[j][i] = 1;
  boxed(t, SND_ACCESS_SET, MASK, box, value);
  check_mask(t, "a box, all");
  (void)run_access(t, &fill);
  for (int j = J0; j < J1; j++)
    for (int i = I0; i < I1; i++) mask_model[j][i] = 7;
  check_mask(t, "filled");
  for (int j = J0; j < J1; j += 2) {
    listed(t, SND_ACCESS_DEACTIVATE, -1, MASK, (int64_t[]){ I0, j }, NULL, 1);
    mask_active[j][I0] = 0;
    mask_model[j][I0] = 0x01020304;
  }
  collect(t, 1);
  check_mask(t, "some deactivated");
}

/* ---- dynamic ---- */

static uint16_t list_model[LK][LI];
static int64_t list_length[LI];

static void check_list(tree *t, const char *when)
{
  static uint16_t got[LK][LI];
  int64_t length[LI], index[LI], wrong = 0, sum = 0, count;

  boxed(t, SND_ACCESS_GET, LIST, (int64_t[]){ AT_K, 0, AT_K + LK, LI }, got);
  for (int i = 0; i < LI; i++) index[i] = i;
  listed(t, SND_ACCESS_LENGTH, -1, LIST, index, length, LI);
  for (int i = 0; i < LI; i++) {
    sum += list_length[i];
    wrong += length[i] != list_length[i];
    for (int k = 0; k < LK; k++) {
      wrong += got[k][i] != list_model[k][i];
      wrong += active_by_access(t, LIST, (int64_t[]){ i, k }) != (k < list_length[i]);
    }
  }
  is_int(wrong, 0, "dynamic, %s: values, lengths, activity", when);
  is_int(counted(t, LIST), sum, "dynamic, %s: count", when);
  is_int(list_differs(t, LIST, 2, &count), 0, "dynamic, %s: list", when);
  is_int(count, sum, "dynamic, %s: as many in the list", when);
  is_int(t->launch->status.code, SN_OK, "dynamic, %s: no error", when);
}

/* Writes rows of one container, along its own axis: order (i, k) for the time being. */
static void write_along(tree *t, snd_access_op op, int i, int k0, int k1, uint16_t *value)
{
  snd_field_view *field = &SND_POINTER(snd_field_view, t->view->fields)[LIST];

  field->axes[0] = 0;
  field->axes[1] = 2;
  field->origin[1] = field->origin[0];
  field->origin[0] = 0;
  boxed(t, op, LIST, (int64_t[]){ i, AT_K + k0, i + 1, AT_K + k1 }, value);
  field->axes[0] = 2;
  field->axes[1] = 0;
  field->origin[0] = field->origin[1];
  field->origin[1] = 0;
}

static void test_list(tree *t)
{
  static uint16_t value[LK];
  static uint16_t two[2][LI];

  for (int k = 0; k < LK; k++)
    for (int i = 0; i < LI; i++) list_model[k][i] = 0x0506;
  check_list(t, "nothing");
  /* along the list: values up to 40, defaults to the end */
  for (int k = 0; k < LK; k++) value[k] = k <= 40 && k % 3 == 1 ? (uint16_t)(k + 1000) : 0x0506;
  write_along(t, SND_ACCESS_SET_CHANGED, 2, 0, LK, value);
  for (int k = 0; k < LK; k++) list_model[k][2] = value[k];
  list_length[2] = 41;
  check_list(t, "up to the last other value");
  for (int k = 0; k < LK; k++) value[k] = 0x0506;
  write_along(t, SND_ACCESS_SET_CHANGED, 2, 1, LK, value);
  for (int k = 1; k < LK; k++) list_model[k][2] = 0x0506;
  check_list(t, "defaults never shorten");
  write_along(t, SND_ACCESS_SET_CHANGED, 3, 0, LK, value);
  check_list(t, "defaults alone make nothing");
  for (int k = 0; k < LK; k++) value[k] = (uint16_t)k;
  write_along(t, SND_ACCESS_SET, 4, 5, LK - 1, value);
  for (int k = 5; k < LK - 1; k++) list_model[k][4] = (uint16_t)(k - 5);
  list_length[4] = LK - 1;
  check_list(t, "all that is written");
  /* across the lists */
  for (int i = 0; i < LI; i++) {
    two[0][i] = (uint16_t)(i + 1);
    two[1][i] = i % 2 ? (uint16_t)(i + 50) : 0x0506;
    list_model[20][i] = two[0][i];
    list_model[21][i] = two[1][i];
    if (list_length[i] < (i % 2 ? 22 : 21)) list_length[i] = i % 2 ? 22 : 21;
  }
  boxed(t, SND_ACCESS_SET_CHANGED, LIST, (int64_t[]){ AT_K + 20, 0, AT_K + 22, LI }, two);
  check_list(t, "across");
  listed(t, SND_ACCESS_DEACTIVATE, -1, LIST, (int64_t[]){ 4 }, NULL, 1);
  for (int k = 0; k < LK; k++) list_model[k][4] = 0x0506;
  list_length[4] = 0;
  collect(t, LIST);
  check_list(t, "one emptied");
  listed(t, SND_ACCESS_SET, LIST, -1, (int64_t[]){ AT_K + 7, 4 }, (uint16_t[]){ 99 }, 1);
  list_model[7][4] = 99;
  list_length[4] = 8;
  listed(t, SND_ACCESS_ACTIVATE, -1, LIST, (int64_t[]){ 5, 59 }, NULL, 1);
  list_length[5] = LK;
  check_list(t, "one set, one activated");
}

static void test_fill_list(tree *t)
{
  uint16_t nine = 9;
  snd_access_params fill = access_to(SND_ACCESS_FILL, LIST, -1, &nine);

  (void)counted(t, LIST);
  (void)run_access(t, &fill);
  for (int i = 0; i < LI; i++)
    for (int k = 0; k < list_length[i]; k++) list_model[k][i] = 9;
  check_list(t, "filled");
}

/* ---- hash ---- */

static uint64_t far_model[FJ][FI];
static int far_active[8 + FJ / 3][8 + FI / 4];

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Whether the block with field index (j, i) is to be active; the field's j has origin 4. */
static int *far_cell(int64_t j, int64_t i)
{
  return &far_active[floor_div(j - 4, 3) + 8][floor_div(i, 4) + 8];
}

static void check_far(tree *t, const char *when)
{
  static uint64_t got[FJ][FI];
  int64_t wrong = 0, active = 0, count;

  boxed(t, SND_ACCESS_GET, BLOCK, (int64_t[]){ FAR_J, FAR_I, FAR_J + FJ, FAR_I + FI }, got);
  for (int j = 0; j < FJ; j++)
    for (int i = 0; i < FI; i++) {
      const int64_t in_j = FAR_J + j - 4, in_i = FAR_I + i;
      wrong += got[j][i] != far_model[j][i];
      wrong += active_by_access(t, BLOCK, (int64_t[]){ in_i, in_j }) !=
               *far_cell(FAR_J + j, FAR_I + i);
      wrong += active_by_access(t, FAR, (int64_t[]){ floor_div(in_i, 4), floor_div(in_j, 3) }) !=
               *far_cell(FAR_J + j, FAR_I + i);
    }
  for (int j = 0; j < 8 + FJ / 3; j++)
    for (int i = 0; i < 8 + FI / 4; i++) active += far_active[j][i];
  is_int(wrong, 0, "hash, %s: values and activity", when);
  is_int(counted(t, FAR), active, "hash, %s: count", when);
  is_int(counted(t, BLOCK), active * 12, "hash, %s: count below", when);
  is_int(list_differs(t, BLOCK, 8, &count), 0, "hash, %s: list", when);
  is_int(count, active * 12, "hash, %s: as many in the list", when);
  is_int(t->launch->status.code, SN_OK, "hash, %s: no error", when);
}

static void test_far(tree *t)
{
  static uint64_t value[FJ][FI];
  const int64_t all[4] = { FAR_J, FAR_I, FAR_J + FJ, FAR_I + FI };

  for (int j = 0; j < FJ; j++)
    for (int i = 0; i < FI; i++) far_model[j][i] = 77;
  check_far(t, "nothing");
  for (int j = 0; j < FJ; j++)
    for (int i = 0; i < FI; i++) {
      value[j][i] = (i * 7 + j * 3) % 31 == 0 ? (uint64_t)(i * 1000 + j) << 20 | 1 : 77;
      far_model[j][i] = value[j][i];
      if (value[j][i] != 77) *far_cell(FAR_J + j, FAR_I + i) = 1;
    }
  boxed(t, SND_ACCESS_SET_CHANGED, BLOCK, all, value);
  check_far(t, "a box, what changed");
  for (int64_t k = 0; k < 20; k++) {
    const int64_t j = (k * 11) % FJ, i = (k * 17) % FI;
    const int64_t index[2] = { FAR_J + j, FAR_I + i };
    uint64_t v = (uint64_t)k + 5;
    listed(t, SND_ACCESS_SET, BLOCK, -1, index, &v, 1);
    far_model[j][i] = v;
    *far_cell(index[0], index[1]) = 1;
  }
  check_far(t, "listed");
  for (int64_t j = 0; j < FJ; j += 6) {
    const int64_t block_j = floor_div(FAR_J + j - 4, 3);
    listed(t, SND_ACCESS_DEACTIVATE, -1, FAR, (int64_t[]){ -2, block_j }, NULL, 1);
    for (int b = 0; b < FJ; b++)
      for (int i = 0; i < FI; i++)
        if (floor_div(FAR_J + b - 4, 3) == block_j && floor_div(FAR_I + i, 4) == -2)
          far_model[b][i] = 77, *far_cell(FAR_J + b, FAR_I + i) = 0;
  }
  collect(t, FAR);
  check_far(t, "some deactivated");
}

/* ---- outside ---- */

static void test_outside(tree *t)
{
  uint32_t value[MI + 1] = { 1 };           /* as many as the box has */
  const snd_status *status = &t->launch->status;

  listed(t, SND_ACCESS_GET, MASK, -1, (int64_t[]){ AT_J, AT_I - 1 }, value, 1);
  ok(status->code == SN_EBOUNDS && status->index[0] == AT_J && status->index[1] == AT_I - 1,
     "before the origin: the field's own index");
  launch_clear(t);
  listed(t, SND_ACCESS_GET, LIST, -1, (int64_t[]){ AT_K + LK, 0 }, value, 1);
  ok(status->code == SN_EBOUNDS && status->index[0] == AT_K + LK, "behind a list's extent");
  launch_clear(t);
  listed(t, SND_ACCESS_LENGTH, -1, LIST, (int64_t[]){ LI }, value, 1);
  ok(status->code == SN_EBOUNDS && status->index_count == 1 && status->index[0] == LI,
     "no such container");
  launch_clear(t);
  boxed(t, SND_ACCESS_GET, MASK, (int64_t[]){ AT_J, AT_I, AT_J + 1, AT_I + MI + 1 }, value);
  ok(status->code == SN_EBOUNDS && status->index[1] == AT_I + MI, "a box behind the extent");
  launch_clear(t);
  listed(t, SND_ACCESS_IS_ACTIVE, -1, FAR, (int64_t[]){ -(INT64_C(1) << 50), INT64_C(1) << 50 },
         value, 1);
  is_int(status->code, SN_OK, "nothing is outside of a hash");
}

int main(void)
{
  static const int threads[] = { 1, 16 };

  for (int k = 0; k < 2; k++) {
    tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 1, .threads = threads[k],
                                                       .buckets = 3, .heads = 3, .first = 1,
                                                       .tail = 2 });
    set_origins(t);
    memset(list_length, 0, sizeof list_length);
    memset(far_active, 0, sizeof far_active);
    test_mask(t);
    test_list(t);
    test_fill_list(t);
    test_far(t);
    test_outside(t);
    tree_free(t);
  }
  return done_testing();
}
