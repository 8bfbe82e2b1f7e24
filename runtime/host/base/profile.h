/* The profile: calls, seconds and bytes by kind and name, while option profile is 1, and of
 * modules that say so themselves. */
#ifndef SNI_BASE_PROFILE_H
#define SNI_BASE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/base/accounts.h"
#include "runtime/host/base/platform.h"

typedef enum sni_profile_kind {
#define PROFILE_KIND(name) PROFILE_##name,
#include "runtime/host/base/profile.def"
#undef PROFILE_KIND
  PROFILE_KIND_COUNT
} sni_profile_kind;

/* What is told apart: "step: struct_for(S2dense), line 12". */
typedef struct sni_profile_key {
  sni_profile_kind kind;
  const char *owner, *part;      /* part may be NULL */
  int32_t line;                  /* of the source; 0: none */
  const char *node;              /* the SNode that a task goes over; NULL: none */
} sni_profile_key;

/* What calls took. */
typedef struct sni_spent {
  uint64_t calls;
  double seconds;
  double own_seconds;            /* of these: without what is told apart within them */
  double bytes;
  double cells;                  /* that were gone through in cell_seconds: 0 where not known */
  double cell_seconds;
} sni_spent;

typedef struct sni_profile_row {
  sni_profile_kind kind;
  char *name;                    /* "step: struct_for(S2dense)" */
  int32_t line;
  char *node;                    /* NULL: none */
  sni_spent spent;
} sni_profile_row;

/* A context's is written by whoever is inside the context, and read by the process's report
 * (at_end.h) at any time. */
typedef struct sni_profile {
  sni_mutex lock;
  sni_profile_row *rows;
  size_t count, capacity;
} sni_profile;

void sni_profile_create(sni_profile *);
/* Adds to a row.  What finds no memory is not counted: a profile never fails the call that it
 * watches. */
void sni_profile_add(sni_profile *, sni_accounts *, const sni_profile_key *, const sni_spent *);
/* Adds all rows of `from`, whose lock is taken. */
void sni_profile_merge(sni_profile *, sni_accounts *, sni_profile *from);
/* "kernel", ...: static. */
const char *sni_profile_kind_name(sni_profile_kind);
void sni_profile_destroy(sni_profile *, sni_accounts *);

/* profile_table.c.  The table, of which `put` gets a piece after the other: the rows by what they
 * took themselves, those that took most first, then whole calls, and each kind's share.  The rows
 * are put into that order. */
void sni_profile_table(sni_profile *, void (*put)(void *user, const char *text), void *user);

#endif
