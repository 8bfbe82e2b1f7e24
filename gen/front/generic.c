/* Generics: what each copy's parameters mean, and which copies there are.
 *
 * A copy is the text of its generic parsed again and checked as any function is, with its
 * parameters bound by name in a scope around it: the rest of the checker knows of none.
 * A generic is checked by itself too, its parameters meaning nothing: so what is wrong
 * whatever they mean is reported once, and where it has no instance as well.
 */
#include "gen/front/check.h"
#include "gen/front/parser.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { MAX_COPIES = 1000, LONGEST_COPY_NAME = 40 };

/* ---- arguments ---- */

static const struct { SymbolKind kind; const char *name; } kinds[] = {
    [GENERIC_FIELD] = {SYMBOL_FIELD, "a field"},
    [GENERIC_NODE] = {SYMBOL_SNODE, "a node"},
    [GENERIC_TREE] = {SYMBOL_TREE, "a tree"},
    [GENERIC_CONSTANT] = {SYMBOL_CONSTANT, "a constant"},
};

/* False after a message, or where the name means nothing. */
static bool find_named(Check *c, const Generic *generic, const GenericParameter *parameter,
                       const Expr *e, Symbol *out)
{
  bool is_name = e->kind == EXPR_NAME && !e->type;
  const Symbol *symbol = is_name ? scope_find(c->scope, e->name) : NULL;
  if (is_name && !symbol)
    fail_unknown(c, DIAG_UNKNOWN_NAME, e, takes_place);
  else if (!symbol || (symbol->kind != SYMBOL_UNKNOWN && symbol->kind != out->kind))
    diag(c->diag, DIAG_GENERIC_ARGUMENT, e->loc, parameter->name, generic->function->name,
         kinds[parameter->kind].name);
  if (!symbol || symbol->kind != out->kind)
    return false;
  out->is = symbol->is;
  return out->kind != SYMBOL_FIELD || out->is.field->snode;    /* else reported */
}

/* By the generic's parameters, as the parser takes them: of each constant its first value. */
static const Value *values_of(Check *c, const Generic *generic, const Symbol *arguments)
{
  Value *values = NEW_ARRAY(c->arena, Value, generic->param_count);
  for (int i = 0; i < generic->param_count; i++)
    if (arguments[i].kind == SYMBOL_CONSTANT && arguments[i].is_ready)
      values[i] = arguments[i].is.constant->values[0];
  return values;
}

/* Of parameter k, a constant, where those before it have these arguments. */
static const Type *parameter_type(Check *c, const Generic *generic, int k, Loc named,
                                  const Symbol *arguments)
{
  if (generic->params[k].type)
    return generic->params[k].type;
  DiagCopy *shown = NEW(c->arena, DiagCopy);
  *shown = (DiagCopy){.name = generic->function->name, .named = named};
  const DiagCopy *before = diag_copy(c->diag, shown);
  const Type *type = parse_parameter_type(generic, k, values_of(c, generic, arguments));
  diag_copy(c->diag, before);
  return type;
}

static bool find_constant(Check *c, const GenericParameter *parameter, const Type *type, Expr *e,
                          Symbol *out)
{
  e = check_stored(c, e, type);
  if (!e->type)
    return false;
  Constant *constant = NEW(c->arena, Constant);
  constant->name = parameter->name;
  constant->loc = parameter->loc;
  constant->type = type;
  constant->values = NEW_ARRAY(c->arena, Value, type_count(type));
  if (!constant_elements(c, e, constant->values)) {
    fail_constant(c, e, "a generic argument");
    return false;
  }
  out->is.constant = constant;
  out->is_ready = true;
  return true;
}

/* One whose type is made of an argument that means nothing is silent. */
static bool find_argument(Check *c, const Generic *generic, int i, Expr *e, bool is_good,
                          Symbol out[])
{
  const GenericParameter *parameter = &generic->params[i];
  out[i] = (Symbol){.kind = kinds[parameter->kind].kind, .is_argument = true};
  if (parameter->kind != GENERIC_CONSTANT)
    return find_named(c, generic, parameter, e, &out[i]);
  bool has_type = parameter->type || is_good;
  const Type *type = has_type ? parameter_type(c, generic, i, e->loc, out) : NULL;
  return find_constant(c, parameter, type, e, &out[i]);
}

