/* Choices, types, and the program from top to bottom. */
#include "t/fuzz/grammar_state.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 400 };

/* ---- choices ---- */

int below(Grammar *g, int limit)
{
  if (limit < 2 || g->at == g->end)
    return 0;
  return *g->at++ % limit;
}

bool chance(Grammar *g, int of_eight)
{
  return below(g, 8) >= 8 - of_eight;
}

bool may_grow(Grammar *g)
{
  return g->room > 0 && g->at < g->end && g->room--;
}

/* ---- writing ---- */

void say(Grammar *g, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  text_vformat(&g->text, format, arguments);
  va_end(arguments);
}

void line_begin(Grammar *g)
{
  say(g, "%*s", 2 * g->indent, "");
}

void new_name(Grammar *g, char *name, const char *stem)
{
  snprintf(name, NAME_BYTES, "%s%d", stem, g->names++);
}

/* ---- types ---- */

static const char *const scalar_name[] = { "i32", "i64", "i8", "i16", "u8", "u16", "u32", "u64",
                                           "f32", "f64", "f16", "bool" };

Form scalar_form(Scalar scalar)
{
  return (Form){ .scalar = scalar };
}

Form any_scalar(Grammar *g)
{
  return scalar_form((Scalar)below(g, BOOL + 1));
}

Form any_integer(Grammar *g)
{
  return scalar_form((Scalar)below(g, U64 + 1));
}

Form any_form(Grammar *g)
{
  Form f = scalar_form((Scalar)below(g, BOOL + 1));
  const int shape = below(g, 8);

  if (shape == 7 && g->record_count)
    return (Form){ .record = 1 + below(g, g->record_count) };
  if (shape < 4 || f.scalar == BOOL)
    return f;
  f.rows = 1 + below(g, 4);
  if (shape == 6)
    f.columns = 1 + below(g, 4);
  return f;
}

bool same_form(Form a, Form b)
{
  if (a.record || b.record)
    return a.record == b.record;
  return a.scalar == b.scalar && a.rows == b.rows && a.columns == b.columns;
}

bool is_float(Scalar s) { return s == F32 || s == F64 || s == F16; }
bool is_integer(Scalar s) { return s <= U64; }

Form element_form(Form f)
{
  return scalar_form(f.scalar);
}

void say_form(Grammar *g, Form f)
{
  if (f.record)
    say(g, "s%d", f.record);
  else if (f.columns)
    say(g, "%sx%dx%d", scalar_name[f.scalar], f.rows, f.columns);
  else if (f.rows)
    say(g, "%sx%d", scalar_name[f.scalar], f.rows);
  else
    say(g, "%s", scalar_name[f.scalar]);
}

/* ---- constants ---- */

void say_literal(Grammar *g, Form f)
{
  if (f.record) {
    const Record *r = &g->records[f.record - 1];
    say(g, "s%d(", f.record);
    for (int k = 0; k < r->count; k++) {
      say(g, "%s", k ? ", " : "");
      say_literal(g, r->members[k]);
    }
    say(g, ")");
    return;
  }
  if (f.scalar == BOOL && !f.rows) {
    say(g, "%s", below(g, 2) ? "true" : "false");
    return;
  }
  say_form(g, f);
  if (is_float(f.scalar))
    say(g, "(%d.%d)", below(g, 10), 25 * below(g, 4));
  else
    say(g, "(%d)", below(g, 100));
}

static void say_table(Grammar *g, const char *name, Form f)
{
  const int extent = 3 + below(g, 6);

  say(g, "const ");
  say_form(g, f);
  say(g, " %s[%d] = { ", name, extent);
  for (int k = 0; k < extent; k++) {
    say(g, "%s", k ? ", " : "");
    say_literal(g, f);
  }
  say(g, " };\n");
  Variable *v = add_variable(g, name, f, false);
  v->extent = extent;
  v->is_constant = true;
}

static void say_constants(Grammar *g)
{
  for (int k = below(g, 3); k > 0; k--) {
    const Form f = any_scalar(g);
    const int kind = below(g, 3);
    char name[NAME_BYTES];
    new_name(g, name, "c");
    if (kind == 2) {
      say_table(g, name, f);
      continue;
    }
    say(g, "%s ", kind ? "param" : "const");
    say_form(g, f);
    say(g, " %s = ", name);
    say_literal(g, f);
    say(g, ";\n");
    add_variable(g, name, f, false)->is_constant = true;
  }
}

Variable *add_variable(Grammar *g, const char *name, Form f, bool can_assign)
{
  Variable *v = &g->variables[g->variable_count];

  if (g->variable_count < VARIABLES - 1)
    g->variable_count++;
  *v = (Variable){ .form = f, .can_assign = can_assign, .is_shared = g->place == IN_KERNEL };
  snprintf(v->name, NAME_BYTES, "%s", name);
  return v;
}

/* ---- functions ---- */

static void say_comma(Grammar *g, int at)
{
  say(g, "%s", at ? ", " : "");
}

