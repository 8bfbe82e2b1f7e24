/* The indices that a field or an SNode has: lo .. last on each axis.  An open axis (a hash's) has
 * no extent, but what stands below the hash must have indices of 64 bits (snd_snode_view.reach).
 */
#ifndef SNI_TREE_RANGE_H
#define SNI_TREE_RANGE_H

#include "runtime/host/tree/tree.h"

typedef struct sni_range {
  uint32_t axes;
  int64_t lo[SN_MAX_AXES], last[SN_MAX_AXES];
  uint32_t open;                                 /* bit k: the k-th is */
} sni_range;

/* In the field's own order, with its origin. */
sni_range sni_range_of_field(const sn_tree *, int field);
/* Of the cells of an SNode: the axes of its path, ascending; of its containers: without
 * its own. */
sni_range sni_range_of_cells(const sn_tree *, int32_t snode);
sni_range sni_range_of_containers(const sn_tree *, int32_t snode);

int sni_range_holds(const sni_range *, const int64_t *index);
/* One behind the last index, where there is such a number; else that one. */
int64_t sni_range_end(const sni_range *, uint32_t k);

enum { SNI_RANGE_BYTES = SN_MAX_AXES * 48 };

/* "200, 3" */
void sni_index_text(const int64_t *index, uint32_t n, char *text, size_t bytes);
/* "128 x 64"; with an origin or open axes "-64 .. 63 x -128 .. 127" */
void sni_range_text(const sni_range *, char *text, size_t bytes);

/* The name of an snd_field_info as the program has it, for "%.*s": an element of a
 * vector goes by the vector's. */
#define SNI_FIELD_NAME(field) (int)strcspn((field)->name, "."), (field)->name

#endif
