/* What the files of the checker share.
 *
 * An expression whose type is NULL had an error that was reported: whatever
 * holds it is silent.  A constant expression is *flexible* (Expr.is_constant)
 * until its context gives it a type: adapt() or settle() does so.  So is what
 * has its type from flexible parts only, such as c ? 1 : 2 or i + 0.5.
 */
#ifndef SNODEGEN_FRONT_CHECK_H
#define SNODEGEN_FRONT_CHECK_H

#include "gen/front/ast.h"
#include "gen/model/builtins.h"
#include "gen/front/scope.h"

typedef struct SlotUse {       /* a tree_slot to be filled in at the end */
  int *slot;
  Tree *tree;
  Variable *parameter;         /* NULL: the tree is named without one */
  bool is_virtual;             /* a virtual field of known extents: no instance is needed */
  const char *name;            /* what is named of it, at loc */
  Loc loc;
} SlotUse;

typedef struct CallUse {
  Expr *call;
  int callee;                  /* index into Check.functions */
  SlotUse *trees;              /* what each tree parameter is given; no slot */
  int tree_count;
} CallUse;

typedef struct Copied {        /* a parameter by value that the body assigns */
  Variable *local, *parameter;
} Copied;

typedef struct Copy {          /* of a generic: each use with other arguments is one */
  const Generic *generic;
  Symbol *arguments;           /* what each parameter means in it */
  DiagCopy shown;              /* how messages name it */
  const struct Copy *within;   /* what names it first, where that is a copy */
} Copy;

typedef struct FunctionInfo {
  Function *function;
  const Copy *copy;            /* NULL: it is no copy of a generic */
  bool is_generic;             /* it is one itself, checked without arguments */
  SlotUse *uses;   int use_count;
  CallUse *calls;  int call_count;
  Copied *copied;  int copied_count;
  Variable **locals; int local_count;  /* as the body declares them */
  Variable *merge;             /* the merge buffer; NULL: it reads none */
  int state;                   /* call_graph.c */
} FunctionInfo;

typedef struct SharedUse {     /* of a kernel-level variable in one foreach */
  Variable *variable;
  Loc reduced;                 /* by an operator, or an atomic whose result is
                                  not used; line 0: not */
  Loc taken;                   /* by an atomic whose result is used */
  Loc read;
} SharedUse;

typedef struct Check {
  Arena *arena;
  Diag *diag;
  Program *program;
  Scope *scope;
  FunctionInfo **functions;    /* funcs and kernels */
  int function_count;
  int copy_count;              /* of generic funcs */
  FunctionInfo *info;          /* of the function at hand */
  Stmt *foreach;               /* the one around, or NULL */
  int loop_depth;              /* serial loops around, in the foreach if any */
  SharedUse *shared;           /* in the foreach at hand */
  int shared_count;
  int writes;                  /* how many there were to variables */
  const Expr *unused;          /* the call that is a statement: its result is */
  int suggestions;             /* bounded: each one looks at all names */
} Check;

/* ---- check_name.c ---- */
/* In the innermost scope; NULL after a message. */
Symbol *declare(Check *, SymbolKind, const char *name, Loc);
void declare_variable(Check *, Variable *);
/* Does the name stand in what could not be parsed? */
bool is_tainted(const Check *, const char *name);
/* The meaning of a NAME, or NULL; whether e is a member of a tree parameter. */
Symbol *named_symbol(Check *, const Expr *);
bool is_tree_member(Check *, const Expr *);
void fail_unknown(Check *, DiagId, const Expr *, bool (*takes)(const Symbol *));
void suggest(Check *, Loc, const char *wrong, const char *const *names);

/* ---- check_type.c ---- */
Expr *fail_expr(Expr *);                       /* type NULL; gives it back */
Expr *require_value(Check *, Expr *);          /* not void */
Expr *require_operand(Check *, Expr *);        /* not void and no struct; may be flexible */
/* False after a message, one for all of them: an operator or a built-in takes no struct. */
bool are_operands(Check *, Expr **items[], int count);
bool type_holds(const Type *to, const Type *from);
const Type *type_common(const Type *, const Type *);   /* NULL: there is none */
bool integer_fits(const Type *, const Type *from, Value);
bool is_literal(const Expr *);
/* The value's type becomes T, by a cast where it is not a literal. */
Expr *cast_expr(Check *, Expr *, const Type *);
/* A flexible expression takes the type T; a message when it does not fit. */
Expr *adapt(Check *, Expr *, const Type *);
/* A flexible expression takes the type that it has alone. */
Expr *settle(Check *, Expr *);
/* Whether a cast to T adapts: of a constant that a float type cannot hold it is an error. */
bool cast_adapts(const Expr *, const Type *);
/* What is stored in a T: adapts, widens, or reports that a cast is needed. */
Expr *convert_expr(Check *, Expr *, const Type *);
typedef struct Unified {
  const Type *type;            /* of an element; NULL after a message */
  bool is_flexible, is_weak;
  const Type *shape;           /* a type of the shape of all; NULL: scalars */
} Unified;
/* One type for several operands, which are converted to it in place: a scalar
 * goes with any shape and stays a scalar, two shapes must be the same. */
