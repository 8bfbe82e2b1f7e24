/* Factorizations: rows of factors.def by number. */
#ifndef SNODEGEN_FRONT_FACTORS_H
#define SNODEGEN_FRONT_FACTORS_H

#include "gen/base/type.h"

enum { MAX_FACTOR_RESULTS = 3 };

typedef enum FactorShape { FACTOR_NONE, FACTOR_VECTOR, FACTOR_MATRIX } FactorShape;

typedef struct FactorInfo {
  const char *name;
  int results;
  FactorShape shape[MAX_FACTOR_RESULTS];
} FactorInfo;

typedef enum Factor {
#define FACTOR(name, results, first, second, third) FACTOR_##name,
#include "gen/front/factors.def"
#undef FACTOR
  FACTOR_COUNT
} Factor;

extern const FactorInfo factor_info[FACTOR_COUNT];

/* What result k is, of a matrix of that type. */
const Type *factor_result(Factor, int k, const Type *matrix);

#endif
