/* Instances of trees: created with everything they need, destroyed without a trace. */
#include "runtime/host/base/sized.h"
#include "runtime/host/base/text.h"
#include "runtime/host/tree/hash.h"
#include "runtime/host/tree/layout.h"
#include "runtime/host/tree/loops.h"
#include "runtime/host/tree/magazines.h"
#include "runtime/host/tree/pools.h"
#include "runtime/host/tree/snode_memory.h"

#include <string.h>

#include <snode/version.h>

/* A struct in the unit with a copy that the host can read: itself on the host. */
static int mirrored(sn_tree *tree, size_t bytes, sni_block *block, void **mirror)
{
  SN_TRY(sni_memory_alloc(&tree->context->memory, bytes, SNI_ZERO, block));
  *mirror = sni_on_host(tree) ? sni_pointer(block->address)
                              : sni_new(&tree->context->accounts, 1, bytes);
  return *mirror ? SN_OK : SN_ENOMEM;
}

static void free_mirrored(sn_tree *tree, size_t bytes, sni_block *block, void *mirror)
{
  if (!sni_on_host(tree))
    sni_delete(&tree->context->accounts, mirror, 1, bytes);
  sni_memory_free(&tree->context->memory, block);
}

static int make_view(sn_tree *tree)
{
  void *view = NULL, *counters = NULL;
  int code;

  tree->view_bytes = sizeof(snd_tree_view) + tree->node_count * sizeof(snd_snode_view);
  code = mirrored(tree, tree->view_bytes, &tree->view_block, &view);
  tree->view = view;
  SN_TRY(code);
  code = mirrored(tree, tree->node_count * sizeof(snd_snode_counters), &tree->counters_block,
                  &counters);
  tree->counters = counters;
  SN_TRY(code);
  tree->view->counters = tree->counters_block.address;
  tree->view_is_stale = !sni_on_host(tree);
  return SN_OK;
}

static int make_fields(sn_tree *tree)
{
  sn_context *context = tree->context;
  const size_t count = tree->info->field_count;
  const size_t bytes = count * sizeof(snd_field_view);
  snd_field_view *views;
  int code;

  SN_TRY(sni_memory_alloc(&context->memory, bytes, SNI_ANY, &tree->fields_block));
  tree->view->fields = tree->fields_block.address;
  views = sni_new(&context->accounts, count, sizeof *views);
  if (!views)
    return SN_ENOMEM;
  sni_layout_fields(tree, views);
  code = sni_memory_put(&context->memory, tree->view->fields, views, bytes);
  sni_delete(&context->accounts, views, count, sizeof *views);
  return code;
}

/* Cells that are there from the start count as taken: any of them can be written to. */
static int take_container(sn_tree *tree, int32_t snode, uint64_t bytes)
{
  const int has_cells = sni_is_kind(tree, snode, SND_SNODE_DENSE) ||
                        sni_is_kind(tree, snode, SND_SNODE_BITMASKED);

  if (has_cells && !sni_budget_take(&tree->budget, bytes))
    return sni_fail(tree->context, SN_ENOMEM, "%s: the cells of %s take %llu bytes, and the memory "
                    "limit (option memory_limit, SNODE_MEMORY_LIMIT, or the tree's own) leaves "
                    "%llu of %llu", tree->info->c_name, tree->info->snodes[snode].name,
                    (unsigned long long)bytes,
                    (unsigned long long)sni_budget_left(&tree->budget),
                    (unsigned long long)sni_budget_limit(&tree->budget));
  return bytes > SIZE_MAX / 2 ? SN_ENOMEM : SN_OK;
}

/* The containers under the root, which are there from the start. */
static int make_containers(sn_tree *tree)
{
  sni_memory *memory = &tree->context->memory;

  SN_TRY(sni_memory_alloc(memory, tree->info->root_bytes, SNI_ZERO, &tree->root_block));
  tree->view->root = tree->root_block.address;
  for (uint32_t k = 1; k < tree->view->snode_count; k++) {
    snd_snode_view *node = &tree->view->snode[k];
    uint64_t bytes;

    if (node->parent != 0)
      continue;
    if (node->kind == SND_SNODE_HASH)
      sni_hash_layout(tree, (int32_t)k);
    bytes = sni_container_bytes(tree, (int32_t)k);
    SN_TRY(take_container(tree, (int32_t)k, bytes));
    SN_TRY(sni_memory_alloc(memory, bytes, node->kind == SND_SNODE_HASH ? SNI_SPARSE : SNI_ZERO,
                            &tree->snodes[k].container));
    node->container = tree->snodes[k].container.address;
  }
  return SN_OK;
}

/* The same of the caller's memory. */
static int borrow_containers(sn_tree *tree, const sni_placement *placements, int count)
{
  tree->is_borrowed = 1;
  for (int k = 0; k < count; k++)
    if (placements[k].snode)
      tree->view->snode[placements[k].snode].container = placements[k].address;
    else
      tree->view->root = placements[k].address;
  return SN_OK;
}

/* Defaults of what is always there; fresh memory holds zeros already. */
static int write_root_defaults(sn_tree *tree)
{
  const snd_init_params init = { 0, 1 };
  sn_call *call;

  if (tree->view->snode[0].ambient_is_zero)
    return SN_OK;
  SN_TRY(sni_call_open(tree->context, tree->module, NULL, tree->info->c_name, &tree, 1, NULL, 0,
                       &call));
  sni_call_runtime(call, SND_RT_INIT, 0, 0, &init);
  return sni_call_close(call);
}

