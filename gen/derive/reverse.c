/* reverse: a kernel becomes its adjoint.
 *
 *   kernel f64 energy(tree g g) {          kernel void energy_grad(tree g g, f64 adjoint) {
 *     declare s 0                            declare s_bar $adjoint
 *     foreach_node u g [i] {                 foreach_node u g [i] {
 *       $1 = read u g $i                       $1 = read u g $i
 *       $2 = mul $1 $1               =>        $2 = get s_bar
 *       update s add $2                        $3 = mul $1 $2
 *     }                                        $4 = add $3 $3
 *     $3 = get s                               atomic u_grad g add $i $4 if_active
 *     set result $3                          }
 *   }                                      }
 *
 * Needs: the module as written; kernels with the derivation `reverse`, which call no function.
 * Guarantees: they have none; a field is as it was before, but for those that hold adjoints; no
 * cell becomes active or inactive.
 */
#include "gen/derive/adjoint.h"

/* ---- early: the kernel's own level ---- */

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

/* ---- units ---- */

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
  const Map *then = map_get(&r->then, loop);
  Frame *outer = r->frame, frame;

  open_frame(r, &frame, NULL);
  r->unit = loop;
  r->unit_block = inner.block;
  stand_in(r, then);
  declare_what_it_sets(r, loop, &inner);
  sweep(r, &one, r->needed, &inner);
  loop_back(r, loop, &inner);
  stand_out(r, then);
  r->unit = NULL;
  r->frame = outer;
}

void foreach_back(Reverse *r, IrStmt *loop, Maker *make)
{
  IrStmt *copy = put_loop(r, loop, make);
  Maker inner = make_in(make, copy->blocks[0]);
  const Map *then = map_get(&r->then, loop);
  Frame *outer = r->frame, frame;

  open_frame(r, &frame, NULL);
  note_made(r, loop, copy);
  r->unit = loop;
  r->unit_block = copy->blocks[0];
  r->is_parallel = true;
  stand_in(r, then);
  map_put(&r->blocks, loop->blocks[0], copy->blocks[0]);
  map_put(&r->sweeps, loop, copy->blocks[0]);
  sweep(r, loop->blocks[0], r->needed, &inner);
  go_back(r, loop->blocks[0], &inner);
  stand_out(r, then);
  r->unit = NULL;
  r->is_parallel = false;
  r->frame = outer;
  if (inner.block->count == 0)
    ir_remove(copy);
  open_frame(r, outer, NULL);           /* another task: nothing is at hand */
}

/* ---- the kernel ---- */

/* Behind its declaration the result's adjoint is the parameter's. */
static void declare_result_bars(Reverse *r, Maker *make)
{
  IrFunction *f = r->function;

  for (int k = 0; k < f->result_count; k++) {
    IrVariable *v = f->results[k], *bar;
    IrStmt *adjoint = ir_stmt(r->module, IR_param, v->type, f->loc, NULL);
    adjoint->variable = f->params[f->param_count - f->result_count + k];
    put(make, adjoint);
    bar = make_hidden(r->module, f, IR_VAR_KERNEL,
                      intern_format(r->module->arena, "%s_bar", v->name), bar_type(v->type));
    put_declare(make, bar, make_cast(make, bar->type, adjoint));
    map_put(&r->bar_variables, v, bar);
  }
}

static void note_variables(Reverse *r)
{
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal)) {
    if (s->op == IR_declare && !map_get(&r->declared, s->variable))
      map_put(&r->declared, s->variable, s);
    if (ir_changes(s, IR_OF_LOCAL) && s->variable)
      map_put(&r->changed, s->variable, s);
  }
}

static void init(Reverse *r, IrModule *m, IrFunction *f)
{
  Map *const maps[] = { &r->varied_variables, &r->changed, &r->declared, &r->forward, &r->kept,
                        &r->variables, &r->bars, &r->bar_variables, &r->blocks, &r->sweeps,
                        &r->then };

  *r = (Reverse){ .module = m, .function = f, .primal = f->body };
  for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
    map_init(maps[k], m->arena);
  r->ids = give_ids(f) + 1;
  r->varied = NEW_ARRAY(m->arena, bool, r->ids);
  r->needed = NEW_ARRAY(m->arena, bool, r->ids);
  r->early = NEW_ARRAY(m->arena, bool, r->ids);
  r->goes_back = NEW_ARRAY(m->arena, bool, r->ids);
  note_variables(r);
}

static void generate(Reverse *r)
{
  IrFunction *f = r->function;
  Maker make = { .module = r->module, .loc = f->loc, .site = -1 }, second = make;
  Frame early, back;

  f->body = make.block = ir_block(r->module, NULL);
  open_frame(r, &early, NULL);
  early_block(r, r->primal, r->early, &make);
  second.block = ir_block(r->module, NULL);
  map_put(&r->blocks, r->primal, second.block);
  open_frame(r, &back, NULL);
  declare_result_bars(r, &second);
  go_back(r, r->primal, &second);
  for (int k = 0; k < second.block->count; k++)
    ir_append(r->module, f->body, second.block->stmts[k]);
}

/* It gives no result, and what it reads are its own trees' fields. */
static void settle_function(IrFunction *f)
{
  f->derivation &= ~(unsigned)IR_REVERSE;
  f->result = TY(VOID);
  f->results = NULL;
  f->result_count = 0;
}

static void reverse_kernel(IrModule *m, IrFunction *f)
{
  Reverse r;

  straighten(m, f);
  init(&r, m, f);
  find_varied(&r);
  if (is_derivable(&r)) {
    find_needed(&r);
    generate(&r);
  } else {
    f->body = ir_block(m, NULL);
  }
  settle_function(f);
}

void pass_reverse(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++)
    if (m->kernels[k]->derivation & IR_REVERSE)
      reverse_kernel(m, m->kernels[k]);
}
