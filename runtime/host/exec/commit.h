/* The kinds of commits: commits.def has a row for each. */
#ifndef SNI_EXEC_COMMIT_H
#define SNI_EXEC_COMMIT_H

#include <snode/task.h>

typedef enum sni_commit_kind {
#define COMMIT(name, function, permission, text) SNI_COMMIT_##name,
#include "runtime/host/exec/commits.def"
#undef COMMIT
  SNI_COMMIT_KINDS
} sni_commit_kind;

/* Of a use's kind: SN_ACCESS_... or SN_PERMISSION_... without what modifies it. */
static inline uint32_t sni_use_mode(uint32_t kind)
{
  return kind & 0xff;
}

/* What accumulating by such a use comes to. */
static inline sni_commit_kind sni_use_accumulates(uint32_t kind)
{
  return kind & SN_BY_MAX ? SNI_COMMIT_MAX : kind & SN_BY_MIN ? SNI_COMMIT_MIN : SNI_COMMIT_ADD;
}

#endif
