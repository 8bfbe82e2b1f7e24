/* Elements of staged fields at computed places: near where they lie in the block and its halo,
 * else in the tree.
 *
 *   const uint32_t i_x = (uint32_t)t - (uint32_t)first_i;
 *   const uint32_t j_x = (uint32_t)j - (uint32_t)first_j;
 *   const float x = i_x < 12 && j_x < 12 ? near_x[i_x * 12 + j_x] : blur_near_x(grid, t, j);
 *
 * Unsigned: what lies before the block and its halo is far behind it.
 */
#include "gen/emit/task.h"

/* Lanes of a team come to the same element. */
void emit_team_addition(Body *b, const IrStmt *s, const char *place, const char *flag)
{
  const IrStmt *cache = cache_of(s->operands[1]);
  const char *value = loose(b, s->operands[1]);

  if (!type_is_float(cache->field->type))
    value = format(b->emit->arena, "(%s)(%s)", staged_type(b->emit, cache), value);
  write_line(b->emit, "snd_team_%s_%s(&%s, %s);", s->update == OP_SUB ? "sub" : "add",
             sum_suffix(cache), place, value);
  write_line(b->emit, "snd_team_mark(&%s);", flag);
}

typedef struct Spot {
  int field;                           /* which of the staged ones */
  const char *inside;                  /* the condition that it is near */
  const char *at;                      /* its place in the array */
  const char *call;                    /* and what goes to it in the tree: ", t, j" */
} Spot;

/* What may stand in several places: a name or a number; or i - 1, which has no name where others
 * use it too, since one that is given here ends with the block. */
static const char *named(Body *b, const IrStmt *x)
{
  const ValueInfo *info = value_info(b, x);

  if (x->op != IR_const && x->op != IR_param && x->op != IR_loop_index &&
      info->state != VALUE_NAMED && info->uses == 1)
    name_value(b, x, value_text(b, x));
  return within(b, value_text(b, x), BOUND_UNARY);
}

static const char *write_distance(Body *b, const IrStmt *s, const Spot *spot, int k)
{
  const IrSNode *n = s->field->snode;
  const char *type = s->operands[1 + k]->type->bits > 32 ? "uint64_t" : "uint32_t";
  const char *x = named(b, s->operands[1 + k]);
  const char *name = names_take(&b->names, format(b->emit->arena, "%s_%s",
                                                  axis_name[n->path_axes[k]], s->field->name));

  write_line(b->emit, "const %s %s = (%s)%s - (%s)%s;", type, name, type, x, type,
             b->near.first[spot->field * MAX_AXES + k]);
  return name;
}

static Spot write_spot(Body *b, const IrStmt *s)
{
  const Needs *element = &function_info(b->emit, s->function)->needs;
  const int axes = s->field->snode->path_axis_count;
  Spot spot = { .field = staged_number(b, s), .inside = "", .call = "" };
  const IrStmt *cache = b->needs->caches[spot.field];
  CText at = { NULL, BOUND_PRIMARY };
  Arena *arena = b->emit->arena;

  for (int k = 0; k < axes; k++) {
    const char *name = write_distance(b, s, &spot, k);
    spot.inside = format(arena, "%s%s%s < %lld", spot.inside, k ? " && " : "", name,
                         (long long)staged_extent(cache, k));
    at = join_digits(b, at, staged_extent(cache, k), primary(name));
    if (needs_param(element, s->function->params[k]))
      spot.call = format(arena, "%s, %s", spot.call, loose(b, s->operands[1 + k]));
  }
  spot.at = at.text;
  return spot;
}

void emit_load_at(Body *b, const IrStmt *s)
{
  const Loc outer = write_from(b->emit, s->loc);
  const Spot spot = write_spot(b, s);
  Arena *arena = b->emit->arena;
  const char *element = format(arena, "%s[%s]", b->near.array[spot.field], spot.at);
  const CText near = from_memory(b, s->type, primary(element));

  name_value(b, s, (CText){ format(arena, "%s ? %s : %s", spot.inside,
                                   within(b, near, BOUND_CHOICE), call_with(b, s, spot.call)),
                            BOUND_CHOICE });
  b->emit->from = outer;
}

void emit_add_at(Body *b, const IrStmt *s)
{
  const IrStmt *at = s->operands[1];
  const char *added = named(b, at->operands[0]), *place, *flag;
  const Spot spot = write_spot(b, at);
  Emit *e = b->emit;

  place = format(e->arena, "%s[%s]", b->near.array[spot.field], spot.at);
  flag = format(e->arena, "%s[%s]", b->near.wrote[spot.field], spot.at);
  write_line(e, "if (%s) {", spot.inside);
  e->indent++;
  if (e->staging == STAGING_TEAM)
    emit_team_addition(b, s, place, flag);
  else {
    write_line(e, "%s;", update_text(b, s, place));
    write_line(e, "%s = 1;", flag);
  }
  e->indent--;
  write_line(e, "} else {");
  e->indent++;
  write_line(e, "%s;", call_with(b, at, format(e->arena, "%s, %s", spot.call, added)));
  e->indent--;
  write_line(e, "}");
}
