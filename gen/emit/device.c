/* The header for loops that a person writes, foo_device.h: the trees as functions in C11 and C++11,
 * for host threads and inside of target regions.
 *
 * They are lines over snode/device/hand.h, given the kinds, ids and extents that are known here: no
 * struct of a cell is named, so that the header and the C file have nothing twice.  The names are
 * those of gen/model/device.def.
 */
#include "gen/emit/device.h"

#include <snode/version.h>

/* ---- trees ---- */

static bool is_shown(const IrField *f)
{
  return field_mode_calls[f->mode] != MODE_CALLS_NONE;
}

static void find_lists(DeviceWriter *w)
{
  w->lists = NEW_ARRAY(w->emit->arena, const IrSNode *, w->tree->snode_count);
  for (int k = 1; k < w->tree->snode_count; k++) {
    const IrSNode *n = w->tree->snodes[k];
    bool has_any = false;
    for (int i = 0; i < n->field_count; i++)
      has_any = has_any || is_shown(n->fields[i]);
    if (has_any)
      w->lists[w->list_count++] = n;
  }
}

static void write_types(const DeviceWriter *w)
{
  Emit *e = w->emit;
  const char *name = device_tree_name(w, "view");

  write_line(e, "typedef struct %s {", name);
  e->indent++;
  write_line(e, "sn_addr tree, launch;     /* in the memory of the device, or the host's */");
  write_line(e, "int32_t device;           /* for the clause device of a target region */");
  write_line(e, "uint32_t uses;            /* what the loops may do */");
  if (w->list_count)
    write_line(e, "int64_t blocks[%d];        /* of the list of each SNode that holds fields */",
               w->list_count);
  e->indent--;
  write_line(e, "} %s;", name);
  write_line(e, "typedef snd_block %s;", device_tree_name(w, "block"));
  write_line(e, "%s", "");
}

static void write_lists(const DeviceWriter *w)
{
  Emit *e = w->emit;
  const char *list = "";

  for (int k = 0; k < w->list_count; k++)
    list = device_append(e, list, format(e->arena, "{ %d, 0, 0, 0 }", w->lists[k]->id));
  write_line(e, "sn_loops_list lists[] = { %s };", list);
}

static void write_begin(const DeviceWriter *w)
{
  Emit *e = w->emit;
  const char *type = e->trees[w->tree->id].c_type;

  write_line(e, "SN_NODISCARD SND_INLINE int");
  write_line(e, "%s(%s *tree, int uses, %s *view)", device_tree_name(w, "device_begin"), type,
             device_tree_name(w, "view"));
  write_line(e, "{");
  e->indent++;
  write_line(e, "const sn_loops_type type = { %s, UINT64_C(0x%016llx), SND_HAS_DEVICES };",
             quote(e->arena, type), (unsigned long long)tree_layout_hash(e, w->tree));
  if (w->list_count)
    write_lists(w);
  write_line(e, "sn_loops loops = { 0, 0, 0, 0 };");
  write_line(e, "%s", "");
  write_line(e, "SN_TRY(sn_loops_begin((sn_tree *)tree, &type, uses, %s, %d, view != NULL ? "
                "&loops : NULL));", w->list_count ? "lists" : "NULL", w->list_count);
  write_line(e, "view->tree = loops.tree;");
  write_line(e, "view->launch = loops.launch;");
  write_line(e, "view->device = snd_hand_device(loops.device);");
  write_line(e, "view->uses = loops.uses;");
  if (w->list_count)
    write_line(e, "for (int k = 0; k < %d; k++) view->blocks[k] = snd_hand_blocks(&lists[k]);",
               w->list_count);
  write_line(e, "return SN_OK;");
  device_close(e);
  write_line(e, "SN_NODISCARD SND_INLINE int %s(%s *tree)", device_tree_name(w, "device_end"),
             type);
  write_line(e, "{");
  e->indent++;
  write_line(e, "return sn_loops_end((sn_tree *)tree);");
  device_close(e);
}

static void write_tree(Emit *e, const IrTree *tree)
{
  DeviceWriter w = { e, tree, NULL, 0 };

  find_lists(&w);
  write_section(e, format(e->arena, "tree %s", tree->name));
  if (tree->doc)
    write_comment(e, tree->doc);
  write_types(&w);
  write_begin(&w);
  for (int k = 1; k < tree->snode_count; k++)
    device_write_snode(&w, tree->snodes[k]);
  for (int k = 0; k < tree->field_count; k += ir_field_elements(tree, k))
    if (is_shown(tree->fields[k]))
      device_write_field(&w, tree->fields[k]);
}

/* ---- the file ---- */

static void write_manual(Emit *e)
{
  write_line(e, "%s", "");
  write_comment(e,
    "For loops of one's own, between _device_begin and _device_end, which gives the first error\n"
    "that a call in between has met; snode.3 and snode/loops.h tell the rest.  A view is handed\n"
    "on by value, into a target region as firstprivate.\n"
    "_at: the address of the element, NULL where it is inactive.  _load: its value, the default\n"
    "where it is inactive.  _store and _add activate; _add is atomic.  An index outside the\n"
    "extents is an error, and nothing is done.\n"
    "FOREACH goes through the numbers b of the blocks of what was active at the beginning,\n"
    "_block is block b, CELLS goes through its active cells c, of which _in is the element's\n"
    "address and _index its indices.");
}

void emit_device_header(const IrModule *m, const EmitOptions *options, Text *out)
{
  const char *guard;
  Emit e;

  emit_init(&e, m, options, out);
  guard = format(e.arena, "SNODEGEN_%s_DEVICE_H", upper_case(e.arena, m->prefix));
  write_comment(&e, format(e.arena, "%s_device.h: generated by %s from %s. Do not edit.",
                           options->base, e.generator, e.source));
  write_line(&e, "#ifndef %s", guard);
  write_line(&e, "#define %s", guard);
  write_line(&e, "%s", "");
  write_line(&e, "#include \"%s.h\"", options->base);
  write_line(&e, "#include <snode/device/hand.h>");
  write_manual(&e);
  for (int k = 0; k < m->tree_count; k++)
    if (!m->trees[k]->prefix)
      write_tree(&e, m->trees[k]);
  write_line(&e, "#endif");
}
