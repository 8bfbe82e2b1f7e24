/* The loop over a block: cells of a container; iterations of a range are range_loop.c's.
 *
 * Cells that lie side by side are walked in rows where a host thread takes all of them, so that the
 * compiler sees it: rows of a dense or a bitmasked container, runs in a chunk of a dynamic one.  A
 * thread of a device takes one cell of a row.  Where there is a form by rows (rows.c) the cells are
 * left to devices.
 */
#include "gen/emit/task.h"

static const IrSNode *looped(const Skeleton *s)
{
  return s->task->stmt->snode;
}

/* ---- struct-for: loops ---- */

static const char *cell_struct(const Skeleton *s)
{
  const IrSNode *n = looped(s);

  return s->emit->trees[n->tree->id].snode[n->id].cell;
}

/* The cell that the container stands in. */
static void write_parent(const Skeleton *s)
{
  const IrSNode *n = looped(s);
  const SNodeNames *snodes = s->emit->trees[n->tree->id].snode;
  const char *parent = snodes[n->parent->id].cell;

  write_line(s->emit, "SND_GLB %s *%s = SND_POINTER(%s, %s.container - offsetof(%s, %s));", parent,
             s->parent, parent, s->block, parent, snodes[n->id].member);
}

/* The cells as a part of it: so compilers see what lies beside them. */
static const char *member_of_parent(const Skeleton *s)
{
  const IrSNode *n = looped(s);

  return format(s->emit->arena, kind_is(n->kind, KIND_MASKED) ? "%s%s->%s.cell" : "%s%s->%s",
                n->is_soa && !n->is_soa_by_row ? "&" : "", s->parent,
                s->emit->trees[n->tree->id].snode[n->id].member);
}

/* What the cells of a block are reached by: the container, where it is one. */
void write_container(const Skeleton *s)
{
  const IrSNode *n = looped(s);
  const char *cell = cell_struct(s), *address;

  if (s->task->needs.own_parent)
    write_parent(s);
  if (!s->task->needs.own_cell)
    return;
  address = s->task->needs.own_parent ? member_of_parent(s) : NULL;
  if (kind_is(n->kind, KIND_SLOTS))
    write_line(s->emit, "const SND_GLB uint64_t *%s = %s;", s->cells,
               address ? address
                       : format(s->emit->arena, "SND_CONST_POINTER(uint64_t, %s.container)",
                                s->block));
  else if (ir_is_in_place(n))
    write_line(s->emit, "SND_GLB %s *%s = %s;", cell, s->cells,
               address ? address : format(s->emit->arena, "SND_CELLS(%s, %s)", cell, s->block));
}

static const char *cell_at(const Skeleton *s, const char *position)
{
  Arena *arena = s->emit->arena;
  const char *cell = cell_struct(s);

  if (looped(s)->is_soa)               /* the body has the position too */
    return s->cells;
  switch (snode_kind[looped(s)->kind].cells) {
  case KIND_SLOTS:
    return format(arena, "SND_CELL(%s, snd_load_u64(&%s[%s]))", cell, s->cells, position);
  case KIND_KEYS:
    return format(arena, "SND_CELL(%s, snd_hash_nth_lookup(%s, 0, %s, 0))", cell, node_text(s),
                  position);
  case KIND_LIST:
    return format(arena, "SND_POINTER(%s, snd_dynamic_at(%s, %s.body, %s))", cell, node_text(s),
                  s->block, position);
  default:
    return format(arena, "&%s[%s]", s->cells, position);
  }
}

/* Behind the loop's head: the cell `later`, where it is among those that end before `end`. */
static void write_ahead(const Skeleton *s, const char *later, const char *end, const char *cell)
{
  Skeleton ahead = *s;

  ahead.task = s->task->ahead;
  write_line(s->emit, "if (%s < %s)", later, end);
  write_line(s->emit, "  %s", body_call(&ahead, cell, NULL, s->index));
}

/* Whether list generation has noted which cells are active. */
static bool has_masks(const Skeleton *s)
{
  return ir_is_sparse(looped(s)) && !kind_is(looped(s)->kind, KIND_LIST);
}

