/* The checked program: what the parser builds, the checker completes and
 * gen/lower reads.
 *
 * The parser fills the fields above each "checked" line, the checker those
 * below.  After a check without errors
 *   - every expression has its type; every conversion is an EXPR_CAST that
 *     stands in the tree; literals have the type of their context;
 *   - params and consts, and constant expressions of them, are literals;
 *   - names are resolved to the objects they mean;
 *   - a kernel's tree slots are complete: first one for each tree that it or
 *     a function it calls names without a parameter, in the order of the
 *     trees' declarations, then the merge buffer's, then one for each tree
 *     parameter in its place.
 * All objects live in the arena of the Program; strings are interned.
 */
#ifndef SNODEGEN_FRONT_AST_H
#define SNODEGEN_FRONT_AST_H

#include "gen/base/base.h"     /* Arena, Str vectors, Loc, diagnostics */
#include "gen/model/field_modes.h"
#include "gen/base/type.h"
#include "gen/model/loop.h"
#include "gen/model/operators.h"
#include "gen/model/snode.h"

struct Token;                  /* gen/front/lexer.h */
typedef struct Expr Expr;
typedef struct Stmt Stmt;
typedef struct SNode SNode;
typedef struct Tree Tree;
typedef struct Field Field;
typedef struct Function Function;
typedef struct Generic Generic;

/* ---- what a name can mean ---- */

typedef struct StructDeclaration {
  const Type *type;
  Loc loc;
  Loc *member_locs;                    /* as type_struct(type)->members */
} StructDeclaration;

typedef struct Constant {              /* param and const */
  const char *name;
  Loc loc;
  const Type *type;
  bool is_param;
  Expr *init;
  const char *doc;                     /* the /// lines before it, or NULL */
  /* checked */
  Value *values;                       /* of each element */
} Constant;

typedef enum VariableKind {
  VARIABLE_LOCAL,                      /* declared in a body */
  VARIABLE_PARAMETER,                  /* scalar parameter of kernel or func */
  VARIABLE_LOOP,                       /* of for (i in ..), foreach, a for that counts */
  VARIABLE_EXTENT,                     /* i64 named by an array's extent, or a
                                          tree's extent parameter */
  VARIABLE_ARRAY,                      /* array parameter */
  VARIABLE_OWN_ARRAY,                  /* local array, table of constants */
  VARIABLE_TREE                        /* tree parameter */
} VariableKind;

typedef struct Variable {
  VariableKind kind;
  const char *name;
  Loc loc;
  const Type *type;                    /* of an array: its elements' */
  bool is_const;
  ArrayMode mode;                      /* VARIABLE_ARRAY; also ARRAY_INOUT of a
                                          func's scalar inout VARIABLE_PARAMETER:
                                          copied in and out */
  Expr **extents;                      /* VARIABLE_ARRAY: row-major; literals or
                                          EXPR_VARIABLE of VARIABLE_EXTENT or of
                                          an integer VARIABLE_PARAMETER */
  int extent_count;
  struct Initial *initial;             /* VARIABLE_OWN_ARRAY: its values, or NULL */
  const char *tree_name;               /* VARIABLE_TREE, at tree_loc */
  Loc tree_loc;
  /* checked */
  int64_t sizes[MAX_AXES];             /* VARIABLE_OWN_ARRAY: its extents */
  int element_count;                   /* and their product */
  Value *table;                        /* a const one of constants: the values of its
                                          elements' elements, else NULL */
  Tree *tree;                          /* VARIABLE_TREE */
  int tree_slot;                       /* VARIABLE_TREE: index into the kernel's
                                          or function's trees */
  bool introduces;                     /* VARIABLE_EXTENT of a kernel: the C
                                          call passes it after its array */
  bool at_kernel_level;                /* VARIABLE_LOCAL (or a kernel-level for's
                                          variable): seen by all later tasks */
  bool is_unique;                      /* no two iterations of the foreach have the same:
                                          [[unique]] */
  bool is_used;                        /* its value is, or it takes one that a call gives */
  Field *merge;                        /* VARIABLE_TREE that no one wrote: it holds what was
                                          sent of the field, whose `.merge` reads it */
  int last_write;                      /* which of Check.writes it was; 0: nothing assigns it */
  bool is_of_for;                      /* VARIABLE_LOCAL of a for's head: read-only in
                                          a foreach in that for */
} Variable;

