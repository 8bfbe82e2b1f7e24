/* Expressions of a wanted type: what is written has just that type, whatever it is made of. */
#include "t/fuzz/grammar_state.h"

#include <string.h>

enum { DEPTH = 20 };

/* ---- what there is ---- */

/* Whether it can be named where the program is. */
static bool is_readable(const Grammar *g, const Variable *v)
{
  return g->place != IN_FOREACH || !v->is_shared || !v->is_reduced;
}

static bool is_writable(const Grammar *g, const Variable *v)
{
  return v->can_assign && !(g->place == IN_FOREACH && v->is_shared);
}

const Variable *find_variable(Grammar *g, Form f, bool to_write)
{
  const int count = g->variable_count, from = below(g, count);

  for (int k = 0; k < count; k++) {
    const Variable *v = &g->variables[(from + k) % count];
    if (same_form(v->form, f) && !v->extent && is_readable(g, v) &&
        (!to_write || is_writable(g, v)))
      return v;
  }
  return NULL;
}

static const Variable *find_array(Grammar *g, Form f, bool to_write)
{
  const int count = g->variable_count, from = below(g, count);

  for (int k = 0; k < count; k++) {
    const Variable *v = &g->variables[(from + k) % count];
    if (same_form(v->form, f) && v->extent && (!to_write || is_writable(g, v)) &&
        !(v->is_shared && g->place == IN_FOREACH))
      return v;
  }
  return NULL;
}

const Field *find_field(Grammar *g, const Form *f, bool to_write)
{
  const int count = g->field_count, from = below(g, count);

  for (int k = 0; k < count; k++) {
    const Field *field = &g->fields[(from + k) % count];
    if ((!f || same_form(field->form, *f)) && !(to_write && field->is_constant))
      return field;
  }
  return NULL;
}

const Node *find_node(Grammar *g, bool (*fits)(const Node *))
{
  const int count = g->node_count, from = below(g, count);

  for (int k = 0; k < count; k++)
    if (fits(&g->nodes[(from + k) % count]))
      return &g->nodes[(from + k) % count];
  return NULL;
}

bool is_dynamic(const Node *n) { return n->kind == DYNAMIC; }
bool is_sparse(const Node *n) { return n->kind != DENSE; }
static bool is_any(const Node *n) { return n != NULL; }

/* ---- places in trees ---- */

void index_expression(Grammar *g)
{
  const Variable *v = find_variable(g, scalar_form(below(g, 2) ? I64 : I32), false);

  if (!v || chance(g, 1))
    expression(g, any_integer(g));
  else if (!v->is_constant && chance(g, 2))
    say(g, "%s %c %d", v->name, "+-"[below(g, 2)], below(g, 5));
  else
    say(g, "%s", v->name);
}

static void say_prefix(Grammar *g, const Field *field, int tree)
{
  if (!field || !field->is_parameter)
    say(g, "%s", g->prefix[tree]);
}

void say_element(Grammar *g, const Field *field)
{
  const Form whole = { .scalar = below(g, 2) ? I64 : I32, .rows = field->count };

  say_prefix(g, field, field->tree);
  say(g, "%s", field->name);
  if (!field->count)
    return;
  say(g, "[");
  if (field->count > 1 && chance(g, 1))
    expression(g, whole);
  for (int k = 0; g->text.data[g->text.length - 1] == '[' && k < 1; k++)
    for (int a = 0; a < field->count; a++) {
      say(g, "%s", a ? ", " : "");
      index_expression(g);
    }
  say(g, "]");
}

void say_cell(Grammar *g, const Node *n, bool of_container)
{
  say(g, "%s%s", g->prefix[n->tree], n->name);
  for (int a = 0; a < AXES; a++)
    if (n->path >> a & 1 && !(of_container && n->kind == DYNAMIC && a == n->own)) {
      say(g, ", ");
      index_expression(g);
    }
}

/* ---- calls ---- */

static bool can_call(const Grammar *g, const Function *f)
{
  if (f->tree >= 0 && !g->prefix[f->tree][0])
    return false;
  for (int k = 0; k < f->count; k++)
    if (f->parameters[k].is_inout)
      return false;
  return true;
}

/* A field that a generic takes where one like it is wanted: itself. */
static void say_call(Grammar *g, const Function *f)
{
  say(g, "%s", f->name);
  if (f->field.count >= 0)
    say(g, "<%s>", f->field.name);
  say(g, "(%s", f->tree >= 0 ? "a" : "");
  for (int k = 0; k < f->count; k++) {
    say(g, "%s", k || f->tree >= 0 ? ", " : "");
    expression(g, f->parameters[k].form);
  }
  say(g, ")");
}

