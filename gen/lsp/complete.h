/* What may be written at a place. */
#ifndef SNODEGEN_LSP_COMPLETE_H
#define SNODEGEN_LSP_COMPLETE_H

#include "gen/bind/json.h"
#include "gen/lsp/analysis.h"

/* Items as the protocol has them, into an open list. */
void complete_at(Analysis *, Loc, Json *);

#endif