typedef struct Braces {                /* a group of an array's values */
  Loc loc;
  int depth;                           /* 0: all of them */
  int count;                           /* of the values in it */
} Braces;

typedef struct Initial {               /* { a, b, { c, d } }, row by row */
  Expr **values;   int value_count;
  Braces *braces;  int brace_count;
} Initial;

/* ---- trees ---- */

typedef struct Axis {                  /* one "i: extent" of an SNode */
  int axis;                            /* 0 .. 11 for i .. t */
  Loc loc;
  Expr *extent;                        /* NULL: of a hash */
  /* checked */
  int64_t size;                        /* > 0: the constant extent; 0: run time,
                                          extent is an expression over the
                                          tree's parameters, literals, consts;
                                          1 of a hash */
} Axis;

struct SNode {
  SNodeKind kind;
  const char *name;                    /* NULL for the root */
  Loc loc;
  Axis axes[MAX_AXES];                 /* in axis order i < j < ... */
  int axis_count;
  SNode *parent;
  SNode **children;  int child_count;  /* as written */
  Field **fields;    int field_count;  /* placed here, as written */
  Tree *tree;
  const char *doc;
  Expr *chunk;                         /* dynamic: cells a chunk, or NULL */
  bool is_soa;                         /* an array for each field, not a struct for each cell, */
  bool is_soa_by_row;                  /* and that for each row of its last axis */
  bool is_split;                       /* what the cells hold lies apart, by its node */
  /* checked */
  int64_t chunk_cells;                 /* 0: growing; at most the extent */
  unsigned open_axes;                  /* axes that a hash on the path divides */
  int id;                              /* preorder in its tree; the root is 0 */
  int depth;                           /* the root is 0 */
  unsigned axes_mask;                  /* axes of this node and its ancestors */
  int64_t total[MAX_AXES];             /* product of the extents on the path;
                                          1 for an absent axis, 0 for run time */
};

/* What `with` asks for, of a field or a kernel: bits. */
typedef enum Derivative { DERIVE_GRAD = 1, DERIVE_DUAL = 2 } Derivative;
typedef struct Derivatives {
  unsigned forms;                      /* 0: nothing */
  Loc loc;
} Derivatives;

struct Field {
  const char *name;
  const char *shown;                   /* in messages: its name, or x.grad */
  Loc loc;
  const char *part;                    /* where it is placed: "grad", "dual" or "grad.dual" of
                                          the field; NULL: itself */
  const Type *type;
  Expr *init;                          /* default, or NULL */
  Border border;                       /* `outside`, at border_loc */
  Loc border_loc;
  FieldMode mode;                      /* at mode_loc */
  Loc mode_loc;
  Derivatives with;
  const char *doc;
  /* checked */
  Field *grad, *dual;                  /* what holds its adjoint and its tangent: fields that no
                                          name means; of an adjoint there may be a tangent */
  Field *primal;                       /* of one of these: whose it is */
  bool is_placed_apart;                /* of one of these: a tree names where it lies */
  Loc placed;                          /* where a tree places it; line 0: not */
  SNode *snode;                        /* the SNode that holds it */
  Value *defaults;                     /* of each element; NULL: zeros */
  int id;                              /* in its tree, in order of placing */
  int axes[MAX_AXES];                  /* its index order: axis of index k */
  int axis_count;
  Expr **offset;     int offset_count; /* as written, or none */
  int64_t origin[MAX_AXES];            /* checked: index k runs from it */
};

struct Tree {
  const char *name;
  Loc loc;
  Variable **params;  int param_count; /* extents given at creation: i32 or i64 */
  SNode *root;
  const char *doc;
  /* checked */
  SNode **snodes;     int snode_count; /* preorder */
  Field **fields;     int field_count;
  int id;
};

/* ---- expressions ---- */

