/* Effects: checks, assignments, updates, calls, prints, each as lines of C.
 *
 * What they use has been settled (body.c): the text of an operand may be written
 * where it stands.
 */
#include "gen/emit/body.h"

#include <string.h>

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

/* (~x & 1) == 0 and the like: to gcc the int x & 1, of whose conversion it warns. */
static bool is_flipped_bit(const IrStmt *s)
{
  const IrStmt *bit = s->op == IR_cmp_eq ? s->operands[0] : NULL;

  return bit && (bit->op == IR_bit_and || bit->op == IR_mod) &&
         (bit->operands[0]->op == IR_bit_xor || bit->operands[0]->op == IR_bit_not);
}

static const char *stored_text(Body *b, const IrStmt *value)
{
  const char *text = loose(b, value);

  return is_flipped_bit(value) && value_info(b, value)->state != VALUE_NAMED
           ? format(b->emit->arena, "(uint8_t)(%s)", text) : text;
}

static void emit_store(Body *b, const IrStmt *s)
{
  const int arrays = b->array_count;
  CellText cell = cell_text(b, s->operands[0]);
  const char *place = field_place(b, cell, s->field);
  const char *value = stored_text(b, s->operands[1]);
  Arena *arena = b->emit->arena;

  if (is_itself(place, value)) {
    b->array_count = arrays;             /* nothing that is written names its array */
    return;
  }
  put_guarded(
      b, cell.null_test,
      s->relaxed ? format(arena, "snd_store_%s(&%s, %s);", suffix(s->field->type), place, value)
                 : format(arena, "%s = %s;", place, value));
}

static void emit_array_write(Body *b, const IrStmt *s)
{
  const char *place = element_place(b, s);
  const char *value = stored_text(b, s->operands[s->operand_count - 1]);

  if (!is_itself(place, value))
    write_line(b->emit, "%s = %s;", place, value);
}

/* x = x + e, where C writes x += e. */
static const char *shorter_set(Body *b, const IrStmt *s, const char *place)
{
  const IrStmt *value = s->operands[0], *old;
  Op op = ir_operator[value->op];

  if (op != OP_ADD && op != OP_SUB && op != OP_MUL)
    return NULL;
  old = value->operands[0];
  if (value_info(b, value)->state == VALUE_NAMED || old->op != IR_get ||
      old->variable != s->variable || value_info(b, old)->state == VALUE_NAMED)
    return NULL;
  if (value->type->bits < 32 || (value->lanes > 0 && !type_is_float(value->type)) ||
      (value->type->is_signed && !type_is_float(value->type) && !value->plain))
    return NULL;
  if (op != OP_MUL && type_is_integer(value->type) &&
      value->operands[1]->op == IR_const && value->operands[1]->value.i == 1)
    return format(b->emit->arena, "%s%s", place, op == OP_ADD ? "++" : "--");
  return format(b->emit->arena, "%s %s= %s", place, operator_sign[op],
                loose(b, value->operands[1]));
}

