/* Returns as the ends of branches: what stands behind an `if` that holds one is for its other
 * branch.
 *
 *   if (c) return a;          if (c) return a;
 *   b;                  =>    else {
 *   return d;                   b;
 *                               return d;
 *                             }
 */
#include "gen/lower/scope.h"

#include <stddef.h>

enum { MOST_BRANCHES = 32 };           /* in each other */

/* Statements one behind the other. */
typedef struct List {
  Stmt **stmts;
  int count;
} List;

static Stmt *block_of(Arena *arena, List list, int depth);

/* What a block holds, or the statement itself, and the rest behind it. */
static List with_rest(Arena *arena, Stmt *s, List rest)
{
  const bool is_block = s && s->kind == STMT_BLOCK;
  List all = { NULL, 0 };

  for (int k = 0; is_block && k < s->list_count; k++)
    vec_push(arena, all.stmts, all.count, s->list[k]);
  if (s && !is_block)
    vec_push(arena, all.stmts, all.count, s);
  for (int k = 0; k < rest.count; k++)
    vec_push(arena, all.stmts, all.count, rest.stmts[k]);
  return all;
}

static bool goes_on(const Stmt *branch)
{
  return !branch || can_end(branch);
}

static bool branch_of(Arena *arena, Stmt **branch, List rest, int depth)
{
  Stmt *s = *branch;

  if (!goes_on(s))
    rest.count = 0;
  if (!s && rest.count == 0)
    return true;
  *branch = block_of(arena, with_rest(arena, s, rest), depth + 1);
  return *branch != NULL;
}

/* The rest is not written twice. */
static Stmt *if_of(Arena *arena, const Stmt *s, List rest, int depth)
{
  Stmt *branch = NEW(arena, Stmt);

  *branch = *s;
  if (rest.count > 0 && goes_on(s->body) && goes_on(s->other))
    return NULL;
  return branch_of(arena, &branch->body, rest, depth) &&
         branch_of(arena, &branch->other, rest, depth) ? branch : NULL;
}

/* NULL: it has no such form. */
static Stmt *block_of(Arena *arena, List list, int depth)
{
  Stmt *block = NEW(arena, Stmt);

  block->kind = STMT_BLOCK;
  for (int k = 0; k < list.count; k++) {
    Stmt *s = list.stmts[k];
    const List rest = { list.stmts + k + 1, list.count - k - 1 };
    const bool is_plain = !holds_return(s) || s->kind == STMT_RETURN;
    if (!is_plain && s->kind == STMT_BLOCK && !s->format)
      return block_of(arena, with_rest(arena, block, with_rest(arena, s, rest)), depth + 1);
    if (!is_plain)
      s = s->kind == STMT_IF && depth < MOST_BRANCHES ? if_of(arena, s, rest, depth) : NULL;
    if (!s)
      return NULL;
    vec_push(arena, block->list, block->list_count, s);
    if (!is_plain || s->kind == STMT_RETURN)
      return block;
  }
  return block;
}

const Stmt *tail_form(Lowering *l, const Stmt *body)
{
  const List all = { body->list, body->list_count };
  Stmt *form = block_of(l->module->arena, all, 0);

  if (form)
    form->loc = body->loc;
  return form;
}
