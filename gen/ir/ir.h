/* The intermediate representation.
 *
 * A module holds declarations and functions; a function is a block of
 * statements; a statement may hold blocks (no flow graph).  A statement that
 * has a type is a value, used by pointer from later statements of its block
 * and of blocks nested behind it: SSA, one definition each.  A local of the
 * program stays named memory (declare, get, set), so that the C keeps its name.
 *
 *   kernel void foo() {
 *     $0 = offloaded range_for(0, 10) {
 *       <i32> $1 = loop $0 index 0
 *       <i32> $2 = const 4
 *       <bool> $3 = cmp_lt $1 $2
 *       if $3 {
 *         print "%d\n" $1
 *       }
 *     }
 *   }
 *
 * Three levels use the same statements:
 *   as written     foreach_*, read, write, ...: what gen/lower makes; what the
 *                  interpreter runs (it runs `offloaded` too)
 *   split          a kernel's body is a list of `offloaded`, and what the host
 *                  decides between them (ir_stands_on_host)
 *   lowered        accesses are walks: root, digit, linear, cell, load, store
 *
 * Values are scalars.  An element of a vector, a matrix or a struct is a variable, a parameter or
 * a field of its own, named after the whole: "v.x", "A.0_1", "p.v.x"; the elements of one whole
 * stand side by side, in order.  Those of a vector or a matrix have one type.
 *
 * The module does not point into the AST: it is complete in itself and its
 * text (print.c) reads back (read.c) to an equal module.
 */
#ifndef SNODEGEN_IR_IR_H
#define SNODEGEN_IR_IR_H

#include "gen/base/base.h"
#include "gen/ir/adjoint.h"
#include "gen/ir/ops.h"
#include "gen/model/field_modes.h"
#include "gen/base/type.h"
#include "gen/model/snode.h"

/* Blocks in each other that lowering makes: C compilers take 256 brackets, some of which
 * stand around a body. */
enum { IR_MOST_NESTED = 240 };

enum { IR_SAVED_PLACES = 64 };      /* of what a loop hands on from turn to turn */

enum { IR_SMALL_CONTAINER = 1024 };  /* bytes: less is loaded at once, wherever it lies */

enum { IR_STAGED_CELLS = 16384 };   /* of a staged block and its halo, at most */

/* What the fields that a device stages may take of a team's memory: of the 48 KiB that a kernel of
 * CUDA has without asking, else the link fails.  The runtime takes less than 1 KiB of it. */
enum { IR_TEAM_BYTES = 47 * 1024 };

typedef struct IrStmt IrStmt;
typedef struct IrBlock IrBlock;
typedef struct IrFunction IrFunction;
typedef struct IrSNode IrSNode;

/* ---- declarations ---- */

typedef struct IrVariable {
  enum { IR_VAR_LOCAL, IR_VAR_KERNEL, IR_VAR_PARAM, IR_VAR_EXTENT, IR_VAR_ARRAY,
         IR_VAR_INDEX } kind;       /* KERNEL: seen by all later tasks; INDEX: a loop's index */
  const char *name;                 /* unique within its function: the second `a` is a_2 */
  const Type *type;                 /* ARRAY: of an element */
  const Struct *of;               /* an element of a parameter or a result that is one;
                                       ARRAY: structs, seen as elements of `type`: the last
                                       extent is how many of them fill one; else NULL */
  ArrayMode mode;                   /* ARRAY */
  struct IrVariable **extent_variable; /* ARRAY: one per dimension, or NULL where */
  int64_t *extent_constant;            /*        it is constant */
  int extent_count;
  bool is_hidden;                   /* made by a pass: no name in the source */
  const char *shown;                /* what C has for it; NULL: its name */
  int lanes;                        /* LOCAL: so many values, a cell's each, of a row; 0: one */
  int places;                       /* LOCAL: so many values, for save and restore; 0: one */
  IrStmt *declaration;              /* LOCAL or KERNEL that nothing else sets: its declare;
                                       NULL: not known (passes/tools.h) */
  int id;                           /* params, locals, indices: 0, 1 ... given by ir_number() */
} IrVariable;

typedef struct IrAxis {
  int axis;                         /* 0 .. 11 for i .. t */
  int64_t size;                     /* 0: given at creation */
  int param;                        /* size 0: the tree's parameter, or -1 when */
  const char *text;                 /* it is an expression: `text` is C over the
                                       parameters' names, int64_t arithmetic */
} IrAxis;

