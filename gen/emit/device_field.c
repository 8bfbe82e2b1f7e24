/* foo_device.h: the functions of a field, foo_rho_at and its like, and its blocks. */
#include "gen/emit/device.h"

static const char *place(Emit *e, const IrField *f, const char *type)
{
  return format(e->arena, "SND_HAND_PLACE(%s, hand, %s, %d, %d, cell)", type,
                f->snode->is_soa ? "row" : "struct", f->snode->id, f->id);
}

/* The type of what the pointers to the field point to. */
static const char *pointed_type(Emit *e, const IrField *f)
{
  return f->of ? struct_type(e, f->of) : array_type(f->type);
}

/* Its struct is in pieces, so that no pointer leads to it. */
static bool is_in_pieces(const IrField *f)
{
  return f->of && f->snode->is_soa;
}

/* "float value", "const float value[3]", "const foo_body *value"; loaded: of vectors and structs
 * where a value is put. */
static const char *value_param(Emit *e, const IrField *f, bool loaded)
{
  const char *is_const = loaded ? "" : "const ";

  if (f->of)
    return format(e->arena, "%s%s *value", is_const, struct_type(e, f->of));
  if (ir_is_element(f->name))
    return format(e->arena, "%s%s value[%d]", is_const, api_type(f->type),
                  ir_field_elements(f->snode->tree, f->id));
  return format(e->arena, "%s value", api_type(f->type));
}

/* Element k of the value. */
static const char *part(Emit *e, const IrField *f, int k)
{
  if (f->of)
    return format(e->arena, "value->%s", struct_path(e, f->of, k));
  return ir_is_element(f->name) ? format(e->arena, "value[%d]", k) : "value";
}

static void write_at(const DeviceWriter *w, const IrField *f)
{
  Emit *e = w->emit;
  const DeviceIndex x = { f->snode, f, false };
  const char *type = pointed_type(e, f);

  device_open(e, format(e->arena, "%s *", type), device_field_name(w, f, "at"),
              device_params(w, &x));
  write_line(e, "const snd_hand hand = SND_HAND(view);");
  write_line(e, "const snd_cell cell = %s;", device_cell_at(w, &x, "SND_PEEK"));
  write_line(e, "return cell.base != 0 ? (%s *)%s : NULL;", type, place(e, f, type));
  device_close(e);
}

/* One value by result; more of them through a pointer. */
static void write_load(const DeviceWriter *w, const IrField *f)
{
  Emit *e = w->emit;
  const DeviceIndex x = { f->snode, f, false };
  const bool is_one = !f->of && !ir_is_element(f->name);
  const int count = ir_field_elements(w->tree, f->id);

  device_open(e, is_one ? api_type(f->type) : "void", device_field_name(w, f, "load"),
              is_one ? device_params(w, &x)
                     : format(e->arena, "%s, %s", device_params(w, &x), value_param(e, f, true)));
  write_line(e, "const snd_hand hand = SND_HAND(view);");
  write_line(e, "const snd_cell cell = %s;", device_cell_at(w, &x, "SND_READ"));
  for (int k = 0; k < count; k++) {
    const IrField *element = ir_field_element(f, k);
    write_line(e, "%s cell.base != 0 ? snd_load_%s(%s) : 0;",
               is_one ? "return" : format(e->arena, "%s =", part(e, f, k)), suffix(element->type),
               place(e, element, array_type(element->type)));
  }
  device_close(e);
}

/* A bool of a scalar's or a vector's call is an int, in a struct a byte. */
static const char *stored(Emit *e, const IrField *f, int k)
{
  const IrField *element = ir_field_element(f, k);
  const char *text = part(e, f, k);

  return element->type->kind == TYPE_BOOL ? format(e->arena, "(uint8_t)(%s != 0)", text) : text;
}

/* what: "store", or "atomic_add". */
static void write_change(const DeviceWriter *w, const IrField *f, const char *name,
                         const char *what)
{
  Emit *e = w->emit;
  const DeviceIndex x = { f->snode, f, false };
  const int count = ir_field_elements(w->tree, f->id);

  device_open(e, "void", device_field_name(w, f, name),
              format(e->arena, "%s, %s", device_params(w, &x), value_param(e, f, false)));
  write_line(e, "const snd_hand hand = SND_HAND(view);");
  write_line(e, "const snd_cell cell = %s;", device_cell_at(w, &x, "SND_ACTIVATE"));
  write_line(e, "%s", "");
  write_line(e, "if (cell.base == 0) return;");
  for (int k = 0; k < count; k++) {
    const IrField *element = ir_field_element(f, k);
    write_line(e, "snd_%s_%s(%s, %s);", what, suffix(element->type),
               place(e, element, array_type(element->type)), stored(e, f, k));
  }
  device_close(e);
}

/* Bools, and the structs that have any, are not added to. */
static bool can_add(const DeviceWriter *w, const IrField *f)
{
  for (int k = 0; k < ir_field_elements(w->tree, f->id); k++)
    if (ir_field_element(f, k)->type->kind == TYPE_BOOL)
      return false;
  return true;
}

/* ---- blocks ---- */

static int list_of(const DeviceWriter *w, const IrSNode *n)
{
  int at = 0;

  while (w->lists[at] != n)
    at++;
  return at;
}

