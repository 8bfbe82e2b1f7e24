/* Tensors inside: blocks, each with its home, its hazards and its replicas.
 *
 * Blocks are numbered row-major by tiles.  What belongs to one stands in one array, so
 * that a use finds it by an index.  Everything that changes is under engine->lock.
 */
#ifndef SNI_EXEC_TENSOR_H
#define SNI_EXEC_TENSOR_H

#include <snode/tensor.h>

#include "runtime/host/exec/engine.h"
#include "runtime/host/exec/order.h"
#include "runtime/host/exec/replica.h"

struct sn_space {
  sn_engine *engine;
  int64_t references;
  int64_t extent, tiles;
  int64_t *first;                /* of each tile, and the extent behind the last */
};

typedef struct sni_tensor_block {
  sn_tensor *tensor;
  int64_t number;
  void *home;                    /* host memory; NULL: not stored, zero */
  size_t bytes;
  sni_hazard hazard;             /* of the tasks in the root scope */
  int is_lost;                   /* its writer failed: until it is written whole */
  sni_replica *replicas;         /* by unit index - 1; NULL: none was ever asked for */
  sni_request *waiting;          /* requests on any unit that could not be dispatched yet */
} sni_tensor_block;

struct sn_tensor {
  sn_engine *engine;
  char name[SNI_NAME];
  sn_type type;
  size_t element_bytes;
  int dimensions;
  sn_space *spaces[SN_MAX_DIMENSIONS];
  int64_t tiles[SN_MAX_DIMENSIONS];
  int64_t block_count;
  sni_tensor_block *blocks;
  void *memory;                  /* its own, or options.home */
  size_t memory_bytes;
  uint64_t users;                /* tasks, buffers and transfers that name it */
};

/* Whether the block exists; SN_EBOUNDS with a text else. */
int sni_tensor_check_block(const sn_tensor *, int64_t block);
/* "A[3]" */
void sni_block_name(const sni_tensor_block *, char *text, size_t bytes);

#endif
