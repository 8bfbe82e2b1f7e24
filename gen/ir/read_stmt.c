/* The reader of IR text: statements, and what they name. */
#include "gen/ir/reader.h"
#include "gen/ir/table.h"
#include "gen/ir/window.h"
#include "gen/ir/words.h"
#include "gen/model/builtins.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NESTED = 4 * IR_MOST_NESTED,        /* passes put blocks around what lowering made */
       MAX_NUMBER = 1 << 20 };

/* ---- names ---- */

static IrVariable *expect_variable(Reader *r)
{
  const char *name = reader_expect_name(r, "a variable");
  IrVariable *v = reader_find_variable(r->function, name);

  if (!v)
    reader_fail(r, "'%s' has no variable '%s'", r->function->name, name);
  return v;
}

static int expect_slot(Reader *r)
{
  const char *name = reader_expect_name(r, "a tree");

  for (int k = 0; k < r->function->slot_count; k++)
    if (strcmp(r->function->slots[k].name, name) == 0)
      return k;
  reader_fail(r, "'%s' takes no tree '%s'", r->function->name, name);
  return 0;
}

static IrSNode *find_snode(Reader *r, const IrTree *t, const char *label)
{
  for (int k = 0; t && k < t->snode_count; k++)
    if (strcmp(t->snodes[k]->label, label) == 0)
      return t->snodes[k];
  reader_fail(r, "no SNode '%s' in that tree", label);
  return NULL;
}

/* LABEL SLOT */
static void read_snode_and_slot(Reader *r, IrStmt *s)
{
  const char *label = reader_expect_name(r, "an SNode");

  s->slot = expect_slot(r);
  if (!r->failed)
    s->snode = find_snode(r, r->function->slots[s->slot].tree, label);
}

/* ---- values ---- */

static int expect_number_of_value(Reader *r)
{
  char *end;
  long number = strtol(r->token.text, &end, 10);

  if (r->token.kind != TOKEN_VALUE || !*r->token.text || *end || number < 0 ||
      number > MAX_NUMBER) {
    reader_fail(r, "expected a $number, found '%s'", r->token.text);
    return 0;
  }
  reader_advance(r);
  return (int)number;
}

static void define_value(Reader *r, int number, IrStmt *s)
{
  while (r->value_count <= number)
    vec_push(r->arena, r->values, r->value_count, NULL);
  if (r->values[number])
    reader_fail(r, "$%d is defined twice", number);
  r->values[number] = s;
  s->id = number;
}

static void read_operand(Reader *r, IrStmt *s)
{
  int number = expect_number_of_value(r);

  if (r->failed)
    return;
  if (number >= r->value_count || !r->values[number])
    reader_fail(r, "$%d is not defined", number);
  else
    ir_add_operand(r->module, s, r->values[number]);
}

/* ---- attributes ---- */

static IrVariable *read_index(Reader *r)
{
  IrVariable *v = NEW(r->arena, IrVariable);

  v->kind = IR_VAR_INDEX;
  v->type = reader_expect_type(r);
  v->name = reader_expect_name(r, "an index");
  return v;
}

static void accept_indices(Reader *r, IrStmt *s)
{
  if (!reader_accept(r, "["))
    return;
  do
    vec_push(r->arena, s->variables, s->variable_count, read_index(r));
  while (reader_accept(r, ","));
  reader_expect(r, "]");
}

/* A bound: 10, 10:i64, or the name of a parameter or a variable. */
static IrStmt *read_bound(Reader *r)
{
  IrStmt *s = ir_stmt(r->module, IR_const, TY(I32), r->token.loc, NULL);
  Value wide;

  s->loc = (Loc){ 0 };
  if (reader_sees(r, TOKEN_NAME, NULL)) {
    s->variable = expect_variable(r);
    if (s->variable) {
      bool is_given = s->variable->kind == IR_VAR_PARAM || s->variable->kind == IR_VAR_EXTENT;
      s->op = is_given ? IR_param : IR_get;
      s->type = s->variable->type;
    }
    return s;
  }
  wide.i = (int64_t)strtoll(r->token.text, NULL, 10);
  if (wide.i < 0 || !reader_sees(r, TOKEN_NUMBER, NULL) || strlen(r->token.text) < 19)
    wide.i = reader_expect_integer(r, INT64_MIN, INT64_MAX);
  else
    wide = reader_expect_value(r, TY(U64));
  if (reader_accept(r, ":"))
    s->type = reader_expect_type(r);
  s->value = value_wrap(s->type, wide);
  if (!type_is_integer(s->type) || s->value.i != wide.i)
    reader_fail(r, "this bound is no '%s'", s->type->name);
  return s;
}