typedef struct IrField {
  const char *name;
  const Type *type;
  const Struct *of;               /* of whose elements it is one; else NULL */
  Value default_value;
  IrSNode *snode;
  int id;
  int number;                     /* among SNodes and places (ir_label_tree); of what is stored */
  int axes[MAX_AXES];            /* of index k */
  int64_t origin[MAX_AXES];      /* index k runs from it: the language's `offset`.
                                       What takes it off: see below */
  int axis_count;
  Border border;                  /* of read, write and atomic */
  struct IrField *grad, *dual;      /* what holds its adjoint, and its tangent: floating point, in
                                       cells that exist where its own do; NULL: it has none */
  FieldMode mode;                   /* as the program has it, at mode_loc; */
  Loc mode_loc;                     /* line 0: as most_local has found it */
  const char *doc;
  Loc loc;
} IrField;

/* Which indices have the origin in them:
 *   read, write, atomic, check_bounds and inside of a field: the field's own, origin
 *     included; who looks for the cell (the interpreter, lower_access) takes it off, in
 *     64 bits, where the difference wraps: an index beyond stays outside, or one of an
 *     open axis what loop_index plus the origin came to
 *   all else counts cells from 0: activate, is_active, append, length ... (gen/lower
 *     takes the origin off where the program names a field), loop_index (gen/lower adds
 *     a const to it in a loop over a field), digit
 * An open axis has any index, negative too: no bounds, floors instead of C's quotients.
 */
typedef struct IrTree IrTree;
struct IrSNode {
  SNodeKind kind;
  const char *name;                 /* NULL for the root */
  const char *label;                /* "S0root", "S1pointer", "S2dense": ir_label_tree */
  int id, depth;
  IrAxis axes[MAX_AXES];  int axis_count;    /* its own, in axis order */
  IrSNode *parent;
  IrSNode **children;        int child_count;
  IrField **fields;          int field_count;
  IrTree *tree;
  int path_axes[MAX_AXES]; int path_axis_count; /* its and its ancestors' axes,
                                       ascending: the indices of the SNode */
  int64_t total[MAX_AXES];       /* product of extents on the path by axis; 1
                                       where absent, 0 where run time */
  unsigned open_axes;               /* bit a: a hash on the path divides axis a: any
                                       index, negative too; its own extent there is 1 */
  int64_t chunk;                    /* dynamic: cells a chunk; 0: growing */
  bool is_soa, is_soa_by_row;       /* a container, or a row of it, has an array for each element */
  bool is_split;                    /* the containers in a cell lie apart: each has its place beside
                                       the same ones of the cells of a chunk */
  const char *doc;
  Loc loc;
};

/* Cells that can be inactive. */
static inline bool ir_is_sparse(const IrSNode *n)
{
  return kind_is(n->kind, KIND_SPARSE);
}

/* Cells that are allocated one by one, and reached by a slot. */
static inline bool ir_is_allocated(const IrSNode *n)
{
  return kind_is(n->kind, KIND_ALLOCATED);
}

/* Cells that stand in their container, always. */
static inline bool ir_is_in_place(const IrSNode *n)
{
  return kind_is(n->kind, KIND_IN_PLACE);
}

struct IrTree {
  const char *name;
  const char *prefix;               /* NULL: the module's; of another file, which declares
                                       it and whose header and calls it has */
  int id;
  const char **param_names; const Type **param_types; int param_count;
  IrSNode **snodes;  int snode_count;      /* preorder; 0 is the root */
  IrField **fields;  int field_count;      /* those of mode local behind the others */
  IrField **virtuals; int virtual_count;   /* fields of mode virtual: in no cell and in no
                                       table; their ids count among themselves */
  const char *doc;
};

typedef struct IrConst {            /* becomes a #define of the header */
  const char *name;
  const Type *type;
  Value value;
  const char *doc;
} IrConst;

/* ---- statements ---- */

/* Of what a lane is loaded: so many cells behind the cell that an operand is. */
typedef struct IrLane {
  int operand, cell;
} IrLane;

/* Cells side by side in a row that are worked on at once, at most. */
enum { IR_MOST_LANES = 16 };

enum { IR_BLOCKS = 4 };             /* of a statement, at most */
struct IrBlock {
  IrStmt **stmts;
  int count;
  IrStmt *owner;                    /* NULL: a function's body */
};

