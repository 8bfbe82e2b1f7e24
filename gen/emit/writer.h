/* What the files of gen/emit share: the writer of lines, the names of C, what
 * a piece of IR needs, and the text of values.
 *
 * A file is put together from sections, each its own Text, because what the
 * first ones hold (walks, sites) is known only when the last are written.
 */
#ifndef SNODEGEN_EMIT_WRITER_H
#define SNODEGEN_EMIT_WRITER_H

#include "gen/base/map.h"
#include "gen/emit/emit.h"
#include "gen/ir/window.h"
#include "gen/model/names.h"

enum { LINE_COLUMNS = 100 };

/* ---- names.c: identifiers of the C file ---- */
typedef struct Names {
  Arena *arena;
  const struct Names *outer;       /* whose names may not be hidden */
  NameScope scope;
  const char **taken;              /* open addressing */
  int count, capacity;
} Names;
void names_init(Names *, Arena *, NameScope, const Names *outer);
/* The identifier for wanted: itself, or with a trailing underscore where C
 * reserves it, or with a number where another has it. */
const char *names_take(Names *, const char *wanted);
/* A name that is used as it is; an error of snodegen's own when it is taken. */
const char *names_fix(Names *, const char *name);
/* wanted, with a trailing underscore where C or C++ reserve it. */
const char *names_escape(Arena *, NameScope, const char *wanted);
const char *upper_case(Arena *, const char *);

/* ---- tree.c: a tree's names in the file ---- */
enum { WALK_READ, WALK_PEEK, WALK_READ_SETTLED, WALK_PEEK_SETTLED, WALK_ACTIVATE, WALK_CELLS,
       WALK_DEACTIVATE, WALK_APPEND, WALK_APPEND_CELL, WALK_LENGTH, WALK_LENGTH_SETTLED, WALK_BITS,
       WALKS };

typedef struct SNodeNames {
  const char *id;                  /* GRID_TILE */
  const char *cell;                /* grid_tile: the struct of a cell, or of soa of a container's
                                      cells; void: it has no part */
  const char *container;           /* bitmasked: the struct of its container */
  const char *member;              /* node: its container in the parent's cell */
  const char *id_member;           /* pointer, hash: the cell's id, if it has one */
  const char *part;                /* split: the union of what a cell holds; else NULL */
  const char *apart;               /* in a cell that is split: as far as to the next container */
  const char *walk[WALKS];         /* grid_tile_read ... */
  bool used[WALKS];
} SNodeNames;

typedef struct TreeNames {
  const char *name;                /* grid */
  const char *c_type;              /* heat_grid */
  const char *info;                /* grid_info */
  SNodeNames *snode;               /* by id */
  const char **field_id;           /* GRID_U, by id */
  const char **field_member;       /* u, or v[1] */
  const char **field_whole;        /* v; NULL where it is not the first element */
  const char **array;              /* grid_u: gives the array of a field, of soa under the root */
  bool *uses_array;
} TreeNames;

/* ---- live.c: what of a body is worth writing ---- */
typedef struct Live {
  Map stmts, read;                 /* statements; variables that are read */
} Live;
/* ---- needs.c: what a function or a task takes from outside ---- */
typedef struct Reduction {
  IrVariable *variable;
  Op update;                 /* a difference counts as a sum */
} Reduction;

typedef struct Needs {
  bool launch, vars, own_cell;
  bool own_parent, own_position;   /* the cell that holds the own cell's container; where in it */
  bool view[MAX_SLOTS];            /* the tree itself */
  bool slot_number[MAX_SLOTS];     /* its number, for statuses */
  unsigned indices;                /* bit k: loop index k of the task */
  unsigned first_indices;          /* of rows: at the first cell of the leaf */
  unsigned row_digits;             /* and those of the row in the leaf, */
  bool leaves_rows;                /* and whether some are left to the body, */
  bool shares_rows;                /* or may be stored by other threads meanwhile */
  IrVariable **params; int param_count;      /* in the function's order */
  Reduction *reductions; int reduction_count;
  const IrStmt **appends; int append_count;  /* each remembers where its last one went */
  bool traps, activates, deactivates;
  bool is_settled;                 /* of a function: no one who calls it changes activity */
  bool draws;                      /* random numbers */
  bool claims;                     /* of --check=race */
  bool deposits;                   /* staged additions go to the cells behind each block */
  bool synchronises;               /* atomics, or what others may see meanwhile */
  bool ordered;                    /* what it leaves depends on which iteration comes first */
  bool looks;                      /* at what is active, or at a length */
  bool repeats_differ;             /* a second run would leave something else: it changes what it
                                      has changed, or reads what it has written */
  IrEffects effects;               /* as seen by a caller */
  const IrStmt **caches; int cache_count;   /* fields whose blocks are staged, and of each */
  const IrStmt **placed;           /* what goes to a computed place in it, one of them, or NULL; */
  bool *beside;                    /* and whether something goes to a place beside the own cell */
} Needs;

