/* The C++17 header, --emit=hpp: a namespace with a class for each tree, whose methods are the calls
 * on it, and a function for each kernel (snode/snode.hpp).  Names are those of C without the
 * prefix.
 */
#include "gen/bind/bind.h"
#include "gen/bind/offer.h"

#include <string.h>

/* ---- names and types ---- */

static const char *own_name(Emit *e, const char *name)
{
  return names_escape(e->arena, NAMES_FILE, name);
}

/* Of a class in that namespace, whose own names are methods and members of its base, and which must
 * not hide the namespaces that the header names. */
static const char *class_name(Emit *e, const char *name)
{
  static const char *const own[] = { "c_", "context_", "copy", "create", "deactivate_all", "get",
                                     "load", "memory", "options", "save", "snode", "std", "swap" };

  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (strcmp(name, own[k]) == 0)
      return format(e->arena, "%s_", name);
  return own_name(e, name);
}

/* The namespace: no name that a header of C has at file scope, as `random`. */
static const char *space(Emit *e, const char *prefix)
{
  const bool is_taken = name_is_reserved(NAMES_FILE, prefix) || strcmp(prefix, "snode") == 0 ||
                        strcmp(prefix, "std") == 0;

  return is_taken ? format(e->arena, "%s_", prefix) : prefix;
}

static const char *tree_class(Emit *e, const IrTree *tree)
{
  return format(e->arena, "::%s::%s", space(e, tree->prefix ? tree->prefix : e->module->prefix),
                class_name(e, tree->name));
}

static const char *method_name(Emit *e, const ApiCall *call)
{
  const char *name = call->name + strlen(e->module->prefix) + 1;

  return own_name(e, call->scope == CALL_TREE ? call->action : name);
}

/* A value in a call. */
static const char *value_type(Emit *e, const ApiParam *p)
{
  if (p->elements)
    return format(e->arena, "std::array<%s, %d>", p->c_type, p->elements);
  if (p->of)
    return format(e->arena, "::%s", p->c_type);
  return p->type->kind == TYPE_BOOL ? "bool" : p->c_type;
}

/* A value of the call's field in memory. */
static const char *cell_type(Emit *e, const ApiCall *call)
{
  const ApiParam value = offer_field(e, call->tree, call->field);

  if (value.elements)
    return format(e->arena, "std::array<%s, %d>", value.c_type, value.elements);
  return value.of ? format(e->arena, "::%s", value.c_type) : value.c_type;
}

static const char *listed(Emit *e, const char *list, const char *what)
{
  return format(e->arena, "%s%s%s", list, *list ? ", " : "", what);
}

static void open_brace(Emit *e)
{
  write_line(e, "{");
  e->indent++;
}

static void close_brace(Emit *e)
{
  e->indent--;
  write_line(e, "}");
}

/* ---- calls that give a number, a value or nothing ---- */

typedef struct Method {
  const char *params, *actual, *context;
  const ApiParam *out[2];
  const char *out_name[2];
  int outs;
} Method;

static void add(Emit *e, Method *m, const char *param, const char *actual)
{
  if (param)
    m->params = listed(e, m->params, param);
  m->actual = listed(e, m->actual, actual);
}

static void add_tree(Emit *e, Method *m, const ApiCall *call, const ApiParam *p)
{
  if (call->scope != CALL_KERNEL && !*m->context) {
    m->context = "context_";
    add(e, m, NULL, "c_");
    return;
  }
  if (!*m->context)
    m->context = format(e->arena, "%s.sn_in()", p->name);
  add(e, m, format(e->arena, "%s &%s", tree_class(e, p->tree), p->name),
      format(e->arena, "%s.get()", p->name));
}

/* Where the extent stands first: "src.extents()[1]". */
static const char *first_extent(Emit *e, const ApiCall *call, const IrVariable *extent)
{
  for (int k = 0; k < call->param_count; k++) {
    const ApiParam *a = &call->params[k];
    for (int d = 0; a->kind == API_ARRAY && d < offer_array_rank(a); d++)
      if (a->variable->extent_variable[d] == extent)
        return format(e->arena, "%s.extents()[%d]", a->name, d);
  }
  ICE("an extent of no array");
}

static void add_array(Emit *e, Method *m, const ApiParam *p)
{
  add(e, m, format(e->arena, "const snode::view<%s%s%s, %d> &%s", p->way == API_IN ? "const " : "",
                   p->of ? "::" : "", p->c_type, offer_array_rank(p), p->name),
      format(e->arena, "%s.data()", p->name));
}

