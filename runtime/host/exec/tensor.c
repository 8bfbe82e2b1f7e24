/* Tensors: their shape, their blocks, slices of them; resources. */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/tensor.h"

#include <snode/task.h>

#include <stdio.h>
#include <string.h>

/* ---- blocks ---- */

static void tiles_of(const sn_tensor *tensor, int64_t block, int64_t *tile)
{
  for (int d = tensor->dimensions - 1; d >= 0; d--) {
    tile[d] = block % tensor->tiles[d];
    block /= tensor->tiles[d];
  }
}

void sni_block_dims(const sni_tensor_block *block, int64_t *dims)
{
  int64_t tile[SN_MAX_DIMENSIONS];

  tiles_of(block->tensor, block->number, tile);
  for (int d = 0; d < block->tensor->dimensions; d++)
    dims[d] = sn_space_tile_length(block->tensor->spaces[d], tile[d]);
}

int sn_tensor_block_dims(const sn_tensor *tensor, int64_t block, int64_t *dims)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  if (!dims)
    return SN_EINVAL;
  if (block < 0 || block >= tensor->block_count)
    return sni_engine_fail(tensor->engine, SN_EBOUNDS, "%s has blocks 0 to %lld, and no block %lld",
                           tensor->name, (long long)tensor->block_count - 1, (long long)block);
  sni_block_dims(&tensor->blocks[block], dims);
  return SN_OK;
}

int64_t sn_tensor_block(const sn_tensor *tensor, const int64_t *tile)
{
  int64_t block = 0;

  if (!tensor || (!tile && tensor->dimensions))
    return -1;
  for (int d = 0; d < tensor->dimensions; d++) {
    if (tile[d] < 0 || tile[d] >= tensor->tiles[d])
      return -1;
    block = block * tensor->tiles[d] + tile[d];
  }
  return block;
}

const char *sni_block_name(const sni_tensor_block *block, char text[SNI_BLOCK_NAME])
{
  const sn_tensor *tensor = block->tensor;

  if (tensor->block_names)
    (void)sni_text_format(text, SNI_BLOCK_NAME, "%s.%s", tensor->name,
                         tensor->block_names[block->number]);
  else
    snprintf(text, SNI_BLOCK_NAME, "%s[%lld]", tensor->name, (long long)block->number);
  return text;
}

/* ---- making them ---- */

/* Its blocks' number and the elements along each dimension must be countable. */
static int take_shape(sn_tensor *tensor, sn_space *const *spaces)
{
  int64_t elements = 1;

  tensor->block_count = 1;
  for (int d = 0; d < tensor->dimensions; d++) {
    sn_space *space = spaces[d];
    if (sni_is_gone(space) || space->engine != tensor->engine)
      return sni_engine_fail(tensor->engine, SN_EINVAL,
                             "%s: the space of dimension %d is %s", tensor->name, d,
                             space ? "of another engine" : "NULL");
    if (space->extent > (int64_t)(INT64_MAX / 16) / elements)
      return sni_engine_fail(tensor->engine, SN_EINVAL, "%s has more than 2^59 elements",
                             tensor->name);
    elements *= space->extent;
    tensor->tiles[d] = space->tiles;
    tensor->block_count *= space->tiles;
  }
  return SN_OK;
}

/* Which blocks are stored, with how many bytes; home is their place, counted from 1. */
static void lay_out(sn_tensor *tensor, const sn_tensor_options *options)
{
  for (int64_t b = 0; b < tensor->block_count; b++) {
    sni_tensor_block *block = &tensor->blocks[b];
    int64_t tile[SN_MAX_DIMENSIONS];
    tiles_of(tensor, b, tile);
    block->tensor = tensor;
    block->number = b;
    block->bytes = tensor->element_bytes;
    for (int d = 0; d < tensor->dimensions; d++)
      block->bytes *= (size_t)sn_space_tile_length(tensor->spaces[d], tile[d]);
    if (!options->is_stored || options->is_stored(options->user, tile)) {
      block->home = block;       /* any address: place_homes says which */
      tensor->memory_bytes += block->bytes;
    }
  }
}

static int place_homes(sn_tensor *tensor, void *given)
{
  unsigned char *at = given;

  if (!given) {
    tensor->memory = sni_engine_new(tensor->engine, tensor->memory_bytes, 1);
    if (!tensor->memory)
      return sni_engine_fail(tensor->engine, SN_ENOMEM, "%s: no memory for %llu bytes",
                             tensor->name, (unsigned long long)tensor->memory_bytes);
    at = tensor->memory;
  }
  for (int64_t b = 0; b < tensor->block_count; b++)
    if (tensor->blocks[b].home) {
      tensor->blocks[b].home = at;
      at += tensor->blocks[b].bytes;
    }
  return SN_OK;
}

