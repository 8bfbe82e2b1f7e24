/* The value of a pure statement, given those of its operands: gen/model's, by the statement's row.
 */
#include "gen/ir/table.h"
#include "gen/model/evaluate.h"

Value ir_evaluate(const IrStmt *s, const Value *operand)
{
  const Type *t = s->operand_count > 0 ? s->operands[0]->type : s->type;
  Op op = ir_operator[s->op];

  if (op != OP_NONE)
    return ir_op_info[s->op].operands == 1 ? evaluate_unary(op, t, operand[0])
                                           : evaluate_binary(op, t, operand[0], operand[1]);
  switch (s->op) {
  case IR_const:   return s->value;
  case IR_select:  return operand[0].i ? operand[1] : operand[2];
  case IR_cast:    return value_cast(s->type, t, operand[0]);
  case IR_bitcast: return evaluate_bitcast(s->type, t, operand[0]);
  case IR_builtin: return evaluate_builtin(s->builtin, t, operand);
  case IR_table:   return ir_table_value(s->table, operand[0].i);
  default: ICE("'%s' has no value of its own", ir_op_info[s->op].name);
  }
}
