/* What has no tangent, each with the line that says so. */
#include "gen/derive/tangent.h"

typedef struct Search {
  const Forward *f;
  bool found;
} Search;

static void refuse(Search *search, const IrStmt *at, const char *text, const char *name)
{
  const Forward *f = search->f;
  Arena *arena = f->module->arena;

  add_underived(f->module, f->function, at->loc,
                name ? intern_format(arena, text, ir_whole_name(arena, name)) : text,
                (Loc){ 0 }, NULL);
  search->found = true;
}

static void check_written(Search *search, const IrStmt *s)
{
  if (!s->field->dual && type_is_float(s->field->type) &&
      value_varies(&search->f->varied, assigned(s)))
    refuse(search, s, "field '%s' is assigned what has a tangent and has none: declare it "
                      "'with dual'", s->field->name);
}

static void check_atomic(Search *search, const IrStmt *s)
{
  check_written(search, s);
  if (!s->field->dual)
    return;
  if (s->update != OP_ADD && s->update != OP_SUB)
    refuse(search, s, "this update of '%s' has no derivative: += and -= have one",
           s->field->name);
  else if (search->f->uses[s->id] > 0)
    refuse(search, s, "what '%s' was before the update is used, which has no derivative",
           s->field->name);
}

static void check_array(Search *search, const IrStmt *s)
{
  if (value_varies(&search->f->varied, assigned(s)))
    refuse(search, s, "array '%s' is assigned what has a tangent and has none: use a field "
                      "'with dual'", s->variable->name);
}

/* Iterations of a parallel loop add up a tangent as they add up what it is of; else it is not
 * known which of them was last. */
static void check_update(Search *search, const IrStmt *s)
{
  if (!variable_varies(&search->f->varied, s->variable) || !is_shared_update(s))
    return;
  if (s->update != OP_ADD && s->update != OP_SUB)
    refuse(search, s, "what iterations make of '%s' has no derivative but as a sum, += or -=",
           s->variable->name);
  else if (search->f->uses[s->id] > 0)
    refuse(search, s, "what '%s' was before the update is used, which has no derivative",
           s->variable->name);
}

static void check_operation(Search *search, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (value_varies(&search->f->varied, s->operands[k]) && !has_partial(s)) {
      refuse(search, s, "the bits of a number have no derivative", NULL);
      return;
    }
}

static void check_stmt(Search *search, const IrStmt *s)
{
  switch (s->op) {
  case IR_write:  check_written(search, s); return;
  case IR_atomic: check_atomic(search, s); return;
  case IR_update: check_update(search, s); return;
  case IR_array_write: case IR_array_atomic: check_array(search, s); return;
  default:
    if (is_pure(s))
      check_operation(search, s);
  }
}

bool has_forward(const Forward *f)
{
  const IrBlock *body = f->function->body;
  Search search = { f, false };

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    check_stmt(&search, s);
  return !search.found;
}
