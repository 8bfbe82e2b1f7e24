/* What the files of the Fortran writer share. */
#ifndef SNODEGEN_BIND_FORTRAN_H
#define SNODEGEN_BIND_FORTRAN_H

#include "gen/bind/offer.h"

/* ---- fortran_text.c ---- */
/* A line, indented; one that is too long is broken at a comma. */
void f90_line(Emit *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void f90_comment(Emit *, const char *text);
/* A name of the module, or of a member: it begins with a letter, and hides nothing that the module
 * uses. */
const char *f90_name(Emit *, const char *name);
/* The module of that prefix. */
const char *f90_module(Emit *, const char *prefix);
const char *f90_kind(const Type *);                   /* c_int64_t */
/* "real(c_float)", "type(heat_mote)", as it lies in memory. */
const char *f90_type(Emit *, const Type *, const Struct *);
/* The same in calls, where a bool is an int. */
const char *f90_call_type(Emit *, const Type *, const Struct *);
const char *f90_constant(Emit *, const Type *, Value);

/* ---- fortran_call.c ---- */
/* What stands for one call: the interface of the C function, and procedures over it. */
void f90_interface(Emit *, const Api *, int number);
void f90_procedures(Emit *, const Api *, int number);
/* How many procedures those are: names sn_p(number)_0 ...; 0: it has none. */
int f90_variants(const ApiCall *);

#endif
