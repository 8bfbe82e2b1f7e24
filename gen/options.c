/* The command line: a table walked once, a setter for each row (option_setters.c).
 *
 * A FLAG's row sets the member of its name; the setter of another returns NULL, or what is
 * wrong with the value.  What is not built yet is refused here, so that nothing is ever ignored.
 */
#include "gen/option_setters.h"
#include "gen/files.h"

#include <stddef.h>
#include <string.h>

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
  TRYING,
  INFORMATION,
  DEVELOPER,
  GROUPS
} Group;

static const char *const group_title[GROUPS] = {
  "Output", "Target",   "Program",  "Dependencies, as gcc", "Checks",
  "Code",   "Messages", "Building", "Trying", "Information", "For developers"
};

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
#define SETS_VALUE(id) 0, option_set_##id
#define SETS_OPTIONAL(id) 0, option_set_##id
#define SETS_JOINED(id) 0, option_set_##id

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
    complain("one file at a time: '%s' and '%s'%s", o->input, arg,
             o->run ? "; arguments of the program stand behind --" : "");
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
  o->diag.color = option_terminal_has_color();
}

/* What a flag says to what it is handed on to. */
static void hand_on(Options *o)
{
  o->diag.quiet = o->quiet;
  o->diag.no_warnings = o->no_warnings;
  o->help = o->help || o->help_dev;
  if (o->trace)
    o->pass[PASS_trace] = 1;
  if (o->most_local)
    o->pass[PASS_most_local] = 1;
}

/* What an option says must be about something. */
static bool agree(const Options *o)
{
  bool has_rule = o->deps_only || o->deps_too || (o->emit & EMIT_DEPS);

  if (!has_rule && (o->deps_file || o->deps_target || o->deps_phony)) {
    complain("-MF, -MT, -MQ and -MP go with -M, -MD or --emit=deps");
    return false;
  }
  if (o->cc && !(o->emit & EMIT_C && o->emit & EMIT_H)) {
    complain("--cc goes with --emit=c,h");
    return false;
  }
  if (o->lsp && (o->input || o->run || o->watch || o->cc || has_rule)) {
    complain("--lsp has its files from the editor: it goes without a file, --run, --watch, --cc "
             "and -M");
    return false;
  }
  if (o->watch && (o->run || (o->input && strcmp(o->input, "-") == 0))) {
    complain("--watch looks at a file: it goes without --run, and not with standard input");
    return false;
  }
  if (o->run && (o->cc || has_rule || o->output || o->output_dir || o->stop_after >= 0 ||
                 o->run_pass >= 0 || o->emit != (EMIT_C | EMIT_H))) {
    complain("--run writes no file: it goes without -o, --output-dir, --emit, --cc, -M and -MD");
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
    else if (only_files && o->run && o->input)
      vec_push(arena, o->arguments, o->argument_count, argv[k]);
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
        "       snodegen --run [options] FILE.sn [-- ARGUMENT ...]\n"
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
