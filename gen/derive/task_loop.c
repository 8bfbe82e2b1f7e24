/* Loops over parallel loops go back by counting: as many turns, from the last one on.
 *
 *   declare k $lo, declare goes_on ..         (counts the turns, to where k ends)
 *   while { get goes_on } {          =>       while { get goes_on } {
 *     body                                      set k $k-1, body early, body back
 *   } next { set k $k+1, set goes_on .. }     } next { set turns $turns-1, set goes_on .. }
 */
#include "gen/derive/adjoint.h"

/* ---- counting ---- */

static IrVariable *declare_new(Reverse *r, const char *name, const Type *type, IrStmt *value,
                               Maker *make)
{
  IrVariable *v = make_hidden(r->module, r->function, IR_VAR_KERNEL, name, type);

  put_declare(make, v, value);
  return v;
}

static IrStmt *put_while(Reverse *r, Maker *make)
{
  IrStmt *loop = put(make, ir_stmt(r->module, IR_while, TY(VOID), make->loc, NULL));

  for (int b = 0; b < 3; b++)
    loop->blocks[b] = ir_block(r->module, loop);
  return loop;
}

static void put_step(const Counter *c, IrOp op, IrVariable *v, Maker *make)
{
  put_set(make, v, put_binary(make, op, put_get(make, v),
                              make_value(make, c->step->type, c->step->value)));
}

static IrStmt *is_some(IrVariable *turns, Maker *make)
{
  return put_binary(make, IR_cmp_gt, put_get(make, turns), make_const(make, TY(I64), 0));
}

/* The test again, of the variable that stands for the counter. */
static IrStmt *put_test(Reverse *r, const Counter *c, Maker *make)
{
  Frame *outer = r->frame, frame;
  IrStmt *test;

  open_frame(r, &frame, NULL);
  test = again(r, c->test, make);
  r->frame = outer;
  return test;
}

/* How many turns there were; the counter is behind the last one. */
static IrVariable *count_turns(Reverse *r, const Counter *c, IrVariable *counter, Maker *make)
{
  IrVariable *turns = declare_new(r, "turns", TY(I64), make_const(make, TY(I64), 0), make);
  IrStmt *loop = put_while(r, make);
  Maker test = make_in(make, loop->blocks[0]), body = make_in(make, loop->blocks[1]);

  ir_add_operand(r->module, loop, put_test(r, c, &test));
  put_step(c, c->op, counter, &body);
  put_set(&body, turns, put_binary(&body, IR_add, put_get(&body, turns),
                                   make_const(&body, TY(I64), 1)));
  return turns;
}

/* ---- back ---- */

static void turn_back(Reverse *r, const Counter *c, IrStmt *loop, IrVariable *counter, Maker *make)
{
  Frame *outer = r->frame, frame;

  put_step(c, c->op == IR_add ? IR_sub : IR_add, counter, make);
  open_frame(r, &frame, NULL);
  map_put(&r->blocks, loop->blocks[1], make->block);
  early_block(r, loop->blocks[1], early_in_turn(r, loop), make);
  open_frame(r, &frame, NULL);
  go_back(r, loop->blocks[1], make);
  r->frame = outer;
}

void task_loop_back(Reverse *r, IrStmt *primal, Maker *make)
{
  Standing before;
  Counter c;
  IrVariable *counter, *turns, *goes_on;
  IrStmt *loop;
  Maker test, body, next;

  if (!find_counter(primal, &c))
    ICE("a loop that cannot go back was not refused");
  add_kept(r->module, primal->loc, "goes through the turns of this loop by counting them back, and "
           "computes again in each what it needs of it");
  before = stand_in(r, primal);
  counter = declare_new(r, c.variable->name, c.variable->type,
                        put_get(make, standing_for(r, c.variable)), make);
  map_put(&r->variables, c.variable, counter);
  turns = count_turns(r, &c, counter, make);
  goes_on = declare_new(r, "goes_on", TY(BOOL), is_some(turns, make), make);
  loop = put_while(r, make);
  test = make_in(make, loop->blocks[0]);
  ir_add_operand(r->module, loop, put_get(&test, goes_on));
  body = make_in(make, loop->blocks[1]);
  turn_back(r, &c, primal, counter, &body);
  next = make_in(make, loop->blocks[2]);
  put_set(&next, turns, put_binary(&next, IR_sub, put_get(&next, turns),
                                   make_const(&next, TY(I64), 1)));
  put_set(&next, goes_on, is_some(turns, &next));
  stand_out(r, &before);
  open_frame(r, r->frame, NULL);
}
