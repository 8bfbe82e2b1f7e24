/* The constant tables of a generated file: trees, the module. */
#include "gen/emit/writer.h"
#include "gen/model/evaluate.h"

#include <ctype.h>
#include <string.h>

/* ---- extents given at creation ---- */

/* text with the identifier replaced. */
static const char *replace_word(Emit *e, const char *text, const char *word, const char *by)
{
  const char *out = "";

  while (*text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
      length++;
    if (length == strlen(word) && strncmp(text, word, length) == 0 && length)
      out = format(e->arena, "%s%s", out, by);
    else
      out = format(e->arena, "%s%.*s", out, (int)(length ? length : 1), text);
    text += length ? length : 1;
  }
  return out;
}

/* int64_t grid_tile_extent_i(const int64_t *params) */
static const char *write_extent(Emit *e, const IrSNode *n, const IrAxis *axis)
{
  const IrTree *tree = n->tree;
  const char *name = names_take(&e->names, format(e->arena, "%s_%s_extent_%s", tree->name, n->name,
                                                  axis_name[axis->axis]));
  const char *text = axis->text;
  Names names;

  names_init(&names, e->arena, NAMES_LOCAL, &e->names);
  write_line(e, "static int64_t %s(const int64_t *%s)", name, names_take(&names, "params"));
  write_line(e, "{");
  e->indent++;
  for (int k = 0; axis->param < 0 && k < tree->param_count; k++)
    if (has_word(axis->text, tree->param_names[k])) {
      const char *c_name = names_take(&names, tree->param_names[k]);
      text = replace_word(e, text, tree->param_names[k], c_name);
      write_line(e, "const int64_t %s = params[%d];", c_name, k);
    }
  if (axis->param >= 0)
    text = format(e->arena, "params[%d]", axis->param);
  write_line(e, "return %s;", text);
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
  return name;
}

/* ---- SNodes ---- */

static const char *write_axes(Emit *e, const IrSNode *n)
{
  const char *name, *rows = "";

  if (n->axis_count == 0)
    return "NULL";
  for (int k = 0; k < n->axis_count; k++) {
    const IrAxis *axis = &n->axes[k];
    const char *extent = axis->size ? "NULL" : write_extent(e, n, axis);
    rows = format(e->arena, "%s%s{ .axis = %d, %s }", rows, k ? ", " : "", axis->axis,
                  members(e->arena, "size", decimal(e->arena, axis->size), "extent", extent, NULL));
  }
  name = names_take(&e->names, format(e->arena, "%s_%s_axes", n->tree->name, n->name));
  write_line(e, "static const snd_axis_info %s[] = { %s };", name, rows);
  return name;
}

/* Of the struct of a cell, or of all cells of a container; of named arrays the sum of a cell's
 * fields. */
static const char *cell_bytes(Emit *e, const TreeNames *t, const IrSNode *n)
{
  const SNodeNames *names = &t->snode[n->id];
  int64_t bytes = 0;

  for (int k = 0; k < n->field_count; k++)
    bytes += type_bytes(n->fields[k]->type);
  if (has_named_arrays(n))
    return format(e->arena, "%lld", (long long)bytes);
  if (n->is_split)
    return format(e->arena, "SND_SPLIT_BYTES(sizeof(%s))", names->part);
  return strcmp(names->cell, "void") != 0 && (n->parent || n->field_count)
             ? format(e->arena, "sizeof(%s)", names->cell) : "0";
}

static const char *row_cells(Emit *e, const IrSNode *n)
{
  if (has_named_arrays(n))
    return "SND_ROW_OF_ALL";
  return format(e->arena, "%lld", n->is_soa ? (long long)ir_array_cells(n) : 0LL);
}

/* How many cells stand in a chunk, which the distance of their parts depends on. */
static const char *split_log2(Emit *e, const SNodeNames *names)
{
  return format(e->arena, "SND_SPLIT_LOG2(sizeof(%s))", names->part);
}

static void write_snode_row(Emit *e, const TreeNames *t, const IrSNode *n, const char *axes)
{
  const SNodeNames *names = &t->snode[n->id];
  const char *offset = "0", *id = "0";

  if (n->parent && n->parent->parent)
    offset = format(e->arena, "offsetof(%s, %s)", t->snode[n->parent->id].cell, names->member);
  if (ir_is_allocated(n))
    id = ir_has_id(n) ? format(e->arena, "offsetof(%s, %s)", names->cell, names->id_member)
                      : "SND_ID_NOWHERE";
  write_line(e, "[%s] = { %s },", names->id,
             members(e->arena, "name", quote(e->arena, n->name), "label", quote(e->arena, n->label),
                     "kind", format(e->arena, "SND_SNODE_%s", runtime_kind(n)->name),
                     "parent", n->parent ? t->snode[n->parent->id].id : "-1",
                     "row_cells", row_cells(e, n), "cell_bytes", cell_bytes(e, t, n),
                     "container_offset", offset, "id_offset", id,
                     "axis_count", decimal(e->arena, n->axis_count), "axes", axes,
                     "chunk", decimal(e->arena, n->chunk),
                     "parts", decimal(e->arena, n->is_split ? n->child_count : 0),
                     "log2_chunk", n->is_split ? split_log2(e, names) : "0", NULL));
}

