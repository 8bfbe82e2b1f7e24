/* Trees: extent parameters, nodes, axes, places. */
#include "gen/front/parser.h"

#include <string.h>

int axis_by_name(const char *name) {
  static const char letters[] = "ijklmnopqrst";
  const char *found = name[0] && !name[1] ? strchr(letters, name[0]) : NULL;
  return found ? (int)(found - letters) : -1;
}

/* axis := LETTER ":" expression */
static bool parse_axis(Parser *p, SNode *node) {
  const Token *token = peek(p);
  Axis axis = {.loc = token->loc};
  if (!expect(p, TOKEN_NAME, "an axis"))
    return false;
  axis.axis = axis_by_name(token->text);
  if (axis.axis < 0) {
    fail(p, DIAG_UNKNOWN_AXIS, token->loc, token->text);
    return false;
  }
  if (!expect(p, TOKEN_COLON, "':' and an extent"))
    return false;
  axis.extent = parse_expression(p);
  if (!axis.extent)
    return false;
  int at = node->axis_count;           /* kept in axis order */
  while (at > 0 && node->axes[at - 1].axis > axis.axis)
    at--;
  if (at > 0 && node->axes[at - 1].axis == axis.axis) {
    diag(p->diag, DIAG_DUPLICATE_AXIS, axis.loc, token->text[0], node->name);
    p->program->is_broken = true;
    return false;
  }
  memmove(&node->axes[at + 1], &node->axes[at],
          (size_t)(node->axis_count - at) * sizeof node->axes[0]);
  node->axes[at] = axis;
  node->axis_count++;
  return true;
}

/* place := "place" NAME { "," NAME } ";" */
static bool parse_place(Parser *p, SNode *node) {
  advance(p);
  do {
    Field *field = NEW(p->arena, Field);
    const Token *token = peek(p);
    field->name = token->text;
    field->loc = token->loc;
    if (!expect(p, TOKEN_NAME, "a field's name"))
      return false;
    if (looking_at(p, TOKEN_DOT)) {
      fail_not_built(p, peek(p)->loc, "placing '.grad' and '.dual' by hand");
      return false;
    }
    vec_push(p->arena, node->fields, node->field_count, field);
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_SEMICOLON, "',' or ';'");
}

static bool is_unbuilt_kind(const char *name) {
  return strcmp(name, "bitmasked") == 0 || strcmp(name, "dynamic") == 0 ||
         strcmp(name, "hash") == 0;
}

/* The kind of a node by its word; false after a message. */
static bool parse_kind(Parser *p, SNodeKind *kind) {
  static const char *const kinds[] = {"dense", "pointer", "bitmasked", "dynamic",
                                      "hash", "place", NULL};
  const Token *token = peek(p);
  if (!expect(p, TOKEN_NAME, "a node, 'place' or '}'"))
    return false;
  *kind = strcmp(token->text, "pointer") == 0 ? SNODE_POINTER : SNODE_DENSE;
  if (strcmp(token->text, "dense") == 0 || *kind == SNODE_POINTER)
    return true;
  if (is_unbuilt_kind(token->text)) {
    char what[64];
    snprintf(what, sizeof what, "nodes of kind '%s'", token->text);
    fail_not_built(p, token->loc, what);
    return false;
  }
  fail(p, DIAG_UNKNOWN_NODE_KIND, token->loc, token->text);
  diag_suggest(p->diag, token->loc, token->text, kinds);
  return false;
}

static bool parse_components(Parser *p, SNode *node);

/* axes := "[" axis { "," axis } "]" */
static bool parse_axes(Parser *p, SNode *node) {
  if (!expect(p, TOKEN_LBRACKET, "'[' and the node's axes"))
    return false;
  do {
    if (!parse_axis(p, node))
      return false;
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_RBRACKET, "',' or ']'");
}

/* node := KIND NAME axes "{" components "}" */
static bool parse_node(Parser *p, SNode *parent) {
  SNode *node = NEW(p->arena, SNode);
  node->doc = peek(p)->doc;
  node->parent = parent;
  node->tree = parent->tree;
  if (!parse_kind(p, &node->kind))
    return false;
  node->name = expect_name(p, "the node's name", &node->loc);
  if (!node->name || !parse_axes(p, node))
    return false;
  if (accept(p, TOKEN_SEMICOLON)) {
    fail(p, DIAG_EMPTY_NODE, node->loc, node->name);
    return false;
  }
  vec_push(p->arena, parent->children, parent->child_count, node);
  return parse_components(p, node);
}


/* components := "{" { place | node } "}" */
static bool parse_components(Parser *p, SNode *node) {
  if (!enter(p))
    return false;
  bool is_open = expect(p, TOKEN_LBRACE, "'{'");
  while (is_open && !looking_at(p, TOKEN_RBRACE) && !looking_at(p, TOKEN_END) &&
         !begins_declaration(peek(p)->kind)) {
    int begin = p->at;
    bool is_place = looking_at_word(p, "place");
    if (is_place ? parse_place(p, node) : parse_node(p, node))
      continue;
    skip_statement(p);
    taint(p, begin);
  }
  leave(p);
  return is_open && expect(p, TOKEN_RBRACE, "'}'");
}

/* extent parameters := "(" [ TYPE NAME { "," TYPE NAME } ] ")" */
bool parse_extent_parameters(Parser *p, Tree *tree) {
  if (accept(p, TOKEN_RPAREN))
    return true;
  do {
    Loc loc;
    const Type *type = parse_type(p);
    const char *name = type ? expect_name(p, "a parameter's name", &loc) : NULL;
    if (!name)
      return false;
    Variable *v = make_variable(p, VARIABLE_EXTENT, type, name, loc);
    vec_push(p->arena, tree->params, tree->param_count, v);
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_RPAREN, "',' or ')'");
}

/* tree := "tree" NAME [ "(" extent parameters ")" ] components */
bool parse_tree(Parser *p, const char *doc) {
  advance(p);
  Tree *tree = NEW(p->arena, Tree);
  tree->doc = doc;
  tree->name = expect_name(p, "the tree's name", &tree->loc);
  if (!tree->name)
    return false;
  if (accept(p, TOKEN_LPAREN) && !parse_extent_parameters(p, tree))
    return false;
  tree->root = NEW(p->arena, SNode);
  tree->root->kind = SNODE_ROOT;
  tree->root->loc = tree->loc;
  tree->root->tree = tree;
  vec_push(p->arena, p->program->trees, p->program->tree_count, tree);
  return parse_components(p, tree->root);
}
