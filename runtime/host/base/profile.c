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

void sni_profile_create(sni_profile *profile)
{
  memset(profile, 0, sizeof *profile);
  sni_mutex_create(&profile->lock);
}

static const char between[] = ": ";

static size_t name_bytes(const sni_profile_key *key)
{
  return strlen(key->owner) + (key->part ? strlen(between) + strlen(key->part) : 0) + 1;
}

static int is_name_of(const char *name, const sni_profile_key *key)
{
  const size_t length = strlen(key->owner);
  const char *rest = name + length;

  if (strncmp(name, key->owner, length) != 0)
    return 0;
  if (!key->part)
    return !*rest;
  return strncmp(rest, between, strlen(between)) == 0 &&
         strcmp(rest + strlen(between), key->part) == 0;
}

static int is_row_of(const sni_profile_row *row, const sni_profile_key *key)
{
  if (row->kind != key->kind || row->line != key->line || !row->node != !key->node)
    return 0;
  return is_name_of(row->name, key) && (!key->node || strcmp(row->node, key->node) == 0);
}

/* NULL: no memory. */
static char *copy_text(sni_accounts *accounts, const char *text)
{
  char *copy = text ? sni_new(accounts, strlen(text) + 1, 1) : NULL;

  if (copy)
    strcpy(copy, text);
  return copy;
}

static void delete_text(sni_accounts *accounts, char *text)
{
  if (text)
    sni_delete(accounts, text, strlen(text) + 1, 1);
}

/* NULL: no memory. */
static sni_profile_row *make_row(sni_profile *profile, sni_accounts *accounts,
                                 const sni_profile_key *key)
{
  const size_t bytes = name_bytes(key);
  void *rows = profile->rows;
  sni_profile_row *row;
  char *name, *node;

  if (!sni_grow(accounts, &rows, &profile->capacity, profile->count + 1, sizeof *row))
    return NULL;
  profile->rows = rows;
  name = sni_new(accounts, bytes, 1);
  node = copy_text(accounts, key->node);
  if (!name || (key->node && !node)) {
    sni_delete(accounts, name, bytes, 1);
    delete_text(accounts, node);
    return NULL;
  }
  snprintf(name, bytes, "%s%s%s", key->owner, key->part ? between : "",
           key->part ? key->part : "");
  row = &profile->rows[profile->count++];
  row->kind = key->kind;
  row->name = name;
  row->line = key->line;
  row->node = node;
  return row;
}

static void add_spent(sni_spent *sum, const sni_spent *more)
{
  sum->calls += more->calls;
  sum->seconds += more->seconds;
  sum->own_seconds += more->own_seconds;
  sum->bytes += more->bytes;
  sum->cells += more->cells;
  sum->cell_seconds += more->cell_seconds;
}

void sni_profile_add(sni_profile *profile, sni_accounts *accounts, const sni_profile_key *key,
                     const sni_spent *spent)
{
  sni_profile_row *row = NULL;

  sni_mutex_lock(&profile->lock);
  for (size_t k = 0; k < profile->count && !row; k++)
    if (is_row_of(&profile->rows[k], key))
      row = &profile->rows[k];
  if (!row)
    row = make_row(profile, accounts, key);
  if (row)
    add_spent(&row->spent, spent);
  sni_mutex_unlock(&profile->lock);
}

void sni_profile_merge(sni_profile *profile, sni_accounts *accounts, sni_profile *from)
{
  sni_mutex_lock(&from->lock);
  for (size_t k = 0; k < from->count; k++) {
    const sni_profile_row *row = &from->rows[k];
    const sni_profile_key key = { row->kind, row->name, NULL, row->line, row->node };
    sni_profile_add(profile, accounts, &key, &row->spent);
  }
  sni_mutex_unlock(&from->lock);
}

void sni_profile_destroy(sni_profile *profile, sni_accounts *accounts)
{
  for (size_t k = 0; k < profile->count; k++) {
    delete_text(accounts, profile->rows[k].name);
    delete_text(accounts, profile->rows[k].node);
  }
  sni_delete(accounts, profile->rows, profile->capacity, sizeof *profile->rows);
  sni_mutex_destroy(&profile->lock);
}
