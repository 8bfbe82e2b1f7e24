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
#include "gen/ir/ir.h"
#include "gen/model/builtins.h"
#include "gen/ir/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printer {
  Text *out;
  const IrFunction *function;
  int indent;
} Printer;

static void print_margin(Printer *p)
{
  text_format(p->out, "%*s", 2 * p->indent, "");
}

/* ---- words ---- */

static void print_string(Text *out, const char *s)
{
  text_add(out, "\"");
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      text_format(out, "\\%c", c);
    else if (c == '\n')
      text_add(out, "\\n");
    else if (c == '\t')
      text_add(out, "\\t");
    else if (c < ' ' || c == 127)
      text_format(out, "\\x%02x", c);
    else
      text_format(out, "%c", c);
  }
  text_add(out, "\"");
}

static void print_doc(Text *out, const char *doc)
{
  if (!doc)
    return;
  text_add(out, " doc ");
  print_string(out, doc);
}

static void print_loc(Text *out, Loc loc)
{
  if (loc.line > 0)
    text_format(out, " @%d:%d", loc.line, loc.column);
}

static void print_nan(Text *out, double f)
{
  uint64_t bits;

  memcpy(&bits, &f, sizeof bits);
  if (bits == WORDS_NAN_BITS)
    text_add(out, "nan");
  else
    text_format(out, "nan(0x%016" PRIx64 ")", bits);
}

/* 100.0, not 1e+02: what has an exponent and is below 1e15 is whole. */
static void print_whole(char *digits, size_t bytes, double f)
{
  if (strchr(digits, 'e') && fabs(f) >= 1 && fabs(f) < 1e15)
    snprintf(digits, bytes, "%.0f", f);
}

static void print_float(Text *out, const Type *type, double f)
{
  char digits[40];

  if (isnan(f)) {
    print_nan(out, f);
    return;
  }
  if (isinf(f)) {
    text_add(out, f < 0 ? "-inf" : "inf");
    return;
  }
  for (int k = 1; k <= 17; k++) {
    snprintf(digits, sizeof digits, "%.*g", k, f);
    if (words_float(type, digits) == f)
      break;
  }
  print_whole(digits, sizeof digits, f);
  text_add(out, digits);
  if (!strpbrk(digits, ".e"))
    text_add(out, ".0");
}

const char *ir_builtin_name(const IrStmt *s)
{
  return s->builtin >= 0 && s->builtin < BUILTIN_COUNT ? builtin_name[s->builtin] : "?";
}

static void print_value(Text *out, const Type *type, Value v)
{
  if (type_is_float(type))
    print_float(out, type, v.f);
  else if (type->kind == TYPE_BOOL)
    text_add(out, v.i ? "true" : "false");
  else if (type->kind == TYPE_U64)
    text_format(out, "%" PRIu64, (uint64_t)v.i);
  else
    text_format(out, "%" PRId64, v.i);
}

/* ---- trees ---- */

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
    print_string(out, a->text ? a->text : "");
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

static void print_of(Text *out, const Struct *of)
{
  if (of)
    text_format(out, " of %s", of->type.name);
}

static void print_field(Printer *p, const IrField *f)
{
  print_margin(p);
  text_format(p->out, "place %d: %s %s", f->id, f->type->name, f->name);
  print_of(p->out, f->of);
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
  text_add(p->out, " = ");
  print_value(p->out, f->type, f->default_value);
  print_loc(p->out, f->loc);
  print_doc(p->out, f->doc);
  text_add(p->out, "\n");
}

static void print_snode(Printer *p, const IrSNode *s)
{
  print_margin(p);
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
  print_loc(p->out, s->loc);
  print_doc(p->out, s->doc);
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
  print_margin(p);
  text_add(p->out, "}\n");
}

static void print_tree(Printer *p, const IrTree *t)
{
  text_format(p->out, "\ntree %s(", t->name);
  for (int k = 0; k < t->param_count; k++)
    text_format(p->out, "%s%s %s", k ? ", " : "", t->param_types[k]->name,
                t->param_names[k]);
  text_add(p->out, ")");
  if (t->prefix)
    text_format(p->out, " prefix %s", t->prefix);
  print_doc(p->out, t->doc);
  text_add(p->out, " {\n");
  p->indent = 1;
  print_snode(p, t->snodes[0]);
  p->indent = 0;
  text_add(p->out, "}\n");
}

