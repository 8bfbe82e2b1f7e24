/* SPDX-License-Identifier: BSD-3-Clause */
/* The layouts that libsnode and generated code share: the ABI.
 *
 * The lowest file of the runtime: it includes nothing of the project but snode/types.h,
 * holds no code, and everything that host and device both see is here.  A change of a
 * layout raises SNODE_ABI (snode/version.h).
 *
 * Names begin with snd_, but for those that snode/types.h declares: nothing of this is for programs
 * to name, only the tables of a module are theirs to read (foo_module).
 *
 * Addresses are 64-bit integers in every struct, because the memory they name
 * may be a device's; generated code turns them into pointers where it uses them.
 * "Unit" is the memory and processor a context is bound to: the host or a device.
 */
#ifndef SNODE_DEVICE_ABI_H
#define SNODE_DEVICE_ABI_H

#include <stddef.h>
#include <stdint.h>

#include <snode/types.h>

/* The last member of some structs is an array of any length: C++ has no such, but its compilers. */
#ifdef __cplusplus
# pragma GCC diagnostic push
# pragma GCC diagnostic ignored "-Wpedantic"
#endif

enum {
  SND_MAX_DEPTH = 32,          /* SNodes on a path, the root not counted */
  SND_MAX_SLOTS = 16           /* trees that one kernel takes */
};

/* ---- kinds ---- */

typedef enum snd_snode_kind {
  SND_SNODE_ROOT, SND_SNODE_DENSE, SND_SNODE_BITMASKED, SND_SNODE_POINTER, SND_SNODE_DYNAMIC,
  SND_SNODE_HASH,
  SND_SNODE_POOL               /* none of the program's: a node manager (snd_snode_view.pool) */
} snd_snode_kind;

/* ---- counters: written by tasks, one struct per SNode ----
 * What different threads hammer at stands on lines of its own (64 bytes).
 */
typedef struct snd_snode_counters {
  /* line 0: taking a cell */
  uint64_t taken;              /* numbers dealt out: those below free are places of the free
                                  list, from its head; number n >= free is id reserved + n - free.
                                  The end of the task cuts it to free: free - taken are left */
  uint64_t pad0[7];
  /* line 1: read by all, written seldom */
  uint64_t reserved;           /* ids that are somewhere: 0 .. reserved - 1; constant in a task */
  uint64_t ready;              /* numbers below are of cells that hold their defaults; from it on
                                  they are fresh, never handed out; constant in a task */
  uint64_t batched;            /* 1: magazines got something in this task */
  uint64_t ready_gone;         /* 1: all cells below ready are handed out; only with magazines */
  sn_addr free_ids;            /* the free list: uint32_t[]; constant in a task */
  sn_addr longer_free_ids;     /* what is to be used instead from the task's end on, or 0 */
  uint64_t free_places;        /* of the last of both: for the cells that have memory, and on
                                  hosts SND_SPARE_IDS more */
  uint64_t pad1;
  /* line 2: giving cells back */
  uint64_t recycled;           /* length of the recycled list; in a task with the places that
                                  magazines have got and not filled */
  uint64_t pad2[7];
  /* line 3: read by all, written seldom */
  uint64_t touched;            /* 1: activity of this SNode changed in this task */
  uint64_t free;               /* length of the free list, the taken ids at its head
                                  included; constant in a task */
  uint64_t recycle_backup;     /* recycled, as GC phase 1 found it */
  uint64_t list_length;        /* containers in the list */
  uint64_t chunks_made;        /* chunks 0 .. chunks_made - 1 exist */
  uint64_t chunk_lock;         /* of whoever makes a chunk: lock.h */
  uint64_t exhausted;          /* 1: a chunk could not be had in this task */
  uint64_t version;            /* raised by the task_end that finds touched */
  /* line 4: bitmasked */
  uint64_t taken_out;          /* 1: a cell was taken out since the last sweep */
  uint64_t pad4[7];
} snd_snode_counters;

/* Host only: what a thread has got of a node manager (magazine.h), in a line of its own. */
typedef struct snd_magazine {
  uint64_t numbers;            /* of cells: the next one; in the upper half the one behind the
                                  last.  All bits are set while more are on their way */
  uint64_t batch;              /* how many it got the last time; 0: none in this task */
  uint64_t place, places_end;  /* of the recycled list, to be filled */
  uint64_t pad[4];
} snd_magazine;

enum { SND_ARENA_ALIGN = 4096 };               /* of what is taken or cut, and its size */

