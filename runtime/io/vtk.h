/* What .vti and .vtu files share: arrays that stand behind the XML, as they are or compressed. */
#ifndef SNI_IO_VTK_H
#define SNI_IO_VTK_H

#include "runtime/io/io.h"

enum { SNI_VTK_ARRAYS = SNI_IO_FIELDS + 8 };

typedef struct sni_vtk_array {
  const char *name, *type;       /* "Float32" */
  int components;
  unsigned char *bytes;          /* as they stand in the file, their head included */
  size_t count;
  uint64_t offset;
} sni_vtk_array;

typedef struct sni_vtk {
  sn_tree *tree;
  int compress;
  sni_vtk_array arrays[SNI_VTK_ARRAYS];
  int count;
  uint64_t bytes;                /* of all */
} sni_vtk;

void sni_vtk_begin(sni_vtk *, sn_tree *, const sn_io_options *);
/* The values are encoded; name is kept. */
int sni_vtk_add(sni_vtk *, const char *name, const char *type, int components, const void *values,
                size_t bytes);
/* A field's values, of which VTK has no type for f16. */
int sni_vtk_add_field(sni_vtk *, const sni_io_field *, const void *values, int64_t count);
void sni_vtk_head(const sni_vtk *, sni_output_file *, const char *kind);
/* Tags of arrays first .. last - 1. */
void sni_vtk_tags(const sni_vtk *, sni_output_file *, int first, int last);
void sni_vtk_tail(const sni_vtk *, sni_output_file *, const char *kind);
void sni_vtk_end(sni_vtk *);

#endif
