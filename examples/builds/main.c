/* Steps of ring.sn: prints where its wave is. */
#include <stdio.h>
#include <stdlib.h>

#include "ring.h"

static int run(ring_ring *ring, int steps, int64_t *place)
{
  SN_TRY(ring_begin(ring));
  for (int s = 0; s < steps; s++) SN_TRY(ring_step(ring));
  return ring_place(ring, place);
}

int main(int argc, char **argv)
{
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  sn_context *context = NULL;
  ring_ring *ring = NULL;
  int64_t place = -1;
  int code = sn_context_create(NULL, &context);

  if (code == SN_OK) code = ring_ring_create(context, NULL, &ring);
  if (code == SN_OK) code = run(ring, steps, &place);
  if (code != SN_OK) fprintf(stderr, "ring: %s\n", sn_context_error(context));
  else printf("after %d steps: %lld\n", steps, (long long)place);
  ring_ring_destroy(ring);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}
