/* A tree's file: its blocks, written and read one after another.  docs/checkpoint.md has
 * the format, byte by byte.
 *
 * Every number in a file is little-endian, whatever the machine: numbers go through
 * sni_put and sni_take, arrays through sni_reorder.
 */
#ifndef SNI_TREE_CHECKPOINT_H
#define SNI_TREE_CHECKPOINT_H

#include "runtime/host/base/crc.h"
#include "runtime/host/base/file.h"
#include "runtime/host/tree/transfer.h"

enum {
  SNI_FORMAT = 1,                /* version: raised when an older libsnode cannot read it */
  SNI_PREAMBLE_BYTES = 16,       /* magic, version, CRC of both */
  SNI_BLOCK_HEAD_BYTES = 24,
  SNI_CELLS_HEAD_BYTES = 24,     /* of the payload, before the records */
  SNI_VALUES_HEAD_BYTES = 24,    /* before the values */
  SNI_END_BYTES = 24,
  SNI_BLOCK_MOST = 16 << 20      /* bytes of a payload; no block needs so many */
};

#define SNI_MAGIC "\x89SNT\r\n\x1a\n"

/* Four letters as they stand in the file. */
#define SNI_LETTERS(a, b, c, d) \
  ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define SNI_BLOCK_TREE SNI_LETTERS('T', 'R', 'E', 'E')
#define SNI_BLOCK_CELLS SNI_LETTERS('C', 'E', 'L', 'L')
#define SNI_BLOCK_VALUES SNI_LETTERS('D', 'A', 'T', 'A')
#define SNI_BLOCK_END SNI_LETTERS('D', 'O', 'N', 'E')

/* ---- little-endian ---- */

/* Where numbers are written or read; at NULL: they are only counted. */
typedef struct sni_cursor {
  unsigned char *at;
  size_t used, bytes;
  int is_short;                  /* something reached past the end: then it was 0 */
} sni_cursor;

void sni_put(sni_cursor *, uint64_t value, uint32_t bytes);
void sni_put_text(sni_cursor *, const char *);
uint64_t sni_take(sni_cursor *, uint32_t bytes);
/* A text of the cursor's memory: not ended by a 0. */
const char *sni_take_text(sni_cursor *, size_t *length);
/* `count` elements of one width in place, from the machine's order to the file's or
 * back. */
void sni_reorder(void *elements, size_t count, uint32_t bytes);

/* ---- blocks ---- */

/* All of these note their errors in the context: SN_EIO with the reason, SN_ENOMEM. */
typedef struct sni_writer {
  sn_tree *tree;
  const char *path;
  sni_aside aside;
  sni_crc crc;
  uint64_t blocks, cells, values;                /* so far */
} sni_writer;

int sni_write_open(sni_writer *, sn_tree *, const char *path);
/* The payload is head, then body. */
int sni_write_block(sni_writer *, uint32_t kind, const void *head, size_t head_bytes,
                    const void *body, size_t body_bytes);
int sni_write_commit(sni_writer *);
void sni_write_drop(sni_writer *);

typedef struct sni_reader {
  sn_tree *tree;
  const char *path;
  FILE *file;
  sni_crc crc;
  uint64_t offset, blocks;       /* bytes, blocks read */
  uint64_t current;              /* the block at hand: its number, its kind */
  uint32_t kind;
  unsigned char *payload;        /* on 8 bytes */
  size_t bytes, capacity;
} sni_reader;

int sni_read_open(sni_reader *, sn_tree *, const char *path);
/* From the start, behind the preamble. */
int sni_read_rewind(sni_reader *);
int sni_read_block(sni_reader *);
int sni_read_end(sni_reader *);                  /* nothing may follow */
void sni_read_close(sni_reader *);
/* The block at hand is not what it should be. */
int sni_read_damaged(sni_reader *, const char *what);

/* ---- the tree's block ---- */

typedef struct sni_file_field {
  int32_t snode;
  uint32_t bytes;                /* of an element */
  int32_t field;                 /* of the tree; -1: it has none of that name */
} sni_file_field;

/* What a file says of its tree, by the tree's own. */
typedef struct sni_file_tree {
  uint32_t field_count;
  sni_file_field *fields;        /* in the file's order */
  char skipped[SNI_TEXT_BYTES / 4];              /* names of those that the tree has not */
  uint64_t draws;                /* calls that drew random numbers */
} sni_file_tree;

int sni_write_tree(sni_writer *);
/* Of the block at hand.  SN_EINVAL: it is another tree. */
int sni_read_tree(sni_reader *, sni_file_tree *);
void sni_file_tree_free(sn_tree *, sni_file_tree *);
/* Lists, as the context's message, fields that only one of both has. */
void sni_file_tree_note(sni_reader *, const sni_file_tree *);

#endif