/* Cell after cell: those that were active, where some may not be. */
static void write_cells(Skeleton *s)
{
  const char *c = s->c;
  const char *call = body_call(s, s->task->needs.own_cell ? cell_at(s, c) : NULL, c, s->index);

  if (!has_masks(s) && !s->task->rows)
    write_simd(s);
  write_line(s->emit, "%s%s", loop_head(s, has_masks(s) ? "SND_EACH_ACTIVE" : "SND_EACH_CELL"),
             s->task->needs.indices || s->task->ahead ? " {" : "");
  s->emit->indent++;
  if (s->task->ahead)
    write_ahead(s, format(s->emit->arena, "%s + SND_AHEAD", c),
                format(s->emit->arena, "%s.last", s->block),
                cell_at(s, format(s->emit->arena, "%s + SND_AHEAD", c)));
  write_coordinates(s, -1);
  write_line(s->emit, "%s", call);
  s->emit->indent--;
  if (s->task->needs.indices || s->task->ahead)
    write_line(s->emit, "}");
}

enum { BLOCK_MULTIPLE = 64 };          /* of loop.h */

/* Whether every block holds whole rows of that length: loop.h cuts containers of
 * more than 512 cells at multiples of 64. */
static bool has_whole_rows(const IrSNode *n, int64_t row)
{
  return row > 0 && (BLOCK_MULTIPLE % row == 0 || ir_is_one_block(n));
}

/* The index that runs along a row, -1: none is asked for. */
static int row_index(const Skeleton *s)
{
  const IrSNode *n = looped(s);
  const int index = index_of_axis(n, n->axes[n->axis_count - 1].axis);

  return index >= 0 && uses_index(s, index) ? index : -1;
}

/* The call for cell number `cell` of the row that begins at c, whose digit on the last axis is
 * `first`, "" where that is 0. */
static const char *cell_call(Skeleton *s, const char *first, const char *cell)
{
  const int index = row_index(s);
  const char *indices[MAX_AXES], *position;
  Arena *arena = s->emit->arena;

  for (int a = 0; a < MAX_AXES; a++)
    indices[a] = s->index[a];
  if (index >= 0)
    indices[index] = coordinate(s, index, *first ? format(arena, "%s + %s", first, cell) : cell);
  position = format(arena, "%s + %s", s->c, cell);
  return body_call(s, s->task->needs.own_cell ? cell_at(s, position) : NULL, position, indices);
}

static void write_row(Skeleton *s, const char *first)
{
  const char *cell = names_take(&s->names, "cell");

  write_simd(s);
  write_line(s->emit, "for (int64_t %s = 0; %s < %s; %s++)", cell, cell, s->row, cell);
  write_line(s->emit, "  %s", cell_call(s, first, cell));
}

/* Rows of which every block has whole ones: a host thread's begin at digit 0. */
static void write_whole_rows(Skeleton *s)
{
  const int last = looped(s)->axis_count - 1, index = row_index(s);
  Emit *e = s->emit;

  write_line(e, "const int64_t %s = snd_at_once(%s, %s);", s->row, s->thread,
             axis_extent(s, last));
  open_brace(s, rows_head(s, "SND_EACH_ROW"));
  write_coordinates(s, index);
  write_row(s, digit_of(s, last));
  close_brace(s);
}

static void write_rows(Skeleton *s)
{
  const int last = looped(s)->axis_count - 1, index = row_index(s);
  Emit *e = s->emit;
  const char *row = axis_extent(s, last), *first;

  if (has_whole_rows(looped(s), looped(s)->axes[last].size)) {
    write_whole_rows(s);
    return;
  }
  first = names_take(&s->names, "first");
  open_brace(s, rows_head(s, "SND_EACH_RUN"));
  write_line(e, "const int64_t %s = %s;", first,
             last ? format(e->arena, "%s %% %s", s->c, row) : s->c);
  write_coordinates(s, index);
  write_line(e, "%s", "");
  write_line(e, "%s = snd_at_once(%s, snd_min_i64(%s - %s, %s.last - %s));", s->row, s->thread, row,
             first, s->block, s->c);
  write_row(s, first);
  close_brace(s);
}

/* ---- struct-for: rows of a bitmasked container ---- */

enum { WORD = 64, LEAST_ROW = 4 };

/* Cells that lie side by side in a word of the mask and in a row; 0: the rows do not
 * fit into words. */
static int64_t row_in_word(const Skeleton *s)
{
  const IrSNode *n = looped(s);
  int64_t row = n->axes[n->axis_count - 1].size;

  if (!s->task->needs.indices || (row > 0 && row % WORD == 0))
    return WORD;
  return row >= LEAST_ROW && WORD % row == 0 ? row : 0;
}

