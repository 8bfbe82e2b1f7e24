/* A task being written: task.c (functions, captures), skeleton.c (what these share) and loop.c
 * (loops).
 */
#ifndef SNODEGEN_EMIT_TASK_H
#define SNODEGEN_EMIT_TASK_H

#include "gen/emit/body.h"

/* The structs of a kernel. */
typedef struct KernelNames {
  const char *params, *vars;             /* step_params, step_vars; NULL: none */
  Map param_member, var_member;          /* IrVariable -> its member */
} KernelNames;

typedef struct Task {
  Emit *emit;
  const KernelNames *names;
  const IrFunction *kernel;
  const IrStmt *stmt;                    /* offloaded */
  int number;                            /* among the kernel's tasks */
  Live live;
  Needs needs;
  const char *body, *host, *target;      /* functions */
  const char *view[MAX_SLOTS];
  const char **sum;                      /* of each reduction, in the body */
  const char **hint;                     /* of each append, in the body */
  struct Task *rows;                     /* the row form, whose body takes a block; NULL: none */
  const IrBlock *block;                  /* what the body does: block 0 of the statement, or 2 */
  struct Task *near;                     /* the near form; NULL: none */
  const struct Task *plain;              /* of a near form: what is done without a window */
  NearWindows windows;
  struct Task *leaves;                   /* of a range the form that goes by leaves, whose `host`
                                            says whether it has run; NULL: none */
} Task;

/* The function around the loop: names at hand in it. */
typedef struct Skeleton {
  Task *task;
  Emit *emit;
  Names names;
  Map variables;                         /* parameter -> its name */
  const char *args, *params, *launch, *vars, *blocks, *block, *cells, *c, *b, *record, *row;
  const char *parent;                    /* the cell that holds a block's container */
  const char *view[MAX_SLOTS];
  bool has_windows;                      /* it runs the near form, with these: */
  const char **windows, **window_cells;
  NearNames near;
  const char **way;                      /* to the cells of each staged field */
  const char **sum;                      /* reductions */
  const char **hint;                     /* appends */
  const char *index[MAX_AXES];
  const char *origin[MAX_AXES];       /* loop.c */
  const char *first[MAX_AXES];        /* rows.c: the index at the first cell, */
  const char *digit_name[MAX_AXES];   /* of the digits of a row, by the SNode's axis, */
  const char *row_digit[MAX_AXES];    /* those that are written, */
  const IrStmt *piece;                   /* the loop over rows at hand, */
  Needs here;                            /* of its block, and of the cells that it leaves, */
  const char *begin, *column, *end;      /* of its part of a row, */
  const char *length;                    /* the cells of its row, */
  const char *left;                      /* and the label of a row that it leaves */
  Task *cells_task;                      /* to whose body; NULL: it is no row form */
} Skeleton;

/* The call of the body for a cell, its position and indices, each as text. */
typedef const char *BodyCall(const Skeleton *, const char *cell, const char *position,
                             const char *const *index);

/* ---- task.c ---- */
void task_init(Task *, Emit *, const KernelNames *, const IrFunction *, const IrStmt *, int number);
void emit_task(Task *);
/* "advect: struct_for(S2dense)": behind the names of the blocks that it stands in. */
const char *task_name(Emit *, const IrStmt *);
const char *parameter_text(const Skeleton *, const IrVariable *);
const char *parameter_of(Arena *, const IrVariable *, const char *name);
void write_task_body(Task *);                         /* the function of one iteration */
void write_host_locals(const Skeleton *);             /* what is read from the arguments */

/* ---- skeleton.c ---- */
void init_skeleton(Skeleton *, Task *);
BodyCall body_call;
const char *skeleton_arguments(const Skeleton *);      /* ", grid, launch": what each body takes */
bool skeleton_needs_vars(const Task *);
bool skeleton_needs_launch(const Task *);             /* on the host */
bool skeleton_needs_view(const Task *, int slot);
bool skeleton_needs(const Task *, const IrVariable *);   /* a scalar parameter or an array */
void write_params_pointer(const Skeleton *);
void write_param(const Skeleton *, const IrVariable *);
void write_vars(const Skeleton *);
void write_sums(const Skeleton *);                    /* declares those of a thread, */
void write_reduces(const Skeleton *);                 /* and adds them up */
void write_append_hints(const Skeleton *);            /* where a thread's appends went */

/* ---- kernel.c ---- */
bool is_own_task(const IrStmt *);                     /* has functions in the file */

