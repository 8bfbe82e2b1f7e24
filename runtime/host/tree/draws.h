/* The random numbers of a call. */
#ifndef SNI_TREE_DRAWS_H
#define SNI_TREE_DRAWS_H

#include "runtime/host/tree/call.h"

/* Whether a task of the kernel draws; where calls of it that do are counted. */
int sni_draws(const sn_kernel_info *);
uint64_t *sni_draws_count(sn_context *, const sn_kernel_info *, sn_tree *const *trees);

/* Counts the call where the kernel draws random numbers, and writes its key into
 * the launch record; before a task that draws: its number, which the device is told
 * (SN_EDEVICE). */
void sni_draws_begin(sn_call *);
int sni_draws_next(sn_call *);

/* A number whose bits have little to do with each other's: of another one, another one. */
uint64_t sni_mixed(uint64_t);

#endif
