/* VTK unstructured grid: active cells, which share their corners. */
#include "runtime/io/vtk.h"

#include <stdlib.h>
#include <string.h>

typedef struct corner {
  int64_t at[3];
  int64_t point;                 /* its number; -1: the place in the table is free */
} corner;

typedef struct mesh {
  const sni_io_choice *c;
  const sni_io_cells *cells;
  corner *table;                 /* open addressing */
  uint64_t places;               /* a power of two */
  double *points;                /* three each */
  int64_t point_count;
  int64_t *connectivity, *offsets;
  unsigned char *types;
} mesh;

static int corners_of(int indices)
{
  return 1 << indices;
}

static uint64_t hash(const int64_t *at)
{
  uint64_t h = 0;

  for (int k = 0; k < 3; k++)
    h = (h ^ (uint64_t)at[k]) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
  return h ^ h >> 32;
}

/* The number of the point there, which may be new. */
static int64_t point_at(mesh *m, const int64_t *at)
{
  const sn_io_options *o = &m->c->options;
  uint64_t place = hash(at) & (m->places - 1);
  corner *found;

  while (m->table[place].point >= 0 && memcmp(m->table[place].at, at, 3 * sizeof *at) != 0)
    place = (place + 1) & (m->places - 1);
  found = &m->table[place];
  if (found->point < 0) {
    memcpy(found->at, at, 3 * sizeof *at);
    found->point = m->point_count++;
    for (int k = 0; k < 3; k++)
      m->points[3 * found->point + k] = o->origin[k] + o->spacing[k] * (double)at[k];
  }
  return found->point;
}

/* Corners in the order of VTK's line, pixel and voxel: x fastest. */
static void connect(mesh *m, int64_t cell)
{
  static const unsigned char types[] = { 0, 3, 8, 11 };
  const int n = m->c->axes.count, corners = corners_of(n);

  for (int b = 0; b < corners; b++) {
    int64_t at[3] = { 0, 0, 0 };
    for (int k = 0; k < n; k++)
      at[k] = m->cells->index[cell * n + k] + (b >> k & 1);
    m->connectivity[cell * corners + b] = point_at(m, at);
  }
  m->offsets[cell] = (cell + 1) * corners;
  m->types[cell] = types[n];
}

static int make_mesh(mesh *m)
{
  const size_t cells = (size_t)m->cells->count + 1;
  const size_t most = cells * (size_t)corners_of(m->c->axes.count);

  m->places = 16;
  while (m->places < 2 * most)
    m->places *= 2;
  m->table = malloc((size_t)m->places * sizeof *m->table);
  m->points = malloc(most * 3 * sizeof *m->points);
  m->connectivity = malloc(most * sizeof *m->connectivity);
  m->offsets = malloc(cells * sizeof *m->offsets);
  m->types = malloc(cells);
  if (!m->table || !m->points || !m->connectivity || !m->offsets || !m->types)
    return sni_io_fail(m->c->tree, SN_ENOMEM, "%s: no memory for the corners of %lld cells",
                       m->c->info->c_name, (long long)m->cells->count);
  for (uint64_t k = 0; k < m->places; k++)
    m->table[k].point = -1;
  for (int64_t k = 0; k < m->cells->count; k++)
    connect(m, k);
  return SN_OK;
}

static void free_mesh(mesh *m)
{
  free(m->table);
  free(m->points);
  free(m->connectivity);
  free(m->offsets);
  free(m->types);
}

static int add_mesh(sni_vtk *vtk, const mesh *m)
{
  const size_t cells = (size_t)m->cells->count;
  const size_t corners = cells * (size_t)corners_of(m->c->axes.count);

  SN_TRY(sni_vtk_add(vtk, "Points", "Float64", 3, m->points,
                     (size_t)m->point_count * 3 * sizeof *m->points));
  SN_TRY(sni_vtk_add(vtk, "connectivity", "Int64", 1, m->connectivity,
                     corners * sizeof *m->connectivity));
  SN_TRY(sni_vtk_add(vtk, "offsets", "Int64", 1, m->offsets, cells * sizeof *m->offsets));
  return sni_vtk_add(vtk, "types", "UInt8", 1, m->types, cells);
}

static void put_file(const mesh *m, const sni_vtk *vtk, sni_output_file *out)
{
  sni_vtk_head(vtk, out, "UnstructuredGrid");
  sni_io_print(out, ">\n    <Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n"
               "      <Points>\n", (long long)m->point_count, (long long)m->cells->count);
  sni_vtk_tags(vtk, out, 0, 1);
  sni_io_print(out, "      </Points>\n      <Cells>\n");
  sni_vtk_tags(vtk, out, 1, 4);
  sni_io_print(out, "      </Cells>\n      <CellData Scalars=\"%s\">\n", m->c->fields[0].name);
  sni_vtk_tags(vtk, out, 4, vtk->count);
  sni_io_print(out, "      </CellData>\n");
  sni_vtk_tail(vtk, out, "UnstructuredGrid");
}

/* The first field brings the cells, the others theirs in the same order: they share the SNode. */
static int add_field(const sni_io_choice *c, int k, sni_vtk *vtk, sni_io_cells *cells, mesh *m)
{
  sni_io_cells own;
  void *values;
  int code;

  SN_TRY(sni_io_read_cells(c, &c->fields[k], &own, &values));
  if (k == 0) {
    *cells = own;
    code = make_mesh(m);
    if (code == SN_OK)
      code = add_mesh(vtk, m);
  } else {
    free(own.index);
    code = SN_OK;
  }
  if (code == SN_OK)
    code = sni_vtk_add_field(vtk, &c->fields[k], values, own.count);
  free(values);
  return code;
}

int sn_io_write_vtu(sn_tree *tree, const char *fields, const sn_io_options *options,
                    const char *path)
{
  sni_io_cells cells = { 0, NULL };
  sni_output_file out;
  sni_io_choice c;
  sni_vtk vtk;
  mesh m = { &c, &cells, NULL, 0, NULL, 0, NULL, NULL, NULL };
  int code = SN_OK;

  SN_TRY(sni_io_choose(&c, tree, fields, options, SNI_IO_FIELDS, 3));
  SN_TRY(sni_io_open(&out, tree, path));
  sni_vtk_begin(&vtk, tree, &c.options);
  for (int k = 0; k < c.count && code == SN_OK; k++)
    code = add_field(&c, k, &vtk, &cells, &m);
  if (code == SN_OK)
    put_file(&m, &vtk, &out);
  sni_vtk_end(&vtk);
  free_mesh(&m);
  free(cells.index);
  return sni_io_close(&out, code);
}
