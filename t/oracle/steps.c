/* Steps: what the tree does in a kernel or a call, what the model does, and whether they agree. */
#include "t/oracle/steps.h"
#include "t/oracle/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct course {
  sn_context *context;
  const sn_tree_info *info;
  sn_tree *tree, *other;         /* other: what a copy or a file goes to; then both change places */
  model *model, *saved;          /* saved: as the file has it */
  int has_file, lies;
  char path[1024];
};

static const char *const names[] = {
#define STEP(name, weight, meaning) #name,
  ORACLE_STEPS(STEP)
#undef STEP
};

const char *step_name(step_kind kind) { return names[kind]; }

int step_by_name(const char *name)
{
  for (int k = 0; k < STEP_COUNT; k++)
    if (strcmp(names[k], name) == 0) return k;
  return -1;
}

/* ---- what is wrong ---- */

static int failed(course *c, int code, const char *what)
{
  if (code) printf("# %s: %d %s\n", what, code, sn_context_error(c->context));
  return code;
}

static int differs(int s, const char *what, int64_t at, int64_t got, int64_t expected)
{
  printf("# %s, %s %" PRId64 ": got %" PRId64 ", expected %" PRId64 "\n", oracle_nodes[s].name,
         what, at, got, expected);
  return 1;
}

/* ---- the whole tree, as it is ---- */

static int read_snode(course *c, int s, model *m)
{
  const oracle_node *n = &oracle_nodes[s];

  if (m->active[s] && failed(c, n->flags(c->tree, m->active[s], n->cells), "reading activity"))
    return 1;
  if (m->value[s] && failed(c, n->values(c->tree, m->value[s], n->cells), "reading values"))
    return 1;
  return m->length[s] &&
         failed(c, n->lengths(c->tree, m->length[s], n->cells / n->local), "reading lengths");
}

static int compare_snode(const model *got, const model *want, int s)
{
  const oracle_node *n = &oracle_nodes[s];

  for (int64_t id = 0; want->active[s] && id < n->cells; id++)
    if (got->active[s][id] != want->active[s][id])
      return differs(s, "activity of cell", id, got->active[s][id], want->active[s][id]);
  for (int64_t k = 0; want->length[s] && k < n->cells / n->local; k++)
    if (got->length[s][k] != want->length[s][k])
      return differs(s, "length of list", k, got->length[s][k], want->length[s][k]);
  for (int64_t id = 0; want->value[s] && id < n->cells; id++)
    if (got->value[s][id] != want->value[s][id])
      return differs(s, "value of cell", id, got->value[s][id], want->value[s][id]);
  return 0;
}

static int64_t count_active(const model *m, int s)
{
  int64_t count = 0;

  for (int64_t id = 0; id < oracle_nodes[s].cells; id++) count += m->active[s][id];
  return count;
}

/* Cells that are allocated: nothing is lost, nothing awaits collection. */
static int check_memory(course *c)
{
  sn_memory_info rows[ORACLE_MOST];
  int count, bad = 0;

  if (failed(c, sn_tree_memory(c->tree, c->info, rows, ORACLE_MOST, &count), "memory")) return 1;
  for (int s = 0; s < oracle_count && !bad; s++) {
    const sn_memory_info *row = &rows[s];
    if (oracle_nodes[s].kind != SND_SNODE_POINTER && oracle_nodes[s].kind != SND_SNODE_HASH)
      continue;
    if (row->recycled) bad = differs(s, "cells that await collection", 0, row->recycled, 0);
    else if (row->active != count_active(c->model, s))
      bad = differs(s, "cells in use", 0, row->active, count_active(c->model, s));
    else if (row->active + row->free != row->ever_allocated)
      bad = differs(s, "cells", 0, row->active + row->free, row->ever_allocated);
  }
  return bad;
}

static int compare(course *c)
{
  model *now = model_create();
  int bad = 0;

  for (int s = 0; s < oracle_count && !bad; s++)
    bad = read_snode(c, s, now) || compare_snode(now, c->model, s);
  model_destroy(now);
  return bad || check_memory(c);
}

/* ---- kernels ---- */

/* What was written without an order is as the tree has it, if it can have come so. */
static int adopt(course *c, chaos *x, const model *before)
{
  model *now = model_create();
  int bad = 0;

  for (int s = 0; s < oracle_count && !bad; s++) bad = read_snode(c, s, now);
  bad = bad || chaos_check(x, before, now);
  if (!bad) model_copy(c->model, now);
  model_destroy(now);
  return bad;
}

/* What was appended stands in any order. */
static int adopt_appends(course *c, chaos *x)
{
  model *now = model_create();
  int bad = 0;

  for (int s = 0; s < oracle_count && !bad; s++)
    if (oracle_nodes[s].kind == SND_SNODE_DYNAMIC) bad = read_snode(c, s, now);
  bad = bad || chaos_take_lists(x, c->model, now);
  model_destroy(now);
  return bad;
}

static int churn_step(course *c, const step *st, churn_mode mode, int64_t *operations)
{
  churn plan = { st->seed, st->n, mode, (int)(st->seed >> 5 & 1), c->lies };
  chaos *x;
  int bad;

  plan.appends = plan.appends && !churn_overflows(&plan, c->model);
  x = plan.appends || mode == CHURN_CHAOS ? chaos_begin() : NULL;
  churn_model(&plan, c->model, x);
  bad = failed(c, oracle_churn(c->tree, plan.seed, plan.n, (int32_t)mode, plan.appends), "churn");
  *operations += plan.n;
  if (!bad && mode == CHURN_CHAOS) bad = adopt(c, x, c->model) || check_memory(c);
  else if (!bad) bad = (plan.appends && adopt_appends(c, x)) || compare(c);
  if (x) chaos_end(x);
  return bad;
}

