/* What generate.pl's kernels do, in plain C, one operation after the other. */
#ifndef SN_T_ORACLE_KERNELS_H
#define SN_T_ORACLE_KERNELS_H

#include "t/oracle/chaos.h"

/* Of the kernel churn. */
typedef enum churn_mode {
  CHURN_GROW, CHURN_SHRINK, CHURN_HALVES, CHURN_LEAVES, CHURN_CHAOS
} churn_mode;

typedef struct churn {
  uint64_t seed;
  int64_t n;
  churn_mode mode;
  int appends;                   /* lists are appended to, not written at places */
  int lies;                      /* some deactivations are forgotten */
} churn;

/* Appends go to the chaos, since nobody knows their order; all else to the model, or in
 * CHURN_CHAOS to the chaos.  Which is NULL where there is neither. */
void churn_model(const churn *, model *, chaos *);
/* Whether some list would be appended to beyond its extent. */
int churn_overflows(const churn *, const model *);

int64_t look_model(const model *, uint64_t seed, int64_t n);
/* The kernel own_K of the SNode at the top; sums: one for each of its cells. */
void own_model(model *, int top, uint64_t seed, int64_t turns, int64_t *sums);
/* The kernel visit_K: a sum over the cells, and how many they are. */
void visit_model(const model *, int s, int64_t out[2]);

#endif
