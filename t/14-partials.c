/* The derivatives of operations, gen/derive/partial.c and factor.c: each row of builtins.def and
 * each operation that computes with floating point against differences, at places all over its
 * domain; and what they are at kinks and where there is none.
 */
#include "gen/derive/derive.h"
#include "gen/model/builtins.h"
#include "gen/model/evaluate.h"

#define diag tap_diag         /* gen/base has another */
#include "t/tap.h"
#undef diag

#define SN_SERIAL             /* one thread */
#include <snode/device/factorize.h>

enum { MOST = 9 };            /* operands */

typedef long double Real;

static IrModule module;

/* ---- the operations, in long double ---- */

typedef struct Row {
  IrOp op;
  int builtin;
  Real (*value)(const Real *);
  double from[3], to[3];      /* of the operands; none: it has no derivative but 0 */
} Row;

static Real of_neg(const Real *x) { return -x[0]; }
static Real of_add(const Real *x) { return x[0] + x[1]; }
static Real of_sub(const Real *x) { return x[0] - x[1]; }
static Real of_mul(const Real *x) { return x[0] * x[1]; }
static Real of_div(const Real *x) { return x[0] / x[1]; }
static Real of_mod(const Real *x) { return fmodl(x[0], x[1]); }
static Real of_sqrt(const Real *x) { return sqrtl(x[0]); }
static Real of_rsqrt(const Real *x) { return 1 / sqrtl(x[0]); }
static Real of_exp(const Real *x) { return expl(x[0]); }
static Real of_log(const Real *x) { return logl(x[0]); }
static Real of_sin(const Real *x) { return sinl(x[0]); }
static Real of_cos(const Real *x) { return cosl(x[0]); }
static Real of_tan(const Real *x) { return tanl(x[0]); }
static Real of_asin(const Real *x) { return asinl(x[0]); }
static Real of_acos(const Real *x) { return acosl(x[0]); }
static Real of_atan(const Real *x) { return atanl(x[0]); }
static Real of_atan2(const Real *x) { return atan2l(x[0], x[1]); }
static Real of_sinh(const Real *x) { return sinhl(x[0]); }
static Real of_cosh(const Real *x) { return coshl(x[0]); }
static Real of_tanh(const Real *x) { return tanhl(x[0]); }
static Real of_fma(const Real *x) { return x[0] * x[1] + x[2]; }
static Real of_pow(const Real *x) { return powl(x[0], x[1]); }
static Real of_abs(const Real *x) { return fabsl(x[0]); }
static Real of_min(const Real *x) { return x[0] < x[1] ? x[0] : x[1]; }
static Real of_max(const Real *x) { return x[0] > x[1] ? x[0] : x[1]; }
static Real of_clamp(const Real *x) { return fminl(fmaxl(x[0], x[1]), x[2]); }
static Real of_mix(const Real *x) { return x[0] + (x[1] - x[0]) * x[2]; }
static Real of_sqr(const Real *x) { return x[0] * x[0]; }
static Real of_floormod(const Real *x) { return x[0] - x[1] * floorl(x[0] / x[1]); }

#define OPERATION(name, ...) { IR_##name, -1, of_##name, __VA_ARGS__ }
#define FUNCTION(name, ...) { IR_builtin, BUILTIN_##name, of_##name, __VA_ARGS__ }
#define STEP(name) { IR_builtin, BUILTIN_##name, NULL, { -3, 0.3 }, { 3, 2 } }

