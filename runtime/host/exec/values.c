/* Values of tensors from and to host memory, and their text: by a task each, on the host, which
 * waits for the tasks before it as any other does.
 */
#include "runtime/host/exec/crew.h"

#include <stdio.h>
#include <string.h>

typedef struct passage {         /* between a tensor's blocks and an array, row-major */
  sn_tensor *tensor;
  int64_t block;                 /* one alone: the array is the block; -1: all of them */
  unsigned char *array;
  double value;                  /* fill */
  int code;                      /* what is told to the caller: the task itself does not fail */
} passage;

/* ---- a task that is awaited ---- */

static int run_and_wait(passage *p, const char *name, uint32_t permission, sn_body_fn body)
{
  sn_engine *engine = p->tensor->engine;
  sn_use use = p->block < 0 ? sn_use_whole(permission, p->tensor)
                            : sn_use_block(permission, p->tensor, p->block);
  sn_task_spec spec = SN_TASK_SPEC_INIT;
  sn_event *done = NULL;
  int code;

  SN_TRY(sni_engine_may_wait(engine, "%s of %s", name, p->tensor->name));
  spec.name = name;
  spec.body[SN_UNIT_HOST] = body;
  spec.user = p;
  spec.uses = &use;
  spec.use_count = 1;
  spec.unit = sn_engine_unit(engine, 0);
  SN_TRY(sn_task_submit(engine, &spec, &done));
  code = sn_event_await(done);
  sn_event_release(done);
  return code == SN_OK ? p->code : code;
}

/* ---- where a block's rows stand in the array ---- */

typedef void (*row_fn)(passage *, unsigned char *row, unsigned char *array, size_t bytes);

/* A fill has no array, and what is not stored no block. */
static unsigned char *bytes_at(unsigned char *from, size_t offset)
{
  return from ? from + offset : NULL;
}

static void rows(passage *p, int64_t number, unsigned char *block, row_fn each)
{
  const sn_tensor *tensor = p->tensor;
  const int last = tensor->dimensions - 1;
  int64_t dims[SN_MAX_DIMENSIONS], at[SN_MAX_DIMENSIONS] = { 0 }, tile[SN_MAX_DIMENSIONS];
  size_t width = tensor->element_bytes;

  if (p->block >= 0 || last < 0) {
    each(p, block, p->array, tensor->blocks[number].bytes);
    return;
  }
  sni_block_dims(&tensor->blocks[number], dims);
  for (int d = last; d >= 0; d--) {
    tile[d] = number % tensor->tiles[d];
    number /= tensor->tiles[d];
  }
  width *= (size_t)dims[last];
  for (int d = 0; d >= 0; block = bytes_at(block, width)) {
    size_t offset = 0;
    for (d = 0; d <= last; d++)
      offset = offset * (size_t)tensor->spaces[d]->extent +
               (size_t)(tensor->spaces[d]->first[tile[d]] + at[d]);
    each(p, block, bytes_at(p->array, offset * tensor->element_bytes), width);
    for (d = last - 1; d >= 0 && ++at[d] == dims[d]; d--)
      at[d] = 0;
  }
}

/* Every block that the passage is of, or the first error. */
static int each_block(sn_run *run, passage *p, int (*one)(sn_run *, passage *, int64_t))
{
  const int64_t first = p->block < 0 ? 0 : p->block;
  const int64_t behind = p->block < 0 ? p->tensor->block_count : p->block + 1;

  for (int64_t b = first; b < behind && p->code == SN_OK; b++)
    p->code = one(run, p, b);
  return SN_OK;
}

/* ---- reading ---- */

static void row_out(passage *p, unsigned char *row, unsigned char *array, size_t bytes)
{
  (void)p;
  memcpy(array, row, bytes);
}

static void row_zero(passage *p, unsigned char *row, unsigned char *array, size_t bytes)
{
  (void)p;
  (void)row;
  memset(array, 0, bytes);
}

