/* The options: parsing values, the environment, what is refused. */
#include "runtime/host/base/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <snode/error.h>

#include "runtime/host/base/text.h"

extern char **environ;           /* POSIX: declared nowhere else under every standard */

enum { SHOWN_BYTES = 41 };       /* of what the user wrote, in a message */

/* Values of one kind: 1 when text is one, which goes to *value. */
typedef int (*parse_fn)(const char *text, int64_t *value);

static const char *parse_digits(const char *text, int64_t *value)
{
  char *end;
  long long number;

  if (!isdigit((unsigned char)*text))
    return NULL;
  errno = 0;
  number = strtoll(text, &end, 10);
  *value = number;
  return errno ? NULL : end;
}

static int parse_count(const char *text, int64_t *value)
{
  const char *end = parse_digits(text, value);

  return end && !*end && *value <= INT32_MAX;
}

static int parse_threads(const char *text, int64_t *value)
{
  return parse_count(text, value) && *value <= SNI_MOST_THREADS;
}

static int parse_flag(const char *text, int64_t *value)
{
  return parse_count(text, value) && *value <= 1;
}

static int parse_order(const char *text, int64_t *value)
{
  if (strcmp(text, "refuse") != 0)
    return parse_flag(text, value);
  *value = SNI_ORDER_REFUSE;
  return 1;
}

static int parse_path(const char *text, int64_t *value)
{
  *value = *text != '\0';
  return strlen(text) < SNI_PATH_BYTES;
}

static int parse_bytes(const char *text, int64_t *value)
{
  const char *end = parse_digits(text, value);
  const char *units = "kMGT";
  const char *unit;
  int shift;

  if (!end)
    return 0;
  if (!*end)
    return 1;
  unit = strchr(units, *end == 'K' ? 'k' : *end);
  if (!unit || end[1])
    return 0;
  shift = 10 * (int)(unit - units + 1);
  if (*value > INT64_MAX >> shift)
    return 0;
  *value <<= shift;
  return 1;
}

/* 0 followed by a point and up to six digits, whatever the locale has for a point. */
static int parse_share(const char *text, int64_t *value)
{
  int64_t millionths = 0;
  int digits = 0;

  if (strncmp(text, "0.", 2) != 0)
    return parse_bytes(text, value);
  for (; digits < 6 && isdigit((unsigned char)text[2 + digits]); digits++)
    millionths = 10 * millionths + (text[2 + digits] - '0');
  *value = -millionths;
  for (int k = digits; k < 6; k++)
    *value *= 10;
  return digits > 0 && !text[2 + digits];
}

static int parse_device(const char *text, int64_t *value)
{
  if (strcmp(text, "host") == 0)
    *value = SNI_DEVICE_HOST;
  else if (strcmp(text, "auto") == 0)
    *value = SNI_DEVICE_AUTO;
  else
    return strncmp(text, "gpu:", 4) == 0 && parse_count(text + 4, value);
  return 1;
}

static const char *const help_device = "host, auto or gpu:N";
static const char *const help_count = "a whole number from 0 on";
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
static const char *const help_threads = "a whole number from 0 to " TEXT(SNI_MOST_THREADS);
#undef TEXT
#undef TEXT_OF
static const char *const help_bytes = "a number of bytes; k, M, G or T may follow";
static const char *const help_share =
  "a number of bytes; k, M, G or T may follow; or a share of what is free, such as 0.3";
static const char *const help_path = "the path of a file";
static const char *const help_flag = "0 or 1";
static const char *const help_order = "0, 1 or refuse";

static const struct row {
  const char *name;
  parse_fn parse;
  const char *const *help;
  int64_t value;
  int built;
} rows[OPTION_COUNT] = {
#define OPTION(name, kind, value, built) { #name, parse_##kind, &help_##kind, value, built },
#include "runtime/host/base/options.def"
#undef OPTION
};

void sni_options_init(sni_options *options)
{
  memset(options, 0, sizeof *options);
  for (int k = 0; k < OPTION_COUNT; k++)
    options->value[k] = rows[k].value;
}

/* shown: how the user named the option. */
static int set(sni_options *options, int k, const char *shown, const char *text,
               char *message, size_t bytes)
{
  char given[SHOWN_BYTES];
  int64_t value;

  (void)sni_text_copy(given, sizeof given, text);
  if (!rows[k].parse(text, &value)) {
    (void)sni_text_format(message, bytes, "%s=%s: expected %s", shown, given, *rows[k].help);
    return SN_EINVAL;
  }
  if (!rows[k].built && value != rows[k].value) {
    (void)sni_text_format(message, bytes, "%s=%s: option %s is not built yet", shown, given,
                          rows[k].name);
    return SN_ENOTSUP;
  }
  options->value[k] = value;
  if (k == OPTION_trace)
    (void)sni_text_copy(options->trace, sizeof options->trace, text);
  return SN_OK;
}

/* ---- names that are none ---- */