const char *task_flags(Emit *, const IrStmt *task, const Needs *);
/* It takes constants, parameters and variables to variables: the host runs it. */
bool sets_scalars(const IrStmt *task, const Needs *);

/* ---- steps.c ---- */
/* call: the name of the sn_call; end: the line that ends it. */
void emit_steps(Emit *, const IrFunction *, const KernelNames *, const char *call, const char *end);

/* ---- kernel_call.c ---- */
void emit_kernel_call(Emit *, const IrFunction *, const KernelNames *, const char *info);
void emit_kernel_submit(Emit *, const IrFunction *, const char *info);

/* ---- permission.c: the table's name, or NULL in text ---- */
const char *write_permissions(Emit *, const IrFunction *, int *count);

/* ---- interpreter.c: tasks that hand the IR over ---- */
const char *write_interpreted_tasks(Emit *, const IrFunction *, const KernelNames *, int *count);
void write_program(Emit *);

/* ---- coordinate.c ---- */
bool uses_index(const Skeleton *, int k);             /* whether the body takes index k */
const char *axis_extent(const Skeleton *, int own);     /* of one of the SNode's axes */
/* Index k, of the container's cell whose digit on its axis that is; NULL: the SNode has no such. */
const char *index_at(const Skeleton *, int k, const char *digit);
const char *snode_id(const Skeleton *);
const char *node_text(const Skeleton *);              /* the view of the SNode */
const char *coordinate(const Skeleton *, int k, const char *digit);  /* index k of a cell */
void write_origins(Skeleton *);                       /* what is constant in a block */
void write_coordinates(Skeleton *, int except);       /* each index but one, -1: all */
void write_first_coordinates(Skeleton *);             /* of the first cell of a container */
const char *digit_of(const Skeleton *, int own);      /* of a cell, on one of its SNode's axes */
void write_row_coordinates(Skeleton *);               /* of the first cell of a row */

/* ---- loop.c ---- */
void write_blocks(Skeleton *);                        /* const snd_blocks blocks = ... */
void write_host_loop(Skeleton *, BodyCall *);         /* over the cells of a block */
void write_target_loop(Skeleton *, BodyCall *);
void write_loop_in_order(Skeleton *, BodyCall *);     /* over all of them, one thread */
void write_simd(const Skeleton *);
void write_container(const Skeleton *);               /* what the cells are reached by */
void write_cells_of_row(Skeleton *, bool is_masked);  /* calls of the body */
void open_brace(Skeleton *, const char *head);
void close_brace(Skeleton *);

/* ---- row_loop.c ---- */
bool row_loop_is_along(const IrSNode *, int index);   /* a row runs along that index */
const IrStmt *row_loop_runs(const IrStmt *task);      /* the loop over runs, NULL: over rows */
bool row_loop_has_rest(const IrStmt *task, const IrStmt *run);   /* cells too few for a run */

/* ---- rows.c ---- */
const char *rows_condition(const Skeleton *);         /* of the preprocessor: it is compiled */
const char *rows_call(const Skeleton *);              /* of its body, for the block at hand */
void emit_rows(Task *);                               /* gives a task its row form, if any */

/* ---- leaves.c ---- */
void emit_leaves(Task *);                             /* gives a range its form by leaves, if any */
void write_leaves_call(const Skeleton *);             /* which is tried first */

/* ---- staged_box.c ---- */
void write_near_arrays(const Skeleton *);
void write_staging(const Skeleton *);                 /* before the block at hand, */
void write_deposits(const Skeleton *);                /* and behind it */

/* ---- near.c ---- */
void name_windows(Task *, Body *);                    /* of a near form: in its body, */
const char *window_params(const Task *);
void name_thread_windows(Skeleton *);                 /* and in the function of a thread */
const char *window_arguments(const Skeleton *, const Task *);
void write_without_window(Task *, Body *);            /* its end: the plain body */
void emit_near(Task *);                               /* gives a task its near form, if any */
void write_near_windows(const Skeleton *);            /* declares those of a thread, */
void write_near_end(const Skeleton *);                /* and adds them to the tree */

/* ---- range_loop.c ---- */
void write_range_blocks(Skeleton *);
void write_range_call(Skeleton *, BodyCall *);        /* of one iteration */
void write_range_loop(Skeleton *, BodyCall *);        /* over the iterations of a block */
const char *scheduled(const Skeleton *, const char *blocks);   /* as schedule(dynamic) asks */
const char *range_bound(const Skeleton *, const IrStmt *bound);   /* an i64 */

#endif