static void read_bounds(Reader *r, IrStmt *s)
{
  do
    ir_add_operand(r->module, s, read_bound(r));
  while (!r->failed && reader_accept(r, ","));
  reader_expect(r, ")");
}

static void read_range_for(Reader *r, IrStmt *s)
{
  reader_expect(r, "(");
  if (!reader_accept(r, ")"))
    read_bounds(r, s);
}

static void read_struct_for(Reader *r, IrStmt *s)
{
  reader_expect(r, "(");
  read_snode_and_slot(r, s);
  if (reader_sees(r, TOKEN_NAME, NULL))
    s->field = reader_expect_field(r);
  if (reader_accept(r, ","))
    read_bounds(r, s);
  else
    reader_expect(r, ")");
}

static void accept_manner(Reader *r, IrManner *m)
{
  if (reader_accept(r, "block_dim")) {
    reader_expect(r, "=");
    m->block_dim = (int)reader_expect_integer(r, 0, 1 << 16);
  }
  for (int k = SCHEDULE_STATIC; k < SCHEDULES; k++)
    if (reader_accept(r, schedule_name[k]))
      m->schedule = (Schedule)k;
  m->is_serial = reader_accept(r, "in_order");
}

static void read_listgen(Reader *r, IrStmt *s)
{
  const char *parent = reader_expect_name(r, "an SNode");

  reader_expect(r, "->");
  read_snode_and_slot(r, s);
  if (!r->failed && (!s->snode->parent || strcmp(s->snode->parent->label, parent) != 0))
    reader_fail(r, "'%s' is not the parent of '%s'", parent, s->snode->label);
}

static void read_task(Reader *r, IrStmt *s)
{
  int task = words_position(ir_task_name, IR_TASKS, reader_expect_name(r, "a task"));

  if (task < 0) {
    reader_fail(r, "unknown task");
    return;
  }
  s->task = (IrTask)task;
  switch (s->task) {
  case IR_TASK_RANGE_FOR:  read_range_for(r, s); break;
  case IR_TASK_STRUCT_FOR: read_struct_for(r, s); break;
  case IR_TASK_LISTGEN:    read_listgen(r, s); break;
  case IR_TASK_CLEAR_LIST: case IR_TASK_DEACTIVATE_ALL: case IR_TASK_GC:
    read_snode_and_slot(r, s);
    break;
  case IR_TASK_SERIAL: case IR_TASKS:
    break;
  }
  accept_manner(r, &s->manner);
  accept_indices(r, s);
}

static void read_call(Reader *r, IrStmt *s)
{
  const char *name = reader_expect_name(r, "a function");
  int count = 0;

  for (int k = 0; k < r->module->function_count; k++)
    if (strcmp(r->module->functions[k]->name, name) == 0)
      s->function = r->module->functions[k];
  if (!s->function)
    reader_fail(r, "unknown function '%s': it stands before its callers", name);
  reader_expect(r, "(");
  while (!r->failed && !reader_accept(r, ")")) {
    if (count > 0)
      reader_expect(r, ",");
    vec_push(r->arena, s->slots, count, expect_slot(r));
  }
  if (!r->failed && count != s->function->slot_count)
    reader_fail(r, "'%s' takes %d trees, not %d", name, s->function->slot_count, count);
}

