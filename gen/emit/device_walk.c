/* foo_device.h: indices and coordinates in its functions, and the walks.
 *
 *   foo_tile_cell(hand, mode, i, j)   the walk to the cell of an SNode, through its parent's walk
 *   foo_rho_cell(view, mode, i, j)    the same for a field's index: checked, without its origin
 *   foo_tile_cell_at                  for an SNode's
 */
#include "gen/emit/device.h"

#include <string.h>

/* ---- names and functions ---- */

const char *device_name(Emit *e, const char *of, const char *what)
{
  return format(e->arena, "%s_%s_%s", e->module->prefix, of, what);
}

const char *device_tree_name(const DeviceWriter *w, const char *what)
{
  return device_name(w->emit, w->tree->name, what);
}

const char *device_field_name(const DeviceWriter *w, const IrField *f, const char *what)
{
  return device_name(w->emit, ir_whole_name(w->emit->arena, f->name), what);
}

const char *device_append(Emit *e, const char *list, const char *item)
{
  return format(e->arena, "%s%s%s", list, *list ? ", " : "", item);
}

void device_open(Emit *e, const char *result, const char *name, const char *params)
{
  const bool is_pointer = result[strlen(result) - 1] == '*';

  write_line(e, "SND_INLINE %s%s%s(%s)", result, is_pointer ? "" : " ", name, params);
  write_line(e, "{");
  e->indent++;
}

void device_close(Emit *e)
{
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
}

/* ---- coordinates ---- */

/* Cells of one container along an axis: a number where it is known. */
const char *device_extent(Emit *e, const IrSNode *n, int axis)
{
  const int64_t size = own_extent(n, axis);

  return size ? decimal(e->arena, (long long)size)
              : format(e->arena, "snd_hand_extent(hand, %d, %d)", n->id, axis);
}

/* "int64_t i, int64_t j": of an SNode. */
static const char *coordinate_params(Emit *e, const IrSNode *n)
{
  const char *list = "";

  for (int k = 0; k < n->path_axis_count; k++)
    list = device_append(e, list, format(e->arena, "int64_t %s", axis_name[n->path_axes[k]]));
  return list;
}

/* What the parent's walk is given: which of its cells that is. */
static const char *coordinates_above(Emit *e, const IrSNode *n)
{
  const IrSNode *parent = n->parent;
  const char *list = "";

  for (int k = 0; k < parent->path_axis_count; k++) {
    const int axis = parent->path_axes[k];
    const char *own = axis_name[axis];
    if (own_axis(n, axis) >= 0)
      own = format(e->arena, "snd_floordiv_i64(%s, %s)", own, device_extent(e, n, axis));
    list = device_append(e, list, own);
  }
  return list;
}

/* The position in the container: row-major over its own axes. */
static const char *position(Emit *e, const IrSNode *n)
{
  const char *text = "";

  for (int k = 0; k < n->axis_count; k++) {
    const int axis = n->axes[k].axis;
    const char *digit = is_top_of_axis(n, axis)
                            ? axis_name[axis]
                            : format(e->arena, "snd_floormod_i64(%s, %s)", axis_name[axis],
                                     device_extent(e, n, axis));
    text = k == 0 ? digit
                  : format(e->arena, k == 1 ? "%s * %s + %s" : "(%s) * %s + %s", text,
                           device_extent(e, n, axis), digit);
  }
  return *text ? text : "0";
}

/* ---- walks ---- */

static const char *walk_call(Emit *e, const IrSNode *n, const char *mode, const char *coordinates)
{
  if (!n->parent)
    return "snd_hand_root(hand)";
  return format(e->arena, "%s(hand, %s%s%s)", device_name(e, n->name, "cell"), mode,
                *coordinates ? ", " : "", coordinates);
}

const char *device_container(Emit *e, const IrSNode *n, const char *mode)
{
  if (!n->parent->parent)
    return format(e->arena, "snd_hand_top(hand, %d)", n->id);
  return format(e->arena, "snd_hand_container(hand, %d, %s)", n->id,
                walk_call(e, n->parent, mode, coordinates_above(e, n)));
}

static void write_key_walk(Emit *e, const IrSNode *n)
{
  const char *list = "";

  for (int k = 0; k < n->axis_count; k++)
    list = device_append(e, list, axis_name[n->axes[k].axis]);
  write_line(e, "const int64_t key[] = { %s };", list);
  write_line(e, "return snd_hand_hash(hand, %d, mode, key, %d);", n->id, n->axis_count);
}

void device_write_walk(Emit *e, const IrSNode *n)
{
  const char *coordinates = coordinate_params(e, n);

  device_open(e, "snd_cell", device_name(e, n->name, "cell"),
              format(e->arena, "snd_hand hand, snd_mode mode%s%s", *coordinates ? ", " : "",
                     coordinates));
  if (kind_is(n->kind, KIND_KEYS))
    write_key_walk(e, n);
  else {
    write_line(e, "const sn_addr container = %s;", device_container(e, n, "snd_hand_above(mode)"));
    write_line(e, "return snd_hand_%s(hand, %d, container, mode, %s);", runtime_kind(n)->word,
               n->id, position(e, n));
  }
  device_close(e);
}

