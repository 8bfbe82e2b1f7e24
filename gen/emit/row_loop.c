/* The loops in the row form of a struct_for: over the rows of a container, or over the runs of
 * cells that a block has of one; and what a row stores.
 */
#include "gen/emit/task.h"

static const IrSNode *looped(const Body *b)
{
  return b->task->snode;
}

static int64_t row_of(const IrSNode *n)
{
  return n->axes[n->axis_count - 1].size;
}

bool row_loop_is_along(const IrSNode *n, int index)
{
  return n->path_axes[index] == n->axes[n->axis_count - 1].axis;
}

/* ---- the loop over rows ---- */

static void write_active(Body *b, const Skeleton *s)
{
  if (kind_is(looped(b)->kind, KIND_MASKED))
    b->active = format(b->emit->arena, "%s.masks[%s >> 6] >> (%s & 63)", s->block, s->c, s->c);
}

static void write_first_cell(Body *b, const Skeleton *s)
{
  const SNodeNames *names = &b->emit->trees[looped(b)->tree->id].snode[looped(b)->id];

  if (looped(b)->is_soa) {
    b->cell = s->cells;
    return;
  }
  b->cell = names_take(&b->names, "cell");
  write_line(b->emit, "SND_GLB %s *%s = &%s[%s];", names->cell, b->cell, s->cells, s->c);
}

/* The cells of a row that is left, one after the other. */
static void write_left_row(Body *b, Skeleton *s, bool is_only_left)
{
  Emit *e = s->emit;
  Task *rows = s->task;

  if (!is_only_left) {
    write_line(e, "continue;");
    e->indent--;
    write_line(e, "%s:", s->left);
    e->indent++;
  }
  s->task = s->cells_task;
  s->names = b->names;
  write_cells_of_row(s, kind_is(looped(b)->kind, KIND_MASKED));
  s->task = rows;
}

/* A piece that is too short for lanes. */
static bool is_left(const IrBlock *block)
{
  const IrStmt *last = block->count > 0 ? block->stmts[block->count - 1] : NULL;

  return last && last->op == IR_leave_row && last->operands[0]->op == IR_const;
}

static bool leaves(const IrBlock *block)
{
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    if (s->op == IR_leave_row)
      return true;
  return false;
}

/* Whether the rows, or the cells that they leave, ask where in the container they stand. */
static bool names_position(const Body *b, const Skeleton *s)
{
  return s->here.own_cell || s->here.own_position || kind_is(looped(b)->kind, KIND_MASKED);
}

/* Whether the rows of a container are counted by its axes: no block holds a part of it. */
static bool is_by_axes(const Body *b)
{
  return looped(b)->axis_count > 1 && ir_is_one_block(looped(b));
}

/* Whether a statement of a row chooses or computes by where the row stands on the axis. */
static bool asks_digit(const Body *b, const IrStmt *s, int own)
{
  for (int k = 0; k < s->operand_count; k++)
    if (s->operands[k]->op == IR_row_digit &&
        axis_of_index(looped(b), s->operands[k]->index) == own)
      return s->op != IR_linear;
  return false;
}

/* Whether rows that differ in the innermost axis only are written out one by one: where they are
 * few and short, and each asks where it stands. */
static bool is_unrolled(const Body *b, const Skeleton *s, int own)
{
  enum { MOST_ROWS = 16, MOST_STATEMENTS = 1024 };
  const IrBlock *block = s->piece->blocks[0];
  const int64_t rows = looped(b)->axes[own].size;
  int64_t count = 0;
  bool asks = false;

  for (IrStmt *each = ir_first(block); each; each = ir_next(each, block)) {
    count += rows;
    asks = asks || asks_digit(b, each, own);
  }
  return asks && rows <= MOST_ROWS && count <= MOST_STATEMENTS;
}

/* Whether where a row begins is asked for once: to name its first cell. */
static bool asks_first_cell_only(const Body *b, const Skeleton *s, bool leaves_cells)
{
  return !leaves_cells && !s->here.own_position && !looped(b)->is_soa &&
         !kind_is(looped(b)->kind, KIND_MASKED);
}