/* The call takes no array that has gaps, or other extents than the .sn file says. */
static void write_array_check(Emit *e, const ApiCall *call, const ApiParam *p, const char *result)
{
  const char *check = format(e->arena, "%s.is_dense()", p->name), *extents = "";

  for (int d = 0; d < offer_array_rank(p); d++) {
    const IrVariable *extent = p->variable->extent_variable[d];
    const char *own = format(e->arena, "%s.extents()[%d]", p->name, d);
    const char *constant = extent ? NULL : decimal(e->arena, p->variable->extent_constant[d]);
    const char *wanted = extent ? first_extent(e, call, extent) : constant;
    extents = format(e->arena, "%s%s%s", extents, d ? " x " : "", extent ? extent->name : constant);
    if (strcmp(own, wanted) != 0)
      check = format(e->arena, "%s && %s == %s", check, own, wanted);
  }
  write_line(e, "if (!(%s))", check);
  write_line(e, "  return snode::refuse<%s>(", result);
  write_line(e, "      \"%s: array %s is not dense or not of the extents %s\");", call->name,
             p->name, extents);
}

static void add_value(Emit *e, Method *m, const ApiParam *p)
{
  if (p->way != API_IN) {
    m->out[m->outs] = p;
    m->out_name[m->outs++] = p->name;
    add(e, m, NULL, format(e->arena, p->elements ? "%s.data()" : "&%s", p->name));
  } else if (p->kind == API_SCALAR) {
    add(e, m, format(e->arena, "%s %s", value_type(e, p), p->name), p->name);
  } else {
    add(e, m, format(e->arena, "const %s &%s", value_type(e, p), p->name),
        format(e->arena, p->elements ? "%s.data()" : "&%s", p->name));
  }
}

static void add_param(Emit *e, Method *m, const ApiCall *call, const ApiParam *p)
{
  if (p->kind == API_CONTEXT) {
    m->context = format(e->arena, "%s.get()", p->name);
    add(e, m, format(e->arena, "snode::context &%s", p->name), m->context);
  } else if (p->kind == API_TREE) {
    add_tree(e, m, call, p);
  } else if (p->kind == API_TEXT) {
    add(e, m, format(e->arena, "const std::string &%s", p->name),
        format(e->arena, "%s.c_str()", p->name));
  } else if (p->kind == API_ARRAY) {
    add_array(e, m, p);
  } else if (p->role == API_EXTENT) {
    add(e, m, NULL, first_extent(e, call, p->variable));
  } else {
    add_value(e, m, p);
  }
}

static const char *result_type(Emit *e, const Method *m)
{
  if (!m->outs)
    return "void";
  return m->outs == 1 ? value_type(e, m->out[0])
                      : format(e->arena, "std::pair<%s, %s>", value_type(e, m->out[0]),
                               value_type(e, m->out[1]));
}

static bool is_truth(const ApiParam *p)
{
  return !p->elements && !p->of && p->type->kind == TYPE_BOOL;
}

static const char *given_text(Emit *e, const Method *m)
{
  const char *list = "";

  for (int k = 0; k < m->outs; k++)
    list = listed(e, list, format(e->arena, is_truth(m->out[k]) ? "%s != 0" : "%s",
                                  m->out_name[k]));
  if (m->outs == 2)
    list = format(e->arena, "%s(%s)", result_type(e, m), list);
  return *list ? format(e->arena, ", %s", list) : "";
}

static void write_plain(Emit *e, const ApiCall *call)
{
  Method m = { .params = "", .actual = "", .context = "" };

  for (int k = 0; k < call->param_count; k++)
    add_param(e, &m, call, &call->params[k]);
  write_line(e, "%ssnode::returned<%s> %s(%s)", call->tree ? "" : "inline ", result_type(e, &m),
             method_name(e, call), m.params);
  open_brace(e);
  for (int k = 0; k < m.outs; k++)
    write_line(e, "%s %s{};", is_truth(m.out[k]) ? "int" : value_type(e, m.out[k]), m.out_name[k]);
  for (int k = 0; k < call->param_count; k++)
    if (call->params[k].kind == API_ARRAY)
      write_array_check(e, call, &call->params[k], result_type(e, &m));
  /* before the values are handed on */
  write_line(e, "const int sn_code = ::%s(%s);", call->name, m.actual);
  write_line(e, "return snode::give(sn_code, %s%s);", m.context, given_text(e, &m));
  close_brace(e);
}

/* ---- boxes, lists of cells, shapes, memory ---- */

