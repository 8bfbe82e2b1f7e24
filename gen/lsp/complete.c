/* What may be written at a place: behind a dot members, fields and nodes; behind [[ attributes;
 * else keywords, types, built-ins and the names that are known there.
 */
#include "gen/lsp/complete.h"
#include "gen/lsp/describe.h"
#include "gen/lsp/place.h"

#include <string.h>

/* As the protocol numbers them. */
enum { ITEM_FUNCTION = 3, ITEM_FIELD = 5, ITEM_VARIABLE = 6, ITEM_CLASS = 7, ITEM_PROPERTY = 10,
       ITEM_KEYWORD = 14, ITEM_CONSTANT = 21, ITEM_STRUCT = 22, ITEM_TYPE = 25 };

static const int kind_of_name[] = {
  [NAME_CONSTANT] = ITEM_CONSTANT, [NAME_STRUCT] = ITEM_STRUCT, [NAME_MEMBER] = ITEM_PROPERTY,
  [NAME_FIELD] = ITEM_FIELD, [NAME_TREE] = ITEM_CLASS, [NAME_SNODE] = ITEM_PROPERTY,
  [NAME_FUNCTION] = ITEM_FUNCTION, [NAME_VARIABLE] = ITEM_VARIABLE, [NAME_GENERIC] = ITEM_VARIABLE,
  [NAME_SPECIAL] = ITEM_FUNCTION
};

static void add_item(Json *j, const char *label, int kind, const char *detail)
{
  json_begin_flat(j, NULL, '{');
  json_string(j, "label", label);
  json_integer(j, "kind", kind);
  json_string(j, "detail", detail);
  json_end(j, '}');
}

static void add_name(Analysis *a, const Name *n, Json *j)
{
  Text detail = { 0 };

  describe_short(a, n, &detail);
  add_item(j, n->name, kind_of_name[n->kind], detail.data);
  text_free(&detail);
}

/* Of two with one name the last is meant, which is the innermost. */
static void add_names(Analysis *a, const NameList *list, const NameList *hidden_by, Json *j)
{
  for (int k = 0; k < list->count; k++) {
    bool is_hidden = false;
    for (int i = k + 1; i < list->count; i++)
      is_hidden = is_hidden || strcmp(list->names[i].name, list->names[k].name) == 0;
    for (int i = 0; hidden_by && i < hidden_by->count; i++)
      is_hidden = is_hidden || strcmp(hidden_by->names[i].name, list->names[k].name) == 0;
    if (!is_hidden)
      add_name(a, &list->names[k], j);
  }
}

static void add_words(Json *j)
{
  static const char *const keywords[] = {
#define KEYWORD(id, spelling) spelling,
#define PUNCTUATOR(id, spelling)
#include "gen/front/tokens.def"
#undef KEYWORD
#undef PUNCTUATOR
  };
  static const char *const words[] = {
#define WORD(word) #word,
#include "gen/front/words.def"
#undef WORD
  };

  for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
    add_item(j, keywords[k], ITEM_KEYWORD, NULL);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    add_item(j, words[k], ITEM_KEYWORD, NULL);
  for (int k = 0; k < SNODE_KINDS; k++)
    if (k != SNODE_ROOT)
      add_item(j, snode_kind[k].word, ITEM_KEYWORD, "a kind of SNode");
  for (int k = FIELD_MODE_NONE + 1; k < FIELD_MODES; k++)
    add_item(j, field_mode_word[k], ITEM_KEYWORD, field_mode_meaning[k]);
  for (int k = TYPE_VOID; k < TYPE_CELL; k++)
    add_item(j, type_scalar[k].name, ITEM_TYPE, NULL);
}

static void add_attributes(Json *j)
{
  static const char *const attributes[] = {
#define ATTRIBUTE(id, arguments, before) #id,
#include "gen/front/attributes.def"
#undef ATTRIBUTE
  };

  for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
    add_item(j, attributes[k], ITEM_KEYWORD, "an attribute of a loop");
}

static void add_specials(Analysis *a, Json *j)
{
  for (const Special *s = special_functions; s->name; s++) {
    const Name name = { NAME_SPECIAL, s->name, { 0 }, { .special = s }, NULL };
    add_name(a, &name, j);
  }
}

/* Within a comment or a string nothing is completed. */
static bool is_in_text(Analysis *a, Loc at)
{
  const char *end, *line = place_line(&a->source, at.line, &end);
  const char *here = line + at.column - 1;
  bool is_quoted = false;

  for (const char *p = line; p < here && p < end; p++) {
    if (*p == '\\' && is_quoted)
      p++;
    else if (*p == '"')
      is_quoted = !is_quoted;
    else if (!is_quoted && p + 1 < here && p[0] == '/' && p[1] == '/')
      return true;
  }
  return is_quoted;
}

static TokenKind kind_at(const Tokens *t, int k)
{
  return k >= 0 ? t->tokens[k].kind : TOKEN_END;
}

void complete_at(Analysis *a, Loc at, Json *j)
{
  const Tokens *t = tokens_of(a, 0);
  int before = token_from(t, at) - 1;
  NameList local, global;

  if (is_in_text(a, at))
    return;
  if (t->count && loc_is_before(t->tokens[t->count - 1].loc, at))
    before = t->count - 2;
  if (before >= 0 && !loc_is_before(t->tokens[before].end, at) &&
      kind_at(t, before) == TOKEN_NAME)
    before--;                            /* the name that is being written */
  if (kind_at(t, before) == TOKEN_DOT) {
    local = names_behind_dot(a, before);
    add_names(a, &local, NULL, j);
  } else if (kind_at(t, before) == TOKEN_LBRACKET && kind_at(t, before - 1) == TOKEN_LBRACKET) {
    add_attributes(j);
  } else {
    local = names_at(a, at);
    global = names_of_program(a);
    add_names(a, &local, NULL, j);
    add_names(a, &global, &local, j);
    add_specials(a, j);
    add_words(j);
  }
}
