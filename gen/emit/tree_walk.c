/* The walks of a tree: functions that find a cell in its container.
 *
 * A walk takes the view, the cell that holds the container (none under the root)
 * and a position in it:
 *
 *   grid_tile_read      its defaults where it is inactive; never null
 *   grid_tile_peek      null where it is inactive
 *   .._settled          the same two in a task that changes no activity
 *   grid_tile_activate  made active; null when memory is out
 *   grid_tile_deactivate
 *   grid_mark_cells     the cells of a dense or bitmasked SNode under the root; the root's
 *   grid_u              the array of a field, where such an SNode is soa
 *   grid_list_append    of a dynamic container: a new last cell; its position, or -1
 *   grid_list_append_cell                     the same, and the cell
 *   grid_list_length    and _settled
 *   grid_mark_bits      of the cells of a bitmasked SNode from one on which are active, as far as
 *                       they are in one word; in a task that changes no activity
 *
 * A hash takes its key instead of a position, a coordinate for each axis.  A null cell
 * above gives null.  Of a soa SNode peek and activate give whether the cell is there: its fields
 * are reached from the container.  Only walks that are used are written.
 */
#include "gen/emit/writer.h"

const char *const walk_names[WALKS] = {
  "read", "peek", "read_settled", "peek_settled", "activate", "cells", "deactivate", "append",
  "append_cell", "length", "length_settled", "bits"
};

static const char *kind_name(const IrSNode *n)
{
  return snode_kind[n->kind].word;
}

typedef struct Walk {
  Emit *emit;
  const IrSNode *snode;
  const SNodeNames *names;
  const char *view, *above, *l, *launch, *slot, *site, *hint, *key, *cell, *end;
  const char *coordinate[MAX_AXES];   /* a hash's */
  const char *container;                 /* its address */
} Walk;

static void name_key(Walk *w, Names *names)
{
  const IrSNode *n = w->snode;

  w->key = names_take(names, "key");
  for (int k = 0; k < n->axis_count; k++)
    w->coordinate[k] = names_take(names, axis_name[n->axes[k].axis]);
}

static Walk begin_walk(Emit *e, const TreeNames *t, const IrSNode *n)
{
  Walk w = { .emit = e, .snode = n, .names = &t->snode[n->id] };
  Names names;

  names_init(&names, e->arena, NAMES_LOCAL, &e->names);
  w.view = names_take(&names, t->name);
  w.l = names_take(&names, "l");
  w.launch = names_take(&names, "launch");
  w.slot = names_take(&names, "slot");
  w.site = names_take(&names, "site");
  if (kind_is(n->kind, KIND_KEYS))
    name_key(&w, &names);
  if (kind_is(n->kind, KIND_LIST)) {
    w.hint = names_take(&names, "hint");
    w.cell = names_take(&names, "cell");
    w.end = names_take(&names, "end");
  }
  if (!n->parent || n->parent->kind == SNODE_ROOT)
    w.container = format(e->arena, "%s->snode[%s].container", w.view, w.names->id);
  else {
    w.above = names_take(&names, n->parent->name);
    w.container = format(e->arena, "(sn_addr)(uintptr_t)%s%s->%s",
                         kind_is(n->kind, KIND_SLOTS) ? "" : "&", w.above, w.names->member);
  }
  return w;
}

/* Whether the cell that holds the container may be null: where it was peeked at, or
 * could not be had. */
static bool may_hang_in_nothing(const IrSNode *n)
{
  for (n = n->parent; n; n = n->parent)
    if (ir_is_sparse(n))
      return true;
  return false;
}

static bool is_const_walk(int walk)
{
  return walk == WALK_READ || walk == WALK_READ_SETTLED || walk == WALK_LENGTH ||
         walk == WALK_LENGTH_SETTLED || walk == WALK_BITS;
}

/* ", int64_t l"; a hash's ", int64_t i, int64_t j"; nothing where all cells are meant. */
static const char *position_params(const Walk *w, int walk)
{
  Arena *arena = w->emit->arena;
  const char *list = "";

  if (walk == WALK_CELLS || (walk >= WALK_APPEND && walk != WALK_BITS) ||
      (kind_is(w->snode->kind, KIND_LIST) && walk == WALK_DEACTIVATE))
    return "";
  if (!kind_is(w->snode->kind, KIND_KEYS))
    return format(arena, ", int64_t %s", w->l);
  for (int k = 0; k < w->snode->axis_count; k++)
    list = format(arena, "%s, int64_t %s", list, w->coordinate[k]);
  return list;
}

static void write_key(const Walk *w)
{
  const char *list = "";

  if (!kind_is(w->snode->kind, KIND_KEYS))
    return;
  for (int k = 0; k < w->snode->axis_count; k++)
    list = format(w->emit->arena, "%s%s%s", list, k ? ", " : "", w->coordinate[k]);
  write_line(w->emit, "const int64_t %s[] = { %s };", w->key, list);
  write_line(w->emit, "%s", "");
}