/* A loop for each axis of the container but the last; how many. */
static int open_axes(Body *b, Skeleton *s, bool leaves_cells)
{
  const IrSNode *n = looped(b);
  const int rows = n->axis_count - 1;
  Emit *e = s->emit;
  const char *position = "";

  for (int own = 0; own < rows; own++) {
    const char *digit = s->row_digit[own] = s->digit_name[own];
    int64_t below = 1;
    if (own == rows - 1 && is_unrolled(b, s, own))
      write_line(e, "SND_ROW_UNROLL(%d)", (int)n->axes[own].size);
    open_brace(s, format(e->arena, "for (int32_t %s = 0; %s < %lld; %s++)", digit, digit,
                         (long long)n->axes[own].size, digit));
    for (int k = own + 1; k < n->axis_count; k++)
      below *= n->axes[k].size;
    position = format(e->arena, "%s%s%s * %lld", position, own ? " + " : "", digit,
                      (long long)below);
  }
  if (s->piece->index)
    position = format(e->arena, "%s + %d", position, s->piece->index);
  if (asks_first_cell_only(b, s, leaves_cells))
    s->c = position;
  else if (names_position(b, s))
    write_line(e, "const int64_t %s = %s;", s->c, position);
  return rows;
}

/* One loop over what of the container's cells is in the block: all, as numbers, where each block
 * is a container. */
static int open_block(Body *b, Skeleton *s)
{
  const IrSNode *n = looped(b);
  const bool is_whole = ir_is_one_block(n);
  Emit *e = s->emit;
  const char *begin = format(e->arena, s->piece->index ? "%s.first + %d" : "%s.first", s->block,
                             s->piece->index);
  const char *end = format(e->arena, "%s.last", s->block);

  if (is_whole) {
    begin = format(e->arena, "%d", s->piece->index);
    end = format(e->arena, "%lld", (long long)n->axes[0].size);
  }
  open_brace(s, format(e->arena, "for (int64_t %s = %s; %s < %s; %s += %d)", s->c, begin, s->c, end,
                       s->c, (int)row_of(n)));
  for (int k = 0; k < n->path_axis_count; k++)
    if (s->here.row_digits >> k & 1) {
      const int own = axis_of_index(looped(b), k);
      s->row_digit[own] = NULL;
      write_line(e, "const int32_t %s = (int32_t)%s;", s->digit_name[own], digit_of(s, own));
      s->row_digit[own] = s->digit_name[own];
    }
  return 1;
}

/* ---- the loop over runs ---- */

static const IrStmt *run_of(const IrStmt *part)
{
  return part->blocks[0]->stmts[part->blocks[0]->count - 1];
}

const IrStmt *row_loop_runs(const IrStmt *task)
{
  const IrBlock *leaf = task->blocks[1];

  for (int k = 0; k < leaf->count; k++)
    if (leaf->stmts[k]->op == IR_each_part)
      return run_of(leaf->stmts[k]);
  return NULL;
}

/* Whether the run says of which cells runs are made (gen/passes/row_clip.c). */
static bool is_clipped(const IrStmt *run)
{
  return run->operand_count > 1;
}

/* Whether there may be cells in a block that are in no run. */
bool row_loop_has_rest(const IrStmt *task, const IrStmt *run)
{
  return is_clipped(run) || row_of(task->snode) == 0 || row_of(task->snode) % run->lanes != 0;
}

/* Each index that the loop names but for that along the row; or that one. */
static void write_run_index(Skeleton *s, bool is_along_row, const char *digit)
{
  const IrStmt *task = s->task->stmt;
  const IrSNode *n = task->snode;
  const unsigned used = s->task->needs.indices | s->task->needs.first_indices;

  for (int k = 0; k < n->path_axis_count; k++) {
    const int own = is_along_row ? -1 : axis_of_index(n, k);
    if (!(used >> k & 1) || row_loop_is_along(n, k) != is_along_row)
      continue;
    write_line(s->emit, "const %s %s = %s;", c_type(task->variables[k]->type), s->first[k],
               index_at(s, k, own < 0 ? digit : digit_of(s, own)));
  }
}

/* Where a part of a row begins, which cell of the row that is, and where the part ends. The block
 * of a container with one axis is a part. */
static bool open_part(Body *b, Skeleton *s)
{
  const int last = looped(b)->axis_count - 1;
  const char *c = s->c;
  Emit *e = s->emit;

  s->column = NULL;
  if (last == 0) {
    write_run_index(s, false, "0");
    s->begin = format(e->arena, "%s.first", s->block);
    s->end = format(e->arena, "%s.last", s->block);
    return false;
  }
  s->begin = names_take(&b->names, "begin");
  s->column = names_take(&b->names, "column");
  s->end = names_take(&b->names, "end");
  open_brace(s, format(e->arena, "for (int64_t %s = %s.first, %s; %s < %s.last; %s = %s)", s->begin,
                       s->block, s->end, s->begin, s->block, s->begin, s->end));
  s->c = s->begin;
  write_line(e, "const int64_t %s = %s;", s->column, digit_of(s, last));
  write_run_index(s, false, "0");
  s->c = c;
  write_line(e, "%s", "");
  write_line(e, "%s = snd_min_i64(%s - %s + %s, %s.last);", s->end, s->begin, s->column,
             axis_extent(s, last), s->block);
  return true;
}