static const Row rows[] = {
  OPERATION(neg, { -3 }, { 3 }),
  OPERATION(add, { -3, -3 }, { 3, 3 }),
  OPERATION(sub, { -3, -3 }, { 3, 3 }),
  OPERATION(mul, { -3, -3 }, { 3, 3 }),
  OPERATION(div, { -3, 0.3 }, { 3, 3 }),
  OPERATION(mod, { -9, 0.5 }, { 9, 2 }),
  FUNCTION(sqrt, { 0.1 }, { 9 }),
  FUNCTION(rsqrt, { 0.1 }, { 9 }),
  FUNCTION(exp, { -3 }, { 3 }),
  FUNCTION(log, { 0.1 }, { 9 }),
  FUNCTION(sin, { -7 }, { 7 }),
  FUNCTION(cos, { -7 }, { 7 }),
  FUNCTION(tan, { -1.4 }, { 1.4 }),
  FUNCTION(asin, { -0.97 }, { 0.97 }),
  FUNCTION(acos, { -0.97 }, { 0.97 }),
  FUNCTION(atan, { -5 }, { 5 }),
  FUNCTION(atan2, { -3, -3 }, { 3, -0.1 }),
  FUNCTION(atan2, { -3, 0.1 }, { 3, 3 }),
  FUNCTION(sinh, { -3 }, { 3 }),
  FUNCTION(cosh, { -3 }, { 3 }),
  FUNCTION(tanh, { -3 }, { 3 }),
  FUNCTION(fma, { -3, -3, -3 }, { 3, 3, 3 }),
  FUNCTION(pow, { 0.1, -3 }, { 4, 3 }),
  FUNCTION(abs, { -3 }, { 3 }),
  FUNCTION(min, { -3, -3 }, { 3, 3 }),
  FUNCTION(max, { -3, -3 }, { 3, 3 }),
  FUNCTION(clamp, { -3, -1, 0.5 }, { 3, 0, 1 }),
  FUNCTION(mix, { -3, -3, -1 }, { 3, 3, 2 }),
  FUNCTION(sqr, { -3 }, { 3 }),
  FUNCTION(floormod, { -9, 0.5 }, { 9, 2 }),
  FUNCTION(floormod, { -9, -2 }, { 9, -0.5 }),
  STEP(floor), STEP(ceil), STEP(round), STEP(trunc), STEP(sign), STEP(floordiv)
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- an operation on constants, and what is put for its derivative ---- */

typedef struct Put {
  IrBlock *block;
  Maker make;
  IrStmt *operand[MOST];
} Put;

static Put begin(const Type *type, const double *x, int count)
{
  Put p = { .block = ir_block(&module, NULL) };

  p.make = (Maker){ .module = &module, .block = p.block, .site = -1 };
  for (int k = 0; k < count; k++)
    p.operand[k] = make_value(&p.make, type, (Value){ .f = x[k] });
  return p;
}

/* Of what is put in a block behind given values, all of them. */
static double evaluate(const IrBlock *block, const IrStmt *wanted)
{
  Value *value = arena_alloc(module.arena, sizeof(Value) * (size_t)(block->count + 1));

  for (int k = 0; k < block->count; k++) {
    IrStmt *s = block->stmts[k];
    Value operand[MOST];
    s->id = k;
    for (int o = 0; o < s->operand_count && o < MOST; o++)
      operand[o] = value[s->operands[o]->id];
    value[k] = ir_evaluate(s, operand);
  }
  return value[wanted->id].f;
}

static IrStmt *put_operation(Put *p, IrOp op, int builtin, const Type *type, int count)
{
  IrStmt *s = ir_stmt(&module, op, type, (Loc){ 0 }, NULL);

  s->builtin = builtin;
  for (int k = 0; k < count; k++)
    ir_add_operand(&module, s, p->operand[k]);
  return put(&p->make, s);
}

/* `by` times the derivative by operand k; *is_zero: none was put. */
static double partial(const Row *row, const Type *type, const double *x, int count, int k,
                      double by, bool has_value, bool *is_zero)
{
  Put p = begin(type, x, count);
  IrStmt *s = put_operation(&p, row->op, row->builtin, type, count);
  IrStmt *factor = make_value(&p.make, type, (Value){ .f = by });
  IrStmt *put = put_partial(&p.make, s, p.operand, has_value ? s : NULL, k, factor);

  *is_zero = put == NULL;
  return put ? evaluate(p.block, put) : 0;
}

static double random_between(double low, double high)
{
  static uint64_t state = 12345;

  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(state >> 11) / 9007199254740992.0);
}

static int operands_of(const Row *row)
{
  return row->op == IR_builtin ? builtin_info[row->builtin].arguments
                               : ir_op_info[row->op].operands;
}

