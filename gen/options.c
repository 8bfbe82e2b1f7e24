/* The command line: a table walked once, a function for each row.
 *
 * A FLAG's row sets the member of its name; the setter of another returns NULL, or what is
 * wrong with the value.  What is not built yet is refused here, so that nothing is ever ignored.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen/building.h"
#include "gen/lower/lower.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum Argument { FLAG, VALUE, OPTIONAL, JOINED } Argument;
typedef enum Group {
  OUTPUT,
  TARGET,
  PROGRAM,
  DEPENDENCIES,
  CHECKS,
  CODE,
  MESSAGES,
  BUILDING,
  INFORMATION,
  DEVELOPER,
  GROUPS
} Group;

static const char *const group_title[GROUPS] = {
  "Output", "Target",   "Program",  "Dependencies, as gcc", "Checks",
  "Code",   "Messages", "Building", "Information",          "For developers"
};

void complain(const char *format, ...)
{
  va_list list;

  fputs("snodegen: error: ", stderr);
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
}

/* ---- what each option does ---- */

typedef struct Setting {
  Arena *arena;
  Options *options;
} Setting;

#define SETTER(id) static const char *set_##id(Setting *s, const char *value)
#define TEXT_SETTER(id, member)         \
  SETTER(id)                            \
  {                                     \
    s->options->member = value;         \
    return *value ? NULL : "it is empty"; \
  }

static const char *const not_built = "not built yet";

/* The position of value among words (NULL-ended), or -1. */
static int one_of(const char *value, const char *const *words)
{
  for (int k = 0; words[k]; k++)
    if (strcmp(words[k], value) == 0)
      return k;
  return -1;
}

TEXT_SETTER(output, output)
TEXT_SETTER(output_dir, output_dir)