struct IrStmt {
  IrOp op;
  const Type *type;                 /* TY(VOID): no value */
  int lanes;                        /* in rows: it is as many values of the type, one for each
                                       cell of a row; 0: one */
  Loc loc;
  int id;                           /* $id: given by ir_number(); -1 for what
                                       no one can name */
  IrStmt **operands; int operand_count;
  IrBlock *blocks[IR_BLOCKS];
  IrBlock *parent;
  int position;                     /* in the parent's list when it was last looked for there */
  /* attributes */
  Value value;
  IrVariable *variable;
  IrVariable **variables; int variable_count;   /* foreach_*, offloaded: the
                                       names of the indices, their types too */
  IrField *field;
  IrSNode *snode;
  int slot;                         /* into the function's slots */
  Op update;
  IrMode mode;
  int builtin;                      /* BUILTIN_* of model/builtins.def */
  IrFunction *function;
  const struct IrTable *table;
  int *slots;                       /* call */
  IrLane *from;                     /* row_load: where each lane's value is */
  int index;
  const char *text;
  IrTask task;
  IrManner manner;                  /* foreach_*, range_for, struct_for */
  bool plain, relaxed, reduction, may_be_null;
  bool if_active;                   /* write, atomic: nothing is done to a cell that is inactive */
  int site;                         /* what can fail or print: its row of the
                                       module's sites, else -1: ir_number_sites() */
};

/* ---- what a statement's row of ops.def says of it ---- */

/* Whether one of the facts is true of it. */
static inline bool ir_is(const IrStmt *s, unsigned facts)
{
  return (ir_op_info[s->op].facts & facts) != 0;
}

/* Whether it changes such memory: IR_OF_LOCAL, IR_OF_FIELD, IR_OF_ARRAY. */
static inline bool ir_changes(const IrStmt *s, unsigned memory)
{
  return ir_is(s, memory) && ir_op_info[s->op].effects == IR_WRITES;
}

static inline bool ir_activates(const IrStmt *s)
{
  bool has_mode = (ir_op_info[s->op].attributes & IR_ATTR_MODE) != 0;

  return ir_is(s, IR_ACTIVATES) && !s->if_active && (!has_mode || s->mode == IR_MODE_ACTIVATE);
}

/* The SNode that it is about: that of its field, where it names one. */
static inline IrSNode *ir_snode(const IrStmt *s)
{
  return s->field ? s->field->snode : s->snode;
}

/* A loop over the rows of a container, within block 1 of a struct_for. */
static inline bool ir_is_by_rows(const IrStmt *s)
{
  return s->op == IR_each_row || s->op == IR_each_part || s->op == IR_each_run;
}

/* Of a loop over rows the struct_for that it is in; another loop itself. */
static inline const IrStmt *ir_whole_loop(const IrStmt *loop)
{
  while (ir_is_by_rows(loop))
    loop = loop->operands[0];
  return loop;
}

typedef struct IrSlot {
  IrTree *tree;
  const char *name;
  int position;                     /* how many of the function's params stand before it in
                                       a call: 0 of a tree that is named without a parameter */
  bool is_merge;                    /* one of a kernel's: what was sent to the merge buffer of
                                       its queue; one field of it is read, nothing else done */
  bool is_virtual;                  /* virtual fields of it are named, and nothing else: gone
                                       behind the pass virtual */
} IrSlot;

/* A field that a kernel takes over from nobody: every cell is assigned, whichever way the
 * kernel goes, and none is read before. */
typedef struct IrOutput {
  const IrField *field;
  int slot;
} IrOutput;

/* What is still to be made of a kernel that has the program's statements (docs/derivatives.md). */
typedef enum IrDerivation {
  IR_REVERSE = 1,                   /* its adjoint: the pass reverse */
  IR_FORWARD = 2                    /* its tangent, of what reverse has left: the pass forward */
} IrDerivation;

struct IrFunction {
  const char *name;
  bool is_kernel;
  unsigned derivation;              /* of a kernel: bits of IrDerivation. One that is to be reversed
                                       has the adjoints of its results as its last parameters;
                                       it calls no function */
  const char *gradient;             /* of a kernel: which is its adjoint; NULL: there is none */
  IrApart *apart;      int apart_count;   /* of an adjoint */
  IrSpan *spans;       int span_count;    /* too */
  const Type *result;                     /* of several elements: of the first */
  IrVariable **params; int param_count;   /* scalars, arrays, extents, in the order of a call */
  IrSlot *slots;       int slot_count;    /* trees, in that order; each says where it stands
                                             among the params */
  IrVariable **locals; int local_count;   /* and kernel-level variables */
  IrVariable **results; int result_count; /* kernel with a result: a hidden
                                             kernel-level variable, one for each
                                             element of an aggregate; behind them may stand
                                             as many again, "result_dual" (and `of` the same
                                             struct): its tangent, which a call gives through
                                             another pointer; ir_result_elements() */
  IrOutput *outputs;   int output_count;  /* kernel: behind the pass local */
  const struct IrPermissions *permitted;  /* kernel: what it may do, whatever its statements
                                             read for a log: of --trace; else NULL */
  IrBlock *body;
  int number_count;                       /* statements that have a number */
  int variable_count;                     /* params, locals, indices: both by
                                             ir_number() */
  bool may_trap;         /* has check_bounds, assert, or calls one that has: set by lowering */
  bool is_settled;       /* function: tasks alone call it that change no activity: by settle */
  bool is_serial_only;
  const char *doc;
  Loc loc;
};

