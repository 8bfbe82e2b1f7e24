/* The extents of vec(T, n) and mat(T, r, c): they decide a type, and so are known when they
 * are read: integers, params (as -D sets them) and consts declared before, and + - * / %. */
#include "gen/front/parser.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20 };            /* on the way; products of two stay below 2^63 */

static const char *define_of(const Parser *p, const Constant *constant) {
  const char *found = NULL;
  size_t length = strlen(constant->name);
  for (int i = 0; constant->is_param && i < p->program->define_count; i++) {
    const char *define = p->program->defines[i];
    if (strncmp(define, constant->name, length) == 0 && define[length] == '=')
      found = define + length + 1;
  }
  return found;
}

static bool evaluate(const Parser *p, const Expr *e, int64_t *out);

static bool evaluate_name(const Parser *p, const char *name, int64_t *out) {
  const Constant *constant = NULL;
  for (int i = 0; i < p->program->constant_count; i++)
    if (strcmp(p->program->constants[i]->name, name) == 0)
      constant = p->program->constants[i];
  if (!constant || !type_is_integer(constant->type))
    return false;
  const char *define = define_of(p, constant);
  if (!define)
    return evaluate(p, constant->init, out);
  char *end;
  *out = strtoll(define, &end, 0);
  return end != define && *end == '\0' && llabs(*out) <= LARGEST;
}

static bool evaluate_binary(const Parser *p, const Expr *e, int64_t *out) {
  int64_t a, b;
  if (!evaluate(p, e->a, &a) || !evaluate(p, e->b, &b))
    return false;
  switch (e->op) {
  case OP_ADD: *out = a + b; return true;
  case OP_SUB: *out = a - b; return true;
  case OP_MUL: *out = a * b; return true;
  case OP_DIV: *out = b ? a / b : 0; return b != 0;
  case OP_MOD: *out = b ? a % b : 0; return b != 0;
  default: return false;
  }
}

static bool evaluate(const Parser *p, const Expr *e, int64_t *out) {
  bool is_known = false;
  if (e->kind == EXPR_LITERAL && type_is_integer(e->type)) {
    *out = e->value.i;
    is_known = true;
  } else if (e->kind == EXPR_NAME) {
    is_known = evaluate_name(p, e->name, out);
  } else if (e->kind == EXPR_UNARY && e->op == OP_NEGATE) {
    is_known = evaluate(p, e->a, out);
    *out = is_known ? -*out : 0;
  } else if (e->kind == EXPR_BINARY) {
    is_known = evaluate_binary(p, e, out);
  }
  return is_known && *out >= -LARGEST && *out <= LARGEST;
}

int parse_type_extent(Parser *p) {
  if (!expect(p, TOKEN_COMMA, "','"))
    return -1;
  Expr *e = parse_expression(p);
  if (!e)
    return -1;
  int64_t value;
  if (!evaluate(p, e, &value)) {
    fail(p, DIAG_TYPE_EXTENT, e->loc, NULL);
    return -1;
  }
  return value >= 0 && value <= MAX_ELEMENTS ? (int)value : MAX_ELEMENTS + 1;
}
