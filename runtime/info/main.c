/* snode-info: what is in a tree's file. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#define SN_SERIAL
#include "runtime/info/info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <snode/device/runtime.h>
#include <snode/io.h>

typedef struct settings {
  const char *path, *svg, *vtk, *write, *field;
  sn_box box;
  uint32_t box_indices;          /* 0: no box is given */
} settings;

static const char usage[] =
  "Usage: snode-info [OPTION ...] [--] FILE\n"
  "What is in the file of a tree, as foo_grid_save writes it: nodes, fields, active cells.\n"
  "\n"
  "  --field=NAME  the field that pictures and files are of; else the first that has indices\n"
  "  --svg=OUT     a picture of where the active cells are\n"
  "  --vtk=OUT     OUT.vti: the values over the field's box; OUT.vtu: its active cells\n"
  "  --write=OUT   by the end of OUT: .vti, .npy, the values over the field's box;\n"
  "                .vtu, .h5, .vdb, .nvdb, its active cells\n"
  "  --box=LO:HI,...  of --vtk and --write: for each index of the field, in its own order, LO to\n"
  "                HI - 1: what lies in that box alone\n"
  "  --help        this text\n"
  "  --version     the release\n";

/* The value of "--name=value", or of "--name value"; NULL: it is another option. */
static const char *value_of(char **argv, int argc, int *at, const char *name)
{
  const size_t length = strlen(name);

  if (strncmp(argv[*at], name, length) != 0)
    return NULL;
  if (argv[*at][length] == '=')
    return argv[*at] + length + 1;
  if (argv[*at][length] || *at + 1 >= argc)
    return NULL;
  return argv[++*at];
}

static int wrong_usage(const char *what, const char *argument)
{
  fprintf(stderr, "snode-info: %s%s%s\nsnode-info --help says how it is used\n", what,
          *argument ? ": " : "", argument);
  return 2;
}

/* One index of the box, LO:HI; where it ends, NULL: it is none. */
static const char *take_range(settings *s, const char *text)
{
  const uint32_t k = s->box_indices++;
  char *end, *last;

  if (k == SN_MAX_AXES)
    return NULL;
  errno = 0;
  s->box.lo[k] = strtoll(text, &end, 10);
  if (end == text || *end != ':')
    return NULL;
  s->box.hi[k] = strtoll(end + 1, &last, 10);
  return last == end + 1 || errno || s->box.lo[k] >= s->box.hi[k] ? NULL : last;
}

static int take_box(settings *s, const char *text)
{
  const char *at = text;

  s->box_indices = 0;
  for (at = take_range(s, at); at && *at == ','; at = take_range(s, at))
    at++;
  return at && !*at ? 0 : wrong_usage("--box takes LO:HI for each index, LO below HI, with commas "
                                      "between them", text);
}

static int take_option(settings *s, char **argv, int argc, int *at)
{
  const char *const argument = argv[*at];
  const char *value;

  if ((value = value_of(argv, argc, at, "--svg")) != NULL)
    s->svg = value;
  else if ((value = value_of(argv, argc, at, "--vtk")) != NULL)
    s->vtk = value;
  else if ((value = value_of(argv, argc, at, "--write")) != NULL)
    s->write = value;
  else if ((value = value_of(argv, argc, at, "--field")) != NULL)
    s->field = value;
  else if ((value = value_of(argv, argc, at, "--box")) != NULL)
    return take_box(s, value);
  else
    return wrong_usage("no such option, or it lacks its value", argument);
  return 0;
}

/* -1: go on; else the exit status. */
static int take_arguments(settings *s, int argc, char **argv)
{
  int are_options = 1;           /* until "--" */

  for (int k = 1; k < argc; k++) {
    const int is_option = are_options && argv[k][0] == '-' && argv[k][1];
    if (is_option && strcmp(argv[k], "--help") == 0) {
      fputs(usage, stdout);
      return 0;
    }
    if (is_option && strcmp(argv[k], "--version") == 0) {
      printf("snode-info %s\n", sn_version());
      return 0;
    }
    if (is_option && strcmp(argv[k], "--") == 0) {
      are_options = 0;
    } else if (is_option) {
      if (take_option(s, argv, argc, &k))
        return 2;
    } else if (s->path) {
      return wrong_usage("one file at a time", argv[k]);
    } else {
      s->path = argv[k];
    }
  }
  if (s->box_indices && !s->vtk && !s->write)
    return wrong_usage("--box says what --vtk and --write write, and neither is given", "");
  return s->path ? -1 : wrong_usage("no file is named", "");
}

