/* A tree in the C file: ids and the structs of its cells; its walks are in tree_walk.c.
 */
#include "gen/emit/writer.h"

#include <string.h>

/* ---- names ---- */

static const char *snode_name(const IrSNode *n)
{
  return n->kind == SNODE_ROOT ? "root" : n->name;
}

const char *slot_name(const IrFunction *f, int slot)
{
  return f->slots[slot].name ? f->slots[slot].name : f->slots[slot].tree->name;
}

bool has_named_arrays(const IrSNode *n)
{
  return n->is_soa && !n->is_soa_by_row && n->parent->kind == SNODE_ROOT;
}

/* A dense SNode of virtual fields alone in another's cells: as its container is a member
 * there, C wants something in it. Under the root it has no memory. */
static bool is_padded(const IrSNode *n)
{
  return kind_is(n->kind, KIND_DENSE) && n->field_count == 0 && n->child_count == 0 &&
         n->parent->parent;
}

/* Whether its cells have anything in them: bitmasked ones need not, nor dense ones whose
 * fields are virtual. */
static bool has_parts(const IrSNode *n)
{
  return !ir_is_in_place(n) || n->field_count > 0 || n->child_count > 0 || is_padded(n);
}

/* A bitmasked container in a cell: cells and masks.  Under the root libsnode makes it. */
static bool has_container_struct(const IrSNode *n)
{
  return kind_is(n->kind, KIND_MASKED) && n->parent->parent;
}

static void plan_snode(Emit *e, TreeNames *t, const IrSNode *n)
{
  SNodeNames *names = &t->snode[n->id];
  const char *name = format(e->arena, "%s_%s", t->name, snode_name(n));

  names->id = names_take(&e->names, upper_case(e->arena, name));
  names->cell = has_parts(n) && !has_named_arrays(n) ? names_take(&e->names, name) : "void";
  if (has_container_struct(n))
    names->container = names_take(&e->names, format(e->arena, "%s_container", name));
  if (n->is_split)
    names->part = names_take(&e->names, format(e->arena, "%s_part", name));
  for (int w = 0; w < WALKS; w++)
    names->walk[w] = names_take(&e->names, format(e->arena, "%s_%s", name, walk_names[w]));
}

/* A field's member; of a vector an element of an array: "x[1]"; of a struct "s.x[1]". */
static void plan_field(Emit *e, TreeNames *t, Names *members, const IrField *f)
{
  const int first = f->id - ir_field_number(f);

  if (first == f->id)
    t->field_whole[f->id] = names_take(members, ir_whole_name(e->arena, f->name));
  t->field_member[f->id] = t->field_whole[first];
  if (f->of)
    t->field_member[f->id] = format(e->arena, "%s.%s", t->field_whole[first],
                                    struct_path(e, f->of, f->id - first));
  else if (ir_is_element(f->name))
    t->field_member[f->id] = format(e->arena, "%s[%d]", t->field_whole[first], f->id - first);
}

/* The members of a cell: fields, containers, the id. */
static void plan_members(Emit *e, TreeNames *t, const IrSNode *n)
{
  Names members;

  names_init(&members, e->arena, NAMES_MEMBER, NULL);
  for (int k = 0; k < n->field_count; k++)
    plan_field(e, t, &members, n->fields[k]);
  for (int k = 0; k < n->child_count; k++)
    t->snode[n->children[k]->id].member = names_take(&members, n->children[k]->name);
  t->snode[n->id].id_member = names_take(&members, "id");
  if (!n->is_split)
    return;
  for (int k = 0; k < n->child_count; k++) {
    SNodeNames *child = &t->snode[n->children[k]->id];
    child->apart = names_take(&members, format(e->arena, "%s_apart", child->member));
  }
}