enum {
  SND_MAGAZINES = 256,         /* threads that have some, at most */
  SND_MAGAZINE_IDS = 64        /* that one gets at once, at most */
};

/* The recycled list stands in chunks of { uint32_t id[N]; uint64_t bits[N / 64] } (recycled.h). */
enum {
  SND_RECYCLED_PLACES = 1 << 15,                 /* N */
  SND_RECYCLED_BYTES = SND_RECYCLED_PLACES * 4 + SND_RECYCLED_PLACES / 8,
  SND_SPARE_IDS = SND_MAGAZINES * SND_MAGAZINE_IDS  /* places of lists beyond the cells
                                                       that have memory */
};

/* A stretch of a host's address space that chunks are cut from, one behind the other. */
typedef struct snd_stretch {
  sn_addr first;
  uint64_t bytes;
} snd_stretch;

enum { SND_STRETCHES = 64 };   /* each as large as all before it: 40 are a process's whole space */

/* Where the chunks come from that tasks make.  On hosts a function of libsnode's gives the memory;
 * on a device it is cut from the context's pool, all of whose trees have this record. */
typedef struct snd_arena {
  sn_addr user;                /* what take is given first */
  sn_addr take;                /* sn_addr (*)(void *user, uint64_t bytes, int is_cells): memory that
                                  is zero, on a page; 0: none is left.  A memory limit counts
                                  cells alone.  Any thread, at any time.  0: a device's */
  uint64_t end;                /* devices: memory up to there may be cut off; zero for GPUs, for
                                  a processor's image as it comes; constant in a task */
  uint64_t pad0[5];
  uint64_t next;               /* from here on; on a line of its own */
  uint64_t missed;             /* bytes of the cells that tasks did not get, since libsnode put
                                  it back to 0 */
  uint64_t pad1[5];
  uint64_t stretch_count;      /* hosts: of those below, in the order in which they were cut; read
                                  by acquire, grows in tasks */
  snd_stretch stretch[SND_STRETCHES];
} snd_arena;

/* ---- the view: a tree as its tasks see it ----
 * In the unit's memory, written by libsnode between tasks, constant in a task.
 */
