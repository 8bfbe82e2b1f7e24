/* Staged fields: boxes of cells around a block, in arrays of the thread.
 *
 *   float near_x[10 * 10];                      in the skeleton of host threads
 *   snd_stage(&way, T_X, .., near_x);           before each block
 *   near_x[at + 1]                              in the body, for x[i, j + 1]
 *
 * and of a field that is added to
 *
 *   near_x[at + 1] += e; wrote_x[at + 1] = 1;   in the body, for x[i, j + 1] += e
 *   snd_deposit(&way, .., near_x, wrote_x);     behind each block
 *
 * Teams of a device stage in their memory (team.c), or go to the cells themselves: their task has a
 * body of its own.
 */
#include "gen/emit/task.h"

static const IrStmt *looped(const IrStmt *cache)
{
  return cache->parent->owner;
}

bool is_of_leaves(const IrStmt *cache)
{
  return kind_is(looped(cache)->snode->kind, KIND_LIST);
}

/* How many cells of the field the block has on the k-th axis: the loop's; of a loop over the lists
 * of leaves those beside the list. */
static int64_t block_extent(const IrStmt *cache, int k)
{
  const IrSNode *loop = looped(cache)->snode, *snode = cache->field->snode;
  const int axis = snode->path_axes[k];

  return is_of_leaves(cache) ? snode->total[axis] / loop->parent->total[axis]
                             : own_extent(loop, axis);
}

int64_t staged_lo(const IrStmt *cache, int k)
{
  return cache->operands[2 * k]->value.i;
}

int64_t staged_extent(const IrStmt *cache, int k)
{
  return block_extent(cache, k) + cache->operands[2 * k + 1]->value.i - staged_lo(cache, k);
}

int64_t staged_step(const IrStmt *cache, int k)
{
  int64_t step = 1;

  while (++k < cache->field->snode->path_axis_count)
    step *= staged_extent(cache, k);
  return step;
}

static int loop_position(const IrStmt *cache, int k)
{
  return index_of_axis(looped(cache)->snode, cache->field->snode->path_axes[k]);
}

bool is_added_to(const IrStmt *cache)
{
  return cache->index == IR_CACHED_ADDED;
}

/* Whether s is what the field's block is staged for. */
static bool goes_to(const IrStmt *s, const IrStmt *cache)
{
  return ir_is(s, IR_STAGED) && s->field == cache->field && s->slot == cache->slot;
}

bool is_staged(const Emit *e, const IrStmt *cache, const Live *live)
{
  const IrBlock *body = cache->parent;

  if (cache->op != IR_cache || cache->index == IR_CACHED_NOT ||
      (e->staging == STAGING_TEAM && !cache->function))
    return false;
  if (is_of_leaves(cache))
    return e->staging == STAGING_TEAM;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (goes_to(s, cache) && is_live(live, s))
      return true;
  return false;
}

/* What is staged next, and where it is gone to in it. */
static void note_staged(Emit *e, const IrStmt *cache, const Live *live, Needs *n)
{
  int placed_count = n->cache_count, beside_count = n->cache_count;
  const IrStmt *placed = NULL;
  bool beside = false;

  for (IrStmt *s = ir_first(cache->parent); s; s = ir_next(s, cache->parent))
    if (goes_to(s, cache) && is_live(live, s)) {
      placed = s->op == IR_staged_at ? s : placed;
      beside = beside || s->op == IR_staged;
    }
  vec_push(e->arena, n->placed, placed_count, placed);
  vec_push(e->arena, n->beside, beside_count, beside);
  vec_push(e->arena, n->caches, n->cache_count, cache);
}

void staged_fields(Emit *e, const IrStmt *task, const Live *live, Needs *n)
{
  const IrBlock *body = task->blocks[0];

  for (int k = 0; k < body->count; k++) {
    const IrStmt *s = body->stmts[k];
    if (!is_staged(e, s, live))
      continue;
    note_staged(e, s, live, n);
    /* What is added is deposited behind each block: other threads see it meanwhile. */
    if (is_added_to(s))
      n->activates = n->synchronises = n->deposits = true;
    for (int a = 0; a < s->field->snode->path_axis_count && n->beside[n->cache_count - 1]; a++)
      n->indices |= 1u << loop_position(s, a);
  }
}

/* ---- names and parameters ---- */

/* All fields of an SNode have one box beside the cells of a leaf, and an iteration adds to most of
 * them. */