static const char *write_snodes(Emit *e, const TreeNames *t, const IrTree *tree)
{
  const char **axes = NEW_ARRAY(e->arena, const char *, tree->snode_count);
  const char *name = names_take(&e->names, format(e->arena, "%s_snodes", tree->name));

  for (int k = 0; k < tree->snode_count; k++)
    axes[k] = write_axes(e, tree->snodes[k]);
  write_line(e, "%s", "");
  write_line(e, "static const snd_snode_info %s[] = {", name);
  e->indent++;
  for (int k = 0; k < tree->snode_count; k++)
    write_snode_row(e, t, tree->snodes[k], axes[k]);
  e->indent--;
  write_line(e, "};");
  write_line(e, "%s", "");
  return name;
}

/* ---- fields ---- */

static const char *default_text(Arena *arena, const IrField *f)
{
  const uint64_t bits = evaluate_bits(f->type, f->default_value);

  return bits ? format(arena, "UINT64_C(0x%llx)", (unsigned long long)bits) : "0";
}

/* In the struct of a cell or of all cells; of named arrays the bytes of a cell before it. */
static const char *field_offset(Emit *e, const TreeNames *t, const IrField *f)
{
  if (has_named_arrays(f->snode))
    return format(e->arena, "%lld", (long long)bytes_before(f));
  return format(e->arena, "offsetof(%s, %s)", t->snode[f->snode->id].cell, t->field_member[f->id]);
}

/* Where the field is in the value that the program has, of whose elements it is one. */
static int64_t part_of(const IrField *f)
{
  const int k = ir_field_number(f);

  return f->of ? type_offset(&f->of->type, k) : k * type_bytes(f->type);
}

static void write_field_row(Emit *e, const TreeNames *t, const IrField *f)
{
  const SNodeNames *snode = &t->snode[f->snode->id];
  const char *axes = "", *origin = "";
  Arena *arena = e->arena;
  bool is_moved = false;

  for (int a = 0; a < f->axis_count; a++) {
    axes = format(arena, "%s%s%d", axes, a ? ", " : "", f->axes[a]);
    origin = format(arena, "%s%s%lld", origin, a ? ", " : "", (long long)f->origin[a]);
    is_moved = is_moved || f->origin[a] != 0;
  }
  write_line(e, "[%s] = { %s },", t->field_id[f->id],
             members(arena, "name", quote(arena, f->name), "type", sn_type_name(f->type),
                     "snode", snode->id,
                     "offset", field_offset(e, t, f),
                     "part", decimal(arena, part_of(f)), "default_bits", default_text(arena, f),
                     "axis_count", decimal(arena, f->axis_count),
                     "axes", *axes ? format(arena, "{ %s }", axes) : "0",
                     "origin", is_moved ? format(arena, "{ %s }", origin) : "0", NULL));
}

static const char *write_fields(Emit *e, const TreeNames *t, const IrTree *tree)
{
  const char *name;

  if (tree->field_count == 0)
    return "NULL";
  name = names_take(&e->names, format(e->arena, "%s_fields", tree->name));
  write_line(e, "static const snd_field_info %s[] = {", name);
  e->indent++;
  for (int k = 0; k < tree->field_count; k++)
    write_field_row(e, t, tree->fields[k]);
  e->indent--;
  write_line(e, "};");
  write_line(e, "%s", "");
  return name;
}