/* Lock held: the spaces are kept, the tensor is counted. */
static void enter_engine(sn_tensor *tensor)
{
  for (int d = 0; d < tensor->dimensions; d++)
    tensor->spaces[d]->references++;
  tensor->engine->tensor_count++;
}

static void free_tensor(sn_tensor *tensor)
{
  sn_engine *engine = tensor->engine;

  sni_engine_delete(engine, tensor->memory, tensor->memory_bytes, 1);
  if (tensor->blocks)
    for (int64_t b = 0; b < tensor->block_count; b++)
      sni_replicas_destroy(&tensor->blocks[b]);
  sni_engine_delete(engine, tensor->blocks, (size_t)tensor->block_count, sizeof *tensor->blocks);
  sni_engine_delete(engine, tensor, 1, sizeof *tensor);
}

static int build(sn_tensor *tensor, sn_space *const *spaces, const sn_tensor_options *options)
{
  SN_TRY(take_shape(tensor, spaces));
  for (int d = 0; d < tensor->dimensions; d++)
    tensor->spaces[d] = spaces[d];
  tensor->blocks = sni_engine_new(tensor->engine, (size_t)tensor->block_count,
                                  sizeof *tensor->blocks);
  if (!tensor->blocks)
    return sni_engine_fail(tensor->engine, SN_ENOMEM, "%s: no memory for %lld blocks",
                           tensor->name, (long long)tensor->block_count);
  lay_out(tensor, options);
  return place_homes(tensor, options->home);
}

int sn_tensor_create(sn_engine *engine, sn_type type, int dimensions, sn_space *const *spaces,
                     const sn_tensor_options *given, sn_tensor **out)
{
  static const sn_tensor_options standard = SN_TENSOR_OPTIONS_INIT;
  sn_tensor_options own;
  const sn_tensor_options *options;
  sn_tensor *tensor;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  options = sni_engine_sized(engine, "the options of a tensor", given, &own, &standard, sizeof own);
  if (!out || !options || (dimensions > 0 && !spaces))
    return SN_EINVAL;
  if (dimensions < 0 || dimensions > SN_MAX_DIMENSIONS || !sni_type_bytes(type))
    return sni_engine_fail(engine, SN_EINVAL, "a tensor of %d dimensions and type %d", dimensions,
                           (int)type);
  tensor = sni_engine_new(engine, 1, sizeof *tensor);
  if (!tensor)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for a tensor");
  tensor->engine = engine;
  tensor->type = type;
  tensor->element_bytes = sni_type_bytes(type);
  tensor->dimensions = dimensions;
  sni_mutex_lock(&engine->lock);
  snprintf(tensor->name, sizeof tensor->name, "tensor %d", engine->next_tensor++);
  sni_mutex_unlock(&engine->lock);
  if (options->name)
    (void)sni_text_copy(tensor->name, sizeof tensor->name, options->name);
  code = build(tensor, spaces, options);
  if (code != SN_OK) {
    free_tensor(tensor);
    return code;
  }
  sni_mutex_lock(&engine->lock);
  enter_engine(tensor);
  sni_mutex_unlock(&engine->lock);
  sni_alive_begin(tensor);
  *out = tensor;
  return SN_OK;
}

int sn_tensor_destroy(sn_tensor *tensor)
{
  sn_engine *engine;
  sn_space *spaces[SN_MAX_DIMENSIONS];
  int dimensions;
  uint64_t users;

  if (!tensor)
    return SN_OK;
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(tensor)));
  engine = tensor->engine;
  dimensions = tensor->dimensions;
  memcpy(spaces, tensor->spaces, sizeof spaces);
  sni_mutex_lock(&engine->lock);
  users = tensor->users;
  if (!users) {
    for (int64_t b = 0; b < tensor->block_count; b++)
      sni_replicas_settle(&tensor->blocks[b]);
    engine->tensor_count--;
  }
  sni_mutex_unlock(&engine->lock);
  if (users)
    return sni_engine_fail(engine, SN_ESTATE,
                           "%s is destroyed, and tasks that are unfinished or recorded name it",
                           tensor->name);
  sni_alive_end(tensor);
  free_tensor(tensor);
  for (int d = 0; d < dimensions; d++)
    sn_space_release(spaces[d]);
  return SN_OK;
}

/* ---- resources: tensors that order tasks and hold nothing ---- */

/* Their blocks have hazards as all blocks have, and no memory, since none is stored. */
static int stores_none(void *user, const int64_t *tile)
{
  (void)user;
  (void)tile;
  return 0;
}

