/* Windows of a near form as C: in its function of one iteration boxes of cells lie in windows of
 * the thread (snode/device/window.h).
 *
 *   SND_INLINE void
 *   p2g_near_0(snd_windows *node_windows, .., SND_GLB particles_list *cell)
 *   {
 *   #if SND_ROWS
 *     ...
 *     snd_f32x4 *near = snd_window_at(node_windows, (i >> 4) * 16 + (j >> 4), ..);
 *     if (!near)
 *       goto in_tree;
 *     near += (i & 15) * 18 + (j & 15);
 *     near[0][0] += ..;
 *     return;
 *   in_tree:
 *   #endif
 *     p2g_body_0(.., cell);
 *   }
 *
 * The function of a host thread calls it in the place of the body, with windows of its own;
 * near_form.c writes both.
 */
#include "gen/emit/task.h"

#include <string.h>

enum { ALL_BYTES = 512 * 1024,         /* of the windows of a loop's thread: about half of what a
                                          core has to itself, */
       FEW_BYTES = 64 * 1024,          /* and where their blocks follow each other */
       MOST_WINDOWS = 128 };           /* SND_WINDOW_ENTRIES / 2 of snode/device/window.h */

/* ---- what there is ---- */

const NearWindow *near_window(Body *b, const IrStmt *s)
{
  int k = 0;

  while (b->windows->windows[k].is.stmt != s)
    k++;
  return &b->windows->windows[k];
}

static const Type *element_type(const IrWindow *w)
{
  return w->field[0]->type;
}

/* A vector, where it holds several fields. */
const char *near_type(Emit *e, const IrWindow *w)
{
  const Type *t = element_type(w);

  return w->lanes == 1 ? array_type(t) : format(e->arena, "snd_%sx%d", t->name, w->lanes);
}

/* ---- in the body: the window ---- */

static bool is_wide(const IrWindow *w)
{
  int64_t blocks = 1;

  for (int k = 0; k < w->axes; k++) {
    if (w->blocks[k] > INT32_MAX / blocks)
      return true;
    blocks *= w->blocks[k];
  }
  return false;
}

CText join_digits(Body *b, CText a, int64_t by, CText digit)
{
  if (!a.text || strcmp(a.text, "0") == 0)
    return digit;
  a.text = format(b->emit->arena, "%s * %lld", within(b, a, BOUND_MUL), (long long)by);
  if (strcmp(digit.text, "0") == 0)
    return (CText){ a.text, BOUND_MUL };
  return (CText){ format(b->emit->arena, "%s + %s", a.text, within(b, digit, BOUND_MUL)),
                  BOUND_ADD };
}

/* The number of the block. */
static const char *key_text(Body *b, const IrWindow *w)
{
  CText key = { NULL, BOUND_PRIMARY };

  for (int k = 0; k < w->axes; k++) {
    const IrStmt *x = w->stmt->operands[k];
    CText digit = quotient_text(b, x->type, false, value_text(b, x), w->block[k]);
    if (is_wide(w) && x->type->bits < 64)
      digit = (CText){ format(b->emit->arena, "(int64_t)%s", within(b, digit, BOUND_UNARY)),
                       BOUND_UNARY };
    key = join_digits(b, key, w->blocks[k], digit);
  }
  return key.text;
}

/* Where the box begins in the block on each axis. */
static void name_digits(Body *b, const IrWindow *w, CText *digit)
{
  for (int k = 0; k < w->axes; k++) {
    const IrStmt *x = w->stmt->operands[k];
    const IrSNode *n = w->stmt->snode;
    const char *name;
    digit[k] = rest_text(b, x->type, false, value_text(b, x), w->block[k]);
    if (w->block[k] == 1)
      continue;
    name = names_take(&b->names, format(b->emit->arena, "%s_%s", axis_name[n->path_axes[k]],
                                        n->name));
    write_line(b->emit, "const int32_t %s = %s%s;", name, x->type->bits > 32 ? "(int32_t)" : "",
               within(b, digit[k], x->type->bits > 32 ? BOUND_UNARY : BOUND_COMMA));
    digit[k] = primary(name);
  }
}

/* Which parts of the window the box touches: a bit for each axis that has a halo. */
static const char *part_text(Body *b, const IrWindow *w, const CText *digit)
{
  CText part = { NULL, BOUND_PRIMARY };

  for (int k = 0; w->is_added_to && !w->is_in_block && k < w->axes; k++) {
    const int64_t halo = w->extent[k] - w->block[k];
    CText reach;
    if (halo == 0)
      continue;
    reach = (CText){ format(b->emit->arena, "%s + %lld", digit[k].text, (long long)halo),
                     BOUND_ADD };
    part = join_digits(b, part, 2, quotient_text(b, TY(I32), false, reach, w->block[k]));
  }
  return part.text ? part.text : "0";
}