typedef enum IrBounds { IR_BOUNDS_TRAP, IR_BOUNDS_ZERO, IR_BOUNDS_NONE } IrBounds;
extern const char *const ir_bounds_name[3];

typedef struct IrModule {
  Arena *arena;
  const char *path, *prefix;
  const char **sources; int source_count;  /* paths by Loc.file, where they are known */
  IrBounds bounds;                  /* --bounds: what an index outside does */
  IrConst **consts;        int const_count;
  struct IrTable **tables; int table_count;
  const Struct **structs;  int struct_count;   /* behind those that they hold */
  IrTree **trees;          int tree_count;
  IrFunction **functions;  int function_count;
  IrFunction **kernels;    int kernel_count;
  /* What passes have found out (finding.h). */
  struct IrFinding *findings;          int finding_count;
  struct IrLostUpdate *lost_updates;   int lost_update_count;
  struct IrUnstaged *unstaged;         int unstaged_count;
  struct IrUnrowed *unrowed;           int unrowed_count;
  struct IrUnrowed *unwindowed;        int unwindowed_count;
  struct IrUnderived *underived;       int underived_count;
  struct IrUnrowed *kept;              int kept_count;      /* of adjoints: what they keep, how */
} IrModule;

/* ---- building (build.c) ---- */

IrBlock *ir_block(IrModule *, IrStmt *owner);
/* A statement with these operands (NULL-ended), not yet in a block. */
IrStmt *ir_stmt(IrModule *, IrOp, const Type *, Loc, ...);
void ir_append(IrModule *, IrBlock *, IrStmt *);
void ir_insert_before(IrModule *, IrStmt *where, IrStmt *);
void ir_remove(IrStmt *);                       /* from its block */
void ir_replace_uses(IrFunction *, IrStmt *old, IrStmt *by);
void ir_add_operand(IrModule *, IrStmt *, IrStmt *operand);
/* SNodes and places of a tree, numbered together as they print: an SNode, the places in its cells,
 * the SNodes in them.  What is virtual has no place. */
void ir_label_tree(Arena *, IrTree *);
void ir_number(IrFunction *);                   /* $0, $1 ... in order; and the variables */
/* Gives each statement that can fail or print its site, in the order of the
 * statements, functions before kernels; the others get -1.  To be called on the
 * module as split: what a pass makes of a statement keeps its site.  The count. */
int ir_number_sites(IrModule *);
/* Whether it may end its iteration, with such --bounds: behind lower_access IR_BOUNDS_NONE,
 * since a check is a statement of its own there.  Of a call its function says it. */
bool ir_may_trap(const IrStmt *, IrBounds);
/* Whether the text of a `claim` of so many elements, in a loop of so many indices, has
 * arguments: the elements, then the indices of both iterations.  An error has no more room. */
bool ir_claim_tells(int elements, int indices);
/* Of neg .. builtin and table (ops.def), given the operands' values (evaluate.c). */
Value ir_evaluate(const IrStmt *, const Value *operand);
/* Elements of a factorization's results; 0: the operation is none. */
int ir_parts(const IrStmt *);
/* Whether s, of a kernel as split, is the host's: in no task.  Such are `if` and `while`,
 * the kernel-level bool (or the const) that one of them tests, which stands before it or
 * is all of the while's block 0, and break, continue and return. */
bool ir_stands_on_host(const IrStmt *);
/* The second form of a range_for, block 1 (gen/passes/leaves.c): a struct_for that goes through the
 * containers that the box of its operands meets, and activates them; NULL: it has none. */
IrStmt *ir_leaves(const IrStmt *task);
/* Whether the task is such a second form. */
bool ir_is_leaves(const IrStmt *task);
typedef struct IrTasks {
  IrStmt **tasks;
  int count;
} IrTasks;
/* The tasks of a kernel as split, in order, those under the host's control too, and behind a
 * range_for the struct_for that is its second form. */
