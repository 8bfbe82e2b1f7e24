/* Resources: tensors that order tasks and hold nothing.  Their blocks have hazards as all
 * blocks have, and no memory, since none is stored. */
#include "runtime/host/exec/tensor.h"

#include <snode/task.h>

static int is_stored(void *user, const int64_t *tile)
{
  (void)user;
  (void)tile;
  return 0;
}

int sn_resource_create(sn_engine *engine, const char *name, int64_t count,
                       const char *const *names, sn_tensor **out)
{
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_space *space;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!out)
    return SN_EINVAL;
  SN_TRY(sn_space_create(engine, count, 1, &space));
  options.name = name;
  options.is_stored = is_stored;
  code = sn_tensor_create(engine, SN_TYPE_U8, 1, &space, &options, out);
  if (code == SN_OK)
    (*out)->block_names = names;
  sn_space_release(space);       /* the tensor keeps it */
  return code;
}
