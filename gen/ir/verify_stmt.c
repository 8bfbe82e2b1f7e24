/* What one statement must be: how many operands of which types, and attributes
 * that exist.  Where it may stand is verify.c's. */
#include "gen/ir/verify.h"
#include "gen/ir/table.h"
#include "gen/model/builtins.h"

void verify_broken(Verifier *v, const IrStmt *s, const char *rule)
{
  Text text = { 0 };

  if (v->broken)
    return;
  if (v->function)
    text_format(&text, "%s: ", v->function->name);
  if (s) {
    text_add(&text, "'");
    ir_print_stmt(v->function, s, &text);
    text_add(&text, "': ");
  }
  text_add(&text, rule);
  v->broken = intern(v->module->arena, text.data, text.length);
  text_free(&text);
}

/* ---- types ---- */

static bool is_number(const Type *t)
{
  return type_is_integer(t) || type_is_float(t);
}

static bool is_scalar(const Type *t)
{
  return is_number(t) || t == TY(BOOL);
}

static bool is_loop(const IrStmt *s)
{
  return s->op == IR_for_range || ir_is_by_rows(s) || ir_is(s, IR_FOREACH) ||
         (s->op == IR_offloaded &&
          (s->task == IR_TASK_RANGE_FOR || s->task == IR_TASK_STRUCT_FOR));
}

/* ---- what every operation has: counts, result, values as operands ---- */

static bool has_result_type(const IrStmt *s)
{
  switch (ir_op_info[s->op].result) {
  case IR_RESULT_NONE: return s->type == TY(VOID);
  case IR_RESULT_SAME: return s->operand_count > 0 && s->type == verify_operand_type(s, 0);
  case IR_RESULT_BOOL: return s->type == TY(BOOL);
  case IR_RESULT_CELL: return s->type == TY(CELL);
  default:             return is_scalar(s->type) || (s->op == IR_call && s->type == TY(VOID)) ||
                              (s->op == IR_select && s->type == TY(CELL));
  }
}

static void verify_shape(Verifier *v, const IrStmt *s)
{
  const IrOpInfo *info = &ir_op_info[s->op];
  bool takes_loop = s->op == IR_loop_index || s->op == IR_own_cell || s->op == IR_own_position ||
                    s->op == IR_first_index || ir_is_by_rows(s) || s->op == IR_row_active ||
                    s->op == IR_row_digit;

  if (info->operands >= 0 && s->operand_count != info->operands)
    verify_broken(v, s, "it has not the operands of its operation");
  for (int k = 0; k < s->operand_count; k++)
    if (!(takes_loop && k == 0 ? is_loop(s->operands[k]) : s->operands[k]->type != TY(VOID)))
      verify_broken(v, s, takes_loop ? "its operand is no loop" : "an operand has no value");
  if (!v->broken && !has_result_type(s))
    verify_broken(v, s, "it has not the type of its operation");
}

/* ---- values ---- */

static const char *check_builtin(const IrStmt *s)
{
  const BuiltinInfo *b;

  if (s->builtin < 0 || s->builtin >= BUILTIN_COUNT)
    return "there is no such built-in";
  b = &builtin_info[s->builtin];
  if (s->operand_count != b->arguments)
    return "the built-in takes another number of arguments";
  switch (b->rule) {
  case BUILTIN_RULE_FLOAT:
    return type_is_float(s->type) && verify_all_of_type(s, s->type) ? NULL : "it takes floats";
  case BUILTIN_RULE_NUMBER:
    return is_number(s->type) && verify_all_of_type(s, s->type) ? NULL : "it takes numbers";
  case BUILTIN_RULE_INTEGER:
    return s->type == TY(I32) && verify_integers(s, 0, 1) ? NULL : "it counts in an integer";
  case BUILTIN_RULE_SELECT: case BUILTIN_RULE_BITCAST:
    break;
  }
  return "it has an operation of its own";
}

static const char *check_const(const IrStmt *s)
{
  if (type_is_float(s->type) || value_wrap(s->type, s->value).i == s->value.i)
    return NULL;
  return "the value does not fit in its type";
}

