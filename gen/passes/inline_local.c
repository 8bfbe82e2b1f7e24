/* inline_local: a local field is computed where it is read, as a virtual one, where a kernel
 * computes it by one assignment to all its cells and reads each of them once.
 *
 *   foreach_node t { write t g $1 $3 }        foreach_node x {
 *   foreach_node x {                            $4 = loop .. index 0
 *     $4 = loop .. index 0             =>       ($3 at the index $4)
 *     $5 = read t g $4                          write x g $4 ..
 *     write x g $4 $5                         }
 *   }
 *
 * A local field lives for one call, and nothing outside a kernel can see whether it was stored.
 * Nothing is computed more often: the read stands directly in a loop over all the cells, and it
 * is the only one, but for those of the value that their own iteration has assigned.  So an index
 * outside the extents is found too, if not in the same loop.
 *
 * Needs: the module as written, behind virtual.
 */
#include "gen/ir/finding.h"
#include "gen/passes/mode_tools.h"

enum { MOST_STATEMENTS = 64 };           /* that are put in the place of a read */

/* ---- which fields ---- */

typedef struct Found {
  IrModule *module;
  struct Candidate { const IrField *field; int slot; } *candidates;
  int count;
} Found;

static void note_candidate(Found *found, IrStmt *s)
{
  const struct Candidate one = { s->field, s->slot };

  if (s->op != IR_write || s->field->mode != FIELD_MODE_local)
    return;
  for (int k = 0; k < found->count; k++)
    if (found->candidates[k].field == s->field && found->candidates[k].slot == s->slot)
      return;
  vec_push(found->module->arena, found->candidates, found->count, one);
}

static bool is_meant(const IrStmt *s, const Computed *c)
{
  return s->field == c->field && s->slot == c->slot;
}

static bool uses_field(const IrFunction *f, const IrField *field)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (s->field == field)
      return true;
  return false;
}

/* Whether a func uses it, or its tree is reset. */
static bool is_used_elsewhere(const Computed *c)
{
  const IrBlock *body = c->function->body;
  const IrCalled called = ir_called(c->module->arena, body);

  for (int k = 0; k < called.count; k++)
    if (uses_field(called.functions[k], c->field))
      return true;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (s->op == IR_deactivate_all && s->snode->tree == c->field->snode->tree)
      return true;
  return false;
}

/* ---- whether it can be ---- */

/* The read, not of the own value, that a computation takes the place of; -1: there is none to be
 * replaced, or one that cannot be. */
static int find_read(Computed *c)
{
  ComputedRead r;
  Cover reading;
  int found = -1;

  for (int k = 0; k < c->read_count; k++) {
    if (plan_read(c, k, &r))
      return -1;
    if (r.is_own)
      continue;
    if (found >= 0 || r.slice.count > MOST_STATEMENTS || find_cover(r.read, &reading))
      return -1;
    found = k;
  }
  return found;
}

static bool can_be_computed(Computed *c)
{
  return c->write_count == 1 && c->other_count == 0 && !check_definition(c, 0) &&
         find_read(c) >= 0 && !is_used_elsewhere(c);
}

/* ---- doing it ---- */

static void inline_field(IrModule *m, IrFunction *f, const IrField *field, int slot)
{
  Computed c = { .module = m, .function = f, .is_meant = is_meant, .field = field, .slot = slot };
  IrFinding *finding;

  note_computed(&c);
  if (!can_be_computed(&c))
    return;
  finding = add_finding(m, field, f, c.writes[0]->loc, NULL);
  finding->kind = IR_FOUND_COMPUTED;
  for (int k = 0; k < c.read_count; k++) {
    ComputedRead r;
    (void)plan_read(&c, k, &r);         /* as before: what was put changes nothing */
    replace_read(&c, c.reads[k], put_computed(&c, &r));
  }
  remove_write(c.writes[0]);
}

static void inline_kernel(IrModule *m, IrFunction *f)
{
  Found found = { .module = m };

  if (!f->is_kernel)
    return;
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    note_candidate(&found, s);
  for (int k = 0; k < found.count; k++)
    inline_field(m, f, found.candidates[k].field, found.candidates[k].slot);
}

void pass_inline_local(IrModule *m)
{
  for_each_function(m, inline_kernel);
}
