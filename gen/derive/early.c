/* What is computed before the kernel goes back, on its own level: the variables that it needs. */
#include "gen/derive/adjoint.h"

static void early_branch(Reverse *r, IrStmt *s, const bool *wanted, Maker *make)
{
  IrStmt *branch = put_if(make, again(r, s->operands[0], make));
  Frame *outer = r->frame;

  for (int b = 0; b < 2; b++) {
    Maker inner = make_in(make, branch->blocks[b]);
    Frame frame;
    open_frame(r, &frame, outer);
    early_block(r, s->blocks[b], wanted, &inner);
    r->frame = outer;
  }
}

static void early_stmt(Reverse *r, IrStmt *s, const bool *wanted, Maker *make)
{
  IrBlock one = { .stmts = &s, .count = 1 };

  if (r->goes_back[s->id] && ir_is(s, IR_FOREACH | IR_LOOPS))
    keep_what_it_meets(r, s, make);
  if (s->op == IR_if)
    early_branch(r, s, wanted, make);
  else
    sweep(r, &one, wanted, make);
}

void early_block(Reverse *r, const IrBlock *primal, const bool *wanted, Maker *make)
{
  for (int k = 0; k < primal->count; k++) {
    IrStmt *s = primal->stmts[k];
    if (wanted[s->id] || r->goes_back[s->id])
      early_stmt(r, s, wanted, make);
  }
}
