/* --routines: the table of the kernels as entries of a code (snode/program.h), each with a function
 * that takes its instances as an array and its parameters, which are integers, as indices.
 */
#include "gen/emit/writer.h"

/* What a routine's run can be given: integers, and no place for a result. */
static bool can_run(const IrFunction *f)
{
  bool can = f->result->kind == TYPE_VOID && f->slot_count > 0;

  for (int k = 0; k < f->param_count; k++)
    can = can && f->params[k]->kind == IR_VAR_PARAM && !f->params[k]->of &&
          !ir_is_element(f->params[k]->name) && type_is_integer(f->params[k]->type);
  return can;
}

/* Its name; NULL: there can be none. */
static const char *write_enter(Emit *e, const IrFunction *f)
{
  const IrArguments all = ir_arguments(e->arena, f);
  const char *name, *trees, *indices, *arguments = "";
  Names names;

  if (!can_run(f))
    return "NULL";
  name = names_take(&e->names, format(e->arena, "%s_enter", f->name));
  names_init(&names, e->arena, NAMES_LOCAL, &e->names);
  trees = names_take(&names, "trees");
  indices = names_take(&names, "indices");
  for (int k = 0; k < all.count; k++) {
    const IrArgument *a = &all.arguments[k];
    arguments = format(e->arena, "%s%s", arguments, k ? ", " : "");
    arguments = a->slot >= 0
        ? format(e->arena, "%s(%s *)%s[%d]", arguments, e->trees[f->slots[a->slot].tree->id].c_type,
                 trees, a->slot)
        : format(e->arena, "%s(%s)%s[%d]", arguments, api_type(f->params[a->param]->type),
                 indices, a->param);
  }
  write_line(e, "static int %s(sn_tree *const *%s, const int64_t *%s)", name, trees, indices);
  write_line(e, "{");
  e->indent++;
  if (!f->param_count)
    write_line(e, "(void)%s;", indices);
  write_line(e, "return %s_%s(%s);", e->module->prefix, f->name, arguments);
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
  return name;
}

static const char *write_entries(Emit *e)
{
  const IrModule *m = e->module;
  const char *rows = "", *name;

  if (!m->kernel_count)
    return "NULL";
  for (int k = 0; k < m->kernel_count; k++)
    rows = format(e->arena, "%s  { &%s, %s },\n", rows, e->kernel_info[k],
                  write_enter(e, m->kernels[k]));
  name = names_take(&e->names, "entries");
  write_line(e, "static const sn_kernel_entry %s[] = {", name);
  text_add(e->out, rows);
  write_line(e, "};");
  write_line(e, "%s", "");
  return name;
}

/* The fields that have a mode: the line that says it, 0 where it was found. */
static const char *write_modes(Emit *e, int *count)
{
  const char *rows = "", *name;

  *count = 0;
  for (int t = 0; t < e->module->tree_count; t++) {
    const IrTree *tree = e->module->trees[t];
    for (int k = 0; !tree->prefix && k < tree->field_count; k += ir_field_elements(tree, k)) {
      const IrField *f = tree->fields[k];
      if (f->mode == FIELD_MODE_NONE)
        continue;
      rows = format(e->arena, "%s  { &%s, %s, %s, %d },\n", rows, e->trees[tree->id].info,
                    e->trees[tree->id].field_id[k], quote(e->arena, field_mode_word[f->mode]),
                    f->mode_loc.line ? f->loc.line : 0);
      ++*count;
    }
  }
  if (!*count)
    return "NULL";
  name = names_take(&e->names, "field_modes");
  write_line(e, "static const sn_field_mode %s[] = {", name);
  text_add(e->out, rows);
  write_line(e, "};");
  write_line(e, "%s", "");
  return name;
}

void emit_routines(Emit *e)
{
  const char *entries, *modes, *info;
  int mode_count;

  write_section(e, "kernels as routines");
  entries = write_entries(e);
  modes = write_modes(e, &mode_count);
  info = names_take(&e->names, "routines");
  write_line(e, "static const sn_routines %s = {", info);
  write_line(e, "  sizeof(sn_routines), &%s, %d, %s, %d, %s", e->table, e->module->kernel_count,
             entries, mode_count, modes);
  write_line(e, "};");
  write_line(e, "%s", "");
  write_line(e, "const sn_routines *%s_routines(void)", e->module->prefix);
  write_line(e, "{");
  write_line(e, "  return &%s;", info);
  write_line(e, "}");
  write_line(e, "%s", "");
}
