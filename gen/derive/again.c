/* Values of the primal in what is generated: swept forward, or put again where they are used. */
#include "gen/derive/adjoint.h"
#include "gen/model/builtins.h"

/* ---- frames ---- */

void open_frame(Reverse *r, Frame *frame, Frame *outer)
{
  frame->outer = outer;
  map_init(&frame->made, r->module->arena);
  r->frame = frame;
}

void note_made(Reverse *r, const IrStmt *primal, IrStmt *made)
{
  map_put(&r->frame->made, primal, made);
}

static IrStmt *at_hand(const Reverse *r, const IrStmt *primal)
{
  IrStmt *made = NULL;

  for (const Frame *f = r->frame; f && !made; f = f->outer)
    made = map_get(&f->made, primal);
  return made;
}

IrVariable *standing_for(const Reverse *r, IrVariable *v)
{
  IrVariable *other = v ? map_get(&r->variables, v) : NULL;

  return other ? other : v;
}

/* ---- a statement once more ---- */

/* A local is another one in each sweep; the kernel's own variables stay what they are, but in a
 * serial loop that goes back, which has them as they were before it. */
static IrVariable *variable_of_copy(Reverse *r, const IrStmt *s)
{
  IrVariable *v = s->variable, *copy;

  if (s->op == IR_for_range)
    return make_index(r->module, r->function, v->name, v->type);
  if (s->op != IR_declare || (v->kind == IR_VAR_KERNEL && !r->unit))
    return standing_for(r, v);
  copy = make_hidden(r->module, r->function, IR_VAR_LOCAL,
                     ir_whole_name(r->module->arena, v->name), v->type);
  map_put(&r->variables, v, copy);
  return copy;
}

static IrVariable **index_names(Reverse *r, const IrStmt *loop)
{
  IrVariable **names = NEW_ARRAY(r->module->arena, IrVariable *, loop->variable_count + 1);

  for (int k = 0; k < loop->variable_count; k++)
    names[k] = make_index(r->module, r->function, loop->variables[k]->name,
                          loop->variables[k]->type);
  return names;
}

/* What stands in a branch of the kernel's own level is used in another one when it goes back: the
 * variable is declared before all. */
static void declare_before_all(Reverse *r, IrStmt *copy)
{
  IrVariable *v = copy->variable;
  Maker first = make_first(r->module, r->function->body, copy->loc);

  copy->op = IR_set;
  if (map_get(&r->early_variables, v))
    return;
  put_declare(&first, v, make_const(&first, v->type, 0));
  map_put(&r->early_variables, v, v);
}

/* With the operands that `again` finds, without what stands in its blocks. */
static IrStmt *put_copy(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *copy = NEW(r->module->arena, IrStmt);
  bool is_while = s->op == IR_while;

  *copy = *s;
  copy->id = -1;
  copy->operands = NULL;
  copy->operand_count = 0;
  copy->parent = NULL;
  for (int k = 0; k < s->operand_count && !is_while; k++)
    ir_add_operand(r->module, copy, again(r, s->operands[k], make));
  if (s->variable)
    copy->variable = variable_of_copy(r, s);
  copy->variables = index_names(r, s);
  put(make, copy);
  if (s->op == IR_declare && !r->unit && s->parent->owner && s->parent->owner->op == IR_if)
    declare_before_all(r, copy);
  for (int b = 0; b < 3; b++)
    if (s->blocks[b])
      copy->blocks[b] = ir_block(r->module, copy);
  note_made(r, s, copy);
  return copy;
}

/* ---- what a loop meets ---- */

/* Where the sweep that computes the statement was put. */
IrBlock *block_of_sweep(const Reverse *r, const IrStmt *primal)
{
  IrBlock *block = NULL;

  for (const IrStmt *at = primal->parent->owner; at && !block; at = at->parent->owner)
    block = map_get(&r->sweeps, at);
  return block ? block : r->unit ? r->unit_block : r->function->body;
}

