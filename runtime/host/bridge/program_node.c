/* Which fields of a module are arrays, and their nodes. */
#include "runtime/host/base/text.h"
#include "runtime/host/bridge/program.h"

#include <stdio.h>
#include <string.h>

/* ---- fields as arrays ---- */

/* "v" of "v.x". */
static size_t whole_length(const char *name)
{
  return strcspn(name, ".");
}

static int32_t count_elements(const sn_tree_info *tree, int32_t first)
{
  const char *name = tree->fields[first].name;
  const size_t length = whole_length(name);
  int32_t count = 1;

  while (name[length] && first + count < (int32_t)tree->field_count &&
         whole_length(tree->fields[first + count].name) == length &&
         strncmp(tree->fields[first + count].name, name, length) == 0)
    count++;
  return count;
}

static uint64_t cells_of(const snd_snode_info *snode)
{
  uint64_t cells = 1;

  for (uint32_t k = 0; k < snode->axis_count; k++)
    cells *= (uint64_t)snode->axes[k].size;
  return cells;
}

static const char *check_elements(const sni_field_node *f)
{
  const snd_field_info *first = &f->tree->fields[f->first];

  for (int32_t k = 0; k < f->count; k++) {
    if (first[k].type != first->type)
      return "its elements are of several types";
    if (first[k].default_bits)
      return "its default is not 0";
  }
  return NULL;
}

/* Bytes of all its cells, which hold nothing else; 0, with *why. */
static uint64_t check_cells(sni_field_node *f)
{
  const snd_field_info *first = &f->tree->fields[f->first];
  uint64_t bytes = (uint64_t)f->count * sni_type_bytes(first->type);
  int32_t at = first->snode;

  if (at == 0 && f->tree->root_bytes != bytes)
    f->why = "other fields lie beside it";
  for (; at && !f->why; at = f->tree->snodes[at].parent) {
    const snd_snode_info *snode = &f->tree->snodes[at];
    if (snode->kind != SND_SNODE_DENSE)
      f->why = "it does not stand under dense nodes only";
    else if (snode->row_cells && f->count > 1)
      f->why = "its elements lie apart";
    else if (snode->cell_bytes != bytes * (uint64_t)(snode->row_cells ? snode->row_cells : 1))
      f->why = "other fields lie beside it";
    bytes *= cells_of(snode);
    f->container = at;
  }
  return f->why ? 0 : bytes;
}

static void measure(sni_field_node *f, int64_t *elements)
{
  uint64_t bytes;

  f->why = f->tree->param_count ? "its extents are known when a tree is created"
                                : check_elements(f);
  bytes = f->why ? 0 : check_cells(f);
  *elements = (int64_t)(bytes / sni_type_bytes(f->tree->fields[f->first].type));
}

/* ---- modes ---- */

/* MODE(word, mode, sharing) */
#define MODES(MODE)                                                                     \
  MODE("local", SN_MODE_LOCAL, SN_SHARING_UNSET)                                        \
  MODE("device", SN_MODE_ON_DEVICE, SN_SHARING_UNSET)                                   \
  MODE("hosted", SN_MODE_HOSTED_NONCONSTANT, SN_SHARING_UNSET)                          \
  MODE("constant", SN_MODE_HOSTED_CONSTANT, SN_SHARING_UNSET)                           \
  MODE("shared", SN_MODE_HOSTED_CHANGED, SN_SHARING_ACROSS_QUEUES)                      \
  MODE("per_queue", SN_MODE_HOSTED_CHANGED, SN_SHARING_PER_QUEUE)

static int set_mode(const sn_program *p, const sni_field_node *f, const sn_field_mode *given)
{
  static const struct { const char *word; sn_mode mode; sn_sharing sharing; } modes[] = {
#define MODE(word, mode, sharing) { word, mode, sharing },
    MODES(MODE)
#undef MODE
  };
  const char *source = p->routines->module->source;
  const size_t length = strlen(source);
  char who[SNI_NAME + 32], line[16] = "";

  if (given->line)
    snprintf(line, sizeof line, ":%d", (int)given->line);
  (void)sni_text_format(who, sizeof who, "%s %.24s, %.*s%s",
                        given->line ? "field" : "analysis of field", sn_node_name(f->node),
                        (int)sni_text_cut(source, length < 40 ? length : 40), source, line);
  for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
    if (strcmp(modes[k].word, given->mode) != 0)
      continue;
    SN_TRY(sn_node_set_mode(f->node, modes[k].mode, who));
    return modes[k].sharing == SN_SHARING_UNSET
             ? SN_OK : sn_node_set_sharing(f->node, modes[k].sharing, who);
  }
  return SN_OK;
}

static int set_modes(const sn_program *p, const sni_field_node *f)
{
  const sn_routines *r = p->routines;

  for (int k = 0; k < r->mode_count; k++)
    if (r->modes[k].tree == f->tree && r->modes[k].field == f->first)
      return set_mode(p, f, &r->modes[k]);
  return SN_OK;
}

/* ---- nodes ---- */

static int make_node(sn_program *p, const sn_tree_info *tree, int32_t first)
{
  const snd_field_info *info = &tree->fields[first];
  sni_field_node *f = &p->fields[p->field_count++];
  char name[SNI_NAME];
  int64_t elements;

  f->tree = tree;
  f->first = first;
  f->count = count_elements(tree, first);
  measure(f, &elements);
  if (f->why)
    return SN_OK;
  snprintf(name, sizeof name, "%.*s", (int)whole_length(info->name), info->name);
  SN_TRY(sn_node_create(p->engine, name, info->type, elements, NULL, &f->node));
  return set_modes(p, f);
}

int sni_program_make_nodes(sn_program *p)
{
  const sn_module *module = p->routines->module;

  for (uint32_t t = 0; t < module->tree_count; t++)
    p->field_room += (int)module->trees[t]->field_count;
  p->fields = sni_engine_new(p->engine, (size_t)p->field_room + 1, sizeof *p->fields);
  if (!p->fields)
    return sni_engine_fail(p->engine, SN_ENOMEM, "program '%s': no memory", module->name);
  for (uint32_t t = 0; t < module->tree_count; t++) {
    const sn_tree_info *tree = module->trees[t];
    for (int32_t k = 0; k < (int32_t)tree->field_count; k += count_elements(tree, k))
      SN_TRY(make_node(p, tree, k));
  }
  return SN_OK;
}

sni_field_node *sni_program_field(const sn_program *p, const sn_tree_info *tree, int32_t element)
{
  for (int k = 0; k < p->field_count; k++)
    if (p->fields[k].tree == tree && element >= p->fields[k].first &&
        element < p->fields[k].first + p->fields[k].count)
      return &p->fields[k];
  return NULL;
}

sn_node *sn_program_node(sn_program *p, const char *field)
{
  if (!field || sni_engine_may_call(SNI_ENGINE_OR_NULL(p)) != SN_OK)
    return NULL;
  for (int k = 0; k < p->field_count; k++) {
    const sni_field_node *f = &p->fields[k];
    const char *name = f->tree->fields[f->first].name;
    if (strlen(field) != whole_length(name) || strncmp(name, field, strlen(field)) != 0)
      continue;
    if (!f->node)
      (void)sni_engine_fail(p->engine, SN_EINVAL, "field '%s' is no node: %s", field, f->why);
    return f->node;
  }
  (void)sni_engine_fail(p->engine, SN_EINVAL, "program '%s' has no field '%s'",
                        p->routines->module->name, field);
  return NULL;
}
