/* Who calls whom: recursion is refused, and every function and kernel gets the
 * slots of the trees that it and what it calls need.
 *
 * Functions are walked callees first, on a stack of our own, since a program
 * may be a chain of calls as long as it likes.
 */
#include "gen/front/check.h"

#include <stdlib.h>
#include <string.h>

void mark_trap(Check *c) { c->info->function->may_trap = true; }

/* ---- order ---- */

enum { NEW_FUNCTION, OPEN_FUNCTION, DONE_FUNCTION };

typedef struct Frame { int function, next_call; } Frame;

typedef struct Walk {
  Check *check;
  Frame *stack;  int depth;
  int *order;    int count;    /* callees first */
} Walk;

static void push(Walk *walk, int function)
{
  walk->check->functions[function]->state = OPEN_FUNCTION;
  walk->stack[walk->depth++] = (Frame){function, 0};
}

static void report_recursion(Check *c, const CallUse *use)
{
  const Function *f = c->functions[use->callee]->function;
  diag(c->diag, DIAG_RECURSION, f->loc, f->name);
  diag(c->diag, DIAG_CALLED_HERE, use->call->loc, f->name);
}

/* One call of the function on top, or its end. */
static void step(Walk *walk)
{
  Check *c = walk->check;
  Frame *top = &walk->stack[walk->depth - 1];
  FunctionInfo *info = c->functions[top->function];
  if (top->next_call == info->call_count) {
    info->state = DONE_FUNCTION;
    walk->order[walk->count++] = top->function;
    walk->depth--;
    return;
  }
  const CallUse *use = &info->calls[top->next_call++];
  int state = c->functions[use->callee]->state;
  if (state == OPEN_FUNCTION)
    report_recursion(c, use);
  else if (state == NEW_FUNCTION)
    push(walk, use->callee);
}

static void walk_functions(Walk *walk)
{
  for (int i = 0; i < walk->check->function_count; i++) {
    if (walk->check->functions[i]->state == NEW_FUNCTION)
      push(walk, i);
    while (walk->depth > 0)
      step(walk);
  }
}

/* ---- slots ---- */

typedef struct Named {         /* trees named without a parameter */
  Tree **trees;
  int count;
  int *seen, *needed;          /* by the tree's id: the function that has it, needs an instance */
  int stamp;
} Named;

static void add_tree(Check *c, Named *named, Tree *tree, bool is_virtual)
{
  if (!is_virtual)
    named->needed[tree->id] = named->stamp;
  if (named->seen[tree->id] == named->stamp)
    return;
  named->seen[tree->id] = named->stamp;
  vec_push(c->arena, named->trees, named->count, tree);
}

static void add_callee_trees(Check *c, Named *named, const CallUse *use)
{
  const Function *callee = c->functions[use->callee]->function;
  for (int i = 0; i < callee->tree_count; i++)
    if (!callee->trees[i].parameter)
      add_tree(c, named, callee->trees[i].tree, callee->trees[i].is_virtual);
  for (int i = 0; i < use->tree_count; i++)
    if (!use->trees[i].parameter)
      add_tree(c, named, use->trees[i].tree, false);
}

static int by_declaration(const void *a, const void *b)
{
  int x = (*(Tree *const *)a)->id, y = (*(Tree *const *)b)->id;
  return (x > y) - (x < y);
}

static bool is_slot_name(const Function *f, const char *name)
{
  for (int i = 0; i < f->tree_count; i++)
    if (strcmp(f->trees[i].name, name) == 0)
      return true;
  return false;
}

static void add_slot(Check *c, Function *f, Tree *tree, Variable *parameter, bool is_virtual)
{
  const char *name = parameter ? parameter->name : tree->name;
  while (is_slot_name(f, name))        /* a parameter called as a tree is */
    name = intern_format(c->arena, "%s_", name);
  TreeSlot slot = {tree, parameter, name, is_virtual};
  vec_push(c->arena, f->trees, f->tree_count, slot);
}

static int slot_of(const Function *f, const Tree *tree, const Variable *parameter)
{
  for (int i = 0; i < f->tree_count; i++)
    if (f->trees[i].tree == tree && f->trees[i].parameter == parameter)
      return i;
  ICE("'%s' has no slot for tree '%s'", f->name, tree->name);
}

static void make_slots(Check *c, FunctionInfo *info, Named *named)
{
  Function *f = info->function;
  named->trees = NULL;
  named->count = 0;
  named->stamp++;
  for (int i = 0; i < info->use_count; i++)
    if (!info->uses[i].parameter)
      add_tree(c, named, info->uses[i].tree, info->uses[i].is_virtual);
  for (int i = 0; i < info->call_count; i++)
    add_callee_trees(c, named, &info->calls[i]);
  if (named->count > 1)
    qsort(named->trees, (size_t)named->count, sizeof *named->trees, by_declaration);
  for (int i = 0; i < named->count; i++)
    add_slot(c, f, named->trees[i], NULL, named->needed[named->trees[i]->id] != named->stamp);
  if (info->merge)
    add_slot(c, f, info->merge->tree, info->merge, false);
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i]->kind == VARIABLE_TREE)
      add_slot(c, f, f->params[i]->tree, f->params[i], false);
}

/* The callee's slots in terms of the caller's. */
static void pass_slots(Check *c, const Function *f, const CallUse *use)
{
  const Function *callee = c->functions[use->callee]->function;
  Expr *call = use->call;
  int given = 0;
  call->tree_slots = NEW_ARRAY(c->arena, int, callee->tree_count + 1);
  for (int i = 0; i < callee->tree_count; i++) {
    const TreeSlot *slot = &callee->trees[i];
    const SlotUse *instance = slot->parameter ? &use->trees[given++] : NULL;
    call->tree_slots[i] = instance ? slot_of(f, instance->tree, instance->parameter)
                                   : slot_of(f, slot->tree, NULL);
  }
}

static void fill_slots(Check *c, FunctionInfo *info)
{
  Function *f = info->function;
  for (int i = 0; i < info->use_count; i++)
    *info->uses[i].slot = slot_of(f, info->uses[i].tree, info->uses[i].parameter);
  for (int i = 0; i < info->call_count; i++) {
    pass_slots(c, f, &info->calls[i]);
    if (c->functions[info->calls[i].callee]->function->may_trap)
      f->may_trap = true;
  }
}

void check_call_graph(Check *c)
{
  size_t count = (size_t)c->function_count + 1;
  Walk walk = {.check = c, .stack = NEW_ARRAY(c->arena, Frame, count),
               .order = NEW_ARRAY(c->arena, int, count)};
  walk_functions(&walk);
  if (diag_error_count(c->diag) > 0 || c->program->is_broken)
    return;                            /* calls may be missing their trees */
  Named named = {.seen = NEW_ARRAY(c->arena, int, c->program->tree_count + 1),
                 .needed = NEW_ARRAY(c->arena, int, c->program->tree_count + 1)};
  for (int i = 0; i < walk.count; i++)
    make_slots(c, c->functions[walk.order[i]], &named);
  for (int i = 0; i < walk.count; i++)
    fill_slots(c, c->functions[walk.order[i]]);
}
