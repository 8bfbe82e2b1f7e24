/* The profile: its rows, and adding to them. */
#include "runtime/host/base/profile.h"

#include <stdio.h>
#include <string.h>

static const char *const kinds[PROFILE_KIND_COUNT] = {
#define PROFILE_KIND(name) #name,
#include "runtime/host/base/profile.def"
#undef PROFILE_KIND
};

const char *sni_profile_kind_name(sni_profile_kind kind)
{
  return kinds[kind];
}

/* ---- rows ---- */

static const char between[] = ": ";

static size_t name_bytes(const sni_profile_key *key)
{
  return strlen(key->owner) + (key->part ? strlen(between) + strlen(key->part) : 0) + 1;
}

static int is_row_of(const sni_profile_row *row, const sni_profile_key *key)
{
  const size_t length = strlen(key->owner);
  const char *rest = row->name + length;

  if (row->kind != key->kind || row->line != key->line ||
      strncmp(row->name, key->owner, length) != 0)
    return 0;
  if (!key->part)
    return !*rest;
  return strncmp(rest, between, strlen(between)) == 0 &&
         strcmp(rest + strlen(between), key->part) == 0;
}

/* NULL: no memory. */
static sni_profile_row *make_row(sni_profile *profile, sni_accounts *accounts,
                                 const sni_profile_key *key)
{
  const size_t bytes = name_bytes(key);
  void *rows = profile->rows;
  sni_profile_row *row;
  char *name;

  if (!sni_grow(accounts, &rows, &profile->capacity, profile->count + 1, sizeof *row))
    return NULL;
  profile->rows = rows;
  name = sni_new(accounts, bytes, 1);
  if (!name)
    return NULL;
  snprintf(name, bytes, "%s%s%s", key->owner, key->part ? between : "",
           key->part ? key->part : "");
  row = &profile->rows[profile->count++];
  row->kind = key->kind;
  row->name = name;
  row->line = key->line;
  return row;
}

void sni_profile_add(sni_profile *profile, sni_accounts *accounts, sni_profile_key key,
                     double seconds, double bytes)
{
  sni_profile_row *row = NULL;

  for (size_t k = 0; k < profile->count && !row; k++)
    if (is_row_of(&profile->rows[k], &key))
      row = &profile->rows[k];
  if (!row)
    row = make_row(profile, accounts, &key);
  if (!row)
    return;
  row->calls++;
  row->seconds += seconds;
  row->bytes += bytes;
}

void sni_profile_free(sni_profile *profile, sni_accounts *accounts)
{
  for (size_t k = 0; k < profile->count; k++)
    sni_delete(accounts, profile->rows[k].name, strlen(profile->rows[k].name) + 1, 1);
  sni_delete(accounts, profile->rows, profile->capacity, sizeof *profile->rows);
}
