/* libsnode_io inside: files that appear whole, fields by name, boxes and cells of them. */
#ifndef SNI_IO_IO_H
#define SNI_IO_IO_H

#include <stdio.h>

#include <snode/io.h>
#include <snode/module.h>

/* ---- output.c: a file under way ---- */

enum { SNI_IO_PATH = 4200 };

typedef struct sni_output_file {
  sn_tree *tree;                 /* in whose context errors are noted; NULL: nowhere */
  const char *path;
  char partial[SNI_IO_PATH];
  FILE *file;                    /* NULL: the partial file is written by its name */
  int failed;                    /* errno of the first error */
} sni_output_file;

/* Notes the error in the tree's context and returns the code. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
int sni_io_fail(sn_tree *, int code, const char *format, ...);
int sni_io_open(sni_output_file *, sn_tree *, const char *path);
/* The same for what opens files by itself: the partial file is there, empty and closed. */
int sni_io_open_by_name(sni_output_file *, sn_tree *, const char *path);
void sni_io_put(sni_output_file *, const void *bytes, size_t count);
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void sni_io_print(sni_output_file *, const char *format, ...);
/* A number with a point, whatever the locale has. */
void sni_io_print_number(sni_output_file *, double);
/* It takes its place; code: not SN_OK: it is removed.  The code, or SN_EIO. */
int sni_io_close(sni_output_file *, int code);

/* ---- fields.c: what is written ---- */

enum { SNI_IO_NAME = 128, SNI_IO_UNIT = 64, SNI_IO_FIELDS = 64 };

typedef struct sni_io_field {
  char name[SNI_IO_NAME];
  char unit[SNI_IO_UNIT];        /* "": none is told */
  int first, elements;           /* of the tree's table */
  sn_type type;
} sni_io_field;

typedef struct sni_io_choice {
  sn_tree *tree;
  const sn_tree_info *info;
  sn_io_options options;
  sni_io_field fields[SNI_IO_FIELDS];
  int count;
  sn_axes axes;                  /* of the first */
  sn_box box;                    /* that is written */
  int64_t cells;                 /* in it */
} sni_io_choice;

/* names: as sn_io_write_vti has them.  most: fields at most, indices at most. */
int sni_io_choose(sni_io_choice *, sn_tree *, const char *names, const sn_io_options *,
                  int most_fields, int most_indices);
/* The box that the options say. */
int sni_io_take_box(sni_io_choice *);
size_t sni_io_value_bytes(const sni_io_field *);
/* What element k of the field reads as where a cell is inactive: as a value of an array is. */
void sni_io_default(const sni_io_choice *, const sni_io_field *, int k, void *value);
/* All values of the box, x fastest (as VTK has it) or the last index fastest; to be freed.  NULL:
 * *code says why. */
void *sni_io_read_box(const sni_io_choice *, const sni_io_field *, int is_x_fastest, int *code);

/* The active cells in the box of the options, in ascending order; to be freed. */
typedef struct sni_io_cells {
  int64_t count;
  int64_t *index;                /* count times the indices */
} sni_io_cells;
/* *values: of the field, in the same order; all is NULL after an error. */
int sni_io_read_cells(const sni_io_choice *, const sni_io_field *, sni_io_cells *, void **values);

/* ---- deflate.c: zlib, or none ---- */

/* Compressed bytes in zlib's format, to be freed.  NULL: no memory, or no zlib (sn_io_has_zlib). */
unsigned char *sni_io_deflate(const unsigned char *bytes, size_t count, size_t *packed);

#endif