static bool call_function(Grammar *g, Form form)
{
  const int count = g->function_count, from = below(g, count);

  for (int k = 0; k < count; k++) {
    const Function *f = &g->functions[(from + k) % count];
    if (f->has_result && same_form(f->result, form) && can_call(g, f)) {
      say_call(g, f);
      return true;
    }
  }
  return false;
}

/* ---- what every type has ---- */

static void leaf(Grammar *g, Form f)
{
  const Variable *v = find_variable(g, f, false);

  if (!v) {
    say_literal(g, f);
  } else if (v->is_constant && !f.record) {
    say_form(g, f);
    say(g, "(%s)", v->name);             /* without the cast it adapts as a literal does */
  } else {
    say(g, "%s", v->name);
  }
}

/* One that is inside though it be constant. */
static void say_inside(Grammar *g, int extent)
{
  say(g, "[floormod(");
  index_expression(g);
  say(g, ", %d)]", extent);
}

static bool element_of_array(Grammar *g, Form f)
{
  const Variable *v = find_array(g, f, false);

  if (!v)
    return false;
  const bool may_adapt = v->is_constant && !f.record;
  if (may_adapt) {
    say_form(g, f);
    say(g, "(");
  }
  say(g, "%s", v->name);
  say_inside(g, v->extent);
  say(g, "%s", may_adapt ? ")" : "");
  return true;
}

static bool field_value(Grammar *g, Form f)
{
  const Field *field = find_field(g, &f, false);

  if (!field)
    return false;
  say_element(g, field);
  return true;
}

static bool member_value(Grammar *g, Form f)
{
  for (int r = 0; r < g->record_count; r++)
    for (int m = 0; m < g->records[r].count; m++) {
      const Variable *v;
      if (!same_form(g->records[r].members[m], f))
        continue;
      v = find_variable(g, (Form){ .record = r + 1 }, false);
      if (v)
        say(g, "%s.%c", v->name, 'a' + m);
      return v != NULL;
    }
  return false;
}

static void select_value(Grammar *g, Form f)
{
  say(g, "select(");
  condition(g);
  say(g, ", ");
  expression(g, f);
  say(g, ", ");
  expression(g, f);
  say(g, ")");
}

/* What any type can come from; false: nothing of the kind is there. */
static bool common_value(Grammar *g, Form f, int which)
{
  switch (which) {
  case 0: return field_value(g, f);
  case 1: return element_of_array(g, f);
  case 2: return member_value(g, f);
  case 3: return call_function(g, f);
  default:
    select_value(g, f);
    return true;
  }
}

/* ---- numbers ---- */

static void call_with(Grammar *g, const char *name, int arguments, Form f)
{
  say(g, "%s(", name);
  for (int k = 0; k < arguments; k++) {
    say(g, "%s", k ? ", " : "");
    expression(g, f);
  }
  say(g, ")");
}

static void float_builtin(Grammar *g, Form f)
{
  static const char *const one[] = { "sqrt", "rsqrt", "exp", "log", "sin", "cos", "tan", "asin",
                                     "acos", "atan", "sinh", "cosh", "tanh", "floor", "ceil",
                                     "round", "trunc" };
  static const char *const more[] = { "atan2", "fma", "mix" };
  const int which = below(g, 20);

  if (which < 17)
    call_with(g, one[which], 1, f);
  else
    call_with(g, more[which - 17], which == 17 ? 2 : 3, f);
}

static void number_builtin(Grammar *g, Form f)
{
  static const char *const names[] = { "abs", "sign", "sqr", "min", "max", "floordiv", "floormod",
                                       "pow", "clamp" };
  const int which = below(g, is_float(f.scalar) ? 10 : 9);

  if (which == 9)
    float_builtin(g, f);
  else if (which == 7 && f.rows)         /* a matrix's power is left out */
    call_with(g, "min", 2, f);
  else if (which == 5 || which == 6) {
    say(g, "%s(", names[which]);
    expression(g, f);
    say(g, ", ");
    say_literal(g, f);
    say(g, " + 1)");
  } else
    call_with(g, names[which], which < 3 ? 1 : which < 8 ? 2 : 3, f);
}

