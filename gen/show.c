/* What --emit=tasks and --emit=layout print about a module. */
#include "gen/show.h"

#include <inttypes.h>

/* ---- tasks ---- */

static void show_kernel(const IrFunction *f, Text *out)
{
  text_format(out, "kernel %s\n", f->name);
  for (int k = 0; k < f->body->count; k++) {
    const IrStmt *task = f->body->stmts[k];
    text_format(out, "  %2d  %s", k, ir_task_name[task->task]);
    if (task->task == IR_TASK_LISTGEN)
      text_format(out, " %s->%s", task->snode->parent->label,
                  task->snode->label);
    else if (task->snode)
      text_format(out, " %s", task->snode->label);
    if (task->snode)
      text_format(out, " of %s", f->slots[task->slot].name);
    text_format(out, "  (line %d)\n", task->loc.line);
  }
}

void show_tasks(const IrModule *m, Text *out)
{
  for (int k = 0; k < m->kernel_count; k++)
    show_kernel(m->kernels[k], out);
}

/* ---- layout ---- */

static void show_extent(const IrAxis *axis, const IrTree *tree, Text *out)
{
  if (axis->size > 0)
    text_format(out, "%" PRId64, axis->size);
  else
    text_add(out,
             axis->param >= 0 ? tree->param_names[axis->param] : axis->text);
}

/* The product of the extents given, 0 where one is not known before creation.
 * */
static int64_t cells_of(const IrSNode *s)
{
  int64_t product = 1;

  for (int k = 0; k < s->axis_count; k++)
    product *= s->axes[k].size;
  return product;
}

static int64_t containers_of(const IrSNode *s)
{
  int64_t product = 1;

  for (s = s->parent; s; s = s->parent)
    product *= cells_of(s);
  return product;
}

static void show_count(const char *what, int64_t count, Text *out)
{
  if (count > 0)
    text_format(out, "%" PRId64 " %s%s", count, what, count == 1 ? "" : "s");
  else
    text_format(out, "%ss counted at creation", what);
}

static void show_field(const IrField *f, Text *out)
{
  text_format(out, "%*splace %s %s[", 2 * f->snode->depth + 4, "",
              f->type->name, f->name);
  for (int k = 0; k < f->axis_count; k++)
    text_format(out, "%s%s", k ? ", " : "", ir_axis_name[f->axes[k]]);
  if (type_is_float(f->type))
    text_format(out, "] = %.17g\n", f->default_value.f);
  else if (f->type->kind == TYPE_U64)
    text_format(out, "] = %" PRIu64 "\n", (uint64_t)f->default_value.i);
  else
    text_format(out, "] = %" PRId64 "\n", f->default_value.i);
}

static void show_snode(const IrSNode *s, Text *out)
{
  text_format(out, "%*s%s %s", 2 * s->depth + 2, "", s->label,
              s->name ? s->name : "");
  for (int k = 0; k < s->axis_count; k++) {
    text_format(out, "%s%s: ", k ? ", " : "[", ir_axis_name[s->axes[k].axis]);
    show_extent(&s->axes[k], s->tree, out);
  }
  if (s->parent) {
    text_add(out, "]  ");
    show_count("container", containers_of(s), out);
    text_add(out,
             s->kind == IR_SNODE_POINTER ? " at most, each of " : ", each of ");
    show_count("cell", cells_of(s), out);
  }
  text_add(out, "\n");
  for (int k = 0; k < s->field_count; k++)
    show_field(s->fields[k], out);
  for (int k = 0; k < s->child_count; k++)
    show_snode(s->children[k], out);
}

void show_layout(const IrModule *m, Text *out)
{
  for (int k = 0; k < m->tree_count; k++) {
    text_format(out, "tree %s\n", m->trees[k]->name);
    show_snode(m->trees[k]->snodes[0], out);
  }
}
