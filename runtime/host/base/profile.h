/* The profile: calls, seconds and bytes by kind and name, while option profile is 1, and of
 * modules that say so themselves. */
#ifndef SNI_BASE_PROFILE_H
#define SNI_BASE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/base/accounts.h"

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
} sni_profile_key;

typedef struct sni_profile_row {
  sni_profile_kind kind;
  char *name;                    /* "step: struct_for(S2dense)" */
  int32_t line;
  uint64_t calls;
  double seconds, bytes;
} sni_profile_row;

typedef struct sni_profile {
  sni_profile_row *rows;
  size_t count, capacity;
} sni_profile;

/* Adds one call.  What finds no memory is not counted: a profile never fails the call that it
 * watches. */
void sni_profile_add(sni_profile *, sni_accounts *, sni_profile_key, double seconds,
                     double bytes);
/* "kernel", ...: static. */
const char *sni_profile_kind_name(sni_profile_kind);
void sni_profile_free(sni_profile *, sni_accounts *);

#endif
