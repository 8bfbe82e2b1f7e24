/* A procedure of the Fortran module as it is put together, and what does that. */
#ifndef SNODEGEN_BIND_FORTRAN_PROCEDURE_H
#define SNODEGEN_BIND_FORTRAN_PROCEDURE_H

#include "gen/bind/fortran.h"

typedef struct Procedure {
  Emit *e;
  const Api *all;
  const ApiCall *call;
  int number, variant;
  Names names;                         /* of its dummies */
  const char *dummies, *last, *actual; /* lists; last: the optional ones behind the others */
  const char *context;
  Text declared, before, after;        /* lines */
  const char *refused, *why;           /* where `before` may clear sn_fits: the code and the text */
  bool asks_shape;                     /* `before` sets sn_code */
} Procedure;

/* ---- fortran_procedure.c ---- */
/* Whether the call, of no kernel, does that. */
bool f90_is_action(const ApiCall *, const char *action);
const char *f90_listed(Emit *, const char *list, const char *what);
/* Its name, apart from the others' whatever their case, and from the module's own. */
const char *f90_dummy(Procedure *, const char *wanted);
void f90_add_dummy(Procedure *, const char *name, const char *declaration);
void f90_add_actual(Procedure *, const char *what);
const char *f90_way_of(const ApiParam *);
int f90_value_rank(const ApiParam *);                /* of a value in memory */
const char *f90_colons(Emit *, int rank);

/* ---- fortran_array.c ---- */
/* Where an extent of a kernel's arrays stands first: "size(src, 2)". */
const char *f90_first_size(Procedure *, const IrVariable *extent);
void f90_add_kernel_array(Procedure *, const ApiParam *);
/* How many cells of a list are moved. */
const char *f90_columns_moved(Procedure *);
void f90_add_array(Procedure *, const ApiParam *);
void f90_add_box(Procedure *);

#endif