/* ---- the tree ---- */

static int ends_with(const char *text, const char *end)
{
  const size_t length = strlen(text), tail = strlen(end);

  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int is_field(const char *name, const char *wanted)
{
  const size_t length = strlen(wanted);

  return strncmp(name, wanted, length) == 0 && (!name[length] || name[length] == '.');
}

/* The one that is named, or the first with indices; -1: none. */
static int find_field(const sn_tree_info *info, const char *wanted)
{
  for (uint32_t k = 0; k < info->field_count; k++)
    if (info->fields[k].axis_count && (!wanted || is_field(info->fields[k].name, wanted)))
      return (int)k;
  return -1;
}

/* ---- files for others ---- */

typedef int file_writer(sn_tree *, const char *fields, const sn_io_options *, const char *path);

/* Of a format whose library is not there. */
#if !(defined SN_HAVE_HDF5 && defined SN_HAVE_VDB && defined SN_HAVE_NVDB)
static int write_none(sn_tree *tree, const char *fields, const sn_io_options *options,
                      const char *path)
{
  (void)fields;
  (void)options;
  (void)path;
  return sn_tree_fail(tree, SN_ENOTSUP, "--write: this snode-info was built without the library "
                      "that writes such files");
}
#endif
#ifndef SN_HAVE_HDF5
# define sn_io_write_hdf5_active write_none
#endif
#ifndef SN_HAVE_VDB
# define sn_io_write_vdb write_none
#endif
#ifndef SN_HAVE_NVDB
# define sn_io_write_nvdb write_none
#endif

/* NULL: it ends in none of them (check_names has refused that). */
static file_writer *writer_of(const char *path, int is_vtk)
{
  static const struct format { const char *end; file_writer *write; int is_vtk; } formats[] = {
    { ".vti", sn_io_write_vti, 1 }, { ".vtu", sn_io_write_vtu, 1 }, { ".npy", sn_io_write_npy, 0 },
    { ".h5", sn_io_write_hdf5_active, 0 }, { ".vdb", sn_io_write_vdb, 0 },
    { ".nvdb", sn_io_write_nvdb, 0 }
  };

  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
    if (ends_with(path, formats[k].end) && (formats[k].is_vtk || !is_vtk))
      return formats[k].write;
  return NULL;
}

static int same_indices(const snd_field_info *a, const snd_field_info *b)
{
  return a->axis_count == b->axis_count && memcmp(a->axes, b->axes, a->axis_count) == 0 &&
         memcmp(a->origin, b->origin, a->axis_count * sizeof *a->origin) == 0;
}

/* A file of the first field's node has the fields with its indices, or, is_one, that field. */
static void tell_left_out(const info_view *v, const char *path, int is_one)
{
  const snd_field_info *const fields = v->info->fields, *const first = &fields[v->field];
  int count = 0;

  for (uint32_t k = 0; k < v->info->field_count; k++) {
    if (fields[k].snode != first->snode ||
        (is_one ? &fields[k] == first : same_indices(&fields[k], first)))
      continue;
    if (count++ == 0)
      fprintf(stderr, "snode-info: %s: %s has %s%s alone; --field=NAME writes another:", v->path,
              path, is_one ? "" : "the fields with the indices of ", first->name);
    fprintf(stderr, " %s", fields[k].name);
  }
  if (count)
    fprintf(stderr, "\n");
}

static int check_box(const info_view *v, const settings *s)
{
  const snd_field_info *field = &v->info->fields[v->field];
  char text[3 * INFO_NAME];

  if (!s->box_indices || s->box_indices == field->axis_count)
    return SN_OK;
  snprintf(text, sizeof text, "--box has LO:HI for %u of the indices of %s, which has %u",
           (unsigned)s->box_indices, field->name, (unsigned)field->axis_count);
  return sn_tree_fail(v->tree, SN_EINVAL, text);
}

/* An array of NumPy is of one field: without a name the first one. */
static int write_file(const info_view *v, const settings *s, const char *path, int is_vtk)
{
  file_writer *const write = writer_of(path, is_vtk);
  const int is_one = write == sn_io_write_npy;
  const char *field = is_one && !s->field ? v->info->fields[v->field].name : s->field;
  sn_io_options options = SN_IO_OPTIONS_INIT;

  SN_TRY(check_box(v, s));
  if (s->box_indices)
    options.box = &s->box;
  SN_TRY(write(v->tree, field, &options, path));
  if (!s->field)
    tell_left_out(v, path, is_one);
  return SN_OK;
}

/* Without a field with indices there is nothing to see but the tree. */
static int show(info_view *v, const settings *s)
{
  v->field = find_field(v->info, s->field);
  if (v->field < 0 && (s->field || s->svg || s->vtk || s->write))
    return sn_tree_fail(v->tree, SN_EINVAL, s->field ? "--field: there is no such field with "
                        "indices" : "no field has indices");
  if (s->vtk)
    SN_TRY(write_file(v, s, s->vtk, 1));
  if (s->write)
    SN_TRY(write_file(v, s, s->write, 0));
  if (s->svg)
    SN_TRY(info_write_svg(v, s->svg));
  if (s->vtk || s->write || s->svg)
    return SN_OK;
  SN_TRY(info_show(v));
  return v->field < 0 ? SN_OK : info_show_occupancy(v);
}

static int load_and_show(sn_context *context, const sn_module *module, const sn_tree_info *info,
                         const info_shape *shape, const settings *s)
{
  info_view view = { shape, NULL, info, s->path, -1 };
  int code = sn_tree_create(context, module, info, NULL, NULL, &view.tree);

  if (code == SN_OK)
    code = sn_tree_load(view.tree, info, s->path);
  if (code == SN_OK)
    code = show(&view, s);
  if (code != SN_OK)
    fprintf(stderr, "snode-info: %s: %s\n", s->path, sn_context_error(context));
  sn_tree_destroy(view.tree);
  return code;
}

static int run(const info_shape *shape, const settings *s)
{
  const sn_tree_info info = { shape->name, shape->name, 1, shape->root_bytes, shape->snode_count,
                              shape->field_count, 0, 0, shape->snodes, shape->fields, NULL };
  const sn_tree_info *const trees[] = { &info };
  const sn_module module = { SNODE_ABI, sizeof module, "snode-info", s->path, shape->generator,
                             &snd_backend, 1, 0, 0, 0, trees, NULL, NULL };
  sn_context *context;
  sn_config *config;
  int code = sn_config_create(&config);

  if (code == SN_OK) {
    code = sn_config_set(config, "device", "host");
    if (code == SN_OK)
      code = sn_context_create(config, &context);
    sn_config_destroy(config);
  }
  if (code != SN_OK) {
    fprintf(stderr, "snode-info: %s\n", sn_strerror(code));
    return 1;
  }
  code = load_and_show(context, &module, &info, shape, s);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}

/* -1: go on; else the exit status. */
static int check_names(const settings *s)
{
  if (s->vtk && !writer_of(s->vtk, 1))
    return wrong_usage("--vtk: the name of the file ends in .vti or .vtu", s->vtk);
  if (s->write && !writer_of(s->write, 0))
    return wrong_usage("--write: the name of the file ends in .vti, .vtu, .npy, .h5, .vdb or .nvdb",
                       s->write);
  return -1;
}

/* The exit status, of what has come to this one. */
static int end_output(int status)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  fprintf(stderr, "snode-info: the output could not be written\n");
  return 1;
}

int main(int argc, char **argv)
{
  info_shape shape;
  settings s = { .path = NULL };
  const char *wrong;
  int status = take_arguments(&s, argc, argv);

  if (status < 0)
    status = check_names(&s);
  if (status >= 0)
    return end_output(status);
  memset(&shape, 0, sizeof shape);
  status = info_read_shape(&shape, s.path);
  wrong = status ? NULL : info_lay_out(&shape);
  if (wrong) {
    fprintf(stderr, "snode-info: %s: %s\n", s.path, wrong);
    status = 1;
  }
  if (!status)
    status = run(&shape, &s);
  info_free_shape(&shape);
  return end_output(status);
}