/* Each bit of the cells that a thread takes at once is looked for. */
static void write_masked_rows(Skeleton *s)
{
  Emit *e = s->emit;
  const char *cell = names_take(&s->names, "cell"), *active = names_take(&s->names, "active");
  const Needs *n = &s->task->needs;
  const int index = row_index(s);

  write_line(e, "const int64_t %s = snd_at_once(%s, %lld);", s->row, s->thread,
             (long long)row_in_word(s));
  open_brace(s, rows_head(s, "SND_EACH_ROW"));
  write_coordinates(s, index);
  open_brace(s, format(e->arena,
                       "for (uint64_t %s = snd_active_bits(&%s, %s, %s); %s != 0; %s &= %s - 1)",
                       active, s->block, s->c, s->row, active, active, active));
  if (index >= 0 || n->own_cell || n->own_position)
    write_line(e, "const int64_t %s = snd_ctz(%s);", cell, active);
  write_line(e, "%s", cell_call(s, digit_of(s, looped(s)->axis_count - 1), cell));
  close_brace(s);
  close_brace(s);
}

/* ---- struct-for: a row of the row form that is left to its cells ---- */

void write_cells_of_row(Skeleton *s, bool is_masked)
{
  Emit *e = s->emit;
  const char *cell = names_take(&s->names, "left"), *indices[MAX_AXES], *position;
  const int row = row_index(s);

  open_brace(s, format(e->arena, "for (int64_t %s = 0; %s < %s; %s++)", cell, cell, s->length,
                       cell));
  position = format(e->arena, "%s + %s", s->c, cell);
  if (is_masked) {
    write_line(e, "if (!snd_block_is_active(&%s, %s))", s->block, position);
    write_line(e, "  continue;");
  }
  for (int k = 0; k < MAX_AXES; k++)
    indices[k] = s->index[k];
  if (row >= 0)
    indices[row] = format(e->arena, s->piece->index ? "%s + (%s)(%d + %s)" : "%s + (%s)%.0d%s",
                          s->first[row], c_type(s->task->stmt->variables[row]->type),
                          s->piece->index, cell);
  write_line(e, "%s", body_call(s, s->task->needs.own_cell ? cell_at(s, position) : NULL, position,
                                indices));
  close_brace(s);
}

/* ---- struct-for: runs of a dynamic container ---- */

/* Asks for cells of the run, from one on to before another one. */
static void write_ahead_of(Skeleton *s, const char *from, const char *to)
{
  Skeleton ahead = *s;

  ahead.task = s->task->ahead;
  write_line(s->emit, "%s", body_call(&ahead, format(s->emit->arena, "%s, %s, snd_min_i64(%s, %s)",
                                                     s->cells, from, to, s->row), NULL, s->index));
}

/* Cells of which as many are done at once as a gang has; those of others one by one. */
static void write_gangs(Skeleton *s, const char *cell, const char *call)
{
  const char *first = names_take(&s->names, "gang"), *end = names_take(&s->names, "end");
  const int lanes = (int)s->task->gang->block->owner->index;
  Skeleton gang = *s;
  Emit *e = s->emit;

  gang.task = s->task->gang;
  if (s->task->ahead)
    write_ahead_of(s, "0", "SND_AHEAD");
  open_brace(s, format(e->arena, "for (int64_t %s = 0, %s; %s < %s; %s = %s)", first, end, first,
                       s->row, first, end));
  write_line(e, "%s = snd_min_i64(%s + %d, %s);", end, first, lanes, s->row);
  if (s->task->ahead)
    write_ahead_of(s, format(e->arena, "%s + SND_AHEAD", first),
                   format(e->arena, "%s + SND_AHEAD", end));
  write_line(e, "#if SND_ROWS");
  write_line(e, "if (%s - %s == %d && %s)", end, first, lanes,
             body_value(&gang, format(e->arena, "&%s[%s]", s->cells, first), NULL, s->index));
  write_line(e, "  continue;");
  write_line(e, "#endif");
  write_line(e, "for (int64_t %s = %s; %s < %s; %s++)", cell, first, cell, end, cell);
  write_line(e, "  %s", call);
  close_brace(s);
}

/* The call for each cell.  Where later ones are asked for, that begins before the first. */
static void write_run(Skeleton *s, const char *cell, const char *call)
{
  Emit *e = s->emit;

  if (s->task->gang) {
    write_gangs(s, cell, call);
    return;
  }
  if (!s->task->ahead) {
    write_simd(s);
    write_line(e, "for (int64_t %s = 0; %s < %s; %s++)", cell, cell, s->row, cell);
    write_line(e, "  %s", call);
    return;
  }
  open_brace(s, format(e->arena, "for (int64_t %s = -SND_AHEAD; %s < %s; %s++)", cell, cell,
                       s->row, cell));
  write_ahead(s, format(e->arena, "%s + SND_AHEAD", cell), s->row,
              format(e->arena, "&%s[%s + SND_AHEAD]", s->cells, cell));
  write_line(e, "if (%s >= 0)", cell);
  write_line(e, "  %s", call);
  close_brace(s);
}

