/* The trees of virtual fields, where a program names nothing else of them and their extents are
 * known: no instance is taken (IrSlot.is_virtual).  What asked for one asks for numbers.
 *
 *   foreach_node field a g [i32 i]    =>      foreach_range $lo $hi [i32 i]
 *   check_bounds field a g $4         =>      require 2 "index (%d) of a is outside .." $inside $4
 *
 * Needs: nothing reads or writes a virtual field any more.
 * Guarantees: no slot is_virtual.
 */
#include "gen/passes/mode_tools.h"

#include <inttypes.h>

/* ---- bounds ---- */

static int64_t end_of(const IrField *f, int k)
{
  return f->origin[k] + f->snode->total[f->axes[k]];
}

/* One of the two sides of index k, where it is not known. */
static IrStmt *put_side(Maker *make, IrStmt *index, IrOp op, int64_t bound)
{
  const Type *type = bound < INT32_MIN || bound > INT32_MAX ? TY(I64) : index->type;
  IrStmt *limit = make_const(make, type, bound);

  return put(make, ir_stmt(make->module, op, TY(BOOL), make->loc, make_cast(make, type, index),
                           limit, NULL));
}

static IrStmt *put_both(Maker *make, IrStmt *a, IrStmt *b)
{
  return a ? put(make, ir_stmt(make->module, IR_bit_and, TY(BOOL), make->loc, a, b, NULL)) : b;
}

static IrStmt *put_comparisons(Maker *make, const IrStmt *test)
{
  const IrField *f = test->field;
  IrStmt *inside = NULL;

  for (int k = 0; k < f->axis_count; k++) {
    IrStmt *index = test->operands[k];
    if (!(test->index >> 2 * k & 1))
      inside = put_both(make, inside, put_side(make, index, IR_cmp_ge, f->origin[k]));
    if (!(test->index >> 2 * k & 2))
      inside = put_both(make, inside, put_side(make, index, IR_cmp_lt, end_of(f, k)));
  }
  return inside;
}

/* As libsnode says it of a stored field: "index (9, 0) of a is outside the extents of 4 x 8". */
static const char *bounds_text(IrModule *m, const IrField *f)
{
  const char *name = ir_whole_name(m->arena, f->name), *list = "", *extents = "";
  bool is_plain = true;

  for (int k = 0; k < f->axis_count; k++)
    is_plain = is_plain && f->origin[k] == 0;
  for (int k = 0; k < f->axis_count; k++) {
    list = intern_format(m->arena, "%s%s%%d", list, k ? ", " : "");
    extents = intern_format(m->arena, "%s%s", extents, k ? " x " : "");
    if (!is_plain)
      extents = intern_format(m->arena, "%s%" PRId64 " .. ", extents, f->origin[k]);
    extents = intern_format(m->arena, "%s%" PRId64, extents,
                            is_plain ? end_of(f, k) : end_of(f, k) - 1);
  }
  return intern_format(m->arena, "index (%s) of %s is outside the extents of %s", list, name,
                       extents);
}

static IrStmt *put_known(Maker *make, IrStmt *test)
{
  IrStmt *inside = put_comparisons(make, test), *trap;

  if (test->op == IR_inside)
    return inside;
  trap = ir_stmt(make->module, IR_require, TY(VOID), make->loc, inside, NULL);
  trap->index = IR_FAULT_BOUNDS;
  trap->text = bounds_text(make->module, test->field);
  for (int k = 0; k < test->operand_count; k++)
    ir_add_operand(make->module, trap, test->operands[k]);
  return put(make, trap);
}

IrStmt *put_bounds_test(Maker *make, const IrFunction *f, const IrStmt *access, IrOp op)
{
  const Type *type = op == IR_inside ? TY(BOOL) : TY(VOID);
  IrStmt *test = ir_stmt(make->module, op, type, access->loc, NULL);

  test->field = access->field;
  test->slot = access->slot;
  for (int k = 0; k < access->field->axis_count; k++) {
    IrStmt *index = access->operands[k];
    const bool is_short = index->type->bits < 32 || index->type->kind == TYPE_I32;
    ir_add_operand(make->module, test, make_cast(make, is_short ? TY(I32) : TY(I64), index));
  }
  if (note_inside(test))
    return NULL;
  return f->slots[access->slot].is_virtual ? put_known(make, test) : put(make, test);
}

/* ---- loops ---- */

/* The indices of the cells from 0, in the order of its variables. */
static void count_cells(IrModule *m, IrStmt *loop)
{
  const IrField *f = loop->field;
  Maker make = make_before(m, loop);

  loop->op = IR_foreach_range;
  loop->field = NULL;
  loop->snode = NULL;
  loop->slot = 0;
  for (int k = 0; k < loop->variable_count; k++) {
    const Type *type = loop->variables[k]->type;
    ir_add_operand(m, loop, make_const(&make, type, 0));
    ir_add_operand(m, loop, make_const(&make, type, f->snode->total[f->axes[k]]));
  }
}

/* ---- slots ---- */

typedef struct Slots {
  IrModule *module;
  const IrFunction *function;
  int *number;                           /* by slot: what it is called now; -1: gone */
} Slots;

static void renumber(const Slots *slots, IrStmt *s)
{
  int *given, count = 0;

  if (ir_op_info[s->op].attributes & IR_ATTR_SLOT)
    s->slot = slots->number[s->slot];
  if (s->op != IR_call)
    return;
  given = NEW_ARRAY(slots->module->arena, int, s->function->slot_count + 1);
  for (int k = 0; k < s->function->slot_count; k++)
    if (!s->function->slots[k].is_virtual)
      given[count++] = slots->number[s->slots[k]];
  s->slots = given;
}

static void renumber_function(IrModule *m, IrFunction *f)
{
  Slots slots = { m, f, NEW_ARRAY(m->arena, int, f->slot_count + 1) };
  int count = 0;

  for (int k = 0; k < f->slot_count; k++)
    slots.number[k] = f->slots[k].is_virtual ? -1 : count++;
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body)) {
    if (s->op == IR_foreach_node && f->slots[s->slot].is_virtual)
      count_cells(m, s);
    renumber(&slots, s);
  }
}

static void drop_slots(IrModule *m, IrFunction *f)
{
  int count = 0;

  (void)m;
  for (int k = 0; k < f->slot_count; k++)
    if (!f->slots[k].is_virtual)
      f->slots[count++] = f->slots[k];
  f->slot_count = count;
}

void drop_virtual_slots(IrModule *m)
{
  for_each_function(m, renumber_function);
  for_each_function(m, drop_slots);
}
