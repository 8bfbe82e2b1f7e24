/* The public functions of a kernel: their prototypes, in header and C file; what calls it, and what
 * submits it to a queue.  Both hand over the kernel's table, its trees, its parameters and
 * where the result goes; the steps, which stand in the table, are a function of the call.
 */
#include "gen/emit/api.h"
#include "gen/emit/task.h"

/* The names of its parameters, apart from each other and from what the body
 * declares. */
typedef struct CallNames {
  Names names;
  const char *tree[MAX_SLOTS];
  const char **param, **whole;
  const char *ctx, *out, *out_dual;
  const char *queue, *done;    /* of the one that submits it */
} CallNames;

/* Element i of parameter `name`, which begins at k: "v[1]", "p->x[1]", an array itself. */
static const char *element_text(Emit *e, const IrFunction *f, int k, int i, const char *name)
{
  const IrVariable *v = f->params[k];

  if (v->kind == IR_VAR_ARRAY || !ir_is_element(v->name))
    return name;
  return v->of ? format(e->arena, "%s->%s", name, struct_path(e, v->of, i))
               : format(e->arena, "%s[%d]", name, i);
}

static void name_param(Emit *e, const IrFunction *f, CallNames *c, int k)
{
  const char *name = names_take(&c->names, ir_whole_name(e->arena, f->params[k]->name));

  c->whole[k] = name;
  for (int i = 0; i < ir_param_elements(f, k); i++)
    c->param[k + i] = element_text(e, f, k, i, name);
}

static void name_call(Emit *e, const IrFunction *f, CallNames *c)
{
  names_init(&c->names, e->arena, NAMES_LOCAL, &e->names);
  c->param = NEW_ARRAY(e->arena, const char *, f->param_count + 1);
  c->whole = NEW_ARRAY(e->arena, const char *, f->param_count + 1);
  for (int k = 0; k < f->slot_count; k++)
    c->tree[k] = names_take(&c->names, slot_name(f, k));
  for (int k = 0; k < f->param_count; k += ir_param_elements(f, k))
    name_param(e, f, c, k);
  c->ctx = names_take(&c->names, "ctx");
  c->out = names_take(&c->names, "out");
  c->out_dual = names_take(&c->names, "out_dual");
  c->queue = names_take(&c->names, "queue");
  c->done = names_take(&c->names, "done");
}

static ApiParam api_param(Emit *e, const IrFunction *f, int k, const char *name)
{
  const IrVariable *v = f->params[k];
  static const ApiWay ways[] = { [ARRAY_IN] = API_IN, [ARRAY_OUT] = API_OUT,
                                 [ARRAY_INOUT] = API_INOUT };
  ApiParam p = { .kind = API_VALUE, .role = API_PARAMETER, .name = name, .type = v->type,
                 .of = v->of, .variable = v };

  p.c_type = v->of ? struct_type(e, v->of)
             : v->kind == IR_VAR_ARRAY ? array_type(v->type) : api_type(v->type);
  if (v->kind == IR_VAR_ARRAY) {
    p.kind = API_ARRAY;
    p.way = ways[v->mode];
  } else if (!v->of && ir_is_element(v->name)) {
    const int elements = ir_param_elements(f, k);
    api_set_shape(&p, elements, f->params[k + elements - 1]->name);
  } else if (!v->of) {
    p.kind = API_SCALAR;
  }
  if (v->kind == IR_VAR_EXTENT)
    p.role = API_EXTENT;
  return p;
}

static const char *result_type(Emit *e, const IrFunction *f)
{
  return f->results[0]->of ? struct_type(e, f->results[0]->of) : api_type(f->result);
}

/* Whether it gives the tangent of its result too. */
static bool has_dual(const IrFunction *f)
{
  return f->result_count > ir_result_elements(f);
}

static ApiParam result_param(Emit *e, const IrFunction *f, const char *name, ApiRole role)
{
  const int elements = ir_result_elements(f);
  ApiParam p = { .kind = API_VALUE, .way = API_OUT, .role = role, .name = name,
                 .c_type = result_type(e, f), .type = f->result, .of = f->results[0]->of };

  if (ir_is_element(f->results[0]->name) && !p.of)
    api_set_shape(&p, elements, f->results[elements - 1]->name);
  return p;
}