static const char *place_in_window(Body *b, const IrWindow *w, const CText *digit)
{
  CText at = { NULL, BOUND_PRIMARY };

  for (int k = 0; k < w->axes; k++)
    at = join_digits(b, at, w->extent[k], digit[k]);
  return at.text;
}

const char *box_inside(Body *b, const IrWindow *w)
{
  const char *all = "";

  if (!(w->stmt->index & IR_WINDOW_CHECKED))
    return NULL;
  for (int k = 0; k < w->axes; k++) {
    const char *x = within(b, value_text(b, w->stmt->operands[k]), BOUND_ADD);
    const int64_t reach = w->extent[k] - w->block[k];
    all = format(b->emit->arena, "%s%s%s >= 0 && %s < %lld", all, *all ? " && " : "", x, x,
                 (long long)(w->block[k] * w->blocks[k] - reach));
  }
  return all;
}

/* Whether the box has a window: it is inside the extents, and in one block where it has to be;
 * NULL: it always is. */
static const char *box_may_be_near(Body *b, const IrWindow *w, const CText *digit)
{
  const char *all = box_inside(b, w);

  for (int k = 0; w->is_in_block && k < w->axes; k++)
    if (w->extent[k] > w->block[k])
      all = format(b->emit->arena, "%s%s%s < %lld", all ? all : "", all ? " && " : "",
                   digit[k].text, (long long)(2 * w->block[k] - w->extent[k]));
  return all;
}

void emit_window(Body *b, const IrStmt *s)
{
  const NearWindow *n = near_window(b, s);
  const IrWindow *w = &n->is;
  const char *inside, *look, *name, *declared = "";
  ValueInfo *info = value_info(b, s);
  Emit *e = b->emit;
  CText digit[MAX_AXES];

  name_digits(b, w, digit);
  inside = box_may_be_near(b, w, digit);
  if (b->gang) {
    name = gang_place(b, s);
    look = format(e->arena, "snd_window_of_gang(%s, %s, %s, %s)", n->name, b->lane, key_text(b, w),
                  part_text(b, w, digit));
  } else {
    name = names_take(&b->names, "near");
    declared = format(e->arena, "%s%s *", w->is_added_to ? "" : "const ", near_type(e, w));
    look = format(e->arena, "snd_window_at(%s, %s, %s)", n->name, key_text(b, w),
                  part_text(b, w, digit));
  }
  write_line(e, "%s%s = %s%s%s%s;", declared, name, inside ? inside : "", inside ? " ? " : "", look,
             inside ? " : NULL" : "");
  write_line(e, "if (!%s)", name);
  e->indent++;
  write_line(e, "goto %s;", b->in_tree);
  e->indent--;
  write_line(e, "%s += %s;", name, place_in_window(b, w, digit));
  info->text = primary(name);
  info->state = VALUE_NAMED;
}

/* ---- in the body: its cells ---- */

/* 18 * i + 2 */
const char *index_in_box(Body *b, const IrStmt *s, const int64_t *extent)
{
  const char *sum = "";
  Arena *arena = b->emit->arena;
  int64_t constant = 0, step = 1;

  for (int k = s->field->snode->path_axis_count - 1; k >= 0; k--) {
    const IrStmt *distance = s->operands[1 + k];
    if (distance->op == IR_const)
      constant += distance->value.i * step;
    else if (step == 1)
      sum = value_text(b, distance).text;
    else
      sum = format(arena, "%s * %lld%s%s", within(b, value_text(b, distance), BOUND_MUL),
                   (long long)step, *sum ? " + " : "", sum);
    step *= extent[k];
  }
  if (!*sum)
    return format(arena, "%lld", (long long)constant);
  return constant ? format(arena, "%s + %lld", sum, (long long)constant) : sum;
}

/* near[18 * i + 2] */
static const char *near_cell(Body *b, const IrStmt *s)
{
  const IrWindow *w = &near_window(b, s->operands[0])->is;

  return format(b->emit->arena, "%s[%s]", value_info(b, s->operands[0])->text.text,
                index_in_box(b, s, w->extent));
}

static const char *near_element(Body *b, const IrStmt *s, bool is_whole)
{
  const IrWindow *w = &near_window(b, s->operands[0])->is;
  const char *cell = near_cell(b, s);

  if (is_whole || w->lanes == 1)
    return cell;
  return format(b->emit->arena, "%s[%d]", cell, ir_window_element(w, s->field));
}

