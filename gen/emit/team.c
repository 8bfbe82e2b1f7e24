/* What the teams of a device stage: boxes of cells around a block, in memory that the threads of a
 * team share (snode/device/team.h).
 *
 *   typedef struct step_staged_0 { float x[10 * 10]; } step_staged_0;
 *
 *   const int32_t first_i = block.origin[0] * 8 - 1, first_j = ...;          before each block
 *   for (int32_t e = thread->lane; e < 100; e += thread->lanes) {
 *     const int32_t i = first_i + e / 10, j = first_j + e % 10;
 *     if (i >= 0 && i < 64 && j >= 0 && j < 64)
 *       staged->x[e] = step_near_x(grid, i, j);
 *   }
 *   SND_TEAM_BARRIER
 *
 * Each lane walks to its elements by themselves, by a function of the field (the pass stage): a
 * walk that is shared would have to be kept, in arrays of a thread, which are slow memory there.  A
 * field that is added to has sums and flags, which go to the cells behind the block.
 */
#include "gen/emit/task.h"

const char *team_param(const Skeleton *s)
{
  if (!s->staged)
    return "";
  return format(s->emit->arena, ", %s *%s", s->task->staged, s->staged);
}

/* ---- the elements of a lane ---- */

/* for (e ...) { of an array: its elements are dealt out to the lanes, neighbours side by side. */
static void open_elements(Skeleton *s, const IrStmt *cache)
{
  open_brace(s, format(s->emit->arena,
                       "for (int32_t %s = %s->lane; %s < %lld; %s += %s->lanes)", s->e, s->thread,
                       s->e, staged_elements(cache), s->e, s->thread));
}

/* "e / 10 % 10", how far the element is from the box's first cell on the k-th axis. */
static const char *digit_text_of(const Skeleton *s, const IrStmt *cache, int k)
{
  const int64_t step = staged_step(cache, k), extent = staged_extent(cache, k);
  Arena *arena = s->emit->arena;
  const char *text = s->e;

  if (step > 1)
    text = format(arena, "%s / %lld", text, (long long)step);
  return k > 0 ? format(arena, "%s %% %lld", text, (long long)extent) : text;
}

/* Whether the box may reach beyond the first cell of the tree, beyond the last one. */
static bool may_begin_before(const IrStmt *cache, int k)
{
  return staged_lo(cache, k) < 0;
}

static bool may_end_behind(const IrStmt *cache, int k)
{
  const IrSNode *looped = cache->parent->owner->snode;
  const int axis = cache->field->snode->path_axes[k];
  const int64_t total = cache->field->snode->total[axis];
  const int64_t all = is_of_leaves(cache) ? total : looped->total[axis];
  const int64_t hi = cache->operands[2 * k + 1]->value.i;

  return total == 0 || all == 0 || all + hi > total;
}

static const char *end_text(const Skeleton *s, const IrStmt *cache, int k)
{
  const IrSNode *n = cache->field->snode;
  Arena *arena = s->emit->arena;

  if (n->total[n->path_axes[k]] > 0)
    return decimal(arena, n->total[n->path_axes[k]]);
  return format(arena, "%s->snode[%s].total[%d]", s->view[cache->slot],
                s->emit->trees[n->tree->id].snode[n->id].id, n->path_axes[k]);
}

/* The condition that the element's coordinates are inside the extents, "" where all are. */
static const char *inside_condition(const Skeleton *s, const IrStmt *cache,
                                    const char *const *coordinate)
{
  const char *all = "";
  Arena *arena = s->emit->arena;

  for (int k = 0; k < cache->field->snode->path_axis_count; k++) {
    if (may_begin_before(cache, k))
      all = format(arena, "%s%s%s >= 0", all, *all ? " && " : "", coordinate[k]);
    if (may_end_behind(cache, k))
      all = format(arena, "%s%s%s < %s", all, *all ? " && " : "", coordinate[k],
                   end_text(s, cache, k));
  }
  return all;
}

static int axis_letter(const IrStmt *cache, int k)
{
  return 'i' + cache->field->snode->path_axes[k];
}

/* Names of the coordinates of the element, which it declares. */
static void write_place(Skeleton *s, int c, const char **coordinate)
{
  const Needs *n = &s->task->needs;
  const IrStmt *cache = n->caches[c];
  Emit *e = s->emit;

  for (int k = 0; k < cache->field->snode->path_axis_count; k++) {
    coordinate[k] = format(e->arena, "%s_%c", s->e, axis_letter(cache, k));
    write_line(e, "const %s %s = %s + %s;", staged_index_type(n, c, k), coordinate[k],
               s->near.first[c * MAX_AXES + k], digit_text_of(s, cache, k));
  }
}

