/* forward: a kernel computes the tangent of what it computes, too (docs/derivatives.md).
 *
 * All statements stay as they are; behind each that has a tangent stands what computes that.
 */
#include "gen/derive/tangent.h"
#include "gen/model/builtins.h"

#include <string.h>

/* ---- values ---- */

static IrStmt *tangent_of(const Forward *f, const IrStmt *s)
{
  return is_wanted(f, s) ? f->tangents[s->id] : NULL;
}

/* As a value of the type; 0 where there is none. */
static IrStmt *tangent_as(const Forward *f, const IrStmt *s, const Type *type, Maker *make)
{
  IrStmt *tangent = tangent_of(f, s);

  return tangent ? make_cast(make, type, tangent) : make_const(make, type, 0);
}

static void note_tangent(Forward *f, const IrStmt *s, IrStmt *tangent)
{
  f->tangents[s->id] = tangent;
}

static void operation(Forward *f, IrStmt *s, Maker *make)
{
  IrStmt **tangents = NEW_ARRAY(f->module->arena, IrStmt *, s->operand_count + 1);

  for (int k = 0; k < s->operand_count; k++)
    tangents[k] = tangent_of(f, s->operands[k]);
  note_tangent(f, s, put_tangent(make, s, s->operands, s, tangents));
}

/* ---- variables ---- */

/* "v_dual" of "v", "v_dual.x" of "v.x": the tangents of a vector are one. */
static const char *dual_name(const Forward *f, const char *name)
{
  Arena *arena = f->module->arena;
  const char *whole = ir_whole_name(arena, name);

  return intern_format(arena, "%s_dual%s", whole, name + strlen(whole));
}

static IrVariable *new_dual(Forward *f, const IrVariable *v, const Type *type)
{
  IrVariable *dual =
      make_hidden(f->module, f->function, (int)v->kind, dual_name(f, v->name), type);

  dual->places = v->places;
  dual->of = v->of;
  map_put(&f->dual, v, dual);
  return dual;
}

static IrVariable *dual_variable(Forward *f, const IrVariable *v)
{
  IrVariable *dual = map_get(&f->dual, v);

  return dual ? dual : new_dual(f, v, derivative_type(v->type));
}

/* The tangent of a result has its type. */
static void add_results(Forward *f)
{
  IrFunction *kernel = f->function;
  const int count = kernel->result_count;
  IrVariable **all = NEW_ARRAY(f->module->arena, IrVariable *, 2 * count);
  bool has_tangent = false;

  for (int k = 0; k < count; k++)
    has_tangent = has_tangent || type_is_float(kernel->results[k]->type);
  if (!has_tangent)
    return;
  for (int k = 0; k < count; k++) {
    IrVariable *v = all[k] = kernel->results[k];
    map_put(&f->wanted_variables, v, v);         /* 0 is set, too */
    all[count + k] = new_dual(f, v, v->type);
  }
  kernel->results = all;
  kernel->result_count = 2 * count;
}

/* The same of the variable of tangents, with the operand k, if any, replaced. */
static IrStmt *put_of_dual(Forward *f, const IrStmt *s, int k, IrStmt *tangent, Maker *make)
{
  IrStmt *same = ir_stmt(f->module, s->op, TY(VOID), s->loc, NULL);

  same->variable = dual_variable(f, s->variable);
  if (s->type != TY(VOID))
    same->type = same->variable->type;
  for (int o = 0; o < s->operand_count; o++)
    ir_add_operand(f->module, same, o == k ? tangent : s->operands[o]);
  return put(make, same);
}

static void get_variable(Forward *f, const IrStmt *s, Maker *make)
{
  IrStmt *dual = put_of_dual(f, s, -1, NULL, make);

  note_tangent(f, s, make_cast(make, derivative_type(s->type), dual));
}

static void assignment(Forward *f, const IrStmt *s, Maker *make)
{
  const IrVariable *dual = dual_variable(f, s->variable);
  IrStmt *value = assigned(s);

  put_of_dual(f, s, s->operand_count - 1, tangent_as(f, value, dual->type, make), make);
}

/* A sum, whoever adds to it meanwhile. */
static void summand(Forward *f, const IrStmt *s, Maker *make)
{
  const IrVariable *dual = dual_variable(f, s->variable);
  IrStmt *tangent = tangent_of(f, assigned(s)), *sum;

  if (!tangent)
    return;
  sum = put_of_dual(f, s, s->operand_count - 1, make_cast(make, dual->type, tangent), make);
  sum->update = s->update;
  sum->plain = s->plain;
  sum->reduction = s->reduction;
}

/* What stands for the operation of an update: on the old value and the new one. */
static IrStmt *operation_of(const Forward *f, const IrStmt *s, const Type *type)
{
  IrOp op = ir_operation[s->update];
  bool is_builtin = s->update == OP_MIN || s->update == OP_MAX;
  IrStmt *made = ir_stmt(f->module, is_builtin ? IR_builtin : op, type, s->loc, NULL);

  made->builtin = s->update == OP_MIN ? BUILTIN_min : BUILTIN_max;
  return made;
}

static IrStmt *updated(const Forward *f, const IrStmt *s, IrStmt *old, IrStmt *old_tangent,
                       Maker *make)
{
  const Type *type = derivative_type(s->variable->type);
  IrStmt *by = assigned(s), *tangent = tangent_as(f, by, type, make), *made, *test;
  IrStmt *tangents[2] = { old_tangent, tangent };

  if (s->update == OP_EXCHANGE)
    return tangent;
  if (s->update == OP_COMPARE_EXCHANGE) {
    test = put_binary(make, IR_cmp_eq, make_cast(make, type, old),
                      make_cast(make, type, s->operands[0]));
    return put(make, ir_stmt(f->module, IR_select, type, s->loc, test, tangent, old_tangent,
                             NULL));
  }
  made = operation_of(f, s, type);
  ir_add_operand(f->module, made, make_cast(make, type, old));
  ir_add_operand(f->module, made, make_cast(make, type, by));
  put(make, made);
  return put_tangent(make, made, made->operands, made, tangents);
}

