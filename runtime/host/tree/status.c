/* A status of a launch, in words: file, line, what, where, by the module's tables. */
#include "runtime/host/base/numbers.h"
#include "runtime/host/base/text.h"
#include "runtime/host/tree/chunk_pool.h"
#include "runtime/host/tree/print.h"
#include "runtime/host/tree/range.h"
#include "runtime/host/tree/status.h"

#include <string.h>

#include <snode/loops.h>

/* Text that is put together in a buffer; what does not fit is cut. */
typedef struct writer {
  char *text;
  size_t bytes, length;
} writer;

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static void put(writer *w, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  w->length += sni_text_vformat(w->text + w->length, w->bytes - w->length, format, arguments);
  va_end(arguments);
}

static const sn_tree *tree_of(const sn_call *call)
{
  const int32_t slot = call->launch->status.slot;

  return slot >= 0 && (uint32_t)slot < call->slot_count ? call->trees[slot] : NULL;
}

static const snd_site *site_of(const sn_call *call)
{
  const int32_t site = call->launch->status.site;

  return site >= 0 && (uint32_t)site < call->module->site_count ? &call->module->sites[site] : NULL;
}

static const char *snode_name(const sn_call *call)
{
  const sn_tree *tree = tree_of(call);
  const int32_t snode = call->launch->status.snode;

  return tree && snode > 0 && (uint32_t)snode < tree->node_count
           ? tree->info->snodes[sni_owner_of(tree, snode)].name : NULL;
}

static void put_index(writer *w, const snd_status *status)
{
  put(w, "(");
  for (int32_t k = 0; k < status->index_count && k < SN_MAX_AXES; k++)
    put(w, k ? ", %lld" : "%lld", (long long)status->index[k]);
  put(w, ")");
}

/* Whether name is the field's, or that of the vector it is an element of. */
static int is_field(const snd_field_info *field, const char *name)
{
  const size_t length = strlen(name);

  return strncmp(field->name, name, length) == 0 &&
         (field->name[length] == '\0' || field->name[length] == '.');
}

/* "128 x 64", of the field or SNode that an index went past. */
static void put_extents(writer *w, const sn_tree *tree, const char *name, int32_t snode)
{
  sni_range range = { 0 };
  char text[SNI_RANGE_BYTES];

  if (snode > 0 && (uint32_t)snode < tree->info->snode_count)
    range = sni_range_of_cells(tree, snode);
  for (uint32_t f = 0; f < tree->info->field_count; f++)
    if (is_field(&tree->info->fields[f], name))
      range = sni_range_of_field(tree, (int)f);
  sni_range_text(&range, text, sizeof text);
  put(w, range.axes ? " of %s" : "%s", text);
}

/* In loops of the program's own (snode/device/hand.h) a field's number tells what it is about. */
static const char *loops_name(const sn_call *call, char *text, size_t bytes)
{
  const snd_status *status = &call->launch->status;
  const sn_tree *tree = tree_of(call);
  const char *whole;

  if (!tree || status->have < 1 || status->have > (int64_t)tree->info->field_count)
    return snode_name(call);
  whole = tree->info->fields[status->have - 1].name;
  (void)sni_text_format(text, bytes, "%.*s", (int)strcspn(whole, "."), whole);
  return text;
}

static void put_bounds(writer *w, const sn_call *call)
{
  const snd_status *status = &call->launch->status;
  const snd_site *site = site_of(call);
  char text[SNI_RANGE_BYTES];
  const char *name = site && site->name ? site->name : loops_name(call, text, sizeof text);

  put(w, "index ");
  put_index(w, status);
  put(w, " of %s is outside the extents", name ? name : "an array");
  if (tree_of(call) && name)
    put_extents(w, tree_of(call), name, status->snode);
}

static void put_permission(writer *w, const sn_call *call)
{
  const snd_status *status = &call->launch->status;
  char text[SNI_RANGE_BYTES];
  const char *name = loops_name(call, text, sizeof text);

  put(w, "the cell of %s at ", name ? name : "?");
  put_index(w, status);
  put(w, status->want == SN_ACTIVATE
             ? " is inactive, and loops that begin without SN_ACTIVATE make none active"
             : " is taken out, and loops that begin without SN_DEACTIVATE take none out");
}

static int is_full_list(const sn_tree *tree, const snd_status *status)
{
  return status->code == SN_ECAPACITY && tree && status->snode > 0 &&
         sni_is_dynamic(tree, status->snode) &&
         (uint64_t)status->have == sni_view_of(tree, status->snode)->cells;
}

