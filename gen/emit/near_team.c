/* Boxes of cells in what a team of a device has staged: the form of a loop over the lists of leaves
 * in its memory (team.c).
 *
 *   const uint32_t i_node = (uint32_t)base_x - (uint32_t)first_i, j_node = ...;
 *   if (!(i_node <= 4 && j_node <= 4))
 *     goto in_tree;
 *   const int32_t at = (int32_t)(i_node * 6 + j_node);
 *   snd_team_add_f32(&near_m[at + 7], ..);
 *   snd_team_mark(&wrote_m[at + 7]);
 *
 * The leaf and its halo begin at the cell first_i, first_j.  Unsigned: a box that begins before it
 * is far behind it.
 */
#include "gen/emit/task.h"
#include "gen/ir/interval.h"

#include <string.h>

/* Which of the staged fields it is. */
static int number_of(const Body *b, const IrStmt *window, const IrField *field)
{
  int c = 0;

  while (b->needs->caches[c]->field != field || b->needs->caches[c]->slot != window->slot)
    c++;
  return c;
}

/* How far the box begins from the first cell on the k-th axis: its name. */
static const char *write_distance(Body *b, const IrWindow *w, int c, int k)
{
  const IrStmt *cache = b->needs->caches[c], *x = w->stmt->operands[k];
  const IrSNode *n = w->stmt->snode;
  const bool is_wide = x->type->bits > 32 || cache->function->params[k]->type->bits > 32;
  Emit *e = b->emit;
  const char *type = is_wide ? "uint64_t" : "uint32_t";
  const char *name =
      names_take(&b->names, format(e->arena, "%s_%s", axis_name[n->path_axes[k]], n->name));

  write_line(e, "const %s %s = (%s)%s - (%s)%s;", type, name, type,
             within(b, value_text(b, x), BOUND_UNARY), type, b->near.first[c * MAX_AXES + k]);
  return name;
}

void emit_team_window(Body *b, const IrStmt *s)
{
  const IrWindow *w = &near_window(b, s)->is;
  const int c = number_of(b, s, w->field[0]);
  const IrStmt *cache = b->needs->caches[c];
  const char *inside = box_inside(b, w), *all = inside ? inside : "";
  ValueInfo *info = value_info(b, s);
  CText at = { NULL, BOUND_PRIMARY };
  Emit *e = b->emit;

  for (int k = 0; k < w->axes; k++) {
    const char *name = write_distance(b, w, c, k);
    const int64_t room = staged_extent(cache, k) - s->operands[w->axes + k]->value.i;
    all = format(e->arena, "%s%s%s <= %lld", all, *all ? " && " : "", name, (long long)room);
    at = join_digits(b, at, staged_extent(cache, k), primary(name));
  }
  write_line(e, "if (!(%s))", all);
  write_line(e, "  goto %s;", b->in_tree);
  info->text = primary(names_take(&b->names, "at"));
  info->state = VALUE_NAMED;
  write_line(e, "const int32_t %s = (int32_t)(%s);", info->text.text, at.text);
}

/* near_m[at + 7]; array: near_m, or wrote_m. */
static const char *element(Body *b, const IrStmt *s, const char *array)
{
  const IrStmt *window = s->operands[0];
  const IrStmt *cache = b->needs->caches[number_of(b, window, s->field)];
  const char *at = value_info(b, window)->text.text, *index;
  int64_t extent[MAX_AXES];

  for (int k = 0; k < window->snode->path_axis_count; k++)
    extent[k] = staged_extent(cache, k);
  index = index_in_box(b, s, extent);
  return strcmp(index, "0") == 0 ? format(b->emit->arena, "%s[%s]", array, at)
                                 : format(b->emit->arena, "%s[%s + %s]", array, at, index);
}

CText team_load_text(Body *b, const IrStmt *s)
{
  return primary(element(b, s, b->near.array[number_of(b, s->operands[0], s->field)]));
}

/* ---- which flags are raised ---- */

static bool is_same_sum(const IrStmt *a, const IrStmt *b)
{
  int64_t more = 0, less = 0;

  return ir_without_constant((IrStmt *)(uintptr_t)a, &more) ==
             ir_without_constant((IrStmt *)(uintptr_t)b, &less) && more == less;
}

static bool is_same_distance(const IrStmt *a, const IrStmt *b)
{
  if (a->op == IR_const && b->op == IR_const)
    return a->value.i == b->value.i;
  return a == b || is_same_sum(a, b);
}

static bool goes_to_same_cell(const IrStmt *a, const IrStmt *b)
{
  if (a->op != IR_near_add || a->operands[0] != b->operands[0])
    return false;
  for (int k = 1; k + 1 < a->operand_count; k++)
    if (!is_same_distance(a->operands[k], b->operands[k]))
      return false;
  return true;
}

/* Whether an addition before it in its block raises the flag of the cell. */
static bool is_raised(const Body *b, const IrStmt *s)
{
  for (int k = 0; s->parent->stmts[k] != s; k++)
    if (goes_to_same_cell(s->parent->stmts[k], s) && is_live(b->live, s->parent->stmts[k]))
      return true;
  return false;
}

/* Lanes of the team come to the same element. */
void emit_team_add(Body *b, const IrStmt *s)
{
  const int c = number_of(b, s->operands[0], s->field);
  const IrStmt *cache = b->needs->caches[c];
  const char *value = loose(b, s->operands[s->operand_count - 1]);

  if (!type_is_float(s->field->type))
    value = format(b->emit->arena, "(%s)(%s)", staged_type(b->emit, cache), value);
  write_line(b->emit, "snd_team_%s_%s(&%s, %s);", s->update == OP_SUB ? "sub" : "add",
             sum_suffix(cache), element(b, s, b->near.array[c]), value);
  if (!is_raised(b, s))
    write_line(b->emit, "snd_team_mark(&%s);", element(b, s, b->near.wrote[c]));
}
