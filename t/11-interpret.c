/* The interpreter: the operators' values at their extremes, then whole tasks by the
 * library's function, over a tree that is a table in this file. */
#include "gen/base/base.h"
#include "gen/interpret/fatal.h"
#include "gen/ir/ir.h"
#include "gen/model/builtins.h"
#include "gen/model/evaluate.h"

#include <snode/interpreter.h>

#define diag tap_diag         /* gen/base has another */
#include "t/tap.h"
#undef diag

/* ---- values ---- */

static Value run(IrOp op, int builtin, const Type *result, const Type *type, int count,
                 const Value *operand)
{
  IrStmt value = { .op = IR_const, .type = type }, *operands[3] = { &value, &value, &value };
  IrStmt s = { .op = op, .type = result, .operands = operands, .operand_count = count,
               .builtin = builtin };

  return ir_evaluate(&s, operand);
}

typedef struct IntegerRow {
  IrOp op;
  TypeKind type;
  int64_t a, b, want;
} IntegerRow;

#define LEAST INT64_MIN
#define MOST INT64_MAX
#define U64(x) ((int64_t)UINT64_C(x))

static const IntegerRow integer_rows[] = {
  { IR_add, TYPE_U8, 200, 100, 44 },        { IR_add, TYPE_I8, 127, 1, -128 },
  { IR_add, TYPE_I64, MOST, 1, LEAST },     { IR_add, TYPE_U64, -1, 1, 0 },
  { IR_sub, TYPE_U16, 0, 1, 65535 },        { IR_sub, TYPE_I32, INT32_MIN, 1, INT32_MAX },
  { IR_mul, TYPE_U16, 65535, 65535, 1 },    { IR_mul, TYPE_I64, LEAST, -1, LEAST },
  { IR_mul, TYPE_I32, 65536, 65536, 0 },    { IR_mul, TYPE_U32, UINT32_MAX, UINT32_MAX, 1 },
  { IR_div, TYPE_I32, 7, 0, 0 },            { IR_div, TYPE_I32, -7, 2, -3 },
  { IR_div, TYPE_I8, -128, -1, -128 },      { IR_div, TYPE_I64, LEAST, -1, LEAST },
  { IR_div, TYPE_U64, -1, 2, MOST },        { IR_div, TYPE_U8, 255, 0, 0 },
  { IR_mod, TYPE_I32, 7, 0, 0 },            { IR_mod, TYPE_I32, -7, 2, -1 },
  { IR_mod, TYPE_I64, LEAST, -1, 0 },       { IR_mod, TYPE_U64, -1, 10, 5 },
  { IR_bit_and, TYPE_I8, -1, 85, 85 },      { IR_bit_or, TYPE_U8, 240, 15, 255 },
  { IR_bit_xor, TYPE_I64, -1, MOST, LEAST }, { IR_bit_xor, TYPE_BOOL, 1, 1, 0 },
  { IR_shl, TYPE_I32, 1, 31, INT32_MIN },   { IR_shl, TYPE_I32, 1, 32, 1 },
  { IR_shl, TYPE_U8, 255, 4, 240 },         { IR_shl, TYPE_U8, 3, 9, 6 },
  { IR_shl, TYPE_I64, 1, -1, LEAST },       { IR_shl, TYPE_I64, 1, 64, 1 },
  { IR_shr, TYPE_I32, -8, 1, -4 },          { IR_shr, TYPE_I8, -128, 7, -1 },
  { IR_shr, TYPE_U8, 128, 7, 1 },           { IR_shr, TYPE_U64, -1, 63, 1 },
  { IR_shr, TYPE_I64, LEAST, 63, -1 },      { IR_shr, TYPE_I16, -1, 16, -1 },
  { IR_neg, TYPE_I8, -128, 0, -128 },       { IR_neg, TYPE_U32, 1, 0, UINT32_MAX },
  { IR_neg, TYPE_I64, LEAST, 0, LEAST },    { IR_bit_not, TYPE_U8, 0, 0, 255 },
  { IR_bit_not, TYPE_I16, 0, 0, -1 },       { IR_logic_not, TYPE_BOOL, 1, 0, 0 },
  { IR_cmp_eq, TYPE_U64, -1, -1, 1 },       { IR_cmp_ne, TYPE_I8, -1, -1, 0 },
  { IR_cmp_lt, TYPE_U64, 1, -1, 1 },        { IR_cmp_lt, TYPE_I64, 1, -1, 0 },
  { IR_cmp_le, TYPE_U64, -1, 0, 0 },        { IR_cmp_gt, TYPE_U64, -1, 0, 1 },
  { IR_cmp_ge, TYPE_I64, LEAST, MOST, 0 },  { IR_cmp_ge, TYPE_BOOL, 1, 0, 1 },
};