typedef struct snd_snode_view {
  uint32_t kind;               /* snd_snode_kind */
  uint32_t depth;              /* the root: 0 */
  int32_t parent, first_child, next_sibling;     /* ids, -1: none */
  int32_t holder;              /* nearest SNode above whose cells are allocated (pointer,
                                  hash), -1: none.  Dense and bitmasked cells lie in place:
                                  in the holder's cell, or under the root */
  uint32_t own_axes;           /* bit a: this SNode divides axis a */
  uint32_t path_axes;          /* bit a: it or an ancestor does */
  uint32_t open_axes;          /* bit a: a hash divides axis a: any index, negative too.
                                  extent and total leave the hash out (1) */
  int32_t pool, pool_count;    /* dynamic, hash: views pool .. pool + pool_count - 1 are
                                  node managers that serve it; else -1, 0 */
  int64_t extent[SN_MAX_AXES]; /* own, by axis; 1 where absent */
  int64_t total[SN_MAX_AXES];  /* product of extents from the root down to here */
  int64_t reach[SN_MAX_AXES];  /* hash: its cells' coordinates on own axis a are from
                                  -reach[a] - 1 to reach[a]: then all below it has indices of 64
                                  bits; else 0 */
  uint64_t cells;              /* of one container: the product of its extents; hash: keys
                                  there are, as of the task's beginning */
  uint64_t container_offset;   /* in the parent's cell; 0 under the root */
  sn_addr container;           /* under the root: the only container; else 0 */
  uint64_t cell_bytes;         /* in place, dynamic: from cell to cell; pointer, hash, pool: from
                                  one allocated cell to the next, so many bytes of each of its
                                  parts; 0 where cells have rows: */
  /* Dense and bitmasked SNodes that hold fields alone may have their cells in rows: so many
   * that follow each other, whose values of one field stand side by side, and behind them
   * those of the next field.  A row may be all of a container.  0: each cell is a struct. */
  uint64_t row_cells;
  uint64_t row_bytes;          /* from row to row */
  /* bitmasked: a container is its cells or rows, then uint64_t[mask_words]: bit c: cell c is
   * active; then as many words: bit c: cell c was taken out since the last sweep. */
  uint64_t mask_offset;
  /* dynamic: a container is one word: its low length_bits bits are the length, those above
   * 0 (empty), 1 (being built) or the id of its body + SND_FIRST_BODY.  A body is { slots of head
   * chunks 1 .. heads - 1; where there is a tail its directory's slot; at first_offset
   * the cells of chunk 0; id }.  Head chunk 0 has F = 1 << log2_first cells, head chunk
   * k >= 1 the F << (k - 1) cells from that position on; from F << (heads - 1) on cells
   * stand in tail chunks of 1 << log2_tail cells, by the slots of the tail directory.
   * Its pools: bodies, head chunks 1 .. heads - 1, tail directories, tail chunks. */
  uint32_t log2_first, log2_tail;
  uint32_t heads;
  uint32_t first_offset;
  uint64_t tail_slots;         /* of a tail directory; 0: heads are enough */
  uint32_t length_bits;        /* the extent and more than any number of threads fit */
  uint32_t pad0;
  /* hash: a container is uint64_t[1 << log2_buckets], each 0 or the address of the first
   * key of a chain: { uint64_t next, slot; int64_t at[own axes]; id }: its one pool.
   * A cell's position is its key's id. */
  uint32_t log2_buckets;
  int32_t id;                  /* own number: an SNode finds its pool pool - id views further on */
  /* pointer, hash, pool: the node manager.  A pointer container is an array of
   * slots (uint64_t): 0 inactive, 1 being built, else the address of the cell. */
  sn_addr chunks;              /* an sn_addr for each chunk of cells; 0: not made */
  sn_addr recycled_chunks;     /* the same of chunks of the recycled list */
  sn_addr ambient;             /* what an inactive cell reads as: one cell that holds the
                                  defaults; of a dynamic: one cell, not a body.  A pool's:
                                  what its cells hold when they are handed out.  Never
                                  written by tasks */
  uint64_t capacity;           /* ids that may be handed out in this task */
  uint32_t log2_chunk;         /* cells per chunk */
  uint32_t id_offset;          /* of the cell's own id (uint32_t) in the cell; SND_ID_NOWHERE */
  uint32_t ambient_is_zero;    /* all defaults are zero bytes */
  /* A cell of a pointer or hash SNode may be split: in a chunk stand the first parts of all
   * cells, behind them all second parts.  Part p of a cell is p * (cell_bytes << log2_chunk)
   * bytes behind its first one, whose address is the cell's; that is how container_offset tells
   * it.  The ambient cell is as far spread.  No id stands in it. */
  uint32_t parts;              /* 1: not split */
  uint32_t chunks_ahead;       /* devices: made before the task, with ids and defaults in all
                                  cells */
  uint32_t pad1;
  /* the list of its containers, made by list generation.  Entry:
   * { sn_addr container; int64_t coordinate[path axes of the parent's cell] } as 64-bit words:
   * word 0 the container, word 1 + k the coordinate of the containing cell on
   * the k-th axis of the PARENT's path axes, ascending.  Of a dynamic SNode an entry is
   * a piece of at most SND_PIECE_CELLS cells, with three more words: its first position,
   * the one behind its last, the body; empty containers have none. */
  sn_addr entries;             /* uint64_t[list_capacity * entry_words] */
  sn_addr masks;               /* uint64_t[list_capacity * mask_words]: bit c of a
                                  container's words: cell c was active at generation; 0: none */
  uint64_t list_capacity;
  uint32_t entry_words;        /* 1 + number of the parent's path axes; dynamic: 3 more */
  uint32_t mask_words;         /* bitmasked, pointer, hash: (cells + 63) / 64; else 0 */
} snd_snode_view;

enum { SND_PIECE_CELLS = 1024, SND_FIRST_BODY = 2 };

typedef struct snd_field_view {
  uint32_t snode;              /* that holds it */
  uint32_t type;               /* sn_type */
  uint32_t bytes;              /* of a value, and from one to the next in a row */
  uint32_t axis_count;
  uint64_t offset;             /* in a cell of snode, or in a row of its cells */
  uint64_t default_bits;       /* low bytes hold the default */
  uint8_t axes[SN_MAX_AXES];   /* of index k */
  uint8_t pad[4];
  int64_t origin[SN_MAX_AXES]; /* index k runs from origin[k]: minus it, it counts cells */
} snd_field_view;