Unified unify(Check *, Expr **items[], int count);
/* The same for the elements alone, whatever the shapes. */
Unified unify_elements(Check *, Expr **items[], int count);
const Type *unified_type(Unified);
/* The struct that two values are, one of which is one; NULL after a message. */
const Type *join_structs(Check *, Expr **a, Expr **b);
void set_unified(Expr *, Unified);

/* ---- fold.c, fold_builtin.c ---- */
/* Operations on literals become literals; others come back as they are. */
Expr *fold_unary(Check *, Expr *);
Expr *fold_binary(Check *, Expr *);
Expr *fold_builtin(Expr *);
/* e becomes an integer literal of 64 bits: `type` where it holds the value and
 * is not weak, else the first of i32 i64 u64 that does. */
void set_integer(Expr *e, uint64_t bits, bool is_huge, const Type *type, bool is_weak);
void set_literal(Expr *e, const Type *, Value);

/* ---- check_expr.c ---- */
Expr *check_expr(Check *, Expr *);             /* may be void or flexible */
Expr *check_operand(Check *, Expr *);          /* checked, then require_operand() */
Expr *check_value(Check *, Expr *);            /* settled, not void */
Expr *check_condition(Check *, Expr *);        /* bool */
Expr *check_stored(Check *, Expr *, const Type *);     /* converted */
Expr *check_integer(Check *, Expr *, const char *what);

/* ---- check_shape.c: vectors, matrices, constants of several elements ---- */
Expr *check_construct(Check *, Expr *);
Expr *check_product(Check *, Expr *);          /* a @ b, both checked */
/* e is MEMBER or INDEX, its base, checked, a vector or a matrix. */
Expr *check_component(Check *, Expr *e, Expr *base);
/* A value that a vector, a matrix or a scalar is updated with by an operator. */
Expr *check_update(Check *, Expr *, const Type *target);
/* The elements of a constant; false where e is none. */
bool constant_elements(Check *, const Expr *, Value out[]);
/* e becomes the aggregate with these elements; of a scalar a literal that is flexible. */
Expr *construct_constant(Check *, Expr *e, const Type *, const Value values[]);

/* ---- check_struct.c ---- */
Expr *check_struct_call(Check *, Expr *, const Type *);      /* particle(a, b) */
/* e is MEMBER of a NAME that means a struct: particle.zero */
Expr *check_struct_made(Check *, Expr *, const Type *);
Expr *check_struct_member(Check *, Expr *, Expr *base);      /* the base is checked */
/* select(c, a, b) whose a or b is a struct; all are checked */
Expr *check_struct_choice(Check *, Expr *);

/* ---- check_shaped.c: calls of rows of shaped.def ---- */
Expr *check_shaped(Check *, Expr *, int row);

/* ---- check_factor.c: calls of rows of factors.def, as statements ---- */
Expr *check_factor(Check *, Expr *, int row);

/* ---- check_access.c ---- */
Expr *check_name(Check *, Expr *);
Expr *check_index(Check *, Expr *);
Expr *check_member(Check *, Expr *);
/* An element of v, whose indices were checked; may_trap: some only when the program runs. */
Expr *as_element(Check *, Expr *, Variable *v, bool may_trap);
typedef enum Access {
  ACCESS_WRITE,                /* = */
  ACCESS_UPDATE,               /* += ..., or an atomic whose result is not used */
  ACCESS_TAKE                  /* an atomic whose result is used */
} Access;
/* Something that can be assigned; `what` begins the message when it is not. */
Expr *check_target(Check *, Expr *, Access, const char *what);
void use_target(const Expr *);                 /* which is more than assigned */
/* Variables of the kernel that all iterations of a foreach share: reported
 * when one is both reduced and read in it. */
void note_read(Check *, Variable *, Loc);
void report_shared(Check *);

