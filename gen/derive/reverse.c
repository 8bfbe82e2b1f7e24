/* reverse: a kernel becomes its adjoint. */
#include "gen/derive/derive.h"

void pass_reverse(IrModule *m)
{
  (void)m;
}
