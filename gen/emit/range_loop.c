/* The loop over the iterations of a range: their number, and their indices, which run as
 * digits of the iteration's number, the last one fastest.
 */
#include "gen/emit/task.h"

#include <string.h>

const char *range_bound(const Skeleton *s, const IrStmt *bound, RangePlace place, bool is_wide)
{
  const KernelNames *names = s->task->names;
  const bool is_macro = place == RANGE_IN_MACRO;
  Arena *arena = s->emit->arena;
  const char *text;

  switch (bound->op) {
  case IR_const:
    return constant_text(arena, TY(I64), bound->value, true);
  case IR_param:
    text = is_macro ? format(arena, "%s->%s", params_text(s, "thread"),
                             (const char *)map_get(&names->param_member, bound->variable))
                    : map_get(&s->variables, bound->variable);
    break;
  case IR_get:
    text = format(arena, "%s->%s", is_macro ? vars_text(s, "thread") : s->vars,
                  (const char *)map_get(&names->var_member, bound->variable));
    break;
  default:
    ICE("a bound of a range is a constant, a parameter or a variable");
  }
  return is_wide && bound->type->kind != TYPE_I64 ? format(arena, "(int64_t)%s", text) : text;
}

static bool is_zero(const IrStmt *bound)
{
  return bound->op == IR_const && bound->value.i == 0;
}

/* ---- how many iterations ---- */

static bool is_u64(const IrStmt *bound)
{
  return bound->type->kind == TYPE_U64;
}

/* Of bounds that are known: false where it is no i64. */
static bool known_count(const IrStmt *lo, const IrStmt *hi, int64_t *count)
{
  if (lo->op != IR_const || hi->op != IR_const ||
      (is_u64(lo) && (lo->value.i < 0 || hi->value.i < 0)))
    return false;
  return !__builtin_sub_overflow(hi->value.i, lo->value.i, count) && *count < INT64_MAX;
}

/* Of how many bits the number of iterations of range k can be. */
static int count_bits(const Skeleton *s, int k)
{
  const IrStmt *lo = s->task->stmt->operands[2 * k], *hi = s->task->stmt->operands[2 * k + 1];
  int64_t count;
  int bits = 0;

  if (!known_count(lo, hi, &count))
    return lo->type->bits - (is_zero(lo) && lo->type->is_signed);
  for (; count > 0; count >>= 1)
    bits++;
  return bits;
}

/* Whether hi - lo is an i64, less than 0 where there is no iteration. */
static bool is_difference(const Skeleton *s, int k)
{
  return count_bits(s, k) < 64;
}

static const char *span_bound(const Skeleton *s, const IrStmt *bound, RangePlace place)
{
  return bound->op == IR_const ? constant_text(s->emit->arena, bound->type, bound->value, true)
                               : range_bound(s, bound, place, !is_u64(bound));
}

static const char *count_text(const Skeleton *s, int k, RangePlace place)
{
  const IrStmt *lo = s->task->stmt->operands[2 * k], *hi = s->task->stmt->operands[2 * k + 1];

  if (!is_difference(s, k))
    return format(s->emit->arena, "snd_span_%s(%s, %s)", is_u64(lo) ? "u64" : "i64",
                  span_bound(s, lo, place), span_bound(s, hi, place));
  if (is_zero(lo))
    return range_bound(s, hi, place, false);
  return format(s->emit->arena, "%s - %s", range_bound(s, hi, place, true),
                range_bound(s, lo, place, true));
}

/* No less than 0. */
static const char *positive_count(const Skeleton *s, int k, RangePlace place)
{
  return format(s->emit->arena, is_difference(s, k) ? "snd_max_i64(%s, 0)" : "%s",
                count_text(s, k, place));
}

static int ranges(const Skeleton *s)
{
  return s->task->stmt->operand_count / 2;
}

/* Whether the number of all iterations is an i64 whatever the bounds are. */
static bool fits(const Skeleton *s)
{
  int bits = 0;

  for (int k = 0; k < ranges(s); k++)
    bits += count_bits(s, k);
  return bits < 64;
}

static const char *product_text(const Skeleton *s, RangePlace place)
{
  const char *product = positive_count(s, 0, place);

  for (int k = 1; k < ranges(s); k++)
    product = format(s->emit->arena, fits(s) ? "%s * %s" : "snd_span_times(%s, %s)", product,
                     positive_count(s, k, place));
  return product;
}

