/* Loops. */
#include "t/fuzz/grammar_state.h"

#include <string.h>

static const Variable *loop_variable(Grammar *g, Form f, bool is_shared)
{
  Variable *v;
  char name[NAME_BYTES];

  new_name(g, name, "e");
  v = add_variable(g, name, f, false);
  v->is_shared = is_shared;
  return v;
}

/* lo .. hi, of the type. */
static void say_range(Grammar *g, Form f)
{
  expression(g, f);
  say(g, " .. ");
  expression(g, f);
}

/* ---- serial ---- */

/* As C has it: it counts, to a constant or to what may change meanwhile, or its body steps too. */
static void say_turns(Grammar *g)
{
  const Form f = scalar_form(below(g, 2) ? I64 : I32);
  const int most = below(g, 14);
  char name[NAME_BYTES];

  new_name(g, name, "e");
  say(g, "for (");
  say_form(g, f);
  say(g, " %s = 0; %s %s ", name, name, most == 9 ? "<=" : "<");
  if (most < 10)
    say(g, "%d", 1 + most);
  else
    expression(g, f);
  say(g, "; %s++) ", name);
  add_variable(g, name, f, most == 13 && g->place != IN_KERNEL);
}

static void say_for(Grammar *g)
{
  Form f = scalar_form(below(g, 2) ? I64 : I32);
  char name[NAME_BYTES];

  if (chance(g, 2))
    f.rows = 1 + below(g, 3);
  new_name(g, name, "e");
  say(g, "for (%s in ", name);
  say_range(g, f);
  say(g, ") ");
  add_variable(g, name, f, false);
}

/* Over a constant range, and nothing leaves it early. */
static void say_unrolled(Grammar *g)
{
  char name[NAME_BYTES];

  new_name(g, name, "e");
  say(g, "%sfor (%s in 0 .. %d) ", chance(g, 4) ? "[[unroll]] " : "", name, 1 + below(g, 4));
  add_variable(g, name, scalar_form(I32), false);
}

static bool stands_above(const Node *n, const Node *below)
{
  while (below && below != n)
    below = below->parent;
  return below == n;
}

/* The indices of a loop over a field's cells, or a node's. */
static void say_indices(Grammar *g, const int *axes, int count, unsigned open, bool is_shared)
{
  if (count > 1 && !open && chance(g, 2)) {
    const Form f = { .scalar = I32, .rows = count };
    say(g, "%s", loop_variable(g, f, is_shared)->name);
    return;
  }
  for (int k = 0; k < count; k++) {
    const bool is_wide = open >> axes[k] & 1 || chance(g, 1);
    say(g, "%s%s%s", k ? ", " : "", is_wide ? "i64 " : "",
        loop_variable(g, scalar_form(is_wide ? I64 : I32), is_shared)->name);
  }
}

/* The cells of a field below one of a node above it. */
static bool say_under(Grammar *g)
{
  const int variables = g->variable_count;
  const Field *field = find_field(g, NULL, false);
  const Node *n = field ? field->node : NULL;
  int with_indices;

  if (!n || field->is_parameter || !n->parent || !stands_above(n->parent, n))
    return false;
  say(g, "for (");
  say_indices(g, field->axes, field->count, n->open, false);
  with_indices = g->variable_count;
  g->variable_count = variables;         /* the cell does not know them yet */
  say(g, " in %s%s under %s%s[", g->prefix[n->tree], field->name, g->prefix[n->tree],
      n->parent->name);
  for (int a = 0, first = 1; a < AXES; a++)
    if (n->parent->path >> a & 1) {
      say(g, "%s", first ? "" : ", ");
      index_expression(g);
      first = 0;
    }
  say(g, "]) ");
  g->variable_count = with_indices;
  return true;
}

