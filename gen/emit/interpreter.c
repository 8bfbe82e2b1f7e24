/* --target=interpreter: being written. */
#include "gen/emit/task.h"
const char *write_interpreted_tasks(Emit *e, const IrFunction *f, const KernelNames *k, int *count)
{
  (void)e; (void)f; (void)k; (void)count;
  ICE("not yet");
}
