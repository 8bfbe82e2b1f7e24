/* --lsp: a server of the language server protocol (3.16) over two streams. */
#ifndef SNODEGEN_LSP_LSP_H
#define SNODEGEN_LSP_LSP_H

#include "gen/options.h"

/* Until the client sends exit, or the input ends.  The exit status as the protocol has it: 0 after
 * a shutdown, else 1.  Options of the command hold for each text: -I, -D, -W and the like. */
int lsp_serve(const Options *, FILE *in, FILE *out);

#endif
