/* The loops over the iterations of a gang, and the arrays for what is kept of them (gang.c). */
#include "gen/emit/body.h"

#include <string.h>

static int lanes_of(const Body *b)
{
  return (int)b->gang->index;
}

/* ---- arrays ---- */

static const char *kept_name(Body *b, const IrStmt *s)
{
  const char *name = s->op == IR_window ? "near" : suggest_name(b->emit->arena, s);

  if (s->op == IR_found_cell)
    name = s->snode->name;
  else if (s->op == IR_load)
    name = format(b->emit->arena, "each_%s", name);
  else if (s->type->kind != TYPE_CELL)
    name = "each";
  return names_take(&b->names, name);
}

/* Whether a kept cell is only read, known before its place is written: what a walk has read, what
 * stands in such a cell, and what may be one or another. */
static bool is_const_cell(const IrStmt *s)
{
  if (s->op == IR_select)
    return true;
  if (s->op != IR_cell)
    return false;
  return is_walked(s) ? s->mode == IR_MODE_READ : is_const_cell(s->operands[0]);
}

static const char *kept_type(Body *b, const IrStmt *s)
{
  Emit *e = b->emit;

  if (s->op == IR_window) {
    const IrWindow *w = &near_window(b, s)->is;
    return format(e->arena, "%s%s *", w->is_added_to ? "" : "const ", near_type(e, w));
  }
  if (s->type->kind != TYPE_CELL)
    return format(e->arena, "%s ", c_type(s->type));
  return format(e->arena, "%sSND_GLB %s *", is_const_cell(s) ? "const " : "",
                cell_type(b, s));
}

/* Those of one type in one declaration, where they follow each other. */
static void declare_kept(Body *b, const IrBlock *block)
{
  Arena *arena = b->emit->arena;
  const char *type = "", *line = NULL;

  for (int k = 0; k < block->count; k++) {
    const IrStmt *s = block->stmts[k];
    const bool is_kept = is_live(b->live, s) && gang_keeps(b, s);
    const bool goes_on = is_kept && line && s->type->kind != TYPE_CELL &&
                         strcmp(type, kept_type(b, s)) == 0;
    if (!is_kept)
      continue;
    value_info(b, s)->each = kept_name(b, s);
    if (line && !goes_on)
      write_line(b->emit, "%s;", line);
    type = kept_type(b, s);
    line = format(arena, "%s%s%s[%d]", goes_on ? line : type, goes_on ? ", " : "",
                  value_info(b, s)->each, lanes_of(b));
  }
  if (line)
    write_line(b->emit, "%s;", line);
}

/* ---- what stands in them ---- */

void gang_keep(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  const char *place = gang_place(b, s);

  if (s->type->kind == TYPE_CELL) {
    info->named = (CellText){ .text = place, .bound = BOUND_PRIMARY,
                              .is_const = is_const_cell(s) };      /* as it is declared */
    write_line(b->emit, "%s = %s;", place, cell_pointer(b, s));
  } else {
    write_line(b->emit, "%s = %s;", place, loose(b, s));
  }
  info->text = primary(place);
  info->state = VALUE_NAMED;
  release_operands(b, s);
}

/* Of what the elements of a cell are; 0 beyond them. */
static const char *elements(Body *b, const IrStmt *s)
{
  const char *list = "";

  for (int k = 0; k < s->lanes; k++)
    list = format(b->emit->arena, "%s, %s", list,
                  k < s->operand_count ? loose(b, s->operands[k])
                                       : format(b->emit->arena, "(snd_%sx%d){ 0 }", s->type->name,
                                                lanes_of(b)));
  return list;
}

void emit_by_lane(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  Emit *e = b->emit;

  info->each = names_take(&b->names, suggest_name(e->arena, s));
  if (s->operand_count == 1) {
    write_line(e, "SND_BY_LANE(%s, %s, %s);", s->type->name, info->each,
               loose(b, s->operands[0]));
  } else {
    write_line(e, "SND_BY_LANE_%d(%s, %s%s);", s->lanes, s->type->name, info->each,
               elements(b, s));
  }
  info->text = primary(gang_lane(b, info->each));
  info->state = VALUE_NAMED;
  release_operands(b, s);
}

/* ---- iteration by iteration ---- */

static bool uses_own_cell(const Body *b, const IrBlock *block)
{
  for (int k = 0; k < block->count; k++)
    for (int o = 0; o < block->stmts[k]->operand_count; o++)
      if (gang_is_own_cell(b, block->stmts[k]->operands[o]) && is_live(b->live, block->stmts[k]))
        return true;
  return false;
}

void emit_each_lane(Body *b, const IrStmt *s)
{
  const IrSNode *n = b->task->snode;
  Emit *e = b->emit;

  declare_kept(b, s->blocks[0]);
  write_line(e, "for (int32_t %s = 0; %s < %d; %s++) {", b->lane, b->lane, lanes_of(b), b->lane);
  e->indent++;
  b->loops++;
  if (uses_own_cell(b, s->blocks[0]))
    write_line(e, "SND_GLB %s *%s = &%s;", e->trees[n->tree->id].snode[n->id].cell, b->cell,
               gang_lane(b, b->cells));
  emit_block(b, s->blocks[0]);
  b->loops--;
  e->indent--;
  write_line(e, "}");
}
