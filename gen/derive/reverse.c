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
                      intern_format(r->module->arena, "%s_bar", v->name), derivative_type(v->type));
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
  Map *const maps[] = { &r->changed, &r->declared, &r->forward, &r->kept, &r->variables, &r->bars,
                        &r->bar_variables, &r->blocks, &r->sweeps, &r->then, &r->gathered,
                        &r->sums, &r->early_variables };

  *r = (Reverse){ .module = m, .function = f, .primal = f->body };
  for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
    map_init(maps[k], m->arena);
  r->ids = give_ids(f) + 1;
  r->varied = find_varied(m->arena, f, r->ids, false);
  r->needed = NEW_ARRAY(m->arena, bool, r->ids);
  r->early = NEW_ARRAY(m->arena, bool, r->ids);
  r->goes_back = NEW_ARRAY(m->arena, bool, r->ids);
  r->repeated = NEW_ARRAY(m->arena, bool, r->ids);
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

/* It gives no result, and its kernel's arrays are read as that has left them. */
static void settle_function(IrFunction *f)
{
  for (int k = 0; k < f->param_count; k++)
    if (f->params[k]->kind == IR_VAR_ARRAY)
      f->params[k]->mode = ARRAY_IN;
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
  find_needed(&r);
  if (is_derivable(&r))
    generate(&r);
  else
    f->body = ir_block(m, NULL);
  settle_function(f);
}

void pass_reverse(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++)
    if (m->kernels[k]->derivation & IR_REVERSE)
      reverse_kernel(m, m->kernels[k]);
}