/* ---- attributes of statements ---- */

static const char *slot_name(const Printer *p, int slot)
{
  const IrFunction *f = p->function;

  return slot >= 0 && slot < f->slot_count ? f->slots[slot].name : "?";
}

/* A broken statement is printed too, for the verifier's message. */
static const char *snode_label(const IrSNode *s)
{
  return s ? s->label : "?";
}

static void print_indices(Text *out, const IrStmt *s)
{
  if (s->variable_count == 0)
    return;
  text_add(out, " [");
  for (int k = 0; k < s->variable_count; k++)
    text_format(out, "%s%s %s", k ? ", " : "", s->variables[k]->type->name,
                s->variables[k]->name);
  text_add(out, "]");
}

/* A bound of a range_for: in place, since it stands in no block. */
static void print_bound(Text *out, const IrStmt *s)
{
  if (s->op == IR_const) {
    print_value(out, s->type, s->value);
    if (s->type != TY(I32))
      text_format(out, ":%s", s->type->name);
  } else if (s->op == IR_param || s->op == IR_get) {
    text_add(out, s->variable->name);
  } else {
    text_format(out, "?%s", ir_op_info[s->op].name);
  }
}

/* What is not as it is without attributes; of a struct_for block_dim always. */
static void print_manner(Text *out, const IrStmt *s)
{
  const IrManner *m = &s->manner;

  if (m->block_dim > 0 || (s->op == IR_offloaded && s->task == IR_TASK_STRUCT_FOR))
    text_format(out, " block_dim=%d", m->block_dim);
  if (m->schedule != SCHEDULE_ANY)
    text_format(out, " %s", schedule_name[m->schedule]);
  if (m->is_serial)
    text_add(out, " in_order");
}

static void print_task(Printer *p, const IrStmt *s)
{
  Text *out = p->out;

  text_format(out, " %s", ir_task_name[s->task]);
  switch (s->task) {
  case IR_TASK_RANGE_FOR:
    text_add(out, "(");
    for (int k = 0; k < s->operand_count; k++) {
      text_add(out, k ? ", " : "");
      print_bound(out, s->operands[k]);
    }
    text_add(out, ")");
    break;
  case IR_TASK_STRUCT_FOR:
    text_format(out, "(%s %s%s%s)", snode_label(s->snode), slot_name(p, s->slot),
                s->field ? " " : "", s->field ? s->field->name : "");
    break;
  case IR_TASK_LISTGEN:
    text_format(out, " %s->%s %s", snode_label(s->snode ? s->snode->parent : NULL),
                snode_label(s->snode), slot_name(p, s->slot));
    break;
  case IR_TASK_CLEAR_LIST: case IR_TASK_DEACTIVATE_ALL: case IR_TASK_GC:
    text_format(out, " %s %s", snode_label(s->snode), slot_name(p, s->slot));
    break;
  case IR_TASK_SERIAL: case IR_TASKS:
    break;
  }
  print_manner(out, s);
  print_indices(out, s);
}

static void print_call(Printer *p, const IrStmt *s)
{
  if (!s->function) {
    text_add(p->out, " ?");
    return;
  }
  text_format(p->out, " %s(", s->function->name);
  for (int k = 0; k < s->function->slot_count; k++)
    text_format(p->out, "%s%s", k ? ", " : "", slot_name(p, s->slots[k]));
  text_add(p->out, ")");
}