typedef struct snd_tree_view {
  uint32_t snode_count, field_count;             /* the program's */
  uint32_t pool_count;                           /* views behind them: node managers */
  uint32_t magazine_count;     /* threads of this task that have magazines; 0 on devices, and in
                                  tasks without snd_task_end behind them */
  sn_addr root;                /* the root cell's places */
  sn_addr counters;            /* snd_snode_counters[snode_count + pool_count] */
  sn_addr arena;               /* snd_arena; 0: tasks make no chunks */
  sn_addr fields;              /* snd_field_view[field_count] */
  sn_addr magazines;           /* snd_magazine[magazine_count][snode_count + pool_count] */
  uint32_t is_alone;           /* hosts: the task has one thread: see alone.h */
  uint32_t pad1;
  snd_snode_view snode[];      /* by id; 0 is the root */
} snd_tree_view;

/* ---- the launch record: one per kernel call, in the unit's memory ---- */

typedef struct snd_status {    /* the first error wins: who swaps code from 0 */
  int32_t code;                /* sn_error; 0: none yet */
  int32_t site;                /* row of the module's sites, -1: none */
  int32_t slot;                /* tree, -1: none */
  int32_t snode;               /* -1: none */
  int32_t index_count;
  int32_t manager;             /* of an SNode's memory: the node manager that had none */
  int64_t index[SN_MAX_AXES];  /* of a failed assert: its message's arguments, as words */
  int64_t have, want;
} snd_status;

typedef struct snd_launch {
  snd_status status;
  sn_addr host;                /* host unit: what print_host takes; 0 on devices */
  sn_addr print_host;          /* host unit: void (*)(void *host, const uint64_t *record) */
  sn_addr ring;                /* devices: print records end to end */
  uint64_t ring_bytes;
  uint64_t ring_used;          /* may pass ring_bytes: then records were lost */
  uint64_t lines_lost;
  uint64_t random_key;         /* random.h: of the call; */
  uint64_t random_task;        /* tasks of it that draw, this one included */
  sn_addr claims;              /* snd_claims, where tasks claim under --check=race; else 0 */
  sn_addr params, views;       /* devices: what args has, in the unit: behind the variables */
  uint64_t pad2[6];
  uint64_t vars[];             /* the kernel's kernel-level variables: a
                                  generated struct */
} snd_launch;

/* Under --check=race: what iterations have claimed of a [[unique]], claim.h. */
typedef struct snd_claims {
  uint64_t taken;              /* entries of this task; may pass the capacity */
  uint64_t pad[7];             /* what threads hammer at stands on a line of its own */
  uint64_t task;               /* the task's number, from 1 to 2^32 - 1 */
  uint64_t capacity;           /* entries at most */
  uint64_t slot_count;         /* a power of two, at least twice the capacity */
  uint64_t entry_words;        /* of all entries */
  sn_addr slots;               /* uint64_t[slot_count] */
  sn_addr entries;             /* int64_t[entry_words] */
} snd_claims;

/* A print record: word 0: its length in words; word 1: the site; then a word
 * per argument: integers sign or zero extended, floats as the bits of a double. */

/* ---- tasks ---- */

typedef struct snd_args {
  int32_t device;              /* 0: the host; n + 1: OpenMP device n */
  int32_t threads;             /* host: at most so many; devices: threads a team, 0 default */
  int32_t teams;               /* devices; 0: default */
  int32_t slot;                /* runtime tasks: which tree */
  int32_t snode;               /* runtime tasks: which SNode */
  int32_t slot_count;
  int32_t is_ordered;          /* host, SND_TASK_ORDERED: one thread runs the iterations in their
                                  order, and what they add up one by one */
  int32_t flush;               /* host: denormal numbers are zeros meanwhile (flush.h) */
  sn_addr launch;              /* snd_launch */
  const sn_addr *views;        /* host array: each slot's snd_tree_view in the unit */
  const void *params;          /* host memory: the kernel's parameter struct (arrays
                                  by their address in the unit), or a runtime task's own */
} snd_args;

/* SN_OK, or SN_EDEVICE when the task could not be started. */
typedef int (*snd_task_fn)(const snd_args *);

enum {                         /* snd_task.flags */
  SND_TASK_ACTIVATES = 1,
  SND_TASK_DEACTIVATES = 2,
  SND_TASK_PARALLEL = 4,
  SND_TASK_DRAWS = 8,          /* random numbers */
  SND_TASK_CLAIMS = 16,        /* --check=race: what [[unique]] names */
  SND_TASK_ORDERED = 32,       /* parallel, and what it leaves may depend on the order of its
                                  iterations: where deterministic, one thread runs it */
  SND_TASK_SCALARS = 64,       /* takes parameters and kernel-level variables to such variables:
                                  the host runs it, of a device's call too; target is NULL */
  SND_TASK_IDEMPOTENT = 128    /* leaves the same when it is run twice as when it is run once: on a
                                  device it is run again where its memory has run out in the middle
                                  and more could be had */
};

