/* What kernels print. */
#ifndef SNI_TREE_PRINT_H
#define SNI_TREE_PRINT_H

#include "runtime/host/tree/call.h"

/* A record by its site; the host's tasks call it from their threads. */
void sni_print_host(void *call, const uint64_t *record);
/* The site's text with its arguments, a word each, cut to bytes. */
void sni_site_text(const snd_site *, const uint64_t *words, uint64_t count, char *text,
                   size_t bytes);
/* Prints and empties what a device left in the ring. */
void sni_print_ring(sn_call *);
int sni_prints(const sn_module *);

#endif