static void keep_then(Reverse *r, Map *then, IrVariable *v, IrStmt *loop, Maker *make)
{
  bool is_local = r->unit != NULL;
  IrVariable *kept;
  Maker first;

  if (map_get(then, v))
    return;
  kept = make_hidden(r->module, r->function, is_local ? IR_VAR_LOCAL : IR_VAR_KERNEL,
                     ir_whole_name(r->module->arena, v->name), v->type);
  if (!v->is_hidden)
    add_kept(r->module, loop->loc,
             intern_format(r->module->arena, "keeps what '%s' is before this loop",
                           ir_whole_name(r->module->arena, v->name)));
  first = make_first(r->module, block_of_sweep(r, loop), loop->loc);
  put_declare(&first, kept, make_const(&first, v->type, 0));
  put_set(make, kept, put_get(make, standing_for(r, v)));
  map_put(then, v, kept);
}

/* A variable of the kernel that nothing sets from here on needs no copy. */
static bool is_settled(const Reverse *r, const IrVariable *v, const IrStmt *loop)
{
  const IrStmt *last = map_get(&r->changed, v);

  return v->kind == IR_VAR_KERNEL && (!last || last->id < loop->id) &&
         !map_get(&r->variables, v);
}

/* Whether the loop, when it goes back, has the variable as it met it; a loop over parallel loops
 * counts its turns, which no statement in it may need. */
static bool is_met(const Reverse *r, const IrStmt *get, IrStmt *loop)
{
  bool counts = ir_is(loop, IR_LOOPS) && !is_unit(loop) && get->parent == loop->blocks[2];

  return (r->needed[get->id] || counts) && !is_settled(r, get->variable, loop) &&
         !is_declared_in(r, get->variable, loop);
}

void keep_what_it_meets(Reverse *r, IrStmt *loop, Maker *make)
{
  Map *then = NEW(r->module->arena, Map);

  map_init(then, r->module->arena);
  map_put(&r->then, loop, then);
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if (s->op == IR_get && is_met(r, s, loop))
      keep_then(r, then, s->variable, loop, make);
}

Standing stand_in(Reverse *r, const IrStmt *loop)
{
  const Map *then = map_get(&r->then, loop);
  Standing before = { .count = r->function->local_count };

  before.variables = NEW_ARRAY(r->module->arena, IrVariable *, before.count + 1);
  for (int k = 0; k < before.count; k++) {
    IrVariable *v = r->function->locals[k], *kept = map_get(then, v);
    before.variables[k] = map_get(&r->variables, v);
    if (kept)
      map_put(&r->variables, v, kept);
  }
  return before;
}

void stand_out(Reverse *r, const Standing *before)
{
  for (int k = 0; k < before->count; k++)
    map_put(&r->variables, r->function->locals[k], before->variables[k]);
}

/* ---- forward ---- */

static void sweep_blocks(Reverse *r, IrStmt *s, IrStmt *copy, const bool *wanted, Maker *make)
{
  Frame *outer = r->frame;

  for (int b = 0; b < 3; b++) {
    Frame frame;
    Maker inner;
    if (!s->blocks[b])
      continue;
    inner = make_in(make, copy->blocks[b]);
    open_frame(r, &frame, outer);
    sweep(r, s->blocks[b], wanted, &inner);
    if (s->op == IR_while && b == 0)
      ir_add_operand(r->module, copy, again(r, s->operands[0], &inner));
    r->frame = outer;
  }
}

static bool is_kernel_loop(const Reverse *r, const IrStmt *s)
{
  return !r->unit && ir_is(s, IR_FOREACH);
}

/* Of a serial loop what it hands on to what follows it. */
static void sweep_loop(Reverse *r, IrStmt *loop, const bool *of_sweep, Maker *make)
{
  bool *wanted = wanted_behind(r, loop, of_sweep);
  IrStmt *copy;

  if (r->goes_back[loop->id])
    keep_what_it_meets(r, loop, make);
  if (!wanted)
    return;
  copy = put_copy(r, loop, make);
  map_put(&r->forward, loop, copy);
  sweep_blocks(r, loop, copy, wanted, make);
}

/* Of a parallel loop the values of the kernel's own level are no operands within. */
static void sweep_stmt(Reverse *r, IrStmt *s, const bool *wanted, Maker *make)
{
  Frame *outer = r->frame, alone;
  IrStmt *copy;

  make->loc = s->loc;
  if (r->unit && ir_is(s, IR_LOOPS)) {
    sweep_loop(r, s, wanted, make);
    return;
  }
  copy = put_copy(r, s, make);
  map_put(&r->forward, s, copy);
  if (!is_kernel_loop(r, s)) {
    sweep_blocks(r, s, copy, wanted, make);
    return;
  }
  r->unit = s;
  r->unit_block = copy->blocks[0];
  open_frame(r, &alone, NULL);
  note_made(r, s, copy);
  sweep_blocks(r, s, copy, wanted, make);
  r->frame = outer;
  r->unit = NULL;
}