IrTasks ir_tasks(Arena *, const IrFunction *kernel);
IrEffects ir_effects(const IrStmt *);           /* of the statement itself: the
                                       row's, refined by its attributes */
/* The statements of a block and those within them, outer before inner, in order:
 *
 *   for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
 *
 * Others may be put and taken meanwhile; s itself stays where it is.  NULL: there are no more. */
IrStmt *ir_first(const IrBlock *);
IrStmt *ir_next(IrStmt *, const IrBlock *whole);
/* A statement and those within it: for (IrStmt *s = whole; s; s = ir_next_in(s, whole)). */
IrStmt *ir_next_in(IrStmt *, const IrStmt *whole);
/* The functions that the block calls, and those that they call, each once; the block's own
 * calls first. */
typedef struct IrCalled {
  IrFunction **functions;
  int count;
} IrCalled;
IrCalled ir_called(Arena *, const IrBlock *);
/* All functions of the module, the kernels behind the others: 0 <= k < ir_function_count(). */
int ir_function_count(const IrModule *);
IrFunction *ir_function(const IrModule *, int k);
/* The axis' divisor on the path from ancestor (exclusive) to node; 0: not all extents are known. */
int64_t ir_below(const IrSNode *ancestor, const IrSNode *node, int axis);
/* Whether a container is one block of a loop (snode/device/loop.h), which one thread works on. */
bool ir_is_one_block(const IrSNode *);
int64_t ir_cells(const IrSNode *);    /* of a container; 0: its extents are not all known */
int64_t ir_array_cells(const IrSNode *);     /* of one of its arrays, if soa; 0: as above */
/* The least that the fields in a cell of the node take, or in what lies in its cells. */
int64_t ir_field_bytes(const IrSNode *);
/* pointer, hash: whether the id of a cell stands in it.  A cell that holds one container and
 * nothing else has none where that would take a line of a cache for itself. */
bool ir_has_id(const IrSNode *);

/* ---- elements (element.c) ---- */

/* Whether it names an element, and of what: "v" of "v.x"; else the name itself. */
bool ir_is_element(const char *name);
const char *ir_whole_name(Arena *, const char *name);
/* Whether both are elements of one whole. */
bool ir_same_whole(const char *a, const char *b);
/* What a call of a function takes, in its order: a tree or a whole parameter. */
typedef struct IrArgument {
  int slot;                         /* -1: it is a parameter */
  int param;                        /* its first element's */
} IrArgument;
typedef struct IrArguments {
  IrArgument *arguments;
  int count;
} IrArguments;
IrArguments ir_arguments(Arena *, const IrFunction *);
/* How many elements the whole has whose first one is at `at`; 1 of a scalar. */
int ir_field_elements(const IrTree *, int at);
/* Which element of its whole a field is, of those in memory. */
int ir_field_number(const IrField *);
/* Of the whole whose first element is f: element k. */
IrField *ir_field_element(const IrField *f, int k);
int ir_param_elements(const IrFunction *, int at);
bool ir_is_result(const IrFunction *, const IrVariable *);
/* Of the result itself: where there are more variables, they are its tangent's. */
int ir_result_elements(const IrFunction *);

/* ---- named blocks (named_block.c) ---- */

/* The innermost `block` around s, or NULL; of a `block` the one around that. */
const IrStmt *ir_named_block(const IrStmt *s);
/* The names of all of them, "outer: inner", on one line; NULL: there are none. */
const char *ir_named_path(Arena *, const IrStmt *s);
/* The same of those that name no task: inside the task that s is of, or the function. */
const char *ir_inner_path(Arena *, const IrStmt *s);
/* Where the `block` that stands at `at` in its list ends: the position of its end_block, or
 * that behind the last statement of the list. */
int ir_block_end(const IrBlock *, int at);

/* ---- text (print.c, read.c): what is written reads back ---- */
void ir_print(const IrModule *, Text *);
void ir_print_function(const IrFunction *, Text *);
/* One line, without the blocks; numbers as they are. */
void ir_print_stmt(const IrFunction *, const IrStmt *, Text *);
/* As the language spells it. */
const char *ir_builtin_name(const IrStmt *);
/* NULL after errors, which were reported. */
IrModule *ir_read(Arena *, Diag *, const Source *);

/* ---- verifying (verify.c) ----
 * NULL when the module keeps the rules, else what is broken, with the statement as text. */
const char *ir_verify(const IrModule *, int stage);

#endif
