#include "runtime/host/tree/slices.h"

#include <string.h>

static sn_addr end_of(sni_slice slice)
{
  return slice.at + slice.bytes;
}

/* The first slice that ends behind the address; the count: none does. */
static size_t place_of(const sni_slices *set, sn_addr at)
{
  size_t first = 0, last = set->count;

  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    if (end_of(set->all[middle]) > at)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

static void drop(sni_slices *set, size_t k)
{
  memmove(&set->all[k], &set->all[k + 1], (set->count - k - 1) * sizeof *set->all);
  set->count--;
}

/* 0: there is no memory for another one. */
static int insert(sni_slices *set, sni_accounts *accounts, size_t k, sni_slice slice)
{
  void *all = set->all;

  if (!sni_grow(accounts, &all, &set->capacity, set->count + 1, sizeof *set->all))
    return 0;
  set->all = all;
  memmove(&set->all[k + 1], &set->all[k], (set->count - k) * sizeof *set->all);
  set->all[k] = slice;
  set->count++;
  return 1;
}

int sni_slices_add(sni_slices *set, sni_accounts *accounts, sni_slice slice)
{
  const size_t k = place_of(set, slice.at);
  const int joins_before = k > 0 && end_of(set->all[k - 1]) == slice.at;
  const int joins_behind = k < set->count && set->all[k].at == end_of(slice);

  if (slice.bytes == 0)
    return 1;
  if (joins_before && joins_behind) {
    set->all[k - 1].bytes += slice.bytes + set->all[k].bytes;
    drop(set, k);
  } else if (joins_before) {
    set->all[k - 1].bytes += slice.bytes;
  } else if (joins_behind) {
    set->all[k].at = slice.at;
    set->all[k].bytes += slice.bytes;
  } else {
    return insert(set, accounts, k, slice);
  }
  return 1;
}

int sni_slices_have(const sni_slices *set, sni_slice slice)
{
  const size_t k = place_of(set, slice.at);

  return k < set->count && set->all[k].at <= slice.at && end_of(slice) <= end_of(set->all[k]);
}

void sni_slices_remove(sni_slices *set, sni_accounts *accounts, sni_slice slice)
{
  const size_t k = place_of(set, slice.at);
  sni_slice before, behind;

  if (slice.bytes == 0 || !sni_slices_have(set, slice))
    return;
  before.at = set->all[k].at;
  before.bytes = slice.at - before.at;
  behind.at = end_of(slice);
  behind.bytes = end_of(set->all[k]) - behind.at;
  if (before.bytes && behind.bytes && insert(set, accounts, k, before))
    set->all[k + 1] = behind;
  else if (before.bytes || behind.bytes)
    set->all[k] = before.bytes > behind.bytes ? before : behind;
  else
    drop(set, k);
}

sni_slice sni_slices_largest(const sni_slices *set)
{
  sni_slice largest = { 0, 0 };

  for (size_t k = 0; k < set->count; k++)
    if (set->all[k].bytes > largest.bytes)
      largest = set->all[k];
  return largest;
}

void sni_slices_free(sni_slices *set, sni_accounts *accounts)
{
  sni_delete(accounts, set->all, set->capacity, sizeof *set->all);
  memset(set, 0, sizeof *set);
}
