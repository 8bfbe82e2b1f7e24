/* trace: each assignment of a stored value is logged.  Off unless asked for.
 *
 *   write x t $0 $3 source "x[i] = a[i] + 1"
 * =>
 *   <f32> $5 = read x t $0
 *   trace "# x[i] = a[i] + 1\nx[%d]{=%g} = %g = (a[%d]{=%g} + 1)" ...
 *   write x t $0 $3
 *
 * Where the source is known, a line of it stands first, in the same text, so that no other thread's
 * line comes between.  A line has the indices, the old value (but of an output), the new one, and
 * the expression with the values of what it reads.  An update in place (`+=`) tells the old value
 * and what it was updated by; its line stands behind it, since another iteration may come between.
 *
 * Needs: the module as written; before fold, so that the expression is the program's.
 * Guarantees: nothing but reads and lines of the log are added: no read activates.
 */
#include "gen/passes/tools.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_VALUES = 12, MAX_BLOCKS = 8,       /* of a line; deeper expressions end in "..." */
       MAX_SOURCE = 400 };                   /* bytes of it; longer ones do too */

typedef struct Tracing {
  IrModule *module;
  const IrFunction *function;
} Tracing;

typedef struct Line {
  IrModule *module;
  const IrFunction *function;
  IrBlock *to;
  Loc loc;
  Text format;
  IrStmt *values[MAX_VALUES];
  int count;
} Line;

static IrStmt *add(Line *l, IrStmt *s)
{
  ir_append(l->module, l->to, s);
  return s;
}

/* ---- values ---- */

/* What print takes of the type. */
static const Type *printed(const Type *type)
{
  if (type_is_float(type))
    return TY(F64);
  if (type == TY(BOOL) || (type->bits < 64 && type->is_signed))
    return TY(I32);
  return type->bits < 64 ? TY(U32) : type->is_signed ? TY(I64) : TY(U64);
}

static void say_value(Line *l, IrStmt *v)
{
  const Type *type = printed(v->type);

  if (l->count == MAX_VALUES) {
    text_format(&l->format, "...");
    return;
  }
  text_format(&l->format, "%%%c", type_is_float(type) ? 'g' : type->is_signed ? 'd' : 'u');
  if (v->type != type)
    v = add(l, ir_stmt(l->module, IR_cast, type, l->loc, v, NULL));
  l->values[l->count++] = v;
}

/* Behind what it is the value of. */
static void say_beside(Line *l, IrStmt *v)
{
  if (l->count == MAX_VALUES)
    return;
  text_format(&l->format, "{=");
  say_value(l, v);
  text_format(&l->format, "}");
}

static void say_const(Line *l, const IrStmt *v)
{
  if (type_is_float(v->type))
    text_format(&l->format, "%g", v->value.f);
  else
    text_format(&l->format, "%" PRId64, v->value.i);
}

/* ---- expressions ---- */

/* Within a format of print; "" of what has none. */
static const char *sign_of(Op op)
{
  return op == OP_MOD ? "%%" : operator_sign[op];
}

static void say(Line *l, IrStmt *v, int depth);

/* NAME[index, ...] with the indices' values. */
static void say_place(Line *l, const char *name, IrStmt *const *indices, int count)
{
  text_format(&l->format, "%s", name);
  for (int k = 0; k < count; k++) {
    text_format(&l->format, k ? ", " : "[");
    say_value(l, indices[k]);
  }
  if (count)
    text_format(&l->format, "]");
}

/* "p.merge", "v.merge.x" of what was sent. */
static const char *field_text(const Line *l, const IrStmt *v)
{
  const char *name = v->field->name, *whole = ir_whole_name(l->module->arena, name);

  if (!l->function->slots[v->slot].is_merge)
    return name;
  return intern_format(l->module->arena, "%s.merge%s", whole, name + strlen(whole));
}

/* OPERATION(operand, ...) */
static void say_call(Line *l, const char *name, const IrStmt *v, int depth)
{
  text_format(&l->format, "%s(", name);
  for (int k = 0; k < v->operand_count; k++) {
    if (k)
      text_format(&l->format, ", ");
    say(l, v->operands[k], depth + 1);
  }
  text_format(&l->format, ")");
}

static void say_binary(Line *l, const IrStmt *v, int depth)
{
  text_format(&l->format, "(");
  say(l, v->operands[0], depth + 1);
  text_format(&l->format, " %s ", sign_of(ir_operator[v->op]));
  say(l, v->operands[1], depth + 1);
  text_format(&l->format, ")");
}

static const char *name_of_call(const IrStmt *v)
{
  if (v->op == IR_call)
    return v->function->name;
  return v->op == IR_builtin ? ir_builtin_name(v) : ir_op_info[v->op].name;
}