static int own_step(course *c, const step *st, int64_t *operations)
{
  int bad = 0;

  for (int s = 0; s < oracle_count && !bad; s++) {
    const oracle_node *n = &oracle_nodes[s];
    int64_t *want, *got;
    if (!n->own) continue;
    want = oracle_array(n->cells, sizeof *want);
    got = oracle_array(n->cells, sizeof *got);
    own_model(c->model, s, st->seed + (uint64_t)s, st->n, want);
    bad = failed(c, n->own(c->tree, st->seed + (uint64_t)s, st->n, got, n->cells), "own cells");
    for (int64_t w = 0; w < n->cells && !bad; w++)
      if (got[w] != want[w]) bad = differs(s, "what was read below cell", w, got[w], want[w]);
    *operations += n->cells * st->n;
    free(want);
    free(got);
  }
  return bad || compare(c);
}

static int look_step(course *c, const step *st, int64_t *operations)
{
  const int64_t want = look_model(c->model, st->seed, st->n);
  int64_t got = 0;

  *operations += st->n;
  if (failed(c, oracle_look(c->tree, st->seed, st->n, &got), "reads")) return 1;
  return got == want ? 0 : differs(0, "sum of reads", st->n, got, want);
}

static int visit_step(course *c, int64_t *operations)
{
  for (int s = 0; s < oracle_count; s++) {
    int64_t want[2], got[2] = { 0, 0 };
    visit_model(c->model, s, want);
    if (failed(c, oracle_nodes[s].visit(c->tree, got), "a loop over cells")) return 1;
    *operations += got[1];
    if (got[1] != want[1]) return differs(s, "cells visited", 0, got[1], want[1]);
    if (got[0] != want[0]) return differs(s, "sum over cells", 0, got[0], want[0]);
  }
  return 0;
}

/* ---- files, copies ---- */

static void change_places(course *c)
{
  sn_tree *tree = c->tree;

  c->tree = c->other;
  c->other = tree;
}

static int save_step(course *c)
{
  if (failed(c, sn_tree_save(c->tree, c->info, c->path), "saving")) return 1;
  model_copy(c->saved, c->model);
  c->has_file = 1;
  return 0;
}

static int load_step(course *c)
{
  if (!c->has_file) return save_step(c);
  if (failed(c, sn_tree_load(c->other, c->info, c->path), "loading")) return 1;
  change_places(c);
  model_copy(c->model, c->saved);
  return compare(c);
}

static int copy_step(course *c)
{
  if (failed(c, sn_tree_copy(c->other, c->tree, c->info), "copying")) return 1;
  change_places(c);
  return compare(c);
}

static int empty_step(course *c, const step *st)
{
  const int s = (int)(st->seed % (uint64_t)(oracle_count + 1)) - 1;

  if (s >= 0 && oracle_nodes[s].kind == SND_SNODE_DENSE) return 0;
  if (failed(c, s < 0 ? sn_tree_deactivate_all(c->tree, c->info)
                      : sn_snode_deactivate_all(c->tree, c->info, s + 1), "emptying"))
    return 1;
  model_empty(c->model, s);
  return compare(c);
}

int course_step(course *c, const step *st, int64_t *operations)
{
  ++*operations;                         /* the call itself */
  switch (st->kind) {
  case STEP_grow: return churn_step(c, st, CHURN_GROW, operations);
  case STEP_shrink: return churn_step(c, st, CHURN_SHRINK, operations);
  case STEP_halves: return churn_step(c, st, CHURN_HALVES, operations);
  case STEP_leaves: return churn_step(c, st, CHURN_LEAVES, operations);
  case STEP_chaos: return churn_step(c, st, CHURN_CHAOS, operations);
  case STEP_own: return own_step(c, st, operations);
  case STEP_look: return look_step(c, st, operations);
  case STEP_visit: return visit_step(c, operations);
  case STEP_save: return save_step(c);
  case STEP_load: return load_step(c);
  case STEP_copy: return copy_step(c);
  case STEP_empty: return empty_step(c, st);
  case STEP_COUNT: break;
  }
  return 1;
}

/* ---- courses ---- */

course *course_create(const char *folder, int lies)
{
  course *c = oracle_array(1, sizeof *c);
  const sn_module *module = oracle_module();

  c->info = module->trees[0];
  c->lies = lies;
  snprintf(c->path, sizeof c->path, "%s/oracle.tree", folder);
  if (sn_context_create(NULL, &c->context)) {
    printf("# no context\n");
    free(c);
    return NULL;
  }
  if (failed(c, sn_tree_create(c->context, module, c->info, NULL, NULL, &c->tree), "a tree") ||
      failed(c, sn_tree_create(c->context, module, c->info, NULL, NULL, &c->other), "a tree")) {
    free(c);
    return NULL;
  }
  c->model = model_create();
  c->saved = model_create();
  return c;
}

void course_destroy(course *c)
{
  sn_tree_destroy(c->tree);
  sn_tree_destroy(c->other);
  if (sn_context_destroy(c->context)) printf("# the context stays\n");
  model_destroy(c->model);
  model_destroy(c->saved);
  (void)remove(c->path);
  free(c);
}
