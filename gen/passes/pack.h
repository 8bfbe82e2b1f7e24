/* Values side by side that become lanes of one: what the pass pack is made of.
 *
 * A tuple is a value for each lane.  Of a tuple whose values are computed alike, from tuples in
 * their turn, one operation in lanes is made; of others lanes of what there is, or of the single
 * values.  All is done twice: first to see what it saves, with nothing made.
 */
#ifndef SNODEGEN_PASSES_PACK_H
#define SNODEGEN_PASSES_PACK_H

#include "gen/ir/window.h"
#include "gen/passes/tools.h"

typedef struct Tuple {
  IrStmt *lane[IR_MOST_LANES];
  int count;
} Tuple;

typedef struct Packed {
  Tuple of;
  IrStmt *made;               /* NULL: of a trial */
  int anchor;                 /* the statement of the form behind which it stands */
  struct Packed *next;        /* another one that begins with the same value */
} Packed;

/* Locals that become one of lanes: they are assigned together each time. */
typedef struct Group {
  IrVariable *variable[IR_MOST_LANES];
  int count;
  int *assigned; int times;   /* positions: of each time, by variable */
  IrVariable *made;
} Group;

typedef struct Pack {
  IrModule *module;
  IrFunction *function;
  IrStmt *task;
  IrBlock *block;             /* block 2 */
  IrStmt **stmts; int count;  /* of it, before anything is made */
  Map position;               /* statement of stmts -> 1 + where it stands there */
  Map packed;                 /* the first value of a tuple -> Packed */
  Map lane_of;                /* value -> the Packed that it is a lane of */
  Map spread;                 /* single values that have been put into all lanes */
  Group **groups; int group_count;
  IrStmt **dropped; int dropped_count;
  bool is_trial, has_failed;
  int saved;                  /* statements, about, less what is put together and taken apart */
  int depth;
} Pack;

/* Values that are wanted side by side: of additions to a cell of a window, or of stores. */
typedef struct Seed {
  IrStmt *stmt[IR_MOST_LANES];
  Tuple values;
  int anchor;                 /* the last of the statements */
  bool is_addition;
} Seed;

typedef struct Seeds {
  Seed *seeds;
  int count;
} Seeds;

/* ---- pack_seed.c ---- */
/* Of a matrix of more than four elements: by rows, or by columns. */
Seeds pack_seeds_of(const Pack *, bool by_columns);

/* ---- pack_value.c ---- */
/* Lanes with the values of the tuple, in its order; there may be more, which hold anything. */
Packed *pack_value(Pack *, Tuple);
/* The statement, put behind all that is made behind that one of the form. */
IrStmt *pack_put(Pack *, IrStmt *, int anchor);
int pack_position(const Pack *, const IrStmt *);
/* As many lanes as vectors have that hold so many values. */
int pack_lanes(int count);
/* In lanes: one value in all of them, where it is one. */
IrStmt *pack_spread(Pack *, IrStmt *, int count, int anchor);

/* ---- pack_variable.c ---- */
/* The group that the variables of these `get`s are, or become; NULL: they cannot. */
Group *pack_group(Pack *, const Tuple *gets);
/* That the variable is one of, or NULL. */
const Group *pack_group_of(const Pack *, const IrVariable *);

#endif
