/* What the environment asks for at the end of the process: the profile of all contexts in one table
 * (SNODE_PROFILE), and one trace of all of them (SNODE_TRACE).
 *
 * This is all that the library keeps for the process, and only where one of these variables is set.
 * It is written when the process ends by exit or by the return of main, once, for contexts that are
 * destroyed by then and for those that are not.  The child of a fork begins with nothing: it tells
 * of the contexts that it makes itself.
 */
#ifndef SNI_BASE_AT_END_H
#define SNI_BASE_AT_END_H

#include "runtime/host/base/context.h"

/* The context has been made; it is being destroyed, with its profile as it is in the end. */
void sni_report_begin(sn_context *);
void sni_report_end(sn_context *);

/* The context is being bound, and has a trace: the process's (trace_is_shared), where the path is
 * the environment's and the first one that was.  0, or errno: the file cannot be had. */
int sni_report_trace(sn_context *);
/* What the context's trace has goes into the process's, whose file is written when no other context
 * adds to it.  0, or errno. */
int sni_report_end_trace(sn_context *);

#endif