/* The arrays of the fields that are staged; of those that are added to the flags too: which
 * elements have been.  NULL: it is read. */
typedef struct NearNames {
  const char **array, **wrote;     /* beside the cells of a leaf fields of one SNode share flags */
  const char **first;              /* by field and axis: the coordinate of its first cell, where
                                      someone asks; fields of one SNode have it in common */
} NearNames;

/* The windows of a near form. */
typedef struct NearWindow {
  IrWindow is;
  const char *name, *shape;        /* in the body; of what all windows have in common */
} NearWindow;

typedef struct NearWindows {
  NearWindow *windows;
  int count;
} NearWindows;

typedef struct FunctionInfo {
  const char *name;
  Needs needs;
} FunctionInfo;

/* Whether a task has what [[cache]] names staged, in memory of whom. */
typedef enum Staging { STAGING_NONE, STAGING_THREAD, STAGING_TEAM } Staging;

/* ---- the file being written ---- */
typedef struct Emit {
  const IrModule *module;
  const EmitOptions *options;
  Arena *arena;
  const char *source;              /* heat.sn */
  const char *generator;           /* snodegen 0.1.0 */
  Names names;                     /* at file scope */
  TreeNames *trees;
  Map functions;                   /* IrFunction -> FunctionInfo */
  const IrStmt **site;             /* by the IR's number; NULL: nothing is left of it */
  int site_count;
  int *site_row;                   /* by the same: its row in the file's table; -1: none names it */
  int site_rows;
  const char *table;               /* heat_table: the sn_module */
  const char **kernel_info;        /* step_info, by kernel */
  Map tables;                      /* IrTable -> the name of its function, which stands in */
  Text table_functions;
  Map shared;                      /* text of a table, or of steps -> its name (shared.c) */
  const char *program;             /* of the interpreter: its table, and */
  const char *program_kernels;     /* the rows of its kernels */
  Staging staging;                 /* of the task at hand */
  Text *out;
  int indent;
  Loc from;                        /* where in the sources what is written is from; line 0: it is
                                      the C file's own */
} Emit;

