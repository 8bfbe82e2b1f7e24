/* Staged fields: boxes of cells around a block, in arrays of the thread.
 *
 *   float near_x[10 * 10];                      in the skeleton of host threads
 *   snd_stage(&way, offsetof(t_leaf, x), .., near_x);           for each block
 *   near_x[at + 1]                              in the body, for x[i, j + 1]
 *
 * A device reads the cells themselves: its task has a body of its own.
 */
#include "gen/emit/task.h"

static const IrStmt *looped(const IrStmt *cache)
{
  return cache->parent->owner;
}

/* Own extent of the looped SNode on the axis, 1 where it has none. */
static int64_t own_extent(const IrStmt *cache, int axis)
{
  const IrSNode *n = looped(cache)->snode;

  for (int k = 0; k < n->axis_count; k++)
    if (n->axes[k].axis == axis)
      return n->axes[k].size;
  return 1;
}

static int64_t lo_of(const IrStmt *cache, int k)
{
  return cache->operands[2 * k]->value.i;
}

static int64_t extent_of(const IrStmt *cache, int k)
{
  int64_t own = own_extent(cache, cache->field->snode->path_axes[k]);

  return own + cache->operands[2 * k + 1]->value.i - lo_of(cache, k);
}

static int64_t step_of(const IrStmt *cache, int k)
{
  int64_t step = 1;

  while (++k < cache->field->snode->path_axis_count)
    step *= extent_of(cache, k);
  return step;
}

static int loop_position(const IrStmt *cache, int k)
{
  const IrSNode *n = looped(cache)->snode;
  int at = 0;

  while (n->path_axes[at] != cache->field->snode->path_axes[k])
    at++;
  return at;
}

const IrStmt *find_cache(const IrStmt *task, const IrStmt *staged)
{
  const IrBlock *body = task->blocks[0];

  for (int k = 0; k < body->count; k++)
    if (body->stmts[k]->op == IR_cache && body->stmts[k]->field == staged->field &&
        body->stmts[k]->slot == staged->slot)
      return body->stmts[k];
  ICE("a staged load without its cache");
}

void staged_fields(Emit *e, const IrStmt *task, Needs *n)
{
  const IrBlock *body = task->blocks[0];

  for (int k = 0; k < body->count; k++) {
    const IrStmt *s = body->stmts[k];
    if (s->op != IR_cache || s->operand_count == 0)
      continue;
    vec_push(e->arena, n->caches, n->cache_count, s);
    for (int a = 0; a < s->field->snode->path_axis_count; a++)
      n->indices |= 1u << loop_position(s, a);
  }
}

/* ---- in the body ---- */

/* Where the own cell stands in the array. */
void write_near_positions(Body *b)
{
  Emit *e = b->emit;

  b->near_at = NEW_ARRAY(e->arena, const char *, b->needs->cache_count);
  for (int k = 0; k < b->needs->cache_count; k++) {
    const IrStmt *cache = b->needs->caches[k];
    const char *sum = "";
    b->near_at[k] = names_take(&b->names, "at");
    for (int a = 0; a < cache->field->snode->path_axis_count; a++) {
      int64_t own = own_extent(cache, cache->field->snode->path_axes[a]);
      const char *digit = format(e->arena, own & (own - 1) ? "(%s %% %lld" : "((%s & %lld)",
                                 b->index[loop_position(cache, a)],
                                 (long long)(own & (own - 1) ? own : own - 1));
      sum = format(e->arena, "%s%s%s - (%lld)) * %lld", sum, *sum ? " + " : "", digit,
                   (long long)lo_of(cache, a), (long long)step_of(cache, a));
    }
    write_line(e, "const int64_t %s = %s;", b->near_at[k], sum);
  }
}

const char *staged_text(Body *b, const IrStmt *s)
{
  const IrStmt *cache = find_cache(b->task, s);
  int64_t offset = 0;
  int k = 0;

  while (b->needs->caches[k] != cache)
    k++;
  for (int a = 0; a < s->field->snode->path_axis_count; a++)
    offset += s->operands[1 + a]->value.i * step_of(cache, a);
  return format(b->emit->arena, offset < 0 ? "%s[%s - %lld]" : "%s[%s + %lld]", b->near[k],
                b->near_at[k], (long long)(offset < 0 ? -offset : offset));
}

/* ---- in the skeleton ---- */

void write_near_arrays(const Skeleton *s)
{
  const Needs *n = &s->task->needs;

  for (int k = 0; k < n->cache_count; k++) {
    const IrSNode *snode = n->caches[k]->field->snode;
    write_line(s->emit, "const snd_way %s = snd_way_to(%s, %s);", s->way[k],
               s->view[n->caches[k]->slot], s->emit->trees[snode->tree->id].snode[snode->id].id);
  }
  for (int k = 0; k < n->cache_count; k++)
    write_line(s->emit, "%s %s[%lld];", array_type(n->caches[k]->field->type), s->near[k],
               (long long)(step_of(n->caches[k], 0) * extent_of(n->caches[k], 0)));
}

/* The first cell of the block on the field's k-th axis, less what lies before it. */
static const char *first_text(const Skeleton *s, const IrStmt *cache, int k)
{
  const IrSNode *n = looped(cache)->snode;
  int axis = cache->field->snode->path_axes[k], above = -1;
  Arena *arena = s->emit->arena;

  for (int a = 0; a < n->parent->path_axis_count; a++)
    if (n->parent->path_axes[a] == axis)
      above = a;
  if (above < 0)
    return format(arena, "%lld", (long long)lo_of(cache, k));
  return format(arena, "%s.origin[%d] * %lld + (%lld)", s->block, above,
                (long long)own_extent(cache, axis), (long long)lo_of(cache, k));
}

void write_staging(Skeleton *s)
{
  const Needs *n = &s->task->needs;
  Emit *e = s->emit;

  for (int k = 0; k < n->cache_count; k++) {
    const IrStmt *cache = n->caches[k];
    const IrSNode *snode = cache->field->snode;
    const TreeNames *tree = &e->trees[snode->tree->id];
    const char *first = "", *extents = "";
    for (int a = 0; a < snode->path_axis_count; a++) {
      first = format(e->arena, "%s%s%s", first, a ? ", " : "", first_text(s, cache, a));
      extents = format(e->arena, "%s%s%lld", extents, a ? ", " : "",
                       (long long)extent_of(cache, a));
    }
    write_line(e, "snd_stage(&%s, offsetof(%s, %s), (int)sizeof(%s), %d, (const int64_t[]){ %s }, "
                  "(const int64_t[]){ %s }, %s);",
               s->way[k], tree->snode[snode->id].cell,
               tree->field_member[cache->field->id], array_type(cache->field->type),
               snode->path_axis_count, first, extents, s->near[k]);
  }
}
