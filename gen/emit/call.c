/* The calls of the generated header: prototypes there, functions in the C file,
 * both from the rows of calls.def.  Functions that differ in names and types alone are written
 * by a macro of the library, a line for all of them.
 */
#include "gen/emit/api.h"

#include <string.h>

typedef enum CallWhen { CALL_ALWAYS, CALL_SPARSE, CALL_DYNAMIC, CALL_HOSTED } CallWhen;

typedef struct CallRow {
  ApiScope scope;
  const char *name;
  CallWhen when;
  const char *result, *params, *body;    /* body: NULL where a macro writes the function; */
} CallRow;                               /* a row without a name is that macro, as its body */

#define SHARED NULL
static const CallRow rows[] = {
#define CALL(name, scope, when, result, params, body)                                         \
  { CALL_##scope, #name, CALL_##when, result, params, body },
#define CALLS(scope, when, macro) { CALL_##scope, NULL, CALL_##when, NULL, NULL, macro },
#include "gen/model/calls.def"
#undef CALL
#undef CALLS
};

/* What a row is written for. */
typedef struct Subject {
  const CallRow *row;
  const IrTree *tree;
  const IrField *field;
  const IrSNode *snode;
} Subject;

/* ---- indices and extents ---- */

static int index_count(const Subject *s)
{
  return s->field ? s->field->axis_count : s->snode ? s->snode->path_axis_count : 0;
}

static const char *index_name(const Subject *s, int k)
{
  return axis_name[s->field ? s->field->axes[k] : s->snode->path_axes[k]];
}

/* Whether index k is the position in a dynamic container: what is done to the whole
 * container does not take it. */
static bool is_position(const Subject *s, int k)
{
  return s->snode && kind_is(s->snode->kind, KIND_LIST) &&
         s->snode->path_axes[k] == s->snode->axes[0].axis;
}

static const char *index_array(Emit *e, const Subject *s, bool of_container)
{
  const char *list = "";

  for (int k = 0; k < index_count(s); k++)
    if (!of_container || !is_position(s, k))
      list = format(e->arena, "%s%s%s", list, *list ? ", " : "", index_name(s, k));
  return *list ? format(e->arena, "(const int64_t[]){ %s }", list) : "NULL";
}

/* ---- parameters ---- */

typedef struct ParamRow {
  const char *word;
  ApiKind kind;
  ApiWay way;
  const char *name;
  enum { OF_NONE, OF_I64, OF_INT, OF_TRUTH, OF_FIELD, OF_CELLS } of;
} ParamRow;

static const ParamRow param_rows[] = {
#define PARAM(word, kind, way, name, of) { #word, API_##kind, API_##way, name, OF_##of },
#include "gen/model/call_params.def"
#undef PARAM
};

/* The row of the word of that length; NULL: it stands for any number of parameters. */
static const ParamRow *param_row(const char *word, size_t length)
{
  for (size_t k = 0; k < sizeof param_rows / sizeof *param_rows; k++)
    if (strlen(param_rows[k].word) == length && strncmp(param_rows[k].word, word, length) == 0)
      return &param_rows[k];
  return NULL;
}

/* The next word of a row's parameters, from *at on; NULL: there is none. */
static const char *next_word(const char **at, size_t *length)
{
  const char *word = *at + strspn(*at, " ");

  *length = strcspn(word, " ");
  *at = word + *length;
  return *length ? word : NULL;
}

static bool names_param(const CallRow *row, const char *wanted)
{
  const char *at = row->params, *word;
  size_t length;

  while ((word = next_word(&at, &length)) != NULL) {
    const ParamRow *p = param_row(word, length);
    if (p && p->name && strcmp(p->name, wanted) == 0)
      return true;
  }
  return false;
}

/* A parameter's name, apart from the others of its row. */
static const char *param_name(Emit *e, const Subject *s, const char *wanted)
{
  bool is_taken = names_param(s->row, wanted) || (s->row->body && has_word(s->row->body, wanted));

  for (int k = 0; k < index_count(s); k++)
    is_taken = is_taken || strcmp(wanted, index_name(s, k)) == 0;
  return is_taken ? format(e->arena, "%s_", wanted) : names_escape(e->arena, NAMES_LOCAL, wanted);
}

static const char *extent_array(Emit *e, const Subject *s)
{
  const IrTree *tree = s->tree;
  const char *list = "";

  for (int k = 0; k < tree->param_count; k++)
    list = format(e->arena, "%s%s%s%s", list, k ? ", " : "",
                  tree->param_types[k]->kind == TYPE_U64 ? "(int64_t)" : "",
                  param_name(e, s, tree->param_names[k]));
  return *list ? format(e->arena, "(const int64_t[]){ %s }", list) : "NULL";
}

/* ---- rows ---- */

static const char *subject_name(Emit *e, const Subject *s)
{
  if (s->field)
    return ir_whole_name(e->arena, s->field->name);
  return s->snode ? s->snode->name : s->tree ? s->tree->name : NULL;
}

static const char *placeholder(Emit *e, const Subject *s, char letter)
{
  const TreeNames *t = s->tree ? &e->trees[s->tree->id] : NULL;

  switch (letter) {
  case 'T': return t->c_type;
  case 't': return param_name(e, s, s->tree->name);
  case 'S': return format(e->arena, "(sn_tree *)%s", param_name(e, s, s->tree->name));
  case 'c': return extent_array(e, s);
  case 'X': return index_array(e, s, false);
  case 'Y': return index_array(e, s, true);
  case 'V': return api_type(s->field->type);
  case 'A': return array_type(s->field->type);
  case 'E':
    return format(e->arena, "%d", ir_field_elements(s->tree, s->field->id));
  case 'U': return struct_type(e, s->field->of);
  case 'i': return t->info;
  case 'n': return s->field ? t->field_id[s->field->id] : t->snode[s->snode->id].id;
  case 'm': return e->table;
  case 'N': return format(e->arena, "%s_%s", e->module->prefix, subject_name(e, s));
  default:  ICE("calls.def: %%%c means nothing", letter);
  }
}

static const char *fill(Emit *e, const Subject *s, const char *template)
{
  const char *out = "";

  while (*template) {
    size_t plain = strcspn(template, "%");
    out = format(e->arena, "%s%.*s", out, (int)plain, template);
    template += plain;
    if (*template) {
      out = format(e->arena, "%s%s", out, placeholder(e, s, template[1]));
      template += 2;
    }
  }
  return out;
}

static const char *call_name(Emit *e, const CallRow *row, const Subject *s)
{
  const char *of = subject_name(e, s);

  return of ? format(e->arena, "%s_%s_%s", e->module->prefix, of, row->name)
            : format(e->arena, "%s_%s", e->module->prefix, row->name);
}

static const char *join_pointer(Emit *e, const char *type, const char *name)
{
  return format(e->arena, "%s%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ", name);
}

static void write_body(Emit *e, const char *body)
{
  write_line(e, "{");
  e->indent++;
  while (*body) {
    size_t length = strcspn(body, "\n");
    write_line(e, "%.*s", (int)length, body);
    body += length + (body[length] == '\n');
  }
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
}

/* ---- the parameters of a call ---- */

static void set_values(Emit *e, const Subject *s, const ParamRow *row, ApiParam *p)
{
  const IrField *f = s->field;

  switch (row->of) {
  case OF_NONE:  return;
  case OF_I64:   p->type = TY(I64); p->c_type = "int64_t"; return;
  case OF_INT:   p->type = TY(I32); p->c_type = "int"; return;
  case OF_TRUTH: p->type = TY(BOOL); p->c_type = "int"; return;
  default:       break;
  }
  p->type = f->type;
  p->of = f->of;
  if (!f->of && ir_is_element(f->name)) {
    const int elements = ir_field_elements(s->tree, f->id);
    api_set_shape(p, elements, ir_field_element(f, elements - 1)->name);
  }
  p->c_type = f->of ? struct_type(e, f->of)
              : row->of == OF_CELLS ? array_type(f->type) : api_type(f->type);
  if (row->kind == API_VALUE && row->way == API_IN && !p->of && !p->elements)
    p->kind = API_SCALAR;
}

static void add_param(Emit *e, const Subject *s, const ParamRow *row, ApiCall *call)
{
  const bool is_tree = row->kind == API_TREE || row->kind == API_NEW_TREE;
  ApiParam p = { .kind = row->kind, .way = row->way, .name = row->name,
                 .tree = is_tree ? s->tree : NULL };

  if (is_tree)
    p.c_type = e->trees[s->tree->id].c_type;
  if (!row->name)
    p.name = param_name(e, s, s->tree->name);
  set_values(e, s, row, &p);
  api_add(e, call, p);
}

static void add_extents(Emit *e, const Subject *s, ApiCall *call)
{
  for (int k = 0; k < s->tree->param_count; k++) {
    const Type *type = s->tree->param_types[k];
    api_add(e, call, (ApiParam){ .kind = API_SCALAR, .role = API_EXTENT, .type = type,
                                 .c_type = api_type(type),
                                 .name = param_name(e, s, s->tree->param_names[k]) });
  }
}

static void add_indices(Emit *e, const Subject *s, bool of_container, ApiCall *call)
{
  for (int k = 0; k < index_count(s); k++)
    if (!of_container || !is_position(s, k))
      api_add(e, call, (ApiParam){ .kind = API_SCALAR, .role = API_INDEX, .type = TY(I64),
                                   .c_type = "int64_t", .name = index_name(s, k) });
}

/* What the subject's row declares. */
static ApiCall api_call(Emit *e, const Subject *s)
{
  const CallRow *row = s->row;
  ApiCall call = { .scope = row->scope, .name = call_name(e, row, s), .action = row->name,
                   .result = row->result, .tree = s->tree, .field = s->field, .snode = s->snode };
  const char *at = row->params, *word;
  size_t length;

  while ((word = next_word(&at, &length)) != NULL) {
    const ParamRow *p = param_row(word, length);
    if (p)
      add_param(e, s, p, &call);
    else if (*word == 'e')
      add_extents(e, s, &call);
    else
      add_indices(e, s, *word == 'c', &call);
  }
  return call;
}

static void write_function(Emit *e, Subject *s, bool with_body)
{
  const ApiCall call = api_call(e, s);
  const char *head = join_pointer(e, with_body ? api_result_text(&call) : call.result,
                                  call.name);

  write_line(e, "%s(%s)%s", head, api_params_text(e, &call), with_body ? "" : ";");
  if (with_body)
    write_body(e, fill(e, s, s->row->body));
}

static void write_call(Emit *e, const CallRow *row, Subject *s, bool with_body)
{
  s->row = row;
  if (row->name && (row->body || !with_body))
    write_function(e, s, with_body);
  else if (!row->name && with_body)
    write_line(e, "%s", fill(e, s, row->body));
}

static bool is_written(const CallRow *row, const Subject *s)
{
  const IrSNode *n = s->snode;
  const ModeCalls calls = s->field ? field_mode_calls[s->field->mode] : MODE_CALLS_ALL;

  switch (row->when) {
  case CALL_SPARSE:  return !n || ir_is_sparse(n);
  case CALL_DYNAMIC: return n && kind_is(n->kind, KIND_LIST);
  case CALL_HOSTED:  return calls == MODE_CALLS_ALL;
  default:           return calls != MODE_CALLS_NONE;
  }
}

/* Behind the last of what a macro writes stands an empty line, as behind a body. */
static void each_call(Emit *e, ApiScope scope, Subject *s, bool with_body)
{
  bool is_macro = false;

  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (rows[k].scope != scope || !is_written(&rows[k], s))
      continue;
    is_macro = !rows[k].name;
    write_call(e, &rows[k], s, with_body);
  }
  if (with_body && is_macro)
    write_line(e, "%s", "");
}

