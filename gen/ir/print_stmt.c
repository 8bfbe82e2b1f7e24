/* Statements as IR text, each on a line, their blocks behind them. */
#include "gen/ir/printer.h"
#include "gen/ir/table.h"
#include "gen/ir/words.h"
#include "gen/model/builtins.h"

#include <inttypes.h>

const char *ir_builtin_name(const IrStmt *s)
{
  return s->builtin >= 0 && s->builtin < BUILTIN_COUNT ? builtin_name[s->builtin] : "?";
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
    printer_value(out, s->type, s->value);
    if (s->type != TY(I32))
      text_format(out, ":%s", s->type->name);
  } else if (s->op == IR_param || s->op == IR_get) {
    text_add(out, s->variable->name);
  } else {
    text_format(out, "?%s", ir_op_info[s->op].name);
  }
}

static void print_bounds(Text *out, const IrStmt *s, const char *before)
{
  for (int k = 0; k < s->operand_count; k++) {
    text_add(out, k ? ", " : before);
    print_bound(out, s->operands[k]);
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
    print_bounds(out, s, "");
    text_add(out, ")");
    break;
  case IR_TASK_STRUCT_FOR:
    text_format(out, "(%s %s%s%s", snode_label(s->snode), slot_name(p, s->slot),
                s->field ? " " : "", s->field ? s->field->name : "");
    print_bounds(out, s, ", ");
    text_add(out, ")");
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
    printer_value(out, s->type, s->value);
  }
  if (s->op == IR_for_range && s->variable) {
    text_format(out, " %s %s", s->variable->type->name, s->variable->name);
    attributes &= ~(unsigned)IR_ATTR_VARIABLE;
  }
  print_object(p, s, attributes);
  if (attributes & IR_ATTR_TABLE)
    text_format(out, " %s", s->table ? s->table->name : "?");
  if (attributes & IR_ATTR_UPDATE)
    text_format(out, " %s", operator_name[s->update]);
  if (attributes & IR_ATTR_MODE)
    text_format(out, " %s", ir_mode_name[s->mode]);
  if (attributes & IR_ATTR_BUILTIN)
    text_format(out, " %s", ir_builtin_name(s));
  if (s->op == IR_cache && s->function)
    text_add(out, " element");
  if ((attributes & IR_ATTR_FUNCTION) && (s->op != IR_cache || s->function))
    print_call(p, s);
  if (attributes & IR_ATTR_TEXT) {
    text_add(out, " ");
    printer_string(out, s->text ? s->text : "");
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

void printer_lane_count(Text *out, int lanes)
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
  const bool flags[] = { s->plain, s->relaxed, s->reduction, s->may_be_null,
                         s->if_active };

  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (flags[k])
      text_format(out, " %s", names[k]);
}

static void print_source(Text *out, const IrStmt *s)
{
  if (!(ir_op_info[s->op].attributes & IR_ATTR_SOURCE) || !s->text)
    return;
  text_add(out, " source ");
  printer_string(out, s->text);
}

/* ---- statements ---- */

static void print_head(Printer *p, const IrStmt *s)
{
  unsigned attributes = ir_op_info[s->op].attributes;
  Text *out = p->out;

  if (s->type != TY(VOID)) {
    text_format(out, "<%s", s->type->name);
    printer_lane_count(out, s->lanes);
    text_add(out, "> ");
  }
  if (s->id >= 0)
    text_format(out, "$%d = ", s->id);
  text_add(out, words_op(s->op));
  if (ir_is_by_rows(s) && s->lanes > 0)
    printer_lane_count(out, s->lanes);
  print_attributes(p, s, attributes);
  print_operands(out, s);
  if ((attributes & IR_ATTR_INDEX) &&
      (s->index != 0 ||
       (s->op != IR_check_bounds && s->op != IR_inside && s->op != IR_reserve)))
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
    printer_loc(out, s->loc);
}

/* The block and what stands between it and the next: " else {" or a "\n". */
static void print_nested(Printer *p, const IrBlock *block)
{
  text_add(p->out, "{\n");
  p->indent++;
  if (block)
    printer_block(p, block);
  p->indent--;
  printer_margin(p);
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
    text_add(p->out, ir_leaves(s) ? " leaves " : " rows ");
    print_nested(p, s->blocks[1]);
  }
  if (s->op == IR_offloaded && s->blocks[2]) {
    text_add(p->out, " near ");
    print_nested(p, s->blocks[2]);
  }
  if (s->op == IR_offloaded && s->blocks[3]) {
    text_add(p->out, " team ");
    print_nested(p, s->blocks[3]);
  }
}

void printer_block(Printer *p, const IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    const IrStmt *s = block->stmts[k];
    printer_margin(p);
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
