/* The module's tables: a function for each, so that every target has it in its constant memory. */
#include "gen/emit/writer.h"
#include "gen/ir/table.h"

#include <string.h>

const char *table_name(const Emit *e, const IrTable *table)
{
  return map_get(&e->tables, table);
}

static void write_values(Emit *e, const IrTable *table)
{
  const char *line = "";

  for (int k = 0; k < table->count; k++) {
    const char *value = format(e->arena, "%s,",
                               constant_text(e->arena, table->type, table->values[k], true));
    if (2 * (size_t)(e->indent + 1) + strlen(line) + strlen(value) + 1 > LINE_COLUMNS) {
      write_line(e, "%s", line);
      line = "";
    }
    line = format(e->arena, "%s%s%s", line, *line ? " " : "", value);
  }
  write_line(e, "%s", line);
}

static void write_table_function(Emit *e, const IrTable *table)
{
  const char *name = names_take(&e->names, table->name), *type = array_type(table->type);

  map_put(&e->tables, table, (void *)(uintptr_t)name);
  write_line(e, "SND_INLINE %s %s(int64_t k)", c_type(table->type), name);
  write_line(e, "{");
  e->indent++;
  write_line(e, "static const %s value[%d] = {", type, table->count);
  e->indent++;
  write_values(e, table);
  e->indent--;
  write_line(e, "};");
  write_line(e, "return (uint64_t)k < %d ? value[k] : 0;", table->count);
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
}

static void write_read(Emit *e, const IrBlock *body)
{
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body)) {
    if (s->op == IR_table && !table_name(e, s->table))
      write_table_function(e, s->table);
  }
}

/* Not what passes have made constants of: compilers warn of functions that nobody calls. */
void write_tables(Emit *e)
{
  Text tables = { 0 }, *out = e->out;

  e->out = &tables;
  for (int k = 0; k < e->module->function_count; k++)
    write_read(e, e->module->functions[k]->body);
  for (int k = 0; k < e->module->kernel_count; k++)
    write_read(e, e->module->kernels[k]->body);
  e->out = out;
  if (tables.length) {
    write_section(e, "tables");
    text_add(e->out, tables.data);
  }
  text_free(&tables);
}