static bool find_arguments(Check *c, const Generic *generic, Expr **args, Symbol *out)
{
  bool is_good = true;
  for (int i = 0; i < generic->param_count; i++)
    is_good = find_argument(c, generic, i, args[i], is_good, out) && is_good;
  return is_good;
}

static bool is_same_argument(const Symbol *a, const Symbol *b)
{
  if (a->kind != SYMBOL_CONSTANT)
    return a->is.field == b->is.field;         /* of any kind: the same object */
  const Constant *x = a->is.constant, *y = b->is.constant;
  return memcmp(x->values, y->values, (size_t)type_count(x->type) * sizeof *x->values) == 0;
}

/* ---- names ---- */

static void write_value(Text *out, const Type *type, Value v)
{
  if (type == TY(BOOL))
    text_add(out, v.i ? "true" : "false");
  else if (type_is_float(type))
    text_format(out, "%.9g", v.f);
  else if (type == TY(U64))
    text_format(out, "%" PRIu64, (uint64_t)v.i);
  else
    text_format(out, "%" PRId64, v.i);
}

static void write_constant(Text *out, const Constant *constant)
{
  const Type *type = constant->type;
  if (type_is_shaped(type))
    text_format(out, "%s(", type->name);
  for (int k = 0; k < type_count(type); k++) {
    text_add(out, k > 0 ? ", " : "");
    write_value(out, type_element(type), constant->values[k]);
  }
  text_add(out, type_is_shaped(type) ? ")" : "");
}

static void write_argument(Text *out, const Symbol *argument)
{
  switch (argument->kind) {
  case SYMBOL_FIELD: text_add(out, argument->is.field->name); break;
  case SYMBOL_SNODE: text_add(out, argument->is.snode->name); break;
  case SYMBOL_TREE: text_add(out, argument->is.tree->name); break;
  default: write_constant(out, argument->is.constant);
  }
}

/* "sweep<x, 3>" */
static const char *shown_name(Check *c, const Generic *generic, const Symbol *arguments)
{
  Text out = {0};
  text_format(&out, "%s<", generic->function->name);
  for (int i = 0; i < generic->param_count; i++) {
    text_add(&out, i > 0 ? ", " : "");
    write_argument(&out, &arguments[i]);
  }
  text_add(&out, ">");
  const char *name = intern(c->arena, out.data, out.length);
  text_free(&out);
  return name;
}

static bool is_taken(Check *c, const char *name)
{
  for (int i = 0; i < c->function_count; i++)
    if (c->functions[i]->function->name == name)       /* interned */
      return true;
  return scope_find_global(c->scope, name) != NULL;
}

/* Of a func's copy in C: "sweep_x_3". */
static const char *own_name(Check *c, const Copy *copy)
{
  Text out = {0};
  for (const char *p = copy->shown.name; *p; p++)
    if (isalnum((unsigned char)*p) || *p == '_')
      text_add_char(&out, *p);
    else if (out.data[out.length - 1] != '_' && p[1])
      text_add(&out, "_");
  const char *generic = copy->generic->function->name;
  const char *wanted = out.length > LONGEST_COPY_NAME ? generic
                                                      : intern(c->arena, out.data, out.length);
  text_free(&out);
  const char *name = wanted;
  for (int k = 2; is_taken(c, name); k++)
    name = intern_format(c->arena, "%s_%d", wanted, k);
  return name;
}

/* ---- copies ---- */

/* NULL after a message: an extent that it makes of its constants is none. */
static Function *function_of(Check *c, const Copy *copy)
{
  const DiagCopy *before = diag_copy(c->diag, &copy->shown);
  Function *f = parse_again(copy->generic, values_of(c, copy->generic, copy->arguments));
  diag_copy(c->diag, before);
  return f;
}

