/* What .vdb and .nvdb files hold: a grid for each field.  C, and C++17, which the files that call
 * the libraries are written in: fields, values and errors are looked after in C (grids.c). */
#ifndef SNI_IO_GRIDS_H
#define SNI_IO_GRIDS_H

#include <stddef.h>
#include <stdint.h>

#include <snode/io.h>

SN_BEGIN_DECLS

/* How the values of a grid stand in memory: uint8_t, int32_t .. double; three floats, doubles. */
typedef enum sni_grid_kind {
  SNI_GRID_BOOL, SNI_GRID_INT32, SNI_GRID_INT64, SNI_GRID_FLOAT, SNI_GRID_DOUBLE,
  SNI_GRID_VEC3F, SNI_GRID_VEC3D
} sni_grid_kind;

typedef struct sni_grid {
  const char *name, *unit;       /* unit: "": none is told */
  sni_grid_kind kind;
  int64_t count;                 /* of active cells */
  const int32_t *at;             /* three for each of them */
  const void *values, *background;
} sni_grid;

typedef struct sni_grids {
  const char *tree, *length_unit;               /* "": none is told */
  int count, compress;
  double centre[3], spacing[3];  /* of cell 0, 0, 0, and from one cell to the next */
  const sni_grid *grid;
} sni_grids;

/* Writes the file, which is there and empty.  0; or what went wrong is in `why`.  No exception
 * leaves it. */
typedef int sni_grids_writer(const sni_grids *, const char *path, char *why, size_t room);

/* What both public calls are. */
int sni_io_write_grids(sn_tree *, const char *fields, const sn_io_options *, const char *path,
                       sni_grids_writer *);

SN_END_DECLS

#endif
