/* Statements: a block of the IR as lines of C; its values, and control. */
#include "gen/emit/body.h"

#include <string.h>

/* ---- control ---- */

/* The lines of a block, one step in, not yet part of the file. */
static char *block_lines(Body *b, const IrBlock *block)
{
  Text lines = { 0 }, *out = b->emit->out;
  char *copy;

  b->emit->out = &lines;
  b->emit->indent++;
  emit_block(b, block);
  b->emit->indent--;
  b->emit->out = out;
  copy = format(b->emit->arena, "%s", lines.data ? lines.data : "");
  text_free(&lines);
  return copy;
}

/* Whether lines that begin at that column are one if and its else. */
static bool is_one_if(const char *lines, size_t column)
{
  bool is_first = true;

  for (; *lines; lines += strcspn(lines, "\n") + 1, is_first = false) {
    size_t blanks = strspn(lines, " ");
    if (blanks > column)
      continue;
    if (is_first ? strncmp(lines + blanks, "if (", 4) != 0 : lines[blanks] != '}')
      return false;
  }
  return !is_first;
}

/* `else if` where that is all. */
static void emit_else(Body *b, const IrBlock *block)
{
  Emit *e = b->emit;
  const char *lines = block_lines(b, block);
  bool is_first = true;

  if (!is_one_if(lines, 2 * (size_t)e->indent + 2)) {
    write_line(e, "} else {");
    text_add(e->out, lines);
    write_line(e, "}");
    return;
  }
  for (; *lines; lines += strcspn(lines, "\n") + 1, is_first = false) {
    int length = (int)strcspn(lines, "\n");
    if (is_first)
      text_format(e->out, "%*s} else %.*s\n", 2 * e->indent, "", length - 2 * e->indent - 2,
                  lines + 2 * e->indent + 2);
    else
      text_format(e->out, "%.*s\n", length - 2, lines + 2);
  }
}

/* Whether something is done by the statements from `from` to before `to`. */
static bool has_live_between(Body *b, const IrBlock *block, int from, int to)
{
  for (int k = from; k < to; k++)
    if (is_live(b->live, block->stmts[k]) && ir_effects(block->stmts[k]) >= IR_WRITES)
      return true;
  return false;
}

static bool has_live(Body *b, const IrBlock *block)
{
  return block && has_live_between(b, block, 0, block->count);
}

/* The cell that the condition tells not to be null, where it has a name; else NULL. */
static ValueInfo *tested_cell(Body *b, const IrStmt *condition)
{
  const IrStmt *test = condition->op == IR_logic_not ? condition->operands[0] : NULL;
  ValueInfo *info = test && test->op == IR_is_null ? value_info(b, test->operands[0]) : NULL;

  return info && info->state == VALUE_NAMED && info->named.null_test ? info : NULL;
}

/* The first block, which nothing asks a second time what the condition says. */
static void emit_then(Body *b, const IrStmt *s)
{
  ValueInfo *tested = tested_cell(b, s->operands[0]);
  const char *test = tested ? tested->named.null_test : NULL;

  if (tested)
    tested->named.null_test = NULL;
  emit_block(b, s->blocks[0]);
  if (tested)
    tested->named.null_test = test;
}

static void emit_if(Body *b, const IrStmt *s)
{
  Emit *e = b->emit;
  CText condition = value_text(b, s->operands[0]);
  bool has_then = has_live(b, s->blocks[0]);
  Pending pending = pending_save(b);

  if (strcmp(condition.text, "true") == 0) {     /* a test of which nothing is left */
    emit_then(b, s);
    return;
  }
  if (has_then)
    write_line(e, "if (%s) {", condition.text);
  else
    write_line(e, "if (!%s) {", within(b, condition, BOUND_UNARY));
  e->indent++;
  if (has_then)
    emit_then(b, s);
  else
    emit_block(b, s->blocks[1]);
  e->indent--;
  pending_restore(b, &pending);
  if (has_then && has_live(b, s->blocks[1])) {
    emit_else(b, s->blocks[1]);
    pending_restore(b, &pending);
  } else
    write_line(e, "}");
}

/* The condition when all of block 0 folds into it. */
static const char *condition_text(Body *b, const IrStmt *s)
{
  for (int k = 0; k < s->blocks[0]->count; k++) {
    const IrStmt *c = s->blocks[0]->stmts[k];
    if (is_live(b->live, c) && (ir_effects(c) >= IR_WRITES || !may_fold(b, c)))
      return NULL;
  }
  return value_text(b, s->operands[0]).text;
}

static void put_exit(Body *b, const IrStmt *s)
{
  CText condition = value_text(b, s->operands[0]);

  if (s->operands[0]->op == IR_const && s->operands[0]->value.i)
    return;
  write_line(b->emit, "if (!%s)", within(b, condition, BOUND_UNARY));
  b->emit->indent++;
  write_line(b->emit, "break;");
  b->emit->indent--;
}

