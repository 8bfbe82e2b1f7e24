/* What --emit=tasks and --emit=layout print about a module. */
#include "gen/show.h"
#include "gen/ir/permission.h"

#include <inttypes.h>

/* ---- tasks, and permissions ---- */

static void show_task(const IrFunction *f, const IrStmt *task, Text *out)
{
  text_add(out, ir_task_name[task->task]);
  if (task->task == IR_TASK_LISTGEN)
    text_format(out, " %s->%s", task->snode->parent->label,
                task->snode->label);
  else if (task->snode)
    text_format(out, " %s", task->snode->label);
  if (task->snode)
    text_format(out, " of %s", f->slots[task->slot].name);
}

/* What the host does between tasks, and the names of blocks. */
static void show_step(const IrStmt *s, Text *out)
{
  const IrStmt *test = s->operand_count ? s->operands[0] : NULL;

  text_add(out, ir_op_info[s->op].name);
  if (s->op == IR_block)
    text_format(out, " \"%s\"", s->text);
  else if (test)
    text_format(out, " %s", test->op == IR_get ? test->variable->name
                            : test->value.i    ? "true" : "false");
}

/* A line: its number where it is a task, and how deep it stands. */
static void show_steps(const IrFunction *f, const IrBlock *block, int depth,
                       int *number, Text *out)
{
  for (int k = 0; k < block->count; k++) {
    const IrStmt *s = block->stmts[k];
    depth -= s->op == IR_end_block;
    if (s->type != TY(VOID) || s->op == IR_end_block)
      continue;
    if (s->op == IR_offloaded)
      text_format(out, "  %2d  %*s", (*number)++, 2 * depth, "");
    else
      text_format(out, "      %*s", 2 * depth, "");
    if (s->op == IR_offloaded)
      show_task(f, s, out);
    else
      show_step(s, out);
    text_format(out, "  (line %d)\n", s->loc.line);
    depth += s->op == IR_block;
    if (s->op == IR_offloaded)
      continue;
    for (int b = s->op == IR_while ? 1 : 0; b < IR_BLOCKS; b++) {
      if (b == 1 && s->op == IR_if && s->blocks[1]->count > 0)
        text_format(out, "      %*selse\n", 2 * depth, "");
      if (s->blocks[b])
        show_steps(f, s->blocks[b], depth + 1, number, out);
    }
  }
}

static void show_use(const char *tree, const char *what, const char *name, unsigned use, Text *out)
{
  const char *between = " ";

  if (!use)
    return;
  text_format(out, "  may");
  for (int k = 0; k < IR_USES; k++)
    if (use >> k & 1) {
      text_format(out, "%s%s", between, ir_use_name[k]);
      between = ", ";
    }
  text_format(out, " %s%s of %s\n", what, name, tree);
}

/* What orders it among other kernels. */
static void show_permissions(Arena *arena, const IrFunction *f, Text *out)
{
  const IrPermissions p = ir_permissions(arena, f);

  for (int s = 0; s < f->slot_count; s++) {
    const IrTree *tree = f->slots[s].tree;
    for (int k = 0; k < tree->field_count; k++)
      show_use(f->slots[s].name, "", tree->fields[k]->name, p.field[s][k], out);
    for (int k = 0; k < tree->snode_count; k++)
      show_use(f->slots[s].name, "topology ", tree->snodes[k]->label, p.topology[s][k], out);
    for (int k = 0; k < tree->snode_count; k++)
      show_use(f->slots[s].name, "list ", tree->snodes[k]->label, p.list[s][k], out);
  }
  if (p.draws)
    text_add(out, "  draws random numbers\n");
  if (p.prints)
    text_add(out, "  prints\n");
}

static void show_kernel(Arena *arena, const IrFunction *f, Text *out)
{
  int number = 0;

  text_format(out, "kernel %s\n", f->name);
  show_steps(f, f->body, 0, &number, out);
  show_permissions(arena, f, out);
}

void show_tasks(const IrModule *m, Text *out)
{
  for (int k = 0; k < m->kernel_count; k++)
    show_kernel(m->arena, m->kernels[k], out);
}

/* ---- layout ----
 *
 * Containers and cells as a tree is drawn: interleaved, places included.  Counts are of what
 * there can be; what is sparse has memory for what is active only.
 */
enum { AT_CREATION = 0, UNBOUNDED = -1 };

static void show_extent(const IrAxis *axis, const IrSNode *s, Text *out)
{
  text_add(out, axis_name[axis->axis]);
  if (kind_is(s->kind, KIND_KEYS))
    return;
  if (axis->size > 0)
    text_format(out, ": %" PRId64, axis->size);
  else
    text_format(out, ": %s", axis->param >= 0 ? s->tree->param_names[axis->param]
                                              : axis->text);
}

/* Cells in all containers; a hash has any number. */
static int64_t cells_of(const IrSNode *s)
{
  int64_t product = s->parent ? cells_of(s->parent) : 1;

  if (kind_is(s->kind, KIND_KEYS) || product == UNBOUNDED)
    return UNBOUNDED;
  for (int k = 0; k < s->axis_count; k++)
    product *= s->axes[k].size;
  return product;
}

