/* Tapes: making, beginning, ending, and giving back. */
#include "runtime/host/base/sized.h"
#include "runtime/host/tree/tape.h"

#include <string.h>

static void clear(sn_tape *tape)
{
  sni_accounts *accounts = &tape->context->accounts;

  for (size_t k = 0; k < tape->count; k++)
    sni_noted_free(tape->notes[k], accounts);
  sni_delete(accounts, tape->notes, tape->capacity, sizeof(sni_noted *));
  for (size_t k = 0; k < tape->tree_count; k++) {
    sni_walker_close(&tape->walkers[k]);
    sni_tape_tree_free(&tape->trees[k], accounts);
  }
  sni_delete(accounts, tape->trees, tape->tree_capacity, sizeof *tape->trees);
  sni_delete(accounts, tape->walkers, tape->walker_capacity, sizeof *tape->walkers);
  sni_state_free(&tape->base, accounts);
  tape->notes = NULL;
  tape->trees = NULL;
  tape->walkers = NULL;
  tape->count = tape->capacity = 0;
  tape->tree_count = tape->tree_capacity = tape->walker_capacity = 0;
  tape->held_bytes = 0;
  tape->is_overwritten = 0;
  memset(&tape->statistics, 0, sizeof tape->statistics);
  *tape->spoiled = '\0';
  tape->phase = SNI_TAPE_EMPTY;
}

/* A tree is about to be destroyed: no tape can be reversed that has it. */
static void forget(sn_tape *tape, const sn_tree *tree)
{
  for (; tape; tape = tape->next)
    for (size_t k = 0; k < tape->tree_count; k++)
      if (tape->trees[k].tree == tree) {
        if (tape->trees[k].is_noted)
          sni_tape_spoil(tape, "a %s that noted kernels use has been destroyed",
                         tree->info->c_name);
        sni_walker_close(&tape->walkers[k]);
        tape->trees[k].tree = tape->walkers[k].tree = NULL;
      }
}

/* ---- making and giving back ---- */

static int create(sn_context *context, int64_t places, sn_tape **out)
{
  sn_tape *tape;

  if (!out || places < 0)
    return sni_fail(context, SN_EINVAL, out ? "sn_tape_create: %lld places: there can be 0 or more"
                                            : "sn_tape_create: NULL for the tape, of %lld places",
                    (long long)places);
  tape = sni_new(&context->accounts, 1, sizeof *tape);
  if (!tape)
    return sni_fail(context, SN_ENOMEM, "sn_tape_create: no memory for the tape");
  tape->context = context;
  tape->places = (uint64_t)places;
  tape->next = context->tapes;
  context->tapes = tape;
  context->tree_gone = forget;
  *out = tape;
  return SN_OK;
}

int sn_tape_create(sn_context *context, int64_t places, sn_tape **out)
{
  int code;

  SN_TRY(sni_enter(context));
  code = create(context, places, out);
  sni_leave(context);
  return code;
}

void sn_tape_destroy(sn_tape *tape)
{
  sn_context *context = tape ? tape->context : NULL;
  sn_tape **at;

  if (!tape || sni_enter_for(context, "sn_tape_destroy: the tape stays") != SN_OK)
    return;
  clear(tape);
  for (at = &context->tapes; *at != tape; at = &(*at)->next)
    ;
  *at = tape->next;
  sni_delete(&context->accounts, tape, 1, sizeof *tape);
  sni_leave(context);
}

/* ---- begin and end ---- */

static int begin(sn_tape *tape)
{
  for (const sn_tape *t = tape->context->tapes; t; t = t->next)
    if (t->phase == SNI_TAPE_RECORDING)
      return sni_fail(tape->context, SN_ESTATE, "sn_tape_begin: %s of the context has begun "
                      "already: sn_tape_end comes first", t == tape ? "this tape"
                                                                    : "another tape");
  clear(tape);
  tape->phase = SNI_TAPE_RECORDING;
  return SN_OK;
}

static int end(sn_tape *tape)
{
  if (tape->phase != SNI_TAPE_RECORDING)
    return sni_fail(tape->context, SN_ESTATE, "sn_tape_end: the tape has not begun");
  tape->phase = SNI_TAPE_ENDED;
  if (*tape->spoiled)
    return sni_fail(tape->context, SN_ESTATE, "sn_tape_end: the tape cannot be reversed: %s",
                    tape->spoiled);
  return SN_OK;
}

int sn_tape_begin(sn_tape *tape)
{
  int code;

  if (!tape)
    return SN_EINVAL;
  SN_TRY(sni_enter(tape->context));
  code = begin(tape);
  sni_leave(tape->context);
  return code;
}

int sn_tape_end(sn_tape *tape)
{
  int code;

  if (!tape)
    return SN_EINVAL;
  SN_TRY(sni_enter(tape->context));
  code = end(tape);
  sni_leave(tape->context);
  return code;
}

/* ---- adjoints of results ---- */

/* Counted from 1; 0: there is none. */
static size_t last_with_result(const sn_tape *tape)
{
  size_t k = tape->count;

  while (k > 0 && !tape->notes[k - 1]->kernel->gradient->adjoint_count)
    k--;
  return k;
}

static int seed(sn_tape *tape, int64_t call, const void *adjoint)
{
  sn_context *context = tape->context;
  const size_t k = call < 0 ? last_with_result(tape) : (size_t)call + 1;
  sni_noted *note;

  if (tape->phase == SNI_TAPE_EMPTY)
    return sni_fail(context, SN_ESTATE, "sn_tape_seed: nothing is noted: sn_tape_begin comes "
                    "first");
  if (!adjoint)
    return sni_fail(context, SN_EINVAL, "sn_tape_seed: the pointer to the adjoint is NULL");
  if (call == -1 && k == 0)
    return sni_fail(context, SN_EINVAL, "sn_tape_seed: no noted call has a result with an adjoint");
  if (call < -1 || k > tape->count)
    return sni_fail(context, SN_EINVAL, "sn_tape_seed: call %lld: %llu are noted, counted from 0",
                    (long long)call, (unsigned long long)tape->count);
  note = tape->notes[k - 1];
  if (!note->kernel->gradient->adjoint_count)
    return sni_fail(context, SN_EINVAL, "sn_tape_seed: call %lld: %s has no result with an adjoint",
                    (long long)call, note->kernel->c_name);
  memcpy(sni_noted_adjoint(note), adjoint, sni_adjoint_bytes(note->kernel));
  note->is_seeded = 1;
  return SN_OK;
}

int sn_tape_seed(sn_tape *tape, int64_t call, const void *adjoint)
{
  int code;

  if (!tape)
    return SN_EINVAL;
  SN_TRY(sni_enter(tape->context));
  code = seed(tape, call, adjoint);
  sni_leave(tape->context);
  return code;
}

/* ---- what it came to ---- */

int sn_tape_statistics_of(sn_tape *tape, sn_tape_statistics *out)
{
  if (!tape || !out)
    return SN_EINVAL;
  SN_TRY(sni_enter(tape->context));
  tape->statistics.calls = (int64_t)tape->count;
  sni_sized_fill(out, &tape->statistics, sizeof *out);
  sni_leave(tape->context);
  return SN_OK;
}