/* ---- indices that a person gives ---- */

static int index_count(const DeviceIndex *x)
{
  return x->field ? x->field->axis_count : x->snode->path_axis_count;
}

static int index_axis(const DeviceIndex *x, int k)
{
  return x->field ? x->field->axes[k] : x->snode->path_axes[k];
}

static bool has_index(const DeviceIndex *x, int k)
{
  return !x->of_container || own_axis(x->snode, index_axis(x, k)) < 0;
}

/* "int64_t i, int64_t j", or without the type. */
const char *device_index_list(Emit *e, const DeviceIndex *x, const char *type)
{
  const char *list = "";

  for (int k = 0; k < index_count(x); k++)
    if (has_index(x, k))
      list = device_append(e, list, format(e->arena, "%s%s", type, axis_name[index_axis(x, k)]));
  return list;
}

const char *device_behind(Emit *e, const char *list)
{
  return *list ? format(e->arena, ", %s", list) : "";
}

/* The coordinate on an axis, in cells. */
static const char *coordinate(Emit *e, const DeviceIndex *x, int axis)
{
  for (int k = 0; k < index_count(x); k++)
    if (index_axis(x, k) == axis && has_index(x, k)) {
      const int64_t origin = x->field ? x->field->origin[k] : 0;
      return origin ? format(e->arena, "snd_hand_from(%s, INT64_C(%lld))", axis_name[axis],
                             (long long)origin)
                    : axis_name[axis];
    }
  return "0";
}

static const char *coordinates(Emit *e, const DeviceIndex *x)
{
  const char *list = "";

  for (int k = 0; k < x->snode->path_axis_count; k++)
    list = device_append(e, list, coordinate(e, x, x->snode->path_axes[k]));
  return list;
}

/* What holds of an index that lies inside the extents; "": any does. */
const char *device_inside(Emit *e, const DeviceIndex *x)
{
  const IrSNode *n = x->snode;
  const char *all = "";

  for (int k = 0; k < index_count(x); k++) {
    const int axis = index_axis(x, k);
    const char *total = n->total[axis]
                            ? decimal(e->arena, (long long)n->total[axis])
                            : format(e->arena, "snd_hand_total(hand, %d, %d)", n->id, axis);
    if (has_index(x, k) && !(n->open_axes >> axis & 1))
      all = format(e->arena, "%s%ssnd_hand_is_in(%s, %s)", all, *all ? " && " : "",
                   coordinate(e, x, axis), total);
  }
  return all;
}

const char *device_note(Emit *e, const DeviceIndex *x, const char *code, const char *needs)
{
  const char *list = device_index_list(e, x, "");
  int count = 0;

  for (int k = 0; k < index_count(x); k++)
    count += has_index(x, k);
  return format(e->arena, "snd_hand_note(hand, %s, %s, %d, %d, %d, %s);", code, needs,
                x->field ? x->field->id : -1, x->snode->id, count, *list ? "at" : "NULL");
}

/* The walk for an index as it is given, in the function foo_rho_cell or foo_tile_cell_at. */
void device_write_checked_walk(const DeviceWriter *w, const DeviceIndex *x, const char *name)
{
  Emit *e = w->emit;
  const char *list = device_index_list(e, x, ""), *condition = device_inside(e, x);

  device_open(e, "snd_cell", name,
              format(e->arena, "%s view, snd_mode mode%s", device_tree_name(w, "view"),
                     device_behind(e, device_index_list(e, x, "int64_t "))));
  write_line(e, "const snd_hand hand = SND_HAND(view);");
  write_line(e, "const snd_mode how = snd_hand_mode(hand, mode);");
  if (*list)
    write_line(e, "const int64_t at[] = { %s };", list);
  write_line(e, "snd_cell cell = snd_no_cell();");
  write_line(e, "%s", "");
  if (*condition) {
    write_line(e, "if (SND_UNLIKELY(!(%s))) {", condition);
    e->indent++;
    write_line(e, "%s", device_note(e, x, "SN_EBOUNDS", "0"));
    write_line(e, "return cell;");
    e->indent--;
    write_line(e, "}");
  }
  write_line(e, "cell = %s;", walk_call(e, x->snode, "how", coordinates(e, x)));
  write_line(e, "if (SND_UNLIKELY(how != mode) && snd_hand_lacks(mode, cell))");
  e->indent++;
  write_line(e, "%s", device_note(e, x, "SN_EPERMISSION", "(int32_t)snd_hand_needs(mode)"));
  e->indent--;
  write_line(e, "return cell;");
  device_close(e);
}

const char *device_params(const DeviceWriter *w, const DeviceIndex *x)
{
  return format(w->emit->arena, "%s view%s", device_tree_name(w, "view"),
                device_behind(w->emit, device_index_list(w->emit, x, "int64_t ")));
}

const char *device_cell_at(const DeviceWriter *w, const DeviceIndex *x, const char *mode)
{
  Emit *e = w->emit;
  const char *name = x->field ? device_field_name(w, x->field, "cell")
                              : device_name(e, x->snode->name, "cell_at");

  return format(e->arena, "%s(view, %s%s)", name, mode,
                device_behind(e, device_index_list(e, x, "")));
}
