/* Statements: a block of the IR as lines of C. */
#include "gen/emit/body.h"

#include <string.h>

/* ---- leaving the body ---- */

/* What ends the iteration, or the function, after a failure. */
static const char *leave_text(Body *b)
{
  const Type *result = b->task ? TY(VOID) : b->function->result;

  switch (result->kind) {
  case TYPE_VOID: return "return;";
  case TYPE_BOOL: return "return false;";
  case TYPE_F32:  return "return 0.0f;";
  case TYPE_F64:  return "return 0.0;";
  default:        return "return 0;";
  }
}

static void put_leave(Body *b, const char *condition)
{
  write_line(b->emit, "if (%s)", condition);
  b->emit->indent++;
  write_line(b->emit, "%s", leave_text(b));
  b->emit->indent--;
}

static void leave_when_stopped(Body *b, const IrStmt *s)
{
  if (s->op == IR_call && function_info(b->emit, s->function)->needs.traps)
    put_leave(b, format(b->emit->arena, "snd_stopped(%s)", b->launch));
}

/* ---- sites ---- */

static const char *word(Body *b, IrStmt *value)
{
  const Type *t = value->type;

  return format(b->emit->arena, "snd_word_%s(%s)",
                type_is_float(t) ? "f" : t->is_signed ? "i" : "u", loose(b, value));
}

static void emit_print(Body *b, const IrStmt *s)
{
  const char *list = "";

  for (int k = 0; k < s->operand_count; k++)
    list = format(b->emit->arena, "%s, %s", list, word(b, s->operands[k]));
  if (s->operand_count == 0)
    write_line(b->emit, "snd_print_text(%s, %d);", b->launch, s->site);
  else
    write_line(b->emit, "snd_print(%s, %d, %d%s);", b->launch, s->site, s->operand_count, list);
}

/* The arguments of the message go where other errors have their indices. */
static void put_trap_assert(Body *b, const IrStmt *s)
{
  int count = s->operand_count - 1;
  const char *list = "";

  if (count > IR_MAX_AXES)
    count = IR_MAX_AXES;
  for (int k = 1; k <= count; k++)
    list = format(b->emit->arena, "%s, (int64_t)%s", list, word(b, s->operands[k]));
  if (count == 0)
    write_line(b->emit, "snd_trap_assert(%s, %d);", b->launch, s->site);
  else
    write_line(b->emit, "snd_trap_assert_with(%s, %d, %d%s);", b->launch, s->site, count, list);
}

static void emit_assert(Body *b, const IrStmt *s)
{
  CText condition = value_text(b, s->operands[0]);

  if (s->operands[0]->op == IR_const && s->operands[0]->value.i)
    return;
  if (s->operands[0]->op != IR_const) {
    write_line(b->emit, "if (!%s) {", within(b, condition, BOUND_UNARY));
    b->emit->indent++;
  }
  put_trap_assert(b, s);
  write_line(b->emit, "%s", leave_text(b));
  if (s->operands[0]->op != IR_const) {
    b->emit->indent--;
    write_line(b->emit, "}");
  }
}

static void emit_check(Body *b, const IrStmt *s)
{
  const IrSNode *n = s->field ? s->field->snode : s->snode;
  Arena *arena = b->emit->arena;
  const char *outside = outside_text(b, s), *place = "-1, -1", *list = "";

  if (!outside)
    return;
  for (int k = 0; k < s->operand_count; k++)
    list = format(arena, "%s, %s", list, loose(b, s->operands[k]));
  if (!s->variable)
    place = format(arena, "%s, %s", b->slot_number[s->slot],
                   b->emit->trees[n->tree->id].snode[n->id].id);
  write_line(b->emit, "if (%s) {", outside);
  b->emit->indent++;
  write_line(b->emit, "snd_trap_bounds(%s, %d, %s, %d%s);", b->launch, s->site, place,
             s->operand_count, list);
  write_line(b->emit, "%s", leave_text(b));
  b->emit->indent--;
  write_line(b->emit, "}");
}

/* ---- memory ---- */

/* A line, within `if (cell)` where the cell may be null. */
static void put_guarded(Body *b, const char *null_test, const char *line)
{
  if (null_test) {
    write_line(b->emit, "if (%s)", null_test);
    b->emit->indent++;
  }
  write_line(b->emit, "%s", line);
  if (null_test)
    b->emit->indent--;
}

