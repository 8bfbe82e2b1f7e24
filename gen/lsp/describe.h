/* What is told of a name: a declaration as the program would write it, and where its values lie. */
#ifndef SNODEGEN_LSP_DESCRIBE_H
#define SNODEGEN_LSP_DESCRIBE_H

#include "gen/lsp/name.h"

/* A line: "kernel f64 mass(grid g)", "field f32 x[i, j]", "pointer tile[i: 8]". */
void describe_short(Analysis *, const Name *, Text *);
/* Markdown: that, what --emit=layout says, the /// lines before it. */
void describe_long(Analysis *, const Name *, Text *);

#endif
