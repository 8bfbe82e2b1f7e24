/* The adjoint of a stencil is the mirrored stencil: cells gather what iterations would add to their
 * neighbours.
 *
 *   foreach_node u g [i] {             foreach_node u g [i] {
 *     (iteration i:                      declare gathered 0
 *      u_grad[i + 1] += e(i))     =>     if 0 <= i - 1 { (e of iteration i - 1: gathered += e) }
 *   }                                    u_grad[i] += gathered
 *                                      }
 *
 * For a loop over cells that reads its own and those at constant offsets, and assigns its own
 * alone.  An iteration that there was none of, of a cell that is inactive, adds nothing: what it
 * would have assigned has the adjoint zero.  Where it has to read more than adjoints to find out,
 * it asks for that first, so that it reads nothing outside and computes no infinity.
 */
#include "gen/derive/adjoint.h"

/* Whether its iterations look at more than adjoints. */
static bool looks_around(const Reverse *r, IrStmt *loop)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if (r->needed[s->id] && (s->op == IR_read || s->op == IR_div || s->op == IR_mod ||
                             s->op == IR_builtin || s->op == IR_is_active || s->op == IR_length ||
                             s->op == IR_array_read))
      return true;
  return false;
}

/* ---- an iteration at an offset ---- */

static bool is_open(const IrSNode *n, int axis)
{
  return n->open_axes >> axis & 1;
}

static IrStmt *put_extent(Reverse *r, const IrStmt *loop, int axis, const Type *type, Maker *make)
{
  IrSNode *n = ir_snode(loop), *top = n;
  IrStmt *s;

  if (n->total[axis] > 0)
    return make_const(make, type, n->total[axis]);
  while (top->parent->parent)            /* what is given at creation stands under the root */
    top = top->parent;
  s = ir_stmt(r->module, IR_extent, TY(I64), make->loc, NULL);
  s->snode = top;
  s->slot = loop->slot;
  s->index = axis;
  s = put_binary(make, IR_mul, put(make, s), make_const(make, TY(I64), ir_below(top, n, axis)));
  return make_cast(make, type, s);
}

static IrStmt *put_and(Maker *make, IrStmt *a, IrStmt *b)
{
  return a ? put_binary(make, IR_bit_and, a, b) : b;
}

/* Each index less the offset; NULL or whether that is inside. */
static IrStmt *put_indices(Reverse *r, IrStmt *primal, IrStmt *loop, const int64_t *offset,
                           IrStmt **index, Maker *make)
{
  IrStmt *inside = NULL;

  for (int d = 0; d < loop->variable_count; d++) {
    const Type *type = loop->variables[d]->type;
    int axis = axis_of(primal, d);
    IrStmt *own = ir_stmt(r->module, IR_loop_index, type, make->loc, loop, NULL), *test;
    own->index = d;
    put(make, own);
    index[d] = own;
    if (offset[d] == 0)
      continue;
    index[d] = put_binary(make, IR_sub, own, make_const(make, type, offset[d]));
    if (is_open(ir_snode(primal), axis) || is_far_from_border(r, primal, d, offset[d]))
      continue;
    test = offset[d] > 0 ? put_binary(make, IR_cmp_ge, index[d], make_const(make, type, 0))
                         : put_binary(make, IR_cmp_lt, index[d],
                                      put_extent(r, primal, axis, type, make));
    inside = put_and(make, inside, test);
  }
  return inside;
}

static void note_indices(Reverse *r, IrStmt *primal, IrStmt **index)
{
  for (IrStmt *s = primal; s; s = ir_next_in(s, primal))
    if (s->op == IR_loop_index && s->operands[0] == primal)
      note_made(r, s, index[s->index]);
}

