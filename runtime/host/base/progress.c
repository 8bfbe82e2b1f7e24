/* Who is told how far kernels are, and when. */
#include "runtime/host/base/context.h"

int sn_context_set_progress(sn_context *context, sn_progress_fn function, void *user,
                            double seconds)
{
  SN_TRY(sni_enter_for(context, "sn_context_set_progress"));
  if (!(seconds >= 0)) {                         /* nor a NaN */
    sni_leave(context);
    return sni_fail(context, SN_EINVAL, "sn_context_set_progress: %g seconds", seconds);
  }
  context->progress.function = function;
  context->progress.user = user;
  context->progress.seconds = seconds;
  context->progress.next = sni_seconds() + seconds;
  sni_leave(context);
  return SN_OK;
}

void sni_tell_progress(sn_context *context, const sn_progress *what)
{
  sni_progress *progress = &context->progress;

  if (!progress->function || context->is_silent)
    return;
  if (progress->seconds > 0 && sni_seconds() < progress->next)
    return;
  progress->function(progress->user, what);
  progress->next = sni_seconds() + progress->seconds;
}
