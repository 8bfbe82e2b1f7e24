/* What is told of a name. */
#include "gen/lsp/describe.h"
#include "gen/front/factors.h"
#include "gen/front/shaped.h"
#include "gen/model/builtins.h"

#include <inttypes.h>
#include <string.h>

static const char *type_name(const Type *t)
{
  return t && t->name ? t->name : "?";
}

/* ---- constants ---- */

static void describe_value(const Type *t, Value v, Text *out)
{
  if (t->kind == TYPE_BOOL)
    text_add(out, v.i ? "true" : "false");
  else if (type_is_float(t))
    text_format(out, "%.*g", t->kind == TYPE_F64 ? 17 : 9, v.f);
  else if (t->kind == TYPE_U64)
    text_format(out, "%" PRIu64, (uint64_t)v.i);
  else
    text_format(out, "%" PRId64, v.i);
}

static void describe_constant(const Constant *c, Text *out)
{
  const int count = c->type && c->values ? type_count(c->type) : 0;

  text_format(out, "%s %s %s", c->is_param ? "param" : "const", type_name(c->type), c->name);
  for (int k = 0; k < count; k++) {
    text_add(out, k ? ", " : " = ");
    describe_value(type_at(c->type, k), c->values[k], out);
  }
}

/* ---- variables ---- */

static void describe_extent(const Expr *e, Text *out)
{
  if (e && e->kind == EXPR_LITERAL)
    text_format(out, "%" PRId64, e->value.i);
  else
    text_add(out, e && e->kind == EXPR_VARIABLE && e->variable ? e->variable->name
                  : e && e->name                               ? e->name
                                                               : "...");
}

static void describe_variable(const Variable *v, Text *out)
{
  if (v->kind == VARIABLE_TREE) {
    text_format(out, "%s %s", v->tree_name, v->name);
    return;
  }
  if (v->kind == VARIABLE_ARRAY)
    text_format(out, "%s ", array_mode_name[v->mode]);
  else if (v->kind == VARIABLE_PARAMETER && v->mode == ARRAY_INOUT)
    text_add(out, "inout ");
  text_format(out, "%s%s %s", v->is_const ? "const " : "", type_name(v->type), v->name);
  for (int k = 0; k < v->extent_count; k++) {
    text_add(out, k ? ", " : "[");
    describe_extent(v->extents[k], out);
  }
  text_add(out, v->extent_count ? "]" : "");
}

/* ---- trees ---- */

static void describe_snode(const SNode *n, Text *out)
{
  text_add(out, snode_kind[n->kind].word);
  if (n->name)
    text_format(out, " %s", n->name);
  for (int k = 0; k < n->axis_count; k++) {
    text_format(out, "%s%s", k ? ", " : "[", axis_name[n->axes[k].axis]);
    if (n->axes[k].size > 0 && n->axes[k].extent)
      text_format(out, ": %" PRId64, n->axes[k].size);
    else if (n->axes[k].extent) {
      text_add(out, ": ");
      describe_extent(n->axes[k].extent, out);
    }
  }
  text_add(out, n->axis_count ? "]" : "");
  if (n->chunk_cells > 0)
    text_format(out, " chunk %" PRId64, n->chunk_cells);
  text_add(out, n->is_soa ? n->is_soa_by_row ? " soa rows" : " soa" : "");
  text_add(out, n->is_split ? " split" : "");
}

/* "tree t: pointer tile[i: 8] > dense cell[i: 4]", down to n */
static void describe_path(const SNode *n, Text *out)
{
  if (!n->parent) {
    text_format(out, "tree %s", n->tree ? n->tree->name : "?");
    return;
  }
  describe_path(n->parent, out);
  text_add(out, n->parent->parent ? " > " : ": ");
  describe_snode(n, out);
}

static void describe_tree(const Tree *t, Text *out)
{
  text_format(out, "tree %s", t->name);
  for (int k = 0; k < t->param_count; k++) {
    text_add(out, k ? ", " : "(");
    describe_variable(t->params[k], out);
  }
  text_add(out, t->param_count ? ")" : "");
}