int flags_of(const Needs *n, int k)
{
  const IrStmt *cache = n->caches[k];

  for (int c = 0; c < k && is_of_leaves(cache); c++)
    if (is_added_to(n->caches[c]) && n->caches[c]->slot == cache->slot &&
        n->caches[c]->field->snode == cache->field->snode)
      return c;
  return k;
}

/* Lanes add by atomics, which have 32 bits at least; what wraps does so as unsigned numbers. */
static bool is_team_sum(const Emit *e, const IrStmt *cache)
{
  return e->staging == STAGING_TEAM && is_added_to(cache);
}

const char *sum_suffix(const IrStmt *cache)
{
  const Type *t = cache->field->type;

  return type_is_float(t) ? suffix(t) : t->bits == 64 ? "u64" : "u32";
}

const char *staged_type(const Emit *e, const IrStmt *cache)
{
  const Type *t = cache->field->type;

  if (!is_team_sum(e, cache) || type_is_float(t))
    return array_type(t);
  return t->bits == 64 ? "uint64_t" : "uint32_t";
}

static const char *array_name(Emit *e, const char *prefix, const IrStmt *cache)
{
  return format(e->arena, "%s_%s", prefix, ir_whole_name(e->arena, cache->field->name));
}

/* As the function for one element takes them. */
const char *staged_index_type(const Needs *n, int c, int k)
{
  const IrFunction *f = n->placed[c] ? n->placed[c]->function : n->caches[c]->function;

  return c_type(f->params[k]->type);
}

/* Whether bodies take where the block and its halo begin. */
static bool takes_first(const Needs *n, int c)
{
  return is_of_leaves(n->caches[c]) || n->placed[c];
}

/* Where blocks and their halos begin, of all fields or of those whose bodies take it: equal
 * coordinates have one name. */
static const char **name_firsts(Emit *e, const Needs *n, Names *names, bool of_all)
{
  const char **first = NEW_ARRAY(e->arena, const char *, n->cache_count * MAX_AXES);
  Map named;

  map_init(&named, e->arena);
  for (int c = 0; c < n->cache_count; c++)
    for (int k = 0; (of_all || takes_first(n, c)) &&
                    k < n->caches[c]->field->snode->path_axis_count; k++) {
      const int axis = n->caches[c]->field->snode->path_axes[k];
      const char *key = intern_format(e->arena, "%s %d %lld %lld",
                                      staged_index_type(n, c, k), axis,
                                      (long long)block_extent(n->caches[c], k),
                                      (long long)staged_lo(n->caches[c], k));
      const char *name = map_get(&named, key);
      if (!name)
        map_put(&named, key, (void *)(name = names_take(names, format(e->arena, "first_%c",
                                                                      'i' + axis))));
      first[c * MAX_AXES + k] = name;
    }
  return first;
}

/* The array of each staged field, and of one that is added to the flags of its elements. */
NearNames name_near(Emit *e, const Needs *n, Names *names)
{
  NearNames near = { .array = NEW_ARRAY(e->arena, const char *, n->cache_count),
                     .wrote = NEW_ARRAY(e->arena, const char *, n->cache_count) };

  for (int k = 0; k < n->cache_count; k++) {
    near.array[k] = names_take(names, array_name(e, "near", n->caches[k]));
    if (is_added_to(n->caches[k]))
      near.wrote[k] = flags_of(n, k) < k ? near.wrote[flags_of(n, k)]
                          : names_take(names, array_name(e, "wrote", n->caches[k]));
  }
  near.first = name_firsts(e, n, names, false);
  return near;
}

/* The coordinates of first cells, each once; as parameters: with their types. */
static const char *firsts(Emit *e, const Needs *n, const NearNames *near, bool has_types)
{
  const char *list = "";

  for (int c = 0; c < n->cache_count; c++)
    for (int k = 0; takes_first(n, c) && k < n->caches[c]->field->snode->path_axis_count; k++) {
      const char *name = near->first[c * MAX_AXES + k];
      if (!has_word(list, name))
        list = format(e->arena, "%s, %s%s%s", list,
                      has_types ? staged_index_type(n, c, k) : "", has_types ? " " : "", name);
    }
  return list;
}

/* Each with a comma before it. */
const char *near_params(Emit *e, const Needs *n, const NearNames *near)
{
  const char *list = "";

  for (int k = 0; k < n->cache_count; k++) {
    list = format(e->arena, "%s, %s%s *%s", list, near->wrote[k] ? "" : "const ",
                  staged_type(e, n->caches[k]), near->array[k]);
    if (near->wrote[k] && flags_of(n, k) == k)
      list = format(e->arena, "%s, uint8_t *%s", list, near->wrote[k]);
  }
  return format(e->arena, "%s%s", list, firsts(e, n, near, true));
}

