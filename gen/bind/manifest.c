/* The manifest, --emit=json: what the module has and how C calls it, by the schema that
 * schema/snode-manifest.json publishes.  A member that has nothing to say is left out.
 */
#include "gen/bind/bind.h"
#include "gen/bind/json.h"
#include "gen/bind/offer.h"
#include "gen/ir/permission.h"

#include <snode/version.h>

#include <math.h>

enum { MANIFEST_VERSION = 1 };         /* of the schema */

typedef struct Manifest {
  Emit *emit;
  Json json;
} Manifest;

/* ---- values and types ---- */

/* What JSON has no number for is a string. */
static void add_value(Manifest *m, const char *key, const Type *type, Value v)
{
  Json *j = &m->json;

  if (type->kind == TYPE_BOOL)
    json_bool(j, key, v.i != 0);
  else if (type_is_float(type) && !isfinite(v.f))
    json_string(j, key, isnan(v.f) ? "nan" : v.f < 0 ? "-inf" : "inf");
  else if (type_is_float(type))
    json_literal(j, key, shortest_decimal(m->emit->arena, v.f, type->kind == TYPE_F32));
  else if (type->kind == TYPE_U64)
    json_literal(j, key, format(m->emit->arena, "%llu", (unsigned long long)v.i));
  else
    json_integer(j, key, v.i);
}

/* "type", and "element" and "shape" where it is no scalar of itself. */
static void add_type(Manifest *m, const ApiParam *p)
{
  json_string(&m->json, "type", offer_type(m->emit, p->type, p->of, p->rows, p->columns));
  if (p->of || !p->rows)
    return;
  json_string(&m->json, "element", p->type->name);
  json_begin_flat(&m->json, "shape", '[');
  json_integer(&m->json, NULL, p->rows);
  if (p->columns)
    json_integer(&m->json, NULL, p->columns);
  json_end(&m->json, ']');
}

static void add_consts(Manifest *m)
{
  const IrModule *module = m->emit->module;

  json_begin(&m->json, "consts", '[');
  for (int k = 0; k < module->const_count; k++) {
    const IrConst *c = module->consts[k];
    json_begin_flat(&m->json, NULL, '{');
    json_string(&m->json, "name", c->name);
    json_string(&m->json, "c_name", const_name(m->emit, c));
    json_string(&m->json, "type", c->type->name);
    add_value(m, "value", c->type, c->value);
    json_string(&m->json, "doc", c->doc);
    json_end(&m->json, '}');
  }
  json_end(&m->json, ']');
}

/* ---- structs ---- */

static void add_member(Manifest *m, const Struct *s, int k)
{
  const Member *member = &s->members[k];

  json_begin_flat(&m->json, NULL, '{');
  json_string(&m->json, "name", member->name);
  json_string(&m->json, "c_name", struct_member_name(m->emit, s, k));
  json_string(&m->json, "type", member->type->name);
  json_integer(&m->json, "offset", type_offset(&s->type, member->first));
  json_integer(&m->json, "bytes", type_bytes(member->type));
  json_end(&m->json, '}');
}

static void add_structs(Manifest *m)
{
  const IrModule *module = m->emit->module;

  json_begin(&m->json, "structs", '[');
  for (int k = 0; k < module->struct_count; k++) {
    const Struct *s = module->structs[k];
    json_begin(&m->json, NULL, '{');
    json_string(&m->json, "name", s->type.name);
    json_string(&m->json, "c_name", struct_type(m->emit, s));
    json_string(&m->json, "from", s->prefix);
    json_string(&m->json, "doc", s->doc);
    json_integer(&m->json, "bytes", type_bytes(&s->type));
    json_integer(&m->json, "alignment", type_alignment(&s->type));
    json_begin(&m->json, "members", '[');
    for (int i = 0; i < s->member_count; i++)
      add_member(m, s, i);
    json_end(&m->json, ']');
    json_end(&m->json, '}');
  }
  json_end(&m->json, ']');
}

/* ---- trees ---- */

static void add_axes(Manifest *m, const char *key, const int *axes, int count)
{
  json_begin_flat(&m->json, key, '[');
  for (int k = 0; k < count; k++)
    json_string(&m->json, NULL, axis_name[axes[k]]);
  json_end(&m->json, ']');
}