static int read_one(sn_run *run, passage *p, int64_t block)
{
  sn_buffer *buffer;

  if (!p->tensor->blocks[block].home) {
    rows(p, block, NULL, row_zero);
    return SN_OK;
  }
  SN_TRY(sn_buffer_read(run, p->tensor, block, &buffer));
  rows(p, block, sn_buffer_data(buffer), row_out);
  return sn_buffer_release(buffer);
}

static int read_body(sn_run *run, void *user)
{
  return each_block(run, user, read_one);
}

/* ---- writing ---- */

static void row_in(passage *p, unsigned char *row, unsigned char *array, size_t bytes)
{
  (void)p;
  memcpy(row, array, bytes);
}

static int write_one(sn_run *run, passage *p, int64_t block)
{
  sn_buffer *buffer;

  if (!p->tensor->blocks[block].home)
    return SN_OK;
  SN_TRY(sn_buffer_write(run, p->tensor, block, NULL, &buffer));
  rows(p, block, sn_buffer_data(buffer), row_in);
  return sn_buffer_release_put(buffer);
}

static int write_body(sn_run *run, void *user)
{
  return each_block(run, user, write_one);
}

static int fill_one(sn_run *run, passage *p, int64_t block)
{
  uint64_t element = 0;
  sn_buffer *buffer;

  if (!p->tensor->blocks[block].home)
    return SN_OK;
  sni_element_set(p->tensor->type, &element, p->value);
  SN_TRY(sn_buffer_write(run, p->tensor, block, &element, &buffer));
  return sn_buffer_release_put(buffer);
}

static int fill_body(sn_run *run, void *user)
{
  return each_block(run, user, fill_one);
}

/* ---- the calls ---- */

static size_t bytes_of(const sn_tensor *tensor, int64_t block)
{
  size_t bytes = tensor->element_bytes;

  if (block >= 0)
    return tensor->blocks[block].bytes;
  for (int d = 0; d < tensor->dimensions; d++)
    bytes *= (size_t)tensor->spaces[d]->extent;
  return bytes;
}

/* block: -1: the whole tensor. */
static int pass(sn_tensor *tensor, int64_t block, const void *array, size_t bytes,
                const char *name, uint32_t permission, sn_body_fn body)
{
  passage p = { tensor, block, (unsigned char *)(uintptr_t)array, 0, SN_OK };

  if (!array)
    return SN_EINVAL;
  if (bytes != bytes_of(tensor, block))
    return sni_engine_fail(tensor->engine, SN_EINVAL, "%s of %s: %llu bytes are given, it has %llu",
                           name, tensor->name, (unsigned long long)bytes,
                           (unsigned long long)bytes_of(tensor, block));
  return run_and_wait(&p, name, permission, body);
}

static int pass_block(sn_tensor *tensor, int64_t block, const void *array, size_t bytes,
                      const char *name, uint32_t permission, sn_body_fn body)
{
  if (block < 0 || block >= tensor->block_count)
    return sni_engine_fail(tensor->engine, SN_EBOUNDS, "%s has blocks 0 to %lld, and no block %lld",
                           tensor->name, (long long)tensor->block_count - 1, (long long)block);
  return pass(tensor, block, array, bytes, name, permission, body);
}

int sn_tensor_read(sn_tensor *tensor, void *dst, size_t bytes)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  return pass(tensor, -1, dst, bytes, "read", SN_PERMISSION_READ, read_body);
}

int sn_tensor_write(sn_tensor *tensor, const void *src, size_t bytes)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  return pass(tensor, -1, src, bytes, "write", SN_PERMISSION_WRITE, write_body);
}

int sn_tensor_read_block(sn_tensor *tensor, int64_t block, void *dst, size_t bytes)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  return pass_block(tensor, block, dst, bytes, "read", SN_PERMISSION_READ, read_body);
}