static void test_integers(void)
{
  for (size_t k = 0; k < sizeof integer_rows / sizeof *integer_rows; k++) {
    const IntegerRow *r = &integer_rows[k];
    const Type *t = &type_scalar[r->type];
    Value operand[2] = { { .i = r->a }, { .i = r->b } };
    Value got = run(r->op, 0, t, t, ir_op_info[r->op].operands, operand);
    is_int(got.i, r->want, "%s <%s> %lld %lld", ir_op_info[r->op].name, t->name,
           (long long)r->a, (long long)r->b);
  }
}

typedef struct BuiltinRow {
  int builtin;
  TypeKind type;
  int64_t a, b, c, want;
} BuiltinRow;

static const BuiltinRow builtin_rows[] = {
  { BUILTIN_pow, TYPE_I32, 3, 4, 0, 81 },        { BUILTIN_pow, TYPE_I32, 0, 0, 0, 1 },
  { BUILTIN_pow, TYPE_U8, 2, 8, 0, 0 },          { BUILTIN_pow, TYPE_I32, 2, 31, 0, INT32_MIN },
  { BUILTIN_pow, TYPE_I32, 2, -1, 0, 0 },        { BUILTIN_pow, TYPE_I32, 1, -5, 0, 1 },
  { BUILTIN_pow, TYPE_I32, -1, -5, 0, -1 },      { BUILTIN_pow, TYPE_I32, -1, -4, 0, 1 },
  { BUILTIN_pow, TYPE_U64, 3, -1, 0, U64(12297829382473034411) },
  { BUILTIN_abs, TYPE_I8, -128, 0, 0, -128 },    { BUILTIN_abs, TYPE_I32, -5, 0, 0, 5 },
  { BUILTIN_abs, TYPE_U64, -1, 0, 0, -1 },       { BUILTIN_sign, TYPE_I64, LEAST, 0, 0, -1 },
  { BUILTIN_sign, TYPE_I32, 0, 0, 0, 0 },        { BUILTIN_sign, TYPE_U64, -1, 0, 0, 1 },
  { BUILTIN_min, TYPE_U64, -1, 1, 0, 1 },        { BUILTIN_max, TYPE_U64, -1, 1, 0, -1 },
  { BUILTIN_min, TYPE_I64, -1, 1, 0, -1 },       { BUILTIN_max, TYPE_I8, -128, 127, 0, 127 },
  { BUILTIN_clamp, TYPE_I32, 9, 1, 5, 5 },       { BUILTIN_clamp, TYPE_I32, -9, 1, 5, 1 },
  { BUILTIN_clamp, TYPE_I32, 3, 5, 1, 1 },       { BUILTIN_sqr, TYPE_U8, 16, 0, 0, 0 },
  { BUILTIN_floordiv, TYPE_I32, -7, 2, 0, -4 },  { BUILTIN_floordiv, TYPE_I32, 7, -2, 0, -4 },
  { BUILTIN_floordiv, TYPE_I32, -8, 2, 0, -4 },  { BUILTIN_floordiv, TYPE_I32, 7, 0, 0, 0 },
  { BUILTIN_floordiv, TYPE_I64, LEAST, -1, 0, LEAST },
  { BUILTIN_floordiv, TYPE_U64, -1, 2, 0, MOST },
  { BUILTIN_floormod, TYPE_I32, -7, 3, 0, 2 },   { BUILTIN_floormod, TYPE_I32, 7, -3, 0, -2 },
  { BUILTIN_floormod, TYPE_I32, 6, -3, 0, 0 },   { BUILTIN_floormod, TYPE_I32, 7, 0, 0, 0 },
  { BUILTIN_floormod, TYPE_U8, 250, 7, 0, 5 },   { BUILTIN_floormod, TYPE_I64, LEAST, -1, 0, 0 },
  { BUILTIN_popcount, TYPE_I8, -1, 0, 0, 8 },    { BUILTIN_popcount, TYPE_U64, -1, 0, 0, 64 },
  { BUILTIN_clz, TYPE_I8, 0, 0, 0, 8 },          { BUILTIN_clz, TYPE_U16, 1, 0, 0, 15 },
  { BUILTIN_clz, TYPE_I32, -1, 0, 0, 0 },        { BUILTIN_clz, TYPE_I64, 0, 0, 0, 64 },
  { BUILTIN_ctz, TYPE_I8, 0, 0, 0, 8 },          { BUILTIN_ctz, TYPE_U32, 0, 0, 0, 32 },
  { BUILTIN_ctz, TYPE_I64, LEAST, 0, 0, 63 },    { BUILTIN_ctz, TYPE_I16, 12, 0, 0, 2 },
};