/* Whether something that the iteration assigned has an adjoint. */
static IrStmt *put_has_adjoint(Reverse *r, IrStmt *primal, Maker *make)
{
  IrStmt *has = NULL;

  for (IrStmt *s = primal; s; s = ir_next_in(s, primal)) {
    IrStmt *read, *test;
    if ((s->op != IR_write && s->op != IR_atomic) || !s->field->grad)
      continue;
    read = read_bar(r, s, make);
    test = put_binary(make, IR_cmp_ne, read, make_const(make, read->type, 0));
    has = has ? put_binary(make, IR_bit_or, has, test) : test;
  }
  return has;
}

static void iteration_back(Reverse *r, IrStmt *primal, IrStmt *loop, const int64_t *offset,
                           Maker *make)
{
  const Map bars = r->bars, kept = r->kept, variables = r->bar_variables;
  IrStmt *index[MAX_AXES], *test = put_indices(r, primal, loop, offset, index, make);
  Frame frame;
  Maker inner = test ? make_in(make, put_if(make, test)->blocks[0]) : *make;

  map_init(&r->bars, r->module->arena);
  map_init(&r->kept, r->module->arena);
  map_init(&r->bar_variables, r->module->arena);
  open_frame(r, &frame, NULL);
  note_indices(r, primal, index);
  if (looks_around(r, primal))
    inner = make_in(&inner, put_if(&inner, put_has_adjoint(r, primal, &inner))->blocks[0]);
  map_put(&r->blocks, primal->blocks[0], inner.block);
  map_put(&r->sweeps, primal, inner.block);
  r->offset = offset;
  sweep(r, primal->blocks[0], r->needed, &inner);
  go_back(r, primal->blocks[0], &inner);
  r->offset = NULL;
  r->bars = bars;
  r->kept = kept;
  r->bar_variables = variables;
}

/* ---- the loop ---- */

static void declare_sums(Reverse *r, IrStmt *primal, Maker *make)
{
  map_init(&r->sums, r->module->arena);
  for (IrStmt *s = primal; s; s = ir_next_in(s, primal)) {
    IrVariable *sum;
    if (!is_gatherable(r, s) || map_get(&r->sums, s->field))
      continue;
    sum = make_hidden(r->module, r->function, IR_VAR_LOCAL, "gathered",
                      derivative_type(s->field->type));
    put_declare(make, sum, make_const(make, sum->type, 0));
    map_put(&r->sums, s->field, sum);
  }
}

static void put_own_index(Reverse *r, const IrStmt *primal, IrStmt *loop, const IrField *f, int k,
                          IrStmt *to, Maker *make)
{
  int d = 0;
  IrStmt *index;

  while (axis_of(primal, d) != f->axes[k])
    d++;
  index = ir_stmt(r->module, IR_loop_index, loop->variables[d]->type, make->loc, loop, NULL);
  index->index = d;
  put(make, index);
  if (f->origin[k] != 0)
    index = put_binary(make, IR_add, index, make_const(make, index->type, f->origin[k]));
  ir_add_operand(r->module, to, index);
}

static void add_sums(Reverse *r, IrStmt *primal, IrStmt *loop, Maker *make)
{
  for (IrStmt *s = primal; s; s = ir_next_in(s, primal)) {
    IrVariable *sum = is_gatherable(r, s) ? map_get(&r->sums, s->field) : NULL;
    IrStmt *add;
    if (!sum)
      continue;
    add = ir_stmt(r->module, IR_atomic, s->field->type, s->loc, NULL);
    for (int k = 0; k < s->field->axis_count; k++)
      put_own_index(r, primal, loop, s->field, k, add, make);
    ir_add_operand(r->module, add, make_cast(make, s->field->type, put_get(make, sum)));
    add->field = s->field->grad;
    add->slot = s->slot;
    add->update = OP_ADD;
    add->if_active = true;
    put(make, add);
    map_put(&r->sums, s->field, NULL);
  }
}

void gather(Reverse *r, IrStmt *primal, IrStmt *loop, Maker *make)
{
  const Offsets o = offsets_of(r, primal);

  declare_sums(r, primal, make);
  for (int k = 0; k < o.count; k++)
    iteration_back(r, primal, loop, o.offset[k].by, make);
  add_sums(r, primal, loop, make);
}
