/* Where accesses go: coordinates as a base and what is added to it. */
#include "gen/passes/windows.h"

/* ---- one coordinate ---- */

static IrStmt *bare(IrStmt *s)
{
  return (IrStmt *)(uintptr_t)ir_without_casts(s);
}

static bool is_sum(const IrStmt *s)
{
  return (s->op == IR_add || s->op == IR_sub) && type_is_integer(s->type) && s->type->is_signed &&
         s->type->bits >= 32;
}

/* The index of a serial loop between two constants. */
static bool is_turn(const IrStmt *s)
{
  return s->op == IR_loop_index && s->operands[0]->op == IR_for_range &&
         is_const(s->operands[0]->operands[0]) && is_const(s->operands[0]->operands[1]);
}

/* Takes an operand of the sum into the place, and goes on with the other one; NULL: neither is a
 * constant or a loop's index. */
static IrStmt *take_operand(Place *p, const IrStmt *sum)
{
  for (int k = 1; k >= (sum->op == IR_add ? 0 : 1); k--) {
    IrStmt *o = bare(sum->operands[k]);
    if (is_const(o))
      p->constant += sum->op == IR_add ? o->value.i : -o->value.i;
    else if (sum->op == IR_add && !p->turn && is_turn(o))
      p->turn = o;
    else
      continue;
    return sum->operands[1 - k];
  }
  return NULL;
}

static Place place_of(IrStmt *x)
{
  Place p = { .shown = x };

  for (IrStmt *next = x; next;) {
    p.shown = next;
    p.base = bare(next);
    next = is_sum(p.base) ? take_operand(&p, p.base) : NULL;
  }
  if (is_const(p.base)) {
    p.constant += p.base->value.i;
    p.base = NULL;
  } else if (!p.turn && is_turn(p.base)) {
    p.turn = p.base;
    p.base = NULL;
  }
  p.lo = p.hi = p.constant;
  if (p.turn) {
    p.lo += p.turn->operands[0]->operands[0]->value.i;
    p.hi += p.turn->operands[0]->operands[1]->value.i - 1;
  }
  return p;
}

/* ---- all of them ---- */

static int rank_of(const IrSNode *n, int axis)
{
  int k = 0;

  while (n->path_axes[k] != axis)
    k++;
  return k;
}

/* The coordinate that a walk takes its digits on an axis from. */
bool places_of_cell(const IrStmt *cell, Places *to)
{
  const IrSNode *n = cell->snode;
  IrStmt *coordinate[MAX_AXES] = { NULL };

  for (; cell->op == IR_cell; cell = cell->operands[0]) {
    const IrStmt *digit;
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++) {
      IrStmt **x = digit->op == IR_digit ? &coordinate[rank_of(n, digit->index)] : NULL;
      if (!x || (*x && *x != digit->operands[0]))
        return false;
      *x = digit->operands[0];
    }
  }
  if (cell->op != IR_root)
    return false;
  for (int k = 0; k < n->path_axis_count; k++) {
    if (!coordinate[k])
      return false;
    to->axis[k] = place_of(coordinate[k]);
  }
  return true;
}

bool places_of_check(const IrStmt *check, Places *to)
{
  const IrSNode *n = ir_snode(check);

  for (int k = 0; n && k < check->operand_count; k++) {
    const int64_t origin = check->field ? check->field->origin[k] : 0;
    Place *p = &to->axis[check->field ? rank_of(n, check->field->axes[k]) : k];
    *p = place_of(check->operands[k]);
    p->constant -= origin;
    p->lo -= origin;
    p->hi -= origin;
  }
  return n != NULL;
}

bool has_same_bases(const Box *box, const Places *at)
{
  for (int k = 0; k < box->snode->path_axis_count; k++)
    if (box->axis[k].base != at->axis[k].base)
      return false;
  return true;
}

bool is_in_box(const Box *box, const Places *at)
{
  if (!has_same_bases(box, at))
    return false;
  for (int k = 0; k < box->snode->path_axis_count; k++)
    if (at->axis[k].lo < box->axis[k].lo || at->axis[k].hi > box->axis[k].hi)
      return false;
  return true;
}
