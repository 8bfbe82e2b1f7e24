/* Whether indices are outside of the extents, as a C condition: of a check and of an `inside`.
 */
#include "gen/emit/body.h"

#include <stdlib.h>

const char *extent_text(Body *b, const IrSNode *n, int slot, int axis, int64_t size,
                        const char *member)
{
  const TreeNames *t = &b->emit->trees[n->tree->id];

  if (size)
    return format(b->emit->arena, "%lld", (long long)size);
  return format(b->emit->arena, "%s->snode[%s].%s[%d]", b->view[slot], t->snode[n->id].id, member,
                axis);
}

/* What index k of a check has to stay below. */
static const char *limit_text(Body *b, const IrStmt *s, int k)
{
  const IrSNode *n = s->field ? s->field->snode : s->snode;
  int64_t origin = check_origin(s, k);
  const char *total;
  int axis;

  if (s->variable)
    return s->variable->extent_variable && s->variable->extent_variable[k]
               ? variable_text(b, s->variable->extent_variable[k])
               : format(b->emit->arena, "%lld", (long long)s->variable->extent_constant[k]);
  axis = s->field ? s->field->axes[k] : n->path_axes[k];
  if (n->total[axis])
    return format(b->emit->arena, "%lld", (long long)(origin + n->total[axis]));
  total = extent_text(b, n, s->slot, axis, 0, "total");
  return origin ? format(b->emit->arena, "%s %c %lld", total, origin < 0 ? '-' : '+',
                         llabs((long long)origin)) : total;
}

/* The index as it is compared: an i32 as an i64 where the limits need one. */
static const char *tested_text(Body *b, const IrStmt *s, int k)
{
  const IrStmt *index = s->operands[k];
  int64_t origin = check_origin(s, k), end = origin + constant_limit(s, k);
  bool is_wide = index->type->kind != TYPE_I32 || (origin >= INT32_MIN && end <= INT32_MAX);
  CText text = value_text(b, index);

  return is_wide ? within(b, text, BOUND_ADD)
                 : format(b->emit->arena, "(int64_t)%s", within(b, text, BOUND_UNARY));
}

/* Adds what can fail to be so of origin <= index < limit, in either direction. */
static const char *add_test(Body *b, const char *all, const IrStmt *s, int k, bool is_outside)
{
  const char *glue = is_outside ? " || " : " && ", *text;
  Arena *arena = b->emit->arena;

  if (!tests_origin(s, k) && !tests_limit(s, k))
    return all;
  text = tested_text(b, s, k);
  if (tests_origin(s, k))
    all = format(arena, "%s%s%s %s %lld", all, *all ? glue : "", text, is_outside ? "<" : ">=",
                 (long long)check_origin(s, k));
  if (tests_limit(s, k))
    all = format(arena, "%s%s%s %s %s", all, *all ? glue : "", text, is_outside ? ">=" : "<",
                 limit_text(b, s, k));
  return all;
}

static const char *tests(Body *b, const IrStmt *s, bool is_outside)
{
  const char *all = "";

  for (int k = 0; k < s->operand_count; k++)
    all = add_test(b, all, s, k, is_outside);
  return *all ? all : NULL;
}

const char *outside_text(Body *b, const IrStmt *s)
{
  return tests(b, s, true);
}

const char *inside_text(Body *b, const IrStmt *s)
{
  return tests(b, s, false);
}
