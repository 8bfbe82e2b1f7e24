/* What the writers of foo_device.h share (device.c). */
#ifndef SNODEGEN_EMIT_DEVICE_H
#define SNODEGEN_EMIT_DEVICE_H

#include "gen/emit/writer.h"

typedef struct DeviceWriter {
  Emit *emit;
  const IrTree *tree;
  const IrSNode **lists;           /* the SNodes that hold fields, by their place in view.blocks */
  int list_count;
} DeviceWriter;

/* Of a field in its own order; of an SNode in axis order; of a dynamic one's containers. */
typedef struct DeviceIndex {
  const IrSNode *snode;
  const IrField *field;            /* NULL: the SNode's own */
  bool of_container;
} DeviceIndex;

/* ---- device_walk.c ---- */
const char *device_name(Emit *, const char *of, const char *what);          /* foo_OF_WHAT */
const char *device_tree_name(const DeviceWriter *, const char *what);
const char *device_field_name(const DeviceWriter *, const IrField *, const char *what);
const char *device_append(Emit *, const char *list, const char *item);
const char *device_behind(Emit *, const char *list);                /* a comma before it, or "" */
void device_open(Emit *, const char *result, const char *name, const char *params);
void device_close(Emit *);
/* Cells of one container along an axis: a number where it is known. */
const char *device_extent(Emit *, const IrSNode *, int axis);
/* The SNode's container, by the walk to the cell that holds it from the SNode's own coordinates. */
const char *device_container(Emit *, const IrSNode *, const char *mode);
void device_write_walk(Emit *, const IrSNode *);
/* "int64_t i, int64_t j", or without the type. */
const char *device_index_list(Emit *, const DeviceIndex *, const char *type);
/* What holds of an index that lies inside the extents; "": any does. */
const char *device_inside(Emit *, const DeviceIndex *);
const char *device_note(Emit *, const DeviceIndex *, const char *code, const char *needs);
void device_write_checked_walk(const DeviceWriter *, const DeviceIndex *, const char *name);
const char *device_params(const DeviceWriter *, const DeviceIndex *);   /* view and index */
/* The call of the checked walk. */
const char *device_cell_at(const DeviceWriter *, const DeviceIndex *, const char *mode);

/* ---- device_snode.c, device_field.c ---- */
void device_write_snode(const DeviceWriter *, const IrSNode *);
void device_write_field(const DeviceWriter *, const IrField *);

#endif