static void test_integer_builtins(void)
{
  for (size_t k = 0; k < sizeof builtin_rows / sizeof *builtin_rows; k++) {
    const BuiltinRow *r = &builtin_rows[k];
    const Type *t = &type_scalar[r->type];
    bool counts = builtin_info[r->builtin].rule == BUILTIN_RULE_INTEGER;
    Value operand[3] = { { .i = r->a }, { .i = r->b }, { .i = r->c } };
    Value got = run(IR_builtin, r->builtin, counts ? TY(I32) : t, t,
                    builtin_info[r->builtin].arguments, operand);
    is_int(got.i, r->want, "%s <%s> %lld %lld", builtin_name[r->builtin], t->name,
           (long long)r->a, (long long)r->b);
  }
}

/* ---- floats ---- */

typedef struct FloatRow {
  IrOp op;
  int builtin;
  TypeKind type;
  double a, b, c, want;
} FloatRow;

#define B(name) IR_builtin, BUILTIN_##name

/* Wanted values are exact, or math.h's of the type. */
static void test_floats(void)
{
  const double nothing = NAN, tenth = (double)0.1f;
  const FloatRow rows[] = {
    { IR_add, 0, TYPE_F32, 16777216, 1, 0, 16777216 },
    { IR_add, 0, TYPE_F64, 16777216, 1, 0, 16777217 },
    { IR_mul, 0, TYPE_F32, tenth, tenth, 0, (double)(0.1f * 0.1f) },
    { IR_mul, 0, TYPE_F32, 3e38, 10, 0, INFINITY },
    { IR_div, 0, TYPE_F64, 1, 0, 0, INFINITY },  { IR_div, 0, TYPE_F64, 0, 0, 0, nothing },
    { IR_div, 0, TYPE_F32, 1, 3, 0, (double)(1.0f / 3.0f) },
    { IR_mod, 0, TYPE_F64, -7.5, 2, 0, -1.5 },   { IR_mod, 0, TYPE_F32, 5.5, -2, 0, 1.5 },
    { IR_sub, 0, TYPE_F64, INFINITY, INFINITY, 0, nothing },
    { IR_neg, 0, TYPE_F64, 2.5, 0, 0, -2.5 },
    { B(min), TYPE_F64, nothing, 1, 0, 1 },      { B(min), TYPE_F64, 1, nothing, 0, 1 },
    { B(max), TYPE_F32, nothing, 1, 0, 1 },      { B(max), TYPE_F32, 1, nothing, 0, 1 },
    { B(max), TYPE_F64, nothing, nothing, 0, nothing },
    { B(clamp), TYPE_F64, 7, 0, 1, 1 },          { B(clamp), TYPE_F64, nothing, 0, 1, 0 },
    { B(round), TYPE_F64, 2.5, 0, 0, 3 },        { B(round), TYPE_F64, -2.5, 0, 0, -3 },
    { B(round), TYPE_F32, 0.5, 0, 0, 1 },        { B(trunc), TYPE_F64, -2.5, 0, 0, -2 },
    { B(floor), TYPE_F32, -0.5, 0, 0, -1 },      { B(ceil), TYPE_F64, 0.25, 0, 0, 1 },
    { B(sign), TYPE_F64, -0.0, 0, 0, 0 },        { B(sign), TYPE_F32, -3, 0, 0, -1 },
    { B(sign), TYPE_F64, nothing, 0, 0, 0 },     { B(abs), TYPE_F64, -INFINITY, 0, 0, INFINITY },
    { B(sqrt), TYPE_F32, 2, 0, 0, (double)sqrtf(2) }, { B(sqrt), TYPE_F64, -1, 0, 0, nothing },
    { B(rsqrt), TYPE_F32, 4, 0, 0, 0.5 },        { B(rsqrt), TYPE_F64, 0, 0, 0, INFINITY },
    { B(exp), TYPE_F32, 1, 0, 0, (double)expf(1) },   { B(log), TYPE_F64, 0, 0, 0, -INFINITY },
    { B(sin), TYPE_F32, 1, 0, 0, (double)sinf(1) },   { B(cos), TYPE_F64, 0, 0, 0, 1 },
    { B(tan), TYPE_F64, 0, 0, 0, 0 },            { B(asin), TYPE_F64, 2, 0, 0, nothing },
    { B(acos), TYPE_F64, 1, 0, 0, 0 },           { B(atan), TYPE_F32, 1, 0, 0, (double)atanf(1) },
    { B(atan2), TYPE_F64, 1, -1, 0, atan2(1, -1) },
    { B(atan2), TYPE_F32, 1, -1, 0, (double)atan2f(1, -1) },
    { B(sinh), TYPE_F64, 0, 0, 0, 0 },           { B(cosh), TYPE_F64, 0, 0, 0, 1 },
    { B(tanh), TYPE_F32, 100, 0, 0, 1 },         { B(pow), TYPE_F64, 2, -1, 0, 0.5 },
    { B(pow), TYPE_F32, -8, 0.5, 0, nothing },
    { B(fma), TYPE_F32, 16777217.0, 16777217.0, 1, (double)fmaf(16777216.0f, 16777216.0f, 1) },
    { B(fma), TYPE_F64, 1 + 0x1p-30, 1 - 0x1p-30, -1, -0x1p-60 },
    { B(mix), TYPE_F64, 2, 6, 0.25, 3 },         { B(mix), TYPE_F32, 1, 2, 1, 2 },
    { B(sqr), TYPE_F32, tenth, 0, 0, (double)(0.1f * 0.1f) },
    { B(floordiv), TYPE_F64, -7, 2, 0, -4 },     { B(floordiv), TYPE_F32, 7.5, 2, 0, 3 },
    { B(floormod), TYPE_F64, -7.5, 2, 0, 0.5 },  { B(floormod), TYPE_F32, 7.5, -2, 0, -0.5 },
    { B(floormod), TYPE_F64, 6, -3, 0, 0 },
  };

  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const FloatRow *r = &rows[k];
    const Type *t = &type_scalar[r->type];
    Value operand[3] = { value_wrap(t, (Value){ .f = r->a }), value_wrap(t, (Value){ .f = r->b }),
                         value_wrap(t, (Value){ .f = r->c }) };
    bool is_builtin = r->op == IR_builtin;
    Value got = run(r->op, r->builtin, t, t,
                    is_builtin ? builtin_info[r->builtin].arguments
                               : ir_op_info[r->op].operands, operand);
    is_double(got.f, r->want, "%s <%s> %g %g", is_builtin ? builtin_name[r->builtin]
              : ir_op_info[r->op].name, t->name, r->a, r->b);
  }
}

