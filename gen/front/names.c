/* The one name space of a module: every name that the generated C brings with
 * it, against each other, against keywords, and against the limit of length.
 *
 * Names are compared without case, since Fortran knows none.  An object is
 * reported once, however many of its names collide.
 */
#include "gen/front/check.h"

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

/* The names that a module gives to C: prefix_name with the suffix, of the module
 * prefix with the suffix.  Calls that come with later issues are here already,
 * so that a program that is accepted now stays so. */
typedef enum When { ALWAYS, OF_SPARSE, OF_DYNAMIC } When;
static const struct { OwnerKind owner; const char *suffix; When when; } generated[] = {
    {OWNER_TREE, "", ALWAYS},
    {OWNER_TREE, "_create", ALWAYS},
    {OWNER_TREE, "_destroy", ALWAYS},
    {OWNER_TREE, "_copy", ALWAYS},
    {OWNER_TREE, "_deactivate_all", ALWAYS},
    {OWNER_TREE, "_save", ALWAYS},
    {OWNER_TREE, "_load", ALWAYS},
    {OWNER_TREE, "_memory", ALWAYS},
    {OWNER_FIELD, "_get", ALWAYS},
    {OWNER_FIELD, "_set", ALWAYS},
    {OWNER_FIELD, "_read", ALWAYS},
    {OWNER_FIELD, "_write", ALWAYS},
    {OWNER_FIELD, "_read_active", ALWAYS},
    {OWNER_FIELD, "_write_active", ALWAYS},
    {OWNER_FIELD, "_fill", ALWAYS},
    {OWNER_FIELD, "_count", ALWAYS},
    {OWNER_FIELD, "_shape", ALWAYS},
    {OWNER_SNODE, "_activate", ALWAYS},
    {OWNER_SNODE, "_deactivate", OF_SPARSE},
    {OWNER_SNODE, "_is_active", ALWAYS},
    {OWNER_SNODE, "_deactivate_all", OF_SPARSE},
    {OWNER_SNODE, "_count", ALWAYS},
    {OWNER_SNODE, "_capacity", ALWAYS},
    {OWNER_SNODE, "_length", OF_DYNAMIC},
    {OWNER_KERNEL, "", ALWAYS},
    {OWNER_KERNEL, "_submit", ALWAYS},
    {OWNER_CONSTANT, "", ALWAYS},
    {OWNER_FUNCTION, "", ALWAYS},
    {OWNER_STRUCT, "", ALWAYS},
    {OWNER_MODULE, "_module", ALWAYS},
    {OWNER_MODULE, "_bind", ALWAYS},
    {OWNER_MODULE, "_routines", ALWAYS},
};

typedef struct Owner {
  OwnerKind kind;
  const char *name;
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

/* ---- keywords ---- */

/* Those that a prefix, an underscore and a name can make, or a parameter be. */
static const char *const c_keywords[] = {
    "alignas", "alignof", "auto", "bool", "break", "case", "char", "const",
    "constexpr", "continue", "default", "do", "double", "else", "enum", "extern",
    "false", "float", "for", "goto", "if", "inline", "int", "long", "nullptr",
    "register", "restrict", "return", "short", "signed", "sizeof", "static",
    "static_assert", "struct", "switch", "thread_local", "true", "typedef",
    "typeof", "typeof_unqual", "union", "unsigned", "void", "volatile", "while"};

static const char *const cpp_keywords[] = {
    "and", "and_eq", "asm", "bitand", "bitor", "catch", "char16_t", "char32_t",
    "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
    "const_cast", "consteval", "constinit", "decltype", "delete", "dynamic_cast",
    "explicit", "export", "friend", "mutable", "namespace", "new", "noexcept",
    "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public",
    "reinterpret_cast", "requires", "static_cast", "template", "this", "throw",
    "try", "typeid", "typename", "using", "virtual", "wchar_t", "xor", "xor_eq"};

static bool is_among(const char *name, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(words[i], name) == 0)
      return true;
  return false;
}

/* The language whose keyword it is, or NULL.  Fortran's cannot hold the
 * underscore that every generated name has. */
static const char *keyword_of(const char *name) {
  if (is_among(name, c_keywords, sizeof c_keywords / sizeof c_keywords[0]))
    return "C";
  if (is_among(name, cpp_keywords, sizeof cpp_keywords / sizeof cpp_keywords[0]))
    return "C++";
  return NULL;
}

/* ---- collecting ---- */

