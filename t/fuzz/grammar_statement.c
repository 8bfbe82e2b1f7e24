/* Statements. */
#include "t/fuzz/grammar_state.h"

#include <string.h>

static void begin_scope(Grammar *g)
{
  say(g, "{\n");
  g->indent++;
}

static void end_scope(Grammar *g, int variables)
{
  g->variable_count = variables;
  g->indent--;
  line_begin(g);
  say(g, "}");
}

void body(Grammar *g, int most)
{
  const int variables = g->variable_count;

  begin_scope(g);
  statements(g, most);
  end_scope(g, variables);
}

/* ---- variables ---- */

static void declare(Grammar *g)
{
  const Form f = any_form(g);
  const bool is_const = chance(g, 1);
  char name[NAME_BYTES];

  new_name(g, name, "v");
  say(g, "%s", is_const ? "const " : "");
  say_form(g, f);
  say(g, " %s = ", name);
  if (is_const)
    say_literal(g, f);
  else
    expression(g, f);
  say(g, ";\n");
  add_variable(g, name, f, !is_const)->is_constant = is_const;
}

static void declare_array(Grammar *g)
{
  const Form f = any_form(g);
  const int extent = 1 + below(g, 8);
  char name[NAME_BYTES];

  new_name(g, name, "w");
  say_form(g, f);
  say(g, " %s[%d]", name, extent);
  if (chance(g, 4)) {
    say(g, " = { ");
    for (int k = 0; k < extent; k++) {
      say(g, "%s", k ? ", " : "");
      expression(g, f);
    }
    say(g, " }");
  }
  say(g, ";\n");
  add_variable(g, name, f, true)->extent = extent;
}

/* An operator that the type has; a plain one where nothing else is. */
static void say_operator(Grammar *g, Form f, bool plain)
{
  static const char *const all[] = { "=", "+=", "-=", "*=" };
  static const char *const integers[] = { "&=", "|=", "^=", "<<=", ">>=" };

  if (f.record || f.scalar == BOOL)
    say(g, " = ");
  else if (is_integer(f.scalar) && chance(g, 2))
    say(g, " %s ", integers[below(g, 5)]);
  else
    say(g, " %s ", all[plain ? below(g, 4) : 1 + below(g, 3)]);
}

static void assign_variable(Grammar *g)
{
  const Form f = any_form(g);
  const Variable *v = find_variable(g, f, true);

  if (!v) {
    declare(g);
    return;
  }
  say(g, "%s", v->name);
  if (f.rows && !f.columns && chance(g, 2)) {
    say(g, ".x");
    say_operator(g, element_form(f), true);
    expression(g, element_form(f));
  } else {
    say_operator(g, f, true);
    expression(g, f);
  }
  say(g, ";\n");
}

/* In a foreach, of the kernel's level. */
static void reduce(Grammar *g)
{
  const int count = g->variable_count, from = below(g, count);

  for (int k = 0; k < count; k++) {
    const Variable *v = &g->variables[(from + k) % count];
    if (!v->is_reduced || !v->is_shared || g->place != IN_FOREACH)
      continue;
    say(g, "%s += ", v->name);
    expression(g, v->form);
    say(g, ";\n");
    return;
  }
  declare(g);
}

/* ---- fields ---- */

static void assign_field(Grammar *g)
{
  const Field *field = find_field(g, NULL, true);

  if (!field) {
    declare(g);
    return;
  }
  say_element(g, field);
  if (field->form.rows && !field->form.columns && chance(g, 2)) {
    say(g, ".x");
    say_operator(g, element_form(field->form), true);
    expression(g, element_form(field->form));
  } else {
    say_operator(g, field->form, true);
    expression(g, field->form);
  }
  say(g, ";\n");
}

static void change_activity(Grammar *g)
{
  const bool is_end = below(g, 2);
  const Node *n = find_node(g, is_sparse);

  if (!n) {
    assign_field(g);
    return;
  }
  say(g, is_end ? "deactivate(" : "activate(");
  say_cell(g, n, is_end);
  say(g, ");\n");
}

/* ---- flow ---- */

static void say_if(Grammar *g)
{
  say(g, "if (");
  condition(g);
  say(g, ") ");
  body(g, 3);
  if (chance(g, 3)) {
    say(g, " else ");
    body(g, 2);
  }
  say(g, "\n");
}