static void write_head(Emit *e, const char *kind, const char *name, const char *doc, bool with_body)
{
  if (with_body)
    return;
  write_line(e, "%s", "");
  if (doc)
    write_comment(e, format(e->arena, "%s %s: %s", kind, name, doc));
  else
    write_comment(e, format(e->arena, "%s %s", kind, name));
}

static ApiScope scope_of(const IrField *f)
{
  return f->of ? CALL_STRUCT : ir_is_element(f->name) ? CALL_VECTOR : CALL_FIELD;
}

void emit_tree_calls(Emit *e, const IrTree *tree, bool with_body)
{
  Subject s = { .tree = tree };

  write_head(e, "tree", tree->name, tree->doc, with_body);
  each_call(e, CALL_TREE, &s, with_body);
  for (int k = 0; k < tree->field_count; k += ir_field_elements(tree, k)) {
    s = (Subject){ .tree = tree, .field = tree->fields[k] };
    if (field_mode_calls[s.field->mode] == MODE_CALLS_NONE)
      continue;
    write_head(e, "field", subject_name(e, &s), s.field->doc, with_body);
    each_call(e, scope_of(s.field), &s, with_body);
  }
  for (int k = 1; k < tree->snode_count; k++) {
    s = (Subject){ .tree = tree, .snode = tree->snodes[k] };
    write_head(e, "SNode", s.snode->name, s.snode->doc, with_body);
    each_call(e, CALL_SNODE, &s, with_body);
  }
}

