/* Serial loops go back turn by turn, from the last one on.
 *
 * Each turn is swept forward again, from the variables as it met them.  Those are saved while the
 * loop runs forward, in as many places as there are; when they are full every second one is given
 * up, and the turns in between are swept from the one before:
 *
 *   for_range n 0 $count {                      turn = count - 1 - n
 *     $v = restore v $place                     place = turn / stride
 *     for_range at $place*stride $turn+1 {      sweeps up to the turn
 *       (forward)
 *       if at == turn { (back) }
 *     }
 *   }
 *
 * A loop over a range that hands nothing on from turn to turn is swept turn by turn alone.
 */
#include "gen/derive/adjoint.h"

#include <string.h>

/* What a loop hands on, and where it is saved. */
typedef struct Turns {
  IrStmt *loop;
  IrBlock *body;
  const Type *type;                     /* of its index, or of the counter */
  IrVariable **variables, **saved;      /* of the primal */
  int count;
  IrVariable *turns, *stride;           /* so far; how many between places */
} Turns;

/* ---- what is handed on ---- */

static bool is_noted(const Turns *t, const IrVariable *v)
{
  for (int k = 0; k < t->count; k++)
    if (t->variables[k] == v)
      return true;
  return false;
}

static bool tests(const IrStmt *loop, const IrVariable *v)
{
  return loop->op == IR_while && loop->operands[0]->variable == v;
}

/* What the loop sets and what it met before. */
static void note_handed_on(Reverse *r, Turns *t)
{
  int saved = 0;

  for (IrStmt *s = t->loop; s; s = ir_next_in(s, t->loop)) {
    IrVariable *v = s->variable;
    if (s->op != IR_set || !r->needed[s->id] || is_noted(t, v) || tests(t->loop, v) ||
        is_declared_in(r, v, t->loop))
      continue;
    vec_push(r->module->arena, t->variables, t->count, v);
    vec_push(r->module->arena, t->saved, saved,
             make_hidden(r->module, r->function, IR_VAR_LOCAL,
                         intern_format(r->module->arena, "%s_saved", v->name), v->type));
    t->saved[saved - 1]->places = IR_SAVED_PLACES;
  }
}

static void reserve_places(Reverse *r, const Turns *t)
{
  Maker make = make_first(r->module, block_of_sweep(r, t->loop), t->loop->loc);

  for (int k = 0; k < t->count; k++) {
    IrStmt *s = ir_stmt(r->module, IR_reserve, TY(VOID), make.loc, NULL);
    s->variable = t->saved[k];
    put(&make, s);
  }
}

/* ---- forward: saving ---- */

static IrStmt *put_save(Maker *make, IrVariable *saved, IrStmt *place, IrStmt *value)
{
  IrStmt *s = ir_stmt(make->module, IR_save, TY(VOID), make->loc, place, value, NULL);

  s->variable = saved;
  return put(make, s);
}

static IrStmt *put_restore(Maker *make, IrVariable *saved, IrStmt *place)
{
  IrStmt *s = ir_stmt(make->module, IR_restore, saved->type, make->loc, place, NULL);

  s->variable = saved;
  return put(make, s);
}

/* Places 0, 2, 4 ... become 0, 1, 2 ... */
static void thin_out(Reverse *r, const Turns *t, Maker *make)
{
  IrStmt *loop, *place, *twice;
  Maker inner;

  loop = ir_stmt(r->module, IR_for_range, TY(VOID), make->loc, make_const(make, TY(I32), 0),
                 make_const(make, TY(I32), IR_SAVED_PLACES / 2), NULL);
  loop->variable = make_index(r->module, r->function, "place", TY(I32));
  put(make, loop);
  loop->blocks[0] = ir_block(r->module, loop);
  inner = make_in(make, loop->blocks[0]);
  place = put(&inner, ir_stmt(r->module, IR_loop_index, TY(I32), make->loc, loop, NULL));
  twice = put_binary(&inner, IR_add, place, place);
  for (int k = 0; k < t->count; k++)
    put_save(&inner, t->saved[k], place, put_restore(&inner, t->saved[k], twice));
  put_set(make, t->stride, put_binary(make, IR_mul, put_get(make, t->stride),
                                      make_const(make, t->type, 2)));
}

static IrStmt *place_of(const Turns *t, IrStmt *turn, Maker *make)
{
  return make_cast(make, TY(I32), put_binary(make, IR_div, turn, put_get(make, t->stride)));
}