static const char *name_of(const Row *row)
{
  return row->op == IR_builtin ? builtin_name[row->builtin] : ir_op_info[row->op].name;
}

static Real difference(const Row *row, const double *at, int count, int k)
{
  const Real h = 1e-6L;
  Real above[3], below[3];

  for (int o = 0; o < count; o++)
    above[o] = below[o] = at[o];
  above[k] += h;
  below[k] -= h;
  return (row->value(above) - row->value(below)) / (2 * h);
}

/* Near a kink or a jump the difference says nothing. */
static bool is_smooth(const Row *row, const double *at, int count, int k)
{
  double x[3] = { 0, 0, 0 };
  Real d[2];

  for (int side = 0; side < 2; side++) {
    for (int o = 0; o < count; o++)
      x[o] = at[o];
    x[k] += side ? 3e-6 : -3e-6;
    d[side] = difference(row, x, count, k);
  }
  return fabsl(d[0] - d[1]) < 0.1L * (1 + fabsl(d[0]));
}

static void test_row(const Row *row, const Type *type, double tolerance)
{
  int count = operands_of(row), wrong = 0, points = tap_size(20, 300, 3000);
  double x[3] = { 0, 0, 0 };
  bool is_zero;

  for (int point = 0; point < points; point++) {
    for (int o = 0; o < count; o++)
      x[o] = (double)(float)random_between(row->from[o], row->to[o]);
    for (int k = 0; k < count; k++) {
      double by = (double)(float)random_between(-2, 2), got, expected;
      got = partial(row, type, x, count, k, by, point % 2, &is_zero);
      if (row->value && !is_smooth(row, x, count, k))
        continue;
      expected = row->value ? (double)(difference(row, x, count, k) * (Real)by) : 0;
      if (fabs(got - expected) <= tolerance * (1 + fabs(expected)) && is_zero == !row->value)
        continue;
      if (wrong++ == 0)
        tap_diag("by operand %d at %g %g %g: %.17g, expected %.17g", k, x[0], x[1], x[2], got,
                 expected);
    }
  }
  is_int(wrong, 0, "%s of %s: derivatives are what differences tend to", name_of(row), type->name);
}

static void test_complete(void)
{
  for (int b = 0; b < BUILTIN_COUNT; b++) {
    BuiltinRule rule = builtin_info[b].rule;
    bool found = rule != BUILTIN_RULE_FLOAT && rule != BUILTIN_RULE_NUMBER;
    for (int k = 0; k < ROWS && !found; k++)
      found = rows[k].op == IR_builtin && rows[k].builtin == b;
    ok(found, "%s has a row here", builtin_name[b]);
  }
}

/* ---- kinks, and where there is no derivative ---- */

typedef struct Special {
  IrOp op;
  int builtin;
  double x[3];
  int k;
  double by, expected;
} Special;

#define AT(name, ...) { IR_builtin, BUILTIN_##name, __VA_ARGS__ }

