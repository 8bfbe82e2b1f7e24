/* The public functions of a kernel: their prototypes, in header and C file; what calls it, and what
 * submits it to a queue.  Both hand over the kernel's table, its trees, its parameters and
 * where the result goes; the steps, which stand in the table, are a function of the call.
 */
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

static const char *param_text(Emit *e, const IrFunction *f, int k, const char *name)
{
  const IrVariable *v = f->params[k];
  const char *type = v->of ? struct_type(e, v->of)
                     : v->kind == IR_VAR_ARRAY ? array_type(v->type) : api_type(v->type);

  if (v->kind == IR_VAR_ARRAY)
    return format(e->arena, "%s%s *%s", v->mode == ARRAY_IN ? "const " : "", type, name);
  if (v->of)
    return format(e->arena, "const %s *%s", type, name);
  if (ir_is_element(v->name))
    return format(e->arena, "const %s %s[%d]", type, name, ir_param_elements(f, k));
  return format(e->arena, "%s %s", type, name);
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

/* Behind a comma; "" of none. */
static const char *out_text(Emit *e, const IrFunction *f, const char *name)
{
  if (f->result->kind == TYPE_VOID)
    return "";
  if (ir_is_element(f->results[0]->name) && !f->results[0]->of)
    return format(e->arena, ", %s %s[%d]", result_type(e, f), name, ir_result_elements(f));
  return format(e->arena, ", %s *%s", result_type(e, f), name);
}

static const char *tree_text(Emit *e, const IrFunction *f, const CallNames *c, int slot)
{
  return format(e->arena, "%s *%s", e->trees[f->slots[slot].tree->id].c_type, c->tree[slot]);
}

/* What a call takes, each with a comma before it. */
static const char *parameters(Emit *e, const IrFunction *f, const CallNames *c)
{
  const IrArguments all = ir_arguments(e->arena, f);
  const char *list = f->slot_count ? "" : format(e->arena, ", sn_context *%s", c->ctx);

  for (int k = 0; k < all.count; k++) {
    const IrArgument *a = &all.arguments[k];
    list = format(e->arena, "%s, %s", list,
                  a->slot >= 0 ? tree_text(e, f, c, a->slot)
                               : param_text(e, f, a->param, c->whole[a->param]));
  }
  return format(e->arena, "%s%s%s", list, out_text(e, f, c->out),
                has_dual(f) ? out_text(e, f, c->out_dual) : "");
}

static const char *prototype(Emit *e, const IrFunction *f, const CallNames *c)
{
  return format(e->arena, "int %s_%s(%s)", e->module->prefix, f->name, parameters(e, f, c) + 2);
}

static const char *submit_prototype(Emit *e, const IrFunction *f, const CallNames *c)
{
  return format(e->arena, "int %s_%s_submit(sn_queue *%s%s, sn_event **%s)", e->module->prefix,
                f->name, c->queue, parameters(e, f, c), c->done);
}

const char *kernel_prototype(Emit *e, const IrFunction *f)
{
  CallNames c;

  name_call(e, f, &c);
  return prototype(e, f, &c);
}

const char *kernel_submit_prototype(Emit *e, const IrFunction *f)
{
  CallNames c;

  name_call(e, f, &c);
  return submit_prototype(e, f, &c);
}

/* ---- the steps ---- */

/* &(step_params){ dt, SN_HOST_ARRAY(at) }; structs seen as elements of several types lie in
 * one memory, whose address the steps hand on from the first. */
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
    list = format(e->arena, "%s%s%s", list, p ? ", " : "", value);
  }
  return format(e->arena, "&(%s){ %s }", k->params, list);
}

/* The extents of an array, of structs without the last one: their elements. */
static const char *extents_text(Emit *e, const KernelNames *k, const IrVariable *v,
                                const char *params, int *count)
{
  const char *list = "";

  *count = v->of ? v->extent_count - 1 : v->extent_count;
  for (int i = 0; i < *count; i++) {
    const IrVariable *extent = v->extent_variable ? v->extent_variable[i] : NULL;
    list = extent ? format(e->arena, "%s, %s->%s", list, params,
                           (const char *)map_get(&k->param_member, extent))
                  : format(e->arena, "%s, %lld", list, (long long)v->extent_constant[i]);
  }
  return list + 2;
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

  name_call(e, f, &c);
  if (f->doc)
    write_comment(e, f->doc);
  write_line(e, "%s", prototype(e, f, &c));
  write_line(e, "{");
  e->indent++;
  write_line(e, "return sn_kernel_call(&%s, %s);", info, operands(e, f, k, &c));
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
  write_line(e, "%s", submit_prototype(e, f, &c));
  write_line(e, "{");
  e->indent++;
  write_line(e, "return sn_kernel_submit(%s, &%s, %s, %s);", c.queue, info, operands(e, f, k, &c),
             c.done);
  e->indent--;
  write_line(e, "}");
}
