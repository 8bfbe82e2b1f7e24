/* The reader of IR text: the module, its constants and trees.
 *
 * Reads what print.c writes.  What is derived (path axes, total extents, depth) is
 * computed here; whether the functions keep the rules of the IR is verify.c's
 * question, whether they can be read at all is answered here.
 */
#include "gen/ir/reader.h"
#include "gen/ir/table.h"
#include "gen/ir/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- constants ---- */

static void read_const(Reader *r)
{
  IrModule *m = r->module;
  IrConst *c = NEW(r->arena, IrConst);

  c->type = reader_expect_type(r);
  c->name = reader_expect_name(r, "a name");
  reader_expect(r, "=");
  c->value = reader_expect_value(r, c->type);
  c->doc = reader_accept_doc(r);
  reader_expect_line_end(r);
  vec_push(r->arena, m->consts, m->const_count, c);
}

static void read_table(Reader *r)
{
  IrModule *m = r->module;
  IrTable *t = NEW(r->arena, IrTable);

  t->type = reader_expect_type(r);
  t->name = reader_expect_name(r, "a table");
  if (!r->failed && ir_find_table(m, t->name))
    reader_fail(r, "there are two tables '%s'", t->name);
  reader_expect(r, "=");
  do {
    const Value value = reader_expect_value(r, t->type);
    vec_push(r->arena, t->values, t->count, value);
  } while (!r->failed && reader_accept(r, ","));
  reader_expect_line_end(r);
  vec_push(r->arena, m->tables, m->table_count, t);
}

/* ---- structs ---- */

/* A scalar, a vector or a matrix, or a struct that is declared before. */
static const Type *expect_member_type(Reader *r)
{
  const char *name = r->token.text;
  const Struct *of = name ? reader_find_struct(r->module, name) : NULL;
  bool is_shape = false;
  const Type *type = of ? &of->type : name ? type_shaped_by_name(name, &is_shape) : NULL;

  if (!type)
    return reader_expect_type(r);
  reader_advance(r);
  return type;
}

static void read_member(Reader *r, Struct *s)
{
  Member m = { .type = expect_member_type(r) };

  m.name = reader_expect_name(r, "a member");
  reader_expect_line_end(r);
  vec_push(r->arena, s->members, s->member_count, m);
}

static void read_struct(Reader *r)
{
  IrModule *m = r->module;
  Struct *s = NEW(r->arena, Struct);

  s->type.name = reader_expect_name(r, "a struct");
  if (!r->failed && reader_find_struct(m, s->type.name))
    reader_fail(r, "struct '%s' is declared twice", s->type.name);
  if (reader_accept(r, "prefix"))
    s->prefix = reader_expect_name(r, "a prefix");
  s->doc = reader_accept_doc(r);
  reader_expect(r, "{");
  reader_expect_line_end(r);
  while (!r->failed && !reader_accept(r, "}"))
    read_member(r, s);
  reader_expect_line_end(r);
  if (!r->failed && !struct_close(s))
    reader_fail(r, "struct '%s' has more elements than %d, or none", s->type.name,
                MAX_STRUCT_ELEMENTS);
  if (!r->failed)
    vec_push(r->arena, m->structs, m->struct_count, s);
}

/* ---- fields ---- */

static void read_index_order(Reader *r, IrField *f)
{
  if (!reader_accept(r, "["))
    return;
  do {
    int axis = axis_by_name(reader_expect_name(r, "an axis"));
    if (axis < 0 || f->axis_count == MAX_AXES) {
      reader_fail(r, "no axis of a field");
      return;
    }
    f->axes[f->axis_count++] = axis;
  } while (reader_accept(r, ","));
  reader_expect(r, "]");
}

/* Far from the ends of 64 bits, so that an index minus it is as far. */
static void accept_origin(Reader *r, IrField *f)
{
  const int64_t most = INT64_C(1) << 62;

  if (!reader_accept(r, "offset"))
    return;
  reader_expect(r, "(");
  for (int k = 0; k < f->axis_count; k++) {
    if (k > 0)
      reader_expect(r, ",");
    f->origin[k] = reader_expect_integer(r, -most, most);
  }
  reader_expect(r, ")");
}

