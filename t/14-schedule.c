/* The binomial schedule of a tape (runtime/host/tree/tape_schedule.h): every step is reversed once,
 * from the state before it; no more is held than there are places; the fewest steps are run, as a
 * search over all ways to split a chain finds them, and as the formula says.
 */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/tape_schedule.h"

#include "t/tap.h"

enum { STEPS = 120, PLACES = 9 };

/* What a schedule came to. */
typedef struct course {
  uint64_t forward;              /* steps run, those of a turn not counted */
  uint64_t most_times;           /* the most that one step was */
  uint64_t most_held;
  int is_right;                  /* states and steps are as they should be */
} course;

static course run(uint64_t steps, uint64_t places)
{
  uint64_t held[64], stored[64], *times = calloc(steps, sizeof *times);
  uint64_t state = UINT64_MAX, next = steps;
  course c = { 0, 0, 1, 1 };
  sni_schedule s;
  sni_action a;

  if (!times)
    bail("no memory");
  stored[0] = 0;
  sni_schedule_begin(&s, steps, held, places);
  for (a = sni_schedule_next(&s); a.kind != SNI_ACTION_END; a = sni_schedule_next(&s)) {
    switch (a.kind) {
    case SNI_ACTION_RESTORE: state = stored[a.place]; break;
    case SNI_ACTION_HOLD:
      stored[a.place] = state;
      c.is_right &= a.place < places && a.place > 0;
      c.most_held = sni_most(c.most_held, a.place + 1);
      break;
    case SNI_ACTION_FORWARD:
      c.is_right &= a.from == state && a.to > a.from;
      for (uint64_t k = a.from; k < a.to; k++)
        c.most_times = sni_most(c.most_times, ++times[k]);
      c.forward += a.to - a.from;
      state = a.to;
      break;
    default:
      c.is_right &= a.from == state && a.from == --next;
      state = UINT64_MAX;
    }
  }
  c.is_right &= next == 0;
  free(times);
  return c;
}

/* The fewest steps forward, of all schedules: least[places][steps]. */
static uint64_t least[PLACES + 1][STEPS + 1];

static void search(void)
{
  for (uint64_t p = 1; p <= PLACES; p++)
    for (uint64_t n = 2; n <= STEPS; n++) {
      least[p][n] = n * (n - 1) / 2;
      for (uint64_t m = 1; p > 1 && m < n; m++)
        least[p][n] = sni_least(least[p][n], m + least[p][m] + least[p - 1][n - m]);
    }
}

static uint64_t times_of(uint64_t steps, uint64_t places)
{
  uint64_t times = 0;

  while (sni_schedule_reach(places, times) < steps)
    times++;
  return times;
}

/* Griewank and Walther: times * steps - C(places + times, places + 1). */
static uint64_t formula(uint64_t steps, uint64_t places)
{
  const uint64_t times = times_of(steps, places);

  return times ? times * steps - sni_schedule_reach(places + 1, times - 1) : 0;
}

static void small_chains(void)
{
  int right = 0, within = 0, fewest = 0, as_formula = 0, bounded = 0;

  search();
  for (uint64_t p = 1; p <= PLACES; p++)
    for (uint64_t n = 1; n <= STEPS; n++) {
      const course c = run(n, p);
      right += c.is_right;
      within += c.most_held <= p;
      fewest += c.forward == least[p][n];
      as_formula += c.forward == formula(n, p);
      bounded += c.most_times <= times_of(n, p);
    }
  is_int(right, PLACES * STEPS, "every step is reversed from the state before it");
  is_int(within, PLACES * STEPS, "no more is held than there are places");
  is_int(fewest, PLACES * STEPS, "no other schedule runs fewer steps");
  is_int(as_formula, PLACES * STEPS, "as many as the formula says");
  is_int(bounded, PLACES * STEPS, "no step is run more often than the binomial numbers say");
}

static void long_chains(void)
{
  for (uint64_t p = 1; p <= 30; p += p < 10 ? 3 : 10) {
    const uint64_t n = p == 1 ? 1000 : 10000;
    const course c = run(n, p);
    ok(c.is_right && c.most_held <= p && c.forward == formula(n, p) &&
       c.most_times <= times_of(n, p),
       "%d steps, %d places: %d steps forward, each at most %d times", (int)n, (int)p,
       (int)c.forward, (int)times_of(n, p));
  }
}

static void reach(void)
{
  is_int(sni_schedule_reach(3, 2), 10, "C(5, 3)");
  is_int(sni_schedule_reach(10, 5), 3003, "C(15, 10)");
  is_int(sni_schedule_reach(7, 0), 1, "none run again: one step");
  ok(sni_schedule_reach(100, 100) == UINT64_MAX, "what no number holds is the largest");
}

int main(void)
{
  reach();
  small_chains();
  long_chains();
  return done_testing();
}
