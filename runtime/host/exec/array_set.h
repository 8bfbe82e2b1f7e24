/* The arrays that a context of an engine owns. */
#ifndef SNI_EXEC_ARRAY_SET_H
#define SNI_EXEC_ARRAY_SET_H

#include "runtime/host/exec/node.h"

typedef struct sni_array_entry {
  struct sni_array_entry *next;
  sni_array *array;
} sni_array_entry;

struct sni_array_set {
  sn_context *context;
  sn_engine *engine;
  sn_unit *unit;
  sni_array_set *parent, *root;  /* root: itself, without a parent */
  sni_array_set *next;           /* of the engine's */
  int children;
  char name[2 * SNI_NAME];
  sni_array_entry *own;
  sn_routine *routines;          /* linked into it */
};

/* NULL, with the error's text: the context belongs to no engine. */
sni_array_set *sni_array_set_of(const sn_context *);
/* linking held.  The array that it or one above holds; NULL: none. */
sni_array *sni_array_set_find(const sni_array_set *, const sn_node *);
/* linking held.  As sn_context_add; who: the provenance of what this tells about the node. */
int sni_array_set_add(sni_array_set *, sn_node *, const char *who);
/* linking held.  Takes back the newest one. */
void sni_array_set_drop(sni_array_set *);
/* linking held. */
int sni_context_create_below(sni_array_set *parent, const char *name, sn_context **out);
/* SN_OK, or SN_EINVAL: the queue is not on the set's unit. */
int sni_array_set_check_queue(const sni_array_set *, const sn_queue *, const char *what);

#endif