static void binary(Grammar *g, Form f)
{
  static const char *const all[] = { "+", "-", "*" };
  static const char *const integers[] = { "&", "|", "^", "<<", ">>" };

  say(g, "(");
  expression(g, f);
  say(g, " %s ", is_integer(f.scalar) && chance(g, 3) ? integers[below(g, 5)] : all[below(g, 3)]);
  expression(g, f);
  say(g, ")");
}

/* By what is never a constant 0. */
static void quotient(Grammar *g, Form f)
{
  say(g, "(");
  expression(g, f);
  say(g, " %s ", is_integer(f.scalar) && below(g, 2) ? "%" : "/");
  say_form(g, f);
  say(g, "(%d))", 1 + below(g, 7));
}

static void unary(Grammar *g, Form f)
{
  say(g, "%s(", is_integer(f.scalar) && below(g, 2) ? "~" : "-");
  expression(g, f);
  say(g, ")");
}

static void cast(Grammar *g, Form f)
{
  Form from = any_scalar(g);

  from.rows = f.rows;
  from.columns = f.columns;
  if (from.scalar == BOOL && f.rows)
    from.scalar = I32;
  say_form(g, f);
  say(g, "(");
  expression(g, from);
  say(g, ")");
}

static void conditional(Grammar *g, Form f)
{
  say(g, "(");
  condition(g);
  say(g, " ? ");
  expression(g, f);
  say(g, " : ");
  expression(g, f);
  say(g, ")");
}

/* ---- scalars ---- */

static Form vector_of(Grammar *g, Form f)
{
  f.rows = 2 + below(g, 2);
  return f;
}

static void of_vector(Grammar *g, Form f)
{
  static const char *const folds[] = { "sum", "product", "norm_sqr" };
  const Form form = vector_of(g, f);
  const Variable *v = find_variable(g, form, false);
  const int which = below(g, 4);

  if (which < 2 && v && !v->is_constant) {
    say(g, "%s", v->name);
    if (which)
      say_inside(g, form.rows);
    else
      say(g, ".%c", "xy"[below(g, 2)]);
  } else if (which == 2) {
    call_with(g, "dot", 2, form);
  } else {
    call_with(g, folds[below(g, 3)], 1, form);
  }
}

static void of_matrix(Grammar *g, Form f)
{
  static const char *const names[] = { "trace", "determinant", "sum" };
  Form m = vector_of(g, f);

  m.columns = m.rows;
  call_with(g, names[below(g, 3)], 1, m);
}

static bool old_value(Grammar *g, Form f)
{
  static const char *const calls[] = { "add", "sub", "mul", "min", "max", "exchange" };
  const Field *field = find_field(g, &f, true);

  if (!field || f.scalar == BOOL)
    return false;
  say(g, "atomic_%s(", calls[below(g, 6)]);
  say_element(g, field);
  say(g, ", ");
  expression(g, f);
  say(g, ")");
  return true;
}

static void count_bits(Grammar *g)
{
  static const char *const calls[] = { "popcount", "clz", "ctz" };

  call_with(g, calls[below(g, 3)], 1, any_integer(g));
}

static bool length_of(Grammar *g, const char *call)
{
  const Node *n = find_node(g, is_dynamic);

  if (!n)
    return false;
  say(g, "%s(", call);
  say_cell(g, n, true);
  say(g, ")");
  return true;
}

static void random_number(Grammar *g, Form f)
{
  say(g, "random(");
  say_form(g, f);
  say(g, ")");
}

static void number(Grammar *g, Form f)
{
  switch (below(g, 12)) {
  case 0: binary(g, f); return;
  case 1: quotient(g, f); return;
  case 2: unary(g, f); return;
  case 3: number_builtin(g, f); return;
  case 4: conditional(g, f); return;
  case 5: of_vector(g, f); return;
  case 6: of_matrix(g, f); return;
  case 7: if (old_value(g, f)) return; break;
  case 8: if (f.scalar == I32) { count_bits(g); return; } break;
  case 9: if (f.scalar == I64 && length_of(g, below(g, 4) ? "length" : "append")) return; break;
  case 10: random_number(g, f); return;
  default: break;
  }
  cast(g, f);
}

/* ---- truth ---- */

static void compare(Grammar *g)
{
  static const char *const operators[] = { "<", ">", "==", "!=", "<=", ">=" };
  Form f = any_scalar(g);

  if (f.scalar == BOOL)
    f.scalar = I32;
  say(g, "(");
  expression(g, f);
  say(g, " %s ", operators[below(g, 6)]);
  expression(g, f);
  say(g, ")");
}