static void accept_border(Reader *r, IrField *f)
{
  int border;

  if (!reader_accept(r, "outside"))
    return;
  border = words_position(border_name, BORDERS, reader_expect_name(r, "a border"));
  if (border < 0)
    reader_fail(r, "borders are default, clamp and wrap");
  else
    f->border = (Border)border;
}

static void accept_mode(Reader *r, IrField *f)
{
  int mode;

  if (!reader_accept(r, "mode"))
    return;
  mode = words_position(field_mode_word, FIELD_MODES, reader_expect_name(r, "a memory mode"));
  if (mode < 0)
    reader_fail(r, "no memory mode");
  else
    f->mode = (FieldMode)mode;
}

/* "grad x_grad": another field of the tree, which may stand behind this one. */
static void accept_derivative(Reader *r, const char *word, IrField *f, IrField **derivative)
{
  Derivative *d;

  if (!reader_accept(r, word))
    return;
  vec_push(r->arena, r->derivatives, r->derivative_count, (Derivative){ 0 });
  d = &r->derivatives[r->derivative_count - 1];
  *d = (Derivative){ f, derivative, reader_expect_name(r, "a field") };
}

/* Those of a tree, when all its fields are known. */
static void find_derivatives(Reader *r, const IrTree *t)
{
  for (int k = 0; k < r->derivative_count && !r->failed; k++) {
    const Derivative *d = &r->derivatives[k];
    IrField *found = reader_find_field(r->module, d->name);
    if (!found || found->snode->tree != t || found->type != d->of->type)
      reader_fail(r, "'%s' is no field of the tree and the type of '%s'", d->name, d->of->name);
    *d->found = found;
  }
  r->derivative_count = 0;
}

/* Fields are numbered as the program places them, which may not be the order of
 * the SNodes: the table has holes until the tree is read. */
static void place_among(Reader *r, IrField ***fields, int *count, IrField *f)
{
  while (*count <= f->id)
    vec_push(r->arena, *fields, *count, NULL);
  if ((*fields)[f->id])
    reader_fail(r, "field %d is placed twice", f->id);
  (*fields)[f->id] = f;
}

static void place(Reader *r, IrTree *t, IrField *f)
{
  if (f->mode == FIELD_MODE_virtual) {
    place_among(r, &t->virtuals, &t->virtual_count, f);
    return;
  }
  f->number = r->number++;
  place_among(r, &t->fields, &t->field_count, f);
  vec_push(r->arena, f->snode->fields, f->snode->field_count, f);
}

static void read_field(Reader *r, IrSNode *snode, bool is_stored)
{
  IrField *f = NEW(r->arena, IrField);

  f->snode = snode;
  f->id = (int)reader_expect_integer(r, 0, 1 << 16);
  reader_expect(r, ":");
  f->type = reader_expect_type(r);
  f->name = reader_expect_name(r, "a field");
  f->of = reader_accept_struct(r);
  if (!r->failed && reader_find_field(r->module, f->name))
    reader_fail(r, "field '%s' is placed twice", f->name);
  read_index_order(r, f);
  accept_origin(r, f);
  accept_border(r, f);
  accept_mode(r, f);
  accept_derivative(r, "grad", f, &f->grad);
  accept_derivative(r, "dual", f, &f->dual);
  if (is_stored != (f->mode != FIELD_MODE_virtual) || snode->child_count > 0)
    reader_fail(r, "a place has a number where it is stored, and stands before SNodes");
  reader_expect(r, "=");
  f->default_value = reader_expect_value(r, f->type);
  f->loc = reader_accept_loc(r);
  f->doc = reader_accept_doc(r);
  reader_expect_line_end(r);
  place(r, snode->tree, f);
}

/* ---- SNodes ---- */

/* What stands behind the number of the label "S12pointer" or "S13place"; NULL: it is none, or not
 * the next number. */
static const char *word_of_label(const Reader *r)
{
  const char *label = r->token.text;
  char *word;

  if (r->token.kind != TOKEN_NAME || label[0] != 'S' || !isdigit((unsigned char)label[1]))
    return NULL;
  return strtol(label + 1, &word, 10) == r->number ? word : NULL;
}

