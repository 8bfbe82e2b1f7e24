/* How the interpreter of snode/interpreter.h reaches trees: its callbacks, over the
 * generic walk and the lists.
 *
 *   snd_interpreter_access   constant, in the file that includes this
 *
 * Host units only; the interpreter runs one thread, and checks indices itself.
 */
#ifndef SNODE_DEVICE_INTERPRET_H
#define SNODE_DEVICE_INTERPRET_H

#include <snode/device/access.h>
#include <snode/interpreter.h>

/* A tree, a place in it and who asks. */
typedef struct snd_reach {
  const sn_tree_view *view;
  sn_launch *launch;
  snd_index index;
  int32_t slot, snode;
} snd_reach;

SND_FUNCTION snd_reach
snd_reach_field(const sn_args *args, int32_t slot, int32_t field, const int64_t *index)
{
  const sn_tree_view *view = SND_HOST_VIEW(args, slot);
  const sn_field_view *which = snd_field(view, field);
  const snd_reach reach = { view, SND_HOST_LAUNCH(args), snd_index_of_field(which, index), slot,
                            (int32_t)which->snode };
  return reach;
}

SND_FUNCTION snd_reach
snd_reach_snode(const sn_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const sn_tree_view *view = SND_HOST_VIEW(args, slot);
  const snd_reach reach = { view, SND_HOST_LAUNCH(args),
                            snd_index_of_snode(&view->snode[snode], index), slot, snode };
  return reach;
}

SND_FUNCTION sn_addr snd_reach_cell(const snd_reach *reach, snd_mode mode)
{
  return snd_walk_cell(reach->view, reach->snode, &reach->index, mode, reach->launch, reach->slot);
}

SND_FUNCTION void
snd_interpreter_get(const sn_args *args, int32_t slot, int32_t field, const int64_t *index,
                    void *value)
{
  const snd_reach reach = snd_reach_field(args, slot, field, index);
  const sn_field_view *which = snd_field(reach.view, field);

  snd_fill((sn_addr)(uintptr_t)value, snd_reach_cell(&reach, SND_READ) + which->offset,
           which->bytes, 0, 1);
}

SND_FUNCTION void
snd_interpreter_set(const sn_args *args, int32_t slot, int32_t field, const int64_t *index,
                    const void *value)
{
  const snd_reach reach = snd_reach_field(args, slot, field, index);
  const sn_field_view *which = snd_field(reach.view, field);
  const sn_addr cell = snd_reach_cell(&reach, SND_ACTIVATE);

  if (cell != 0)
    snd_fill(cell + which->offset, (sn_addr)(uintptr_t)value, which->bytes, 0, 1);
}

SND_FUNCTION int
snd_interpreter_is_active(const sn_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const snd_reach reach = snd_reach_snode(args, slot, snode, index);
  return snd_walk_is_active(reach.view, snode, &reach.index);
}

SND_FUNCTION void
snd_interpreter_activate(const sn_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const snd_reach reach = snd_reach_snode(args, slot, snode, index);
  (void)snd_reach_cell(&reach, SND_ACTIVATE);
}

SND_FUNCTION void
snd_interpreter_deactivate(const sn_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const snd_reach reach = snd_reach_snode(args, slot, snode, index);
  snd_walk_deactivate(reach.view, snode, &reach.index);
}

SND_FUNCTION int64_t
snd_interpreter_total(const sn_args *args, int32_t slot, int32_t snode, int32_t axis)
{
  return SND_HOST_VIEW(args, slot)->snode[snode].total[axis];
}

SND_FUNCTION int64_t
snd_interpreter_list_length(const sn_args *args, int32_t slot, int32_t snode)
{
  return snd_list_length(SND_HOST_VIEW(args, slot), snode);
}

SND_FUNCTION const uint64_t *
snd_interpreter_list_entry(const sn_args *args, int32_t slot, int32_t snode, int64_t entry,
                           int64_t *coordinate)
{
  const sn_snode_view *node = &SND_HOST_VIEW(args, slot)->snode[snode];

  if (snode == 0) return NULL;
  for (uint32_t k = 1; k < node->entry_words; k++)
    coordinate[k - 1] = (int64_t)snd_list_entry(node, entry)[k];
  return node->masks == 0 ? NULL
                          : SND_CONST_POINTER(uint64_t, node->masks) + entry * node->mask_words;
}

static const sn_interpreter_access snd_interpreter_access = {
  snd_interpreter_get,
  snd_interpreter_set,
  snd_interpreter_is_active,
  snd_interpreter_activate,
  snd_interpreter_deactivate,
  snd_interpreter_total,
  snd_interpreter_list_length,
  snd_interpreter_list_entry
};

#endif
