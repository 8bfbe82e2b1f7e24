/* Tensors inside: blocks, each with its home, its hazards and its replicas.
 *
 * Blocks are numbered row-major by tiles.  What belongs to one stands in one array, so
 * that a use finds it by an index.  Shapes never change; everything that does is under
 * engine->lock, but for the values.
 */
#ifndef SNI_EXEC_TENSOR_H
#define SNI_EXEC_TENSOR_H

#include <snode/tensor.h>

#include "runtime/host/base/type.h"
#include "runtime/host/exec/commit.h"
#include "runtime/host/exec/engine.h"
#include "runtime/host/exec/order.h"
#include "runtime/host/exec/replica.h"

struct sn_space {
  sn_engine *engine;
  int64_t references;            /* who made it, and tensors */
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
  int readers, writers, adders;  /* buffers handed out at home */
  int moving;                    /* replicas with a Put or AccAll under way */
  sni_commit_kind how;           /* what is DIRTYACC, or being added at home: ADD, MAX or MIN */
  sni_replica *replicas;         /* by unit index - 1; NULL: none was ever asked for */
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
  void *memory;                  /* its own; NULL: the caller's */
  size_t memory_bytes;
  uint64_t users;                /* unfinished tasks, and recorded ones, that name it */
  const char *const *block_names;        /* of a resource; NULL: numbers */
};

/* Its replica in the unit; NULL: home, or none was ever asked for. */
static inline sni_replica *sni_replica_of(const sni_tensor_block *block, const sn_unit *unit)
{
  return unit->index == 0 || !block->replicas ? NULL : &block->replicas[unit->index - 1];
}

/* How many there are: none where none was ever asked for. */
static inline int sni_replica_count(const sni_tensor_block *block)
{
  return block->replicas ? block->tensor->engine->unit_count - 1 : 0;
}

/* A block's name: "A[3]", "grid.rho". */
enum { SNI_BLOCK_NAME = SNI_NAME + 24 };
const char *sni_block_name(const sni_tensor_block *, char text[SNI_BLOCK_NAME]);

/* Indices along each dimension. */
void sni_block_dims(const sni_tensor_block *, int64_t *dims);

/* Whether the slice lies inside its tensor; SN_EBOUNDS or SN_EINVAL with a text else. */
int sni_slice_check(sn_engine *, const sn_slice *, const char *who);
/* Calls visit for each block of the slice, which was checked, in the order of their numbers. */
void sni_slice_visit(const sn_slice *, void (*visit)(sni_tensor_block *, void *user), void *user);

/* Elements of one type.  *to = factor * *from: a factor of 1 leaves every bit, of integers any that
 * is one is exact and wraps. */
void sni_element_scale(sn_type, void *to, const void *from, double factor);
/* With all digits that it has. */
enum { SNI_ELEMENT_TEXT = 32 };
void sni_element_print(sn_type, const void *at, char text[SNI_ELEMENT_TEXT]);
/* to[k] += from[k], or the greater, or the lesser of both; bool: or, or, and. */
void sni_elements_add(sn_type, sni_commit_kind how, void *to, const void *from, size_t count);
/* What adds nothing so: 0, the type's least, its greatest. */
void sni_element_neutral(sn_type, sni_commit_kind how, void *to);

#endif