static void read_label(Reader *r, IrSNode *s)
{
  const char *word = word_of_label(r);
  const int kind = word ? snode_kind_by_word(word) : -1;

  if (kind < 0 || (r->number == 0) != (kind == SNODE_ROOT)) {
    reader_fail(r, "expected the label of an SNode, number %d", r->number);
    return;
  }
  s->label = r->token.text;
  s->id = s->tree->snode_count;
  s->kind = kind;
  r->number++;
  reader_advance(r);
}

/* "S13place": what is stored; "place": what is virtual. */
static bool accept_place(Reader *r, bool *is_stored)
{
  const char *word = word_of_label(r);

  *is_stored = word && strcmp(word, "place") == 0;
  if (!*is_stored)
    return reader_accept(r, "place");
  reader_advance(r);
  return true;
}

static void read_extent(Reader *r, IrSNode *s)
{
  IrAxis *a = &s->axes[s->axis_count];

  a->axis = axis_by_name(reader_expect_name(r, "an axis"));
  a->param = -1;
  a->size = kind_is(s->kind, KIND_KEYS);
  if (!kind_is(s->kind, KIND_KEYS))
    reader_expect(r, ":");
  if (a->axis < 0 || (s->axis_count > 0 && a->axis <= a[-1].axis)) {
    reader_fail(r, "axes stand in their order, each once");
  } else if (kind_is(s->kind, KIND_KEYS)) {
    s->open_axes |= 1u << a->axis;
  } else if (reader_sees(r, TOKEN_NUMBER, NULL)) {
    a->size = reader_expect_integer(r, 1, INT64_MAX);
  } else if (reader_sees(r, TOKEN_STRING, NULL)) {
    a->text = reader_expect_string(r);
  } else {
    const char *name = reader_expect_name(r, "an extent");
    a->param = words_position(s->tree->param_names, s->tree->param_count, name);
    if (a->param < 0)
      reader_fail(r, "'%s' is no parameter of tree '%s'", name, s->tree->name);
  }
  s->axis_count++;
}

static void read_extents(Reader *r, IrSNode *s)
{
  if (!reader_accept(r, "["))
    return;
  do {
    if (s->axis_count == MAX_AXES)
      reader_fail(r, "too many axes");
    else
      read_extent(r, s);
  } while (!r->failed && reader_accept(r, ","));
  reader_expect(r, "]");
}

static int64_t times(Reader *r, int64_t total, int64_t extent)
{
  if (extent > 0 && total > INT64_MAX / extent)
    reader_fail(r, "more cells than 63 bits can count");
  return r->failed ? 0 : total * extent;
}

static void derive_path(Reader *r, IrSNode *s)
{
  bool on_path[MAX_AXES] = { false };

  if (s->parent)
    s->open_axes |= s->parent->open_axes;
  for (int a = 0; a < MAX_AXES; a++)
    s->total[a] = s->parent ? s->parent->total[a] : 1;
  for (int k = 0; s->parent && k < s->parent->path_axis_count; k++)
    on_path[s->parent->path_axes[k]] = true;
  for (int k = 0; k < s->axis_count; k++) {
    int a = s->axes[k].axis;
    on_path[a] = true;
    s->total[a] = times(r, s->total[a], s->axes[k].size);
  }
  for (int a = 0; a < MAX_AXES; a++)
    if (on_path[a])
      s->path_axes[s->path_axis_count++] = a;
}

