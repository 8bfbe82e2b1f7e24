/* The lines that tasks wait in.  All with the lock held. */
#ifndef SNI_EXEC_LINE_H
#define SNI_EXEC_LINE_H

#include "runtime/host/exec/task.h"

void sni_line_push(sni_line *, sni_task *);
void sni_line_push_ahead(sni_line *, sni_task *);              /* of those of its priority */
sni_task *sni_line_remove(sni_line *, sni_task *before);       /* the one behind; NULL: the head */

#endif