static void test_comparisons(void)
{
  static const struct { IrOp op; int less, equal, nan; } rows[] = {
    { IR_cmp_eq, 0, 1, 0 }, { IR_cmp_ne, 1, 0, 1 }, { IR_cmp_lt, 1, 0, 0 },
    { IR_cmp_le, 1, 1, 0 }, { IR_cmp_gt, 0, 0, 0 }, { IR_cmp_ge, 0, 1, 0 },
  };
  const Value less[2] = { { .f = -1 }, { .f = 1 } }, zeros[2] = { { .f = -0.0 }, { .f = 0 } };
  const Value nans[2] = { { .f = NAN }, { .f = 1 } };

  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *name = ir_op_info[rows[k].op].name;
    is_int(run(rows[k].op, 0, TY(BOOL), TY(F64), 2, less).i, rows[k].less, "%s -1 1", name);
    is_int(run(rows[k].op, 0, TY(BOOL), TY(F32), 2, zeros).i, rows[k].equal, "%s -0 0", name);
    is_int(run(rows[k].op, 0, TY(BOOL), TY(F64), 2, nans).i, rows[k].nan, "%s nan 1", name);
  }
}

/* ---- casts ---- */

static int64_t cast_float(TypeKind to, double f)
{
  Value v = { .f = f };

  return run(IR_cast, 0, &type_scalar[to], TY(F64), 1, &v).i;
}

static Value cast_integer(TypeKind to, TypeKind from, int64_t i)
{
  Value v = { .i = i };

  return run(IR_cast, 0, &type_scalar[to], &type_scalar[from], 1, &v);
}