int sn_resource_create(sn_engine *engine, const char *name, int64_t count,
                       const char *const *names, sn_tensor **out)
{
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_space *space;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!out)
    return SN_EINVAL;
  SN_TRY(sn_space_create(engine, count, 1, &space));
  options.name = name;
  options.is_stored = stores_none;
  code = sn_tensor_create(engine, SN_TYPE_U8, 1, &space, &options, out);
  if (code == SN_OK)
    (*out)->block_names = names;
  sn_space_release(space);       /* the tensor keeps it */
  return code;
}

/* ---- what one can ask ---- */

const char *sn_tensor_name(const sn_tensor *tensor)
{
  return sni_is_gone(tensor) ? "no tensor" : tensor->name;
}

int sn_tensor_dimensions(const sn_tensor *tensor)
{
  return tensor ? tensor->dimensions : 0;
}

sn_type sn_tensor_type(const sn_tensor *tensor)
{
  return tensor ? tensor->type : SN_TYPE_BOOL;
}

int64_t sn_tensor_blocks(const sn_tensor *tensor)
{
  return sni_is_gone(tensor) ? 0 : tensor->block_count;
}

int sn_tensor_is_stored(const sn_tensor *tensor, int64_t block)
{
  return tensor && block >= 0 && block < tensor->block_count && tensor->blocks[block].home;
}

/* ---- slices ---- */

sn_slice sn_slice_whole(sn_tensor *tensor)
{
  sn_slice slice;

  memset(&slice, 0, sizeof slice);
  slice.tensor = tensor;
  for (int d = 0; tensor && d < tensor->dimensions; d++)
    slice.hi[d] = tensor->tiles[d];
  return slice;
}

sn_slice sn_slice_block(sn_tensor *tensor, int64_t block)
{
  sn_slice slice = sn_slice_whole(tensor);

  if (!tensor)
    return slice;
  /* A number that is none is one tile too far in the first dimension: the check names it. */
  tiles_of(tensor, block, slice.lo);
  if (block < 0 || block >= tensor->block_count)
    slice.lo[0] = block < 0 || !tensor->dimensions ? -1 : tensor->tiles[0];
  for (int d = 0; d < tensor->dimensions; d++)
    slice.hi[d] = slice.lo[d] + 1;
  return slice;
}

static int is_inside(const sn_slice *slice)
{
  const sn_tensor *tensor = slice->tensor;

  if (!tensor->dimensions)
    return slice->lo[0] == 0;
  for (int d = 0; d < tensor->dimensions; d++)
    if (slice->lo[d] < 0 || slice->hi[d] > tensor->tiles[d] || slice->lo[d] > slice->hi[d])
      return 0;
  return 1;
}

int64_t sn_slice_blocks(const sn_slice *slice)
{
  int64_t blocks = 1;

  if (!slice || !slice->tensor || !is_inside(slice))
    return 0;
  for (int d = 0; d < slice->tensor->dimensions; d++)
    blocks *= slice->hi[d] - slice->lo[d];
  return blocks;
}

int sni_slice_check(sn_engine *engine, const sn_slice *slice, const char *who)
{
  const sn_tensor *tensor = slice->tensor;

  if (sni_is_gone(tensor))
    return sni_engine_fail(engine, SN_EINVAL, "%s: a slice of no tensor", who);
  if (tensor->engine != engine)
    return sni_engine_fail(engine, SN_EINVAL, "%s: %s belongs to another engine", who,
                           tensor->name);
  for (int d = 0; d < tensor->dimensions; d++)
    if (slice->lo[d] < 0 || slice->hi[d] > tensor->tiles[d] || slice->lo[d] > slice->hi[d])
      return sni_engine_fail(engine, SN_EBOUNDS,
                             "%s: tiles %lld to %lld of dimension %d of %s, which has tiles 0 to "
                             "%lld", who, (long long)slice->lo[d], (long long)slice->hi[d] - 1, d,
                             tensor->name, (long long)tensor->tiles[d] - 1);
  if (!tensor->dimensions && slice->lo[0] != 0)
    return sni_engine_fail(engine, SN_EBOUNDS, "%s: %s has one block, number 0", who,
                           tensor->name);
  return SN_OK;
}

void sni_slice_visit(const sn_slice *slice, void (*visit)(sni_tensor_block *, void *), void *user)
{
  sn_tensor *tensor = slice->tensor;
  int64_t tile[SN_MAX_DIMENSIONS];
  int64_t left = sn_slice_blocks(slice);

  memcpy(tile, slice->lo, sizeof tile);
  for (; left > 0; left--) {
    visit(&tensor->blocks[sn_tensor_block(tensor, tile)], user);
    for (int d = tensor->dimensions - 1; d >= 0 && ++tile[d] == slice->hi[d]; d--)
      tile[d] = slice->lo[d];
  }
}
