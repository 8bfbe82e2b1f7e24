/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims: what --check=race verifies of [[unique(p)]].
 *
 *   if (!snd_claim(launch, site, elements, indices, words)) return;
 *
 * words are the elements of p, then the indices of the iteration.  0, and the error is noted,
 * where another iteration of the task has claimed the same elements.  The claims of a task lie
 * in a table of the launch's unit (snd_claims), which libsnode empties before the task: an
 * array of entries, each the words of one claim, and a hash of slots, open addressing,
 * that holds their numbers.
 *
 * Memory orders: an entry is written by its iteration alone and then published by the
 * exchange that puts its number into a slot, which is a release; who finds the number there
 * has loaded it by an acquire, and so sees the whole entry.  A slot is taken once in a
 * task and never given back, so two claims of the same elements, which go through the same
 * slots in the same order, meet in the one that the first of them took.  Nobody waits.
 */
#ifndef SNODE_DEVICE_CLAIM_H
#define SNODE_DEVICE_CLAIM_H

#include <snode/device/hash.h>
#include <snode/device/trap.h>

/* A slot: the number of the task in the upper half, of the entry in the lower one.  What an
 * earlier task left counts as empty. */
enum { SND_CLAIM_TASK_SHIFT = 32 };

SND_INLINE int64_t snd_claim_compare(const SND_GLB int64_t *entry, const int64_t *words, int n)
{
  for (int k = 0; k < n; k++)
    if (entry[k] != words[k]) return entry[k] < words[k] ? -1 : 1;
  return 0;
}

/* The elements, then the indices of both iterations, the lesser one first: so that it does
 * not matter which one came later.  Without them where there is no room. */
SND_COLD void
snd_trap_claim(SND_GLB snd_launch *launch, int32_t site, int elements, int indices,
               const SND_GLB int64_t *entry, const int64_t *words)
{
  const int is_first = snd_claim_compare(entry + elements, words + elements, indices) < 0;
  int64_t told[SN_MAX_AXES];

  if (elements + 2 * indices > SN_MAX_AXES) {
    snd_trap_at(launch, SN_ESTATE, site);
    return;
  }
  for (int k = 0; k < elements; k++) told[k] = words[k];
  for (int k = elements; k < elements + indices; k++) {
    told[k] = is_first ? entry[k] : words[k];
    told[k + indices] = is_first ? words[k] : entry[k];
  }
  snd_trap_index(launch, SN_ESTATE, site, -1, -1, elements + 2 * indices, told);
}

/* This iteration's entry, written; its number; -1: there is no room. */
SND_INLINE int64_t
snd_claim_entry(const SND_GLB snd_claims *claims, SND_GLB uint64_t *taken, const int64_t *words,
                int n)
{
  /* Relaxed: it deals out numbers. */
  const uint64_t number = snd_fetch_add_u64(taken, 1);
  SND_GLB int64_t *entry = SND_POINTER(int64_t, claims->entries) + number * (uint64_t)n;

  if (number >= claims->capacity || (number + 1) * (uint64_t)n > claims->entry_words) return -1;
  for (int k = 0; k < n; k++) entry[k] = words[k];
  return (int64_t)number;
}

/* 1: these elements are claimed for this iteration alone. */
SND_INLINE int
snd_claim(SND_GLB snd_launch *launch, int32_t site, int elements, int indices,
          const int64_t *words)
{
  SND_GLB snd_claims *claims = SND_POINTER(snd_claims, launch->claims);
  SND_GLB uint64_t *slots = SND_POINTER(uint64_t, claims->slots);
  const int64_t number = snd_claim_entry(claims, &claims->taken, words, elements + indices);
  const uint64_t stamp = claims->task << SND_CLAIM_TASK_SHIFT | (uint64_t)number;
  uint64_t h = 0;

  if (number < 0) {
    snd_trap_memory_at(launch, SN_ECAPACITY, site, -1, -1, claims->capacity, claims->capacity + 1);
    return 0;
  }
  for (int k = 0; k < elements; k++) h = snd_hash_mix(h, words[k]);
  for (;;) {
    SND_GLB uint64_t *slot = &slots[h & (claims->slot_count - 1)];
    const uint64_t seen = snd_load_acquire_u64(slot);
    if (seen >> SND_CLAIM_TASK_SHIFT != claims->task) {
      /* Where another one was faster the slot is looked at again: it is taken now. */
      if (snd_compare_exchange_release_u64(slot, seen, stamp) == seen) return 1;
    } else {
      const SND_GLB int64_t *entry = SND_CONST_POINTER(int64_t, claims->entries) +
                                     (seen & UINT32_MAX) * (uint64_t)(elements + indices);
      if (snd_claim_compare(entry, words, elements) == 0) {
        snd_trap_claim(launch, site, elements, indices, entry, words);
        return 0;
      }
      h++;
    }
  }
}

#endif