/* x = x; says nothing, and is warned of. */
static bool is_itself(const char *place, const char *value)
{
  return strcmp(place, value) == 0;
}

static void emit_store(Body *b, const IrStmt *s)
{
  CellText cell = cell_text(b, s->operands[0]);
  const char *place = field_place(b, cell, s->field);
  const char *value = loose(b, s->operands[1]);
  Arena *arena = b->emit->arena;

  if (is_itself(place, value))
    return;
  put_guarded(
      b, cell.null_test,
      s->relaxed ? format(arena, "snd_store_%s(&%s, %s);", suffix(s->field->type), place, value)
                 : format(arena, "%s = %s;", place, value));
}

static void emit_array_write(Body *b, const IrStmt *s)
{
  const char *place = element_place(b, s);
  const char *value = loose(b, s->operands[s->operand_count - 1]);

  if (!is_itself(place, value))
    write_line(b->emit, "%s = %s;", place, value);
}

/* x = x + e, where C writes x += e. */
static const char *shorter_set(Body *b, const IrStmt *s, const char *place)
{
  const IrStmt *value = s->operands[0], *old;
  IrUpdate update;

  switch (value->op) {
  case IR_add: update = IR_UPDATE_ADD; break;
  case IR_sub: update = IR_UPDATE_SUB; break;
  case IR_mul: update = IR_UPDATE_MUL; break;
  default:     return NULL;
  }
  old = value->operands[0];
  if (value_info(b, value)->state == VALUE_NAMED || old->op != IR_get ||
      old->variable != s->variable || value_info(b, old)->state == VALUE_NAMED)
    return NULL;
  if (value->type->bits < 32 ||
      (value->type->is_signed && !type_is_float(value->type) && !value->plain))
    return NULL;
  if (update != IR_UPDATE_MUL && type_is_integer(value->type) &&
      value->operands[1]->op == IR_const && value->operands[1]->value.i == 1)
    return format(b->emit->arena, "%s%s", place, update == IR_UPDATE_ADD ? "++" : "--");
  return format(b->emit->arena, "%s %s= %s", place,
                update == IR_UPDATE_ADD ? "+" : update == IR_UPDATE_SUB ? "-" : "*",
                loose(b, value->operands[1]));
}

static const char *set_text(Body *b, const IrStmt *s)
{
  const char *place = variable_text(b, s->variable), *shorter = shorter_set(b, s, place);

  return shorter ? shorter
                 : format(b->emit->arena, "%s = %s", place, loose(b, s->operands[0]));
}

static void emit_set(Body *b, const IrStmt *s)
{
  if (!is_itself(variable_text(b, s->variable), loose(b, s->operands[0])))
    write_line(b->emit, "%s;", set_text(b, s));
}

/* The next statement that sees or changes memory. */
static const IrStmt *next_live(Body *b, const IrStmt *s)
{
  const IrBlock *block = s->parent;
  int k = 0;

  while (block->stmts[k] != s)
    k++;
  for (k++; k < block->count; k++)
    if (is_live(b->live, block->stmts[k]) && ir_effects(block->stmts[k]) >= IR_READS)
      return block->stmts[k];
  return NULL;
}

/* The one assignment that block 2 of a while is, NULL when it is more: C puts it
 * into a for. */
static const IrStmt *only_step(Body *b, const IrStmt *loop)
{
  const IrBlock *step = loop->blocks[2];
  const IrStmt *only = NULL;

  for (int k = 0; step && k < step->count; k++) {
    const IrStmt *s = step->stmts[k];
    if (!is_live(b->live, s))
      continue;
    if (ir_effects(s) < IR_WRITES && may_fold(b, s))
      continue;
    if (only || s->op != IR_set)
      return NULL;
    only = s;
  }
  return only;
}

typedef struct VariableUse {
  const Body *body;
  const IrVariable *variable;
  int count;
} VariableUse;

static void count_variable(IrStmt *s, void *user)
{
  VariableUse *u = user;

  if (s->variable == u->variable && is_live(u->body->live, s))
    u->count++;
}

static int variable_uses(const Body *b, const IrBlock *block, const IrVariable *v)
{
  VariableUse u = { .body = b, .variable = v };

  if (block)
    ir_walk((IrBlock *)block, count_variable, &u);
  return u.count;
}

/* Whether the variable belongs to the loop behind its declaration: then a for
 * declares it. */
