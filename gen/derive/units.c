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

/* Whether something that outlives an iteration is changed. */
static bool has_effect(const IrBlock *block)
{
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    if (ir_changes(s, IR_OF_FIELD) || (s->op == IR_update && s->variable->kind == IR_VAR_KERNEL))
      return true;
  return false;
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

/* Puts a loop like the primal one; what its iteration does comes from `fill`. */
static void put_task(Reverse *r, IrStmt *primal, Maker *make,
                     void (*fill)(Reverse *, IrStmt *primal, IrStmt *loop, Maker *))
{
  IrStmt *loop = put_loop(r, primal, make);
  Maker inner = make_in(make, loop->blocks[0]);
  Frame *outer = r->frame, frame;
  Standing before;

  open_frame(r, &frame, NULL);
  r->unit = primal;
  r->unit_block = loop->blocks[0];
  r->is_parallel = true;
  before = stand_in(r, primal);
  fill(r, primal, loop, &inner);
  stand_out(r, &before);
  r->unit = NULL;
  r->is_parallel = false;
  open_frame(r, outer, NULL);           /* behind a task nothing is at hand */
  if (!has_effect(inner.block))
    ir_remove(loop);
}

static void iteration_back(Reverse *r, IrStmt *primal, IrStmt *loop, Maker *make)
{
  note_made(r, primal, loop);
  map_put(&r->blocks, primal->blocks[0], make->block);
  map_put(&r->sweeps, primal, make->block);
  sweep(r, primal->blocks[0], r->needed, make);
  go_back(r, primal->blocks[0], make);
}

void foreach_back(Reverse *r, IrStmt *loop, Maker *make)
{
  if (find_gathered(r, loop))
    put_task(r, loop, make, gather);
  put_task(r, loop, make, iteration_back);
}
