/* An assignment between tensors of blocks, as tasks: C(ij) = alpha * A(ji), then by the library's
 * own sn_assign C(ij) += beta * A(ji).
 *
 *   addop [rows [columns [tile [workers]]]]      all at least 1; workers 0: this thread
 *
 * Each block of C is a task: a temporary buffer of the block, the permission to write it, a read
 * access to the block of A.  Nobody says what waits for what: the permissions do.
 */
#include <stdio.h>
#include <stdlib.h>

#include <snode/task.h>

typedef struct add_op {          /* copied with each task */
  sn_tensor *lhs, *rhs;
  int64_t lhs_block, rhs_block;
  double alpha;
} add_op;

static int assign_block(sn_run *run, void *user)
{
  const add_op *op = user;
  sn_buffer *to, *from;
  int64_t dims[2];
  double *t;
  const double *f;

  SN_TRY(sn_buffer_tmp(run, op->lhs, op->lhs_block, NULL, &to));
  SN_TRY(sn_buffer_read(run, op->rhs, op->rhs_block, &from));
  (void)sn_buffer_dims(to, dims);
  t = sn_buffer_data(to);
  f = sn_buffer_data(from);
  for (int64_t i = 0; i < dims[0]; i++)
    for (int64_t j = 0; j < dims[1]; j++)
      t[i * dims[1] + j] = op->alpha * f[j * dims[0] + i];
  SN_TRY(sn_buffer_release(from));
  return sn_buffer_release_put(to);
}

/* C(ij) = alpha * A(ji), a task for each block of C. */
static int assign(sn_engine *engine, sn_tensor *c, double alpha, sn_tensor *a)
{
  const sn_slice all = sn_slice_whole(c);

  for (int64_t i = 0; i < all.hi[0]; i++)
    for (int64_t j = 0; j < all.hi[1]; j++) {
      const int64_t to[2] = { i, j }, from[2] = { j, i };
      add_op op = { c, a, sn_tensor_block(c, to), sn_tensor_block(a, from), alpha };
      sn_use uses[3];
      sn_task_spec spec = SN_TASK_SPEC_INIT;
      uses[0] = sn_use_block(SN_ACCESS_TEMP_BUFFER, c, op.lhs_block);
      uses[1] = sn_use_block(SN_PERMISSION_WRITE, c, op.lhs_block);
      uses[2] = sn_use_block(SN_ACCESS_READ_BUFFER, a, op.rhs_block);
      spec.name = "AddOp";
      spec.body[SN_UNIT_HOST] = assign_block;
      spec.user = &op;
      spec.user_bytes = sizeof op;
      spec.uses = uses;
      spec.use_count = 3;
      SN_TRY(sn_task_submit(engine, &spec, NULL));
    }
  return SN_OK;
}

typedef struct sizes {
  int64_t rows, columns, tile;
} sizes;

static int make(sn_engine *engine, const sizes *s, sn_tensor **a, sn_tensor **c)
{
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_space *spaces[2] = { NULL, NULL }, *turned[2];
  int code = sn_space_create(engine, s->rows, s->tile, &spaces[0]);

  if (code == SN_OK) code = sn_space_create(engine, s->columns, s->tile, &spaces[1]);
  turned[0] = spaces[1];
  turned[1] = spaces[0];
  options.name = "C";
  if (code == SN_OK) code = sn_tensor_create(engine, SN_TYPE_F64, 2, spaces, &options, c);
  options.name = "A";
  if (code == SN_OK) code = sn_tensor_create(engine, SN_TYPE_F64, 2, turned, &options, a);
  sn_space_release(spaces[0]);
  sn_space_release(spaces[1]);
  return code;
}

static int add_by_labels(sn_tensor *c, double beta, sn_tensor *a)
{
  const sn_slice all_c = sn_slice_whole(c), all_a = sn_slice_whole(a);
  sn_labeled lhs, rhs;

  SN_TRY(sn_label(&all_c, "ij", &lhs));
  SN_TRY(sn_label(&all_a, "ji", &rhs));
  return sn_assign(&lhs, beta, &rhs, 1);
}

/* values: rows * columns of each. */
static int compute(sn_engine *engine, const sizes *s, const double *a_values, double *c_values)
{
  const size_t bytes = (size_t)(s->rows * s->columns) * sizeof(double);
  sn_tensor *a = NULL, *c = NULL;
  int code = make(engine, s, &a, &c), ended;

  if (code == SN_OK) code = sn_tensor_write(a, a_values, bytes);
  if (code == SN_OK) code = assign(engine, c, 0.5, a);
  if (code == SN_OK) code = add_by_labels(c, 2, a);
  if (code == SN_OK) code = sn_tensor_read(c, c_values, bytes);
  ended = sn_engine_await(engine);
  if (code == SN_OK) code = ended;
  ended = sn_tensor_destroy(a);
  if (code == SN_OK) code = ended;
  ended = sn_tensor_destroy(c);
  return code == SN_OK ? ended : code;
}

static int report(const sizes *s, const double *a, const double *c)
{
  int64_t wrong = 0;
  double difference;

  for (int64_t i = 0; i < s->rows; i++)
    for (int64_t j = 0; j < s->columns; j++) {
      difference = c[i * s->columns + j] - 2.5 * a[j * s->rows + i];
      wrong += difference < 0 || difference > 0;
    }
  printf("C(ij) = 0.5 A(ji) + 2 A(ji): %lld x %lld in tiles of %lld: %lld elements are wrong\n",
         (long long)s->rows, (long long)s->columns, (long long)s->tile, (long long)wrong);
  return wrong != 0;
}

static int run(const sizes *s, int workers)
{
  const size_t count = (size_t)(s->rows * s->columns);
  double *a = malloc(count * sizeof *a), *c = malloc(count * sizeof *c);
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;
  int failed = 1;

  options.workers = workers;
  for (size_t k = 0; a && k < count; k++) a[k] = (double)(k % 1000);
  if (!a || !c || sn_engine_create(&options, &engine) != SN_OK)
    fprintf(stderr, "addop: no memory\n");
  else if (compute(engine, s, a, c) != SN_OK)
    fprintf(stderr, "addop: %s\n", sn_engine_error(engine));
  else
    failed = report(s, a, c);
  failed |= sn_engine_destroy(engine) != SN_OK;
  free(a);
  free(c);
  return failed;
}

/* The k-th argument; 0 below `least` or beyond a million. */
static int number(int argc, char **argv, int k, int64_t least, int64_t *value)
{
  char *end;

  if (k >= argc)
    return 1;
  *value = strtoll(argv[k], &end, 10);
  return *argv[k] && !*end && *value >= least && *value <= 1000000;
}

int main(int argc, char **argv)
{
  sizes s = { 700, 500, 64 };
  int64_t workers = -1;

  if (argc > 5 || !number(argc, argv, 1, 1, &s.rows) || !number(argc, argv, 2, 1, &s.columns) ||
      !number(argc, argv, 3, 1, &s.tile) || !number(argc, argv, 4, 0, &workers) ||
      s.rows * s.columns > 100000000) {
    fprintf(stderr, "usage: addop [rows [columns [tile [workers]]]]\n");
    return 2;
  }
  return run(&s, (int)workers);
}
