/* What may have come of writes and deactivations of the same cells at once. */
#ifndef SN_T_ORACLE_CHAOS_H
#define SN_T_ORACLE_CHAOS_H

#include "t/oracle/model.h"

typedef struct chaos chaos;

chaos *chaos_begin(void);
void chaos_gone(chaos *, int s, int64_t id);
/* value: where it has a field; of an append (container, value), which has no cell yet. */
void chaos_written(chaos *, int s, int64_t id, int64_t value);
void chaos_appended(chaos *, int s, int64_t container, int64_t value);
/* Whether `now` can have come of `before`: 0, or what cannot was said. */
int chaos_check(chaos *, const model *before, const model *now);
/* Of the lists alone that were appended to, in a tree that is else as the model: they go on in the
 * model as they do in `now`. */
int chaos_take_lists(chaos *, model *, const model *now);
void chaos_end(chaos *);

#endif
