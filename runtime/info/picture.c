/* Where the active cells of a field are: seen along all indices but its first two. */
#include "runtime/info/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct raster {
  int indices;
  int64_t lo[2], hi[2];          /* of the active cells */
  int64_t step[2];               /* cells of a place, along each */
  int size[2];                   /* places: down, across */
  int64_t *count;                /* of active cells, by place */
  int64_t most;
  int64_t cells;
} raster;

static int64_t coordinate(const int64_t *index, int indices, int which)
{
  return which < indices ? index[which] : 0;
}

static void surround(raster *r, const int64_t *index)
{
  for (int64_t c = 0; c < r->cells; c++)
    for (int k = 0; k < 2; k++) {
      const int64_t i = coordinate(index + c * r->indices, r->indices, k);
      if (c == 0 || i < r->lo[k])
        r->lo[k] = i;
      if (c == 0 || i >= r->hi[k])
        r->hi[k] = i + 1;
    }
}

static int fill(raster *r, const int64_t *index, int down, int across)
{
  const int most[2] = { down, across };

  surround(r, index);
  for (int k = 0; k < 2; k++) {
    const int64_t extent = r->hi[k] - r->lo[k];
    r->step[k] = (extent + most[k] - 1) / most[k];
    r->size[k] = (int)((extent + r->step[k] - 1) / r->step[k]);
  }
  r->count = calloc((size_t)r->size[0] * (size_t)r->size[1], sizeof *r->count);
  if (!r->count)
    return SN_ENOMEM;
  for (int64_t c = 0; c < r->cells; c++) {
    const int64_t *at = index + c * r->indices;
    const int64_t y = (coordinate(at, r->indices, 0) - r->lo[0]) / r->step[0];
    const int64_t x = (coordinate(at, r->indices, 1) - r->lo[1]) / r->step[1];
    int64_t *place = &r->count[y * r->size[1] + x];
    if (++*place > r->most)
      r->most = *place;
  }
  return SN_OK;
}

/* The values are not looked at: there is room for them since the call wants it. */
static int make(const info_view *v, raster *r, int down, int across)
{
  const snd_field_info *field = &v->info->fields[v->field];
  int64_t *index, n;
  uint64_t *values;
  int code;

  memset(r, 0, sizeof *r);
  r->indices = (int)field->axis_count;
  SN_TRY(sn_field_count(v->tree, v->info, v->field, &r->cells));
  if (r->cells == 0)
    return SN_OK;
  index = malloc((size_t)r->cells * (size_t)r->indices * sizeof *index);
  values = malloc((size_t)r->cells * sizeof *values);
  code = index && values ? sn_field_read_active(v->tree, v->info, v->field, index, values,
                                                r->cells, &n)
                         : SN_ENOMEM;
  if (code == SN_OK)
    code = fill(r, index, down, across);
  free(index);
  free(values);
  return code == SN_ENOMEM ? sn_tree_fail(v->tree, code, "no memory for the picture") : code;
}

static void put_range(FILE *out, const info_view *v, const raster *r)
{
  const snd_field_info *field = &v->info->fields[v->field];

  fprintf(out, "%" PRId64 " active cell%s of %s", r->cells, r->cells == 1 ? "" : "s", field->name);
  for (int k = 0; k < 2 && k < r->indices && r->cells; k++)
    fprintf(out, "%s %c from %" PRId64 " to %" PRId64, k ? "," : ":", 'i' + field->axes[k],
            r->lo[k], r->hi[k] - 1);
}

int info_show_occupancy(const info_view *v)
{
  static const char shades[] = ".:-=+*#%@";
  const int steps = (int)sizeof shades - 2;
  raster r;

  SN_TRY(make(v, &r, 32, 64));
  printf("\n");
  put_range(stdout, v, &r);
  printf(r.cells ? ", first index down:\n" : "\n");
  for (int y = 0; r.cells && y < r.size[0]; y++) {
    printf("  ");
    for (int x = 0; x < r.size[1]; x++) {
      const int64_t n = r.count[(int64_t)y * r.size[1] + x];
      putchar(n ? shades[r.most > 1 ? (n - 1) * steps / (r.most - 1) : steps] : ' ');
    }
    printf("|\n");
  }
  free(r.count);
  return SN_OK;
}

static void put_svg(FILE *out, const info_view *v, const raster *r)
{
  const int width = r->cells ? r->size[1] : 1, height = r->cells ? r->size[0] : 1;

  fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" shape-rendering=\"crispEdges\">\n<title>", width, height, 4 * width,
          4 * height);
  put_range(out, v, r);
  fprintf(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
  for (int y = 0; r->cells && y < r->size[0]; y++)
    for (int x = 0; x < r->size[1]; x++) {
      const int64_t n = r->count[(int64_t)y * r->size[1] + x];
      if (n)
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"1\" height=\"1\" fill-opacity=\"0.%02d\"/>\n",
                x, y, 25 + (int)(74 * n / r->most));
    }
  fprintf(out, "</svg>\n");
}

int info_write_svg(const info_view *v, const char *path)
{
  FILE *out;
  raster r;
  int failed;

  SN_TRY(make(v, &r, 256, 256));
  out = fopen(path, "w");
  if (out) {
    put_svg(out, v, &r);
    failed = ferror(out);
    failed |= fclose(out) != 0;
  }
  free(r.count);
  return !out || failed ? sn_tree_fail(v->tree, SN_EIO, "the picture could not be written") : SN_OK;
}