void emit_module_calls(Emit *e, bool with_body)
{
  Subject s = { 0 };

  each_call(e, CALL_MODULE, &s, with_body);
}

/* ---- all of them, as a list ---- */

static void list_calls(Emit *e, ApiScope scope, Subject *s, Api *all)
{
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (rows[k].scope != scope || !rows[k].name || !is_written(&rows[k], s))
      continue;
    s->row = &rows[k];
    vec_push(e->arena, all->calls, all->count, api_call(e, s));
  }
}

void tree_api(Emit *e, const IrTree *tree, Api *all)
{
  Subject s = { .tree = tree };

  list_calls(e, CALL_TREE, &s, all);
  for (int k = 0; k < tree->field_count; k += ir_field_elements(tree, k)) {
    s = (Subject){ .tree = tree, .field = tree->fields[k] };
    list_calls(e, scope_of(s.field), &s, all);
  }
  for (int k = 1; k < tree->snode_count; k++) {
    s = (Subject){ .tree = tree, .snode = tree->snodes[k] };
    list_calls(e, CALL_SNODE, &s, all);
  }
}

void module_api(Emit *e, Api *all)
{
  Subject s = { 0 };

  list_calls(e, CALL_MODULE, &s, all);
}

/* ---- the names that they take at file scope ---- */

