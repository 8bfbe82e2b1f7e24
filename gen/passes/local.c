/* local: a field that lives for one kernel call begins each call at its default, where the
 * kernel may read a cell before it has assigned it.
 *
 * It may not where the first thing that a kernel does to it is an assignment to all its
 * cells (cover.c), and all else that it does to it comes behind that: in the loop of the
 * assignment to the iteration's own cell.  Else a loop at the kernel's beginning sets it.
 * The same is found out about fields without a mode, for --emit=layout.
 *
 * Needs: the module as written.
 * Guarantees: in each call every cell of a local field is assigned before it is read.
 */
#include "gen/passes/modes.h"

typedef struct Use {                     /* of a field in a slot, by one kernel */
  IrField *field;
  int slot;
  IrStmt **accesses; int access_count;   /* in the order of the program */
  bool is_read, is_written, is_in_func;
  bool is_set;                           /* to its default, at the kernel's beginning */
} Use;

typedef struct Local {
  IrModule *module;
  IrFunction *kernel;
  Use *uses; int use_count;
  const int *slots;                      /* of the call that leads here; NULL: none */
} Local;

/* ---- what a kernel does to them ---- */

static Use *use_of(Local *l, IrField *field, int slot)
{
  Use use = { .field = field, .slot = slot };

  for (int k = 0; k < l->use_count; k++)
    if (l->uses[k].field == field && l->uses[k].slot == slot)
      return &l->uses[k];
  vec_push(l->module->arena, l->uses, l->use_count, use);
  return &l->uses[l->use_count - 1];
}

static void note_use(IrStmt *s, void *user);

static void note_call(Local *l, const IrStmt *s)
{
  int *slots = NEW_ARRAY(l->module->arena, int, s->function->slot_count + 1);
  const int *outer = l->slots;

  for (int k = 0; k < s->function->slot_count; k++)
    slots[k] = outer ? outer[s->slots[k]] : s->slots[k];
  l->slots = slots;
  ir_walk(s->function->body, note_use, l);
  l->slots = outer;
}

static bool is_looked_at(const IrField *f)
{
  if (f->mode != FIELD_MODE_NONE)
    return f->mode == FIELD_MODE_local;
  for (const IrSNode *n = f->snode; n; n = n->parent)
    if (ir_is_sparse(n))
      return false;
  return true;
}

static void note_use(IrStmt *s, void *user)
{
  Local *l = user;
  Use *use;

  if (s->op == IR_call)
    note_call(l, s);
  if ((s->op != IR_read && s->op != IR_write && s->op != IR_atomic) ||
      !is_looked_at(s->field))
    return;
  use = use_of(l, s->field, l->slots ? l->slots[s->slot] : s->slot);
  use->is_read = use->is_read || s->op != IR_write;
  use->is_written = use->is_written || s->op != IR_read;
  use->is_in_func = use->is_in_func || l->slots;
  if (!l->slots)
    vec_push(l->module->arena, use->accesses, use->access_count, s);
}

/* ---- is it assigned first? ---- */

/* All but the first stand behind the statement `at`, in its block or below. */
static bool are_behind(const Use *use, const IrStmt *at, const Cover *c)
{
  for (int k = 1; k < use->access_count; k++) {
    const IrStmt *access = use->accesses[k];
    if (c && stands_in(access, c->loop) ? !is_own_access(c, access)
                                        : !statement_in(at->parent, access))
      return false;
  }
  return true;
}

static bool is_assigned_first(const Use *use)
{
  IrStmt *first = use->access_count > 0 ? use->accesses[0] : NULL;
  Cover cover;

  if (use->is_in_func || first->op != IR_write)
    return false;
  if (use->field->axis_count == 0)
    return is_at_kernel_level(first) && are_behind(use, first, NULL);
  return !find_cover(first, &cover) && are_behind(use, cover.loop, &cover);
}

/* ---- setting it ---- */

static bool needs_default(const Use *use)
{
  return use->field->mode == FIELD_MODE_local && use->is_read && !is_assigned_first(use);
}

static void put_write(Maker *make, const Use *use, IrStmt *const *index)
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

static Maker put_loop(const Local *l, const Use *use, IrStmt *where, IrStmt **index)
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
    IrVariable *name = make_index(m, l->kernel, ir_axis_name[axis], type);
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
  const Use *first = &l->uses[from];
  IrStmt *where = l->kernel->body->stmts[0], *index[IR_MAX_AXES] = { NULL };
  Maker make = first->field->axis_count ? put_loop(l, first, where, index)
                                        : make_before(l->module, where);

  for (int k = from; k < l->use_count; k++) {
    Use *use = &l->uses[k];
    if (use->is_set || !needs_default(use) || use->slot != first->slot ||
        use->field->snode != first->field->snode)
      continue;
    put_write(&make, use, index);
    use->is_set = true;
  }
}

static void note_finding(const Local *l, const Use *use)
{
  const IrStmt *first = use->access_count > 0 ? use->accesses[0] : NULL;
  IrFinding *finding = add_finding(l->module, use->field, l->kernel,
                                   first ? first->loc : l->kernel->loc, NULL);

  finding->kind = use->is_set                ? IR_FOUND_SET
                  : !use->is_read            ? IR_FOUND_UNREAD
                  : is_assigned_first(use)   ? IR_FOUND_ASSIGNED
                  : use->is_written          ? IR_FOUND_KEPT
                                             : IR_FOUND_READ;
}

static void begin_kernel(IrModule *m, IrFunction *f)
{
  Local l = { .module = m, .kernel = f };

  if (!f->is_kernel)
    return;
  note_declarations(f);
  ir_walk(f->body, note_use, &l);
  for (int k = 0; k < l.use_count; k++)
    if (!l.uses[k].is_set && needs_default(&l.uses[k]))
      set_defaults(&l, k);
  for (int k = 0; k < l.use_count; k++)
    note_finding(&l, &l.uses[k]);
}

void pass_local(IrModule *m)
{
  for_each_function(m, begin_kernel);
}