/* What the statement is about, as print_object writes it. */
static void read_object(Reader *r, IrStmt *s, unsigned attributes)
{
  if (words_is_choice(attributes)) {
    unsigned which = reader_accept(r, "field") ? IR_ATTR_FIELD
                   : reader_accept(r, "node") ? IR_ATTR_SNODE
                   : reader_accept(r, "array") ? IR_ATTR_VARIABLE : 0;
    if (!(which & attributes)) {
      reader_fail(r, "expected field, node or array");
      return;
    }
    attributes = which | (which == IR_ATTR_VARIABLE ? 0 : attributes & IR_ATTR_SLOT);
  }
  if (attributes & IR_ATTR_VARIABLE)
    s->variable = expect_variable(r);
  if (attributes & IR_ATTR_FIELD)
    s->field = reader_expect_field(r);
  if ((attributes & IR_ATTR_SNODE) && (attributes & IR_ATTR_SLOT)) {
    read_snode_and_slot(r, s);
  } else if (attributes & IR_ATTR_SNODE) {
    const IrTree *t = reader_find_tree(r, reader_expect_name(r, "a tree"));
    reader_expect(r, ".");
    if (!r->failed)
      s->snode = find_snode(r, t, reader_expect_name(r, "an SNode"));
  } else if (attributes & IR_ATTR_SLOT) {
    s->slot = expect_slot(r);
  }
}

static const IrTable *expect_table(Reader *r)
{
  const char *name = reader_expect_name(r, "a table");
  const IrTable *table = r->failed ? NULL : ir_find_table(r->module, name);

  if (!r->failed && !table)
    reader_fail(r, "unknown table '%s'", name);
  return table;
}

static int expect_word(Reader *r, const char *const *names, int count, const char *what)
{
  int k = words_position(names, count, reader_expect_name(r, what));

  if (k < 0)
    reader_fail(r, "expected %s", what);
  return k < 0 ? 0 : k;
}

static void read_attributes(Reader *r, IrStmt *s)
{
  unsigned attributes = ir_op_info[s->op].attributes;

  if (s->op == IR_const)
    s->value = reader_expect_value(r, s->type);
  if (s->op == IR_for_range) {
    s->variable = read_index(r);
    attributes &= ~(unsigned)IR_ATTR_VARIABLE;
  }
  read_object(r, s, attributes);
  if (attributes & IR_ATTR_TABLE)
    s->table = expect_table(r);
  if (attributes & IR_ATTR_UPDATE)
    s->update = (Op)expect_word(r, operator_name, OP_UPDATES, "an update");
  if (attributes & IR_ATTR_MODE)
    s->mode = (IrMode)expect_word(r, ir_mode_name, 3, "read, peek or activate");
  if (attributes & IR_ATTR_BUILTIN)
    s->builtin = expect_word(r, builtin_name, BUILTIN_COUNT, "a built-in");
  if ((attributes & IR_ATTR_FUNCTION) && (s->op != IR_cache || reader_accept(r, "element")))
    read_call(r, s);
  if (attributes & IR_ATTR_TEXT)
    s->text = reader_expect_string(r);
  if (attributes & IR_ATTR_TASK)
    read_task(r, s);
}

/* Behind a type or a name: x 8. */
int reader_accept_lane_count(Reader *r)
{
  return reader_accept(r, "x") ? (int)reader_expect_integer(r, 1, IR_MOST_LANES) : 0;
}

static void read_lanes(Reader *r, IrStmt *s)
{
  reader_expect(r, "from");
  s->from = NEW_ARRAY(r->arena, IrLane, s->lanes + 1);
  for (int k = 0; k < s->lanes && !r->failed; k++) {
    s->from[k].operand = (int)reader_expect_integer(r, 0, IR_MOST_LANES);
    reader_expect(r, ":");
    s->from[k].cell = (int)reader_expect_integer(r, 0, INT32_MAX);
  }
}

static void read_flags(Reader *r, IrStmt *s)
{
  static const char *const names[] = { WORDS_FLAGS };
  bool *flags[] = { &s->plain, &s->relaxed, &s->reduction, &s->may_be_null,
                    &s->if_active };

  for (int k = 0; k < WORDS_FLAG_COUNT; k++)
    *flags[k] = reader_accept(r, names[k]);
}

/* ---- statements ---- */

static void read_nested(Reader *r, IrStmt *s, int which)
{
  s->blocks[which] = ir_block(r->module, s);
  reader_expect(r, "{");
  reader_expect_line_end(r);
  if (++r->depth > MAX_NESTED)
    reader_fail(r, "nested too deeply");
  reader_read_block(r, s->blocks[which]);
  r->depth--;
}

