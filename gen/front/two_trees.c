/* -Wtwo-trees: a kernel has a parameter that is an instance of a tree, and names that tree without
 * it too.  The call takes a second instance then, which is seldom what was meant.
 */
#include "gen/front/check.h"

typedef struct Naming {        /* of a tree without a parameter */
  const char *name;            /* NULL: there is none */
  Loc loc;
  bool is_call;                /* it is a func that names it */
} Naming;

static void note_naming(Naming *first, Naming next)
{
  if (!first->name || loc_is_before(next.loc, first->loc))
    *first = next;
}

static void note_call(Check *c, Naming *first, const CallUse *use, const Tree *tree)
{
  const Function *callee = c->functions[use->callee]->function;
  for (int i = 0; i < use->tree_count; i++)
    if (use->trees[i].tree == tree && !use->trees[i].parameter)
      note_naming(first, (Naming){use->trees[i].name, use->trees[i].loc, false});
  for (int i = 0; i < callee->tree_count; i++)
    if (callee->trees[i].tree == tree && !callee->trees[i].parameter &&
        !callee->trees[i].is_virtual)
      note_naming(first, (Naming){callee->name, use->call->loc, true});
}

static Naming first_naming(Check *c, const FunctionInfo *info, const Tree *tree)
{
  Naming first = {0};
  for (int i = 0; i < info->use_count; i++)
    if (info->uses[i].tree == tree && !info->uses[i].parameter && !info->uses[i].is_virtual)
      note_naming(&first, (Naming){info->uses[i].name, info->uses[i].loc, false});
  for (int i = 0; i < info->call_count; i++)
    note_call(c, &first, &info->calls[i], tree);
  return first;
}

static void report(Check *c, const Naming *naming, const Variable *parameter)
{
  const Tree *tree = parameter->tree;
  bool is_tree = naming->name == tree->name;
  diag(c->diag, DIAG_TWO_TREES, naming->loc, naming->name,
       naming->is_call ? "uses" : is_tree ? "is" : "is of", tree->name, parameter->name);
  if (!naming->is_call)
    diag(c->diag, DIAG_TWO_TREES_HINT, naming->loc,
         is_tree ? parameter->name
                 : intern_format(c->arena, "%s.%s", parameter->name, naming->name));
}

static bool is_first_of_tree(const Function *f, int k)
{
  for (int i = 0; i < k; i++)
    if (f->params[i]->kind == VARIABLE_TREE && f->params[i]->tree == f->params[k]->tree)
      return false;
  return f->params[k]->kind == VARIABLE_TREE;
}

void report_two_trees(Check *c, const FunctionInfo *info)
{
  const Function *f = info->function;
  for (int i = 0; f->is_kernel && i < f->param_count; i++) {
    if (!is_first_of_tree(f, i))
      continue;
    Naming naming = first_naming(c, info, f->params[i]->tree);
    if (naming.name)
      report(c, &naming, f->params[i]);
  }
}
