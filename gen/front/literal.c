/* The value and the type of a number's spelling. */
#include "gen/front/lexer.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int digit_value(char c) {
  if (isdigit((unsigned char)c))
    return c - '0';
  return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* What an integer literal is alone; in C hex and octal may be unsigned early. */
static const Type *integer_type(uint64_t value, bool is_decimal) {
  if (value <= INT32_MAX)
    return TY(I32);
  if (!is_decimal && value <= UINT32_MAX)
    return TY(U32);
  return value <= INT64_MAX ? TY(I64) : TY(U64);
}

/* Digits of the base up to `end`; false when another character is met. */
static bool read_digits(const char *p, int base, const char **end, uint64_t *value,
                        bool *overflows) {
  const char *begin = p;
  for (*value = 0, *overflows = false; digit_value(*p) < base; p++) {
    uint64_t digit = (uint64_t)digit_value(*p), b = (uint64_t)base;
    *overflows = *overflows || *value > (UINT64_MAX - digit) / b;
    *value = *value * b + digit;
  }
  *end = p;
  return p > begin;
}

static bool read_integer(Diag *d, Token *token, const char *text, int base) {
  const char *digits = base == 16 ? text + 2 : text, *end;
  uint64_t value;
  bool overflows;
  if (!read_digits(digits, base, &end, &value, &overflows) ||
      (*end && end[strspn(end, "uUlL")])) {
    diag(d, DIAG_BAD_NUMBER, token->loc, text);
    return false;
  }
  if (*end) {
    diag(d, DIAG_BAD_SUFFIX, token->loc, end);
    return false;
  }
  if (overflows) {
    diag(d, DIAG_NUMBER_TOO_LARGE, token->loc, text);
    return false;
  }
  token->kind = TOKEN_INTEGER;
  token->value.i = (int64_t)value;
  token->type = integer_type(value, base == 10);
  return true;
}

static bool read_float(Diag *d, Token *token, const char *text) {
  char *end;
  double value = strtod(text, &end);
  bool is_f32 = (*end == 'f' || *end == 'F') && end[1] == '\0';
  if (end == text || (*end && !is_f32)) {
    diag(d, DIAG_BAD_NUMBER, token->loc, text);
    return false;
  }
  if (is_f32)
    value = (double)strtof(text, NULL);
  if (isinf(value)) {
    diag(d, DIAG_NUMBER_TOO_LARGE, token->loc, text);
    return false;
  }
  token->kind = TOKEN_FLOAT;
  token->value.f = value;
  token->type = is_f32 ? TY(F32) : TY(F64);
  return true;
}

bool read_number(Diag *d, Token *token, const char *text) {
  token->kind = TOKEN_INTEGER;         /* what a wrong number stands for */
  token->type = TY(I32);
  bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (is_hex ? strpbrk(text, ".pP") != NULL : strpbrk(text, ".eE") != NULL)
    return read_float(d, token, text);
  if (is_hex)
    return read_integer(d, token, text, 16);
  return read_integer(d, token, text,
                      text[0] == '0' && isdigit((unsigned char)text[1]) ? 8 : 10);
}
