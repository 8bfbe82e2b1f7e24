/* What the host decides between the tasks of a kernel: the part of split that is about
 * `if`, `while` and the ways out of them.
 *
 *   if $7 {                      $5 = offloaded serial { set test $7 }
 *     foreach_node u grid {..}   $6 = get test
 *   } else {              =>     if $6 {
 *   }                              $8 = offloaded clear_list ..
 *                                } else {
 *                                }
 *
 * A condition is computed by a serial task, which leaves it in a kernel-level variable.
 * A statement without a task in it that can leave what is around it stays in its serial
 * task: it ends that and says by a variable which way to go, and the host goes there.
 */
#include "gen/passes/split.h"

#include <stddef.h>

/* ---- questions ---- */

bool split_holds_task(IrStmt *whole)
{
  for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
    if (ir_is(s, IR_FOREACH) || s->op == IR_deactivate_all)
      return true;
  return false;
}

/* The ways out of a serial statement. */
static const struct { IrOp op; const char *name; } ways[] = {
  { IR_break, "breaks" }, { IR_continue, "continues" }, { IR_return, "returns" }
};
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct Jumps {
  Arena *arena;
  IrStmt **stmts;
  int count;
} Jumps;

static int way_of(const IrStmt *jump)
{
  for (int w = 0; w < WAYS; w++)
    if (ways[w].op == jump->op)
      return w;
  ICE("'%s' leads nowhere", ir_op_info[jump->op].name);
}

/* The jumps in s out of it: the loops in s have breaks and continues of their own. */
static void find_jumps(IrStmt *s, bool in_loop, Jumps *j)
{
  if (ir_is(s, IR_JUMPS) && (!in_loop || s->op == IR_return))
    vec_push(j->arena, j->stmts, j->count, s);
  in_loop = in_loop || ir_is(s, IR_LOOPS);
  for (int b = 0; b < IR_BLOCKS; b++)
    for (int k = 0; s->blocks[b] && k < s->blocks[b]->count; k++)
      find_jumps(s->blocks[b]->stmts[k], in_loop, j);
}

bool split_leaves_to_host(const Split *split, IrStmt *s)
{
  Jumps j = { .arena = split->module->arena };

  find_jumps(s, false, &j);
  return j.count > 0;
}

/* ---- tests ---- */

/* The value of a kernel-level variable that was read last of all may be read by the host
 * itself; what else is tested goes through one of its own. */
static IrVariable *tested_variable(Split *split, IrStmt *value)
{
  IrBlock *b = split_serial(split, value->loc);
  bool is_variable = value->op == IR_get && value->variable->kind == IR_VAR_KERNEL;
  IrStmt *set;

  if (is_variable && b->count > 0 && b->stmts[b->count - 1] == value)
    return value->variable;
  set = ir_stmt(split->module, IR_set, TY(VOID), value->loc, value, NULL);
  set->variable = make_hidden(split->module, split->kernel, IR_VAR_KERNEL, "test", TY(BOOL));
  ir_append(split->module, b, set);
  return set->variable;
}

static IrStmt *put_get(Split *split, IrVariable *variable, Loc loc)
{
  IrStmt *get = ir_stmt(split->module, IR_get, variable->type, loc, NULL);

  get->variable = variable;
  ir_append(split->module, split->body, get);
  return get;
}

/* ---- if and while ---- */

/* Cuts a block of the old statement into one of the new. */
static void split_into(Split *split, IrStmt *to, int which, IrBlock *old)
{
  Split inner = { .module = split->module, .kernel = split->kernel };

  inner.body = to->blocks[which] = ir_block(split->module, to);
  split_block(&inner, old);
}

static void split_if(Split *split, IrStmt *s)
{
  IrVariable *tested = tested_variable(split, s->operands[0]);
  IrStmt *branch;

  split_end_serial(split);
  branch = ir_stmt(split->module, IR_if, TY(VOID), s->loc, put_get(split, tested, s->loc), NULL);
  ir_append(split->module, split->body, branch);
  split_into(split, branch, 0, s->blocks[0]);
  split_into(split, branch, 1, s->blocks[1]);
}

/* What it tests is all of its block 0 already. */
static void split_while(Split *split, IrStmt *s)
{
  IrStmt *loop = ir_stmt(split->module, IR_while, TY(VOID), s->loc, s->operands[0], NULL);

  split_end_serial(split);
  ir_append(split->module, split->body, loop);
  loop->blocks[0] = s->blocks[0];
  loop->blocks[0]->owner = loop;
  split_into(split, loop, 1, s->blocks[1]);
  split_into(split, loop, 2, s->blocks[2]);
}

void split_control(Split *split, IrStmt *s)
{
  if (s->op == IR_if)
    split_if(split, s);
  else if (s->op == IR_while)
    split_while(split, s);
  else
    ICE("line %d: a task cannot stand in a '%s'", s->loc.line, ir_op_info[s->op].name);
}

/* ---- jumps ---- */

typedef struct Leaving {
  Split *split;
  IrVariable *by[WAYS];       /* says that the way is taken; NULL: no jump takes it */
} Leaving;

static IrStmt *new_set(Split *split, IrVariable *variable, IrStmt *value)
{
  IrStmt *set = ir_stmt(split->module, IR_set, TY(VOID), value->loc, value, NULL);

  set->variable = variable;
  return set;
}

/* The jump ends the task. */
static void mark_jump(Leaving *l, IrStmt *jump)
{
  Maker make = make_before(l->split->module, jump);
  IrVariable *by = l->by[way_of(jump)];

  put(&make, new_set(l->split, by, make_const(&make, TY(BOOL), 1)));
  jump->op = IR_return;
}

static void begin_way(Leaving *l, int way, Loc loc)
{
  Split *split = l->split;
  Maker make = { .module = split->module, .block = split_serial(split, loc), .loc = loc };

  l->by[way] = make_hidden(split->module, split->kernel, IR_VAR_KERNEL, ways[way].name, TY(BOOL));
  put(&make, new_set(split, l->by[way], make_const(&make, TY(BOOL), 0)));
}

/* if (by) break; */
static void take_way(Leaving *l, int way, Loc loc)
{
  Split *split = l->split;
  IrModule *m = split->module;
  IrStmt *branch = ir_stmt(m, IR_if, TY(VOID), loc, put_get(split, l->by[way], loc), NULL);

  branch->blocks[0] = ir_block(m, branch);
  branch->blocks[1] = ir_block(m, branch);
  ir_append(m, branch->blocks[0], ir_stmt(m, ways[way].op, TY(VOID), loc, NULL));
  ir_append(m, split->body, branch);
}

void split_leaving(Split *split, IrStmt *s)
{
  Jumps j = { .arena = split->module->arena };
  Leaving l = { .split = split };

  find_jumps(s, false, &j);
  for (int k = 0; k < j.count; k++)
    if (!l.by[way_of(j.stmts[k])])
      begin_way(&l, way_of(j.stmts[k]), s->loc);
  for (int k = 0; k < j.count; k++)
    mark_jump(&l, j.stmts[k]);
  ir_append(split->module, split_serial(split, s->loc), s);
  split_end_serial(split);
  for (int w = 0; w < WAYS; w++)
    if (l.by[w])
      take_way(&l, w, s->loc);
}
