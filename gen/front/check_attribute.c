/* Attributes of loops: [[block_dim(128), schedule(dynamic)]] foreach ... */
#include "gen/front/check.h"

#include <string.h>

typedef enum Arguments { NONE, WORD, COUNT, VARIABLE, FIELDS } Arguments;
typedef enum Before { FOREACH, LOOP } Before;

typedef struct Row {
  const char *name;
  Arguments arguments;
  Before before;
} Row;

enum {
#define ATTRIBUTE(id, arguments, before) ROW_##id,
#include "gen/front/attributes.def"
#undef ATTRIBUTE
  ROWS
};

static const Row rows[ROWS] = {
#define ATTRIBUTE(id, arguments, before) { #id, arguments, before },
#include "gen/front/attributes.def"
#undef ATTRIBUTE
};

enum { MAX_BLOCK_DIM = 1024 };         /* the most threads that a team of any device has */
enum { MAX_HALO = 64 };                /* of a staged block, in cells */

static const char *const takes[] = {
  [NONE] = "no arguments",
  [WORD] = "one word: static or dynamic",
  [COUNT] = "one constant: threads, from 1 to 1024",
  [VARIABLE] = "one variable of the loop or of its body",
  [FIELDS] = ("one or more fields, each with its halo where that is told, a constant from 0 to 64: "
              "x, y: 2"),
};

/* Its row; -1 after a message. */
static int find_row(Check *c, const Attribute *a)
{
  const char *names[ROWS + 1] = {NULL};
  for (int k = 0; k < ROWS; k++) {
    names[k] = rows[k].name;
    if (strcmp(rows[k].name, a->name) == 0)
      return k;
  }
  diag(c->diag, DIAG_ATTRIBUTE_UNKNOWN, a->loc, a->name);
  suggest(c, a->loc, a->name, names);
  return -1;
}

static bool take_word(const Attribute *a, Manner *m)
{
  for (int k = SCHEDULE_ANY + 1; k < SCHEDULES; k++)
    if (a->args[0]->kind == EXPR_NAME && strcmp(a->args[0]->name, schedule_name[k]) == 0) {
      m->schedule = (Schedule)k;
      return true;
    }
  return false;
}

/* True too where the argument has an error of its own. */
static bool take_count(Check *c, const Attribute *a, Manner *m)
{
  Expr *e = check_value(c, a->args[0]);
  if (!e->type)
    return true;
  if (e->kind != EXPR_LITERAL || !type_is_integer(e->type) || e->value.i < 1 ||
      e->value.i > MAX_BLOCK_DIM)
    return false;
  m->block_dim = (int)e->value.i;
  return true;
}

/* ---- [[unique(p)]] ---- */

typedef struct Named {
  const char *name;
  Variable *found;                     /* the last one of that name */
  int count;
} Named;

static void note_named(Named *n, Variable *v)
{
  if (strcmp(v->name, n->name) != 0)
    return;
  n->found = v;
  n->count++;
}

/* What the body declares, but not in loops of its own: once in each iteration. */
static void find_declared(Named *n, const Stmt *s)
{
  if (!s)
    return;
  if (s->kind == STMT_DECLARE)
    note_named(n, s->variable);
  for (int k = 0; s->kind == STMT_BLOCK && k < s->list_count; k++)
    find_declared(n, s->list[k]);
  if (s->kind == STMT_IF) {
    find_declared(n, s->body);
    find_declared(n, s->other);
  }
}

static void take_unique(Check *c, const Stmt *s, const Attribute *a)
{
  const Expr *e = a->args[0];
  Named n = {.name = e->name};
  for (int k = 0; k < s->variable_count; k++)
    note_named(&n, s->variables[k]);
  for (int k = 0; k < s->range_count; k++)
    if (s->ranges[k].variable)
      note_named(&n, s->ranges[k].variable);
  find_declared(&n, s->body);
  if (n.count == 1)
    n.found->is_unique = n.found->is_used = true;
  else
    diag(c->diag, DIAG_UNIQUE_VARIABLE, e->loc, e->name,
         n.count ? "declared more than once"
                 : "no variable of the loop, nor one that its body declares outside of loops");
}

/* ---- [[cache(x, y: 2)]] ---- */

/* True too where what is told has an error of its own: check_value has told. */
static bool take_halo(Check *c, Expr *told, int *halo)
{
  Expr *e;
  *halo = CACHED_AS_NEEDED;
  if (!told || !(e = check_value(c, told))->type)
    return true;
  if (e->kind != EXPR_LITERAL || !type_is_integer(e->type) || e->value.i < 0 ||
      e->value.i > MAX_HALO)
    return false;
  *halo = (int)e->value.i;
  return true;
}

