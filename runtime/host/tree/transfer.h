/* Cells and values of trees in batches: what saving, loading, copying and tapes stand on.
 *
 * A tree goes out SNode by SNode, parents first: batches of active cells (records, as
 * snode/device/abi.h describes them), each followed by the values of the fields that
 * lie in them, field by field.  It comes in by the same steps.  A batch is bounded, so
 * memory is, whatever the tree holds.
 */
#ifndef SNI_TREE_TRANSFER_H
#define SNI_TREE_TRANSFER_H

#include "runtime/host/tree/sequencer.h"

enum {
  SNI_BATCH_CELLS = 1 << 16,
  SNI_BATCH_RECORDS = 1 << 14,
  SNI_BATCH_BYTES = 4 << 20      /* of values */
};

/* Active cells of one sparse SNode, in host memory.  snode 0: the root's one cell,
 * which has no record. */
typedef struct sni_batch {
  int32_t snode;
  uint64_t cells, records, record_words;
  uint64_t *select;              /* 2 a record; [2 * r + 1]: cells before record r */
  uint64_t *record;              /* record_words each */
} sni_batch;

/* Who takes what goes out; the arrays are the taker's to change until it returns.
 * An error ends the export; its text has been noted by then. */
typedef struct sni_sink {
  void *self;
  int (*cells)(void *self, const sni_batch *);   /* NULL: it takes none */
  /* Elements first .. first + count - 1 of the field in the batch before. */
  int (*values)(void *self, int32_t field, uint64_t first, uint64_t count, void *values);
  const uint8_t *fields;         /* for each field of the tree whether it goes out; NULL: all do */
  int is_put;                    /* values go in: `values` writes them, and the cells get them.  As
                                    long as no cell is activated or deactivated an export goes
                                    through the same elements in the same order */
} sni_sink;

/* An array that the transfer's tasks read or write, in the memory of the tree; host is the same
 * memory, or for a tree on a device a copy of it on the host. */
typedef struct sni_staging {
  sni_block block;
  void *host;
  size_t bytes;
} sni_staging;

/* One tree of a transfer, with the memory that the transfer needs beside it. */
typedef struct sni_side {
  sn_call *call;                 /* open; its code is the transfer's */
  int32_t slot;
  sn_tree *tree;
  sni_block cell;
  sni_staging select, record, value;
  uint64_t *window;              /* devices: a copy of masks or entries */
  double bytes;                  /* of records and values, so far: for the profile */
} sni_side;

int sni_side_open(sni_side *, sn_call *, int32_t slot);
void sni_side_close(sni_side *);

int sni_export(sni_side *, const sni_sink *);
int sni_import_cells(sni_side *, const sni_batch *);
int sni_import_values(sni_side *, int32_t snode, int32_t field, uint64_t first, uint64_t count,
                      const void *values);

/* The SNode with whose cells the field's values go: the nearest that is not dense. */
int32_t sni_holder_of_values(const sn_tree *, int32_t snode);
/* Elements of a field of `snode` in one cell of that SNode. */
uint64_t sni_values_per_cell(const sn_tree *, int32_t snode);
uint64_t sni_record_words(const sn_tree *, int32_t snode);
/* How many cells a record names. */
uint64_t sni_record_cells(const sn_tree *, int32_t snode, const uint64_t *record);

/* The transfer in the profile, as "save", "load" or "copy". */
void sni_transfer_note(const sni_side *, const char *what);

#endif
