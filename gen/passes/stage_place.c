/* Where an access of a staged field is: how far from the own cell, or at which coordinates; and
 * what stands behind it, or before an addition, for who has staged the field.
 */
#include "gen/passes/stage.h"

int stage_axis(const IrSNode *snode, int axis)
{
  for (int k = 0; k < snode->path_axis_count; k++)
    if (snode->path_axes[k] == axis)
      return k;
  return -1;
}

/* How far the cell is from the own one on an axis; false: not a constant. */
static bool offset_on(const IrStmt *task, const IrStmt *digit, int64_t *offset)
{
  const IrStmt *x = ir_without_constant((IrStmt *)ir_without_casts(digit->operands[0]), offset);

  x = ir_without_casts(x);
  return x->op == IR_loop_index && x->operands[0] == task &&
         task->snode->path_axes[x->index] == digit->index;
}

bool stage_offsets(const IrStmt *task, const IrStmt *cache, const IrStmt *cell, int64_t *offset)
{
  for (; cell->op == IR_cell; cell = cell->operands[0]) {
    const IrStmt *digit;
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++)
      if (digit->op != IR_digit ||
          !offset_on(task, digit, &offset[stage_axis(cache->field->snode, digit->index)]))
        return false;
  }
  return cell->op == IR_root && cell->slot == cache->slot;
}

bool stage_coordinates(const IrStmt *cache, const IrStmt *cell, IrStmt **coordinate)
{
  const IrSNode *snode = cache->field->snode;

  for (int k = 0; k < snode->path_axis_count; k++)
    coordinate[k] = NULL;
  for (; cell->op == IR_cell; cell = cell->operands[0]) {
    const IrStmt *digit;
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++) {
      IrStmt **at = &coordinate[stage_axis(snode, digit->index)];
      if (digit->op != IR_digit || (*at && *at != digit->operands[0]))
        return false;
      *at = digit->operands[0];
    }
  }
  for (int k = 0; k < snode->path_axis_count; k++)
    if (!coordinate[k])
      return false;
  return cell->op == IR_root && cell->slot == cache->slot;
}

static IrStmt *staged(Maker *make, IrOp op, const IrStmt *cache, const IrStmt *access,
                      IrStmt *value)
{
  IrStmt *s = ir_stmt(make->module, op, value->type, access->loc, value, NULL);

  s->field = access->field;
  s->slot = cache->slot;
  return s;
}

IrStmt *stage_put(Maker *make, const IrStmt *task, const IrStmt *cache, const IrStmt *access,
                  IrStmt *value)
{
  IrStmt *s = staged(make, IR_staged, cache, access, value);
  int64_t offset[MAX_AXES] = { 0 };

  stage_offsets(task, cache, access->operands[0], offset);
  for (int k = 0; k < access->field->snode->path_axis_count; k++)
    ir_add_operand(make->module, s, make_const(make, TY(I64), offset[k]));
  return put(make, s);
}

/* Of the type that the function takes it in. */
static IrStmt *converted(Maker *make, IrStmt *coordinate, const Type *type)
{
  if (coordinate->type == type)
    return coordinate;
  return put(make, ir_stmt(make->module, IR_cast, type, make->loc, coordinate, NULL));
}

IrStmt *stage_put_at(Maker *make, const IrStmt *cache, IrFunction *element, const IrStmt *access,
                     IrStmt *value)
{
  IrStmt *s = staged(make, IR_staged_at, cache, access, value), *coordinate[MAX_AXES];

  s->function = element;
  s->slots = NEW_ARRAY(make->module->arena, int, 1);
  s->slots[0] = cache->slot;
  stage_coordinates(cache, access->operands[0], coordinate);
  for (int k = 0; k < access->field->snode->path_axis_count; k++)
    ir_add_operand(make->module, s, converted(make, coordinate[k], element->params[k]->type));
  return put(make, s);
}
