/* What each option with a value does: a setter for each row of options.def that is no flag. */
#define _POSIX_C_SOURCE 200809L
#include "gen/option_setters.h"
#include "gen/building.h"
#include "gen/files.h"
#include "gen/lower/lower.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTER(id) const char *option_set_##id(Setting *s, const char *value)
#define TEXT_SETTER(id, member)         \
  SETTER(id)                            \
  {                                     \
    s->options->member = value;         \
    return *value ? NULL : "it is empty"; \
  }

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
                                       "tasks", "layout", "device",
#define BINDING(word, ending) #word,
#include "gen/bind/bindings.def"
#undef BINDING
                                       NULL };
  int which = one_of(word, words);

  if (which >= 0) {
    s->options->emit |= 1u << which;
    return NULL;
  }
  if (strncmp(word, "ir=", 3) != 0)
    return "it takes c, h, deps, device, f90, hpp, ir, ir=PASS, json, main, py, tasks, layout";
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
  static const char *const words[] = { "omp", "acc", "serial", "interpreter", NULL };
  static const EmitTarget targets[] = { EMIT_OMP, EMIT_ACC, EMIT_SERIAL,
                                        EMIT_INTERPRETER };
  int which = one_of(value, words);

  if (which < 0)
    return "it takes omp, acc, serial, interpreter";
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

/* One more target of the rule. */
static const char *add_target(Setting *s, const char *target)
{
  const char *before = s->options->deps_target;

  s->options->deps_target = before ? intern_format(s->arena, "%s %s", before, target) : target;
  return *target ? NULL : "it is empty";
}

SETTER(MT)
{
  return add_target(s, value);
}

SETTER(MQ)
{
  return add_target(s, quoted_for_make(s->arena, value));
}

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
  static const char *const words[] = { "div", "inactive", "race", "grad", "all", NULL };
  static const unsigned bits[] = { CHECK_DIV, CHECK_INACTIVE, CHECK_RACE, CHECK_GRAD,
                                   CHECK_DIV | CHECK_INACTIVE | CHECK_RACE | CHECK_GRAD };
  int which = one_of(word, words);
  const char *near;

  if (which >= 0) {
    s->options->checks |= bits[which];
    return NULL;
  }
  near = nearest_name(word, words);
  return near ? intern_format(s->arena, "did you mean '%s'?", near)
              : "it takes div, inactive, race, grad, all";
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
  const char *names[DIAG_COUNT + 1], *near;

  if (strcmp(value, "error") == 0) {
    s->options->diag.werror = true;
    return NULL;
  }
  if (strcmp(value, "no-error") == 0) {
    s->options->diag.werror = false;
    return NULL;
  }
  if (diag_set_warning(&s->options->diag, off ? value + 3 : value, !off))
    return NULL;
  diag_warning_names(names);
  near = nearest_name(off ? value + 3 : value, names);
  return near ? intern_format(s->arena, "there is no such warning; did you mean '-W%s%s'?",
                              off ? "no-" : "", near)
              : "there is no such warning; docs/reference.md has all of them";
}

bool option_terminal_has_color(void)
{
  const char *term = getenv("TERM");

  return isatty(2) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

SETTER(color)
{
  static const char *const words[] = { "always", "never", "auto", NULL };
  int which = value ? one_of(value, words) : 0;

  s->options->diag.color = which == 0 || (which == 2 && option_terminal_has_color());
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
  return value ? check_build(s->arena, value) : NULL;
}
