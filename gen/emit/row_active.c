/* Which cells of a bitmasked container are active, of those that the lanes of a row stand for: bits
 * of a word, or of two words put together; else lane by lane.
 */
#include "gen/emit/body.h"

/* Lanes first .. end - 1, which are cells side by side of one container. */
typedef struct Run {
  int first, end;
} Run;

static Run run_from(const IrStmt *s, int first)
{
  Run run = { first, first + 1 };

  while (run.end < s->lanes && s->from[run.end].operand == s->from[first].operand &&
         s->from[run.end].cell == s->from[run.end - 1].cell + 1)
    run.end++;
  return run;
}

/* Whether the masks of a row of the container are in one word: then those of its cells are. */
static bool is_in_one_word(const IrSNode *node)
{
  const int64_t row = node->axes[node->axis_count - 1].size;

  return row > 0 && 64 % row == 0;
}

static const char *bits_of_run(Body *b, const IrStmt *s, Run run)
{
  const IrLane *from = &s->from[run.first];
  const char *bits = bits_text(b, s, from->operand, from->cell);

  if (run.end < s->lanes)
    bits = format(b->emit->arena, "(%s & 0x%x)", bits, (1u << (run.end - run.first)) - 1);
  return run.first > 0 ? format(b->emit->arena, "%s << %d", bits, run.first) : bits;
}

/* The bits of the row, lane 0's the lowest; NULL: its lanes are no runs of cells. */
static const char *bits_of_row(Body *b, const IrStmt *s)
{
  Run run = run_from(s, 0);
  const char *bits;

  if (!is_in_one_word(s->snode))
    return NULL;
  bits = bits_of_run(b, s, run);
  if (run.end == s->lanes)
    return bits;
  run = run_from(s, run.end);
  return run.end == s->lanes ? format(b->emit->arena, "%s | %s", bits, bits_of_run(b, s, run))
                             : NULL;
}

static const char *bit_of_each_lane(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;
  const char *list = "";

  for (int k = 0; k < s->lanes; k++)
    list = format(arena, "%s%s(int32_t)(%s & 1)", list, k ? ", " : "",
                  bits_text(b, s, s->from[k].operand, s->from[k].cell));
  return format(arena, "((snd_i32x%d){ %s }), !=, 0", s->lanes, list);
}

CText active_cell_text(Body *b, const IrStmt *s)
{
  return (CText){ format(b->emit->arena, "(%s & 1) != 0", bits_text(b, s, 0, 0)), BOUND_EQUAL };
}

CText active_cells_text(Body *b, const IrStmt *s)
{
  const char *bits = bits_of_row(b, s);
  Arena *arena = b->emit->arena;

  if (bits)
    return primary(format(arena, "SND_ROW_MASK_OF_BITS(%s, %d, %s)", b->mask, s->lanes, bits));
  return compared_text(b, "i32", s->lanes, bit_of_each_lane(b, s));
}