/* ---- trees ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return (hash ^ 0xff) * UINT64_C(1099511628211);
}

/* What must agree between two files that mean the same tree. */
uint64_t tree_layout_hash(Emit *e, const IrTree *tree)
{
  uint64_t hash = UINT64_C(14695981039346656037);

  for (int k = 0; k < tree->snode_count; k++) {
    const IrSNode *n = tree->snodes[k];
    hash = hash_text(hash, n->label);
    hash = hash_text(hash, n->name ? n->name : "");
    hash = hash_text(hash, format(e->arena, "%d %lld%s", n->parent ? n->parent->id : -1,
                                  (long long)n->chunk,
                                  n->is_soa_by_row ? " soa rows" : n->is_soa ? " soa"
                                  : n->is_split ? " split" : ""));
    for (int a = 0; a < n->axis_count; a++)
      hash = hash_text(hash, format(e->arena, "%d %lld %d %s", n->axes[a].axis,
                                    (long long)n->axes[a].size,
                                    n->axes[a].size ? -1 : n->axes[a].param,
                                    n->axes[a].text ? n->axes[a].text : ""));
  }
  for (int k = 0; k < tree->field_count; k++) {
    const IrField *f = tree->fields[k];
    hash = hash_text(hash, format(e->arena, "%s %s %d %llx", f->name, f->type->name, f->snode->id,
                                  (unsigned long long)evaluate_bits(f->type, f->default_value)));
    for (int a = 0; a < f->axis_count; a++)
      hash = hash_text(hash, format(e->arena, "%d %lld", f->axes[a], (long long)f->origin[a]));
  }
  return hash;
}

static const char *write_params(Emit *e, const IrTree *tree)
{
  const char *list = "", *name;

  if (tree->param_count == 0)
    return "NULL";
  for (int k = 0; k < tree->param_count; k++)
    list = format(e->arena, "%s%s%s", list, k ? ", " : "", quote(e->arena, tree->param_names[k]));
  name = names_take(&e->names, format(e->arena, "%s_params", tree->name));
  write_line(e, "static const char *const %s[] = { %s };", name, list);
  return name;
}

static int local_count(const IrTree *tree)
{
  int count = 0;

  for (int k = 0; k < tree->field_count; k++)
    count += tree->fields[k]->mode == FIELD_MODE_local;
  return count;
}

void emit_tree_tables(Emit *e, const IrTree *tree)
{
  const TreeNames *t = &e->trees[tree->id];
  const char *snodes = write_snodes(e, t, tree), *fields = write_fields(e, t, tree);
  const char *params = write_params(e, tree), *root_bytes = "0";
  Arena *a = e->arena;

  if (tree->snodes[0]->field_count)
    root_bytes = format(e->arena, "sizeof(%s)", t->snode[0].cell);
  write_line(e, "static const sn_tree_info %s = {", t->info);
  e->indent++;
  write_line(e, ".name = %s, .c_name = %s, .layout_hash = UINT64_C(0x%016llx),",
             quote(a, tree->name), quote(a, t->c_type),
             (unsigned long long)tree_layout_hash(e, tree));
  write_members(e, members(a, "root_bytes", root_bytes, NULL));
  write_members(e, tables(a, "snode", snodes, "field", fields, NULL));
  write_members(e, members(a, "local_count", decimal(a, local_count(tree)), NULL));
  write_members(e, members(a, "param_count", decimal(a, tree->param_count),
                           "param_names", params, NULL));
  e->indent--;
  write_line(e, "};");
}

/* ---- the module ---- */

static void add_address(Text *list, const char *name)
{
  text_format(list, "%s&%s", list->length ? ", " : "", name);
}

static const char *write_addresses(Emit *e, const char *type, const char *name, Text *list)
{
  if (!list->length)
    return "NULL";
  name = names_take(&e->names, name);
  write_line(e, "static const %s *const %s[] = { %s };", type, name, list->data);
  text_free(list);
  return name;
}

void emit_module(Emit *e, const char *backend)
{
  const IrModule *m = e->module;
  const char *trees, *kernels, *sites;
  Text own_trees = { 0 }, own_kernels = { 0 };
  Arena *a = e->arena;

  write_section(e, "the module");
  sites = write_sites(e);
  for (int k = 0; k < m->tree_count; k++)
    if (!m->trees[k]->prefix)
      add_address(&own_trees, e->trees[k].info);
  trees = write_addresses(e, "sn_tree_info", "trees", &own_trees);
  for (int k = 0; k < m->kernel_count; k++)
    add_address(&own_kernels, e->kernel_info[k]);
  kernels = write_addresses(e, "sn_kernel_info", "kernels", &own_kernels);
  write_line(e, "static const sn_module %s = {", e->table);
  e->indent++;
  write_line(e, ".abi = SNODE_ABI, .bytes = sizeof(sn_module),");
  write_line(e, ".name = %s, .source = %s, .generator = %s,", quote(a, m->prefix),
             quote(a, e->source), quote(a, e->generator));
  write_line(e, ".backend = &%s,", backend);
  write_members(e, members(a, "flags", e->options->profile ? "SND_MODULE_PROFILE" : "0", NULL));
  write_members(e, tables(a, "tree", trees, "kernel", kernels, "site", sites, NULL));
  e->indent--;
  write_line(e, "};");
}