/* At the beginning of a turn of the sweep; at its end the turn is counted. */
static void save_turn(Reverse *r, const Turns *t, IrStmt *copy)
{
  IrBlock *body = copy->op == IR_while ? copy->blocks[1] : copy->blocks[0];
  Maker make = make_first(r->module, body, copy->loc), full, inner;
  IrStmt *rest = put_binary(&make, IR_mod, put_get(&make, t->turns), put_get(&make, t->stride));
  IrStmt *due = put_if(&make, put_binary(&make, IR_cmp_eq, rest, make_const(&make, t->type, 0)));
  IrStmt *place;

  inner = make_in(&make, due->blocks[0]);
  place = place_of(t, put_get(&inner, t->turns), &inner);
  full = make_in(&inner, put_if(&inner, put_binary(&inner, IR_cmp_eq, place,
                                  make_const(&inner, TY(I32), IR_SAVED_PLACES)))->blocks[0]);
  thin_out(r, t, &full);
  place = place_of(t, put_get(&inner, t->turns), &inner);
  for (int k = 0; k < t->count; k++)
    put_save(&inner, t->saved[k], place,
             put_get(&inner, standing_for(r, t->variables[k])));
  make = (Maker){ .module = r->module, .block = body, .loc = copy->loc, .site = -1 };
  put_set(&make, t->turns, put_binary(&make, IR_add, put_get(&make, t->turns),
                                      make_const(&make, t->type, 1)));
}

static IrVariable *declare_first(Reverse *r, const Turns *t, const char *name, int64_t value)
{
  IrVariable *v = make_hidden(r->module, r->function, IR_VAR_LOCAL, name, t->type);
  Maker make = make_first(r->module, block_of_sweep(r, t->loop), t->loop->loc);

  put_declare(&make, v, make_const(&make, t->type, value));
  return v;
}

static void count_turns(Reverse *r, Turns *t)
{
  IrStmt *copy = map_get(&r->forward, t->loop);

  reserve_places(r, t);
  t->turns = declare_first(r, t, "turns", 0);
  t->stride = declare_first(r, t, "stride", 1);
  save_turn(r, t, copy);
}

/* ---- back ---- */

static IrStmt *put_range(Reverse *r, const Type *type, const char *name, IrStmt *lo, IrStmt *hi,
                         Maker *make, IrStmt **index, Maker *inner)
{
  IrStmt *loop = ir_stmt(r->module, IR_for_range, TY(VOID), make->loc, lo, hi, NULL);

  loop->variable = make_index(r->module, r->function, name, type);
  put(make, loop);
  loop->blocks[0] = ir_block(r->module, loop);
  *inner = make_in(make, loop->blocks[0]);
  *index = put(inner, ir_stmt(r->module, IR_loop_index, type, make->loc, loop, NULL));
  return loop;
}

/* The statements of a range that name its index find it so. */
static void note_index(Reverse *r, const Turns *t, IrStmt *index)
{
  for (IrStmt *s = t->loop; s; s = ir_next_in(s, t->loop))
    if (s->op == IR_loop_index && s->operands[0] == t->loop)
      note_made(r, s, index);
}

static void sweep_turn(Reverse *r, const Turns *t, Maker *make)
{
  map_put(&r->sweeps, t->loop, make->block);
  sweep(r, t->body, r->needed, make);
}

static void back_in(Reverse *r, const Turns *t, Maker *make)
{
  map_put(&r->blocks, t->body, make->block);
  go_back(r, t->body, make);
}

/* Nothing is handed on: turn hi - 1, hi - 2 ... lo. */
static void range_back(Reverse *r, const Turns *t, Maker *make)
{
  IrStmt *lo = again(r, t->loop->operands[0], make), *hi = again(r, t->loop->operands[1], make);
  IrStmt *n, *index;
  Frame *outer = r->frame, frame;
  Maker inner;

  put_range(r, t->type, "turn", make_const(make, t->type, 0), put_binary(make, IR_sub, hi, lo),
            make, &n, &inner);
  index = put_binary(&inner, IR_sub, hi, make_const(&inner, t->type, 1));
  index = put_binary(&inner, IR_sub, index, n);
  open_frame(r, &frame, outer);
  note_index(r, t, index);
  sweep_turn(r, t, &inner);
  back_in(r, t, &inner);
  r->frame = outer;
}

