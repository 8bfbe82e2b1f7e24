/* Cells that are split go and come back, of two SNodes that take chunks in turn: the id of each is
 * found again, however its chunk lies among those of the other.  An id that were another's would
 * be handed out twice, and two places share a leaf. */
#include "t/tap.h"
#include "two.h"

enum { PLACES = 40 * 40 * 10 };

static int64_t places_of(int part, int parts)
{
  int64_t count = 0;

  for (int n = 0; n < PLACES; n++) count += n * 7919 % parts == part;
  return count;
}

static void holds(two_space *tree, int64_t places, const char *when)
{
  int64_t leaves = -1, wrong = -1;

  is_int(two_leaves(tree, &leaves), SN_OK, "%s: leaves are counted", when);
  is_int(leaves, 2 * places, "%s: as many as there should be", when);
  is_int(two_wrong(tree, &wrong), SN_OK, "%s: leaves are read", when);
  is_int(wrong, 0, "%s: each holds what was written there, and no more", when);
}

int main(void)
{
  sn_context *context = NULL;
  two_space *tree = NULL;

  is_int(sn_context_create(NULL, &context), SN_OK, "a context");
  is_int(two_space_create(context, NULL, &tree), SN_OK, "a tree");
  is_int(two_fill(tree, 0, 1), SN_OK, "all leaves");
  holds(tree, PLACES, "at first");
  for (int parts = 2; parts < 5; parts++) {
    is_int(two_drop(tree, parts - 1, parts), SN_OK, "one leaf in %d goes", parts);
    holds(tree, PLACES - places_of(parts - 1, parts), "without them");
    is_int(two_fill(tree, parts - 1, parts), SN_OK, "and comes back");
    holds(tree, PLACES, "with them");
  }
  is_int(two_drop(tree, 0, 1), SN_OK, "all go");
  holds(tree, 0, "empty");
  is_int(two_fill(tree, 0, 1), SN_OK, "all come back");
  holds(tree, PLACES, "at last");
  two_space_destroy(tree);
  is_int(sn_context_destroy(context), SN_OK, "the context goes");
  return done_testing();
}