static void describe_field(const Field *f, Text *out)
{
  text_format(out, "field %s %s", type_name(f->type), f->name);
  for (int k = 0; k < f->axis_count; k++)
    text_format(out, "%s%s", k ? ", " : "[", axis_name[f->axes[k]]);
  text_add(out, f->axis_count ? "]" : "");
  if (f->mode != FIELD_MODE_NONE)
    text_format(out, " %s", field_mode_word[f->mode]);
  if (f->border != BORDER_NONE)
    text_format(out, " outside %s", border_name[f->border]);
  if (f->with.forms)
    text_format(out, " with %s", f->with.forms == DERIVE_GRAD   ? "grad"
                                 : f->with.forms == DERIVE_DUAL ? "dual"
                                                                : "grad, dual");
}

/* ---- functions ---- */

static void describe_generic(const GenericParameter *g, Text *out)
{
  static const char *const kinds[] = { [GENERIC_FIELD] = "field", [GENERIC_NODE] = "node",
                                       [GENERIC_TREE] = "tree", [GENERIC_CONSTANT] = "constant" };

  text_format(out, "%s %s", g->type ? type_name(g->type) : kinds[g->kind], g->name);
}

/* As the source has it, up to its body; of an instance what it is one of. */
static void describe_function(Analysis *a, const Function *f, Text *out)
{
  const Tokens *t = tokens_of(a, f->loc.file);
  int first = token_from(t, f->loc), end = first;

  while (first > 0 && t->tokens[first].kind != TOKEN_KERNEL &&
         t->tokens[first].kind != TOKEN_FUNC && t->tokens[first].kind != TOKEN_INSTANCE)
    first--;
  while (end < t->count - 1 && t->tokens[end].kind != TOKEN_LBRACE &&
         t->tokens[end].kind != TOKEN_SEMICOLON)
    end++;
  text_add(out, token_text(a->arena, &t->tokens[first], &t->tokens[end]));
}

static const char *const rule_text[] = {
  [BUILTIN_RULE_FLOAT] = "of floating-point numbers, element by element",
  [BUILTIN_RULE_NUMBER] = "of numbers, element by element",
  [BUILTIN_RULE_INTEGER] = "of an integer, element by element; a count (i32)",
  [BUILTIN_RULE_SELECT] = "(condition, a, b): a where the condition holds, else b",
  [BUILTIN_RULE_BITCAST] = "(type, value): the same bits as a value of the type"
};

static void describe_special(const Special *s, Text *out)
{
  static const char *const kinds[] = {
    [SPECIAL_SHAPED] = "of vectors or matrices",
    [SPECIAL_ATOMIC] = "in one step, whatever other iterations do; the old value",
    [SPECIAL_QUESTION] = "about a node or a list",
    [SPECIAL_STATEMENT] = "changes what is active",
    [SPECIAL_RANDOM] = "a random number", [SPECIAL_RESCALE] = "indices of one node for another"
  };

  text_format(out, "%s: ", s->name);
  if (s->kind == SPECIAL_BUILTIN) {
    const BuiltinInfo *b = &builtin_info[s->number];
    text_format(out, "built-in %s; %d argument%s", rule_text[b->rule], b->arguments,
                b->arguments == 1 ? "" : "s");
  } else if (s->kind == SPECIAL_FACTOR) {
    text_format(out, "built-in factorization of a square matrix of 2 or 3 rows, with %d results",
                factor_info[s->number].results);
  } else {
    text_format(out, "built-in, %s", kinds[s->kind]);
  }
}

/* ---- a line ---- */

void describe_short(Analysis *a, const Name *n, Text *out)
{
  switch (n->kind) {
  case NAME_CONSTANT: describe_constant(n->is.constant, out); break;
  case NAME_STRUCT: text_format(out, "struct %s", n->name); break;
  case NAME_MEMBER:
    text_format(out, "%s %s of struct %s", type_name(n->member->type), n->name,
                type_name(n->is.structure->type));
    break;
  case NAME_FIELD: describe_field(n->is.field, out); break;
  case NAME_TREE: describe_tree(n->is.tree, out); break;
  case NAME_SNODE: describe_snode(n->is.snode, out); break;
  case NAME_FUNCTION: describe_function(a, n->is.function, out); break;
  case NAME_VARIABLE: describe_variable(n->is.variable, out); break;
  case NAME_GENERIC: describe_generic(n->is.generic, out); break;
  case NAME_SPECIAL: describe_special(n->is.special, out); break;
  }
}

