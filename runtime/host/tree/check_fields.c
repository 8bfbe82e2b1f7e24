/* What --check=grad compares: the fields that a kernel uses, and memory for their values. */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/check_grad.h"
#include "runtime/host/tree/tape.h"

#include <string.h>

/* ---- walks ---- */

typedef struct pass {
  sni_grad_check *check;
  uint32_t walker;
  sni_check_group of;
  sni_check_visit *visit;
  void *with;
} pass;

static int32_t field_in(const sni_checked *f, sni_check_group of)
{
  switch (of) {
  case SNI_CHECK_WRITTEN: return f->is_written ? f->field : -1;
  case SNI_CHECK_CHANGED: return f->is_written || f->adjoint >= 0 ? f->field : -1;
  case SNI_CHECK_ADJOINTS: return f->adjoint;
  default: return f->field;
  }
}

static int take_values(void *self, int32_t field, uint64_t first, uint64_t count, void *values)
{
  pass *p = self;
  sni_checked *f = p->check->fields;
  int code;

  (void)first;
  while (f->walker != p->walker || field_in(f, p->of) != field)
    f++;
  code = p->visit(p->check, f, count, values, p->with);
  f->at += count;
  return code;
}

int sni_check_walk(sni_grad_check *c, sni_check_group of, int is_put, sni_check_visit *visit,
                   void *with)
{
  if (c->is_lost)
    return SN_OK;
  for (uint32_t k = 0; k < c->field_count; k++)
    c->fields[k].at = 0;
  for (uint32_t w = 0; w < c->walker_count; w++) {
    pass p = { c, w, of, visit, with };
    int any = 0;
    memset(c->chosen[w], 0, c->walkers[w].tree->info->field_count);
    for (uint32_t k = 0; k < c->field_count; k++)
      if (c->fields[k].walker == w && field_in(&c->fields[k], of) >= 0)
        any = c->chosen[w][field_in(&c->fields[k], of)] = 1;
    if (any)
      SN_TRY(sni_walk(&c->walkers[w], &(sni_sink){ .self = &p, .values = take_values,
                                                   .fields = c->chosen[w], .is_put = is_put }));
  }
  return SN_OK;
}

/* ---- what the call uses ---- */

static int no_memory(const sni_grad_check *c)
{
  return sni_fail(c->context, SN_ENOMEM, "%s: no memory for --check=grad", c->adjoint->c_name);
}

static int add_walker(sni_grad_check *c, sn_tree *tree, uint32_t *out)
{
  uint32_t w = 0;

  while (w < c->walker_count && c->walkers[w].tree != tree)
    w++;
  *out = w;
  if (w < c->walker_count)
    return SN_OK;
  c->walkers[w].tree = tree;
  c->chosen[w] = sni_new(&c->context->accounts, tree->info->field_count, 1);
  if (!c->chosen[w])
    return no_memory(c);
  c->walker_count++;
  return sni_walker_open(&c->walkers[w]);
}

static sni_checked *find(sni_grad_check *c, const sn_tree *tree, int32_t field)
{
  for (uint32_t k = 0; k < c->field_count; k++)
    if (c->fields[k].tree == tree && c->fields[k].field == field)
      return &c->fields[k];
  return NULL;
}

static int is_of_field(const snd_permission *row, sn_tree *const *trees)
{
  return row->slot >= 0 && row->field >= 0 &&
         (uint32_t)row->field < sni_lasting_fields(trees[row->slot]);
}

static int add_field(sni_grad_check *c, const snd_permission *row)
{
  sn_tree *tree = c->trees[row->slot];
  sni_checked *f = find(c, tree, row->field);
  uint32_t walker;

  if (!f) {
    SN_TRY(add_walker(c, tree, &walker));
    f = &c->fields[c->field_count++];
    *f = (sni_checked){ .tree = tree, .walker = walker, .field = row->field, .adjoint = -1,
                        .type = tree->info->fields[row->field].type };
    f->bytes = sni_type_bytes(f->type);
  }
  f->is_read |= (row->use & (SND_MAY_READ | SND_MAY_MERGE)) != 0;
  f->is_written |= (row->use & (SND_MAY_WRITE | SND_MAY_ACCUMULATE)) != 0;
  return SN_OK;
}

