/* The pass reverse: what its files share (docs/derivatives.md, "Reverse mode").
 *
 * The statements of the program, straightened, are the *primal*; they leave the kernel, and what is
 * generated takes their place:
 *
 *   - first, on the kernel's own level, the statements that compute the kernel-level variables
 *     that the rest needs (`early`), parallel loops among them; no field is assigned;
 *   - then the primal's statements from the last to the first, each as its adjoint.
 *
 * A parallel loop becomes one whose iteration first sweeps forward through what its reverse
 * needs (`needed`) and then goes back.  A serial loop goes back turn by turn, from the last one on:
 * each turn is swept forward again, from the variables as it met them.
 *
 * The adjoint of a value, of a local or of a kernel-level variable is its *bar*.
 */
#ifndef SNODEGEN_DERIVE_ADJOINT_H
#define SNODEGEN_DERIVE_ADJOINT_H

#include "gen/derive/derive.h"

/* What the primal's values are in the generated statements around the one that is put. */
typedef struct Frame {
  struct Frame *outer;
  Map made;
} Frame;

/* Adjoint of a value, while the statements go back: what its users in its own block have come
 * to, and, where there are others, a variable that they add to. */
typedef struct Bar {
  IrStmt *sum;
  IrVariable *variable;
} Bar;

/* What stood for each local of the function. */
typedef struct Standing {
  IrVariable **variables;
  int count;
} Standing;

typedef struct Reverse {
  IrModule *module;
  IrFunction *function;
  IrBlock *primal;
  int ids;                    /* of its statements, from 1 on, and one more */
  Varied varied;
  bool *needed;               /* by id: the reverse of its loop needs it */
  bool *early;                /* by id: kernel-level variables need it */
  bool *goes_back;            /* by id: it, or something in it, has an adjoint */
  bool *repeated;             /* by id: the adjoint computes it again, wherever */
  Map changed;                /* variable -> the last statement that sets it */
  Map declared;               /* variable -> its declaration */
  Map forward;                /* statement -> its copy in the sweep that was put last */
  Map early_variables;        /* those of branches that are declared before all */
  Map kept;                   /* statement -> the variable that keeps its value */
  Map variables;              /* variable -> what stands for it */
  Map bars;                   /* statement -> Bar */
  Map bar_variables;          /* variable -> its bar */
  Map blocks;                 /* block -> the generated one in which it goes back */
  Map sweeps;                 /* loop -> the generated block that its body is swept in, last */
  Map then;                   /* loop -> a map: variable -> the one that keeps what it met */
  Map gathered;               /* a read whose cell gathers its adjoint -> itself */
  Map sums;                   /* field -> the variable in which its cell gathers */
  const int64_t *offset;      /* of the reads that are gathered now; NULL: others go back */
  Frame *frame;
  IrBlock *unit_block;        /* where it was put */
  const IrStmt *unit;         /* the parallel loop, or serial loop of the kernel, that goes back;
                                 NULL: statements of the kernel's own level do */
  bool is_parallel;           /* of the unit */
} Reverse;

/* ---- enclosing.c ---- */
/* Whether it is a parallel loop, or a serial one of the kernel's own level without a task in it. */
bool is_unit(IrStmt *);
/* The unit around s, or s; NULL: it stands on the kernel's own level. */
const IrStmt *unit_of(const IrStmt *s);
/* The parallel loop around s; NULL: none. */
const IrStmt *foreach_around(const IrStmt *s);
/* Whether s is `whole`, or stands in it. */
bool stands_within(const IrStmt *s, const IrStmt *whole);
/* Whether the variable is declared in the loop. */
bool is_declared_in(const Reverse *, const IrVariable *, const IrStmt *loop);

/* ---- needed.c ---- */
void find_needed(Reverse *);
/* By id: what of the serial loop computes what it hands on to what follows it, of what is wanted
 * there; NULL: nothing. */
bool *wanted_behind(Reverse *, IrStmt *loop, const bool *wanted);
/* By id: what `early` is for a turn of a loop over parallel loops. */
bool *early_in_turn(Reverse *, IrStmt *loop);

/* ---- refuse.c ---- */
/* Notes what has no derivative; whether that is nothing. */
bool is_derivable(const Reverse *);

/* ---- counter.c: loops over parallel loops ---- */
/* The variable that the loop counts: what follows each turn adds a constant to it. */
typedef struct Counter {
  IrVariable *variable;
  IrStmt *step;                         /* a const */
  IrOp op;                              /* add or sub */
  IrStmt *test;                         /* whether another turn follows */
} Counter;
bool find_counter(const IrStmt *loop, Counter *);
/* Whether it is a step `k + c`, or `k - c`, of k itself; the test is left as it is. */
bool is_step_of(const IrStmt *set, Counter *);
/* Whether counting is all that a turn leaves to the next one. */
bool can_go_back(const Reverse *, IrStmt *loop);