/* The distance of a cell from the first one of the box, in a window. */
static long long distance(const IrWindow *w, const IrStmt *s)
{
  long long sum = 0;

  for (int k = 0; k < w->axes; k++)
    sum = sum * w->extent[k] + s->operands[1 + k]->value.i;
  return sum;
}

/* A value of the box of each iteration of a gang. */
static CText near_lanes_text(Body *b, const IrStmt *s)
{
  const IrWindow *w = &near_window(b, s->operands[0])->is;
  const char *near = value_info(b, s->operands[0])->each;

  if (w->lanes == 1)
    return primary(format(b->emit->arena, "SND_NEAR_LANES_1(%s, %s, %lld)", s->type->name, near,
                          distance(w, s)));
  return primary(format(b->emit->arena, "SND_NEAR_LANES_%d(%s, %s, %lld, %d)", w->lanes,
                        s->type->name, near, distance(w, s), ir_window_element(w, s->field)));
}

CText near_load_text(Body *b, const IrStmt *s)
{
  if (b->gang)
    return near_lanes_text(b, s);
  return primary(near_element(b, s, s->lanes > 0));
}

/* Signed integers wrap: as unsigned ones do in C. */
static void add_wrapping(Body *b, const IrStmt *s, const char *place, const IrStmt *value)
{
  const Type *t = value->type;
  Arena *arena = b->emit->arena;
  const char *text = loose(b, value), *u;

  if (value->lanes == 0) {
    write_line(b->emit, "%s = snd_%s_%s(%s, %s);", place, operator_name[s->update], t->name, place,
               text);
    return;
  }
  u = format(arena, "(snd_u%dx%d)", t->bits, value->lanes);
  write_line(b->emit, "%s = (snd_%sx%d)(%s%s %s %s(%s));", place, t->name, value->lanes, u, place,
             operator_sign[s->update], u, text);
}

void emit_near_add(Body *b, const IrStmt *s)
{
  const IrStmt *value = s->operands[s->operand_count - 1];
  const char *place = near_element(b, s, value->lanes > 0);

  if (type_is_float(value->type) || !value->type->is_signed)
    write_line(b->emit, "%s %s= %s;", place, operator_sign[s->update], loose(b, value));
  else
    add_wrapping(b, s, place, value);
}

/* ---- the body ---- */

/* Windows that a thread has of its own: a team has what it stages. */
static int thread_windows(const Task *t)
{
  return t->emit->staging == STAGING_TEAM ? 0 : t->windows.count;
}

void name_windows(Task *t, Body *b)
{
  for (int k = 0; k < thread_windows(t); k++) {
    NearWindow *n = &t->windows.windows[k];
    n->name = names_take(&b->names,
                         format(t->emit->arena, "%s_windows", n->is.stmt->snode->name));
  }
  if (t->plain) {
    b->windows = &t->windows;
    b->in_tree = names_take(&b->names, b->gang ? "one_by_one" : "in_tree");
  }
}

const char *window_params(const Task *t)
{
  const char *list = "";

  for (int k = 0; k < thread_windows(t); k++)
    list = format(t->emit->arena, "%s, snd_windows *%s", list, t->windows.windows[k].name);
  return list;
}

/* What the plain body takes, in the order of its parameters. */
static const char *plain_arguments(const Task *t, const Body *b)
{
  const Task *plain = t->plain;
  Arena *arena = t->emit->arena;
  const char *list = "";

  for (int k = 0; k < t->kernel->slot_count; k++)
    if (plain->needs.view[k])
      list = format(arena, "%s, %s", list, b->view[k]);
  if (plain->needs.launch)
    list = format(arena, "%s, %s", list, b->launch);
  if (plain->needs.vars)
    list = format(arena, "%s, %s", list, b->vars);
  for (int k = 0; k < plain->needs.param_count; k++)
    list = format(arena, "%s, %s", list,
                  (const char *)map_get(&b->variables, plain->needs.params[k]));
  for (int k = 0; k < plain->needs.reduction_count; k++)
    list = format(arena, "%s, %s", list, t->sum[k]);
  for (int k = 0; k < plain->needs.append_count; k++)
    list = format(arena, "%s, %s", list, t->hint[k]);
  if (plain->needs.own_cell)
    list = format(arena, "%s, %s", list, b->cell);
  if (plain->needs.own_parent)
    list = format(arena, "%s, %s", list, b->parent);
  if (plain->needs.own_position)
    list = format(arena, "%s, %s", list, b->position);
  for (int k = 0; k < t->stmt->variable_count; k++)
    if (plain->needs.indices >> k & 1)
      list = format(arena, "%s, %s", list, b->index[k]);
  return *list ? list + 2 : list;
}