const char *near_arguments(Emit *e, const Needs *n, const NearNames *near)
{
  const char *list = "";

  for (int k = 0; k < n->cache_count; k++) {
    list = format(e->arena, "%s, %s", list, near->array[k]);
    if (near->wrote[k] && flags_of(n, k) == k)
      list = format(e->arena, "%s, %s", list, near->wrote[k]);
  }
  return format(e->arena, "%s%s", list, firsts(e, n, near, false));
}

/* ---- what a team stages: the members of a struct ---- */

static const char *member_name(Emit *e, const char *prefix, const IrStmt *cache)
{
  return format(e->arena, "%s%s", prefix, ir_whole_name(e->arena, cache->field->name));
}

NearNames team_members(Emit *e, const Needs *n)
{
  NearNames near = { .array = NEW_ARRAY(e->arena, const char *, n->cache_count),
                     .wrote = NEW_ARRAY(e->arena, const char *, n->cache_count) };
  Names members;

  names_init(&members, e->arena, NAMES_MEMBER, NULL);
  for (int k = 0; k < n->cache_count; k++)
    near.array[k] = names_take(&members, member_name(e, "", n->caches[k]));
  for (int k = 0; k < n->cache_count; k++)
    if (is_added_to(n->caches[k]))
      near.wrote[k] = flags_of(n, k) < k ? near.wrote[flags_of(n, k)]
                          : names_take(&members, member_name(e, "wrote_", n->caches[k]));
  return near;
}

void name_team(Skeleton *s)
{
  Emit *e = s->emit;

  s->staged = names_take(&s->names, "staged");
  s->e = names_take(&s->names, "e");
  s->near = team_members(e, &s->task->needs);
  s->near.first = name_firsts(e, &s->task->needs, &s->names, true);
  for (int k = 0; k < s->task->needs.cache_count; k++) {
    s->near.array[k] = format(e->arena, "%s->%s", s->staged, s->near.array[k]);
    if (s->near.wrote[k])
      s->near.wrote[k] = format(e->arena, "%s->%s", s->staged, s->near.wrote[k]);
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
    if (!b->needs->beside[k])            /* a window says where, or coordinates do */
      continue;
    b->near_at[k] = names_take(&b->names, "at");
    for (int a = 0; a < cache->field->snode->path_axis_count; a++) {
      int64_t own = block_extent(cache, a);
      const char *digit = format(e->arena, own & (own - 1) ? "(%s %% %lld" : "((%s & %lld)",
                                 b->index[loop_position(cache, a)],
                                 (long long)(own & (own - 1) ? own : own - 1));
      sum = format(e->arena, "%s%s%s - (%lld)) * %lld", sum, *sum ? " + " : "", digit,
                   (long long)staged_lo(cache, a), (long long)staged_step(cache, a));
    }
    if (e->staging == STAGING_TEAM)
      write_line(e, "const int32_t %s = (int32_t)(%s);", b->near_at[k], sum);
    else
      write_line(e, "const int64_t %s = %s;", b->near_at[k], sum);
  }
}

int staged_number(const Body *b, const IrStmt *s)
{
  const IrStmt *cache = cache_of(s);
  int k = 0;

  while (b->needs->caches[k] != cache)
    k++;
  return k;
}

/* "near_x[at + 1]"; flag: of wrote_x. */
static const char *element_text(Body *b, const IrStmt *s, bool flag)
{
  const int k = staged_number(b, s);
  const IrStmt *cache = b->needs->caches[k];
  int64_t offset = 0;

  for (int a = 0; a < s->field->snode->path_axis_count; a++)
    offset += s->operands[1 + a]->value.i * staged_step(cache, a);
  return format(b->emit->arena, offset < 0 ? "%s[%s - %lld]" : "%s[%s + %lld]",
                flag ? b->near.wrote[k] : b->near.array[k], b->near_at[k],
                (long long)(offset < 0 ? -offset : offset));
}

const char *staged_text(Body *b, const IrStmt *s)
{
  return element_text(b, s, false);
}

const char *wrote_text(Body *b, const IrStmt *s)
{
  return element_text(b, s, true);
}

/* ---- in the skeleton ---- */

long long staged_elements(const IrStmt *cache)
{
  return (long long)(staged_step(cache, 0) * staged_extent(cache, 0));
}

/* What every sum of the type may begin with: -0.0 + -0.0 is -0.0 too. */
const char *staged_nothing(const Type *t)
{
  return t->kind == TYPE_F32 ? "-0.0f" : t->kind == TYPE_F64 ? "-0.0" : "0";
}