/* extent: a number, C over the tree's parameters, or null where any index goes. */
static void add_divided(Manifest *m, const IrSNode *n)
{
  json_begin_flat(&m->json, "axes", '[');
  for (int k = 0; k < n->axis_count; k++) {
    const IrAxis *a = &n->axes[k];
    json_begin(&m->json, NULL, '{');
    json_string(&m->json, "axis", axis_name[a->axis]);
    if (kind_is(n->kind, KIND_KEYS))
      json_literal(&m->json, "extent", "null");
    else if (a->size)
      json_integer(&m->json, "extent", a->size);
    else
      json_string(&m->json, "extent", a->param >= 0 ? n->tree->param_names[a->param] : a->text);
    json_end(&m->json, '}');
  }
  json_end(&m->json, ']');
}

static void add_snode(Manifest *m, const IrSNode *n)
{
  json_begin(&m->json, NULL, '{');
  json_string(&m->json, "name", n->name);
  json_string(&m->json, "kind", snode_kind[n->kind].word);
  json_string(&m->json, "parent", n->parent->name);
  json_string(&m->json, "doc", n->doc);
  add_divided(m, n);
  add_axes(m, "indices", n->path_axes, n->path_axis_count);
  if (kind_is(n->kind, KIND_LIST) && n->chunk)
    json_integer(&m->json, "chunk", n->chunk);
  if (n->is_soa || n->is_soa_by_row)
    json_string(&m->json, "cells", n->is_soa_by_row ? "arrays of rows" : "arrays");
  if (n->is_split)
    json_bool(&m->json, "split", true);
  json_end(&m->json, '}');
}

static void add_default(Manifest *m, const IrTree *tree, const IrField *f)
{
  const int elements = ir_field_elements(tree, f->id);

  if (!ir_is_element(f->name)) {
    add_value(m, "default", f->type, f->default_value);
    return;
  }
  json_begin_flat(&m->json, "default", '[');
  for (int k = 0; k < elements; k++) {
    const IrField *element = ir_field_element(f, k);
    add_value(m, NULL, element->type, element->default_value);
  }
  json_end(&m->json, ']');
}

static void add_origin(Manifest *m, const IrField *f)
{
  bool has_origin = false;

  for (int k = 0; k < f->axis_count; k++)
    has_origin = has_origin || f->origin[k] != 0;
  if (!has_origin)
    return;
  json_begin_flat(&m->json, "offset", '[');
  for (int k = 0; k < f->axis_count; k++)
    json_integer(&m->json, NULL, f->origin[k]);
  json_end(&m->json, ']');
}

static void add_field(Manifest *m, const IrTree *tree, const IrField *f)
{
  const ApiParam value = offer_field(m->emit, tree, f);

  json_begin(&m->json, NULL, '{');
  json_string(&m->json, "name", offer_field_name(m->emit, f));
  json_string(&m->json, "doc", f->doc);
  add_type(m, &value);
  json_string(&m->json, "snode", f->snode->name);
  add_axes(m, "indices", f->axes, f->axis_count);
  add_origin(m, f);
  add_default(m, tree, f);
  if (f->border != BORDER_NONE)
    json_string(&m->json, "outside", border_name[f->border]);
  if (f->mode != FIELD_MODE_NONE)
    json_string(&m->json, "mode", field_mode_word[f->mode]);
  if (f->grad)
    json_string(&m->json, "grad", offer_field_name(m->emit, f->grad));
  if (f->dual)
    json_string(&m->json, "dual", offer_field_name(m->emit, f->dual));
  json_end(&m->json, '}');
}

static void add_tree_parameters(Manifest *m, const IrTree *tree)
{
  json_begin_flat(&m->json, "parameters", '[');
  for (int k = 0; k < tree->param_count; k++) {
    json_begin(&m->json, NULL, '{');
    json_string(&m->json, "name", tree->param_names[k]);
    json_string(&m->json, "type", tree->param_types[k]->name);
    json_end(&m->json, '}');
  }
  json_end(&m->json, ']');
}

