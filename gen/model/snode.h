/* What the checked program and the IR both say of trees: kinds of SNodes, axes, borders. */
#ifndef SNODEGEN_MODEL_SNODE_H
#define SNODEGEN_MODEL_SNODE_H

#include <stdbool.h>

enum { MAX_AXES = 12,               /* i .. t */
       MAX_DEPTH = 32,              /* SNodes on a path, the root not counted */
       MAX_SLOTS = 16 };            /* trees of a kernel */

/* ---- kinds ---- */

typedef enum SNodeKind {
#define KIND(word, name, cells) SNODE_##name,
#include "gen/model/kinds.def"
#undef KIND
} SNodeKind;

enum {
  SNODE_KINDS = 0
#define KIND(word, name, cells) + 1
#include "gen/model/kinds.def"
#undef KIND
};

/* How a container of a kind holds its cells: one of the bits of the first line, which
 * kinds.def explains; the others are what several have in common. */
typedef enum SNodeCells {
  KIND_ROOT = 1, KIND_DENSE = 2, KIND_MASKED = 4, KIND_SLOTS = 8, KIND_LIST = 16, KIND_KEYS = 32,
  KIND_SPARSE = KIND_MASKED | KIND_SLOTS | KIND_LIST | KIND_KEYS,   /* they can be inactive */
  KIND_IN_PLACE = KIND_DENSE | KIND_MASKED,                         /* side by side in it */
  KIND_ALLOCATED = KIND_SLOTS | KIND_KEYS                           /* one by one */
} SNodeCells;

/* The columns of kinds.def. */
typedef struct SNodeKindInfo {
  const char *word;                 /* "dense" */
  const char *name;                 /* "DENSE" */
  SNodeCells cells;
} SNodeKindInfo;
extern const SNodeKindInfo snode_kind[SNODE_KINDS];

static inline bool kind_is(SNodeKind kind, SNodeCells cells)
{
  return (snode_kind[kind].cells & cells) != 0;
}

int snode_kind_by_word(const char *word);            /* -1: none */

/* ---- axes ---- */

extern const char *const axis_name[MAX_AXES];        /* "i" .. "t" */
int axis_by_name(const char *);                      /* -1: none */

/* ---- what an index outside a field's extents means there ---- */

typedef enum Border {
  BORDER_NONE,                      /* --bounds decides */
  BORDER_DEFAULT,                   /* reads give the default, writes do nothing */
  BORDER_CLAMP, BORDER_WRAP,        /* the index is put inside */
  BORDERS
} Border;
extern const char *const border_name[BORDERS];       /* "none", "default" ... */

#endif
