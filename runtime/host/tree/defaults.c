/* What a cell holds before anything was written to it: its fields' defaults, those of all
 * that lies in place in it, masks and slots that are 0. */
#include "runtime/host/tree/defaults.h"

#include <string.h>

/* Whether cells of the SNode have memory of their own: not in a cell above. */
static int stands_alone(const sn_tree *tree, int32_t snode)
{
  return sni_is_allocated(tree, snode) || sni_is_dynamic(tree, snode);
}

/* The SNode in whose memory cells of `snode` lie, itself included; 0: under the root. */
static int32_t memory_of(const sn_tree *tree, int32_t snode)
{
  const int32_t holder = sni_view_of(tree, snode)->holder;

  if (stands_alone(tree, snode))
    return snode;
  return holder < 0 ? 0 : holder;
}

int sni_defaults_are_zero(const sn_tree *tree, int32_t snode)
{
  for (uint32_t k = 0; k < tree->info->field_count; k++) {
    const snd_field_info *field = &tree->info->fields[k];
    if (field->default_bits && sni_is_below(tree, field->snode, snode) &&
        memory_of(tree, field->snode) == memory_of(tree, snode))
      return 0;
  }
  return 1;
}

/* The low bytes of a number, as a value of that many bytes lies in memory. */
static void put_bits(char *to, uint64_t bits, uint32_t bytes)
{
  const uint8_t b1 = (uint8_t)bits;
  const uint16_t b2 = (uint16_t)bits;
  const uint32_t b4 = (uint32_t)bits;

  memcpy(to, bytes == 1 ? (const void *)&b1 : bytes == 2 ? (const void *)&b2
           : bytes == 4 ? (const void *)&b4 : (const void *)&bits, bytes);
}

/* The same for so many of them, `bytes` apart. */
static void put_row(char *to, uint64_t cells, const snd_field_info *field)
{
  const uint32_t bytes = sni_type_bytes(field->type);

  for (uint64_t c = 0; c < cells; c++)
    put_bits(to + c * bytes, field->default_bits, bytes);
}

/* The cells of a container in place: its first one, or its first row, and copies of that. */
static void write_container(const sn_tree *tree, int32_t snode, char *container)
{
  const snd_snode_view *node = sni_view_of(tree, snode);
  const uint64_t cells = node->row_cells ? node->row_cells : 1;
  const uint64_t bytes = node->row_cells ? node->row_bytes : node->cell_bytes;

  sni_write_defaults(tree, snode, container);
  for (uint64_t c = cells; c < node->cells; c += cells)
    memcpy(container + c / cells * bytes, container, bytes);
}

void sni_write_defaults(const sn_tree *tree, int32_t snode, char *cell)
{
  const uint64_t row = sni_view_of(tree, snode)->row_cells;
  int32_t child = sni_view_of(tree, snode)->first_child;

  for (uint32_t k = 0; k < tree->info->field_count; k++) {
    const snd_field_info *field = &tree->info->fields[k];
    if (field->snode == snode)
      put_row(cell + field->offset, row ? row : 1, field);
  }
  for (; child >= 0; child = sni_view_of(tree, child)->next_sibling)
    if (!stands_alone(tree, child) && !sni_view_of(tree, child)->ambient_is_zero)
      write_container(tree, child, cell + sni_view_of(tree, child)->container_offset);
}