/* What the statement is about: a field, an SNode or a variable. */
static void print_object(Printer *p, const IrStmt *s, unsigned attributes)
{
  bool says_which = words_is_choice(attributes);
  bool has_slot = (attributes & IR_ATTR_SLOT) != 0;

  if (s->field && (attributes & IR_ATTR_FIELD))
    text_format(p->out, " %s%s", says_which ? "field " : "", s->field->name);
  else if (s->snode && (attributes & IR_ATTR_SNODE) && has_slot)
    text_format(p->out, " %s%s", says_which ? "node " : "", s->snode->label);
  else if (s->snode && (attributes & IR_ATTR_SNODE))
    text_format(p->out, " %s.%s", s->snode->tree->name, s->snode->label);
  else if (s->variable && (attributes & IR_ATTR_VARIABLE)) {
    text_format(p->out, " %s%s", says_which ? "array " : "", s->variable->name);
    return;                             /* in no tree */
  }
  if (has_slot)
    text_format(p->out, " %s", slot_name(p, s->slot));
}

static void print_attributes(Printer *p, const IrStmt *s, unsigned attributes)
{
  Text *out = p->out;

  if (s->op == IR_const) {
    text_add(out, " ");
    print_value(out, s->type, s->value);
  }
  if (s->op == IR_for_range && s->variable) {
    text_format(out, " %s %s", s->variable->type->name, s->variable->name);
    attributes &= ~(unsigned)IR_ATTR_VARIABLE;
  }
  print_object(p, s, attributes);
  if (attributes & IR_ATTR_UPDATE)
    text_format(out, " %s", operator_name[s->update]);
  if (attributes & IR_ATTR_MODE)
    text_format(out, " %s", ir_mode_name[s->mode]);
  if (attributes & IR_ATTR_BUILTIN)
    text_format(out, " %s", ir_builtin_name(s));
  if (attributes & IR_ATTR_FUNCTION)
    print_call(p, s);
  if (attributes & IR_ATTR_TEXT) {
    text_add(out, " ");
    print_string(out, s->text ? s->text : "");
  }
  if (attributes & IR_ATTR_TASK)
    print_task(p, s);
}

static void print_operands(Text *out, const IrStmt *s)
{
  /* a task's stand within it, a while's behind the block that computes it */
  if (s->op == IR_offloaded || s->op == IR_while)
    return;
  for (int k = 0; k < s->operand_count; k++)
    text_format(out, " $%d", s->operands[k]->id);
}

static void print_lane_count(Text *out, int lanes)
{
  if (lanes > 0)
    text_format(out, " x %d", lanes);
}

static void print_lanes(Text *out, const IrStmt *s)
{
  text_add(out, " from");
  for (int k = 0; k < s->lanes; k++)
    text_format(out, " %d:%d", s->from[k].operand, s->from[k].cell);
}

static void print_flags(Text *out, const IrStmt *s)
{
  static const char *const names[] = { WORDS_FLAGS };
  const bool flags[] = { s->plain, s->relaxed, s->reduction, s->may_be_null };

  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (flags[k])
      text_format(out, " %s", names[k]);
}

static void print_source(Text *out, const IrStmt *s)
{
  if (!(ir_op_info[s->op].attributes & IR_ATTR_SOURCE) || !s->text)
    return;
  text_add(out, " source ");
  print_string(out, s->text);
}

/* ---- statements ---- */

static void print_head(Printer *p, const IrStmt *s)
{
  unsigned attributes = ir_op_info[s->op].attributes;
  Text *out = p->out;

  if (s->type != TY(VOID)) {
    text_format(out, "<%s", s->type->name);
    print_lane_count(out, s->lanes);
    text_add(out, "> ");
  }
  if (s->id >= 0)
    text_format(out, "$%d = ", s->id);
  text_add(out, words_op(s->op));
  if (ir_is_by_rows(s) && s->lanes > 0)
    print_lane_count(out, s->lanes);
  print_attributes(p, s, attributes);
  print_operands(out, s);
  if ((attributes & IR_ATTR_INDEX) &&
      (s->index != 0 || (s->op != IR_check_bounds && s->op != IR_inside)))
    text_format(out, " index %d", s->index);
  if (s->op == IR_digit)
    text_format(out, " by %" PRId64, s->value.i);
  if (attributes & IR_ATTR_LANES)
    print_lanes(out, s);
  print_flags(out, s);
  print_source(out, s);
  if (ir_is(s, IR_FOREACH)) {
    print_manner(out, s);
    print_indices(out, s);
  }
  if (s->site >= 0)
    text_format(out, " site %d", s->site);
  if (words_keeps_loc(s))
    print_loc(out, s->loc);
}