static int64_t containers_of(const IrSNode *s)
{
  return s->parent ? cells_of(s->parent) : 1;
}

static void show_count(int64_t count, const char *what, Text *out)
{
  if (count == AT_CREATION)
    text_format(out, "%ss counted at creation", what);
  else if (count == UNBOUNDED)
    text_format(out, "any number of %ss", what);
  else
    text_format(out, "%" PRId64 "x %s%s", count, what, count == 1 ? "" : "s");
}

static void show_default(const IrField *f, Text *out)
{
  if (type_is_float(f->type))
    text_format(out, " = %.17g", f->default_value.f);
  else if (f->type->kind == TYPE_U64)
    text_format(out, " = %" PRIu64, (uint64_t)f->default_value.i);
  else
    text_format(out, " = %" PRId64, f->default_value.i);
}

static void show_offset(const IrField *f, Text *out)
{
  bool is_shifted = false;

  for (int k = 0; k < f->axis_count; k++)
    is_shifted = is_shifted || f->origin[k] != 0;
  if (!is_shifted)
    return;
  for (int k = 0; k < f->axis_count; k++)
    text_format(out, "%s%" PRId64, k ? ", " : " offset (", f->origin[k]);
  text_add(out, ")");
}

/* Of the axes that are divided from the root down to s, in the order of memory, outermost
 * first: sn_tree_axes tells the same at run time.  Counts those placed so far. */
static int place_axes(const IrSNode *s, int position[MAX_AXES])
{
  int placed = s->parent ? place_axes(s->parent, position) : 0;

  for (int k = 0; k < s->axis_count; k++)
    if (position[s->axes[k].axis] < 0)
      position[s->axes[k].axis] = placed++;
  return placed;
}

/* Virtual index k, the k-th of the field, lies at which physical position. */
static void show_map(const IrField *f, Text *out)
{
  int position[MAX_AXES];

  for (int a = 0; a < MAX_AXES; a++)
    position[a] = -1;
  place_axes(f->snode, position);
  text_add(out, "physical_index_position {");
  for (int k = 0; k < f->axis_count; k++)
    text_format(out, "%s%d: %d", k ? ", " : "", k, position[f->axes[k]]);
  text_add(out, "}\n");
}

static void show_field(Text *out, const IrField *f)
{
  int margin = 2 * f->snode->depth + 4;

  text_format(out, "%*sS%dplace_%s: ", margin, "", f->number, f->name);
  show_count(cells_of(f->snode), "container", out);
  text_format(out, ", each %s %s", f->type->name, f->name);
  for (int k = 0; k < f->axis_count; k++)
    text_format(out, "%s%s", k ? ", " : "[", axis_name[f->axes[k]]);
  text_add(out, f->axis_count > 0 ? "]" : "");
  show_default(f, out);
  show_offset(f, out);
  text_format(out, "\n%*s", margin + 2, "");
  show_map(f, out);
}

/* What there is of memory for a cell that is not active, and how the cells lie in it. */
static void show_kind(const IrSNode *s, Text *out)
{
  switch (snode_kind[s->kind].cells) {
  case KIND_MASKED: text_add(out, ", a bit each"); break;
  case KIND_SLOTS:  text_add(out, ", a slot each"); break;
  case KIND_KEYS:   text_add(out, ", a key each"); break;
  case KIND_LIST:
    if (s->chunk > 0)
      text_format(out, ", in chunks of %" PRId64, s->chunk);
    else
      text_add(out, ", in chunks that grow");
    break;
  default:
    break;
  }
  if (s->is_soa)
    text_add(out, s->is_soa_by_row ? ", an array for each field of a row"
                                   : ", an array for each field");
  if (s->is_split)
    text_add(out, ", its containers apart");
}

static void show_snode(Text *out, const IrSNode *s)
{
  text_format(out, "%*s%s", 2 * s->depth + 2, "", s->label);
  if (s->name)
    text_format(out, " %s", s->name);
  for (int k = 0; k < s->axis_count; k++) {
    text_add(out, k ? ", " : "[");
    show_extent(&s->axes[k], s, out);
  }
  text_add(out, s->axis_count > 0 ? "]: " : ": ");
  show_count(containers_of(s), "container", out);
  text_add(out, ", ");
  show_count(cells_of(s), "cell", out);
  show_kind(s, out);
  text_add(out, "\n");
  for (int k = 0; k < s->field_count; k++)
    show_field(out, s->fields[k]);
  for (int k = 0; k < s->child_count; k++)
    show_snode(out, s->children[k]);
}

void show_layout(const IrModule *m, Text *out)
{
  for (int k = 0; k < m->tree_count; k++) {
    text_format(out, "tree %s\n", m->trees[k]->name);
    show_snode(out, m->trees[k]->snodes[0]);
  }
}
