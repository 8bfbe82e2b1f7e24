/* What a task left in the status of the launch record, as the error of the call. */
#ifndef SNI_TREE_STATUS_H
#define SNI_TREE_STATUS_H

#include "runtime/host/tree/call.h"

void sni_status_text(const sn_call *, char *text, size_t bytes);

#endif