static void test_casts(void)
{
  Value v = { .f = 1 }, bits = { .i = 0x7f800000 };

  is_int(cast_float(TYPE_I8, 1e9), 127, "a float saturates at the greatest i8");
  is_int(cast_float(TYPE_I8, -1e9), -128, "at the least");
  is_int(cast_float(TYPE_U8, -1), 0, "at 0 of u8");
  is_int(cast_float(TYPE_U8, 255.9), 255, "and is cut");
  is_int(cast_float(TYPE_I64, INFINITY), MOST, "infinity");
  is_int(cast_float(TYPE_I64, -9223372036854775808.0), LEAST, "the least i64 fits");
  is_int(cast_float(TYPE_U64, 1e30), -1, "the greatest u64");
  is_int(cast_float(TYPE_U64, 9223372036854775808.0), LEAST, "2^63 in u64");
  is_int(cast_float(TYPE_I32, NAN), 0, "NaN gives 0");
  is_int(cast_float(TYPE_BOOL, NAN), 1, "but NaN is not 0");
  is_int(cast_float(TYPE_BOOL, -0.0), 0, "-0 is");
  is_int(cast_integer(TYPE_I8, TYPE_I32, 200).i, -56, "integers keep their low bits");
  is_int(cast_integer(TYPE_U64, TYPE_I8, -1).i, -1, "and are extended by their own sign");
  is_int(cast_integer(TYPE_BOOL, TYPE_I32, 256).i, 1, "to bool is != 0");
  is_double(cast_integer(TYPE_F64, TYPE_U64, -1).f, 18446744073709551616.0, "u64 to f64");
  is_double(cast_integer(TYPE_F32, TYPE_I32, 16777217).f, 16777216, "i32 to f32 is rounded");
  is_double(cast_integer(TYPE_F32, TYPE_I64, INT64_C(0x4000004000000001)).f,
            0x1.000002p62, "once, not by way of f64");
  is_int(run(IR_bitcast, 0, TY(I32), TY(F32), 1, &v).i, 0x3f800000, "bits of 1.0f");
  is_int(run(IR_bitcast, 0, TY(I64), TY(F64), 1, &v).i, INT64_C(0x3ff0000000000000), "of 1.0");
  is_double(run(IR_bitcast, 0, TY(F32), TY(U32), 1, &bits).f, INFINITY, "bits to f32");
  bits.i = -1;
  is_int(run(IR_bitcast, 0, TY(U32), TY(I32), 1, &bits).i, UINT32_MAX, "i32 to u32");
}

static void test_updates(void)
{
  Value three = { .i = 3 }, nan = { .f = NAN }, one = { .f = 1 };
  const int64_t want[OP_EXCHANGE] = {
    [OP_ADD] = -4, [OP_SUB] = -10, [OP_MUL] = -21, [OP_DIV] = -2,
    [OP_MOD] = -1, [OP_MIN] = -7, [OP_MAX] = 3, [OP_AND] = 1,
    [OP_OR] = -5, [OP_XOR] = -6, [OP_SHL] = -56, [OP_SHR] = -1
  };

  /* an exchange computes nothing */
  for (int k = OP_ADD; k < OP_EXCHANGE; k++)
    is_int(evaluate_binary((Op)k, TY(I32), (Value){ .i = -7 }, three).i, want[k],
           "-7 %s 3", operator_name[k]);
  is_double(evaluate_binary(OP_MIN, TY(F64), nan, one).f, 1, "min of a NaN");
}

/* What a sum of threads begins with leaves every value as it is, also those at the ends. */
static void test_neutral(void)
{
  static const Op updates[] = { OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR };
  static const TypeKind kinds[] = { TYPE_I8, TYPE_U16, TYPE_I32, TYPE_U64, TYPE_I64 };
  const Value floats[] = { { .f = 2.5 }, { .f = INFINITY }, { .f = -INFINITY } };

  for (size_t u = 0; u < sizeof updates / sizeof *updates; u++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      const Type *t = &type_scalar[kinds[k]];
      Value neutral = evaluate_neutral(updates[u], t);
      bool stays = true;
      for (int bit = 0; bit < 2 * t->bits; bit++) {
        uint64_t x = UINT64_C(1) << (bit / 2);
        Value v = value_wrap(t, (Value){ .i = (int64_t)(bit % 2 ? ~x : x) });
        stays = stays && evaluate_binary(updates[u], t, neutral, v).i == v.i &&
                evaluate_binary(updates[u], t, v, neutral).i == v.i;
      }
      ok(stays, "%s of %s", operator_name[updates[u]], t->name);
    }
  for (int u = 0; u < 4; u++)
    for (int k = 0; k < 3; k++)
      is_double(evaluate_binary(updates[u], TY(F32), evaluate_neutral(updates[u], TY(F32)),
                                floats[k]).f,
                floats[k].f, "%s with %g", operator_name[updates[u]], floats[k].f);
  for (int u = 2; u < 4; u++)
    ok(isnan(evaluate_binary(updates[u], TY(F64), evaluate_neutral(updates[u], TY(F64)),
                             (Value){ .f = NAN }).f), "%s of a NaN alone is one",
       operator_name[updates[u]]);
}

/* ---- a tree: a table of its 6 x 6 cells in tiles of 2 x 3 ---- */

enum { TILES_I = 3, TILES_J = 2, CELLS_I = 6, CELLS_J = 6 };