/* behind: parameters behind the others. */
static void write_head(const Walk *w, const char *result, int walk, const char *extra,
                       const char *behind)
{
  Emit *e = w->emit;
  const char *above = "";

  if (w->above)
    above = format(e->arena, ", %sSND_GLB %s *%s", is_const_walk(walk) ? "const " : "",
                   e->trees[w->snode->tree->id].snode[w->snode->parent->id].cell, w->above);
  write_line(e, "SND_INLINE %s", result);
  write_line(e, "%s(const SND_GLB snd_tree_view *%s%s%s%s%s)", w->names->walk[walk], w->view,
             extra, above, position_params(w, walk), behind);
  write_line(e, "{");
  e->indent++;
  if (walk != WALK_CELLS)
    write_key(w);
}

static void end_walk(const Walk *w)
{
  w->emit->indent--;
  write_line(w->emit, "}");
  write_line(w->emit, "%s", "");
}

static void write_null_test(const Walk *w, const char *result)
{
  if (!may_hang_in_nothing(w->snode))
    return;
  write_line(w->emit, "if (%s == NULL)", w->above);
  w->emit->indent++;
  write_line(w->emit, "return%s;", result);
  w->emit->indent--;
}

/* What the kind's functions take behind tree, SNode and launch. */
static const char *place_arguments(const Walk *w)
{
  if (kind_is(w->snode->kind, KIND_KEYS))
    return format(w->emit->arena, "%s, %d", w->key, w->snode->axis_count);
  return format(w->emit->arena, "%s, %s", w->container, w->l);
}

/* Whether a soa cell is active. */
static void write_look(const Walk *w, int walk, const char *node)
{
  write_head(w, "bool", walk, "", "");
  write_null_test(w, " false");
  write_line(w->emit, "return snd_%s_%s(%s, %s) != 0;", kind_name(w->snode), walk_names[walk], node,
             place_arguments(w));
  end_walk(w);
}

static void write_read(const Walk *w, int walk)
{
  Emit *e = w->emit;
  bool is_read = is_const_walk(walk), is_hash = kind_is(w->snode->kind, KIND_KEYS);
  const char *node = format(e->arena, is_hash ? "%s, %s" : "&%s->snode[%s]", w->view, w->names->id);

  if (w->snode->is_soa) {
    write_look(w, walk, node);
    return;
  }
  write_head(w, format(e->arena, "%sSND_GLB %s *", is_read ? "const " : "", w->names->cell),
             walk, "", "");
  if (!is_read)
    write_null_test(w, " NULL");
  write_line(e, "return %s(%s, snd_%s_%s(%s, %s));", is_read ? "SND_CONST_POINTER" : "SND_CELL",
             w->names->cell, kind_name(w->snode), walk_names[walk], node, place_arguments(w));
  end_walk(w);
}

/* ", int32_t slot, SND_GLB snd_launch *launch" */
static const char *launch_params(const Walk *w)
{
  return format(w->emit->arena, ", int32_t %s, SND_GLB snd_launch *%s", w->slot, w->launch);
}

/* Of a soa cell. */
static void write_set_active(const Walk *w)
{
  write_head(w, "bool", WALK_ACTIVATE, launch_params(w), "");
  write_null_test(w, " false");
  write_line(w->emit, "return snd_%s_activate(%s, %s, %s, %s, %s) != 0;", kind_name(w->snode),
             w->view, w->names->id, w->launch, w->slot, place_arguments(w));
  end_walk(w);
}

static void write_activate(const Walk *w)
{
  Emit *e = w->emit;

  if (w->snode->is_soa) {
    write_set_active(w);
    return;
  }
  write_head(w, format(e->arena, "SND_GLB %s *", w->names->cell), WALK_ACTIVATE,
             launch_params(w), "");
  write_null_test(w, " NULL");
  write_line(e, "return SND_CELL(%s, snd_%s_activate(%s, %s, %s, %s, %s));", w->names->cell,
             kind_name(w->snode), w->view, w->names->id, w->launch, w->slot, place_arguments(w));
  end_walk(w);
}

static void write_deactivate(const Walk *w)
{
  const char *function = kind_is(w->snode->kind, KIND_KEYS) ? "deactivate_key" : "deactivate";
  const char *place = place_arguments(w);

  if (kind_is(w->snode->kind, KIND_LIST))          /* all of it */
    place = format(w->emit->arena, "%s, 0", w->container);
  write_head(w, "void", WALK_DEACTIVATE, "", "");
  write_null_test(w, "");
  write_line(w->emit, "snd_%s_%s(%s, %s, %s);", kind_name(w->snode), function, w->view,
             w->names->id, place);
  end_walk(w);
}