static void add_name(Names *names, int owner, const char *suffix) {
  const Owner *o = &names->owners[owner];
  const char *text = o->kind == OWNER_MODULE
      ? intern_format(names->check->arena, "%s%s", names->prefix, suffix)
      : intern_format(names->check->arena, "%s_%s%s", names->prefix, o->name, suffix);
  Name name = {text, owner};
  vec_push(names->check->arena, names->names, names->name_count, name);
}

/* snode: NULL of what is none. */
static bool is_generated(When when, const SNode *snode) {
  switch (when) {
  case OF_SPARSE: return snode && snode->kind != SNODE_DENSE;
  case OF_DYNAMIC: return snode && snode->kind == SNODE_DYNAMIC;
  default: return true;
  }
}

static void add_owner(Names *names, OwnerKind kind, const char *name, Loc loc,
                      const SNode *snode) {
  Owner owner = {kind, name, loc, false};
  int index = names->owner_count;
  vec_push(names->check->arena, names->owners, names->owner_count, owner);
  for (size_t i = 0; i < sizeof generated / sizeof generated[0]; i++)
    if (generated[i].owner == kind && is_generated(generated[i].when, snode))
      add_name(names, index, generated[i].suffix);
}

static void add_tree(Names *names, const Tree *tree) {
  add_owner(names, OWNER_TREE, tree->name, tree->loc, NULL);
  for (int i = 1; i < tree->snode_count; i++) {
    const SNode *snode = tree->snodes[i];
    add_owner(names, OWNER_SNODE, snode->name, snode->loc, snode);
  }
  for (int i = 0; i < tree->field_count; i++)
    if (field_mode_calls[tree->fields[i]->mode] != MODE_CALLS_NONE)
      add_owner(names, OWNER_FIELD, tree->fields[i]->name, tree->fields[i]->loc, NULL);
}

/* What is imported has its names in the header of its own file. */
static void collect(Names *names) {
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
      add_owner(names, OWNER_KERNEL, program->kernels[i]->name,
                program->kernels[i]->loc, NULL);
}

/* ---- each name by itself ---- */

static void check_alone(Names *names, const Name *name) {
  Owner *owner = &names->owners[name->owner];
  Diag *d = names->check->diag;
  if (owner->is_reported)
    return;
  int length = (int)strlen(name->text);
  const char *language = keyword_of(name->text);
  owner->is_reported = length > LONGEST_NAME || language;
  if (length > LONGEST_NAME)
    diag(d, DIAG_NAME_TOO_LONG, owner->loc, name->text, owner->name, length);
  else if (language)
    diag(d, DIAG_NAME_KEYWORD, owner->loc, name->text, language);
}

/* Parameters stand in the header as they are. */
static void check_parameters(Check *c, Variable *const *params, int count) {
  for (int i = 0; i < count; i++) {
    const char *language = keyword_of(params[i]->name);
    if (language)
      diag(c->diag, DIAG_NAME_KEYWORD, params[i]->loc, params[i]->name, language);
  }
}

static void check_all_parameters(Check *c) {
  const Program *program = c->program;
  for (int i = 0; i < program->tree_count; i++)
    check_parameters(c, program->trees[i]->params, program->trees[i]->param_count);
  for (int i = 0; i < program->kernel_count; i++)
    check_parameters(c, program->kernels[i]->c_params, program->kernels[i]->c_param_count);
}

static int compare_folded(const char *a, const char *b) {
  for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++)
    b++;
  return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

/* Members stand in the header as they are too, and in Fortran's without case. */
static void check_members(Check *c, const StructDeclaration *d) {
  const Struct *s = type_struct(d->type);
  for (int i = 0; i < s->member_count; i++) {
    const char *name = s->members[i].name, *language = keyword_of(name);
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

static int by_text(const void *a, const void *b) {
  const Name *x = a, *y = b;
  int order = compare_folded(x->text, y->text);
  return order ? order : x->owner - y->owner;
}

/* Reported at the later of the two, the module being before all. */
static void report_pair(Names *names, const Name *a, const Name *b) {
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
         second->name, owner_names[first->kind], first->name);
  else
    diag(d, DIAG_NAME_CASE, second->loc, b->text, a->text, second->name, first->name);
  if (first->loc.line > 0)
    diag(d, DIAG_DECLARED_HERE, first->loc, first->name);
}

static void check_pairs(Names *names) {
  qsort(names->names, (size_t)names->name_count, sizeof *names->names, by_text);
  for (int i = 1; i < names->name_count; i++)
    if (compare_folded(names->names[i - 1].text, names->names[i].text) == 0)
      report_pair(names, &names->names[i - 1], &names->names[i]);
}

void check_names(Check *c) {
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
