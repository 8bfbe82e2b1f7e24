/* local: a field that lives for one kernel call begins each call at its default, where the
 * kernel may read a cell that it has not assigned before (assigned.c): a loop at the kernel's
 * beginning sets it.
 *
 * Of other fields the same is found out: for --emit=layout which mode they could have, and for
 * what runs the kernel which fields it takes over from nobody (IrFunction.outputs).
 *
 * Needs: the module as written.
 * Guarantees: in each call every cell of a local field is assigned before it is read.
 */
#include "gen/passes/assigned.h"
#include "gen/passes/mode_tools.h"

typedef struct Local {
  IrModule *module;
  IrFunction *kernel;
  FieldUses found;
} Local;

/* ---- setting it ---- */

static bool needs_default(const FieldUse *use)
{
  return use->field->mode == FIELD_MODE_local && use->needs_old;
}

static void put_write(Maker *make, const FieldUse *use, IrStmt *const *index)
{
  const IrField *f = use->field;
  IrStmt *write = ir_stmt(make->module, IR_write, TY(VOID), make->loc, NULL);

  write->field = use->field;
  write->slot = use->slot;
  for (int k = 0; k < f->axis_count; k++) {
    IrStmt *at = index[f->axes[k]];
    if (f->origin[k] != 0)
      at = put(make, ir_stmt(make->module, IR_add, at->type, make->loc, at,
                             make_const(make, at->type, f->origin[k]), NULL));
    ir_add_operand(make->module, write, at);
  }
  ir_add_operand(make->module, write, make_value(make, f->type, f->default_value));
  put(make, write);
}

/* Of a loop over the SNode's cells: what holds the fields' own indices. */
static const Type *index_type(const IrSNode *n, int axis)
{
  const int64_t total = n->total[axis];

  for (int f = 0; f < n->field_count; f++)
    for (int k = 0; k < n->fields[f]->axis_count; k++) {
      const int64_t origin = n->fields[f]->origin[k];
      if (n->fields[f]->axes[k] == axis && (origin < INT32_MIN || origin > INT32_MAX - total))
        return TY(I64);
    }
  return total > 0 && total <= INT32_MAX ? TY(I32) : TY(I64);
}

static Maker put_loop(const Local *l, const FieldUse *use, IrStmt *where, IrStmt **index)
{
  IrModule *m = l->module;
  IrSNode *n = use->field->snode;
  IrStmt *loop = ir_stmt(m, IR_foreach_node, TY(VOID), where->loc, NULL);
  Maker make = make_before(m, where);

  loop->snode = n;
  loop->slot = use->slot;
  loop->blocks[0] = ir_block(m, loop);
  put(&make, loop);
  make = make_at_end(m, loop->blocks[0], where);
  for (int k = 0; k < n->path_axis_count; k++) {
    const int axis = n->path_axes[k];
    const Type *type = index_type(n, axis);
    IrVariable *name = make_index(m, l->kernel, axis_name[axis], type);
    IrStmt *s = ir_stmt(m, IR_loop_index, type, where->loc, loop, NULL);
    s->index = k;
    index[axis] = put(&make, s);
    vec_push(m->arena, loop->variables, loop->variable_count, name);
  }
  return make;
}

/* Those of one SNode and slot in one loop; in the root's cell without one. */
static void set_defaults(Local *l, int from)
{
  const FieldUse *first = &l->found.uses[from];
  IrStmt *where = l->kernel->body->stmts[0], *index[MAX_AXES] = { NULL };
  Maker make = first->field->axis_count ? put_loop(l, first, where, index)
                                        : make_before(l->module, where);

  for (int k = from; k < l->found.count; k++) {
    FieldUse *use = &l->found.uses[k];
    if (use->is_set || !needs_default(use) || use->slot != first->slot ||
        use->field->snode != first->field->snode)
      continue;
    put_write(&make, use, index);
    use->is_set = true;
  }
}

/* ---- what is told ---- */

/* Fields that have a cell whatever is active, or that live for the call. */
static bool is_wanted(const IrField *f)
{
  if (f->mode == FIELD_MODE_virtual)
    return false;
  for (const IrSNode *n = f->snode; n; n = n->parent)
    if (ir_is_sparse(n))
      return false;
  return true;
}

static void note_finding(const Local *l, const FieldUse *use)
{
  IrFinding *finding;

  if (use->field->mode != FIELD_MODE_NONE && use->field->mode != FIELD_MODE_local)
    return;
  finding = add_finding(l->module, use->field, l->kernel,
                        use->first ? use->first->loc : l->kernel->loc, NULL);
  finding->kind = use->is_set        ? IR_FOUND_SET
                  : !use->is_written ? IR_FOUND_READ
                  : use->needs_old   ? IR_FOUND_KEPT
                  : use->is_whole    ? IR_FOUND_ASSIGNED
                                     : IR_FOUND_PART;
}

static void note_output(const Local *l, const FieldUse *use)
{
  IrOutput output = { use->field, use->slot };

  if (use->is_set || (use->is_written && !use->needs_old && use->is_whole))
    vec_push(l->module->arena, l->kernel->outputs, l->kernel->output_count, output);
}

static void begin_kernel(IrModule *m, IrFunction *f)
{
  Local l = { .module = m, .kernel = f };

  note_declarations(f);
  if (!f->is_kernel)
    return;
  l.found = find_field_uses(m, f, is_wanted);
  for (int k = 0; k < l.found.count; k++)
    if (!l.found.uses[k].is_set && needs_default(&l.found.uses[k]))
      set_defaults(&l, k);
  for (int k = 0; k < l.found.count; k++) {
    note_finding(&l, &l.found.uses[k]);
    note_output(&l, &l.found.uses[k]);
  }
}

void pass_local(IrModule *m)
{
  for_each_function(m, begin_kernel);
}