void emit_each_part(Body *b, const IrStmt *part)
{
  Skeleton *s = b->rows;
  bool is_loop;

  s->piece = run_of(part);
  is_loop = open_part(b, s);
  b->loops += is_loop;
  emit_block(b, part->blocks[0]);
  b->loops -= is_loop;
  if (is_loop)
    close_brace(s);
}

/* The name of the row's cell that operand k of the run is the index of. */
static const char *end_cell(Body *b, Skeleton *s, int k, const char *wanted)
{
  const IrStmt *index = s->piece->operands[k];
  const bool is_number = index->op == IR_const;
  const char *name;

  if (is_number && index->value.i == INT64_MIN)
    return s->begin;
  if (is_number && index->value.i == INT64_MAX)
    return s->end;
  name = names_take(&b->names, wanted);
  write_line(s->emit, "const int64_t %s = snd_row_cell(%s, %s, %s, %s);", name, s->begin, s->end,
             s->column ? s->column : s->begin, loose(b, index));
  return name;
}

/* The runs of which the first and the last begin where they have to. */
static void open_clipped_runs(Body *b, Skeleton *s, const char *digit)
{
  IrStmt *const *ends = s->piece->operands;
  const char *from = end_cell(b, s, 1, "from"), *to = end_cell(b, s, 2, "to");
  const char *least = ends[3] == ends[1] ? from : end_cell(b, s, 3, "least");
  const char *most = ends[4] == ends[2] ? to : end_cell(b, s, 4, "most");
  const char *next = names_take(&b->names, "next"), *is_run = names_take(&b->names, "is_run");
  Emit *e = s->emit;

  open_brace(s, format(e->arena, "for (int64_t %s = %s, %s; %s < %s; %s = %s)", s->c, from, next,
                       s->c, to, s->c, next));
  write_line(e, "const int %s = snd_next_run(&%s, &%s, %s, %s, %d, %s);", is_run, s->c, next,
             least, most, s->piece->lanes, to);
  write_run_index(s, true, digit);
  write_line(e, "if (!%s)", is_run);
  write_line(e, "  goto %s;", s->left);
  s->length = format(e->arena, "%s - %s", next, s->c);
}

static void open_runs(Body *b, Skeleton *s)
{
  const bool has_short_ones = row_loop_has_rest(b->task, s->piece);
  const char *digit, *next;
  const int lanes = s->piece->lanes;
  Emit *e = s->emit;

  digit = s->column ? format(e->arena, "%s + (%s - %s)", s->column, s->c, s->begin) : s->c;
  if (is_clipped(s->piece)) {
    open_clipped_runs(b, s, digit);
    return;
  }
  if (!has_short_ones) {
    open_brace(s, format(e->arena, "for (int64_t %s = %s; %s < %s; %s += %d)", s->c, s->begin,
                         s->c, s->end, s->c, lanes));
    write_run_index(s, true, digit);
    return;
  }
  next = names_take(&b->names, "next");
  open_brace(s, format(e->arena, "for (int64_t %s = %s, %s; %s < %s; %s = %s)", s->c, s->begin,
                       next, s->c, s->end, s->c, next));
  write_run_index(s, true, digit);
  write_line(e, "%s", "");
  write_line(e, "%s = snd_run_end(%s, %s, %d, %s);", next, s->c, digit, lanes, s->end);
  write_line(e, "if (%s - %s < %d)", next, s->c, lanes);
  write_line(e, "  goto %s;", s->left);
  s->length = format(e->arena, "%s - %s", next, s->c);
}

static int open_rows(Body *b, Skeleton *s, bool leaves_cells)
{
  int braces;

  if (s->piece->op == IR_each_run) {
    open_runs(b, s);
    return 1;
  }
  braces = is_by_axes(b) ? open_axes(b, s, leaves_cells) : open_block(b, s);
  write_row_coordinates(s);
  return braces;
}

/* What the loop at hand names: not each of several pieces of a row asks for every index. */
static void find_here(Body *b, Skeleton *s, bool leaves_cells)
{
  const Task *t = s->task;
  const Needs *cells = &s->cells_task->needs;

  s->here = (Needs){ 0 };
  needs_find(b->emit, t->kernel, t->stmt, s->piece->blocks[0], &t->live, &s->here);
  if (!leaves_cells)
    return;
  s->here.indices |= cells->indices;
  s->here.own_position = s->here.own_position || cells->own_position || cells->own_cell;
}

