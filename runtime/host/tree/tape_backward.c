/* Running the adjoints of a tape's calls, the last one first.
 *
 * An adjoint runs with the fields as its kernel has left them: the last one's are there.  Before
 * each other one its kernel runs again, from the state before it, which the schedule
 * (tape_schedule.h) makes from checkpoints.  What the fields were is held before, and put back at
 * the end, whatever it has come to.
 */
#include "runtime/host/tree/check_grad.h"
#include "runtime/host/tree/draws.h"
#include "runtime/host/tree/tape.h"
#include "runtime/host/tree/tape_schedule.h"

#include <string.h>

typedef struct reversal {
  sn_tape *tape;
  void *params, *result;         /* room for those of any call */
  size_t params_bytes, result_bytes;
  sni_state now;                 /* the fields as they were found */
  sni_state *places;             /* checkpoints; that in place 0 is the tape's base */
  uint64_t *held;                /* the schedule's */
  uint64_t place_count;
  const sni_noted *unit;          /* whose result has the adjoint 1; NULL: adjoints were given */
} reversal;

/* ---- the adjoint of what the program comes to ---- */

/* The last call with a result of one number, where no adjoint was given to any. */
static const sni_noted *find_unit(const sn_tape *tape)
{
  const sni_noted *last = NULL;

  for (size_t k = 0; k < tape->count; k++) {
    if (tape->notes[k]->is_seeded)
      return NULL;
    if (tape->notes[k]->kernel->gradient->adjoint_count == 1)
      last = tape->notes[k];
  }
  return last;
}

/* ---- calls ---- */

/* Arrays of a device's call become addresses there: each call has parameters of its own. */
static void *params_of(reversal *r, sni_noted *note)
{
  memset(r->params, 0, r->params_bytes);
  memcpy(r->params, sni_noted_params(note), (size_t)note->kernel->params_bytes);
  return r->params;
}

/* Silently, with the random numbers that it drew when it was noted. */
static int run_again(reversal *r, sni_noted *note)
{
  sn_context *context = r->tape->context;
  sn_tree **trees = sni_noted_trees(note);
  uint64_t *draws = sni_draws_count(context, note->kernel, trees), now = *draws;
  int code;

  *draws = note->draws;
  context->is_silent = 1;
  code = sni_kernel_run(context, note->kernel, trees, params_of(r, note), r->result, NULL);
  context->is_silent = 0;
  *draws = now;
  r->tape->statistics.calls_again++;
  return code;
}

static int run_adjoint(reversal *r, sni_noted *note)
{
  const sn_kernel_info *gradient = note->kernel->gradient;
  sn_context *context = r->tape->context;
  char *params = params_of(r, note);

  for (uint32_t k = 0; k < gradient->adjoint_count; k++) {
    const snd_adjoint_result *a = &gradient->adjoints[k];
    if (note == r->unit)
      sni_element_set(a->type, params + a->adjoint, 1);
    else
      memcpy(params + a->adjoint, (char *)sni_noted_adjoint(note) + a->offset,
             sni_type_bytes(a->type));
  }
  SN_TRY(sni_kernel_check(context, gradient, sni_noted_trees(note), r->result));
  return sni_checked_run(context, gradient, sni_noted_trees(note), params, r->result, NULL);
}

/* ---- checkpoints ---- */

static void give_up(reversal *r, sni_state *state)
{
  sni_tape_gives(r->tape, state->bytes);
  sni_state_free(state, &r->tape->context->accounts);
}

/* All fields that noted calls may write, of all trees. */
static int hold(reversal *r, sni_state *state)
{
  sn_tape *tape = r->tape;
  int code = SN_OK;

  give_up(r, state);
  for (size_t w = 0; w < tape->tree_count && code == SN_OK; w++) {
    sni_tape_tree *t = &tape->trees[w];
    int any = 0;
    for (uint32_t f = 0; f < t->field_count; f++)
      any |= t->chosen[f] = (t->fields[f] & SNI_TAPE_WRITES) != 0;
    if (any)
      code = sni_state_take(state, &tape->walkers[w], (uint32_t)w, t->chosen);
  }
  sni_tape_holds(tape, state->bytes);
  return code;
}

static int restore(reversal *r, uint64_t place)
{
  return sni_state_put(place ? &r->places[place] : &r->tape->base, r->tape->walkers);
}

/* ---- in reverse ---- */

static int run_range(reversal *r, uint64_t from, uint64_t to)
{
  for (uint64_t k = from; k < to; k++)
    SN_TRY(run_again(r, r->tape->notes[k]));
  return SN_OK;
}

static void count_places(reversal *r, uint64_t place)
{
  sn_tape_statistics *statistics = &r->tape->statistics;

  if ((int64_t)place + 1 > statistics->checkpoints)
    statistics->checkpoints = (int64_t)place + 1;
}

static int act(reversal *r, const sni_action *action)
{
  switch (action->kind) {
  case SNI_ACTION_RESTORE: return restore(r, action->place);
  case SNI_ACTION_FORWARD: return run_range(r, action->from, action->to);
  case SNI_ACTION_HOLD:
    count_places(r, action->place);
    return hold(r, &r->places[action->place]);
  default:
    SN_TRY(run_range(r, action->from, action->from + 1));
    return run_adjoint(r, r->tape->notes[action->from]);
  }
}

