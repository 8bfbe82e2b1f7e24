/* Parallel loops, and serial loops of the kernel's own level, go back: each as a task. */
#include "gen/derive/adjoint.h"

/* What the loop sets becomes a local that begins as the variable was. */
static void declare_what_it_sets(Reverse *r, IrStmt *loop, Maker *make)
{
  Map done;

  map_init(&done, r->module->arena);
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop)) {
    IrVariable *v = s->variable, *local;
    if (s->op != IR_set || !r->needed[s->id] || map_get(&done, v) || is_declared_in(r, v, loop))
      continue;
    local = make_hidden(r->module, r->function, IR_VAR_LOCAL,
                        ir_whole_name(r->module->arena, v->name), v->type);
    put_declare(make, local, put_get(make, standing_for(r, v)));
    map_put(&done, v, v);
    map_put(&r->variables, v, local);
  }
}

static IrStmt *put_loop(Reverse *r, IrStmt *loop, Maker *make)
{
  IrStmt *copy = ir_stmt(r->module, loop->op, TY(VOID), loop->loc, NULL);

  for (int k = 0; k < loop->operand_count; k++)
    ir_add_operand(r->module, copy, again(r, loop->operands[k], make));
  copy->field = loop->field;
  copy->snode = loop->snode;
  copy->slot = loop->slot;
  copy->manner = loop->manner;
  copy->variable_count = loop->variable_count;
  copy->variables = NEW_ARRAY(r->module->arena, IrVariable *, loop->variable_count + 1);
  for (int k = 0; k < loop->variable_count; k++)
    copy->variables[k] = make_index(r->module, r->function, loop->variables[k]->name,
                                    loop->variables[k]->type);
  put(make, copy);
  copy->blocks[0] = ir_block(r->module, copy);
  return copy;
}

/* A serial loop of the kernel's own: in locals of its own, in one task. */
void serial_unit_back(Reverse *r, IrStmt *loop, Maker *make)
{
  IrStmt *alone = put_if(make, make_const(make, TY(BOOL), 1));
  IrBlock one = { .stmts = &loop, .count = 1 };
  Maker inner = make_in(make, alone->blocks[0]);
  Standing before;
  Frame *outer = r->frame, frame;

  open_frame(r, &frame, NULL);
  r->unit = loop;
  r->unit_block = inner.block;
  before = stand_in(r, loop);
  declare_what_it_sets(r, loop, &inner);
  sweep(r, &one, r->needed, &inner);
  loop_back(r, loop, &inner);
  stand_out(r, &before);
  r->unit = NULL;
  r->frame = outer;
}

void foreach_back(Reverse *r, IrStmt *loop, Maker *make)
{
  IrStmt *copy = put_loop(r, loop, make);
  Maker inner = make_in(make, copy->blocks[0]);
  Standing before;
  Frame *outer = r->frame, frame;

  open_frame(r, &frame, NULL);
  note_made(r, loop, copy);
  r->unit = loop;
  r->unit_block = copy->blocks[0];
  r->is_parallel = true;
  before = stand_in(r, loop);
  map_put(&r->blocks, loop->blocks[0], copy->blocks[0]);
  map_put(&r->sweeps, loop, copy->blocks[0]);
  sweep(r, loop->blocks[0], r->needed, &inner);
  go_back(r, loop->blocks[0], &inner);
  stand_out(r, &before);
  r->unit = NULL;
  r->is_parallel = false;
  r->frame = outer;
  if (inner.block->count == 0)
    ir_remove(copy);
  open_frame(r, outer, NULL);           /* another task: nothing is at hand */
}