static void add_results(Emit *e, const IrFunction *f, const CallNames *c, ApiCall *call)
{
  if (f->result->kind == TYPE_VOID)
    return;
  api_add(e, call, result_param(e, f, c->out, API_RESULT));
  if (has_dual(f))
    api_add(e, call, result_param(e, f, c->out_dual, API_TANGENT));
}

static ApiParam tree_param(Emit *e, const IrFunction *f, const CallNames *c, int slot)
{
  const IrTree *tree = f->slots[slot].tree;

  return (ApiParam){ .kind = API_TREE, .name = c->tree[slot], .tree = tree,
                     .c_type = e->trees[tree->id].c_type };
}

static ApiCall named_api(Emit *e, const IrFunction *f, const CallNames *c, bool submits)
{
  const IrArguments all = ir_arguments(e->arena, f);
  ApiCall call = { .scope = submits ? CALL_SUBMIT : CALL_KERNEL, .action = f->name,
                   .result = "SN_NODISCARD int", .kernel = f };

  call.name = format(e->arena, "%s_%s%s", e->module->prefix, f->name, submits ? "_submit" : "");
  if (submits)
    api_add(e, &call, (ApiParam){ .kind = API_QUEUE, .name = c->queue });
  if (!f->slot_count)
    api_add(e, &call, (ApiParam){ .kind = API_CONTEXT, .name = c->ctx });
  for (int k = 0; k < all.count; k++) {
    const IrArgument *a = &all.arguments[k];
    api_add(e, &call, a->slot >= 0 ? tree_param(e, f, c, a->slot)
                                   : api_param(e, f, a->param, c->whole[a->param]));
  }
  add_results(e, f, c, &call);
  if (submits)
    api_add(e, &call, (ApiParam){ .kind = API_EVENT, .way = API_OUT, .name = c->done });
  return call;
}

ApiCall kernel_api(Emit *e, const IrFunction *f, bool submits)
{
  CallNames c;

  name_call(e, f, &c);
  return named_api(e, f, &c, submits);
}

static const char *prototype(Emit *e, const IrFunction *f, const CallNames *c, bool submits)
{
  const ApiCall call = named_api(e, f, c, submits);

  return format(e->arena, "int %s(%s)", call.name, api_params_text(e, &call));
}

const char *kernel_prototype(Emit *e, const IrFunction *f)
{
  CallNames c;

  name_call(e, f, &c);
  return prototype(e, f, &c, false);
}

const char *kernel_submit_prototype(Emit *e, const IrFunction *f)
{
  CallNames c;

  name_call(e, f, &c);
  return prototype(e, f, &c, true);
}

/* ---- the steps ---- */

/* SN_ARGUMENTS(step_params, dt, SN_HOST_ARRAY(at)); structs seen as elements of several types lie
 * in one memory, whose address the steps hand on from the first. */
static const char *params_value(Emit *e, const IrFunction *f, const KernelNames *k,
                                const CallNames *c)
{
  const char *list = "";

  if (!k->params)
    return "NULL";
  for (int p = 0; p < f->param_count; p++) {
    const IrVariable *v = f->params[p];
    const char *value = c->param[p];
    if (v->kind == IR_VAR_ARRAY)
      value = format(e->arena, "SN_HOST_ARRAY(%s)", value);
    else if (v->type->kind == TYPE_BOOL)
      value = format(e->arena, "%s != 0", value);
    list = format(e->arena, "%s, %s", list, value);
  }
  return format(e->arena, "SN_ARGUMENTS(%s%s)", k->params, list);
}

