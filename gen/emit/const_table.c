/* The module's tables: a function for each, so that every target has it in its constant memory. */
#include "gen/emit/writer.h"
#include "gen/ir/table.h"

#include <string.h>

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

static void write_function(Emit *e, const IrTable *table, const char *name)
{
  const char *type = array_type(table->type);

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

/* In a text of its own, beside that which calls it first. */
static void write_beside(Emit *e, const IrTable *table, const char *name)
{
  Text *out = e->out;
  const int indent = e->indent;
  const Loc from = e->from;

  e->out = &e->table_functions;
  e->indent = 0;
  e->from = (Loc){ 0 };
  write_function(e, table, name);
  e->out = out;
  e->indent = indent;
  e->from = from;
}

const char *table_name(Emit *e, const IrTable *table)
{
  const char *name = map_get(&e->tables, table);

  if (name)
    return name;
  name = names_take(&e->names, table->name);
  map_put(&e->tables, table, (void *)(uintptr_t)name);
  write_beside(e, table, name);
  return name;
}

void write_tables(Emit *e)
{
  if (e->table_functions.length) {
    write_section(e, "tables");
    text_add(e->out, e->table_functions.data);
  }
  text_free(&e->table_functions);
}