/* At most two letters more, less or other, and at most a third of them. */
enum { NAME_BYTES = 32, MOST_WRONG = 2, LETTERS_FOR_ONE = 3 };

/* How many letters have to be put in, taken out or replaced (Levenshtein); MOST_WRONG + 1: the
 * names are too long to be told. */
static int letters_between(const char *a, const char *b)
{
  int row[NAME_BYTES + 1];
  const int m = (int)strlen(a), n = (int)strlen(b);

  if (m > NAME_BYTES || n > NAME_BYTES)
    return MOST_WRONG + 1;
  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; i <= m; i++) {
    int corner = row[0];                         /* of the row before, one to the left */
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int least = corner + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < least)
        least = row[j] + 1;
      if (row[j - 1] + 1 < least)
        least = row[j - 1] + 1;
      corner = row[j];
      row[j] = least;
    }
  }
  return row[n];
}

/* The option that was probably meant, or -1. */
static int nearest(const char *name)
{
  const int allowed = (int)strlen(name) / LETTERS_FOR_ONE;
  int best = -1, least = (allowed < MOST_WRONG ? allowed : MOST_WRONG) + 1;

  for (int k = 0; k < OPTION_COUNT; k++) {
    const int letters = letters_between(name, rows[k].name);
    if (letters < least) {
      least = letters;
      best = k;
    }
  }
  return best;
}

/* SNODE_ and the option's name in capitals. */
static void variable_of(int k, char variable[64])
{
  (void)sni_text_format(variable, 64, "SNODE_%s", rows[k].name);
  for (char *c = variable; *c; c++)
    *c = (char)toupper((unsigned char)*c);
}

/* A variable that is no option, but nearly one: a setting that somebody believes to be made.
 * Others may have variables that begin with SNODE_, too. */
static int check_misspelt(char *text, size_t bytes)
{
  for (char *const *entry = environ; entry && *entry; entry++) {
    const char *end = strchr(*entry, '=');
    char name[NAME_BYTES + 1], variable[64];
    size_t length;
    int meant;

    if (!end || strncmp(*entry, "SNODE_", 6) != 0 || end[1] == '\0')
      continue;
    length = (size_t)(end - (*entry + 6));
    if (length >= sizeof name)
      continue;
    for (size_t c = 0; c < length; c++)
      name[c] = (char)tolower((unsigned char)(*entry)[6 + c]);
    name[length] = '\0';
    meant = nearest(name);
    if (meant < 0 || strcmp(name, rows[meant].name) == 0)
      continue;
    variable_of(meant, variable);
    (void)sni_text_format(text, bytes, "the environment has %.*s, which is no option: did you mean "
                          "%s?", (int)(end - *entry), *entry, variable);
    return SN_EINVAL;
  }
  return SN_OK;
}

/* All of them, with commas between. */
static void list_options(char *names, size_t bytes)
{
  size_t used = 0;

  for (int k = 0; k < OPTION_COUNT && used < bytes; k++) {
    (void)sni_text_format(names + used, bytes - used, "%s%s", k ? ", " : "", rows[k].name);
    used += strlen(names + used);
  }
}

int sni_options_set(sni_options *options, const char *name, const char *value, char *text,
                    size_t bytes)
{
  char given[SHOWN_BYTES], names[256];

  for (int k = 0; k < OPTION_COUNT; k++)
    if (strcmp(name, rows[k].name) == 0) {
      const int code = set(options, k, name, value, text, bytes);
      if (code == SN_OK)
        options->is_set[k] = 1;
      return code;
    }
  (void)sni_text_copy(given, sizeof given, name);
  if (nearest(name) >= 0) {
    (void)sni_text_format(text, bytes, "there is no option '%s': did you mean '%s'?", given,
                          rows[nearest(name)].name);
  } else {
    list_options(names, sizeof names);
    (void)sni_text_format(text, bytes, "there is no option '%s': there are %s", given, names);
  }
  return SN_EINVAL;
}

/* SNODE_PROFILE: 0, 1, or a file, which a number is not. */
static int is_file(const char *value)
{
  return *value && strlen(value) < SNI_PATH_BYTES && value[strspn(value, "0123456789")] != '\0';
}

/* The environment asks for the profile beside the program, which may have set the option. */
static const char *take_report(sni_options *options, const char *value)
{
  const int asks_for_file = is_file(value);

  if (asks_for_file || strcmp(value, "1") == 0)
    (void)sni_text_copy(options->report, sizeof options->report, asks_for_file ? value : "-");
  return asks_for_file ? "1" : value;
}

int sni_options_environment(sni_options *options, char *text, size_t bytes)
{
  for (int k = 0; k < OPTION_COUNT; k++) {
    char variable[64];
    const char *value;
    int code;

    variable_of(k, variable);
    value = getenv(variable);
    if (value && k == OPTION_profile)
      value = take_report(options, value);
    if (!value || !*value || options->is_set[k])
      continue;
    code = set(options, k, variable, value, text, bytes);
    if (code != SN_OK)
      return code;
  }
  return check_misspelt(text, bytes);
}