typedef struct snd_task {
  const char *name;            /* "struct_for(S2dense)", behind the names of its blocks:
                                  "advect: struct_for(S2dense)" */
  snd_task_fn host, target;    /* target: NULL but with SN_OFFLOAD, SN_ACC */
  uint32_t flags;
  int32_t line;                /* in the .sn file; 0: the runtime's own */
} snd_task;

/* The runtime's own tasks: one function each over the view, compiled in every
 * generated file (snode/device/backend.h). */
typedef enum snd_runtime_task {
  SND_RT_LISTGEN,              /* args: slot, snode: from the parent's list (the
                                  root's list is implied: one container); entries, masks */
  SND_RT_LISTMASKS,            /* the masks alone, of a list whose entries stand */
  SND_RT_DEACTIVATE_ALL,       /* slot, snode (not dense): over its list */
  SND_RT_SWEEP,                /* slot, snode (bitmasked), over its list: cells taken out that
                                  are inactive get their defaults, what is below them goes */
  SND_RT_GC_EXPAND,            /* slot, snode: pushes what lies below its recycled cells (or
                                  bodies) to the recycled lists of what is allocated below */
  SND_RT_GC_MOVE,              /* phase 0; snode: a node manager: pointer, hash, pool */
  SND_RT_GC_ACCOUNT,           /* phase 1, one thread */
  SND_RT_GC_REFILL,            /* phase 2 */
  SND_RT_REHASH,               /* slot, snode (hash): into its buckets, which are all 0: keys with a
                                  cell; keys without one are recycled */
  SND_RT_TASK_END,             /* slot: touched -> version + 1, taken ids settled,
                                  reserved and lengths cut to what exists */
  SND_RT_INIT,                 /* params: snd_init_params: defaults into a range of cells */
  SND_RT_ACCESS,               /* params: snd_access_params: the host's get, set, read, ... */
  SND_RT_TRANSFER,             /* slot, snode; params: snd_transfer_params: cells and their values
                                  between a tree and flat arrays: save, load, copy */
  SND_RT_COUNT
} snd_runtime_task;

/* SND_RT_INIT: cells first .. last - 1 get their defaults and, for a pointer
 * SNode, their ids; snode 0: the root's places and every dense container under
 * it down to the sparse SNodes. */
typedef struct snd_init_params {
  uint64_t first, last;
} snd_init_params;

/* SND_RT_ACCESS: one operation on many cells.  All addresses in the unit. */
typedef enum snd_access_op {
  SND_ACCESS_GET,              /* value[n] = field at index[n] */
  SND_ACCESS_SET,              /* activates */
  SND_ACCESS_SET_CHANGED,      /* activates only where the value is not the default
                                  bit for bit; a cell that is active is written anyway */
  SND_ACCESS_ACTIVATE, SND_ACCESS_DEACTIVATE, SND_ACCESS_IS_ACTIVE,  /* snode at index[n] */
  SND_ACCESS_LENGTH,           /* value[n] = length (int64_t) of snode (dynamic) at index[n];
                                  here and in DEACTIVATE of a dynamic the index is its
                                  container's: without the own axis */
  SND_ACCESS_FILL,             /* every active cell of field, over the list of its SNode */
  SND_ACCESS_COUNT,            /* active cells of snode, over its list: result */
  SND_ACCESS_LIST              /* indices and values of the active cells of field, over the list;
                                  at most n are written, result counts all */
} snd_access_op;

typedef struct snd_access_params {
  uint32_t op;                 /* snd_access_op */
  uint32_t boxed;              /* GET, SET*: 1: cells of box lo .. hi, the value of
                                  cell (i, j, ..) at value + bytes * sum((i - lo) * stride) */
  int32_t field, snode;        /* one of them -1; indices in the field's own order, a
                                  snode's in axis order */
  uint64_t n;                  /* cells */
  sn_addr index;               /* int64_t[n * axes] */
  sn_addr value;               /* field type[n]; FILL: one; IS_ACTIVE: uint8_t[n] */
  sn_addr result;              /* uint64_t, zeroed before the task */
  int64_t lo[SN_MAX_AXES], hi[SN_MAX_AXES], stride[SN_MAX_AXES];
} snd_access_params;

