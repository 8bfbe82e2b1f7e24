/* A refusal, noted with its lines. */
#include "gen/derive/refuse.h"

void refuse(Refusal *f, const IrStmt *at, const char *text, const IrStmt *other,
            const char *note)
{
  add_underived(f->r->module, f->r->function, at->loc, text, other ? other->loc : (Loc){ 0 },
                note);
  f->found = true;
}
