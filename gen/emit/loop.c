/* The loop over a block: cells of a container; iterations of a range are range_loop.c's.
 *
 * On the host cells that lie side by side are walked in rows, so that the compiler sees it: rows of
 * a dense container, those of a bitmasked one of which every cell is active, runs in a chunk of a
 * dynamic one.  A device's lanes compute their coordinates (coordinate.c) each.
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

  return format(s->emit->arena, kind_is(n->kind, KIND_MASKED) ? "%s->%s.cell" : "%s->%s",
                s->parent, s->emit->trees[n->tree->id].snode[n->id].member);
}

/* What the cells of a block are reached by: the container, where it is one. */
static void write_cells(const Skeleton *s)
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
               address ? address : format(s->emit->arena, "SND_POINTER(%s, %s.container)", cell,
                                          s->block));
}

void write_container(const Skeleton *s)
{
  write_cells(s);
}

static const char *cell_at(const Skeleton *s, const char *position)
{
  Arena *arena = s->emit->arena;
  const char *cell = cell_struct(s);

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

static void write_call(Skeleton *s, BodyCall *call, const char *position)
{
  write_line(s->emit, "%s",
             call(s, s->task->needs.own_cell ? cell_at(s, position) : NULL, position, s->index));
}

void open_brace(Skeleton *s, const char *head)
{
  write_line(s->emit, "%s {", head);
  s->emit->indent++;
}

void close_brace(Skeleton *s)
{
  s->emit->indent--;
  write_line(s->emit, "}");
}

/* Where nothing ties the iterations to each other, compilers are told so. */
void write_simd(const Skeleton *s)
{
  const Needs *n = &s->task->needs;

  if (s->emit->options->target == EMIT_OMP && runs_parallel(s->task->stmt) && !s->has_windows &&
      !n->launch && !n->vars && !n->reduction_count && !n->activates && !n->deactivates &&
      !n->synchronises)
    write_line(s->emit, n->cache_count ? "SND_HOST_SIMD_NEAR" : "SND_HOST_SIMD");
}

/* Whether list generation has noted which cells are active. */
static bool has_masks(const Skeleton *s)
{
  return ir_is_sparse(looped(s)) && !kind_is(looped(s)->kind, KIND_LIST);
}

/* Cell after cell: those that were active, where some may not be. */
static void write_host_cells(Skeleton *s, BodyCall *call)
{
  const char *c = s->c, *head;

  if (has_masks(s))
    head = format(s->emit->arena,
                  "for (int64_t %s = snd_block_next(&%s, %s.first); %s < %s.last; %s = "
                  "snd_block_next(&%s, %s + 1))",
                  c, s->block, s->block, c, s->block, c, s->block, c);
  else
    head = format(s->emit->arena, "for (int64_t %s = %s.first; %s < %s.last; %s++)", c, s->block, c,
                  s->block, c);
  if (!has_masks(s))
    write_simd(s);
  open_brace(s, head);
  write_coordinates(s, -1);
  write_call(s, call, c);
  close_brace(s);
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
  int axis = n->axes[n->axis_count - 1].axis;

  for (int k = 0; k < n->path_axis_count; k++)
    if (n->path_axes[k] == axis)
      return uses_index(s, k) ? k : -1;
  return -1;
}

static void write_row_loop(Skeleton *s, BodyCall *call, int index, const char *length,
                           const char *first)
{
  Emit *e = s->emit;
  const char *k = names_take(&s->names, "cell"), *indices[MAX_AXES], *position;

  write_simd(s);
  open_brace(s, format(e->arena, "for (int64_t %s = 0; %s < %s; %s++)", k, k, length, k));
  for (int a = 0; a < MAX_AXES; a++)
    indices[a] = s->index[a];
  if (index >= 0)
    indices[index] = coordinate(s, index, *first ? format(e->arena, "%s + %s", first, k) : k);
  position = format(e->arena, "%s + %s", s->c, k);
  write_line(e, "%s",
             call(s, s->task->needs.own_cell ? cell_at(s, position) : NULL, position, indices));
  close_brace(s);
}

static void write_host_rows(Skeleton *s, BodyCall *call)
{
  const IrSNode *n = looped(s);
  int last = n->axis_count - 1, index = row_index(s);
  int64_t extent = n->axes[last].size;
  Emit *e = s->emit;
  const char *row = axis_extent(s, last), *first = "";

  if (has_whole_rows(n, extent)) {
    open_brace(s, format(e->arena, "for (int64_t %s = %s.first; %s < %s.last; %s += %s)", s->c,
                         s->block, s->c, s->block, s->c, row));
    write_coordinates(s, index);
    write_row_loop(s, call, index, row, "");
    close_brace(s);
    return;
  }
  first = names_take(&s->names, "first");
  open_brace(s, format(e->arena, "for (int64_t %s = %s.first, %s; %s < %s.last; %s += %s)",
                       s->c, s->block, s->row, s->c, s->block, s->c, s->row));
  write_line(e, "const int64_t %s = %s;", first,
             last ? format(e->arena, "%s %% %s", s->c, row) : s->c);
  write_coordinates(s, index);
  write_line(e, "%s", "");
  write_line(e, "%s = snd_min_i64(%s - %s, %s.last - %s);", s->row, row, first, s->block, s->c);
  write_row_loop(s, call, index, s->row, first);
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

static void write_cell_call(Skeleton *s, BodyCall *call, const char *cell, int index)
{
  const IrSNode *n = looped(s);
  const char *indices[MAX_AXES], *position;
  Emit *e = s->emit;

  for (int a = 0; a < MAX_AXES; a++)
    indices[a] = s->index[a];
  if (index >= 0) {
    int last = n->axis_count - 1;
    bool is_row = n->axes[last].size <= WORD;
    indices[index] =
        coordinate(s, index, is_row ? cell : format(e->arena, "%s + %s", digit_of(s, last), cell));
  }
  position = format(e->arena, "%s + %s", s->c, cell);
  write_line(e, "%s",
             call(s, s->task->needs.own_cell ? cell_at(s, position) : NULL, position, indices));
}

/* A row of which all cells are active goes as one of a dense container would; of others
 * each bit is looked for. */
static void write_masked_rows(Skeleton *s, BodyCall *call, int64_t row)
{
  Emit *e = s->emit;
  const char *cell = names_take(&s->names, "cell"), *active = names_take(&s->names, "active");
  const char *rest = names_take(&s->names, "rest"), *all = "UINT64_MAX";
  int index = row_index(s);

  open_brace(s, format(e->arena, "for (int64_t %s = %s.first; %s < %s.last; %s += %lld)", s->c,
                       s->block, s->c, s->block, s->c, (long long)row));
  if (row == WORD)
    write_line(e, "const uint64_t %s = %s.masks[%s >> 6];", active, s->block, s->c);
  else {
    all = format(e->arena, "0x%llx", (1ULL << row) - 1);
    write_line(e, "const uint64_t %s = %s.masks[%s >> 6] >> (%s & 63) & %s;", active, s->block,
               s->c, s->c, all);
  }
  write_coordinates(s, index);
  open_brace(s, format(e->arena, "if (%s == %s)", active, all));
  write_simd(s);
  open_brace(s, format(e->arena, "for (int64_t %s = 0; %s < %lld; %s++)", cell, cell,
                       (long long)row, cell));
  write_cell_call(s, call, cell, index);
  close_brace(s);
  e->indent--;
  write_line(e, "} else {");
  e->indent++;
  open_brace(s, format(e->arena, "for (uint64_t %s = %s; %s != 0; %s &= %s - 1)", rest, active,
                       rest, rest, rest));
  if (index >= 0 || s->task->needs.own_cell || s->task->needs.own_position)
    write_line(e, "const int64_t %s = snd_ctz(%s);", cell, rest);
  write_cell_call(s, call, cell, index);
  close_brace(s);
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

/* Cells that stand side by side in a chunk. */
static void write_runs(Skeleton *s, BodyCall *call)
{
  Emit *e = s->emit;
  const char *first = names_take(&s->names, "first"), *run = names_take(&s->names, "run");
  const char *cell = names_take(&s->names, "cell"), *indices[MAX_AXES];
  int index = row_index(s);

  open_brace(s, format(e->arena, "for (int64_t %s = %s.first, %s; %s < %s.last; %s += %s)", s->c,
                       s->block, run, s->c, s->block, s->c, run));
  write_line(e, "sn_addr %s;", first);
  write_line(e, "%s", "");
  write_line(e, "%s = snd_dynamic_run(%s, %s.body, %s, %s.last, &%s);", run, node_text(s),
             s->block, s->c, s->block, first);
  write_line(e, "SND_GLB %s *%s = SND_POINTER(%s, %s);", cell_struct(s), s->cells, cell_struct(s),
             first);
  for (int a = 0; a < MAX_AXES; a++)
    indices[a] = s->index[a];
  if (index >= 0)
    indices[index] = coordinate(s, index, format(e->arena, "%s + %s", s->c, cell));
  write_coordinates(s, index);
  write_simd(s);
  open_brace(s, format(e->arena, "for (int64_t %s = 0; %s < %s; %s++)", cell, cell, run, cell));
  write_line(e, "%s", call(s, format(e->arena, "&%s[%s]", s->cells, cell),
                           format(e->arena, "%s + %s", s->c, cell), indices));
  close_brace(s);
  close_brace(s);
}

/* ---- both ---- */

static bool is_struct_for(const Skeleton *s)
{
  return s->task->stmt->task == IR_TASK_STRUCT_FOR;
}

void write_blocks(Skeleton *s)
{
  if (is_struct_for(s))
    write_line(s->emit, "const snd_blocks %s = %s;", s->blocks,
               scheduled(s, format(s->emit->arena, "snd_blocks_of(%s, %s)",
                                   s->view[s->task->stmt->slot], snode_id(s))));
  else
    write_range_blocks(s);
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

static void write_cells_in_order(Skeleton *s, BodyCall *call)
{
  Emit *e = s->emit;
  const char *order = names_take(&s->names, "order");

  write_line(e, "snd_order %s = snd_order_begin(%s, %s, %d, (const int32_t[]){ %s });", order,
             s->view[s->task->stmt->slot], snode_id(s), looped(s)->path_axis_count,
             axes_in_order(s));
  write_line(e, "%s", "");
  open_brace(s, format(e->arena, "while (snd_next_in_order(&%s, &%s))", order, s->block));
  write_origins(s);
  write_cells(s);
  write_host_cells(s, call);
  close_brace(s);
}

void write_loop_in_order(Skeleton *s, BodyCall *call)
{
  write_line(s->emit, "snd_block %s = SND_NO_BLOCK;", s->block);
  if (is_struct_for(s)) {
    write_cells_in_order(s, call);
    return;
  }
  write_blocks(s);
  write_line(s->emit, "%s", "");
  write_line(s->emit, "%s.last = %s.cells;", s->block, s->blocks);
  write_host_loop(s, call);
}

static void write_host_cell_loop(Skeleton *s, BodyCall *call)
{
  write_origins(s);
  write_cells(s);
  if (kind_is(looped(s)->kind, KIND_DENSE) && s->task->needs.indices)
    write_host_rows(s, call);
  else if (kind_is(looped(s)->kind, KIND_MASKED) && row_in_word(s) > 0)
    write_masked_rows(s, call, row_in_word(s));
  else if (kind_is(looped(s)->kind, KIND_LIST) && s->task->needs.own_cell)
    write_runs(s, call);
  else
    write_host_cells(s, call);
}

/* The row form, where the compiler can; behind it the loops over cells. */
static void write_rows_call(Skeleton *s)
{
  Skeleton in = *s;

  in.task = s->task->rows;
  write_line(s->emit, "#if %s", rows_condition(&in));
  write_line(s->emit, "%s", rows_call(&in));
  write_line(s->emit, "#else");
}

void write_host_loop(Skeleton *s, BodyCall *call)
{
  if (!is_struct_for(s)) {
    write_range_loop(s, call);
    return;
  }
  if (s->task->rows)
    write_rows_call(s);
  write_host_cell_loop(s, call);
  if (s->task->rows)
    write_line(s->emit, "#endif");
}

void write_target_loop(Skeleton *s, BodyCall *call)
{
  const char *c = s->c;

  if (is_struct_for(s)) {
    write_origins(s);
    write_cells(s);
  }
  open_brace(
      s, format(s->emit->arena,
                "for (int64_t %s = %s.first + snd_thread(); %s < %s.last; %s += snd_threads())",
                c, s->block, c, s->block, c));
  if (!is_struct_for(s))
    write_range_call(s, call);
  else {
    if (has_masks(s)) {
      write_line(s->emit, "if (!snd_block_is_active(&%s, %s))", s->block, c);
      write_line(s->emit, "  continue;");
    }
    write_coordinates(s, -1);
    write_call(s, call, c);
  }
  close_brace(s);
}