static const Special specials[] = {
  AT(abs, { 0 }, 0, 1, 0),
  AT(min, { 1, 1 }, 0, 2, 2), AT(min, { 1, 1 }, 1, 2, 0),
  AT(max, { 1, 1 }, 0, 2, 2), AT(max, { 1, 1 }, 1, 2, 0),
  AT(min, { NAN, 1 }, 0, 2, 0), AT(min, { NAN, 1 }, 1, 2, 2),
  AT(max, { 1, NAN }, 0, 2, 2), AT(max, { 1, NAN }, 1, 2, 0),
  AT(clamp, { 0, 0, 1 }, 0, 2, 2), AT(clamp, { 0, 0, 1 }, 1, 2, 0),
  AT(clamp, { 1, 0, 1 }, 0, 2, 2), AT(clamp, { 1, 0, 1 }, 2, 2, 0),
  AT(clamp, { 2, 1, 1 }, 1, 2, 0), AT(clamp, { 2, 1, 1 }, 2, 2, 2),
  AT(clamp, { 0, 1, 1 }, 1, 2, 2), AT(clamp, { 0, 1, 1 }, 2, 2, 0),
  AT(sqrt, { 0 }, 0, 1, INFINITY), AT(sqrt, { 0 }, 0, 0, 0),
  AT(asin, { 1 }, 0, 1, INFINITY), AT(asin, { 1 }, 0, 0, 0),
  AT(acos, { -1 }, 0, 1, -INFINITY), AT(acos, { -1 }, 0, 0, 0),
  AT(atan2, { 0, 0 }, 0, 1, 0), AT(atan2, { 0, 0 }, 1, 1, 0),
  AT(pow, { 0, 0 }, 0, 1, 0), AT(pow, { 0, 1 }, 0, 2, 2), AT(pow, { 0, 2 }, 0, 2, 0),
  AT(pow, { 0, 0.5 }, 0, 1, INFINITY), AT(pow, { 0, 0.5 }, 0, 0, 0),
  AT(pow, { -2, 3 }, 0, 1, 12), AT(pow, { -2, 3 }, 1, 1, 0),
  AT(pow, { 0, 2 }, 1, 1, 0), AT(pow, { -2, 2 }, 0, 1, -4),
  AT(fma, { 2, 3, 4 }, 2, 5, 5),
  { IR_mod, -1, { 7, 2 }, 1, 1, -3 }, { IR_mod, -1, { -7, 2 }, 1, 1, 3 },
  AT(floormod, { -7, 2 }, 1, 1, 4)
};

static void test_specials(void)
{
  for (size_t k = 0; k < sizeof specials / sizeof specials[0]; k++) {
    const Special *s = &specials[k];
    const Row row = { .op = s->op, .builtin = s->builtin };
    bool is_zero;
    double got = partial(&row, TY(F64), s->x, operands_of(&row), s->k, s->by, k % 2, &is_zero);
    is_double(got, s->expected, "%s at %g, %g, %g: %g times its derivative by operand %d",
              name_of(&row), s->x[0], s->x[1], s->x[2], s->by, s->k);
  }
}

static void test_conversions(void)
{
  Put p = begin(TY(F64), (double[]){ 0.5, 1, 2 }, 3);
  IrStmt *half = make_cast(&p.make, TY(F16), p.operand[0]);
  IrStmt *back = make_cast(&p.make, TY(F64), half), *test, *select, *whole, *bits;
  IrStmt *by = make_value(&p.make, TY(F32), (Value){ .f = 3 }), *got, *no_value = NULL;

  got = put_partial(&p.make, half, &p.operand[0], half, 0, by);
  ok(got && got->type == TY(F64), "of a conversion to f16 the adjoint is that of an f64");
  got = put_partial(&p.make, back, &half, back, 0, p.operand[1]);
  ok(got && got->type == TY(F32), "of one from f16 it is an f32");
  got = put_partial(&p.make, back, &no_value, no_value, 0, p.operand[1]);
  ok(got && got->type == TY(F32), "whether its operand is at hand or not");
  test = put_binary(&p.make, IR_cmp_lt, p.operand[0], p.operand[1]);
  ok(!put_partial(&p.make, test, p.operand, test, 0, by), "a comparison has none");
  select = put(&p.make, ir_stmt(&module, IR_select, TY(F64), (Loc){ 0 }, test, p.operand[1],
                                p.operand[2], NULL));
  ok(!put_partial(&p.make, select, select->operands, select, 0, by), "nor has a condition");
  got = put_partial(&p.make, select, select->operands, select, 1, p.operand[2]);
  is_double(evaluate(p.block, got), 2, "what is chosen has that of the choice");
  got = put_partial(&p.make, select, select->operands, select, 2, p.operand[2]);
  is_double(evaluate(p.block, got), 0, "what is not has none");
  whole = make_cast(&p.make, TY(I32), p.operand[2]);
  ok(!put_partial(&p.make, whole, p.operand, whole, 0, by), "nor has an integer");
  bits = put(&p.make, ir_stmt(&module, IR_bitcast, TY(I64), (Loc){ 0 }, p.operand[0], NULL));
  ok(has_partial(whole) && has_partial(test) && !has_partial(bits), "bits are no number");
}