/* All but the last call, whose adjoint has run. */
static int run_schedule(reversal *r)
{
  sni_schedule schedule;
  sni_action action;

  sni_schedule_begin(&schedule, r->tape->count - 1, r->held, r->place_count);
  count_places(r, 0);
  for (action = sni_schedule_next(&schedule); action.kind != SNI_ACTION_END;
       action = sni_schedule_next(&schedule))
    SN_TRY(act(r, &action));
  return SN_OK;
}

/* The first error is what it comes to; putting back needs no memory. */
static int reverse_held(reversal *r)
{
  int code = hold(r, &r->now), back;

  r->tape->statistics.checkpoint_bytes = (int64_t)r->now.bytes;
  if (code != SN_OK)
    return code;
  code = run_adjoint(r, r->tape->notes[r->tape->count - 1]);
  if (code == SN_OK)
    code = run_schedule(r);
  back = sni_state_put(&r->now, r->tape->walkers);
  if (back != SN_OK)
    sni_tape_spoil(r->tape, "the fields could not be put back after sn_tape_backward");
  return code != SN_OK ? code : back;
}

/* Nothing that adjoints need has been overwritten since. */
static int reverse_plainly(reversal *r)
{
  r->tape->statistics.checkpoints = r->tape->base.first != NULL;
  r->tape->statistics.checkpoint_bytes = (int64_t)r->tape->base.bytes;
  for (size_t k = r->tape->count; k > 0; k--)
    SN_TRY(run_adjoint(r, r->tape->notes[k - 1]));
  return SN_OK;
}

/* ---- what it needs ---- */

static size_t most(size_t a, size_t b)
{
  return a > b ? a : b;
}

static int make(reversal *r)
{
  const sn_tape *tape = r->tape;
  sni_accounts *accounts = &tape->context->accounts;

  r->params_bytes = r->result_bytes = sizeof(uint64_t);
  for (size_t k = 0; k < tape->count; k++) {
    const sn_kernel_info *kernel = tape->notes[k]->kernel;
    r->params_bytes = most(r->params_bytes, (size_t)kernel->gradient->params_bytes);
    /* a bool is an int there */
    r->result_bytes = most(r->result_bytes, kernel->result_count * sizeof(uint64_t));
  }
  r->place_count = tape->places < tape->count ? tape->places : tape->count;
  r->params = sni_new(accounts, 1, r->params_bytes);
  r->result = sni_new(accounts, 1, r->result_bytes);
  r->places = sni_new(accounts, (size_t)r->place_count, sizeof *r->places);
  r->held = sni_new(accounts, (size_t)r->place_count, sizeof *r->held);
  if (r->params && r->result && (!r->place_count || (r->places && r->held)))
    return SN_OK;
  return sni_fail(tape->context, SN_ENOMEM, "sn_tape_backward: no memory for its places");
}

static void unmake(reversal *r)
{
  sni_accounts *accounts = &r->tape->context->accounts;

  for (uint64_t k = 1; r->places && k < r->place_count; k++)
    give_up(r, &r->places[k]);
  give_up(r, &r->now);
  sni_delete(accounts, r->params, 1, r->params_bytes);
  sni_delete(accounts, r->result, 1, r->result_bytes);
  sni_delete(accounts, r->places, (size_t)r->place_count, sizeof *r->places);
  sni_delete(accounts, r->held, (size_t)r->place_count, sizeof *r->held);
}

/* ---- the call ---- */

static int check(sn_tape *tape)
{
  if (tape->phase != SNI_TAPE_ENDED)
    return sni_fail(tape->context, SN_ESTATE, "sn_tape_backward: the tape has not ended: "
                    "sn_tape_end comes first");
  for (size_t k = 0; k < tape->tree_count && !*tape->spoiled; k++) {
    const sni_tape_tree *t = &tape->trees[k];
    if (t->is_noted && t->versions != sni_tape_versions(t->tree))
      sni_tape_spoil(tape, "cells of a %s that noted kernels use have been activated or "
                     "deactivated since", t->tree->info->c_name);
  }
  if (*tape->spoiled)
    return sni_fail(tape->context, SN_ESTATE, "sn_tape_backward: the tape cannot be reversed: %s",
                    tape->spoiled);
  return SN_OK;
}

static int backward(sn_tape *tape)
{
  reversal r = { .tape = tape };
  int code;

  SN_TRY(check(tape));
  if (!tape->count)
    return SN_OK;
  tape->statistics.calls_again = tape->statistics.checkpoints = 0;
  r.unit = find_unit(tape);
  code = make(&r);
  if (code == SN_OK)
    code = tape->is_overwritten && tape->count > 1 ? reverse_held(&r) : reverse_plainly(&r);
  unmake(&r);
  return code;
}

int sn_tape_backward(sn_tape *tape)
{
  int code;

  if (!tape)
    return SN_EINVAL;
  SN_TRY(sni_enter(tape->context));
  code = backward(tape);
  sni_leave(tape->context);
  return code;
}
