/* What --emit=layout prints about modes: of each field that could have one and that a kernel
 * uses, or that has one, where it lies in its cell, its mode, and what decides it.
 */
#include "gen/ir/finding.h"
#include "gen/show.h"

#include <inttypes.h>
#include <string.h>

/* ---- bytes: as C lays the cells' structs out ---- */

typedef struct Bytes {
  int64_t used, align;
} Bytes;

static int64_t up(int64_t at, int64_t align)
{
  return (at + align - 1) / align * align;
}

static int64_t put(Bytes *b, int64_t bytes, int64_t align)
{
  const int64_t at = up(b->used, align);

  b->used = at + bytes;
  b->align = b->align < align ? align : b->align;
  return at;
}

static Bytes cell_bytes(const IrSNode *n, int64_t *offset);

/* An array of so many; of a struct one for each member. */
static void put_array(Bytes *b, const Type *type, int64_t cells)
{
  const Struct *s = type_is_struct(type) ? type_struct(type) : NULL;
  Bytes members = { 0, 1 };

  if (!s) {
    put(b, cells * type_bytes(type), type_alignment(type));
    return;
  }
  for (int k = 0; k < s->member_count; k++)
    put_array(&members, s->members[k].type, cells);
  put(b, up(members.used, members.align), members.align);
}

static const Type *whole_type(const IrField *f)
{
  return f->of ? &f->of->type : f->type;
}

static Bytes array_bytes(const IrSNode *n, int64_t cells)
{
  Bytes b = { 0, 1 };

  for (int k = 0; k < n->field_count; k += type_count(whole_type(n->fields[k])))
    put_array(&b, whole_type(n->fields[k]), cells);
  b.used = up(b.used, b.align);
  return b;
}

/* The cells of a container, side by side. */
static Bytes bytes_in_place(const IrSNode *n, int64_t cells)
{
  Bytes all;

  if (n->is_soa && !n->is_soa_by_row)
    return array_bytes(n, cells);
  if (n->is_soa) {
    all = array_bytes(n, ir_array_cells(n));
    all.used *= cells / ir_array_cells(n);
    return all;
  }
  all = kind_is(n->kind, KIND_SLOTS) ? (Bytes){ 8, 8 } : cell_bytes(n, NULL);
  all.used *= cells;
  return all;
}

/* A container in a cell above it: its extents are constant. */
static void put_container(Bytes *b, const IrSNode *n)
{
  Bytes all = { 8, 8 };
  int64_t cells = 1;

  for (int k = 0; k < n->axis_count; k++)
    cells *= n->axes[k].size;
  if (!kind_is(n->kind, KIND_LIST))
    all = bytes_in_place(n, cells);
  if (kind_is(n->kind, KIND_MASKED))     /* two bits a cell behind the cells */
    all = (Bytes){ up(all.used, 8) + 2 * 8 * ((cells + 63) / 64), 8 };
  if (all.used == 0)
    all = (Bytes){ 1, 1 };               /* gen/emit/tree.c: is_padded */
  put(b, all.used, all.align);
}

/* offset: of each field in it, by its place among the SNode's; or NULL. */
static Bytes cell_bytes(const IrSNode *n, int64_t *offset)
{
  Bytes b = { 0, 1 };

  for (int k = 0, count; k < n->field_count; k += count) {
    const IrField *f = n->fields[k];
    const Type *type = whole_type(f);
    const int64_t at = put(&b, type_bytes(type), type_alignment(type));
    count = type_count(type);
    for (int i = 0; offset && i < count; i++)
      offset[k + i] = at + type_offset(type, i);
  }
  for (int k = 0; n->parent && k < n->child_count; k++)
    put_container(&b, n->children[k]);
  b.used = up(b.used, b.align);
  return b;
}

static void show_place(Arena *arena, const IrField *f, Text *out)
{
  const IrSNode *n = f->snode;
  int64_t *offset = NEW_ARRAY(arena, int64_t, n->field_count + 1);
  const Bytes cell = cell_bytes(n, offset);

  if (n->is_soa) {
    text_format(out, "in an array of its own in a %s of %s", n->is_soa_by_row ? "row" : "container",
                n->name);
    return;
  }
  for (int k = 0; k < n->field_count; k++)
    if (n->fields[k] == f)
      text_format(out, "byte %" PRId64 " of %" PRId64 " in a cell of %s", offset[k], cell.used,
                  n->name ? n->name : "the root");
}

/* ---- why ---- */

static void show_finding(const IrFinding *f, Text *out)
{
  static const char *const words[] = {
    [IR_FOUND_ERROR] = "cannot compute it",
    [IR_FOUND_COMPUTED] = "computes it where it is read: each cell is read once",
    [IR_FOUND_SET] = "sets it to its default first: it may be read before it is assigned",
    [IR_FOUND_ASSIGNED] = "assigns all its cells before it reads them",
    [IR_FOUND_PART] = "assigns some of its cells, and reads no others",
    [IR_FOUND_READ] = "only reads it",
    [IR_FOUND_KEPT] = "may read what was there before the call",
  };

  text_format(out, "    kernel %s %s (line %d)\n", f->kernel->name, words[f->kind], f->loc.line);
}

/* The most local mode that the kernels alone would allow; "" where that is none. */
static const char *most_local(const IrModule *m, const IrField *field)
{
  bool found = false, is_read_only = true, is_local = true;

  for (int k = 0; k < m->finding_count; k++) {
    const IrFinding *f = &m->findings[k];
    if (f->field != field)
      continue;
    found = true;
    is_read_only = is_read_only && f->kind == IR_FOUND_READ;
    is_local = is_local && (f->kind == IR_FOUND_ASSIGNED || f->kind == IR_FOUND_PART);
  }
  return !found ? "" : is_read_only ? "constant" : is_local ? "local" : "device";
}

static bool is_of_interest(const IrModule *m, const IrField *field)
{
  return field->mode != FIELD_MODE_NONE || *most_local(m, field);
}

static void show_field(const IrModule *m, const IrField *f, Text *out)
{
  text_format(out, "  %s: %s, ", f->name, f->type->name);
  if (f->mode == FIELD_MODE_virtual)
    text_format(out, "in no memory");
  else
    show_place(m->arena, f, out);
  if (f->mode != FIELD_MODE_NONE && !f->mode_loc.line)
    text_format(out, "; %s, as the kernels allow: %s\n", field_mode_word[f->mode],
                field_mode_meaning[f->mode]);
  else if (f->mode != FIELD_MODE_NONE)
    text_format(out, "; %s, as line %d says: %s\n", field_mode_word[f->mode], f->mode_loc.line,
                field_mode_meaning[f->mode]);
  else
    text_format(out, "; hosted, since C may use it: the kernels alone would allow %s\n",
                most_local(m, f));
  for (int k = 0; k < m->finding_count; k++)
    if (m->findings[k].field == f)
      show_finding(&m->findings[k], out);
}

void show_modes(const IrModule *m, Text *out)
{
  bool is_first = true;

  for (int t = 0; t < m->tree_count; t++) {
    const IrTree *tree = m->trees[t];
    for (int k = 0; k < tree->field_count + tree->virtual_count; k++) {
      const IrField *f = k < tree->field_count ? tree->fields[k]
                                               : tree->virtuals[k - tree->field_count];
      if (!is_of_interest(m, f))
        continue;
      text_add(out, is_first ? "modes\n" : "");
      is_first = false;
      show_field(m, f, out);
    }
  }
}
