/* What tests of the replica machine share: a holder that asks for a block and waits for it, and
 * gives it back.
 */
#include "runtime/host/exec/tensor.h"

#include "t/tap.h"

/* Lock held: granted and there, begun, and its memory. */
static void *have(sni_request *request)
{
  sn_engine *engine = request->block->tensor->engine;
  sni_outcome outcome;
  int code;

  while ((outcome = sni_requests_reserve(request)) != SNI_GRANTED) {
    if (outcome == SNI_NO_MEMORY) bail("no memory for a request");
    sni_engine_wait(engine);
  }
  while (!sni_request_is_there(request)) sni_engine_wait(engine);
  sni_mutex_unlock(&engine->lock);
  code = sni_request_begin(request);
  sni_mutex_lock(&engine->lock);
  if (code != SN_OK) bail("a request that does not begin");
  return sni_request_memory(request);
}

TAP_UNUSED static int give(sni_request *request, int commits)
{
  sn_engine *engine = request->block->tensor->engine;
  int code = SN_OK;

  sni_mutex_unlock(&engine->lock);
  if (commits) code = sni_request_commit(request);
  sni_mutex_lock(&engine->lock);
  return code | sni_request_release(request, commits);
}