static void fix_names(Emit *e, ApiScope scope, const Subject *s)
{
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].scope == scope && rows[k].name && is_written(&rows[k], s))
      names_fix(&e->names, call_name(e, &rows[k], s));
}

void plan_calls(Emit *e)
{
  const IrModule *m = e->module;
  Subject s = { 0 };

  fix_names(e, CALL_MODULE, &s);
  if (e->options->routines)
    names_fix(&e->names, format(e->arena, "%s_routines", m->prefix));
  for (int t = 0; t < m->tree_count; t++) {
    const IrTree *tree = m->trees[t];
    if (tree->prefix) {                  /* its calls are the other file's */
      names_fix(&e->names, format(e->arena, "%s_%s", tree->prefix, tree->name));
      continue;
    }
    names_fix(&e->names, format(e->arena, "%s_%s", m->prefix, tree->name));
    s = (Subject){ .tree = tree };
    fix_names(e, CALL_TREE, &s);
    for (int k = 0; k < tree->field_count; k += ir_field_elements(tree, k)) {
      s = (Subject){ .tree = tree, .field = tree->fields[k] };
      fix_names(e, scope_of(s.field), &s);
    }
    for (int k = 1; k < tree->snode_count; k++) {
      s = (Subject){ .tree = tree, .snode = tree->snodes[k] };
      fix_names(e, CALL_SNODE, &s);
    }
  }
}
