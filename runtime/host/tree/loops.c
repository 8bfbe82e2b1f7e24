/* Loops that a program writes itself, over foo_device.h: what is done before and after them.
 *
 * They are to a tree what one task of a kernel is, cut in two.  Begin does what precedes a
 * task: memory for cells on a device, the lists, the view and the launch record in the unit.  End
 * does what follows one: the status becomes an error, changes become versions, what was taken out
 * is collected.
 *
 * The tree has a call of its own for them, so that several trees of a context can be open at once.
 * Magazines are closed: whatever threads the loops run in, which need not be OpenMP's, they take
 * cells by the counters.
 */
#include <snode/loops.h>

#include "runtime/host/tree/loops.h"
#include "runtime/host/tree/magazines.h"
#include "runtime/host/tree/sequencer.h"
#include "runtime/host/tree/tape.h"
#include "runtime/host/tree/task_chunks.h"

#include <string.h>

enum { SN_USES = SN_READ | SN_ACTIVATE | SN_DEACTIVATE };

int sni_loops_closed(const sn_tree *tree, const char *what)
{
  if (!tree->loops_uses)
    return SN_OK;
  return sni_fail(tree->context, SN_ESTATE, "%s: loops of the program's own are open on the %s: "
                  "%s_device_end comes first", what, tree->info->c_name, tree->info->c_name);
}

void sni_loops_destroy(sn_tree *tree)
{
  if (tree->loops)
    sni_call_free(tree->loops);
  tree->loops = NULL;
}

/* ---- before ---- */

static int check(sn_tree *tree, const sn_loops_type *type, int uses, const sn_loops *out)
{
  sn_context *context = tree->context;
  const char *name = tree->info->c_name;

  if (!type || strcmp(name, type->c_name) != 0)
    return sni_fail(context, SN_EINVAL, "%s_device_begin was given a %s",
                    type ? type->c_name : "?", name);
  if (tree->info->layout_hash != type->layout_hash)
    return sni_fail(context, SN_EABI, "%s_device_begin: the header is of another tree than the C "
                    "file of module %s: write both with one run of snodegen", name,
                    tree->module->name);
  if (!out)
    return sni_fail(context, SN_EINVAL, "%s_device_begin: the pointer to the view is NULL", name);
  if (uses <= 0 || (uses & ~SN_USES))
    return sni_fail(context, SN_EINVAL, "%s_device_begin: %d is not of SN_READ, SN_ACTIVATE and "
                    "SN_DEACTIVATE", name, uses);
  if (tree->loops_uses)
    return sni_fail(context, SN_ESTATE, "%s_device_begin: the %s is open already: %s_device_end "
                    "comes first", name, name, name);
  if (context->hooks)
    return sni_fail(context, SN_ENOTSUP, "%s_device_begin: the tree's context belongs to an "
                    "engine, whose kernels may run at any time", name);
  if (!sni_on_host(tree) && !type->has_devices)
    return sni_fail(context, SN_EDEVICE, "%s_device_begin: the tree is a device's, and the file "
                    "that calls it was compiled without SN_OFFLOAD", name);
  return sni_tape_write(tree, -1, "device_begin");
}

/* The lists, and how long they are. */
static void make_lists(sn_call *call, sn_tree *tree, sn_loops_list *lists, int count)
{
  for (int k = 0; k < count; k++)
    sni_list_refresh(call, 0, lists[k].snode);
  if (call->code == SN_OK && sni_tree_fetch_counters(tree) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the counters could not be read");
  sni_hash_resize(tree);
  for (int k = 0; k < count; k++) {
    const int32_t snode = lists[k].snode;
    lists[k].is_pieces = sni_is_dynamic(tree, snode);
    lists[k].containers = (int64_t)tree->counters[snode].list_length;
    lists[k].cells = (int64_t)sni_view_of(tree, snode)->cells;
  }
}

/* The unit has all that the loops read. */
static void send(sn_call *call, sn_tree *tree)
{
  int code;

  sni_magazines_close(tree);
  tree->view->is_alone = 0;
  sni_chunks_withhold(tree);
  code = sni_tree_send_view(tree);
  if (code == SN_OK)
    code = sni_call_send(call);
  if (code != SN_OK) {
    sni_chunks_allow(tree);
    sni_call_fail(call, code, "the view could not be written to the device");
  }
}

static int begin(sn_tree *tree, const sn_loops_type *type, int uses, sn_loops_list *lists,
                 int count, sn_loops *out)
{
  sn_call *call;

  SN_TRY(check(tree, type, uses, out));
  SN_TRY(sni_call_open_own(&tree->loops, tree));
  call = tree->loops;
  if (uses & SN_ACTIVATE)
    sni_call_headroom(call);
  make_lists(call, tree, lists, count);
  if (call->code == SN_OK)
    send(call, tree);
  if (call->code != SN_OK)
    return sni_call_close(call);
  tree->loops_uses = (uint32_t)uses;
  *out = (sn_loops){ .tree = tree->view_block.address, .launch = call->launch_block.address,
                     .device = sni_on_host(tree) ? -1 : tree->context->memory.device,
                     .uses = (uint32_t)uses };
  return SN_OK;
}

int sn_loops_begin(sn_tree *tree, const sn_loops_type *type, int uses, sn_loops_list *lists,
                   int count, sn_loops *out)
{
  int code;

  if (!tree)
    return SN_EINVAL;
  SN_TRY(sni_enter(tree->context));
  code = begin(tree, type, uses, lists, count, out);
  sni_leave(tree->context);
  return code;
}

/* ---- after ---- */

static int end(sn_tree *tree)
{
  const uint32_t uses = tree->loops_uses;
  sn_call *call = tree->loops;

  if (!uses)
    return sni_fail(tree->context, SN_ESTATE, "%s_device_end: no loops are open on the %s",
                    tree->info->c_name, tree->info->c_name);
  tree->loops_uses = 0;
  if (sni_call_fetch(call) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the launch record could not be read");
  sni_call_check(call);
  sni_chunks_allow(tree);
  if (uses & (SN_ACTIVATE | SN_DEACTIVATE))
    sni_call_settle(call);
  if (uses & SN_DEACTIVATE)
    sni_collect(call, 0, 0);
  sni_call_spent(call, (sni_profile_key){ PROFILE_access, call->name, "device_end", 0, NULL },
                 call->timer, 0);
  return sni_call_close(call);
}

int sn_loops_end(sn_tree *tree)
{
  int code;

  if (!tree)
    return SN_EINVAL;
  SN_TRY(sni_enter(tree->context));
  code = end(tree);
  sni_leave(tree->context);
  return code;
}