static void say_parameters(Grammar *g, Function *f)
{
  if (f->tree >= 0) {
    snprintf(g->prefix[f->tree], NAME_BYTES, "%.8s.", "a");
    say(g, "t%d a", f->tree);
  }
  for (int k = 0; k < f->count; k++) {
    char name[NAME_BYTES];
    new_name(g, name, "p");
    say_comma(g, k + (f->tree >= 0));
    say(g, "%s", f->parameters[k].is_inout ? "inout " : "");
    say_form(g, f->parameters[k].form);
    say(g, " %s", name);
    add_variable(g, name, f->parameters[k].form, true);
  }
}

static void say_result(Grammar *g, const Function *f)
{
  if (f->has_result)
    say_form(g, f->result);
  else
    say(g, "void");
}

/* A field of which the generic takes one like it; its own scope has the parameter instead. */
static void make_generic(Grammar *g, Function *f)
{
  const Field *model = g->field_count ? &g->fields[below(g, g->field_count)] : NULL;

  f->field.count = -1;
  if (!model || !model->node || g->field_count == FIELDS || !chance(g, 2))
    return;
  f->field = *model;
  g->fields[g->field_count] = *model;
  snprintf(g->fields[g->field_count].name, NAME_BYTES, "f");
  g->fields[g->field_count++].is_parameter = true;
}

static void begin_function(Grammar *g, Function *f, const char *stem)
{
  memset(f, 0, sizeof *f);
  new_name(g, f->name, stem);
  memset(g->prefix, 0, sizeof g->prefix);
  f->tree = g->tree_count && chance(g, 3) ? below(g, g->tree_count) : -1;
  f->has_result = chance(g, 5);
  f->result = any_form(g);
  f->count = below(g, 4);
  for (int k = 0; k < f->count; k++)
    f->parameters[k].form = any_form(g);
  g->has_result = f->has_result;
  g->result = f->result;
}

static void say_body(Grammar *g, const Function *f, int most)
{
  say(g, " {\n");
  g->indent++;
  statements(g, most);
  if (f->has_result) {
    line_begin(g);
    say(g, "return ");
    expression(g, f->result);
    say(g, ";\n");
  }
  g->indent--;
  say(g, "}\n\n");
}

static void say_function(Grammar *g)
{
  const int variables = g->variable_count, fields = g->field_count;
  Function f;

  g->place = IN_FUNCTION;
  g->room = ROOM / 4;
  begin_function(g, &f, "g");
  for (int k = 0; k < f.count; k++)
    f.parameters[k].is_inout = chance(g, 1);
  make_generic(g, &f);
  say(g, "func ");
  say_result(g, &f);
  say(g, " %s%s(", f.name, f.field.count >= 0 ? "<field f>" : "");
  say_parameters(g, &f);
  say(g, ")");
  say_body(g, &f, 4);
  g->variable_count = variables;
  g->field_count = fields;
  g->functions[g->function_count++] = f;
}

/* ---- kernels ---- */

static void say_arrays(Grammar *g, int at)
{
  static const char *const modes[] = { "in", "out", "inout" };

  for (int k = below(g, 3); k > 0; k--) {
    const Form f = any_form(g);
    const int mode = below(g, 3);
    char name[NAME_BYTES];
    Variable *v;
    new_name(g, name, "q");
    say_comma(g, at++);
    say(g, "%s ", modes[mode]);
    say_form(g, f);
    say(g, chance(g, 4) ? " %s[n%s]" : " %s[8]", name, name);
    v = add_variable(g, name, f, mode != 0);
    v->extent = 8;
    v->is_shared = false;
  }
}

static void say_kernel(Grammar *g)
{
  const int variables = g->variable_count, fields = g->field_count;
  Function f;

  g->place = IN_KERNEL;
  g->room = ROOM;
  begin_function(g, &f, "k");
  make_generic(g, &f);
  say(g, "kernel ");
  say_result(g, &f);
  say(g, " %s%s(", f.name, f.field.count >= 0 ? "<field f>" : "");
  say_parameters(g, &f);
  say_arrays(g, f.count + (f.tree >= 0));
  say(g, ")");
  say_body(g, &f, 6);
  if (f.field.count >= 0)
    say(g, "instance %s_x = %s<%s>;\n\n", f.name, f.name, f.field.name);
  g->variable_count = variables;
  g->field_count = fields;
}

void grammar_program(const uint8_t *data, size_t size, Text *out)
{
  Grammar *g = calloc(1, sizeof *g);

  if (!g)
    out_of_memory();
  g->at = data;
  g->end = data + size;
  g->room = ROOM;
  g->place = IN_FUNCTION;
  text_add(&g->text, "");
  say_constants(g);
  say_records(g);
  say_trees(g);
  for (int k = below(g, FUNCTIONS); k > 0; k--)
    say_function(g);
  for (int k = 1 + below(g, 4); k > 0; k--)
    say_kernel(g);
  text_add(out, g->text.data);
  text_free(&g->text);
  free(g);
}
