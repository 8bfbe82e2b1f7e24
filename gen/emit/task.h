/* A task being written: what its functions share (skeleton.c), their loops, each function, all. */
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
  const char *body, *function;           /* of one iteration; of what a thread does of it all */
  const char **sum;                      /* of each reduction, in the body */
  const char **hint;                     /* of each append, in the body */
  struct Task *rows;                     /* the row form, whose body takes a block; NULL: none */
  struct Task *leaves;                   /* of a range the form that goes by leaves, NULL: none */
  struct Task *host;                     /* the form of host threads, with windows or with what
                                            [[cache]] names staged; NULL: as on a device */
  struct Task *team;                     /* the form of a device's teams, which stage; NULL: none */
  const char *staged;                    /* of such a form: the struct of what is staged */
  const IrBlock *block;                  /* what the body does: block 0 of the statement, or 2 */
  const struct Task *plain;              /* of a form with windows: what is done without one */
  NearWindows windows;
  struct Task *ahead;                    /* what it asks for of a later iteration, NULL: nothing */
  bool is_range;                         /* the body takes a range of cells */
  struct Task *gang;                     /* several iterations at once, NULL: one by one alone */
} Task;

/* The function of what a thread does: names at hand in it. */
typedef struct Skeleton {
  Task *task;
  Emit *emit;
  Names names;
  Map variables;                         /* parameter -> its name */
  const char *thread, *params, *launch, *vars, *block, *cells, *c, *row;
  const char *leaves;                    /* of the form that goes by them */
  const char *within;                    /* the containers that the loop's box meets */
  const char *parent;                    /* the cell that holds a block's container */
  const char *view[MAX_SLOTS];
  const char **windows, **window_cells;  /* of a form that has them */
  NearNames near;
  const char **way;                      /* to the cells of each staged field; */
  const char *staged, *e;                /* of a team's form: what it stages, an element of it */
  const char **sum;                      /* reductions */
  const char **hint;                     /* appends */
  const char *index[MAX_AXES];
  const char *origin[MAX_AXES];       /* coordinate.c */
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

/* ---- near.c ---- */
void name_windows(Task *, Body *);                    /* of a near form: in its body, */
const char *window_params(const Task *);
void name_thread_windows(Skeleton *);                 /* and in the function of a thread */
const char *window_arguments(const Skeleton *);
void write_without_window(Task *, Body *);            /* its end: the plain body */
void write_gang_end(Body *);                          /* of one of several iterations */
void write_near_windows(const Skeleton *);            /* declares those of a thread, */
void write_near_end(const Skeleton *);                /* and adds them to the tree */

/* ---- skeleton.c ---- */
void init_skeleton(Skeleton *, Task *);
/* The call of the body for a cell, its position and indices, each as text; as a statement, and
 * without its semicolon. */
const char *body_call(const Skeleton *, const char *cell, const char *position,
                      const char *const *index);
const char *body_value(const Skeleton *, const char *cell, const char *position,
                       const char *const *index);
const char *skeleton_arguments(const Skeleton *);      /* ", grid, launch": what each body takes */
/* The structs of the kernel, as a thread has them. */
const char *params_text(const Skeleton *, const char *thread);
const char *vars_text(const Skeleton *, const char *thread);
typedef void SkeletonWriter(Skeleton *);
/* The function of what a thread does: `more` parameters, what it reads of its thread, the rest. */
void write_thread_function(Skeleton *, const char *more, SkeletonWriter *inside);
void write_sums(const Skeleton *);                    /* declares those of a thread, */
void write_reduces(const Skeleton *);                 /* and adds them up */
void write_append_hints(const Skeleton *);            /* where a thread's appends went */
const char *parameter_text(const Skeleton *, const IrVariable *);          /* as it is declared */
const char *parameter_of(Arena *, const IrVariable *, const char *name);
void bind_body(Body *, const Skeleton *);             /* a body in that function: its names */
void write_simd(const Skeleton *);
/* The heads of loops over a block, macros of loop.h: over cells that the thread takes; over rows of
 * cells, of which it takes as many at once as `row` says. */
const char *loop_head(const Skeleton *, const char *macro);
const char *rows_head(const Skeleton *, const char *macro);
void open_brace(Skeleton *, const char *head);
void close_brace(Skeleton *);

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

/* ---- staged_box.c ---- */
void write_near_arrays(const Skeleton *);
void write_staging(const Skeleton *);                 /* before the block at hand, */
void write_deposits(const Skeleton *);                /* and behind it */
/* Of a cache, on the k-th axis of the field's path: where its box begins, from the block's first
 * cell, how many cells it has, how far apart they are in the array; and of all axes how many. */
int64_t staged_lo(const IrStmt *cache, int k);
int64_t staged_extent(const IrStmt *cache, int k);
int64_t staged_step(const IrStmt *cache, int k);
long long staged_elements(const IrStmt *cache);
const char *staged_first(const Skeleton *, const IrStmt *cache, int k);   /* the coordinate there */
void write_firsts(Skeleton *);                        /* those coordinates of a block */
const char *staged_nothing(const Type *);             /* what a sum begins with */
NearNames team_members(Emit *, const Needs *);        /* of the struct of what a team stages; */
void name_team(Skeleton *);                           /* as a thread of the team reaches them */

/* ---- team.c ---- */
const char *team_param(const Skeleton *);             /* ", step_staged_0 *staged" */
void write_team_sums(Skeleton *);                     /* begins those of the team, */
void write_team_block(Skeleton *);                    /* and does all of the block at hand */

/* ---- range_loop.c ---- */
/* Where a bound is named: in the function of a thread, in the macro behind it. */
typedef enum RangePlace { RANGE_IN_FUNCTION, RANGE_IN_MACRO } RangePlace;
/* is_wide: as an operand of 64 bits. */
const char *range_bound(const Skeleton *, const IrStmt *bound, RangePlace, bool is_wide);
const char *range_count(const Skeleton *, RangePlace);   /* of iterations */
void write_range_counts(Skeleton *);                  /* of ranges that indices are digits of */
void write_range_loop(Skeleton *);                    /* over the iterations of a block */

/* ---- loop.c ---- */
/* What a task that runs in parallel goes through, as the macro behind it is given it. */
const char *blocks_text(const Skeleton *);
void write_loop(Skeleton *);                          /* over the cells of a block */
void write_loop_in_order(Skeleton *);                 /* over all of them, one thread */
void write_container(const Skeleton *);               /* what the cells are reached by */
void write_cells_of_row(Skeleton *, bool is_masked);  /* calls of the body */

/* ---- within.c: nothing where the loop has no box ---- */
void write_box(Skeleton *);                           /* const snd_within within = ...; */
void write_leave_box(const Skeleton *);               /* the block, which the box does not meet */

/* ---- row_loop.c ---- */
bool row_loop_is_along(const IrSNode *, int index);   /* a row runs along that index */
const IrStmt *row_loop_runs(const IrStmt *task);      /* the loop over runs, NULL: over rows */
bool row_loop_has_rest(const IrStmt *task, const IrStmt *run);   /* cells in no run */

/* ---- task_body.c ---- */
void task_init(Task *, Emit *, const KernelNames *, const IrFunction *, const IrStmt *, int number);
void write_draws(Task *, Body *);                     /* where its random numbers come from */
void write_task_body(Task *);                         /* the function of one iteration */

/* ---- rows.c ---- */
const char *rows_condition(const Task *rows);         /* of the preprocessor: it is compiled */
const char *rows_call(const Skeleton *);              /* of the rows, for the block at hand */
void emit_rows(Task *);                               /* gives a task its row form, if any */

/* ---- leaves.c ---- */
void emit_leaves(Task *);                             /* gives a range its form by leaves, if any */
const char *leaves_box(const Skeleton *);             /* of the cells that the ranges name */

/* ---- task_function.c ---- */
void write_task_function(Skeleton *);                 /* of what a thread does of the task */

/* ---- near_form.c ---- */
NearWindows near_windows(Emit *, const IrBlock *);    /* of a near form, or a team's */
void take_needs(Task *near, const Task *plain);       /* those of what is done without windows */
void name_near_form(Task *);                          /* its functions: of host threads */
void emit_near(Task *);                               /* gives a task its near form, if any */

/* ---- team_form.c ---- */
void emit_team(Task *);                               /* gives a task its form for teams, if any */
const char *team_threads(const Task *);               /* of a team, as the macro is given them */

/* ---- task_row.c ---- */
/* "advect: struct_for(S2dense)": behind the names of the blocks that it stands in. */
const char *task_name(Emit *, const IrStmt *);
bool is_own_task(const IrStmt *);                     /* has functions in the file */

/* The table of tasks, from rows that are added one by one; its name, "NULL" where none are.
 * macro: whether it has a function for devices too. */
void add_task_row(Emit *, Text *rows, const IrStmt *task, const Needs *, const char *macro,
                  const char *function);
const char *write_task_rows(Emit *, const IrFunction *, Text *rows);
/* It takes constants, parameters and variables to variables: the host runs it. */
bool sets_scalars(const IrStmt *task, const Needs *);

/* ---- task.c ---- */
void emit_task(Task *);

/* ---- steps.c ---- */
/* call: the name of the sn_call. */
void emit_steps(Emit *, const IrFunction *, const KernelNames *, const char *call);

/* ---- permission.c: the table's name, or NULL in text ---- */
const char *write_permissions(Emit *, const IrFunction *);

/* ---- check_grad.c: the address of the table, as text ---- */
const char *write_grad_check(Emit *, const IrFunction *primal, const char *primal_info,
                             const IrFunction *adjoint);

/* ---- kernel_call.c ---- */
const char *emit_kernel_steps(Emit *, const IrFunction *, const KernelNames *);    /* its name */
void emit_kernel_calls(Emit *, const IrFunction *, const KernelNames *, const char *info);

/* ---- interpreter.c: tasks that hand the IR over ---- */
const char *write_interpreted_tasks(Emit *, const IrFunction *, const KernelNames *);
void write_program(Emit *);

#endif