static void emit_while(Body *b, const IrStmt *s)
{
  Emit *e = b->emit;
  const IrStmt *only = only_step(b, s);
  const char *condition = condition_text(b, s), *step = only ? set_text(b, only) : NULL;
  const char *init = b->loop_init ? b->loop_init : "";
  bool has_step = has_live(b, s->blocks[2]);

  b->loop_init = NULL;

  b->loops++;
  if (has_step && !step) {               /* a continue must run the step too */
    const char *again = names_take(&b->names, "again");
    write_line(e, "for (bool %s = false;; %s = true) {", again, again);
    e->indent++;
    write_line(e, "if (%s) {", again);
    e->indent++;
    emit_block(b, s->blocks[2]);
    e->indent--;
    write_line(e, "}");
    e->indent--;
    condition = NULL;
  } else if (step)
    write_line(e, "for (%s;%s%s; %s) {", init, condition ? " " : "", condition ? condition : "",
               step);
  else if (condition)
    write_line(e, "while (%s) {", condition);
  else
    write_line(e, "for (;;) {");
  e->indent++;
  if (!condition) {
    emit_block(b, s->blocks[0]);
    put_exit(b, s);
  }
  emit_block(b, s->blocks[1]);
  e->indent--;
  write_line(e, "}");
  b->loops--;
}

static void emit_for_range(Body *b, const IrStmt *s)
{
  Emit *e = b->emit;
  const IrStmt *end = s->operands[1];
  const char *index = variable_text(b, s->variable), *type = c_type(s->variable->type);
  const char *limit;

  if (end->op == IR_const || end->op == IR_param || end->op == IR_loop_index ||
      (value_info(b, end)->state == VALUE_NAMED && end->op != IR_get))
    limit = within(b, value_text(b, end), BOUND_ADD);
  else {
    limit = names_take(&b->names, "end");
    write_line(e, "const %s %s = %s;", type, limit, loose(b, end));
  }
  write_line(e, "for (%s %s = %s; %s < %s; %s++) {", type, index, loose(b, s->operands[0]),
             index, limit, index);
  e->indent++;
  b->loops++;
  emit_block(b, s->blocks[0]);
  b->loops--;
  e->indent--;
  write_line(e, "}");
}

static bool is_last(const Body *b, const IrStmt *s)
{
  return !b->task && s->parent == b->function->body && s->parent->stmts[s->parent->count - 1] == s;
}

static void emit_return(Body *b, const IrStmt *s)
{
  if (s->operand_count)
    write_line(b->emit, "return %s;", loose(b, s->operands[0]));
  else if (!is_last(b, s))
    write_line(b->emit, "return;");
}

/* ---- one statement ---- */

static void emit_control(Body *b, const IrStmt *s)
{
  switch (s->op) {
  case IR_if:           emit_if(b, s); return;
  case IR_while:        emit_while(b, s); return;
  case IR_for_range:    emit_for_range(b, s); return;
  case IR_each_part:    emit_each_part(b, s); return;
  case IR_each_row: case IR_each_run:
    emit_each_row(b, s);
    return;
  case IR_each_lane:    emit_each_lane(b, s); return;
  case IR_break:        write_line(b->emit, "break;"); return;
  case IR_continue:     write_line(b->emit, b->loops ? "continue;" : "return;"); return;
  case IR_return:       emit_return(b, s); return;
  default:              write_effect(b, s); return;
  }
}

static bool reads_memory(Body *b, const IrStmt *s)
{
  if (s->op == IR_call)
    return function_info(b->emit, s->function)->needs.effects == IR_READS;
  return ir_op_info[s->op].effects == IR_READS;
}

static bool is_value(Body *b, const IrStmt *s)
{
  if (s->op == IR_call) {
    const Needs *n = &function_info(b->emit, s->function)->needs;
    return !n->traps && n->effects <= IR_READS;
  }
  if (s->op == IR_cell)
    return !(is_walked(s) && s->mode == IR_MODE_ACTIVATE && value_info(b, s)->uses == 0);
  return ir_op_info[s->op].effects <= IR_READS;
}

static void take_value(Body *b, IrStmt *s)
{
  if (gang_keeps(b, s)) {
    gang_keep(b, s);
    return;
  }
  if (s->op == IR_by_lane) {
    emit_by_lane(b, s);
    return;
  }
  if (s->op == IR_staged_at && is_nearby(b->emit, s) && !is_staged_addition(s)) {
    emit_load_at(b, s);
    return;
  }
  if (!may_fold(b, s)) {
    if (is_walked(s) && s->mode == IR_MODE_ACTIVATE)
      settle_pending(b, s);
    name_value(b, s, value_text(b, s));
    return;
  }
  value_info(b, s)->state = VALUE_PENDING;
  if (reads_memory(b, s))
    vec_push(b->emit->arena, b->pending, b->pending_count, s);
}

static void emit_stmt(Body *b, IrStmt *s)
{
  if (!is_live(b->live, s))
    return;
  if (is_value(b, s)) {
    take_value(b, s);
    return;
  }
  write_from(b->emit, s->loc);
  release_operands(b, s);
  settle_pending(b, s);
  emit_control(b, s);
}

/* ---- named blocks ---- */

/* The name stands before what it is the name of; and behind it, where more follows. */
static void emit_name(Body *b, const IrBlock *block, int at)
{
  const IrStmt *s = block->stmts[at], *named = s->op == IR_block ? s : ir_named_block(s);
  int from = at;

  while (block->stmts[from] != named)
    from--;
  if (!has_live_between(b, block, from, ir_block_end(block, from)))
    return;
  if (s == named)
    write_comment(b->emit, s->text);
  else if (has_live_between(b, block, at, block->count))
    write_comment(b->emit, format(b->emit->arena, "end of %s", named->text));
}

void emit_block(Body *b, const IrBlock *block)
{
  const Loc outer = b->emit->from;

  for (int k = 0; block && k < block->count; k++)
    if (block->stmts[k]->op == IR_block || block->stmts[k]->op == IR_end_block)
      emit_name(b, block, k);
    else
      emit_stmt(b, block->stmts[k]);
  b->emit->from = outer;
}
