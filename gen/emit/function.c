/* Functions of the program in the C file, and what gives or takes an element of a staged field. */
#include "gen/emit/body.h"

static const char *function_params(Body *b)
{
  Emit *e = b->emit;
  const IrFunction *f = b->function;
  const Needs *n = b->needs;
  const char *list = "";

  for (int k = 0; k < f->slot_count; k++) {
    const char *tree = slot_name(f, k);
    b->view[k] = names_take(&b->names, tree);
    b->slot_number[k] = names_take(&b->names, format(e->arena, "%s_slot", tree));
    if (n->view[k])
      list = format(e->arena, "%s, const SND_GLB snd_tree_view *%s", list, b->view[k]);
    if (n->slot_number[k])
      list = format(e->arena, "%s, int32_t %s", list, b->slot_number[k]);
  }
  b->launch = names_take(&b->names, "launch");
  if (n->launch)
    list = format(e->arena, "%s, SND_GLB snd_launch *%s", list, b->launch);
  if (n->draws) {
    b->draws = names_take(&b->names, "draws");
    list = format(e->arena, "%s, snd_draws *%s", list, b->draws);
  }
  for (int k = 0; k < n->param_count; k++)
    list = format(e->arena, "%s, %s %s", list, c_type(n->params[k]->type),
                  variable_text(b, n->params[k]));
  if (n->traps) {
    b->ended = names_take(&b->names, "ended");
    list = format(e->arena, "%s, bool *%s", list, b->ended);
  }
  return *list ? list + 2 : "void";
}

static void write_hints(Body *b)
{
  for (int k = 0; k < b->needs->append_count; k++) {
    const char *hint = names_take(&b->names, "hint");
    write_line(b->emit, "snd_dynamic_hint %s = SND_NO_HINT;", hint);
    map_put(&b->hints, b->needs->appends[k], (void *)format(b->emit->arena, "&%s", hint));
  }
}

void emit_function(Emit *e, const IrFunction *f)
{
  FunctionInfo *info = function_info(e, f);
  Live live;
  Body b;
  const char *params;
  size_t begin;
  Loc outer;

  info->name = names_take(&e->names, f->name);
  live_find(e, f->body, &live);
  body_init(&b, e, f, NULL, f->body, &live, &info->needs);
  params = function_params(&b);
  if (f->doc)
    write_comment(e, f->doc);
  outer = write_from(e, f->loc);
  write_line(e, "SND_INLINE %s %s(%s)", c_type(f->result), info->name, params);
  write_line(e, "{");
  e->indent++;
  begin = e->out->length;
  write_hints(&b);
  emit_block(&b, f->body);
  declare_arrays(&b, begin);
  e->indent--;
  if (f->body->count > 0)
    write_from(e, f->body->stmts[f->body->count - 1]->loc);      /* where a debugger leaves it */
  write_line(e, "}");
  e->from = outer;
  write_line(e, "%s", "");
}

/* Of a field that host threads and teams stage each has one. */
static void write_element(Emit *e, const IrFunction *f, const Needs *task)
{
  FunctionInfo *info = function_info(e, f);

  if (info->name)
    return;
  info->needs.is_settled = !task->activates && !task->deactivates;
  emit_function(e, f);
}

void write_element_functions(Emit *e, const Needs *task)
{
  for (int k = 0; k < task->cache_count; k++) {
    if (e->staging == STAGING_TEAM)
      write_element(e, task->caches[k]->function, task);
    else if (task->placed[k])
      write_element(e, task->placed[k]->function, task);
  }
}
