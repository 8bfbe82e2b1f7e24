/* The public functions of a kernel: their prototypes, in header and C file; the body of the
 * call, the steps that the sequencer is led through; and what submits it to a queue, which
 * keeps the arguments until the queue makes the call.
 */
#include "gen/emit/task.h"

#include <string.h>

/* The names of its parameters, apart from each other and from what the body
 * declares. */
typedef struct CallNames {
  Names names;
  const char *tree[MAX_SLOTS];
  const char **param, **whole;
  const char *ctx, *out, *trees, *params, *call;
  const char *queue, *done, *arguments;  /* of the one that submits it */
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
  c->trees = names_take(&c->names, "trees");
  c->params = names_take(&c->names, "params");
  c->call = names_take(&c->names, "call");
  c->queue = names_take(&c->names, "queue");
  c->done = names_take(&c->names, "done");
  c->arguments = names_take(&c->names, "arguments");
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

/* Behind a comma; "" of none. */
static const char *out_text(Emit *e, const IrFunction *f, const char *name)
{
  if (f->result->kind == TYPE_VOID)
    return "";
  if (ir_is_element(f->results[0]->name) && !f->results[0]->of)
    return format(e->arena, ", %s %s[%d]", result_type(e, f), name, f->result_count);
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
  return format(e->arena, "%s%s", list, out_text(e, f, c->out));
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

/* ---- the body ---- */

static int param_position(const IrFunction *f, const IrVariable *v)
{
  for (int k = 0; k < f->param_count; k++)
    if (f->params[k] == v)
      return k;
  ICE("'%s' is no parameter of '%s'", v->name, f->name);
}

static void write_params(Emit *e, const IrFunction *f, const KernelNames *k, const CallNames *c)
{
  const char *list = "";

  if (!k->params)
    return;
  for (int p = 0; p < f->param_count; p++) {
    const IrVariable *v = f->params[p];
    const char *value = v->kind == IR_VAR_ARRAY ? "0" : c->param[p];
    if (v->type->kind == TYPE_BOOL && v->kind != IR_VAR_ARRAY)
      value = format(e->arena, "%s != 0", value);
    list = format(e->arena, "%s%s%s", list, p ? ", " : "", value);
  }
  write_line(e, "%s %s = { %s };", k->params, c->params, list);
}

/* Values of an array, of structs those: array_values() gives -1 for what is no extent. */
static const char *values_text(Emit *e, const IrFunction *f, const IrVariable *v,
                               const CallNames *c)
{
  const char *list = "";
  int64_t product = 1;
  int extents = v->of ? v->extent_count - 1 : v->extent_count;
  bool is_constant = true;

  for (int k = 0; k < extents; k++) {
    const IrVariable *extent = v->extent_variable ? v->extent_variable[k] : NULL;
    if (extent) {
      is_constant = false;
      list = format(e->arena, "%s, %s", list, c->param[param_position(f, extent)]);
    } else {
      product *= v->extent_constant[k];
      list = format(e->arena, "%s, %lld", list, (long long)v->extent_constant[k]);
    }
  }
  if (is_constant)
    return format(e->arena, "%lld", (long long)product);
  if (extents == 1)
    return list + 2;
  e->uses_array_values = true;
  return format(e->arena, "%s(%d, (const int64_t[]){ %s })", e->array_values, extents, list + 2);
}

/* Structs seen as elements of several types lie in one memory. */
static void write_arrays(Emit *e, const IrFunction *f, const KernelNames *k, const CallNames *c)
{
  for (int p = 0; p < f->param_count; p += ir_param_elements(f, p)) {
    const IrVariable *v = f->params[p];
    const char *member = map_get(&k->param_member, v);
    if (v->kind != IR_VAR_ARRAY)
      continue;
    write_line(e, "sn_call_array(%s, &%s.%s, %s, %s, sizeof *%s, %d);", c->call, c->params,
               member, c->param[p], values_text(e, f, v, c), c->param[p], 1 + (int)v->mode);
    for (int i = 1; i < ir_param_elements(f, p); i++)
      write_line(e, "%s.%s = %s.%s;", c->params,
                 (const char *)map_get(&k->param_member, f->params[p + i]), c->params, member);
  }
}

static void write_begin(Emit *e, const IrFunction *f, const KernelNames *k, const CallNames *c,
                        const char *info)
{
  write_line(e, "SN_TRY(sn_call_begin(&%s, &%s, %s, %s, %s, %s, &%s));", e->table, info,
             f->slot_count ? "NULL" : c->ctx, f->slot_count ? c->trees : "NULL",
             k->params ? format(e->arena, "&%s", c->params) : "NULL",
             f->result->kind == TYPE_VOID ? "NULL" : c->out, c->call);
}

/* sn_tree *const trees[] = { (sn_tree *)grid }; */
static void write_trees(Emit *e, const IrFunction *f, const CallNames *c)
{
  const char *trees = "";

  for (int s = 0; s < f->slot_count; s++)
    trees = format(e->arena, "%s%s(sn_tree *)%s", trees, s ? ", " : "", c->tree[s]);
  if (*trees)
    write_line(e, "sn_tree *const %s[] = { %s };", c->trees, trees);
}

void emit_kernel_call(Emit *e, const IrFunction *f, const KernelNames *k, const char *info)
{
  CallNames c;

  name_call(e, f, &c);
  if (f->doc)
    write_comment(e, f->doc);
  write_line(e, "%s", prototype(e, f, &c));
  write_line(e, "{");
  e->indent++;
  write_trees(e, f, &c);
  write_params(e, f, k, &c);
  write_line(e, "sn_call *%s;", c.call);
  write_line(e, "%s", "");
  write_begin(e, f, k, &c, info);
  write_arrays(e, f, k, &c);
  emit_steps(e, f, k, c.call, format(e->arena, "return sn_call_end(%s, %s);", c.call,
                                     f->result->kind == TYPE_VOID ? "NULL" : c.out));
  e->indent--;
  write_line(e, "}");
}

/* ---- submitting it ---- */

/* A member for whatever the call takes; values: what it is set to; operands: what it is read
 * as when the call is made. */
typedef struct Arguments {
  const char *self, *values, *operands;
} Arguments;

static void add_argument(Emit *e, Arguments *a, const char *declaration, const char *name,
                         const char *value)
{
  write_line(e, "%s;", declaration);
  a->values = format(e->arena, "%s, %s", a->values, value);
  a->operands = format(e->arena, "%s, %s->%s", a->operands, a->self, name);
}

/* The caller's may be gone by then: a copy. */
static void add_struct(Emit *e, Arguments *a, const Struct *of, const char *name)
{
  write_line(e, "%s %s;", struct_type(e, of), name);
  a->values = format(e->arena, "%s, *%s", a->values, name);
  a->operands = format(e->arena, "%s, &%s->%s", a->operands, a->self, name);
}

static void add_parameter(Emit *e, Arguments *a, const IrFunction *f, const CallNames *c, int k)
{
  const IrVariable *v = f->params[k];
  const int elements = ir_param_elements(f, k);
  const char *values = c->whole[k];

  if (v->kind == IR_VAR_ARRAY || !ir_is_element(v->name)) {
    add_argument(e, a, param_text(e, f, k, c->whole[k]), c->whole[k], c->whole[k]);
    return;
  }
  if (v->of) {
    add_struct(e, a, v->of, c->whole[k]);
    return;
  }
  for (int i = 0; i < elements; i++)
    values = format(e->arena, "%s%s", i ? format(e->arena, "%s, ", values) : "{ ", c->param[k + i]);
  add_argument(e, a, format(e->arena, "%s %s[%d]", api_type(v->type), c->whole[k], elements),
               c->whole[k], format(e->arena, "%s }", values));
}

static Arguments write_arguments_struct(Emit *e, const IrFunction *f, const CallNames *c,
                                        const char *type, const char *self)
{
  const IrArguments all = ir_arguments(e->arena, f);
  Arguments a = { self, "", "" };

  write_line(e, "typedef struct %s {   /* kept until the call is made */", type);
  e->indent++;
  if (f->slot_count == 0)
    add_argument(e, &a, format(e->arena, "sn_context *%s", c->ctx), c->ctx, c->ctx);
  for (int k = 0; k < all.count; k++) {
    const int slot = all.arguments[k].slot;
    if (slot >= 0)
      add_argument(e, &a, tree_text(e, f, c, slot), c->tree[slot], c->tree[slot]);
    else
      add_parameter(e, &a, f, c, all.arguments[k].param);
  }
  if (f->result->kind != TYPE_VOID)
    add_argument(e, &a, format(e->arena, "%s *%s", result_type(e, f), c->out), c->out, c->out);
  e->indent--;
  write_line(e, "} %s;", type);
  write_line(e, "%s", "");
  return a;
}

/* What the queue runs. */
static void write_run(Emit *e, const IrFunction *f, const char *name, const char *type,
                      const Arguments *a, Names *names)
{
  const char *run = names_take(names, "run"), *user = names_take(names, "user");

  write_line(e, "static int %s(sn_run *%s, void *%s)", name, run, user);
  write_line(e, "{");
  e->indent++;
  write_line(e, "const %s *%s = %s;", type, a->self, user);
  write_line(e, "%s", "");
  write_line(e, "(void)%s;", run);
  write_line(e, "return %s_%s(%s);", e->module->prefix, f->name, a->operands + 2);
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
}

void emit_kernel_submit(Emit *e, const IrFunction *f, const char *info)
{
  const char *type = names_take(&e->names, format(e->arena, "%s_arguments", f->name));
  const char *run = names_take(&e->names, format(e->arena, "%s_run", f->name));
  Names names;
  Arguments a;
  CallNames c;

  name_call(e, f, &c);
  names_init(&names, e->arena, NAMES_LOCAL, &e->names);
  a = write_arguments_struct(e, f, &c, type, names_take(&names, "a"));
  write_run(e, f, run, type, &a, &names);
  write_line(e, "%s", submit_prototype(e, f, &c));
  write_line(e, "{");
  e->indent++;
  write_trees(e, f, &c);
  write_line(e, "const %s %s = { %s };", type, c.arguments, a.values + 2);
  write_line(e, "%s", "");
  write_line(e, "return sn_kernel_submit(%s, &%s, %s, %s, %s, &%s, sizeof %s, %s);", c.queue, info,
             f->slot_count ? "NULL" : c.ctx, f->slot_count ? c.trees : "NULL", run, c.arguments,
             c.arguments, c.done);
  e->indent--;
  write_line(e, "}");
}
