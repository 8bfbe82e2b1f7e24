#include "boxes.h"
#include "run.h"

int run_boxes(sn_context *ctx)
{
  boxes_t *t;
  int64_t c;
  double s;

  CHECK(boxes_t_create(ctx, NULL, &t));
  CHECK(boxes_fill(t));
  CHECK(boxes_counted(t, 3, &c));
  printf("counted %" PRId64 "\n", c);
  CHECK(boxes_counted(t, -40, &c));
  printf("counted %" PRId64 "\n", c);
  CHECK(boxes_read(t, &s));
  printf("read %.3f\n", s);
  boxes_t_destroy(t);
  return 0;
}
