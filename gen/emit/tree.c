/* A tree in the C file: ids, the structs of its cells, its walks.
 *
 * A walk takes the view, the cell that holds the container (none under the root)
 * and a position in it:
 *
 *   grid_tile_read      its defaults where it is inactive; never null
 *   grid_tile_peek      null where it is inactive
 *   .._settled          the same two in a task that changes no activity
 *   grid_tile_activate  made active; null when memory is out
 *   grid_tile_deactivate
 *   grid_mark_cells     the cells of a dense SNode under the root; the root's
 *
 * A null cell above gives null.  Only walks that are used are written.
 */
#include "gen/emit/writer.h"

#include <string.h>

/* ---- names ---- */

static const char *const walk_names[WALKS] = { "read", "peek", "read_settled", "peek_settled",
                                               "activate", "cells", "deactivate" };

static const char *snode_name(const IrSNode *n)
{
  return n->kind == IR_SNODE_ROOT ? "root" : n->name;
}

static void plan_snode(Emit *e, TreeNames *t, const IrSNode *n)
{
  SNodeNames *names = &t->snode[n->id];
  const char *name = format(e->arena, "%s_%s", t->name, snode_name(n));

  names->id = names_take(&e->names, upper_case(e->arena, name));
  names->cell = names_take(&e->names, name);
  for (int w = 0; w < WALKS; w++)
    names->walk[w] = names_take(&e->names, format(e->arena, "%s_%s", name, walk_names[w]));
}

/* The members of a cell: fields, containers, the id. */
static void plan_members(Emit *e, TreeNames *t, const IrSNode *n)
{
  Names members;

  names_init(&members, e->arena, NAMES_MEMBER, NULL);
  for (int k = 0; k < n->field_count; k++)
    t->field_member[n->fields[k]->id] = names_take(&members, n->fields[k]->name);
  for (int k = 0; k < n->child_count; k++)
    t->snode[n->children[k]->id].member = names_take(&members, n->children[k]->name);
  t->snode[n->id].id_member = names_take(&members, "id");
}

static void plan_tree(Emit *e, const IrTree *tree)
{
  TreeNames *t = &e->trees[tree->id];

  t->name = tree->name;
  t->c_type = format(e->arena, "%s_%s", e->module->prefix, tree->name);
  t->info = names_take(&e->names, format(e->arena, "%s_info", tree->name));
  t->snode = NEW_ARRAY(e->arena, SNodeNames, tree->snode_count);
  t->field_id = NEW_ARRAY(e->arena, const char *, tree->field_count + 1);
  t->field_member = NEW_ARRAY(e->arena, const char *, tree->field_count + 1);
  for (int k = 0; k < tree->snode_count; k++) {
    plan_snode(e, t, tree->snodes[k]);
    plan_members(e, t, tree->snodes[k]);
  }
  for (int k = 0; k < tree->field_count; k++) {
    const char *name = format(e->arena, "%s_%s", tree->name, tree->fields[k]->name);
    t->field_id[k] = names_take(&e->names, upper_case(e->arena, name));
  }
}

void plan_trees(Emit *e)
{
  e->trees = NEW_ARRAY(e->arena, TreeNames, e->module->tree_count + 1);
  for (int k = 0; k < e->module->tree_count; k++)
    plan_tree(e, e->module->trees[k]);
}

/* ---- structs ---- */

static int64_t cell_count(const IrSNode *n)
{
  int64_t cells = 1;

  for (int k = 0; k < n->axis_count; k++)
    cells *= n->axes[k].size;
  return cells;
}

static const char *shape_comment(Emit *e, const IrSNode *n)
{
  const char *shape = "";

  for (int k = 0; k < n->axis_count; k++)
    shape = format(e->arena, "%s%s%lld", shape, k ? " x " : "", (long long)n->axes[k].size);
  return n->axis_count > 1 ? format(e->arena, "   /* %s */", shape) : "";
}

/* Neighbours of one type share a line. */
static void write_fields(Emit *e, const TreeNames *t, const IrSNode *n)
{
  for (int k = 0; k < n->field_count; ) {
    const Type *type = n->fields[k]->type;
    const char *list = t->field_member[n->fields[k]->id];
    for (k++; k < n->field_count && n->fields[k]->type == type; k++)
      list = format(e->arena, "%s, %s", list, t->field_member[n->fields[k]->id]);
    write_line(e, "%s %s;", array_type(type), list);
  }
}

static void write_containers(Emit *e, const TreeNames *t, const IrSNode *n)
{
  for (int k = 0; n->parent && k < n->child_count; k++) {
    const IrSNode *child = n->children[k];
    const SNodeNames *names = &t->snode[child->id];
    bool is_dense = child->kind == IR_SNODE_DENSE;
    write_line(e, "%s %s[%lld];%s", is_dense ? names->cell : "uint64_t", names->member,
               (long long)cell_count(child), shape_comment(e, child));
  }
}

static bool has_cells(const IrSNode *n)
{
  return n->parent || n->field_count > 0;
}

/* Those it holds first. */
static void write_struct(Emit *e, const TreeNames *t, const IrSNode *n)
{
  const SNodeNames *names = &t->snode[n->id];

  for (int k = 0; k < n->child_count; k++)
    write_struct(e, t, n->children[k]);
  if (!has_cells(n))
    return;
  write_line(e, "typedef struct %s {   /* %s%s */", names->cell,
             n->parent ? "a cell of " : "the cell of the root", n->parent ? n->name : "");
  e->indent++;
  write_fields(e, t, n);
  write_containers(e, t, n);
  if (n->kind == IR_SNODE_POINTER)
    write_line(e, "uint32_t %s;", names->id_member);
  e->indent--;
  write_line(e, "} %s;", names->cell);
  write_line(e, "%s", "");
}

