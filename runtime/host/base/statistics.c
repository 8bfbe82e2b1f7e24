/* Sums by name. */
#include "runtime/host/base/statistics.h"

#include <string.h>

static const char *const own_names[STATISTIC_COUNT] = {
#define STATISTIC(name) #name,
#include "runtime/host/base/statistics.def"
#undef STATISTIC
};

double *sni_statistic_find(sni_statistics *statistics, const char *key)
{
  for (int k = 0; k < STATISTIC_COUNT; k++)
    if (strcmp(key, own_names[k]) == 0)
      return &statistics->own[k];
  for (size_t k = 0; k < statistics->count; k++)
    if (strcmp(key, statistics->rows[k].key) == 0)
      return &statistics->rows[k].value;
  return NULL;
}

double *sni_statistic_make(sni_statistics *statistics, sni_accounts *accounts, const char *key)
{
  double *found = sni_statistic_find(statistics, key);
  void *rows = statistics->rows;
  sni_stat *row;

  if (found)
    return found;
  if (!sni_grow(accounts, &rows, &statistics->capacity, statistics->count + 1, sizeof *row))
    return NULL;
  statistics->rows = rows;
  row = &statistics->rows[statistics->count++];
  strcpy(row->key, key);
  return &row->value;
}

const char *sni_statistic_row(const sni_statistics *statistics, size_t k, double *value)
{
  if (k < STATISTIC_COUNT) {
    *value = statistics->own[k];
    return own_names[k];
  }
  k -= STATISTIC_COUNT;
  if (k >= statistics->count)
    return NULL;
  *value = statistics->rows[k].value;
  return statistics->rows[k].key;
}

void sni_statistics_free(sni_statistics *statistics, sni_accounts *accounts)
{
  sni_delete(accounts, statistics->rows, statistics->capacity, sizeof *statistics->rows);
}
