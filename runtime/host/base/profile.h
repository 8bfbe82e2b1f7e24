/* The profile: calls, seconds and bytes by kind and name, while option profile is 1. */
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

typedef struct sni_profile_row {
  sni_profile_kind kind;
  char name[96];                 /* "step: struct_for(S2dense)", cut to size */
  uint64_t calls;
  double seconds, bytes;
} sni_profile_row;

typedef struct sni_profile {
  sni_profile_row *rows;
  size_t count, capacity;
} sni_profile;

/* Adds one call of `owner: part` (part may be NULL).  What finds no memory is not
 * counted: a profile never fails the call that it watches. */
void sni_profile_add(sni_profile *, sni_accounts *, sni_profile_kind, const char *owner,
                     const char *part, double seconds, double bytes);
void sni_profile_free(sni_profile *, sni_accounts *);

#endif