/* Its parameters mean what they mean until close_copy(). */
static const DiagCopy *open_copy(Check *c, const Copy *copy)
{
  scope_open(c->scope);
  for (int i = 0; i < copy->generic->param_count; i++) {
    const GenericParameter *parameter = &copy->generic->params[i];
    const Symbol *argument = &copy->arguments[i];
    Symbol *symbol = scope_add(c->scope, argument->kind, parameter->name, parameter->loc);
    symbol->is = argument->is;
    symbol->is_ready = argument->is_ready;
    symbol->is_argument = true;
  }
  return diag_copy(c->diag, &copy->shown);
}

static void close_copy(Check *c, const DiagCopy *before)
{
  diag_copy(c->diag, before);
  scope_close(c->scope);
}

/* NULL after a message, or where an argument means nothing. */
static Copy *make_copy(Check *c, Generic *generic, Expr **args, int count, Loc named)
{
  generic->is_used = true;
  if (count != generic->param_count) {
    diag(c->diag, DIAG_ARGUMENT_COUNT, named, generic->function->name, generic->param_count,
         generic->param_count == 1 ? "generic argument" : "generic arguments", count);
    diag(c->diag, DIAG_DECLARED_HERE, generic->function->loc, generic->function->name);
    return NULL;
  }
  Copy *copy = NEW(c->arena, Copy);
  copy->generic = generic;
  copy->arguments = NEW_ARRAY(c->arena, Symbol, count);
  copy->within = c->info->copy;
  if (!find_arguments(c, generic, args, copy->arguments) || generic->is_broken)
    return NULL;
  copy->shown.name = shown_name(c, generic, copy->arguments);
  copy->shown.named = named;
  copy->shown.outer = copy->within ? &copy->within->shown : NULL;
  return copy;
}

static void add_copy(Check *c, const Copy *copy, Function *f)
{
  FunctionInfo *info = NEW(c->arena, FunctionInfo);
  info->function = f;
  info->copy = copy;
  vec_push(c->arena, c->functions, c->function_count, info);
  const DiagCopy *before = open_copy(c, copy);
  check_signature(c, info);
  close_copy(c, before);
}

void check_copy(Check *c, FunctionInfo *info)
{
  const DiagCopy *before = open_copy(c, info->copy);
  check_body(c, info);
  close_copy(c, before);
}

/* ---- calls ---- */

/* Whatever the arguments: the same call stands in each copy. */
static bool is_recursive(Check *c, const Generic *generic, const Expr *call)
{
  const Copy *within = c->info->copy;
  while (within && within->generic != generic)
    within = within->within;
  if (!within)
    return false;
  diag(c->diag, DIAG_RECURSION, generic->function->loc, generic->function->name);
  diag(c->diag, DIAG_CALLED_HERE, call->loc, generic->function->name);
  return true;
}

/* The copy that there is already, or -1. */
static int same_copy(Check *c, const Copy *copy)
{
  for (int i = 0; i < c->function_count; i++) {
    const Copy *other = c->functions[i]->copy;
    if (!other || other->generic != copy->generic)
      continue;
    int k = 0;
    while (k < copy->generic->param_count &&
           is_same_argument(&copy->arguments[k], &other->arguments[k]))
      k++;
    if (k == copy->generic->param_count)
      return i;
  }
  return -1;
}

/* Reported once. */
static bool is_one_too_many(Check *c, const Expr *call)
{
  if (c->copy_count == MAX_COPIES)
    diag(c->diag, DIAG_TOO_MANY_COPIES, call->loc, (int)MAX_COPIES);
  return c->copy_count++ >= MAX_COPIES;
}

int find_copy(Check *c, Generic *generic, Expr *call)
{
  Copy *copy = is_recursive(c, generic, call)
                   ? NULL
                   : make_copy(c, generic, call->generics, call->generic_count, call->loc);
  int known = copy ? same_copy(c, copy) : -1;
  if (!copy || known >= 0)
    return known;
  if (is_one_too_many(c, call))
    return -1;
  Function *f = function_of(c, copy);
  if (!f)
    return -1;
  f->name = own_name(c, copy);
  vec_push(c->arena, c->program->functions, c->program->function_count, f);
  add_copy(c, copy, f);
  return c->function_count - 1;
}

