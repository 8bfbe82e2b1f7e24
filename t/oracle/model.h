/* The tree as plain C: a set of cells, by their numbers (generate.pl), with their values. */
#ifndef SN_T_ORACLE_MODEL_H
#define SN_T_ORACLE_MODEL_H

#include "t/oracle/table.h"

#include <stdint.h>

enum { ORACLE_MOST = 40 };             /* SNodes */

/* Of each SNode, by number: where it is dense or has no field, nothing. */
typedef struct model {
  uint8_t *active[ORACLE_MOST];        /* not of dynamic SNodes: */
  int64_t *length[ORACLE_MOST];        /* by the number of the container */
  int64_t *value[ORACLE_MOST];         /* of an inactive cell the field's default */
} model;

model *model_create(void);
void model_destroy(model *);
void model_copy(model *to, const model *from);

/* As the field's type holds it, in 64 bits. */
int64_t model_wrap(int s, int64_t value);
int model_is_active(const model *, int s, int64_t id);
/* The cell and all above it; on a dynamic SNode all before it too. */
void model_activate(model *, int s, int64_t id);
void model_write(model *, int s, int64_t id, int64_t value);
/* The cell and all below it; of a dynamic SNode the container that it is in. */
void model_deactivate(model *, int s, int64_t id);
/* Of an SNode, or of the whole tree (-1). */
void model_empty(model *, int s);

/* Arrays of a test's own: zeros, or the end of the program. */
void *oracle_array(int64_t count, size_t bytes);

#endif
