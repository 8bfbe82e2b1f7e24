/* Trees by hand, for the tests of the device headers: the views that libsnode would
 * make, in plain memory, with no library.
 *
 *   static const node_spec nodes[] = { ROOT, POINTER(0, 8, 4), DENSE(1, 4, 4) };
 *   tree *t = tree_make(nodes, 3, &(tree_options){ .chunk = 3 });
 *   RUN_RT(t, GC_MOVE, 1);
 *
 * Compiled with SN_OFFLOAD or SN_ACC, tasks run in the device image, whose memory here is the
 * host's (the x86_64 plugin, OpenACC's host device): then chunks are made ahead, as for any
 * device.
 */
#ifndef SNODE_TEST_DEVICE_TREE_H
#define SNODE_TEST_DEVICE_TREE_H

/* Little work for many threads, in the backend too: what is tested is that they agree. */
#ifndef SND_SHARE_LEAST
# error "compile it, and the backend, with -DSND_SHARE_LEAST=16"
#endif

#include <snode/snode.h>
#include <snode/device/runtime.h>

#include "t/tap.h"

/* Axes i and j; extent 0: not divided by this SNode.  A dynamic SNode has axis k, whose
 * extent stands as i; a hash extents of 1.  Each SNode has one field, of its number, of
 * `bytes` with a default; 0 bytes: none, the number is another's. */
typedef struct node_spec {
  snd_snode_kind kind;
  int parent;
  int64_t i, j;
  unsigned bytes;
  uint64_t def;
} node_spec;

#define ROOT { SND_SNODE_ROOT, -1, 0, 0, 4, 7 }

enum { CHUNK_ALIGN = 4096 };     /* bytes: no page is shared by two chunks */

typedef struct tree_options {
  unsigned chunk;                /* log2 of cells a chunk */
  uint64_t arena;                /* bytes; 0: enough */
  uint64_t capacity;             /* ids of each pointer SNode; 0: enough */
  uint64_t ahead;                /* cells made ahead on devices; 0: as many as the capacity */
  unsigned first, heads, tail;   /* dynamic: cells of chunk 0 and of tail chunks, log2; number
                                    of head chunks; all 0: 2, 3, 3 */
  unsigned buckets;              /* hash: log2 */
  uint64_t keys;                 /* hash: cells and keys there may be; 0: 1024 */
  int threads;                   /* of tasks; 0: 8 */
  int magazines;                 /* threads that have some; 0: all, where there are several */
} tree_options;

/* The launch record and the variables that the tests keep in it. */
enum { LAUNCH_BYTES = sizeof(snd_launch) + 64 * sizeof(uint64_t) };

/* Memory that is dealt out from its beginning. */
typedef struct region {
  sn_addr base;
  uint64_t bytes, used;
} region;

typedef struct tree {
  snd_tree_view *view;
  snd_launch *launch;
  snd_arena arena;
  region chunks, lists;           /* what it takes from */
  sn_addr views[1];
  int threads, magazines;
  int nodes;                     /* SNodes and pools */
  void *blocks[256];             /* all that was allocated */
  int block_count;
} tree;

#if SND_HAS_DEVICES
enum { ON_DEVICE = 1 };
# define RUN_FUNCTION(name) snd_##name##_target
#else
enum { ON_DEVICE = 0 };
# define RUN_FUNCTION(name) snd_##name##_host
#endif

static inline void *tree_alloc(tree *t, size_t bytes)
{
  char *memory = calloc(1, bytes + CHUNK_ALIGN);
  if (memory == NULL || t->block_count == 256) bail("out of memory");
  t->blocks[t->block_count++] = memory;
  return memory + (CHUNK_ALIGN - (uintptr_t)memory % CHUNK_ALIGN) % CHUNK_ALIGN;
}

static inline sn_addr address_of(const void *p) { return (sn_addr)(uintptr_t)p; }

static inline snd_args tree_args(tree *t, int snode, const void *params)
{
  snd_args args;
  memset(&args, 0, sizeof args);
  args.device = ON_DEVICE;
  args.threads = t->threads;
  args.snode = snode;
  args.slot_count = 1;
  args.launch = address_of(t->launch);
  args.views = t->views;
  args.params = params;
  return args;
}