/* Whether a walk has the values of both in the same order. */
static int is_alike(const sn_tree *tree, int32_t a, int32_t b)
{
  while (a != b) {
    const snd_snode_view *x = sni_view_of(tree, a), *y = sni_view_of(tree, b);
    if (x->kind != y->kind || x->own_axes != y->own_axes ||
        memcmp(x->extent, y->extent, sizeof x->extent) != 0 || a == 0 || b == 0)
      return 0;
    a = x->parent;
    b = y->parent;
  }
  return 1;
}

static void pair_fields(sni_grad_check *c, const char **reason)
{
  const snd_grad_check *table = c->adjoint->check;

  for (uint32_t k = 0; k < table->pair_count; k++) {
    const snd_adjoint_pair *pair = &table->pairs[k];
    sn_tree *tree = c->trees[pair->slot];
    sni_checked *f = find(c, tree, pair->field);
    if (!f)
      continue;
    f->adjoint = pair->adjoint;
    if (!is_alike(tree, tree->info->fields[pair->field].snode,
                  tree->info->fields[pair->adjoint].snode))
      *reason = "an adjoint does not lie as its field does";
  }
}

static int find_fields(sni_grad_check *c, const char **reason)
{
  const sn_kernel_info *primal = c->primal, *adjoint = c->adjoint;

  c->field_room = primal->permission_count;
  c->fields = sni_new(&c->context->accounts, c->field_room, sizeof *c->fields);
  if (c->field_room && !c->fields)
    return no_memory(c);
  for (uint32_t k = 0; k < primal->permission_count; k++)
    if (is_of_field(&primal->permissions[k], c->trees))
      SN_TRY(add_field(c, &primal->permissions[k]));
  for (uint32_t k = 0; k < adjoint->permission_count; k++) {
    const snd_permission *row = &adjoint->permissions[k];
    sni_checked *f = is_of_field(row, c->trees) ? find(c, c->trees[row->slot], row->field) : NULL;
    if (f)
      f->is_needed |= (row->use & SND_MAY_READ) != 0;
  }
  pair_fields(c, reason);
  return SN_OK;
}

/* ---- kernels that may activate ---- */

static size_t index_words(const sni_checked *f)
{
  return f->tree->info->fields[f->field].axis_count + (size_t)1;
}

static int list_field(sni_grad_check *c, sni_checked *f)
{
  sni_accounts *accounts = &c->context->accounts;
  const size_t n = (size_t)f->count + 1;
  int64_t count;

  f->index = sni_new(accounts, n * index_words(f), sizeof *f->index);
  f->listed = f->index ? sni_new(accounts, n, f->bytes) : NULL;
  if (!f->listed)
    return no_memory(c);
  return sni_field_read_active(f->tree, f->field, f->index, f->listed, (int64_t)f->count, &count);
}

int sni_check_list(sni_grad_check *c)
{
  for (uint32_t w = 0; w < c->walker_count; w++)
    c->versions[w] = sni_tape_versions(c->walkers[w].tree);
  for (uint32_t k = 0; k < c->field_count && c->may_activate; k++)
    if (field_in(&c->fields[k], SNI_CHECK_CHANGED) >= 0)
      SN_TRY(list_field(c, &c->fields[k]));
  return SN_OK;
}

int sni_check_has_cells(sni_grad_check *c)
{
  for (uint32_t w = 0; w < c->walker_count; w++)
    c->is_lost |= c->versions[w] != sni_tape_versions(c->walkers[w].tree);
  return !c->is_lost;
}

int sni_check_unlist(sni_grad_check *c)
{
  for (uint32_t k = 0; k < c->field_count; k++) {
    const sni_checked *f = &c->fields[k];
    if (!f->listed)
      continue;
    SN_TRY(sni_field_fill(f->tree, f->field, &f->tree->info->fields[f->field].default_bits));
    SN_TRY(sni_field_write_active(f->tree, f->field, f->index, f->listed, (int64_t)f->count));
  }
  return SN_OK;
}

