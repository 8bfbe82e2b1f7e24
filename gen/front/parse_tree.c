/* Trees: extent parameters, nodes, axes, places. */
#include "gen/front/parser.h"

#include <string.h>

/* extent := ":" expression; a hash has none */
static bool parse_extent(Parser *p, const SNode *node, Axis *axis)
{
  Loc loc = peek(p)->loc;
  if (kind_is(node->kind, KIND_KEYS)) {
    if (!accept(p, TOKEN_COLON))
      return true;
    fail(p, DIAG_HASH_EXTENT, loc, NULL);
    return parse_expression(p) != NULL;
  }
  if (!expect(p, TOKEN_COLON, "':' and an extent"))
    return false;
  axis->extent = parse_expression(p);
  return axis->extent != NULL;
}

/* axis := LETTER [ extent ] */
static bool parse_axis(Parser *p, SNode *node)
{
  const Token *token = peek(p);
  Axis axis = {.loc = token->loc};
  if (!expect(p, TOKEN_NAME, "an axis"))
    return false;
  axis.axis = axis_by_name(token->text);
  if (axis.axis < 0) {
    fail(p, DIAG_UNKNOWN_AXIS, token->loc, token->text);
    return false;
  }
  if (!parse_extent(p, node, &axis))
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

/* part := "." ( "grad" [ "." "dual" ] | "dual" ): the field's derivative, placed by hand */
static bool parse_part(Parser *p, Field *field)
{
  bool has_dual = false, is_grad = false;
  while (!has_dual && accept(p, TOKEN_DOT)) {
    has_dual = looking_at_word(p, "dual");
    if (!has_dual && (is_grad || !looking_at_word(p, "grad"))) {
      fail_expected(p, is_grad ? "'dual'" : "'grad' or 'dual'");
      return false;
    }
    is_grad = is_grad || !has_dual;
    advance(p);
  }
  if (is_grad || has_dual)
    field->part = !has_dual ? "grad" : is_grad ? "grad.dual" : "dual";
  return true;
}

/* place := "place" NAME [ part ] { "," NAME [ part ] } ";" */
static bool parse_place(Parser *p, SNode *node)
{
  advance(p);
  do {
    Field *field = NEW(p->arena, Field);
    const Token *token = peek(p);
    field->name = token->text;
    field->loc = token->loc;
    if (!expect(p, TOKEN_NAME, "a field's name"))
      return false;
    if (!parse_part(p, field))
      return false;
    vec_push(p->arena, node->fields, node->field_count, field);
  } while (accept(p, TOKEN_COMMA));
  return expect_semicolon(p, "',' or ';'");
}

static bool kind_by_name(const char *name, SNodeKind *kind)
{
  int k = snode_kind_by_word(name);
  if (k <= SNODE_ROOT)
    return false;
  *kind = (SNodeKind)k;
  return true;
}

/* The kind of a node by its word, after a message by the word that was meant; false where none
 * is near. */
static bool parse_kind(Parser *p, SNodeKind *kind)
{
  const char *kinds[SNODE_KINDS + 1] = {"place"};
  for (int k = SNODE_ROOT + 1; k < SNODE_KINDS; k++)
    kinds[k] = snode_kind[k].word;
  const Token *token = peek(p);
  if (!expect(p, TOKEN_NAME, "a node, 'place' or '}'"))
    return false;
  if (kind_by_name(token->text, kind))
    return true;
  fail(p, DIAG_UNKNOWN_NODE_KIND, token->loc, token->text);
  diag_suggest(p->diag, token->loc, token->text, kinds);
  const char *meant = nearest_name(token->text, kinds);
  return meant && kind_by_name(meant, kind);
}

static bool parse_components(Parser *p, SNode *node);

/* axes := "[" axis { "," axis } "]", behind the bracket */
static bool parse_axes(Parser *p, SNode *node)
{
  do {
    if (!parse_axis(p, node))
      return false;
  } while (accept(p, TOKEN_COMMA));
  return expect(p, TOKEN_RBRACKET, "',' or ']'");
}

/* A word that is behind the node for the second time, or behind a kind that it is not for. */
static void check_option(Parser *p, const SNode *node, Loc loc, const char *word, bool is_second,
                         bool is_for_kind, DiagId other_kind)
{
  if (is_second || !is_for_kind)
    p->program->is_broken = true;
  if (is_second)
    diag(p->diag, DIAG_OPTION_TWICE, loc, word, node->name);
  else if (!is_for_kind)
    diag(p->diag, other_kind, loc, node->name, snode_kind[node->kind].word);
}

static bool parse_chunk(Parser *p, SNode *node)
{
  Loc loc = advance(p)->loc;
  bool is_second = node->chunk != NULL;
  node->chunk = parse_expression(p);
  if (node->chunk)
    check_option(p, node, loc, "'chunk'", is_second, kind_is(node->kind, KIND_LIST),
                 DIAG_CHUNK_KIND);
  return node->chunk != NULL;
}

/* options := { "chunk" expression | "soa" [ "rows" ] | "split" } */
static bool parse_node_options(Parser *p, SNode *node)
{
  for (;;) {
    if (looking_at_word(p, "soa")) {
      check_option(p, node, advance(p)->loc, "'soa'", node->is_soa,
                   kind_is(node->kind, KIND_IN_PLACE), DIAG_SOA_KIND);
      node->is_soa = true;
      node->is_soa_by_row = looking_at_word(p, "rows");
      if (node->is_soa_by_row)
        advance(p);
    } else if (looking_at_word(p, "split")) {
      check_option(p, node, advance(p)->loc, "'split'", node->is_split,
                   kind_is(node->kind, KIND_ALLOCATED), DIAG_SPLIT_KIND);
      node->is_split = true;
    } else if (!looking_at_word(p, "chunk"))
      return true;
    else if (!parse_chunk(p, node))
      return false;
  }
}

static bool fits_kind(Parser *p, const SNode *node)
{
  if (!kind_is(node->kind, KIND_LIST) || node->axis_count == 1)
    return true;
  diag(p->diag, DIAG_DYNAMIC_AXES, node->loc, node->name, node->axis_count);
  p->program->is_broken = true;
  return false;
}

/* A node of which it is not known how its cells are counted: it belongs to no tree, and what
 * it holds is read for the mistakes in it. */
static bool parse_apart(Parser *p, SNode *node, int open)
{
  int begin = open - 1;                        /* its name */
  int depth = 0;
  for (int at = open; at < p->at; at++)
    depth += (p->tokens[at].kind == TOKEN_LBRACKET) - (p->tokens[at].kind == TOKEN_RBRACKET);
  bool is_good = (depth == 0 || skip_to_close(p, TOKEN_LBRACKET, TOKEN_RBRACKET)) &&
                 parse_node_options(p, node) &&
                 (accept(p, TOKEN_SEMICOLON) || parse_components(p, node));
  taint(p, begin);
  return is_good;
}

/* node := KIND NAME axes options ( "{" components "}" | ";" ) */
static bool parse_node(Parser *p, SNode *parent)
{
  SNode *node = NEW(p->arena, SNode);
  node->doc = peek(p)->doc;
  node->parent = parent;
  node->tree = parent->tree;
  if (!parse_kind(p, &node->kind))
    return false;
  node->name = expect_name(p, "the node's name", &node->loc);
  int open = p->at;
  if (!node->name || !expect(p, TOKEN_LBRACKET, "'[' and the node's axes"))
    return false;
  if (!parse_axes(p, node) || !fits_kind(p, node))
    return parse_apart(p, node, open);
  if (!parse_node_options(p, node))
    return false;
  vec_push(p->arena, parent->children, parent->child_count, node);
  return accept(p, TOKEN_SEMICOLON) || parse_components(p, node);
}

/* components := "{" { place | node } "}" */
static bool parse_components(Parser *p, SNode *node)
{
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
bool parse_extent_parameters(Parser *p, Tree *tree)
{
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

static Tree *begin_tree(Parser *p, const char *name, Loc loc)
{
  Tree *tree = NEW(p->arena, Tree);
  tree->name = name;
  tree->loc = loc;
  tree->root = NEW(p->arena, SNode);
  tree->root->kind = SNODE_ROOT;
  tree->root->loc = loc;
  tree->root->tree = tree;
  return tree;
}

/* The node's axes stand in their order, whichever the field's indices have. */
static void add_axis(SNode *node, Axis axis)
{
  int at = node->axis_count++;
  for (; at > 0 && node->axes[at - 1].axis > axis.axis; at--)
    node->axes[at] = node->axes[at - 1];
  node->axes[at] = axis;
}

void add_own_tree(Parser *p, const Field *field, Expr **extents, int count)
{
  Tree *tree = begin_tree(p, intern_format(p->arena, "%s_tree", field->name), field->loc);
  SNode *node = NEW(p->arena, SNode);
  Field *place = NEW(p->arena, Field);
  bool has_order = field->axis_count == count;   /* another number: an error by and by */
  node->kind = SNODE_DENSE;
  node->name = intern_format(p->arena, "%s_node", field->name);
  node->loc = field->loc;
  node->parent = tree->root;
  node->tree = tree;
  for (int k = 0; k < count; k++)
    add_axis(node, (Axis){.axis = has_order ? field->axes[k] : k, .loc = extents[k]->loc,
                          .extent = extents[k]});
  place->name = field->name;
  place->loc = field->loc;
  vec_push(p->arena, node->fields, node->field_count, place);
  vec_push(p->arena, tree->root->children, tree->root->child_count, node);
  vec_push(p->arena, p->program->trees, p->program->tree_count, tree);
}

/* own extents := "[" expression { "," expression } "]" */
bool parse_own_extents(Parser *p, const Field *field, Expr ***extents, int *count)
{
  Loc loc = advance(p)->loc;
  if (looking_at(p, TOKEN_RBRACKET)) {
    fail_expected(p, "an extent");
    return false;
  }
  if (!parse_expression_list(p, TOKEN_RBRACKET, extents, count))
    return false;
  if (*count <= MAX_AXES)
    return true;
  diag(p->diag, DIAG_ARRAY_RANK, loc, field->name, (int)MAX_AXES);
  p->program->is_broken = true;
  return false;
}

/* tree := "tree" NAME [ "(" extent parameters ")" ] components */
bool parse_tree(Parser *p, const char *doc)
{
  advance(p);
  Loc loc;
  const char *name = expect_name(p, "the tree's name", &loc);
  if (!name)
    return false;
  Tree *tree = begin_tree(p, name, loc);
  tree->doc = doc;
  if (accept(p, TOKEN_LPAREN) && !parse_extent_parameters(p, tree))
    return false;
  vec_push(p->arena, p->program->trees, p->program->tree_count, tree);
  return parse_components(p, tree->root);
}
