/* The state of lowering one function, shared by the files of gen/lower.
 *
 * Statements are appended to `block`; whoever opens a nested block saves and
 * restores it.  A variable of the source is bound to named memory or to a value
 * (a loop's index).
 */
#ifndef SNODEGEN_LOWER_SCOPE_H
#define SNODEGEN_LOWER_SCOPE_H

#include "gen/base/map.h"
#include "gen/lower/lower.h"

typedef struct Binding {
  const Variable *from;
  IrVariable *variable;       /* read by get or, of a parameter, by param */
  IrStmt *value;              /* or this value, when not NULL */
  IrVariable **variables;     /* of an aggregate: one for each element, or */
  IrStmt **values;            /* their values */
} Binding;

/* One that the function at hand has taken. */
typedef struct Name {
  const char *text;           /* interned */
  int number;                 /* the last one that was put behind it; 1: none */
} Name;

/* A range loop over several variables becomes several loops; a break must
 * leave all of them, by a flag that each outer one tests. */
typedef struct Loop {
  IrVariable *leaving;        /* NULL: break leaves one loop */
} Loop;

/* A call that stands in place of itself: inline.c. */
typedef struct Inlined {
  const Function *function;
  const Stmt *body;           /* its own, or the form of that in which no return leaves it early */
  IrVariable **results;       /* for each element; NULL: none, or */
  IrStmt **values;            /* what the last statement, the one return, gives */
  IrVariable *returned;       /* NULL: nothing stands behind a return */
} Inlined;

typedef struct Lowering {
  const Program *program;
  const LowerOptions *options;
  Diag *diag;
  IrModule *module;
  IrFunction **lowered;       /* as program->functions; NULL: not yet */
  struct Reported *reported;  /* of all functions: place.c */
  Map *tables;                /* of all: by Variable its IrTables, one for each element of an
                                 element, which several indices choose among at run time */
  /* of the function at hand */
  const Function *source;
  IrFunction *function;
  IrBlock *block;
  Binding *bindings;
  int binding_count;
  Name *names;
  int name_count;
  Loop *loop;
  Inlined *inlined;           /* NULL: the function's own statements */
  int inlined_calls;
  Map *memory_arrays;         /* by IrVariable, of its local arrays in memory; NULL: none */
  int depth;                  /* statements around the one at hand, also of functions whose
                                 bodies replace their calls */
  unsigned derivation;        /* bits of IrDerivation: it is lowered to be derived, every call
                                 replaced by the function's body */
  bool is_too_deep;           /* the error has been given; no body replaces a call any more */
  int turns;                  /* of the loops around that are written out; at least 1 */
  const int *slot_map;        /* of an inlined call: its slots here */
  const char *said;           /* the text of the statement at hand, where it is kept */
  bool in_foreach;
  const Stmt *foreach;        /* that one; */
  IrStmt **own;               /* its indices, as the program has them */
  int own_count;
} Lowering;

/* ---- scope.c: variables and names ---- */
void take_name(Lowering *, const char *name);
const char *unique_name(Lowering *, const char *wanted);
IrVariable *new_variable(Lowering *, int kind, const char *name, const Type *);
/* A variable no one wrote: kernel-level outside a foreach of a kernel, since a
 * later task may read it; the split makes it a local where none does. */
IrVariable *new_hidden(Lowering *, const char *name, const Type *);
void bind_variable(Lowering *, const Variable *, IrVariable *);
void bind_value(Lowering *, const Variable *, IrStmt *value);
/* A loop's index; body assigns to it: then it is a copy in memory. */
void bind_index(Lowering *, const Variable *, IrStmt *value, const Stmt *body);
Binding *find_binding(Lowering *, const Variable *);
/* The name of element k: "v.x", "A.0_1", "p.v.x"; of a scalar its own. */
const char *element_name(Lowering *, const char *name, const Type *, int k);
IrTree *lowered_tree(Lowering *, const Tree *);
IrSNode *lowered_snode(Lowering *, const SNode *);
IrField *lowered_field(Lowering *, const Field *);     /* of its first element */

/* The slot of the function at hand that the source means. */
int lowered_slot(const Lowering *, int tree_slot);

