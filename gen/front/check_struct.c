/* Structs: how they are made, their members, the choice between two. */
#include "gen/front/check.h"

#include <string.h>

/* ---- constructors ---- */

static Expr *zero_struct(Check *c, Expr *e, const Type *type)
{
  e->arg_count = 0;
  return construct_constant(c, e, type, NEW_ARRAY(c->arena, Value, type_count(type)));
}

/* 0, as T(0) has it. */
static bool is_zero(const Expr *e)
{
  return is_literal(e) && type_is_integer(e->type) && e->value.i == 0;
}

/* particle(a, b): the members, in order; particle(0) is particle.zero. */
Expr *check_struct_call(Check *c, Expr *e, const Type *type)
{
  const Struct *s = type_struct(type);
  bool is_counted = e->arg_count == s->member_count, is_good = is_counted;
  if (e->arg_count == 1 && is_zero(e->args[0]))
    return zero_struct(c, e, type);
  if (!is_counted)
    diag(c->diag, DIAG_STRUCT_COUNT, e->loc, type->name, s->member_count,
         s->member_count == 1 ? "member" : "members", e->arg_count);
  for (int i = 0; i < e->arg_count; i++) {
    e->args[i] = is_counted ? check_stored(c, e->args[i], s->members[i].type)
                            : check_expr(c, e->args[i]);
    is_good = is_good && e->args[i]->type;
  }
  if (!is_good)
    return fail_expr(e);
  e->kind = EXPR_CONSTRUCT;
  e->construct = CONSTRUCT_LIST;
  e->type = type;
  return e;
}

Expr *check_struct_made(Check *c, Expr *e, const Type *type)
{
  if (strcmp(e->name, "zero") == 0)
    return zero_struct(c, e, type);
  diag(c->diag, DIAG_NO_CONSTRUCTOR, e->loc, type->name, e->name, "a struct has '.zero'");
  return fail_expr(e);
}

/* ---- members ---- */

static Expr *fail_member(Check *c, Expr *e, const Struct *s)
{
  const char **names = NULL;
  int count = 0;
  for (int i = 0; i < s->member_count; i++)
    vec_push(c->arena, names, count, s->members[i].name);
  vec_push(c->arena, names, count, NULL);
  diag(c->diag, DIAG_NO_MEMBER, e->loc, s->type.name, e->name);
  suggest(c, e->loc, e->name, names);
  return fail_expr(e);
}

/* A member of a constant is a constant. */
static Expr *fold_member(Check *c, Expr *e)
{
  const Type *whole = e->a->type;
  Value *values = NEW_ARRAY(c->arena, Value, type_count(whole));
  if (e->a->kind != EXPR_CONSTRUCT || !constant_elements(c, e->a, values))
    return e;
  return construct_constant(c, e, e->type, values + e->first);
}

Expr *check_struct_member(Check *c, Expr *e, Expr *base)
{
  const Struct *s = type_struct(base->type);
  if (e->kind == EXPR_INDEX) {
    diag(c->diag, DIAG_STRUCT_OPERAND, e->loc, s->type.name);
    return fail_expr(e);
  }
  const Member *member = struct_member(s, e->name);
  if (!member)
    return fail_member(c, e, s);
  e->kind = EXPR_PART;
  e->a = base;
  e->first = member->first;
  e->type = member->type;
  return fold_member(c, e);
}

/* ---- choices ---- */

Expr *check_struct_choice(Check *c, Expr *e)
{
  const Type *type = join_structs(c, &e->args[1], &e->args[2]);
  if (!type)
    return fail_expr(e);
  if (type_is_shaped(e->args[0]->type)) {
    diag(c->diag, DIAG_NEEDS_SCALAR, e->args[0]->loc, "the choice between structs",
         e->args[0]->type->name, "");
    return fail_expr(e);
  }
  e->type = type;
  return e;
}