static const char *check_loop_index(const IrStmt *s)
{
  const IrStmt *loop = ir_whole_loop(s->operands[0]);
  int count = loop->op == IR_for_range ? 1 : loop->variable_count;

  if (count == 0)                      /* unnamed, as in hand-written text */
    count = loop->task == IR_TASK_STRUCT_FOR ? loop->snode->path_axis_count
                                             : loop->operand_count / 2;
  if (s->index < 0 || s->index >= count)
    return "the loop has no such index";
  if (loop->op == IR_for_range)
    return s->type == loop->variable->type ? NULL : "the index has another type";
  if (loop->variable_count > 0 && s->type != loop->variables[s->index]->type)
    return "the index has another type";
  return type_is_integer(s->type) ? NULL : "an index is an integer";
}

/* An f16 is kept, chosen and converted, and updated in place; all else is done in f32. */
static bool computes_half(const IrStmt *s)
{
  bool computes = s->op == IR_builtin || s->op == IR_svd || s->op == IR_polar ||
                  s->op == IR_sym_eig || s->op == IR_random || s->op == IR_randn ||
                  (s->op >= IR_neg && s->op <= IR_cmp_ge);
  bool is_half = s->type == TY(F16) ||
                 (s->operand_count > 0 && verify_operand_type(s, 0) == TY(F16));
  return computes && is_half;
}

static const char *check_value(const IrStmt *s)
{
  if (computes_half(s))
    return "nothing is computed in f16";
  switch (s->op) {
  case IR_const:   return check_const(s);
  case IR_neg:     return is_number(s->type) ? NULL : "it takes a number";
  case IR_bit_not: return type_is_integer(s->type) ? NULL : "it takes an integer";
  case IR_logic_not:
    return verify_operand_type(s, 0) == TY(BOOL) ? NULL : "it takes a bool";
  case IR_add: case IR_sub: case IR_mul: case IR_div: case IR_mod:
    return is_number(s->type) && verify_all_of_type(s, s->type)
             ? NULL : "it takes two numbers of a type";
  case IR_bit_and: case IR_bit_or: case IR_bit_xor:
    return (type_is_integer(s->type) || s->type == TY(BOOL)) && verify_all_of_type(s, s->type)
             ? NULL : "it takes two integers or bools of a type";
  case IR_shl: case IR_shr:
    return verify_integers(s, 0, 2) ? NULL : "it takes integers";
  case IR_cmp_eq: case IR_cmp_ne: case IR_cmp_lt: case IR_cmp_le: case IR_cmp_gt: case IR_cmp_ge:
    return is_scalar(verify_operand_type(s, 0)) && verify_all_of_type(s, verify_operand_type(s, 0))
             ? NULL : "it compares two values of a type";
  case IR_select:
    return verify_operand_type(s, 0) == TY(BOOL) && verify_operand_type(s, 1) == s->type &&
           verify_operand_type(s, 2) == s->type
             ? NULL : "it takes a bool and two values of its type";
  case IR_cast:
    return is_scalar(verify_operand_type(s, 0)) ? NULL : "it takes a scalar";
  case IR_bitcast:
    return is_number(s->type) && is_number(verify_operand_type(s, 0)) &&
           s->type->bits == verify_operand_type(s, 0)->bits ? NULL : "the widths differ";
  case IR_builtin:    return check_builtin(s);
  case IR_svd: case IR_polar: case IR_sym_eig:
    return (s->operand_count == 4 || s->operand_count == 9) && type_is_float(s->type) &&
           verify_all_of_type(s, s->type) ? NULL : "it takes the 4 or 9 floats of a matrix";
  case IR_part:
    return s->index >= 0 && s->index < ir_parts(s->operands[0])
             ? NULL : "its operand has no such part";
  case IR_randn:      return type_is_float(s->type) ? NULL : "a normal number is a float";
  case IR_loop_index: return check_loop_index(s);
  case IR_table:
    if (!s->table || s->type != s->table->type || !is_number(s->type))
      return "it names no table of numbers of its type";
    return verify_operand_type(s, 0) == TY(I64) ? NULL : "its index is no i64";
  default:            return NULL;
  }
}

/* ---- variables ---- */