/* Cells that stand side by side in a chunk, from `first` on. */
static void write_runs(Skeleton *s)
{
  Emit *e = s->emit;
  const char *first = names_take(&s->names, "first"), *cell = names_take(&s->names, "cell");
  const char *indices[MAX_AXES];
  const int index = row_index(s);

  s->row = names_take(&s->names, "run");
  open_brace(s, rows_head(s, "SND_EACH_RUN"));
  write_line(e, "sn_addr %s;", first);
  write_line(e, "%s", "");
  write_line(e, "%s = snd_at_once(%s, snd_dynamic_run(%s, %s.body, %s, %s.last, &%s));", s->row,
             s->thread, node_text(s), s->block, s->c, s->block, first);
  write_line(e, "SND_GLB %s *%s = SND_POINTER(%s, %s);", cell_struct(s), s->cells, cell_struct(s),
             first);
  for (int a = 0; a < MAX_AXES; a++)
    indices[a] = s->index[a];
  if (index >= 0)
    indices[index] = coordinate(s, index, format(e->arena, "%s + %s", s->c, cell));
  write_coordinates(s, index);
  write_run(s, cell, body_call(s, format(e->arena, "&%s[%s]", s->cells, cell),
                               format(e->arena, "%s + %s", s->c, cell), indices));
  close_brace(s);
}

/* ---- a block ---- */

static bool is_struct_for(const Skeleton *s)
{
  return s->task->stmt->task == IR_TASK_STRUCT_FOR;
}

static void write_cell_loop(Skeleton *s)
{
  const IrSNode *n = looped(s);

  write_origins(s);
  write_container(s);
  if (s->task->rows)
    write_cells(s);
  else if (kind_is(n->kind, KIND_DENSE) && s->task->needs.indices)
    write_rows(s);
  else if (kind_is(n->kind, KIND_MASKED) && row_in_word(s) > 0)
    write_masked_rows(s);
  else if (kind_is(n->kind, KIND_LIST) && s->task->needs.own_cell)
    write_runs(s);
  else
    write_cells(s);
}

void write_loop(Skeleton *s)
{
  if (is_struct_for(s))
    write_cell_loop(s);
  else
    write_range_loop(s);
}

const char *blocks_text(const Skeleton *s)
{
  static const char *const scheduled[] = { [SCHEDULE_ANY] = "%s",
                                           [SCHEDULE_STATIC] = "snd_blocks_static(%s)",
                                           [SCHEDULE_DYNAMIC] = "snd_blocks_dynamic(%s)" };
  const IrStmt *task = s->task->stmt;
  Arena *arena = s->emit->arena;

  return format(arena, scheduled[task->manner.schedule],
                is_struct_for(s)
                    ? format(arena, "snd_blocks_of(SND_VIEW(thread, %d), %s)", task->slot,
                             snode_id(s))
                    : format(arena, "snd_blocks_of_range(%s)", range_count(s, RANGE_IN_MACRO)));
}

/* ---- in order, one thread ---- */

/* `0, 1`: the axes as the indices of the program's loop name them. */
static const char *axes_in_order(const Skeleton *s)
{
  const IrStmt *task = s->task->stmt;
  const int *axes = task->field ? task->field->axes : looped(s)->path_axes;
  const char *list = "";

  for (int k = 0; k < looped(s)->path_axis_count; k++)
    list = format(s->emit->arena, "%s%s%d", list, k ? ", " : "", axes[k]);
  return list;
}

static void write_cells_in_order(Skeleton *s)
{
  Emit *e = s->emit;
  const char *order = names_take(&s->names, "order");

  write_line(e, "snd_order %s = snd_order_begin(%s, %s, %d, (const int32_t[]){ %s });", order,
             s->view[s->task->stmt->slot], snode_id(s), looped(s)->path_axis_count,
             axes_in_order(s));
  write_line(e, "snd_block %s = SND_NO_BLOCK;", s->block);
  write_line(e, "%s", "");
  open_brace(s, format(e->arena, "while (snd_next_in_order(&%s, &%s))", order, s->block));
  write_origins(s);
  write_container(s);
  write_cells(s);
  close_brace(s);
}

void write_loop_in_order(Skeleton *s)
{
  if (is_struct_for(s)) {
    write_cells_in_order(s);
    return;
  }
  write_range_counts(s);
  write_line(s->emit, "const snd_block %s = { .last = %s };", s->block,
             range_count(s, RANGE_IN_FUNCTION));
  write_line(s->emit, "%s", "");
  write_range_loop(s);
}