const char *set_text(Body *b, const IrStmt *s)
{
  const char *place = variable_text(b, s->variable), *shorter = shorter_set(b, s, place);

  return shorter ? shorter
                 : format(b->emit->arena, "%s = %s", place, stored_text(b, s->operands[0]));
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
const IrStmt *only_step(Body *b, const IrStmt *loop)
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

static int variable_uses(const Body *b, const IrBlock *block, const IrVariable *v)
{
  int uses = 0;

  for (IrStmt *s = block ? ir_first(block) : NULL; s; s = ir_next(s, block))
    uses += s->variable == v && is_live(b->live, s);
  return uses;
}

/* Whether the variable belongs to the loop behind its declaration: then a for
 * declares it. */
static bool goes_into_loop(Body *b, const IrStmt *s)
{
  const IrStmt *loop = next_live(b, s);
  int inside = 0;

  if (!loop || loop->op != IR_while || !only_step(b, loop))
    return false;
  for (int k = 0; k < IR_BLOCKS; k++)
    inside += variable_uses(b, loop->blocks[k], s->variable);
  return variable_uses(b, loop->blocks[2], s->variable) > 0 &&
         inside + 1 == variable_uses(b, b->root, s->variable);
}

/* ---- appends ---- */

static void leave_when_failed(Body *b, const char *position)
{
  trap_leave(b, format(b->emit->arena, "%s < 0", position));
}

/* Whether the next thing done is to put the position into a local. */
static bool goes_into_local(Body *b, const IrStmt *s)
{
  const IrStmt *user = value_info(b, s)->user;

  return value_info(b, s)->uses == 1 && user->parent == s->parent && next_live(b, s) == user &&
         user->op == IR_declare && user->variable->kind == IR_VAR_LOCAL &&
         !goes_into_loop(b, user);
}

/* `const int64_t position = ...;` and out, where it failed.  The test stands behind
 * the declaration of the program's own local where that takes the position. */
static void emit_append(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  CText text = { "", BOUND_PRIMARY };

  if (info->gives_cell) {
    info->cell = names_take(&b->names, s->snode->name);
    write_line(b->emit, "SND_GLB %s *%s;", cell_type(b, s), info->cell);
  }
  text.text = append_text(b, s);

  if (s->operand_count == 0) {           /* outside: always */
    write_line(b->emit, "(void)%s;", text.text);
    trap_end(b);
    return;
  }
  if (info->uses == 0) {
    trap_leave(b, format(b->emit->arena, "%s < 0", text.text));
    return;
  }
  info->state = VALUE_NAMED;
  info->may_fail = goes_into_local(b, s);
  info->text = info->may_fail ? text : (CText){ names_take(&b->names, "position"), BOUND_PRIMARY };
  if (info->may_fail)
    return;
  write_line(b->emit, "const int64_t %s = %s;", info->text.text, text.text);
  leave_when_failed(b, info->text.text);
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
    write_line(b->emit, "%s %s = %s;", value_type(b, s->variable->type, s->variable->lanes),
               variable_text(b, s->variable), value);
  if (value_info(b, s->operands[0])->may_fail)
    leave_when_failed(b, variable_text(b, s->variable));
}

/* ---- updates ---- */

typedef struct Target {
  const char *place, *null_test;
  bool is_plain;                         /* no other iteration reaches it */
} Target;

static Target target_of(Body *b, const IrStmt *s)
{
  Target t = { .is_plain = !runs_parallel(b->task) };

  if (adds_nearby(b->emit, s)) {
    t.place = staged_text(b, s->operands[1]);
    t.is_plain = true;
  } else if (s->op == IR_cell_atomic) {
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
  const char *change;

  if (adds_nearby(b->emit, s) && s->operands[1]->op == IR_staged_at) {
    emit_add_at(b, s);
    return;
  }
  if (b->emit->staging == STAGING_TEAM && adds_nearby(b->emit, s)) {
    emit_team_addition(b, s, staged_text(b, s->operands[1]), wrote_text(b, s->operands[1]));
    return;
  }
  change = t.is_plain ? update_text(b, s, t.place)
                      : atomic_text(b, s, format(arena, "&%s", t.place), false);
  if (value_info(b, s)->uses > 0) {
    take_old(b, s, old_text(b, s, &t));
    if (!t.is_plain)
      return;
  }
  put_guarded(b, t.null_test, format(arena, "%s;", change));
  if (adds_nearby(b->emit, s))
    write_line(b->emit, "%s = 1;", wrote_text(b, s->operands[1]));
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
  const char *ended = trap_begin_call(b, s);
  CText text = { call_text(b, s, ended), BOUND_PRIMARY };

  if (info->uses == 0)
    write_line(b->emit, "%s%s;", s->type->kind == TYPE_VOID ? "" : "(void)", text.text);
  else if (!ended && goes_into_next(b, s)) {
    info->text = text;
    info->state = VALUE_NAMED;
  } else {
    const char *name = names_take(&b->names, suggest_name(b->emit->arena, s));
    write_line(b->emit, "const %s %s = %s;", c_type(s->type), name, text.text);
    info->text = (CText){ name, BOUND_PRIMARY };
    info->state = VALUE_NAMED;
  }
  if (ended)
    trap_leave_call(b, ended);
}

/* ---- random numbers ---- */

static void emit_draw(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  const char *text = format(b->emit->arena, "snd_%s_%s(%s)", ir_op_info[s->op].name,
                            s->type->name, b->draws);

  info->state = VALUE_NAMED;
  if (info->uses == 0)
    write_line(b->emit, "(void)%s;", text);
  else if (goes_into_next(b, s))
    info->text = (CText){ text, BOUND_PRIMARY };
  else {
    info->text = (CText){ names_take(&b->names, "draw"), BOUND_PRIMARY };
    write_line(b->emit, "const %s %s = %s;", c_type(s->type), info->text.text, text);
  }
}

/* ---- what is saved ---- */

/* An element of an array is named after it. */
static const char *restored_name(Body *b, const IrVariable *v)
{
  return v->is_hidden ? "restored" : format(b->emit->arena, "%s_at", variable_text(b, v));
}

static void emit_saved(Body *b, const IrStmt *s)
{
  const char *array = variable_text(b, s->variable);
  ValueInfo *info = value_info(b, s);

  if (s->op == IR_reserve) {
    write_line(b->emit, "%s %s[%d]%s;", c_type(s->variable->type), array, s->variable->places,
               s->index ? " = { 0 }" : "");
  } else if (s->op == IR_save) {
    write_line(b->emit, "%s[%s] = %s;", array, loose(b, s->operands[0]),
               loose(b, s->operands[1]));
  } else if (info->uses > 0) {
    info->state = VALUE_NAMED;
    info->text = primary(names_take(&b->names, restored_name(b, s->variable)));
    write_line(b->emit, "const %s %s = %s[%s];", c_type(s->type), info->text.text, array,
               loose(b, s->operands[0]));
  }
}

/* ---- all of them ---- */

void write_effect(Body *b, const IrStmt *s)
{
  switch (s->op) {
  case IR_declare:      emit_declare(b, s); return;
  case IR_set:          emit_set(b, s); return;
  case IR_update: case IR_cell_atomic: case IR_array_atomic:
    emit_update(b, s);
    return;
  case IR_array_write:  emit_array_write(b, s); return;
  case IR_store:        emit_store(b, s); return;
  case IR_row_store:    emit_row_store(b, s); return;
  case IR_leave_row:    emit_leave_row(b, s); return;
  case IR_leave_leaf:   emit_leave_leaf(b, s); return;
  case IR_release_cell: write_line(b->emit, "%s;", release_text(b, s)); return;
  case IR_check_bounds: emit_check(b, s); return;
  case IR_cache: case IR_ahead: case IR_gang:
    return;
  case IR_prefetch:
    write_line(b->emit, "SND_PREFETCH(%s);", cell_pointer(b, s->operands[0]));
    return;
  case IR_window:
    (b->emit->staging == STAGING_TEAM ? emit_team_window : emit_window)(b, s);
    return;
  case IR_found_cell:   emit_found(b, s); return;
  case IR_near_add:
    (b->emit->staging == STAGING_TEAM ? emit_team_add : emit_near_add)(b, s);
    return;
  case IR_print: case IR_trace:
    emit_print(b, s);
    return;
  case IR_assert: case IR_require:
    emit_assert(b, s);
    return;
  case IR_check_element: emit_check_element(b, s); return;
  case IR_claim:        emit_claim(b, s); return;
  case IR_call:         emit_call(b, s); return;
  case IR_random: case IR_randn:
    emit_draw(b, s);
    return;
  case IR_reserve: case IR_save: case IR_restore:
    emit_saved(b, s);
    return;
  case IR_append_cell:  emit_append(b, s); return;
  case IR_cell:                          /* an activation that no one looks at */
    write_line(b->emit, "(void)%s;", walk_text(b, s));
    return;
  default:
    ICE("the operation '%s' must have been lowered before the C is written",
        ir_op_info[s->op].name);
  }
}