/* SND_RT_TRANSFER: a batch is some active cells of one sparse SNode, told by records.
 * A record is int64_t at[], the coordinates of the cell that holds the container, on the
 * PARENT's path axes, ascending, and two words more:
 *   pointer, bitmasked   { at.., word, mask }: bit c: cell 64 * word + c
 *   dynamic              { at.., first, last }: cells first .. last - 1
 *   hash                 { at.. } alone: the cell's own coordinates, on its own axes
 * The values of a batch are, for each field that lies in its cells in place (below them
 * only dense SNodes), elements in the order of the cells; where dense SNodes lie between,
 * each cell's elements follow each other.  snode 0: the root's one cell, without
 * records.  All addresses in the unit. */
typedef enum snd_transfer_op {
  SND_TRANSFER_EXPORT,         /* over a fresh list: record[], cell[] from select[] */
  SND_TRANSFER_IMPORT,         /* activates what record[] says; cell[], which is nothing to
                                  go by where memory ran out (noted in the launch) */
  SND_TRANSFER_GATHER,         /* value[0 ..] = elements first .. first + count - 1 */
  SND_TRANSFER_SCATTER         /* the other way */
} snd_transfer_op;
enum { SND_TRANSFER_CELL = 16 };

typedef struct snd_transfer_params {
  uint32_t op;                 /* snd_transfer_op */
  int32_t field;               /* GATHER, SCATTER */
  uint64_t records;
  uint64_t record_words;       /* of one record */
  sn_addr select;              /* uint64_t[2 * records]: EXPORT: which one of the list (pointer,
                                  bitmasked: word of all masks; dynamic: entry; hash:
                                  position); cells of the batch before this record's */
  sn_addr record;              /* uint64_t[records * record_words] */
  sn_addr cell;                /* SND_TRANSFER_CELL bytes for each cell, which say where it is;
                                  snode 0: not read */
  sn_addr value;
  uint64_t first, count;
} snd_transfer_params;

/* ---- the backend table: what a generated file gives libsnode ---- */

typedef struct snd_device_info {
  char name[64];
  uint64_t memory_bytes, memory_free;            /* 0: not known */
} snd_device_info;

/* What a region on a device ran as; 0: it did not run there. */
enum { SND_RAN_GPU = 1, SND_RAN_PROCESSOR = 2 };

struct sn_backend {
  uint32_t abi, bytes;         /* SNODE_ABI, sizeof(sn_backend) */
  const char *name;            /* "openmp", "openmp+offload", "openacc", "serial" */
  const void *runtime_id;      /* address that tells one OpenMP runtime from another; NULL: none */
  int (*devices)(void);
  int (*threads)(void);        /* omp_get_max_threads() */
  int (*in_parallel)(void);    /* called inside the user's own parallel region */
  int (*probe)(int device);    /* runs a target region there: SND_RAN_GPU, _PROCESSOR, 0 */
  int (*info)(int device, snd_device_info *);
  /* device memory only; libsnode aligns and owns host memory */
  int (*alloc)(int device, size_t bytes, void **);
  void (*free)(int device, void *);
  int (*copy)(int to_device, void *to, int from_device, const void *from, size_t bytes);
                               /* device -1: the host */
  int (*fill)(int device, void *, uint8_t byte, size_t bytes);  /* by a kernel */
  const snd_task *runtime_tasks;                 /* [SND_RT_COUNT] */
  int can_flush;               /* host tasks follow snd_args.flush */
};

/* ---- tables of a module: constant, in the generated file ---- */

typedef struct snd_axis_info {
  uint8_t axis;
  int64_t size;                                  /* 0: extent(params) */
  int64_t (*extent)(const int64_t *params);
} snd_axis_info;

