/* Which arrays the families of a unit share; and what is known of a node, told with that.
 *
 * An array that nothing linked writes is a candidate: where a routine of another family only reads
 * the node and its own family has none, the node becomes shared across queues, and the array is
 * that family's too.  A routine that writes it, an array of another family's own, or whoever says
 * that the node is per queue, decides otherwise.
 */
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/mode.h"
#include "runtime/host/exec/share.h"

/* ---- candidates ---- */

static int is_alone(const sni_array *array)
{
  for (const sni_array *other = array->node->arrays; other; other = other->next)
    if (other != array && other->unit == array->unit)
      return 0;
  return 1;
}

static int can_be_shared(const sn_node *node)
{
  switch (sni_node_mode(node)) {
  case SN_MODE_MATERIALIZED: case SN_MODE_ON_DEVICE: case SN_MODE_HOSTED_NONCONSTANT:
  case SN_MODE_HOSTED_CHANGED:
    return sni_node_sharing(node) == SN_SHARING_UNSET;
  default:
    return 0;
  }
}

static const sni_array_set *next_holder(const sni_array_set *from, const sni_array *array)
{
  for (; from; from = from->next)
    for (const sni_array_entry *own = from->own; own; own = own->next)
      if (own->array == array)
        return from;
  return NULL;
}

int sni_share_is_candidate(const sni_array_set *asking, const sn_node *node)
{
  int found = 0;

  if (!can_be_shared(node))
    return 0;
  for (const sni_array *array = node->arrays; array; array = array->next) {
    const sni_array_set *holder = next_holder(node->engine->contexts, array);
    if (array->writer[0] || !is_alone(array))
      return 0;
    found |= array->unit == asking->unit && holder && holder->root != asking->root;
  }
  return found;
}

/* ---- telling ---- */

/* Why it is shared, or is not. */
static void tell_verdict(const sni_array *array, sni_page *page)
{
  const sn_node *node = array->node;

  if (sni_mode_is_constant(sni_node_mode(node)))
    sni_page_print(page, "one for all queues: the node changes on no device\n");
  else if (sni_node_sharing(node) == SN_SHARING_ACROSS_QUEUES)
    sni_page_print(page, "shared across queues\n");
  else if (array->writer[0])
    sni_page_print(page, "no candidate for sharing: routine %s writes it\n", array->writer);
  else if (!is_alone(array))
    sni_page_print(page, "no candidate for sharing: %s has another one\n", array->unit->name);
  else if (!can_be_shared(node))
    sni_page_print(page, "no candidate for sharing: it is per queue\n");
  else
    sni_page_print(page, "a candidate for sharing: nothing that is linked writes it\n");
}

static void tell_array(const sni_array *array, sni_page *page)
{
  const sni_array_set *holder = next_holder(array->node->engine->contexts, array);
  const char *between = " of ";

  sni_page_print(page, "%s: an array on %s", array->node->name, array->unit->name);
  for (; holder; holder = next_holder(holder->next, array)) {
    sni_page_print(page, "%s%s", between, holder->name);
    between = ", ";
  }
  sni_page_print(page, ": ");
  tell_verdict(array, page);
}

/* The oldest first; those of no context are a routine's own. */
static void tell_from(const sni_array *array, sni_page *page)
{
  if (!array)
    return;
  tell_from(array->next, page);
  if (array->holders)
    tell_array(array, page);
}

/* The steps up to this one, the oldest first. */
static void tell_steps(const sn_node *node, const sni_known *step, sni_page *page)
{
  if (!step)
    return;
  tell_steps(node, step->before, page);
  sni_page_print(page, "%s: %s%s%s by '%s'\n", node->name, sn_mode_name(step->mode),
                 step->sharing ? ", " : "", step->sharing ? sn_sharing_name(step->sharing) : "",
                 step->provenance);
}

int sn_node_explain(sn_node *node, sn_text_fn write, void *user)
{
  sni_page page;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(node)));
  if (!write)
    return SN_EINVAL;
  sni_page_begin(&page, node->engine);
  sni_mutex_lock(&node->engine->linking);
  tell_steps(node, node->known, &page);
  tell_from(node->arrays, &page);
  sni_mutex_unlock(&node->engine->linking);
  return sni_page_write(&page, "what is known of a node", write, user);
}