static void say(Line *l, IrStmt *v, int depth)
{
  if (depth > MAX_BLOCKS) {
    text_format(&l->format, "...");
    return;
  }
  switch (v->op) {
  case IR_const:
    say_const(l, v);
    return;
  case IR_cast:
    say(l, v->operands[0], depth);
    return;
  case IR_neg: case IR_bit_not: case IR_logic_not:
    text_format(&l->format, "%s", sign_of(ir_operator[v->op]));
    say(l, v->operands[0], depth + 1);
    return;
  case IR_param: case IR_get:
    text_format(&l->format, "%s", v->variable->name);
    say_beside(l, v);
    return;
  case IR_read:
    say_place(l, field_text(l, v), v->operands, v->operand_count);
    say_beside(l, v);
    return;
  case IR_array_read:
    say_place(l, v->variable->name, v->operands, v->operand_count);
    say_beside(l, v);
    return;
  case IR_loop_index:
    say_value(l, v);
    return;
  default:
    if (ir_operator[v->op] != OP_NONE) {
      say_binary(l, v, depth);
      return;
    }
    say_call(l, name_of_call(v), v, depth);
    say_beside(l, v);
  }
}

/* ---- assignments ---- */

/* "+" of `+=`; of what has no such sign its name. */
static const char *sign_of_update(Op update)
{
  return *operator_sign[update] ? sign_of(update) : operator_name[update];
}

/* Of UTF-8. */
static bool is_inside_character(char c)
{
  return ((unsigned char)c & 0xc0) == 0x80;
}

/* The statement of the source; the store needs it no more. */
static void say_source(Line *l, IrStmt *s)
{
  const char *source = s->text;
  size_t length = source ? strlen(source) : 0, shown = length;

  s->text = NULL;
  if (!source)
    return;
  if (length > MAX_SOURCE)
    for (shown = MAX_SOURCE; is_inside_character(source[shown]);)
      shown--;
  text_add(&l->format, "# ");
  for (size_t k = 0; k < shown; k++)        /* a line end is of a string */
    text_format(&l->format, source[k] == '%' ? "%%%%" : "%c", source[k] == '\n' ? '$' : source[k]);
  text_add(&l->format, shown < length ? "...\n" : "\n");
}

static Line begin(const Tracing *t, IrBlock *to, IrStmt *s)
{
  Line l = { .module = t->module, .function = t->function, .to = to, .loc = s->loc };

  say_source(&l, s);
  return l;
}

static void end(Line *l)
{
  IrStmt *line = ir_stmt(l->module, IR_trace, TY(VOID), l->loc, NULL);

  line->text = intern_format(l->module->arena, "%s", l->format.data);
  text_free(&l->format);
  for (int k = 0; k < l->count; k++)
    ir_add_operand(l->module, line, l->values[k]);
  add(l, line);
}

static const char *name_of(const IrStmt *s)
{
  return s->field ? s->field->name : s->variable->name;
}

static IrStmt *read_old(Line *l, const IrStmt *s)
{
  const bool is_field = s->op == IR_write;
  const Type *type = is_field ? s->field->type : s->variable->type;
  IrStmt *old = ir_stmt(l->module, is_field ? IR_read : IR_array_read, type, s->loc, NULL);

  old->field = s->field;
  old->slot = s->slot;
  old->variable = s->variable;
  for (int k = 0; k + 1 < s->operand_count; k++)
    ir_add_operand(l->module, old, s->operands[k]);
  return add(l, old);
}

static void trace_write(const Tracing *t, IrBlock *to, IrStmt *s)
{
  IrStmt *value = s->operands[s->operand_count - 1];
  Line l = begin(t, to, s);
  const bool has_old = s->field || s->variable->mode == ARRAY_INOUT;
  IrStmt *old = has_old ? read_old(&l, s) : NULL;

  say_place(&l, name_of(s), s->operands, s->operand_count - 1);
  if (old)
    say_beside(&l, old);
  text_format(&l.format, " = ");
  say_value(&l, value);
  text_format(&l.format, " = ");
  say(&l, value, 0);
  end(&l);
}

static void trace_update(const Tracing *t, IrBlock *to, IrStmt *s)
{
  IrStmt *value = s->operands[s->operand_count - 1];
  Line l = begin(t, to, s);

  say_place(&l, name_of(s), s->operands, s->operand_count - ir_update_values(s->update));
  say_beside(&l, s);
  text_format(&l.format, " %s= ", sign_of_update(s->update));
  say_value(&l, value);
  text_format(&l.format, " = ");
  say(&l, value, 0);
  end(&l);
}

static void trace(IrStmt *s, IrBlock *to, void *user)
{
  const Tracing *t = user;

  if (s->op == IR_write || s->op == IR_array_write)
    trace_write(t, to, s);
  ir_append(t->module, to, s);
  if (s->op == IR_atomic || s->op == IR_array_atomic)
    trace_update(t, to, s);
}

static void trace_function(IrModule *m, IrFunction *f)
{
  Tracing t = { m, f };

  rewrite_block(f->body, trace, &t);
}

void pass_trace(IrModule *m)
{
  for_each_function(m, trace_function);
}