static void add_tree(Manifest *m, const IrTree *tree)
{
  json_begin(&m->json, NULL, '{');
  json_string(&m->json, "name", tree->name);
  json_string(&m->json, "c_name", m->emit->trees[tree->id].c_type);
  json_string(&m->json, "from", tree->prefix);
  json_string(&m->json, "doc", tree->doc);
  add_tree_parameters(m, tree);
  json_begin(&m->json, "snodes", '[');
  for (int k = 1; k < tree->snode_count; k++)
    add_snode(m, tree->snodes[k]);
  json_end(&m->json, ']');
  json_begin(&m->json, "fields", '[');
  for (int k = 0; (k = offer_next_field(tree, k)) >= 0; k += ir_field_elements(tree, k))
    add_field(m, tree, tree->fields[k]);
  json_end(&m->json, ']');
  json_end(&m->json, '}');
}

/* ---- functions ---- */

static const char *const kind_words[] = {
  [API_CONTEXT] = "context", [API_OPTIONS] = "options", [API_TREE] = "tree",
  [API_NEW_TREE] = "new tree", [API_TEXT] = "text", [API_BOX] = "box", [API_SPAN] = "span",
  [API_MEMORY] = "memory", [API_QUEUE] = "queue", [API_EVENT] = "event", [API_SCALAR] = "scalar",
  [API_VALUE] = "value", [API_ARRAY] = "array"
};

static const char *const role_words[] = {
  [API_OTHER] = NULL, [API_INDEX] = "index", [API_EXTENT] = "extent",
  [API_PARAMETER] = "parameter", [API_RESULT] = "result", [API_TANGENT] = "tangent"
};

static void add_param(Manifest *m, const ApiCall *call, const ApiParam *p)
{
  static const char *const ways[] = { "in", "out", "inout" };

  json_begin_flat(&m->json, NULL, '{');
  json_string(&m->json, "name", p->name);
  json_string(&m->json, "kind", kind_words[p->kind]);
  json_string(&m->json, "role", role_words[p->role]);
  json_string(&m->json, "way", ways[p->way]);
  json_string(&m->json, "c", api_param_text(m->emit, p));
  if (p->tree)
    json_string(&m->json, "tree", p->tree->name);
  if (p->type)
    add_type(m, p);
  if (p->variable && p->kind == API_ARRAY) {
    json_begin(&m->json, "extents", '[');
    for (int k = 0; k < offer_array_rank(p); k++) {
      const char *extent = offer_array_extent(m->emit, call, p, k);
      if (p->variable->extent_variable[k])
        json_string(&m->json, NULL, extent);
      else
        json_literal(&m->json, NULL, extent);
    }
    json_end(&m->json, ']');
  }
  json_end(&m->json, '}');
}

static void add_params(Manifest *m, const ApiCall *call)
{
  json_begin(&m->json, "parameters", '[');
  for (int k = 0; k < call->param_count; k++)
    add_param(m, call, &call->params[k]);
  json_end(&m->json, ']');
}

static void add_function(Manifest *m, const ApiCall *call)
{
  static const char *const scopes[] = {
    [CALL_TREE] = "tree", [CALL_FIELD] = "field", [CALL_VECTOR] = "field", [CALL_STRUCT] = "field",
    [CALL_SNODE] = "snode", [CALL_MODULE] = "module", [CALL_KERNEL] = "kernel",
    [CALL_SUBMIT] = "submit"
  };

  json_begin(&m->json, NULL, '{');
  json_string(&m->json, "name", call->name);
  json_string(&m->json, "of", scopes[call->scope]);
  json_string(&m->json, "action", call->action);
  if (call->tree)
    json_string(&m->json, "tree", call->tree->name);
  if (call->field)
    json_string(&m->json, "field", offer_field_name(m->emit, call->field));
  if (call->snode)
    json_string(&m->json, "snode", call->snode->name);
  json_string(&m->json, "result", api_result_text(call));
  add_params(m, call);
  json_end(&m->json, '}');
}

/* ---- kernels ---- */

