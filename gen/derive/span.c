/* Which cells of a field a call assigns, and of which its adjoint needs the values, as far as
 * parameters and constants say: a tape compares the calls of a program by these.
 */
#include "gen/derive/place.h"

/* What index `span.index` of accesses of one kind comes to. */
typedef struct Found {
  IrSpan span;
  bool is_unknown;            /* a loop's index, say, or parameters that differ */
} Found;

typedef struct FoundSpans {
  Found *all;
  int count;
} FoundSpans;

static bool is_fixed(const Place *p)
{
  return p->is_known && !p->home && p->plus == (int32_t)p->plus &&
         (!p->base || (p->base->op == IR_param && p->base->variable->kind == IR_VAR_PARAM));
}

static const IrVariable *base_of(const Place *p)
{
  return p->base ? p->base->variable : NULL;
}

static Found *find_span(const FoundSpans *spans, const IrSpan *like)
{
  for (int k = 0; k < spans->count; k++) {
    const IrSpan *r = &spans->all[k].span;
    if (r->slot == like->slot && r->field == like->field && r->index == like->index &&
        r->is_assigned == like->is_assigned)
      return &spans->all[k];
  }
  return NULL;
}

static void widen(Found *found, const Place *p)
{
  IrSpan *r = &found->span;

  found->is_unknown = found->is_unknown || !is_fixed(p) || base_of(p) != r->base;
  r->lo = p->plus < r->lo ? p->plus : r->lo;
  r->hi = p->plus > r->hi ? p->plus : r->hi;
}

static void add_access(const Refusal *f, FoundSpans *spans, const IrStmt *s)
{
  const Place *places = places_of(f, s);
  Found next = { .span = { .slot = f->r->function->slots[s->slot].name, .field = s->field,
                           .is_assigned = s->op != IR_read } };

  for (int k = 0; k < s->field->axis_count; k++) {
    const Place *p = &places[k];
    Found *found;
    next.span.index = k;
    next.span.base = base_of(p);
    next.span.lo = next.span.hi = p->plus;
    found = find_span(spans, &next.span);
    if (!found) {
      vec_push(f->r->module->arena, spans->all, spans->count, next);
      found = &spans->all[spans->count - 1];
    }
    widen(found, p);
    if (s->field->border != BORDER_NONE)
      found->is_unknown = true;      /* an index outside is another one */
  }
}

/* What is deactivated has its default again, in all cells. */
static void add_deactivation(const Refusal *f, FoundSpans *spans, const IrStmt *s)
{
  for (int k = 0; k < spans->count; k++) {
    const IrSpan *r = &spans->all[k].span;
    if (r->is_assigned && r->slot == f->r->function->slots[s->slot].name &&
        is_above(s->snode, r->field->snode))
      spans->all[k].is_unknown = true;
  }
}

void note_spans(const Refusal *f)
{
  const IrBlock *primal = f->r->primal;
  IrFunction *function = f->r->function;
  FoundSpans spans = { 0 };

  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
    if (((s->op == IR_read && f->r->repeated[s->id]) || s->op == IR_write || s->op == IR_atomic) &&
        s->field->mode != FIELD_MODE_virtual)
      add_access(f, &spans, s);
  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
    if (ir_is(s, IR_DEACTIVATES))
      add_deactivation(f, &spans, s);
  for (int k = 0; k < spans.count; k++)
    if (!spans.all[k].is_unknown)
      vec_push(f->r->module->arena, function->spans, function->span_count, spans.all[k].span);
}