static void write_ids(Emit *e, const TreeNames *t, const IrTree *tree)
{
  const char *list = "";

  for (int k = 0; k < tree->snode_count; k++)
    list = format(e->arena, "%s%s%s", list, k ? ", " : "", t->snode[k].id);
  write_line(e, "enum { %s };   /* its SNodes */", list);
  list = "";
  for (int k = 0; k < tree->field_count; k++)
    list = format(e->arena, "%s%s%s", list, k ? ", " : "", t->field_id[k]);
  if (*list)
    write_line(e, "enum { %s };   /* its fields */", list);
  write_line(e, "%s", "");
}

/* ---- walks ---- */

typedef struct Walk {
  Emit *emit;
  const IrSNode *snode;
  const SNodeNames *names;
  const char *view, *above, *l, *launch, *slot;
  const char *container;                 /* its address */
} Walk;

static Walk begin_walk(Emit *e, const TreeNames *t, const IrSNode *n)
{
  Walk w = { .emit = e, .snode = n, .names = &t->snode[n->id] };
  Names names;

  names_init(&names, e->arena, NAMES_LOCAL, &e->names);
  w.view = names_take(&names, t->name);
  w.l = names_take(&names, "l");
  w.launch = names_take(&names, "launch");
  w.slot = names_take(&names, "slot");
  if (!n->parent || n->parent->kind == IR_SNODE_ROOT)
    w.container = format(e->arena, "%s->snode[%s].container", w.view, w.names->id);
  else {
    w.above = names_take(&names, n->parent->name);
    w.container = format(e->arena, "(sn_addr)(uintptr_t)%s->%s", w.above, w.names->member);
  }
  return w;
}

/* Whether the cell that holds the container may be null. */
static bool may_hang_in_nothing(const IrSNode *n)
{
  for (n = n->parent; n; n = n->parent)
    if (n->kind == IR_SNODE_POINTER)
      return true;
  return false;
}

static bool is_read_walk(int walk)
{
  return walk == WALK_READ || walk == WALK_READ_SETTLED;
}

static void write_head(const Walk *w, const char *result, int walk, const char *extra)
{
  Emit *e = w->emit;
  const char *above = "", *position = "";

  if (w->above)
    above = format(e->arena, ", %sSND_GLB %s *%s", is_read_walk(walk) ? "const " : "",
                   e->trees[w->snode->tree->id].snode[w->snode->parent->id].cell, w->above);
  if (walk != WALK_CELLS)
    position = format(e->arena, ", int64_t %s", w->l);
  write_line(e, "SND_INLINE %s", result);
  write_line(e, "%s(const SND_GLB sn_tree_view *%s%s%s%s)", w->names->walk[walk], w->view, extra,
             above, position);
  write_line(e, "{");
  e->indent++;
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

static void write_read(const Walk *w, int walk)
{
  Emit *e = w->emit;
  bool is_read = is_read_walk(walk);

  write_head(w, format(e->arena, "%sSND_GLB %s *", is_read ? "const " : "", w->names->cell),
             walk, "");
  if (!is_read)
    write_null_test(w, " NULL");
  write_line(e, "return %s(%s, snd_pointer_%s(&%s->snode[%s], %s, %s));",
             is_read ? "SND_CONST_POINTER" : "SND_CELL", w->names->cell, walk_names[walk], w->view,
             w->names->id, w->container, w->l);
  end_walk(w);
}

static void write_activate(const Walk *w)
{
  Emit *e = w->emit;

  write_head(w, format(e->arena, "SND_GLB %s *", w->names->cell), WALK_ACTIVATE,
             format(e->arena, ", int32_t %s, SND_GLB sn_launch *%s", w->slot, w->launch));
  write_null_test(w, " NULL");
  write_line(e, "return SND_CELL(%s, snd_pointer_activate(%s, %s, %s, %s, %s, %s));",
             w->names->cell, w->view, w->names->id, w->launch, w->slot, w->container, w->l);
  end_walk(w);
}

static void write_deactivate(const Walk *w)
{
  write_head(w, "void", WALK_DEACTIVATE, "");
  write_null_test(w, "");
  write_line(w->emit, "snd_pointer_deactivate(%s, %s, %s, %s);", w->view, w->names->id,
             w->container, w->l);
  end_walk(w);
}

static void write_cells(const Walk *w)
{
  Emit *e = w->emit;

  write_head(w, format(e->arena, "SND_GLB %s *", w->names->cell), WALK_CELLS, "");
  if (w->snode->parent)
    write_line(e, "return SND_POINTER(%s, %s);", w->names->cell, w->container);
  else
    write_line(e, "return SND_POINTER(%s, %s->root);", w->names->cell, w->view);
  end_walk(w);
}

static void write_walks(Emit *e, const TreeNames *t, const IrSNode *n)
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
}

void emit_tree(Emit *e, const IrTree *tree)
{
  const TreeNames *t = &e->trees[tree->id];

  write_section(e, format(e->arena, "tree %s", tree->name));
  if (tree->doc)
    write_comment(e, tree->doc);
  write_ids(e, t, tree);
  write_struct(e, t, tree->snodes[0]);
  for (int k = 0; k < tree->snode_count; k++)
    write_walks(e, t, tree->snodes[k]);
  emit_tree_tables(e, tree);
}
