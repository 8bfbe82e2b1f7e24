/* The program's named blocks: what `block` and `end_block` stand around. */
#include "gen/ir/ir.h"

#include <string.h>

static int position_of(const IrStmt *s)
{
  int at = 0;

  while (s->parent->stmts[at] != s)
    at++;
  return at;
}

/* The last `block` before position `at` that has not ended there. */
static const IrStmt *open_at(const IrBlock *list, int at)
{
  int ended = 0;

  while (--at >= 0) {
    const IrStmt *s = list->stmts[at];
    if (s->op == IR_end_block)
      ended++;
    else if (s->op == IR_block && ended-- == 0)
      return s;
  }
  return NULL;
}

const IrStmt *ir_named_block(const IrStmt *s)
{
  const IrStmt *block = NULL;

  for (; s && s->parent && !block; s = s->parent->owner)
    block = open_at(s->parent, position_of(s));
  return block;
}

/* A line's end in a name is a blank of the path. */
static const char *on_one_line(Arena *arena, const char *text)
{
  const size_t length = strlen(text);
  char *line = arena_alloc(arena, length + 1);

  for (size_t k = 0; k <= length; k++)
    line[k] = text[k] && (unsigned char)text[k] < ' ' ? ' ' : text[k];
  return line;
}

/* The offloaded statement around s, or NULL. */
static const IrStmt *task_around(const IrStmt *s)
{
  while (s && s->op != IR_offloaded)
    s = s->parent ? s->parent->owner : NULL;
  return s;
}

static const char *path_of(Arena *arena, const IrStmt *s, bool is_within_task)
{
  const IrStmt *task = is_within_task ? task_around(s) : NULL;
  const char *path = NULL;

  for (s = ir_named_block(s); s; s = ir_named_block(s)) {
    const char *name = on_one_line(arena, s->text);
    if (is_within_task && task_around(s) != task)
      break;
    path = path ? intern_format(arena, "%s: %s", name, path) : name;
  }
  return path;
}

const char *ir_named_path(Arena *arena, const IrStmt *s)
{
  return path_of(arena, s, false);
}

const char *ir_inner_path(Arena *arena, const IrStmt *s)
{
  return path_of(arena, s, true);
}

int ir_block_end(const IrBlock *list, int at)
{
  int depth = 0;

  for (; at < list->count; at++)
    if (list->stmts[at]->op == IR_block)
      depth++;
    else if (list->stmts[at]->op == IR_end_block && --depth == 0)
      break;
  return at;
}
