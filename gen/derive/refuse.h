/* Why a kernel has no adjoint: what refuse.c and order.c share. */
#ifndef SNODEGEN_DERIVE_REFUSE_H
#define SNODEGEN_DERIVE_REFUSE_H

#include "gen/derive/adjoint.h"

typedef struct Refusal {
  const Reverse *r;
  int *uses;                  /* by id: of its value */
  int *again;                 /* by id: those of what the adjoint computes again */
  struct Place **places;      /* by id: of an access's indices; NULL: apart.c has not looked yet */
  bool found;
} Refusal;

/* ---- refusal.c ---- */
/* Notes why, at the statement; `other` is the one that the note is about; both NULL: there is
 * none. */
void refuse(Refusal *, const IrStmt *at, const char *text, const IrStmt *other, const char *note);
/* The text, about what has that name. */
static inline const char *say(const Refusal *f, const char *text, const char *name)
{
  Arena *arena = f->r->module->arena;

  return intern_format(arena, text, ir_whole_name(arena, name));
}

/* ---- apart.c ---- */
/* Whether `later` assigns another cell than `used` names, wherever it follows it. */
bool is_another_cell(const Refusal *, const IrStmt *used, const IrStmt *later);

/* ---- span.c ---- */
/* Of a kernel that is not refused, which cells it assigns and its adjoint needs. */
void note_spans(const Refusal *);

/* ---- order.c: what the kernel changes behind where it used it ---- */
void check_order(Refusal *, const IrStmt *);

#endif
