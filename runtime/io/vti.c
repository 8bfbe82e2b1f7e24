/* VTK image data: a box of cells. */
#include "runtime/io/vtk.h"

#include <stdlib.h>

static void put_extent(const sni_io_choice *c, sni_output_file *out, const char *name)
{
  sni_io_print(out, " %s=\"", name);
  for (int k = 0; k < 3; k++)
    sni_io_print(out, "%s%lld %lld", k ? " " : "", k < c->axes.count ? (long long)c->box.lo[k] : 0,
                 k < c->axes.count ? (long long)c->box.hi[k] : 0);
  sni_io_print(out, "\"");
}

static void put_three(sni_output_file *out, const char *name, const double *values)
{
  sni_io_print(out, " %s=\"", name);
  for (int k = 0; k < 3; k++) {
    sni_io_print(out, k ? " " : "");
    sni_io_print_number(out, values[k]);
  }
  sni_io_print(out, "\"");
}

static void put_file(const sni_io_choice *c, const sni_vtk *vtk, sni_output_file *out)
{
  sni_vtk_head(vtk, out, "ImageData");
  put_extent(c, out, "WholeExtent");
  put_three(out, "Origin", c->options.origin);
  put_three(out, "Spacing", c->options.spacing);
  sni_io_print(out, ">\n    <Piece");
  put_extent(c, out, "Extent");
  sni_io_print(out, ">\n      <CellData Scalars=\"%s\">\n", c->fields[0].name);
  sni_vtk_tags(vtk, out, 0, vtk->count);
  sni_io_print(out, "      </CellData>\n");
  sni_vtk_tail(vtk, out, "ImageData");
}

static int add_fields(const sni_io_choice *c, sni_vtk *vtk)
{
  int code = SN_OK;

  for (int k = 0; k < c->count && code == SN_OK; k++) {
    void *values = sni_io_read_box(c, &c->fields[k], 1, &code);
    if (code == SN_OK)
      code = sni_vtk_add_field(vtk, &c->fields[k], values, c->cells);
    free(values);
  }
  return code;
}

int sn_io_write_vti(sn_tree *tree, const char *fields, const sn_io_options *options,
                    const char *path)
{
  sni_io_choice c;
  sni_output_file out;
  sni_vtk vtk;
  int code;

  SN_TRY(sni_io_choose(&c, tree, fields, options, SNI_IO_FIELDS, 3));
  SN_TRY(sni_io_take_box(&c));
  for (int k = 0; k < c.axes.count; k++)
    if (c.box.lo[k] < INT32_MIN || c.box.hi[k] > INT32_MAX)
      return sni_io_fail(tree, SN_EINVAL, "%s: the box passes 32 bits, as VTK's extents are",
                         c.info->c_name);
  SN_TRY(sni_io_open(&out, tree, path));
  sni_vtk_begin(&vtk, tree, &c.options);
  code = add_fields(&c, &vtk);
  if (code == SN_OK)
    put_file(&c, &vtk, &out);
  sni_vtk_end(&vtk);
  return sni_io_close(&out, code);
}