/* The extents of an array, at least one; of structs without the last one: their elements. */
static const char *extents_text(Emit *e, const KernelNames *k, const IrVariable *v,
                                const char *params, int *count)
{
  const char *list = NULL;

  *count = v->of ? v->extent_count - 1 : v->extent_count;
  for (int i = 0; i < *count; i++) {
    const IrVariable *extent = v->extent_variable ? v->extent_variable[i] : NULL;
    const char *text = extent ? format(e->arena, "%s->%s", params,
                                       (const char *)map_get(&k->param_member, extent))
                              : format(e->arena, "%lld", (long long)v->extent_constant[i]);

    list = list ? format(e->arena, "%s, %s", list, text) : text;
  }
  return list;
}

static void write_array_step(Emit *e, const IrFunction *f, const KernelNames *k, int p,
                             const char *call, const char *params)
{
  const IrVariable *v = f->params[p];
  const char *member = map_get(&k->param_member, v), *extents;
  int count;

  extents = extents_text(e, k, v, params, &count);
  write_line(e, "sn_call_array(%s, &%s->%s, %d, (const int64_t[]){ %s }, sizeof(%s), %s);", call,
             params, member, count, extents,
             v->of ? struct_type(e, v->of) : array_type(v->type), array_mode_text(v));
  for (int i = 1; i < ir_param_elements(f, p); i++)
    write_line(e, "%s->%s = %s->%s;", params,
               (const char *)map_get(&k->param_member, f->params[p + i]), params, member);
}

static bool has_arrays(const IrFunction *f)
{
  for (int p = 0; p < f->param_count; p++)
    if (f->params[p]->kind == IR_VAR_ARRAY)
      return true;
  return false;
}

static void write_array_steps(Emit *e, const IrFunction *f, const KernelNames *k, const char *call,
                              const char *params)
{
  write_line(e, "%s *%s = sn_call_params(%s);", k->params, params, call);
  write_line(e, "%s", "");
  for (int p = 0; p < f->param_count; p += ir_param_elements(f, p))
    if (f->params[p]->kind == IR_VAR_ARRAY)
      write_array_step(e, f, k, p, call, params);
}

const char *emit_kernel_steps(Emit *e, const IrFunction *f, const KernelNames *k)
{
  Text body = { 0 }, *out = e->out;
  const char *name, *call, *params;
  size_t begin;
  Names names;

  names_init(&names, e->arena, NAMES_LOCAL, &e->names);
  call = names_take(&names, "call");
  params = names_take(&names, "p");
  e->out = &body;
  write_line(e, "(sn_call *%s)", call);
  write_line(e, "{");
  e->indent++;
  begin = body.length;
  if (has_arrays(f))
    write_array_steps(e, f, k, call, params);
  emit_steps(e, f, k, call);
  if (!has_word(body.data + begin, call))
    write_line(e, "(void)%s;", call);
  e->indent--;
  write_line(e, "}");
  e->out = out;
  name = write_shared(e, "static void ", format(e->arena, "%s_steps", f->name), body.data);
  text_free(&body);
  return name;
}

/* ---- the functions ---- */

/* What both functions hand over behind the table: context, trees, parameters, result. */
static const char *operands(Emit *e, const IrFunction *f, const KernelNames *k, const CallNames *c)
{
  const char *trees = "", *out = f->result->kind == TYPE_VOID ? "NULL" : c->out;

  if (has_dual(f))
    out = format(e->arena, "SN_RESULTS(%s, %s)", c->out, c->out_dual);
  for (int s = 0; s < f->slot_count; s++)
    trees = format(e->arena, "%s%s%s", trees, s ? ", " : "", c->tree[s]);
  return format(e->arena, "%s, %s, %s, %s", f->slot_count ? "NULL" : c->ctx,
                f->slot_count ? format(e->arena, "SN_TREES(%s)", trees) : "NULL",
                params_value(e, f, k, c), out);
}

void emit_kernel_calls(Emit *e, const IrFunction *f, const KernelNames *k, const char *info)
{
  CallNames c;
  ApiCall call;

  name_call(e, f, &c);
  call = named_api(e, f, &c, false);
  if (f->doc)
    write_comment(e, f->doc);
  write_line(e, "SN_KERNEL_CALLS(%s, %s, %s, %s)", call.name, info, operands(e, f, k, &c),
             api_params_text(e, &call));
}