static void test_length(void)
{
  Put p = begin(TY(F64), (double[]){ 3, 1, 2 }, 3);
  IrStmt *s = put_operation(&p, IR_mul, -1, TY(F64), 2);

  ok(put_partial(&p.make, s, p.operand, s, 0, p.operand[2]) == p.operand[2],
     "a product with 1 is not put");
  ok(put_partial(&p.make, s, p.operand, s, 1, p.operand[1]) == p.operand[0], "nor one of 1");
}

/* ---- factorizations ---- */

static void factor(IrOp op, int n, const double *a, double *part)
{
  const int square = n * n;

  if (op == IR_svd && n == 2) snd_svd_2_f64(a, part, part + square, part + square + n);
  if (op == IR_svd && n == 3) snd_svd_3_f64(a, part, part + square, part + square + n);
  if (op == IR_polar && n == 2) snd_polar_2_f64(a, part, part + square);
  if (op == IR_polar && n == 3) snd_polar_3_f64(a, part, part + square);
  if (op == IR_sym_eig && n == 2) snd_sym_eig_2_f64(a, part, part + n);
  if (op == IR_sym_eig && n == 3) snd_sym_eig_3_f64(a, part, part + n);
}

static int parts_of(IrOp op, int n)
{
  return op == IR_svd ? 2 * n * n + n : op == IR_polar ? 2 * n * n : n * n + n;
}

/* The tangents of the parts for a tangent of the matrix. */
static void factor_tangent(IrOp op, int n, const double *a, const double *tangent, double *out)
{
  const int count = parts_of(op, n);
  double part[21] = { 0 };
  Put p = begin(TY(F64), a, n * n);
  IrStmt *s = ir_stmt(&module, op, TY(F64), (Loc){ 0 }, NULL), *parts[21], *by[9], *got[21];

  factor(op, n, a, part);
  for (int k = 0; k < n * n; k++) {
    ir_add_operand(&module, s, p.operand[k]);
    by[k] = make_value(&p.make, TY(F64), (Value){ .f = tangent[k] });
  }
  for (int k = 0; k < count; k++)
    parts[k] = make_value(&p.make, TY(F64), (Value){ .f = part[k] });
  put_factor_tangent(&p.make, s, p.operand, parts, by, got);
  for (int k = 0; k < count; k++)
    out[k] = got[k] ? evaluate(p.block, got[k]) : 0;
}

/* The adjoint of the matrix for adjoints of the parts. */
static void factor_adjoint(IrOp op, int n, const double *a, const double *adjoint, double *out)
{
  const int count = parts_of(op, n);
  double part[21] = { 0 };
  Put p = begin(TY(F64), a, n * n);
  IrStmt *s = ir_stmt(&module, op, TY(F64), (Loc){ 0 }, NULL), *parts[21], *by[21], *got[9];

  factor(op, n, a, part);
  for (int k = 0; k < n * n; k++)
    ir_add_operand(&module, s, p.operand[k]);
  for (int k = 0; k < count; k++) {
    parts[k] = make_value(&p.make, TY(F64), (Value){ .f = part[k] });
    by[k] = adjoint[k] == 0 ? NULL : make_value(&p.make, TY(F64), (Value){ .f = adjoint[k] });
  }
  put_factor_adjoint(&p.make, s, p.operand, parts, by, got);
  for (int k = 0; k < n * n; k++)
    out[k] = got[k] ? evaluate(p.block, got[k]) : 0;
}

static double worst_tangent(IrOp op, int n, const double *a, const double *t, const double *got)
{
  const double h = 1e-6;
  double above[9], below[9], x[21] = { 0 }, y[21] = { 0 }, worst = 0;

  for (int k = 0; k < n * n; k++) {
    above[k] = a[k] + h * t[k];
    below[k] = a[k] - h * t[k];
  }
  factor(op, n, above, x);
  factor(op, n, below, y);
  for (int k = 0; k < parts_of(op, n); k++) {
    double expected = (x[k] - y[k]) / (2 * h), error = fabs(got[k] - expected);
    worst = fmax(worst, error / (1 + fabs(expected)));
  }
  return worst;
}