static void take_cache(Check *c, Stmt *s, const Attribute *a)
{
  Manner *m = &s->manner;
  if (s->kind != STMT_FOREACH_NODE) {
    diag(c->diag, DIAG_CACHE_LOOP, a->loc);
    return;
  }
  m->cached = NEW_ARRAY(c->arena, Cached, a->arg_count);
  for (int k = 0; k < a->arg_count; k++) {
    const Expr *e = a->args[k];
    Place place;
    int halo;
    if (!take_halo(c, a->halos[k], &halo))
      diag(c->diag, DIAG_ATTRIBUTE_ARGUMENTS, a->halos[k]->loc, a->name, takes[FIELDS]);
    if (!find_place(c, e, "cache", &place))
      continue;
    if (!place.field) {
      diag(c->diag, DIAG_UNKNOWN_FIELD, e->loc, place.name);
      continue;
    }
    Cached *cached = &m->cached[m->cached_count++];
    *cached = (Cached){.loc = e->loc, .field = place.field, .halo = halo};
    use_slot(c, &cached->tree_slot, &place, e->loc);
  }
}

/* ---- all of them ---- */

static bool tells_halo(const Attribute *a)
{
  for (int k = 0; k < a->arg_count; k++)
    if (a->halos[k])
      return true;
  return false;
}

static bool take_arguments(Check *c, int row, const Attribute *a, Manner *m)
{
  if (rows[row].arguments == NONE)
    return a->arg_count == 0;
  if (rows[row].arguments != FIELDS && tells_halo(a))
    return false;
  if (a->arg_count == 0 || (rows[row].arguments != FIELDS && a->arg_count > 1))
    return false;
  switch (rows[row].arguments) {
  case WORD:  return take_word(a, m);
  case COUNT: return take_count(c, a, m);
  case VARIABLE: return a->args[0]->kind == EXPR_NAME;
  case FIELDS:
    for (int k = 0; k < a->arg_count; k++)
      if (a->args[k]->kind != EXPR_NAME && a->args[k]->kind != EXPR_MEMBER)
        return false;
    return true;
  default:    return true;
  }
}

static void take_attribute(Check *c, Stmt *s, int row, const Attribute *a)
{
  bool is_foreach = s->kind == STMT_FOREACH_RANGE || s->kind == STMT_FOREACH_NODE;
  if (rows[row].before == FOREACH && !is_foreach) {
    diag(c->diag, DIAG_ATTRIBUTE_LOOP, a->loc, a->name);
    return;
  }
  if (!take_arguments(c, row, a, &s->manner)) {
    diag(c->diag, DIAG_ATTRIBUTE_ARGUMENTS, a->loc, a->name, takes[rows[row].arguments]);
    return;
  }
  if (row == ROW_unique)
    take_unique(c, s, a);
  if (row == ROW_cache)
    take_cache(c, s, a);
  if (row == ROW_serial)
    s->manner.is_serial = true;
  if (row != ROW_unroll)
    return;
  if (is_foreach)
    diag(c->diag, DIAG_ATTRIBUTE_UNUSED, a->loc, a->name,
         "the iterations of a foreach are shared out, not written out");
  else if (s->kind == STMT_FOR_UNDER || s->range_count == 0)
    diag(c->diag, DIAG_UNROLL_LOOP, a->loc,
         "it does not go over a range, as 'for (i in 0 .. 4)' does, or 'for (i32 i = 0; i < 4; "
         "i++)'");
  s->manner.is_unrolled = !is_foreach;
}

/* What one thread has no use for. */
static void report_unused(Check *c, const Stmt *s)
{
  static const int useless[] = {ROW_schedule, ROW_block_dim, ROW_cache};
  for (int k = 0; s->manner.is_serial && k < s->attribute_count; k++)
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++)
      if (strcmp(s->attributes[k].name, rows[useless[i]].name) == 0)
        diag(c->diag, DIAG_ATTRIBUTE_UNUSED, s->attributes[k].loc, s->attributes[k].name,
             "one thread runs a serial loop");
}

void check_attributes(Check *c, Stmt *s)
{
  bool is_given[ROWS] = {false};
  for (int k = 0; k < s->attribute_count; k++) {
    const Attribute *a = &s->attributes[k];
    int row = find_row(c, a);
    if (row >= 0 && is_given[row])
      diag(c->diag, DIAG_ATTRIBUTE_TWICE, a->loc, a->name);
    else if (row >= 0)
      take_attribute(c, s, row, a);
    if (row >= 0)
      is_given[row] = true;
  }
  report_unused(c, s);
}