static void write_macros(const DeviceWriter *w, const IrField *f)
{
  Emit *e = w->emit;
  const char *prefix = upper_case(e->arena, e->module->prefix);
  const char *name = upper_case(e->arena, ir_whole_name(e->arena, f->name));

  write_line(e, "#define %s_FOREACH_%s(view, b) \\", prefix, name);
  write_line(e, "  for (int64_t b = 0; b < (view).blocks[%d]; b++)", list_of(w, f->snode));
  write_line(e, "#define %s_CELLS_%s(block, c) \\", prefix, name);
  write_line(e, "  for (int64_t c = snd_block_next(&(block), (block).first); c < (block).last; \\");
  write_line(e, "       c = snd_block_next(&(block), c + 1))");
  write_line(e, "%s", "");
}

static void write_in(const DeviceWriter *w, const IrField *f)
{
  Emit *e = w->emit;
  const char *type = pointed_type(e, f);

  device_open(e, format(e->arena, "%s *", type), device_field_name(w, f, "in"),
              format(e->arena, "%s view, const %s *block, int64_t c", device_tree_name(w, "view"),
                     device_tree_name(w, "block")));
  write_line(e, "const snd_hand hand = SND_HAND(view);");
  write_line(e, "const snd_cell cell = snd_hand_in(hand, %d, SND_SNODE_%s, block, c);",
             f->snode->id, runtime_kind(f->snode)->name);
  write_line(e, "return cell.base != 0 ? (%s *)%s : NULL;", type, place(e, f, type));
  device_close(e);
}

static void write_block(const DeviceWriter *w, const IrField *f)
{
  Emit *e = w->emit;

  write_macros(w, f);
  device_open(e, device_tree_name(w, "block"), device_field_name(w, f, "block"),
              format(e->arena, "%s view, int64_t b", device_tree_name(w, "view")));
  write_line(e, "return snd_hand_block(SND_HAND(view), %d, b);", f->snode->id);
  device_close(e);
  if (!is_in_pieces(f))
    write_in(w, f);
}

/* The coordinate on one axis, of cell c of the block; rest: c without the digits behind. */
static const char *coordinate_in(Emit *e, const IrSNode *n, int axis)
{
  const int own = own_axis(n, axis);
  const bool is_above = n->parent && index_of_axis(n->parent, axis) >= 0;
  const char *above = is_above ? format(e->arena, "block->origin[%d]",
                                        index_of_axis(n->parent, axis))
                               : "0";

  if (own < 0)
    return above;
  if (kind_is(n->kind, KIND_KEYS))
    return format(e->arena, "snd_hash_key(hand.view, %d, c, %d)", n->id, own);
  if (!is_above)
    return own == 0 ? "rest"
                    : format(e->arena, "snd_list_digit(&rest, %s)", device_extent(e, n, axis));
  return format(e->arena, "%s * %s + %s", above, device_extent(e, n, axis),
                own == 0 ? "rest" : format(e->arena, "snd_list_digit(&rest, %s)",
                                           device_extent(e, n, axis)));
}

/* Whether a text names what it is written in terms of. */
static bool needs_hand(const IrSNode *n)
{
  for (int k = 0; k < n->axis_count; k++)
    if (n->axes[k].size == 0 && (k > 0 || !is_top_of_axis(n, n->axes[k].axis)))
      return true;
  return kind_is(n->kind, KIND_KEYS);
}

/* From the last axis to the first, as digits come. */
static void write_index(const DeviceWriter *w, const IrField *f)
{
  Emit *e = w->emit;
  const IrSNode *n = f->snode;
  const DeviceIndex x = { n, f, false };

  device_open(e, "void", device_field_name(w, f, "index"),
              format(e->arena, "%s view, const %s *block, int64_t c%s",
                     device_tree_name(w, "view"), device_tree_name(w, "block"),
                     device_behind(e, device_index_list(e, &x, "int64_t *"))));
  if (needs_hand(n))
    write_line(e, "const snd_hand hand = SND_HAND(view);");
  if (!kind_is(n->kind, KIND_KEYS))
    write_line(e, "int64_t rest = c;");
  write_line(e, "%s", "");
  if (!needs_hand(n))
    write_line(e, "(void)view;");
  write_line(e, "(void)block;");
  if (!kind_is(n->kind, KIND_KEYS))
    write_line(e, "(void)rest;");
  for (int p = n->path_axis_count - 1; p >= 0; p--)
    for (int k = 0; k < f->axis_count; k++)
      if (f->axes[k] == n->path_axes[p])
        write_line(e, f->origin[k] ? "*%s = %s + INT64_C(%lld);" : "*%s = %s;",
                   axis_name[f->axes[k]], coordinate_in(e, n, f->axes[k]),
                   (long long)f->origin[k]);
  device_close(e);
}

void device_write_field(const DeviceWriter *w, const IrField *f)
{
  Emit *e = w->emit;
  const DeviceIndex x = { f->snode, f, false };

  write_comment(e, format(e->arena, f->doc ? "field %s: %s" : "field %s",
                          ir_whole_name(e->arena, f->name), f->doc));
  device_write_checked_walk(w, &x, device_field_name(w, f, "cell"));
  if (!is_in_pieces(f))
    write_at(w, f);
  write_load(w, f);
  write_change(w, f, "store", "store");
  if (can_add(w, f))
    write_change(w, f, "add", "atomic_add");
  if (!f->snode->parent)
    return;
  write_block(w, f);
  write_index(w, f);
}
