/* The body of a C function being written: values (expr.c, update.c, outside.c, lanes.c,
 * row_load.c), places (cell.c, place.c), and statements (stmt.c, effect.c, trap.c, row_loop.c).
 *
 * A value of the IR is either written where it is used (folded) or gets a name.
 * It may be folded when it has one use, and nothing that is written between its
 * place and the use could change it: what reads memory is PENDING until it is
 * used, and gets a name before the first statement that might change it.
 */
#ifndef SNODEGEN_EMIT_BODY_H
#define SNODEGEN_EMIT_BODY_H

#include "gen/emit/writer.h"

/* How tightly the parts of a text are bound, loosest first. */
enum {
  BOUND_COMMA, BOUND_ASSIGN, BOUND_CHOICE, BOUND_OR, BOUND_AND, BOUND_BITS, BOUND_EQUAL,
  BOUND_LESS, BOUND_SHIFT, BOUND_ADD, BOUND_MUL, BOUND_UNARY, BOUND_PRIMARY
};

typedef struct CText {
  const char *text;
  int bound;
} CText;

/* A cell; of a soa SNode the container, and where in its arrays the cell is. */
typedef struct CellText {
  const char *text;                /* NULL: the arrays have names, */
  int slot;                        /* in this tree */
  CText at;                        /* of soa; else NULL */
  int bound;
  bool is_place;                   /* an lvalue; else a pointer */
  bool is_array;                   /* an lvalue that is an array: of rows */
  bool begins_row;                 /* of soa: a row of the container begins there */
  bool is_const;
  const char *null_test;           /* the pointer that may be null, or NULL; */
  bool tests_flag;                 /* of soa: whether the cell is there */
} CellText;

typedef struct ValueInfo {
  int uses, left;                  /* in all, and not yet written */
  const IrStmt *user;              /* the only one, when uses is 1 */
  bool crosses_loop;               /* used inside a loop that it stands before */
  bool is_repeated;                /* its user names it more than once */
  bool may_fail;                   /* NAMED by a call: less than 0 where it failed */
  enum { VALUE_NEW, VALUE_PENDING, VALUE_NAMED } state;
  CText text;                      /* NAMED */
  CellText named;                  /* NAMED cells */
  bool gives_cell;                 /* an append whose cell is used */
  const char *cell;                /* and what that is called */
  const char *each;                /* in a gang: the array that has it for each iteration */
} ValueInfo;

/* The array of a field under the root. */
typedef struct NamedArray {
  int slot;
  const IrField *field;
  const char *name;
} NamedArray;

/* What several iterations look up once of a list under the root. */
typedef struct ListLook {
  int slot;
  const IrSNode *snode;
  const char *name;
} ListLook;

typedef struct Body {
  Emit *emit;
  const IrFunction *function;
  const IrStmt *task;              /* NULL: a function of the program */
  const IrBlock *root;             /* all of it */
  const Live *live;
  const Needs *needs;
  Names names;
  Map values;                      /* IrStmt -> ValueInfo */
  Map variables;                   /* IrVariable -> its text */
  Map hints;                       /* append_cell -> the address of its snd_dynamic_hint */
  const char *view[MAX_SLOTS], *slot_number[MAX_SLOTS];
  const char *ended;               /* of a function that can fail: the parameter that says so */
  const char *launch, *vars, *cell, *parent, *position;   /* own_cell, own_position */
  NamedArray *arrays; int array_count;
  NearNames near;
  const char **near_at;            /* where the own cell is in each staged field's array */
  const NearWindows *windows;      /* of a near form; */
  const char *in_tree;             /* the label of what is done without a window */
  const IrStmt *gang;              /* whose body it is; NULL: it is none of several iterations */
  Map kept;                        /* of a gang: values that stand in an array behind a loop, */
  const char *lane, *cells;        /* the number of the iteration in one, and the cells of all */
  ListLook *looks; int look_count; /* of a body of several iterations */
  const char *from, *to;           /* which cells, where it takes a range of them */
  const char *draws;               /* pointer to what the iteration draws random numbers from */
  const char *index[MAX_AXES];
  const char *first[MAX_AXES];  /* of rows: each index at the first cell of the leaf, */
  const char *const *row_digit;    /* the digits of the row, by the SNode's axis, */
  const char *active;              /* which cells of the row are active, as bits, */
  struct Skeleton *rows;           /* and what writes the loop over them; */
  const char *mask;                /* what a lane of a bool is */
  IrStmt **pending; int pending_count;   /* those that read memory */
  int loops;                       /* C loops around the statement */
  const char *loop_init;           /* `int32_t i = 0`, for the loop that follows */
} Body;

/* ---- value.c ---- */
ValueInfo *value_info(Body *, const IrStmt *);
const char *variable_text(Body *, const IrVariable *);
const char *suggest_name(Arena *, const IrStmt *);
CText primary(const char *text);                      /* that needs no brackets anywhere */
const char *within(Body *, CText, int bound);         /* in brackets where looser than bound */

