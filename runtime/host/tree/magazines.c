/* Magazines: a table with a line for each thread and node manager, made when a task first has
 * so many threads.  It is all zero between tasks. */
#include "runtime/host/tree/magazines.h"
#include "runtime/host/base/numbers.h"

/* Whether the tree has any cells to deal out. */
static int has_managers(const sn_tree *tree)
{
  for (uint32_t k = 1; k < tree->node_count; k++)
    if (sni_has_manager(tree, (int32_t)k))
      return 1;
  return 0;
}

static uint64_t bytes_for(const sn_tree *tree, uint64_t threads)
{
  return threads * tree->node_count * sizeof(snd_magazine);
}

static int make_room(sn_tree *tree, uint64_t bytes)
{
  sni_memory *memory = &tree->context->memory;
  sni_block *block = &tree->magazines_block;

  if (block->usable >= bytes)
    return 1;
  sni_memory_free(memory, block);
  if (sni_memory_alloc(memory, bytes, SNI_ZERO, block) != SN_OK)
    return 0;
  tree->view->magazines = block->address;
  return 1;
}

void sni_magazines_open(sn_tree *tree, int32_t threads)
{
  const uint64_t count = sni_least((uint64_t)threads, SND_MAGAZINES);

  tree->view->magazine_count = 0;
  if (threads > 1 && sni_on_host(tree) && has_managers(tree) &&
      make_room(tree, bytes_for(tree, count)))
    tree->view->magazine_count = (uint32_t)count;
}

void sni_magazines_close(sn_tree *tree)
{
  tree->view->magazine_count = 0;
}

void sni_magazines_destroy(sn_tree *tree)
{
  sni_memory_free(&tree->context->memory, &tree->magazines_block);
}