/* ---- memory ---- */

static int visit_count(sni_grad_check *c, sni_checked *f, uint64_t count, char *values, void *with)
{
  (void)c;
  (void)values;
  (void)with;
  f->count += count;
  return SN_OK;
}

static sn_type coarser(sn_type a, sn_type b)
{
  return sni_type_epsilon(b) > sni_type_epsilon(a) ? b : a;
}

static int make_values(sni_grad_check *c)
{
  sni_accounts *accounts = &c->context->accounts;

  for (uint32_t k = 0; k < c->field_count; k++) {
    sni_checked *f = &c->fields[k];
    const size_t n = (size_t)f->count + 1;
    f->found = sni_new(accounts, n, f->bytes);
    f->point = sni_new(accounts, n, f->bytes);
    f->before = f->adjoint >= 0 ? sni_new(accounts, n, sizeof(double)) : NULL;
    f->after = f->adjoint >= 0 ? sni_new(accounts, n, sizeof(double)) : NULL;
    f->left = f->is_written ? sni_new(accounts, n, sizeof(double)) : NULL;
    if (!f->found || !f->point || (f->adjoint >= 0 && (!f->before || !f->after)) ||
        (f->is_written && !f->left))
      return no_memory(c);
    if (f->adjoint < 0)
      continue;
    f->first = c->moved_count;
    c->moved_count += f->count;
    c->coarsest = coarser(c->coarsest, f->type);
  }
  return SN_OK;
}

static int make_runs(sni_grad_check *c)
{
  sni_accounts *accounts = &c->context->accounts;

  for (uint32_t k = 0; k < c->adjoint->adjoint_count; k++)
    c->coarsest = coarser(c->coarsest, c->adjoint->adjoints[k].type);
  c->result_bytes = (c->primal->result_count + 1) * sizeof(uint64_t);
  c->run_params = sni_new(accounts, 1, (size_t)c->primal->params_bytes + 1);
  c->result = sni_new(accounts, 1, c->result_bytes);
  c->left = sni_new(accounts, c->adjoint->adjoint_count + 1, sizeof *c->left);
  return c->run_params && c->result && c->left ? SN_OK : no_memory(c);
}

int sni_check_begin(sni_grad_check *c, const char **reason)
{
  c->coarsest = SN_TYPE_F64;
  SN_TRY(find_fields(c, reason));
  if (*reason)
    return SN_OK;
  SN_TRY(sni_check_walk(c, SNI_CHECK_ALL, 0, visit_count, NULL));
  SN_TRY(make_values(c));
  return make_runs(c);
}

void sni_check_end(sni_grad_check *c)
{
  sni_accounts *accounts = &c->context->accounts;

  for (uint32_t k = 0; k < c->field_count; k++) {
    sni_checked *f = &c->fields[k];
    const size_t n = (size_t)f->count + 1;
    sni_delete(accounts, f->found, n, f->bytes);
    sni_delete(accounts, f->point, n, f->bytes);
    sni_delete(accounts, f->before, n, sizeof(double));
    sni_delete(accounts, f->after, n, sizeof(double));
    sni_delete(accounts, f->left, n, sizeof(double));
    sni_delete(accounts, f->index, n * index_words(f), sizeof *f->index);
    sni_delete(accounts, f->listed, n, f->bytes);
  }
  sni_delete(accounts, c->fields, c->field_room, sizeof *c->fields);
  sni_delete(accounts, c->run_params, 1, (size_t)c->primal->params_bytes + 1);
  sni_delete(accounts, c->result, 1, c->result_bytes);
  sni_delete(accounts, c->left, c->adjoint->adjoint_count + 1, sizeof *c->left);
  for (uint32_t w = 0; w < SND_MAX_SLOTS && c->walkers[w].tree; w++) {
    sni_walker_close(&c->walkers[w]);
    sni_delete(accounts, c->chosen[w], c->walkers[w].tree->info->field_count, 1);
  }
}