/* ---- outside.c ---- */
/* The condition that an index is outside, or that all are inside; NULL when that
 * is known: never outside, always inside. */
const char *outside_text(Body *, const IrStmt *);
const char *inside_text(Body *, const IrStmt *);
/* size, or where it is 0 what the view says: node->MEMBER[axis]. */
const char *extent_text(Body *, const IrSNode *, int slot, int axis, int64_t size,
                        const char *member);

/* ---- cell.c ---- */
CellText cell_text(Body *, const IrStmt *);
const char *cell_pointer(Body *, const IrStmt *);     /* as a pointer, null where it may be */
const char *cell_type(Body *, const IrStmt *);        /* the struct of a cell value */
const char *use_walk(Body *, const IrSNode *, int walk);       /* its name */
const char *walk_text(Body *, const IrStmt *);        /* the call of an SNode's walk */
const char *release_text(Body *, const IrStmt *);
/* Of what a walk has read: it is a cell, or the iteration goes to the tree. */
void emit_found(Body *, const IrStmt *);
const char *append_text(Body *, const IrStmt *);
const char *length_text(Body *, const IrStmt *);
/* Of an active_cells, the bits from its pair's position on, and so many cells behind it. */
const char *bits_text(Body *, const IrStmt *, int pair, int behind);
CText position_text(Body *, const IrStmt *linear);
CText position_but(Body *, const IrStmt *linear, int left_out);   /* with one digit taken as 0 */
CText digit_text(Body *, const IrStmt *);
/* x / by and x % by, rounded down where the axis is open and x may be negative. */
CText quotient_text(Body *, const Type *, bool is_open, CText x, int64_t by);
CText rest_text(Body *, const Type *, bool is_open, CText x, int64_t by);
const char *element_place(Body *, const IrStmt *);    /* of an array */

/* ---- place.c ---- */
CellText place_text(Body *, const IrStmt *);          /* a cell that stands in place */
/* What a place is an element of, in the cell above. */
CellText container_in(Body *, const IrSNode *, CellText above);
const char *field_place(Body *, CellText, const IrField *);
const char *field_place_behind(Body *, CellText, const IrField *, int cells);   /* further on */
void name_cell(Body *, const IrStmt *);
void declare_arrays(Body *, size_t begin);              /* those it has named: where it begins */

/* ---- expr.c ---- */
CText value_text(Body *, const IrStmt *);
const char *loose(Body *, const IrStmt *);            /* as an argument or a side of `=` */
/* ended: what it tells of its failure by, NULL: it cannot fail. */
const char *call_text(Body *, const IrStmt *, const char *ended);
/* With such arguments behind those of trees and the like: ", i, j". */
const char *call_with(Body *, const IrStmt *, const char *arguments);
CText from_memory(Body *, const Type *, CText);       /* a bool lies there as a byte */
const char *builtin_function(Body *, const IrStmt *); /* the name of the function that does it */
/* What stands at the right of the operator: of a shift as an unsigned number. */
const char *right_text(Body *, Op, const IrStmt *);

/* ---- row_load.c ---- */
CText row_load_text(Body *, const IrStmt *);
typedef struct Row {
  const char *type;
  int lanes;
} Row;
/* The lanes with these numbers of two rows, of each of which there are so many of a type. */
const char *joined_rows(Body *, Row, const char *first, const char *other, const int *lane,
                        int count);
/* Of a row_store, what is there before; NULL: cells are too wide for vectors. */
const char *row_kept_text(Body *, const IrStmt *store);
bool row_load_repeats(const IrStmt *);                /* as row_repeats */
/* Whether the cells of the field lie side by side with nothing between its values. */
bool is_row_packed(const IrStmt *);

/* ---- row_active.c ---- */
/* Which lanes' cells are active, as a mask; whether one cell is. */
CText active_cells_text(Body *, const IrStmt *);
CText active_cell_text(Body *, const IrStmt *);

/* ---- row_beside.c ---- */
/* A cell that stands in one of two containers, by the row; false: it is no such cell. */
bool row_beside_text(Body *, const IrStmt *cell, CellText *);

/* ---- lanes.c ---- */
/* Of a value or a variable with so many lanes; 0: of one value. */
const char *value_type(Body *, const Type *, int lanes);
/* What a lane of a bool is in the rows of a task: "i32". */
const char *mask_type(const IrStmt *task);
CText lanes_text(Body *, const IrStmt *);
/* So many lanes of a type compared, as a mask; the list: an operand, the operator, an operand. */
CText compared_text(Body *, const char *type, int lanes, const char *list);
CText any_lane_text(Body *, const IrStmt *);
CText combined_text(Body *, const IrStmt *);
CText lane_text(Body *, const IrStmt *);
/* Whether the text of a value of lanes, or of a row's store, has that operand in it repeatedly. */
bool row_repeats(const IrStmt *, int operand);

