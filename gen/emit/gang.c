/* Several iterations at once as C: what differs by iteration stands in arrays between the loops
 * over them, and in vectors where all of them are computed at once.
 *
 *   const SND_GLB particles_list *list[8];
 *   float each_x[8];
 *   for (int32_t lane = 0; lane < 8; lane++) {
 *     SND_GLB grid_ids *cell = &cells[lane];
 *     list[lane] = particles_list_read(particles, cell->id);
 *     each_x[lane] = list[lane]->x;
 *   }
 *   snd_f32x8 fx = SND_ROW_LOAD(f32x8, each_x[0]) / 0.015625f;
 */
#include "gen/emit/body.h"

#include <string.h>

/* ---- what is kept ---- */

static const IrStmt *around(const IrStmt *s)
{
  return s->parent ? s->parent->owner : NULL;
}

/* The cell of an iteration is told by its number. */
static bool is_own_cell(const Body *b, const IrStmt *s)
{
  return s->op == IR_own_cell && s->snode == b->task->snode;
}

static bool is_of_each_lane(const IrStmt *s)
{
  return around(s) && around(s)->op == IR_each_lane;
}

void gang_init(Body *b)
{
  b->gang = b->root->owner && b->root->owner->op == IR_gang ? b->root->owner : NULL;
  map_init(&b->kept, b->emit->arena);
  for (IrStmt *s = b->gang ? ir_first(b->root) : NULL; s; s = ir_next(s, b->root))
    for (int k = 0; k < s->operand_count && is_live(b->live, s); k++) {
      const IrStmt *o = s->operands[k];
      if (is_of_each_lane(o) && o->parent != s->parent && !is_own_cell(b, o))
        map_put(&b->kept, o, b);
    }
}

bool gang_keeps(Body *b, const IrStmt *s)
{
  return b->gang && map_get(&b->kept, s);
}

static const char *own_lane(Body *b, const char *array)
{
  return format(b->emit->arena, "%s[%s]", array, b->lane);
}

const char *gang_place(Body *b, const IrStmt *s)
{
  return own_lane(b, value_info(b, s)->each);
}

void gang_keep(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  const char *place = gang_place(b, s);

  if (s->type->kind == TYPE_CELL) {
    info->named = (CellText){ .text = place, .bound = BOUND_PRIMARY,
                              .is_const = cell_text(b, s).is_const };
    write_line(b->emit, "%s = %s;", place, cell_pointer(b, s));
  } else {
    write_line(b->emit, "%s = %s;", place, loose(b, s));
  }
  info->text = primary(place);
  info->state = VALUE_NAMED;
  release_operands(b, s);
}

/* ---- arrays ---- */

static const char *kept_name(Body *b, const IrStmt *s)
{
  const char *name = s->op == IR_window ? "near" : suggest_name(b->emit->arena, s);

  if (s->op == IR_found_cell)
    name = s->snode->name;
  return names_take(&b->names,
                    s->type->kind == TYPE_CELL ? name : format(b->emit->arena, "each_%s", name));
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
  return format(e->arena, "%sSND_GLB %s *", s->op == IR_found_cell ? "" : "const ",
                cell_type(b, s));
}

static int lanes_of(const Body *b)
{
  return (int)b->gang->index;
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

/* ---- iteration by iteration ---- */

static bool uses_own_cell(const Body *b, const IrBlock *block)
{
  for (int k = 0; k < block->count; k++)
    for (int o = 0; o < block->stmts[k]->operand_count; o++)
      if (is_own_cell(b, block->stmts[k]->operands[o]) && is_live(b->live, block->stmts[k]))
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
               own_lane(b, b->cells));
  emit_block(b, s->blocks[0]);
  b->loops--;
  e->indent--;
  write_line(e, "}");
}

/* ---- from lanes to arrays and back ---- */

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
  info->text = primary(own_lane(b, info->each));
  info->state = VALUE_NAMED;
  release_operands(b, s);
}

CText in_lanes_text(Body *b, const IrStmt *s)
{
  return primary(format(b->emit->arena, "SND_ROW_LOAD(%sx%d, %s[0])", s->type->name, s->lanes,
                        value_info(b, s->operands[0])->each));
}

/* The distance of a cell from the first one of the box, in a window. */
static long long distance(const IrWindow *w, const IrStmt *s)
{
  long long sum = 0;

  for (int k = 0; k < w->axes; k++)
    sum = sum * w->extent[k] + s->operands[1 + k]->value.i;
  return sum;
}

CText gang_near_text(Body *b, const IrStmt *s)
{
  const IrWindow *w = &near_window(b, s->operands[0])->is;
  const char *near = value_info(b, s->operands[0])->each;

  if (w->lanes == 1)
    return primary(format(b->emit->arena, "SND_NEAR_LANES_1(%s, %s, %lld)", s->type->name, near,
                          distance(w, s)));
  return primary(format(b->emit->arena, "SND_NEAR_LANES_%d(%s, %s, %lld, %d)", w->lanes,
                        s->type->name, near, distance(w, s), ir_window_element(w, s->field)));
}
