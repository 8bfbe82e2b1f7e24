/* Sums by name: libsnode's own (statistics.def) and the caller's. */
#ifndef SNI_BASE_STATISTICS_H
#define SNI_BASE_STATISTICS_H

#include <stddef.h>

#include "runtime/host/base/accounts.h"

typedef enum sni_statistic {
#define STATISTIC(name) STATISTIC_##name,
#include "runtime/host/base/statistics.def"
#undef STATISTIC
  STATISTIC_COUNT
} sni_statistic;

enum { SNI_KEY_BYTES = 64 };

typedef struct sni_stat {
  char key[SNI_KEY_BYTES];
  double value;
} sni_stat;

typedef struct sni_statistics {
  double own[STATISTIC_COUNT];
  sni_stat *rows;                /* the caller's, in order of first use */
  size_t count, capacity;
} sni_statistics;

/* The sum of that name; NULL: none yet. */
double *sni_statistic_find(sni_statistics *, const char *key);
/* The same, made where there is none; NULL: no memory. */
double *sni_statistic_make(sni_statistics *, sni_accounts *, const char *key);
/* Row k in order, the library's first; NULL: past the last. */
const char *sni_statistic_row(const sni_statistics *, size_t k, double *value);
void sni_statistics_free(sni_statistics *, sni_accounts *);

#endif
