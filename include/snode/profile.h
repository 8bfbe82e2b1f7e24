/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/profile.h: where the time goes, and the caller's own figures.
 *
 * SNODE_PROFILE=1 in the environment of any program prints the table of all its contexts when it
 * ends (snode/context.h).
 *
 * With option profile = 1 a context keeps, for each kernel, task, activation (memory made
 * for cells), list generation, garbage collection, host access and transfer: calls,
 * seconds, bytes; of the calls of a module that snodegen --profile wrote, always.  A task is
 * told by its kernel, the names of the blocks around it in the source (block "text" { }),
 * what it is, and its line.  Kept always are the statistics
 *
 *   tasks          of kernels that were run
 *   activated      cells that pointer and hash SNodes took from their node managers
 *   listgen        layers of lists that were generated
 *   listmasks      lists of which only the masks were, since their containers stood
 *   lists_reused   lists that were used as they were
 *   gc             node managers whose recycled cells were collected
 *   lines_lost     lines of print that a device's ring could not hold
 */
#ifndef SNODE_PROFILE_H
#define SNODE_PROFILE_H

#include <snode/context.h>

SN_BEGIN_DECLS

/* The profile as a table, to where kernels print: what took most first, each without what has
 * rows of its own, so that the percentages are of all time inside calls; then whole calls of
 * kernels, and the share of each kind.  A task's line stands behind its name, and the SNode whose
 * list it goes over: "step: advect: struct_for(S2dense), line 12, over cell".  How many cells of a
 * list it goes to is known on the host.  SN_ESTATE where nothing keeps a profile: without the
 * option, and before the first call of such a module. */
SN_API SN_NODISCARD int sn_profile_print(sn_context *);
/* {"rows":[{"kind":"task","name":"step: advect: struct_for(S2dense)","line":12,"calls":3,
 *           "seconds":0.25,"bytes":0,"own_seconds":0.25}, ...],"statistics":{"gc":2, ...}}
 * "line" stands with tasks, a line of the file that the kernel is in; "node" with those that go
 * over the list of an SNode, and where they are known "cells" with the "cell_seconds" that they
 * took; "own_seconds" are without what has rows of its own.  *out belongs to the context until its
 * next call.  SN_ESTATE as above. */
SN_API SN_NODISCARD int sn_profile_json(sn_context *, const char **out);

/* Adds to a sum by name; it begins at 0.  key: 1 to 63 characters. */
SN_API SN_NODISCARD int sn_stat_add(sn_context *, const char *key, double value);
/* The sum; 0 for a key that nothing was added to. */
SN_API SN_NODISCARD int sn_stat_get(sn_context *, const char *key, double *out);
/* All sums, one a line, to where kernels print. */
SN_API SN_NODISCARD int sn_stat_print(sn_context *);

SN_END_DECLS

#endif
