/* most_local: a field without a memory mode becomes local where no call of a kernel needs what was
 * there before: each kernel that uses it reads only cells that it has assigned itself.
 *
 * That nothing outside of the kernels looks at such a field is what --most-local says.  What does
 * is refused: C has no calls for the field afterwards, and its node is local too.
 *
 * Needs: the module as written, behind virtual.
 * Guarantees: the local fields are the last ones of their trees.
 */
#include "gen/passes/assigned.h"

typedef struct Needs {           /* of all kernels, of a field's element */
  bool is_used;
  bool is_old;                   /* its value of before the call */
} Needs;

/* Another module's kernels may use a field of its trees; a sparse SNode has no local fields. */
static bool is_open(const IrField *f)
{
  if (f->mode != FIELD_MODE_NONE || f->snode->tree->prefix)
    return false;
  for (const IrSNode *n = f->snode; n; n = n->parent)
    if (ir_is_sparse(n))
      return false;
  return true;
}

static void note_kernel(IrModule *m, IrFunction *kernel, Needs *const *needs)
{
  const FieldUses found = find_field_uses(m, kernel, is_open);

  for (int k = 0; k < found.count; k++) {
    const FieldUse *use = &found.uses[k];
    Needs *n = &needs[use->field->snode->tree->id][use->field->id];
    n->is_used = true;
    n->is_old |= use->needs_old;
  }
}

/* Of a vector, a matrix or a struct all elements. */
static void choose(const IrTree *t, int from, int count, const Needs *needs)
{
  bool is_used = false;

  for (int k = from; k < from + count; k++) {
    if (!is_open(t->fields[k]) || needs[k].is_old)
      return;
    is_used |= needs[k].is_used;
  }
  for (int k = from; is_used && k < from + count; k++)
    t->fields[k]->mode = FIELD_MODE_local;
}

/* The local ones last, each part in its order. */
static void put_last(Arena *arena, IrField **fields, int count)
{
  IrField **locals = NEW_ARRAY(arena, IrField *, count + 1);
  int kept = 0, local = 0;

  for (int k = 0; k < count; k++) {
    if (fields[k]->mode == FIELD_MODE_local)
      locals[local++] = fields[k];
    else
      fields[kept++] = fields[k];
  }
  for (int k = 0; k < local; k++)
    fields[kept + k] = locals[k];
}

static void order_tree(Arena *arena, IrTree *t)
{
  put_last(arena, t->fields, t->field_count);
  for (int k = 0; k < t->field_count; k++)
    t->fields[k]->id = k;
  for (int k = 0; k < t->snode_count; k++)
    put_last(arena, t->snodes[k]->fields, t->snodes[k]->field_count);
  ir_label_tree(arena, t);
}

void pass_most_local(IrModule *m)
{
  Needs **needs = NEW_ARRAY(m->arena, Needs *, m->tree_count + 1);

  for (int t = 0; t < m->tree_count; t++)
    needs[t] = NEW_ARRAY(m->arena, Needs, m->trees[t]->field_count + 1);
  for (int k = 0; k < m->kernel_count; k++)
    note_kernel(m, m->kernels[k], needs);
  for (int t = 0; t < m->tree_count; t++) {
    const IrTree *tree = m->trees[t];
    for (int k = 0, count; k < tree->field_count; k += count) {
      count = ir_field_elements(tree, k);
      choose(tree, k, count, needs[t]);
    }
    order_tree(m->arena, m->trees[t]);
  }
}