SETTER(prefix)
{
  s->options->prefix = value;
  if (!*value || (*value >= '0' && *value <= '9'))
    return "it is no identifier";
  for (const char *p = value; *p; p++)
    if (!(*p == '_' || (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
          (*p >= 'A' && *p <= 'Z')))
      return "it is no identifier";
  return NULL;
}

static const char *add_emit(Setting *s, const char *word)
{
  static const char *const words[] = { "c",     "h",      "deps", "ir",
                                       "tasks", "layout", NULL };
  static const char *const later[] = { "device", "f90", "json", NULL };
  int which = one_of(word, words);

  if (which >= 0) {
    s->options->emit |= 1u << which;
    return NULL;
  }
  if (one_of(word, later) >= 0)
    return not_built;
  if (strncmp(word, "ir=", 3) != 0)
    return "it takes c, h, deps, ir, ir=PASS, tasks, layout";
  s->options->emit |= EMIT_IR;
  s->options->ir_after =
      strcmp(word + 3, "written") == 0 ? IR_AS_WRITTEN : pass_by_name(word + 3);
  return s->options->ir_after == -1 ? "there is no such pass" : NULL;
}

SETTER(emit)
{
  const char *wrong = NULL;

  s->options->emit = 0;
  s->options->ir_after = IR_DEFAULT;
  while (*value && !wrong) {
    size_t length = strcspn(value, ",");
    wrong = add_emit(s, intern(s->arena, value, length));
    value += length + (value[length] == ',');
  }
  return wrong || s->options->emit ? wrong : "it is empty";
}

SETTER(target)
{
  static const char *const words[] = { "omp", "serial", "interpreter", NULL };
  static const EmitTarget targets[] = { EMIT_OMP, EMIT_SERIAL,
                                        EMIT_INTERPRETER };
  int which = one_of(value, words);

  if (strcmp(value, "acc") == 0)
    return not_built;
  if (which < 0)
    return "it takes omp, serial, interpreter";
  s->options->target = targets[which];
  return NULL;
}

SETTER(define)
{
  vec_push(s->arena, s->options->defines, s->options->define_count, value);
  return NULL;
}

SETTER(include)
{
  vec_push(s->arena, s->options->includes, s->options->include_count, value);
  return NULL;
}

TEXT_SETTER(MF, deps_file)
TEXT_SETTER(MT, deps_target)
SETTER(bounds)
{
  static const char *const words[] = { "trap", "zero", "none", NULL };
  static const IrBounds modes[] = { IR_BOUNDS_TRAP, IR_BOUNDS_ZERO,
                                    IR_BOUNDS_NONE };
  int which = one_of(value, words);

  if (which < 0)
    return "it takes trap, zero, none";
  s->options->bounds = modes[which];
  return NULL;
}

static const char *add_check(Setting *s, const char *word)
{
  static const char *const words[] = { "div", "inactive", "race", "all", NULL };
  static const unsigned bits[] = { CHECK_DIV, CHECK_INACTIVE, CHECK_RACE,
                                   CHECK_DIV | CHECK_INACTIVE | CHECK_RACE };
  int which = one_of(word, words);
  const char *near;

  if (which >= 0) {
    s->options->checks |= bits[which];
    return NULL;
  }
  near = nearest_name(word, words);
  return near ? intern_format(s->arena, "did you mean '%s'?", near)
              : "it takes div, inactive, race, all";
}

SETTER(check)
{
  const char *wrong = *value ? NULL : "it is empty";

  while (*value && !wrong) {
    size_t length = strcspn(value, ",");
    wrong = add_check(s, intern(s->arena, value, length));
    value += length + (value[length] == ',');
  }
  return wrong;
}

SETTER(level)
{
  if (strlen(value) != 1 || *value < '0' || *value > '3')
    return "it takes 0 to 3";
  s->options->level = *value - '0';
  return NULL;
}

SETTER(pass)
{
  bool off = strncmp(value, "no-", 3) == 0;
  int pass = pass_by_name(off ? value + 3 : value);

  if (pass < 0)
    return "there is no such pass";
  if (off && pass_table[pass].required)
    return "this pass is required";
  s->options->pass[pass] = off ? -1 : 1;
  return NULL;
}

SETTER(contract)
{
  static const char *const words[] = { "off", "fast", NULL };
  int which = one_of(value, words);

  s->options->contract = which == 1;
  return which < 0 ? "it takes off, fast" : NULL;
}

SETTER(warning)
{
  bool off = strncmp(value, "no-", 3) == 0;

  if (strcmp(value, "error") == 0) {
    s->options->diag.werror = true;
    return NULL;
  }
  if (strcmp(value, "no-error") == 0) {
    s->options->diag.werror = false;
    return NULL;
  }
  return diag_set_warning(&s->options->diag, off ? value + 3 : value, !off)
             ? NULL : "there is no such warning";
}

static bool terminal_has_color(void)
{
  const char *term = getenv("TERM");

  return isatty(2) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

SETTER(color)
{
  static const char *const words[] = { "always", "never", "auto", NULL };
  int which = value ? one_of(value, words) : 0;

  s->options->diag.color = which == 0 || (which == 2 && terminal_has_color());
  return which < 0 ? "it takes auto, always, never" : NULL;
}

SETTER(diagnostics)
{
  static const char *const words[] = { "text", "json", NULL };
  int which = one_of(value, words);

  s->options->diag.json = which == 1;
  return which < 0 ? "it takes text, json" : NULL;
}

SETTER(error_limit)
{
  char *end;
  long limit = strtol(value, &end, 10);

  if (!*value || *end || limit < 0 || limit > 1000000)
    return "it takes a number of errors, or 0";
  s->options->diag.error_limit = (int)limit;
  return NULL;
}

static const char *take_pass(const char *value, int *pass)
{
  *pass = pass_by_name(value);
  return *pass < 0 ? "there is no such pass" : NULL;
}

SETTER(dump)
{
  int pass;
  const char *wrong;

  if (strcmp(value, "all") == 0) {
    for (int k = 0; k < PASS_COUNT; k++)
      s->options->dump[k] = true;
    return NULL;
  }
  wrong = take_pass(value, &pass);
  if (!wrong)
    s->options->dump[pass] = true;
  return wrong;
}

SETTER(stop_after)
{
  return take_pass(value, &s->options->stop_after);
}

SETTER(run_pass)
{
  return take_pass(value, &s->options->run_pass);
}

SETTER(stats)
{
  s->options->stats_json = value && strcmp(value, "json") == 0;
  s->options->stats = !value;
  return value && !s->options->stats_json ? "it takes json, or nothing" : NULL;
}

SETTER(print_cflags)
{
  s->options->print_cflags = true;
  s->options->cflags_for = value;
  if (value && strcmp(value, "acc") == 0)
    return not_built;
  return value ? check_build(s->arena, value) : NULL;
}

/* ---- the table ---- */

typedef struct Row {
  const char *spelling;
  Argument argument;
  Group group;
  const char *value, *help;
  size_t flag;                /* FLAG: the member of Options */
  const char *(*set)(Setting *, const char *value);
} Row;

#define SETS_FLAG(id) offsetof(Options, id), NULL
#define SETS_VALUE(id) 0, set_##id
#define SETS_OPTIONAL(id) 0, set_##id
#define SETS_JOINED(id) 0, set_##id

static const Row rows[] = {
#define OPTION(id, spelling, argument, group, value, help) \
  { spelling, argument, group, value, help, SETS_##argument(id) },
#include "gen/options.def"
#undef OPTION
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- parsing ---- */

static bool is_long(const Row *row)
{
  return row->spelling[1] == '-';
}

/* Whether arg is this option.  *value: what is joined to it, or NULL. */
static bool matches(const Row *row, const char *arg, const char **value)
{
  size_t length = strlen(row->spelling);

  *value = NULL;
  if (strncmp(arg, row->spelling, length) != 0)
    return false;
  if (!arg[length])
    return row->argument != JOINED;
  if (row->argument == FLAG || (is_long(row) && arg[length] != '='))
    return false;
  *value = arg + length + (is_long(row) ? 1 : 0);
  return true;
}

/* The row with the longest spelling: -MF before -M. */
static const Row *find_row(const char *arg, const char **value)
{
  const Row *found = NULL;
  const char *joined;

  for (int k = 0; k < ROWS; k++)
    if (matches(&rows[k], arg, &joined) &&
        (!found || strlen(rows[k].spelling) > strlen(found->spelling))) {
      found = &rows[k];
      *value = joined;
    }
  return found;
}

static void complain_unknown(const char *arg)
{
  const char *names[ROWS + 1] = { NULL };
  const char *near;
  char name[64];

  for (int k = 0; k < ROWS; k++)
    names[k] = rows[k].spelling;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
  near = strncmp(arg, "--", 2) == 0 ? nearest_name(name, names) : NULL;
  if (near)
    complain("unknown option '%s'; did you mean '%s'?", arg, near);
  else
    complain("unknown option '%s'; --help lists them", arg);
}

static bool take_input(Options *o, const char *arg)
{
  if (o->input) {
    complain("one file at a time: '%s' and '%s'", o->input, arg);
    return false;
  }
  o->input = arg;
  return true;
}

static bool take_option(Setting *s, char **argv, int *at)
{
  const char *value = NULL, *wrong;
  const Row *row = find_row(argv[*at], &value);

  if (!row) {
    complain_unknown(argv[*at]);
    return false;
  }
  if (row->argument == VALUE && !value) {
    value = argv[*at + 1];
    if (!value) {
      complain("%s needs a value: %s", row->spelling, row->value);
      return false;
    }
    ++*at;
  }
  if (row->argument == FLAG) {
    *(bool *)((char *)s->options + row->flag) = true;
    return true;
  }
  wrong = row->set(s, value);
  if (wrong)
    complain("%s%s%s: %s", row->spelling, value ? is_long(row) ? "=" : " " : "",
             value ? value : "", wrong);
  return !wrong;
}

static void set_defaults(Options *o)
{
  memset(o, 0, sizeof *o);
  o->emit = EMIT_C | EMIT_H;
  o->ir_after = IR_DEFAULT;
  o->bounds = -1;
  o->level = 2;
  o->stop_after = o->run_pass = -1;
  diag_defaults(&o->diag);
  o->diag.color = terminal_has_color();
}

/* What a flag says to what it is handed on to. */
static void hand_on(Options *o)
{
  o->diag.quiet = o->quiet;
  o->diag.no_warnings = o->no_warnings;
  o->help = o->help || o->help_dev;
  if (o->trace)
    o->pass[PASS_trace] = 1;
}

/* What an option says must be about something. */
static bool agree(const Options *o)
{
  bool has_rule = o->deps_only || o->deps_too || (o->emit & EMIT_DEPS);

  if (!has_rule && (o->deps_file || o->deps_target || o->deps_phony)) {
    complain("-MF, -MT and -MP go with -M, -MD or --emit=deps");
    return false;
  }
  if (o->cc && !(o->emit & EMIT_C && o->emit & EMIT_H)) {
    complain("--cc goes with --emit=c,h");
    return false;
  }
  return true;
}

bool options_parse(Arena *arena, Options *o, int argc, char **argv)
{
  Setting s = { arena, o };
  bool only_files = false;

  set_defaults(o);
  for (int k = 1; k < argc; k++) {
    const char *arg = argv[k];
    bool is_file = only_files || arg[0] != '-' || !arg[1];
    if (!only_files && strcmp(arg, "--") == 0)
      only_files = true;
    else if (!(is_file ? take_input(o, arg) : take_option(&s, argv, &k)))
      return false;
  }
  hand_on(o);
  return agree(o);
}

/* ---- help ---- */

static void print_row(FILE *out, const Row *row)
{
  char left[64];

  snprintf(left, sizeof left, "%s%s%s%s", row->spelling,
           row->argument == OPTIONAL                 ? "[="
           : !*row->value || row->argument == JOINED ? ""
           : is_long(row)                            ? "="
                                                     : " ",
           row->value, row->argument == OPTIONAL ? "]" : "");
  fprintf(out, "  %-24s %s\n", left, row->help);
}

void options_help(FILE *out, bool developer)
{
  fputs("usage: snodegen [options] FILE.sn\n"
        "Writes FILE.c and FILE.h; \"-\" is standard input.\n", out);
  for (int group = 0; group < GROUPS; group++) {
    if (group == DEVELOPER && !developer)
      continue;
    fprintf(out, "\n%s:\n", group_title[group]);
    for (int k = 0; k < ROWS; k++)
      if ((int)rows[k].group == group)
        print_row(out, &rows[k]);
  }
  if (!developer)
    return;
  fputs("\nPasses, in order:\n", out);
  for (int k = 0; k < PASS_COUNT; k++)
    fprintf(out, "  %-16s %s%s\n", pass_table[k].name,
            pass_table[k].required    ? "always: "
            : pass_table[k].level > 1 ? "-O2: "
                                      : "-O1: ",
            pass_table[k].help);
}
