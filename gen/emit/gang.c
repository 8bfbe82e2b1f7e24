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

/* ---- what is kept ---- */

static const IrStmt *around(const IrStmt *s)
{
  return s->parent ? s->parent->owner : NULL;
}

bool gang_is_own_cell(const Body *b, const IrStmt *s)
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
      if (is_of_each_lane(o) && o->parent != s->parent && !gang_is_own_cell(b, o))
        map_put(&b->kept, o, b);
    }
}

bool gang_keeps(Body *b, const IrStmt *s)
{
  return b->gang && map_get(&b->kept, s);
}

const char *gang_lane(Body *b, const char *array)
{
  return format(b->emit->arena, "%s[%s]", array, b->lane);
}

const char *gang_place(Body *b, const IrStmt *s)
{
  return gang_lane(b, value_info(b, s)->each);
}

/* ---- in lanes ---- */

CText in_lanes_text(Body *b, const IrStmt *s)
{
  return primary(format(b->emit->arena, "SND_ROW_LOAD(%sx%d, %s[0])", s->type->name, s->lanes,
                        value_info(b, s->operands[0])->each));
}

/* ---- lists ---- */

static bool reads_list(const IrStmt *s)
{
  return s->op == IR_cell && s->mode == IR_MODE_READ && s->operand_count == 2 &&
         kind_is(s->snode->kind, KIND_LIST) && s->snode->parent->kind == SNODE_ROOT;
}

const char *list_look(const Body *b, const IrStmt *cell)
{
  for (int k = 0; k < b->look_count && reads_list(cell); k++)
    if (b->looks[k].slot == cell->slot && b->looks[k].snode == cell->snode)
      return b->looks[k].name;
  return NULL;
}

void write_list_looks(Body *b)
{
  Emit *e = b->emit;

  for (IrStmt *s = ir_first(b->root); s; s = ir_next(s, b->root)) {
    ListLook look = { .slot = s->slot, .snode = s->snode };
    if (!is_live(b->live, s) || !reads_list(s) || list_look(b, s))
      continue;
    look.name = names_take(&b->names, format(e->arena, "look_at_%s", s->snode->name));
    vec_push(e->arena, b->looks, b->look_count, look);
    write_line(e, "const snd_list_look %s = snd_list_look_at(&%s->snode[%s]);", look.name,
               b->view[s->slot], e->trees[s->snode->tree->id].snode[s->snode->id].id);
  }
}
