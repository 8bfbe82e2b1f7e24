/* The extents of vec(T, n) and mat(T, r, c): they decide a type, and so are known when they
 * are read: integers, params (as -D sets them) and consts declared before, and + - * / %;
 * constants of the generic around them, which are open in the generic itself. */
#include "gen/front/parser.h"
#include "gen/model/evaluate.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20 };            /* on the way; products of two stay below 2^63 */

static const char *define_of(const Parser *p, const Constant *constant)
{
  const char *found = NULL;
  size_t length = strlen(constant->name);
  for (int i = 0; constant->is_param && i < p->program->define_count; i++) {
    const char *define = p->program->defines[i];
    if (strncmp(define, constant->name, length) == 0 && define[length] == '=')
      found = define + length + 1;
  }
  return found;
}

typedef enum Extent { EXTENT_NONE, EXTENT_OPEN, EXTENT_KNOWN } Extent;

/* By the first so many constants of the program: the value of one is made of those before it. */
static Extent evaluate(const Parser *p, const Expr *e, int constants, int64_t *out);

/* The number of the parameter of the generic around; -1: it is none. */
static int own_parameter(const Parser *p, const char *name)
{
  int k = p->generic ? p->generic->param_count - 1 : -1;
  while (k >= 0 && p->generic->params[k].name != name)         /* interned */
    k--;
  return k;
}

static Extent evaluate_own(const Parser *p, int k, int64_t *out)
{
  const GenericParameter *own = &p->generic->params[k];
  if (own->kind != GENERIC_CONSTANT || !own->type || !type_is_integer(own->type))
    return EXTENT_NONE;
  if (!p->constants)
    return EXTENT_OPEN;
  *out = p->constants[k].i;
  return EXTENT_KNOWN;
}

static Extent evaluate_name(const Parser *p, const char *name, int constants, int64_t *out)
{
  int own = own_parameter(p, name);
  if (own >= 0)
    return evaluate_own(p, own, out);
  int at = constants - 1;
  while (at >= 0 && strcmp(p->program->constants[at]->name, name) != 0)
    at--;
  const Constant *constant = at >= 0 ? p->program->constants[at] : NULL;
  if (!constant || !type_is_integer(constant->type))
    return EXTENT_NONE;
  const char *define = define_of(p, constant);
  Parser outside = *p;                 /* a generic's own names mean nothing in its value */
  outside.generic = NULL;
  if (!define)
    return evaluate(&outside, constant->init, at, out);
  char *end;
  *out = strtoll(define, &end, 0);
  return end != define && *end == '\0' && llabs(*out) <= LARGEST ? EXTENT_KNOWN : EXTENT_NONE;
}

static bool combine(Op op, int64_t a, int64_t b, int64_t *out)
{
  if (op < OP_ADD || op > OP_MOD || (op_divides(op) && b == 0))
    return false;
  *out = evaluate_binary(op, TY(I64), (Value){.i = a}, (Value){.i = b}).i;
  return true;
}

static Extent evaluate_operator(const Parser *p, const Expr *e, int constants, int64_t *out)
{
  int64_t a, b;
  Extent left = evaluate(p, e->a, constants, &a), right = evaluate(p, e->b, constants, &b);
  Extent least = left < right ? left : right;
  if (least < EXTENT_KNOWN)
    return combine(e->op, 1, 1, out) ? least : EXTENT_NONE;
  return combine(e->op, a, b, out) ? EXTENT_KNOWN : EXTENT_NONE;
}

static Extent evaluate(const Parser *p, const Expr *e, int constants, int64_t *out)
{
  Extent found = EXTENT_NONE;
  const bool is_typed = e->type;       /* else an error has been told */
  if (e->kind == EXPR_LITERAL && is_typed && type_is_integer(e->type)) {
    *out = e->value.i;
    found = EXTENT_KNOWN;
  } else if (e->kind == EXPR_NAME) {
    found = evaluate_name(p, e->name, constants, out);
  } else if (e->kind == EXPR_UNARY && e->op == OP_NEGATE) {
    found = evaluate(p, e->a, constants, out);
    *out = found == EXTENT_KNOWN ? -*out : 0;
  } else if (e->kind == EXPR_BINARY) {
    found = evaluate_operator(p, e, constants, out);
  }
  bool is_far = found == EXTENT_KNOWN && (*out < -LARGEST || *out > LARGEST);
  return is_far ? EXTENT_NONE : found;
}

bool parse_type_extent(Parser *p, int *extent)
{
  if (!expect(p, TOKEN_COMMA, "','"))
    return false;
  Expr *e = parse_expression(p);
  if (!e)
    return false;
  int64_t value;
  Extent found = evaluate(p, e, p->program->constant_count, &value);
  if (found == EXTENT_NONE) {
    fail(p, DIAG_TYPE_EXTENT, e->loc, NULL);
    return false;
  }
  bool is_good = found == EXTENT_KNOWN && value >= 1 && value <= MAX_ELEMENTS;
  *extent = found == EXTENT_OPEN ? 0 : is_good ? (int)value : MAX_ELEMENTS + 1;
  return true;
}
