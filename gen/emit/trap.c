/* What ends an iteration, or the function that it is in: checks, asserts, failed calls; and
 * prints, which have a site as they do.
 */
#include "gen/emit/body.h"

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

/* After a failure here: who called the function is told. */
void trap_end(Body *b)
{
  if (!b->task)
    write_line(b->emit, "*%s = true;", b->ended);
  write_line(b->emit, "%s", leave_text(b));
}

void trap_leave(Body *b, const char *condition)
{
  write_line(b->emit, b->task ? "if (%s)" : "if (%s) {", condition);
  b->emit->indent++;
  trap_end(b);
  b->emit->indent--;
  if (!b->task)
    write_line(b->emit, "}");
}

/* What a call hands on for the function to tell of its failure; NULL: it cannot fail. */
const char *trap_begin_call(Body *b, const IrStmt *s)
{
  const char *ended;

  if (!function_info(b->emit, s->function)->needs.traps)
    return NULL;
  if (!b->task)
    return b->ended;
  ended = names_take(&b->names, "ended");
  write_line(b->emit, "bool %s = false;", ended);
  return ended;
}

void trap_leave_call(Body *b, const char *ended)
{
  write_line(b->emit, b->task ? "if (%s)" : "if (*%s)", ended);
  b->emit->indent++;
  write_line(b->emit, "%s", leave_text(b));
  b->emit->indent--;
}

/* ---- sites ---- */

static const char *word(Body *b, IrStmt *value)
{
  const Type *t = value->type;

  return format(b->emit->arena, "snd_word_%s(%s)",
                type_is_float(t) ? "f" : t->is_signed ? "i" : "u", loose(b, value));
}

void emit_print(Body *b, const IrStmt *s)
{
  const char *list = "";

  for (int k = 0; k < s->operand_count; k++)
    list = format(b->emit->arena, "%s, %s", list, word(b, s->operands[k]));
  if (s->operand_count == 0)
    write_line(b->emit, "snd_print_text(%s, %d);", b->launch, site_number(b->emit, s));
  else
    write_line(b->emit, "%s(%s, %d, %d%s);", s->op == IR_trace ? "snd_trace" : "snd_print",
               b->launch, site_number(b->emit, s), s->operand_count, list);
}

/* The call that notes it, up to its launch record. */
static const char *trap_of(const IrStmt *s, bool has_arguments)
{
  if (s->op == IR_assert)
    return has_arguments ? "snd_trap_assert_with" : "snd_trap_assert";
  return s->index == IR_FAULT_DIVISION ? "snd_trap_arithmetic"
         : s->index == IR_FAULT_BOUNDS ? "snd_trap_outside" : "snd_trap_state";
}

/* The arguments of the message go where other errors have their indices. */
static void put_trap_text(Body *b, const IrStmt *s)
{
  const char *list = "";
  int count = s->operand_count - 1;

  if (count > MAX_AXES)
    count = MAX_AXES;
  for (int k = 1; k <= count; k++)
    list = format(b->emit->arena, "%s, (int64_t)%s", list, word(b, s->operands[k]));
  if (count > 0)
    list = format(b->emit->arena, ", %d%s", count, list);
  write_line(b->emit, "%s(%s, %d%s);", trap_of(s, count > 0), b->launch,
             site_number(b->emit, s), list);
}

/* One comparison: below zero it is greater than any extent. */
void emit_check_element(Body *b, const IrStmt *s)
{
  const char *at = loose(b, s->operands[0]);

  write_line(b->emit, "if ((uint64_t)(%s) >= %d) {", at, s->index);
  b->emit->indent++;
  write_line(b->emit, "snd_trap_bounds(%s, %d, -1, -1, 1, %s);", b->launch,
             site_number(b->emit, s), at);
  trap_end(b);
  b->emit->indent--;
  write_line(b->emit, "}");
}

/* assert and require. */
void emit_assert(Body *b, const IrStmt *s)
{
  CText condition = value_text(b, s->operands[0]);

  if (s->operands[0]->op == IR_const && s->operands[0]->value.i)
    return;
  if (s->operands[0]->op != IR_const) {
    write_line(b->emit, "if (!%s) {", within(b, condition, BOUND_UNARY));
    b->emit->indent++;
  }
  put_trap_text(b, s);
  trap_end(b);
  if (s->operands[0]->op != IR_const) {
    b->emit->indent--;
    write_line(b->emit, "}");
  }
}

/* Of --check=race: the iteration ends where another one has claimed the same. */
void emit_claim(Body *b, const IrStmt *s)
{
  const char *list = "";

  for (int k = 0; k < s->operand_count; k++)
    list = format(b->emit->arena, "%s%s(int64_t)%s", list, k ? ", " : "", word(b, s->operands[k]));
  write_line(b->emit, "if (!snd_claim(%s, %d, %d, %d, (const int64_t[]){ %s })) {", b->launch,
             site_number(b->emit, s), s->index, s->operand_count - s->index, list);
  b->emit->indent++;
  trap_end(b);
  b->emit->indent--;
  write_line(b->emit, "}");
}

void emit_check(Body *b, const IrStmt *s)
{
  const IrSNode *n = s->field ? s->field->snode : s->snode;
  Arena *arena = b->emit->arena;
  const char *outside = outside_text(b, s), *place = "-1, -1", *list = "";

  if (!outside)
    return;
  if (b->gang) {                       /* the iteration itself says so, when it is run alone */
    write_line(b->emit, "if (%s)", outside);
    b->emit->indent++;
    write_line(b->emit, "goto %s;", b->in_tree);
    b->emit->indent--;
    return;
  }
  for (int k = 0; k < s->operand_count; k++)
    list = format(arena, "%s, %s", list, loose(b, s->operands[k]));
  if (!s->variable)
    place = format(arena, "%s, %s", b->slot_number[s->slot],
                   b->emit->trees[n->tree->id].snode[n->id].id);
  write_line(b->emit, "if (%s) {", outside);
  b->emit->indent++;
  write_line(b->emit, "snd_trap_bounds(%s, %d, %s, %d%s);", b->launch,
             site_number(b->emit, s), place, s->operand_count, list);
  trap_end(b);
  b->emit->indent--;
  write_line(b->emit, "}");
}