static bool has_variable(IrVariable *const *list, int count, const IrVariable *variable)
{
  for (int k = 0; k < count; k++)
    if (list[k] == variable)
      return true;
  return false;
}

static const char *check_variable(const IrFunction *f, const IrStmt *s)
{
  const IrVariable *x = s->variable;

  switch (s->op) {
  case IR_param:
    if (!x || !has_variable(f->params, f->param_count, x) || x->kind == IR_VAR_ARRAY)
      return "it names no scalar parameter";
    return s->type == x->type ? NULL : "the parameter has another type";
  case IR_get: case IR_set: case IR_declare: case IR_update:
    if (!x || !has_variable(f->locals, f->local_count, x))
      return "it names no variable";
    if ((s->op == IR_get || s->op == IR_update) && s->type != x->type)
      return "the variable has another type";
    if (x->places > 0)
      return "a local with places is saved and restored";
    if (s->op == IR_update && s->operand_count != ir_update_values(s->update))
      return "the update takes another number of values";
    return verify_all_of_type(s, x->type) ? NULL : "the value has another type than the variable";
  case IR_reserve: case IR_save: case IR_restore:
    if (!x || !has_variable(f->locals, f->local_count, x) || x->places == 0)
      return "it names no local with places";
    if (s->op != IR_reserve && verify_operand_type(s, 0) != TY(I32))
      return "a place is an i32";
    return verify_all_from(s, 1, x->type) && (s->op != IR_restore || s->type == x->type)
             ? NULL : "the value has another type than the local";
  case IR_array_read: case IR_array_write: case IR_array_atomic: {
    int others = s->op == IR_array_read ? 0 : verify_stored_values(s);
    if (!x || !has_variable(f->params, f->param_count, x) || x->kind != IR_VAR_ARRAY)
      return "it names no array";
    if (s->operand_count != x->extent_count + others || !verify_integers(s, 0, x->extent_count))
      return "it has not the indices of the array";
    if (!verify_all_from(s, x->extent_count, x->type))
      return "the value has another type than the array";
    if (others && x->mode == ARRAY_IN)
      return "an in array is not written";
    return s->op == IR_array_write || s->type == x->type ? NULL : "the array has another type";
  }
  default:
    return NULL;
  }
}

/* ---- trees ---- */

/* The field or SNode is there, and in the tree of the slot. */
static const char *check_object(const IrFunction *f, const IrStmt *s)
{
  unsigned attributes = ir_op_info[s->op].attributes;
  const IrTree *t = verify_slot_tree(f, s->slot);
  bool has_slot = (attributes & IR_ATTR_SLOT) != 0;
  bool is_of_array = (attributes & IR_ATTR_VARIABLE) != 0 && s->variable;

  if (has_slot && !is_of_array && !t)
    return "the function has no such slot";
  if (has_slot && t && f->slots[s->slot].is_merge && (s->op == IR_write || s->op == IR_atomic))
    return "what was sent to a merge buffer is written";
  if ((attributes & IR_ATTR_FIELD) && s->field)
    return has_slot && s->field->snode->tree != t ? "the field is of another tree" : NULL;
  if ((attributes & IR_ATTR_SNODE) && s->snode)
    return has_slot && s->snode->tree != t ? "the SNode is of another tree" : NULL;
  if ((attributes & (IR_ATTR_FIELD | IR_ATTR_SNODE)) && !is_of_array)
    return "it names no field and no SNode";
  return NULL;
}

/* What is done to a dynamic container takes the indices of the cell that it is in. */
static const char *check_node(const IrStmt *s)
{
  bool is_dynamic = kind_is(s->snode->kind, KIND_LIST);
  bool is_of_list = s->op == IR_append || s->op == IR_length;
  bool is_of_container = is_dynamic && (is_of_list || s->op == IR_deactivate);
  const IrSNode *indexed = is_of_container ? s->snode->parent : s->snode;

  if (is_of_list && !is_dynamic)
    return "only a dynamic SNode has a length";
  if (is_of_list && s->type != TY(I64))
    return "a position is an i64";
  if (s->op == IR_deactivate && !ir_is_sparse(s->snode))
    return "its cells cannot be inactive";
  return s->operand_count == indexed->path_axis_count && verify_integers(s, 0, s->operand_count)
           ? NULL : "it has not the indices of the SNode";
}