static void compare_vectors(Grammar *g)
{
  Form f = vector_of(g, scalar_form((Scalar)below(g, BOOL)));

  say(g, "%s(", below(g, 2) ? "any" : "all");
  expression(g, f);
  say(g, " < ");
  expression(g, f);
  say(g, ")");
}

static void truth(Grammar *g)
{
  const Node *n;

  switch (below(g, 6)) {
  case 0: compare(g); return;
  case 1:
    say(g, "(");
    condition(g);
    say(g, " %s ", below(g, 2) ? "&&" : "||");
    condition(g);
    say(g, ")");
    return;
  case 2:
    say(g, "!");
    expression(g, scalar_form(BOOL));
    return;
  case 3: compare_vectors(g); return;
  case 4:
    n = find_node(g, is_any);
    if (n) {
      say(g, "is_active(");
      say_cell(g, n, false);
      say(g, ")");
      return;
    }
    break;
  default: break;
  }
  cast(g, scalar_form(BOOL));
}

void condition(Grammar *g)
{
  expression(g, scalar_form(BOOL));
}

/* ---- vectors and matrices ---- */

static void construct(Grammar *g, Form f)
{
  const int all = f.columns ? f.rows * f.columns : f.rows, count = below(g, 2) ? all : 1;

  say_form(g, f);
  if (chance(g, 1)) {
    say(g, f.columns == f.rows ? ".identity" : ".zero");
    return;
  }
  call_with(g, "", count, element_form(f));
}

static void swizzle(Grammar *g, Form f)
{
  const Form from = { .scalar = f.scalar, .rows = 1 + below(g, 4) };
  const Variable *v = find_variable(g, from, false);

  if (f.rows > 4 || f.rows < 2 || !v || v->is_constant) {
    construct(g, f);
    return;
  }
  say(g, "%s.", v->name);
  for (int k = 0; k < f.rows; k++)
    say(g, "%c", "xyzw"[below(g, from.rows)]);
}

static void product(Grammar *g, Form f)
{
  const int inner = 1 + below(g, 3);
  const Form left = { .scalar = f.scalar, .rows = f.rows, .columns = inner };
  const Form right = { .scalar = f.scalar, .rows = inner, .columns = f.columns };

  say(g, "(");
  expression(g, left);
  say(g, " @ ");
  expression(g, right);
  say(g, ")");
}

static void transposed(Grammar *g, Form f)
{
  const Form m = { .scalar = f.scalar, .rows = f.columns, .columns = f.rows };

  call_with(g, "transpose", 1, m);
}

static void outer(Grammar *g, Form f)
{
  say(g, "outer(");
  expression(g, (Form){ .scalar = f.scalar, .rows = f.rows });
  say(g, ", ");
  expression(g, (Form){ .scalar = f.scalar, .rows = f.columns });
  say(g, ")");
}

static void shaped(Grammar *g, Form f)
{
  switch (below(g, 8)) {
  case 0: construct(g, f); return;
  case 1: binary(g, f); return;
  case 2: unary(g, f); return;
  case 3: number_builtin(g, f); return;
  case 4: product(g, f); return;
  case 5: cast(g, f); return;
  case 6:
    if (f.columns) transposed(g, f);
    else swizzle(g, f);
    return;
  default:
    if (f.columns) outer(g, f);
    else if (f.rows == 3) call_with(g, "cross", 2, f);
    else if (is_float(f.scalar)) call_with(g, "normalize", 1, f);
    else quotient(g, f);
  }
}

static void record(Grammar *g, Form f)
{
  const Record *r = &g->records[f.record - 1];

  say(g, "s%d(", f.record);
  for (int k = 0; k < r->count; k++) {
    say(g, "%s", k ? ", " : "");
    expression(g, r->members[k]);
  }
  say(g, ")");
}

static void grown(Grammar *g, Form f)
{
  const int which = below(g, 16);

  if (which < 3)
    leaf(g, f);
  else if (which < 8 && common_value(g, f, which - 3))
    return;
  else if (f.record)
    record(g, f);
  else if (f.rows)
    shaped(g, f);
  else if (f.scalar == BOOL)
    truth(g);
  else
    number(g, f);
}

void expression(Grammar *g, Form f)
{
  if (g->depth == DEPTH || !may_grow(g)) {
    leaf(g, f);
    return;
  }
  g->depth++;
  grown(g, f);
  g->depth--;
}