/* ---- the layout ---- */

/* Is it the name, or one of its elements, and then one of the characters of `behind`? */
static bool names_it(const char *at, const char *name, const char *behind)
{
  const size_t length = strlen(name);

  if (strncmp(at, name, length) != 0 || !at[length])
    return false;
  return strchr(behind, at[length]) != NULL;
}

static bool is_about(const char *line, size_t length, const Name *n)
{
  const char *place = strstr(line, "place_"), *blank = strchr(line + strspn(line, " "), ' ');

  if (n->kind == NAME_FIELD)
    return (place && place < line + length && names_it(place + 6, n->name, ":.")) ||
           (names_it(line + strspn(line, " "), n->name, ":.") && strstr(line, "byte"));
  return n->kind == NAME_SNODE && blank && blank < line + length && line[0] == ' ' &&
         names_it(blank + 1, n->name, "[:");
}

/* "  S1dense row[i: 8]: 1x container, ..." without its number */
static void add_layout_line(const char *line, size_t length, Text *out)
{
  const size_t blanks = strspn(line, " ");

  text_add_part(out, line + blanks, length - blanks);
  text_add(out, "\n");
}

/* A tree is all lines below its own; what a field has at each index is left out. */
static void describe_layout(const Analysis *a, const Name *n, Text *out)
{
  bool is_inside = false;

  for (const char *line = a->layout; *line; line += strcspn(line, "\n") + 1) {
    const size_t length = strcspn(line, "\n");
    if (line[0] != ' ')
      is_inside = n->kind == NAME_TREE && strncmp(line, "tree ", 5) == 0 &&
                  strlen(n->name) == length - 5 && strncmp(line + 5, n->name, length - 5) == 0;
    else if (strncmp(line + strspn(line, " "), "physical_index_position", 23) == 0)
      continue;
    else if (is_inside) {
      text_add_part(out, line, length);
      text_add(out, "\n");
    } else if (is_about(line, length, n))
      add_layout_line(line, length, out);
  }
}

static void describe_members(const StructDeclaration *d, Text *out)
{
  const Struct *s = type_struct(d->type);

  text_format(out, "struct %s {\n", d->type->name);
  for (int k = 0; k < s->member_count; k++)
    text_format(out, "  %s %s;   // byte %" PRId64 "\n", type_name(s->members[k].type),
                s->members[k].name, type_offset(d->type, s->members[k].first));
  text_format(out, "}   // %" PRId64 " bytes\n", type_bytes(d->type));
}

static const char *doc_of(const Name *n)
{
  switch (n->kind) {
  case NAME_CONSTANT: return n->is.constant->doc;
  case NAME_STRUCT: return type_struct(n->is.structure->type)->doc;
  case NAME_FIELD: return n->is.field->doc;
  case NAME_TREE: return n->is.tree->doc;
  case NAME_SNODE: return n->is.snode->doc;
  case NAME_FUNCTION: return n->is.function->doc;
  default: return NULL;
  }
}

void describe_long(Analysis *a, const Name *n, Text *out)
{
  const char *doc = doc_of(n);
  Text layout = { 0 };

  text_add(out, "```snode\n");
  if (n->kind == NAME_STRUCT) {
    describe_members(n->is.structure, out);
  } else {
    describe_short(a, n, out);
    text_add(out, "\n");
  }
  if (n->kind == NAME_FIELD && n->is.field->snode)
    describe_path(n->is.field->snode, out);
  else if (n->kind == NAME_SNODE)
    describe_path(n->is.snode, out);
  text_add(out, "\n```\n");
  describe_layout(a, n, &layout);
  if (layout.length)
    text_format(out, "```text\n%s```\n", layout.data);
  text_free(&layout);
  if (doc)
    text_format(out, "\n%s\n", doc);
}