static const char *check_access(const IrStmt *s)
{
  int axes, values;

  switch (s->op) {
  case IR_read: case IR_write: case IR_atomic:
    axes = s->field->axis_count;
    values = s->op == IR_read ? 0 : verify_stored_values(s);
    if (s->operand_count != axes + values || !verify_integers(s, 0, axes))
      return "it has not the indices of the field";
    if (!verify_all_from(s, axes, s->field->type))
      return "the value has another type than the field";
    return s->op == IR_write || s->type == s->field->type ? NULL : "the field has another type";
  case IR_is_active: case IR_activate: case IR_deactivate: case IR_append: case IR_length:
    return check_node(s);
  case IR_deactivate_all:
    return NULL;
  case IR_extent:
    return s->type == TY(I64) && verify_has_own_axis(s->snode, s->index)
             ? NULL : "the SNode has no such axis, or the type is not i64";
  default:
    return NULL;
  }
}

/* ---- control ---- */

static const char *check_call(const Verifier *v, const IrStmt *s)
{
  const IrFunction *f = s->function;
  bool is_known = false;

  for (int k = 0; k < v->module->function_count; k++)
    is_known = is_known || v->module->functions[k] == f;
  if (!is_known)
    return "the module has no such function";
  for (int k = 0; k < f->slot_count; k++)
    if (verify_slot_tree(v->function, s->slots[k]) != f->slots[k].tree)
      return "a slot has another tree than the function's";
  if (s->operand_count != f->param_count)
    return "the function takes another number of arguments";
  for (int k = 0; k < f->param_count; k++)
    if (verify_operand_type(s, k) != f->params[k]->type)
      return "an argument has another type than the parameter";
  return s->type == f->result ? NULL : "the function has another result";
}

static const char *check_return(const IrFunction *f, const IrStmt *s)
{
  int want = f->is_kernel || f->result == TY(VOID) ? 0 : 1;

  if (s->operand_count != want)
    return "it has not the operands of its function";
  return want == 0 || verify_operand_type(s, 0) == f->result
           ? NULL : "the function has another result";
}

static const char *check_foreach(const IrStmt *s)
{
  int count = s->op == IR_foreach_range ? s->operand_count / 2
            : s->field ? s->field->axis_count : s->snode->path_axis_count;

  if (s->operand_count % 2 || count < 1 || count > MAX_AXES || s->variable_count != count)
    return "it has not the indices of what it goes over";
  for (int k = 0; k < s->operand_count; k++)
    if (verify_operand_type(s, k) != s->variables[k / 2]->type)
      return "a bound has another type than its index";
  return NULL;
}

/* NULL: it is what stands in no block. */
static const char *check_bound(const IrFunction *f, const IrStmt *o)
{
  if (o->op != IR_const && o->op != IR_param && o->op != IR_get)
    return "a bound is a const, a param or a get";
  return o->op == IR_const ? check_const(o) : check_variable(f, o);
}

/* Of the SNode's cells: for each index two bounds, and what is added to each. */
static const char *check_box(const IrFunction *f, const IrStmt *s)
{
  if (s->operand_count != 4 * s->snode->path_axis_count ||
      !verify_integers(s, 0, s->operand_count))
    return "a box has four integers for each index";
  for (int k = 0; k < s->operand_count; k++) {
    const char *broken = check_bound(f, s->operands[k]);
    if (broken)
      return broken;
    if (k % 2 == 1 && s->operands[k]->op != IR_const)
      return "what is added to a bound is a const";
  }
  return NULL;
}

static const char *check_ranges(const IrFunction *f, const IrStmt *s)
{
  int count = s->operand_count / 2;

  if (s->operand_count % 2 || count < 1 || count > MAX_AXES ||
      !verify_integers(s, 0, s->operand_count))
    return "it takes pairs of integers";
  if (s->variable_count > 0 && s->variable_count != count)
    return "it names another number of indices";
  for (int k = 0; k < s->operand_count; k++) {
    const IrStmt *o = s->operands[k];
    const char *broken = check_bound(f, o);
    if (broken)
      return broken;
    if (o->type != s->operands[k & ~1]->type ||
        (s->variable_count > 0 && o->type != s->variables[k / 2]->type))
      return "a bound has another type than its index";
  }
  return NULL;
}