/* Why there was no chunk: where it is the limit that has run out, and not the unit, that; else, on
 * a device, the pool. */
static void put_chunk(writer *w, const sn_call *call, const sn_tree *tree)
{
  const uint64_t bytes = tree->snodes[call->launch->status.manager].chunk_bytes;
  const sni_chunk_pool_state pool = sni_chunk_pool_look(call->context);
  uint64_t left = sni_budget_left(&tree->budget);

  left -= sni_least(left, pool.cut);
  if (left < bytes)
    put(w, "; the memory limit (option memory_limit, SNODE_MEMORY_LIMIT, or the tree's own) leaves "
           "%llu bytes of %llu", (unsigned long long)left,
        (unsigned long long)sni_budget_limit(&tree->budget));
  else if (pool.size && tree->view->arena)
    put(w, "; a chunk of %llu bytes is more than the %llu that are left of the %llu of the pool "
           "(option pool, SNODE_POOL), which grows before the next call if the device has more",
        (unsigned long long)bytes, (unsigned long long)pool.left, (unsigned long long)pool.size);
}

/* A dynamic container that is full, or an SNode that has no more cells: of a dynamic one no more
 * bodies or chunks, which a task that empties lists and appends to them again may use up. */
static void put_memory(writer *w, const sn_call *call)
{
  const snd_status *status = &call->launch->status;
  const sn_tree *tree = tree_of(call);
  const char *name = snode_name(call);

  if (status->code == SN_ECAPACITY && status->slot < 0) {
    put(w, "more than %lld iterations of a loop with [[unique]], which --check=race cannot "
           "compare: set the option claims (SNODE_CLAIMS)", (long long)status->have);
    return;
  }
  if (name && is_full_list(tree, status)) {
    put(w, "append to %s of %s, whose extent is %lld: it has that many cells", name,
        tree->info->c_name, (long long)status->have);
    return;
  }
  put(w, "%s: SNode %s%s%s has %lld %s and wanted %lld", sn_strerror(status->code),
      name ? name : "?", tree ? " of " : "", tree ? tree->info->c_name : "",
      (long long)status->have,
      name && sni_is_dynamic(tree, status->snode) ? "chunks" : "cells", (long long)status->want);
  if (name && status->code == SN_ENOMEM && status->manager > 0)
    put_chunk(w, call, tree);
}

/* The site's own text; false: it has none. */
static int put_text(writer *w, const sn_call *call)
{
  const snd_status *status = &call->launch->status;
  const snd_site *site = site_of(call);
  uint64_t words[SN_MAX_AXES];
  const int32_t count = status->index_count < SN_MAX_AXES ? status->index_count : SN_MAX_AXES;

  if (!site || !site->text || !*site->text)
    return 0;
  for (int32_t k = 0; k < count; k++)
    words[k] = (uint64_t)status->index[k];
  sni_site_text(site, words, (uint64_t)count, w->text + w->length, w->bytes - w->length);
  w->length += strlen(w->text + w->length);
  return 1;
}

static void put_assert(writer *w, const sn_call *call)
{
  const snd_site *site = site_of(call);
  const int has_text = site && site->text && *site->text;

  put(w, has_text ? "assertion failed: " : "assertion failed");
  put_text(w, call);
}

/* Of a loop over ranges (snd_span_checked). */
static void put_iterations(writer *w, const sn_call *call)
{
  put(w, "the foreach of line %lld has 2^63 - 1 iterations or more: its ranges must have fewer in "
         "all", (long long)call->launch->status.index[0]);
}

void sni_status_text(const sn_call *call, char *text, size_t bytes)
{
  const snd_status *status = &call->launch->status;
  const snd_site *site = site_of(call);
  writer w = { text, bytes, 0 };

  if (site)
    put(&w, "%s:%d: ", site->source ? site->source : call->module->source, (int)site->line);
  put(&w, "%s: ", call->name);
  switch (status->code) {
  case SN_EBOUNDS:
    if (!put_text(&w, call))
      put_bounds(&w, call);
    break;
  case SN_ENOTSUP:
    put_iterations(&w, call);
    break;
  case SN_EASSERT:
    put_assert(&w, call);
    break;
  case SN_EPERMISSION:
    put_permission(&w, call);
    break;
  case SN_ENOMEM: case SN_ECAPACITY: case SN_EBUG:
    put_memory(&w, call);
    break;
  default:
    if (!put_text(&w, call))
      put(&w, "%s", sn_strerror(status->code));
  }
}
