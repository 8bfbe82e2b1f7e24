/* A tape inside: notes of kernel calls, what they use of which tree, checkpoints.
 *
 * tape.c makes, ends and gives back; tape_note.c is asked by the sequencer and by the host's
 * access what may be done, and notes; tape_spans.c knows what adjoints need; tape_backward.c
 * reverses; tape_held.c is beneath them.
 */
#ifndef SNI_TREE_TAPE_H
#define SNI_TREE_TAPE_H

#include <snode/tape.h>

#include "runtime/host/tree/tape_state.h"

/* An array parameter as it was: the bytes follow. */
typedef struct sni_noted_array {
  struct sni_noted_array *next;
  size_t bytes;
} sni_noted_array;

/* A noted call.  Behind it stand its trees, its parameters, with its arrays' copies, and the
 * adjoint of its result (sni_noted_...). */
typedef struct sni_noted {
  const sn_kernel_info *kernel;
  sni_noted_array *arrays;
  uint64_t draws;                /* what its random numbers began with */
  size_t bytes;                  /* of the note itself */
  int is_seeded;
} sni_noted;

/* What calls since sn_tape_begin do with a field: noted ones may read it, may write it; one without
 * an adjoint may have written it; the adjoint of a noted one needs values of it; it is an adjoint
 * that the adjoint of a noted one changes. */
enum { SNI_TAPE_READS = 1, SNI_TAPE_WRITES = 2, SNI_TAPE_FOREIGN = 4, SNI_TAPE_NEEDED = 8,
       SNI_TAPE_CHANGES = 16,
       SNI_TAPE_USES = SNI_TAPE_READS | SNI_TAPE_WRITES };

/* Of an index, both included; hi below lo: nothing. */
typedef struct sni_index_range {
  int64_t lo, hi;
} sni_index_range;

/* A tree that such calls use. */
typedef struct sni_tape_tree {
  sn_tree *tree;                 /* NULL: it has been destroyed */
  uint32_t field_count;
  int is_noted;                  /* a noted call has it */
  uint64_t versions;             /* of its activity, at the first noted one */
  uint8_t *fields;               /* of each: SNI_TAPE_... */
  uint8_t *chosen;               /* room to choose fields in */
  sni_index_range *needed;       /* of each field SN_MAX_AXES: within those of all its indices lie
                                    the cells that adjoints of noted calls need */
} sni_tape_tree;

typedef enum sni_tape_phase {
  SNI_TAPE_EMPTY, SNI_TAPE_RECORDING, SNI_TAPE_ENDED
} sni_tape_phase;

struct sn_tape {
  sn_context *context;
  struct sn_tape *next;          /* of the context's tapes */
  uint64_t places;
  sni_tape_phase phase;
  int is_overwritten;            /* a noted call assigns what the adjoint of one before it needs */
  char spoiled[SNI_TEXT_BYTES];  /* why it cannot be reversed; "": it can */
  sni_noted **notes;
  size_t count, capacity;
  sni_tape_tree *trees;
  sni_walker *walkers;           /* of each tree */
  size_t tree_count, tree_capacity, walker_capacity;
  sni_state base;                /* each field that noted calls write, before the first of them */
  uint64_t held_bytes;           /* of notes and of checkpoints */
  sn_tape_statistics statistics;
};

/* ---- what a tape holds (tape_held.c) ---- */

sn_tree **sni_noted_trees(sni_noted *);
void *sni_noted_params(sni_noted *);
void *sni_noted_adjoint(sni_noted *);
size_t sni_adjoint_bytes(const sn_kernel_info *);  /* of that of its result; 0: it has none */
size_t sni_noted_bytes(const sn_kernel_info *);  /* of a note, arrays aside */
void sni_noted_free(sni_noted *, sni_accounts *);

/* The tape cannot be reversed: the first reason is kept. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void sni_tape_spoil(sn_tape *, const char *format, ...);
/* Versions of the activity of its SNodes: another sum where a cell has been activated or
 * deactivated. */
uint64_t sni_tape_versions(const sn_tree *);
/* More, or less, is held. */
void sni_tape_holds(sn_tape *, uint64_t bytes);
void sni_tape_gives(sn_tape *, uint64_t bytes);

void sni_tape_tree_free(sni_tape_tree *, sni_accounts *);    /* what it points to */
/* NULL: it has not the tree. */
sni_tape_tree *sni_tape_find(const sn_tape *, const sn_tree *);
/* What the row says of a field that outlives the call, as the tape counts it; 0: it is of none. */
uint8_t sni_tape_use(const snd_permission *, sn_tree *const *trees);

/* ---- what adjoints need (tape_spans.c) ---- */

void sni_tape_need_none(sni_tape_tree *);
/* The first row of a field of which the call may assign what the adjoint of a noted call needs;
 * NULL: there is none.  The kernel has an adjoint. */
const snd_permission *sni_tape_overwrites(sn_tape *, const sn_kernel_info *, sn_tree *const *trees,
                                          const void *params);
/* The call's adjoint needs what its table says; the tape has its trees. */
void sni_tape_need(sn_tape *, const sn_kernel_info *, sn_tree *const *trees, const void *params);

/* ---- notes (tape_note.c) ---- */

/* The call of a kernel is about to begin: SN_ESTATE where a tape that records refuses it.
 * *note: NULL, or what it is noted in; then `after` must follow. */
int sni_tape_before(sn_context *, const sn_kernel_info *, sn_tree *const *trees,
                    const void *params, sni_noted **note);
/* An array parameter of a call that is noted; at: its place in the call's parameters. */
int sni_tape_array(sn_call *, sni_noted *, const sn_addr *at, const void *host, size_t bytes);
/* The call has ended; code: what it came to.  What it comes to with the tape. */
int sni_tape_after(sn_context *, const sn_kernel_info *, sni_noted *, int code);
/* The host's access is about to write the field (-1: all that the tree holds). */
int sni_tape_write(sn_tree *, int field, const char *what);

#endif