/* ---- near_team.c: of the form of a device's teams ---- */
void emit_team_window(Body *, const IrStmt *);
void emit_team_add(Body *, const IrStmt *);
CText team_load_text(Body *, const IrStmt *);

/* ---- near.c ---- */
/* A cell of a box as an index, from where the box begins, of an array with these extents. */
const char *index_in_box(Body *, const IrStmt *, const int64_t *extent);
/* That the box is inside the extents; NULL: that is not asked. */
const char *box_inside(Body *, const IrWindow *);
/* a * by + b, of what is not 0. */
CText join_digits(Body *, CText a, int64_t by, CText digit);
void emit_window(Body *, const IrStmt *);
void emit_near_add(Body *, const IrStmt *);
CText near_load_text(Body *, const IrStmt *);
const char *near_type(Emit *, const IrWindow *);      /* what a cell of the window is in the body */
const NearWindow *near_window(Body *, const IrStmt *);

/* ---- gang.c ---- */
void gang_init(Body *);                               /* what it keeps for which each_lane */
bool gang_keeps(Body *, const IrStmt *);
bool gang_is_own_cell(const Body *, const IrStmt *);  /* which is told by the iteration's number */
const char *gang_lane(Body *, const char *array);     /* the element of the iteration at hand */
/* Where the value of the each_lane at hand stands from now on: list[lane]. */
const char *gang_place(Body *, const IrStmt *);
CText in_lanes_text(Body *, const IrStmt *);
/* Of a body of several iterations: what they look up once of lists, and its name for a walk that
 * reads a cell of one; NULL: it looks by itself. */
void write_list_looks(Body *);
const char *list_look(const Body *, const IrStmt *cell);

/* ---- update.c ---- */
const char *update_text(Body *, const IrStmt *, const char *place);
const char *atomic_text(Body *, const IrStmt *, const char *address, bool wants_old);

/* ---- body.c ---- */
void body_init(Body *, Emit *, const IrFunction *, const IrStmt *task, const IrBlock *,
               const Live *, const Needs *);
/* s is written out: what it used needs no place any more. */
void release_operands(Body *, const IrStmt *);
/* Whether its text may stand where it is used, once or several times, instead of in a variable. */
bool may_fold(Body *, const IrStmt *);
/* Gives names to the pending values that s, or what it holds, might change. */
void settle_pending(Body *, IrStmt *s);
typedef struct Pending {
  IrStmt **stmts;
  int count;
} Pending;
Pending pending_save(Body *);
void pending_restore(Body *, const Pending *);
/* `const T name = text;` */
void name_value(Body *, const IrStmt *, CText);

/* ---- staged_box.c ---- */
void write_near_positions(Body *);
int staged_number(const Body *, const IrStmt *);     /* which of the staged fields it goes to */
const char *staged_text(Body *, const IrStmt *);      /* its element of the array, */
/* Of a computed place: what is read there, as a value with a name, or added to there. */
void emit_load_at(Body *, const IrStmt *);
void emit_add_at(Body *, const IrStmt *);
/* By a team, to an element that it has staged, and to its flag. */
void emit_team_addition(Body *, const IrStmt *, const char *place, const char *flag);
const char *wrote_text(Body *, const IrStmt *);       /* and that one's flag */

/* ---- each_lane.c ---- */
void gang_keep(Body *, const IrStmt *);               /* puts the value where it stands */
void emit_by_lane(Body *, const IrStmt *);
void emit_each_lane(Body *, const IrStmt *);

/* ---- row_loop.c ---- */
void emit_each_row(Body *, const IrStmt *);
void emit_each_part(Body *, const IrStmt *);           /* of a large container */
void emit_row_store(Body *, const IrStmt *);
void emit_leave_row(Body *, const IrStmt *);
void emit_leave_leaf(Body *, const IrStmt *);

/* ---- trap.c ---- */
void emit_print(Body *, const IrStmt *);
void emit_check_element(Body *, const IrStmt *);
void emit_assert(Body *, const IrStmt *);
void emit_claim(Body *, const IrStmt *);
void emit_check(Body *, const IrStmt *);
void trap_end(Body *);                                /* behind a failure: leaves the body */
void trap_leave(Body *, const char *condition);       /* does so where the condition holds */
/* What a call hands on for the function to tell of its failure; NULL: it cannot fail. */
const char *trap_begin_call(Body *, const IrStmt *);
void trap_leave_call(Body *, const char *ended);      /* where it told so */

/* ---- effect.c ---- */
void write_effect(Body *, const IrStmt *);
const char *set_text(Body *, const IrStmt *);         /* the assignment that a set is */
const IrStmt *only_step(Body *, const IrStmt *loop);  /* a for's, NULL: it is more */

/* ---- stmt.c ---- */
void emit_block(Body *, const IrBlock *);

#endif