/* ---- scope.c: making statements ---- */
IrStmt *emit(Lowering *, IrStmt *);
IrStmt *emit_const(Lowering *, const Type *, Value, Loc);
IrStmt *emit_int(Lowering *, const Type *, int64_t, Loc);
IrStmt *emit_get(Lowering *, IrVariable *, Loc);
IrStmt *emit_set(Lowering *, IrVariable *, IrStmt *value, Loc);
IrStmt *emit_declare(Lowering *, IrVariable *, IrStmt *value, Loc);
IrStmt *convert(Lowering *, IrStmt *value, const Type *, Loc);
/* Opens a new block of stmt and makes it current; the old one is returned. */
void fail_nested(Lowering *, Loc, bool by_calls);
IrBlock *open_block(Lowering *, IrStmt *owner, int which);

/* The iteration ends with a message, as by a trap, where the condition is false. */
IrStmt *emit_require(Lowering *, IrFault, const char *text, IrStmt *condition, Loc);
/* Whether an integer is known already, from constants. */
bool known_value(const IrStmt *, int64_t *out);
bool known_truth(const IrStmt *, bool *out);            /* of a bool */

/* ---- operator.c: of lowered values, as the source means it ---- */
IrStmt *lower_unary(Lowering *, Op, IrStmt *a, Loc);
IrStmt *lower_binary(Lowering *, Op, IrStmt *a, IrStmt *b, Loc);
IrStmt *lower_builtin(Lowering *, int builtin, const Type *, Loc, IrStmt **args, int count);
IrStmt *lower_random(Lowering *, const Expr *);        /* one draw, for an element of a vector */
void check_divisor(Lowering *, IrStmt *divisor, Loc);  /* where --check asks for it */

/* ---- elements.c ---- */
/* A variable for each element of the type. */
IrVariable **new_elements(Lowering *, int kind, const char *name, const Type *);
IrVariable **new_hidden_elements(Lowering *, const char *name, const Type *);
void bind_variables(Lowering *, const Variable *, IrVariable **);
void bind_values(Lowering *, const Variable *, IrStmt **);
/* Of the variable bound, whatever its type: one for each element. */
IrVariable **bound_variables(Lowering *, const Variable *);
IrStmt **new_values(Lowering *, const Type *);           /* room for them */
IrStmt **get_elements(Lowering *, IrVariable **, const Type *, Loc);
IrStmt **zero_elements(Lowering *, const Type *, Loc);
void declare_elements(Lowering *, IrVariable **, IrStmt **, const Type *, Loc);

/* ---- expr.c ---- */
IrStmt *lower_expr(Lowering *, const Expr *);          /* of a scalar */
/* The indices of a node operation: args are the field's own where it names one, and
 * become numbers of cells in axis order. */
void add_node_indices(Lowering *, IrStmt *, const Field *, Expr **args, int arg_count);
/* The values of indices or arguments, a vector's one behind the other; how many. */
int lower_indices(Lowering *, Expr **args, int arg_count, IrStmt **out, int most);
/* Adds them to an access. */
void add_indices(Lowering *, IrStmt *, Expr **args, int arg_count);

/* ---- vector.c: vectors, matrices, structs ---- */
/* The value of each element, in order; a scalar has one. */
IrStmt **lower_elements(Lowering *, const Expr *);
/* The same, converted to the elements of a type; a scalar stays one value. */
IrStmt **lower_converted(Lowering *, const Expr *, const Type *);
IrStmt **lower_part(Lowering *, const Expr *);         /* EXPR_COMPONENT and EXPR_PART */
IrStmt **lower_conditional(Lowering *, const Expr *);  /* of scalars too */

/* ---- shaped.c: built-in functions on them ---- */
IrStmt **lower_shaped(Lowering *, const Expr *);
/* ---- factor.c: svd and its like, a statement; what it returns has no value ---- */
IrStmt *lower_factor(Lowering *, const Expr *);
IrStmt **lower_product(Lowering *, const Expr *);      /* a @ b */

/* ---- place.c: what an lvalue names, its indices evaluated once ---- */
/* Which elements of a whole: those that begin at one of `starts`, of which the i64 `at` is
 * the number; where it is known at compile time there is one, and no `at`. */