typedef enum ExprKind {
  EXPR_LITERAL,          /* value */
  EXPR_NAME,             /* name; only before the check */
  EXPR_VARIABLE,         /* variable */
  EXPR_UNARY,            /* op a:  - ! ~ + */
  EXPR_BINARY,           /* a op b; after the check both of one type, except
                            shifts, whose count keeps its own */
  EXPR_LOGICAL,          /* a && b, a || b: bool operands */
  EXPR_CONDITIONAL,      /* a ? b : c */
  EXPR_CAST,             /* type(a), written or inserted */
  EXPR_CALL,             /* name(args...): before the check anything called */
  EXPR_FUNCTION,         /* function(args); trees filled in by tree_slots */
  EXPR_BUILTIN,          /* builtin(args); of bitcast the value is args[0] and
                            its only argument after the check */
  EXPR_INDEX,            /* a[args...]; only before the check */
  EXPR_MEMBER,           /* a.name; only before the check */
  EXPR_FIELD,            /* field of tree_slot at [args] */
  EXPR_ELEMENT,          /* variable (an array) at [args] */
  EXPR_IS_ACTIVE,        /* is_active(snode of tree_slot, args): when field is
                            set in its order and with its offset, else in axis
                            order; indices keep their integer types, here as in
                            FIELD and ELEMENT */
  EXPR_APPEND,           /* append(snode of tree_slot, args): the same, without the
                            dynamic axis; with a field the result has its offset */
  EXPR_LENGTH,           /* length(...), as append */
  EXPR_RESCALE,          /* rescale(from, to, args): as `rescaled` says of each index of `to` */
  EXPR_RANDOM,           /* random(), or randn() where name says so; a type that was
                            asked for is no argument any more */
  EXPR_ATOMIC,           /* atomic_op(a, b), atomic_compare_exchange(a, c, b): a is an
                            lvalue; the old value */
  EXPR_CONSTRUCT,        /* type of args, as `construct` says: vectors, matrices,
                            structs (a list) */
  EXPR_COMPONENT,        /* a[args]: of a vector or a matrix; one index or two */
  EXPR_PART,             /* a.name: a member of a struct, from element `first` on */
  EXPR_SWIZZLE,          /* a.name: a vector of a's components, as name says */
  EXPR_SHAPED,           /* builtin(args): a row of front/shaped.def */
  EXPR_FACTOR            /* builtin(args): a row of front/factors.def */
} ExprKind;

/* Behind the check EXPR_UNARY, BINARY, CAST, BUILTIN and ATOMIC may have a shaped
 * type: they mean each element.  An operand that is a scalar meets them all.
 * A struct has none of them but select, whose first operand is a scalar then. */
typedef enum Construct {
  CONSTRUCT_LIST,        /* T(...): elements in order, those of shaped args too */
  CONSTRUCT_EACH,        /* T(a), T.zero: one value for all */
  CONSTRUCT_ROWS, CONSTRUCT_COLUMNS,   /* T.rows(...), T.cols(...) of vectors */
  CONSTRUCT_UNIT,        /* T.unit(a): 1 where the index is a */
  CONSTRUCT_IDENTITY
} Construct;

typedef struct Rescaled {              /* floor((index - minus) * times / by) + plus */
  int from;                            /* which of the indices given */
  int64_t minus, times, by, plus;      /* one of times and by is 1 */
} Rescaled;

struct Expr {
  ExprKind kind;
  Loc loc;               /* of the operator or the first token */
  Op op;
  const char *name;
  Expr *a, *b, *c;
  Expr **args;  int arg_count;
  Expr **generics; int generic_count;  /* EXPR_CALL: the arguments in f<...>(...) */
  Value value;           /* EXPR_LITERAL */
  int height;            /* of the expression below: bounded by the parser */
  /* checked */
  const Type *type;      /* NULL: an error was reported; of a literal and a
                            cast the parser sets it */
  bool is_constant;      /* a literal whose type may still adapt; parser sets it
                            for untyped literals, the checker settles it */
  bool is_weak;          /* is_constant, and no const or suffix names its type:
                            what it is alone gives way to any named type */
  Variable *variable;
  Function *function;
  int *tree_slots;       /* EXPR_FUNCTION: for each slot of the function's trees
                            the caller's slot */
  int builtin;           /* EXPR_BUILTIN: a row of model/builtins.def; EXPR_SHAPED:
                            of front/shaped.def */
  Construct construct;   /* EXPR_CONSTRUCT: parser sets it */
  Rescaled *rescaled;    /* EXPR_RESCALE: one for each element of its type */
  int first;             /* EXPR_PART */
  Field *field;
  SNode *snode;
  int tree_slot;         /* EXPR_FIELD, EXPR_IS_ACTIVE, APPEND, LENGTH, RESCALE */
};