typedef struct Tree {
  float u[CELLS_I][CELLS_J];
  uint8_t set[CELLS_I][CELLS_J];
  int64_t total;
  uint8_t active[TILES_I][TILES_J], listed[TILES_I][TILES_J];
  uint64_t mask;
} Tree;

static Tree trees[2];

static uint8_t *active_at(int slot, int64_t i, int64_t j)
{
  return &trees[slot].active[i / 2][j / 3];
}

static void tree_get(const snd_args *args, int32_t slot, int32_t field, const int64_t *index,
                     void *value)
{
  static const float inactive = 1.5f;
  const Tree *t = &trees[slot];

  (void)args;
  if (field == 1)
    memcpy(value, &t->total, sizeof t->total);
  else if (field == 0)
    memcpy(value, *active_at(slot, index[1], index[0]) ? &t->u[index[1]][index[0]] : &inactive, 4);
  else
    *(uint8_t *)value = *active_at(slot, index[0], index[1]) && t->set[index[0]][index[1]];
}

static void tree_set(const snd_args *args, int32_t slot, int32_t field, const int64_t *index,
                     const void *value)
{
  Tree *t = &trees[slot];

  (void)args;
  if (field == 1) {
    memcpy(&t->total, value, sizeof t->total);
  } else if (field == 0) {
    *active_at(slot, index[1], index[0]) = 1;
    memcpy(&t->u[index[1]][index[0]], value, 4);
  } else {
    *active_at(slot, index[0], index[1]) = 1;
    t->set[index[0]][index[1]] = *(const uint8_t *)value;
  }
}

static uint8_t *node_at(int32_t slot, int32_t snode, const int64_t *index)
{
  return snode == 1 ? &trees[slot].active[index[0]][index[1]]
                    : active_at(slot, index[0], index[1]);
}

static int tree_is_active(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  (void)args;
  return *node_at(slot, snode, index);
}

static void tree_activate(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  (void)args;
  *node_at(slot, snode, index) = 1;
}

static void tree_deactivate(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  (void)args;
  *node_at(slot, snode, index) = 0;
}

/* Only what the text leaves to creation is asked for: axis i. */
static int64_t tree_total(const snd_args *args, int32_t slot, int32_t snode, int32_t axis)
{
  (void)args;
  (void)slot;
  if (axis != 0)
    bail("a constant extent was asked for");
  return snode == 0 ? 1 : snode == 1 ? TILES_I : CELLS_I;
}

static int64_t tree_list_length(const snd_args *args, int32_t slot, int32_t snode)
{
  int64_t n = 0;

  (void)args;
  for (int k = 0; k < TILES_I * TILES_J; k++)
    n += trees[slot].listed[k / TILES_J][k % TILES_J];
  return snode == 1 ? 1 : n;
}

static void tree_list_entry(const snd_args *args, int32_t slot, int32_t snode, int64_t entry,
                            sn_interpreter_entry *out)
{
  Tree *t = &trees[slot];

  (void)args;
  t->mask = 0;
  out->first = 0;
  out->last = TILES_I * TILES_J;       /* of either SNode */
  out->mask = snode == 1 ? &t->mask : NULL;
  for (int k = 0; k < TILES_I * TILES_J; k++) {
    t->mask |= (uint64_t)t->listed[k / TILES_J][k % TILES_J] << k;
    if (snode == 2 && t->listed[k / TILES_J][k % TILES_J] && entry-- == 0) {
      out->coordinate[0] = k / TILES_J;
      out->coordinate[1] = k % TILES_J;
    }
  }
}

static const sn_interpreter_access tree_access = {
  .get = tree_get, .set = tree_set, .is_active = tree_is_active, .activate = tree_activate,
  .deactivate = tree_deactivate, .total = tree_total, .list_length = tree_list_length,
  .list_entry = tree_list_entry
};

/* ---- kernels of t/ir/run.ir ---- */

typedef struct LoopsParams {
  int32_t n;
  int64_t m;
  sn_addr at, seen;
  uint8_t small;
} LoopsParams;

typedef struct LoopsVars {
  double sum, result;
  int32_t calls;
} LoopsVars;

typedef struct FailsParams {
  int32_t how;
  sn_addr at;
} FailsParams;

#define PLACE(type, member) { offsetof(type, member), sizeof(((type *)0)->member) }
static const sn_interpreter_place loops_params[] = {
  PLACE(LoopsParams, n), PLACE(LoopsParams, m), { offsetof(LoopsParams, at), 4 },
  { offsetof(LoopsParams, seen), 4 }, PLACE(LoopsParams, small)
};
static const sn_interpreter_place loops_vars[] = {
  PLACE(LoopsVars, sum), PLACE(LoopsVars, result), PLACE(LoopsVars, calls)
};
static const sn_interpreter_place fails_params[] = {
  PLACE(FailsParams, how), { offsetof(FailsParams, at), 8 }
};
static const sn_interpreter_place fails_vars[] = { { 0, 4 } };