/* What an append takes as the container: 0 where the cell that holds it could not be had. */
static const char *appended_container(const Walk *w)
{
  if (!may_hang_in_nothing(w->snode))
    return w->container;
  return format(w->emit->arena, "%s != NULL ? %s : 0", w->above, w->container);
}

static void write_append(const Walk *w)
{
  Emit *e = w->emit;

  write_head(w, "int64_t", WALK_APPEND, launch_params(w),
             format(e->arena, ", int32_t %s, snd_dynamic_hint *%s", w->site, w->hint));
  write_line(e, "return snd_dynamic_append(%s, %s, %s, %s, %s, %s, %s);", w->view, w->names->id,
             w->launch, w->slot, appended_container(w), w->site, w->hint);
  end_walk(w);
}

/* The cell too: typed, and null where there is none. */
static void write_append_cell(const Walk *w)
{
  Emit *e = w->emit;

  write_head(w, "int64_t", WALK_APPEND_CELL, launch_params(w),
             format(e->arena, ", int32_t %s, snd_dynamic_hint *%s, SND_GLB %s **%s", w->site,
                    w->hint, w->names->cell, w->cell));
  write_line(e,
             "const snd_dynamic_end %s = snd_dynamic_append_cell(%s, %s, %s, %s, %s, %s, "
             "sizeof(%s), %s);",
             w->end, w->view, w->names->id, w->launch, w->slot, appended_container(w), w->site,
             w->names->cell, w->hint);
  write_line(e, "%s", "");
  write_line(e, "*%s = SND_CELL(%s, %s.cell);", w->cell, w->names->cell, w->end);
  write_line(e, "return %s.position;", w->end);
  end_walk(w);
}

static void write_length(const Walk *w, int walk)
{
  write_head(w, "int64_t", walk, "", "");
  write_null_test(w, " 0");
  write_line(w->emit, "return snd_dynamic_%s(&%s->snode[%s], %s);", walk_names[walk], w->view,
             w->names->id, w->container);
  end_walk(w);
}

static void write_bits(const Walk *w)
{
  write_head(w, "uint64_t", WALK_BITS, "", "");
  write_line(w->emit, "return snd_bitmasked_bits(&%s->snode[%s], %s);", w->view, w->names->id,
             place_arguments(w));
  end_walk(w);
}

static void write_cells(const Walk *w)
{
  Emit *e = w->emit;

  write_head(w, format(e->arena, "SND_GLB %s *", w->names->cell), WALK_CELLS, "", "");
  if (w->snode->parent)
    write_line(e, "return SND_POINTER(%s, %s);", w->names->cell, w->container);
  else
    write_line(e, "return SND_POINTER(%s, %s->root);", w->names->cell, w->view);
  end_walk(w);
}

int64_t bytes_before(const IrField *f)
{
  const IrSNode *n = f->snode;
  int64_t bytes = 0;

  for (int k = 0; k < n->field_count; k++) {
    const int64_t own = type_bytes(f->type), other = type_bytes(n->fields[k]->type);
    if (other > own || (other == own && n->fields[k]->id < f->id))
      bytes += other;
  }
  return bytes;
}

void write_array(Emit *e, const TreeNames *t, const IrField *f)
{
  const Walk w = begin_walk(e, t, f->snode);
  const char *type = array_type(f->type);

  write_line(e, "SND_INLINE SND_GLB %s *", type);
  write_line(e, "%s(const SND_GLB snd_tree_view *%s)", t->array[f->id], w.view);
  write_line(e, "{");
  e->indent++;
  write_line(e, "return SND_POINTER(%s, snd_array(&%s->snode[%s], %lld));", type, w.view,
             w.names->id, (long long)bytes_before(f));
  end_walk(&w);
}

void write_walks(Emit *e, const TreeNames *t, const IrSNode *n)
{
  Walk w = begin_walk(e, t, n);

  if (w.names->used[WALK_CELLS])
    write_cells(&w);
  for (int walk = WALK_READ; walk <= WALK_PEEK_SETTLED; walk++)
    if (w.names->used[walk])
      write_read(&w, walk);
  if (w.names->used[WALK_ACTIVATE])
    write_activate(&w);
  if (w.names->used[WALK_DEACTIVATE])
    write_deactivate(&w);
  if (w.names->used[WALK_APPEND])
    write_append(&w);
  if (w.names->used[WALK_APPEND_CELL])
    write_append_cell(&w);
  for (int walk = WALK_LENGTH; walk <= WALK_LENGTH_SETTLED; walk++)
    if (w.names->used[walk])
      write_length(&w, walk);
  if (w.names->used[WALK_BITS])
    write_bits(&w);
}
