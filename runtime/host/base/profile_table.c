/* The profile as a table.
 *
 * What a row took itself is its time without what stands in rows of its own: so the column adds up
 * to the time inside all calls, and each percentage is of that.
 */
#include "runtime/host/base/profile.h"
#include "runtime/host/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
  void (*put)(void *user, const char *text);
  void *user;
  double seconds;                /* inside all calls */
} table;

static int compare_names(const sni_profile_row *a, const sni_profile_row *b)
{
  const int by_name = strcmp(a->name, b->name);

  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  return by_name ? by_name : (a->line > b->line) - (a->line < b->line);
}

/* Those that took most first; of equal ones, those that moved most. */
static int compare_rows(const void *left, const void *right)
{
  const sni_profile_row *a = left, *b = right;

  if (a->spent.own_seconds != b->spent.own_seconds)
    return a->spent.own_seconds > b->spent.own_seconds ? -1 : 1;
  if (a->spent.bytes != b->spent.bytes)
    return a->spent.bytes > b->spent.bytes ? -1 : 1;
  return compare_names(a, b);
}

static double share(const table *t, double seconds)
{
  return t->seconds > 0 ? 100 * seconds / t->seconds : 0;
}

/* A number in so many places, or blanks where it is none. */
static void put_number(const table *t, int width, int decimals, double value, int is_known)
{
  char text[64];

  if (is_known)
    snprintf(text, sizeof text, "%*.*f ", width, decimals, value);
  else
    snprintf(text, sizeof text, "%*s ", width, "");
  t->put(t->user, text);
}

static void put_name(const table *t, const sni_profile_row *row)
{
  char line[32];

  t->put(t->user, row->name);
  if (row->line) {
    snprintf(line, sizeof line, ", line %d", (int)row->line);
    t->put(t->user, line);
  }
  if (row->node) {
    t->put(t->user, ", over ");
    t->put(t->user, row->node);
  }
  t->put(t->user, "\n");
}

static double per_second(double amount, double seconds)
{
  return seconds > 0 ? 1e-6 * amount / seconds : 0;
}

/* seconds: what the first columns are of. */
static void put_row(const table *t, const sni_profile_row *row, double seconds)
{
  const sni_spent *spent = &row->spent;
  const double calls = (double)spent->calls;
  char kind[32];

  put_number(t, 12, 3, 1e3 * seconds, 1);
  put_number(t, 6, 1, share(t, seconds), 1);
  put_number(t, 10, 0, calls, 1);
  put_number(t, 12, 2, calls > 0 ? 1e6 * seconds / calls : 0, 1);
  put_number(t, 10, 2, per_second(spent->cells, spent->cell_seconds), spent->cell_seconds > 0);
  put_number(t, 10, 2, 1e-6 * spent->bytes, spent->bytes > 0);
  put_number(t, 10, 1, per_second(spent->bytes, spent->seconds),
             spent->bytes > 0 && spent->seconds > 0);
  snprintf(kind, sizeof kind, " %-10s  ", sni_profile_kind_name(row->kind));
  t->put(t->user, kind);
  put_name(t, row);
}

static void put_head(const table *t, const char *what)
{
  char line[160];

  snprintf(line, sizeof line, "%12s %6s %10s %12s %10s %10s %10s  %-10s  %s\n", "ms", "%", "calls",
           "us/call", "Mcells/s", "MB", "MB/s", "kind", what);
  t->put(t->user, line);
}

static int has_kernels(const sni_profile *profile)
{
  for (size_t k = 0; k < profile->count; k++)
    if (profile->rows[k].kind == PROFILE_kernel)
      return 1;
  return 0;
}

/* Each with its tasks and all that was done for them. */
static void put_kernels(const table *t, const sni_profile *profile)
{
  if (!has_kernels(profile))
    return;
  t->put(t->user, "\n");
  put_head(t, "whole calls of kernels");
  for (size_t k = 0; k < profile->count; k++)
    if (profile->rows[k].kind == PROFILE_kernel)
      put_row(t, &profile->rows[k], profile->rows[k].spent.seconds);
}

static void put_kinds(const table *t, const sni_profile *profile)
{
  double seconds[PROFILE_KIND_COUNT] = { 0 };
  char text[64];

  for (size_t k = 0; k < profile->count; k++)
    seconds[profile->rows[k].kind] += profile->rows[k].spent.own_seconds;
  snprintf(text, sizeof text, "\n%.3f ms inside calls:", 1e3 * t->seconds);
  t->put(t->user, text);
  for (int k = 0; k < PROFILE_KIND_COUNT; k++) {
    snprintf(text, sizeof text, "%s %s %.1f %%", k ? "," : "",
             sni_profile_kind_name((sni_profile_kind)k), share(t, seconds[k]));
    t->put(t->user, text);
  }
  t->put(t->user, "\n");
}

void sni_profile_table(sni_profile *profile, void (*put)(void *user, const char *text), void *user)
{
  table t = { put, user, 0 };

  sni_mutex_lock(&profile->lock);
  if (profile->count)
    qsort(profile->rows, profile->count, sizeof *profile->rows, compare_rows);
  for (size_t k = 0; k < profile->count; k++)
    t.seconds += profile->rows[k].spent.own_seconds;
  put_head(&t, "each without what stands in lines of its own");
  for (size_t k = 0; k < profile->count; k++)
    put_row(&t, &profile->rows[k], profile->rows[k].spent.own_seconds);
  put_kernels(&t, profile);
  put_kinds(&t, profile);
  sni_mutex_unlock(&profile->lock);
}