static void put_aside(Emit *e, bool is_parameter, bool plain_takes_it, const char *name)
{
  if (is_parameter && !plain_takes_it)
    write_line(e, "(void)%s;", name);
}

/* Where no one looks into windows: they, and what the plain body does not take. */
static void put_windows_aside(const Task *t, const Body *b)
{
  const Needs *near = &t->needs, *plain = &t->plain->needs;
  Emit *e = t->emit;

  for (int k = 0; k < t->windows.count; k++)
    write_line(e, "(void)%s;", t->windows.windows[k].name);
  for (int k = 0; k < t->kernel->slot_count; k++)
    put_aside(e, near->view[k], plain->view[k], b->view[k]);
  put_aside(e, near->launch, plain->launch, b->launch);
  put_aside(e, near->vars, plain->vars, b->vars);
  for (int k = 0; k < near->param_count; k++)
    put_aside(e, true, needs_param(plain, near->params[k]),
              map_get(&b->variables, near->params[k]));
  put_aside(e, near->own_cell, plain->own_cell, b->cell);
  put_aside(e, near->own_parent, plain->own_parent, b->parent);
  put_aside(e, near->own_position, plain->own_position, b->position);
  for (int k = 0; k < t->stmt->variable_count; k++)
    put_aside(e, near->indices >> k & 1, plain->indices >> k & 1, b->index[k]);
}

void write_without_window(Task *t, Body *b)
{
  Emit *e = t->emit;

  write_line(e, "return;");
  e->indent--;
  write_line(e, "%s:", b->in_tree);
  e->indent++;
  if (e->staging != STAGING_TEAM) {
    write_line(e, "#else");
    put_windows_aside(t, b);
    write_line(e, "#endif");
  }
  write_line(e, "%s(%s);", t->plain->body, plain_arguments(t, b));
}

/* Whether it has done them all. */
void write_gang_end(Body *b)
{
  Emit *e = b->emit;

  write_line(e, "return true;");
  e->indent--;
  write_line(e, "%s:", b->in_tree);
  e->indent++;
  write_line(e, "return false;");
}

/* ---- in the function of a thread ---- */

void name_thread_windows(Skeleton *s)
{
  const NearWindows *w = &s->task->windows;
  Arena *arena = s->emit->arena;

  s->windows = NEW_ARRAY(arena, const char *, w->count + 1);
  s->window_cells = NEW_ARRAY(arena, const char *, w->count + 1);
  for (int k = 0; k < thread_windows(s->task); k++) {
    const char *of = w->windows[k].is.stmt->snode->name;
    s->windows[k] = names_take(&s->names, format(arena, "%s_windows", of));
    s->window_cells[k] = names_take(&s->names, format(arena, "%s_near", of));
  }
}

const char *window_arguments(const Skeleton *s)
{
  const char *list = "";

  for (int k = 0; k < thread_windows(s->task); k++)
    list = format(s->emit->arena, "%s, &%s", list, s->windows[k]);
  return list;
}

/* How many windows a thread has. */
static long long window_count(const Task *near, const IrWindow *w)
{
  const bool is_at_once = w->stmt->index & IR_WINDOW_AT_ONCE;
  const int64_t bytes = ir_window_cells(w) * w->lanes * element_type(w)->bits / 8;
  const int64_t all = (is_at_once ? FEW_BYTES : ALL_BYTES) / near->windows.count;

  return all / bytes < 4 ? 4 : all / bytes > MOST_WINDOWS ? MOST_WINDOWS : all / bytes;
}

void write_near_windows(const Skeleton *s)
{
  const Task *near = s->task;
  Emit *e = s->emit;

  for (int k = 0; k < thread_windows(near); k++) {
    const IrWindow *w = &near->windows.windows[k].is;
    write_line(e, "SND_WINDOW_CELLS(%s, %s, %lld * %lld);", array_type(element_type(w)),
               s->window_cells[k], window_count(near, w),
               (long long)(ir_window_cells(w) * w->lanes));
    write_line(e, "snd_windows %s;", s->windows[k]);
  }
  for (int k = 0; k < thread_windows(near); k++)
    write_line(e, "snd_windows_begin(&%s, %s, &%s, %s, sizeof %s);", s->windows[k], s->thread,
               near->windows.windows[k].shape, s->window_cells[k], s->window_cells[k]);
}

void write_near_end(const Skeleton *s)
{
  for (int k = 0; k < thread_windows(s->task); k++)
    write_line(s->emit, "snd_windows_end(&%s);", s->windows[k]);
}