static void read_snode(Reader *r, IrTree *t, IrSNode *parent)
{
  IrSNode *s = NEW(r->arena, IrSNode);
  bool is_stored;

  s->tree = t;
  s->parent = parent;
  s->depth = parent ? parent->depth + 1 : 0;
  read_label(r, s);
  if (s->depth > MAX_DEPTH)
    reader_fail(r, "nodes are nested too deeply");
  if (parent && reader_sees(r, TOKEN_NAME, NULL))
    s->name = reader_expect_name(r, "a name");
  read_extents(r, s);
  if (kind_is(s->kind, KIND_LIST) && reader_accept(r, "chunk"))
    s->chunk = reader_expect_integer(r, 1, INT64_MAX);
  s->is_soa = ir_is_in_place(s) && reader_accept(r, "soa");
  s->is_soa_by_row = s->is_soa && reader_accept(r, "rows");
  s->is_split = ir_is_allocated(s) && reader_accept(r, "split");
  if (r->failed)
    return;
  derive_path(r, s);
  s->loc = reader_accept_loc(r);
  s->doc = reader_accept_doc(r);
  vec_push(r->arena, t->snodes, t->snode_count, s);
  if (parent)
    vec_push(r->arena, parent->children, parent->child_count, s);
  reader_expect(r, "{");
  reader_expect_line_end(r);
  while (!r->failed && !reader_accept(r, "}")) {
    if (accept_place(r, &is_stored))
      read_field(r, s, is_stored);
    else
      read_snode(r, t, s);
  }
  reader_expect_line_end(r);
}

/* ---- trees ---- */

static void read_tree_params(Reader *r, IrTree *t)
{
  int types = 0;

  reader_expect(r, "(");
  if (reader_accept(r, ")"))
    return;
  do {
    vec_push(r->arena, t->param_types, types, reader_expect_type(r));
    vec_push(r->arena, t->param_names, t->param_count, reader_expect_name(r, "a parameter"));
  } while (reader_accept(r, ","));
  reader_expect(r, ")");
}

static void expect_all(Reader *r, const IrTree *t, IrField *const *fields, int count)
{
  for (int k = 0; !r->failed && k < count; k++)
    if (!fields[k])
      reader_fail(r, "tree '%s' has no field %d", t->name, k);
}

static void read_tree(Reader *r)
{
  IrModule *m = r->module;
  IrTree *t = NEW(r->arena, IrTree);

  t->name = reader_expect_name(r, "a tree");
  t->id = m->tree_count;
  vec_push(r->arena, m->trees, m->tree_count, t);
  read_tree_params(r, t);
  if (reader_accept(r, "prefix"))
    t->prefix = reader_expect_name(r, "a prefix");
  t->doc = reader_accept_doc(r);
  reader_expect(r, "{");
  reader_expect_line_end(r);
  r->number = 0;
  read_snode(r, t, NULL);
  reader_expect(r, "}");
  find_derivatives(r, t);
  expect_all(r, t, t->fields, t->field_count);
  expect_all(r, t, t->virtuals, t->virtual_count);
  reader_expect_line_end(r);
}

/* ---- the module ---- */

static void read_module_line(Reader *r)
{
  IrModule *m = r->module;
  int bounds;

  if (!reader_accept(r, "module"))
    return;
  m->path = reader_expect_string(r);
  reader_expect(r, "prefix");
  m->prefix = reader_expect_name(r, "a prefix");
  reader_expect(r, "bounds");
  bounds = words_position(ir_bounds_name, 3, reader_expect_name(r, "a bounds mode"));
  if (bounds < 0)
    reader_fail(r, "bounds are trap, zero or none");
  else
    m->bounds = (IrBounds)bounds;
  reader_expect_line_end(r);
}

static void read_declaration(Reader *r)
{
  if (reader_accept(r, "const"))
    read_const(r);
  else if (reader_accept(r, "table"))
    read_table(r);
  else if (reader_accept(r, "struct"))
    read_struct(r);
  else if (reader_accept(r, "tree"))
    read_tree(r);
  else if (reader_accept(r, "func"))
    read_function(r, false);
  else if (reader_accept(r, "kernel"))
    read_function(r, true);
  else
    reader_fail(r, "expected const, table, struct, tree, func or kernel, found '%s'",
                r->token.text);
}

IrModule *ir_read(Arena *arena, Diag *d, const Source *source)
{
  Reader r = { .arena = arena, .diag = d, .line = 1 };

  r.module = NEW(arena, IrModule);
  r.module->arena = arena;
  r.module->path = source->path;
  r.module->prefix = "ir";
  r.at = r.line_start = source->text;
  r.end = source->text + source->length;
  reader_advance(&r);
  while (r.token.kind == TOKEN_NEWLINE)
    reader_advance(&r);
  read_module_line(&r);
  while (r.token.kind != TOKEN_END)
    read_declaration(&r);
  return r.failed ? NULL : r.module;
}
