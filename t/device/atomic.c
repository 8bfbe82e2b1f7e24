/* Every atomic operation on every type: against the plain operation, and by many
 * threads at once; an 8- or 16-bit one leaves its neighbours alone.
 */
#include "tree.h"

enum { TIMES = 200 };            /* updates by each worker */
enum { AT = 8 };                 /* where in the launch's variables the elements stand */

SND_INLINE int64_t work_some(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 16;
}

/* The old value is what was there, and what is there then is what arith.h says. */
#define CHECK(OP, T, C, v) \
  do { \
    const C before = *at, old = snd_fetch_##OP##_##T(at, v); \
    const C once = snd_##OP##_##T(before, v); \
    wrong += !(old == before && *at == once); \
    snd_atomic_##OP##_##T(at, v); \
    wrong += !(*at == snd_##OP##_##T(once, v)); \
  } while (0)

#define CHECK_NUMBER(T, C) \
  do { \
    snd_store_##T(at, (C)90); \
    wrong += snd_load_##T(at) != 90; \
    CHECK(add, T, C, (C)33); \
    CHECK(sub, T, C, (C)100); \
    CHECK(mul, T, C, (C)3); \
    CHECK(div, T, C, (C)2); \
    CHECK(max, T, C, (C)50); \
    CHECK(max, T, C, (C)20); \
    CHECK(min, T, C, (C)30); \
    CHECK(min, T, C, (C)40); \
    CHECK(sub, T, C, (C)70); \
    CHECK(min, T, C, (C)3); \
    snd_store_##T(at, (C)60); \
    wrong += snd_exchange_##T(at, (C)8) != 60 || *at != 8; \
    wrong += snd_compare_exchange_##T(at, (C)9, (C)1) != 8 || *at != 8; \
    wrong += snd_compare_exchange_##T(at, (C)8, (C)111) != 8 || *at != 111; \
  } while (0)
#define CHECK_BITS(T, C) \
  do { \
    CHECK(div, T, C, 0); \
    snd_store_##T(at, (C)~(C)38); \
    CHECK(mod, T, C, 71); \
    CHECK(xor, T, C, 85); \
    CHECK(or, T, C, 18); \
    CHECK(and, T, C, 92); \
    CHECK(mod, T, C, 0); \
    snd_store_##T(at, (C)~(C)38); \
    CHECK(shl, T, C, 3); \
    CHECK(shr, T, C, 66); \
    CHECK(shl, T, C, -1); \
  } while (0)

/* By many: sums come out whole; the elements between the ones that are updated
 * stay as they are. */
#define MANY_NUMBER(T, C) \
  do { \
    snd_atomic_add_##T(&all[1], (C)1); \
    snd_atomic_sub_##T(&all[3], (C)1); \
    snd_atomic_max_##T(&all[5], (C)(k % 100)); \
    snd_atomic_min_##T(&all[7], (C)(k % 100)); \
    if (snd_compare_exchange_##T(&all[9], (C)0, (C)1) == (C)0) { \
      snd_atomic_add_u64(&launch->vars[2], 1); /* a lock: one at a time */ \
      if (snd_exchange_##T(&all[9], (C)0) != (C)1) snd_atomic_add_u64(&launch->vars[0], 1); \
    } \
  } while (0)
#define MANY_BITS(T, C) \
  do { \
    snd_atomic_mul_##T(&all[11], 3); \
    snd_atomic_xor_##T(&all[13], (C)(k % 2 + 1)); \
    snd_atomic_or_##T(&all[15], (C)(1 << (k % 7))); \
    snd_atomic_and_##T(&all[17], (C)~(1 << (k % 7))); \
  } while (0)
#define NOTHING(T, C) do { } while (0)

#define DEFINE_TYPE(T, C, CHECKS, MANY) \
  SND_INLINE void \
  snd_alone_##T(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch, \
                int32_t slot, const snd_worker *worker) \
  { \
    SND_GLB C *at = (SND_GLB C *)&launch->vars[AT]; \
    uint64_t wrong = 0; \
    (void)view; \
    (void)snode; \
    (void)slot; \
    if (!snd_is_first(worker)) return; \
    CHECK_NUMBER(T, C); \
    CHECKS(T, C); \
    launch->vars[0] = wrong; \
  } \
  SND_RUNTIME_TASK(alone_##T, snd_work_single) \
  SND_INLINE void \
  snd_many_##T(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch, \
               int32_t slot, const snd_worker *worker) \
  { \
    SND_GLB C *all = (SND_GLB C *)&launch->vars[AT]; \
    (void)view; \
    (void)snode; \
    (void)slot; \
    (void)worker; \
    for (int k = 0; k < TIMES; k++) { \
      MANY_NUMBER(T, C); \
      MANY(T, C); \
      snd_atomic_add_u64(&launch->vars[1], 1); \
    } \
  } \
  SND_RUNTIME_TASK(many_##T, work_some) \
  static void test_##T(tree *t, int bits) \
  { \
    C *all = (C *)&t->launch->vars[AT]; \
    uint64_t n, power = 1; \
    int64_t moved = 0; \
    launch_clear(t); \
    RUN(t, alone_##T, 0); \
    is_int(t->launch->vars[0], 0, #T ": old values and new ones"); \
    launch_clear(t); \
    all[7] = 90; \
    if (bits) { \
      all[11] = 1; \
      all[17] = (C)127; \
    } \
    RUN(t, many_##T, 0); \
    n = t->launch->vars[1]; \
    for (uint64_t k = 0; k < n; k++) power *= 3; \
    ok(all[1] == (C)n && all[3] == (C)((C)0 - (C)n), #T ": sums come out whole"); \
    ok(all[5] == 99 && all[7] == 0, #T ": so do max and min"); \
    ok(t->launch->vars[0] == 0 && t->launch->vars[2] > 0 && all[9] == 0, #T ": exchanges"); \
    if (bits) { \
      ok(all[11] == (C)power, #T ": products"); \
      ok(all[13] == 0 && all[15] == 127 && all[17] == 0, #T ": bits"); \
    } \
    for (int k = 0; k < 20; k += 2) moved += !(all[k] == (C)0); \
    is_int(moved, 0, #T ": neighbours stay as they are"); \
  }

#define INTEGERS(X) \
  X(i8, int8_t) X(i16, int16_t) X(i32, int32_t) X(i64, int64_t) \
  X(u8, uint8_t) X(u16, uint16_t) X(u32, uint32_t) X(u64, uint64_t)
#define X(T, C) DEFINE_TYPE(T, C, CHECK_BITS, MANY_BITS)
INTEGERS(X)
#undef X
DEFINE_TYPE(f32, float, NOTHING, NOTHING)
DEFINE_TYPE(f64, double, NOTHING, NOTHING)

/* A reduction: each worker adds once. */
SND_INLINE void
snd_sums(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch, int32_t slot,
         const snd_worker *worker)
{
  (void)view;
  (void)snode;
  (void)slot;
  (void)worker;
  snd_reduce_add_f32((SND_GLB float *)&launch->vars[AT], 0.5f);
  snd_reduce_min_i8((SND_GLB int8_t *)&launch->vars[AT + 1], -3);
  snd_reduce_or_u64(&launch->vars[AT + 2], 6);
  snd_reduce_mul_f64((SND_GLB double *)&launch->vars[AT + 3], 1.0);
  snd_reduce_add_u64(&launch->vars[1], 1);
}
SND_RUNTIME_TASK(sums, work_some)

static void test_reduce(tree *t)
{
  const uint64_t *vars = t->launch->vars;
  float sum;
  double product = 2.5;
  int8_t least;

  launch_clear(t);
  memcpy(&t->launch->vars[AT + 3], &product, sizeof product);
  RUN(t, sums, 0);
  memcpy(&sum, &vars[AT], sizeof sum);
  memcpy(&least, &vars[AT + 1], sizeof least);
  memcpy(&product, &vars[AT + 3], sizeof product);
  is_double((double)sum, 0.5 * (double)vars[1], "reduce: a sum");
  is_int(least, -3, "reduce: a minimum of bytes");
  is_int(vars[AT + 2], 6, "reduce: bits");
  is_double(product, 2.5, "reduce: a product");
}

/* Orders: whoever finds a pushed pair finds what was stored in it before, and so all pairs
 * behind it.  A pair: the address of the next, a number that is not 0. */
enum { PAIRS = 24 };
SND_INLINE void
snd_pushes(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
           int32_t slot, const snd_worker *worker)
{
  SND_GLB uint64_t *head = &launch->vars[2];

  (void)view;
  (void)snode;
  (void)slot;
  (void)worker;
  for (int k = 0; k < TIMES; k++) {
    const uint64_t own = snd_load_u64(&launch->vars[1]) < PAIRS
                           ? snd_fetch_add_u64(&launch->vars[1], 1) : PAIRS;
    SND_GLB uint64_t *pair = &launch->vars[AT + 2 * (own % PAIRS)];
    uint64_t first = snd_load_acquire_u64(head);
    int pushed = own >= PAIRS;

    if (!pushed) pair[1] = own + 1;
    while (!pushed) {
      pair[0] = first;
      pushed = snd_compare_exchange_release_u64(head, first, (uint64_t)(uintptr_t)pair) == first;
      first = snd_load_acquire_u64(head);
    }
    while (first != 0) {
      const SND_GLB uint64_t *seen = SND_CONST_POINTER(uint64_t, first);
      if (seen[1] == 0) snd_atomic_add_u64(&launch->vars[0], 1);
      first = seen[0];
    }
    if (snd_compare_exchange_acquire_u64(&launch->vars[3], 0, 1) == 0) {
      launch->vars[4]++;
      snd_store_release_u64(&launch->vars[3], 0);
    } else {
      snd_atomic_add_u64(&launch->vars[5], 1);
    }
    snd_atomic_add_u64(&launch->vars[6], 1);
  }
}
SND_RUNTIME_TASK(pushes, work_some)

static void test_orders(tree *t)
{
  const uint64_t *vars = t->launch->vars;
  uint64_t all = 0;

  launch_clear(t);
  RUN(t, pushes, 0);
  is_int(vars[0], 0, "released: what is found is written");
  for (sn_addr pair = vars[2]; pair != 0; pair = SND_POINTER(uint64_t, pair)[0])
    all |= (uint64_t)1 << SND_POINTER(uint64_t, pair)[1];
  is_int(all, ((uint64_t)1 << (PAIRS + 1)) - 2, "every pair was pushed");
  is_int(vars[4] + vars[5], vars[6], "acquired: one at a time");
}

int main(void)
{
  static const node_spec nodes[] = { ROOT, { SND_SNODE_DENSE, 0, 1, 0, 4, 0 } };
  tree *t = tree_make(nodes, 2, &(tree_options){ .threads = 16 });

#define X(T, C) test_##T(t, 1);
  INTEGERS(X)
#undef X
  test_f32(t, 0);
  test_f64(t, 0);
  test_reduce(t);
  test_orders(t);
  tree_free(t);
  return done_testing();
}