typedef struct snd_snode_info {
  const char *name, *label;                      /* "tile", "S1pointer" */
  snd_snode_kind kind;
  int32_t parent;
  int64_t row_cells;                             /* dense, bitmasked: of a row; 0: a cell is a
                                                    struct; SND_ROW_OF_ALL */
  uint64_t cell_bytes;                           /* sizeof the struct of a cell, or of a row; of
                                                    SND_ROW_OF_ALL: the sum of its fields' bytes */
  uint64_t container_offset;                     /* offsetof in the parent's cell; 0: root */
  uint32_t id_offset;                            /* pointer, hash; SND_ID_NOWHERE: none stands in
                                                    a cell */
  uint32_t axis_count;
  const snd_axis_info *axes;                     /* own, in axis order; a hash's: size 1 */
  int64_t chunk;                                 /* dynamic: cells a chunk; 0: growing */
  uint32_t parts;                                /* pointer, hash: of a cell that is split, whose
                                                    cell_bytes are SND_SPLIT_BYTES; else 0 */
  uint32_t log2_chunk;                           /* then: SND_SPLIT_LOG2 */
} snd_snode_info;

/* A cell that holds nothing but one container of some lines of a cache, and one that is split, has
 * no id in it: it would be a gap between two cells, for which a stencil takes a third longer. */
#define SND_ID_NOWHERE UINT32_MAX

/* A split cell whose largest part has so many bytes: what a part takes, in whole lines of a cache;
 * how many cells stand in a chunk, so that what is side by side of one part is some 256 KiB, long
 * enough for a processor to ask ahead; how far the parts of a cell are apart. */
#define SND_SPLIT_BYTES(largest) (((largest) + 63) / 64 * 64)
#define SND_SPLIT_LOG2(bytes) \
  ((bytes) > 131072 ? 0 : (bytes) > 65536 ? 1 : (bytes) > 32768 ? 2 : (bytes) > 16384 ? 3 : \
   (bytes) > 8192 ? 4 : (bytes) > 4096 ? 5 : (bytes) > 2048 ? 6 : (bytes) > 1024 ? 7 : \
   (bytes) > 512 ? 8 : (bytes) > 256 ? 9 : 10)
#define SND_SPLIT_APART(largest) (SND_SPLIT_BYTES(largest) << SND_SPLIT_LOG2(largest))

/* A row is all cells of a container under the root, however many they are: an array for each field,
 * one behind the other in the order of their offsets, wider elements first, each with room for
 * whole lines of a cache. */
enum { SND_ROW_OF_ALL = -1 };
#define SND_ARRAY_CELLS(cells) (((cells) + 63) / 64 * 64)

typedef struct snd_field_info {
  const char *name;
  sn_type type;
  int32_t snode;
  uint64_t offset;                               /* in the struct of a cell or a row; of
                                                    SND_ROW_OF_ALL: bytes of a cell in the arrays
                                                    before */
  uint64_t part;                                 /* of an element: where the C value of the whole
                                                    has it */
  uint64_t default_bits;
  uint32_t axis_count;
  uint8_t axes[SN_MAX_AXES];
  int64_t origin[SN_MAX_AXES];                   /* by index: `offset` of the language */
} snd_field_info;

struct sn_tree_info {
  const char *name;                              /* "grid" */
  const char *c_name;                            /* "foo_grid" */
  uint64_t layout_hash;
  uint64_t root_bytes;                           /* the root cell's places; 0: none */
  uint32_t snode_count, field_count, param_count;
  uint32_t local_count;                          /* of the fields the last ones: in no file, in
                                                    no copy */
  const snd_snode_info *snodes;
  const snd_field_info *fields;
  const char *const *param_names;
};

typedef enum snd_site_kind {
  SND_SITE_BOUNDS, SND_SITE_ASSERT, SND_SITE_PRINT, SND_SITE_ACTIVATE, SND_SITE_APPEND,
  SND_SITE_TRACE                                 /* a line of --trace */
} snd_site_kind;

typedef struct snd_site {                        /* a place in the source */
  snd_site_kind kind;
  int32_t line, column;
  const char *name;                              /* of the field, array or node; of a line of
                                                    --trace of the blocks in its task around it,
                                                    "outer: inner"; NULL */
  const char *text;                              /* print's format; assert's message; lines */
  const char *types;                             /* print: a letter per argument: b bool,
                                                    i signed, u unsigned, f float */
  const char *source;                            /* an imported file; NULL: the module's */
} snd_site;

/* MERGE: of the kernel's last slot: what another queue has sent of the field is read.  OUTPUT: each
 * cell of the field is written, and none is read before. */
enum { SND_MAY_READ = 1, SND_MAY_WRITE = 2, SND_MAY_ACCUMULATE = 4, SND_MAY_MERGE = 8,
       SND_MAY_OUTPUT = 16 };
/* In the place of a field: the activity of the SNode; the list of its containers; the random
 * numbers of the tree; what the context prints. */