static bool goes_into_loop(Body *b, const IrStmt *s)
{
  const IrStmt *loop = next_live(b, s);
  int inside = 0;

  if (!loop || loop->op != IR_while || !only_step(b, loop))
    return false;
  for (int k = 0; k < 3; k++)
    inside += variable_uses(b, loop->blocks[k], s->variable);
  return variable_uses(b, loop->blocks[2], s->variable) > 0 &&
         inside + 1 == variable_uses(b, b->root, s->variable);
}

static void emit_declare(Body *b, const IrStmt *s)
{
  const char *value = loose(b, s->operands[0]);

  if (s->variable->kind == IR_VAR_KERNEL)
    write_line(b->emit, "%s = %s;", variable_text(b, s->variable), value);
  else if (goes_into_loop(b, s))
    b->loop_init = format(b->emit->arena, "%s %s = %s", c_type(s->variable->type),
                          variable_text(b, s->variable), value);
  else
    write_line(b->emit, "%s %s = %s;", c_type(s->variable->type), variable_text(b, s->variable),
               value);
}

/* ---- updates ---- */

typedef struct Target {
  const char *place, *null_test;
  bool is_plain;                         /* no other iteration reaches it */
} Target;

static Target target_of(Body *b, const IrStmt *s)
{
  Target t = { .is_plain = !runs_parallel(b->task) };

  if (s->op == IR_cell_atomic) {
    CellText cell = cell_text(b, s->operands[0]);
    t.place = field_place(b, cell, s->field);
    t.null_test = cell.null_test;
    t.is_plain = t.is_plain || s->plain;
  } else if (s->op == IR_array_atomic) {
    t.place = element_place(b, s);
    t.is_plain = t.is_plain || s->plain;
  } else {
    t.place = variable_text(b, s->variable);
    t.is_plain = t.is_plain || s->reduction || s->variable->kind != IR_VAR_KERNEL;
  }
  return t;
}

static CText old_text(Body *b, const IrStmt *s, const Target *t)
{
  const char *text = t->is_plain ? t->place
                                 : atomic_text(b, s, format(b->emit->arena, "&%s", t->place), true);
  bool in_memory = s->type->kind == TYPE_BOOL &&
                   (s->op != IR_update || s->variable->kind == IR_VAR_KERNEL);

  if (in_memory)
    text = format(b->emit->arena, "%s != 0", text);
  if (t->null_test)
    text = format(b->emit->arena, in_memory ? "%s ? (%s) : %s" : "%s ? %s : %s", t->null_test, text,
                  constant_text(b->emit->arena, s->type, (Value){ 0 }, false));
  return (CText){ text, t->null_test ? BOUND_CHOICE : in_memory ? BOUND_EQUAL : BOUND_PRIMARY };
}

static void take_old(Body *b, const IrStmt *s, CText text)
{
  ValueInfo *info = value_info(b, s);

  info->text = (CText){ names_take(&b->names, "old"), BOUND_PRIMARY };
  info->state = VALUE_NAMED;
  write_line(b->emit, "const %s %s = %s;", c_type(s->type), info->text.text, text.text);
}

static void emit_update(Body *b, const IrStmt *s)
{
  Target t = target_of(b, s);
  Arena *arena = b->emit->arena;
  const IrStmt *value = s->operands[s->operand_count - 1];
  const char *change = t.is_plain ? update_text(b, s->update, s->type, t.place, value)
                                  : atomic_text(b, s, format(arena, "&%s", t.place), false);

  if (value_info(b, s)->uses > 0) {
    take_old(b, s, old_text(b, s, &t));
    if (!t.is_plain)
      return;
  }
  put_guarded(b, t.null_test, format(arena, "%s;", change));
}

/* ---- calls and activations ---- */

/* A call may stand in the next statement when it is all of its value. */
static bool goes_into_next(Body *b, const IrStmt *s)
{
  const ValueInfo *info = value_info(b, s);
  const IrStmt *user = info->user;

  if (info->uses != 1 || user->parent != s->parent || next_live(b, s) != user)
    return false;
  switch (user->op) {
  case IR_declare: case IR_set: case IR_return:
    return true;
  case IR_store:
    return user->operands[1] == s && !cell_text(b, user->operands[0]).null_test;
  default:
    return false;
  }
}

