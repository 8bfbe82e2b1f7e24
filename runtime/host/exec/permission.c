/* What each kind of use may be and needs: of a task's permission at a block, and of a replica. */
#include "runtime/host/exec/uses.h"

const char *const sni_permission_name[] = {
  [SNI_NONE] = "nothing", [SNI_READ] = "read", [SNI_ACCUMULATE] = "accumulate",
  [SNI_ACCUMULATE_MAX] = "accumulate by max", [SNI_ACCUMULATE_MIN] = "accumulate by min",
  [SNI_WRITE] = "write"
};

const sni_kind_row sni_kind_rows[] = {
  [SN_PERMISSION_READ] = { SNI_READ, SNI_OP_TMP, 0 },
  [SN_PERMISSION_WRITE] = { SNI_WRITE, SNI_OP_TMP, 0 },
  [SN_PERMISSION_ACCUMULATE] = { SNI_ACCUMULATE, SNI_OP_TMP, SN_BY_MAX | SN_BY_MIN },
  [SN_ACCESS_READ_BUFFER] = { SNI_READ, SNI_OP_READ, 0 },
  [SN_ACCESS_WRITE_BUFFER] = { SNI_WRITE, SNI_OP_WRITE, SN_CANCELLABLE },
  [SN_ACCESS_READ_WRITE_BUFFER] = { SNI_WRITE, SNI_OP_RW, SN_CANCELLABLE },
  [SN_ACCESS_ACCUMULATE_BUFFER] = { SNI_ACCUMULATE, SNI_OP_ACC,
                                    SN_CANCELLABLE | SN_BY_MAX | SN_BY_MIN },
  [SN_ACCESS_TEMP_BUFFER] = { SNI_NONE, SNI_OP_TMP, 0 }
};

sni_permission sni_commit_needs(sni_commit_kind kind)
{
  static const sni_permission needs[] = {
#define COMMIT(name, function, permission, text) [SNI_COMMIT_##name] = SNI_##permission,
#include "runtime/host/exec/commits.def"
#undef COMMIT
  };

  return needs[kind];
}
