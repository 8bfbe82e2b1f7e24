/* Assignments between labeled tensors against plain loops; what is refused. */
#include "t/exec/course.h"

enum { I = 5, J = 7, K = 4 };

static int upper(void *user, const int64_t *tile)
{
  (void)user;
  return tile[0] <= tile[1];
}

static sn_tensor *tensor_over(sn_engine *engine, const char *name, sn_space *const *spaces,
                              int (*is_stored)(void *, const int64_t *))
{
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_tensor *tensor;

  options.name = name;
  options.is_stored = is_stored;
  if (sn_tensor_create(engine, SN_TYPE_F64, 3, spaces, &options, &tensor) != SN_OK)
    bail("no tensor");
  return tensor;
}

static sn_labeled labeled(sn_tensor *tensor, const char *labels)
{
  const sn_slice slice = sn_slice_whole(tensor);
  sn_labeled result;

  if (sn_label(&slice, labels, &result) != SN_OK) bail("no labels");
  return result;
}

static void test_values(sn_engine *engine)
{
  double a[I][J][K], b[K][I][J], got[I][J][K];
  sn_space *i = NULL, *j = NULL, *k = NULL, *of_a[3], *of_b[3];
  sn_tensor *ta, *tb, *sparse;
  sn_labeled lhs, rhs;
  int wrong = 0, codes = 0;

  if (sn_space_create(engine, I, 2, &i) != SN_OK || sn_space_create(engine, J, 3, &j) != SN_OK ||
      sn_space_create(engine, K, 4, &k) != SN_OK) bail("no space");
  of_a[0] = of_b[1] = i;
  of_a[1] = of_b[2] = j;
  of_a[2] = of_b[0] = k;
  ta = tensor_over(engine, "A", of_a, NULL);
  tb = tensor_over(engine, "B", of_b, NULL);
  sparse = tensor_over(engine, "S", of_a, upper);
  for (int x = 0; x < I; x++)
    for (int y = 0; y < J; y++)
      for (int z = 0; z < K; z++) {
        b[z][x][y] = 100 * x + 10 * y + z;
        a[x][y][z] = 0.5 * b[z][x][y] + 2 * b[z][x][y];
      }
  lhs = labeled(ta, "ijk");
  rhs = labeled(tb, "kij");
  is_int(sn_tensor_write(tb, b, sizeof b), SN_OK, "B");
  codes |= sn_assign(&lhs, 0.5, &rhs, 0);
  codes |= sn_assign(&lhs, 2, &rhs, 1);
  is_int(codes | sn_tensor_read(ta, got, sizeof got), SN_OK,
         "A(ijk) = 0.5 B(kij), then += 2 B(kij)");
  ok(memcmp(a, got, sizeof a) == 0, "every element");

  /* one block of B alone, and zero blocks on either side */
  lhs = labeled(sparse, "ijk");
  codes |= sn_assign(&lhs, 1, &rhs, 0) | sn_tensor_read(sparse, got, sizeof got);
  for (int x = 0; x < I; x++)
    for (int y = 0; y < J; y++)
      for (int z = 0; z < K; z++)
        wrong += fabs(got[x][y][z] - (x / 2 <= y / 3 ? b[z][x][y] : 0)) > 0;
  is_int(codes | wrong, 0, "zero blocks take nothing");
  rhs = lhs;
  lhs = labeled(ta, "ijk");
  codes |= sn_assign(&lhs, 1, &rhs, 0) | sn_tensor_read(ta, a, sizeof a);
  ok(codes == 0 && memcmp(a, got, sizeof a) == 0, "and give zeros");
  is_str(sn_engine_error(engine), "", "without an error");
  sn_space_release(i);
  sn_space_release(j);
  sn_space_release(k);
  is_int(sn_tensor_destroy(ta) | sn_tensor_destroy(tb) | sn_tensor_destroy(sparse), SN_OK, "gone");
}

