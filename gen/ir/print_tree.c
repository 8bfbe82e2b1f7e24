/* The trees of a module as IR text: SNodes within SNodes, and fields in their cells. */
#include "gen/ir/printer.h"
#include "gen/ir/words.h"

#include <inttypes.h>

static void print_extent(Text *out, const IrSNode *s, const IrAxis *a)
{
  const IrTree *tree = s->tree;

  text_add(out, axis_name[a->axis]);
  if (kind_is(s->kind, KIND_KEYS))
    return;
  text_add(out, ": ");
  if (a->size > 0)
    text_format(out, "%" PRId64, a->size);
  else if (a->param >= 0)
    text_add(out, tree->param_names[a->param]);
  else
    printer_string(out, a->text ? a->text : "");
}

static bool has_origin(const IrField *f)
{
  for (int k = 0; k < f->axis_count; k++)
    if (f->origin[k] != 0)
      return true;
  return false;
}

static void print_origin(Text *out, const IrField *f)
{
  if (!has_origin(f))
    return;
  text_add(out, " offset(");
  for (int k = 0; k < f->axis_count; k++)
    text_format(out, "%s%" PRId64, k ? ", " : "", f->origin[k]);
  text_add(out, ")");
}

static void print_field(Printer *p, const IrField *f)
{
  printer_margin(p);
  if (f->mode != FIELD_MODE_virtual)
    text_format(p->out, "S%d", f->number);
  text_format(p->out, "place %d: %s %s", f->id, f->type->name, f->name);
  printer_of(p->out, f->of);
  if (f->axis_count > 0) {
    text_add(p->out, "[");
    for (int k = 0; k < f->axis_count; k++)
      text_format(p->out, "%s%s", k ? ", " : "", axis_name[f->axes[k]]);
    text_add(p->out, "]");
  }
  print_origin(p->out, f);
  if (f->border != BORDER_NONE)
    text_format(p->out, " outside %s", border_name[f->border]);
  if (f->mode != FIELD_MODE_NONE)
    text_format(p->out, " mode %s", field_mode_word[f->mode]);
  if (f->grad)
    text_format(p->out, " grad %s", f->grad->name);
  if (f->dual)
    text_format(p->out, " dual %s", f->dual->name);
  text_add(p->out, " = ");
  printer_value(p->out, f->type, f->default_value);
  printer_loc(p->out, f->loc);
  printer_doc(p->out, f->doc);
  text_add(p->out, "\n");
}

static void print_snode(Printer *p, const IrSNode *s)
{
  printer_margin(p);
  text_add(p->out, s->label);
  if (s->name)
    text_format(p->out, " %s", s->name);
  if (s->axis_count > 0) {
    text_add(p->out, "[");
    for (int k = 0; k < s->axis_count; k++) {
      text_add(p->out, k ? ", " : "");
      print_extent(p->out, s, &s->axes[k]);
    }
    text_add(p->out, "]");
  }
  if (s->chunk > 0)
    text_format(p->out, " chunk %" PRId64, s->chunk);
  text_add(p->out, s->is_soa ? " soa" : "");
  text_add(p->out, s->is_soa_by_row ? " rows" : "");
  text_add(p->out, s->is_split ? " split" : "");
  printer_loc(p->out, s->loc);
  printer_doc(p->out, s->doc);
  text_add(p->out, " {\n");
  p->indent++;
  for (int k = 0; k < s->field_count; k++)
    print_field(p, s->fields[k]);
  for (int k = 0; k < s->tree->virtual_count; k++)
    if (s->tree->virtuals[k]->snode == s)
      print_field(p, s->tree->virtuals[k]);
  for (int k = 0; k < s->child_count; k++)
    print_snode(p, s->children[k]);
  p->indent--;
  printer_margin(p);
  text_add(p->out, "}\n");
}

void printer_tree(Printer *p, const IrTree *t)
{
  text_format(p->out, "\ntree %s(", t->name);
  for (int k = 0; k < t->param_count; k++)
    text_format(p->out, "%s%s %s", k ? ", " : "", t->param_types[k]->name,
                t->param_names[k]);
  text_add(p->out, ")");
  if (t->prefix)
    text_format(p->out, " prefix %s", t->prefix);
  printer_doc(p->out, t->doc);
  text_add(p->out, " {\n");
  p->indent = 1;
  print_snode(p, t->snodes[0]);
  p->indent = 0;
  text_add(p->out, "}\n");
}