typedef struct Choice {
  int *starts;
  int count;
  IrStmt *at;
} Choice;
typedef struct Place {
  const Type *type;                    /* of the place itself */
  const Type *whole;                   /* what it is a part of, or its type */
  Loc loc;
  IrVariable **variables;              /* of each element; NULL: a field */
  IrField *field;                      /* of the whole's first element */
  int slot;
  IrStmt *indices[MAX_AXES];
  int index_count;
  Choice choice;                       /* which elements it has */
  const int *order;                    /* of those behind a start, one for each element of the
                                          type; NULL: all, side by side */
} Place;
Place lower_place(Lowering *, const Expr *);
/* Whether e, or what it is a part of, is bound to memory. */
bool is_place(Lowering *, const Expr *);
IrStmt **read_place(Lowering *, const Place *);
IrStmt **take_place(Lowering *, const Place *);        /* as a value of the program: checked */
void write_place(Lowering *, const Place *, IrStmt **values);
bool is_array_place(const Place *);
/* Of an EXPR_SWIZZLE: the number of each component that it names. */
const int *swizzle_order(Lowering *, const Expr *);
/* Whether its elements are chosen by comparisons, and an `if` for number k of them: the
 * block around is returned. */
bool is_chosen(const Place *);
IrBlock *open_choice(Lowering *, const Place *, int k);
const Type *place_element(const Place *, int element);
IrStmt *read_element(Lowering *, const Place *, int element);
void write_element(Lowering *, const Place *, int element, IrStmt *value);
/* The number of its element k in the whole, behind a start. */
int place_number(const Place *, int start, int k);
/* An operation on it, its indices among the operands, not yet in a block. */
IrStmt *access_element(Lowering *, const Place *, int element, IrOp, const Type *);
Choice whole_choice(Lowering *);
/* The element that an EXPR_COMPONENT names, of each of those; checked at run time. */
Choice lower_choice(Lowering *, const Choice *among, const Expr *);
/* Of the values of all elements those that are chosen, as many as the type has. */
IrStmt **choose_values(Lowering *, const Choice *, const Type *, IrStmt **values, Loc);
IrStmt *is_within(Lowering *, IrStmt *at, int64_t count, Loc);
/* -Wperf tells of a choice once, however often its statement is lowered. */
struct Reported *new_reported(Arena *);
void report_choice(Lowering *, int count, const char *what, Loc);

/* ---- checks.c: what --check asks for; nothing where it does not ---- */
void check_read(Lowering *, const Place *);
/* Behind a `unique` of the variable of that name. */
void check_unique(Lowering *, const IrStmt *unique, const char *name);

/* ---- border.c: `outside clamp` and `outside wrap` ---- */
/* Index k of the field, put inside the extents where the field says so. */
IrStmt *border_index(Lowering *, const IrField *, int k, int slot, IrStmt *index, Loc);
/* The cells of the field on an axis; i64. */
IrStmt *total_extent(Lowering *, const IrField *, int slot, int axis, Loc);

/* ---- rescale.c ---- */
IrStmt **lower_rescale(Lowering *, const Expr *);      /* one for each element */

/* ---- array.c: local arrays and tables ---- */
enum { MOST_COMPARED = 4 };            /* elements of a short one: no dearer than a load */
void lower_own_array(Lowering *, const Stmt *);        /* its declaration */
/* Which element an EXPR_ELEMENT of one names: to choose it, or its number, an i32. */
Choice lower_own_choice(Lowering *, const Expr *);
IrStmt *lower_own_number(Lowering *, const Expr *);

/* ---- memory_array.c: local arrays in memory ---- */
bool is_memory_array(const Lowering *, const Variable *);
/* Its variables, for each scalar of an element; values of each element, or NULL: they are zero. */
IrVariable **declare_memory_array(Lowering *, const Variable *, const char *name,
                                  IrStmt ***values, Loc);
/* A place in one: index 0 is the element's number. */
bool is_in_memory_array(const Place *);
IrStmt *read_memory_array(Lowering *, const Place *, int scalar);
void write_memory_array(Lowering *, const Place *, int scalar, IrStmt *value);
/* Behind the function's body: scalar replacement of those whose elements are all known. */
void replace_by_scalars(Lowering *);