/* ---- statements ---- */

typedef enum StmtKind {
  STMT_BLOCK,            /* list; format: its name in block "name" { }, or NULL */
  STMT_DECLARE,          /* variable = a (a may be NULL: zero) */
  STMT_ASSIGN,           /* target op= a; op OP_NONE for "=" ; ++ and -- too */
  STMT_EXPR,             /* a, for its effects */
  STMT_IF,               /* if (a) body else other */
  STMT_WHILE,            /* while (a) body */
  STMT_FOR,              /* for (init; a; step) body; one that counts has a range too, which
                            says the same */
  STMT_FOR_RANGE,        /* for (ranges) body: serial; ranges nest */
  STMT_FOR_UNDER,        /* for (variables in snode or field under ...) body: serial; a
                            is the question whether the cell, of a node above, is active */
  STMT_FOREACH_RANGE,    /* foreach (ranges) body: parallel */
  STMT_FOREACH_NODE,     /* foreach (variables in snode or field) body: in the
                            field's index order, or in axis order */
  STMT_BREAK, STMT_CONTINUE,
  STMT_RETURN,           /* a or NULL */
  STMT_PRINT,            /* format, args; after the check conversions carry no
                            length, and args are cast to what they print: diu
                            to the (un)signed integer of their width, xXo to
                            the unsigned one, c to i32, efga to f64 */
  STMT_ASSERT,           /* a, format (or NULL), args, as of print */
  STMT_ACTIVATE,         /* snode of tree_slot at args, as of EXPR_IS_ACTIVE */
  STMT_DEACTIVATE,       /* of a dynamic node: args as of EXPR_APPEND */
  STMT_DEACTIVATE_ALL    /* snode, or the whole tree when snode is the root */
} StmtKind;

typedef struct Attribute {             /* [[name(args)]] in front of a loop */
  const char *name;
  Loc loc;
  Expr **args;  int arg_count;
  Expr **halos;                        /* of each argument what is told behind a colon, or NULL */
} Attribute;

/* How the turns of a loop are run, as its attributes say.  Checked. */
typedef struct Cached {                /* a field of [[cache(...)]] */
  Loc loc;
  Field *field;
  int tree_slot;
  int halo;                            /* in cells, on each axis; CACHED_AS_NEEDED: what is read, or
                                          added to, at constant distances says */
} Cached;
enum { CACHED_AS_NEEDED = -1 };
typedef struct Manner {
  bool is_unrolled;                    /* of a serial loop */
  bool is_serial;
  Schedule schedule;
  int block_dim;                       /* threads of a team; 0: any */
  Cached *cached;  int cached_count;
} Manner;

typedef struct Range {   /* variable in lo .. hi; vectors: every vector of the box */
  Variable *variable;
  Expr *lo, *hi;
} Range;

struct Stmt {
  StmtKind kind;
  Loc loc;
  const struct Token *first, *end;     /* its text is what stands before `end`; of an if, while or
                                          for its condition's; NULL: it has no text of its own */
  Op op;
  Expr *target, *a;
  Variable *variable;
  Stmt *init, *step, *body, *other;
  Stmt **list;      int list_count;    /* STMT_BLOCK */
  Range *ranges;    int range_count;
  Variable **variables; int variable_count;   /* STMT_FOREACH_NODE; `within` is its only
                                          range, without a variable: scalars of one axis,
                                          vectors of several */
  Expr *node;                          /* as written, before the check */
  const char *format;                  /* unescaped */
  Loc format_loc;
  Expr **args;      int arg_count;
  Attribute *attributes; int attribute_count;   /* of a loop */
  /* checked */
  Manner manner;                       /* of a loop */
  SNode *snode;
  Field *field;                        /* STMT_FOREACH_NODE, ACTIVATE, DEACTIVATE
                                          of a field */
  int tree_slot;
};

/* ---- functions, kernels, the program ---- */

typedef struct TreeSlot {              /* an instance that a kernel is given */
  Tree *tree;
  Variable *parameter;                 /* NULL: named without a parameter; the merge buffer's
                                          is no parameter of the source */
  const char *name;                    /* what C and the IR call it */
  bool is_virtual;                     /* it is named by virtual fields alone: C gives none */
} TreeSlot;

