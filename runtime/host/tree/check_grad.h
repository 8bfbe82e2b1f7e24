/* --check=grad: the calls of adjoints, compared with differences of their kernels.
 *
 * With s what the kernel finds in the fields with an adjoint, s' what it leaves, r its result, R
 * the adjoint of that, L the adjoints before the adjoint's call and l those after it, the adjoint
 * is right when for each direction d
 *
 *   <l, d> = d/dt ( <L, s'(s + t d)> + R r(s + t d) )
 *
 * whatever is assigned, added to or read alone.  What stands on the right is the *value* below,
 * <l, s + t d> the *gain*, both less what they are at t = 0; of a field that is read alone
 * <L, s + t d> is left out of both.
 *
 * check_fields.c finds the fields; check_values.c holds and moves their values, and runs the
 * kernel; check_grad.c compares, and finds the cell; check_name.c names it; check_call.c is the
 * call.
 */
#ifndef SNI_TREE_CHECK_GRAD_H
#define SNI_TREE_CHECK_GRAD_H

#include "runtime/host/tree/tape_state.h"

/* A field that the kernel uses.  Its values stand in the order in which a walk has them. */
typedef struct sni_checked {
  sn_tree *tree;
  uint32_t walker;
  int32_t field, adjoint;        /* adjoint -1: it has none, and is not moved */
  sn_type type;
  uint32_t bytes;                /* of a value */
  int is_read, is_written;       /* by the kernel */
  int is_needed;                 /* read by the adjoint */
  uint64_t count, first;         /* of values; the number of the first among all that are moved */
  double scale;                  /* root of the mean square */
  char *found, *point;           /* as the call found them; from where the kernel runs */
  double *before, *after;        /* adjoints */
  double *left;                  /* what the kernel leaves at the point; NULL: not written */
  int64_t *index;                /* where the kernel may activate cells: of each active one, and */
  char *listed;                  /* its value as found */
  uint64_t at;                   /* how far the walk in progress has come */
} sni_checked;

typedef struct sni_grad_check {
  sn_context *context;
  const sn_kernel_info *adjoint, *primal;
  sn_tree *const *trees;
  const void *params;            /* a copy: a call on a device writes addresses into them */
  void *run_params, *result;     /* of a run of the kernel */
  size_t result_bytes;
  double *left;                  /* its result at the point, element by element */
  sni_walker walkers[SND_MAX_SLOTS];
  uint8_t *chosen[SND_MAX_SLOTS];  /* fields of each walker's tree */
  uint32_t walker_count, field_count, field_room;
  sni_checked *fields;
  uint64_t moved_count;          /* of values that are moved */
  int may_activate;              /* the kernel may */
  int is_lost;                   /* and has, in a run: walks are not what they were, none is made */
  uint64_t versions[SND_MAX_SLOTS];  /* of the activity of each walker's tree */
  sn_type coarsest;              /* of the types of what is moved, left and returned */
  /* What the kernel leaves now is not what it left before the adjoint was called. */
  const sni_checked *stale;
  uint64_t stale_at;
  double stale_found, stale_left;
} sni_grad_check;

/* Which values move, by how much: for a t of 1, in either direction. */
typedef struct sni_direction {
  uint64_t seed;
  int is_relative;               /* each by a part of itself; else by one of the field's scale */
  uint64_t from, to;             /* those with such numbers alone */
} sni_direction;

/* At one t. */
typedef struct sni_reading {
  int is_finite;                 /* the kernel could be run there, and what it left is finite */
  double value, gain;
  double value_spread, gain_spread;  /* sums of squares of what they are sums of */
  double noise;                  /* the same of what the outputs that move are rounded by, and of
                                    the one that hides most of those that do not: */
  double unseen;
  double moved;                  /* sum of magnitudes */
} sni_reading;

/* ---- check_fields.c ---- */
/* Fields, and memory for all else; *reason: why the call cannot be checked; NULL: it can. */
int sni_check_begin(sni_grad_check *, const char **reason);
void sni_check_end(sni_grad_check *);
/* Of the fields those that the kernel writes; those, and those that are moved; the adjoints. */
typedef enum sni_check_group {
  SNI_CHECK_ALL, SNI_CHECK_WRITTEN, SNI_CHECK_CHANGED, SNI_CHECK_ADJOINTS
} sni_check_group;
/* Values f->at .. f->at + count - 1 of the field, or of its adjoint. */
typedef int sni_check_visit(sni_grad_check *, sni_checked *f, uint64_t count, char *values,
                            void *with);
/* is_put: the visit writes them. */
int sni_check_walk(sni_grad_check *, sni_check_group, int is_put, sni_check_visit *, void *with);
/* Notes cells and values, by index, of what a run may change; after a run: whether the cells are
 * still those; puts values back by their indices, and defaults where there are more cells now. */
int sni_check_list(sni_grad_check *);
int sni_check_has_cells(sni_grad_check *);
int sni_check_unlist(sni_grad_check *);

/* ---- check_values.c ---- */
/* The part of itself by which a value moves at a t of 1. */
double sni_step_of(sn_type);
/* The adjoints as they are, before and after the call. */
int sni_check_hold_before(sni_grad_check *);
int sni_check_hold_after(sni_grad_check *);
/* The fields; and from which point the kernel runs; *reason: as above. */
int sni_check_hold(sni_grad_check *, const char **reason);
int sni_check_restore(sni_grad_check *);
int sni_check_read(sni_grad_check *, const sni_direction *, double t, sni_reading *);
/* By how much a value moves at that t, rounded as it is. */
double sni_check_moved(const sni_grad_check *, const sni_checked *, const sni_direction *,
                       uint64_t k, double t);
/* Puts ones into the k-th place of the field and zeros elsewhere. */
int sni_check_mark(sni_grad_check *, const sni_checked *, uint64_t k);

/* ---- check_name.c ---- */
enum { SNI_CELL_NAME_BYTES = 256 };
/* "x[3, 4].y": the k-th value of the field, whose values are lost. */
int sni_check_name(sni_grad_check *, const sni_checked *, uint64_t k, char *text);

/* ---- check_grad.c ---- */
/* SN_OK; SN_EDERIVATIVE or SN_ESTATE with a text.  *reason: why nothing could be compared; NULL. */
int sni_check_compare(sni_grad_check *, const char **reason);

/* ---- check_call.c ---- */
/* As sni_kernel_run; of an adjoint of a module of --check=grad the call is checked. */
int sni_checked_run(sn_context *, const sn_kernel_info *, sn_tree *const *trees, void *params,
                    void *result, struct sni_noted *note);

#endif