static void plan_tree(Emit *e, const IrTree *tree)
{
  TreeNames *t = &e->trees[tree->id];

  t->name = tree->name;
  t->c_type = format(e->arena, "%s_%s", tree->prefix ? tree->prefix : e->module->prefix,
                     tree->name);
  t->info = names_take(&e->names, format(e->arena, "%s_info", tree->name));
  t->snode = NEW_ARRAY(e->arena, SNodeNames, tree->snode_count);
  t->field_id = NEW_ARRAY(e->arena, const char *, tree->field_count + 1);
  t->field_member = NEW_ARRAY(e->arena, const char *, tree->field_count + 1);
  t->field_whole = NEW_ARRAY(e->arena, const char *, tree->field_count + 1);
  t->array = NEW_ARRAY(e->arena, const char *, tree->field_count + 1);
  t->uses_array = NEW_ARRAY(e->arena, bool, tree->field_count + 1);
  for (int k = 0; k < tree->snode_count; k++) {
    plan_snode(e, t, tree->snodes[k]);
    plan_members(e, t, tree->snodes[k]);
  }
  for (int k = 0; k < tree->field_count; k++) {
    const char *name = format(e->arena, "%s_%s", tree->name, tree->fields[k]->name);
    t->field_id[k] = names_take(&e->names, upper_case(e->arena, name));
    if (has_named_arrays(tree->fields[k]->snode))
      t->array[k] = names_take(&e->names, name);
  }
}

void plan_trees(Emit *e)
{
  e->trees = NEW_ARRAY(e->arena, TreeNames, e->module->tree_count + 1);
  for (int k = 0; k < e->module->tree_count; k++)
    plan_tree(e, e->module->trees[k]);
}

/* ---- structs ---- */

static const char *shape_comment(Emit *e, const IrSNode *n)
{
  const char *shape = "";

  for (int k = 0; k < n->axis_count; k++)
    shape = format(e->arena, "%s%s%lld", shape, k ? " x " : "", (long long)n->axes[k].size);
  return n->axis_count > 1 ? format(e->arena, "   /* %s */", shape) : "";
}

/* "[64]" */
static const char *cells_extent(Emit *e, const IrSNode *n)
{
  return format(e->arena, "[%lld]", (long long)ir_cells(n));
}

/* "[8]": of one of its arrays, where it has arrays. */
static const char *array_extent(Emit *e, const IrSNode *n)
{
  return format(e->arena, "[%lld]", (long long)ir_array_cells(n));
}

/* "[64]": of the structs that the cells of a container are, "" where they are one. */
static const char *structs_extent(Emit *e, const IrSNode *n)
{
  const int64_t cells = n->is_soa ? ir_array_cells(n) : 1;

  if (n->is_soa && !n->is_soa_by_row)
    return "";
  return format(e->arena, "[%lld]", (long long)(ir_cells(n) / cells));
}

/* "v[2]" at field k of n, and k goes behind it. */
static const char *declarator(Emit *e, const TreeNames *t, const IrSNode *n, int *k)
{
  const IrField *f = n->fields[*k];
  int count = ir_field_elements(n->tree, f->id);
  const char *name = t->field_whole[f->id];

  *k += count;
  if (f->of)
    return name;
  if (ir_is_element(f->name))
    name = format(e->arena, "%s[%d]", name, count);
  return n->is_soa ? format(e->arena, "%s%s", name, array_extent(e, n)) : name;
}

static const char *member_type(Emit *e, const IrField *f)
{
  if (!f->of)
    return array_type(f->type);
  return f->snode->is_soa ? struct_of_arrays(e, f->of, array_extent(e, f->snode))
                          : struct_type(e, f->of);
}

/* Neighbours of one type share a line. */
static void write_fields(Emit *e, const TreeNames *t, const IrSNode *n)
{
  for (int k = 0; k < n->field_count; ) {
    const char *type = member_type(e, n->fields[k]), *list = declarator(e, t, n, &k);
    while (k < n->field_count && strcmp(member_type(e, n->fields[k]), type) == 0)
      list = format(e->arena, "%s, %s", list, declarator(e, t, n, &k));
    write_line(e, "%s %s;", type, list);
  }
}

static void write_container(Emit *e, const TreeNames *t, const IrSNode *n)
{
  const SNodeNames *names = &t->snode[n->id];
  const char *extent = cells_extent(e, n);

  switch (snode_kind[n->kind].cells) {
  case KIND_DENSE:
    write_line(e, "%s %s%s;%s", names->cell, names->member, structs_extent(e, n),
               shape_comment(e, n));
    return;
  case KIND_MASKED:
    write_line(e, "%s %s;", names->container, names->member);
    return;
  case KIND_SLOTS:
    write_line(e, "uint64_t %s%s;%s", names->member, extent, shape_comment(e, n));
    return;
  case KIND_LIST:
    write_line(e, "uint64_t %s;", names->member);
    return;
  default:
    ICE("'%s' stands in no cell", n->label);
  }
}