/* Nothing of it is written. */
static bool does_nothing(const Body *b, const IrStmt *each)
{
  for (IrStmt *s = ir_first(each->blocks[0]); s; s = ir_next(s, each->blocks[0]))
    if (is_live(b->live, s))
      return false;
  return true;
}

void emit_each_row(Body *b, const IrStmt *each)
{
  Skeleton *s = b->rows;
  const bool is_only_left = is_left(each->blocks[0]);
  const bool leaves_cells = leaves(each->blocks[0]) ||
                            (each->op == IR_each_run && row_loop_has_rest(b->task, each));
  const char *c = s->c;
  int braces;

  if (does_nothing(b, each) && !leaves_cells)
    return;
  s->piece = each;
  find_here(b, s, leaves_cells);
  s->length = format(b->emit->arena, "%d", each->lanes);
  s->left = names_take(&b->names, "cell_by_cell");
  write_active(b, s);
  braces = open_rows(b, s, leaves_cells);
  if (!is_only_left) {
    if (s->here.own_cell)
      write_first_cell(b, s);
    b->loops++;
    emit_block(b, each->blocks[0]);
    b->loops--;
  }
  if (leaves_cells)
    write_left_row(b, s, is_only_left);
  for (int k = 0; k < braces; k++)
    close_brace(s);
  s->c = c;
}

void emit_leave_row(Body *b, const IrStmt *s)
{
  write_line(b->emit, "if (%s)", loose(b, s->operands[0]));
  b->emit->indent++;
  write_line(b->emit, "goto %s;", b->rows->left);
  b->emit->indent--;
}

void emit_leave_leaf(Body *b, const IrStmt *s)
{
  write_line(b->emit, "if (%s)", loose(b, s->operands[0]));
  b->emit->indent++;
  write_line(b->emit, b->loops > 0 ? "continue;" : "return;");
  b->emit->indent--;
}

/* ---- stores ---- */

/* Where the mask is false a lane stores what is there: that costs less than a jump for each, which
 * no one foresees. A bool is a byte in memory. */
static void store_lane_by_lane(Body *b, const IrStmt *s)
{
  const char *member = b->emit->trees[s->field->snode->tree->id].field_member[s->field->id];
  const char *value = loose(b, s->operands[1]), *cells = cell_pointer(b, s->operands[0]);
  const char *how = s->relaxed ? "SHARED" : "OWN";
  const int lanes = s->operands[1]->lanes;

  const char *kept = s->operand_count == 3 && s->field->type->kind != TYPE_BOOL
                         ? row_kept_text(b, s) : NULL;

  if (s->field->type->kind == TYPE_BOOL)
    value = format(b->emit->arena, "-%s",
                   within(b, value_text(b, s->operands[1]), BOUND_PRIMARY));
  if (kept)
    write_line(b->emit, "SND_ROW_PUT_SELECT(%s, %d, %s, %s, %s, %s, %s, %s);",
               suffix(s->field->type), lanes, how, loose(b, s->operands[2]), cells, member, value,
               kept);
  else if (s->operand_count == 3)
    write_line(b->emit, "SND_ROW_PUT_WHERE(%d, %s, %s, %s, %s, %s);", lanes, how,
               loose(b, s->operands[2]), cells, member, value);
  else
    write_line(b->emit, "SND_ROW_PUT(%d, %s, %s, %s, %s);", lanes, how, cells, member, value);
}

/* A loop has rows only where no other iteration changes the cells that a row stores to: so those
 * that no lane stores to may be stored as they are. */
void emit_row_store(Body *b, const IrStmt *s)
{
  const bool has_mask = s->operand_count == 3;
  const int lanes = s->operands[1]->lanes;
  const char *place, *value;

  if (!is_row_packed(s)) {
    store_lane_by_lane(b, s);
    return;
  }
  place = field_place(b, cell_text(b, s->operands[0]), s->field);
  value = loose(b, s->operands[1]);
  if (s->field->type->kind == TYPE_BOOL)
    value = format(b->emit->arena, "SND_ROW_CONVERT(u8x%d, -%s)", lanes,
                   within(b, value_text(b, s->operands[1]), BOUND_PRIMARY));
  if (has_mask)
    write_line(b->emit, "SND_ROW_STORE_WHERE%s(%s, %d, %s, %s, %s);", s->relaxed ? "_SHARED" : "",
               suffix(s->field->type), lanes, loose(b, s->operands[2]), place, value);
  else
    write_line(b->emit, "SND_ROW_STORE%s(%sx%d, %s, %s);", s->relaxed ? "_SHARED" : "",
               suffix(s->field->type), lanes, place, value);
}