/* ---- check_node.c ---- */
typedef struct Place {         /* a node or a field of an instance of a tree */
  Tree *tree;
  SNode *snode;                /* the root when the tree itself is named */
  Field *field;                /* NULL when a node or a tree is named */
  Variable *parameter;         /* NULL: named without a tree parameter */
  const char *name;
} Place;
bool takes_place(const Symbol *);              /* a field, a node or a tree */
/* NAME, or NAME "." NAME; false after a message. */
bool find_place(Check *, const Expr *, const char *user, Place *);
/* Is e NAME "." NAME whose first is a tree parameter?  Then its field or node. */
bool find_member(Check *, const Expr *, Place *);
void use_slot(Check *, int *slot, const Place *, Loc);     /* where the place is named */
/* The same, for what needs the instance only to get at what is stored of a field. */
void use_cell_slot(Check *, int *slot, const Place *, Loc);
/* Checks the indices of what `name` is; a message at loc about their number. */
bool check_indices(Check *, Expr **args, int count, const char *name, Loc,
                   int axis_count);
/* is_active, append, length: what has a value. */
Expr *check_node_question(Check *, Expr *, ExprKind);
void check_node_statement(Check *, Stmt *, StmtKind);
int node_axes(const SNode *, int axes[MAX_AXES]);      /* ascending; how many */
/* Whether the type holds the cells' numbers and a field's own indices, which begin at origin
 * (check_loop.c).  extent: 0 when it is known at run time only. */
bool holds_extent(const Type *, int64_t extent, int64_t origin);

/* Access to a field with the indices in e->args. */
Expr *use_field(Check *, Expr *, const Place *);   /* check_access.c */

/* ---- check_merge.c ---- */
/* Is e NAME "." merge, NAME a field?  (Of a struct without indices a member may be so called.) */
bool names_merge(Check *, const Expr *);
/* Its value with the indices in e->args; member: as above, in e or e itself. */
Expr *check_merge(Check *, Expr *, const Expr *member);

/* ---- derivative.c: adjoints and tangents of fields ---- */
void make_derivatives(Check *);                /* before any field is placed */
/* What a place means: the field, or its part; NULL after a message. */
Field *derivative_placed(Check *, Field *, const Field *named);
void check_derivatives(Check *, const Field *);        /* when all are placed */
/* Is e BASE "." grad or dual, of a field?  (Of a struct without indices a member may be so
 * called.) */
bool names_derivative(Check *, const Expr *e);
const Field *base_field(Check *, const Expr *e);       /* of x, g.x, x.grad: x; else NULL */
/* NULL after a message, or where it cannot be had, which was reported. */
Field *derivative_of(Check *, const Field *, const Expr *member);

/* ---- check_rescale.c ---- */
Expr *check_rescale(Check *, Expr *);

/* ---- check_array.c: local arrays and tables ---- */
void check_own_array(Check *, Variable *);     /* extents and values */
void check_tables(Check *);
Expr *use_own_element(Check *, Expr *, Variable *);

/* ---- check_call.c, check_builtin.c ---- */
Expr *check_call(Check *, Expr *);
Expr *check_builtin(Check *, Expr *, int builtin);

/* ---- check_attribute.c ---- */
void check_attributes(Check *, Stmt *loop);    /* before its head and its body */

/* ---- generic.c ---- */
void declare_generics(Check *);                /* and the instances that C calls */
void check_generics(Check *);                  /* themselves, whether used or not */
void check_instances(Check *);
/* The index of the function that a call of a generic means; -1 after a message. */
int find_copy(Check *, Generic *, Expr *call);
void check_copy(Check *, FunctionInfo *);
void report_unused_generics(Check *);

/* ---- check_stmt.c, check_loop.c, check_print.c ---- */
Stmt *check_stmt(Check *, Stmt *);
void check_block(Check *, Stmt *);
void check_function_body(Check *, Stmt *);
void check_for(Check *, Stmt *);
void check_for_range(Check *, Stmt *);
void check_for_under(Check *, Stmt *);
void check_foreach(Check *, Stmt *);
void check_format(Check *, Stmt *);

/* ---- counted.c ---- */
/* Gives a for that counts, whose body is checked, its range; last: what Check.writes was before
 * the body. */
void find_count(Check *, Stmt *, int last);

/* ---- check.c and the stages it calls ---- */
void check_constants(Check *);
/* The message that `what` must be constant, and which call in the expression is not. */
void fail_constant(Check *, const Expr *, const char *what);
void check_trees(Check *);
void check_fields(Check *);
void check_signature(Check *, FunctionInfo *);
void check_body(Check *, FunctionInfo *);
void check_call_graph(Check *);
/* Of a function that was checked without errors: two_trees.c, bounds.c, check_stmt.c. */
void report_two_trees(Check *, const FunctionInfo *);
void report_bounds(Check *, const FunctionInfo *);
void report_unused_variables(Check *, const FunctionInfo *);
void mark_trap(Check *);       /* the function at hand can end an iteration */
void check_names(Check *);

#endif