/* Of one element each: what becomes of it. */
static int64_t product(sn_engine *engine, sn_type type, int64_t from, double factor)
{
  sn_tensor *a = NULL, *b = NULL;
  sn_labeled lhs, rhs;
  const size_t bytes = type == SN_TYPE_I8 ? 1 : 8;
  const int8_t small = (int8_t)from;
  int8_t small_result = 0;
  int64_t result = 0;
  int code = sn_tensor_create(engine, type, 0, NULL, NULL, &a) |
             sn_tensor_create(engine, type, 0, NULL, NULL, &b);

  if (code != SN_OK) bail("no tensors");
  lhs = labeled(a, "");
  rhs = labeled(b, "");
  code = sn_tensor_write(b, bytes == 1 ? (const void *)&small : &from, bytes) |
         sn_assign(&lhs, factor, &rhs, 0) |
         sn_tensor_read(a, bytes == 1 ? (void *)&small_result : &result, bytes);
  is_int(code | sn_tensor_destroy(a) | sn_tensor_destroy(b), SN_OK, "%g times", factor);
  return bytes == 1 ? small_result : result;
}

static void test_integers(sn_engine *engine)
{
  const int64_t odd = 9007199254740993;

  ok(product(engine, SN_TYPE_I64, odd, -1) == -odd, "what no double is");
  ok(product(engine, SN_TYPE_I64, INT64_MAX, -1) == -INT64_MAX, "the greatest");
  ok(product(engine, SN_TYPE_I64, INT64_MAX, 2) == -2, "which wraps");
  is_int(product(engine, SN_TYPE_I8, 100, 2), -56, "as a small one does");
  is_int(product(engine, SN_TYPE_I8, 100, 2.5), 127, "by a fraction it ends at the greatest");
  is_int(product(engine, SN_TYPE_I8, 101, 0.5), 50, "and leaves out what is behind the point");
  is_int(product(engine, SN_TYPE_I8, 100, -HUGE_VAL), -128, "or at the least");
  is_int(product(engine, SN_TYPE_I8, 100, NAN), 0, "by no number it is 0");
}

static void test_refused(sn_engine *engine)
{
  sn_space *even = NULL, *odd = NULL, *spaces[3];
  sn_tensor *a, *b;
  sn_labeled lhs, rhs;
  sn_slice slice;

  if (sn_space_create(engine, 6, 2, &even) != SN_OK ||
      sn_space_create(engine, 6, 3, &odd) != SN_OK) bail("no space");
  spaces[0] = spaces[1] = spaces[2] = even;
  a = tensor_over(engine, "A", spaces, NULL);
  spaces[2] = odd;
  b = tensor_over(engine, "B", spaces, NULL);
  slice = sn_slice_whole(a);
  is_int(sn_label(&slice, "ij", &lhs), SN_EINVAL, "too few labels");
  said(engine, "A(\"ij\"): it has 3 dimensions");
  is_int(sn_label(&slice, "iji", &lhs), SN_EINVAL, "one twice");
  said(engine, "A(\"iji\"): 'i' is there twice");
  lhs = labeled(a, "ijk");
  rhs = labeled(b, "ijl");
  is_int(sn_assign(&lhs, 1, &rhs, 0), SN_EINVAL, "another label");
  said(engine, "A(\"ijk\") = B(\"ijl\"): they have other labels");
  rhs = labeled(b, "ijk");
  is_int(sn_assign(&lhs, 1, &rhs, 0), SN_EINVAL, "other tiles");
  said(engine, "A(\"ijk\") = B(\"ijk\"): the slices have other numbers of tiles");
  lhs.slice.hi[2] = 1;
  rhs.slice.hi[2] = 1;
  is_int(sn_assign(&lhs, 1, &rhs, 0), SN_EINVAL, "of other lengths");
  said(engine, "A(\"ijk\") = B(\"ijk\"): the tiles have other lengths");
  rhs = labeled(a, "jik");
  is_int(sn_assign(&lhs, 1, &rhs, 0), SN_EINVAL, "itself");
  said(engine, "A(\"ijk\") = A(\"jik\"): a block is read and written");
  rhs.slice.lo[2] = 1;
  rhs.slice.hi[2] = 2;
  is_int(sn_assign(&lhs, 1, &rhs, 0) | sn_engine_await(engine), SN_OK,
         "another slice of the same tensor");
  sn_space_release(even);
  sn_space_release(odd);
  is_int(sn_tensor_destroy(a) | sn_tensor_destroy(b), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  options.workers = 2;
  options.memories = 1;
  engine = engine_by(&options);
  test_values(engine);
  test_integers(engine);
  test_refused(engine);
  is_int(sn_engine_destroy(engine), SN_OK, "the engine is gone");
  return done_testing();
}
