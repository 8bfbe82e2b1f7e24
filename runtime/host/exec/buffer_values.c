/* What a body may ask of a buffer that it holds: where its values are, of which block, and whether
 * two have the same.
 */
#include "runtime/host/exec/buffer.h"

#include <string.h>

sn_span sni_buffer_span(const sn_buffer *buffer)
{
  const sn_span span = { sni_request_memory(&buffer->request), buffer->request.block->bytes,
                         buffer->request.unit->device };

  return span;
}

int sni_buffer_is_out(const sn_buffer *buffer)
{
  return !sni_is_gone(buffer) && buffer->state == SNI_HANDED;
}

void *sn_buffer_data(sn_buffer *buffer)
{
  return sni_buffer_is_out(buffer) ? sni_request_memory(&buffer->request) : NULL;
}

size_t sn_buffer_bytes(const sn_buffer *buffer)
{
  return sni_buffer_is_out(buffer) ? buffer->request.block->bytes : 0;
}

sn_tensor *sn_buffer_tensor(const sn_buffer *buffer)
{
  return sni_buffer_is_out(buffer) ? buffer->request.block->tensor : NULL;
}

int64_t sn_buffer_block(const sn_buffer *buffer)
{
  return sni_buffer_is_out(buffer) ? buffer->request.block->number : -1;
}

int sn_buffer_dims(const sn_buffer *buffer, int64_t *dims)
{
  const sn_tensor *tensor = sn_buffer_tensor(buffer);

  if (tensor && dims)
    sni_block_dims(buffer->request.block, dims);
  return sn_tensor_dimensions(tensor);
}

/* A host's view of the values: theirs, or a copy to be deleted.  NULL: no memory. */
static void *on_host(const sn_buffer *buffer, void **copied)
{
  sn_engine *engine = buffer->task->engine;
  const sn_span span = sni_buffer_span(buffer);

  *copied = NULL;
  if (span.device == 0)
    return span.data;
  *copied = sni_engine_new(engine, span.bytes, 1);
  if (*copied && sni_engine_copy(engine, sn_span_host(*copied, span.bytes), span) != SN_OK)
    return NULL;
  return *copied;
}

int sn_buffer_equal(const sn_buffer *a, const sn_buffer *b, int *equal)
{
  void *a_copy, *b_copy, *a_at, *b_at;
  int code = SN_OK;

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(a)));
  if (!sni_buffer_is_out(a) || !sni_buffer_is_out(b) || !equal)
    return SN_EINVAL;
  a_at = on_host(a, &a_copy);
  b_at = on_host(b, &b_copy);
  if (a_at && b_at)
    *equal = a->request.block->bytes == b->request.block->bytes &&
             memcmp(a_at, b_at, a->request.block->bytes) == 0;
  else
    code = sni_engine_fail(a->task->engine, SN_ENOMEM, "two buffers could not be compared");
  sni_engine_delete(a->task->engine, a_copy, a->request.block->bytes, 1);
  sni_engine_delete(b->task->engine, b_copy, b->request.block->bytes, 1);
  return code;
}