static const sn_interpreter_kernel kernels[] = {
  { "loops", 5, 3, loops_params, loops_vars },
  { "visit", 0, 0, NULL, NULL },
  { "fails", 2, 1, fails_params, fails_vars },
  { "short", 0, 0, NULL, NULL }
};

static const char *pieces[3];
static sn_interpreter_program program = { pieces, 4, kernels };

static char printed[4096];

static void note_record(void *host, const uint64_t *record)
{
  size_t used = strlen(printed);

  snprintf(printed + used, sizeof printed - used, "%s%d:", (const char *)host, (int)record[1]);
  for (uint64_t k = 2; k < record[0]; k++) {
    used = strlen(printed);
    snprintf(printed + used, sizeof printed - used, " %" PRId64, (int64_t)record[k]);
  }
}

static union {
  snd_launch launch;
  char room[sizeof(snd_launch) + 64];
} record;

static int call(const char *kernel, int task, const void *params)
{
  static char separator[] = ";";
  snd_args args = { .slot_count = 2, .launch = (sn_addr)(uintptr_t)&record.launch,
                    .params = params };

  record.launch.host = (sn_addr)(uintptr_t)separator;
  record.launch.print_host = (sn_addr)(uintptr_t)note_record;
  printed[0] = '\0';
  return sn_interpret(&program, kernel, task, &args, &tree_access);
}

static void begin(void)
{
  memset(&record, 0, sizeof record);
  memset(trees, 0, sizeof trees);
}

static void test_loops(void)
{
  const LoopsVars *vars = (const LoopsVars *)record.launch.vars;
  int32_t at[5][2] = { { 0, 3 }, { 0, 4 }, { 0, 5 }, { 0, 11 }, { 0, 7 } }, seen[2] = { 0, 0 };
  LoopsParams params = { 5, 5, (sn_addr)(uintptr_t)at, (sn_addr)(uintptr_t)seen, 200 };

  begin();
  is_int(call("loops", 0, &params), SN_OK, "a serial task runs");
  is_double(vars->sum, 8, "3 + 5: continue leaves out 4, break what follows 11");
  is_int(seen[1], 1, "an element of an array of bools of four bytes");
  is_str(printed, ";3: 8 144 -4620693217682128896 1;4:", "prints are words: 400 wraps in u8");
  is_int(call("loops", 1, &params), SN_OK, "a parallel range runs");
  is_double(vars->sum, 8 + 4 + 4 + 9, "squares above 2, 3 and 4, once: the row of 0 is left out");
  is_int(vars->calls, 3, "in three iterations");
  is_int(call("loops", 2, &params), SN_OK, "the last task runs");
  is_double(vars->result, 25, "and takes the sum over");
}

static void test_visit(void)
{
  begin();
  trees[0].active[0][1] = trees[0].active[2][0] = 1;
  memcpy(trees[0].listed, trees[0].active, sizeof trees[0].active);
  trees[1].active[0][1] = 1;
  is_int(call("visit", 0, NULL), SN_OK, "a struct_for over a dense leaf runs");
  is_str(printed, ";8: 0 3;8: 0 4;8: 0 5;8: 1 3;8: 1 4;8: 1 5"
         ";8: 4 0;8: 4 1;8: 4 2;8: 5 0;8: 5 1;8: 5 2", "every cell once, ascending");
  is_double((double)trees[0].u[5][2], 502, "and writes by the field's own order");
  is_int(trees[1].total, 6, "six cells read 0, six the default 1.5 cut to 1");
  is_int(call("visit", 1, NULL), SN_OK, "a struct_for over a pointer SNode runs");
  is_str(printed, ";12: 1 0 0;18: 3 3;12: 0 0 0;18: 3 3",
         "over its mask; indices of i64; outside is inactive");
  ok(trees[0].active[1][0] && !trees[0].active[2][0], "a write activates another tile");
  ok(trees[1].active[1][0], "activate a dense cell: its tile");
  is_int(record.launch.status.code, SN_OK, "nothing failed");
}

static void fail_as(int how, const char *what, int code, int site)
{
  int64_t at[4] = { 0, 0, 0, 0 };
  FailsParams params = { how, (sn_addr)(uintptr_t)at };

  begin();
  is_int(call("fails", 0, &params), SN_OK, "%s: the call itself is fine", what);
  is_int(record.launch.status.code, code, "%s: the code", what);
  is_int(record.launch.status.site, site, "%s: the site", what);
}

