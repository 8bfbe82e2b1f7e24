/* What several passes ask of the IR or do to it. */
#ifndef SNODEGEN_PASSES_TOOLS_H
#define SNODEGEN_PASSES_TOOLS_H

#include "gen/base/map.h"
#include "gen/ir/interval.h"
#include "gen/passes/passes.h"

/* ---- making statements; each is put before `where`, or at the end of block
 * when where is NULL ---- */
typedef struct Maker {
  IrModule *module;
  IrBlock *block;
  IrStmt *where;
  Loc loc;
  int site;                   /* of what is made, where it can fail */
} Maker;

Maker make_before(IrModule *, IrStmt *where);
Maker make_at_end(IrModule *, IrBlock *, const IrStmt *like);
IrStmt *put(Maker *, IrStmt *);
IrStmt *make_const(Maker *, const Type *, int64_t);
IrStmt *make_value(Maker *, const Type *, Value);
/* The value itself where it has the type. */
IrStmt *make_cast(Maker *, const Type *, IrStmt *);

/* ---- variables ---- */
/* A hidden variable of the function, named after `wanted`. */
IrVariable *make_hidden(IrModule *, IrFunction *, int kind, const char *wanted,
                        const Type *);
/* What names the index of a loop that the caller makes. */
IrVariable *make_index(IrModule *, IrFunction *, const char *wanted, const Type *);

/* ---- functions ---- */
void for_each_function(IrModule *, void (*)(IrModule *, IrFunction *));
/* For each task that has a near form; declarations are noted. */
void for_each_near_form(IrModule *, void (*)(IrModule *, IrFunction *, IrStmt *task));
/* Replaces the block's statements one by one: `rewrite` appends what takes the
 * place of s (s itself, to keep it) to s's block; nested blocks first. */
typedef void RewriteFn(IrStmt *s, IrBlock *to, void *user);
void rewrite_block(IrBlock *, RewriteFn *, void *user);

/* Operands that were replaced, by id (of give_ids), become what they became. */
void replace_operands(IrStmt *, IrStmt *const *by);

/* ---- copies (copy.c) ---- */
/* Statements being copied within a function, or some of them. */
typedef struct Copy {
  IrModule *module;
  IrFunction *function;
  int kind;                   /* of the locals that stand for what is declared: IR_VAR_LOCAL */
  const bool *needed;         /* by id (of give_ids): which are copied; NULL: all */
  bool keeps_names;           /* the copy becomes a function of its own in C */
  Map made;                   /* statement or variable -> what it is in the copy */
} Copy;
void copy_init(Copy *, IrModule *, IrFunction *);
/* The original, which is not copied, is that in the copy. */
void copy_note(Copy *, const void *original, void *copy);
/* What the original is in the copy: itself where it stands outside. */
void *copied(const Copy *, void *original);
/* Puts a copy of the statement there, or copies of the block's. */
void copy_stmt(Copy *, const IrStmt *, Maker *);
void copy_block(Copy *, const IrBlock *from, Maker *);

/* ---- questions ---- */
bool is_pure(const IrStmt *);
bool is_const(const IrStmt *);
/* Whether both do the same to what their operands are; a walk's mode is not looked at. */
bool is_same_operation(const IrStmt *, const IrStmt *);
/* Of what both do to which operands: equal where they do the same. Never 0. */
uintptr_t hash_operation(const IrStmt *);
/* Notes of each local and kernel-level variable whether its declaration is all that sets it: what
 * looks through them (gen/ir/interval.h) needs that. */
void note_declarations(IrFunction *);
/* What iterations may sum up each for itself, or -1; a difference counts as a
 * sum. */
int reduction_kind(Op);
/* Whether s stands in a block of the loop, or of what does. */
bool stands_in(const IrStmt *s, const IrStmt *loop);
/* Whether it has the same value in all iterations, made of pure statements alone. */
bool is_invariant_in(const IrStmt *, const IrStmt *loop);
/* The offloaded statement around s, or NULL. */
IrStmt *task_of(const IrStmt *);
bool is_parallel(const IrStmt *task);
/* The `if` in which all stands that the task's loop does, where there is one; else NULL. */
IrStmt *whole_body(const IrStmt *task);
/* Whether `ancestor` is node or lies above it. */
bool is_above(const IrSNode *ancestor, const IrSNode *node);
/* Whether to activate a cell of the SNode can run out of memory: something on its
 * path is allocated. */
bool takes_memory(const IrSNode *);
/* What a walk's cell (or a release_cell) is found by in its container: digit k, of
 * the position or of the key; NULL: there are no more (none of an own_position). */
const IrStmt *cell_digit(const IrStmt *cell, int k);
/* The same cell, whether it was walked to for reading or for writing; is_same: of two digits. */
bool is_same_cell(const IrStmt *, const IrStmt *,
                  bool (*is_same)(const IrStmt *, const IrStmt *));
/* Gives every statement of the function an id from 1 on, also those without a
 * value, for tables by id; what a pass makes later has id -1.  The greatest. */
int give_ids(IrFunction *);
/* How often each statement is an operand, by id (calls give_ids).  Lives in the
 * module's arena. */
int *count_uses(IrModule *, IrFunction *);

/* ---- checks (inside.c) ---- */
/* Notes in the check_bounds or inside what is known of its indices (ops.def);
 * whether that is all of it. */
bool note_inside(IrStmt *);
/* Whether a check_element holds whatever the program does. */
bool is_element_inside(const IrStmt *);

/* ---- dead code: values that no one uses and that have no effect ---- */
bool is_removable(const IrStmt *);
void remove_dead(IrModule *, IrFunction *);
/* The same for whatever may_go says. */
void remove_unused(IrModule *, IrFunction *,
                   bool (*may_go)(const IrStmt *, void *), void *user);

/* ---- what a block may do to activity, called functions included ---- */
/* The statements of a block, and of the functions that it calls, that activate or deactivate:
 *
 *   Changes c = changes_of(arena, block);
 *   while (next_change(&c)) ... c.stmt, c.snode, c.slot ...
 *
 * A slot is the block's, whatever the function calls it. */
typedef struct Changes {
  const IrStmt *stmt;         /* the one at hand */
  IrSNode *snode;
  int slot;
  Arena *arena;
  const IrBlock *block;       /* what is gone through, and how far */
  IrStmt *next;
  const int *slots;           /* of the call that led there; NULL: none */
  struct Called { IrFunction *function; const int *slots; } *calls;
  int call_count, done;       /* of them */
} Changes;
Changes changes_of(Arena *, const IrBlock *);
bool next_change(Changes *);
/* Whether it may take out cells of the SNode, or of one above it, in any slot: two
 * slots may be one instance. */
bool may_take_out(IrModule *, IrBlock *, const IrSNode *);

/* Of what a `cache` asks for (gen/ir/finding.h): once for a vector's elements, for copies, and for
 * a function that is called twice. */
void note_unstaged(IrModule *, const IrStmt *cache, int kind, Loc, const char *why);

#endif