enum { SND_USED_TOPOLOGY = -1, SND_USED_LIST = -2, SND_USED_DRAWS = -3, SND_USED_OUTPUT = -4 };

typedef struct snd_permission {                  /* what a kernel may do */
  int32_t slot;                                  /* -1: the context */
  int32_t field;
  int32_t snode;
  uint32_t use;                                  /* of SND_MAY_... */
} snd_permission;

typedef enum snd_array_mode {                    /* of an array parameter, by bits */
  SND_ARRAY_IN = 1, SND_ARRAY_OUT = 2, SND_ARRAY_INOUT = 3
} snd_array_mode;

typedef struct snd_param_info {
  const char *name;
  sn_type type;
  int32_t array;                                 /* 0: a scalar; else snd_array_mode */
  int32_t dims;
} snd_param_info;

typedef struct snd_adjoint_result {              /* an element of the kernel's result */
  sn_type type;
  uint32_t offset;                               /* in the result, as a call gets it */
  uint32_t adjoint;                              /* in the adjoint's parameters */
} snd_adjoint_result;

typedef struct snd_apart {                       /* slots that a call may not give one tree */
  int32_t slot, other;
} snd_apart;

typedef struct snd_span {                        /* one index of all cells of a field that a kernel
                                                    assigns, or whose values its adjoint needs */
  int32_t slot, field, index;
  int32_t is_assigned;                           /* 0: needed */
  int32_t type;                                  /* sn_type of the parameter that it is counted
                                                    from; -1: it is counted from 0 */
  uint32_t offset;                               /* of that in the parameters */
  int64_t lo, hi;                                /* how far it goes */
} snd_span;

/* --check=grad: what a call of an adjoint is compared by. */
typedef struct snd_adjoint_pair {                /* a field of a tree that the kernel takes */
  int32_t slot;
  int32_t field, adjoint;
} snd_adjoint_pair;

typedef struct snd_grad_check {
  const sn_kernel_info *primal;                  /* whose adjoint it is */
  uint32_t pair_count;
  const snd_adjoint_pair *pairs;
  int32_t appends;                               /* the kernel does, each time that it runs */
} snd_grad_check;

struct sn_kernel_info {
  const char *name;                              /* "p2g" */
  const char *c_name;                            /* "foo_p2g" */
  const sn_module *module;                       /* that it stands in */
  void (*steps)(sn_call *);                      /* its arrays, and its tasks in their order */
  uint32_t slot_count, param_count, task_count, permission_count;
  const sn_tree_info *const *slots;              /* type of each tree it takes */
  const snd_param_info *params;
  const snd_task *tasks;
  const snd_permission *permissions;
  uint64_t params_bytes, vars_bytes;             /* of its parameters' struct; of its kernel-level
                                                    variables */
  int32_t result;                                /* sn_type, -1: none */
  uint32_t result_offset;                        /* in vars */
  uint32_t result_count;                         /* its elements: 1 of a scalar, 0: none; of a
                                                    struct, whose result is SN_TYPE_U8, its bytes */
  const sn_kernel_info *gradient;                /* of a kernel `with grad`: its adjoint, of the
                                                    same trees; NULL: it has none */
  uint32_t adjoint_count;
  const snd_adjoint_result *adjoints;            /* of an adjoint, whose parameters begin as the
                                                    kernel's own: those of its result's elements */
  uint32_t dual_offset;                          /* in vars, of the result's tangent, which is like
                                                    it and has another pointer; 0: none */
  uint32_t apart_count;
  const snd_apart *apart;                        /* of an adjoint: it reads in the slot what its
                                                    kernel overwrites later in the other one */
  uint32_t span_count;
  const snd_span *spans;                         /* of an adjoint, of fields of which it is known */
  const snd_grad_check *check;                   /* of an adjoint, under --check=grad; NULL */
};

/* sn_module.flags: its calls are in the profile, whatever option profile is. */
enum { SND_MODULE_PROFILE = 1 };

struct sn_module {
  uint32_t abi, bytes;
  const char *name, *source;                     /* "foo", "foo.sn" */
  const char *generator;                         /* "snodegen 0.1.0" */
  const sn_backend *backend;
  uint32_t tree_count, kernel_count, site_count, flags;
  const sn_tree_info *const *trees;
  const sn_kernel_info *const *kernels;
  const snd_site *sites;
};

#ifdef __cplusplus
# pragma GCC diagnostic pop
#endif

#endif