/* ---- generics by themselves ---- */

/* Its parameters mean nothing: what is made of them is silent. */
static void check_generic(Check *c, const Generic *generic)
{
  static const DiagCopy as_it_stands = {0};
  FunctionInfo *info = NEW(c->arena, FunctionInfo);
  info->function = generic->function;
  info->is_generic = true;
  scope_open(c->scope);
  const DiagCopy *before = diag_copy(c->diag, &as_it_stands);
  for (int i = 0; i < generic->param_count; i++) {
    const GenericParameter *parameter = &generic->params[i];
    Symbol *symbol = declare(c, SYMBOL_UNKNOWN, parameter->name, parameter->loc);
    if (symbol)
      symbol->is_argument = true;
  }
  check_signature(c, info);
  check_body(c, info);
  close_copy(c, before);
}

void check_generics(Check *c)
{
  for (int i = 0; i < c->program->generic_count; i++)
    check_generic(c, c->program->generics[i]);
}

/* Where all instances could be read. */
void report_unused_generics(Check *c)
{
  for (int i = 0; i < c->program->generic_count && !c->program->is_broken; i++) {
    const Generic *generic = c->program->generics[i];
    const Function *f = generic->function;
    if (f->is_kernel && !generic->is_used && f->loc.file == 0)
      diag(c->diag, DIAG_UNUSED_GENERIC, f->loc, f->name);
  }
}

/* ---- instances ---- */

static bool takes_generic(const Symbol *symbol) { return symbol->kind == SYMBOL_GENERIC; }

/* NULL after a message. */
static Generic *generic_of(Check *c, const Instance *instance)
{
  const Expr *e = instance->generic;
  const Symbol *symbol = scope_find(c->scope, e->name);
  if (!symbol) {
    fail_unknown(c, DIAG_UNKNOWN_NAME, e, takes_generic);
    return NULL;
  }
  if (symbol->kind == SYMBOL_GENERIC && symbol->is.generic->function->is_kernel)
    return symbol->is.generic;
  if (symbol->kind != SYMBOL_UNKNOWN)
    diag(c->diag, DIAG_INSTANCE_OF, e->loc, e->name, symbol_kind_name(symbol));
  return NULL;
}

static void declare_instance(Check *c, Instance *instance)
{
  Generic *generic = instance->of = generic_of(c, instance);
  bool is_good = generic && !generic->is_broken;
  Symbol *symbol = declare(c, is_good ? SYMBOL_FUNCTION : SYMBOL_UNKNOWN, instance->name,
                           instance->loc);
  if (!is_good)
    return;
  Function *f = instance->function = NEW(c->arena, Function);
  f->name = instance->name;
  f->loc = instance->loc;
  f->is_kernel = true;
  if (symbol)
    symbol->is.function = f;
}

/* The object that its name means.  False after a message. */
static bool fill_instance(Check *c, const Instance *instance, const Copy *copy)
{
  const Function *made = function_of(c, copy);
  if (!made)
    return false;
  Function *f = instance->function;
  *f = *made;
  f->name = instance->name;
  f->loc = instance->loc;
  f->doc = instance->doc ? instance->doc : made->doc;
  return true;
}

void declare_generics(Check *c)
{
  Program *program = c->program;
  for (int i = 0; i < program->generic_count; i++) {
    const Function *f = program->generics[i]->function;
    Symbol *symbol = declare(c, SYMBOL_GENERIC, f->name, f->loc);
    if (symbol)
      symbol->is.generic = program->generics[i];
  }
  for (int i = 0; i < program->instance_count; i++)
    declare_instance(c, program->instances[i]);
}

void check_instances(Check *c)
{
  Program *program = c->program;
  for (int i = 0; i < program->instance_count; i++) {
    const Instance *instance = program->instances[i];
    const Copy *copy = instance->of ? make_copy(c, instance->of, instance->args,
                                                instance->arg_count, instance->generic->loc)
                                    : NULL;
    if (!copy || !fill_instance(c, instance, copy))
      continue;
    vec_push(c->arena, program->kernels, program->kernel_count, instance->function);
    add_copy(c, copy, instance->function);
  }
}
