/* snode-info: what is in a tree's file.  The file's first block says what its tree is: of that a
 * module is made, whose tree loads the rest of the file as any program's does. */
#ifndef SNI_INFO_INFO_H
#define SNI_INFO_INFO_H

#include <stdio.h>

#include <snode/module.h>
#include <snode/snode.h>

/* ---- shape.c ---- */

enum { INFO_SNODES = 4096, INFO_FIELDS = 65536, INFO_NAME = 64 };

typedef struct info_shape {      /* zeros before info_read_shape */
  char *generator;
  char *name;
  uint32_t snode_count, field_count;
  snd_snode_info *snodes;
  snd_axis_info (*axes)[SN_MAX_AXES];            /* by SNode */
  int64_t (*extents)[SN_MAX_AXES];               /* by SNode, by its axes; 0: a hash's */
  snd_field_info *fields;
  uint64_t root_bytes;
  long file_bytes;               /* 0: unknown */
} info_shape;

/* The first block of the file.  0; or a message is on the standard error. */
int info_read_shape(info_shape *, const char *path);
void info_free_shape(info_shape *);

/* ---- layout.c ---- */

/* Where in memory all of it lies.  0; or a text: the tree is too large for this machine, or a node
 * has far more cells than the file has bytes: to look for the active ones would take minutes. */
const char *info_lay_out(info_shape *);

/* ---- show.c, picture.c ---- */

typedef struct info_view {
  const info_shape *shape;
  sn_tree *tree;
  const sn_tree_info *info;
  const char *path;
  int field;                     /* that the picture is of; -1: none has indices */
} info_view;

/* Both: SN_OK, or a code, with the text in the context. */
int info_show(const info_view *);
int info_show_occupancy(const info_view *);
int info_write_svg(const info_view *, const char *path);

const char *info_type_name(sn_type);

#endif
