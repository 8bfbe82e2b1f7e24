/* The value and the type of a number's spelling. */
#include "gen/front/lexer.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int digit_value(char c)
{
  if (isdigit((unsigned char)c))
    return c - '0';
  return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* As in C the first type that holds the value, among those that the suffix leaves.  Without
 * one a decimal number may be a u64 too; with one it is signed unless the suffix has a u. */
typedef struct Suffix {
  const char *text;
  bool is_unsigned, is_long;
} Suffix;

static const Suffix suffixes[] = {
    {"", false, false},  {"u", true, false},  {"l", false, true},  {"ll", false, true},
    {"ul", true, true},  {"lu", true, true},  {"ull", true, true}, {"llu", true, true},
};

enum { SUFFIXES = sizeof suffixes / sizeof suffixes[0] };

static bool is_suffix(const char *text, const char *suffix)
{
  while (*text && tolower((unsigned char)*text) == *suffix) {
    text++;
    suffix++;
  }
  return *text == *suffix;
}

/* NULL: there is none such. */
static const Suffix *find_suffix(const char *text)
{
  for (int i = 0; i < SUFFIXES; i++)
    if (is_suffix(text, suffixes[i].text))
      return &suffixes[i];
  return NULL;
}

/* NULL: none of them holds the value. */
static const Type *integer_type(uint64_t value, bool is_decimal, const Suffix *s)
{
  bool may_be_unsigned = s->is_unsigned || !is_decimal;
  if (!s->is_long && !s->is_unsigned && value <= INT32_MAX)
    return TY(I32);
  if (!s->is_long && may_be_unsigned && value <= UINT32_MAX)
    return TY(U32);
  if (!s->is_unsigned && value <= INT64_MAX)
    return TY(I64);
  return may_be_unsigned || !*s->text ? TY(U64) : NULL;
}

/* What stands behind the digits: letters are a suffix that there is not. */
static void fail_rest(Diag *d, const Token *token, const char *text, const char *rest)
{
  const char *p = rest;
  while (isalpha((unsigned char)*p))
    p++;
  bool is_suffix = rest > text && *p == '\0';
  diag(d, is_suffix ? DIAG_BAD_SUFFIX : DIAG_BAD_NUMBER, token->loc, is_suffix ? rest : text);
}

/* Digits of the base up to `end`; false when another character is met. */
static bool read_digits(const char *p, int base, const char **end, uint64_t *value,
                        bool *overflows)
{
  const char *begin = p;
  for (*value = 0, *overflows = false; digit_value(*p) < base; p++) {
    uint64_t digit = (uint64_t)digit_value(*p), b = (uint64_t)base;
    *overflows = *overflows || *value > (UINT64_MAX - digit) / b;
    *value = *value * b + digit;
  }
  *end = p;
  return p > begin;
}

static bool read_integer(Diag *d, Token *token, const char *text, int base)
{
  const char *digits = base == 16 || base == 2 ? text + 2 : text, *end;
  uint64_t value;
  bool overflows;
  bool is_number = read_digits(digits, base, &end, &value, &overflows);
  const Suffix *suffix = is_number ? find_suffix(end) : NULL;
  if (!suffix) {
    fail_rest(d, token, text, is_number ? end : text);
    return false;
  }
  if (overflows) {
    diag(d, DIAG_NUMBER_TOO_LARGE, token->loc, text);
    return false;
  }
  const Type *type = integer_type(value, base == 10, suffix);
  if (!type) {
    diag(d, DIAG_DOES_NOT_FIT, token->loc, text, "i64");
    return false;
  }
  token->kind = TOKEN_INTEGER;
  token->value.i = (int64_t)value;
  token->type = type;
  token->has_suffix = *end != '\0';
  return true;
}

static bool read_float(Diag *d, Token *token, const char *text)
{
  char *end;
  double value = strtod(text, &end);
  bool is_f32 = is_suffix(end, "f");
  if (end == text || (*end && !is_f32)) {
    fail_rest(d, token, text, end);
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
  token->has_suffix = is_f32;
  return true;
}

bool read_number(Diag *d, Token *token, const char *text)
{
  token->kind = TOKEN_INTEGER;         /* what a wrong number stands for */
  token->type = TY(I32);
  bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (is_hex ? strpbrk(text, ".pP") != NULL : strpbrk(text, ".eE") != NULL)
    return read_float(d, token, text);
  if (is_hex)
    return read_integer(d, token, text, 16);
  if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
    return read_integer(d, token, text, 2);
  return read_integer(d, token, text,
                      text[0] == '0' && isdigit((unsigned char)text[1]) ? 8 : 10);
}