static void write_box(Emit *e, const ApiCall *call)
{
  const int axes = call->field->axis_count;
  const bool reads = strcmp(call->action, "read") == 0;
  const char *type = format(e->arena, "snode::view<%s%s, %d>", reads ? "" : "const ",
                            cell_type(e, call), axes);

  if (!axes)                           /* as get and set */
    return;
  write_comment(e, "The box of the view's extents that begins at lo; its strides are handed on.");
  write_line(e, "snode::returned<void> %s(const %s &values, const std::array<int64_t, %d> &lo)",
             method_name(e, call), type, axes);
  open_brace(e);
  write_line(e, "const sn_box box = values.box(lo);");
  write_line(e, "return snode::give(::%s(c_, &box, values.span(), values.strides().data()), "
                "context_);", call->name);
  close_brace(e);
}

static void write_shape(Emit *e, const ApiCall *call)
{
  write_line(e, "snode::returned<snode::range<%d>> %s()", call->field->axis_count,
             method_name(e, call));
  open_brace(e);
  write_line(e, "snode::range<%d> out{};", call->field->axis_count);
  write_line(e, "const int sn_code = ::%s(c_, out.lo.data(), out.hi.data());", call->name);
  write_line(e, "return snode::give(sn_code, context_, out);");
  close_brace(e);
}

static void write_read_active(Emit *e, const ApiCall *call)
{
  const char *type = format(e->arena, "snode::cells<%s, %d>", cell_type(e, call),
                            call->field->axis_count);
  const ApiParam value = offer_field(e, call->tree, call->field);
  const char *name = offer_field_name(e, call->field);

  write_line(e, "snode::returned<%s> %s()", type, method_name(e, call));
  open_brace(e);
  write_line(e, "%s out;", type);
  write_line(e, "int64_t n = 0;");
  write_line(e, "int sn_code = ::%s_%s_count(c_, &n);", e->module->prefix, name);
  write_line(e, "out.index.resize(static_cast<std::size_t>(n));");
  write_line(e, "out.value.resize(static_cast<std::size_t>(n));");
  write_line(e, "if (sn_code == SN_OK && n > 0)");
  write_line(e, "  sn_code = ::%s(c_, out.index.data()->data(), out.value.data()%s, n, &n);",
             call->name, value.elements ? "->data()" : "");
  write_line(e, "return snode::give(sn_code, context_, std::move(out));");
  close_brace(e);
}

static void write_write_active(Emit *e, const ApiCall *call)
{
  const ApiParam value = offer_field(e, call->tree, call->field);

  write_line(e, "snode::returned<void> %s(const snode::cells<%s, %d> &in)", method_name(e, call),
             cell_type(e, call), call->field->axis_count);
  open_brace(e);
  write_line(e, "if (in.index.size() != in.value.size()) return snode::give(SN_EINVAL, context_);");
  write_line(e, "if (in.index.empty()) return snode::give(SN_OK, context_);");
  write_line(e, "return snode::give(::%s(c_, in.index.data()->data(), in.value.data()%s, "
                "static_cast<int64_t>(in.index.size())), context_);", call->name,
             value.elements ? "->data()" : "");
  close_brace(e);
}

static void write_memory(Emit *e, const ApiCall *call)
{
  write_line(e, "snode::returned<std::vector<sn_memory_info>> %s()", method_name(e, call));
  open_brace(e);
  write_line(e, "std::vector<sn_memory_info> out;");
  write_line(e, "int n = 0;");
  write_line(e, "int sn_code = ::%s(c_, nullptr, 0, &n);", call->name);
  write_line(e, "out.resize(static_cast<std::size_t>(n));");
  write_line(e, "if (sn_code == SN_OK) sn_code = ::%s(c_, out.data(), n, &n);", call->name);
  write_line(e, "return snode::give(sn_code, context_, std::move(out));");
  close_brace(e);
}

/* ---- trees ---- */

static void write_life(Emit *e, const ApiCall *create)
{
  const IrTree *tree = create->tree;
  const char *name = class_name(e, tree->name), *type = e->trees[tree->id].c_type;
  const char *params = "", *actual = "";

  for (int k = 0; k < create->param_count; k++)
    if (create->params[k].role == API_EXTENT) {
      params = format(e->arena, "%s, %s %s", params, create->params[k].c_type,
                      create->params[k].name);
      actual = format(e->arena, "%s, %s", actual, create->params[k].name);
    }
  params = format(e->arena, "const snode::context &sn_in%s, const snode::tree_options &sn_how = {}",
                  params);
  write_line(e, "#ifndef SNODE_NO_EXCEPTIONS");
  write_line(e, "explicit %s(%s) : %s(create(sn_in%s, sn_how)) {}", name, params, name, actual);
  write_line(e, "#endif");
  write_line(e, "%s(%s &&) noexcept = default;", name, name);
  write_line(e, "%s &operator=(%s &&sn_other) noexcept { swap(sn_other); return *this; }", name,
             name);
  write_line(e, "~%s() { ::%s_destroy(c_); }", name, type);
  write_line(e, "static snode::returned<%s> create(%s)", name, params);
  open_brace(e);
  write_line(e, "const sn_tree_options options = sn_how.c();");
  write_line(e, "%s made(nullptr, sn_in.get());", name);
  write_line(e, "const int sn_code = ::%s(sn_in.get(), &options%s, &made.c_);", create->name,
             actual);
  write_line(e, "return snode::give(sn_code, sn_in.get(), std::move(made));");
  close_brace(e);
  write_line(e, "sn_context *sn_in() const noexcept { return context_; }");
}