static void test_failures(void)
{
  const snd_status *status = &record.launch.status;
  int32_t reached;

  fail_as(0, "nothing fails", SN_OK, 0);
  memcpy(&reached, record.launch.vars, sizeof reached);
  is_int(reached, 3, "all iterations run");
  fail_as(1, "inside all the way", SN_OK, 0);
  fail_as(2, "an array", SN_EBOUNDS, 19);
  is_int(status->slot, -1, "an array is in no tree");
  is_int(status->index_count, 1, "one index");
  is_int(status->index[0], 4, "which is 4");
  fail_as(3, "an assertion", SN_EASSERT, 20);
  is_str(printed, "", "nothing is printed");
  is_int(status->index_count, 2, "its message's arguments are kept");
  is_int(status->index[0], 3, "the first");
  is_int(status->index[1], 0, "the second");
  memcpy(&reached, record.launch.vars, sizeof reached);
  is_int(reached, 0, "and ends the task");
  fail_as(4, "a u64 index", SN_EBOUNDS, 21);
  is_int(status->slot, 1, "of the second tree");
  is_int(status->snode, 1, "of its tile");
  is_int(status->index[0], -1, "past INT64_MAX");
  fail_as(5, "the last cell", SN_OK, 0);
}

/* The same program with another bounds mode: a word of its first line. */
static void set_bounds(char *text, const char *word)
{
  memcpy(strstr(text, "bounds ") + 7, word, 4);
  memmove(strstr(text, "bounds ") + 11, strchr(text, '\n'), strlen(strchr(text, '\n')) + 1);
}

static void test_bounds_zero(char *text)
{
  int32_t reached;

  set_bounds(text, "zero");
  fail_as(2, "--bounds=zero, an array", SN_OK, 0);
  memcpy(&reached, record.launch.vars, sizeof reached);
  is_int(reached, 3, "the write is dropped, the iteration goes on");
  fail_as(4, "--bounds=zero, an activation", SN_OK, 0);
  fail_as(3, "--bounds=zero, an assertion", SN_EASSERT, 20);
  set_bounds(text, "trap");
}

static void test_bad_programs(char *text)
{
  FailsParams params = { 0, 0 };
  char first = text[0];

  begin();
  is_int(call("absent", 0, &params), SN_EBUG, "no such kernel");
  is_int(call("short", 0, &params), SN_EBUG, "a kernel that the text lacks");
  is_int(call("fails", 1, &params), SN_EBUG, "no such task");
  is_int(call("fails", -1, &params), SN_EBUG, "a task below 0");
  text[0] = '?';
  is_int(call("fails", 0, &params), SN_EBUG, "text that cannot be read");
  text[0] = first;
  pieces[1] = "kernel void more() {\n  break\n}\n";
  is_int(call("fails", 0, &params), SN_EBUG, "text that breaks a rule");
  pieces[1] = "kernel void more() {\n}\n";
  is_int(call("fails", 0, &params), SN_OK, "text in pieces");
  pieces[1] = NULL;
}

/* ---- ends that would be snodegen's ---- */

static void run_out(void *user)
{
  *(int *)user = 1;
  out_of_memory();
}

static void give_up(void *user)
{
  int *reached = user, inner = 0;

  is_int(interpreter_guard(run_out, &inner), SN_ENOMEM, "memory runs out within a call");
  *reached = 1 + inner;
  ICE("a rule is broken");
}

static void return_well(void *user)
{
  *(int *)user = 3;
}

static void test_fatal(void)
{
  int reached = 0;

  is_int(interpreter_guard(give_up, &reached), SN_EBUG, "an error of snodegen's comes back");
  is_int(reached, 2, "from where it was");
  is_int(interpreter_guard(return_well, &reached), SN_OK, "and the guard works after it");
  is_int(reached, 3, "to the end");
}

static char *read_program(void)
{
  const char *folder = getenv("SN_SRCDIR");
  char path[4096], *text = calloc(1, 1 << 16);
  FILE *file;

  snprintf(path, sizeof path, "%s/t/ir/run.ir", folder ? folder : ".");
  file = fopen(path, "rb");
  if (!text || !file || fread(text, 1, (1 << 16) - 1, file) == 0)
    bail(path);
  fclose(file);
  return text;
}

int main(void)
{
  char *text = read_program();

  test_integers();
  test_integer_builtins();
  test_floats();
  test_comparisons();
  test_casts();
  test_updates();
  test_neutral();
  pieces[0] = text;
  test_loops();
  test_visit();
  test_failures();
  test_bounds_zero(text);
  test_bad_programs(text);
  test_fatal();
  free(text);
  return done_testing();
}
