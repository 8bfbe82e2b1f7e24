/* Values of fields of a tree, held in memory: what the checkpoints of a tape consist of.
 *
 * They are taken and put back by the same walk over the tree (transfer.h), so that nothing is
 * held beside the values: it holds as long as no cell has been activated or deactivated.
 */
#ifndef SNI_TREE_TAPE_STATE_H
#define SNI_TREE_TAPE_STATE_H

#include "runtime/host/tree/transfer.h"

/* A tree and the memory that a walk over it needs, made once, so that putting values back needs no
 * further memory. */
typedef struct sni_walker {
  sn_tree *tree;                 /* NULL: it is gone */
  sni_side side;
  int is_open;
} sni_walker;

int sni_walker_open(sni_walker *);               /* open already: nothing is done */
void sni_walker_close(sni_walker *);
/* Of one that is open: hands out the values of the sink's fields, or takes them. */
int sni_walk(sni_walker *, const sni_sink *);

/* Values in the order of the walk, as it hands them out. */
typedef struct sni_piece {
  struct sni_piece *next;
  size_t bytes;                  /* of what follows */
} sni_piece;

/* Chosen fields of one tree. */
typedef struct sni_part {
  struct sni_part *next;
  uint32_t walker;               /* whose values: a number of the tape's */
  uint32_t field_count;
  sni_piece *first, *last;
  uint8_t chosen[];              /* of each field of the tree whether it is among them */
} sni_part;

typedef struct sni_state {
  sni_part *first;
  uint64_t bytes;                /* of the values */
} sni_state;

/* Adds the chosen fields as they are.  After an error the state is as it was. */
int sni_state_take(sni_state *, sni_walker *, uint32_t walker, const uint8_t *chosen);
/* Puts all values back; walkers: those that the numbers name. */
int sni_state_put(const sni_state *, sni_walker *walkers);
void sni_state_free(sni_state *, sni_accounts *);

#endif
