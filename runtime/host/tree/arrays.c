/* Arrays of the host that a task reads or writes: on a device, copies of them. */
#include "runtime/host/tree/arrays.h"

#include <string.h>

static sni_array_argument *new_array(sn_call *call)
{
  void *arrays = call->arrays;

  if (!sni_grow(&call->context->accounts, &arrays, &call->array_capacity, call->array_count + 1,
                sizeof *call->arrays))
    return NULL;
  call->arrays = arrays;
  memset(&call->arrays[call->array_count], 0, sizeof *call->arrays);
  return &call->arrays[call->array_count++];
}

static void note_transfer(sn_call *call, sni_timer timer, size_t bytes)
{
  sni_call_spent(call, (sni_profile_key){ .kind = PROFILE_transfer, .owner = call->name },
                 timer, (double)bytes);
}

/* A place in the device's memory, with what comes in. */
static int bring(sn_call *call, sni_array_argument *array)
{
  sni_memory *memory = &call->context->memory;
  const sni_timer timer = sni_call_timer(call);

  SN_TRY(sni_memory_alloc(memory, array->bytes, SNI_ANY, &array->block));
  if (array->mode & 1) {
    SN_TRY(sni_memory_put(memory, array->block.address, array->host, array->bytes));
    note_transfer(call, timer, array->bytes);
  }
  return SN_OK;
}

void sni_call_array(sn_call *call, sn_addr *place, const void *host, size_t bytes, int mode)
{
  sni_array_argument *array;
  int code = SN_ENOMEM;

  if (call->code != SN_OK)
    return;
  if (call->context->memory.device == SNI_HOST) {
    *place = sni_address(host);
    return;
  }
  array = new_array(call);
  if (array) {
    array->host = sni_pointer(sni_address(host));
    array->bytes = bytes;
    array->mode = mode;
    code = bring(call, array);
    *place = array->block.address;
  }
  if (code != SN_OK)
    sni_call_fail(call, code, "an array of %llu bytes for the device: %s",
                  (unsigned long long)bytes, sn_strerror(code));
}

void sni_call_return_arrays(sn_call *call)
{
  for (size_t k = 0; k < call->array_count && call->code == SN_OK; k++) {
    const sni_array_argument *array = &call->arrays[k];
    const sni_timer timer = sni_call_timer(call);

    if (!(array->mode & 2))
      continue;
    if (sni_memory_get(&call->context->memory, array->host, array->block.address,
                       array->bytes) != SN_OK)
      sni_call_fail(call, SN_EDEVICE, "an array could not be copied back");
    note_transfer(call, timer, array->bytes);
  }
}

void sni_call_free_arrays(sn_call *call)
{
  for (size_t k = 0; k < call->array_count; k++)
    sni_memory_free(&call->context->memory, &call->arrays[k].block);
  call->array_count = 0;
}