/* Singular values and eigenvalues are kept apart, and vectors do not turn round. */
static void random_matrix(IrOp op, int n, double *a, double *t)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = random_between(-0.4, 0.4) + (i == j ? 1 + 1.5 * i : 0);
      t[i * n + j] = random_between(-1, 1);
    }
  for (int i = 0; i < n && op == IR_sym_eig; i++)
    for (int j = 0; j < i; j++) {
      a[i * n + j] = a[j * n + i];
      t[i * n + j] = t[j * n + i];
    }
}

static void test_factor(IrOp op, int n, double sign)
{
  double a[9], t[9], tangent[21], adjoint[21], back[9], worst = 0, uneven = 0;

  for (int point = 0; point < tap_size(3, 20, 200); point++) {
    double along = 0, against = 0;
    random_matrix(op, n, a, t);
    for (int k = 0; k < n; k++)
      a[k] *= sign;
    factor_tangent(op, n, a, t, tangent);
    worst = fmax(worst, worst_tangent(op, n, a, t, tangent));
    for (int k = 0; k < parts_of(op, n); k++) {
      adjoint[k] = k % 5 == point % 5 ? 0 : random_between(-1, 1);
      along += adjoint[k] * tangent[k];
    }
    factor_adjoint(op, n, a, adjoint, back);
    for (int k = 0; k < n * n; k++)
      against += back[k] * t[k];
    uneven = fmax(uneven, fabs(along - against) / (1 + fabs(along)));
  }
  ok(worst < 1e-6, "%s %d x %d, det %g: tangents are what differences tend to: %g",
     ir_op_info[op].name, n, n, sign, worst);
  ok(uneven < 1e-9, "its adjoint is the transpose of its tangent: %g", uneven);
}

static bool are_finite(const double *x, int count)
{
  for (int k = 0; k < count; k++)
    if (!isfinite(x[k]))
      return false;
  return true;
}

/* U V^T, which R is, has a derivative where all singular values are equal, too. */
static void test_equal(int n)
{
  double a[9] = { 0 }, t[9] = { 0 }, got[21], part[21], turned = 0;
  const double *v = part + n * n + n, *v_tangent = got + n * n + n;

  for (int k = 0; k < n; k++)
    a[k * n + k] = 1.5;
  t[1] = 1;
  factor_tangent(IR_polar, n, a, t, got);
  ok(fabs(got[1] - 1 / 3.0) < 1e-12 && fabs(got[n] + 1 / 3.0) < 1e-12,
     "polar %d x %d of equal singular values", n, n);
  ok(fabs(got[n * n + 1] - 0.5) < 1e-12, "and its other factor");
  factor_tangent(IR_svd, n, a, t, got);
  factor(IR_svd, n, a, part);
  for (int k = 0; k < n; k++)
    turned += got[n + k] * v[k] + part[n + k] * v_tangent[k];
  ok(fabs(turned + 1 / 3.0) < 1e-12, "U V^T of svd: %g", turned);
  ok(are_finite(got, parts_of(IR_svd, n)), "whose factors have a finite one");
}

static void test_zero(IrOp op, int n)
{
  const double a[9] = { 0 }, t[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  double got[21];

  factor_tangent(op, n, a, t, got);
  ok(are_finite(got, parts_of(op, n)), "%s %d x %d of zero has a finite derivative",
     ir_op_info[op].name, n, n);
}

int main(void)
{
  module.arena = arena_create();
  test_complete();
  for (int k = 0; k < ROWS; k++) {
    test_row(&rows[k], TY(F64), 1e-8);
    test_row(&rows[k], TY(F32), 2e-3);
  }
  test_specials();
  test_conversions();
  test_length();
  for (int n = 2; n <= 3; n++) {
    test_factor(IR_svd, n, 1);
    test_factor(IR_svd, n, -1);
    test_factor(IR_polar, n, 1);
    test_factor(IR_polar, n, -1);
    test_factor(IR_sym_eig, n, 1);
    test_equal(n);
    test_zero(IR_svd, n);
    test_zero(IR_polar, n);
    test_zero(IR_sym_eig, n);
  }
  arena_destroy(module.arena);
  return done_testing();
}
