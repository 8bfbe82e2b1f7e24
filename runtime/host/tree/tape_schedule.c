/* The binomial schedule: a chain is split at a state that is held, behind it is reversed first. */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/tape_schedule.h"

static const uint64_t UNKNOWN = UINT64_MAX;      /* the state after an adjoint: it is restored */

/* Each product is the binomial coefficient of a row before, times k: it can be divided. */
uint64_t sni_schedule_reach(uint64_t places, uint64_t times)
{
  const uint64_t fewer = sni_least(places, times), more = sni_most(places, times);
  uint64_t steps = 1;

  for (uint64_t k = 1; k <= fewer; k++) {
    if (steps > UINT64_MAX / (more + k))
      return UINT64_MAX;
    steps = steps * (more + k) / k;
  }
  return steps;
}

/* How many steps to run until the next state is held, of a chain of `steps`, at least 2, with
 * `places`, at least 2, of which the first holds the chain's beginning.  No step is run more
 * than `times` times where what is behind the split is within reach with a place less and what
 * is before it with all places and once less, since it has been run once by then. */
static uint64_t split_of(uint64_t steps, uint64_t places)
{
  uint64_t times = 1;

  while (sni_schedule_reach(places, times) < steps)
    times++;
  return sni_least(sni_schedule_reach(places, times - 1),
                   steps - sni_schedule_reach(places - 1, times - 1));
}

void sni_schedule_begin(sni_schedule *s, uint64_t steps, uint64_t *held, uint64_t places)
{
  held[0] = 0;
  s->held = held;
  s->places = places;
  s->count = 1;
  s->at = UNKNOWN;
  s->end = steps;
}

static sni_action restore(sni_schedule *s)
{
  while (s->held[s->count - 1] >= s->end)        /* behind what is still to be reversed */
    s->count--;
  s->at = s->held[s->count - 1];
  return (sni_action){ .kind = SNI_ACTION_RESTORE, .place = s->count - 1 };
}

static sni_action turn(sni_schedule *s)
{
  s->at = UNKNOWN;
  s->end--;
  return (sni_action){ .kind = SNI_ACTION_TURN, .from = s->end };
}

static sni_action hold(sni_schedule *s)
{
  s->held[s->count++] = s->at;
  return (sni_action){ .kind = SNI_ACTION_HOLD, .place = s->count - 1 };
}

static sni_action forward(sni_schedule *s)
{
  const uint64_t from = s->at, steps = s->end - from, places = s->places - s->count + 1;

  s->at += places == 1 ? steps - 1 : split_of(steps, places);
  return (sni_action){ .kind = SNI_ACTION_FORWARD, .from = from, .to = s->at };
}

sni_action sni_schedule_next(sni_schedule *s)
{
  if (s->end == 0)
    return (sni_action){ .kind = SNI_ACTION_END };
  if (s->at == UNKNOWN)
    return restore(s);
  if (s->at == s->end - 1)
    return turn(s);
  return s->at == s->held[s->count - 1] ? forward(s) : hold(s);
}