struct Function {                      /* func and kernel */
  const char *name;
  Loc loc;
  bool is_kernel;
  Derivatives with;
  const Type *result;                  /* TYPE_VOID when none; NULL: not known, after a message */
  Variable **params;  int param_count; /* as written; arrays' extents are not
                                          among them */
  Stmt *body;
  const char *doc;
  /* checked */
  TreeSlot *trees;    int tree_count;  /* see above */
  Variable **c_params; int c_param_count; /* kernel: its parameters as written, trees too, and
                         each extent after the array that introduces it: the order of the C
                         prototype behind the trees that are named without a parameter */
  bool may_trap;                       /* it or a callee can end an iteration */
};

/* ---- generics: the checker makes an instance by parsing the text again ---- */

typedef enum GenericKind {
  GENERIC_FIELD, GENERIC_NODE, GENERIC_TREE,
  GENERIC_CONSTANT                     /* a number, a vector or a matrix, known here */
} GenericKind;

typedef struct GenericParameter {
  GenericKind kind;
  const char *name;
  Loc loc;
  const Type *type;                    /* GENERIC_CONSTANT; NULL: as those before it say */
  int begin;                           /* the token that its type begins with */
} GenericParameter;

struct Generic {
  Function *function;                  /* as parsed: no instance, nothing is made of it */
  GenericParameter *params; int param_count;
  const struct Parser *begin;          /* the parser in front of it */
  bool is_broken;                      /* some of it could not be parsed */
  /* checked */
  bool is_used;
};

typedef struct Instance {              /* instance name = generic<args>; */
  const char *name;
  Loc loc;
  const char *doc;
  Expr *generic;                       /* EXPR_NAME: what it is one of */
  Expr **args; int arg_count;
  /* checked */
  Generic *of;                         /* NULL: an error was reported */
  Function *function;
} Instance;

typedef struct Program {
  Arena *arena;
  const char *path;                    /* as given on the command line */
  const char *prefix;
  bool has_device_header;              /* the names of that are checked too */
  const char **defines; int define_count;      /* "NAME=VALUE" of -D */
  const Source **sources; int source_count;    /* the named file, then what it imports:
                                          by Loc.file; what is declared in the
                                          others has its C in their own files */
  StructDeclaration **structs; int struct_count;   /* behind those that they hold */
  Constant **constants; int constant_count;
  Variable **tables;    int table_count;
  Field **fields;       int field_count;
  Tree **trees;         int tree_count;
  Function **functions; int function_count;    /* funcs, in order */
  Function **kernels;   int kernel_count;
  Generic **generics;   int generic_count;     /* no functions: their instances are */
  const char **generic_names; int generic_name_count;  /* a '<' behind one begins arguments */
  Instance **instances; int instance_count;
  bool is_broken;                      /* something could not be parsed */
  bool lacks_import;                   /* a file was not found: names may be unknown */
  const char **tainted; int tainted_count;     /* names in what was left out:
                                          not knowing them is no error */
  bool has_zero_bounds;                /* given before the check: --bounds=zero, so that an
                                          index outside is no mistake */
  bool has_usage_error;                /* checked: a -D was wrong, exit status 2 */
} Program;

/* How an import is found: reads the file that the importing one names, once for each
 * file; its path stays that of the first time. */
typedef struct Importer {
  const Source *(*find)(void *user, const Source *importing, const char *name); /* or NULL */
  void *user;
} Importer;

/* parse.c: never NULL; what could not be parsed is reported and left out.
 * text is NUL-terminated at text[length]; other NULs are reported as noise.
 * What is imported is parsed where the import stands, once. */
Program *parse(Arena *, Diag *, const Source *, const Importer *, const char **defines,
               int define_count);

/* check.c: completes the program; false when errors were reported, here or by
 * the parser.  A wrong -D is reported without a place and sets has_usage_error.
 * prefix is set before: the generated names are checked with it (not at all when it is NULL). */
bool check(Program *, Diag *);

/* derivative.c: what is behind a name, by bits of Derivative: "_grad", "_dual", "_grad_dual". */
extern const char *const derivative_suffix[4];

/* check_stmt.c: does a break in s leave the loop whose body s is? */
bool breaks_out(const Stmt *s);
/* Whether control can go on behind the statement. */
bool can_end(const Stmt *);

#endif