/* ---- text.c ---- */
char *format(Arena *, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *quote(Arena *, const char *);             /* as a C string; NULL: "NULL" */
const char *decimal(Arena *, long long);
bool has_word(const char *text, const char *word);    /* as an identifier of C, no member */
/* `.name = "dt", .type = SN_TYPE_F32`: of members and their texts in turn, NULL behind them, those
 * that are not 0 or NULL, which is what a member has without an initialiser. */
const char *members(Arena *, ...) __attribute__((sentinel));
/* `SN_TABLE(slot, grid_slots)`: of the rows' kinds and the names of their tables in turn, NULL
 * behind them, those that are not "NULL". */
const char *tables(Arena *, ...) __attribute__((sentinel));
const char *base_name(const char *path);              /* what is behind the last slash */

/* ---- constant.c ---- */
const char *constant_text(Arena *, const Type *, Value, bool bare);
/* Of a finite number: the shortest that reads back as x exactly, as f32 or as f64. */
const char *shortest_decimal(Arena *, double x, bool is_f32);
int log2_of(int64_t);                                 /* -1: it is no power of two */
const char *c_type(const Type *);                     /* in the C file */
const char *api_type(const Type *);                   /* in signatures: bool is int */
const char *array_type(const Type *);                 /* of elements in memory: bool is a byte */
const char *sn_type_name(const Type *);               /* SN_TYPE_F32 */
const char *array_mode_text(const IrVariable *);     /* SND_ARRAY_IN */
const char *suffix(const Type *);                     /* f32: of snd_ functions */

/* ---- lines.c: -g ---- */
/* From now on lines are from that place, until e->from is set back to what is returned; a place
 * that is not known changes nothing. */
Loc write_from(Emit *, Loc);
bool is_marked(const Emit *);                         /* whether they are from any */
void add_line_mark(Emit *);                           /* at the end of a line */
/* Puts the #line in the marks' place; own_path: of the C file. */
void resolve_line_marks(const Emit *, const Text *from, const char *own_path, Text *to);

/* ---- output.c ---- */
/* A line, indented; one that is too long is broken. "" is an empty line. */
void write_line(Emit *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_comment(Emit *, const char *text);           /* of any number of lines */
/* Takes away what has been written from there on: to be put behind what belongs before it. */
const char *cut_text(Emit *, size_t begin);
void write_section(Emit *, const char *title);
void write_members(Emit *, const char *members);      /* a line of an initialiser; "": none */

/* ---- shared.c ---- */
/* Writes a definition, `before`, a name, `after`, which may have several lines, if there is none
 * with the same text yet; its name. */
const char *write_shared(Emit *, const char *before, const char *wanted, const char *after);
const char *write_table(Emit *, const char *type, const char *wanted, const char *rows);   /* one
                                      for all kernels that have the same; its name */

/* ---- site.c ---- */
void plan_sites(Emit *);
int site_number(Emit *, const IrStmt *);              /* its row from now on, if it had none */
const char *write_sites(Emit *);                      /* their table; its name, or "NULL" */

/* ---- struct.c ---- */
const char *struct_type(Emit *, const Struct *);    /* heat_particle */
/* Of member k: its own, but for the few that C takes. */
const char *struct_member_name(Emit *, const Struct *, int k);
/* Element k as a part of it: "x[1]", "inner.m". */
const char *struct_path(Emit *, const Struct *, int k);
/* A type with the same members, each an array of such an extent. */
const char *struct_of_arrays(Emit *, const Struct *, const char *extent);
bool header_names_struct(Emit *, const Struct *);
void plan_structs(Emit *);                            /* takes their names */
void write_struct_names(Emit *);                      /* the header: before it includes others */
void write_struct_types(Emit *);                           /* and behind that */
void emit_struct_layouts(Emit *);                     /* the C file */

/* ---- tree_walk.c ---- */
extern const char *const walk_names[WALKS];           /* behind the SNode's name */
void write_walks(Emit *, const TreeNames *, const IrSNode *);   /* those that are used */
void write_array(Emit *, const TreeNames *, const IrField *);   /* the walk to a field's array */
/* Bytes of a cell in the arrays before: wider elements come first, in their order. */
int64_t bytes_before(const IrField *);

/* ---- tree.c ---- */
void plan_trees(Emit *);                              /* takes their names */
const char *slot_name(const IrFunction *, int slot);  /* what the program calls the tree */
bool has_named_arrays(const IrSNode *);               /* soa under the root: no struct has them */
void emit_tree(Emit *, const IrTree *);               /* ids, structs, then the walks */

/* ---- table.c ---- */
void emit_tree_tables(Emit *, const IrTree *);
uint64_t tree_layout_hash(Emit *, const IrTree *);    /* equal in files that mean the same tree */
void emit_module(Emit *, const char *backend);

/* ---- traits.c ---- */
/* The runtime knows kinds by how they hold their cells: the first that does so. */
const SNodeKindInfo *runtime_kind(const IrSNode *);
/* Which of its own axes that is, or that a loop's index runs along; -1: it divides no such. */
int own_axis(const IrSNode *, int axis);
int axis_of_index(const IrSNode *, int index);
int64_t own_extent(const IrSNode *, int axis);        /* 1: it does not divide the axis */
bool needs_param(const Needs *, const IrVariable *);
int index_of_axis(const IrSNode *, int axis);         /* that runs along it; -1: there is none */
bool is_top_of_axis(const IrSNode *, int axis);       /* no SNode above divides it */
/* A cell that a call of its SNode's walk gives, not one that stands in place. */
bool is_walked(const IrStmt *);
/* Whether a cell may be null: what is asked for, and what is allocated; a bit can always be set. */
typedef enum Nullness { NULL_NEVER, NULL_MAYBE, NULL_AS_PARENT } Nullness;
Nullness nullness_of(const IrStmt *cell);
bool can_be_null(const IrStmt *cell);                 /* where nothing has looked yet */
bool begins_row(const IrStmt *cell);                  /* the first cell of a row of its container */
bool is_only_digit(const IrStmt *);                   /* 0: its axis has one cell in a container */
const IrStmt *constant_of(const IrStmt *);            /* in every lane; NULL: it is none */
/* A shift, or a division that is one, by what is written as a number: the operand is not used. */
bool shifts_by_number(const IrStmt *);
bool is_staged_addition(const IrStmt *);              /* a `staged` of what is added */
const IrStmt *cache_of(const IrStmt *staged);
bool is_nearby(const Emit *, const IrStmt *staged);   /* in an array of the thread, or the team */
bool adds_nearby(const Emit *, const IrStmt *);       /* an update of such an array */
bool widens_narrow(const IrStmt *cast);               /* an i8 or i16 to u32, by other casts too */
/* Of check_bounds and inside: which sides of index k are left to test. */
bool tests_origin(const IrStmt *, int k);
bool tests_limit(const IrStmt *, int k);
int64_t constant_limit(const IrStmt *, int k);        /* 0: known at run time only */
int64_t check_origin(const IrStmt *, int k);          /* where index k begins */

/* ---- live.c ---- */
/* What has an effect, and what that needs.  A dead value or a local that no one
 * reads would be a warning of the C compiler. */
void live_find(Emit *, const IrBlock *, Live *);
bool is_live(const Live *, const IrStmt *);
/* Whether operand k of s is handed on: a function's unused parameter is not. */
bool takes_operand(Emit *, const IrStmt *s, int k);

/* ---- staged_box.c ---- */
/* Whether s says that a field is staged, by whoever e->staging says, and something that is written
 * out uses that. */
bool is_staged(const Emit *e, const IrStmt *s, const Live *);
void staged_fields(Emit *, const IrStmt *task, const Live *, Needs *);
bool is_added_to(const IrStmt *cache);
/* Whose flags the k-th one has: its own, or those of an earlier one. */
int flags_of(const Needs *, int k);
bool is_of_leaves(const IrStmt *cache);              /* of a loop over lists: a leaf's cells */
const char *staged_type(const Emit *, const IrStmt *cache);   /* of its array */
const char *sum_suffix(const IrStmt *cache);          /* of what a team adds up */
const char *staged_index_type(const Needs *, int c, int k);   /* of coordinates */
NearNames name_near(Emit *, const Needs *, Names *);
const char *near_params(Emit *, const Needs *, const NearNames *);
const char *near_arguments(Emit *, const Needs *, const NearNames *);

/* ---- needs.c ---- */
FunctionInfo *function_info(Emit *, const IrFunction *);
/* task: the offloaded statement whose body it is, or NULL. */
void needs_find(Emit *, const IrFunction *, const IrStmt *task, const IrBlock *, const Live *,
                Needs *);
/* Of the function's parameters those that either needs. */
void join_params(Emit *, Needs *, const Needs *other, const IrFunction *);
bool is_loop(const IrStmt *task);                       /* a range_for or a struct_for */
/* What is left may differ with the order of the iterations. */
bool depends_on_order(const Needs *);
bool is_idempotent(const Needs *);
bool runs_parallel(const IrStmt *task);                 /* NULL: a function: yes */

/* ---- kernel_call.c ---- */
const char *kernel_prototype(Emit *, const IrFunction *);
const char *kernel_submit_prototype(Emit *, const IrFunction *);

/* ---- function.c ---- */
void emit_function(Emit *, const IrFunction *);
/* Those for one element of what the task has staged, which go to the tree. */
void write_element_functions(Emit *, const Needs *task);

/* ---- const_table.c ---- */
/* The name of the table's function, which the file has from now on. */
const char *table_name(Emit *, const struct IrTable *);
void write_tables(Emit *);                            /* behind all that calls them is made */

/* ---- kernel.c ---- */
void emit_kernel(Emit *, const IrFunction *);

/* ---- call.c ---- */
void plan_calls(Emit *);                              /* takes their names */
void emit_tree_calls(Emit *, const IrTree *, bool with_body);
void emit_module_calls(Emit *, bool with_body);

/* ---- routines.c ---- */
void emit_routines(Emit *);

/* ---- emit.c ---- */
/* Whether the file has the tree's structs and tables: its own, and what a kernel takes. */
bool has_tree(Emit *, const IrTree *);
void emit_init(Emit *, const IrModule *, const EmitOptions *, Text *out);
const char *const_name(Emit *, const IrConst *);      /* HEAT_N */

#endif
