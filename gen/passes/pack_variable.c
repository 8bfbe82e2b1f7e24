/* Locals that are assigned together, as one of lanes. */
#include "gen/passes/pack.h"

static bool is_of(const Group *g, const IrVariable *v)
{
  for (int k = 0; k < g->count; k++)
    if (g->variable[k] == v)
      return true;
  return false;
}

static Group *find_group(const Pack *p, const Tuple *gets)
{
  for (int g = 0; g < p->group_count; g++) {
    bool is_same = p->groups[g]->count == gets->count;
    for (int k = 0; is_same && k < gets->count; k++)
      is_same = p->groups[g]->variable[k] == gets->lane[k]->variable;
    if (is_same)
      return p->groups[g];
  }
  return NULL;
}

/* ---- whether they are assigned together ---- */

static bool assigns(const IrStmt *s)
{
  return s->op == IR_declare || s->op == IR_set;
}

/* All that is done with them is done in the form itself, in no loop or branch of it. */
static bool is_all_here(const Pack *p, const Group *g)
{
  for (IrStmt *s = ir_first(p->block); s; s = ir_next(s, p->block))
    if (s->variable && ir_is(s, IR_OF_LOCAL) && is_of(g, s->variable) &&
        (s->parent != p->block || !(assigns(s) || s->op == IR_get)))
      return false;
  return true;
}

/* Notes the positions where the k-th is assigned; false: that is not as often as the first one. */
static bool find_assignments(const Pack *p, Group *g, int k)
{
  int times = 0;

  for (int at = 0; at < p->count; at++) {
    if (!assigns(p->stmts[at]) || p->stmts[at]->variable != g->variable[k])
      continue;
    if (k == 0) {
      const int none = -1;
      for (int other = 0; other < g->count; other++) {
        int size = g->times * g->count + other;
        vec_push(p->module->arena, g->assigned, size, none);
      }
      g->times++;
    } else if (times == g->times) {
      return false;
    }
    g->assigned[times++ * g->count + k] = at;
  }
  return times == g->times && times > 0;
}

static int first_of(const Group *g, int time)
{
  int first = g->assigned[time * g->count];

  for (int k = 1; k < g->count; k++)
    if (g->assigned[time * g->count + k] < first)
      first = g->assigned[time * g->count + k];
  return first;
}

static int last_of(const Group *g, int time)
{
  int last = -1;

  for (int k = 0; k < g->count; k++)
    if (g->assigned[time * g->count + k] > last)
      last = g->assigned[time * g->count + k];
  return last;
}

/* How often the variable has been assigned before that position. */
static int version_at(const Group *g, const IrVariable *v, int at)
{
  int k = 0, version = 0;

  while (g->variable[k] != v)
    k++;
  while (version < g->times && g->assigned[version * g->count + k] < at)
    version++;
  return version;
}

/* What a `get` gives the one of lanes has too, which is assigned where the last of them is. */
static bool is_assigned_in_time(const Pack *p, const Group *g, int at)
{
  const int version = version_at(g, p->stmts[at]->variable, at);

  return version > 0 && last_of(g, version - 1) < at;
}

/* Each time all are, before one is again. */
static bool are_together(const Pack *p, const Group *g)
{
  for (int time = 0; time < g->times; time++) {
    if (time > 0 && first_of(g, time) < last_of(g, time - 1))
      return false;
    for (int k = 0; k < g->count; k++)
      if ((p->stmts[g->assigned[time * g->count + k]]->op == IR_declare) != (time == 0))
        return false;
  }
  for (int at = 0; at < p->count; at++)
    if (p->stmts[at]->op == IR_get && is_of(g, p->stmts[at]->variable) &&
        !is_assigned_in_time(p, g, at))
      return false;
  return true;
}

static bool can_be_group(const Pack *p, Group *g)
{
  for (int k = 0; k < g->count; k++)
    if (pack_group_of(p, g->variable[k]) || !find_assignments(p, g, k))
      return false;
  return is_all_here(p, g) && are_together(p, g);
}

/* ---- making it ---- */

static void make_variable(Pack *p, Group *g)
{
  const IrVariable *first = g->variable[0];
  const char *name = ir_whole_name(p->module->arena, first->shown ? first->shown : first->name);

  g->made = make_hidden(p->module, p->function, IR_VAR_LOCAL, name, first->type);
  g->made->lanes = pack_lanes(g->count);
  g->made->shown = name;
}

/* In the place of what assigns the last of them. */
static void assign(Pack *p, Group *g, int time)
{
  const int last = last_of(g, time);
  Tuple values = { .count = g->count };
  const Packed *packed;
  IrStmt *s;

  for (int k = 0; k < g->count; k++)
    values.lane[k] = p->stmts[g->assigned[time * g->count + k]]->operands[0];
  packed = pack_value(p, values);
  p->has_failed = p->has_failed || packed->anchor > last;
  if (p->is_trial || p->has_failed)
    return;
  s = ir_stmt(p->module, p->stmts[last]->op, TY(VOID), p->stmts[last]->loc,
              pack_spread(p, packed->made, g->count, last), NULL);
  s->variable = g->made;
  pack_put(p, s, last);
}

/* All ask for what one assignment has left. */
static bool is_of_one_time(const Pack *p, const Group *g, const Tuple *gets)
{
  const int at = pack_position(p, gets->lane[0]);
  const int version = version_at(g, gets->lane[0]->variable, at);

  for (int k = 1; k < gets->count; k++)
    if (version_at(g, gets->lane[k]->variable, pack_position(p, gets->lane[k])) != version)
      return false;
  return true;
}

Group *pack_group(Pack *p, const Tuple *gets)
{
  Group *g = NULL;

  for (int k = 0; k < gets->count; k++)
    if (gets->lane[k]->op != IR_get || gets->lane[k]->variable->kind != IR_VAR_LOCAL ||
        gets->lane[k]->variable->lanes > 0 || gets->lane[k]->type != gets->lane[0]->type ||
        !type_is_float(gets->lane[k]->type) || gets->lane[k]->type->bits < 32)
      return NULL;
  g = find_group(p, gets);
  if (g)
    return is_of_one_time(p, g, gets) ? g : NULL;
  g = NEW(p->module->arena, Group);
  g->count = gets->count;
  for (int k = 0; k < gets->count; k++)
    g->variable[k] = gets->lane[k]->variable;
  if (!can_be_group(p, g) || !is_of_one_time(p, g, gets))
    return NULL;
  vec_push(p->module->arena, p->groups, p->group_count, g);
  if (!p->is_trial)
    make_variable(p, g);
  for (int time = 0; time < g->times; time++)
    assign(p, g, time);
  return g;
}

const Group *pack_group_of(const Pack *p, const IrVariable *v)
{
  for (int g = 0; g < p->group_count; g++)
    if (is_of(p->groups[g], v))
      return p->groups[g];
  return NULL;
}