/* ---- again.c: values of the primal in what is generated ---- */
void open_frame(Reverse *, Frame *, Frame *outer);
void note_made(Reverse *, const IrStmt *primal, IrStmt *made);
/* What stands for the variable. */
IrVariable *standing_for(const Reverse *, IrVariable *);
/* Where the sweep that computes the statement was put. */
IrBlock *block_of_sweep(const Reverse *, const IrStmt *primal);
/* Puts the statements of the block for which `wanted` says so. */
void sweep(Reverse *, const IrBlock *primal, const bool *wanted, Maker *);
/* The primal's value, put again where it is not at hand. */
IrStmt *again(Reverse *, IrStmt *primal, Maker *);

/* Puts copies of the variables that the loop reads and that are others' by the time that it goes
 * back; later they stand for the variables. */
void keep_what_it_meets(Reverse *, IrStmt *loop, Maker *);
Standing stand_in(Reverse *, const IrStmt *loop);
void stand_out(Reverse *, const Standing *before);

/* ---- bar.c ---- */
void add_bar(Reverse *, IrStmt *value, IrStmt *by, const IrBlock *at, Maker *);
/* What the users of the value have come to; NULL: nothing. */
IrStmt *take_bar(Reverse *, const IrStmt *value, Maker *);
/* Of a factorization each of its parts has one. */
void add_part_bar(Reverse *, IrStmt *part, IrStmt *by, Maker *);
bool take_part_bars(Reverse *, const IrStmt *factor, IrStmt **bars, Maker *);
IrVariable *bar_variable(Reverse *, IrVariable *);
void add_to_variable(Reverse *, IrVariable *bar, IrStmt *by, Maker *);

/* ---- stencil.c: reads whose cells gather their adjoints ---- */
typedef struct Offset {
  int64_t by[MAX_AXES];       /* of each dimension of the loop */
} Offset;

typedef struct Offsets {
  Arena *arena;
  Offset *offset;
  int count;
} Offsets;
/* Whether cells gather what the loop's iterations would add to them; its reads are noted then. */
bool find_gathered(Reverse *, IrStmt *loop);
bool is_gatherable(const Reverse *, const IrStmt *read);
/* The axis that a dimension of a loop over cells counts. */
int axis_of(const IrStmt *loop, int dimension);
Offsets offsets_of(Reverse *, IrStmt *loop);
/* Whether a cell less the offset is inside, of each cell that the loop has an iteration of: as far
 * on that side each of them reads, where a read outside is the program's error. */
bool is_far_from_border(const Reverse *, IrStmt *loop, int dimension, int64_t offset);
/* Whether it is one of the reads that are gathered now, which add to their field's sum. */
bool is_at_offset(const Reverse *, const IrStmt *read);
void add_to_gathered(Reverse *, const IrField *, IrStmt *by, Maker *);

/* ---- field.c: accesses ---- */
/* The adjoint of what the access names. */
IrStmt *read_bar(Reverse *, IrStmt *access, Maker *);
void read_back(Reverse *, IrStmt *, Maker *);
void write_back(Reverse *, IrStmt *, Maker *);
void atomic_back(Reverse *, IrStmt *, Maker *);

/* ---- reset.c ---- */
/* Whether it is a deactivate_all that sets a field with an adjoint to its default. */
bool resets_derived(const IrStmt *);
void deactivate_all_back(Reverse *, const IrStmt *, Maker *);

/* ---- gather.c ---- */
/* What an iteration of `loop`, which goes over the same cells, does for its own. */
void gather(Reverse *, IrStmt *primal, IrStmt *loop, Maker *);

/* ---- back.c ---- */
void go_back(Reverse *, const IrBlock *primal, Maker *);

/* ---- early.c ---- */
void early_block(Reverse *, const IrBlock *primal, const bool *wanted, Maker *);

/* ---- units.c ---- */
void foreach_back(Reverse *, IrStmt *loop, Maker *);
void serial_unit_back(Reverse *, IrStmt *loop, Maker *);

/* ---- turns.c: serial loops ---- */
void loop_back(Reverse *, IrStmt *loop, Maker *);

/* ---- task_loop.c: loops over parallel loops ---- */
void task_loop_back(Reverse *, IrStmt *loop, Maker *);

#endif
