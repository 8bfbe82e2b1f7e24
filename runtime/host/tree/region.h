/* A box of a field and the memory that its values come from or go to. */
#ifndef SNI_TREE_REGION_H
#define SNI_TREE_REGION_H

#include "runtime/host/tree/tree.h"

typedef struct sni_region {
  uint32_t axes;
  int64_t lo[SN_MAX_AXES], hi[SN_MAX_AXES];      /* of the box */
  int64_t stride[SN_MAX_AXES];                   /* in elements, of the memory */
  int64_t dense[SN_MAX_AXES];                    /* those of the box's own row-major order */
  uint64_t cells;                                /* 0: the box is empty */
  uint64_t reach;                                /* elements, first to last */
  int is_dense;                                  /* stride is dense */
} sni_region;

/* A value is as long as `elements` of field's type, of which field is one; the region is
 * that of this one.  box NULL: all of the field; stride NULL: dense.  SN_EBOUNDS: the box
 * leaves the extents; SN_EINVAL: all of a field without extents, or too large a box of one, a
 * negative stride, one of 0 where values would be written over each other (is_read), or a
 * span that is NULL, too short, not aligned to the values or on no device there is. */
int sni_region_resolve(sn_tree *, int field, int elements, const sn_box *, const sn_span *,
                       const int64_t *stride, int is_read, sni_region *);

/* Between memory with the region's strides and its dense copy; host memory. */
void sni_region_gather(const sni_region *, uint32_t bytes, void *dense, const void *strided);
void sni_region_scatter(const sni_region *, uint32_t bytes, void *strided, const void *dense);

#endif
