/* Structs, trees, nodes and fields. */
#include "t/fuzz/grammar_state.h"

#include <string.h>

static const char axis_name[] = "ijklmnopqrst";

void say_records(Grammar *g)
{
  for (int k = below(g, RECORDS + 1); k > 0; k--) {
    Record r = { .count = 1 + below(g, MEMBERS) };
    say(g, "struct s%d { ", g->record_count + 1);
    for (int m = 0; m < r.count; m++) {
      r.members[m] = any_form(g);
      say_form(g, r.members[m]);
      say(g, " %c; ", 'a' + m);
    }
    say(g, "}\n");
    g->records[g->record_count++] = r;
  }
}

/* ---- fields ---- */

/* Of a node under dense ones, one of eight has a mode. */
static void say_mode(Grammar *g, Field *f)
{
  static const char *const modes[] = { "local", "hosted", "device", "constant" };
  int mode;

  if ((f->node && !f->node->is_dense) || !chance(g, 1))
    return;
  mode = below(g, 4);
  f->is_constant = mode == 3;
  say(g, " %s", modes[mode]);
}

static void say_options(Grammar *g, Field *f)
{
  static const char *const borders[] = { "default", "clamp", "wrap" };

  if (chance(g, 3)) {
    say(g, " = ");
    say_literal(g, f->form);
  }
  if (f->count && chance(g, 2)) {
    say(g, " offset (");
    for (int k = 0; k < f->count; k++)
      say(g, "%s%d", k ? ", " : "", below(g, 41) - 20);
    say(g, ")");
  }
  if (f->count && !f->node->open && chance(g, 1))
    say(g, " outside %s", borders[below(g, 3)]);
  say_mode(g, f);
}

static void order_axes(Grammar *g, Field *f)
{
  for (int a = 0; f->node && a < AXES; a++)
    if (f->node->path >> a & 1)
      f->axes[f->count++] = a;
  for (int k = f->count - 1; k > 0 && chance(g, 1); k--) {
    const int other = below(g, k + 1), axis = f->axes[k];
    f->axes[k] = f->axes[other];
    f->axes[other] = axis;
  }
}

/* A field is declared before its tree; the tree's own text waits. */
static void new_field(Grammar *g, const Node *node, int tree, Text *body)
{
  Field *f = &g->fields[g->field_count];

  g->field_count++;
  *f = (Field){ .form = any_form(g), .node = node, .tree = tree };
  new_name(g, f->name, "x");
  order_axes(g, f);
  say(g, "field ");
  say_form(g, f->form);
  say(g, " %s", f->name);
  if (f->count) {
    say(g, " (");
    for (int k = 0; k < f->count; k++)
      say(g, "%s%c", k ? ", " : "", axis_name[f->axes[k]]);
    say(g, ")");
  }
  say_options(g, f);
  say(g, ";\n");
  text_format(body, " place %s;", f->name);
}

/* ---- nodes ---- */

static void say_node(Grammar *, const Node *parent, int tree, int depth, bool *has_hash,
                     Text *body);

/* -1: all are divided above. */
static int free_axis(Grammar *g, unsigned path)
{
  const int from = below(g, AXES);

  for (int k = 0; k < AXES; k++)
    if (!(path >> (from + k) % AXES & 1))
      return (from + k) % AXES;
  return -1;
}

static Kind any_kind(Grammar *g, const Node *parent, bool *has_hash)
{
  const int kind = below(g, 8);

  if (kind == 7 && !parent && !*has_hash) {
    *has_hash = true;
    return HASH;
  }
  return kind < 2 ? DENSE : kind < 4 ? POINTER : kind < 6 ? BITMASKED : DYNAMIC;
}

static void divide(Grammar *g, Node *n, int axis, int64_t extent, Text *body)
{
  static const int64_t extents[] = { 2, 3, 4, 1, 8, 7, 16 };

  if (n->kind == HASH) {
    n->open |= 1u << axis;
    text_format(body, "%c", axis_name[axis]);
  } else {
    if (!extent)
      extent = extents[below(g, 7)];
    n->total[axis] *= extent;
    text_format(body, "%c: %lld", axis_name[axis], (long long)extent);
  }
  n->path |= 1u << axis;
}

