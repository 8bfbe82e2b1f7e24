/* Params and consts, in order, and -D.
 *
 * A -D is wrong usage when it is wrong: reported without a place, and
 * Program.has_usage_error is set.
 */
#include "gen/front/check.h"
#include "gen/front/parser.h"

#include <string.h>

/* ---- what is no constant ---- */

static bool is_run_time_call(const Expr *e)
{
  return e->name && (e->kind == EXPR_BUILTIN || e->kind == EXPR_SHAPED || e->kind == EXPR_CALL);
}

/* The innermost call in e that is no constant, the first of several; NULL: there is none. */
static const Expr *find_run_time_call(const Expr *e)
{
  const Expr *parts[] = {e->a, e->b, e->c}, *found = NULL;
  for (int i = 0; i < 3 && !found; i++)
    found = parts[i] ? find_run_time_call(parts[i]) : NULL;
  for (int i = 0; i < e->arg_count && !found; i++)
    found = find_run_time_call(e->args[i]);
  return found || !is_run_time_call(e) ? found : e;
}

void fail_constant(Check *c, const Expr *e, const char *what)
{
  const Expr *call = find_run_time_call(e);
  diag(c->diag, DIAG_NOT_CONSTANT, e->loc, what);
  if (call)
    diag(c->diag, DIAG_NOT_CONSTANT_HINT, call->loc, call->name);
}

/* ---- -D NAME=VALUE ---- */

static bool takes_param(const Symbol *symbol)
{
  return symbol->kind == SYMBOL_CONSTANT && symbol->is.constant->is_param;
}

static void fail_define(Check *c, const char *define, const char *problem)
{
  diag(c->diag, DIAG_BAD_DEFINE, (Loc){0}, define, problem);
  c->program->has_usage_error = true;
}

static bool is_named(const char *define, const char *name)
{
  size_t length = strlen(name);
  return strncmp(define, name, length) == 0 && define[length] == '=';
}

/* Before any value: a -D must name a param. */
static void check_define(Check *c, const char *define)
{
  const char *equals = strchr(define, '=');
  if (!equals || equals == define) {
    fail_define(c, define, "it must be NAME=VALUE");
    return;
  }
  const char *name = intern(c->arena, define, (size_t)(equals - define));
  const Symbol *symbol = scope_find(c->scope, name);
  if (symbol && (takes_param(symbol) || symbol->kind == SYMBOL_UNKNOWN))
    return;
  if (symbol && symbol->kind == SYMBOL_CONSTANT) {
    fail_define(c, define, "this is a const, and only a param can be set");
    return;
  }
  diag(c->diag, DIAG_UNKNOWN_PARAM, (Loc){0}, define);
  suggest(c, (Loc){0}, name, scope_names(c->scope, takes_param));
  c->program->has_usage_error = true;
}

/* The values of e's elements, converted to the constant's type; NULL when e, or a part
 * of it, is no constant: without a message. */
static Value *values_of(Check *c, const Constant *constant, const Expr *e)
{
  Value *values = NEW_ARRAY(c->arena, Value, type_count(constant->type));
  return e->type && constant_elements(c, e, values) ? values : NULL;
}

/* The value of the last -D that names the param; NULL when none does. */
static Value *defined_value(Check *c, const Constant *constant)
{
  const char *define = NULL;
  for (int i = 0; i < c->program->define_count; i++)
    if (is_named(c->program->defines[i], constant->name))
      define = c->program->defines[i];
  if (!define || !constant->is_param)
    return NULL;
  const char *text = strchr(define, '=') + 1;
  bool was_broken = c->program->is_broken;
  diag_mute(c->diag);
  Expr *e = parse_value(c->arena, c->diag, c->program, text);
  if (e)
    e = check_stored(c, e, constant->type);
  Value *values = e ? values_of(c, constant, e) : NULL;
  bool is_good = !diag_unmute(c->diag) && values;
  c->program->is_broken = was_broken;
  if (is_good)
    return values;
  fail_define(c, define, intern_format(c->arena, "the value is no constant of type %s",
                                       constant->type->name));
  return NULL;
}

/* ---- values ---- */

static Value *own_value(Check *c, Constant *constant)
{
  Expr *e = check_stored(c, constant->init, constant->type);
  constant->init = e;
  if (!e->type)
    return NULL;
  Value *values = values_of(c, constant, e);
  if (!values)
    fail_constant(c, e, "the value of a param or const");
  return values;
}

/* One with an error is unknown from then on, so that its uses are silent. */
void check_constants(Check *c)
{
  for (int i = 0; i < c->program->define_count; i++)
    check_define(c, c->program->defines[i]);
  for (int i = 0; i < c->program->constant_count; i++) {
    Constant *constant = c->program->constants[i];
    Symbol *symbol = scope_find(c->scope, constant->name);
    Value *own = own_value(c, constant);
    Value *defined = defined_value(c, constant);
    constant->values = defined ? defined : own;
    if (symbol->kind != SYMBOL_CONSTANT || symbol->is.constant != constant)
      continue;                        /* declared twice */
    symbol->is_ready = constant->values != NULL;
    if (!symbol->is_ready)
      symbol->kind = SYMBOL_UNKNOWN;
  }
}