static void write_near_array(const Skeleton *s, int k)
{
  const IrStmt *cache = s->task->needs.caches[k];
  const char *array = s->near.array[k], *wrote = s->near.wrote[k];

  write_line(s->emit, "%s %s[%lld];", array_type(cache->field->type), array,
             staged_elements(cache));
  if (!wrote)
    return;
  write_line(s->emit, "uint8_t %s[%lld] = { 0 };", wrote, staged_elements(cache));
  write_line(s->emit, "for (int64_t %s = 0; %s < %lld; %s++)", s->c, s->c,
             staged_elements(cache), s->c);
  s->emit->indent++;
  write_line(s->emit, "%s[%s] = %s;", array, s->c, staged_nothing(cache->field->type));
  s->emit->indent--;
}

void write_near_arrays(const Skeleton *s)
{
  const Needs *n = &s->task->needs;

  for (int k = 0; k < n->cache_count; k++) {
    const IrSNode *snode = n->caches[k]->field->snode;
    write_line(s->emit, "const snd_way %s = snd_way_to(%s, %s);", s->way[k],
               s->view[n->caches[k]->slot], s->emit->trees[snode->tree->id].snode[snode->id].id);
  }
  for (int k = 0; k < n->cache_count; k++)
    write_near_array(s, k);
}

/* The first cell of the block on the field's k-th axis, less what lies before it. */
const char *staged_first(const Skeleton *s, const IrStmt *cache, int k)
{
  const IrSNode *n = looped(cache)->snode;
  const int axis = cache->field->snode->path_axes[k], above = index_of_axis(n->parent, axis);
  const long long lo = (long long)staged_lo(cache, k);
  Arena *arena = s->emit->arena;
  const char *first;

  if (above < 0)
    return format(arena, "%lld", lo);
  first = format(arena, "%s.origin[%d] * %lld", s->block, above,
                 (long long)block_extent(cache, k));
  return lo == 0 ? first
                 : format(arena, lo < 0 ? "%s - %lld" : "%s + %lld", first, lo < 0 ? -lo : lo);
}

void write_firsts(Skeleton *s)
{
  const Needs *n = &s->task->needs;
  const char *written = "";

  for (int c = 0; c < n->cache_count; c++)
    for (int k = 0; k < n->caches[c]->field->snode->path_axis_count; k++) {
      const char *type, *name = s->near.first[c * MAX_AXES + k];
      if (!name || has_word(written, name))
        continue;
      type = staged_index_type(n, c, k);
      write_line(s->emit, "const %s %s = (%s)(%s);", type, name, type,
                 staged_first(s, n->caches[c], k));
      written = format(s->emit->arena, "%s %s", written, name);
    }
}

static const char *field_id(const Skeleton *s, const IrStmt *cache)
{
  return s->emit->trees[cache->field->snode->tree->id].field_id[cache->field->id];
}

/* How many axes the box has, where it begins and how large it is. */
static const char *box_text(const Skeleton *s, const IrStmt *cache)
{
  int axes = cache->field->snode->path_axis_count;
  const char *first = "", *extents = "";
  Arena *arena = s->emit->arena;

  for (int a = 0; a < axes; a++) {
    first = format(arena, "%s%s%s", first, a ? ", " : "", staged_first(s, cache, a));
    extents = format(arena, "%s%s%lld", extents, a ? ", " : "", (long long)staged_extent(cache, a));
  }
  return format(arena, "%d, (const int64_t[]){ %s }, (const int64_t[]){ %s }", axes, first,
                extents);
}

void write_staging(const Skeleton *s)
{
  const Needs *n = &s->task->needs;

  for (int k = 0; k < n->cache_count; k++)
    if (!is_added_to(n->caches[k]))
      write_line(s->emit, "snd_stage(&%s, %s, (int)sizeof(%s), %s, %s);", s->way[k],
                 field_id(s, n->caches[k]), array_type(n->caches[k]->field->type),
                 box_text(s, n->caches[k]), s->near.array[k]);
}

void write_deposits(const Skeleton *s)
{
  const Needs *n = &s->task->needs;

  for (int k = 0; k < n->cache_count; k++)
    if (is_added_to(n->caches[k]))
      write_line(s->emit, "snd_deposit(&%s, %s, %d, %s, %s, %s, %s, %s);", s->way[k], s->launch,
                 n->caches[k]->slot, field_id(s, n->caches[k]),
                 sn_type_name(n->caches[k]->field->type), box_text(s, n->caches[k]),
                 s->near.array[k], s->near.wrote[k]);
}
