/* What is said of a module's accesses: updates that iterations lose to each other; what -Wperf
 * names, stores that others may meet, and updates that the machine does not do in one step.
 */
#include "gen/perf.h"
#include "gen/base/map.h"
#include "gen/ir/finding.h"
#include "gen/passes/ways.h"

#include <stddef.h>

static const char *name_of(const IrStmt *s)
{
  return s->field ? s->field->name : s->variable->name;
}

/* Why the update takes a loop, or NULL. */
static const char *why_loop(const IrStmt *s)
{
  switch (s->update) {
  case OP_DIV: return "no machine divides in memory";
  case OP_MOD: return "no machine divides in memory";
  case OP_SHL: return "no machine shifts in memory";
  case OP_SHR: return "no machine shifts in memory";
  default:
    return type_is_integer(s->type) && s->type->bits < 32
               ? "its type has less than 32 bits" : NULL;
  }
}

static bool is_shared_update(const IrStmt *s)
{
  return (s->op == IR_cell_atomic || s->op == IR_array_atomic ||
          (s->op == IR_update && !s->reduction)) && !s->plain;
}

/* That says more than that others may meet the store. */
static bool is_lost_update(const IrModule *m, const IrStmt *s)
{
  for (int k = 0; k < m->lost_update_count; k++)
    if (loc_is_same(m->lost_updates[k].loc, s->loc))
      return true;
  return false;
}

static bool is_met(const IrModule *m, const IrStmt *s)
{
  const IrStmt *task = task_of(s);

  return (s->op == IR_store || s->op == IR_array_write) && s->relaxed &&
         !is_lost_update(m, s) && !(task && is_of_one_iteration(task, s));
}

static void report(const IrModule *m, Diag *d, const IrStmt *s)
{
  if (is_met(m, s))
    diag(d, DIAG_RELAXED_STORE, s->loc, name_of(s));
  else if (is_shared_update(s) && why_loop(s))
    diag(d, DIAG_UPDATE_LOOP, s->loc, name_of(s), why_loop(s));
}

/* A loop whose cells lie in windows is not meant to go by rows. */
static void report_rows(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->unrowed_count; k++)
    if (!m->unrowed[k].task->blocks[2])
      diag(d, DIAG_CELL_BY_CELL, m->unrowed[k].loc, m->unrowed[k].why);
}

/* Whether the node's cells are structs of several fields, out of which a row of one is taken. */
static bool is_interleaved(const IrSNode *node)
{
  return !node->is_soa && node->child_count == 0 && ir_is_in_place(node) &&
         node->field_count > 1 &&
         !ir_same_whole(node->fields[0]->name, node->fields[node->field_count - 1]->name);
}

/* The node above whose cells hold the node's containers beside others, which could lie apart. */
static const IrSNode *spread_by(const IrSNode *node)
{
  const IrSNode *above = node;

  while (above && !ir_is_allocated(above))
    above = above->parent;
  return above && !above->is_split && above->child_count > 1 && above->field_count == 0 &&
             ir_field_bytes(above) > IR_SMALL_CONTAINER ? above : NULL;
}

/* Once for each node: what its rows are taken out of, and what they stand between. */
static void report_interleaved(const IrModule *m, Diag *d)
{
  Map said;

  map_init(&said, m->arena);
  for (int k = 0; k < ir_function_count(m); k++) {
    const IrBlock *body = ir_function(m, k)->body;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      if (s->op == IR_row_load && !map_get(&said, s->field->snode) &&
          is_interleaved(s->field->snode)) {
        diag(d, DIAG_INTERLEAVED, s->loc, ir_whole_name(m->arena, s->field->name),
             s->field->snode->name);
        map_put(&said, s->field->snode, s);
      } else if (s->op == IR_row_load && spread_by(s->field->snode) &&
                 !map_get(&said, spread_by(s->field->snode))) {
        const IrSNode *above = spread_by(s->field->snode);
        diag(d, DIAG_SPREAD, s->loc, ir_whole_name(m->arena, s->field->name), above->name);
        map_put(&said, above, s);
      }
  }
}

static void report_windows(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->unwindowed_count; k++)
    diag(d, DIAG_WALK_PER_CELL, m->unwindowed[k].loc, m->unwindowed[k].why);
}

/* In the order of the source: adjoints are made from the last statement on. */
static void report_kept(const IrModule *m, Diag *d)
{
  const IrUnrowed **kept = NEW_ARRAY(m->arena, const IrUnrowed *, m->kept_count + 1);

  for (int k = 0; k < m->kept_count; k++) {
    int place = k;
    for (; place > 0 && loc_is_before(m->kept[k].loc, kept[place - 1]->loc); place--)
      kept[place] = kept[place - 1];
    kept[place] = &m->kept[k];
  }
  for (int k = 0; k < m->kept_count; k++)
    diag(d, DIAG_ADJOINT_KEEPS, kept[k]->loc, kept[k]->why);
}

void report_performance(const IrModule *m, Diag *d)
{
  report_rows(m, d);
  report_kept(m, d);
  report_interleaved(m, d);
  report_windows(m, d);
  for (int k = 0; k < ir_function_count(m); k++) {
    const IrBlock *body = ir_function(m, k)->body;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      report(m, d, s);
  }
}

void report_lost_updates(const IrModule *m, Diag *d)
{
  for (int k = 0; k < m->lost_update_count; k++) {
    const IrLostUpdate *lost = &m->lost_updates[k];
    diag(d, DIAG_LOST_UPDATE, lost->loc, ir_whole_name(m->arena, lost->name));
    diag(d, DIAG_LOST_UPDATE_HINT, lost->loc);
  }
}