static void read_blocks(Reader *r, IrStmt *s)
{
  read_nested(r, s, 0);
  if (s->op == IR_while) {
    reader_expect(r, "test");
    read_operand(r, s);
    read_nested(r, s, 1);
    reader_expect(r, "next");
    read_nested(r, s, 2);
  } else if (s->op == IR_if) {
    if (reader_accept(r, "else"))
      read_nested(r, s, 1);
    else
      s->blocks[1] = ir_block(r->module, s);
  } else if (s->op == IR_offloaded && (reader_accept(r, "rows") || reader_accept(r, "leaves"))) {
    read_nested(r, s, 1);
  }
  if (s->op == IR_offloaded && reader_accept(r, "near"))
    read_nested(r, s, 2);
  if (s->op == IR_offloaded && reader_accept(r, "team"))
    read_nested(r, s, 3);
}

static IrStmt *read_op(Reader *r, const Type *type)
{
  const char *name = reader_expect_name(r, "an operation");
  IrOp op = words_op_by_name(name);

  if (op == IR_OP_COUNT) {
    reader_fail(r, "unknown operation '%s'", name);
    return NULL;
  }
  return ir_stmt(r->module, op, type, (Loc){ 0 }, NULL);
}

enum { MAX_PARTS = 21,                 /* of svd in 3 dimensions */
       MOST_DIGITS = 64 };             /* of a row */

/* An axis, a loop's index or a part; of a check two bits for each operand, or an extent. */
static int64_t most_index(IrOp op)
{
  bool is_check = op == IR_check_bounds || op == IR_inside;

  if (op == IR_check_element)
    return MAX_TABLE;
  if (op == IR_claim)
    return MAX_ELEMENTS;
  if (op == IR_reserve)
    return 1;
  if (op == IR_lane)
    return IR_MOST_LANES - 1;
  if (op == IR_gang)
    return IR_MOST_LANES;
  if (op == IR_part)
    return MAX_PARTS - 1;
  if (op == IR_each_row)
    return MOST_DIGITS - 1;
  if (op == IR_window)
    return 2 * IR_WINDOW_IN_BLOCK - 1;
  return is_check ? (1 << 2 * MAX_AXES) - 1 : MAX_AXES - 1;
}

static void read_stmt(Reader *r, IrBlock *block)
{
  const Type *type = TY(VOID);
  int number = -1, lanes = 0;
  IrStmt *s;

  if (reader_accept(r, "<")) {
    type = reader_expect_type(r);
    lanes = reader_accept_lane_count(r);
    reader_expect(r, ">");
  }
  if (reader_sees(r, TOKEN_VALUE, NULL)) {
    number = expect_number_of_value(r);
    reader_expect(r, "=");
  }
  s = read_op(r, type);
  if (!s)
    return;
  s->lanes = ir_is_by_rows(s) ? reader_accept_lane_count(r) : lanes;
  if (number >= 0)
    define_value(r, number, s);
  read_attributes(r, s);
  while (!r->failed && reader_sees(r, TOKEN_VALUE, NULL))
    read_operand(r, s);
  if ((ir_op_info[s->op].attributes & IR_ATTR_INDEX) && reader_accept(r, "index"))
    s->index = (int)reader_expect_integer(r, 0, most_index(s->op));
  if (s->op == IR_digit) {
    reader_expect(r, "by");
    s->value.i = reader_expect_integer(r, 1, INT64_MAX);
  }
  if (ir_op_info[s->op].attributes & IR_ATTR_LANES)
    read_lanes(r, s);
  read_flags(r, s);
  if ((ir_op_info[s->op].attributes & IR_ATTR_SOURCE) && reader_accept(r, "source"))
    s->text = reader_expect_string(r);
  if (ir_is(s, IR_FOREACH)) {
    accept_manner(r, &s->manner);
    accept_indices(r, s);
  }
  if (reader_accept(r, "site"))
    s->site = (int)reader_expect_integer(r, 0, INT32_MAX);
  s->loc = reader_accept_loc(r);
  ir_append(r->module, block, s);
  if (!r->failed && words_has_blocks(s))
    read_blocks(r, s);
  reader_expect_line_end(r);
}

/* Up to and with its closing brace. */
void reader_read_block(Reader *r, IrBlock *block)
{
  while (!r->failed && !reader_accept(r, "}"))
    read_stmt(r, block);
}
