/* "did you mean 'x'?": the nearest name by edit distance, where a swap of two
 * neighbours counts as one (optimal string alignment). */
#include "gen/base/base.h"

#include <string.h>

enum { LONGEST = 64 };                /* longer names are not compared */

static int least(int a, int b) { return a < b ? a : b; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Case counts nothing, so that N finds n. */
static int distance(const char *a, int n, const char *b, int m)
{
  int before[LONGEST + 1], above[LONGEST + 1], row[LONGEST + 1];
  for (int j = 0; j <= m; j++)
    above[j] = j;
  memcpy(before, above, sizeof before);
  for (int i = 1; i <= n; i++) {
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      bool is_same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !is_same);
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = least(row[j], before[j - 2] + 1);
    }
    memcpy(before, above, sizeof before);
    memcpy(above, row, sizeof above);
  }
  return above[m];
}

const char *nearest_name(const char *wrong, const char *const *names)
{
  size_t length = strlen(wrong);
  if (length > LONGEST)
    return NULL;
  const char *nearest = NULL;
  int best = ((int)length + 1) / 3;    /* a third of its letters may be wrong */
  for (; *names; names++) {
    size_t other = strlen(*names);
    if (other > LONGEST || strcmp(*names, wrong) == 0)
      continue;
    int far = distance(wrong, (int)length, *names, (int)other);
    bool is_nearer = far < best || (far == best && !nearest && far < (int)length);
    bool is_earlier = far == best && nearest && strcmp(*names, nearest) < 0;
    if (is_nearer || is_earlier) {     /* the same name in whatever order */
      best = far;
      nearest = *names;
    }
  }
  return nearest;
}

void diag_suggest(Diag *d, Loc loc, const char *wrong, const char *const *names)
{
  const char *nearest = nearest_name(wrong, names);
  if (nearest)
    diag(d, DIAG_DID_YOU_MEAN, loc, nearest);
}