/* For the next task: as libsnode opens and closes magazines. */
static inline void open_magazines(tree *t)
{
  t->view->magazine_count = (uint32_t)(ON_DEVICE ? 0 : t->magazines);
}

/* Runs a task by its two functions' common name. */
#define RUN(t, name, snode) \
  do { \
    const snd_args run_args = tree_args(t, snode, NULL); \
    open_magazines(t); \
    if (RUN_FUNCTION(name)(&run_args) != SN_OK) bail("a task did not start"); \
  } while (0)

/* Runs one of the runtime's own, as libsnode does: by the backend's table, which may be
 * compiled for all programs at once. */
#define RUN_RT(t, task, snode) run_rt(t, SND_RT_##task, snode, NULL)
static inline void run_rt(tree *t, snd_runtime_task task, int snode, const void *params)
{
  const snd_task *row = &snd_backend.runtime_tasks[task];
  const snd_args args = tree_args(t, snode, params);

  if (row->flags & (SND_TASK_ACTIVATES | SND_TASK_DEACTIVATES)) open_magazines(t);
  else if (task != SND_RT_TASK_END) t->view->magazine_count = 0;
  if ((ON_DEVICE ? row->target : row->host)(&args) != SN_OK) bail("a task did not start");
  if (task == SND_RT_TASK_END) t->view->magazine_count = 0;
}

static inline void launch_clear(tree *t) { memset(t->launch, 0, LAUNCH_BYTES); }

static inline snd_snode_counters *counters_of(const tree *t, int snode)
{
  return &SND_POINTER(snd_snode_counters, t->view->counters)[snode];
}

/* Cells that were ever handed out, between tasks. */
static inline uint64_t cells_ever(const tree *t, int snode)
{
  return counters_of(t, snode)->reserved -
         (counters_of(t, snode)->free - counters_of(t, snode)->ready);
}

/* ---- layout: the children's containers, the field, the id ---- */