static void leave(Grammar *g)
{
  say(g, "if (");
  condition(g);
  say(g, ") ");
  if (g->loops)
    say(g, "%s;\n", below(g, 2) ? "break" : "continue");
  else if (g->place == IN_FOREACH)
    say(g, "continue;\n");
  else if (!g->has_result)
    say(g, "return;\n");
  else {
    say(g, "return ");
    expression(g, g->result);
    say(g, ";\n");
  }
}

static void say_block(Grammar *g)
{
  say(g, "block \"part %d\" ", below(g, 10));
  body(g, 3);
  say(g, "\n");
}

/* ---- texts ---- */

static void say_printed(Grammar *g, const char *before)
{
  const Form f = { .scalar = (Scalar)below(g, BOOL), .rows = below(g, 3) };

  say(g, "%s\"%%%s\\n\", ", before, is_float(f.scalar) ? "g" : "d");
  expression(g, f);
  say(g, ");\n");
}

static void say_assert(Grammar *g)
{
  say(g, "assert(");
  condition(g);
  say_printed(g, ", ");
}

/* ---- calls ---- */

static bool has_arguments(Grammar *g, const Function *f, const Variable **variables)
{
  if (f->tree >= 0 && !g->prefix[f->tree][0])
    return false;
  for (int k = 0; k < f->count; k++) {
    variables[k] = f->parameters[k].is_inout ? find_variable(g, f->parameters[k].form, true) : NULL;
    if (f->parameters[k].is_inout && !variables[k])
      return false;
  }
  return true;
}

/* For its effect alone: an inout argument is a variable. */
static void call(Grammar *g)
{
  const Function *f = g->function_count ? &g->functions[below(g, g->function_count)] : NULL;
  const Variable *variables[PARAMETERS];

  if (!f || f->has_result || !has_arguments(g, f, variables)) {
    assign_field(g);
    return;
  }
  say(g, "%s", f->name);
  if (f->field.count >= 0)
    say(g, "<%s>", f->field.name);
  say(g, "(%s", f->tree >= 0 ? "a" : "");
  for (int k = 0; k < f->count; k++) {
    say(g, "%s", k || f->tree >= 0 ? ", " : "");
    if (variables[k])
      say(g, "%s", variables[k]->name);
    else
      expression(g, f->parameters[k].form);
  }
  say(g, ");\n");
}

/* ---- one of them ---- */

/* Such a field keeps its values: no kernel sets its whole tree back to defaults. */
static bool has_constant(const Grammar *g, int tree)
{
  for (int k = 0; k < g->field_count; k++)
    if (g->fields[k].tree == tree && g->fields[k].is_constant)
      return true;
  return false;
}

static void kernel_statement(Grammar *g)
{
  const Node *n;

  if (chance(g, 6)) {
    foreach(g);
    return;
  }
  n = find_node(g, is_sparse);
  if (n && n->kind != DENSE)
    say(g, "deactivate_all(%s%s);\n", g->prefix[n->tree], n->name);
  else if (has_constant(g, 0))
    assign_field(g);
  else
    say(g, "deactivate_all(%s);\n", g->prefix[0][0] ? "a" : "t0");
}

static void statement(Grammar *g)
{
  line_begin(g);
  if (g->place == IN_KERNEL && !g->is_unrolled && chance(g, 4)) {
    kernel_statement(g);
    return;
  }
  switch (below(g, 15)) {
  case 0: declare(g); break;
  case 1: case 2: case 3: assign_field(g); break;
  case 4: assign_variable(g); break;
  case 5: say_if(g); break;
  case 6: case 7: serial_loop(g); break;
  case 8: change_activity(g); break;
  case 9: if (!g->is_unrolled) { leave(g); break; } declare(g); break;
  case 10: say_block(g); break;
  case 11: say_printed(g, "print("); break;
  case 12: say_assert(g); break;
  case 13: call(g); break;
  default:
    if (g->place == IN_FOREACH) reduce(g);
    else declare_array(g);
  }
}

void statements(Grammar *g, int most)
{
  for (int k = below(g, most + 1); k > 0 && may_grow(g); k--)
    statement(g);
}