static void say_extents(Grammar *g, Node *n, Text *body)
{
  int axis = n->kind == DYNAMIC ? free_axis(g, n->path) : below(g, 3), more;

  n->own = -1;
  if (axis < 0) {                        /* no list here, then */
    n->kind = BITMASKED;
    axis = 0;
  }
  text_add(body, "[");
  if (n->kind == DYNAMIC) {
    n->own = axis;
    divide(g, n, axis, 1 + 7 * below(g, 200), body);
  } else {
    divide(g, n, axis, 0, body);
    for (more = below(g, 3); more > 0 && ++axis < 4; more--) {
      text_add(body, ", ");
      divide(g, n, axis, 0, body);
    }
  }
  text_add(body, "]");
}

static Node *new_node(Grammar *g, const Node *parent, int tree, Kind kind)
{
  Node *n = &g->nodes[g->node_count++];

  *n = (Node){ .kind = kind, .parent = parent, .tree = tree };
  for (int a = 0; a < AXES; a++)
    n->total[a] = parent ? parent->total[a] : 1;
  n->path = parent ? parent->path : 0;
  n->open = parent ? parent->open : 0;
  n->is_dense = kind == DENSE && (!parent || parent->is_dense);
  new_name(g, n->name, "n");
  return n;
}

/* What is begun is ended: a third of the room. */
static bool is_full(const Grammar *g)
{
  return g->node_count > NODES / 3 - 1 || g->field_count > FIELDS / 3 - 1;
}

/* Of a leaf its fields, else some and what stands below it; a mask alone where nothing has room. */
static void say_components(Grammar *g, Node *n, int depth, bool *has_hash, Text *body)
{
  const bool is_leaf = n->kind == DYNAMIC || depth == 0 || is_full(g) || chance(g, 3);

  if (n->kind == BITMASKED && is_leaf && (is_full(g) || chance(g, 1))) {
    text_add(body, ";");
    return;
  }
  if (is_leaf && (n->kind == DENSE || n->kind == BITMASKED) && chance(g, 2))
    text_add(body, chance(g, 5) ? " soa rows" : " soa");
  text_add(body, " {");
  for (int k = is_leaf ? 1 + below(g, 2) : below(g, 2); k > 0; k--)
    new_field(g, n, n->tree, body);
  for (int k = is_leaf ? 0 : 1 + below(g, 2); k > 0; k--)
    say_node(g, n, n->tree, depth - 1, has_hash, body);
  text_add(body, " }");
}

static void say_node(Grammar *g, const Node *parent, int tree, int depth, bool *has_hash,
                     Text *body)
{
  static const char *const kinds[] = { "dense", "bitmasked", "pointer", "dynamic", "hash" };
  Node *n = new_node(g, parent, tree, is_full(g) ? BITMASKED : any_kind(g, parent, has_hash));
  Text extents = { 0 };

  text_add(&extents, "");
  say_extents(g, n, &extents);
  text_format(body, " %s %s%s", kinds[n->kind], n->name, extents.data);
  text_free(&extents);
  if (n->kind == DYNAMIC && chance(g, 3))
    text_format(body, " chunk %d", 1 + below(g, 64));
  say_components(g, n, depth, has_hash, body);
}

static void say_tree(Grammar *g)
{
  const int tree = g->tree_count;
  bool has_hash = false;
  Text body = { 0 };

  text_add(&body, "");
  if (chance(g, 3))
    new_field(g, NULL, tree, &body);
  for (int k = 1 + below(g, 2); k > 0; k--)
    say_node(g, NULL, tree, 3, &has_hash, &body);
  say(g, "tree t%d {%s }\n\n", tree, body.data);
  text_free(&body);
  g->tree_count++;
}

void say_trees(Grammar *g)
{
  for (int k = 1 + below(g, TREES); k > 0; k--)
    say_tree(g);
}