static void emit_call(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  CText text = { call_text(b, s), BOUND_PRIMARY };
  bool traps = function_info(b->emit, s->function)->needs.traps;

  if (info->uses == 0)
    write_line(b->emit, "%s%s;", s->type->kind == TYPE_VOID ? "" : "(void)", text.text);
  else if (!traps && goes_into_next(b, s)) {
    info->text = text;
    info->state = VALUE_NAMED;
  } else {
    const char *name = names_take(&b->names, suggest_name(b->emit->arena, s));
    write_line(b->emit, "const %s %s = %s;", c_type(s->type), name, text.text);
    info->text = (CText){ name, BOUND_PRIMARY };
    info->state = VALUE_NAMED;
  }
  leave_when_stopped(b, s);
}

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
    if (*lines == '#')
      return false;
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

static bool has_live(Body *b, const IrBlock *block)
{
  if (block)
    for (int k = 0; k < block->count; k++)
      if (is_live(b->live, block->stmts[k]) && ir_effects(block->stmts[k]) >= IR_WRITES)
        return true;
  return false;
}

static void emit_if(Body *b, const IrStmt *s)
{
  Emit *e = b->emit;
  CText condition = value_text(b, s->operands[0]);
  bool has_then = has_live(b, s->blocks[0]);
  Pending pending = pending_save(b);

  if (strcmp(condition.text, "true") == 0) {     /* a test of which nothing is left */
    emit_block(b, s->blocks[0]);
    return;
  }
  if (has_then)
    write_line(e, "if (%s) {", condition.text);
  else
    write_line(e, "if (!%s) {", within(b, condition, BOUND_UNARY));
  e->indent++;
  emit_block(b, has_then ? s->blocks[0] : s->blocks[1]);
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

static void emit_effect(Body *b, const IrStmt *s)
{
  switch (s->op) {
  case IR_declare:      emit_declare(b, s); return;
  case IR_set:          emit_set(b, s); return;
  case IR_update: case IR_cell_atomic: case IR_array_atomic:
    emit_update(b, s);
    return;
  case IR_array_write:  emit_array_write(b, s); return;
  case IR_store:        emit_store(b, s); return;
  case IR_release_cell: write_line(b->emit, "%s;", release_text(b, s)); return;
  case IR_check_bounds: emit_check(b, s); return;
  case IR_print:        emit_print(b, s); return;
  case IR_assert:       emit_assert(b, s); return;
  case IR_call:         emit_call(b, s); return;
  case IR_cell:                          /* an activation that no one looks at */
    write_line(b->emit, "(void)%s;", walk_text(b, s));
    return;
  case IR_if:           emit_if(b, s); return;
  case IR_while:        emit_while(b, s); return;
  case IR_for_range:    emit_for_range(b, s); return;
  case IR_break:        write_line(b->emit, "break;"); return;
  case IR_continue:     write_line(b->emit, b->loops ? "continue;" : "return;"); return;
  case IR_return:       emit_return(b, s); return;
  default:
    ICE("the operation '%s' must have been lowered before the C is written",
        ir_op_info[s->op].name);
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
    return !(is_pointer_cell(s) && s->mode == IR_MODE_ACTIVATE && value_info(b, s)->uses == 0);
  return ir_op_info[s->op].effects <= IR_READS;
}

static void take_value(Body *b, IrStmt *s)
{
  if (!may_fold(b, s)) {
    if (is_pointer_cell(s) && s->mode == IR_MODE_ACTIVATE)
      settle_pending(b, s);
    name_value(b, s, value_text(b, s));
    return;
  }
  value_info(b, s)->state = VALUE_PENDING;
  if (reads_memory(b, s))
    vec_push(b->emit->arena, b->pending, b->pending_count, s);
}

static void mark_line(Body *b, const IrStmt *s)
{
  if (!b->emit->options->lines || s->loc.line == 0 || s->loc.line == b->line)
    return;
  write_mark(b->emit, s->loc.line);
  b->line = s->loc.line;
}

static void emit_stmt(Body *b, IrStmt *s)
{
  if (!is_live(b->live, s))
    return;
  if (is_value(b, s)) {
    if (!may_fold(b, s))
      mark_line(b, s);
    take_value(b, s);
    return;
  }
  mark_line(b, s);
  release_operands(b, s);
  settle_pending(b, s);
  emit_effect(b, s);
}

void emit_block(Body *b, const IrBlock *block)
{
  if (block)
    for (int k = 0; k < block->count; k++)
      emit_stmt(b, block->stmts[k]);
}