static const char *check_task(const IrFunction *f, const IrStmt *s)
{
  if (s->task == IR_TASK_RANGE_FOR)
    return check_ranges(f, s);
  if (ir_is_leaves(s) && s->variable_count == 0)
    return "what goes through the leaves of ranges has indices";
  if (s->operand_count > 0 && s->task != IR_TASK_STRUCT_FOR)
    return "only loops have operands";
  if (s->task == IR_TASK_SERIAL)
    return NULL;
  if (!s->snode || s->snode->tree != verify_slot_tree(f, s->slot))
    return "it names no SNode of its slot's tree";
  if (s->task == IR_TASK_DEACTIVATE_ALL)
    return NULL;
  if (!s->snode->parent)
    return "the root has no list";
  if (s->task == IR_TASK_GC && !ir_is_sparse(s->snode))
    return "only what can be inactive is collected";
  if (s->task == IR_TASK_STRUCT_FOR && s->variable_count > 0 &&
      s->variable_count != s->snode->path_axis_count)
    return "it has not the indices of the SNode";
  if (ir_is_leaves(s))
    return check_ranges(f, s);
  return s->operand_count > 0 ? check_box(f, s) : NULL;
}

static const char *check_control(const Verifier *v, const IrStmt *s)
{
  switch (s->op) {
  case IR_if: case IR_while:
    return verify_operand_type(s, 0) == TY(BOOL) ? NULL : "its condition is no bool";
  case IR_for_range:
    return s->variable && type_is_integer(s->variable->type) &&
           verify_all_of_type(s, s->variable->type)
             ? NULL : "its bounds have another type than its index";
  case IR_return: return check_return(v->function, s);
  case IR_call:   return check_call(v, s);
  case IR_cache: case IR_staged_at:
    return verify_staged(v->function, s);
  case IR_assert:
    if (s->operand_count < 1 || verify_operand_type(s, 0) != TY(BOOL))
      return "its condition is no bool";
    return s->text ? NULL : "it has no text";
  case IR_require:
    if (s->operand_count < 1 || verify_operand_type(s, 0) != TY(BOOL))
      return "its condition is no bool";
    if (s->index < 0 || s->index >= IR_FAULTS)
      return "there is no such fault";
    return s->text ? NULL : "it has no text";
  case IR_claim:
    for (int k = 0; k < s->operand_count; k++)
      if (!type_is_integer(verify_operand_type(s, k)))
        return "what it claims is no integer";
    if (s->index < 1 || s->index > MAX_ELEMENTS || s->operand_count <= s->index ||
        s->operand_count > s->index + MAX_AXES)
      return "it has too few elements or indices, or too many";
    return s->text ? NULL : "it has no text";
  case IR_check_element:
    if (verify_operand_type(s, 0) != TY(I64) || s->index < 1)
      return "its index is no i64, or its extent less than 1";
    return s->text ? NULL : "it has no text";
  case IR_print: case IR_block: return s->text ? NULL : "it has no text";
  case IR_trace:  return s->text && s->operand_count ? NULL : "it has no text, or no value";
  case IR_foreach_range: case IR_foreach_node:
    return check_foreach(s);
  case IR_offloaded:
    return check_task(v->function, s);
  default:
    return NULL;
  }
}

void verify_stmt(Verifier *v, const IrStmt *s)
{
  const char *rule;

  verify_shape(v, s);
  if (v->broken)
    return;
  rule = check_value(s);
  if (!rule)
    rule = check_variable(v->function, s);
  if (!rule)
    rule = check_object(v->function, s);
  if (!rule)
    rule = check_access(s);
  if (!rule)
    rule = verify_walk(s);
  if (!rule)
    rule = check_control(v, s);
  if (!rule)
    rule = verify_rows(s);
  if (!rule)
    rule = verify_near(s);
  if (rule)
    verify_broken(v, s, rule);
}