const char *range_count(const Skeleton *s, RangePlace place)
{
  const char *count = ranges(s) == 1 ? count_text(s, 0, place) : product_text(s, place);

  if (fits(s))
    return count;
  return format(s->emit->arena, "snd_span_checked(%s, %d, %s)",
                place == RANGE_IN_MACRO ? "thread" : s->thread, s->task->stmt->loc.line, count);
}

/* Whether an index that the body takes is told by how many iterations range k has: its own, or
 * one in front of it. */
static bool is_counted(const Skeleton *s, int k)
{
  for (int index = 0; index < k; index++)
    if (uses_index(s, index))
      return true;
  return k > 0 && uses_index(s, k);
}

void write_range_counts(Skeleton *s)
{
  for (int k = 0; k < ranges(s); k++)
    if (is_counted(s, k)) {
      s->origin[k] = names_take(&s->names, format(s->emit->arena, "%s_count",
                                                  s->task->stmt->variables[k]->name));
      write_line(s->emit, "const int64_t %s = %s;", s->origin[k],
                 positive_count(s, k, RANGE_IN_FUNCTION));
    }
}

/* Index k of iteration c: the last range runs fastest. */
static const char *range_digit(const Skeleton *s, int k)
{
  Arena *arena = s->emit->arena;
  const char *below_k = "", *digit = s->c;

  for (int a = k + 1; a < ranges(s); a++)
    below_k = format(arena, "%s%s%s", below_k, *below_k ? " * " : "", s->origin[a]);
  if (*below_k)
    digit = format(arena, k + 2 < ranges(s) ? "%s / (%s)" : "%s / %s", digit, below_k);
  return k > 0 ? format(arena, "%s %% %s", digit, s->origin[k]) : digit;
}

/* Index k, where `digit`, of 64 bits, counts from its range's beginning. */
static const char *range_index(const Skeleton *s, int k, const char *digit)
{
  const IrStmt *lo = s->task->stmt->operands[2 * k];
  const Type *type = s->task->stmt->variables[k]->type;
  Arena *arena = s->emit->arena;

  if (!is_zero(lo) && is_u64(lo))
    return format(arena, strchr(digit, ' ') ? "%s + (uint64_t)(%s)" : "%s + (uint64_t)%s",
                  span_bound(s, lo, RANGE_IN_FUNCTION), digit);
  if (!is_zero(lo))
    digit = format(arena, "%s + %s", range_bound(s, lo, RANGE_IN_FUNCTION, false), digit);
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

/* Of one range: its index needs no name. */
static void write_plain_range(Skeleton *s)
{
  const char *only = range_index(s, 0, s->c);

  write_simd(s);
  write_line(s->emit, "%s", loop_head(s, "SND_EACH_CELL"));
  write_line(s->emit, "  %s", body_call(s, NULL, NULL, &only));
}

/* Along the last range, which runs fastest, nothing is divided. */
static void write_range_rows(Skeleton *s)
{
  Emit *e = s->emit;
  const int last = ranges(s) - 1;
  const char *first = names_take(&s->names, "first"), *step = names_take(&s->names, "step");
  const char *indices[MAX_AXES];

  for (int a = 0; a < MAX_AXES; a++)
    indices[a] = s->index[a];
  indices[last] = range_index(s, last, format(e->arena, "%s + %s", first, step));
  open_brace(s, rows_head(s, "SND_EACH_RUN"));
  write_line(e, "const int64_t %s = %s %% %s;", first, s->c, s->origin[last]);
  write_range_indices(s, last);
  write_line(e, "%s", "");
  write_line(e, "%s = snd_at_once(%s, snd_min_i64(%s - %s, %s.last - %s));", s->row, s->thread,
             s->origin[last], first, s->block, s->c);
  write_simd(s);
  write_line(e, "for (int64_t %s = 0; %s < %s; %s++)", step, step, s->row, step);
  write_line(e, "  %s", body_call(s, NULL, NULL, indices));
  close_brace(s);
}

void write_range_loop(Skeleton *s)
{
  const int last = ranges(s) - 1;

  if (last == 0)
    write_plain_range(s);
  else if (uses_index(s, last))
    write_range_rows(s);
  else {
    open_brace(s, loop_head(s, "SND_EACH_CELL"));
    write_range_indices(s, last);
    write_line(s->emit, "%s", body_call(s, NULL, NULL, s->index));
    close_brace(s);
  }
}