/* The call of the field's function: its tree, the coordinates, the sum where it takes one. */
static const char *element_call(const Skeleton *s, const IrStmt *cache,
                                const char *const *coordinate, const char *sum)
{
  const FunctionInfo *info = function_info(s->emit, cache->function);
  const IrFunction *f = cache->function;
  const int axes = cache->field->snode->path_axis_count;
  Arena *arena = s->emit->arena;
  const char *list = "";

  if (info->needs.view[0])
    list = format(arena, "%s, %s", list, s->view[cache->slot]);
  if (info->needs.slot_number[0])
    list = format(arena, "%s, %d", list, cache->slot);
  if (info->needs.launch)
    list = format(arena, "%s, %s", list, s->launch);
  for (int p = 0, k = 0; k < f->param_count && p < info->needs.param_count; k++)
    if (info->needs.params[p] == f->params[k]) {
      list = format(arena, "%s, %s", list, k < axes ? coordinate[k] : sum);
      p++;
    }
  return format(arena, "%s(%s)", info->name, *list ? list + 2 : "");
}

/* ---- what stands around a block ---- */

static void write_fill(Skeleton *s, int k)
{
  const IrStmt *cache = s->task->needs.caches[k];
  const char *coordinate[MAX_AXES], *inside;

  open_elements(s, cache);
  write_place(s, k, coordinate);
  inside = inside_condition(s, cache, coordinate);
  if (*inside)
    write_line(s->emit, "if (%s)", inside);
  s->emit->indent += *inside != '\0';
  write_line(s->emit, "%s[%s] = %s;", s->near.array[k], s->e,
             element_call(s, cache, coordinate, NULL));
  s->emit->indent -= *inside != '\0';
  close_brace(s);
}

/* ---- what is added: fields that share flags together ---- */

static bool begins_sums(const Skeleton *s, int k)
{
  return s->near.wrote[k] && flags_of(&s->task->needs, k) == k;
}

static void write_begin_of_sums(const Skeleton *s, int k)
{
  const Needs *n = &s->task->needs;

  for (int c = k; c < n->cache_count; c++)
    if (s->near.wrote[c] && flags_of(n, c) == k)
      write_line(s->emit, "%s[%s] = %s;", s->near.array[c], s->e,
                 staged_nothing(n->caches[c]->field->type));
  write_line(s->emit, "%s[%s] = 0;", s->near.wrote[k], s->e);
}

static void write_addition(const Skeleton *s, int c, const char *const *coordinate)
{
  const IrStmt *cache = s->task->needs.caches[c];
  const Type *type = cache->field->type;
  const char *sum = format(s->emit->arena, "%s[%s]", s->near.array[c], s->e);

  if (!type_is_float(type))
    sum = format(s->emit->arena, "(%s)%s", c_type(type), sum);
  write_line(s->emit, "%s;", element_call(s, cache, coordinate, sum));
}

static void write_additions(Skeleton *s, int k)
{
  const Needs *n = &s->task->needs;
  const char *coordinate[MAX_AXES], *inside;
  int more = 0;

  write_place(s, k, coordinate);
  inside = inside_condition(s, n->caches[k], coordinate);
  for (int c = k + 1; c < n->cache_count; c++)
    more += s->near.wrote[c] && flags_of(n, c) == k;
  if (*inside)
    write_line(s->emit, "if (%s)%s", inside, more ? " {" : "");
  s->emit->indent += *inside != '\0';
  for (int c = k; c < n->cache_count; c++)
    if (s->near.wrote[c] && flags_of(n, c) == k)
      write_addition(s, c, coordinate);
  s->emit->indent -= *inside != '\0';
  if (*inside && more)
    write_line(s->emit, "}");
}

static void write_deposit(Skeleton *s, int k)
{
  open_elements(s, s->task->needs.caches[k]);
  write_line(s->emit, "if (!%s[%s])", s->near.wrote[k], s->e);
  write_line(s->emit, "  continue;");
  write_additions(s, k);
  write_begin_of_sums(s, k);
  close_brace(s);
}

void write_team_sums(Skeleton *s)
{
  for (int k = 0; k < s->task->needs.cache_count; k++)
    if (begins_sums(s, k)) {
      open_elements(s, s->task->needs.caches[k]);
      write_begin_of_sums(s, k);
      close_brace(s);
    }
}

void write_team_block(Skeleton *s)
{
  const int count = s->task->needs.cache_count;

  write_firsts(s);
  for (int k = 0; k < count; k++)
    if (!s->near.wrote[k])
      write_fill(s, k);
  write_line(s->emit, "SND_TEAM_BARRIER");
  write_loop(s);
  write_line(s->emit, "SND_TEAM_BARRIER");
  for (int k = 0; k < count; k++)
    if (begins_sums(s, k))
      write_deposit(s, k);
}