static void restore_turn(Reverse *r, const Turns *t, IrStmt *place, Maker *make)
{
  for (int k = 0; k < t->count; k++) {
    IrVariable *v = make_hidden(r->module, r->function, IR_VAR_LOCAL, t->variables[k]->name,
                                t->variables[k]->type);
    put_declare(make, v, put_restore(make, t->saved[k], place));
    map_put(&r->variables, t->variables[k], v);
  }
  if (t->loop->op == IR_while) {
    IrVariable *v = make_hidden(r->module, r->function, IR_VAR_LOCAL, "goes_on", TY(BOOL));
    put_declare(make, v, make_const(make, TY(BOOL), 1));
    map_put(&r->variables, t->loop->operands[0]->variable, v);
  }
}

static void turns_back(Reverse *r, const Turns *t, Maker *make)
{
  IrStmt *turn, *place, *at, *first, *last, *branch, *end = put_get(make, t->turns);
  Frame *outer = r->frame, frame, inside;
  Maker each, sweeps, back;

  put_range(r, t->type, "n", make_const(make, t->type, 0), end, make, &turn, &each);
  turn = put_binary(&each, IR_sub, put_binary(&each, IR_sub, end, make_const(&each, t->type, 1)),
                    turn);
  place = place_of(t, turn, &each);
  restore_turn(r, t, place, &each);
  first = put_binary(&each, IR_mul, make_cast(&each, t->type, place), put_get(&each, t->stride));
  last = put_binary(&each, IR_add, turn, make_const(&each, t->type, 1));
  put_range(r, t->type, "turn", first, last, &each, &at, &sweeps);
  open_frame(r, &frame, outer);
  if (t->loop->op == IR_for_range)
    note_index(r, t, put_binary(&sweeps, IR_add, again(r, t->loop->operands[0], &sweeps), at));
  sweep_turn(r, t, &sweeps);
  branch = put_if(&sweeps, put_binary(&sweeps, IR_cmp_eq, at, turn));
  back = make_in(&sweeps, branch->blocks[0]);
  open_frame(r, &inside, &frame);
  back_in(r, t, &back);
  r->frame = outer;
}

static Turns turns_of(Reverse *r, IrStmt *loop)
{
  Turns t = { .loop = loop };

  t.body = loop->op == IR_while ? loop->blocks[1] : loop->blocks[0];
  t.type = loop->op == IR_while ? TY(I32) : loop->variable->type;
  note_handed_on(r, &t);
  return t;
}

/* A loop in a unit: its sweep stands before, in the same iteration. */
static void turn_back(Reverse *r, const Turns *t, Maker *make)
{
  const Standing before = stand_in(r, t->loop);

  if (t->turns)
    turns_back(r, t, make);
  else
    range_back(r, t, make);
  stand_out(r, &before);
}

/* What the program calls it; what the pass has made has no name. */
static const char *add_name(Reverse *r, const char *list, const IrVariable *v)
{
  const char *name = ir_whole_name(r->module->arena, v->name);
  const char *quoted = intern_format(r->module->arena, "'%s'", name);

  if (v->is_hidden || strstr(list, quoted))
    return list;
  return intern_format(r->module->arena, "%s%s%s", list, *list ? ", " : "", quoted);
}

static void tell(Reverse *r, const Turns *t)
{
  const char *names = "";

  for (int k = 0; k < t->count; k++)
    names = add_name(r, names, t->variables[k]);
  if (t->count > 0)
    add_kept(r->module, t->loop->loc,
             intern_format(r->module->arena, "saves %s at each turn of this loop, in %d places: of "
                           "more turns some are computed again, from one that was saved",
                           *names ? names : "how it goes on", IR_SAVED_PLACES));
  else
    add_kept(r->module, t->loop->loc, "computes each turn of this loop again, from the last one "
                                      "on, and saves nothing of it");
}

void loop_back(Reverse *r, IrStmt *loop, Maker *make)
{
  Turns t;

  if (!r->unit && is_unit(loop)) {
    serial_unit_back(r, loop, make);
    return;
  }
  if (!r->unit) {
    task_loop_back(r, loop, make);
    return;
  }
  t = turns_of(r, loop);
  tell(r, &t);
  if (t.count > 0)
    count_turns(r, &t);
  turn_back(r, &t, make);
}