static void write_containers(Emit *e, const TreeNames *t, const IrSNode *n)
{
  for (int k = 0; n->parent && k < n->child_count; k++)
    write_container(e, t, n->children[k]);
}

/* The union that is as large as the largest container in a cell. */
static void write_part_union(Emit *e, const TreeNames *t, const IrSNode *n)
{
  const SNodeNames *names = &t->snode[n->id];

  write_line(e, "typedef union %s {   /* what a cell of %s holds, which lies apart */",
             names->part, n->name);
  e->indent++;
  write_containers(e, t, n);
  e->indent--;
  write_line(e, "} %s;", names->part);
  write_line(e, "%s", "");
}

/* Each container where its own are side by side. */
static void write_split_containers(Emit *e, const TreeNames *t, const IrSNode *n)
{
  const SNodeNames *names = &t->snode[n->id];

  for (int k = 0; k < n->child_count; k++) {
    write_line(e, "union {");
    e->indent++;
    write_container(e, t, n->children[k]);
    write_line(e, "char %s[SND_SPLIT_APART(sizeof(%s))];", t->snode[n->children[k]->id].apart,
               names->part);
    e->indent--;
    write_line(e, "};");
  }
}

static bool has_cells(const IrSNode *n)
{
  return n->parent ? has_parts(n) : n->field_count > 0;
}

/* Cells, a bit for each that is active, a bit for each that was taken out. */
static void write_container_struct(Emit *e, const TreeNames *t, const IrSNode *n)
{
  const SNodeNames *names = &t->snode[n->id];
  long long words = (long long)(ir_cells(n) + 63) / 64;

  write_line(e, "typedef struct %s {   /* a container of %s */", names->container, n->name);
  e->indent++;
  if (has_parts(n))
    write_line(e, "%s cell%s;%s", names->cell, structs_extent(e, n),
               shape_comment(e, n));
  write_line(e, "uint64_t mask[%lld], out[%lld];", words, words);
  e->indent--;
  write_line(e, "} %s;", names->container);
  write_line(e, "%s", "");
}

static const char *what_it_is(Emit *e, const IrSNode *n)
{
  if (!n->parent)
    return "the cell of the root";
  if (n->is_soa_by_row)
    return format(e->arena, "a row of %s", n->name);
  return format(e->arena, n->is_soa ? "the cells of a container of %s" : "a cell of %s", n->name);
}

static void write_cell_struct(Emit *e, const TreeNames *t, const IrSNode *n)
{
  const SNodeNames *names = &t->snode[n->id];

  if (n->is_split)
    write_part_union(e, t, n);
  write_line(e, "typedef struct %s {   /* %s */", names->cell, what_it_is(e, n));
  e->indent++;
  write_fields(e, t, n);
  if (n->is_split)
    write_split_containers(e, t, n);
  else
    write_containers(e, t, n);
  if (ir_is_allocated(n) && ir_has_id(n))
    write_line(e, "uint32_t %s;", names->id_member);
  if (is_padded(n))
    write_line(e, "char %s;   /* its fields are virtual */", names->id_member);
  e->indent--;
  write_line(e, "} %s;", names->cell);
  write_line(e, "%s", "");
}

/* Those it holds first. */
static void write_structs(Emit *e, const TreeNames *t, const IrSNode *n)
{
  for (int k = 0; k < n->child_count; k++)
    write_structs(e, t, n->children[k]);
  if (has_cells(n) && !has_named_arrays(n))
    write_cell_struct(e, t, n);
  if (has_container_struct(n))
    write_container_struct(e, t, n);
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

void emit_tree(Emit *e, const IrTree *tree)
{
  const TreeNames *t = &e->trees[tree->id];

  write_section(e, format(e->arena, "tree %s", tree->name));
  if (tree->doc)
    write_comment(e, tree->doc);
  write_ids(e, t, tree);
  write_structs(e, t, tree->snodes[0]);
  for (int k = 0; k < tree->snode_count; k++)
    write_walks(e, t, tree->snodes[k]);
  for (int k = 0; k < tree->field_count; k++)
    if (t->uses_array[k])
      write_array(e, t, tree->fields[k]);
}