/* The value of s is what was there before it. */
static void update(Forward *f, IrStmt *s, Maker *make)
{
  IrVariable *dual = dual_variable(f, s->variable);
  bool is_sum = s->update == OP_ADD || s->update == OP_SUB;
  bool is_used = f->uses[s->id] > 0;
  IrStmt *old = is_used || !is_sum ? put_get(make, dual) : NULL;

  if (is_used)
    note_tangent(f, s, old);
  if (is_sum)
    summand(f, s, make);
  else
    put_set(make, dual, updated(f, s, s, old, make));
}

/* ---- fields ---- */

static IrStmt *put_access(Forward *f, const IrStmt *s, const Type *type, IrStmt *value,
                          Maker *make)
{
  int indices = s->operand_count - (value ? 1 : 0);
  IrStmt *same = NEW(f->module->arena, IrStmt);

  *same = *s;
  same->id = -1;
  same->type = type;
  same->field = s->field->dual;
  same->operands = NULL;
  same->operand_count = 0;
  for (int k = 0; k < indices; k++)
    ir_add_operand(f->module, same, s->operands[k]);
  if (value)
    ir_add_operand(f->module, same, value);
  return put(make, same);
}

static void read_field(Forward *f, const IrStmt *s, Maker *make)
{
  IrStmt *dual = put_access(f, s, s->field->dual->type, NULL, make);

  note_tangent(f, s, make_cast(make, derivative_type(s->type), dual));
}

static void write_field(Forward *f, const IrStmt *s, Maker *make)
{
  const IrField *dual = s->field->dual;

  put_access(f, s, TY(VOID), tangent_as(f, assigned(s), dual->type, make), make);
}

static void add_to_field(Forward *f, const IrStmt *s, Maker *make)
{
  IrStmt *tangent = tangent_of(f, assigned(s));
  const IrField *dual = s->field->dual;

  if (tangent)
    put_access(f, s, dual->type, make_cast(make, dual->type, tangent), make);
}

/* ---- factorizations ---- */

static IrStmt *put_part(const Forward *f, IrStmt *factor, int k, Maker *make)
{
  IrStmt *part = ir_stmt(f->module, IR_part, factor->type, factor->loc, factor, NULL);

  part->index = k;
  return put(make, part);
}

static void factorization(Forward *f, IrStmt *s, Maker *make)
{
  int count = ir_parts(s);
  IrStmt **parts = NEW_ARRAY(f->module->arena, IrStmt *, count);
  IrStmt **tangents = NEW_ARRAY(f->module->arena, IrStmt *, s->operand_count);

  for (int k = 0; k < count; k++)
    parts[k] = put_part(f, s, k, make);
  for (int k = 0; k < s->operand_count; k++)
    tangents[k] = tangent_of(f, s->operands[k]);
  f->parts[s->id] = NEW_ARRAY(f->module->arena, IrStmt *, count);
  put_factor_tangent(make, s, s->operands, parts, tangents, f->parts[s->id]);
}

/* ---- statements ---- */

static void value(Forward *f, IrStmt *s, Maker *make)
{
  switch (s->op) {
  case IR_read: read_field(f, s, make); return;
  case IR_get: case IR_restore: get_variable(f, s, make); return;
  case IR_part: note_tangent(f, s, f->parts[s->operands[0]->id][s->index]); return;
  default:
    if (is_factorization(s))
      factorization(f, s, make);
    else
      operation(f, s, make);
  }
}

static void statement(Forward *f, IrStmt *s)
{
  Maker make = make_behind(f->module, s);

  make.site = s->site;
  switch (s->op) {
  case IR_declare: case IR_set: case IR_save:
    if (is_wanted_variable(f, s->variable))
      assignment(f, s, &make);
    return;
  case IR_reserve:
    if (is_wanted_variable(f, s->variable))
      put_of_dual(f, s, -1, NULL, &make);
    return;
  case IR_update:
    if (is_wanted_variable(f, s->variable))
      update(f, s, &make);
    return;
  case IR_write:
    if (s->field->dual)
      write_field(f, s, &make);
    return;
  case IR_atomic:
    if (s->field->dual)
      add_to_field(f, s, &make);
    return;
  default:
    if (is_wanted(f, s))
      value(f, s, &make);
  }
}

/* ---- kernels ---- */

static void count(Forward *f)
{
  Arena *arena = f->module->arena;

  f->uses = count_uses(f->module, f->function);
  f->ids = give_ids(f->function) + 1;
  f->wanted = NEW_ARRAY(arena, bool, f->ids);
  f->tangents = NEW_ARRAY(arena, IrStmt *, f->ids);
  f->parts = NEW_ARRAY(arena, IrStmt **, f->ids);
  map_init(&f->wanted_variables, arena);
  map_init(&f->dual, arena);
}

static void forward(IrModule *m, IrFunction *kernel)
{
  Forward f = { .module = m, .function = kernel };

  kernel->derivation &= ~(unsigned)IR_FORWARD;
  count(&f);
  find_active(&f);
  if (!has_forward(&f))
    return;
  add_results(&f);
  for (IrStmt *s = ir_first(kernel->body); s; s = ir_next(s, kernel->body))
    if (s->id > 0)                               /* not what is put */
      statement(&f, s);
}

void pass_forward(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++)
    if (m->kernels[k]->derivation & IR_FORWARD)
      forward(m, m->kernels[k]);
}