static int build(sn_tree *tree, const int64_t *params, const sni_placement *placements,
                 int placement_count)
{
  tree->hash = -1;
  tree->node_count = tree->info->snode_count + sni_count_pools(tree->info, params);
  tree->snodes = sni_new(&tree->context->accounts, tree->node_count, sizeof *tree->snodes);
  if (!tree->snodes)
    return SN_ENOMEM;
  SN_TRY(make_view(tree));
  SN_TRY(sni_layout(tree, params));
  SN_TRY(make_fields(tree));
  if (placements)
    return borrow_containers(tree, placements, placement_count);
  SN_TRY(make_containers(tree));
  SN_TRY(sni_snode_memory_create(tree));
  return write_root_defaults(tree);
}

/* Of a tree in any stage of being built. */
static void demolish(sn_tree *tree)
{
  sn_context *context = tree->context;
  sni_memory *memory = &context->memory;
  const size_t count = tree->node_count;

  if (tree->snodes) {
    sni_snode_memory_destroy(tree);
    for (size_t k = 0; k < count; k++) {
      sni_memory_free(memory, &tree->snodes[k].container);
      sni_memory_free(memory, &tree->snodes[k].entries);
      sni_memory_free(memory, &tree->snodes[k].masks);
    }
  }
  sni_magazines_destroy(tree);
  sni_loops_destroy(tree);
  sni_budget_end(&tree->budget);
  sni_memory_free(memory, &tree->root_block);
  sni_memory_free(memory, &tree->fields_block);
  free_mirrored(tree, count * sizeof(snd_snode_counters), &tree->counters_block, tree->counters);
  free_mirrored(tree, tree->view_bytes, &tree->view_block, tree->view);
  sni_delete(&context->accounts, tree->snodes, count, sizeof *tree->snodes);
  sni_delete(&context->accounts, tree, 1, sizeof *tree);
}

/* The caller's options, and the context's where they say 0. */
static int take_options(sn_tree *tree, const sn_tree_options *given)
{
  sn_context *context = tree->context;
  const sn_tree_options standard = SN_TREE_OPTIONS_INIT;
  sn_tree_options own, options;
  const sn_tree_options *sized = sni_sized(given, &own, &standard, sizeof own);

  if (!sized)
    return sni_fail(context, SN_EINVAL, "%s: the options do not begin with their size "
                    "(SN_TREE_OPTIONS_INIT)", tree->info->c_name);
  options = *sized;
  sni_budget_init(&tree->budget, options.memory_limit, &context->budget);
  tree->reserve = options.reserve ? options.reserve
                                  : (uint64_t)context->options.value[OPTION_reserve];
  return SN_OK;
}

static int create(sn_context *context, const sn_module *module, const sn_tree_info *info,
                  const int64_t *params, const sn_tree_options *options,
                  const sni_placement *placements, int placement_count, sn_tree **out)
{
  sn_tree *tree;
  int code;

  if (!module || !info || !out || (!params && info->param_count))
    return sni_fail(context, SN_EINVAL, "%s_create: NULL", info ? info->c_name : "sn_tree");
  SN_TRY(sni_check_module(context, module));
  SN_TRY(sni_bind(context, module->backend));
  tree = sni_new(&context->accounts, 1, sizeof *tree);
  if (!tree)
    return sni_fail(context, SN_ENOMEM, "%s: no memory for an instance", info->c_name);
  tree->context = context;
  tree->module = module;
  tree->info = info;
  code = take_options(tree, options);
  if (code == SN_OK)
    code = build(tree, params, placements, placement_count);
  if (code == SN_OK && context->hooks)
    code = context->hooks->tree_made(context, tree);
  if (code != SN_OK) {
    demolish(tree);
    return sni_fail(context, code, "%s: %s", info->c_name,
                    code == SN_ENOMEM ? "no memory for an instance" : sn_strerror(code));
  }
  context->trees++;
  *out = tree;
  return SN_OK;
}

int sn_tree_create(sn_context *context, const sn_module *module, const sn_tree_info *info,
                   const int64_t *params, const sn_tree_options *options, sn_tree **out)
{
  int code;

  SN_TRY(sni_enter(context));
  code = create(context, module, info, params, options, NULL, 0, out);
  sni_leave(context);
  return code;
}

int sni_tree_create_over(sn_context *context, const sn_module *module, const sn_tree_info *info,
                         const sni_placement *placements, int count, sn_tree **out)
{
  int code;

  SN_TRY(sni_enter(context));
  code = create(context, module, info, NULL, NULL, placements, count, out);
  sni_leave(context);
  return code;
}

/* Where it is refused it has no code to say so: the context has the text. */
void sn_tree_destroy(sn_tree *tree)
{
  sn_context *context = tree ? tree->context : NULL;
  char what[128];

  if (!tree)
    return;
  (void)sni_text_format(what, sizeof what, "%s_destroy: the tree stays", tree->info->c_name);
  if (sni_enter_for(context, what) != SN_OK)
    return;
  if (sni_loops_closed(tree, what) != SN_OK) {
    sni_leave(context);
    return;
  }
  if (context->hooks)
    context->hooks->tree_gone(context, tree);
  if (context->tree_gone)
    context->tree_gone(context->tapes, tree);
  context->trees--;
  demolish(tree);
  sni_leave(context);
}

/* ---- for those who know no generated header ---- */

const sn_tree_info *sn_tree_type(const sn_tree *tree)
{
  return tree ? tree->info : NULL;
}

int sn_tree_fail(sn_tree *tree, int code, const char *text)
{
  return tree ? sni_fail(tree->context, code, "%s", text ? text : "") : code;
}
