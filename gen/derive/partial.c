#include "gen/derive/derive.h"
#include "gen/model/builtins.h"
bool has_partial(const IrStmt *s) { return s->op != IR_bitcast; }
static IrStmt *bi(Maker *m, int b, IrStmt *x){ IrStmt *s = ir_stmt(m->module, IR_builtin, x->type, m->loc, x, NULL); s->builtin=b; return put(m,s);}
IrStmt *put_partial(Maker *make, const IrStmt *s, IrStmt *const *o, IrStmt *value, int k, IrStmt *by)
{
  (void)value;
  switch (s->op) {
  case IR_add: return by;
  case IR_sub: return k == 0 ? by : put(make, ir_stmt(make->module, IR_neg, by->type, make->loc, by, NULL));
  case IR_neg: return put(make, ir_stmt(make->module, IR_neg, by->type, make->loc, by, NULL));
  case IR_mul: return put_binary(make, IR_mul, by, o[1 - k]);
  case IR_div: if (k == 0) return put_binary(make, IR_div, by, o[1]);
    return put(make, ir_stmt(make->module, IR_neg, by->type, make->loc, put_binary(make, IR_div, put_binary(make, IR_mul, by, value), o[1]), NULL));
  case IR_cast: return make_cast(make, s->operands[0]->type == TY(F16) ? TY(F32) : s->operands[0]->type, by);
  case IR_select: if (k == 0) return NULL; else { IrStmt *z = make_const(make, by->type, 0);
     return put(make, ir_stmt(make->module, IR_select, by->type, make->loc, o[0], k == 1 ? by : z, k == 1 ? z : by, NULL)); }
  case IR_builtin:
    if (s->builtin == BUILTIN_sin) return put_binary(make, IR_mul, by, bi(make, BUILTIN_cos, o[0]));
    if (s->builtin == BUILTIN_sqrt) return put_binary(make, IR_div, by, put_binary(make, IR_add, value, value));
    return by;
  default: return NULL;
  }
}