static inline uint64_t tree_round(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

static inline uint64_t container_bytes(const snd_snode_view *node)
{
  switch (node->kind) {
  case SND_SNODE_POINTER: return node->cells * 8;
  case SND_SNODE_BITMASKED: return node->mask_offset + (uint64_t)node->mask_words * 16;
  case SND_SNODE_DYNAMIC: return 8;
  case SND_SNODE_HASH: return (uint64_t)8 << node->log2_buckets;
  default: return node->cells * node->cell_bytes;
  }
}

static inline int is_allocated(const snd_snode_view *node)
{
  return node->kind == SND_SNODE_POINTER || node->kind == SND_SNODE_HASH;
}
static inline int has_masks(const snd_snode_view *node)
{
  return is_allocated(node) || node->kind == SND_SNODE_BITMASKED;
}
static inline int has_manager(const snd_snode_view *node)
{
  return is_allocated(node) || node->kind == SND_SNODE_POOL;
}

static inline void
layout_axes(snd_snode_view *node, const snd_snode_view *parent, const node_spec *spec)
{
  const int dynamic = spec->kind == SND_SNODE_DYNAMIC;
  const int64_t own[3] = { dynamic ? 0 : spec->i, dynamic ? 0 : spec->j, dynamic ? spec->i : 0 };
  node->cells = 1;
  for (int a = 0; a < SN_MAX_AXES; a++) {
    const int64_t extent = a < 3 && own[a] > 0 ? own[a] : 1;
    node->extent[a] = extent;
    node->total[a] = extent * (parent ? parent->total[a] : 1);
    node->cells *= (uint64_t)extent;
    if (a < 3 && own[a] > 0) node->own_axes |= 1u << a;
    if (spec->kind == SND_SNODE_HASH) node->reach[a] = INT64_MAX;
  }
  node->path_axes = node->own_axes | (parent ? parent->path_axes : 0);
  node->open_axes = (parent ? parent->open_axes : 0) |
                    (spec->kind == SND_SNODE_HASH ? node->own_axes : 0);
}

/* Ids ascend from parent to child: sizes come bottom-up. */
static inline void layout_cells(snd_tree_view *view, const node_spec *specs, snd_field_view *fields)
{
  for (int s = (int)view->snode_count - 1; s >= 0; s--) {
    snd_snode_view *node = &view->snode[s];
    uint64_t at = 0, align = specs[s].bytes ? specs[s].bytes : 1;
    for (int c = s + 1; c < (int)view->snode_count; c++)
      if (view->snode[c].parent == s) {
        at = tree_round(at, 8);
        view->snode[c].container_offset = s == 0 ? 0 : at;
        at += container_bytes(&view->snode[c]);
        align = 8;
      }
    at = s == 0 ? 0 : tree_round(at, specs[s].bytes ? specs[s].bytes : 1);
    fields[s].offset = at;
    at += specs[s].bytes;
    if (is_allocated(node)) {
      at = tree_round(at, 4);
      node->id_offset = (uint32_t)at;
      at += 4;
      if (align < 4) align = 4;
    }
    node->cell_bytes = tree_round(at, align);
    node->parts = 1;
    node->mask_offset = tree_round(node->cells * node->cell_bytes, 8);
  }
}

static inline void
layout_fields(snd_tree_view *view, const node_spec *specs, snd_field_view *fields)
{
  for (int s = 0; s < (int)view->snode_count; s++) {
    fields[s].snode = (uint32_t)s;
    fields[s].type = specs[s].bytes == 8 ? SN_TYPE_U64 : specs[s].bytes == 4 ? SN_TYPE_U32
                     : specs[s].bytes == 2 ? SN_TYPE_U16 : SN_TYPE_U8;
    fields[s].bytes = specs[s].bytes;
    fields[s].default_bits = specs[s].def;
    /* the last axis first: an order of its own */
    for (int a = 2; a >= 0; a--)
      if (view->snode[s].path_axes >> a & 1) fields[s].axes[fields[s].axis_count++] = (uint8_t)a;
  }
  for (int s = (int)view->snode_count - 1, other = 0; s >= 0; s--) {
    if (specs[s].bytes > 0) other = s;
    else fields[s] = fields[other];
  }
}

/* The next pool of an SNode, with cells of `bytes`. */
static inline void layout_pool(snd_tree_view *view, int owner, uint64_t bytes)
{
  snd_snode_view *node = &view->snode[owner];
  snd_snode_view *pool = &view->snode[view->snode_count + view->pool_count];

  if (node->pool_count++ == 0) node->pool = (int32_t)(view->snode_count + view->pool_count);
  pool->id = (int32_t)(view->snode_count + view->pool_count++);
  pool->kind = SND_SNODE_POOL;
  pool->parent = owner;
  pool->parts = 1;
  pool->id_offset = (uint32_t)tree_round(bytes, 4);
  pool->cell_bytes = tree_round(pool->id_offset + 4, 8);
}

static inline void layout_dynamic(snd_tree_view *view, int owner, const tree_options *o)
{
  snd_snode_view *node = &view->snode[owner];
  uint64_t covered;

  node->log2_first = o->heads ? o->first : 2;
  node->heads = o->heads ? o->heads : 3;
  node->log2_tail = o->heads ? o->tail : 3;
  node->length_bits = 32;
  covered = (uint64_t)1 << (node->log2_first + node->heads - 1);
  if (node->cells > covered)
    node->tail_slots = (node->cells - covered + ((uint64_t)1 << node->log2_tail) - 1) >>
                       node->log2_tail;
  node->first_offset = 8 * (node->heads - 1 + (node->tail_slots > 0));
  layout_pool(view, owner, node->first_offset + (node->cell_bytes << node->log2_first));
  for (uint32_t k = 1; k < node->heads; k++)
    layout_pool(view, owner, node->cell_bytes << (node->log2_first + k - 1));
  if (node->tail_slots > 0) {
    layout_pool(view, owner, node->tail_slots * 8);
    layout_pool(view, owner, node->cell_bytes << node->log2_tail);
  }
}

static inline void layout_pools(snd_tree_view *view, const tree_options *o)
{
  for (int s = 1; s < (int)view->snode_count; s++) {
    snd_snode_view *node = &view->snode[s];
    if (node->kind == SND_SNODE_DYNAMIC) layout_dynamic(view, s, o);
    if (node->kind == SND_SNODE_HASH)
      layout_pool(view, s, (2 + (uint64_t)snd_popcount(node->own_axes)) * 8);
  }
}

static inline void layout_tree(snd_tree_view *view, const node_spec *specs, snd_field_view *fields,
                               const tree_options *o)
{
  for (int s = 0; s < (int)view->snode_count; s++) {
    snd_snode_view *node = &view->snode[s];
    const snd_snode_view *parent = s == 0 ? NULL : &view->snode[specs[s].parent];
    node->kind = (uint32_t)specs[s].kind;
    node->id = s;
    node->parent = specs[s].parent;
    node->first_child = node->next_sibling = node->holder = node->pool = -1;
    node->depth = parent ? parent->depth + 1 : 0;
    if (parent != NULL)
      node->holder = is_allocated(parent) ? node->parent : parent->holder;
    layout_axes(node, parent, &specs[s]);
    node->entry_words = 1;
    for (int a = 0; parent != NULL && a < 2; a++) node->entry_words += parent->path_axes >> a & 1;
    if (node->kind == SND_SNODE_DYNAMIC) node->entry_words += 3;
    if (node->kind == SND_SNODE_HASH) {
      node->cells = 0;
      node->log2_buckets = o->buckets;
    }
    node->mask_words = has_masks(node) ? (uint32_t)((node->cells + 63) / 64) : 0;
  }
  layout_cells(view, specs, fields);
  layout_fields(view, specs, fields);
  layout_pools(view, o);
}

/* ---- memory ---- */

/* Cells of snode in all: what every list and every id has room for. */
static inline uint64_t tree_cells(const snd_tree_view *view, int snode, const tree_options *o)
{
  const snd_snode_view *node = &view->snode[snode];
  return (uint64_t)(node->total[0] * node->total[1] * node->total[2]) *
         (node->open_axes == 0 ? 1 : o->keys ? o->keys : 1024);
}

/* One cell with the defaults of all that lies in it. */
static inline void fill_defaults(const snd_tree_view *view, int snode, char *cell)
{
  const snd_field_view *field = snd_field(view, snode);
  if ((int)field->snode == snode)
    memcpy(cell + field->offset, &field->default_bits, field->bytes);
  for (int c = snode + 1; c < (int)view->snode_count; c++)
    if (view->snode[c].parent == snode && snd_is_in_place(&view->snode[c]))
      for (uint64_t k = 0; k < view->snode[c].cells; k++)
        fill_defaults(view, c,
                      cell + view->snode[c].container_offset + k * view->snode[c].cell_bytes);
}

/* Chunks of the recycled list for as many cells as there can be, in whole chunks. */
static inline uint64_t recycled_chunks(const snd_snode_view *node)
{
  const uint64_t cells = node->capacity + ((uint64_t)1 << node->log2_chunk);
  return (cells + SND_SPARE_IDS) / SND_RECYCLED_PLACES + 1;
}

/* The memory of a node manager but its chunks; ambient: one cell as it is handed out. */
static inline void make_manager(tree *t, int id, uint64_t ids, const char *ambient,
                                const tree_options *o)
{
  snd_snode_view *node = &t->view->snode[id];
  int zero = 1;

  node->capacity = ids;
  node->log2_chunk = o->chunk;
  node->chunks = address_of(tree_alloc(t, ((ids >> o->chunk) + 1) * 8));
  node->recycled_chunks = address_of(tree_alloc(t, recycled_chunks(node) * sizeof(sn_addr)));
  for (uint64_t k = 0; k < node->cell_bytes; k++) zero &= ambient[k] == 0;
  node->ambient = address_of(ambient);
  node->ambient_is_zero = (uint32_t)zero;
}

static inline void make_allocated(tree *t, int snode, const tree_options *o)
{
  char *ambient = tree_alloc(t, t->view->snode[snode].cell_bytes);
  const uint64_t cells = tree_cells(t->view, snode, o);

  fill_defaults(t->view, snode, ambient);
  make_manager(t, snode, o->capacity ? o->capacity : 2 * cells, ambient, o);
}

/* What the cells of a dynamic SNode's pool number k hold. */
static inline void make_dynamic_pool(tree *t, int snode, int k, uint64_t ids,
                                     const tree_options *o)
{
  const snd_snode_view *node = &t->view->snode[snode];
  char *ambient = tree_alloc(t, t->view->snode[node->pool + k].cell_bytes);
  const int heads = (int)node->heads;
  const uint64_t cells =
    k == heads ? 0
               : (uint64_t)1 << (k > heads ? node->log2_tail
                                           : node->log2_first + (unsigned)(k > 0 ? k - 1 : 0));
  for (uint64_t c = 0; c < cells; c++)
    fill_defaults(t->view, snode,
                  ambient + (k == 0 ? node->first_offset : 0) + c * node->cell_bytes);
  make_manager(t, node->pool + k, ids, ambient, o);
}

static inline void make_pools(tree *t, int snode, const tree_options *o)
{
  snd_snode_view *node = &t->view->snode[snode];
  char *ambient = tree_alloc(t, node->cell_bytes + 8);

  if (node->kind == SND_SNODE_HASH) {
    make_manager(t, node->pool, node->capacity + 512,
                 tree_alloc(t, t->view->snode[node->pool].cell_bytes), o);
  } else {
    const uint64_t containers = tree_cells(t->view, snode, o) / node->cells;
    fill_defaults(t->view, snode, ambient);
    node->ambient = address_of(ambient);
    for (int k = 0; k < node->pool_count; k++) {
      const uint64_t each = k > (int)node->heads ? node->tail_slots : 1;
      make_dynamic_pool(t, snode, k, o->capacity ? o->capacity : 4 * containers * each + 64, o);
    }
  }
}

/* Places in the lists for the ids of so many cells. */
static inline void make_id_lists(tree *t, int snode, uint64_t cells)
{
  snd_snode_counters *c = counters_of(t, snode);

  c->free_places = cells + SND_SPARE_IDS;
  c->free_ids = address_of(tree_alloc(t, c->free_places * sizeof(uint32_t)));
  for (uint64_t k = 0; k < c->free_places; k += SND_RECYCLED_PLACES)
    *snd_recycled_chunk(&t->view->snode[snode], k) = address_of(tree_alloc(t, SND_RECYCLED_BYTES));
}

/* As libsnode does for a device: chunks first, and no more ids than they hold. */
static inline void make_ahead(tree *t, int snode, const tree_options *o)
{
  snd_snode_view *node = &t->view->snode[snode];
  const uint64_t cells = o->ahead && o->ahead < node->capacity ? o->ahead : node->capacity;
  const uint64_t bytes = node->cell_bytes << node->log2_chunk;
  const uint64_t chunks = (cells + ((uint64_t)1 << node->log2_chunk) - 1) >> node->log2_chunk;
  const sn_addr memory = address_of(tree_alloc(t, chunks * bytes));
  const snd_init_params init = { 0, chunks << node->log2_chunk };

  for (uint64_t k = 0; k < chunks; k++)
    SND_POINTER(uint64_t, node->chunks)[k] = memory + k * bytes;
  make_id_lists(t, snode, init.last);
  counters_of(t, snode)->chunks_made = chunks;
  if (init.last < node->capacity) node->capacity = init.last;
  run_rt(t, SND_RT_INIT, snode, &init);
}

/* What an SNode needs beside what all have. */
static inline void make_snode(tree *t, int s, const tree_options *o)
{
  snd_snode_view *node = &t->view->snode[s];
  const uint64_t containers =
    node->parent == 0 ? 1 : tree_cells(t->view, node->parent, o);
  const uint64_t keys = node->kind == SND_SNODE_HASH ? tree_cells(t->view, s, o) + 512 : 0;

  node->list_capacity = containers;
  if (node->kind == SND_SNODE_DYNAMIC)
    node->list_capacity *= (node->cells + SND_PIECE_CELLS - 1) / SND_PIECE_CELLS;
  node->entries = address_of(tree_alloc(t, (node->list_capacity + 1) * node->entry_words * 8));
  if (node->parent == 0) node->container = address_of(tree_alloc(t, container_bytes(node)));
  if (has_masks(node))
    node->masks =
      address_of(tree_alloc(t, (node->list_capacity + 1) * node->mask_words * 8 + keys / 8 + 8));
  if (is_allocated(node)) make_allocated(t, s, o);
  if (node->pool_count > 0) make_pools(t, s, o);
}

static inline int pools_of(const node_spec *specs, int count, const tree_options *o)
{
  int pools = 0;
  for (int s = 0; s < count; s++)
    pools += specs[s].kind == SND_SNODE_DYNAMIC ? (int)(o->heads ? o->heads : 3) + 2
                                               : specs[s].kind == SND_SNODE_HASH;
  return pools;
}

/* What snd_arena.take is; any thread calls it. */
static inline sn_addr take_memory(void *user, uint64_t bytes, int is_cells)
{
  tree *t = user;
  region *r = is_cells ? &t->chunks : &t->lists;
  const uint64_t at = snd_fetch_add_u64(&r->used, tree_round(bytes, CHUNK_ALIGN));

  return at + bytes <= r->bytes ? r->base + at : 0;
}

static inline region make_region(tree *t, uint64_t bytes)
{
  const region r = { address_of(tree_alloc(t, bytes)), bytes, 0 };
  return r;
}

/* Chunks ahead on a device, memory to make them in on hosts. */
static inline void make_memory(tree *t, const tree_options *o)
{
  uint64_t bytes = o->arena, lists = 0;

  for (int s = 1; s < t->nodes; s++) {
    const snd_snode_view *node = &t->view->snode[s];
    if (has_manager(node) && ON_DEVICE) make_ahead(t, s, o);
    if (has_manager(node)) lists += recycled_chunks(node) * 8 * SND_RECYCLED_BYTES;
    if (has_manager(node) && !o->arena)
      bytes += ((node->capacity >> o->chunk) + 2) *
               tree_round(node->cell_bytes << o->chunk, CHUNK_ALIGN);
  }
  if (ON_DEVICE) return;
  t->chunks = make_region(t, bytes);
  t->lists = make_region(t, lists);
  t->arena.user = address_of(t);
  t->arena.take = (sn_addr)(uintptr_t)take_memory;
  t->view->arena = address_of(&t->arena);
}

static inline tree *tree_make(const node_spec *specs, int count, const tree_options *o)
{
  tree *t = calloc(1, sizeof *t);
  snd_init_params none = { 0, 0 };
  snd_field_view *fields;
  const size_t most = (size_t)(count + pools_of(specs, count, o));

  if (t == NULL) bail("out of memory");
  t->threads = o->threads ? o->threads : 8;
  t->magazines = o->magazines ? o->magazines : t->threads > 1 ? t->threads : 0;
  t->launch = tree_alloc(t, LAUNCH_BYTES);
  t->view = tree_alloc(t, sizeof *t->view + most * sizeof t->view->snode[0]);
  t->views[0] = address_of(t->view);
  t->view->snode_count = t->view->field_count = (uint32_t)count;
  t->view->counters = address_of(tree_alloc(t, most * sizeof(snd_snode_counters)));
  fields = tree_alloc(t, (size_t)count * sizeof *fields);
  t->view->fields = address_of(fields);
  layout_tree(t->view, specs, fields, o);
  t->nodes = count + (int)t->view->pool_count;
  t->view->magazines =
    address_of(tree_alloc(t, (size_t)(t->threads * t->nodes) * sizeof(snd_magazine)));
  /* a root that places nothing has no memory */
  if (specs[0].bytes > 0) t->view->root = address_of(tree_alloc(t, t->view->snode[0].cell_bytes));
  for (int s = 1; s < count; s++) make_snode(t, s, o);
  make_memory(t, o);
  run_rt(t, SND_RT_INIT, 0, &none);
  return t;
}

static inline void tree_free(tree *t)
{
  for (int k = 0; k < t->block_count; k++) free(t->blocks[k]);
  free(t);
}

#endif