/* ---- table.c ---- */
IrStmt **lower_table(Lowering *, const Expr *);        /* the values of the element */
bool is_long_table(const Variable *);                  /* which is in memory */

/* ---- assign.c ---- */
void lower_assign(Lowering *, const Stmt *);
IrStmt **lower_atomic(Lowering *, const Expr *);       /* the old values */
void lower_atomic_alone(Lowering *, const Expr *);     /* no one uses them */

/* ---- inline.c: calls of functions that the IR has no calls for ---- */
IrStmt **lower_inlined(Lowering *, const Expr *);    /* NULL: no result */
void lower_inlined_return(Lowering *, const Stmt *);

/* ---- tail.c ---- */
/* The body with each return as the last statement of a branch; NULL: it has no such form. */
const Stmt *tail_form(Lowering *, const Stmt *body);

/* ---- stmt.c, loop.c ---- */
void lower_stmt(Lowering *, const Stmt *);
void lower_body(Lowering *, const Stmt *);     /* a statement, NULL: none */
void lower_while(Lowering *, const Stmt *);
void lower_for(Lowering *, const Stmt *);
void lower_for_range(Lowering *, const Stmt *);
void lower_for_under(Lowering *, const Stmt *);       /* under.c */
void lower_foreach_range(Lowering *, const Stmt *);
void lower_foreach_node(Lowering *, const Stmt *);
/* Where the variable gets its value: [[unique]] says that no other iteration has it. */
void lower_unique(Lowering *, const Variable *, IrStmt **values);
void lower_break(Lowering *, const Stmt *);
void emit_break_if(Lowering *, IrVariable *flag, Loc);
/* Behind a loop: goes on leaving where a return within it began to. */
void leave_inlined(Lowering *, const Stmt *loop);

/* ---- unroll.c ---- */
/* Writes the turns of a short loop one behind the other, where its variables index
 * vectors: then all indices are known.  False where it stays a loop.  bounds: lo and
 * hi of each range, NULL where they are evaluated in place. */
bool lower_unrolled(Lowering *, const Stmt *, IrStmt ***bounds);

/* ---- loop.c for task_loop.c, and back ---- */
/* Does the bound name a variable of the ranges before it? */
bool depends_on_earlier(const Stmt *, const Expr *bound);
/* Serial loops with a task in them; bounds: as of lower_ranges. */
void lower_task_loop(Lowering *, const Stmt *, const Stmt *step);
void lower_task_ranges(Lowering *, const Stmt *, IrStmt ***bounds);

/* ---- scan.c: questions about the source ---- */
bool assigns(const Stmt *, const Variable *);
/* Whether the body may change what the variable of its loop stays below: a field that is read
 * there, or a length. */
bool changes_end(Arena *, const Stmt *body, const Expr *end, const Variable *below);
bool holds_return(const Stmt *);
/* Whether something in the body of a loop ends a turn, or the loop, early. */
bool leaves_turn(const Stmt *body);
/* Whether v stands in an index of a vector's, a matrix's or a local array's element. */
bool indexes_vector(const Stmt *, const Variable *);
/* Whether its arguments say which of several variables is meant. */
bool is_choice(const Expr *);
bool holds_task(const Stmt *);       /* a foreach or a deactivate_all */
bool mentions(const Expr *, const Variable *);
bool tests(const Stmt *, const Variable *);          /* a while or for in it, before each turn */
/* Whether e costs little and neither traps nor reads a tree: then it may be
 * evaluated where C would not. */
bool is_cheap(const Expr *e);
/* Of EXPR_COMPONENT: whether it is known at compile time which one it is. */
bool is_constant_component(const Expr *);
/* Whether its calls are replaced by its body, wherever they stand. */
bool is_inlined(const Function *);

/* ---- tree.c ---- */
void lower_trees(Lowering *);

/* ---- derivative.c: kernels with grad, with dual ---- */
/* Of one that is to be derived: its name, its comment, the parameters behind its own. */
void describe_derivative(Lowering *);
void add_adjoints(Lowering *);
void settle_results(Lowering *);               /* behind its body */
/* A message where there is nothing to derive. */
void check_derived(const Lowering *, const Function *kernel, const IrFunction *);

/* ---- function.c ---- */
IrFunction *lower_function(const Lowering *outer, const Function *);

#endif
