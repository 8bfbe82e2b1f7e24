/* Loops over parallel loops go back by counting: as many turns, from the last one on.
 *
 *   declare k $lo, declare goes_on ..         (counts the turns, to where k ends)
 *   while { get goes_on } {          =>       while { get goes_on } {
 *     body                                      set k $k-1, body early, body back
 *   } next { set k $k+1, set goes_on .. }     } next { set turns $turns-1, set goes_on .. }
 */
#include "gen/derive/adjoint.h"

/* The variable that the loop counts: what follows each turn adds a constant to it. */
typedef struct Counter {
  IrVariable *variable;
  IrStmt *step;                         /* a const */
  IrOp op;                              /* add or sub */
  IrStmt *test;                         /* whether another turn follows */
} Counter;

static bool sets(const IrStmt *s)
{
  return ir_changes(s, IR_OF_LOCAL) && s->variable;
}

/* A step `k + c`, `k - c`, of k itself. */
static bool is_step_of(const IrStmt *set, Counter *c)
{
  const IrStmt *value = set->operands[0];

  if (set->op != IR_set || (value->op != IR_add && value->op != IR_sub))
    return false;
  c->variable = set->variable;
  c->step = value->operands[1];
  c->op = value->op;
  return value->operands[0]->op == IR_get && value->operands[0]->variable == set->variable &&
         is_const(value->operands[1]);
}

static bool find_counter(const IrStmt *loop, Counter *c)
{
  const IrVariable *tested = loop->operands[0]->op == IR_get ? loop->operands[0]->variable : NULL;
  const IrBlock *next = loop->blocks[2];
  int steps = 0;

  *c = (Counter){ 0 };
  for (int k = 0; tested && k < next->count; k++) {
    IrStmt *s = next->stmts[k];
    if (!sets(s))
      continue;
    if (s->variable == tested && s->op == IR_set)
      c->test = s->operands[0];
    else if (++steps > 1 || !is_step_of(s, c))
      return false;
  }
  return steps == 1 && c->test;
}

/* All else that a turn reads is its own, or no turn's. */
static bool hands_on(const Reverse *r, IrStmt *loop, const Counter *c)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if (s->op == IR_get && r->needed[s->id] && s->variable != c->variable &&
        s->variable != loop->operands[0]->variable && !is_declared_in(r, s->variable, loop) &&
        is_set_in(r, s->variable, loop))
      return true;
  return false;
}

static bool counts_elsewhere(IrStmt *loop, const Counter *c)
{
  const IrBlock *body = loop->blocks[1];

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (sets(s) && s->variable == c->variable)
      return true;
  return false;
}

bool can_go_back(const Reverse *r, IrStmt *loop)
{
  Counter c;

  return find_counter(loop, &c) && !counts_elsewhere(loop, &c) && !hands_on(r, loop, &c);
}

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
  const Map *then = map_get(&r->then, primal);
  Counter c;
  IrVariable *counter, *turns, *goes_on;
  IrStmt *loop;
  Maker test, body, next;

  if (!find_counter(primal, &c))
    ICE("a loop that cannot go back was not refused");
  stand_in(r, then);
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
  map_put(&r->variables, c.variable, NULL);
  stand_out(r, then);
  open_frame(r, r->frame, NULL);
}