static void print_block(Printer *p, const IrBlock *block);

/* The block and what stands between it and the next: " else {" or a "\n". */
static void print_nested(Printer *p, const IrBlock *block)
{
  text_add(p->out, "{\n");
  p->indent++;
  if (block)
    print_block(p, block);
  p->indent--;
  print_margin(p);
  text_add(p->out, "}");
}

static void print_blocks(Printer *p, const IrStmt *s)
{
  text_add(p->out, " ");
  print_nested(p, s->blocks[0]);
  if (s->op == IR_while) {
    text_format(p->out, " test $%d ", s->operand_count ? s->operands[0]->id : -1);
    print_nested(p, s->blocks[1]);
    text_add(p->out, " next ");
    print_nested(p, s->blocks[2]);
  } else if (s->op == IR_if && s->blocks[1] && s->blocks[1]->count > 0) {
    text_add(p->out, " else ");
    print_nested(p, s->blocks[1]);
  } else if (s->op == IR_offloaded && s->blocks[1]) {
    text_add(p->out, " rows ");
    print_nested(p, s->blocks[1]);
  }
}

static void print_block(Printer *p, const IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    const IrStmt *s = block->stmts[k];
    print_margin(p);
    print_head(p, s);
    if (words_has_blocks(s))
      print_blocks(p, s);
    text_add(p->out, "\n");
  }
}

void ir_print_stmt(const IrFunction *f, const IrStmt *s, Text *out)
{
  Printer p = { out, f, 0 };

  print_head(&p, s);
}

/* ---- functions ---- */

static void print_array(Text *out, const IrVariable *v)
{
  text_format(out, "%s %s %s", array_mode_name[v->mode], v->type->name, v->name);
  print_of(out, v->of);
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
  print_of(out, v->of);
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
  print_margin(p);
  text_format(p->out, "%s %s %s", v->kind == IR_VAR_KERNEL ? "variable" : "local",
              v->type->name, v->name);
  print_lane_count(p->out, v->lanes);
  print_of(p->out, v->of);
  text_format(p->out, "%s%s\n", v->is_hidden ? " hidden" : "",
              ir_is_result(p->function, v) ? " result" : "");
}

void ir_print_function(const IrFunction *f, Text *out)
{
  Printer p = { out, f, 1 };

  text_format(out, "%s %s %s", f->is_kernel ? "kernel" : "func", f->result->name, f->name);
  print_parameters(out, f);
  text_format(out, "%s%s", f->may_trap ? " may_trap" : "",
              f->is_serial_only ? " serial_only" : "");
  print_loc(out, f->loc);
  print_doc(out, f->doc);
  text_add(out, " {\n");
  for (int k = 0; k < f->local_count; k++)
    print_local(&p, f->locals[k]);
  print_block(&p, f->body);
  text_add(out, "}\n");
}

/* ---- the module ---- */

static void print_constants(const IrModule *m, Text *out)
{
  for (int k = 0; k < m->const_count; k++) {
    const IrConst *c = m->consts[k];
    text_format(out, "%sconst %s %s = ", k ? "" : "\n", c->type->name, c->name);
    print_value(out, c->type, c->value);
    print_doc(out, c->doc);
    text_add(out, "\n");
  }
}

static void print_struct(const Struct *s, Text *out)
{
  text_format(out, "\nstruct %s", s->type.name);
  if (s->prefix)
    text_format(out, " prefix %s", s->prefix);
  print_doc(out, s->doc);
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
  print_string(out, m->path ? m->path : "");
  text_format(out, " prefix %s bounds %s\n", m->prefix ? m->prefix : "ir",
              ir_bounds_name[m->bounds]);
  print_constants(m, out);
  for (int k = 0; k < m->struct_count; k++)
    print_struct(m->structs[k], out);
  for (int k = 0; k < m->tree_count; k++)
    print_tree(&p, m->trees[k]);
  print_functions(m->functions, m->function_count, out);
  print_functions(m->kernels, m->kernel_count, out);
}
