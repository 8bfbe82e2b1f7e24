/* The driver of t/run that RUN names, alone. */
#include "run.h"

int RUN(sn_context *);

int main(void)
{
  sn_context *context;

  if (sn_context_create(NULL, &context) || RUN(context)) {
    printf("it has failed\n");
    return 1;
  }
  return sn_context_destroy(context) != SN_OK;
}
