/* The IR as text.
 *
 * What is written here, read.c reads back to an equal module: declarations
 * first, then functions, then kernels, one statement a line.  The rules that keep
 * it unambiguous:
 *   - a statement ends with its line; operands are $numbers and stand behind
 *     the attributes; words behind the operands are flags, in a fixed order
 *   - an SNode is its label and the slot it is reached by, or TREE.LABEL where the
 *     statement has no slot
 *   - where a statement may name one of several things, a word says which: field
 *     u, node S2dense, array a
 *   - a place in the source is @line:column; kept where run time shows it
 *   - a float has as few digits as read back exactly
 */
#include "gen/ir/printer.h"
#include "gen/ir/table.h"

#include <inttypes.h>

/* ---- functions ---- */

static void print_array(Text *out, const IrVariable *v)
{
  text_format(out, "%s %s %s", array_mode_name[v->mode], v->type->name, v->name);
  printer_of(out, v->of);
  text_add(out, "[");
  for (int k = 0; k < v->extent_count; k++) {
    text_add(out, k ? ", " : "");
    if (v->extent_variable[k])
      text_add(out, v->extent_variable[k]->name);
    else
      text_format(out, "%" PRId64, v->extent_constant[k]);
  }
  text_add(out, "]");
}

static void print_parameter(Text *out, const IrVariable *v)
{
  if (v->kind == IR_VAR_ARRAY) {
    print_array(out, v);
    return;
  }
  text_format(out, "%s%s %s", v->kind == IR_VAR_EXTENT ? "extent " : "", v->type->name, v->name);
  printer_of(out, v->of);
}

static void print_parameters(Text *out, const IrFunction *f)
{
  const char *between = "";
  int slot = 0;

  text_add(out, "(");
  for (int k = 0; k <= f->param_count; k++) {
    for (; slot < f->slot_count && f->slots[slot].position == k; slot++, between = ", ")
      text_format(out, "%stree %s %s%s", between, f->slots[slot].tree->name, f->slots[slot].name,
                  f->slots[slot].is_merge ? " merge" : f->slots[slot].is_virtual ? " virtual" : "");
    if (k == f->param_count)
      break;
    text_add(out, between);
    print_parameter(out, f->params[k]);
    between = ", ";
  }
  text_add(out, ")");
}

static void print_local(Printer *p, const IrVariable *v)
{
  printer_margin(p);
  text_format(p->out, "%s %s %s", v->kind == IR_VAR_KERNEL ? "variable" : "local",
              v->type->name, v->name);
  printer_lane_count(p->out, v->lanes);
  if (v->places > 0)
    text_format(p->out, " places %d", v->places);
  printer_of(p->out, v->of);
  text_format(p->out, "%s%s\n", v->is_hidden ? " hidden" : "",
              ir_is_result(p->function, v) ? " result" : "");
}

static void print_span(Text *out, const IrSpan *r)
{
  text_format(out, " %s %s %s %d %lld %lld", r->is_assigned ? "assigns" : "needs", r->field->name,
              r->slot, r->index, (long long)r->lo, (long long)r->hi);
  if (r->base)
    text_format(out, " of %s", r->base->name);
}

void ir_print_function(const IrFunction *f, Text *out)
{
  Printer p = { out, f, 1 };

  text_format(out, "%s %s %s", f->is_kernel ? "kernel" : "func", f->result->name, f->name);
  print_parameters(out, f);
  text_format(out, "%s%s%s%s%s", f->may_trap ? " may_trap" : "",
              f->is_settled ? " settled" : "",
              f->is_serial_only ? " serial_only" : "",
              f->derivation & IR_REVERSE ? " reverse" : "",
              f->derivation & IR_FORWARD ? " forward" : "");
  if (f->gradient)
    text_format(out, " gradient %s", f->gradient);
  for (int k = 0; k < f->apart_count; k++)
    text_format(out, " apart %s %s", f->apart[k].slot, f->apart[k].other);
  for (int k = 0; k < f->span_count; k++)
    print_span(out, &f->spans[k]);
  printer_loc(out, f->loc);
  printer_doc(out, f->doc);
  text_add(out, " {\n");
  for (int k = 0; k < f->local_count; k++)
    print_local(&p, f->locals[k]);
  printer_block(&p, f->body);
  text_add(out, "}\n");
}

/* ---- the module ---- */

static void print_constants(const IrModule *m, Text *out)
{
  for (int k = 0; k < m->const_count; k++) {
    const IrConst *c = m->consts[k];
    text_format(out, "%sconst %s %s = ", k ? "" : "\n", c->type->name, c->name);
    printer_value(out, c->type, c->value);
    printer_doc(out, c->doc);
    text_add(out, "\n");
  }
}

static void print_tables(const IrModule *m, Text *out)
{
  for (int k = 0; k < m->table_count; k++) {
    const IrTable *t = m->tables[k];
    text_format(out, "%stable %s %s =", k ? "" : "\n", t->type->name, t->name);
    for (int i = 0; i < t->count; i++) {
      text_add(out, i ? ", " : " ");
      printer_value(out, t->type, t->values[i]);
    }
    text_add(out, "\n");
  }
}

static void print_struct(const Struct *s, Text *out)
{
  text_format(out, "\nstruct %s", s->type.name);
  if (s->prefix)
    text_format(out, " prefix %s", s->prefix);
  printer_doc(out, s->doc);
  text_add(out, " {\n");
  for (int k = 0; k < s->member_count; k++)
    text_format(out, "  %s %s\n", s->members[k].type->name, s->members[k].name);
  text_add(out, "}\n");
}

static void print_functions(IrFunction *const *functions, int count, Text *out)
{
  for (int k = 0; k < count; k++) {
    text_add(out, "\n");
    ir_number(functions[k]);            /* a number printed twice would read wrong */
    ir_print_function(functions[k], out);
  }
}

void ir_print(const IrModule *m, Text *out)
{
  Printer p = { out, NULL, 0 };

  text_add(out, "module ");
  printer_string(out, m->path ? m->path : "");
  text_format(out, " prefix %s bounds %s\n", m->prefix ? m->prefix : "ir",
              ir_bounds_name[m->bounds]);
  print_constants(m, out);
  print_tables(m, out);
  for (int k = 0; k < m->struct_count; k++)
    print_struct(m->structs[k], out);
  for (int k = 0; k < m->tree_count; k++)
    printer_tree(&p, m->trees[k]);
  print_functions(m->functions, m->function_count, out);
  print_functions(m->kernels, m->kernel_count, out);
}