static void write_method(Emit *e, const ApiCall *call)
{
  static const struct {
    const char *action;
    void (*write)(Emit *, const ApiCall *);
  } ways[] = {
    { "create", write_life }, { "memory", write_memory }, { "read", write_box },
    { "write", write_box }, { "shape", write_shape }, { "read_active", write_read_active },
    { "write_active", write_write_active }
  };

  if (strcmp(call->action, "destroy") == 0)
    return;
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
    if (strcmp(ways[k].action, call->action) == 0) {
      ways[k].write(e, call);
      return;
    }
  write_plain(e, call);
}

static void write_tree(Emit *e, const Api *all, const IrTree *tree)
{
  const char *name = class_name(e, tree->name);

  write_line(e, "%s", "");
  write_comment(e, tree->doc ? tree->doc : format(e->arena, "An instance of tree %s.", tree->name));
  write_line(e, "class %s : public snode::instance<::%s> {", name, e->trees[tree->id].c_type);
  write_line(e, "public:");
  e->indent++;
  for (int k = 0; k < all->count; k++)
    if (all->calls[k].tree == tree)
      write_method(e, &all->calls[k]);
  e->indent--;
  write_line(e, "%s", "");
  write_line(e, "private:");
  write_line(e, "  %s(::%s *c, sn_context *in) : instance(c, in) {}", name,
             e->trees[tree->id].c_type);
  write_line(e, "};");
}

/* ---- the file ---- */

static void write_names(Emit *e)
{
  const IrModule *m = e->module;

  for (int k = 0; k < m->const_count; k++) {
    const IrConst *c = m->consts[k];
    if (c->doc)
      write_comment(e, c->doc);
    write_line(e, "inline constexpr %s %s = %s;",
               c->type->kind == TYPE_BOOL ? "bool" : api_type(c->type), own_name(e, c->name),
               const_name(e, c));
  }
  for (int k = 0; k < m->struct_count; k++)
    if (!m->structs[k]->prefix)
      write_line(e, "using %s = ::%s;", class_name(e, m->structs[k]->type.name),
                 struct_type(e, m->structs[k]));
}

/* Behind the own trees, so that two files may take each other's. */
static void write_imports(Emit *e)
{
  const IrModule *m = e->module;

  for (int k = 0; k < m->tree_count; k++)
    if (m->trees[k]->prefix && has_tree(e, m->trees[k]))
      write_line(e, "#include \"%s.hpp\"", m->trees[k]->prefix);
}

void bind_hpp(const IrModule *m, const EmitOptions *options, Text *out)
{
  const char *guard, *name;
  Emit e;
  Api all;

  emit_init(&e, m, options, out);
  all = api_of(&e);
  name = space(&e, m->prefix);
  guard = format(e.arena, "SNODEGEN_%s_HPP", upper_case(e.arena, m->prefix));
  write_comment(&e, format(e.arena, "%s.hpp: generated by %s from %s. Do not edit.", options->base,
                           e.generator, e.source));
  write_line(&e, "#ifndef %s", guard);
  write_line(&e, "#define %s", guard);
  write_line(&e, "%s", "");
  write_line(&e, "#include \"%s.h\"", options->base);
  write_line(&e, "#include <snode/snode.hpp>");
  write_line(&e, "%s", "");
  write_line(&e, "namespace %s {", name);
  write_names(&e);
  for (int k = 0; k < m->tree_count; k++)
    if (!m->trees[k]->prefix)
      write_tree(&e, &all, m->trees[k]);
  write_line(&e, "} // namespace %s", name);
  write_imports(&e);
  write_line(&e, "namespace %s {", name);
  for (int k = 0; k < all.count; k++)
    if (all.calls[k].scope == CALL_KERNEL) {
      write_line(&e, "%s", "");
      if (all.calls[k].kernel->doc)
        write_comment(&e, all.calls[k].kernel->doc);
      write_plain(&e, &all.calls[k]);
    }
  write_line(&e, "} // namespace %s", name);
  write_line(&e, "#endif");
}