void sweep(Reverse *r, const IrBlock *primal, const bool *wanted, Maker *make)
{
  for (int k = 0; k < primal->count; k++) {
    IrStmt *s = primal->stmts[k];
    bool is_index = s->op == IR_loop_index && at_hand(r, s);    /* of a turn, or at an offset */
    if (wanted[s->id] && !is_index)
      sweep_stmt(r, s, wanted, make);
  }
}

/* ---- again ---- */

/* A factorization has no value that could be kept: it is put again. */
static bool is_costly(const IrStmt *s)
{
  return s->op == IR_builtin && builtin_info[s->builtin].rule == BUILTIN_RULE_FLOAT;
}

/* Whether its value is the same wherever it is computed: fields are as the kernel left them. */
static bool is_put_again(const IrStmt *s)
{
  switch (s->op) {
  case IR_read: case IR_array_read: case IR_is_active: case IR_length:
    return true;
  default:
    return is_pure(s);
  }
}

static bool is_in_loop(const IrStmt *s)
{
  while (s && !ir_is(s, IR_LOOPS))
    s = s->parent->owner;
  return s != NULL;
}

/* Whether the unit that goes back, a serial loop, changes the variable. */
static bool unit_sets(const Reverse *r, const IrVariable *v)
{
  IrStmt *unit = (IrStmt *)(uintptr_t)r->unit;

  for (IrStmt *s = unit; s; s = ir_next_in(s, unit))
    if (s->op == IR_set && s->variable == v)
      return true;
  return false;
}

/* Of the kernel's own: what nothing sets behind it is read again; not what a serial loop that goes
 * back declares, which may do so in a branch. */
static bool stays_as_it_is(const Reverse *r, const IrStmt *get)
{
  const IrStmt *last;

  if (get->op != IR_get || get->variable->kind != IR_VAR_KERNEL ||
      (r->unit && is_declared_in(r, get->variable, r->unit)))
    return false;
  last = map_get(&r->changed, get->variable);
  return !last || last == map_get(&r->declared, get->variable) ||
         (last->id < get->id && !is_in_loop(get)) ||
         (map_get(&r->variables, get->variable) && !unit_sets(r, get->variable));
}

static void tell_kept(Reverse *r, const IrStmt *primal, bool is_local)
{
  const char *what = "this value";

  if (primal->op == IR_get && !primal->variable->is_hidden)
    what = intern_format(r->module->arena, "'%s'",
                         ir_whole_name(r->module->arena, primal->variable->name));
  add_kept(r->module, primal->loc,
           intern_format(r->module->arena, "keeps %s in a variable of the %s", what,
                         is_local ? "iteration: it is needed outside its block"
                                  : "kernel: it is needed by a loop, or behind one"));
}

/* Before it is computed it is zero. */
static IrVariable *keep(Reverse *r, IrStmt *primal)
{
  IrVariable *kept = map_get(&r->kept, primal);
  IrStmt *copy = map_get(&r->forward, primal);
  bool is_local = r->unit && unit_of(primal);       /* else a unit uses what the kernel has */
  Maker make;

  if (kept)
    return kept;
  if (!copy)
    ICE("a value that is needed was not swept: '%s'", ir_op_info[primal->op].name);
  kept = make_hidden(r->module, r->function, is_local ? IR_VAR_LOCAL : IR_VAR_KERNEL, "kept",
                     primal->type);
  tell_kept(r, primal, is_local);
  make = make_first(r->module, is_local ? block_of_sweep(r, primal) : r->function->body,
                    primal->loc);
  put_declare(&make, kept, make_const(&make, primal->type, 0));
  make = make_behind(r->module, copy);
  put_set(&make, kept, copy);
  map_put(&r->kept, primal, kept);
  return kept;
}

IrStmt *again(Reverse *r, IrStmt *primal, Maker *make)
{
  IrStmt *made = at_hand(r, primal);

  if (made)
    return made;
  if (stays_as_it_is(r, primal) || (is_put_again(primal) && !is_costly(primal)))
    return put_copy(r, primal, make);
  made = put_get(make, keep(r, primal));
  note_made(r, primal, made);
  return made;
}
