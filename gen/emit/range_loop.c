/* The loop over the iterations of a range: their number, and their indices, which run as
 * digits of the iteration's number, the last one fastest.
 */
#include "gen/emit/task.h"

#include <string.h>

const char *scheduled(const Skeleton *s, const char *blocks)
{
  bool is_dynamic = s->task->stmt->manner.schedule == SCHEDULE_DYNAMIC;

  return is_dynamic ? format(s->emit->arena, "snd_blocks_dynamic(%s)", blocks) : blocks;
}

const char *range_bound(const Skeleton *s, const IrStmt *bound)
{
  const char *text;

  switch (bound->op) {
  case IR_const:
    return constant_text(s->emit->arena, TY(I64), bound->value, true);
  case IR_param:
    text = map_get(&s->variables, bound->variable);
    break;
  case IR_get:
    text = format(s->emit->arena, "%s->%s", s->vars,
                  (const char *)map_get(&s->task->names->var_member, bound->variable));
    break;
  default:
    ICE("a bound of a range is a constant, a parameter or a variable");
  }
  return bound->type->kind == TYPE_I64 ? text : format(s->emit->arena, "(int64_t)%s", text);
}

static bool is_zero(const IrStmt *bound)
{
  return bound->op == IR_const && bound->value.i == 0;
}

static const char *count_text(const Skeleton *s, int k)
{
  const IrStmt *lo = s->task->stmt->operands[2 * k], *hi = s->task->stmt->operands[2 * k + 1];

  if (is_zero(lo))
    return range_bound(s, hi);
  return format(s->emit->arena, "%s - %s", range_bound(s, hi), range_bound(s, lo));
}

static int range_count(const Skeleton *s)
{
  return s->task->stmt->operand_count / 2;
}

void write_range_blocks(Skeleton *s)
{
  Emit *e = s->emit;
  const char *product = "";

  if (range_count(s) == 1) {
    write_line(e, "const snd_blocks %s = %s;", s->blocks,
               scheduled(s, format(e->arena, "snd_blocks_of_range(%s)", count_text(s, 0))));
    return;
  }
  for (int k = 0; k < range_count(s); k++) {
    s->origin[k] = names_take(&s->names, format(e->arena, "%s_count",
                                                s->task->stmt->variables[k]->name));
    write_line(e, "const int64_t %s = snd_max_i64(%s, 0);", s->origin[k], count_text(s, k));
    product = format(e->arena, "%s%s%s", product, k ? " * " : "", s->origin[k]);
  }
  write_line(e, "const snd_blocks %s = %s;", s->blocks,
             scheduled(s, format(e->arena, "snd_blocks_of_range(%s)", product)));
}

/* Index k of iteration c: the last range runs fastest. */
static const char *range_digit(const Skeleton *s, int k)
{
  Arena *arena = s->emit->arena;
  const char *below_k = "", *digit = s->c;

  for (int a = k + 1; a < range_count(s); a++)
    below_k = format(arena, "%s%s%s", below_k, *below_k ? " * " : "", s->origin[a]);
  if (*below_k)
    digit = format(arena, k + 2 < range_count(s) ? "%s / (%s)" : "%s / %s", digit, below_k);
  return k > 0 ? format(arena, "%s %% %s", digit, s->origin[k]) : digit;
}

/* Index k, where `digit` counts from its range's beginning. */
static const char *range_index(const Skeleton *s, int k, const char *digit)
{
  const IrStmt *lo = s->task->stmt->operands[2 * k];
  const Type *type = s->task->stmt->variables[k]->type;
  Arena *arena = s->emit->arena;

  if (!is_zero(lo))
    digit = format(arena, "%s + %s", range_bound(s, lo), digit);
  if (type->kind == TYPE_I64)
    return digit;
  return format(arena, strchr(digit, ' ') ? "(%s)(%s)" : "(%s)%s", c_type(type), digit);
}

/* `const int32_t i = ...;` for the first of the indices that the body takes. */
static void write_range_indices(Skeleton *s, int count)
{
  for (int k = 0; k < count; k++)
    if (uses_index(s, k))
      write_line(s->emit, "const %s %s = %s;", c_type(s->task->stmt->variables[k]->type),
                 s->index[k], range_index(s, k, range_digit(s, k)));
}

void write_range_call(Skeleton *s, BodyCall *call)
{
  write_range_indices(s, range_count(s));
  write_line(s->emit, "%s", call(s, NULL, NULL, s->index));
}

static void write_plain_range(Skeleton *s, BodyCall *call)
{
  write_simd(s);
  open_brace(s, format(s->emit->arena, "for (int64_t %s = %s.first; %s < %s.last; %s++)", s->c,
                       s->block, s->c, s->block, s->c));
  write_range_call(s, call);
  close_brace(s);
}

/* Along the last range, which runs fastest, nothing is divided. */
static void write_range_rows(Skeleton *s, BodyCall *call)
{
  Emit *e = s->emit;
  int last = range_count(s) - 1;
  const char *first = names_take(&s->names, "first"), *step = names_take(&s->names, "step");
  const char *indices[MAX_AXES];

  for (int a = 0; a < MAX_AXES; a++)
    indices[a] = s->index[a];
  indices[last] = range_index(s, last, format(e->arena, "%s + %s", first, step));
  open_brace(s, format(e->arena, "for (int64_t %s = %s.first, %s; %s < %s.last; %s += %s)", s->c,
                       s->block, s->row, s->c, s->block, s->c, s->row));
  write_line(e, "const int64_t %s = %s %% %s;", first, s->c, s->origin[last]);
  write_range_indices(s, last);
  write_line(e, "%s", "");
  write_line(e, "%s = snd_min_i64(%s - %s, %s.last - %s);", s->row, s->origin[last], first,
             s->block, s->c);
  write_simd(s);
  open_brace(s, format(e->arena, "for (int64_t %s = 0; %s < %s; %s++)", step, step, s->row, step));
  write_line(e, "%s", call(s, NULL, NULL, indices));
  close_brace(s);
  close_brace(s);
}

void write_range_loop(Skeleton *s, BodyCall *call)
{
  if (range_count(s) > 1 && uses_index(s, range_count(s) - 1))
    write_range_rows(s, call);
  else
    write_plain_range(s, call);
}
