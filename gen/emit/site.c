/* The sites of a file: the places of the source that its code names, by the rows of a table. */
#include "gen/emit/writer.h"

/* How much a statement tells of its site; what a pass makes of one keeps it. */
static int site_rank(const IrStmt *s)
{
  if (s->op == IR_append_cell || s->op == IR_cell_length || s->op == IR_release_cell)
    return 4;                            /* their checks name the SNode above */
  if (ir_is(s, IR_SITE))
    return ir_is(s, IR_TRAPS | IR_PRINTS) ? 3 : 2;
  return s->field || s->snode || s->variable ? 1 : 0;
}

static void note_site(Emit *e, const IrStmt *s)
{
  if (s->site < 0)
    return;
  while (e->site_count <= s->site)
    vec_push(e->arena, e->site, e->site_count, NULL);
  if (!e->site[s->site] || site_rank(s) > site_rank(e->site[s->site]))
    e->site[s->site] = s;
}

static int row_of(Emit *e, int site)
{
  if (e->site_row[site] < 0)
    e->site_row[site] = e->site_rows++;
  return e->site_row[site];
}

/* The interpreter's text names the sites by the numbers of the IR. */
void plan_sites(Emit *e)
{
  for (int k = 0; k < ir_function_count(e->module); k++) {
    const IrBlock *body = ir_function(e->module, k)->body;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      note_site(e, s);
  }
  e->site_row = NEW_ARRAY(e->arena, int, e->site_count + 1);
  for (int k = 0; k < e->site_count; k++)
    e->site_row[k] = -1;
  for (int k = 0; k < e->site_count && e->options->target == EMIT_INTERPRETER; k++)
    row_of(e, k);
}

int site_number(Emit *e, const IrStmt *s)
{
  return s->site < 0 ? -1 : row_of(e, s->site);
}

/* The name of the source that a statement is from; NULL: the module's own. */
static const char *other_source(Emit *e, Loc loc)
{
  bool is_known = loc.file > 0 && loc.file < e->module->source_count;

  return is_known ? base_name(e->module->sources[loc.file]) : NULL;
}

static const char *site_types(Emit *e, const IrStmt *s, int from)
{
  const char *types = "";

  for (int k = from; k < s->operand_count; k++) {
    const Type *t = s->operands[k]->type;
    types = format(e->arena, "%s%c", types, t->kind == TYPE_BOOL ? 'b' : type_is_float(t) ? 'f'
                                            : t->is_signed ? 'i' : 'u');
  }
  return types;
}

/* The elements, then the indices of both iterations. */
static const char *claim_types(Emit *e, const IrStmt *s)
{
  if (!ir_claim_tells(s->index, s->operand_count - s->index))
    return "";
  return format(e->arena, "%s%s", site_types(e, s, 0), site_types(e, s, s->index));
}

static void write_site(Emit *e, int number, const IrStmt *s)
{
  const char *kind = "BOUNDS", *name = NULL, *text = NULL, *types = NULL;
  Arena *a = e->arena;

  if (ir_is(s, IR_PRINTS)) {
    kind = s->op == IR_print ? "PRINT" : "TRACE";
    text = s->text;
    types = site_types(e, s, 0);
    if (s->op == IR_trace)
      name = ir_inner_path(e->arena, s);
  } else if (s->op == IR_assert || s->op == IR_require) {
    kind = "ASSERT";
    text = s->text ? s->text : "";
    types = site_types(e, s, 1);
  } else if (s->op == IR_claim) {
    kind = "ASSERT";
    text = s->text;
    types = claim_types(e, s);
  } else {
    if (s->op == IR_activate || (s->op == IR_cell && s->mode == IR_MODE_ACTIVATE))
      kind = "ACTIVATE";
    if (s->op == IR_append || s->op == IR_append_cell)
      kind = "APPEND";
    name = s->field      ? ir_whole_name(e->arena, s->field->name)
           : s->variable ? ir_whole_name(e->arena, s->variable->name)
           : s->snode    ? s->snode->name
                         : s->text;
  }
  write_line(e, "[%d] = { %s },", number,
             members(a, "kind", format(a, "SND_SITE_%s", kind), "line", decimal(a, s->loc.line),
                     "column", decimal(a, s->loc.column), "name", quote(a, name),
                     "text", quote(a, text), "types", quote(a, types),
                     "source", quote(a, other_source(e, s->loc)), NULL));
}

const char *write_sites(Emit *e)
{
  const IrStmt **rows = NEW_ARRAY(e->arena, const IrStmt *, e->site_rows + 1);
  const char *name;

  if (e->site_rows == 0)
    return "NULL";
  for (int k = 0; k < e->site_count; k++)
    if (e->site_row[k] >= 0)
      rows[e->site_row[k]] = e->site[k];
  name = names_take(&e->names, "sites");
  write_line(e, "static const snd_site %s[] = {", name);
  e->indent++;
  for (int k = 0; k < e->site_rows; k++)
    if (rows[k])
      write_site(e, k, rows[k]);
  e->indent--;
  write_line(e, "};");
  write_line(e, "%s", "");
  return name;
}