void serial_loop(Grammar *g)
{
  const int variables = g->variable_count, loops = g->loops;
  const bool is_unrolled = g->is_unrolled;

  switch (below(g, 5)) {
  case 0: say_for(g); g->loops++; break;
  case 1: say_turns(g); g->loops++; break;
  case 2:
    say(g, "while (");
    condition(g);
    say(g, ") ");
    g->loops++;
    break;
  case 3: say_unrolled(g); g->is_unrolled = true; break;
  default:
    if (!say_under(g)) say_turns(g);
    else if (g->place == IN_KERNEL) g->is_unrolled = true;
    g->loops++;
  }
  body(g, 3);
  say(g, "\n");
  g->loops = loops;
  g->is_unrolled = is_unrolled;
  g->variable_count = variables;
}

/* ---- parallel ---- */

static void say_attributes(Grammar *g)
{
  static const char *const attributes[] = { "serial", "schedule(static)", "schedule(dynamic)",
                                            "block_dim(64)" };

  if (chance(g, 2))
    say(g, "[[%s]] ", attributes[below(g, 4)]);
}

static void say_ranges(Grammar *g)
{
  const int count = 1 + below(g, 3);
  const Form f = scalar_form(below(g, 2) ? I64 : I32);
  char names[3][NAME_BYTES];

  for (int k = 0; k < count; k++) {
    new_name(g, names[k], "e");
    say(g, "%s%s in ", k ? ", " : "", names[k]);
    say_range(g, f);
  }
  for (int k = 0; k < count; k++)
    add_variable(g, names[k], f, false)->is_shared = false;
}

static void say_box(Grammar *g)
{
  const Form f = { .scalar = below(g, 2) ? I64 : I32, .rows = 1 + below(g, 3) };
  char name[NAME_BYTES];

  new_name(g, name, "e");
  say(g, "%s in ", name);
  say_range(g, f);
  add_variable(g, name, f, false)->is_shared = false;
}

static void say_cells(Grammar *g, const Field *field)
{
  const int variables = g->variable_count;
  const Node *n = field->node;
  const Form box = { .scalar = I64, .rows = field->count };
  int with_indices;

  say_indices(g, field->axes, field->count, n->open, false);
  with_indices = g->variable_count;
  g->variable_count = variables;         /* the box does not know them yet */
  say(g, " in %s%s", field->is_parameter ? "" : g->prefix[field->tree], field->name);
  if (field->count > 1 && chance(g, 2)) {
    say(g, " within ");
    say_range(g, box);
  }
  g->variable_count = with_indices;
}

static void say_nodes_cells(Grammar *g, const Node *n)
{
  int axes[AXES], count = 0;

  for (int a = 0; a < AXES; a++)
    if (n->path >> a & 1)
      axes[count++] = a;
  say_indices(g, axes, count, n->open, false);
  say(g, " in %s%s", g->prefix[n->tree], n->name);
}

static bool is_any(const Node *n) { return n != NULL; }

/* Which of the kernel's variables it sums up, and does not read. */
static void choose_reduced(Grammar *g, bool is_over)
{
  for (int k = 0; k < g->variable_count; k++) {
    Variable *v = &g->variables[k];
    v->is_reduced = !is_over && v->is_shared && v->can_assign && !v->extent && !v->form.record &&
                    v->form.scalar != BOOL && chance(g, 2);
  }
}

void foreach(Grammar *g)
{
  const int variables = g->variable_count, loops = g->loops;
  const Field *field = find_field(g, NULL, false);
  const Node *n = find_node(g, is_any);

  choose_reduced(g, false);
  say_attributes(g);
  say(g, "foreach (");
  g->place = IN_FOREACH;
  g->loops = 0;
  switch (below(g, 4)) {
  case 0: if (field && field->node) { say_cells(g, field); break; } say_ranges(g); break;
  case 1: if (n) { say_nodes_cells(g, n); break; } say_ranges(g); break;
  case 2: say_box(g); break;
  default: say_ranges(g);
  }
  say(g, ") ");
  body(g, 5);
  say(g, "\n");
  g->place = IN_KERNEL;
  g->loops = loops;
  choose_reduced(g, true);
  g->variable_count = variables;
}
