/* foo_device.h: the functions of an SNode, foo_tile_is_active_at and its like. */
#include "gen/emit/device.h"

#include <string.h>

/* Position 0 of the container, which the index names. */
static const char *cell_at_first(const DeviceWriter *w, const IrSNode *n, const char *mode)
{
  Emit *e = w->emit;
  const char *list = "";

  for (int k = 0; k < n->path_axis_count; k++) {
    const int axis = n->path_axes[k];
    list = device_append(e, list, own_axis(n, axis) < 0 ? axis_name[axis] : "0");
  }
  return format(e->arena, "%s(view, %s, %s)", device_name(e, n->name, "cell_at"), mode, list);
}

static void write_activity(const DeviceWriter *w, const IrSNode *n)
{
  Emit *e = w->emit;
  const DeviceIndex cell = { n, NULL, false };

  device_open(e, "int", device_name(e, n->name, "is_active_at"), device_params(w, &cell));
  write_line(e, "return %s.base != 0;", device_cell_at(w, &cell, "SND_PEEK"));
  device_close(e);
  device_open(e, "void", device_name(e, n->name, "activate_at"), device_params(w, &cell));
  write_line(e, "(void)%s;", device_cell_at(w, &cell, "SND_ACTIVATE"));
  device_close(e);
  if (!ir_is_sparse(n))
    return;
  if (kind_is(n->kind, KIND_LIST)) {
    const DeviceIndex container = { n, NULL, true };
    device_open(e, "void", device_name(e, n->name, "deactivate_at"), device_params(w, &container));
    write_line(e, "(void)%s;", cell_at_first(w, n, "SND_DEACTIVATE"));
  } else {
    device_open(e, "void", device_name(e, n->name, "deactivate_at"), device_params(w, &cell));
    write_line(e, "(void)%s;", device_cell_at(w, &cell, "SND_DEACTIVATE"));
  }
  device_close(e);
}

/* The cell above the container that the index names, checked. */
static void write_above(const DeviceWriter *w, const IrSNode *n, const char *mode, const char *none)
{
  Emit *e = w->emit;
  const DeviceIndex x = { n, NULL, true };
  const char *list = device_index_list(e, &x, ""), *condition = device_inside(e, &x);

  write_line(e, "const snd_hand hand = SND_HAND(view);");
  if (*list)
    write_line(e, "const int64_t at[] = { %s };", list);
  write_line(e, "%s", "");
  if (*condition) {
    write_line(e, "if (SND_UNLIKELY(!(%s))) {", condition);
    e->indent++;
    write_line(e, "%s", device_note(e, &x, "SN_EBOUNDS", "0"));
    write_line(e, "return %s;", none);
    e->indent--;
    write_line(e, "}");
  } else if (*list)
    write_line(e, "(void)at;");
  if (strcmp(mode, "SND_ACTIVATE") != 0)
    return;
  write_line(e, "if (SND_UNLIKELY(!snd_hand_may(hand, SN_ACTIVATE))) {");
  e->indent++;
  write_line(e, "%s", device_note(e, &x, "SN_EPERMISSION", "SN_ACTIVATE"));
  write_line(e, "return %s;", none);
  e->indent--;
  write_line(e, "}");
}

static void write_list(const DeviceWriter *w, const IrSNode *n)
{
  Emit *e = w->emit;
  const DeviceIndex container = { n, NULL, true };

  device_open(e, "int64_t", device_name(e, n->name, "length_at"), device_params(w, &container));
  write_above(w, n, "SND_PEEK", "0");
  write_line(e, "return snd_hand_length(hand, %d, %s);", n->id,
             device_container(e, n, "SND_PEEK"));
  device_close(e);
  device_open(e, "int64_t", device_name(e, n->name, "append_at"), device_params(w, &container));
  write_above(w, n, "SND_ACTIVATE", "-1");
  write_line(e, "return snd_hand_append(hand, %d, %s);", n->id,
             device_container(e, n, "SND_ACTIVATE"));
  device_close(e);
}

void device_write_snode(const DeviceWriter *w, const IrSNode *n)
{
  Emit *e = w->emit;
  const DeviceIndex cell = { n, NULL, false };

  write_comment(e, format(e->arena, "SNode %s, %s", n->name, snode_kind[n->kind].word));
  device_write_walk(e, n);
  device_write_checked_walk(w, &cell, device_name(e, n->name, "cell_at"));
  write_activity(w, n);
  if (kind_is(n->kind, KIND_LIST))
    write_list(w, n);
}
