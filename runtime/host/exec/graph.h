/* The graph of tasks, where the option record_graph is set. */
#ifndef SNI_EXEC_GRAPH_H
#define SNI_EXEC_GRAPH_H

#include "runtime/host/exec/task.h"

void sni_graph_add_task(sni_task *);
void sni_graph_add_edge(const sni_task *earlier, const sni_task *later);
void sni_graph_note_end(const sni_task *);
void sni_graph_destroy(sn_engine *);

#endif