static void add_use(Manifest *m, const IrFunction *f, int slot, const char *what, const char *name,
                    unsigned use)
{
  if (!use)
    return;
  json_begin_flat(&m->json, NULL, '{');
  json_string(&m->json, "tree", slot_name(f, slot));
  json_string(&m->json, what, name);
  json_begin(&m->json, "use", '[');
  for (int k = 0; k < IR_USES; k++)
    if (use >> k & 1)
      json_string(&m->json, NULL, ir_use_name[k]);
  json_end(&m->json, ']');
  json_end(&m->json, '}');
}

static void add_permissions(Manifest *m, const IrFunction *f)
{
  const IrPermissions p = ir_permissions(m->emit->arena, f);

  json_begin(&m->json, "permissions", '[');
  for (int s = 0; s < f->slot_count; s++) {
    const IrTree *tree = f->slots[s].tree;
    for (int k = 0; k < tree->field_count; k += ir_field_elements(tree, k)) {
      unsigned use = 0;
      for (int i = 0; i < ir_field_elements(tree, k); i++)
        use |= p.field[s][k + i];
      add_use(m, f, s, "field", offer_field_name(m->emit, tree->fields[k]), use);
    }
    for (int k = 1; k < tree->snode_count; k++)
      add_use(m, f, s, "topology", tree->snodes[k]->name, p.topology[s][k]);
    for (int k = 1; k < tree->snode_count; k++)
      add_use(m, f, s, "list", tree->snodes[k]->name, p.list[s][k]);
  }
  json_end(&m->json, ']');
  json_bool(&m->json, "draws", p.draws);
  json_bool(&m->json, "prints", p.prints);
}

static void add_slots(Manifest *m, const IrFunction *f)
{
  json_begin(&m->json, "trees", '[');
  for (int s = 0; s < f->slot_count; s++) {
    json_begin_flat(&m->json, NULL, '{');
    json_string(&m->json, "name", slot_name(f, s));
    json_string(&m->json, "tree", f->slots[s].tree->name);
    if (f->slots[s].is_merge)
      json_bool(&m->json, "merge", true);
    json_end(&m->json, '}');
  }
  json_end(&m->json, ']');
}

static void add_kernel(Manifest *m, const IrFunction *f)
{
  const ApiCall call = kernel_api(m->emit, f, false);

  json_begin(&m->json, NULL, '{');
  json_string(&m->json, "name", f->name);
  json_string(&m->json, "function", call.name);
  json_string(&m->json, "submit", kernel_api(m->emit, f, true).name);
  json_string(&m->json, "doc", f->doc);
  json_string(&m->json, "grad", f->gradient);
  add_slots(m, f);
  for (int k = 0; k < call.param_count; k++)
    if (call.params[k].role == API_RESULT) {
      json_begin_flat(&m->json, "result", '{');
      add_type(m, &call.params[k]);
      json_end(&m->json, '}');
    }
  add_permissions(m, f);
  json_end(&m->json, '}');
}

/* ---- the whole ---- */

static void add_head(Manifest *m)
{
  const Emit *e = m->emit;

  json_integer(&m->json, "manifest", MANIFEST_VERSION);
  json_string(&m->json, "generator", e->generator);
  json_integer(&m->json, "abi", SNODE_ABI);
  json_string(&m->json, "module", e->module->prefix);
  json_string(&m->json, "source", e->source);
  json_string(&m->json, "header", format(e->arena, "%s.h", e->options->base));
}

void bind_json(const IrModule *module, const EmitOptions *options, Text *out)
{
  Emit e;
  Manifest m = { .emit = &e, .json = { .out = out } };
  Api api;

  emit_init(&e, module, options, out);
  api = api_of(&e);
  json_begin(&m.json, NULL, '{');
  add_head(&m);
  add_consts(&m);
  add_structs(&m);
  json_begin(&m.json, "trees", '[');
  for (int k = 0; k < module->tree_count; k++)
    if (has_tree(&e, module->trees[k]))
      add_tree(&m, module->trees[k]);
  json_end(&m.json, ']');
  json_begin(&m.json, "kernels", '[');
  for (int k = 0; k < module->kernel_count; k++)
    add_kernel(&m, module->kernels[k]);
  json_end(&m.json, ']');
  json_begin(&m.json, "functions", '[');
  for (int k = 0; k < api.count; k++)
    add_function(&m, &api.calls[k]);
  json_end(&m.json, ']');
  json_end(&m.json, '}');
}
