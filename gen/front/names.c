/* The one name space of a module: every name that the generated C brings with
 * it, against each other, against keywords, and against the limit of length.
 *
 * Names are compared without case, since Fortran knows none.  An object is
 * reported once, however many of its names collide.
 */
#include "gen/front/check.h"
#include "gen/model/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

typedef enum OwnerKind {
  OWNER_TREE, OWNER_FIELD, OWNER_SNODE, OWNER_KERNEL, OWNER_CONSTANT,
  OWNER_FUNCTION, OWNER_STRUCT, OWNER_MODULE
} OwnerKind;

static const char *const owner_names[] = {"tree", "field", "node", "kernel",
                                          "constant", "func", "struct", "module"};

/* The names that a module gives to C: prefix_name with the suffix, of the module prefix with the
 * suffix.  Those of calls stand in the rows of the calls; a field's are the same whatever its
 * type is, and are kept free too where its mode leaves the call out. */
typedef enum When { ALWAYS, HOSTED = ALWAYS, SPARSE, DYNAMIC } When;
enum {                       /* by the scope of a call's row */
  CALLER_TREE = OWNER_TREE, CALLER_SNODE = OWNER_SNODE, CALLER_MODULE = OWNER_MODULE,
  CALLER_FIELD = OWNER_FIELD, CALLER_VECTOR = OWNER_FIELD, CALLER_STRUCT = OWNER_FIELD
};
typedef struct Generated {
  OwnerKind owner;
  const char *suffix;
  When when;
  const char *before;          /* what stands before the owner's name */
} Generated;
static const Generated generated[] = {
#define CALL(name, scope, when, result, parameters, body) \
    {(OwnerKind)CALLER_##scope, "_" #name, when, ""},
#define CALLS(scope, when, macro)
#include "gen/model/calls.def"
#undef CALL
#undef CALLS
    {OWNER_TREE, "", ALWAYS, ""},
    {OWNER_KERNEL, "", ALWAYS, ""},
    {OWNER_KERNEL, "_submit", ALWAYS, ""},
    {OWNER_CONSTANT, "", ALWAYS, ""},
    {OWNER_FUNCTION, "", ALWAYS, ""},
    {OWNER_STRUCT, "", ALWAYS, ""},
    {OWNER_MODULE, "_routines", ALWAYS, ""},
};

/* Those of foo_device.h, where that is asked for. */
static const Generated of_device[] = {
#define DEVICE(name, scope, when) DEVICE_##scope(name, when)
#define DEVICE_TREE(name, when) {OWNER_TREE, "_" #name, when, ""},
#define DEVICE_FIELD(name, when) {OWNER_FIELD, "_" #name, when, ""},
#define DEVICE_SNODE(name, when) {OWNER_SNODE, "_" #name, when, ""},
#define DEVICE_MACRO(name, when) {OWNER_FIELD, "", when, #name "_"},
#include "gen/model/device.def"
#undef DEVICE
};

typedef struct Owner {
  OwnerKind kind;
  const char *name;            /* in C */
  const char *shown;           /* in messages */
  Loc loc;
  bool is_reported;
} Owner;

typedef struct Name {
  const char *text;
  int owner;
} Name;

typedef struct Names {
  Check *check;
  const char *prefix;
  Owner *owners;  int owner_count;
  Name *names;    int name_count;
} Names;

/* ---- collecting ---- */

static void add_name(Names *names, int owner, const Generated *g)
{
  const Owner *o = &names->owners[owner];
  const char *text = o->kind == OWNER_MODULE
      ? intern_format(names->check->arena, "%s%s", names->prefix, g->suffix)
      : intern_format(names->check->arena, "%s_%s%s%s", names->prefix, g->before, o->name,
                      g->suffix);
  Name name = {text, owner};
  vec_push(names->check->arena, names->names, names->name_count, name);
}

/* snode: NULL of what is none. */
static bool is_generated(When when, const SNode *snode)
{
  switch (when) {
  case SPARSE: return snode && kind_is(snode->kind, KIND_SPARSE);
  case DYNAMIC: return snode && kind_is(snode->kind, KIND_LIST);
  default: return true;
  }
}

static void add_rows(Names *names, int owner, const SNode *snode, const Generated *rows,
                     size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (rows[i].owner == names->owners[owner].kind && is_generated(rows[i].when, snode))
      add_name(names, owner, &rows[i]);
}

static void add_shown(Names *names, OwnerKind kind, const char *name, const char *shown, Loc loc,
                      const SNode *snode)
{
  Owner owner = {kind, name, shown, loc, false};
  int index = names->owner_count;
  vec_push(names->check->arena, names->owners, names->owner_count, owner);
  add_rows(names, index, snode, generated, sizeof generated / sizeof generated[0]);
  if (names->check->program->has_device_header)
    add_rows(names, index, snode, of_device, sizeof of_device / sizeof of_device[0]);
}

static void add_owner(Names *names, OwnerKind kind, const char *name, Loc loc,
                      const SNode *snode)
{
  add_shown(names, kind, name, name, loc, snode);
}

static void add_tree(Names *names, const Tree *tree)
{
  add_owner(names, OWNER_TREE, tree->name, tree->loc, NULL);
  for (int i = 1; i < tree->snode_count; i++) {
    const SNode *snode = tree->snodes[i];
    add_owner(names, OWNER_SNODE, snode->name, snode->loc, snode);
  }
  for (int i = 0; i < tree->field_count; i++)
    if (field_mode_calls[tree->fields[i]->mode] != MODE_CALLS_NONE)
      add_shown(names, OWNER_FIELD, tree->fields[i]->name, tree->fields[i]->shown,
                tree->fields[i]->loc, NULL);
}

/* With what is derived of it. */
static void add_kernel(Names *names, const Function *kernel)
{
  for (unsigned forms = 0; forms <= (DERIVE_GRAD | DERIVE_DUAL); forms++)
    if ((forms & kernel->with.forms) == forms)
      add_shown(names, OWNER_KERNEL, intern_format(names->check->arena, "%s%s", kernel->name,
                                                   derivative_suffix[forms]),
                kernel->name, kernel->loc, NULL);
}

/* What is imported has its names in the header of its own file. */
static void collect(Names *names)
{
  const Program *program = names->check->program;
  add_owner(names, OWNER_MODULE, names->prefix, (Loc){0}, NULL);
  for (int i = 0; i < program->constant_count; i++)
    if (program->constants[i]->loc.file == 0)
      add_owner(names, OWNER_CONSTANT, program->constants[i]->name,
                program->constants[i]->loc, NULL);
  for (int i = 0; i < program->struct_count; i++)
    if (program->structs[i]->loc.file == 0)
      add_owner(names, OWNER_STRUCT, program->structs[i]->type->name, program->structs[i]->loc,
                NULL);
  for (int i = 0; i < program->tree_count; i++)
    if (program->trees[i]->loc.file == 0)
      add_tree(names, program->trees[i]);
  for (int i = 0; i < program->function_count; i++)
    if (program->functions[i]->loc.file == 0)
      add_owner(names, OWNER_FUNCTION, program->functions[i]->name,
                program->functions[i]->loc, NULL);
  for (int i = 0; i < program->kernel_count; i++)
    if (program->kernels[i]->loc.file == 0)
      add_kernel(names, program->kernels[i]);
}

/* ---- each name by itself ---- */

static void check_alone(Names *names, const Name *name)
{
  Owner *owner = &names->owners[name->owner];
  Diag *d = names->check->diag;
  if (owner->is_reported)
    return;
  int length = (int)strlen(name->text);
  const char *language = name_keyword_of(name->text);
  owner->is_reported = length > LONGEST_NAME || language;
  if (length > LONGEST_NAME)
    diag(d, DIAG_NAME_TOO_LONG, owner->loc, name->text, owner->shown, length);
  else if (language)
    diag(d, DIAG_NAME_KEYWORD, owner->loc, name->text, language);
}

/* Parameters stand in the header as they are. */
static void check_parameters(Check *c, Variable *const *params, int count)
{
  for (int i = 0; i < count; i++) {
    const char *language = name_keyword_of(params[i]->name);
    if (language)
      diag(c->diag, DIAG_NAME_KEYWORD, params[i]->loc, params[i]->name, language);
  }
}

static void check_all_parameters(Check *c)
{
  const Program *program = c->program;
  for (int i = 0; i < program->tree_count; i++)
    check_parameters(c, program->trees[i]->params, program->trees[i]->param_count);
  for (int i = 0; i < program->kernel_count; i++)
    check_parameters(c, program->kernels[i]->c_params, program->kernels[i]->c_param_count);
}

static int compare_folded(const char *a, const char *b)
{
  for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++)
    b++;
  return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

/* Members stand in the header as they are too, and in Fortran's without case. */
static void check_members(Check *c, const StructDeclaration *d)
{
  const Struct *s = type_struct(d->type);
  for (int i = 0; i < s->member_count; i++) {
    const char *name = s->members[i].name, *language = name_keyword_of(name);
    if (language)
      diag(c->diag, DIAG_NAME_KEYWORD, d->member_locs[i], name, language);
    else if (strlen(name) > LONGEST_NAME)
      diag(c->diag, DIAG_NAME_TOO_LONG, d->member_locs[i], name, name, (int)strlen(name));
    for (int k = 0; k < i; k++)
      if (compare_folded(s->members[k].name, name) == 0)
        diag(c->diag, DIAG_NAME_CASE, d->member_locs[i], s->members[k].name, name,
             s->members[k].name, name);
  }
}

/* ---- names against each other ---- */

static int by_text(const void *a, const void *b)
{
  const Name *x = a, *y = b;
  int order = compare_folded(x->text, y->text);
  return order ? order : x->owner - y->owner;
}

/* Reported at the later of the two, the module being before all. */
static void report_pair(Names *names, const Name *a, const Name *b)
{
  Owner *first = &names->owners[a->owner], *second = &names->owners[b->owner];
  Diag *d = names->check->diag;
  if (a->owner == b->owner || first->is_reported || second->is_reported)
    return;
  if (loc_is_before(second->loc, first->loc)) {
    report_pair(names, b, a);
    return;
  }
  second->is_reported = true;
  if (strcmp(a->text, b->text) == 0)
    diag(d, DIAG_NAME_COLLISION, second->loc, b->text, owner_names[second->kind],
         second->shown, owner_names[first->kind], first->shown);
  else
    diag(d, DIAG_NAME_CASE, second->loc, b->text, a->text, second->shown, first->shown);
  if (first->loc.line > 0)
    diag(d, DIAG_DECLARED_HERE, first->loc, first->shown);
}

static void check_pairs(Names *names)
{
  qsort(names->names, (size_t)names->name_count, sizeof *names->names, by_text);
  for (int i = 1; i < names->name_count; i++)
    if (compare_folded(names->names[i - 1].text, names->names[i].text) == 0)
      report_pair(names, &names->names[i - 1], &names->names[i]);
}

void check_names(Check *c)
{
  Names names = {.check = c, .prefix = c->program->prefix};
  static const char *const own[] = {"sn", "snd", "sni"};
  for (int i = 0; i < 3; i++)
    if (compare_folded(own[i], names.prefix) == 0) {
      diag(c->diag, DIAG_NAME_PREFIX, (Loc){0}, names.prefix);
      return;
    }
  collect(&names);
  for (int i = 0; i < names.name_count; i++)
    check_alone(&names, &names.names[i]);
  check_pairs(&names);
  for (int i = 0; i < c->program->struct_count; i++)
    if (c->program->structs[i]->loc.file == 0)
      check_members(c, c->program->structs[i]);
  check_all_parameters(c);
}