int sn_tensor_write_block(sn_tensor *tensor, int64_t block, const void *src, size_t bytes)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  return pass_block(tensor, block, src, bytes, "write", SN_PERMISSION_WRITE, write_body);
}

int sn_tensor_fill(sn_tensor *tensor, double value)
{
  passage p = { tensor, -1, NULL, value, SN_OK };

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  if (!sni_type_takes(tensor->type, value))
    return sni_engine_fail(tensor->engine, SN_EINVAL, "fill of %s: %g is no value of %s",
                           tensor->name, value, sni_type_name(tensor->type));
  return run_and_wait(&p, "fill", SN_PERMISSION_WRITE, fill_body);
}

int sn_tensor_flush(sn_tensor *tensor)
{
  sn_engine *engine = SNI_ENGINE_OF(tensor);

  SN_TRY(sni_engine_may_call(engine));
  SN_TRY(sni_engine_may_wait(engine, "flush of %s", tensor->name));
  sni_mutex_lock(&engine->lock);
  for (int64_t b = 0; b < tensor->block_count; b++)
    while (!sni_block_flush(&tensor->blocks[b]))
      if (!sni_crews_help(engine))       /* whose tasks may hold it */
        sni_engine_wait_moved(engine);
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}

static void prefetch_one(sni_tensor_block *block, void *unit)
{
  sni_block_prefetch(block, unit);
}

int sn_tensor_prefetch(const sn_slice *slice, sn_unit *unit)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(unit)));
  if (!slice || !slice->tensor)
    return SN_EINVAL;
  SN_TRY(sni_slice_check(unit->engine, slice, "prefetch"));
  sni_mutex_lock(&unit->engine->lock);
  sni_slice_visit(slice, prefetch_one, unit);
  sni_mutex_unlock(&unit->engine->lock);
  return SN_OK;
}

/* ---- text ---- */

typedef struct printing {
  passage passage;               /* first: run_and_wait's */
  sn_text_fn write;
  void *user;
} printing;

static void say_elements(const printing *p, const sni_tensor_block *block, const void *values)
{
  const size_t width = p->passage.tensor->element_bytes;
  char text[SNI_ELEMENT_TEXT];

  for (size_t k = 0; k < block->bytes; k += width) {
    sni_element_print(p->passage.tensor->type, (const unsigned char *)values + k, text);
    p->write(p->user, k ? " " : "  ");
    p->write(p->user, text);
  }
  p->write(p->user, "\n");
}

static int print_one(sn_run *run, passage *of, int64_t number)
{
  const printing *p = (const printing *)(const void *)of;
  const sni_tensor_block *block = &of->tensor->blocks[number];
  int64_t dims[SN_MAX_DIMENSIONS];
  char text[SNI_BLOCK_NAME];
  sn_buffer *buffer;

  sni_block_dims(block, dims);
  p->write(p->user, sni_block_name(block, text));
  for (int d = 0; d < of->tensor->dimensions; d++) {
    snprintf(text, sizeof text, "%s%lld", d ? " x " : ": ", (long long)dims[d]);
    p->write(p->user, text);
  }
  p->write(p->user, block->home ? "\n" : ": zero\n");
  if (!block->home)
    return SN_OK;
  SN_TRY(sn_buffer_read(run, of->tensor, number, &buffer));
  say_elements(p, block, sn_buffer_data(buffer));
  return sn_buffer_release(buffer);
}

static int print_body(sn_run *run, void *user)
{
  return each_block(run, user, print_one);
}

int sn_tensor_print(sn_tensor *tensor, sn_text_fn write, void *user)
{
  printing p = { { tensor, -1, NULL, 0, SN_OK }, write, user };
  char text[64];

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  if (!write)
    return SN_EINVAL;
  write(user, tensor->name);
  snprintf(text, sizeof text, ": %d dimensions, %lld blocks\n", tensor->dimensions,
           (long long)tensor->block_count);
  write(user, text);
  return run_and_wait(&p.passage, "print", SN_PERMISSION_READ, print_body);
}
