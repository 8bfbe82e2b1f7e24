/* virtual: what a kernel assigns to a virtual field stands where the field is read.
 *
 *   foreach_node a g {                        foreach_node b g {
 *     $1 = loop $0 index 0                      $4 = loop $3 index 0
 *     $2 = mul $1 $1                            check_bounds field a g $4
 *     write a g $1 $2                 =>        $6 = mul $4 $4
 *   }                                           write b g $4 $6
 *   foreach_node b g {                        }
 *     $4 = loop $3 index 0
 *     $5 = read a g $4
 *     write b g $4 $5
 *   }
 *
 * A kernel computes each by one assignment to all its cells (cover.c), and reads it behind
 * that.  What the assignment reads may not be changed in between: a value is what it would
 * be if it were stored, or the program is wrong and a finding says why.  In the loop of the
 * assignment itself the iteration's own cell is the value assigned.
 *
 * Needs: the module as written.
 * Guarantees: no statement reads or writes a virtual field; only checks of bounds name one.
 */
#include "gen/passes/mode_tools.h"

enum { MOST_STATEMENTS = 20000 };        /* put into one kernel: neighbours of neighbours double */

/* ---- findings ---- */

IrFinding *add_finding(IrModule *m, const IrField *field, const IrFunction *kernel, Loc loc,
                       const char *text)
{
  IrFinding finding = { .field = field, .kernel = kernel, .loc = loc, .text = text };

  vec_push(m->arena, m->findings, m->finding_count, finding);
  return &m->findings[m->finding_count - 1];
}

static bool is_told(const Computed *c, const IrField *f)
{
  const IrModule *m = c->module;

  for (int k = 0; k < m->finding_count; k++) {
    const IrField *told = m->findings[k].field;
    if (m->findings[k].kind == IR_FOUND_ERROR && m->findings[k].kernel == c->function &&
        (told == f || ir_same_whole(told->name, f->name)))
      return true;
  }
  return false;
}

/* Once for each field of a function; NULL: it was. */
static IrFinding *fail(const Computed *c, const IrStmt *s, const char *text)
{
  if (is_told(c, s->field))
    return NULL;
  return add_finding(c->module, s->field, c->function, s->loc, text);
}

/* ---- accesses ---- */

static bool is_virtual(const IrStmt *s, const Computed *c)
{
  (void)c;
  return s->field->mode == FIELD_MODE_virtual;
}

static const char in_func[] = "a func uses it here: only the kernel that computes it can";

static void report_accesses(const Computed *c)
{
  for (int k = 0; k < c->other_count; k++)
    fail(c, c->others[k],
         c->others[k]->op == IR_cache
           ? "it is staged here: nothing of it is stored"
           : "it is updated here: its value is what one assignment says");
  for (int k = 0; k < c->write_count; k++) {
    const char *why_not = c->function->is_kernel ? check_definition(c, k) : in_func;
    if (why_not)
      fail(c, c->writes[k], why_not);
  }
}

static void report_read(const Computed *c, const ComputedRead *r, const char *why_not)
{
  IrFinding *finding = fail(c, r->read, why_not);

  if (!finding || !r->change)
    return;
  finding->changed = changed_name(&r->slice, r->change);
  finding->changed_loc = r->change->loc;
}

/* ---- reads ---- */

/* What takes its place; after a finding the default: no one will run it. */
static IrStmt *value_of(Computed *c, int which, int *put)
{
  ComputedRead r = { .read = c->reads[which] };
  const char *why_not = c->function->is_kernel ? plan_read(c, which, &r) : in_func;
  Maker make = make_before(c->module, r.read);

  *put += r.slice.count;
  if (!why_not && *put > MOST_STATEMENTS)
    why_not = "its computation would be repeated too often: store it";
  if (!why_not)
    return put_computed(c, &r);
  report_read(c, &r, why_not);
  return make_value(&make, r.read->type, r.read->field->default_value);
}

static void resolve_function(IrModule *m, IrFunction *f)
{
  Computed c = { .module = m, .function = f, .is_meant = is_virtual };
  int put = 0;

  note_computed(&c);
  report_accesses(&c);
  for (int k = 0; k < c.read_count; k++)
    replace_read(&c, c.reads[k], value_of(&c, k, &put));
  for (int k = 0; k < c.write_count; k++)
    remove_write(c.writes[k]);
}

static bool has_error(const IrModule *m)
{
  for (int k = 0; k < m->finding_count; k++)
    if (m->findings[k].kind == IR_FOUND_ERROR)
      return true;
  return false;
}

void pass_virtual(IrModule *m)
{
  for_each_function(m, resolve_function);
  if (!has_error(m))
    drop_virtual_slots(m);
}
