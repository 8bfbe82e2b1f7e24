/* A refusal, noted with its lines. */
#include "gen/derive/refuse.h"

void refuse(Refusal *f, const IrStmt *at, const char *text, const IrStmt *other,
            const char *note)
{
  add_underived(f->r->module, f->r->function, at->loc, text, other ? other->loc : (Loc){ 0 },
                note);
  f->found = true;
}

const char *say(const Refusal *f, const char *text, const char *name)
{
  Arena *arena = f->r->module->arena;

  return intern_format(arena, text, ir_whole_name(arena, name));
}
